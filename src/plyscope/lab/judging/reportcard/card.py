"""`report_card`: measurements of a heuristic, next to those of a search with no heuristic."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from math import fsum
from time import perf_counter

from plyscope.catalogue import checks_keywords
from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import Heuristic, HeuristicLike
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.notes import notes_on
from plyscope.lab.judging.arrays import Flags, Floats, np
from plyscope.lab.judging.graph import Rated
from plyscope.lab.judging.population import Population, Positions
from plyscope.lab.judging.populations import population_of
from plyscope.lab.judging.reportcard.budget import ErrorGroup, plies, reaches, tactics, wrong_a_game
from plyscope.lab.judging.reportcard.measures import (
    at_least,
    changes_when_colours_swap,
    changes_when_mirrored,
    order_among_siblings,
    tau_b,
    worst_mistakes,
)
from plyscope.lab.judging.reportcard.results import AtDepth, Mistake, ReportCard
from plyscope.lab.judging.share import share_of
from plyscope.lab.judging.sources import QUIET, source_of
from plyscope.lab.judging.whole import MAX_POSITIONS, TooManyPositions
from plyscope.lab.matches.game import name_of
from plyscope.progress import Count
from plyscope.rules.game import Game, GameLike
from plyscope.rules.linegame import LineGame
from plyscope.rules.source import game_of
from plyscope.searching.limit import Limit
from plyscope.searching.search import search

DEFAULT_SAMPLES = 1_000
"""Sample size of a card with a source of positions."""
SAMPLES_OF_LARGE = 300
"""The size of the sample of a game with too many positions, if none is asked for."""
TIMED_EVALUATIONS = 2_000
"""Number of timed evaluations."""


@checks_keywords
def report_card(
    heuristic: HeuristicLike,
    game: GameLike | str = "tictactoe",
    depth: int = 6,
    progress: Count | None = None,
    samples: int | None = None,
    seed: int = 0,
    executor: Executor | None = None,
    positions: str | None = None,
) -> ReportCard:
    """Compare the moves that searches with `heuristic` choose with exact values.

        heuristic   a name, a table, a file, `file.py:name` or a function
        game        the game
        depth       the greatest search depth; depths 1, 2, ... are compared
        samples     the number of positions, from random games; without it, all positions, or 300
                    of a line game that has more than 300,000
        seed        the seed of these games
        executor    solves sampled positions, any of `concurrent.futures`
        positions   `quiet`, `random`, `own-play` or `games:FILE`, the source of the sample, of
                    1,000 positions unless `samples` is given; `all`, all positions of the game
        progress    called with the number of positions found

    Raises OptionError for a game of more than 300,000 positions that cannot be sampled, and with
    `samples` for a game without a solver. Raises UnknownNameError, NotationError or HeuristicError
    for the heuristic.

    >>> from plyscope import report_card
    >>> card = report_card("counted-lines", depth=2)
    >>> card.positions, card.choices
    (5478, 3191)
    """
    Limit(depth=depth)  # raises OptionError for an invalid depth
    rules = game_of(game)
    own, null = find_heuristic(heuristic, rules), find_heuristic("null", rules)
    if positions == "all" and samples is not None:
        raise OptionError(f"{samples} samples of all positions; expected no samples, or a source")
    source = QUIET
    if positions not in (None, "quiet", "all"):
        if not isinstance(rules, LineGame):
            raise OptionError(f"positions {positions[:40]!r} of {rules.name!r}; expected all")
        source = source_of(positions, rules, own)
    if positions not in (None, "all") and samples is None:
        samples = DEFAULT_SAMPLES
    notes = notes_on(own, rules)
    try:
        population = population_of(rules, samples, seed, progress, executor, source=source)
    except TooManyPositions:
        if positions is not None:
            raise
        samples = SAMPLES_OF_LARGE
        notes = (
            *notes,
            f"{rules.name} has more than {MAX_POSITIONS:,} positions: "
            f"measured on a sample of {samples} (samples changes that)",
        )
        population = population_of(rules, samples, seed, progress, executor, source=source)
    rated, null_rated = Rated(own, population), Rated(null, population)
    ratings = rated.ratings
    is_whole = samples is None
    critical = population.critical
    numbers = population.asked if is_whole else {*critical.at, *population.pacing.at}
    asked = Positions(population, sorted(numbers))
    played = [
        (asked.played(rated, deep), asked.played(null_rated, deep)) for deep in range(1, depth + 1)
    ]
    of_critical = asked.moves_in(critical)
    wrong = [critical.wrong_by(own_moves[of_critical]) for own_moves, _ in played]
    groups = tactics(critical).groups(wrong, is_whole)
    return ReportCard(
        heuristic=own.name,
        game=name_of(rules),
        positions=len(ratings) if is_whole else len(population.asked),
        ongoing=len(population.asked),
        is_sampled=not is_whole,
        about=population.about,
        population=positions or ("all" if samples is None else "quiet"),
        choices=len(population.critical),
        correlation=tau_b(
            [ratings[at] for at in population.asked],
            [population.exact_values[at] for at in population.asked],
        ),
        among_siblings=order_among_siblings(population, rated),
        depths=tuple(_at_depth(asked, played[: deep + 1], is_whole) for deep in range(depth)),
        pacing=len(population.pacing) if population.has_distances else None,
        changes_when_mirrored=changes_when_mirrored(population, rated),
        changes_when_colours_swap=changes_when_colours_swap(population, rated),
        microseconds=_microseconds(own, population),
        nodes=_nodes(rules, own) if is_whole else None,
        null_nodes=_nodes(rules, null) if is_whole else None,
        by_tactic=groups,
        by_ply=plies(critical).groups(wrong, is_whole),
        by_reach=(
            reaches(population, asked, played[0][0]).groups(wrong, is_whole) if is_whole else ()
        ),
        wrong_a_game=(
            tuple(wrong_a_game(population, asked, moves) for moves, _ in played)
            if is_whole
            else None
        ),
        worst=_worst(population, rated, groups, wrong[0]),
        notes=notes,
    )


def _worst(
    population: Population, rated: Rated, groups: Sequence[ErrorGroup], wrong: Floats
) -> tuple[Mistake, ...]:
    """Return the worst wrong move of each class, the class with most wrong moves first.

    `wrong` has the share of wrong moves of searches of one ply in each critical position."""
    critical = population.critical
    found: list[Mistake] = []
    for group in sorted(groups, key=lambda group: -group.positions * group.wrong[0].value):
        of_group = np.array([tactic == group.name for tactic in critical.tactics], np.bool_)
        is_in = (wrong > 0) & of_group
        of_class = worst_mistakes(population, rated, 1, critical.only(is_in).at)
        found += [replace(mistake, asks=group.name) for mistake in of_class]
    return tuple(found)


def _at_depth(asked: Positions, played: Sequence[tuple[Flags, Flags]], is_whole: bool) -> AtDepth:
    """Return the measurements at the last depth of `played`.

    `played` has, by depth − 1, the moves of the heuristic's search and of `null`'s."""
    population = asked.population
    critical, pacing = population.critical, population.pacing
    of_critical, of_pacing = asked.moves_in(critical), asked.moves_in(pacing)
    own, null = played[-1]
    wrong_by = critical.wrong_by(own[of_critical])
    fixed = regressed = 0
    if len(played) > 1:
        before = critical.wrong_by(played[-2][0][of_critical])
        fixed = int(((before > 0) & (wrong_by == 0)).sum())
        regressed = int(((before == 0) & (wrong_by > 0)).sum())
    mistakes = share_of(fsum(wrong_by), len(critical), is_whole)
    count = max(1, len(critical))
    return AtDepth(
        depth=len(played),
        mistakes=mistakes.value,
        low=mistakes.low,
        high=mistakes.high,
        null_mistakes=fsum(critical.wrong_by(null[of_critical])) / count,
        lost=fsum(critical.lost_by(own[of_critical])) / count,
        delay=population.delay_by(own[of_pacing]),
        null_delay=population.delay_by(null[of_pacing]),
        fixed=fixed,
        regressed=regressed,
        worse=at_least(regressed, fixed + regressed) if len(played) > 1 else None,
    )


def _nodes(game: Game, heuristic: Heuristic) -> int | None:
    """Return the number of nodes of alpha-beta from the start to the end of the game; None for
    user-defined games."""
    if not isinstance(game, LineGame):
        return None
    return search(game.start(), "alphabeta", heuristic, scoring="result", order="best").nodes


def _microseconds(heuristic: Heuristic, population: Population) -> float:
    asked = list(zip(population.positions[:TIMED_EVALUATIONS], population.sides, strict=False))
    began = perf_counter()
    for position, side in asked:
        heuristic.evaluate(position, side)
    return (perf_counter() - began) / len(asked) * 1e6
