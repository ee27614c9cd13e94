"""Positions with labels, from which a tuning learns and on which it is tested.

Samples are drawn and labelled in blocks. Each block has its own seed and is stored in the journal,
so that a stopped tuning resumes with the next block.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from time import time_ns

import numpy as np

from plyscope.errors import OptionError
from plyscope.evaluation.function import version_of_function
from plyscope.lab.judging.arrays import Floats, Integers
from plyscope.lab.judging.population import Population, Positions, Solved
from plyscope.lab.judging.sample import Sample
from plyscope.lab.judging.sampling import TooFewPositions
from plyscope.lab.judging.whole import WholeGame
from plyscope.progress import counted
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.tuning.constants import Constants
from plyscope.tuning.family import Family
from plyscope.tuning.question import AND_PLAY, MAX_ARRANGEMENTS, Question, Run, arrangements
from plyscope.tuning.split import groups_of

BLOCK_POSITIONS = 1_000
"""Positions that are drawn and labelled in one block."""

Fact = tuple[int, int, int, int, list[int]]
"""The stones of the first and of the second side, the side to move, the position's value for it,
and the value after each move, for the side to move then. The list is empty if the children were not
stored because all moves have the same value."""


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """The labelled positions from which numbers are learned."""

    words: str
    """The source of the labels, for users."""
    size: int
    """The number of labelled positions."""
    at: Sequence[int]
    """The training positions, by their numbers in `population`."""
    move_values: Floats
    """The labels of the training positions' moves."""
    groups: Integers
    """An array with one entry per training position; a split must not separate equal numbers."""
    population: Population
    critical: Positions

    def digest(self, question: Question, learned: Family | Constants) -> str:
        """Return a digest of the training positions, their labels and the tuning's options."""
        asked_for = (
            *(question.game.digest, learned.name, learned.parameters, learned.weights_of_start),
            *(question.depth, question.samples, question.seed),
        )
        digest = hashlib.sha256(repr(asked_for).encode())
        if question.objective.name != "moves":
            digest.update(question.objective.name.encode())
        if isinstance(learned, Constants):
            code = version_of_function(learned.start) or f"unknown {time_ns()}"
            digest.update(code.encode())
            digest.update(AND_PLAY.encode() if question.games else b"")
        for position in (self.population.positions[at] for at in self.at):
            digest.update(repr((position.first, position.second, position.side)).encode())
        digest.update(self.move_values.astype("<f8").tobytes())
        return digest.hexdigest()


def labelled_of(question: Question, run: Run) -> Labelled:
    """Return the labelled positions from which the numbers are learned."""
    critical = critical_of(question, run, "label", question.seed)
    population = critical.population
    words = f"{getattr(question.labels, '__name__', 'a function')}, {population.about}"
    if isinstance(question.labels, str):
        played = f" and {question.games:,} games against START" if question.games else ""
        words = f"exact values{played}, {population.about}"
    is_sample = question.samples is not None
    return Labelled(
        words=words,
        size=sum(map(bool, population.children)) if is_sample else len(population.positions),
        at=critical.at,
        move_values=critical.move_values,
        groups=critical.groups,
        population=population,
        critical=critical,
    )


def critical_of(
    question: Question, run: Run, phase: str, seed: int, avoid: Collection[int] = ()
) -> Positions:
    """Return the critical positions of the whole game, or of a sample without the keys in
    `avoid`."""
    population: Population
    if question.samples is None:
        population = WholeGame(question.game, counted(run.report, phase))
    else:
        population = gathered(question, run, phase, seed, avoid)
    if not isinstance(question.labels, str):
        population = population.relabelled(question.labels)
    at = population.critical.at
    if question.samples is None:
        groups = np.unique(population.orbits[np.array(at, np.int64)], return_inverse=True)[1]
    else:
        groups = np.array(groups_of(population), np.int64)
    return Positions(population, at, groups)


class Gathered(Sample):
    """A sample that was drawn in blocks, with its values."""

    def __init__(self, game: LineGame, facts: Sequence[Fact], about: str) -> None:
        self.game, self.about = game, about
        drawn: dict[Position, Fact] = {}
        for fact in facts:
            drawn.setdefault(Position(game, fact[0], fact[1], fact[2], None), fact)
        self.asked = range(len(drawn))
        known = {position: fact[3] for position, fact in drawn.items()}
        after = []
        for position, (*_, values) in drawn.items():
            moves = position.moves if values else ()
            after.append([game.play(position, move) for move in moves])
            known |= zip(after[-1], values, strict=True)
        self.positions = list(known)
        self.number = {position: at for at, position in enumerate(self.positions)}
        self.children = [[self.number[child] for child in each] for each in after]
        self.children += [[] for _ in self.positions[len(drawn) :]]
        self.values = [known[position] for position in self.positions]

    @cached_property
    def _solved(self) -> Solved:
        return self.values, [None] * len(self.values)


def gathered(
    question: Question, run: Run, phase: str, seed: int, avoid: Collection[int] = ()
) -> Gathered:
    """Return a sample with its values; blocks that are in the journal are not solved again."""
    game, size = question.game, question.samples or 0
    facts: list[Fact] = []
    about = ""
    avoided = ""
    if avoid:
        avoided = hashlib.sha256(repr(sorted(avoid)).encode()).hexdigest()[:16]
    for number, begin in enumerate(range(0, size, BLOCK_POSITIONS)):
        key = (f"{phase} {number} {avoided}".rstrip(),)
        if key not in run.journal.known:

            def count(done: int, begin: int = begin) -> None:
                run.report(phase, begin + min(done, BLOCK_POSITIONS), size)

            of_block = Random(f"{seed} {number}").randrange(1 << 31)
            try:
                sample = Sample(
                    game, min(BLOCK_POSITIONS, size - begin), of_block, count, avoid, run.executor
                )
            except TooFewPositions as error:
                fresh = " and as many fresh ones to test on" if avoid else ""
                instead = "fewer"
                if arrangements(game) <= MAX_ARRANGEMENTS:
                    instead += ", or no number of samples: all positions of this game"
                raise OptionError(
                    f"{size} samples of {game.name!r}{fresh}: "
                    f"only {begin + error.found} were found; expected {instead}"
                ) from None
            run.journal.keep(key, sample.about, _facts(sample))
        about, kept = run.journal.known[key]
        facts += [(*fact[:4], fact[4]) for fact in kept]
        run.report(phase, min(size, begin + BLOCK_POSITIONS), size)
    return Gathered(game, facts, about)


def _facts(sample: Sample) -> list[Fact]:
    exact, found = sample.exact_values, []
    for at in sample.asked:
        position: Position = sample.positions[at]
        values = [exact[child] for child in sample.children[at]]
        found.append((position.first, position.second, position.side, exact[at], values))
    return found
