"""The catalogue of search algorithms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyscope.catalogue import Catalogue
from plyscope.errors import OptionError
from plyscope.searching.conventions import Scoring
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

__all__ = ["ALGORITHMS", "TEXTBOOK", "Algorithm"]


@dataclass(frozen=True, kw_only=True)
class Algorithm:
    """An algorithm: its `reference` form, the conventions it `takes`, and how it is driven.

    `is_exact`: the value is minimax's. `mover_view`: it is in negamax form. `deepens`: it is meant
    to be run to depth 1, 2, 3, ... with one memory. `is_engine`: it has a compiled form alone,
    which stops at a proven win. `scoring`: what a finished game is worth unless said. `anytime`: it
    keeps to limits of nodes and seconds by itself. `has_memory`: it needs a table. `needs_lines`:
    it is for line games alone; all others follow the sides wherever the game leads them.
    """

    name: str
    summary: str
    source: str
    reference: Callable[[Walk], float]
    takes: frozenset[str]
    is_exact: bool = True
    mover_view: bool = False
    deepens: bool = False
    anytime: bool = False
    is_engine: bool = False
    scoring: Scoring = "heuristic"
    has_memory: bool = False
    needs_lines: bool = False


def _takes(*names: str) -> frozenset[str]:
    return frozenset({"scoring", "order", *names})


def _no_reference(walk: Walk) -> float:
    raise OptionError(
        f"'engine' on {walk.game.name!r} in reference form; expected the compiled form, which it has alone"
    )


ALGORITHMS = Catalogue(
    "algorithm",
    (
        Algorithm(
            name="minimax",
            summary="visits every node",
            source="Shannon 1950",
            reference=minimax.search,
            takes=_takes(),
        ),
        Algorithm(
            name="negamax",
            summary="minimax in one branch, each node in the view of its side to move",
            source="Knuth & Moore 1975",
            reference=negamax.search,
            takes=_takes(),
            mover_view=True,
        ),
        Algorithm(
            name="alphabeta",
            summary="minimax that skips what cannot matter",
            source="Knuth & Moore 1975",
            reference=alphabeta.search,
            takes=_takes("root", "bound", "cut", "cutoffs", "window"),
        ),
        Algorithm(
            name="pvs",
            summary="principal variation search (NegaScout): null windows after the first move",
            source="Marsland & Campbell 1982; Reinefeld 1983",
            reference=pvs.search,
            takes=_takes("bound", "window"),
            mover_view=True,
        ),
        Algorithm(
            name="mtdf",
            summary="null windows alone, closing in on the value, with a table",
            source="Plaat, Schaeffer, Pijls & de Bruin 1996",
            reference=mtdf.search,
            takes=_takes(),
            has_memory=True,
        ),
        Algorithm(
            name="sss",
            summary="SSS*: best-first over the strategies of MAX",
            source="Stockman 1979",
            reference=sss.search,
            takes=_takes(),
        ),
        Algorithm(
            name="pn",
            summary="proof-number search: best-first where least is missing to an answer",
            source="Allis, van der Meulen & van den Herik 1994",
            reference=pn.search,
            takes=_takes(),
        ),
        Algorithm(
            name="dfpn",
            summary="df-pn: proof-number search depth first, with a table",
            source="Nagai 2002",
            reference=dfpn.search,
            takes=_takes(),
        ),
        Algorithm(
            name="iterative-deepening",
            summary="alpha-beta to depth 1, 2, 3, ... with a transposition table that orders the moves",
            source="Slate & Atkin 1977",
            reference=iterative_deepening.search,
            takes=_takes(),
            mover_view=True,
            deepens=True,
            has_memory=True,
        ),
        Algorithm(
            name="uct",
            summary="Monte Carlo tree search with upper confidence bounds; an estimate",
            source="Kocsis & Szepesvári 2006",
            reference=uct.search,
            takes=_takes("seed"),
            is_exact=False,
            anytime=True,
        ),
        Algorithm(
            name="engine",
            summary="the playing engine: everything that makes principal variation search play well; compiled only",
            source="Allis 1994; Marsland & Campbell 1982",
            reference=_no_reference,
            takes=frozenset(),
            mover_view=True,
            deepens=True,
            has_memory=True,
            is_engine=True,
            needs_lines=True,
            scoring="distance",
        ),
        Algorithm(
            name="accumulating",
            summary="adds the heuristic on the way up and blocks first; not sound, kept as published",
            source="system D",
            reference=accumulating.search,
            takes=frozenset(),
            is_exact=False,
            needs_lines=True,
        ),
    ),
)

TEXTBOOK = tuple(name for name, algorithm in ALGORITHMS.items() if not algorithm.is_engine)
"""The names of the algorithms that have both forms and tell events."""
