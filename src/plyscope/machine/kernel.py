"""The door to machine code: kernels, which are Python functions that are compiled when they are
first called and kept on disk.

A kernel's machine code lies in the user's cache folder, in a file of its own that holds everything
it calls, under a name made of the sources of all kernels, the processor and the versions of what
compiles them. Where the file is there it is loaded by llvmlite within milliseconds, and Numba is
not even imported; where it is not, `compile` makes it. A file that is damaged, is another kernel's,
or can have been written by somebody else is not used.

Kernels take and return 64-bit integers and truth values, as their annotations say, and call one
another and the primitives below. Called from Python a kernel runs without the interpreter's lock.
It must not call a kernel that it was not compiled with, and never raises.
"""

from __future__ import annotations

import ctypes
import json
import threading
from collections.abc import Callable
from functools import cached_property
from time import thread_time
from typing import Any, NamedTuple, TypeVar, cast, get_type_hints

from plyscope.machine import store
from plyscope.machine.block import Block, Constants
from plyscope.machine.cache import is_own
from plyscope.machine.memory import c_library
from plyscope.machine.run import uninterrupted

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
NO_ANSWER = 1 << 62
"""What a native function answers where the Python function raised."""
_lock = threading.RLock()


class CannotCompile(Exception):
    """A function cannot be compiled; the text is the reason in one line."""


class Kernel:
    """A Python function that is run as machine code."""

    def __init__(
        self,
        function: Callable[..., Any],
        is_inlined: bool = False,
        constants: Constants | None = None,
        walk: type[Block] | None = None,
        walk_constants: tuple[tuple[str, int], ...] = (),
    ) -> None:
        self.function, self.is_inlined, self.constants = function, is_inlined, constants
        self.walk, self.walk_constants = walk, walk_constants
        """What stands for the walk of an algorithm's text, and attributes that it has beside."""
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        self.__module__ = function.__module__
        self.compiled: Any = None
        """Numba's form of it, once `numba_types.form_of` has made it."""
        self._native: Any = None
        self._engine: Any = None
        self._with: dict[Constants, Kernel] = {}

    @cached_property
    def types(self) -> tuple[list[Any], Any]:
        """The types of its arguments and of its answer."""
        hints = get_type_hints(self.function)
        answer = hints.pop("return")
        if self.walk is not None:
            hints["walk"] = self.walk
        return list(hints.values()), answer

    @cached_property
    def takes_constants(self) -> bool:
        """Whether its first argument is what it is compiled with."""
        first = next(iter(self.types[0]), None)
        return isinstance(first, type) and issubclass(first, Constants)

    @property
    def file_name(self) -> str:
        """The name of the file that its machine code is kept in."""
        of = f"-{self.constants.digest}" if self.constants else ""
        return f"{self.__module__.rpartition('.')[2]}.{self.__name__}{of}.o"

    def of(self, constants: Constants) -> Kernel:
        """Return the kernel compiled with `constants`, which is called without them."""
        if constants not in self._with:
            self._with[constants] = Kernel(self.function, constants=constants)
        return self._with[constants]

    @property
    def is_ready(self) -> bool:
        """Whether its machine code is there, so that calling it does not compile."""
        return self._native is not None or is_own(store.file_of(self.file_name))

    def prepare(self) -> None:
        """Load its machine code, or compile it: that goes on where Ctrl-C ends the waiting."""
        if self._native is None:
            compile_alone(self._load)

    def _load(self) -> None:
        if self._native is None:
            self._engine, self._native = load(self)

    def __call__(self, *arguments: Any) -> Any:
        """Run it, compiled first where it is not yet."""
        if self._native is None:
            if self.takes_constants and self.constants is None:
                return self.of(arguments[0])(*arguments[1:])
            self.prepare()
        return self._native(*arguments)


def load(kernel: Kernel) -> tuple[Any, Any]:
    """Return the engine that holds a kernel's machine code, and the callable; compile the kernel
    first where it is not on disk."""
    if data := store.read(kernel.file_name):
        try:
            return _linked(kernel, data)
        except (ValueError, TypeError, KeyError, RuntimeError):
            pass  # it is none of ours, whatever its digest: made anew
    from plyscope.machine import compile

    data = compile.compile_kernel(kernel)
    store.write(kernel.file_name, data)
    return _linked(kernel, data)


def _linked(kernel: Kernel, data: bytes) -> tuple[Any, Any]:
    """Return the engine and the callable. Raises ValueError, TypeError, KeyError or RuntimeError
    for what is no kernel."""
    import llvmlite.binding as llvm

    head, _, code = data.partition(b"\n")
    said = json.loads(head)
    for name in store.unknown(said["needs"]):  # Numba's reports of errors, which kernels never make
        llvm.add_symbol(name, ctypes.cast(c_library().abort, ctypes.c_void_p).value)
    engine = store.linked([code])
    address = engine.get_function_address(said["name"])
    if not address:
        raise ValueError(f"no function {said['name']!r} in the machine code of {kernel.__name__!r}")
    arguments, answer = kernel.types
    if kernel.constants:
        arguments = arguments[1:]
    prototype = ctypes.CFUNCTYPE(_c_type(answer), *map(_c_type, arguments))
    return engine, prototype(address)


def _c_type(kind: Any) -> Any:
    """Return how a type passes between Python and machine code: all that is memory by address."""
    if kind is type(None):
        return None
    return ctypes.c_bool if kind is bool else ctypes.c_int64


def text(function: Callable[..., Any], walk: type[Block], **constants: int) -> Kernel:
    """Run an algorithm's own text as machine code, over walks of this class, which have `constants`
    as attributes; its `records` are what the text is given beside numbers. Where it raises, the
    kernel answers 0."""
    return Kernel(function, walk=walk, walk_constants=tuple(constants.items()))


class Primitive:
    """What kernels can do and Python cannot; `name` is its name in `numba_types`."""

    def __init__(self, name: str) -> None:
        self.name = name


def kernel(function: F) -> F:
    """Run `function` as machine code."""
    return cast(F, Kernel(function))


def inlined(function: F) -> F:
    """Make `function` part of the kernels that call it."""
    return cast(F, Kernel(function, is_inlined=True))


shifted = cast(Callable[[int, int], int], Primitive("shifted"))
"""shifted(number, count): the 64 bits of `number` moved down by `count`, zeros moving in."""
lowest = cast(Callable[[int], int], Primitive("lowest"))
"""lowest(word): the number of the lowest bit that is set; `word` is not 0."""
highest = cast(Callable[[int], int], Primitive("highest"))
"""highest(word): the number of the highest bit that is set; `word` is not 0."""
ones = cast(Callable[[int], int], Primitive("ones"))
"""ones(word): how many of its 64 bits are set."""
prefetch = cast(Callable[[int, int], None], Primitive("prefetch"))
"""prefetch(address, index): begin to fetch the word at `index` from an address on."""
ask = cast(Callable[[int, int, int], int], Primitive("ask"))
"""ask(address, mine, theirs): call the native function at an address with two words."""
allocate = cast(Callable[[int, int], int], Primitive("allocate"))
"""allocate(count, size): the address of so many new zeros of `size` bytes, 0 when there is no
memory."""
release = cast(Callable[[int], None], Primitive("release"))
"""release(address): give memory back."""


class BoardRows(NamedTuple):
    """What a function is called with that takes a board and not bitboards."""

    shape: tuple[int, ...]
    """Of the array: (..., rows, columns)."""
    empty: tuple[int, ...]
    """The marks of all cells of the empty board."""
    own: int
    """The mark of the first word's stones."""
    other: int
    given: tuple[int, ...]
    """The arguments after the board."""
    sign: int = 1
    """−1 where what it answers is to be turned."""


def compile_alone(call: Callable[[], T]) -> T:
    """Return `call()`, which compiles: one at a time, and to its end, also where Ctrl-C ends the
    waiting for it."""

    def alone() -> T:
        with _lock:
            before, began = _spent[0], thread_time()
            try:
                return call()
            finally:  # what it has compiled in turn is part of it
                _spent[0] = before + thread_time() - began

    return uninterrupted(alone)


def compile_seconds() -> float:
    """Return the processor seconds that this process has compiled, or loaded what was compiled."""
    return _spent[0]


_spent = [0.0]
