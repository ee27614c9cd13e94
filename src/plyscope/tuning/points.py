"""The objective `points`: of many tuned tables, the one with the most points at equal time.

The candidates are all families asked for, each learned for several depths. They play START from
balanced openings. Each player has the nodes that take the same time, by the measured cost of a node
(`trials`). The worse half is dropped and the rest play on, until one is left (successive halving;
Karnin, Koren & Somekh 2013). Its points are too high by chance, so the trials test it again, from
other openings.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from plyscope.evaluation.heuristic import Heuristic
from plyscope.lab.judging.population import Positions
from plyscope.lab.match import play_match
from plyscope.lab.openings import balanced_openings
from plyscope.tuning.labels import Labelled
from plyscope.tuning.learners import families_asked, quickly_learned
from plyscope.tuning.question import Question, Run
from plyscope.tuning.result import Candidate
from plyscope.tuning.trials import node_cost, nodes_of, opponents, two_digits

FIRST_PAIRS = 10
"""Pairs of games of each candidate in the first round; each later round has twice as many."""
EXTRA_DEPTHS = 1
"""Depths beyond that of use for which candidates are learned."""


@dataclass
class _Contender:
    """A candidate with its limits and its points so far."""

    question: Question
    heuristic: Heuristic
    family: str
    numbers: int
    cost: float
    nodes: tuple[int, int]
    games: int = 0
    points: float = 0.0

    @property
    def share(self) -> float:
        return self.points / self.games if self.games else 0.5

    @property
    def result(self) -> Candidate:
        return Candidate(
            family=self.family,
            numbers=self.numbers,
            depth=self.question.depth,
            node_cost=self.cost,
            games=self.games,
            points=self.points,
        )


def most_points(
    question: Question, labelled: Labelled, run: Run, known_cost: float | None
) -> tuple[Question, tuple[Candidate, ...]]:
    """Return the question whose answer has the most points at equal time, and all candidates, the
    last ones in play first.

    The question names one family and the depth to learn for.
    """
    seed = Random(f"points {question.seed}").randrange(1 << 31)
    asked = [
        replace(question, family=family.name, depth=depth)
        for family in families_asked(question, len(labelled.groups))
        for depth in range(1, question.depth + 1 + EXTRA_DEPTHS)
    ]
    pairs = FIRST_PAIRS * 2 ** max(0, len(asked) - 1).bit_length()
    openings = balanced_openings(question.game, pairs, seed, run.executor, run.report)
    if not openings or len(asked) < 2:
        return asked[0], ()
    nodes = nodes_of(question.start, openings, question.depth + 1)
    critical, left = labelled.critical, []
    assert isinstance(critical, Positions)
    for number, of in enumerate(asked):
        family, numbers = quickly_learned(of, critical, labelled.groups, run)
        heuristic = family.heuristic(numbers, of.name)
        run.report("candidates", number, len(asked))
        cost = known_cost or node_cost(question.start, heuristic, openings).of_games
        limits = nodes, two_digits(nodes * cost)
        left.append(_Contender(of, heuristic, family.name, len(numbers), cost, limits))
    dropped: list[_Contender] = []
    begin, number = 0, FIRST_PAIRS
    while len(left) > 1:
        some = [openings[at % len(openings)] for at in range(begin, begin + number)]
        for at, each in enumerate(left):
            run.report(f"games of {len(left)} candidates", at, len(left))
            a, b = opponents(each.heuristic, question.start, each.nodes)
            match = play_match(
                *(a, b, 2 * len(some)), starts=some, seed=seed, executor=run.executor
            )
            each.games += match.games
            each.points += match.a_wins + match.draws / 2
        left.sort(key=lambda each: (-each.share, each.numbers))
        keep = (len(left) + 1) // 2
        dropped, left = left[keep:] + dropped, left[:keep]
        begin, number = begin + number, 2 * number
    return left[0].question, tuple(each.result for each in left + dropped)
