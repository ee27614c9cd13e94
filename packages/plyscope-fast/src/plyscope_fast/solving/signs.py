"""The finder of signs, one on each empty cell of a game with gravity, by which a side plays to the
end.

`kernels/signs` holds the method. What it finds is checked by `verify.check_signs` before it is
returned.
"""

from __future__ import annotations

import random
from array import array
from functools import lru_cache
from typing import NamedTuple

from plyscope.randomness import GOLDEN, mix
from plyscope.rules.game import SIDES
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.solving.ask import Ask
from plyscope.solving.verdict import Verdict
from plyscope.solving.verify import Game, Work, check_signs, completing
from plyscope_fast.machine.block import WORD_BYTES, signed
from plyscope_fast.solving.kernels import signs as kernels
from plyscope_fast.solving.rules import game_data
from plyscope_fast.solving.running import KernelSolver, raise_if_late

HEAT = 3.0
"""The temperature at the beginning, in eighths of the logarithm of the cost."""
MAX_POSITIONS = 20_000_000
"""The limit of the positions met in the search for the signs of one side: about a second."""
RULES = {"gravity", "holes", "torus"}
MAX_CELLS = 64
"""The greatest number of cells of a board, the bits of a word."""


def has_signs(game: LineGame) -> bool:
    """Return whether signs are looked for in a game."""
    return game.gravity and game.size <= MAX_CELLS and game.variants <= RULES


class Signs(NamedTuple):
    """The signs by which a side reaches a result."""

    side: str
    """`x` or `o`."""
    at_least: int
    """1 for a win, 0 for a draw."""
    signs: str
    """A sign for each empty cell in the order of their numbers; empty if none were found."""


def signs_of(verdict: Verdict) -> list[Signs]:
    """Return signs for the winner of a solved position, or for each side of a draw; none if it is
    not solved or the game is over."""
    position, value = verdict.position, verdict.value
    if value is None or position.is_over:
        return []
    assert isinstance(position, Position)
    winner = position.side if value > 0 else 1 - position.side
    found = []
    for side in (winner,) if value else (0, 1):
        ask = Ask(position, limit=MAX_POSITIONS)
        signs = sign_finder(position.game).find(ask, side, abs(value))
        found.append(Signs(SIDES[side], abs(value), "".join(map(str, signs or ()))))
    return found


@lru_cache(maxsize=2)
def sign_finder(game: LineGame) -> SignFinder:
    """Return the finder of a game, the same object each time."""
    return SignFinder(game)


class SignFinder(KernelSolver):
    """A finder of signs in one game for which `has_signs` is true."""

    entries = kernels.ENTRIES

    def __init__(self, game: LineGame) -> None:
        self.rules = Game(game_data(game))
        self.memory = _Memory(self.rules)
        super().__init__(game, [self.memory])

    def find(
        self, ask: Ask, side: int, least: int, is_near: bool = False
    ) -> tuple[int, ...] | None:
        """Return a sign for each empty cell, in the order of their numbers, by which `side` reaches
        `least`, 1 for a win and 0 for a draw; None if none were found.

        The search stops after `ask.limit` positions. With `is_near` it begins with the signs of
        earlier questions; otherwise it forgets them. Raises Late and KeyboardInterrupt.
        """
        position = ask.position
        theirs = completing(self.rules.lines, position.stones(1 - side), position.stones(side))
        if position.side != side and any(1 << move in theirs for move in position.moves):
            return None
        with self._thread_runner.alone:
            self._thread_runner.end()
            block = self.memory.put(position, side, least)
            if not is_near:
                self.memory.forget()
            block.stop = 0
            block.limit = block.nodes + ask.limit
            count = position.empty.bit_count()

            def search() -> bool:
                return kernels.find(block, count)

            def poll() -> None:
                ask.report(f"{self.nodes:,} positions")

            raise_if_late(ask.deadline)
            if not self._thread_runner.run(search, ask.deadline, poll):
                return None
            found = tuple(self.memory.signs[cell] for cell in bits(position.empty))
        stones = position.first, position.second
        check_signs(Work(self.rules), found, stones, position.side, side, least)
        return found


class _Memory:
    """The block of the kernel."""

    def __init__(self, rules: Game) -> None:
        self.rules = rules
        through = [[signed(line) for line, _ in lines] for lines in rules.through]
        row = 1 + max(map(len, through))
        first = [0] * rules.size
        for column in rules.columns:
            for cell in column[1::2]:
                first[cell] = 3
        draw, chances = random.Random(1), []
        for temperature in range(kernels.TEMPERATURES):
            heat = HEAT * (1 - temperature / kernels.TEMPERATURES) + 0.05
            for _ in range(kernels.DRAWS):
                factor = max(draw.random(), 1e-3) ** (-heat / 8)
                chances.append(int(kernels.UNIT * factor))
        self.signs = array("q", bytes(WORD_BYTES * rules.size))
        self.empty = array("q", bytes(WORD_BYTES * rules.size))
        self.seen = array("q", bytes(3 * WORD_BYTES << kernels.SEEN_BITS))
        self.block = kernels.Search(
            signs=self.signs.buffer_info()[0],
            board=signed(rules.board),
            floor=signed(rules.floor),
            width=rules.shape[0],
            cells=rules.size,
            through=array("q", [m for lines in through for m in lines + [0] * (row - len(lines))]),
            row=row,
            first=first,
            chances=chances,
            empty=self.empty.buffer_info()[0],
            stack=bytes(kernels.STACK),
            seen=self.seen.buffer_info()[0],
            known=bytes(kernels.KNOWN * kernels.SIGNS),
            fronts=bytes(2 * kernels.MAX_FAILURES),
        )
        self.megabytes = (len(self.seen) + len(self.block.words)) * WORD_BYTES / (1 << 20)

    def put(self, position: Position, side: int, least: int) -> kernels.Search:
        """Put a position on the board, and return the block."""
        block, rules = self.block, self.rules
        mine, theirs = position.stones(side), position.stones(1 - side)
        block.mine, block.theirs = signed(mine), signed(theirs)
        block.wins = signed(sum(completing(rules.lines, mine, theirs)))
        block.threats = signed(sum(completing(rules.lines, theirs, mine)))
        block.is_mine_next, block.least = int(position.side == side), least
        # the same question has the same answer
        block.random = signed(mix(mine * GOLDEN + theirs + least)) or 1
        for index, cell in enumerate(bits(position.empty)):
            self.empty[index] = cell
        return block

    def forget(self) -> None:
        """Forget the signs found before."""
        self.block.found = 0

    def stop(self) -> None:
        """Stop the kernel."""
        self.block.stop = 1

    @property
    def nodes(self) -> int:
        """The positions met so far, with the side to move."""
        return self.block.nodes
