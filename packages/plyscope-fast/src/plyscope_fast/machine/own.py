"""Machine code for user-defined games: a reference algorithm's source is compiled together with the
game's methods. The code is stored on disk if every value that the methods read has a digest.

The code works on a walk (a Block with methods), nodes (Records with methods), and the game, whose
attributes are constants. `own_types` defines them for Numba, which compiles each method when the
source first uses it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from plyscope.identity import digest_of
from plyscope.searching.accelerator import CannotCompile
from plyscope_fast.machine.block import Words, signed
from plyscope_fast.machine.kernel import Primitive

MAX_NUMBERS = 64
"""The most numbers in a position or a move."""


class NumberShape:
    """The shape of a whole number of 64 bits."""

    def __repr__(self) -> str:
        return "a whole number"


NUMBER_SHAPE = NumberShape()


@dataclass(frozen=True)
class TupleShape:
    """The shape of a tuple: the shapes of its items, and for a NamedTuple its class `kind`."""

    items: tuple[Shape, ...]
    kind: type | None = None

    def __repr__(self) -> str:
        if all(item is NUMBER_SHAPE for item in self.items):
            return f"a tuple of {len(self.items)}"
        return f"({', '.join(map(repr, self.items))})"


Shape = NumberShape | TupleShape


def fields_in(shape: Shape) -> Any:
    """Return the field names of the NamedTuples in a shape, nested like the shape."""
    if isinstance(shape, NumberShape):
        return ""
    return getattr(shape.kind, "_fields", ()), tuple(map(fields_in, shape.items))


def shape_of(value: Any) -> Shape:
    """Return the shape of a position or a move; raise CannotCompile if it is not made of whole
    numbers of 64 bits."""
    if isinstance(value, int):
        if value != signed(value):
            raise CannotCompile(f"{value} has more than 64 bits")
        return NUMBER_SHAPE
    if isinstance(value, tuple):
        kind = type(value)
        if kind is not tuple and not hasattr(kind, "_fields"):
            raise CannotCompile(f"{kind.__name__} is a subclass of tuple, but no NamedTuple")
        return TupleShape(tuple(map(shape_of, value)), None if kind is tuple else kind)
    raise CannotCompile(f"{_with_article(type(value).__name__)} is no whole number, nor a tuple")


def _with_article(word: str) -> str:
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


def numbers_in(shape: Shape) -> int:
    """Return the number of whole numbers in a value of this shape."""
    return 1 if isinstance(shape, NumberShape) else sum(map(numbers_in, shape.items))


def flattened(value: Any) -> list[int]:
    """Return the numbers in a value, including those in nested tuples, in order."""
    return (
        [int(value)] if isinstance(value, int) else [n for item in value for n in flattened(item)]
    )


def of_numbers(shape: Shape, numbers: list[int]) -> Any:
    """Return the value of this shape with the first numbers of the list, which are removed from
    it."""
    if isinstance(shape, NumberShape):
        return numbers.pop(0)
    items = [of_numbers(item, numbers) for item in shape.items]
    return tuple(items) if shape.kind is None else shape.kind(*items)


def frozen(value: Any) -> Any:
    """Return a value as a constant: lists, ranges and sets become tuples."""
    if isinstance(value, list | tuple | range | set | frozenset):
        items = [frozen(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


def constants_of(game: Any) -> dict[str, Any]:
    """Return by name the attributes of a game that are numbers, strings, or lists, tuples and sets
    of them."""
    found = {}
    for name in dir(game):
        static = inspect.getattr_static(game, name)
        if name.startswith("__") or hasattr(static, "__get__"):
            continue
        value = frozen(getattr(game, name))
        if _is_constant(value):
            found[name] = value
    return found


def _is_constant(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_constant, value))
    return isinstance(value, int | float | str)


@dataclass(frozen=True)
class OwnGame:
    """A game to compile: its object, the shapes of its positions and moves, and the function that
    evaluates a position in FIRST's view."""

    game: Any
    position: Shape
    move: Shape
    evaluate: Callable[[Any], Any]
    forms: dict[Any, Any] = field(default_factory=dict, compare=False)
    """The compiled functions."""
    digest: str = field(default="", compare=False)
    """The digest of the game's `Identity`."""
    is_trusted: bool = field(default=True, compare=False)
    """Whether machine code of the game on disk may be used."""

    def name_of(self, text: Callable[..., Any], walk: type) -> str:
        """Return the name on disk of the source `text` compiled for this game and this class of
        walks, "" if none may be used."""
        shapes = digest_of(fields_in(self.position), fields_in(self.move))
        return f"{beginning_of(self.digest, text, walk)}-{shapes[:8]}" if self.is_trusted else ""


def beginning_of(digest: str, text: Callable[..., Any], walk: type) -> str:
    """Return the beginning of the names on disk of the source `text` compiled for a game with this
    digest; the shapes of positions and moves follow."""
    return digest_of(digest, text.__module__, text.__qualname__, walk.__qualname__)


write = cast(Callable[[Words, Any], None], Primitive("write"))
"""write(words, value): store the numbers of a value at the start of `words`."""
read_position = cast(Callable[[Any, Words], Any], Primitive("read_position"))
"""read_position(game, words): the position whose numbers are at the start of `words`."""
read_move = cast(Callable[[Any, Words], Any], Primitive("read_move"))
"""read_move(game, words): the move whose numbers are at the start of `words`."""
width_of = cast(Callable[[Any], int], Primitive("width_of"))
"""width_of(value): the number of whole numbers in the value."""
number_or = cast(Callable[[Any, int], int], Primitive("number_or"))
"""number_or(value, other): the value if it is a single number, `other` if it is a tuple."""
