"""The names of cells, as in Go: the column as a letter, the row as a number from the bottom: `b2`.

A third dimension adds a letter (`b2c` is column b, row 2, level c), a fourth a number, and so on
alternately. On boards of at most nine cells, numbers from 1 name the cells too, row-major from the
top left.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import prod

from plyscope.errors import NotationError

MAX_NUMBERED = 9


@lru_cache(maxsize=4096)
def coordinates(shape: tuple[int, ...], cell: int) -> tuple[int, ...]:
    """Return the (column, row, level, ...) of `cell`, from 0, with rows counted from the top."""
    place = []
    for size in shape:
        cell, at = divmod(cell, size)
        place.append(at)
    return tuple(place) if len(place) > 1 else (*place, 0)


@lru_cache(maxsize=4096)
def format_cell(shape: tuple[int, ...], cell: int) -> str:
    """Return the name of `cell`."""
    column, row, *levels = coordinates(shape, cell)
    height = shape[1] if len(shape) > 1 else 1
    name = f"{letters(column)}{height - row}"
    return name + "".join(
        letters(at) if axis % 2 == 0 else str(at + 1) for axis, at in enumerate(levels)
    )


def parse_cell(shape: tuple[int, ...], text: str) -> int:
    """Return the cell that `text` names; raise NotationError."""
    size = prod(shape)
    expected = f"a cell such as {format_cell(shape, 0)!r} or {format_cell(shape, size - 1)!r}" + (
        f", or a number from 1 to {size}" if size <= MAX_NUMBERED else ""
    )
    parts = re.findall(r"[a-z]+|[0-9]+", text.lower())
    if "".join(parts) != text.lower() or len(text) > 64:
        raise NotationError(f"cannot read the cell {text[:64]!r}; expected {expected}")
    if (
        len(parts) == 1
        and parts[0].isdigit()
        and size <= MAX_NUMBERED
        and 1 <= int(parts[0]) <= size
    ):
        return int(parts[0]) - 1
    sizes = shape if len(shape) > 1 else (*shape, 1)
    if len(parts) == len(sizes) and all(
        part.isdigit() == bool(axis % 2) for axis, part in enumerate(parts)
    ):
        at = [int(part) - 1 if part.isdigit() else number_of(part) for part in parts]
        at[1] = sizes[1] - 1 - at[1]
        if all(0 <= x < limit for x, limit in zip(at, sizes, strict=True)):
            return sum(x * prod(sizes[:axis]) for axis, x in enumerate(at))
    raise NotationError(
        f"no cell {text!r} on a board of {'×'.join(map(str, shape))}; expected {expected}"
    )


def letters(number: int) -> str:
    """Return a, b, ..., z, aa, ab, ... for 0, 1, ..."""
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        text = chr(ord("a") + digit) + text
    return text


def number_of(text: str) -> int:
    """Return 0, 1, ... for a, b, ..., z, aa, ab, ..."""
    number = 0
    for letter in text:
        number = number * 26 + ord(letter) - ord("a") + 1
    return number - 1
