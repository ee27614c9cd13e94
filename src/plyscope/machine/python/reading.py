"""What people's functions say and read: the name of their machine code on disk."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from enum import Enum
from types import FunctionType, ModuleType
from typing import Any

from plyscope.machine.own import as_read, digest_of
from plyscope.machine.python.source import bytecode, closure_of, read_names


class Reading:
    """The bytecode of `functions` and of those that they call, found as attributes of `owner` too,
    with the values that they read.

    `digest` is the same in every process in which they do the same, and empty where a value has
    none, such as an object of a class. `read` lists the names of modules that are read: the names
    of the module, the name, and its value as it is compared later.
    """

    def __init__(self, functions: Iterable[Any], owner: type = object) -> None:
        self.read: list[tuple[dict[str, Any], str, Any]] = []
        self._owner, self._known = owner, {each.__name__ for each in owner.__mro__}
        self._seen: dict[FunctionType, int] = {}
        self._parts: list[Any] = []
        self._is_whole = True
        described = [self._described(function) for function in functions]
        self.digest = digest_of(described, self._parts) if self._is_whole else ""

    def _function(self, function: FunctionType) -> int:
        """Return the number of a function, which is described when it is met first."""
        if function in self._seen:
            return self._seen[function]
        number = self._seen[function] = len(self._seen)
        code, scope = function.__code__, function.__globals__
        part: list[Any] = [number, _in_order(bytecode(code))]
        part += map(self._described, (function.__defaults__, function.__kwdefaults__))
        names = read_names(code)
        for name in sorted(names & scope.keys() - self._known):
            self.read.append((scope, name, as_read(scope[name])))
            part.append((name, self._described(scope[name])))
        for name, value in closure_of(function).items():
            part.append((name, self._described(value)))
        for name in sorted(names):
            found = inspect.getattr_static(self._owner, name, None)
            found = getattr(found, "fget", None) or getattr(found, "__func__", found)
            if isinstance(found, FunctionType):
                part.append((name, self._function(found)))
        self._parts.append(part)
        return number

    def _described(self, value: Any) -> Any:
        """Return a value as numbers and texts that are the same in every process."""
        kind, function = type(value).__name__, getattr(value, "py_func", value)  # of Numba's too
        if value is None or isinstance(value, int | float | complex | str | bytes):
            return kind, value
        if isinstance(function, FunctionType):
            return kind, self._function(function)
        if isinstance(value, tuple | list | range):
            return kind, [self._described(item) for item in value]
        if isinstance(value, set | frozenset):
            return kind, sorted(repr(self._described(item)) for item in value)
        if isinstance(value, dict):
            return kind, [self._described(entry) for entry in value.items()]
        if isinstance(value, ModuleType):
            return kind, value.__name__
        if isinstance(value, type) and issubclass(value, Enum):
            return kind, value.__qualname__, [(each.name, repr(each.value)) for each in value]
        is_tuple = isinstance(value, type) and hasattr(value, "_fields")
        if is_tuple or getattr(value, "__module__", "") in ("builtins", "math", "numpy"):
            return kind, value.__module__, value.__name__, getattr(value, "_fields", ())
        is_array = hasattr(value, "tobytes") and not value.dtype.hasobject
        if is_array:
            return kind, value.dtype.str, value.shape, value.tobytes()
        self._is_whole = False
        return None


def _in_order(value: Any) -> Any:
    """Return the bytecode of a function with its sets in one order."""
    if isinstance(value, tuple):
        return tuple(map(_in_order, value))
    return sorted(map(repr, value)) if isinstance(value, frozenset) else value
