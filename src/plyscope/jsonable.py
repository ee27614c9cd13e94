"""Results as JSON: dataclasses as dictionaries of their fields, everything else as builtins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from math import isfinite
from typing import Any


def by_name(result: Any, *names: str, **given: Any) -> dict[str, Any]:
    """Return a dictionary of the named attributes of `result`, by default of all its fields.

    Values in `given` replace the attribute of the same name, or are added at the end.

    >>> by_name(3 + 4j, "imag", "real", kind="complex")
    {'imag': 4.0, 'real': 3.0, 'kind': 'complex'}
    """
    order = dict.fromkeys((*(names or (field.name for field in fields(result))), *given))
    return {
        name: jsonable(given[name] if name in given else getattr(result, name)) for name in order
    }


def jsonable(value: Any) -> Any:
    """Return `value` as builtins of JSON; an infinite number becomes None, an exact fraction
    without a decimal text that text, such as 1/3.

    A dataclass or named tuple becomes the dictionary of its fields, or its `as_dict()`. Objects
    with their own `str()`, such as positions, become that text.

    >>> jsonable({"share": (0.5, float("inf")), "range": range(2)})
    {'share': [0.5, None], 'range': 'range(0, 2)'}
    """
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float):
        if not isfinite(value):
            return None
        return str(value) if "/" in str(value) else value  # 1/3, an exact fraction
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        return {key: jsonable(item) for key, item in value.items()}
    if hasattr(value, "as_dict"):
        return value.as_dict()
    if is_dataclass(value):
        return by_name(value)
    if isinstance(value, list | tuple) and type(value).__str__ is object.__str__:
        if hasattr(value, "_fields"):
            return by_name(value, *value._fields)
        return [jsonable(item) for item in value]
    return str(value)
