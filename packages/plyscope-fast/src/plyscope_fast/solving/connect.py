"""The solver of Connect Four and other gravity games: the exact score of any position.

A board takes up to 64 bits; a column has one bit more than cells. `kernels/connect` holds the
method. Null-window searches narrow the bounds of the score, beginning far from 0, where fast wins
decide at once. A small transposition table is tried first, since it fits in the processor's cache
and solves most positions.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ctypes import addressof, c_char
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from plyscope.extras import JIT_PACKAGES, missing
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.limit import NO_LIMIT, SearchStopped
from plyscope.solving.accelerated import CONNECT
from plyscope.solving.ask import Ask
from plyscope.solving.verdict import MoveVerdict, Verdict, move_of_score, value_of_score
from plyscope_fast.machine.block import WORD_BYTES, Rows, signed
from plyscope_fast.machine.kernel import Kernel
from plyscope_fast.machine.memory import pages, table_bytes
from plyscope_fast.machine.threads import ThreadRunner
from plyscope_fast.solving.kernels import connect
from plyscope_fast.solving.running import KernelSolver, raise_if_late, wipe

TABLE_MEGABYTES = 32
"""The default size of the largest table; the empty board of 7×6 gains nothing from more."""
FRESH_MEGABYTES = 4
"""The size of the largest table if solvers start with empty tables."""
SMALL_TABLES = ((14, 20_000), (18, 1_000_000))
"""Of each table that is tried first: the binary logarithm of its entries, and its node limit."""
MAX_MIRRORED_STONES = 16
"""The number of stones below which mirror images share an entry."""
LATE_CELLS, NOT_STORED_CELLS, NOT_SHARED_CELLS = 16, 4, 12
"""The numbers of empty cells up to which positions belong to the first table, which fits into the
cache, whatever the table of the others; up to which they are not stored; and up to which threads do
not avoid each other."""
QUICK_NODES = 500_000
"""The limit of nodes visited without a check for Ctrl-C, about 50 milliseconds."""
BATCH_POSITIONS = 2_000
"""The number of positions that one call of the kernel tries to solve with the first table."""
LOW, HIGH, QUESTION_WORDS = 2, 3, connect.Question.size()
"""The indices of the bounds among the words of a question, and the number of words."""


def solve(ask: Ask) -> Verdict:
    """Return the verdict on a position."""
    game = ask.position.game
    if ask.is_fresh:
        return connect_solver(game, FRESH_MEGABYTES).emptied().solve(ask)
    return solver_of(ask).solve(ask)


@lru_cache(maxsize=4)
def connect_solver(game: LineGame, megabytes: int = TABLE_MEGABYTES) -> ConnectSolver:
    """Return the solver of a game, the same object each time: its tables stay valid."""
    return ConnectSolver(game, megabytes)


def solver_of(ask: Ask) -> ConnectSolver:
    """Return the solver of a question, with the tables of earlier questions about the game."""
    sizes = () if ask.megabytes is None else (ask.megabytes,)  # a default is not passed: the cache
    return connect_solver(ask.position.game, *sizes)  # would take it for another solver


def kernels_of(game: LineGame) -> tuple[Kernel, ...]:
    """Return the kernels for the board of a gravity game: those that are compiled for it, or those
    for any board if nothing can be compiled here."""
    kernels = tuple(kernel.of(_shape(game)) for kernel in connect.ENTRIES)
    is_there = not missing(JIT_PACKAGES) or all(kernel.is_ready for kernel in kernels)
    return kernels if is_there else connect.FOR_ANY


def _shape(game: LineGame) -> connect.Shape:
    assert isinstance(game.given, int)
    return connect.Shape(game.width, game.height, game.given)


class ConnectSolver(KernelSolver):
    """A solver of one gravity game; raises OptionError for other games."""

    def __init__(self, game: LineGame, megabytes: int = TABLE_MEGABYTES) -> None:
        CONNECT.require(game.start())
        self.shape, self.entries = _shape(game), kernels_of(game)
        self._data = connect.AnyShape.of_shape(self.shape)
        largest = (table_bytes(megabytes) >> 3).bit_length() - 1
        sizes = [(size, limit) for size, limit in SMALL_TABLES if size < largest]
        self.tables: list[_Table] = []
        for size, limit in (*sizes, (largest, NO_LIMIT)):
            self.tables.append(_Table(self.shape, size, limit, *self.tables[:1]))
        super().__init__(game, self.tables)
        self._helpers: list[ThreadRunner] = []

    def solve(self, ask: Ask) -> Verdict:
        """Return the verdict on a position and on every move.

        If the deadline, or Ctrl-C with `keep_interrupted`, comes after the score has been found,
        return the score without the moves. Raises SearchStopped, Late or KeyboardInterrupt.
        """
        ask.use(self)
        position = ask.position
        score, table = self._score(ask)
        value, distance = value_of_score(position, score)
        moves: tuple[MoveVerdict, ...] | None = None
        best: tuple[int, ...] = ()
        with ask.until_stopped() as stop:
            best = self._best(ask, score, table)
            if ask.with_moves:
                moves = tuple(self._move(ask, move) for move in position.moves)
        if moves is not None:
            is_best = (value, distance)
            best = tuple(item.move for item in moves if (item.value, item.distance) == is_best)
        return Verdict(
            value=value,
            distance=distance,
            score=score,
            best_moves=best,
            moves=moves,
            method=CONNECT.name,
            proof="alpha-beta with null windows over the score, to the end of the game",
            stopped=stop.reason,
            **ask.cost(self),
        )

    def score(self, ask: Ask) -> int:
        """Return the score of a position, as in `Verdict`. Raises Late and KeyboardInterrupt."""
        return self._score(ask)[0]

    def scores(self, positions: Sequence[Position]) -> list[int]:
        """Return the score of each position; one call of the kernel solves the easy ones."""
        scores: list[int] = []
        for begin in range(0, len(positions), BATCH_POSITIONS):
            some = positions[begin : begin + BATCH_POSITIONS]
            questions = array("q", [word for position in some for word in _question(position)])
            self._narrow(self.tables[0], questions)
            lows, highs = questions[LOW::QUESTION_WORDS], questions[HIGH::QUESTION_WORDS]
            scores += [
                low if low == high else self.score(Ask(position))
                for position, low, high in zip(some, lows, highs, strict=True)
            ]
        return scores

    def _score(self, ask: Ask, *bounds: int) -> tuple[int, _Table]:
        """Return the score, and the table that found it.

        Outside the `bounds`, low and high, it is only a bound of the score.
        """
        question = array("q", _question(ask.position, *bounds))
        for table in self.tables:
            self._narrow(table, question, ask)
            if question[LOW] == question[HIGH]:
                return question[LOW], table
        raise SearchStopped("nodes")

    def _move(self, ask: Ask, move: int) -> MoveVerdict:
        position = ask.position
        return move_of_score(position, move, self.score(replace(ask, position=position.play(move))))

    def _best(self, ask: Ask, score: int, table: _Table) -> tuple[int, ...]:
        """Return a move that keeps the score, none if the game is over.

        Moves are tested from the centre outwards, with few nodes at first, and with more if no move
        was shown to keep it. The table that found the score holds most answers.
        """
        left, limit = self._inner_first(ask.position), SMALL_TABLES[0][1]
        while left:
            for move in tuple(left):
                question = array("q", _question(ask.position.play(move), -score, 1 - score))
                self._narrow(table, question, ask, limit)
                if question[HIGH] <= -score:
                    return (move,)
                if question[LOW] > -score:
                    left.remove(move)
            limit *= 8
        return ()

    def _inner_first(self, position: Position) -> list[int]:
        width = self.game.width
        return sorted(position.moves, key=lambda move: abs(2 * (move % width) + 1 - width))

    def first_move(self, ask: Ask, least: int) -> int | None:
        """Return the first move, from the centre outwards, whose score is at least `least`, None if
        there is none.

        The content of the tables does not change the answer. Raises as `score` does.
        """
        ask.use(self)
        for move in self._inner_first(ask.position):
            if self.keeps(ask, move, least):
                return move
        return None

    def keeps(self, ask: Ask, move: int, least: int) -> bool:
        """Return whether the score after a move is at least `least`. Raises as `score` does."""
        after = replace(ask, position=ask.position.play(move))
        return self._score(after, -least, 1 - least)[0] <= -least

    def _narrow(
        self, table: _Table, questions: array[int], ask: Ask | None = None, limit: int | None = None
    ) -> None:
        """Narrow the bounds of positions, with at most `limit` nodes for each.

        The default limit is the table's; the remaining nodes of the question limit it too. If these
        are many nodes, the kernel runs in another thread.
        """
        nodes = table.limit if limit is None else limit
        if ask is not None:
            nodes = min(nodes, ask.left(self))
        deadline = None if ask is None else ask.deadline

        def call() -> None:
            self._run(table.block, questions, nodes)

        def poll() -> None:
            if ask is not None:
                bounds = f"{table.block.low} to {table.block.high}".replace("-", "−")
                ask.report(f"{self.nodes:,} nodes, the score lies in {bounds}")

        with self._thread_runner.alone:
            for runner in (self._thread_runner, *self._helpers):
                runner.end()
            raise_if_late(deadline)
            table.block.stop = 0
            if nodes * len(questions) <= QUICK_NODES * QUESTION_WORDS:
                call()
            else:
                is_limited = limit is not None or table.limit < NO_LIMIT
                more = 0 if ask is None or is_limited or ask.nodes < NO_LIMIT else ask.threads - 1
                with self._helped(table, questions, more):
                    self._thread_runner.run(call, deadline, poll)

    def _run(self, block: connect.Search, questions: array[int], nodes: int) -> None:
        rows = Rows(questions.buffer_info()[0], connect.Question)
        (narrow,) = self.entries
        shape = () if narrow.constants else (self._data,)
        narrow(*shape, block, rows, len(questions) // QUESTION_WORDS, nodes)

    @contextmanager
    def _helped(self, table: _Table, question: array[int], threads: int) -> Iterator[None]:
        """Let more threads narrow the bounds of a position while its score is searched for with the
        table's block; the first one that has the score stops the others."""

        def narrow(block: connect.Search, copy: array[int]) -> None:
            self._run(block, copy, NO_LIMIT)
            if copy[LOW] == copy[HIGH]:
                table.block.stop = connect.STOP_ALL

        blocks, copies = table.shared(threads), [array("q", question) for _ in range(threads)]
        self._helpers = [
            ThreadRunner(partial(setattr, block, "stop", connect.STOP_ALL)) for block in blocks
        ]
        try:
            for runner, block, copy in zip(self._helpers, blocks, copies, strict=True):
                runner.begin(partial(narrow, block, copy))
            yield
        finally:
            for runner in self._helpers:
                runner.end()
        for copy in copies:
            if copy[LOW] == copy[HIGH]:
                question[:] = copy


def _question(
    position: Position, low: int = -connect.NO_BOUND, high: int = connect.NO_BOUND
) -> tuple[int, int, int, int]:
    """Return the words of a position for the kernel: own stones, all stones, score bounds."""
    own = position.stones(position.side)
    return signed(own), signed(position.first | position.second), low, high


class _Table:
    """A transposition table, the block of its kernel, and its node limit."""

    def __init__(
        self, shape: connect.Shape, size: int, limit: int, first: _Table | None = None
    ) -> None:
        buckets = max(min(size - 1, shape.bits), shape.bits - connect.KEY_BITS, 0)
        self.limit = limit
        self.megabytes = (16 << buckets) / (1 << 20)
        self._pages = pages(16 << buckets)
        self.shift, self.address = shape.bits - buckets, addressof(c_char.from_buffer(self._pages))
        late = first or self  # the one with the fewest buckets
        self._busy = array("q", bytes(WORD_BYTES * connect.BUSY_KEYS))
        self._sharing = max(0, shape.cells - NOT_SHARED_CELLS)
        self._fields: dict[str, Any] = {
            "table": late.address,
            "late": shape.cells - LATE_CELLS,
            "late_shift": late.shift,
            "begin": (self.address - late.address) // WORD_BYTES,
            "shift": self.shift,
            "rest": (1 << late.shift) - 1,
            "mirrored": MAX_MIRRORED_STONES,
            "keeping": shape.cells - NOT_STORED_CELLS,
            "busy": self._busy.buffer_info()[0],
        }
        self.block = connect.Search(**self._fields)
        self._others: list[connect.Search] = []

    def shared(self, count: int) -> list[connect.Search]:
        """Return blocks of `count` more threads, which avoid each other and the table's block."""
        self._busy[:] = array("q", bytes(WORD_BYTES * connect.BUSY_KEYS))
        while len(self._others) < count:
            self._others.append(connect.Search(**self._fields))
        blocks = self._others[:count]
        for block in (self.block, *blocks):
            block.stop, block.sharing = 0, self._sharing if count else 0
        return blocks

    @property
    def nodes(self) -> int:
        """The nodes visited so far, by all threads."""
        return self.block.nodes + sum(block.nodes for block in self._others)

    def forget(self) -> None:
        """Clear the table."""
        wipe(self._pages)

    def stop(self) -> None:
        """Stop the kernel."""
        self.block.stop = connect.STOP_ALL
