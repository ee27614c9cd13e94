"""Words and numbers shared by all faces: sides, results, counts, intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import isinf
from typing import TYPE_CHECKING, Any

from plyscope.display import times
from plyscope.rules.cells import parse_cell
from plyscope.rules.game import FIRST, SIDES, spoken
from plyscope.rules.position import Position
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.result import line_text
from plyscope.searching.score import MAX_EVALUATION, WIN, Bound, format_score, plies_text

if TYPE_CHECKING:
    from plyscope.lab.matches.ratings import Interval, Sprt
    from plyscope.lab.matches.tally import MatchResult
    from plyscope.rules.tree import AnyPosition
    from plyscope.searching.result import SearchResult

Path = tuple[Any, ...]
CONFIDENCE = "95 %"
INTERVALS = f"{CONFIDENCE} intervals"
REPEATED = "the others are repeats, so the intervals are too narrow"


TERM_NAMES = {"lines": "lines: stones", "tempo": "lines: tempo", "ends": "lines: ends"}
"""The names of the terms computed from lines, in explanations."""


def side_name(side: int) -> str:
    """Return `X` or `O`."""
    return SIDES[side].upper()


def result_text(winner: int | None) -> str:
    """Return who won a finished game: `X has won` or `a draw`."""
    return "a draw" if winner is None else f"{side_name(winner)} has won"


def standing(position: AnyPosition) -> str:
    """Return whose move it is, or the result of a finished game."""
    if position.is_over:
        return result_text(position.winner)
    return f"{side_name(position.side)} to move"


def spoken_line(position: Any, moves: Sequence[Any]) -> str:
    """Return a line of play from `position`, with moves as people name them."""
    return " ".join(spoken(position.game, name) for name in line_text(position, tuple(moves)))


def line_name(game: Any, cells: Sequence[str]) -> str:
    """Return the name of a line of cells: `a1–b1–c1`, or `row 1, columns 1–4` in games whose moves
    are columns."""
    if not game.speaks_of_columns:
        return "–".join(cells)
    numbers = [parse_cell(game.shape, name) for name in cells]
    places = [(number % game.width + 1, game.height - number // game.width) for number in numbers]
    if places[0] > places[-1]:
        places.reverse()
    across, up = zip(*places, strict=True)
    columns, rows = _span("column", across), _span("row", up)
    return f"{rows}, {columns}" if rows.startswith("row ") else f"{columns}, {rows}"


def _span(noun: str, numbers: Sequence[int]) -> str:
    """Return `row 2`, `rows 1–4`, or each number if they are not consecutive."""
    first, last = numbers[0], numbers[-1]
    if len(set(numbers)) == 1:
        return f"{noun} {first}"
    steps = {there - here for here, there in pairwise(numbers)}
    run = f"{first}–{last}" if steps in ({1}, {-1}) else " ".join(map(str, numbers))
    return f"{noun}s {run}"


MAX_TEXT_CHARS = 44
"""The longest position text that is shown next to its board."""


def headed(position: Any, words: str) -> str:
    """Return a position's text followed by `words`, on a new line if the text has several lines.

    A large board is replaced by its game and number of stones.
    """
    text = str(position)
    if len(text) > MAX_TEXT_CHARS and "\n" not in text and isinstance(position, Position):
        stones = (position.first | position.second).bit_count()
        text = f"{position.game.name}, {times(stones, 'stone')}" if stones else position.game.name
    return f"{text}\n{words}" if "\n" in text else f"{text}   {words}"


def named(position: Any) -> str:
    """Return the text of a position, preceded by the name of its game."""
    name, text = position.game.name, str(position)
    space = "\n" if "\n" in text else " "
    return text if text.startswith(f"{name} ") else f"{name}{space}{text}"


def doubt(position: Position) -> str | None:
    """Return why the stones of a position cannot result from a game, None if they can."""
    game, stones = position.game, (position.first, position.second)
    first, second = (each.bit_count() for each in stones)
    if game.alternates:
        is_counted = abs(first - second) <= 1
    else:
        turns = [game.turn_at(put) for put in range(first + second)]
        is_counted = turns.count(FIRST) == first
    if not is_counted:
        return f"No game leads here: X has {times(first, 'stone')}, O has {second:,}"
    if all(game.completed(stones[side], stones[1 - side], side) is not None for side in (0, 1)):
        return "No game leads here: both sides have a line"
    return None


def listed(texts: Sequence[str]) -> str:
    """Return texts as a list: `5`, `5 and 16`, `5, 16 and −3`."""
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))


def number(value: float | None) -> str:
    """Return a number as in tables: groups of three digits, `−`, and `–` for None."""
    if value is None or isinstance(value, float):
        return format_score(value)
    return f"{value:,}".replace("-", "−")


def bounded(score: float | None, bound: Bound, scoring: str) -> str:
    """Return a score with its bound: `5`, `≥ 5`, `≈ win`."""
    text = format_score(score, scoring)
    return text if bound is Bound.EXACT else f"{bound.sign} {text}"


def score_words(score: float) -> str:
    """Return a search's score as a predicate of a move or a side: `wins in 3 plies`, or `is
    estimated at 12`."""
    if abs(score) > MAX_EVALUATION:
        return f"{'wins' if score > 0 else 'loses'} in {plies_text(WIN - abs(round(score)))}"
    return f"is estimated at {format_score(score)}"


def elo(interval: Interval) -> str:
    """Return an Elo difference with its interval: `+35 (−12 to ∞)`."""
    return f"{signed(interval.value)} ({signed(interval.low)} to {signed(interval.high)})"


def unbiased(value: float | None) -> str:
    """Return the median-unbiased Elo after a sequential test, empty without one."""
    return "" if value is None else f"; median-unbiased {signed(value)}"


def signed(number: float) -> str:
    """Return a number of Elo with its sign: `+35`, `−12`, `∞`."""
    return f"{number:+.0f}".replace("-", "−").replace("+inf", "∞").replace("inf", "∞")


def match_verdict(result: MatchResult) -> str:
    """Return a sentence on whether a match shows a difference, and how large it is."""
    if result.is_too_few:
        are = "is" if result.distinct == 1 else "are"
        return f"no difference shown: {times(result.distinct, 'different game')} {are} too few"
    if result.sprt is not None:
        return _test_verdict(result, result.sprt)
    found = result.elo
    value, low, high = found.value, found.low, found.high
    if result.better == "b":
        value, low, high = -value, -high, -low
    name, other = result.names[::-1] if result.better == "b" else result.names
    better = f"{name} is better than {other}"
    if isinf(value):
        return f"{better}: it won every game, {signed(low)} Elo or more ({CONFIDENCE})"
    interval = f"{CONFIDENCE} from {signed(low)} to {signed(high)}"
    if result.better:
        return f"{better}: {signed(value)} Elo, {interval}"
    return f"no difference shown: {name} {signed(value)} Elo against {other}, {interval}"


def _test_verdict(result: MatchResult, sprt: Sprt) -> str:
    """Return a sentence on the result of a sequential test."""
    (a, b), elo0, elo1 = result.names, sprt.elo0, sprt.elo1
    if result.verdict is None:
        games = "different games" if result.distinct < result.games else "games"
        return f"not decided: the sequential test of {_against(elo1, elo0)} needs more {games}"
    if result.verdict == "elo1":
        said = "better" if elo0 >= 0 else f"less than {-elo0:g} Elo worse"
        accepted = _against(elo1, elo0)
        return f"{a} is {said} than {b}: the sequential test accepts {accepted}"
    if elo1 <= 0:
        accepted = _against(-elo0, -elo1)
        return f"{b} is better than {a}: the sequential test accepts {accepted}"
    return (
        f"{a} is less than {elo1:g} Elo better than {b}: "
        f"the sequential test accepts {_against(elo0, elo1)}"
    )


def _against(accepted: float, other: float) -> str:
    """Return `+10 Elo against 0`."""
    one, two = (f"{elo:+g}".replace("-", "−") if elo else "0" for elo in (accepted, other))
    return f"{one} Elo against {two}"


def counts_text(nodes: int, leaves: int, cutoffs: int) -> str:
    """Return the counts of a search, or of a part of it."""
    return f"{times(nodes, 'node')}, {times(leaves, 'leaf')}, {times(cutoffs, 'cutoff')}"


def dotted(path: Path) -> str:
    """Return a path as in answers and keys of the quiz: `0.2.1`."""
    return ".".join(map(str, path))


def path_text(name_of: Callable[[Path], str], path: Path) -> str:
    """Return the names of the nodes along a path, below the root: `B D 5`."""
    return " ".join(name_of(path[:end]) for end in range(1, len(path) + 1)) or name_of(())


def conventions_text(result: SearchResult) -> str:
    """Return the conventions of a search that its algorithm uses."""
    algorithm = ALGORITHMS[result.algorithm]
    return (
        "the engine's own" if algorithm.is_engine else result.conventions.describe(algorithm.takes)
    )


def pruned_words(result: SearchResult) -> str:
    """Return the sentence on the leaves and nodes that a search of a tree pruned."""
    return f"In the tree: {result.pruned}."
