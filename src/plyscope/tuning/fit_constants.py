"""`fit_constants`: tunes the constants of a function so that it plays few wrong moves.

Only the function's results are known, so SPSA (`tuning/spsa.py`) searches for the constants. With
positions, it first minimises the share of wrong moves of a search, on critical positions drawn for
each step. With games, it then minimises the share of points lost in games against START.

The result is the recommendation of SPSA. A constant returns to START's number if the share of wrong
moves is then no higher. If the share is not lower than START's, the result is START.

The interval of a constant has the numbers that the positions cannot distinguish from the result,
with the other constants unchanged: the increase in wrong moves is within 1.96 standard errors. A
bound is nan if no number that is tried is worse.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property, partial
from math import nan, sqrt
from random import Random
from statistics import fmean
from time import perf_counter
from typing import Any

import numpy as np

from plyscope.errors import HeuristicError, OptionError
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.evaluation.heuristic import Heuristic
from plyscope.lab.agents.searches import SearchAgent
from plyscope.lab.judging.arrays import Floats
from plyscope.lab.judging.population import Positions
from plyscope.lab.judging.share import NORMAL_95
from plyscope.lab.matches.match import play_match
from plyscope.lab.matches.openings import balanced, openings
from plyscope.lab.people.workers import mapped
from plyscope.progress import Progress, silent
from plyscope.rules.linegame import LineGame
from plyscope.searching.algorithm import FormName
from plyscope.tuning.constants import Constants
from plyscope.tuning.spsa import PILOT_LOSSES, ROUNDS, Loss, Minimum, Spsa, units_of

FUNCTION_LEAVES, TABLE_LEAVES = 600, 10_000
"""The approximate numbers of leaves that are evaluated for one loss: by a function, and by a
table."""
MIN_POSITIONS = 32
"""The least number of critical positions for one loss."""
INTERVAL_STEPS = tuple(0.05 * 2**step for step in range(8))
"""Distances from a constant at which the ends of its interval are searched, in its units."""
BISECTION_STEPS = 4
GAME_PAIRS = 2
"""Pairs of games for one loss."""
MAX_OPENINGS, OPENING_PLIES = 60, 4


@dataclass(frozen=True, kw_only=True)
class ConstantsFit:
    """The constants that were found, with their intervals."""

    weights: tuple[int | float, ...]
    """The constants in the order of the parameters; START's if nothing better was found."""
    low: tuple[float, ...]
    """The lower bound of each constant's interval; nan if there is none."""
    high: tuple[float, ...]
    may_be_dropped: tuple[bool, ...]
    """For each constant, whether it can be 0 without significantly more wrong moves in the
    positions."""
    before: float | None
    """The share of wrong moves with START in the training positions; None without positions."""
    after: float | None
    steps: int
    losses: int
    """The number of computed losses."""
    stopped: str | None
    """`seconds` or `interrupted`; None for a complete fit."""
    state: dict[str, Any]
    """The state from which the fit can be resumed, as JSON-ready data."""


def fit_constants(
    constants: Constants,
    asked: Positions | None = None,
    depth: int = 1,
    seed: int = 0,
    games: int = 0,
    progress: Progress = silent,
    seconds: float | None = None,
    state: dict[str, Any] | None = None,
    steps: int | None = None,
    executor: Executor | None = None,
) -> ConstantsFit:
    """Return the constants with which a search of `depth` plies plays few wrong moves.

    They are learned from the critical positions `asked`, where positions of one group are not
    independent, and then from `games` against START. `state` resumes a stopped fit with the same
    options. If the function raises an error with some constants, they get the greatest loss. Raises
    HeuristicError if START raises an error, and OptionError without positions or enough games, or
    if the edited file gives other values than the tuned function.
    """
    if asked is None and not games:
        raise OptionError("no positions and no games to learn from; expected one of the two")
    start, kept, runs = constants.weights_of_start, dict(state or {}), list[Minimum]()
    is_whole = [constant.is_whole for constant in constants.constants]
    units = units_of(start, is_whole)
    deadline = None if seconds is None else perf_counter() + seconds

    def descend(stage: str, loss: Loss, seed: int, steps: int | None, rounds: int) -> None:
        values = runs[-1].values if runs else start
        left = None if deadline is None else max(0.0, deadline - perf_counter())
        spsa = Spsa(loss, values, is_whole, units, steps, seed, kept.get(stage), rounds)
        runs.append(spsa.run(progress, left))
        kept[stage] = runs[-1].state

    wrong = None
    if asked is not None:
        asked = asked.looking_ahead(depth)
        wrong_by(constants.heuristic(start), asked, depth)  # raises if START raises an error
        wrong = _Wrong(constants, asked, depth, seed)
        descend("moves", wrong.mean, seed, steps, ROUNDS)
    if games and not (runs and runs[-1].stopped):
        fewest = 2 * 2 * GAME_PAIRS * PILOT_LOSSES
        if games < fewest:
            raise OptionError(f"{games} games to tune by; expected at least {fewest:,}")
        steps = (games // (2 * GAME_PAIRS) - PILOT_LOSSES) // 2
        descend("games", _loss_of_games(constants, depth, seed, executor), seed + 1, steps, 1)
    found, stopped = constants.rounded(runs[-1].values), runs[-1].stopped
    before = after = None
    low: tuple[float, ...] = (nan,) * len(start)
    high, droppable = low, (False,) * len(start)
    if wrong is not None:
        before, after = wrong.share(start), wrong.share(found)
        if after >= before:
            found, after = start, before
        else:
            found, after = wrong.with_resets(found)
        if stopped is None:
            low, high, droppable = wrong.intervals(found, units)
    return ConstantsFit(
        weights=found,
        low=low,
        high=high,
        may_be_dropped=droppable,
        before=before,
        after=after,
        steps=sum(each.steps for each in runs),
        losses=sum(each.losses for each in runs),
        stopped=stopped,
        state=kept,
    )


def wrong_by(heuristic: Heuristic, asked: Positions, depth: int) -> Floats:
    """Return, for each position, the share of wrong moves of a search with a heuristic that is used
    only briefly (`form_of_one`). Raises HeuristicError."""
    return asked.wrong_by(asked.played(heuristic, depth, form=form_of_one(heuristic)))


def form_of_one(heuristic: Heuristic) -> FormName:
    """Return the form of searches with a heuristic that is used only briefly.

    Compiling a function is not worthwhile then.
    """
    return "reference" if isinstance(heuristic, FunctionHeuristic) else "auto"


@dataclass(frozen=True)
class _Wrong:
    """Counts wrong moves of searches of one depth with different constants."""

    constants: Constants
    asked: Positions
    depth: int
    seed: int

    @cached_property
    def batch_size(self) -> int:
        """The number of positions for one loss."""
        number = len(self.asked)
        if self.depth > self.asked.plies:
            return min(MIN_POSITIONS, number)
        most = TABLE_LEAVES if self.constants.is_table else FUNCTION_LEAVES
        leaves = self.asked.graph.nodes_after(self.asked.plan, self.depth)
        return min(number, max(MIN_POSITIONS, int(number * (most / max(1, len(leaves))))))

    def batch(self, size: int, draw: int) -> Positions:
        """Return `size` positions, drawn at random by the seed `draw`."""
        number = len(self.asked)
        if size >= number:
            return self.asked
        drawn = sorted(Random(f"batch {draw}").sample(range(number), size))
        return self.asked.only(np.array(drawn, np.int64))

    def losses(self, weights: Sequence[float], asked: Positions) -> Floats:
        """Return the share of wrong moves at each position; 1 for each if the function raises."""
        try:
            return wrong_by(self.constants.heuristic(weights), asked, self.depth)
        except HeuristicError:
            return np.ones(len(asked))

    def mean(self, weights: Sequence[float], draw: int) -> float:
        """Return the share of wrong moves in a batch of positions."""
        return float(self.losses(weights, self.batch(self.batch_size, draw)).mean())

    def share(self, weights: Sequence[float]) -> float:
        """Return the share of wrong moves in all positions."""
        return float(self.losses(weights, self.asked).mean())

    # Near the constants that were found

    @cached_property
    def some(self) -> Positions:
        """The positions from which intervals are computed."""
        return self.batch(5 * self.batch_size, self.seed)

    def with_resets(
        self, weights: tuple[int | float, ...]
    ) -> tuple[tuple[int | float, ...], float]:
        """Return the weights and their share of wrong moves, after resetting some to START's
        numbers.

        A weight is reset if this does not raise the share: such a weight has no effect, and drifted
        at random.
        """
        share = self.share(weights)
        for at, before in enumerate(self.constants.weights_of_start):
            other = (*weights[:at], before, *weights[at + 1 :])
            if weights[at] != before and (others := self.share(other)) <= share:
                weights, share = other, others
        return weights, share

    def intervals(
        self, weights: tuple[int | float, ...], units: Sequence[float]
    ) -> tuple[tuple[float, ...], tuple[float, ...], tuple[bool, ...]]:
        """Return the lower and upper bounds of all constants, and whether each may be 0."""
        base = self.losses(weights, self.some)
        groups = np.unique(self.some.groups, return_inverse=True)[1]

        def is_worse(at: int, value: float) -> bool:
            """Return whether another number plays significantly more wrong moves."""
            if value == weights[at]:
                return False
            losses = self.losses((*weights[:at], value, *weights[at + 1 :]), self.some)
            lost = np.bincount(groups, weights=losses - base)
            return float(lost.sum()) > NORMAL_95 * sqrt(float((lost**2).sum()))

        def end(at: int, unit: float) -> float:
            """Return about the last number in one direction that is not worse; nan if none is."""
            rounded, inner = self.constants.constants[at].rounded, 0.0
            for outer in INTERVAL_STEPS:
                if is_worse(at, rounded(weights[at] + outer * unit)):
                    break
                inner = outer
            else:
                return nan
            for _ in range(BISECTION_STEPS):
                middle = (inner + outer) / 2
                if is_worse(at, rounded(weights[at] + middle * unit)):
                    outer = middle
                else:
                    inner = middle
            return float(rounded(weights[at] + inner * unit))

        low = tuple(end(at, -unit) for at, unit in enumerate(units))
        high = tuple(end(at, unit) for at, unit in enumerate(units))
        return low, high, tuple(not is_worse(at, 0) for at in range(len(weights)))


# Games


def _loss_of_games(constants: Constants, depth: int, seed: int, executor: Executor | None) -> Loss:
    """Return a loss function: the share of points lost to START, in games as X and as O."""
    starts, own = _openings(constants.game, seed), constants.heuristic(constants.weights_of_start)

    def agent(name: str, heuristic: Heuristic) -> SearchAgent:
        options = {"heuristic": heuristic, "depth": depth, "scoring": "result"}
        options["form"] = form_of_one(heuristic)
        return SearchAgent(name, options=tuple(options.items()))

    def loss(values: Sequence[float], draw: int) -> float:
        try:
            heuristic = constants.heuristic(values)
        except HeuristicError:
            return 1.0
        drawn = Random(f"games {draw}").sample(starts, min(GAME_PAIRS, len(starts)))
        ask = partial(_lost_from, agent("tuned", heuristic), agent("start", own))
        workers = executor if can_travel(heuristic) else None
        return fmean(lost for _, lost in mapped(workers, ask, drawn))

    return loss


def _openings(game: Any, seed: int) -> list[Any]:
    """Return some openings that favour neither side, or any openings if there are none of these."""
    if not isinstance(game, LineGame):
        raise OptionError(f"games on {game.name!r} to tune by; expected a line game")
    known = openings(game, min(OPENING_PLIES, game.size // 4))
    drawn = Random(f"openings {seed}").sample(range(len(known)), min(MAX_OPENINGS, len(known)))
    starts = [known[at] for at in sorted(drawn)]
    try:
        return list(balanced(starts, seed))
    except OptionError:  # all of them favour a side; both heuristics play it
        return starts


def _lost_from(tuned: SearchAgent, start: SearchAgent, opening: Any) -> float:
    result = play_match(tuned, start, games=2, start=opening)
    return (result.b_wins + result.draws / 2) / 2


def can_travel(heuristic: Heuristic) -> bool:
    """Return whether the heuristic can be sent to another process (pickled)."""
    try:
        pickle.dumps(heuristic)
    except (pickle.PicklingError, TypeError, AttributeError):
        return False
    return True
