"""`population_of`: all positions of a game, or a sample of them."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

from plyscope.lab.judging.population import Population
from plyscope.lab.judging.sample import Sample
from plyscope.lab.judging.sampling import Grown
from plyscope.lab.judging.sources import QUIET, Source
from plyscope.lab.judging.whole import WholeGame
from plyscope.progress import Count
from plyscope.rules.game import Game, version_of

_latest: dict[tuple[Any, ...], Population] = {}


def population_of(
    game: Game,
    samples: int | None,
    seed: int,
    progress: Count | None = None,
    executor: Executor | None = None,
    grown: Grown = None,
    source: Source = QUIET,
) -> Population:
    """Return all positions of a game, or a sample of `samples` of them.

    The workers of `executor` solve the sample; `grown` is called with the positions solved so far.
    The latest population is cached, because several heuristics are usually compared on it, unless
    the game is a user's and has changed, or perhaps has.
    """
    version = version_of(game)
    key = game, version, game.start(), samples, 0 if samples is None else seed, source
    if not version or key not in _latest:
        population = (
            WholeGame(game, progress)
            if samples is None
            else Sample(
                game, samples, seed, progress, executor=executor, grown=grown, source=source
            )
        )
        _latest.clear()
        _latest[key] = population
    return _latest[key]
