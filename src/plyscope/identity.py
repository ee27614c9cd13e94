"""What a Python function or a game is now: a digest of everything that decides its answers.

A function has no version of its own. Its globals, closure, defaults and helpers can change between
two calls, as they do in a notebook. Whatever keeps a result of a function (compiled code in memory
and on disk, cached searches and proofs, records) is valid as long as the `Identity` stays equal.
"""

from __future__ import annotations

import builtins
import functools
import marshal
import sys
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from dis import Instruction, get_instructions
from enum import Enum
from itertools import chain
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any, NamedTuple, ParamSpec, TypeVar

ATOMS = frozenset((bool, int, float, complex, str, bytes, type(None), type(...)))
"""Types whose values are immutable and contain nothing else."""
BUILTINS = dict(vars(builtins))
"""The builtins of Python, before a user's code can replace one."""
PICKLING = ("__reduce__", "__reduce_ex__", "__getstate__", "__getnewargs__", "__getnewargs_ex__")
"""Methods by which a class decides itself what its state is."""
CLASS_OWN = {
    *("__abstractmethods__", "__annotate__", "__annotations__", "__annotations_cache__"),
    *("__classdictcell__", "__dataclass_fields__", "__dataclass_params__", "__dict__", "__doc__"),
    *("__firstlineno__", "__module__", "__orig_bases__", "__parameters__", "__qualname__"),
    *("__static_attributes__", "__weakref__", "_abc_impl"),
}
"""Attributes of a class that decide no answer, or that repeat other ones."""
NAMED_TUPLE_OWN = frozenset(vars(namedtuple("_Empty", ())))
"""Attributes of every class of named tuples."""
DYNAMIC = {
    *("__import__", "compile", "delattr", "eval", "exec", "getattr", "globals", "locals", "open"),
    *("setattr", "vars"),
}
"""Builtins with which a function can read or change what no name of it shows."""


class Unknown(Exception):
    """Raised for a value whose content cannot be compared."""


class Identity:
    """What `functions` are now: their bytecode, and all values that they read.

    These are global names, attributes of imported modules, closures, defaults and the functions
    that they call. If the functions are methods, `of` is their game: the methods that they call,
    also those of base classes, and its attributes belong to them too.

    Two identities with the same `digest` give the same answers, also in different processes. The
    digest is empty if something cannot be compared, such as an open file; `unknown` says what.
    """

    def __init__(self, functions: Iterable[Any], of: Any = None) -> None:
        self.unknown = ""
        """The reason why there is no digest, whose subject is the function."""
        self.functions: dict[FunctionType, int] = {}
        """The functions read, with their numbers in order."""
        self._of, self._classes = of, () if of is None else type(of).__mro__
        self._parts: list[Any] = []
        self._seen: dict[int, tuple[int, Any]] = {}
        """Numbers of containers and objects by id; the objects, so that no id is used twice."""
        self._modules: dict[str, ModuleType] = {}
        self._names: dict[str, None] = {}
        try:
            described = [self._described("", function) for function in functions]
            self._read_modules()
            self.digest = digest_of(described, self._parts)
        except Unknown as reason:
            self.unknown, self.digest = str(reason), ""
        except Exception as error:  # of a user's object, or of values nested too deeply
            self.unknown = f"reads a value that cannot be compared ({type(error).__name__})"
            self.digest = ""
        del self._seen

    def _function(self, function: FunctionType) -> int:
        """Return the number of a function; describe the function if it is new."""
        if function in self.functions:
            return self.functions[function]
        number = self.functions[function] = len(self.functions)
        code = _of_code(function.__code__)
        self._names |= dict.fromkeys(code.names)
        part: list[Any] = [number, code.text]
        part += (self._described(function.__name__, each) for each in _given(function))
        scope, builtin = function.__globals__, getattr(function, "__builtins__", {})
        for name in code.names:
            if name in scope:
                value = scope[name]
                if not any(value is kind for kind in self._classes):
                    part.append((name, self._described(name, value)))
            elif name in builtin and builtin[name] is not BUILTINS.get(name):
                part.append((name, self._described(name, builtin[name])))
            elif name in code.dynamic:
                raise Unknown(f"calls {name!r}, so that what it reads cannot be known")
        for name in code.imports:
            if found := sys.modules.get(name):
                part.append((name, self._described(name, found)))
        part += ((name, self._described(name, v)) for name, v in closure_of(function).items())
        part += ((name, self._described(name, v)) for name, v in self._attributes(code.names))
        self._parts.append(part)
        return number

    def _read_modules(self) -> None:
        """Describe the attributes of the user's modules that any of the functions may read: those
        whose names occur in one."""
        done = set[tuple[str, str]]()
        while new := sorted(
            (module, name)
            for module, content in self._modules.items()
            for name in self._names.keys() & vars(content).keys()
            if (module, name) not in done
        ):
            for module, name in new:
                value = vars(self._modules[module])[name]
                self._parts.append((module, name, self._described(name, value)))
            done.update(new)

    def _attributes(self, names: Iterable[str]) -> Iterator[tuple[str, Any]]:
        """Yield the attributes of the game, and of its classes, that have one of these names."""
        if self._of is None:
            return
        own = getattr(self._of, "__dict__", {})
        for name in names:
            if name in own:
                yield name, own[name]
            for kind in self._classes:
                if kind is not object and name in (attributes := vars(kind)):
                    found = attributes[name]
                    if isinstance(found, MemberDescriptorType):  # a slot
                        if hasattr(self._of, name):
                            yield name, getattr(self._of, name)
                    else:
                        yield name, found

    def _described(self, name: str, value: Any) -> Any:
        """Return a description in numbers and texts of the `value` of a name; raise Unknown."""
        kind = type(value)
        if kind in ATOMS:
            return kind.__name__, value
        if kind is tuple and _is_plain(value):
            return kind.__name__, _text_of_plain(value)
        if (known := _known_name(value)) is not None:
            return kind.__name__, known
        if kind is FunctionType:
            return kind.__name__, self._function(value)
        if kind is CodeType:
            return kind.__name__, _of_code(value).text
        if kind is ModuleType:
            self._modules[value.__name__] = value
            return kind.__name__, value.__name__
        if id(value) in self._seen:
            return "again", self._seen[id(value)][0]
        self._seen[id(value)] = len(self._seen), value
        if kind in (list, set, frozenset) and set(map(type, value)) <= ATOMS:
            return kind.__name__, _text_of_plain(list(value))  # a set in order of iteration
        if kind is dict and _is_plain(tuple(value)) and _is_plain(tuple(value.values())):
            return kind.__name__, _text_of_plain(value)
        return kind.__name__, [*self._contents(name, kind, value)]

    def _contents(self, name: str, kind: type, value: Any) -> Iterator[Any]:
        """Yield the descriptions of what a value consists of; raise Unknown."""
        parts = _parts_of(value)
        if parts is None:
            parts = _parts_of_object(value)
        if parts is None:
            subject = f"reads {name!r}, " if name else "is "
            raise Unknown(f"{subject}{_article(kind.__name__)}, which cannot be compared")
        for part, content in parts:
            yield part, self._described(name or part, content)


SEARCH_METHODS = "side", "moves", "play", "payoff"
"""The methods of a game that a search calls."""


def identity_of(game: Any, *functions: Any) -> Identity:
    """Return what a user's game and `functions` are now."""
    methods = (getattr(type(game), name, None) for name in SEARCH_METHODS)
    return Identity([*methods, *functions], of=game)


Given = ParamSpec("Given")
Result = TypeVar("Result")


def cached_while(
    now: Callable[Given, str], maxsize: int
) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """Decorate a function to cache its last `maxsize` results, each as long as `now`, called with
    the same arguments, returns the same text. An empty text means that nothing is cached."""

    def decorate(function: Callable[Given, Result]) -> Callable[Given, Result]:
        @functools.lru_cache(maxsize=maxsize)
        def cached(current: str, arguments: Any, keywords: Any) -> Result:
            return function(*arguments, **dict(keywords))

        @functools.wraps(function)
        def call(*arguments: Given.args, **keywords: Given.kwargs) -> Result:
            try:
                hash(arguments)
            except TypeError:  # a game or a function that cannot be hashed
                return function(*arguments, **keywords)
            if current := now(*arguments, **keywords):
                return cached(current, arguments, tuple(keywords.items()))
            return function(*arguments, **keywords)

        call.cache_clear = cached.cache_clear  # type: ignore[attr-defined]
        return call

    return decorate


def digest_of(*parts: Any) -> str:
    """Return a digest of the `repr` of values."""
    from hashlib import sha256

    return sha256(repr(parts).encode(errors="backslashreplace")).hexdigest()[:32]


# Functions


def closure_of(function: FunctionType) -> dict[str, Any]:
    """Return by name the values of the variables that a function reads from enclosing functions."""
    found = {}
    cells = function.__closure__ or ()
    for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    return found


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function, and that of comprehensions and functions inside it."""
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from codes_in(part)


def read_names(code: CodeType) -> tuple[str, ...]:
    """Return the global names and the attributes that a function reads, also in comprehensions and
    nested functions."""
    return tuple(dict.fromkeys(name for part in codes_in(code) for name in part.co_names))


class _OfCode(NamedTuple):
    """What a code object decides: constant, so that it is found once."""

    text: str
    """A digest of its bytecode and constants."""
    names: tuple[str, ...]
    """The names that it reads, and its strings, which may be names of attributes."""
    dynamic: frozenset[str]
    """The names of DYNAMIC that it reads as global names."""
    imports: tuple[str, ...]
    """The modules that it imports."""


@functools.lru_cache(maxsize=4096)
def _of_code(code: CodeType) -> _OfCode:
    names, steps = dict.fromkeys(read_names(code)), list[Instruction]()
    for part in codes_in(code):
        steps += get_instructions(part)
        names |= dict.fromkeys(each for each in part.co_consts if type(each) is str)
    read = {step.argval for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    imports = dict.fromkeys(step.argval for step in steps if step.opname == "IMPORT_NAME")
    return _OfCode(_text_of_code(code), tuple(names), frozenset(DYNAMIC & read), tuple(imports))


def _given(function: FunctionType) -> tuple[Any, ...]:
    """Return what belongs to a function besides its code: defaults and attributes."""
    return function.__defaults__, function.__kwdefaults__, function.__dict__


def _text_of_code(code: CodeType) -> str:
    """Return the text of a function's bytecode and constants."""
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    return digest_of(
        counts, names, code.co_code, code.co_exceptiontable, *map(_text_of_constant, code.co_consts)
    )


def _text_of_constant(value: Any) -> str:
    if isinstance(value, CodeType):
        return _text_of_code(value)
    if isinstance(value, tuple | frozenset):
        return f"{type(value).__name__} {[_text_of_constant(item) for item in value]}"
    return f"{type(value).__name__} {value!r}"


# Values


def _is_plain(values: tuple[Any, ...]) -> bool:
    """Return whether a tuple consists of atoms and of tuples of them, at any depth."""
    while (kinds := set(map(type, values))) - ATOMS:
        if kinds - ATOMS != {tuple}:
            return False
        is_mixed = len(kinds) > 1
        tuples = [each for each in values if type(each) is tuple] if is_mixed else values
        values = tuple(chain.from_iterable(tuples))
    return True


def _text_of_plain(value: Any) -> bytes:
    """Return a text of a container of atoms and of tuples of them."""
    data = marshal.dumps(value, 2)  # version 2 has no references, which depend on the process
    if len(data) < 64:
        return data
    from hashlib import blake2b

    return blake2b(data, digest_size=16).digest()


def _parts_of(value: Any) -> Iterable[tuple[str, Any]] | None:
    """Return the parts of a value of a known type, each with a name; None for any other value."""
    kind = type(value)
    if isinstance(value, Enum):
        return (("class", kind.__qualname__), ("name", value.name), ("value", value.value))
    if kind in (tuple, list, set, frozenset):
        return (("item", item) for item in value)
    if _is_named_tuple(kind):
        return (("class", kind), *(("item", item) for item in value))
    if kind in (dict, OrderedDict, Counter):
        return (("entry", entry) for entry in value.items())
    if kind is defaultdict:
        return (("default", value.default_factory), *(("entry", each) for each in value.items()))
    if kind is deque:
        return (("length", value.maxlen), *(("item", item) for item in value))
    if kind is range:
        return (("range", (value.start, value.stop, value.step)),)
    if kind is bytearray:
        return (("data", bytes(value)),)
    if kind is MethodType:
        return (("function", value.__func__), ("self", value.__self__))
    if kind is functools.partial:
        return (("function", value.func), ("given", value.args), ("named", value.keywords))
    if kind in (staticmethod, classmethod):
        return (("function", value.__func__),)
    if kind is property:
        return (("get", value.fget), ("set", value.fset))
    if kind is functools.cached_property:
        return (("get", value.func),)
    if kind is BuiltinFunctionType and not isinstance(value.__self__, ModuleType | None):
        return (("name", value.__name__), ("self", value.__self__))
    if isinstance(value, type):
        return _parts_of_class(value)
    if kind.__module__ == "numpy":
        return _parts_of_numpy(value)
    inner = getattr(value, "py_func", None)  # of Numba
    return (("function", inner),) if isinstance(inner, FunctionType) else None


def _parts_of_class(kind: type) -> Iterator[tuple[str, Any]]:
    """Yield a user's class: its name, its bases, and its attributes."""
    yield "name", kind.__qualname__
    yield "bases", kind.__bases__
    if issubclass(kind, Enum):
        yield "members", tuple((each.name, each.value) for each in kind)
        return
    made = kind._fields if _is_named_tuple(kind) else ()  # type: ignore[attr-defined]
    yield "fields", made
    for name, value in vars(kind).items():
        is_made = made and (name in made or name in NAMED_TUPLE_OWN)
        if name not in CLASS_OWN and not is_made and not isinstance(value, MemberDescriptorType):
            yield name, value


def _is_named_tuple(kind: type) -> bool:
    return tuple in kind.__bases__ and hasattr(kind, "_fields")


def _parts_of_numpy(value: Any) -> Iterable[tuple[str, Any]] | None:
    """Return the parts of an array, a number or a type of NumPy; None for any other object."""
    np = sys.modules["numpy"]
    if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
        return (("type", str(value.dtype.descr)), ("shape", value.shape), ("data", value.tobytes()))
    return (("type", str(value.descr)),) if isinstance(value, np.dtype) else None


def _parts_of_object(value: Any) -> Iterable[tuple[str, Any]] | None:
    """Return the class and the attributes of an object; None if it may have further state.

    `object.__reduce_ex__` refuses an object with state that is in no attribute and no slot.
    """
    kind = type(value)
    if _is_library(kind.__module__):
        if not is_plyscopes(kind.__module__):
            return None
        if isinstance(digest := getattr(value, "digest", None), str):
            return (("digest", digest),)
        if not (is_dataclass(value) and kind.__dataclass_params__.frozen):
            return None
        return ((each.name, getattr(value, each.name)) for each in fields(value))
    if any(getattr(kind, name, None) is not getattr(object, name, None) for name in PICKLING):
        return None
    try:
        state = object.__reduce_ex__(value, 2)[2]
    except TypeError:
        return None
    return (("class", kind), ("attributes", state))


@functools.lru_cache(maxsize=4096)
def _is_library(module: str) -> bool:
    """Return whether a module belongs to Python, NumPy or plyscope."""
    head = module.partition(".")[0]
    is_others = head in sys.stdlib_module_names or head in ("builtins", "numpy")
    return is_others or is_plyscopes(module)


def is_plyscopes(module: str) -> bool:
    """Return whether a module belongs to plyscope itself, whose objects never change; its examples
    count as a user's."""
    return module.startswith("plyscope.") and not module.startswith("plyscope.examples.")


def _known_name(value: Any) -> Any:
    """Return the module and the name of an object of Python's library, NumPy or plyscope, which is
    the same in every process; None for any other object."""
    if type(value) is ModuleType:
        return ("module", value.__name__) if _is_library(value.__name__) else None
    module = getattr(value, "__module__", None)
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if type(module) is str and type(name) is str and _is_library(module):
        found: Any = sys.modules.get(module)
        for each in name.split("."):
            found = getattr(found, each, None)
        return (module, name) if found is value else None
    return None


def _article(word: str) -> str:
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"
