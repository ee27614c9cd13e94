"""The population that is asked for, as a whole game or as a sample of it."""

from __future__ import annotations

from concurrent.futures import Executor

from plyscope.lab.judging.population import Population
from plyscope.lab.judging.sample import Sample
from plyscope.lab.judging.sampling import Grown
from plyscope.lab.judging.whole import WholeGame
from plyscope.progress import Count
from plyscope.rules.game import Game

_latest: dict[tuple[Game, int | None, int], Population] = {}


def population_of(
    game: Game,
    samples: int | None,
    seed: int,
    progress: Count | None = None,
    executor: Executor | None = None,
    grown: Grown = None,
) -> Population:
    """Return the whole game, or so many `samples` of it, settled by an executor's workers; `grown`
    is given those that are settled so far.

    The latest one is kept, as heuristics are compared on one population.
    """
    key = game, samples, 0 if samples is None else seed
    if key not in _latest:
        population = (
            WholeGame(game, progress)
            if samples is None
            else Sample(game, samples, seed, progress, executor=executor, grown=grown)
        )
        _latest.clear()
        _latest[key] = population
    return _latest[key]
