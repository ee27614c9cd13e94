"""Digests of users' functions and of everything they read, which name the stored machine code."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable
from contextlib import suppress
from enum import Enum
from types import CodeType, FunctionType, ModuleType
from typing import Any

from plyscope.machine.own import as_read, digest_of
from plyscope.machine.python.source import closure_of, read_names

LIBRARIES = "builtins", "cmath", "math", "numpy", "operator"
"""Modules whose attributes are the same in every process."""
PLAIN_TYPES = bool, int, float, complex, str, bytes


class Reading:
    """The bytecode of `functions` and of the functions that they call, also as attributes of the
    class `owner`, with the values that they read.

    `digest` is equal in every process in which the functions do the same. It is empty if a value
    has no digest, such as an object of a user's class. `read` lists the global names that are read:
    the namespace of the module, the name, and its value in the form of `own.as_read`.
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
        """Return the number of a function; describe the function if it is new."""
        if function in self._seen:
            return self._seen[function]
        number = self._seen[function] = len(self._seen)
        code, scope = function.__code__, function.__globals__
        part: list[Any] = [number, self._code(code)]
        part += map(self._described, (function.__defaults__, function.__kwdefaults__))
        names = set(read_names(code))
        for name in sorted(names & scope.keys() - self._known):
            part.append((name, self._described(scope[name])))
            with suppress(RecursionError):  # a list that contains itself
                self.read.append((scope, name, as_read(scope[name])))
        for name, value in closure_of(function).items():
            part.append((name, self._described(value)))
        for name in sorted(names):
            found = inspect.getattr_static(self._owner, name, None)
            if isinstance(found, property):
                found = found.fget
            if isinstance(found, staticmethod | classmethod):
                part.append(type(found).__name__)
                found = found.__func__
            if isinstance(found, FunctionType):
                part.append((name, self._function(found)))
        self._parts.append(part)
        return number

    def _code(self, code: CodeType) -> Any:
        """Return a description of a function's bytecode and constants."""
        counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
        names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
        table = getattr(code, "co_exceptiontable", b"")
        return counts, names, code.co_code, table, self._described(code.co_consts)

    def _described(self, value: Any) -> Any:
        """Return a description of a value in numbers and strings, equal in every process."""
        try:
            return self._parts_of(value)
        except Exception:  # from a user's object, or a list that contains itself
            self._is_whole = False
            return None

    def _parts_of(self, value: Any) -> Any:
        """Return the description of a value by its type; mark the reading as incomplete for a value
        of any other type."""
        kind = type(value).__name__
        if value is None or value is ... or type(value) in PLAIN_TYPES:
            return kind, value
        if isinstance(value, CodeType):
            return kind, self._code(value)
        if isinstance(value, FunctionType):
            return kind, self._function(value)
        if isinstance(value, tuple | list | range | set | frozenset):  # a set in order of iteration
            return kind, getattr(value, "_fields", ()), [self._described(item) for item in value]
        if isinstance(value, dict):
            return kind, [self._described(entry) for entry in value.items()]
        if isinstance(value, Enum) and isinstance(value, int):
            return kind, int(value)
        if isinstance(value, type) and issubclass(value, Enum):
            return kind, value.__qualname__, [(each.name, repr(each.value)) for each in value]
        if isinstance(value, ModuleType) and value.__name__ in LIBRARIES:
            return kind, value.__name__
        if isinstance(value, type) and hasattr(value, "_fields"):
            return kind, value.__name__, value._fields
        origin = getattr(value, "__module__", None) or type(value).__module__
        name = getattr(value, "__name__", "")
        if origin in LIBRARIES and getattr(sys.modules.get(origin), name, None) is value:
            return kind, origin, name
        if kind == "ndarray" and not value.dtype.hasobject:
            return kind, value.dtype.descr, value.shape, value.tobytes()
        self._is_whole = False
        return None
