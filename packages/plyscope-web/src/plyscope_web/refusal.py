"""Error messages for invalid requests in plain words, instead of msgspec's schema terms."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from msgspec import inspect

MAX_SHOWN = 40
"""Characters of a quoted value."""


def refusal(request: type, arguments: bytes) -> str | None:
    """Return the first fault of JSON that is not such a request: field, value and expectation.

    Returns None if there is no fault.
    """
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):  # after the place where msgspec stopped
        return "cannot read the request; expected JSON"
    return next(_faults(inspect.type_info(request), value, ""), None)


def _faults(kind: inspect.Type, value: Any, place: str) -> Iterator[str]:
    """Yield the faults of a value whose type should be `kind`, the outermost first."""
    if isinstance(kind, inspect.UnionType):
        yield from _faults_of_union(kind, value, place)
        return
    inner = kind.type if isinstance(kind, inspect.Metadata) else kind
    if isinstance(inner, inspect.StrType) and isinstance(value, str):
        most = inner.max_length
        if most is not None and len(value) > most:
            yield f"{place} is too long; expected at most {most:,} characters"
            return
    if not _is_of(inner, value):
        yield f"{place or 'the request'} is {_shown(value)}; expected {_words(kind)}"
    elif isinstance(inner, inspect.StructType):
        yield from _faults_of_struct(inner, value, place)
    elif isinstance(inner, inspect.DictType):
        for key, item in value.items():
            yield from _faults(inner.key_type, key, f"a key of {place}")
            yield from _faults(inner.value_type, item, f"{place}[{_short(key)!r}]")
    elif isinstance(inner, inspect.ListType):
        for number, item in enumerate(value, 1):
            yield from _faults(inner.item_type, item, f"item {number} of {place}")
    elif isinstance(inner, inspect.TupleType):
        for number, (each, item) in enumerate(zip(inner.item_types, value, strict=True), 1):
            yield from _faults(each, item, f"item {number} of {place}")


def _faults_of_union(kind: inspect.UnionType, value: Any, place: str) -> Iterator[str]:
    """Yield nothing if one member fits; for an object, the faults under each possible struct."""
    faults = [next(_faults(each, value, place), None) for each in kind.types]
    if None in faults:
        return
    for each, fault in zip(kind.types, faults, strict=True):
        is_close = isinstance(each, inspect.StructType) and isinstance(value, dict)
        if fault is not None and (is_close or "too long" in fault):
            yield fault
    yield f"{place} is {_shown(value)}; expected {_words(kind)}"


def _faults_of_struct(kind: inspect.StructType, value: dict[str, Any], place: str) -> Iterator[str]:
    fields = {field.encode_name: field for field in kind.fields}
    inside = f" of {place}" if place else ""
    for name in value:
        if name not in fields:
            known = ", ".join(fields) or "none"
            yield f"unknown field {_short(name)!r}{inside}; expected {known}"
    for name, field in fields.items():
        if name in value:
            yield from _faults(field.type, value[name], f"{place}.{name}" if place else name)
        elif field.required:
            yield f"the field {name!r}{inside} is missing; expected {_words(field.type)}"


def _is_of(kind: inspect.Type, value: Any) -> bool:
    """Return whether the type of a value is as expected, without looking at its items."""
    match kind:
        case inspect.StructType():
            return isinstance(value, dict)
        case inspect.DictType(max_length=most):
            return isinstance(value, dict) and (most is None or len(value) <= most)
        case inspect.ListType(min_length=least, max_length=most):
            fits = isinstance(value, list) and len(value) >= (least or 0)
            return fits and (most is None or len(value) <= most)
        case inspect.TupleType(item_types=types):
            return isinstance(value, list) and len(value) == len(types)
        case inspect.StrType(min_length=least, pattern=pattern):
            fits = isinstance(value, str) and len(value) >= (least or 0)
            return fits and (pattern is None or re.search(pattern, value) is not None)
        case inspect.IntType() | inspect.FloatType():
            wanted = int if isinstance(kind, inspect.IntType) else (int, float)
            is_number = isinstance(value, wanted) and not isinstance(value, bool)
            return is_number and _is_within(kind, value)
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.NoneType():
            return value is None
        case inspect.LiteralType(values=values):
            return value in values
    return True


def _is_within(kind: inspect.IntType | inspect.FloatType, value: float) -> bool:
    return (
        (kind.ge is None or value >= kind.ge)
        and (kind.gt is None or value > kind.gt)
        and (kind.le is None or value <= kind.le)
        and (kind.lt is None or value < kind.lt)
    )


def _words(kind: inspect.Type) -> str:
    """Return the expected value in words: `a whole number from 1 to 8`."""
    match kind:
        case inspect.Metadata(type=inner, extra_json_schema=schema):
            return str((schema or {}).get("description") or _words(inner))
        case inspect.UnionType(types=types):
            known = [_words(each) for each in types if not isinstance(each, inspect.NoneType)]
            return " or ".join(known) + (", or null" if len(known) < len(types) else "")
        case inspect.IntType() | inspect.FloatType():
            noun = "a whole number" if isinstance(kind, inspect.IntType) else "a number"
            return f"{noun}{_range(kind)}"
        case inspect.StrType():
            return "a text"
        case inspect.BoolType():
            return "true or false"
        case inspect.NoneType():
            return "null"
        case inspect.LiteralType(values=values):
            return f"one of {', '.join(map(repr, values))}"
        case inspect.ListType(item_type=item, min_length=least, max_length=most):
            return f"a list of {_count(least, most)}, each {_words(item)}"
        case inspect.TupleType(item_types=types):
            return f"a list of {len(types)}, each {_words(types[0])}"
        case inspect.DictType(max_length=most):
            return f"an object of {_count(None, most)}"
    return "an object"


def _count(least: int | None, most: int | None) -> str:
    return f"{least or 0:,} to {most:,}" if most is not None else f"at least {least or 0:,}"


def _range(kind: inspect.IntType | inspect.FloatType) -> str:
    if kind.ge is not None and kind.le is not None:
        return f" from {kind.ge:,} to {kind.le:,}"
    parts = {"above": kind.gt, "at least": kind.ge, "below": kind.lt, "at most": kind.le}
    said = " and ".join(f"{word} {end:,}" for word, end in parts.items() if end is not None)
    return f" {said}" if said else ""


def _shown(value: Any) -> str:
    """Return a quoted value: text as in Python, everything else as JSON."""
    return repr(_short(value)) if isinstance(value, str) else _short(json.dumps(value))


def _short(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 3]}..."
