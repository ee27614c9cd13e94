"""The numbers of a function as parameters: the keyword parameters that have numbers as defaults.

    def f(mine, theirs, *, pair=10, worth=(0, 1, 3, 8)):

has the parameters `pair`, `worth[0]`, `worth[1]`, `worth[2]` and `worth[3]`. The function with
other numbers is the same code with other defaults.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

from plyscope.catalogue import nearest_name
from plyscope.datafile import write_file
from plyscope.errors import OptionError
from plyscope.evaluation.function import (
    MAX_VALUE,
    Declared,
    FunctionHeuristic,
    load_function,
    of_function,
)
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.pythonfile import in_one_line, is_of_file, path_of
from plyscope.rules.game import Game

FRACTION_DIGITS = 4
"""Significant digits to which a fraction is rounded."""


class NoConstants(OptionError):
    """Raised for a function without keyword parameters that are numbers."""


class Constant(NamedTuple):
    """A number in a keyword parameter of a function."""

    keyword: str
    at: int | None
    """The index of the number in a tuple or list, None for a number alone."""
    value: int | float

    @property
    def name(self) -> str:
        """The name as in code: `pair` or `worth[2]`."""
        return self.keyword if self.at is None else f"{self.keyword}[{self.at}]"

    @property
    def is_whole(self) -> bool:
        """Whether the number must stay whole."""
        return isinstance(self.value, int)

    def rounded(self, value: float) -> int | float:
        """Return a number that can replace it: whole, or rounded to FRACTION_DIGITS digits."""
        value = max(-MAX_VALUE, min(MAX_VALUE, value))
        return round(value) if self.is_whole else float(f"{value:.{FRACTION_DIGITS}g}")


@dataclass(frozen=True)
class Constants:
    """A function, and the numbers of its keyword parameters that are tuned."""

    game: Game
    start: FunctionHeuristic
    """The function with its own numbers."""
    constants: tuple[Constant, ...]
    text: str = ""
    """The text of its file, empty for a function of this process."""
    name: str = "constants"

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the numbers."""
        return tuple(constant.name for constant in self.constants)

    @property
    def weights_of_start(self) -> tuple[int | float, ...]:
        """The numbers of START."""
        return tuple(constant.value for constant in self.constants)

    def rounded(self, weights: Sequence[float]) -> tuple[int | float, ...]:
        """Return numbers that can replace the function's: whole numbers stay whole."""
        pairs = zip(self.constants, weights, strict=True)
        return tuple(constant.rounded(weight) for constant, weight in pairs)

    def keywords(self, weights: Sequence[float]) -> dict[str, Any]:
        """Return the arguments that give the function these numbers."""
        given: dict[str, Any] = {}
        for constant, weight in zip(self.constants, weights, strict=True):
            if constant.at is None:
                given[constant.keyword] = weight
            else:
                before = given.get(constant.keyword, _defaults(self.start)[constant.keyword])
                after = (*before[: constant.at], weight, *before[constant.at + 1 :])
                given[constant.keyword] = after
        return given

    def heuristic(
        self, weights: Sequence[float], name: str | None = None, summary: str = ""
    ) -> Heuristic:
        """Return the heuristic of the function with these numbers, as a table if possible."""
        start = replace(
            self.start, name=name or self.start.name, summary=summary or self.start.summary
        )
        tuned = _tuned(start, self.keywords(weights))
        found = find_heuristic(
            Declared(tuned.function, tuned.scale, tuned.name, tuned.form), self.game
        )
        return tuned if isinstance(found, FunctionHeuristic) else found

    @cached_property
    def is_table(self) -> bool:
        """Whether the function is equal to a table, with START's numbers and with others."""
        others = [each.value + max(1, abs(each.value)) for each in self.constants]
        return all(
            isinstance(self.heuristic(self.rounded(weights)), LineTable)
            for weights in (self.weights_of_start, others)
        )

    def written(self, weights: Sequence[float]) -> str:
        """Return the file of the function with a last line that sets these numbers; for a function
        of this process, only this line."""
        numbers = ", ".join(f"{key}={value!r}" for key, value in self.keywords(weights).items())
        gap = "" if not self.text or self.text.endswith("\n") else "\n"
        return f"{self.text}{gap}{self.start.function.__name__}.__kwdefaults__.update({numbers})\n"


def find_constants(
    start: str | Callable[..., Any], game: Game, free: Sequence[str] | None = None
) -> Constants:
    """Return the numbers of a function, given itself or as `file.py:name`, as parameters.

    `free` selects some by name: `worth[2]`, or `worth` for all numbers in it. Raises NoConstants if
    there are none, UnknownNameError for a name that is none of them, and the errors of
    `find_heuristic`.
    """
    find_heuristic(start, game)  # raises if it is not a heuristic for the game
    loaded, text = of_function(start) if callable(start) else load_function(start), ""
    found = tuple(_constants_of(loaded))
    if not found:
        where = f" of {path_of(start)!r}" if isinstance(start, str) else ""
        raise NoConstants(
            f"function {loaded.name!r}{where} has no numbers to tune; expected keyword parameters, "
            "such as def f(mine, theirs, *, pair=10)"
        )
    if isinstance(start, str):
        text = _text(path_of(start))
    if free is not None:
        known = {name for each in found for name in (each.name, each.keyword)}
        for name in free:
            if name not in known:
                raise nearest_name("constant", name, sorted(known))
        found = tuple(each for each in found if {*free} & {each.name, each.keyword})
    return Constants(game, loaded, found, text)


def is_of_constants(start: object) -> bool:
    """Return whether START is a function, so that its parameters are its own numbers."""
    if isinstance(start, str):
        return is_of_file(start)
    return callable(start) and not isinstance(start, Heuristic)


def _defaults(heuristic: FunctionHeuristic) -> dict[str, Any]:
    """Return the defaults of the keyword parameters; none for another callable object."""
    function = heuristic.function
    return (function.__kwdefaults__ or {}) if isinstance(function, FunctionType) else {}


def _constants_of(heuristic: FunctionHeuristic) -> Iterator[Constant]:
    """Yield the numbers of the keyword parameters, in their order."""
    for keyword, default in _defaults(heuristic).items():
        values = default if type(default) in (tuple, list) else [default]
        if all(type(value) in (int, float) and abs(value) <= MAX_VALUE for value in values):
            for at, value in enumerate(values):
                yield Constant(keyword, None if values is not default else at, value)


@dataclass(frozen=True)
class _Tuned(FunctionHeuristic):
    """A function with other numbers, which another process makes again."""

    start: FunctionHeuristic | None = None
    keywords: tuple[tuple[str, Any], ...] = ()

    def __reduce__(self) -> Any:
        return _tuned, (self.start, dict(self.keywords))


def _tuned(start: FunctionHeuristic, keywords: dict[str, Any]) -> FunctionHeuristic:
    """Return the heuristic of a copy of the function with other defaults."""
    own = start.function
    assert isinstance(own, FunctionType)
    made = FunctionType(
        own.__code__, own.__globals__, own.__name__, own.__defaults__, own.__closure__
    )
    made.__dict__.update(own.__dict__)
    made.__kwdefaults__ = {**(own.__kwdefaults__ or {}), **keywords}
    made.__annotations__, made.__qualname__ = own.__annotations__, own.__qualname__
    given = {each.name: getattr(start, each.name) for each in fields(FunctionHeuristic)}
    return _Tuned(**{**given, "function": made}, start=start, keywords=(*keywords.items(),))


# Files


def _text(path: str) -> str:
    """Return the text of a Python file; raise OptionError if it cannot be read."""
    try:
        data = Path(path).read_bytes()
        return data.decode(_encoding(data))
    except (OSError, SyntaxError, ValueError, LookupError) as error:
        raise OptionError(
            f"cannot read {path!r}: {in_one_line(error)}; expected the file that was run"
        ) from None


def write_source(path: str | Path, text: str, head: Sequence[str] = ()) -> None:
    """Write a Python file in the encoding that its text declares, with the lines of `head` as a
    comment above its last line. Raises OptionError if it cannot be written."""
    *lines, last = text.splitlines(keepends=True)
    comment = [f"# {' '.join(line.split())}\n" for line in head]
    try:
        encoding = _encoding("".join(lines[:2]).encode("ascii", "replace"))
        comment = [line.encode(encoding, "replace").decode(encoding) for line in comment]
        data = "".join((*lines, *comment, last)).encode(encoding)
    except ValueError as error:  # the encoding cannot represent the text
        raise OptionError(f"file {str(path)!r}: {error}; expected another encoding") from None
    write_file("file", path, data)


def _encoding(data: bytes) -> str:
    """Return the encoding of a Python file, with any line endings."""
    lines = io.BytesIO(data.replace(b"\r", b"\n"))
    return tokenize.detect_encoding(lines.readline)[0]
