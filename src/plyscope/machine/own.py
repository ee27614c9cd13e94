"""Machine code for user-defined games: a reference algorithm's source is compiled together with the
game's methods, and stored on disk if everything these read has a digest.

The code receives a walk (a Block with methods), nodes (a NamedTuple with methods), and the game,
whose attributes are constants. `own_types` describes them to Numba, which compiles each when the
source first uses it.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from plyscope.machine.block import Words, signed
from plyscope.machine.kernel import CannotCompile, Primitive

MOST_NUMBERS = 64
"""Numbers in a position or a move."""


class Number:
    """The shape of a whole number of 64 bits."""

    def __repr__(self) -> str:
        return "a whole number"


NUMBER = Number()


@dataclass(frozen=True)
class Several:
    """The shape of a tuple: those of its items; `kind` is the class of a NamedTuple."""

    items: tuple[Shape, ...]
    kind: type | None = None

    def __repr__(self) -> str:
        if all(item is NUMBER for item in self.items):
            return f"a tuple of {len(self.items)}"
        return f"({', '.join(map(repr, self.items))})"


Shape = Number | Several


def fields_in(shape: Shape) -> Any:
    """Return the names of the fields in a shape, nested as it is."""
    if isinstance(shape, Number):
        return ""
    return getattr(shape.kind, "_fields", ()), tuple(map(fields_in, shape.items))


def shape_of(value: Any) -> Shape:
    """Return the shape of a position or a move; raise CannotCompile where it is none of whole
    numbers."""
    if isinstance(value, int):
        if value != signed(value):
            raise CannotCompile(f"{value} has more than 64 bits")
        return NUMBER
    if isinstance(value, tuple):
        kind = type(value)
        if kind is not tuple and not hasattr(kind, "_fields"):
            raise CannotCompile(f"{kind.__name__} is a tuple with more to it")
        return Several(tuple(map(shape_of, value)), None if kind is tuple else kind)
    raise CannotCompile(f"{_with_article(type(value).__name__)} is no whole number, nor a tuple")


def _with_article(word: str) -> str:
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


def numbers_in(shape: Shape) -> int:
    """Return how many numbers a value of this shape has."""
    return 1 if isinstance(shape, Number) else sum(map(numbers_in, shape.items))


def flattened(value: Any) -> list[int]:
    """Return the numbers of a value, in order."""
    return (
        [int(value)] if isinstance(value, int) else [n for item in value for n in flattened(item)]
    )


def of_numbers(shape: Shape, numbers: list[int]) -> Any:
    """Return the value of this shape whose numbers begin the list, which loses them."""
    if isinstance(shape, Number):
        return numbers.pop(0)
    items = [of_numbers(item, numbers) for item in shape.items]
    return tuple(items) if shape.kind is None else shape.kind(*items)


def frozen(value: Any) -> Any:
    """Return a value as the constant that it is taken for: lists and the like as tuples."""
    if isinstance(value, list | tuple | range | set | frozenset):
        items = [frozen(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


def as_read(value: Any) -> Any:
    """Return a value of a module as it is compared later: a dict of constants as its entries."""
    if isinstance(value, dict) and _is_constant(entries := tuple(value.items())):
        return entries
    return frozen(value)


def constants_of(game: Any) -> dict[str, Any]:
    """Return the attributes of a game that are numbers, texts, or tuples of them, by name."""
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


def _is_same(value: Any, before: Any) -> bool:
    return value is before or (
        _is_constant(before) and type(value) is type(before) and value == before
    )


@dataclass(frozen=True)
class OwnGame:
    """A game to compile: its object, the shapes of its positions and moves, and what evaluates a
    position, in FIRST's view."""

    game: Any
    position: Shape
    move: Shape
    evaluate: Callable[[Any], Any]
    forms: dict[Any, Any] = field(default_factory=dict, compare=False)
    """Its compiled functions."""
    read: list[tuple[dict[str, Any], str, Any]] = field(default_factory=list, compare=False)
    """The global names its methods read: the module's namespace, the name and its value."""
    digest: str = field(default="", compare=False)
    """The same in every process for a game that does the same; empty where it has none."""

    def name_of(self, text: Callable[..., Any], walk: type) -> str:
        """Return the name on disk of a text that is compiled for this game and that walk."""
        shapes = digest_of(fields_in(self.position), fields_in(self.move))
        return self.digest and f"{beginning_of(self.digest, text, walk)}-{shapes[:8]}"

    @property
    def is_current(self) -> bool:
        """Whether these names stand for the same still: a notebook changes them."""
        return all(_is_same(as_read(module.get(name)), value) for module, name, value in self.read)


def beginning_of(digest: str, text: Callable[..., Any], walk: type) -> str:
    """Return how the names on disk begin of a text compiled for a game of this digest."""
    return digest_of(digest, text.__module__, text.__qualname__, walk.__qualname__)


def digest_of(*parts: Any) -> str:
    """Return the digest of values by their texts."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


write = cast(Callable[[Words, Any], None], Primitive("write"))
"""write(words, value): lay the numbers of a value down from there on."""
read_position = cast(Callable[[Any, Words], Any], Primitive("read_position"))
"""read_position(game, words): the position whose numbers begin there."""
read_move = cast(Callable[[Any, Words], Any], Primitive("read_move"))
"""read_move(game, words): the move whose numbers begin there."""
width_of = cast(Callable[[Any], int], Primitive("width_of"))
"""width_of(value): how many numbers it has."""
number_or = cast(Callable[[Any, int], int], Primitive("number_or"))
"""number_or(value, other): the value where it is one number, `other` where it is a tuple."""
