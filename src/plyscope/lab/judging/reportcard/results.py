"""The results of `report_card`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyscope.datafile import DataFrame, frame
from plyscope.display import drawn, printed
from plyscope.jsonable import by_name
from plyscope.lab.judging.reportcard.budget import ErrorGroup
from plyscope.rules.tree import AnyPosition


@dataclass(frozen=True, kw_only=True)
class AtDepth:
    """The wrong moves of searches of `depth` plies, over the critical positions."""

    depth: int
    mistakes: float
    """The share of critical positions in which the chosen move loses exact value."""
    null_mistakes: float
    """The share of wrong moves with no heuristic."""
    low: float
    """Lower bound of the 95 % interval of `mistakes` (Wilson 1927); equal to `mistakes` when all
    positions of the game were counted."""
    high: float
    """Upper bound of that interval."""
    lost: float
    """Mean loss of exact value: 1 if a win becomes a draw or a draw a loss, 2 if a win becomes a
    loss."""
    delay: float | None
    """Mean number of plies by which right moves win later, or lose earlier, than the best move,
    over the `ReportCard.pacing` positions; None if no distance is known."""
    null_delay: float | None
    """The mean delay with no heuristic."""
    fixed: int
    """The number of positions played right at this depth, and wrong one ply shallower."""
    regressed: int
    """The number of positions played wrong at this depth, and right one ply shallower."""
    worse: float | None
    """The p-value: how likely at least `regressed` of the changed positions would be regressed if
    depth made no difference (McNemar 1947, one-sided, exact); None at depth 1."""

    def __str__(self) -> str:
        wrong = f"{self.mistakes:.1%} wrong moves"
        return f"depth {self.depth}: {wrong}, {self.null_mistakes:.1%} with no heuristic"


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """A position in which a search of one ply prefers a wrong move."""

    position: AnyPosition
    chosen: str
    better: str
    margin: int
    """The heuristic's value after the chosen move minus that after the better one."""
    lost: int
    """The loss of the chosen move, 1 or 2."""
    asks: str = ""
    """The class of the position (`judging.tactics`)."""

    def __str__(self) -> str:
        cost = {1: "half a point", 2: "the game"}[self.lost]
        rated = f"{self.chosen} rated {self.margin:,} above {self.better}"
        return f"{self.position}: {rated}, which costs {cost}"


@dataclass(frozen=True, kw_only=True)
class ReportCard:
    """A heuristic measured against the exact values of one game's positions."""

    heuristic: str
    game: str
    positions: int
    """Positions visited: all of the game unless `is_sampled`."""
    is_sampled: bool
    about: str
    """A description of these positions."""
    population: str = ""
    """The name of the population, such as `random` (`judging.sources`); empty on cards of earlier
    versions."""
    ongoing: int = 0
    """Unfinished positions; 0 on cards of earlier versions."""
    choices: int
    """Critical positions: some legal moves lose exact value and others do not."""
    correlation: float | None
    """Kendall's tau-b (1945) of evaluation and exact value, over the `ongoing` positions."""
    among_siblings: float
    """Correctly ordered sibling pairs minus wrong ones, as a share of the sibling pairs that differ
    in exact value."""
    depths: tuple[AtDepth, ...]
    pacing: int | None
    """Won or lost positions whose right moves take different numbers of plies; None if no distance
    is known."""
    changes_when_mirrored: int | None
    """Positions whose evaluation changes when the board is rotated or mirrored; None for
    user-defined games."""
    changes_when_colours_swap: int | None
    """Positions whose evaluation changes when colours are swapped; None for user-defined games."""
    microseconds: float
    """Mean time of one evaluation in Python."""
    nodes: int | None
    """Nodes of alpha-beta from the start position to the end of the game, ordered by the heuristic;
    None for a sample or a user-defined game."""
    null_nodes: int | None
    """The number of these nodes with no heuristic."""
    by_tactic: tuple[ErrorGroup, ...] = ()
    """The error budget: wrong moves by the class of the position; empty on cards of earlier
    versions."""
    by_ply: tuple[ErrorGroup, ...] = ()
    """Wrong moves by the stones on the board, or by plies in user-defined games."""
    by_reach: tuple[ErrorGroup, ...] = ()
    """Wrong moves by how often a search of one ply reaches the position, in games against random
    moves; empty for a sample."""
    wrong_a_game: tuple[float, ...] | None = None
    """By depth − 1, the mean number of wrong moves in a game against random moves; None for a
    sample."""
    worst: tuple[Mistake, ...]
    """The worst wrong move of each class, the class with most wrong moves first."""
    notes: tuple[str, ...] = ()
    """Entries of the heuristic that have no effect on this game, one sentence each."""

    def to_frame(self) -> DataFrame:
        """Return the depths as a pandas DataFrame, a row for each."""
        return frame(self.depths)

    __str__ = printed
    _repr_html_ = drawn

    def as_dict(self) -> dict[str, Any]:
        """Return the card as JSON-ready data."""
        return by_name(self)
