"""What `report_card` returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyscope.deprecation import RenamedAttribute
from plyscope.display import drawn, printed
from plyscope.jsonable import by_name


@dataclass(frozen=True, kw_only=True)
class AtDepth:
    """What a search of `depth` plies gives away, over the positions whose moves differ in value."""

    depth: int
    mistakes: float
    """The share of these positions in which the chosen move loses value."""
    null_mistakes: float
    """The same of the search without evaluation."""
    low: float
    """The bounds of the 95 % interval of `mistakes` (Wilson 1927); all three are alike where it is
    of all positions."""
    high: float
    lost: float
    """The mean loss: 1 is a win given up for a draw or a draw for a loss, 2 a win for a loss."""
    delay: float | None
    """The mean of the plies by which a right move wins later than the fastest one, or loses sooner
    than the slowest, over `ReportCard.pacing`; None where no distance is known."""
    null_delay: float | None
    """The same of the search without evaluation."""
    fixed: int
    """Positions that are right here, and were wrong one ply shallower."""
    regressed: int
    """Positions that are wrong here, and were right one ply shallower."""
    worse: float | None
    """p for at least as many regressed positions if depth made no difference (McNemar 1947,
    one-sided, exact); None at depth 1."""
    cured, spoilt = RenamedAttribute("fixed"), RenamedAttribute("regressed")

    def as_dict(self) -> dict[str, Any]:
        """Return the data for JSON, `cured` and `spoilt` by their old names too."""
        return by_name(self, cured=self.fixed, spoilt=self.regressed)


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """A position in which the heuristic, looking one move ahead, prefers one that loses value."""

    position: Any
    chosen: str
    better: str
    margin: int
    """By how much it rates the chosen move above the better one."""
    lost: int
    """The value that the chosen move gives away, 1 or 2."""


@dataclass(frozen=True, kw_only=True)
class ReportCard:
    """A heuristic against the truth, on one game."""

    heuristic: str
    game: str
    positions: int
    """Positions visited: all of the game, unless `is_sampled`."""
    is_sampled: bool
    about: str
    """Which positions these are, in words."""
    ongoing: int = 0
    """Positions where the game goes on; 0 on a card of an earlier version."""
    choices: int
    """Positions whose moves differ in value."""
    correlation: float | None
    """Kendall's tau-b (1945) of evaluation and value, over positions where the game goes on."""
    among_siblings: float
    """Pairs of one position's moves rated in the right order less those in the wrong, as a share
    of the pairs that differ in value."""
    depths: tuple[AtDepth, ...]
    pacing: int | None
    """Positions, won or lost, whose right moves take differently long; None where no distance is
    known."""
    changes_when_mirrored: int | None
    """Positions whose evaluation changes when the board is turned or mirrored; None for games of
    one's own, and so below."""
    changes_when_colours_swap: int | None
    """Positions whose evaluation changes when the colours are exchanged."""
    microseconds: float
    """The cost of one evaluation in Python."""
    nodes: int | None
    """Nodes of alpha-beta from the start to the end, best moves first; None for a sample, and for
    games of one's own."""
    null_nodes: int | None
    """The same without evaluation."""
    worst: tuple[Mistake, ...]
    notes: tuple[str, ...] = ()
    """What the heuristic says in vain on this game, in a sentence each."""

    __str__ = printed
    _repr_html_ = drawn

    def as_dict(self) -> dict[str, Any]:
        """Return the card as JSON-ready data."""
        return by_name(self)
