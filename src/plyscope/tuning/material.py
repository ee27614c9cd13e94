"""What a tuning learns from, and is tested on: positions with their values, kept as they come.

Samples are drawn and labelled in blocks, each by a seed of its own, so that a tuning that was
stopped goes on with the next block.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from concurrent.futures import Executor
from hashlib import sha256
from random import Random

from plyscope.journal import Journal
from plyscope.lab.judging.population import Solved
from plyscope.lab.judging.sample import Sample
from plyscope.lab.judging.sampling import TooFewPositions
from plyscope.progress import Count
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position

BLOCK = 1_000
"""Positions that are drawn and labelled at a time."""

Fact = tuple[int, int, int, int, list[int]]
"""The stones of both sides, the side to move, the value, and those after each move, each in the
view of who moves there; no moves where they are all alike and nobody has looked at them."""


class Gathered(Sample):
    """A sample that was drawn in blocks: positions, and the values that are known of them."""

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

    def _solve(self) -> Solved:
        return self.values, [None] * len(self.values)


def gathered(
    game: LineGame,
    size: int,
    seed: int,
    name: str,
    journal: Journal,
    count: Count,
    avoid: Collection[int] = frozenset(),
    executor: Executor | None = None,
) -> Gathered:
    """Return about `size` positions with their values; what is kept is not found out again."""
    facts: list[Fact] = []
    about = ""
    avoided = sha256(repr(sorted(map(int, avoid))).encode()).hexdigest()[:16] if avoid else ""
    for number, begin in enumerate(range(0, size, BLOCK)):
        key = (f"{name} {number} {avoided}".rstrip(),)
        if key not in journal.known:
            of_block = Random(f"{seed} {number}").randrange(1 << 31)

            def counted(done: int, begin: int = begin) -> None:
                count(begin + min(done, BLOCK))

            try:
                sample = Sample(game, min(BLOCK, size - begin), of_block, counted, avoid, executor)
            except TooFewPositions as error:
                raise TooFewPositions(game, size, begin + error.found) from None
            journal.keep(key, sample.about, _facts(sample))
        about, kept = journal.known[key]
        facts += [(*fact[:4], fact[4]) for fact in kept]
        count(min(size, begin + BLOCK))
    return Gathered(game, facts, about)


def _facts(sample: Sample) -> list[Fact]:
    truth, found = sample.truth, []
    for at in sample.asked:
        position: Position = sample.positions[at]
        values = [truth[child] for child in sample.children[at]]
        found.append((position.first, position.second, position.side, truth[at], values))
    return found
