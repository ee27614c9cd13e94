"""Results as JSON: dataclasses by the names of their fields, everything below them as builtins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from math import isfinite
from typing import Any


def by_name(result: Any, *names: str, **given: Any) -> dict[str, Any]:
    """Return the attributes of `result` of these names, of all its fields where none is named.

    What is `given` stands in the place of the attribute of its name, or follows at the end.

    >>> by_name(3 + 4j, "imag", "real", kind="complex")
    {'imag': 4.0, 'real': 3.0, 'kind': 'complex'}
    """
    order = dict.fromkeys((*(names or (field.name for field in fields(result))), *given))
    return {
        name: jsonable(given[name] if name in given else getattr(result, name)) for name in order
    }


def jsonable(value: Any) -> Any:
    """Return `value` as builtins that JSON has; an infinite number is None.

    A dataclass or named tuple is the dictionary of its fields, by its `as_dict` where it has one;
    what prints as a text of its own, as a position does, is that text.

    >>> jsonable({"share": (0.5, float("inf")), "range": range(2)})
    {'share': [0.5, None], 'range': 'range(0, 2)'}
    """
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float):
        return value if isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        return {key: jsonable(item) for key, item in value.items()}
    if is_dataclass(value):
        return value.as_dict() if hasattr(value, "as_dict") else by_name(value)
    if isinstance(value, list | tuple) and type(value).__str__ is object.__str__:
        if hasattr(value, "_fields"):
            return by_name(value, *value._fields)
        return [jsonable(item) for item in value]
    return str(value)
