"""`report_card`: a heuristic's numbers, side by side with those of the search without one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from math import fsum
from time import perf_counter
from typing import Any

from plyscope.catalogue import checks_keywords
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.notes import notes_on
from plyscope.lab.game import name_of
from plyscope.lab.reportcard.measures import (
    at_least,
    changes_when_colours_swap,
    changes_when_mirrored,
    order_among_siblings,
    tau_b,
    worst_mistakes,
)
from plyscope.lab.reportcard.population import Flags, Population, rate
from plyscope.lab.reportcard.populations import population_of
from plyscope.lab.reportcard.results import AtDepth, ReportCard
from plyscope.lab.share import Share, exact_share, wilson
from plyscope.progress import Count
from plyscope.rules.game import Game, GameLike
from plyscope.rules.linegame import LineGame
from plyscope.rules.source import game_of
from plyscope.searching.limit import Limit
from plyscope.searching.search import search

WORST = 10
"""Mistakes that a card shows."""
TIMED = 2_000
"""Evaluations that are timed."""


@checks_keywords
def report_card(
    heuristic: Any,
    game: GameLike | str = "tictactoe",
    depth: int = 6,
    progress: Count | None = None,
    samples: int | None = None,
    seed: int = 0,
    executor: Executor | None = None,
    depths: int | None = None,
) -> ReportCard:
    """Return the report card of `heuristic` on `game` for searches of 1 to `depth` plies.

    With `samples` it is asked about so many positions of random games that `seed` draws; where
    these are settled one by one, an `executor`'s workers do it. `progress` is called with the
    positions found. Raises OptionError for a game of more than 300,000 positions without `samples`,
    or one that no solver knows with them, and what `find_heuristic` raises.

    `depths` is another name of `depth`.

    >>> from plyscope import report_card
    >>> card = report_card("counted-lines", depth=2)
    >>> card.positions, card.choices
    (5478, 3191)
    """
    deepest = depth if depths is None else depths
    Limit(depth=deepest)  # which checks it
    rules = game_of(game)
    own, null = find_heuristic(heuristic, rules), find_heuristic("null", rules)
    population = population_of(rules, samples, seed, progress, executor)
    rated = rate(own, population)
    ratings = rated.ratings
    at = sorted({*population.deciding(), *population.pacing()})
    own_moves = population.chosen(rated, deepest, at)
    null_moves = population.chosen(rate(null, population), deepest, at)
    is_whole = samples is None
    return ReportCard(
        heuristic=own.name,
        game=name_of(rules),
        positions=len(ratings) if is_whole else len(population.asked),
        ongoing=len(population.asked),
        is_sampled=not is_whole,
        about=population.about,
        choices=len(population.deciding()),
        correlation=tau_b(
            [ratings[at] for at in population.asked],
            [population.truth[at] for at in population.asked],
        ),
        among_siblings=order_among_siblings(population, rated),
        depths=tuple(
            _at_depth(population, depth, own_moves, null_moves, exact_share if is_whole else wilson)
            for depth in range(1, deepest + 1)
        ),
        pacing=len(population.pacing()) if population.has_distances else None,
        changes_when_mirrored=changes_when_mirrored(population, rated),
        changes_when_colours_swap=changes_when_colours_swap(population, rated),
        microseconds=_microseconds(own, population),
        nodes=_nodes(rules, own) if is_whole else None,
        null_nodes=_nodes(rules, null) if is_whole else None,
        worst=worst_mistakes(population, rated, WORST),
        notes=notes_on(own, rules),
    )


def _at_depth(
    population: Population,
    depth: int,
    own_moves: list[Flags],
    null_moves: list[Flags],
    share_of: Callable[[float, int], Share],
) -> AtDepth:
    here = population.losses_by(own_moves[depth - 1])
    null = population.losses_by(null_moves[depth - 1])
    before = population.losses_by(own_moves[depth - 2]) if depth > 1 else []
    changes = [(one.loses > 0, other.loses > 0) for one, other in zip(before, here, strict=False)]
    cured, spoilt = changes.count((True, False)), changes.count((False, True))
    mistakes = share_of(fsum(loss.loses for loss in here), len(here))
    count = max(1, len(here))
    return AtDepth(
        depth=depth,
        mistakes=mistakes.value,
        low=mistakes.low,
        high=mistakes.high,
        null_mistakes=fsum(loss.loses for loss in null) / count,
        lost=fsum(loss.lost for loss in here) / count,
        delay=population.delay_by(own_moves[depth - 1]),
        null_delay=population.delay_by(null_moves[depth - 1]),
        cured=cured,
        spoilt=spoilt,
        worse=None if depth == 1 else at_least(spoilt, cured + spoilt),
    )


def _nodes(game: Game, heuristic: Heuristic) -> int | None:
    """Return the nodes of a search to the end; None on games whose searches are not compiled."""
    if not isinstance(game, LineGame):
        return None
    return search(game.start(), "alphabeta", heuristic, scoring="result", order="best").nodes


def _microseconds(heuristic: Heuristic, population: Population) -> float:
    """Return the mean time for an evaluation."""
    asked = list(zip(population.positions[:TIMED], population.sides, strict=False))
    began = perf_counter()
    for position, side in asked:
        heuristic.evaluate(position, side)
    return (perf_counter() - began) / len(asked) * 1e6
