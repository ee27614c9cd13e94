"""Connect Four and its kind solved: the exact score of any position with gravity on a board of up
to 64 bits, a column one more than its cells.

Method: `compiled/connect`. The score is found by asking whether it is above a bound, cheap
questions far from 0 first, since quick wins answer them at once; near 0 the question is whether it
is won at all. Positions are tried with a small table first: most are done before a large one would
have been fetched into the processor's cache.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from ctypes import addressof, c_char
from functools import lru_cache
from time import perf_counter

from plyscope.errors import OptionError
from plyscope.machine.block import signed
from plyscope.machine.memory import pages
from plyscope.machine.run import Beside, Late
from plyscope.rules.linegame import LineGame, Position
from plyscope.solving.compiled import connect
from plyscope.solving.running import OUT_OF_TIME, Compiled, Stopped
from plyscope.solving.verdict import MoveVerdict, Verdict, move_of_score, worth_of_score

__all__ = ["ConnectSolver", "can_connect", "connect_solver"]

WORDS = 64
MEGABYTES = 32
"""The largest table, unless more is asked for: the empty board of 7×6 gains nothing from more."""
SMALL_TABLES = ((13, 20_000), (18, 1_000_000))
"""The logarithms of the entries of the tables that are tried first, and the nodes for which they
are."""
MIRRORED, NOT_LOOKED, NOT_KEPT = 16, 8, 4
"""Mirror images share an entry below so many stones; children are not looked up, and positions not
kept, with so few cells left."""
QUICK = 500_000
"""Nodes that are visited, at the most, without a look for Ctrl-C between them: some 50
milliseconds."""
MOST_AT_ONCE = 2_000
"""Positions that are solved, as far as the first table goes, without coming back to Python."""
UNLIMITED = 1 << 62
LOW, HIGH = 2, 3
"""Where the bounds are among the words of a position that is asked for."""


def can_connect(game: LineGame) -> bool:
    """Return whether the solver plays this game: gravity, a flat board, straight lines of one
    length that win, and room in a word."""
    is_plain = (
        game.gravity
        and not game.misere
        and not game.torus
        and isinstance(game.given, int)
        and game.given > 1
    )
    return is_plain and len(game.shape) == 2 and game.width * (game.height + 1) <= WORDS


@lru_cache(maxsize=4)
def connect_solver(game: LineGame, megabytes: int = MEGABYTES) -> ConnectSolver:
    """Return the solver of a game, the same one again: its tables stay true."""
    return ConnectSolver(game, megabytes)


class ConnectSolver(Compiled):
    """Solves positions of one game; `nodes` counts those of all that it has solved. Raises
    OptionError for a game it does not play."""

    def __init__(self, game: LineGame, megabytes: int = MEGABYTES) -> None:
        if not can_connect(game):
            raise OptionError(
                f"{game.name!r} for the solver of gravity games; expected k in a row with gravity on at most {WORDS} bits"
            )
        assert isinstance(game.given, int)
        self.game = game
        self.kernels = connect.of_board(game.width, game.height, game.given)
        self.entries = self.kernels.ENTRIES
        self.bits = game.width * (game.height + 1)
        largest = (megabytes << 17).bit_length() - 1
        sizes = [(size, limit) for size, limit in SMALL_TABLES if size < largest]
        self.tables = [_Table(self, size, limit) for size, limit in (*sizes, (largest, UNLIMITED))]
        self._beside = Beside(self._stop)

    @property
    def nodes(self) -> int:
        """The nodes visited so far."""
        return sum(table.block[connect.NODES] for table in self.tables)

    def score(
        self,
        position: Position,
        deadline: float | None = None,
        progress: Callable[[int, int, int], None] | None = None,
    ) -> int:
        """Return the score of the side to move: the stones that the winner has left plus one,
        negative for a loss, 0 for a draw.

        `progress` is called with the nodes, and the bounds of the score known so far. Raises
        Stopped at the deadline (of `perf_counter`), and KeyboardInterrupt.
        """
        return self._scored(position, deadline, progress)[0]

    def _scored(
        self,
        position: Position,
        deadline: float | None,
        progress: Callable[[int, int, int], None] | None,
    ) -> tuple[int, _Table]:
        """Return the score, and the table in which it was found."""
        asked = array("q", _asked(position))
        for table in self.tables:
            self._take_time(table, asked, table.limit, deadline, progress)
            if asked[LOW] == asked[HIGH]:
                break
        return asked[LOW], table

    def scores(self, positions: Sequence[Position]) -> list[int]:
        """Return the score of each of `positions`, as `score` does, the easy ones without coming
        back to Python between them."""
        found: list[int] = []
        for begin in range(0, len(positions), MOST_AT_ONCE):
            some = positions[begin : begin + MOST_AT_ONCE]
            asked = array("q", [word for position in some for word in _asked(position)])
            self._take_time(self.tables[0], asked, self.tables[0].limit)
            bounds = zip(
                some, asked[LOW :: connect.ASKED], asked[HIGH :: connect.ASKED], strict=True
            )
            found += [
                low if low == high else self.score(position) for position, low, high in bounds
            ]
        return found

    def _take_time(
        self,
        table: _Table,
        asked: array[int],
        limit: int,
        deadline: float | None = None,
        progress: Callable[[int, int, int], None] | None = None,
    ) -> None:
        """Bring the bounds of positions together, as far as `limit` nodes for each suffice; where
        these are many, beside this thread."""
        with self._beside.alone:
            self._beside.end()
            if deadline is not None and perf_counter() >= deadline:
                raise Stopped(OUT_OF_TIME)
            table.block[connect.STOP] = 0
            if limit * len(asked) <= QUICK * connect.ASKED:
                self._narrow(table, asked, limit)
            else:
                self._go_on(table, asked, limit, deadline, progress)

    def _go_on(
        self,
        table: _Table,
        asked: array[int],
        limit: int,
        deadline: float | None,
        progress: Callable[[int, int, int], None] | None,
    ) -> None:
        def glance() -> None:
            if progress is not None:
                progress(self.nodes, table.block[connect.LOW], table.block[connect.HIGH])

        try:
            self._beside.run(lambda: self._narrow(table, asked, limit), deadline, glance)
        except Late:
            raise Stopped(OUT_OF_TIME) from None

    def _narrow(self, table: _Table, asked: array[int], limit: int) -> None:
        self.kernels.narrow(table.base, asked.buffer_info()[0], len(asked) // connect.ASKED, limit)

    def _stop(self) -> None:
        for table in self.tables:
            table.block[connect.STOP] = connect.ENDED

    @property
    def megabytes(self) -> float:
        """The memory of the tables that are used."""
        return sum(table.megabytes for table in self.tables if table.block[connect.NODES])

    def solve(
        self,
        position: Position,
        with_moves: bool = True,
        deadline: float | None = None,
        progress: Callable[[int, int, int], None] | None = None,
        keep_interrupted: bool = False,
    ) -> Verdict:
        """Return the verdict on a position, with that of every move; raises Stopped and
        KeyboardInterrupt.

        Where the score and a best move are known when the time is over, or with `keep_interrupted`
        at Ctrl-C, they are the verdict."""
        began, before = perf_counter(), self.nodes
        score, table = self._scored(position, deadline, progress)
        value, distance = worth_of_score(position, score)
        moves: tuple[MoveVerdict, ...] | None = None
        best: tuple[int, ...] = ()
        stopped: str | None = None
        try:
            best = self._best(position, score, table, deadline)
            if with_moves:
                scores = (
                    (move, self.score(position.play(move), deadline, progress))
                    for move in position.moves
                )
                moves = tuple(move_of_score(position, move, after) for move, after in scores)
                best = tuple(
                    item.move for item in moves if (item.value, item.distance) == (value, distance)
                )
        except Stopped as error:
            stopped = str(error)
        except KeyboardInterrupt:
            if not keep_interrupted:
                raise
            stopped = "interrupted"
        return Verdict(
            position=position,
            value=value,
            distance=distance,
            score=score,
            best_moves=best,
            moves=moves,
            method="connect",
            proof="alpha-beta with null windows over the score, to the end of the game",
            nodes=self.nodes - before,
            seconds=perf_counter() - began,
            megabytes=self.megabytes,
            stopped=stopped,
        )

    def _best(
        self, position: Position, score: int, table: _Table, deadline: float | None
    ) -> tuple[int, ...]:
        """Return a move that keeps the score, none where the game is over: of the moves whose
        answer takes few nodes, as that of one should in the table in which the score was found, the
        most central one."""
        column = {cell: number for number, cells in enumerate(self.game.columns) for cell in cells}
        left = sorted(position.moves, key=lambda move: abs(2 * column[move] - self.game.width + 1))
        limit = SMALL_TABLES[0][1]
        while left:
            for move in tuple(left):
                stones, both, _, _ = _asked(position.play(move))
                asked = array("q", (stones, both, -score, 1 - score))
                self._take_time(table, asked, limit, deadline)
                if asked[HIGH] <= -score:
                    return (move,)
                if asked[LOW] > -score:
                    left.remove(move)
            limit *= 8
        return ()


def _asked(position: Position) -> tuple[int, int, int, int]:
    """Return a position as the kernel takes it: the stones of the side to move, all stones, and
    bounds of its score."""
    first, second = position.first, position.second
    return (
        signed(second if position.side else first),
        signed(first | second),
        -connect.UNBOUND,
        connect.UNBOUND,
    )


class _Table:
    """A table, the block that goes with it, and the nodes for which it is."""

    def __init__(self, solver: ConnectSolver, size: int, limit: int) -> None:
        bits = solver.bits
        buckets = max(min(size - 1, bits), connect.KEY_FROM + bits - 64, 0)
        self.limit = limit
        self.megabytes = (16 << buckets) / (1 << 20)
        self._pages = pages(16 << buckets)
        self.block = array("q", bytes(8 * connect.BLOCK))
        self.base = self.block.buffer_info()[0]
        cells = solver.game.size
        for place, number in {
            connect.TABLE: addressof(c_char.from_buffer(self._pages)),
            connect.SHIFT: bits - buckets,
            connect.REST: (1 << (bits - buckets)) - 1,
            connect.MIRRORED: MIRRORED,
            connect.LOOKING: cells - NOT_LOOKED,
            connect.KEEPING: cells - NOT_KEPT,
        }.items():
            self.block[place] = signed(number)
