"""A tuning that nobody made, with every part of a card: for the tests of what faces show of one."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from plyscope import LineTable, TermSum, parse, parse_game, play_match
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.lab.judging.share import exact_share, wilson
from plyscope.lab.matches.ratings import Sprt
from plyscope.lab.matches.tally import MatchResult
from plyscope.tuning.result import (
    Changed,
    ErrorsAtDepth,
    LearningPoint,
    Optimum,
    Trial,
    TuningResult,
    Weight,
)

TUNED = TermSum(
    LineTable("tuned", {(4, 0): 90_000, (0, 4): -90_000}, summary="tuned from counted-lines"),
    tempo={(1, 0): 60, (0, 1): -20, (2, 0): 210, (0, 2): -140, (3, 0): 5216, (0, 3): -1138},
)
CURED = "......./......./......./...X.../...OX../...XO.."
SPOILT = "......./......./......./......./...OX../..OXX.."


def sampled(**changes: Any) -> TuningResult:
    """Return a tuning on Connect Four, from a sample, that is an improvement."""
    names = [f"{whose}[{stones}]" for whose in ("to_move", "not_to_move") for stones in (1, 2, 3)]
    numbers = [60, 210, 5216, -20, -140, -1138]
    result = TuningResult(
        outcome="improved",
        game="connect4",
        start="counted-lines",
        family="to-move",
        labels="exact values by the solver of Connect Four",
        depth=1,
        seed=0,
        test_seed=1,
        positions=12_000,
        choices=3127,
        ridge=0.0001,
        heuristic=TUNED,
        candidate=TUNED,
        weights=tuple(
            Weight(
                name=name,
                before=0,
                after=number,
                low=number - 35,
                high=number + 35,
                may_be_dropped=abs(number) < 35,
            )
            for name, number in zip(names, numbers, strict=True)
        ),
        learning=tuple(
            LearningPoint(
                choices=choices, training=wilson(right, choices), validation=wilson(held, choices)
            )
            for choices, right, held in ((782, 150, 180), (1564, 315, 332), (3127, 657, 675))
        ),
        errors=tuple(
            ErrorsAtDepth(
                depth=depth,
                choices=1608,
                before=wilson(before, 1608),
                after=wilson(after, 1608),
                fixed=fixed,
                regressed=fixed - (before - after),
                p=p,
            )
            for depth, before, after, fixed, p in (
                (1, 410, 317, 190, 5e-8),
                (2, 252, 240, 60, 0.15),
                (3, 222, 225, 40, 0.63),
            )
        ),
        is_whole=False,
        fixed=(
            Changed(
                position=parse(f"connect4 {CURED}"),
                before="2",
                after="4",
                right=("4", "5"),
                lost=1,
            ),
        ),
        regressed=(
            Changed(
                position=parse(f"connect4 {SPOILT}"), before="3", after="6", right=("3",), lost=2
            ),
        ),
        trials=(Trial(condition="depth 1", match=games()),),
        optimum=None,
        seconds=71.25,
        digest="ab" * 32,
        version="0.1.0",
    )
    return replace(result, **changes)


@cache
def games() -> MatchResult:
    """Return games between two agents, with a sequential test."""
    agents = "tuned=alphabeta depth=2", "counted-lines=random"
    sprt = Sprt(elo0=0, elo1=20)
    return play_match(*agents, 40, "connect4", 3, sprt=sprt, opening_plies=2)


def whole(**changes: Any) -> TuningResult:
    """Return a tuning on all of tic-tac-toe that shows no improvement, with the proven optimum."""
    start = find_heuristic("counted-lines", parse_game("tictactoe"))
    errors = ErrorsAtDepth(
        depth=1,
        choices=3191,
        before=exact_share(382, 3191),
        after=exact_share(390, 3191),
        fixed=20,
        regressed=28,
        p=0.9,
    )
    optimum = Optimum(
        family="lines",
        choices=3191,
        least=350 / 3191,
        bound=350 / 3191,
        weights=(1, 4),
        nodes=1234,
        seconds=2.5,
    )
    result = sampled(
        outcome="no improvement",
        game="tictactoe",
        family="lines",
        labels="exact values of all positions",
        positions=5478,
        choices=3191,
        heuristic=start,
        candidate=LineTable.one_sided("tuned", (0, 1, 3, 50)),
        weights=(
            Weight(name="mine[1]", before=1, after=1, low=0.5, high=2, may_be_dropped=False),
            Weight(name="mine[2]", before=3, after=3, low=2.5, high=4, may_be_dropped=False),
        ),
        learning=(),
        errors=(errors,),
        is_whole=True,
        fixed=(),
        regressed=(
            Changed(
                position=parse("X../.O./..X"),
                before="b1",
                after="a1",
                right=("b1", "b3"),
                lost=1,
            ),
        ),
        trials=(),
        optimum=optimum,
    )
    return replace(result, **changes)
