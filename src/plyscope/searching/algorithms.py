"""The catalogue of search algorithms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyscope.catalogue import Catalogue
from plyscope.rules.position import Position
from plyscope.searching.conventions import Scoring
from plyscope.searching.cost import alphabeta_nodes, minimax_nodes, playout_nodes
from plyscope.searching.engine import is_settled
from plyscope.searching.limit import Limit
from plyscope.searching.reference import (
    accumulating,
    alphabeta,
    dfpn,
    iterative_deepening,
    minimax,
    mtdf,
    negamax,
    pn,
    pvs,
    sss,
    uct,
)
from plyscope.searching.walk import Walk

Reference = Callable[[Walk], float]


@dataclass(frozen=True, kw_only=True)
class Deepening:
    """How an algorithm that is run to depth 1, 2, 3, ... with one memory comes to an end."""

    is_settled: Callable[[Walk, float], bool] = lambda walk, value: False
    """Whether a pass that found the value need not be followed by a deeper one."""
    last_begins: float | None = None
    """The part of its time after which no further pass begins, None where any may."""


@dataclass(frozen=True, kw_only=True)
class Algorithm:
    """An algorithm: its two forms, the conventions it takes, and how it is driven."""

    name: str
    summary: str
    source: str = ""
    """Who published it, and when."""
    reference: Reference | None
    """The readable form, which tells events; None where there is only a compiled one."""
    compiled: str | None = None
    """The module of `searching.compiled` that holds the compiled form, None where there is none."""
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


def _takes(*names: str) -> frozenset[str]:
    return frozenset({"scoring", "order", *names})


ALGORITHMS = Catalogue(
    "algorithm",
    (
        Algorithm(
            name="minimax",
            summary="visits every node",
            source="Shannon 1950",
            reference=minimax.search,
            compiled="minimax",
            takes=_takes(),
            estimate_nodes=minimax_nodes,
        ),
        Algorithm(
            name="negamax",
            summary="minimax in one branch, each node in the view of its side to move",
            source="Knuth & Moore 1975",
            reference=negamax.search,
            compiled="negamax",
            takes=_takes(),
            estimate_nodes=minimax_nodes,
            mover_view=True,
        ),
        Algorithm(
            name="alphabeta",
            summary="minimax that skips what cannot matter",
            source="Knuth & Moore 1975",
            reference=alphabeta.search,
            compiled="alphabeta",
            takes=_takes("root", "bound", "cut", "cutoffs", "window"),
        ),
        Algorithm(
            name="pvs",
            summary="principal variation search (NegaScout): null windows after the first move",
            source="Marsland & Campbell 1982; Reinefeld 1983",
            reference=pvs.search,
            compiled="pvs",
            takes=_takes("bound", "window"),
            mover_view=True,
        ),
        Algorithm(
            name="mtdf",
            summary="null windows alone, closing in on the value, with a table",
            source="Plaat, Schaeffer, Pijls & de Bruin 1996",
            reference=mtdf.search,
            compiled="mtdf",
            takes=_takes(),
        ),
        Algorithm(
            name="sss",
            summary="SSS*: best-first over the strategies of MAX",
            source="Stockman 1979",
            reference=sss.search,
            compiled="sss",
            takes=_takes(),
        ),
        Algorithm(
            name="pn",
            summary="proof-number search: best-first where least is missing to an answer",
            source="Allis, van der Meulen & van den Herik 1994",
            reference=pn.search,
            compiled="pn",
            takes=_takes(),
        ),
        Algorithm(
            name="dfpn",
            summary="df-pn: proof-number search depth first, with a table",
            source="Nagai 2002",
            reference=dfpn.search,
            compiled="dfpn",
            takes=_takes(),
        ),
        Algorithm(
            name="iterative-deepening",
            summary="alpha-beta to depth 1, 2, 3, ... "
            "with a transposition table that orders the moves",
            source="Slate & Atkin 1977",
            reference=iterative_deepening.search,
            compiled="iterative_deepening",
            takes=_takes(),
            mover_view=True,
            deepening=Deepening(),
        ),
        Algorithm(
            name="uct",
            summary="Monte Carlo tree search with upper confidence bounds; an estimate",
            source="Kocsis & Szepesvári 2006",
            reference=uct.search,
            compiled="uct",
            takes=_takes("seed"),
            is_exact=False,
            counts_playouts=True,
            estimate_nodes=playout_nodes,
        ),
        Algorithm(
            name="engine",
            summary="the playing engine: everything that makes principal variation search play "
            "well; compiled only",
            source="Allis 1994; Marsland & Campbell 1982",
            reference=None,
            compiled="engine",
            takes=frozenset(),
            mover_view=True,
            deepening=Deepening(is_settled=is_settled, last_begins=0.6),
            needs_lines=True,
            scoring="distance",
        ),
        Algorithm(
            name="accumulating",
            summary="adds the heuristic on the way up and blocks first; "
            "not sound, kept as published",
            source="system D",
            reference=accumulating.search,
            compiled="accumulating",
            takes=frozenset(),
            heuristic="diagonal-lines",
            is_exact=False,
            needs_lines=True,
        ),
    ),
)

TEXTBOOK = tuple(name for name, algorithm in ALGORITHMS.items() if not algorithm.is_engine)
"""The names of the algorithms that have both forms and tell events."""
