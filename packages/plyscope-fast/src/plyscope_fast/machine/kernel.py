"""Kernels: Python functions that run as machine code.

The machine code comes with plyscope (see `shipped`). Where it does not, each kernel has one file in
the cache folder, with the machine code of the kernel and of everything it calls (see `store`). If
the file exists, llvmlite loads it within milliseconds, and Numba is not imported; otherwise
`compile` makes it.

Kernels take and return 64-bit integers, booleans and typed memory (`block`), as annotated. They
call other kernels and the primitives below. Called from Python, a kernel runs without the global
interpreter lock. It must not call a kernel that it was not compiled with, and it never raises.
"""

from __future__ import annotations

import ctypes
import json
import threading
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, cast, get_type_hints

from plyscope.extras import JIT_PACKAGES, missing, needs
from plyscope.owntime import thread_time
from plyscope_fast.machine import shipped, store
from plyscope_fast.machine.block import Block, Constants
from plyscope_fast.machine.compiling import compiles, report
from plyscope_fast.machine.memory import c_library
from plyscope_fast.machine.threads import uninterrupted

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
NO_ANSWER = 1 << 62
"""The value that a native function returns where the Python function raises an exception."""
_lock = threading.RLock()


class Kernel:
    """A Python function that is run as machine code."""

    def __init__(
        self,
        function: Callable[..., Any],
        is_inlined: bool = False,
        constants: Constants | None = None,
        walk: type[Block] | None = None,
        walk_constants: tuple[tuple[str, int], ...] = (),
        data: type[Block] | None = None,
    ) -> None:
        self.function, self.is_inlined, self.constants = function, is_inlined, constants
        self.walk, self.walk_constants = walk, walk_constants
        """The class that replaces `Walk` in the source of an algorithm, and the names and values of
        its constant attributes."""
        self.data = data
        """The class that replaces the Constants, with the same names."""
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        self.__module__ = function.__module__
        self.compiled: Any = None
        """The Numba function, None until `numba_types.form_of` makes it."""
        self._native: Any = None
        self._engine: Any = None
        self._with: dict[Constants, Kernel] = {}

    @cached_property
    def types(self) -> tuple[list[Any], Any]:
        """The annotated types of the arguments, and of the result."""
        hints = get_type_hints(self.function)
        answer = hints.pop("return")
        if self.walk is not None:
            hints["walk"] = self.walk
        if self.data is not None:
            hints[next(iter(hints))] = self.data
        return list(hints.values()), answer

    @cached_property
    def takes_constants(self) -> bool:
        """Whether the first parameter is a Constants, for each value of which the kernel is
        compiled separately."""
        first = next(iter(self.types[0]), None)
        return isinstance(first, type) and issubclass(first, Constants)

    @property
    def file_name(self) -> str:
        """The name of the file with the machine code."""
        of = f"-{self.constants.digest}" if self.constants else ""
        of += f"-{self.data.__name__}" if self.data else ""
        return f"{self.__module__.rpartition('.')[2]}.{self.__name__}{of}.o"

    def of(self, constants: Constants) -> Kernel:
        """Return the kernel compiled with `constants`; calls of it leave them out."""
        if constants not in self._with:
            self._with[constants] = Kernel(self.function, constants=constants)
        return self._with[constants]

    def with_data(self, data: type[Block]) -> Kernel:
        """Return the kernel that takes its Constants as a block: slower, but one for all values."""
        return Kernel(self.function, data=data)

    @property
    def is_ready(self) -> bool:
        """Whether the machine code is loaded, or came with plyscope, or is on disk and undamaged,
        so that a call does not compile."""
        if self._native is not None or shipped.address_of(self.file_name):
            return True
        return not missing(JIT_PACKAGES) and bool(store.read(self.file_name))

    def prepare(self) -> None:
        """Load or compile the machine code. This continues in another thread if Ctrl-C interrupts
        the caller."""
        if self._native is None:
            compile_alone(self._load)

    def _load(self) -> None:
        if self._native is None:
            self._engine, self._native = load(self)

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel; load or compile it first if necessary."""
        if self._native is None:
            if self.takes_constants and self.constants is None:
                return self.of(arguments[0])(*arguments[1:])
            self.prepare()
        return self._native(*arguments)


def load(kernel: Kernel) -> tuple[Any, Any]:
    """Return the engine that holds a kernel's machine code, and the callable; compile the kernel
    if its code neither came with plyscope nor is on disk. Raises MissingPackageError."""
    if address := shipped.address_of(kernel.file_name):
        return None, _prototype(kernel)(address)
    if lacking := missing(JIT_PACKAGES):
        raise needs(f"compiling {kernel.__name__!r}", lacking, "jit")
    if data := store.read(kernel.file_name):
        try:
            return _linked(kernel, data)
        except (ValueError, TypeError, KeyError, RuntimeError):
            pass  # not a kernel, although the digest is right: compile it again
    from plyscope_fast.machine import compile

    with compiles(kernel.__module__.rpartition(".")[2]):
        data = compile.compile_kernel(kernel)
    store.write(kernel.file_name, data)
    return _linked(kernel, data)


def _linked(kernel: Kernel, data: bytes) -> tuple[Any, Any]:
    """Return the engine and the callable. Raises ValueError, TypeError, KeyError or RuntimeError
    if `data` is not a kernel's."""
    import llvmlite.binding as llvm

    head, _, code = data.partition(b"\n")
    said = json.loads(head)
    for name in store.unknown(said["needs"]):  # Numba's error reports, which kernels never call
        llvm.add_symbol(name, ctypes.cast(c_library().abort, ctypes.c_void_p).value)
    engine = store.linked([code])
    address = engine.get_function_address(said["name"])
    if not address:
        raise ValueError(f"no function {said['name']!r} in the machine code of {kernel.__name__!r}")
    return engine, _prototype(kernel)(address)


def _prototype(kernel: Kernel) -> Any:
    """Return the type of a kernel's function for `ctypes`."""
    arguments, answer = kernel.types
    if kernel.constants:
        arguments = arguments[1:]
    return ctypes.CFUNCTYPE(_c_type(answer), *map(_c_type, arguments))


def _c_type(kind: Any) -> Any:
    """Return the ctypes type of an argument or a result; typed memory passes as its address."""
    if kind is type(None):
        return None
    return ctypes.c_bool if kind is bool else ctypes.c_int64


def text(function: Callable[..., Any], walk: type[Block], **constants: int) -> Kernel:
    """Return a kernel that runs the source of a reference algorithm on walks of this class.

    The walk has `constants` as attributes, and its `records` are the classes of objects that the
    source uses. If the source raises an exception, the kernel returns 0.
    """
    return Kernel(function, walk=walk, walk_constants=tuple(constants.items()))


class Primitive:
    """An operation that only kernels can use; `name` is its name in `numba_types`."""

    def __init__(self, name: str) -> None:
        self.name = name


def kernel(function: F) -> F:
    """Make `function` a kernel."""
    return cast(F, Kernel(function))


def inlined(function: F) -> F:
    """Make `function` a kernel that is inlined into the kernels that call it."""
    return cast(F, Kernel(function, is_inlined=True))


shifted = cast(Callable[[int, int], int], Primitive("shifted"))
"""shifted(number, count): the 64 bits of `number` shifted right by `count`, filled with zeros."""
lowest = cast(Callable[[int], int], Primitive("lowest"))
"""lowest(word): the number of the lowest bit that is set; `word` is not 0."""
highest = cast(Callable[[int], int], Primitive("highest"))
"""highest(word): the number of the highest bit that is set; `word` is not 0."""
ones = cast(Callable[[int], int], Primitive("ones"))
"""ones(word): the number of set bits among the 64 of `word`."""
prefetch = cast(Callable[[int, int], None], Primitive("prefetch"))
"""prefetch(address, index): begin to load the word number `index` of the memory at an address."""
ask = cast(Callable[[int, int, int], int], Primitive("ask"))
"""ask(address, mine, theirs): the value of the native function at an address for two words."""
allocate = cast(Callable[[int, int], int], Primitive("allocate"))
"""allocate(count, size): the address of `count` new items of `size` zero bytes, 0 if there is no
memory."""
release = cast(Callable[[int], None], Primitive("release"))
"""release(address): free memory that `allocate` returned."""
clock = cast(Callable[[], None], Primitive("clock"))
"""clock(): a kernel that can be stopped calls it at every node, before it reads its stop word. In a
browser, which has no thread that could write the word, every some thousandth call runs
`threads.tick`; elsewhere it is nothing."""


class BoardRows(NamedTuple):
    """The arguments of a heuristic function that takes a board, not bitboards."""

    shape: tuple[int, ...]
    """The shape of the board's array: (..., rows, columns)."""
    empty: tuple[int, ...]
    """The mark of each cell on the empty board."""
    own: int
    """The mark of the stones in the first of the two bitboards."""
    other: int
    given: tuple[int, ...]
    """The arguments after the board."""
    sign: int = 1
    """−1 if the function's value has to be negated."""


def compile_alone(call: Callable[[], T]) -> T:
    """Return the result of `call()`, a compilation. Compilations run one at a time. They run to
    their end even if Ctrl-C interrupts the caller, which meanwhile reports what is compiled."""

    def alone() -> T:
        with _lock:
            before, began = _spent[0], thread_time()
            try:
                return call()
            finally:  # nested calls are included, and not added again
                _spent[0] = before + thread_time() - began

    try:
        return uninterrupted(alone, report)
    finally:
        report()


def load_function(digest: str) -> Any:
    """Return the machine code of a user's function on disk (`python.stored.Linked`), None if there
    is none under this digest."""

    def read() -> Any:
        from plyscope_fast.machine.python import stored  # imports Numba

        return stored.load(digest)

    return compile_alone(read) if store.has_function(digest) else None


def compile_seconds() -> float:
    """Return the CPU seconds that this process has spent compiling or loading machine code."""
    return _spent[0]


_spent = [0.0]
