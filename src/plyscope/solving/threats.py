"""Wins by threats, on boards of any size: threat-space search for games of lines without gravity.

A *four* is a line that lacks one cell of being complete, whatever its length: it has to be answered there. A *three* is a move after which
fours alone would win if the other side did nothing. The attacker plays fours and threes; a four has one reply, and a three those that could
matter to the fours it threatens. So the tree is narrow where the game's is wide.

A win that is found is proved. The fours that a three threatens come with their zone: their cells and replies, and the open cells of every
line on which the defender, with one stone more, would have a four of its own. Against a reply outside the zone the fours win as they are;
every reply inside it is searched. A win that is not found may be there: quiet moves are not tried.

Source: Allis, van den Herik & Huntjens 1996; the order of threats as in lambda search (Thomsen 2000).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from ctypes import addressof, c_char
from functools import lru_cache
from time import perf_counter
from typing import NamedTuple

from plyscope._jit import pages
from plyscope.draws import GOLDEN, mix
from plyscope.rules.linegame import LineGame, Position, bits
from plyscope.searching.compiled.layout import signed
from plyscope.solving.compiled import threats as kernel
from plyscope.solving.running import Compiled, Stopped
from plyscope.solving.verdict import Verdict

__all__ = ["Fours", "ThreatSolver", "can_threaten", "threat_solver"]

MOST_THREES = 12
"""Threes in a row at the most."""
FOURS = 20_000
"""Nodes of one search by fours."""
FAILED = 20
"""The logarithm of the positions that are remembered to have no win by fours."""
MOST_KEPT = 1_000_000
"""Positions whose answers are kept."""
GLANCE = 64
"""Searches by fours between two looks at the clock."""


class Fours(NamedTuple):
    """A win by fours: its moves and replies, and the zone outside which one more stone of the defender's would change nothing."""

    line: tuple[int, ...]
    zone: int


class Win(NamedTuple):
    """A proven win: a line of it, moves and replies, and how many threes in a row it takes at the most."""

    line: tuple[int, ...]
    threes: int


class _Spent(Exception):
    """Raised when the nodes that were allowed are spent."""


def can_threaten(game: LineGame) -> bool:
    """Return whether wins by threats can be looked for."""
    return not game.gravity and not game.misere and game.longest_line > 2


@lru_cache(maxsize=4)
def threat_solver(game: LineGame) -> ThreatSolver:
    """Return the solver of a game, the same one again: what it knows stays true."""
    return ThreatSolver(game)


class ThreatSolver(Compiled):
    """Looks for wins by threats in one game. Stones are bitboards, of the attacker, who is to move, and of the defender."""

    entries = kernel.ENTRIES

    def __init__(self, game: LineGame) -> None:
        self.game = game
        self.masks, self.through = game.masks, game.masks_through
        self._board = _Board(game)
        self._by_fours: dict[tuple[int, int], Fours | None] = {}
        self._won: dict[tuple[int, int], Win] = {}
        self._tried: dict[tuple[int, int], int] = {}
        self._most: int | None = None
        self._deadline: float | None = None
        self._glance: Callable[[], None] = lambda: None
        self._searches = 0

    @property
    def nodes(self) -> int:
        """The nodes of the searches by fours so far."""
        return self._board.block[kernel.NODES]

    def solve(
        self, position: Position, deadline: float | None = None, progress: Callable[[int, int], None] | None = None, most: int | None = None
    ) -> Verdict | None:
        """Return the verdict of a win by threats for the side to move, None where none is found, or not among `most` nodes.

        `progress` is called with the nodes and the number of threes in a row. Raises Stopped at the deadline (of perf_counter).
        """
        if position.is_over:
            return None
        began, before = perf_counter(), self.nodes
        attack, defence = position.stones(position.side), position.stones(1 - position.side)
        self._deadline, self._most = deadline, None if most is None else before + most
        for threes in range(MOST_THREES + 1):
            if progress is not None:
                self._glance = lambda threes=threes: progress(self.nodes - before, threes)  # type: ignore[misc]
            try:
                win = self.attack(attack, defence, threes)
            except _Spent:
                return None
            if win is not None:
                return self._verdict(position, win, self.nodes - before, perf_counter() - began)
        return None

    def _verdict(self, position: Position, win: Win, nodes: int, seconds: float) -> Verdict:
        line, threes = win
        names = " ".join(self.game.format_cell(cell) for cell in line[:15])
        more = " ..." if len(line) > 15 else ""
        how = "fours alone" if threes == 0 else f"fours and at most {threes} three{'s' if threes > 1 else ''} in a row"
        return Verdict(
            position=position,
            value=1,
            distance=None,
            score=None,
            best_moves=line[:1],
            moves=None,
            method="threats",
            proof=f"threat-space search: {how}, against every reply that could matter: {names}{more}",
            nodes=nodes,
            seconds=seconds,
            megabytes=self._board.megabytes,
        )

    def attack(self, attack: int, defence: int, threes: int) -> Win | None:
        """Return a win of the attacker with so many threes in a row at the most, or one that is known; None where none is found."""
        key = (attack, defence)
        if key in self._won:
            return self._won[key]
        if self._tried.get(key, -1) >= threes:
            return None
        fours = self.by_fours(attack, defence)
        win = Win(fours.line, 0) if fours is not None else self._by_threes(attack, defence, threes) if threes else None
        known: dict[tuple[int, int], int] | dict[tuple[int, int], Win] = self._tried if win is None else self._won
        if len(known) >= MOST_KEPT:
            known.clear()
        if win is None:
            self._tried[key] = threes
        else:
            self._won[key] = win
        return win

    def _by_threes(self, attack: int, defence: int, threes: int) -> Win | None:
        """Return a win that is not by fours alone."""
        must = self._completing(defence, attack, self.masks)
        if must & (must - 1):
            return None
        for move in self._candidates(attack, defence, must):
            after = attack | 1 << move
            made = self._completing(after, defence, self.through[move])
            if not made:
                win = self._after_three(after, defence, threes)
            else:
                win = self.attack(after, defence | made, threes)
                win = None if win is None else Win((made.bit_length() - 1, *win.line), win.threes)
            if win is not None:
                return Win((move, *win.line), win.threes)
        return None

    def _after_three(self, attack: int, defence: int, threes: int) -> Win | None:
        """Return the win by a three that has just been made, from the reply on, None where it is none, or where a reply is too good."""
        threat = self.by_fours(attack, defence)
        if threat is None:
            return None
        longest: tuple[int, ...] = ()
        most = 0
        for reply in bits(threat.zone & ~(attack | defence)):
            win = self.attack(attack, defence | 1 << reply, threes - 1)
            if win is None:
                return None
            if not longest or (win.threes, len(win.line)) >= (most, len(longest)):
                longest = (reply, *win.line)
            most = max(most, win.threes)
        return Win(longest, most + 1)

    def by_fours(self, attack: int, defence: int) -> Fours | None:
        """Return a win of the attacker by fours alone, None where none is found."""
        key = (attack, defence)
        if key not in self._by_fours:
            self._searches += 1
            if self._searches % GLANCE == 0:
                self._glance()
                if self._deadline is not None and perf_counter() > self._deadline:
                    raise Stopped("seconds")
            if self._most is not None and self.nodes > self._most:
                raise _Spent
            if len(self._by_fours) >= MOST_KEPT:
                self._by_fours.clear()
            self._by_fours[key] = self._board.fours(attack, defence)
        return self._by_fours[key]

    def _completing(self, own: int, other: int, masks: tuple[int, ...]) -> int:
        """Return the cells that complete one of these lines."""
        found = 0
        for mask in masks:
            if not mask & other:
                left = mask & ~own
                if not left & (left - 1):
                    found |= left
        return found

    def _candidates(self, attack: int, defence: int, must: int) -> list[int]:
        """Return the moves on lines that lack three cells or fewer, those on most of them first; `must` alone where there is one."""
        weights: dict[int, int] = {}
        for mask in self.masks:
            if not mask & defence:
                left = mask & ~attack
                lacking = left.bit_count()
                if lacking <= 3:
                    for cell in bits(left & must if must else left):
                        weights[cell] = weights.get(cell, 0) + (1 << 2 * (4 - lacking))
        return sorted(weights, key=lambda cell: (-weights[cell], cell))


class _Board:
    """What the kernel works on."""

    def __init__(self, game: LineGame) -> None:
        through: list[list[int]] = [[] for _ in range(game.size)]
        lines = [line.cells() for line in game.lines]
        for number, cells in enumerate(lines):
            for cell in cells:
                through[cell].append(number)
        row, through_row = game.longest_line, max(map(len, through)) + 1
        members = [cell for cells in lines for cell in (*cells, *[0] * (row - len(cells)))]
        ways = [number for numbers in through for number in (*numbers, *[-1] * (through_row - len(numbers)))]
        words = [signed(mix((cell + 1) * GOLDEN)) for cell in range(2 * game.size)]
        self.size = game.size
        self.owners, self.zone = array("q", bytes(8 * game.size)), array("q", bytes(8 * game.size))
        self.line = array("q", bytes(8 * (game.size + 2)))
        self._kept = {
            kernel.LENGTHS: array("q", map(len, lines)),
            kernel.MEMBERS: array("q", members),
            kernel.ATTACKS: array("q", bytes(8 * len(lines))),
            kernel.DEFENCES: array("q", bytes(8 * len(lines))),
            kernel.THROUGH: array("q", ways),
            kernel.WORDS: array("q", words),
            kernel.OWNERS: self.owners,
            kernel.ZONE: self.zone,
            kernel.LINE: self.line,
        }
        self._pages = pages(8 << FAILED)
        self.megabytes = (8 << FAILED) / (1 << 20)
        self.block = array("q", bytes(8 * kernel.BLOCK))
        self.base = self.block.buffer_info()[0]
        for place, number in {
            **{place: numbers.buffer_info()[0] for place, numbers in self._kept.items()},
            kernel.FAILED: addressof(c_char.from_buffer(self._pages)),
            kernel.SHIFT: 64 - FAILED,
            kernel.CELLS: game.size,
            kernel.COUNT: len(lines),
            kernel.ROW: row,
            kernel.THROUGH_ROW: through_row,
        }.items():
            self.block[place] = number

    def fours(self, attack: int, defence: int) -> Fours | None:
        """Return a win of the attacker by fours, None where none is found."""
        for cell in range(self.size):
            self.owners[cell] = 0
        for side, stones in ((1, attack), (2, defence)):
            for cell in bits(stones):
                self.owners[cell] = side
        if not kernel.fours(self.base, FOURS):
            return None
        zone = sum(1 << cell for cell, is_in in enumerate(self.zone) if is_in)
        return Fours(tuple(self.line[: self.block[kernel.LENGTH]]), zone)
