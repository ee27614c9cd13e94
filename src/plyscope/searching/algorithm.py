"""An algorithm, and the request that it carries out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from plyscope.evaluation.heuristic import Heuristic
from plyscope.rules.game import Game
from plyscope.rules.position import Position
from plyscope.searching.conventions import Conventions, Scoring
from plyscope.searching.cost import alphabeta_nodes
from plyscope.searching.engine import DEFAULTS, EngineOptions
from plyscope.searching.limit import Limit

if TYPE_CHECKING:
    from plyscope.searching.walk import Walk

FormName = Literal["auto", "reference", "compiled"]
FORMS = get_args(FormName)
Reference = Callable[["Walk"], float]


@dataclass(frozen=True, kw_only=True)
class Deepening:
    """How an algorithm that is run to depth 1, 2, 3, ... with one memory comes to an end."""

    is_settled: Callable[[Walk, float], bool] = lambda walk, value: False
    """Whether a pass that found the value need not be followed by a deeper one."""
    last_begins: float | None = None
    """The part of its time after which no further pass begins, None where any may."""


@dataclass(frozen=True, kw_only=True)
class Algorithm:
    """An algorithm: its forms, the conventions it takes, and how it is driven."""

    name: str
    summary: str
    source: str = ""
    """Who published it, and when."""
    reference: Reference | None
    """The readable form, which tells events; None where there is only a compiled one."""
    compiled: str | None = None
    """The module of `searching.compiled` that holds the compiled form, `walk` where the reference's
    own text is compiled; None where there is none."""
    takes: frozenset[str] = frozenset()
    """The conventions it takes."""
    scoring: Scoring = "heuristic"
    """What a finished game is worth unless said."""
    heuristic: str | None = None
    """Its own heuristic, None for the game's usual one."""
    estimate_nodes: Callable[[Position, Limit], float] = alphabeta_nodes
    """How many nodes it takes, at most, as far as can be foretold."""
    deepening: Deepening | None = None
    """How it deepens, None where it does so under limits of nodes or seconds alone."""
    is_exact: bool = True
    """Whether the value is minimax's, and not an estimate."""
    mover_view: bool = False
    """Whether it is in negamax form: scores and windows are in the view of the side to move."""
    counts_playouts: bool = False
    """Whether a limit of nodes counts playouts: it keeps to its limits by itself, has one of its
    own without them, and never deepens."""
    needs_lines: bool = False
    """Whether it is for line games alone; all others follow the sides wherever the game leads."""

    @property
    def is_engine(self) -> bool:
        """Whether it is for playing and not for reading: it has a compiled form alone and tells no
        events."""
        return self.reference is None


@dataclass(frozen=True, kw_only=True)
class SearchRequest:
    """What is asked of a search."""

    game: Game
    position: Any
    """A position of `game`: the root."""
    algorithm: Algorithm
    heuristic: Heuristic
    conventions: Conventions
    limit: Limit
    form: FormName = "auto"
    """The form that is wanted."""
    options: EngineOptions = DEFAULTS
    """The playing engine's own options."""
