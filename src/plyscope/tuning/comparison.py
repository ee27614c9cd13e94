"""`compare_families`: the number of weights of a game's families against their wrong moves after
tuning, with the Pareto front."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from plyscope.errors import OptionError
from plyscope.jsonable import by_name
from plyscope.lab.judging.reportcard.measures import at_least
from plyscope.lab.judging.share import Share
from plyscope.rules.linegame import LineGame
from plyscope.rules.source import game_of
from plyscope.tuning.family import find_family
from plyscope.tuning.result import TuningResult
from plyscope.tuning.tune import MAX_P, tune


@dataclass(frozen=True, kw_only=True)
class Row:
    """A tuned family, or START, the heuristic before tuning, with no free weight."""

    family: str
    weights: int
    """Number of free weights."""
    wrong: tuple[Share, ...]
    """[depth − 1] the share of wrong moves."""
    is_on_front: tuple[bool, ...]
    """[depth − 1] whether the row is on the Pareto front of weights and wrong moves."""
    is_shown: tuple[bool, ...]
    """[depth − 1] whether a row of the front is significantly better than the best smaller family:
    by McNemar's test at 5 % in a sample; always true for a whole game and for START."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Families of a game, each tuned from the same START on the same positions."""

    game: str
    start: str
    depth: int
    """The search depth for which the families are tuned."""
    is_whole: bool
    """Whether wrong moves are counted over all positions of the game."""
    choices: int
    """Critical positions tested."""
    is_held_out: bool
    """Whether they are counted on held-out parts of the game (`TuningResult.is_held_out`)."""
    rows: tuple[Row, ...]
    """START first, then by the number of weights."""
    refused: dict[str, str]
    """Reasons why families were not tuned, by name."""
    is_interrupted: bool
    results: tuple[TuningResult, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON-ready data, each tuning with all its evidence."""
        return by_name(self)


def compare_families(
    start: Any,
    game: Any,
    families: Iterable[str],
    progress: Callable[[str, str, int, int], None] | None = None,
    **options: Any,
) -> Comparison:
    """Tune each family and compare the results.

    `options` are those of `tune`; `progress` is called with the family and the arguments of
    `tune`'s progress. On Ctrl-C the finished families are returned; before the first,
    KeyboardInterrupt is raised. A family that cannot be tuned is in `refused`. Raises OptionError
    if all are, and the errors of `find_family`.
    """
    names, rules = tuple(families), game_of(game)
    if isinstance(rules, LineGame):
        for family in names:  # a misspelt name fails at once, not after an hour
            find_family(family, start, rules, options.get("free"))
    results: list[TuningResult] = []
    refused: dict[str, str] = {}
    is_interrupted = False
    with TemporaryDirectory() as folder:
        # positions are labelled once, for the first family
        resume = options.pop("resume", None) or Path(folder) / "labels"
        for family in names:
            asked = options | {"family": family, "resume": resume, "trials": False}
            asked["progress"] = None if progress is None else partial(progress, family)
            try:
                result = tune(start, game, **asked)
            except OptionError as error:
                refused[family] = str(error)
                continue
            except KeyboardInterrupt:
                is_interrupted = True
                break
            if result.outcome == "interrupted":
                is_interrupted = True
                break
            results.append(result)
    if is_interrupted and not results:
        raise KeyboardInterrupt
    if not results:
        raise OptionError(next(iter(refused.values()), "no family; expected at least one"))
    first = results[0]
    return Comparison(
        game=first.game,
        start=first.start,
        depth=first.depth,
        is_whole=first.is_whole,
        is_held_out=first.is_held_out,
        choices=first.errors[0].choices,
        rows=_rows(results),
        refused=refused,
        is_interrupted=is_interrupted,
        results=tuple(results),
    )


def _rows(results: Sequence[TuningResult]) -> tuple[Row, ...]:
    """Return the rows of START and of the families by number of weights."""
    first = results[0]
    points: list[_Point] = [
        (f"{first.start}, as it is", 0, tuple(each.before for each in first.errors), None)
    ]
    for result in sorted(results, key=lambda each: len(each.weights)):
        wrong = tuple(each.after for each in result.errors)
        points.append((result.family, len(result.weights), wrong, result))
    depths = range(len(first.errors))
    fronts = [front([(size, wrong[at].value) for _, size, wrong, _ in points]) for at in depths]
    return tuple(
        Row(
            family=point[0],
            weights=point[1],
            wrong=point[2],
            is_on_front=tuple(fronts[at][number] for at in depths),
            is_shown=tuple(fronts[at][number] and _is_shown(points, point, at) for at in depths),
        )
        for number, point in enumerate(points)
    )


_Point = tuple[str, int, tuple[Share, ...], TuningResult | None]
"""A family, its number of weights, [depth − 1] its share of wrong moves, and its result."""


def _is_shown(points: Sequence[_Point], point: _Point, at: int) -> bool:
    """Return whether a family makes significantly fewer wrong moves than the best smaller one."""
    _, size, _, result = point
    if result is None or result.is_whole:
        return True
    smaller = [each for each in points if each[1] < size]
    other = min(smaller, key=lambda each: each[2][at].value)[3]
    if other is None:  # START
        return result.errors[at].p <= MAX_P
    if not (other.loses and result.loses):  # they were tested on different positions
        return False
    before, after = other.loses[at], result.loses[at]
    fixed, regressed = int((before & ~after).sum()), int((after & ~before).sum())
    return at_least(fixed, fixed + regressed) <= MAX_P


def front(points: Sequence[tuple[float, float]]) -> list[bool]:
    """Return which points are on the Pareto front: no other point is as small in both coordinates.

    >>> front([(0, 25.5), (3, 26.0), (6, 19.7), (18, 17.8)])
    [True, False, True, True]
    """
    return [
        not any(
            other != point and other[0] <= point[0] and other[1] <= point[1] for other in points
        )
        for point in points
    ]
