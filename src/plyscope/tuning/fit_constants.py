"""`fit_constants`: the constants of a function under which it gives fewest values away.

Nothing is known of a function but what it answers, so that its constants are found by SPSA
(`tuning/spsa.py`): first against the exact share of wrong moves of a search of the depth of use, on
some deciding positions drawn for each step; then, where games are asked for or there are no values,
against START over the board. The result is what SPSA recommends, with START's number
wherever that gives away no more; and START where there are no fewer wrong moves among the positions
learned from.

The interval of a constant is of those numbers that the positions cannot tell from the one found,
the other constants left as they are: the paired difference of wrong moves stays within 1.96 of its
standard errors. Where it has no end within reach, the bound is not a number.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
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
from plyscope.lab.judging.graph import Floats, Integers
from plyscope.lab.judging.population import Positions
from plyscope.lab.match import play_match
from plyscope.lab.openings import balanced, openings
from plyscope.lab.share import NORMAL_95
from plyscope.lab.workers import mapped
from plyscope.progress import Progress, silent
from plyscope.rules.linegame import LineGame
from plyscope.searching.algorithm import FormName
from plyscope.tuning.constants import Constants
from plyscope.tuning.spsa import LOSSES_OF_PILOT, ROUNDS, Loss, Spsa, units_of

LEAVES, LEAVES_OF_TABLE = 600, 10_000
"""Leaves that a function, and a table, is asked about for one loss, roughly."""
FEWEST = 32
"""Choices that are asked about at least."""
CHECKED = 50
"""Choices on which the file has to answer as the function does that is tuned."""
REACH = tuple(0.05 * 2**step for step in range(8))
"""How far from a constant the ends of its interval are looked for, in its units."""
HALVINGS = 4
PAIRS = 2
"""Pairs of games for one loss."""
OPENINGS, OPENING_PLIES = 60, 4


@dataclass(frozen=True, kw_only=True)
class ConstantsFit:
    """The constants that were found, and how sure they are."""

    weights: tuple[int | float, ...]
    """In the order of the parameters; START's where nothing better was found."""
    low: tuple[float, ...]
    """The lower bound of each one's interval; not a number where there is none."""
    high: tuple[float, ...]
    may_be_dropped: tuple[bool, ...]
    """Whether 0 in its place gives away no more that the positions could tell."""
    before: float | None
    """The share of wrong moves with START among the choices learned from; None without values."""
    after: float | None
    steps: int
    losses: int
    """How often a heuristic was asked what it gives away, or a pair of games was played."""
    stopped: str | None
    """`seconds` or `interrupted`; None for a fit that came to its end."""
    state: dict[str, Any]
    """From which it goes on, as JSON-ready data."""


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
    """Return the constants under which a search of `depth` plies gives fewest values away.

    They are learned from the critical positions `asked`, of which those of one group are no
    independent witnesses; then from `games` against START, which is all there is without positions.
    `state` is that of a fit that was stopped,
    with the same options. Numbers with which the function raises are as bad as can be. Raises
    HeuristicError where it does so in START, and OptionError where the file itself does not
    answer like the function that is tuned.
    """
    if asked is None and not games:
        raise OptionError("no positions and no games to learn from; expected one of the two")
    fit = _Fit(constants, depth, seed, state or {}, progress, seconds, steps)
    if asked is None:
        fit.play(games, executor)
        return fit.result(None)
    constants.check([asked.population.positions[at] for at in asked.at[:CHECKED]])
    asked = asked.looking_ahead(depth)
    wrong_by(constants.heuristic(constants.weights_of_start), asked, depth)  # it has to answer
    wrong = _Wrong(constants, asked, depth)
    fit.learn(wrong)
    if games:
        fit.play(games, executor)
    return fit.result(_Judge(wrong, seed))


def wrong_by(heuristic: Heuristic, asked: Positions, depth: int) -> Floats:
    """Return [positions] the share of the moves of a search that lose value, of a heuristic that is
    soon another one. Raises HeuristicError."""
    return asked.wrong_by(asked.played(heuristic, depth, form=form_of_one(heuristic)))


def form_of_one(heuristic: Heuristic) -> FormName:
    """Return the form of searches with a heuristic that is soon another one: what has to be
    compiled itself is not worth it."""
    return "reference" if isinstance(heuristic, FunctionHeuristic) else "auto"


@dataclass(frozen=True)
class _Wrong:
    """The wrong moves of searches of one depth with these constants."""

    constants: Constants
    asked: Positions
    depth: int

    @property
    def batch_size(self) -> int:
        """How many positions one loss is about."""
        number = len(self.asked)
        if self.depth > self.asked.plies:
            return min(FEWEST, number)
        most = LEAVES_OF_TABLE if self.constants.is_table else LEAVES
        leaves = self.asked.graph.nodes_after(self.asked.plan, self.depth)
        share = most / max(1, len(leaves))
        return min(number, max(FEWEST, int(number * share)))

    def batch(self, size: int, draw: int) -> Positions:
        """Return so many of the positions."""
        number = len(self.asked)
        if size >= number:
            return self.asked
        drawn = sorted(Random(f"batch {draw}").sample(range(number), size))
        return self.asked.only(np.array(drawn, np.int64))

    def losses(self, weights: Sequence[float], asked: Positions, is_final: bool = False) -> Floats:
        """Return what numbers give away at each position: everything, where the function raises."""
        make = self.constants.heuristic if is_final else self.constants.draft
        try:
            return wrong_by(make(weights), asked, self.depth)
        except HeuristicError:
            return np.ones(len(asked))


class _Fit:
    """The two stages of a fit, the second of which begins where the first one has ended."""

    def __init__(
        self,
        constants: Constants,
        depth: int,
        seed: int,
        state: dict[str, Any],
        progress: Progress,
        seconds: float | None,
        steps: int | None,
    ) -> None:
        self.constants, self.depth, self.seed, self.steps = constants, depth, seed, steps
        self.state, self.progress = dict(state), progress
        self.deadline = None if seconds is None else perf_counter() + seconds
        start = constants.weights_of_start
        self.is_whole = [isinstance(value, int) for value in start]
        self.units = units_of(start, self.is_whole)
        self.values: Sequence[float] = start
        self.taken = self.losses = 0
        self.stopped: str | None = None

    def learn(self, wrong: _Wrong) -> None:
        """Descend on the wrong moves."""
        size = wrong.batch_size

        def loss(values: Sequence[float], draw: int) -> float:
            return float(wrong.losses(values, wrong.batch(size, draw)).mean())

        self._descend("moves", loss, self.seed, self.steps, ROUNDS)

    def play(self, games: int, executor: Executor | None) -> None:
        """Descend on games against START."""
        if self.stopped is not None:
            return
        fewest = 2 * 2 * PAIRS * LOSSES_OF_PILOT
        if games < fewest:
            raise OptionError(f"{games} games to tune by; expected at least {fewest:,}")
        starts = _openings(self.constants.game, self.seed)
        own = self.constants.heuristic(self.constants.weights_of_start)

        def loss(values: Sequence[float], draw: int) -> float:
            try:
                heuristic = self.constants.heuristic(values)
            except HeuristicError:
                return 1.0
            drawn = Random(f"games {draw}").sample(starts, min(PAIRS, len(starts)))
            return _lost(heuristic, own, drawn, self.depth, executor)

        steps = (games // (2 * PAIRS) - LOSSES_OF_PILOT) // 2
        self._descend("games", loss, self.seed + 1, steps, 1)

    def _descend(self, stage: str, loss: Loss, seed: int, steps: int | None, rounds: int) -> None:
        known, left = self.state.get(stage), None
        if self.deadline is not None:
            left = max(0.0, self.deadline - perf_counter())
        spsa = Spsa(loss, self.values, self.is_whole, self.units, steps, seed, known, rounds)
        found = spsa.run(self.progress, left)
        self.state[stage], self.values, self.stopped = found.state, found.values, found.stopped
        self.taken, self.losses = self.taken + found.steps, self.losses + found.losses

    def result(self, judge: _Judge | None) -> ConstantsFit:
        """Return what was found, beside START where there are positions to compare them on."""
        start, found = self.constants.weights_of_start, self.constants.rounded(self.values)
        before = after = None
        unknown = (nan,) * len(start)
        low, high, droppable = unknown, unknown, (False,) * len(start)
        if judge is not None:
            before, after = judge.share(start), judge.share(found)
            if after >= before:
                found, after = start, before
            else:
                found, after = judge.left_as_they_were(found)
            if self.stopped is None:
                low, high, droppable = judge.intervals(found, self.units)
        return ConstantsFit(
            weights=found,
            low=low,
            high=high,
            may_be_dropped=droppable,
            before=before,
            after=after,
            steps=self.taken,
            losses=self.losses,
            stopped=self.stopped,
            state=self.state,
        )


class _Judge:
    """Compares constants on the positions they were learned from."""

    def __init__(self, wrong: _Wrong, seed: int) -> None:
        self.constants, self.wrong = wrong.constants, wrong
        self.some = wrong.batch(5 * wrong.batch_size, seed)
        """The positions that intervals are made from."""
        self.groups: Integers = np.unique(self.some.groups, return_inverse=True)[1]

    def share(self, weights: Sequence[float]) -> float:
        """Return the share of wrong moves among all positions."""
        return float(self.wrong.losses(weights, self.wrong.asked, is_final=True).mean())

    def left_as_they_were(
        self, weights: tuple[int | float, ...]
    ) -> tuple[tuple[int | float, ...], float]:
        """Return the weights, and their share of wrong moves, with START's number wherever that
        gives away no more: what has no effect has gone astray."""
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
        self.base = self.wrong.losses(weights, self.some)
        ends = [
            [self._end(weights, at, sign * unit) for at, unit in enumerate(units)]
            for sign in (-1, 1)
        ]
        droppable = tuple(not self._is_worse(weights, at, 0) for at in range(len(weights)))
        return tuple(ends[0]), tuple(ends[1]), droppable

    def _is_worse(self, weights: tuple[int | float, ...], at: int, value: float) -> bool:
        """Whether another number in one place gives more away than chance explains."""
        if value == weights[at]:
            return False
        other = (*weights[:at], value, *weights[at + 1 :])
        losses = self.wrong.losses(other, self.some)
        lost = np.bincount(self.groups, weights=losses - self.base)
        return float(lost.sum()) > NORMAL_95 * sqrt(float((lost**2).sum()))

    def _end(self, weights: tuple[int | float, ...], at: int, unit: float) -> float:
        """Return the last number in one direction that is not worse, not a number for no end."""
        rounded = self.constants.constants[at].rounded
        inner = 0.0
        for outer in REACH:
            if self._is_worse(weights, at, rounded(weights[at] + outer * unit)):
                break
            inner = outer
        else:
            return nan
        for _ in range(HALVINGS):
            middle = (inner + outer) / 2
            if self._is_worse(weights, at, rounded(weights[at] + middle * unit)):
                outer = middle
            else:
                inner = middle
        return float(rounded(weights[at] + inner * unit))


# Games


def _openings(game: Any, seed: int) -> list[Any]:
    """Return some openings that favour neither side, or any where there are no such ones."""
    if not isinstance(game, LineGame):
        raise OptionError(f"games on {game.name!r} to tune by; expected a line game")
    plies = min(OPENING_PLIES, game.size // 4)
    known = openings(game, plies)
    drawn = Random(f"openings {seed}").sample(range(len(known)), min(OPENINGS, len(known)))
    starts = [known[at] for at in sorted(drawn)]
    try:
        return list(balanced(starts, seed))
    except OptionError:  # all of them favour a side; both heuristics play it
        return starts


def _lost(
    heuristic: Heuristic,
    start: Heuristic,
    starts: Sequence[Any],
    depth: int,
    executor: Executor | None,
) -> float:
    """Return what a heuristic loses against START, as X and as O, from 0 to 1."""
    tuned, before = _agent("tuned", heuristic, depth), _agent("start", start, depth)
    workers = executor if can_travel(heuristic) else None
    return fmean(lost for _, lost in mapped(workers, partial(_lost_from, tuned, before), starts))


def _agent(name: str, heuristic: Heuristic, depth: int) -> SearchAgent:
    options: dict[str, Any] = {"heuristic": heuristic, "depth": depth, "scoring": "result"}
    options["form"] = form_of_one(heuristic)
    return SearchAgent(name, options=tuple(options.items()))


def _lost_from(tuned: SearchAgent, start: SearchAgent, opening: Any) -> float:
    result = play_match(tuned, start, games=2, start=opening)
    return (result.b_wins + result.draws / 2) / 2


def can_travel(heuristic: Heuristic) -> bool:
    """Whether another process can be handed the heuristic: no function of this one can."""
    try:
        pickle.dumps(heuristic)
    except (pickle.PicklingError, TypeError, AttributeError):
        return False
    return True
