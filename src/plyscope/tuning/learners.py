"""The learners: they learn weights, or constants, from the values of moves.

Each yields its result several times, first only the numbers, then with more statistics. So a tuning
that is stopped in between has a result to return.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import nan
from typing import Any

import numpy as np

from plyscope.display import times
from plyscope.errors import OptionError, UnknownNameError
from plyscope.evaluation.heuristic import Heuristic
from plyscope.lab.judging.arrays import Flags, Integers
from plyscope.lab.judging.population import Positions
from plyscope.progress import counted
from plyscope.tuning.constants import Constants
from plyscope.tuning.family import Family, families_of, find_family
from plyscope.tuning.featured import Featured, joined
from plyscope.tuning.fit_constants import fit_constants, wrong_by
from plyscope.tuning.labels import Labelled
from plyscope.tuning.learning import (
    DEFAULT_RIDGE,
    FOLDS,
    curve,
    droppable,
    estimate,
    held_out,
    validated,
)
from plyscope.tuning.leaves import featured_of, leaves_of
from plyscope.tuning.proofs import proof
from plyscope.tuning.question import Question, Run
from plyscope.tuning.result import LearningPoint, Weight
from plyscope.tuning.split import folds

POSITIONS_PER_NUMBER = 30
"""The least number of critical positions for each number to learn."""
COMPARED_POSITIONS = 10_000
"""The approximate number of critical positions that are used to compare families, if there are
more."""
MAX_HOLD_SECONDS = 60.0
"""The time limit of the search for numbers of a family that never lose."""
LEAF_ROUNDS = 2
"""Rounds of searches for leaves: with START, then with the numbers learned from these leaves."""

OfFamily = Callable[[Family], Featured]
"""A function that returns the critical positions with a family's features."""


@dataclass(frozen=True, kw_only=True)
class Learned:
    """The partial or complete result of a learner."""

    of: Family | Constants
    numbers: tuple[Any, ...]
    """The numbers in the order of the parameters."""
    ridge: float | None = None
    weights: tuple[Weight, ...] = ()
    learning: tuple[LearningPoint, ...] = ()
    may_drop_all: bool | None = None
    is_promising: bool = False
    """Whether cross-validation finds the numbers better than START's."""
    parts: Integers | None = None
    """An array with one entry per critical position: its fold, or −1 if it is not held out."""
    unbeaten: Any | None = None
    """The answer to an objective that never loses."""
    by_fold: Mapping[int, Any] = field(default_factory=dict)
    """By fold, the numbers to test it with, which were learned without it; empty if the question
    is not `is_held_out`."""


def learn(question: Question, labelled: Labelled, run: Run) -> Iterator[Learned]:
    """Yield the result of learning, more complete each time.

    Raises OptionError if there are fewer than 30 critical positions for each number.
    """
    if question.constants is not None:
        return _learn_constants(question, question.constants, labelled, run)
    if question.objective.sides:
        return _learn_to_hold(question, labelled.critical, run)
    return _learn_weights(question, labelled.critical, labelled.groups, run)


# Constants


def _learn_constants(
    question: Question, constants: Constants, labelled: Labelled, run: Run
) -> Iterator[Learned]:
    """Learn constants from four fifths of the positions, and test them on the last fifth.

    If the question is `is_counted`, learn from all positions, without a test.
    """
    critical = labelled.critical
    _require(question, len(critical), len(constants.parameters))
    is_out = np.zeros(len(critical), np.bool_)
    if not question.is_counted:
        # in a whole game, positions with different numbers of stones share no child
        is_whole = question.samples is None
        is_out = _parts(critical.stones if is_whole else critical.groups, question.seed) == 0
    known, out = critical.only(~is_out), critical.only(is_out)
    key = (f"constants {labelled.digest(question, constants)}",)
    found = fit_constants(
        constants,
        known,
        question.depth,
        question.seed,
        games=question.games,
        executor=run.executor,
        state=run.journal.known.get(key, [None])[0],
        progress=run.report,
        seconds=run.seconds_left,
    )
    run.journal.keep(key, found.state)
    weights = _weights(constants, found.weights, found.low, found.high, found.may_be_dropped)
    learned = Learned(of=constants, numbers=found.weights, weights=weights)
    yield learned
    if found.stopped == "interrupted":
        raise KeyboardInterrupt
    if question.is_held_out:
        parts = np.where(is_out, 0, -1)
        learned = replace(learned, parts=parts, by_fold={0: found.weights})
    if len(out):
        out = out.looking_ahead(question.depth)
        both = question.start, constants.heuristic(found.weights)
        before, after = (wrong_by(each, out, question.depth).sum() for each in both)
        learned = replace(learned, is_promising=bool(after < before))
    yield learned


# Weights


def _learn_weights(
    question: Question, critical: Positions, groups: Integers, run: Run
) -> Iterator[Learned]:
    """Learn from the order of siblings."""
    number, depth = len(groups), question.depth
    families, of_position = families_asked(question, number), _parts(groups, question.seed)
    of_family = _at_leaves(question, critical, question.start, run, 1)
    # with several depths, each position occurs once for each
    groups, parts = (np.tile(each, len(question.depths)) for each in (groups, of_position))
    family, featured = _smallest(question, run, families, of_family, groups, parts)
    ridge, is_better = validated(featured, parts).ridge, None
    if depth > 1:
        featured, is_better = _researched(question, run, critical, family, featured, parts, ridge)
    for learned in _fitted(question, run, family, featured, parts, ridge):
        yield learned
    if is_better is None:
        out = learned.learning[-1].validation.value * number
        is_better = out < _wrong(question, run, critical, question.start)
    if question.is_held_out:
        labels = critical.population.orbits[critical.children]
        by_fold = held_out(featured, labels, parts, ridge)
        learned = replace(learned, parts=parts, by_fold=by_fold)
    yield replace(learned, is_promising=is_better)


def _at_leaves(
    question: Question, critical: Positions, heuristic: Heuristic, run: Run, number: int
) -> OfFamily:
    """Return the features of a family at the leaves of searches to the question's depths; `number`
    is that of the round."""
    count = counted(run.report, f"search {number}", len(critical))
    leaves = [
        leaves_of(critical, depth, heuristic, run.executor, count) for depth in question.depths
    ]
    return lambda family: joined([featured_of(critical, each, family) for each in leaves])


def _researched(
    question: Question,
    run: Run,
    critical: Positions,
    family: Family,
    featured: Featured,
    parts: Integers,
    ridge: float,
) -> tuple[Featured, bool]:
    """Return the features at the leaves of the best round, and whether it is better than START.

    Numbers are learned from the leaves of each round. The best round has the fewest wrong moves of
    searches on a fifth of the positions that is held out.
    """
    is_out = parts == 0
    out, best, least = critical.only(is_out[: len(critical)]), featured, np.inf
    for number in range(1, LEAF_ROUNDS + 1):
        numbers = estimate(featured.only(~is_out), ridge).numbers
        heuristic = family.heuristic(numbers.tolist(), question.name)
        wrong = _wrong(question, run, out, heuristic)
        if wrong < least:
            best, least = featured, wrong
        if number < LEAF_ROUNDS:
            featured = _at_leaves(question, critical, heuristic, run, number + 1)(family)
    return best, bool(least < _wrong(question, run, out, question.start))


def _wrong(question: Question, run: Run, critical: Positions, heuristic: Heuristic) -> float:
    """Return the sum of the positions' shares of wrong moves, in searches of the question's
    depths."""
    return sum(
        float(critical.wrong_by(critical.played(heuristic, depth, run.executor)).sum())
        for depth in question.depths
    )


def _fitted(
    question: Question, run: Run, family: Family, featured: Featured, parts: Integers, ridge: float
) -> Iterator[Learned]:
    """Yield the fitted numbers, then add the learning curve, `may_drop_all`, and the intervals."""
    found, repeats = estimate(featured, ridge), len(question.depths)
    learned = Learned(of=family, numbers=tuple(found.numbers.tolist()), ridge=ridge)
    yield learned
    run.report("learn", 1, 3)
    learned = replace(learned, learning=curve(featured, parts, ridge, question.seed, repeats))
    yield learned
    run.report("learn", 2, 3)
    may, may_drop_all = droppable(featured, parts, ridge, found)
    learned = replace(learned, may_drop_all=may_drop_all)
    yield learned
    run.report("learn", 3, 3)
    half = 1.96 * found.errors
    ends = (found.numbers - half).tolist(), (found.numbers + half).tolist()
    yield replace(learned, weights=_weights(family, learned.numbers, *ends, may))


def _weights(of: Family | Constants, numbers: Sequence[Any], *columns: Any) -> tuple[Weight, ...]:
    """Return the numbers with their bounds, and whether each may be dropped."""
    rows = zip(of.parameters, of.weights_of_start, numbers, *columns, strict=True)
    names = "name", "before", "after", "low", "high", "may_be_dropped"
    return tuple(Weight(**dict(zip(names, row, strict=True))) for row in rows)


# Numbers that never lose


def _learn_to_hold(question: Question, critical: Positions, run: Run) -> Iterator[Learned]:
    """Yield numbers that no line of play beats, of the smallest family that has some; or else
    START's, with the proof for the largest family."""
    for family in families_asked(question, len(critical)):
        left = MAX_HOLD_SECONDS if run.seconds_left is None else run.seconds_left
        found = proof("unbeaten")(
            family,
            question.objective.sides,
            question.depth,
            population=critical.population,
            seconds=min(MAX_HOLD_SECONDS, left),
            progress=lambda nodes: run.report("never loses", nodes, 0),
        )
        if found.weights is not None:
            break
    numbers = found.weights or family.weights_of_start
    unknown = [nan] * len(numbers)
    weights = _weights(family, numbers, unknown, unknown, [False] * len(numbers))
    yield Learned(of=family, numbers=numbers, weights=weights, unbeaten=found)


# Families


def families_asked(question: Question, positions: int) -> list[Family]:
    """Return the family of the question, or all families for which there are enough critical
    positions, the smallest first."""
    names = families_of(question.game) if question.family is None else (question.family,)
    known, refused = list[Family](), None
    for name in names:
        try:
            known.append(find_family(name, question.start, question.game, question.free))
        except (OptionError, UnknownNameError) as error:
            refused = error
    if not known and refused is not None:
        raise refused
    known.sort(key=lambda each: len(each.parameters))
    _require(question, positions, len(known[0].parameters))
    return [each for each in known if len(each.parameters) * POSITIONS_PER_NUMBER <= positions]


def _require(question: Question, positions: int, numbers: int) -> None:
    needed = POSITIONS_PER_NUMBER * numbers
    if positions < needed:
        learned = times(numbers, "number")
        expected = f"at least {needed:,}, {POSITIONS_PER_NUMBER} a number"
        if question.samples is not None:
            size = round(1.1 * question.samples * needed / max(1, positions))
            expected += f": about {size:,} samples (--samples {size})"
        raise OptionError(
            f"{learned} to learn from {positions:,} critical positions of "
            f"{question.game.name!r}; expected {expected}"
        )


def _smallest(
    question: Question,
    run: Run,
    families: list[Family],
    of_family: OfFamily,
    groups: Integers,
    parts: Integers,
) -> tuple[Family, Featured]:
    """Return the smallest family within one standard error of the best (Breiman et al. 1984), with
    its features.

    Families are compared on all groups, or on a random part with about COMPARED_POSITIONS.
    """
    if len(families) == 1:
        return families[0], of_family(families[0])
    names = np.unique(groups)
    share = min(1.0, COMPARED_POSITIONS / len(groups))
    drawn = np.random.default_rng(question.seed).random(len(names)) <= share
    is_in: Flags = drawn[np.searchsorted(names, groups)]
    tried = []
    for number, family in enumerate(families):
        run.report("families", number, len(families))
        tried.append(validated(of_family(family).only(is_in), parts[is_in], (DEFAULT_RIDGE,)))
    run.report("families", len(families), len(families))
    best = min(tried, key=lambda each: each.wrong)
    most = best.wrong + best.error
    family = next(
        family for family, each in zip(families, tried, strict=True) if each.wrong <= most
    )
    return family, of_family(family)


def _parts(groups: Sequence[int] | Integers, seed: int) -> Integers:
    """Return an array with the fold of each critical position."""
    return np.array(folds(list(map(int, groups)), FOLDS, seed), np.int64)
