"""The words that add rules to a game's text, `19,19,6,stones=2`; they are keys of game files too.

Each sets one field of `LineGame`. A word without a value, `gravity`, sets it to true.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import prod
from typing import Any, NamedTuple, TypedDict

from plyscope.errors import NotationError, PlyscopeError
from plyscope.rules.cells import format_cell, parse_cell
from plyscope.rules.lines import LINE_KINDS, Directions, bits, joined, named_directions

Shape = tuple[int, ...]

MAX_STEP = 32
"""The longest step along an axis from a cell of a line to the next."""


class Variants(TypedDict, total=False):
    """The fields of `LineGame` by which a game differs from the plain rules."""

    torus: bool | str
    gravity: bool
    misere: bool
    exactly: bool
    hexagonal: bool
    renju: bool
    caro: bool
    holes: int
    stones: int
    first_stones: int


class Word(NamedTuple):
    """A word that may follow `m,n,k`."""

    name: str
    field: str
    """The field that it sets, or the `directions` of `LineGame.grid`."""
    default: Any
    expected: str
    """A description of its values, for errors."""
    read: Callable[[Any, Shape], Any]
    """Return the value of the field. The argument is the text after `=`, True for a word without
    `=`, or the value in a game file. Raises ValueError or PlyscopeError."""
    write: Callable[[Any, Shape], str] = lambda value, shape: ""
    """Return the text after `=`, empty for a word without a value."""


def _flag(value: object, shape: Shape) -> bool:
    if value in ("true", "false"):
        return value == "true"
    if not isinstance(value, bool):
        raise ValueError
    return value


def _axes(value: object, shape: Shape) -> bool | str:
    if isinstance(value, bool):
        return value
    if not isinstance(value, str) or not value:
        raise ValueError
    return joined(len(shape), value)


def _count(value: object, shape: Shape) -> int:
    number = int(value) if isinstance(value, str) and value.isdecimal() else value
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= prod(shape):
        raise ValueError
    return number


def _cells(value: object, shape: Shape) -> int:
    board = 0
    for name in _parts(value):
        if not isinstance(name, str):
            raise ValueError
        board |= 1 << parse_cell(shape, name)
    return board


def _directions(value: object, shape: Shape) -> Directions:
    """Return the directions of a text such as `row+1:-1`, or of a list; raise ValueError."""
    found: list[tuple[int, ...]] = []
    for part in _parts(value):
        if isinstance(part, str) and re.fullmatch(r"-?\d+(:-?\d+)*", part):
            part = [int(step) for step in part.split(":")]
        if isinstance(part, str):
            named = named_directions(len(shape), part)
        elif isinstance(part, list) and all(type(step) is int for step in part):
            named = (tuple(part),)
        else:
            raise ValueError
        if not named or any(
            len(steps) != len(shape) or not any(steps) or max(map(abs, steps)) > MAX_STEP
            for steps in named
        ):
            raise ValueError
        found += [step for step in named if step not in found]
    return tuple(found)


def _parts(value: object) -> list[Any]:
    parts = value.split("+") if isinstance(value, str) else value
    if not isinstance(parts, list) or not parts:
        raise ValueError
    return parts


def _write_directions(value: Directions, shape: Shape) -> str:
    left, words = list(value), []
    for kind in LINE_KINDS:
        named = named_directions(len(shape), kind)
        if named and set(named) <= set(left):
            words.append(kind)
            left = [step for step in left if step not in named]
    return "+".join([*words, *(":".join(map(str, step)) for step in left)])


def _write_cells(value: int, shape: Shape) -> str:
    return "+".join(format_cell(shape, cell) for cell in bits(value))


def _write_axes(value: bool | str, shape: Shape) -> str:
    axes = joined(len(shape), value) if isinstance(value, str) else value
    return axes if isinstance(axes, str) else ""


AXES_EXPECTED = "no value, or the joined axes, such as x"
DIRECTIONS_EXPECTED = (
    "row, column, diagonal, pillar, space-diagonal, or steps along the axes such as 1:-1, "
    "joined by '+'"
)
WORDS = {
    word.name: word
    for word in (
        Word("torus", "torus", False, AXES_EXPECTED, _axes, _write_axes),
        *(
            Word(name, name, False, "true or false", _flag)
            for name in ("gravity", "misere", "exactly", "hexagonal", "renju", "caro")
        ),
        Word("holes", "holes", 0, "names of cells joined by '+'", _cells, _write_cells),
        *(
            Word(
                name, field, 1, "1 to the number of cells", _count, lambda value, shape: str(value)
            )
            for name, field in (("stones", "stones"), ("first", "first_stones"))
        ),
        Word("directions", "directions", None, DIRECTIONS_EXPECTED, _directions, _write_directions),
    )
}


def read_word(name: str, value: object, shape: Shape, place: str) -> tuple[str, Any]:
    """Return the field that a word sets, and its value; raise NotationError, which names
    `place`."""
    word = WORDS.get(name)
    if word is None:
        raise NotationError(f"unknown word {name[:40]!r} in {place}; expected {', '.join(WORDS)}")
    try:
        return word.field, word.read(value, shape)
    except PlyscopeError as error:
        raise NotationError(f"{name!r} in {place}: {error}") from None
    except ValueError:
        raise NotationError(
            f"{name!r} is {str(value)[:40]!r} in {place}; expected {word.expected}"
        ) from None


def format_spec(shape: Shape, k: int, variants: Mapping[str, Any] | None = None) -> str:
    """Return the text of a game on a grid: `7,7,5`, `4x4x4,4,torus`, `19,19,6,stones=2`."""
    board = f"{shape[0]},{shape[1]}" if len(shape) == 2 else "x".join(map(str, shape))
    words = []
    for word in WORDS.values():
        value = (variants or {}).get(word.field, word.default)
        if value and value != word.default:
            text = word.write(value, shape)
            words.append(f"{word.name}={text}" if text else word.name)
    return ",".join([board, str(k), *words])
