"""The catalogue of search algorithms."""

from __future__ import annotations

from plyscope.catalogue import Catalogue
from plyscope.searching.algorithm import Algorithm, Deepening
from plyscope.searching.cost import minimax_nodes
from plyscope.searching.engine import is_settled
from plyscope.searching.reference import (
    accumulating,
    alphabeta,
    dfpn,
    expectimax,
    iterative_deepening,
    minimax,
    mtdf,
    negamax,
    pn,
    pvs,
    sss,
    uct,
)


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
            compiled="walk",
            takes=_takes(),
            estimate_nodes=minimax_nodes,
        ),
        Algorithm(
            name="negamax",
            summary="minimax in one branch: scores in the view of the side to move",
            source="Knuth & Moore 1975",
            reference=negamax.search,
            compiled="walk",
            takes=_takes(),
            estimate_nodes=minimax_nodes,
            mover_view=True,
        ),
        Algorithm(
            name="alphabeta",
            summary="minimax that skips moves which cannot change the value",
            source="Knuth & Moore 1975",
            reference=alphabeta.search,
            compiled="walk",
            takes=_takes("root", "bound", "cut", "cutoffs", "window"),
        ),
        Algorithm(
            name="pvs",
            summary="principal variation search (NegaScout): null windows after the first move",
            source="Marsland & Campbell 1982; Reinefeld 1983",
            reference=pvs.search,
            compiled="walk",
            takes=_takes("bound", "window"),
            mover_view=True,
        ),
        Algorithm(
            name="mtdf",
            summary="null windows only, with a table, until the two bounds meet",
            source="Plaat, Schaeffer, Pijls & de Bruin 1996",
            reference=mtdf.search,
            compiled="walk",
            takes=_takes(),
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
            summary="proof-number search: best-first, towards the smallest proof",
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
            summary="alpha-beta to depth 1, 2, 3, ... "
            "with a transposition table that orders the moves",
            source="Slate & Atkin 1977",
            reference=iterative_deepening.search,
            compiled="walk",
            takes=_takes(),
            mover_view=True,
            deepening=Deepening(),
        ),
        Algorithm(
            name="expectimax",
            summary="minimax (expectiminimax) with the averages of chance nodes, in trees",
            source="Michie 1966",
            reference=expectimax.search,
            takes=_takes(),
            needs_chance=True,
        ),
        Algorithm(
            name="uct",
            summary="Monte Carlo tree search with upper confidence bounds; an estimate",
            source="Kocsis & Szepesvári 2006",
            reference=uct.search,
            takes=_takes("seed"),
            is_exact=False,
            counts_playouts=True,
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
            deepening=Deepening(is_settled=is_settled),
            needs_lines=True,
            scoring="distance",
        ),
        Algorithm(
            name="accumulating",
            summary="adds the heuristic on the way up and blocks first; "
            "not sound, kept as published",
            source="system D",
            reference=accumulating.search,
            compiled="walk",
            takes=frozenset(),
            heuristic="diagonal-lines",
            is_exact=False,
            needs_lines=True,
        ),
    ),
)

TEXTBOOK = tuple(
    name
    for name, algorithm in ALGORITHMS.items()
    if not (algorithm.is_engine or algorithm.needs_chance)
)
"""The names of the algorithms for games without chance that have a reference form, which sends
events."""
