"""`compare`: several algorithms on one position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from plyscope.datafile import DataFrame, frame
from plyscope.display import drawn, printed
from plyscope.evaluation.heuristic import HeuristicLike
from plyscope.rules.game import PositionLike
from plyscope.rules.linegame import LineGame
from plyscope.rules.source import as_position
from plyscope.rules.tree import ExplicitTree
from plyscope.searching.algorithms import ALGORITHMS, TEXTBOOK
from plyscope.searching.engine import ENGINE_OPTIONS
from plyscope.searching.request import SearchOptions
from plyscope.searching.result import SearchResult
from plyscope.searching.search import search

ALL = "all"
"""The name that means all textbook algorithms."""
COMMON_OPTIONS = ("heuristic", "depth", "nodes", "seconds", "clock", "seed", "form")
"""The options that all algorithms take."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The results of several algorithms on one position, in the order they ran.

    >>> found = compare(".X./O../X.O", ["minimax", "alphabeta"], "counted-lines")
    >>> [(result.algorithm, result.value, result.nodes) for result in found]
    [('minimax', 5, 226), ('alphabeta', 5, 98)]
    """

    results: tuple[SearchResult, ...]

    def __iter__(self) -> Iterator[SearchResult]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def as_dict(self) -> dict[str, Any]:
        """Return all results as JSON-ready data."""
        return {"results": [result.as_dict() for result in self.results]}

    def to_frame(self) -> DataFrame:
        """Return the results as a pandas DataFrame, a row for each algorithm."""
        columns = ("algorithm", "value", "depth", "nodes", "leaves", "cutoffs", "seconds")
        return frame(self.results, *columns)

    __str__ = printed
    _repr_html_ = drawn


def compare(
    position: PositionLike,
    algorithms: str | Sequence[str] = ALL,
    heuristic: HeuristicLike | None = None,
    *,
    keep_interrupted: bool = False,
    **options: Unpack[SearchOptions],
) -> Comparison:
    """Search a position with several algorithms, minimax first, and return all results.

        position     a position, its text, a tree, or with `game` a state of it
        algorithms   names, in a list or as `a,b`; by default all textbook algorithms that play
                     the game
        heuristic    the heuristic; by default the game's usual one
        options      those of `search`; each algorithm gets the ones that it takes

    Give a `depth`, `nodes` or `seconds` on games that minimax cannot search to the end. Ctrl-C
    raises KeyboardInterrupt; with `keep_interrupted` it returns the partial result. Raises what
    `search` raises; an option that no algorithm takes is an OptionError.

    >>> [(found.algorithm, found.nodes) for found in compare([[3, 5], [6, 9]], "minimax,pvs")]
    [('minimax', 7), ('pvs', 10)]
    """
    start = as_position(position, options.pop("game", None))
    results: list[SearchResult] = []
    for name, taken in each_algorithm(start.game, algorithms, options):
        results.append(search(start, name, heuristic, keep_interrupted=keep_interrupted, **taken))
        if results[-1].stopped == "interrupted":
            break
    return Comparison(results=tuple(results))


def each_algorithm(
    game: Any, algorithms: str | Sequence[str], options: Mapping[str, Any]
) -> list[tuple[str, dict[str, Any]]]:
    """Return the algorithms by name, each with the options that it takes.

    Options that no algorithm takes go to the first one, which raises an error for them.
    """
    names = algorithms.split(",") if isinstance(algorithms, str) else algorithms
    takes: dict[str, set[str]] = {}
    has_chance = isinstance(game, ExplicitTree) and game.has_chance
    everything = ("expectimax",) if has_chance else TEXTBOOK
    for name in everything if algorithms == ALL else names:
        algorithm = ALGORITHMS[name]
        if algorithms == ALL and (
            (algorithm.needs_lines and not isinstance(game, LineGame))
            or (options.get("form") == "compiled" and algorithm.compiled is None)
        ):
            continue
        takes[name] = {
            *COMMON_OPTIONS,
            *algorithm.takes,
            *(ENGINE_OPTIONS if algorithm.is_engine else ()),
        }
    refused = options.keys() - set().union(*takes.values())
    return [
        (name, {key: value for key, value in options.items() if key in known | refused})
        for name, known in takes.items()
    ]
