"""Wins by threats, on boards of any size: proof-number search over games of lines without gravity,
in which fours are not searched.

A *four* is a line that lacks one cell of being complete, whatever its length: it has to be answered
there. A *three* is a move after which fours alone would win if the other side did nothing. Wins by
fours are leaves. The fours that a three threatens come with their zone: their cells and replies,
and the open cells of every line on which the defender, with one stone more, would have a four of
its own. Against a reply outside the zone the fours win as they are, and every reply inside it is
searched. So a tree of threats is narrow where the game's is wide, and a win that is found is
proved.

Quiet moves are tried too, after those that threaten more; so where neither side can be shown to win
for lack of moves, the game is a draw. That takes long: wins are what this solver is good at.

Sources: Allis, van den Herik & Huntjens 1996 (threats); Thomsen 2000 (their order); `compiled/wins`
(the search).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from ctypes import addressof, c_char
from functools import lru_cache
from time import perf_counter
from typing import NamedTuple

from plyscope.errors import OptionError
from plyscope.machine.block import signed
from plyscope.machine.memory import pages
from plyscope.machine.run import Beside, Late
from plyscope.randomness import GOLDEN, mix
from plyscope.rules.game import SIDES
from plyscope.rules.linegame import LineGame, Position, bits
from plyscope.rules.symmetry import symmetries
from plyscope.solving.compiled import threats as kernel
from plyscope.solving.compiled import wins
from plyscope.solving.running import OUT_OF_TIME, Compiled, Stopped
from plyscope.solving.verdict import Verdict

__all__ = ["Fours", "ThreatSolver", "can_threaten", "threat_solver"]

MEGABYTES = 256
BUCKET = 64
FOURS = 2_000
"""Nodes of one search by fours, at the most."""
FAILED = 20
"""The logarithm of the positions that are remembered to have no win by fours."""
FIRST, MORE = 2_000, 4
"""Nodes for which each side is asked about at first, and how many times as many when it is its turn
again."""
UNLIMITED = 1 << 60
ALIKE = 6
"""Positions of so many stones share an entry with those that are alike by symmetry."""
MOST_SYMMETRIES, MOST_CELLS = 400, 100
"""Symmetries at the most, and cells of a board on which they are looked for."""
SHOWN, ADO = 15, 50_000
"""Plies of a win that are told, and the nodes for which one of its moves is looked for again."""


class Fours(NamedTuple):
    """A win by fours: its moves and replies, and the zone outside which one more stone of the
    defender's would change nothing."""

    line: tuple[int, ...]
    zone: int


class Known(NamedTuple):
    """What was found out: whether the attacker wins, None where that is open; a move of the side to
    move that pleases it; and how much work that took, as a logarithm."""

    wins: bool | None
    move: int | None
    work: int


def can_threaten(game: LineGame) -> bool:
    """Return whether wins by threats can be looked for."""
    return not game.gravity and not game.misere and game.longest_line > 2


@lru_cache(maxsize=4)
def threat_solver(game: LineGame) -> ThreatSolver:
    """Return the solver of a game, the same one again: what it knows stays true."""
    return ThreatSolver(game)


class ThreatSolver(Compiled):
    """Looks for wins by threats in one game. Raises OptionError for a game without them."""

    entries = (*kernel.ENTRIES, *wins.ENTRIES)

    def __init__(self, game: LineGame, megabytes: int = MEGABYTES) -> None:
        if not can_threaten(game):
            raise OptionError(
                f"method 'threats' on {game.name!r}; expected a game without gravity that lines win"
            )
        self.game = game
        self._board = _Board(game, megabytes)
        self._beside = Beside(self._stop)

    @property
    def megabytes(self) -> float:
        """The memory of the tables."""
        return self._board.megabytes

    @property
    def nodes(self) -> int:
        """The nodes visited so far, those of the searches by fours among them."""
        return self._board.block[kernel.NODES] + self._board.block[wins.EXPANDED]

    def solve(
        self,
        position: Position,
        deadline: float | None = None,
        progress: Callable[[int, str], None] | None = None,
        most: int | None = None,
        keep_interrupted: bool = False,
    ) -> Verdict | None:
        """Return the verdict on a position, None where it is over or `most` nodes, those by fours
        not counted, were not enough.

        `progress` is called with the nodes and what is being tried. Raises Stopped at the deadline
        (of perf_counter) and KeyboardInterrupt; a win that is proved by then is the verdict, with
        `keep_interrupted` at Ctrl-C too.
        """
        if position.is_over:
            return None
        began, before = perf_counter(), self.nodes
        left, share = UNLIMITED if most is None else most, FIRST
        open_ = [position.side, 1 - position.side]
        holding: tuple[int, ...] = ()
        while left > 0 and open_:
            for attacker in tuple(open_):
                told = f"can {SIDES[attacker].upper()} win?"
                expanded = self._board.block[wins.EXPANDED]
                glance = (
                    None
                    if progress is None
                    else lambda told=told: progress(self.nodes - before, told)
                )
                known = self.wins(position, attacker, min(share, left), deadline, glance)
                left -= self._board.block[wins.EXPANDED] - expanded
                if known.wins:
                    line, stopped = list[int](), None
                    try:
                        self._follow(line, position, attacker, known.move, deadline)
                    except Stopped:
                        pass  # the win stands without its line
                    except KeyboardInterrupt:
                        if not keep_interrupted:
                            raise
                        stopped = "interrupted"
                    first = () if known.move is None else (known.move,)
                    nodes, spent = self.nodes - before, perf_counter() - began
                    return self._verdict(
                        position, attacker, tuple(line) or first, nodes, spent, stopped
                    )
                if known.wins is False:
                    open_.remove(attacker)
                    holding = holding if known.move is None else (known.move,)
            share *= MORE
        return (
            None
            if open_
            else self._verdict(position, None, holding, self.nodes - before, perf_counter() - began)
        )

    def _verdict(
        self,
        position: Position,
        winner: int | None,
        line: tuple[int, ...],
        nodes: int,
        seconds: float,
        stopped: str | None = None,
    ) -> Verdict:
        names = " ".join(self.game.format_cell(cell) for cell in line[:SHOWN])
        told = (
            f": {names}{' ...' if len(line) > SHOWN else ''}" if winner is not None and line else ""
        )
        value = 0 if winner is None else 1 if winner == position.side else -1
        return Verdict(
            position=position,
            value=value,
            distance=None,
            score=None,
            best_moves=tuple(position.moves) if value < 0 else line[:1],
            moves=None,
            method="threats",
            proof=f"proof-number search with wins by fours as leaves, against every reply that could matter{told}",
            nodes=nodes,
            seconds=seconds,
            megabytes=self.megabytes,
            stopped=stopped,
        )

    def wins(
        self,
        position: Position,
        attacker: int,
        nodes: int = UNLIMITED,
        deadline: float | None = None,
        glance: Callable[[], None] | None = None,
        in_place: bool = False,
    ) -> Known:
        """Return whether a side completes a line before the other, as far as so many nodes tell.
        Raises Stopped and KeyboardInterrupt; asked `in_place`, these have to wait."""
        board = self._board
        is_defence = position.side != attacker
        with self._beside.alone:
            self._beside.end()
            if deadline is not None and perf_counter() >= deadline:
                raise Stopped(OUT_OF_TIME)
            board.place(position.stones(attacker), position.stones(1 - attacker))
            board.block[wins.STOP] = 0
            try:
                if in_place:
                    data = wins.prove(board.base, is_defence, nodes)
                else:
                    data = self._beside.run(
                        lambda: wins.prove(board.base, is_defence, nodes), deadline, glance
                    )
            except Late:
                raise Stopped(OUT_OF_TIME) from None
            own, other = data >> wins.BITS & wins.MANY, data & wins.MANY
            if board.block[wins.STOP] or data == 0 or (own and other):
                return Known(None, None, 0)
            move = board.block[wins.BEST]
            return Known(
                (own == 0) != is_defence, None if own or move < 0 else move, data >> 2 * wins.BITS
            )

    def _stop(self) -> None:
        self._board.block[wins.STOP] = 1

    def by_fours(self, position: Position, attacker: int) -> Fours | None:
        """Return how the attacker, were it to move, would win by fours alone, None where no such
        win is found."""
        board = self._board
        with self._beside.alone:
            self._beside.end()
            board.place(position.stones(attacker), position.stones(1 - attacker))
            if not kernel.fours(board.base, FOURS):
                return None
            zone = sum(1 << cell for cell, is_in in enumerate(board.zone) if is_in)
            return Fours(tuple(board.line[: board.block[kernel.LENGTH]]), zone)

    def _follow(
        self,
        line: list[int],
        position: Position,
        attacker: int,
        first: int | None,
        deadline: float | None,
    ) -> None:
        """Add to `line` a line of a win that is proved, which the attacker begins by `first` if it
        is to move, against the replies that took most work; as far as it is known without much ado.
        Raises Stopped and KeyboardInterrupt."""
        while len(line) <= SHOWN and not position.is_over:
            fours = self.by_fours(position, attacker)
            if position.side == attacker:
                if fours is not None:
                    line.extend(fours.line)
                    return
                move = first if not line else self.wins(position, attacker, ADO, deadline).move
            else:
                most, move = -1, None
                for reply in position.moves:
                    if fours is None or fours.zone >> reply & 1:
                        known = self.wins(
                            position.play(reply), attacker, FIRST, deadline, in_place=True
                        )
                        if known.wins and known.work > most:
                            most, move = known.work, reply
            if move is None:
                return
            line.append(move)
            position = position.play(move)


class _Board:
    """What the kernel works on."""

    def __init__(self, game: LineGame, megabytes: int) -> None:
        through: list[list[int]] = [[] for _ in range(game.size)]
        lines = [line.cells() for line in game.lines]
        for number, cells in enumerate(lines):
            for cell in cells:
                through[cell].append(number)
        row, through_row = game.longest_line, max(map(len, through)) + 1
        members = [cell for cells in lines for cell in (*cells, *[0] * (row - len(cells)))]
        ways = [
            number
            for numbers in through
            for number in (*numbers, *[-1] * (through_row - len(numbers)))
        ]
        group = _symmetries(game)
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
            kernel.PAIRS: array("q", bytes(8 * (len(lines) // 64 + 1))),
            wins.MOVES: array("q", bytes(16 * game.size * (game.size + 2))),
            wins.IMAGES: array(
                "q",
                [
                    words[side + image[cell]]
                    for side in (0, game.size)
                    for cell in range(game.size)
                    for image in group
                ],
            ),
            wins.HASHES: array("q", bytes(8 * len(group) * (game.size + 2))),
        }
        size = ((megabytes << 20) // BUCKET).bit_length() - 1
        self._failed, self._table = pages(8 << FAILED), pages(BUCKET << size)
        self.megabytes = ((8 << FAILED) + (BUCKET << size)) / (1 << 20)
        self.block = array("q", bytes(8 * wins.BLOCK))
        self.base = self.block.buffer_info()[0]
        for place, number in {
            **{place: numbers.buffer_info()[0] for place, numbers in self._kept.items()},
            kernel.FAILED: addressof(c_char.from_buffer(self._failed)),
            kernel.SHIFT: 64 - FAILED,
            wins.TABLE: addressof(c_char.from_buffer(self._table)),
            wins.SHIFT: 64 - size,
            wins.FOURS: FOURS,
            wins.SYMMETRIES: len(group),
            wins.ALIKE: ALIKE if len(group) > 1 else -1,
            kernel.CELLS: game.size,
            kernel.COUNT: len(lines),
            kernel.ROW: row,
            kernel.THROUGH_ROW: through_row,
        }.items():
            self.block[place] = number

    def place(self, attack: int, defence: int) -> None:
        """Put the stones of both sides on the board."""
        for cell in range(self.size):
            self.owners[cell] = 0
        for side, stones in ((1, attack), (2, defence)):
            for cell in bits(stones):
                self.owners[cell] = side


def _symmetries(game: LineGame) -> tuple[tuple[int, ...], ...]:
    """Return the symmetries of the lines or, where these are too many, of the board; the identity
    alone where finding them takes longer than they save."""
    if game.size > MOST_CELLS:
        return (tuple(range(game.size)),)
    try:
        group = symmetries(game, "lines")
    except OptionError:
        group = symmetries(game)
    return group if len(group) <= MOST_SYMMETRIES else group[:1]
