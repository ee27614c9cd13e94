"""`Algorithm`, an entry of the catalogue, and `SearchRequest`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from plyscope.evaluation.heuristic import Heuristic
from plyscope.rules.game import FIRST, SECOND, Game, one_line
from plyscope.rules.position import Position
from plyscope.rules.tree import ExplicitTree
from plyscope.rules.treetext import as_exact
from plyscope.searching.conventions import Conventions, Scoring
from plyscope.searching.cost import alphabeta_nodes
from plyscope.searching.engine import DEFAULTS, EngineOptions
from plyscope.searching.limit import Limit
from plyscope.searching.score import INFINITY, WIN

if TYPE_CHECKING:
    from plyscope.searching.walk import Walk

FormName = Literal["auto", "reference", "compiled"]
FORMS = get_args(FormName)
Reference = Callable[["Walk"], float]


@dataclass(frozen=True, kw_only=True)
class Deepening:
    """The rules by which an iterative deepening ends."""

    is_settled: Callable[[Walk, float], bool] = lambda walk, value: False
    """Return whether a deeper pass cannot change the value of this one."""


@dataclass(frozen=True, kw_only=True)
class Algorithm:
    """A search algorithm: its forms, the conventions that it takes, and its properties."""

    name: str
    summary: str
    source: str = ""
    """Authors and year of its publication."""
    reference: Reference | None
    """The reference form, which sends events; None if there is only a compiled form."""
    compiled: str | None = None
    """The module of `plyscope_fast.searching` with the compiled form, `walk` if it is compiled from
    the source of the reference form; None if there is none."""
    takes: frozenset[str] = frozenset()
    """The conventions that it takes."""
    scoring: Scoring = "heuristic"
    """Its default scoring of finished games."""
    heuristic: str | None = None
    """Its default heuristic, None for the default of the game."""
    estimate_nodes: Callable[[Position, Limit], float] = alphabeta_nodes
    """Return an estimate of the greatest number of nodes."""
    deepening: Deepening | None = None
    """The rules of its deepening, None if it deepens only with limits of nodes or seconds."""
    is_exact: bool = True
    """Whether the value is the minimax value, and not an estimate."""
    mover_view: bool = False
    """Whether scores and windows are in the view of the side to move (negamax form)."""
    counts_playouts: bool = False
    """Whether a node limit counts playouts. Such an algorithm checks its limits itself, has a
    default limit, and never deepens."""
    needs_lines: bool = False
    """Whether the algorithm accepts only line games."""
    needs_chance: bool = False
    """Whether the algorithm accepts only trees with chance nodes; no other accepts them."""

    def __str__(self) -> str:
        source = f" ({self.source})" if self.source else ""
        return f"{self.name}: {self.summary}{source}"

    @property
    def is_engine(self) -> bool:
        """Whether the algorithm has only a compiled form, which sends no events."""
        return self.reference is None


@dataclass(frozen=True, kw_only=True)
class SearchRequest:
    """A request for a search."""

    game: Game
    position: Any
    """The root, a state of `game`."""
    algorithm: Algorithm
    heuristic: Heuristic
    conventions: Conventions
    limit: Limit
    form: FormName = "auto"
    """The form to run."""
    options: EngineOptions = DEFAULTS
    """The options of the playing engine."""

    @property
    def view(self) -> int:
        """The side in whose view scores are: MAX in an explicit tree, else the side to move."""
        if isinstance(self.game, ExplicitTree):
            return FIRST
        side = self.game.side(self.position)
        return int(side) if side in (FIRST, SECOND) else FIRST

    @property
    def assumes(self) -> bool:
        """Whether unknown leaves of a tree have an assumed value."""
        return isinstance(self.game, ExplicitTree) and self.game.assumed is not None

    @property
    def scale(self) -> int:
        """The units in a value: the scale of an explicit tree, else 1."""
        return self.game.scale if isinstance(self.game, ExplicitTree) else 1

    @property
    def units_window(self) -> tuple[int, int]:
        """The window at the root in whole units."""
        alpha, beta = self.conventions.window
        return self._units(alpha), self._units(beta)

    def _units(self, end: float) -> int:
        return int(end) if abs(end) >= INFINITY else int(as_exact(end) * self.scale)

    def value_of(self, units: float) -> float:
        """Return the value of a score in units, ±INFINITY for an unknown leaf."""
        if not isinstance(self.game, ExplicitTree):
            return units
        if abs(units) >= INFINITY:
            return units
        if self.assumes and abs(units) >= WIN:
            return INFINITY if units > 0 else -INFINITY
        return units / self.scale if isinstance(units, float) else self.game.exact(units)

    def __str__(self) -> str:
        what = f"{self.algorithm.name} with {self.heuristic.name} on {one_line(self.position)}"
        return f"{what}: {self.limit}; {self.conventions}"
