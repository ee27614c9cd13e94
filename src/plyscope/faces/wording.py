"""Words and numbers that every face writes alike: sides, results, counts, intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isinf
from typing import TYPE_CHECKING, Any

from plyscope.rules.game import SIDES, spoken
from plyscope.rules.position import Position
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.result import line_text
from plyscope.searching.score import Bound, format_score

if TYPE_CHECKING:
    from plyscope.lab.ratings import Interval
    from plyscope.lab.tally import MatchResult
    from plyscope.rules.game import GamePosition
    from plyscope.searching.result import SearchResult

Path = tuple[Any, ...]
CONFIDENCE = "95 %"
INTERVALS = f"{CONFIDENCE} intervals"
REPEATED = "the rest repeat them, and the intervals are narrower than the evidence"


TERM_NAMES = {"lines": "lines: stones", "tempo": "lines: tempo", "ends": "lines: ends"}
"""What explanations call the terms that lines give together."""


def side_name(side: int) -> str:
    """Return `X` or `O`."""
    return SIDES[side].upper()


def result_text(winner: int | None) -> str:
    """Return who won a finished game: `X has won` or `a draw`."""
    return "a draw" if winner is None else f"{side_name(winner)} has won"


def standing(position: Position | GamePosition) -> str:
    """Return whose move it is, or the result of a finished game."""
    if position.is_over:
        return result_text(position.winner)
    return f"{side_name(position.side)} to move"


def spoken_line(position: Any, moves: Sequence[Any]) -> str:
    """Return a line of play from `position` as people say it."""
    return " ".join(spoken(position.game, name) for name in line_text(position, tuple(moves)))


LONGEST_TEXT = 44
"""Letters of a position's text beside a board that shows it."""


def headed(position: Any, words: str) -> str:
    """Return a position's text before some words: above them where it is of several lines; of a
    large board its game alone."""
    text = str(position)
    if len(text) > LONGEST_TEXT and "\n" not in text and isinstance(position, Position):
        text = position.game.name
    return f"{text}\n{words}" if "\n" in text else f"{text}   {words}"


def times(count: int, noun: str) -> str:
    """Return `1 time`, `2 times`."""
    return f"{count:,} {noun}{'s' if count != 1 else ''}"


def number(value: float | None) -> str:
    """Return a number as tables have it: groups of three digits, `−`, and `–` for None."""
    if value is None or isinstance(value, float):
        return format_score(value)
    return f"{value:,}".replace("-", "−")


def bounded(score: float | None, bound: Bound, scoring: str) -> str:
    """Return a score and what it proves, where it is no exact one: `5`, `≥ 5`, `≈ win`."""
    text = format_score(score, scoring)
    return text if bound is Bound.EXACT else f"{bound.sign} {text}"


def elo(interval: Interval) -> str:
    """Return an Elo difference with its interval: `+35 (−12 to ∞)`."""
    return f"{signed(interval.value)} ({signed(interval.low)} to {signed(interval.high)})"


def signed(number: float) -> str:
    """Return a number of Elo with its sign: `+35`, `−12`, `∞`."""
    return f"{number:+.0f}".replace("-", "−").replace("+inf", "∞").replace("inf", "∞")


def match_verdict(result: MatchResult) -> str:
    """Return in a sentence whether a match shows a difference, and how large it is."""
    if result.is_too_few:
        are = "is" if result.distinct == 1 else "are"
        return f"no difference shown: {times(result.distinct, 'different game')} {are} too few"
    found = result.elo
    value, low, high = found.value, found.low, found.high
    if result.better == "b":
        value, low, high = -value, -high, -low
    name = result.b if result.better == "b" else result.a
    if isinf(value):
        return f"{name} is better: it won every game, {signed(low)} Elo or more ({CONFIDENCE})"
    shown = f"{signed(value)} Elo, {CONFIDENCE} from {signed(low)} to {signed(high)}"
    return f"{name} is better: {shown}" if result.better else f"no difference shown: {name} {shown}"


def counts_text(result: SearchResult) -> str:
    """Return the nodes, leaves and cutoffs of a search."""
    return f"{result.nodes:,} nodes, {result.leaves:,} leaves, {result.cutoffs:,} cutoffs"


def dotted(path: Path) -> str:
    """Return a path as answers and keys of the quiz name it: `0.2.1`."""
    return ".".join(map(str, path))


def path_text(name_of: Callable[[Path], str], path: Path) -> str:
    """Return the names of the nodes along a path, which tell leaves of equal value apart."""
    return " ".join(name_of(path[:end]) for end in range(1, len(path) + 1)) or name_of(())


def conventions_text(result: SearchResult) -> str:
    """Return the conventions of a search that its algorithm takes."""
    algorithm = ALGORITHMS[result.algorithm]
    return (
        "the engine's own" if algorithm.is_engine else result.conventions.describe(algorithm.takes)
    )
