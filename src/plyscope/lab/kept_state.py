"""The state of a function: the variables and objects in which it can store data between calls.

The states before and after a call are compared. If they differ, the function may count, draw random
numbers or learn, and so may play another move in the same position next time.
"""

from __future__ import annotations

import random
import sys
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from itertools import chain
from types import (
    BuiltinMethodType,
    FunctionType,
    GeneratorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)
from typing import Any

from plyscope.identity import closure_of, read_names
from plyscope.lab.agents.connectx import ConnectXPlayer
from plyscope.lab.agents.readings import BoardPlayer
from plyscope.lab.watching import owner_of, plain_numbers

State = list[tuple[str, Any]]
"""Pairs of a name and a content; equal states have the same pairs in the same order."""
Found = tuple[Any, Iterable[tuple[str, Any]]]
"""The content of an object to compare, and the objects that it refers to, each with a name."""
MAX_STATE_OBJECTS = 20_000
"""The largest number of containers and objects in a state that is compared."""
TOO_MUCH_STATE = "keeps more data between calls than can be compared"
ATOMS = frozenset((int, float, complex, bool, str, bytes, type(None)))
CACHE = type(lru_cache(lambda: None))
NOTHING: Found = (None, ())


def kept_state(function: Any) -> State | None:
    """Return the state of a function; None if there are more than MAX_STATE_OBJECTS objects, or if
    inspecting one raises an error.

    The state has the function's attributes, closure and default values, the attributes of the
    object to which a method is bound, the variables of its module that its code names, and all
    objects reachable from these. The content of a `functools` cache is left out, because it only
    repeats earlier results of the cached function.
    """
    kept: State = []
    numbers: dict[int, int] = {}
    waiting: deque[tuple[str, Any]] = deque([("", function)])
    try:
        while waiting:
            name, thing = waiting.popleft()
            if type(thing) in ATOMS:
                kept.append((name, thing))
                continue
            is_new = id(thing) not in numbers
            number = numbers.setdefault(id(thing), len(numbers))
            content, below = _found(name, thing) if is_new else NOTHING
            kept.append((name, (type(thing), number, content)))
            waiting.extend(below)
            if len(numbers) > MAX_STATE_OBJECTS:
                return None
    except Exception:  # from an unusual object that cannot be inspected
        return None
    return kept


def changed_state(before: State | None, after: State | None) -> str | None:
    """Return a phrase that says what the function keeps between calls, by the first difference
    between two states; None if they are equal.

    A state that is None counts as different.
    """
    if before is None or after is None:
        return TOO_MUCH_STATE
    if before == after:
        return None
    pairs = zip(before, after, strict=False)
    name = next((other[0] for one, other in pairs if one != other), after[-1][0])
    return f"keeps {f'`{name}`' if name else 'something'} between calls"


def _found(name: str, thing: Any) -> Found:
    """Return the content of an object and the objects to which it refers; each object is inspected
    once."""
    kind = type(thing)
    if isinstance(thing, FunctionType):
        return None, _of_function(name, thing)
    if isinstance(thing, dict):
        keys = tuple(thing)
        return _of_values(name, thing.values(), keys if _is_plain(keys) else len(keys))
    if isinstance(thing, list | tuple | deque):
        return _of_values(name, thing)
    if isinstance(thing, set | frozenset):
        return (frozenset(thing) if _is_plain(thing) else len(thing)), ()
    if isinstance(thing, random.Random):
        return thing.getstate(), ()
    if kind.__module__.partition(".")[0] == "numpy":
        return _of_numpy(thing), ()
    if isinstance(thing, bytearray):
        return bytes(thing), ()
    if isinstance(thing, CACHE):
        return None, [(name, thing.__wrapped__)]
    if isinstance(thing, MethodType | BuiltinMethodType | MethodWrapperType):
        return None, [(name, thing.__self__), (name, getattr(thing, "__func__", None))]
    if isinstance(thing, partial):
        return None, [(name, thing.func), (name, thing.args), (name, thing.keywords)]
    if isinstance(thing, property):
        return None, [(name, thing.fget)]
    if isinstance(thing, GeneratorType):
        frame = thing.gi_frame
        return NOTHING if frame is None else (frame.f_lasti, tuple(frame.f_locals.items()))
    if hasattr(kind, "__next__"):
        return _place(thing), ()
    if isinstance(thing, type):
        return None, _of_class(thing) if _is_user_class(thing) else ()
    if isinstance(thing, ModuleType) or _is_plyscopes(kind):
        return NOTHING
    return None, _of_object(thing)


def _of_values(name: str, values: Iterable[Any], head: Any = None) -> Found:
    """Return the content of a container with these values: the values themselves if all are plain,
    otherwise their number, with the values as references.

    `head` is content that comes first.
    """
    values = tuple(values)
    if _is_plain(values):
        return (head, values), ()
    return (head, len(values)), [(name, value) for value in values]


def _is_plain(values: Iterable[Any]) -> bool:
    """Return whether all values are immutable: atoms, or tuples of atoms."""
    kinds = set(map(type, values))
    if not kinds - ATOMS:
        return True
    inner = chain.from_iterable(value for value in values if type(value) is tuple)
    return kinds <= ATOMS | {tuple} and set(map(type, inner)) <= ATOMS


def _of_numpy(thing: Any) -> Any:
    """Return the content of a NumPy object: an array's bytes, or a random generator's state."""
    import numpy as np

    if isinstance(thing, np.ndarray):
        return thing.shape, None if thing.dtype.hasobject else thing.tobytes()
    if isinstance(thing, np.generic):
        return thing.tobytes()
    if isinstance(thing, np.random.Generator):
        return plain_numbers(thing.bit_generator.state)
    if isinstance(thing, np.random.RandomState):
        return plain_numbers(thing.get_state(legacy=False))
    return plain_numbers(thing.state) if isinstance(thing, np.random.BitGenerator) else None


def _of_function(name: str, function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the objects that a user's function refers to; nothing for other functions."""
    if owner_of(function.__code__.co_filename) != "user":
        return
    yield from closure_of(function).items()
    yield name, function.__defaults__
    yield name, function.__kwdefaults__
    yield from vars(function).items()
    variables, named = function.__globals__, _read_names(function.__code__)
    for variable in named:
        value = variables.get(variable, sys.modules.get(variable))
        if isinstance(value, ModuleType):
            if _is_user_module(value):
                inside = vars(value)
                yield from ((each, inside[each]) for each in named if each in inside)
        elif variable in variables:
            yield variable, value


_read_names = lru_cache(maxsize=4096)(read_names)


def _of_class(kind: type) -> list[tuple[str, Any]]:
    """Return the attributes of a user's class, and its base classes."""
    own = [(name, value) for name, value in vars(kind).items() if name not in SKIPPED]
    return [*own, *((kind.__name__, base) for base in kind.__bases__)]


SKIPPED = frozenset(("__dict__", "__weakref__", "__annotations__", "_abc_impl", "__doc__"))


def _of_object(thing: Any) -> list[tuple[str, Any]]:
    """Return the attributes of an object, and its class."""
    own = list(getattr(thing, "__dict__", {}).items())
    slots = chain.from_iterable(vars(each).get("__slots__", ()) for each in type(thing).__mro__)
    own += [(slot, getattr(thing, slot)) for slot in slots if hasattr(thing, slot)]
    return [*own, (type(thing).__name__, type(thing))]


def _is_user_class(kind: type) -> bool:
    module = sys.modules.get(kind.__module__)
    return module is None or _is_user_module(module)


def _is_user_module(module: ModuleType) -> bool:
    path = getattr(module, "__file__", None)
    return module.__name__ == "__main__" if path is None else owner_of(path) == "user"


def _is_plyscopes(kind: type) -> bool:
    """Return whether a class belongs to plyscope; its objects are not inspected, since their caches
    change no result.

    ConnectXPlayer and BoardPlayer do not count, as they contain the user's function.
    """
    is_ours = kind.__module__.partition(".")[0] == "plyscope"
    return is_ours and kind not in (ConnectXPlayer, BoardPlayer)


def _place(iterator: Any) -> Any:
    """Return the current position of an iterator; None if it cannot be found out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return repr(iterator.__reduce__()[1:])
        except (TypeError, AttributeError):  # it cannot be reduced
            return None
