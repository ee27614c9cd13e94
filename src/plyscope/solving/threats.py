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
from collections.abc import Sequence
from ctypes import addressof, c_char
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from plyscope.errors import OptionError
from plyscope.machine.block import signed
from plyscope.machine.memory import pages
from plyscope.randomness import GOLDEN, mix
from plyscope.rules.game import SIDES
from plyscope.rules.linegame import LineGame, Position, bits
from plyscope.rules.symmetry import symmetries
from plyscope.solving.ask import Ask, Solver
from plyscope.solving.compiled import threats as kernel
from plyscope.solving.compiled import wins
from plyscope.solving.running import KernelSolver, raise_if_late
from plyscope.solving.verdict import Verdict, ended

__all__ = ["THREATS", "Fours", "ThreatSolver", "threat_solver"]

MEGABYTES = 256
"""The size of the transposition table."""
BUCKET = 64
"""Bytes of a bucket of that table."""
FOURS = 2_000
"""Nodes of one search by fours, at the most."""
FAILED_BITS = 20
"""The logarithm of the positions that are remembered to have no win by fours."""
FIRST, MORE = 2_000, 4
"""Nodes for which each side is asked about at first, and how many times as many when it is its turn
again."""
SHARED_UNTIL = 6
"""Positions of at most so many stones share an entry with those that are alike by symmetry."""
MOST_SYMMETRIES, MOST_CELLS = 400, 100
"""Symmetries at the most, and cells of a board on which they are looked for."""
PV_PLIES, PV_NODES = 15, 50_000
"""Plies of a winning line of play that are shown, and the nodes of the search for each of its
moves."""


class Fours(NamedTuple):
    """A win by fours."""

    line: tuple[int, ...]
    """Its moves and replies."""
    zone: int
    """Cells outside which one more stone of the defender's would change nothing."""


class Known(NamedTuple):
    """What a search found out about one attacker."""

    wins: bool | None
    """Whether the attacker wins; None where that is open."""
    move: int | None
    """A move of the side to move that pleases it."""
    work: int
    """The logarithm of the nodes that took."""


def _why_not(position: Position) -> str:
    game = position.game
    is_played = game.variations <= {"torus"} and game.longest_line > 2
    return "" if is_played else "a game without gravity that lines win"


def _solve(ask: Ask) -> Verdict | None:
    return threat_solver(ask.position.game).solve(ask)


THREATS = Solver(
    name="threats",
    summary="wins by fours, threes and then quiet moves, without gravity, on boards of any size:"
    " the value and a winning move",
    why_not=_why_not,
    solve=_solve,
)


@lru_cache(maxsize=4)
def threat_solver(game: LineGame) -> ThreatSolver:
    """Return the solver of a game, the same one again: what it knows stays true."""
    return ThreatSolver(game)


class ThreatSolver(KernelSolver):
    """Looks for wins by threats in one game. Raises OptionError for a game without them."""

    entries = (*kernel.ENTRIES, *wins.ENTRIES)

    def __init__(self, game: LineGame, megabytes: int = MEGABYTES) -> None:
        THREATS.require(game.start())
        self._board = _Board(game, megabytes)
        super().__init__(game, [self._board])

    @property
    def _expanded(self) -> int:
        """The nodes of the proof-number searches alone, which `Ask.limit` limits."""
        return self._board.block[wins.EXPANDED]

    def solve(self, ask: Ask) -> Verdict | None:
        """Return the verdict on a position, None where the nodes were not enough.

        Each side is asked about in turn, for more nodes each time. Raises Late and
        KeyboardInterrupt; a win that is proved by then is the verdict, with `keep_interrupted` at
        Ctrl-C too.
        """
        position = ask.position
        if position.is_over:
            return ended(position)
        ask.use(self)
        last, share = self._expanded + ask.limit, FIRST
        open_ = [position.side, 1 - position.side]
        holding: tuple[int, ...] = ()
        while open_:
            if self._expanded >= last:
                return None
            for attacker in tuple(open_):
                left = last - self._expanded
                known = self.wins(replace(ask, limit=min(share, left)), attacker)
                if known.wins:
                    return self._win(ask, attacker, known.move)
                if known.wins is False:
                    open_.remove(attacker)
                    holding = holding if known.move is None else (known.move,)
            share *= MORE
        return self._verdict(ask, None, holding)

    def _win(self, ask: Ask, attacker: int, first: int | None) -> Verdict:
        """Return the verdict on a win that is proved, with a line of play as far as it is known."""
        pv: list[int] = []
        with ask.until_stopped() as stop:  # the win stands without it
            self._follow(pv, ask, attacker, first)
        moves = tuple(pv) or (() if first is None else (first,))
        interrupted = stop.reason if stop.reason == "interrupted" else None
        return self._verdict(ask, attacker, moves, interrupted)

    def _verdict(
        self, ask: Ask, winner: int | None, pv: tuple[int, ...], stopped: str | None = None
    ) -> Verdict:
        position = ask.position
        value = 0 if winner is None else 1 if winner == position.side else -1
        proof = (
            "proof-number search with wins by fours as leaves,"
            " against every reply that could matter"
        )
        if value and pv:
            names = " ".join(self.game.format_cell(cell) for cell in pv[:PV_PLIES])
            proof += f": {names}{' ...' if len(pv) > PV_PLIES else ''}"
        return Verdict(
            value=value,
            best_moves=tuple(position.moves) if value < 0 else pv[:1],
            method=THREATS.name,
            proof=proof,
            stopped=stopped,
            **ask.cost(self),
        )

    def wins(self, ask: Ask, attacker: int, in_place: bool = False) -> Known:
        """Return whether a side completes a line before the other, as far as `ask.limit` nodes
        tell. Raises Late and KeyboardInterrupt; asked `in_place`, these have to wait."""
        board, position = self._board, ask.position
        is_defence = position.side != attacker
        with self._beside.alone:
            self._beside.end()
            raise_if_late(ask.deadline)
            board.place(position.stones(attacker), position.stones(1 - attacker))
            board.block[wins.STOP] = 0

            def prove() -> int:
                return wins.prove(board.base, is_defence, ask.limit)

            def glance() -> None:
                nodes = self.nodes - ask.nodes_before
                ask.tell(f"{nodes:,} nodes, can {SIDES[attacker].upper()} win?")

            entry = prove() if in_place else self._beside.run(prove, ask.deadline, glance)
            own, other = entry >> wins.BITS & wins.MANY, entry & wins.MANY
            if board.block[wins.STOP] or entry == 0 or (own and other):
                return Known(None, None, 0)
            move = board.block[wins.BEST]
            known_move = None if own or move < 0 else move
            return Known((own == 0) != is_defence, known_move, entry >> 2 * wins.BITS)

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

    def _follow(self, pv: list[int], ask: Ask, attacker: int, first: int | None) -> None:
        """Add to `pv` the moves of a win that is proved, as far as few nodes tell them.

        The attacker begins by `first`, if it is to move; the defender plays the replies that took
        most work. Raises Late and KeyboardInterrupt.
        """
        position = ask.position
        while len(pv) <= PV_PLIES and not position.is_over:
            fours = self.by_fours(position, attacker)
            if position.side != attacker:
                move = self._hardest_reply(ask, position, attacker, fours)
            elif fours is not None:
                pv.extend(fours.line)
                return
            else:
                move = self.wins(ask.about(position, PV_NODES), attacker).move if pv else first
            if move is None:
                return
            pv.append(move)
            position = position.play(move)

    def _hardest_reply(
        self, ask: Ask, position: Position, attacker: int, fours: Fours | None
    ) -> int | None:
        """Return the reply to a won position whose refutation took most work; None where few nodes
        tell of no reply that it loses."""
        most, move = -1, None
        for reply in position.moves:
            if fours is None or fours.zone >> reply & 1:
                after = ask.about(position.play(reply), FIRST)
                known = self.wins(after, attacker, in_place=True)
                if known.wins and known.work > most:
                    most, move = known.work, reply
        return move


class _Board:
    """What the kernels work on."""

    def __init__(self, game: LineGame, megabytes: int) -> None:
        self.size, count, row = game.size, len(game.lines), game.longest_line
        group = _symmetries(game)
        words = [signed(mix((cell + 1) * GOLDEN)) for cell in range(2 * game.size)]
        through = _lines_through(game)
        self.owners, self.zone = _zeros(game.size), _zeros(game.size)
        """By cell: whose stone lies there, 1 the attacker's; whether it is in the zone."""
        self.line = _zeros(game.size + 2)
        arrays = {
            kernel.LENGTHS: array("q", (line.mask.bit_count() for line in game.lines)),
            kernel.MEMBERS: _table(row, 0, [line.cells() for line in game.lines]),
            kernel.ATTACKS: _zeros(count),
            kernel.DEFENCES: _zeros(count),
            kernel.THROUGH: _table(max(map(len, through)) + 1, -1, through),
            kernel.WORDS: array("q", words),
            kernel.OWNERS: self.owners,
            kernel.ZONE: self.zone,
            kernel.LINE: self.line,
            kernel.PAIRS: _zeros(count // 64 + 1),
            wins.MOVES: _zeros(2 * game.size * (game.size + 2)),
            wins.IMAGES: array(
                "q",
                [
                    words[side + image[cell]]
                    for side in (0, game.size)
                    for cell in range(game.size)
                    for image in group
                ],
            ),
            wins.HASHES: _zeros(len(group) * (game.size + 2)),
        }
        size = ((megabytes << 20) // BUCKET).bit_length() - 1
        self._failed, self._table = pages(8 << FAILED_BITS), pages(BUCKET << size)
        self.megabytes = ((8 << FAILED_BITS) + (BUCKET << size)) / (1 << 20)
        self._arrays = arrays
        self.block = _zeros(wins.BLOCK)
        self.base = self.block.buffer_info()[0]
        for place, number in {
            **{place: numbers.buffer_info()[0] for place, numbers in arrays.items()},
            kernel.FAILED: addressof(c_char.from_buffer(self._failed)),
            kernel.SHIFT: 64 - FAILED_BITS,
            wins.TABLE: addressof(c_char.from_buffer(self._table)),
            wins.SHIFT: 64 - size,
            wins.FOURS: FOURS,
            wins.SYMMETRIES: len(group),
            wins.ALIKE: SHARED_UNTIL if len(group) > 1 else -1,
            kernel.CELLS: game.size,
            kernel.COUNT: count,
            kernel.ROW: row,
            kernel.THROUGH_ROW: max(map(len, through)) + 1,
        }.items():
            self.block[place] = number

    @property
    def nodes(self) -> int:
        """The nodes visited so far, those of the searches by fours among them."""
        return self.block[kernel.NODES] + self.block[wins.EXPANDED]

    def stop(self) -> None:
        """Have the kernel stop."""
        self.block[wins.STOP] = 1

    def place(self, attack: int, defence: int) -> None:
        """Put the stones of both sides on the board."""
        for cell in range(self.size):
            self.owners[cell] = 0
        for side, stones in ((1, attack), (2, defence)):
            for cell in bits(stones):
                self.owners[cell] = side


def _zeros(count: int) -> array[int]:
    return array("q", bytes(8 * count))


def _table(width: int, filler: int, rows: Sequence[Sequence[int]]) -> array[int]:
    """Return rows of numbers, each filled up to one width [row, place]."""
    table = array("q")
    for row in rows:
        table.extend([*row, *[filler] * (width - len(row))])
    return table


def _lines_through(game: LineGame) -> list[list[int]]:
    """Return the numbers of the lines through each cell."""
    through: list[list[int]] = [[] for _ in range(game.size)]
    for number, line in enumerate(game.lines):
        for cell in line.cells():
            through[cell].append(number)
    return through


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
