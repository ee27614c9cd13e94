"""`tune`: fit the weights of a heuristic to exact values, and test whether it improved.

    label     solve positions and their moves
    learn     fit weights that order siblings (`fit`), then round them (`learning`), using the
              leaves that a search of the depth of use compares (`leaves`)
    test      count wrong moves on a held-out set, once (`trials`)
    play      games against START from balanced openings, at equal depth, nodes and time

An improvement needs fewer wrong moves at the depth of use, and no games that show the tuned table
to be weaker. On a whole game with exact values the wrong moves are counted. On a sample the
difference must be significant (McNemar, 5 %) on the held-out set, and cross-validation must agree.
Inexact labels of a whole game are tested at 1 % on held-out folds, since a count would only measure
the fit. Without an improvement, the result's heuristic is START.

Other objectives (`question`) replace the first condition: by a proof of `certify` that no line of
play beats the table, by significantly more points at equal time, or by fewer wrong moves over
several depths and not more at any of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from plyscope.catalogue import checks_keywords
from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import Heuristic, HeuristicLike
from plyscope.journal import Journal
from plyscope.lab.judging.population import Labels, Population, Positions
from plyscope.lab.judging.reportcard.budget import reaches
from plyscope.lab.matches.game import name_of
from plyscope.lab.people.workers import LocalWorkers
from plyscope.progress import Progress, silent
from plyscope.rules.game import GameLike
from plyscope.rules.linegame import LineGame
from plyscope.rules.source import game_of
from plyscope.tuning.family import Family
from plyscope.tuning.labels import Labelled, critical_of, labelled_of
from plyscope.tuning.learners import Learned, learn
from plyscope.tuning.proofs import proof
from plyscope.tuning.question import (
    DEFAULT_SAMPLES,
    MAX_ARRANGEMENTS,
    OBJECTIVES,
    OutOfTime,
    Question,
    Run,
    arrangements,
    start_of,
)
from plyscope.tuning.result import Optimum, TuningResult
from plyscope.tuning.trials import MoveComparison, compare_moves, is_worse, trials
from plyscope.version import __version__

FORMAT = "plyscope tuning 2"
"""The format of a tuning's journal."""
SERIAL_SECONDS = 3.0
"""Seconds of work before other processes are started."""
TRIAL_GAMES = 1_000
"""Games of a trial, unless its test ends earlier."""
OPTIMUM_SECONDS = 60.0
"""Time limit for the optimum of a family."""
MAX_P = 0.05
"""The greatest p of McNemar's test that shows an improvement."""
MAX_P_HELD_OUT = 0.01
"""The greatest p for held-out folds of one game, whose positions have much in common."""


@checks_keywords
def tune(
    start: HeuristicLike = "counted-lines",
    game: GameLike | str = "tictactoe",
    *,
    family: str | None = None,
    free: Sequence[str] | None = None,
    labels: str | Labels = "exact",
    objective: str = "moves",
    depth: int = 1,
    samples: int | None = None,
    seed: int = 0,
    seconds: float | None = None,
    progress: Progress | None = None,
    optimum: bool = False,
    resume: str | Path | None = None,
    trials: bool = True,
    games: int = TRIAL_GAMES,
    jobs: int | None = 1,
    executor: Executor | None = None,
    name: str = "tuned",
    node_cost: float | None = None,
) -> TuningResult:
    """Tune the numbers of a heuristic and return them, with the evidence that they are better.

        start       a table, its name or its file; or a function or `file.py:name`, whose keyword
                    parameters are tuned by SPSA unless a `family` is named or it has none
        game        a line game
        family      the family of tables to choose from, such as `table` or `kinds+ends`; by default
                    the smallest that is as good as any
        free        the names of the numbers to tune; by default all of the family
        labels      `exact`; a function that rates positions from the view of the side to move;
                    or `exact+play`, which tunes constants by games against `start` afterwards
        objective   `moves`, fewest wrong moves; `depths`, fewest at depths 1 to `depth` together;
                    `never-loses`, also `never-loses-x` and `never-loses-o`, no line of play beats
                    it
        depth       plies of the searches that will use the heuristic
        samples     the number of sampled positions to learn from; by default all of a small game
        seed        the seed; the same seed gives the same numbers, unless `seconds` end it early
        seconds     time limit
        trials      whether `start` and the result play each other, at equal depth, equal nodes and
                    equal time
        games       the greatest number of games in each of the three matches
        node_cost   cost of a node of the tuned heuristic relative to one of `start`; by default
                    it is measured
        optimum     whether to spend up to a minute on proving the family's least share of wrong
                    moves at `depth`
        resume      a file of intermediate results, from which the same call continues
        jobs        processes for searches and games; None for one per core
        executor    does this work instead of `jobs` processes, any of `concurrent.futures`
        name        the name of the tuned table
        progress    called with (phase, done, total)

    Without exact labels, held-out positions with exact values serve as the test, if a solver knows
    them. Ctrl-C returns the partial result once there are tuned numbers, and raises
    KeyboardInterrupt before. A function that cannot be pickled is called only in this process.

    Raises OptionError for options out of range, and for fewer than 30 critical positions for each
    number; UnknownNameError, NotationError and HeuristicError for `start`, `family` and `free`.

    >>> from plyscope import tune
    >>> result = tune("counted-lines", "tictactoe", family="table", trials=False)
    >>> result.outcome, result.choices, len(result.weights)
    ('improved', 3191, 4)
    """
    began, rules = perf_counter(), game_of(game)
    if not isinstance(rules, LineGame):
        raise OptionError(f"tuning on {rules.name!r}; expected a line game")
    if depth < 1:
        raise OptionError(f"depth {depth} to tune for; expected at least 1")
    if node_cost is not None and not 0.01 <= node_cost <= 100:
        raise OptionError(f"node cost {node_cost!r}; expected 0.01 to 100")
    if samples is not None and samples < 1:
        raise OptionError(f"{samples} samples; expected at least 1")
    own, constants = start_of(start, rules, family, free)
    if samples is None and arrangements(rules) > MAX_ARRANGEMENTS:
        samples = DEFAULT_SAMPLES
    question = Question(
        own,
        constants,
        rules,
        family,
        free,
        labels,
        depth,
        samples,
        seed,
        optimum,
        name,
        OBJECTIVES[objective],
    )
    local = LocalWorkers(jobs if question.can_travel else 1, SERIAL_SECONDS)
    latest: tuple[Learned, TuningResult] | None = None
    is_interrupted = False
    with nullcontext(executor) if executor and question.can_travel else local as workers:
        run = Run(
            executor=workers,
            journal=Journal(None if resume is None else Path(resume), FORMAT, question.of_journal),
            progress=progress or silent,
            deadline=None if seconds is None else perf_counter() + seconds,
        )
        try:
            for stage in _stages(question, run, games if trials else 0, node_cost):
                latest, run.has_numbers = stage, True
        except OutOfTime:
            pass
        except KeyboardInterrupt:
            if latest is None:
                raise
            is_interrupted = True
    assert latest is not None
    learned, result = latest
    is_better = not is_interrupted and _is_improved(question, learned, result)
    return replace(
        result,
        outcome="interrupted" if is_interrupted else "improved" if is_better else "no improvement",
        heuristic=result.candidate if is_better else question.start,
        seconds=perf_counter() - began,
    )


def _stages(
    question: Question, run: Run, games: int, node_cost: float | None
) -> Iterator[tuple[Learned, TuningResult]]:
    """Yield the learned numbers and the result, each time with more evidence."""
    labelled = labelled_of(question, run)
    for learned in learn(question, labelled, run):
        result = _result(question, labelled, learned)
        yield learned, result
    if question.objective.sides:
        if learned.unbeaten is None or learned.unbeaten.weights is None:
            return  # with START's numbers there is nothing to test
        before, after = (
            proof("games-lost")(heuristic, question.game, question.depth)
            for heuristic in (question.start, result.candidate)
        )
        result = replace(result, lost_games=(before, after))
        yield learned, result
    for found in _tests(question, labelled, learned, run):
        result = replace(result, errors=(*result.errors, found.errors))
        if found.errors.depth == question.depth:
            result = replace(result, fixed=found.fixed, regressed=found.regressed)
        yield learned, result
    if question.wants_optimum and isinstance(learned.of, Family):
        population = labelled.critical.population
        start = tuple(int(number) for number in learned.numbers)
        best = _optimum(learned.of, population, question.depth, start, run)
        result = replace(result, optimum=best)
        yield learned, result
    if not games:
        return
    for cost, trial in trials(
        *(question.start, result.candidate, question.game, question.depth, games),
        *(question.test_seed, run.executor, run.report, lambda: run.is_late, node_cost),
    ):
        result = replace(result, trials=(*result.trials, trial), node_cost=cost)
        yield learned, result
        if trial.match.stopped == "interrupted":
            if run.is_late:
                return
            raise KeyboardInterrupt


def _result(question: Question, labelled: Labelled, learned: Learned) -> TuningResult:
    """Return the result of learning, before any test."""
    of, constants = learned.of, question.constants
    return TuningResult(
        outcome="no improvement",
        game=name_of(question.game),
        start=question.start.name,
        family=of.name,
        labels=labelled.words,
        depth=question.depth,
        seed=question.seed,
        test_seed=question.test_seed,
        positions=labelled.size,
        choices=len(labelled.groups),
        ridge=learned.ridge,
        heuristic=question.start,
        candidate=_heuristic(question, learned, learned.numbers),
        weights=learned.weights,
        may_drop_all=learned.may_drop_all,
        learning=learned.learning,
        errors=(),
        is_whole=question.is_counted,
        is_held_out=question.is_held_out,
        fixed=(),
        regressed=(),
        trials=(),
        optimum=None,
        objective=question.objective.name,
        unbeaten=learned.unbeaten,
        seconds=0.0,
        digest=labelled.digest(question, of),
        version=__version__,
        source=None if constants is None else constants.written(learned.numbers),
    )


def _heuristic(question: Question, learned: Learned, numbers: Sequence[Any]) -> Heuristic:
    summary = f"{learned.of.name}, tuned for {question.game.name} at depth {question.depth}"
    return learned.of.heuristic(numbers, question.name, summary)


def _tests(
    question: Question, labelled: Labelled, learned: Learned, run: Run
) -> Iterator[MoveComparison]:
    """Yield, by depth, the moves of START and of the tuned heuristic on the test positions.

    These are the whole game, another sample, or held-out folds with their own weights."""
    fresh, seed = labelled.critical, question.test_seed
    if question.samples is not None:
        avoid = frozenset(labelled.population.orbits.tolist())
        fresh = critical_of(question, run, "label test", seed, avoid)
    parts, by_fold = np.zeros(len(fresh), np.int64), {0: learned.numbers}
    is_tested = np.ones(len(fresh), np.bool_)
    if question.is_held_out:
        assert learned.parts is not None
        parts, by_fold = learned.parts, dict(learned.by_fold)
        is_tested[:] = False
        is_tested[np.unique(fresh.groups, return_index=True)[1]] = True  # one of each mirror class
        is_tested &= parts >= 0
    of_tested, tested = fresh.by_move(is_tested), fresh.only(is_tested)
    of_move = fresh.by_move(parts)
    tuned = [
        (of_move == fold, _heuristic(question, learned, numbers))
        for fold, numbers in by_fold.items()
    ]
    depths = range(1, question.depth + 3)
    for depth in depths:
        run.report("test", depth - 1, len(depths))
        before = fresh.played(question.start, depth, run.executor)
        after = np.zeros(len(before), np.bool_)
        for of_fold, heuristic in tuned:
            after |= of_fold & fresh.played(heuristic, depth, run.executor)
        reached = None
        if depth == question.depth and question.is_counted:
            population = fresh.population
            asked = Positions(population, list(population.asked))
            moves = asked.played(tuned[0][1], depth, run.executor)
            reached = reaches(population, asked, moves)
        yield compare_moves(
            *(tested, before[of_tested], after[of_tested], depth, seed),
            *(question.is_counted, question.is_held_out, reached),
        )
    run.report("test", len(depths), len(depths))


def _optimum(
    family: Family, population: Population, depth: int, start: tuple[int, ...], run: Run
) -> Optimum:
    """Return the optimum of the family at a depth, as far as time allows; `start` are the tuned
    numbers."""
    left = OPTIMUM_SECONDS if run.seconds_left is None else min(OPTIMUM_SECONDS, run.seconds_left)
    found: Optimum = proof("optimum")(
        family, population, left, depth, start, lambda nodes: run.report("optimum", nodes, 0)
    )
    return found


def _is_improved(question: Question, learned: Learned, result: TuningResult) -> bool:
    """Return whether an improvement was shown."""
    here = result.at_use
    if here is None or any(map(is_worse, result.trials)):  # None: no time was left to test
        return False
    if question.objective.name != "moves":
        return _is_reached(question, learned, result)
    is_fewer = here.after.value < here.before.value
    if question.is_counted:
        return is_fewer
    level = MAX_P_HELD_OUT if question.is_held_out else MAX_P
    return is_fewer and here.p <= level and learned.is_promising


def _is_reached(question: Question, learned: Learned, result: TuningResult) -> bool:
    """Return whether an objective other than few wrong moves at the depth of use is shown to be
    reached, and was not before."""
    if sides := question.objective.sides:
        before, after = result.lost_games or (None, None)
        asked = ["xo".index(side) for side in sides]
        return bool(
            before
            and after
            and all(after[side] is None for side in asked)
            and any(before[side] is not None for side in asked)
        )
    errors = [each for each in result.errors if each.depth in question.depths]
    if sum(each.after.value - each.before.value for each in errors) >= 0:
        return False
    if question.is_counted:
        return all(each.after.value <= each.before.value for each in errors)
    is_significant = any(each.p <= MAX_P / len(errors) for each in errors)
    return learned.is_promising and is_significant and all(each.p <= 1 - MAX_P for each in errors)
