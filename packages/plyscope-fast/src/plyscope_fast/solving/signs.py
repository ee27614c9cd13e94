"""The finder of signs, one on each empty cell of a game with gravity, by which a side plays to the
end.

`kernels/signs` and `kernels/signlogic` hold the methods. What they find is checked by
`verify.check_signs` before it is returned.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from plyscope.errors import OptionError
from plyscope.randomness import GOLDEN, mix
from plyscope.rules.game import SIDES, parse_side
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.solving.ask import Ask
from plyscope.solving.verdict import Verdict
from plyscope.solving.verify import Game, Rejected, Work, check_signs, completing
from plyscope_fast.machine.block import WORD_BYTES, Words, signed
from plyscope_fast.machine.memory import Zeros
from plyscope_fast.solving.kernels import clauses, signlogic
from plyscope_fast.solving.kernels import signs as kernels
from plyscope_fast.solving.rules import game_data
from plyscope_fast.solving.running import KernelSolver, raise_if_late
from plyscope_fast.solving.signplay import by_sign, choose

HEAT = 3.0
"""The temperature at the beginning, in eighths of the logarithm of the cost."""
MAX_POSITIONS = 20_000_000
"""The limit of the positions met in the search for the signs of one side: about a second."""
DEDUCED = 20_000_000
"""The limit of the search by clauses that follows: some three seconds."""
REASON_POSITIONS = 5_000_000
"""The limit of the search for the signs of a reason: about a fifth of a second."""
MAX_LINE_TESTS = 3_000_000
"""The limit of the line tests in checking signs that others give: about a third of a second."""
RULES = {"gravity", "holes", "torus"}
MAX_CELLS = 64
"""The greatest number of cells of a board, the bits of a word."""
NAMES = {"1": "urgent", "2": "one of a pair"}
SIGNS = {*map(str, range(kernels.SIGNS))}
CLAIM = str(kernels.CLAIM)
"""The sign of claimeven and claimodd."""


def has_signs(game: LineGame) -> bool:
    """Return whether signs are looked for in a game."""
    return game.gravity and game.size <= MAX_CELLS and game.variants <= RULES


class Signs(NamedTuple):
    """The signs by which a side reaches a result."""

    position: Position
    side: str
    """`x` or `o`."""
    at_least: int
    """1 for a win, 0 for a draw."""
    signs: str
    """A sign for each empty cell in the order of their numbers; empty if none were found."""

    def as_dict(self) -> dict[str, Any]:
        """Return the signs as JSON-ready data."""
        return self._asdict() | {"position": str(self.position)}

    @property
    def marks(self) -> dict[int, str]:
        """The signs other than 0, by the number of their cell."""
        cells = bits(self.position.empty)
        signs = zip(cells, self.signs, strict=True) if self.signs else ()
        return {cell: sign for cell, sign in signs if sign != "0"}

    def named(self, cell: int) -> str:
        """Return what the sign on a cell asks for."""
        sign = self.marks[cell]
        if sign != CLAIM:
            return NAMES.get(sign, f"preference {sign}")
        row = next(c.index(cell) for c in self.position.game.columns if cell in c)
        return "claimeven" if row % 2 else "claimodd"

    @property
    def said(self) -> str:
        """The cells by sign: `urgent d1; claimeven a2 a4; then b3; then b5`."""
        told: dict[tuple[str, str], list[str]] = {}
        for cell, sign in self.marks.items():
            name = self.named(cell)
            name = "then" if sign > CLAIM else name
            told.setdefault((sign, name), []).append(self.position.game.format_cell(cell))
        return "; ".join(f"{name} {' '.join(told[sign, name])}" for sign, name in sorted(told))

    @property
    def legend(self) -> str:
        """The rules of play by these signs, with the meaning of those used, in one sentence."""
        own, found = self.side.upper(), sorted(set(self.marks.values()))
        claims = sorted({self.named(cell) for cell, sign in self.marks.items() if sign == CLAIM})
        names = NAMES | {"2": f"{NAMES['2']}, while no other 2 can be taken"}
        names[CLAIM] = " or ".join(claims)
        meanings = [f"{sign} {names[sign]}" if sign in names else sign for sign in found]
        return (
            f"{own} completes a line if it can, else blocks one, else takes the cell of the least "
            f"sign: {', then '.join(meanings)}."
        )

    def check(self, position: Position) -> None:
        """Raise OptionError unless their side, which is to move in a position, reaches the result
        from there by these signs, whatever the opponent does. Cells without a sign have 0.

        It is checked by `verify.check_signs`, within MAX_LINE_TESTS. The position need not be one
        that the signs lead to.
        """
        wanted = "expected signs that reach the result against every reply"
        is_of_game = position.game == self.position.game and has_signs(position.game)
        is_read = {*self.signs} <= SIGNS and len(self.signs) == self.position.empty.bit_count()
        if not is_of_game or not is_read:
            raise OptionError(f"signs {self.signs[:80]!r} on '{position}'; {wanted}")
        side = parse_side(self.side)
        if position.is_over or position.side != side:
            raise OptionError(f"signs of {self.side} on '{position}'; expected its turn to move")
        marks, work = self.marks, Work(rules_of(position.game))
        work.most["tests_of_a_line"] = MAX_LINE_TESTS
        signs = tuple(int(marks.get(cell, "0")) for cell in bits(position.empty))
        stones = position.first, position.second
        try:
            check_signs(work, signs, stones, side, side, self.at_least)
        except Rejected as error:
            raise OptionError(f"signs {self.signs!r} on '{position}': {error}; {wanted}") from None

    def reply(self, position: Position) -> tuple[int, str]:
        """Return the cell that the signs ask for, with their side to move in a position that they
        lead to, and the rule that asks for it.

        Raises OptionError if they ask for no cell or for several.
        """
        side, game = parse_side(self.side), position.game
        own, other = position.stones(side), position.stones(1 - side)
        asked = by_sign({cell: int(sign) for cell, sign in self.marks.items()})
        found, sign = choose(game, asked, own, other)
        cell = (found & -found).bit_length() - 1
        if sign is None and found and game.completes(own | 1 << cell, cell, other):
            return cell, "completes a line"
        if found.bit_count() != 1:
            raise OptionError(
                f"signs that ask for no one cell on '{position}'; expected signs of it"
            )
        if sign is None:
            return cell, "blocks a line"
        return cell, self.named(cell)

    def line(self) -> list[int]:
        """Return a line of play to the end, in which the other side takes the first cell it can."""
        position, side, played = self.position, parse_side(self.side), []
        while not position.is_over:
            mine = position.side == side
            played.append(self.reply(position)[0] if mine else position.moves[0])
            position = position.play(played[-1])
        return played


@lru_cache(maxsize=256)
def signs_for(position: Position, side: int, least: int) -> Signs | None:
    """Return signs by which a side reaches `least` in a game for which `has_signs` is true.

    None if none were found within REASON_POSITIONS, which does not prove that there are none. Equal
    questions have equal answers. Raises KeyboardInterrupt.
    """
    ask = Ask(position, limit=REASON_POSITIONS)
    signs = sign_finder(position.game).find(ask, side, least)
    if signs is None:
        return None
    return Signs(position, SIDES[side], least, "".join(map(str, signs)))


def signs_of(verdict: Verdict, seconds: float | None = None) -> Iterator[Signs]:
    """Yield signs for the winner of a solved position, or for each side of a draw; none if it is
    not solved or the game is over.

    Raises Late after `seconds`, and KeyboardInterrupt.
    """
    position, value = verdict.position, verdict.value
    if value is None or position.is_over:
        return
    assert isinstance(position, Position)
    winner = position.side if value > 0 else 1 - position.side
    ask = Ask(position, limit=MAX_POSITIONS, seconds=seconds)
    for side in (winner,) if value else (0, 1):
        signs = sign_finder(position.game).find(ask, side, abs(value), deduced=DEDUCED)
        yield Signs(position, SIDES[side], abs(value), "".join(map(str, signs or ())))


@lru_cache(maxsize=8)
def rules_of(game: LineGame) -> Game:
    """Return the rules of a game as `verify` reads them, the same object each time."""
    return Game(game_data(game))


@lru_cache(maxsize=2)
def sign_finder(game: LineGame) -> SignFinder:
    """Return the finder of a game, the same object each time."""
    return SignFinder(game)


class SignFinder(KernelSolver):
    """A finder of signs in one game for which `has_signs` is true."""

    entries = kernels.ENTRIES + signlogic.ENTRIES

    def __init__(self, game: LineGame) -> None:
        self.rules = rules_of(game)
        self.memory = _Memory(self.rules)
        super().__init__(game, [self.memory])

    def find(
        self, ask: Ask, side: int, least: int, is_near: bool = False, deduced: int = 0
    ) -> tuple[int, ...] | None:
        """Return a sign for each empty cell, in the order of their numbers, by which `side` reaches
        `least`, 1 for a win and 0 for a draw; None if none were found.

        The search stops after `ask.limit` positions. If `deduced` is not 0, a search by clauses
        follows, which meets at most so many positions and values. With `is_near` the search begins
        with the signs of earlier questions; otherwise it forgets them. Raises Late and
        KeyboardInterrupt.
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
            if deduced:
                self.memory.deduction[1].stop = 0
            block.limit = block.nodes + ask.limit
            count = position.empty.bit_count()

            def search() -> bool:
                if kernels.find(block, count):
                    return True
                block.limit = block.nodes + deduced
                return bool(deduced) and signlogic.deduce(block, *self.memory.deduction, count)

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

    @cached_property
    def deduction(self) -> tuple[signlogic.Met, clauses.Logic]:
        """The blocks of the search by clauses, some 50 MB when all is in use."""
        entries, values, pages = 4 * signlogic.PLACES, clauses.VARIABLES, kernels.MAX_POSITIONS + 1
        words = {
            "cells": self.rules.size,
            "lines": 5 * pages,
            "open": pages,
            "failed": signlogic.FAILURES,
            "positions": entries,
            "choices": entries,
            "proved": entries,
            "clauses": clauses.WORDS,
            "heads": 2 * values,
            "value": 2 * values,
            **dict.fromkeys(("level", "reason", "trail", "begins", "activity", "heap"), values),
            **dict.fromkeys(("place", "last", "seen", "marks", "clause", "stamps"), values),
        }
        self._zeros = {name: Zeros(count) for name, count in words.items()}
        blocks = signlogic.Met(), clauses.Logic()
        for name, zeros in self._zeros.items():
            block = next(each for each in blocks if hasattr(type(each), name))
            setattr(block, name, Words(zeros.address))
        return blocks

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
        if "deduction" in vars(self):
            self.deduction[1].stop = 1

    @property
    def nodes(self) -> int:
        """The positions met so far, with the side to move."""
        return self.block.nodes
