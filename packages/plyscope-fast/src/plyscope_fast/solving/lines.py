"""The solver of line games without gravity, on up to 64 cells: does a side complete a line?

`kernels/lines` holds the method. Two questions give the value of the strong game: does the side to
move win, and if not, does its opponent? The weak game (Maker–Breaker) is one question: X, the
Maker, wins with a line, and O, the Breaker, wins if there is none. In misère the two questions are
whether a side makes the other complete a line.

Entries of the table stay valid for all questions about the game. So a table in a file is a
checkpoint, from which a stopped solve can be resumed. Positions are identified by 58 bits of a
mixed key: the chance that a billion look-ups meet a wrong entry is below one in a hundred million.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable
from ctypes import addressof, c_char
from functools import lru_cache
from mmap import mmap
from pathlib import Path
from typing import NamedTuple

from plyscope.errors import OptionError
from plyscope.randomness import GOLDEN, mix
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.rules.symmetry import symmetries
from plyscope.searching.limit import NO_LIMIT, SearchStopped
from plyscope.solving.accelerated import JOBS, LINES, MAX_CELLS
from plyscope.solving.ask import Ask
from plyscope.solving.verdict import MoveVerdict, Verdict, move_verdict, result_of
from plyscope_fast.machine.block import signed
from plyscope_fast.machine.memory import pages, table_bytes
from plyscope_fast.solving.checkpoint import HEADER_BYTES, kind_of, open_checkpoint
from plyscope_fast.solving.kernels import lines as kernels
from plyscope_fast.solving.running import KernelSolver, raise_if_late, wipe

TABLE_MEGABYTES = 256
"""The size of the large table."""
FRESH_MEGABYTES = 1
"""The size of the large table if solvers start with empty tables."""
SMALL_TABLE = (13, 100_000)
"""Of the table that is tried first: the bits of a bucket's number, and the node limit. The table
fits in the processor's cache; most positions are solved with it."""
BUCKET_BYTES = 32
"""Bytes of a bucket: two entries of two words."""
EFFORT, WEAK_EFFORT = (200, 8), (500, 16)
"""Two numbers each: the step limit of a search for pairs, and the number of the defender's replies
after which pairs are searched for at first. WEAK_EFFORT is for long searches of the weak game, in
which pairs that are hard to find save more than they cost."""
PAIR_TRIES = 5_000
"""The step limit of a search for pairs that are returned, to be part of a proof: each pairing found
makes the proof shorter."""
MAX_SHARED_CLOSED_CELLS = 12
"""The number of closed cells up to which symmetric positions share an entry."""
ROUND_NODES = 20_000
"""The node limit of first replies in the first round of the weak game. The strong game has no
rounds: they cost more than they save, since threats find its wins."""
QUICK_NODES = 100_000
"""If the position took at most this number of nodes, each move is solved too, with this limit."""
IN_PLACE_NODES = 50_000
"""This number divided by the number of lines is the number of nodes searched without a check for
Ctrl-C: a few milliseconds, enough for most questions. Longer searches continue in another thread
with the same table."""


def solve(ask: Ask) -> Verdict:
    """Return the verdict on a position."""
    game = ask.position.game
    if ask.is_fresh:
        return lines_solver(game, ask.maker_breaker, FRESH_MEGABYTES).emptied().solve(ask)
    return solver_of(ask).solve(ask)


@lru_cache(maxsize=4)
def lines_solver(
    game: LineGame, weak: bool = False, megabytes: int = TABLE_MEGABYTES
) -> LinesSolver:
    """Return the solver of a game, the same object each time: its tables stay valid."""
    return LinesSolver(game, weak, megabytes)


def solver_of(ask: Ask) -> LinesSolver:
    """Return the solver of a question, with the tables of earlier questions about the game or with
    those of its checkpoint."""
    game, is_weak = ask.position.game, ask.maker_breaker
    if ask.checkpoint is not None:
        return LinesSolver(game, is_weak, ask.megabytes or TABLE_MEGABYTES, ask.checkpoint)
    sizes = () if ask.megabytes is None else (ask.megabytes,)  # a default is not passed: the cache
    return lines_solver(game, is_weak, *sizes)  # would take it for another solver


Question = tuple[int, bool, int, int, int, int, int]
"""The arguments of the kernel after its block."""


class Answer(NamedTuple):
    """The result of the kernel for one attacker."""

    wins: bool
    """Whether the attacker completes a line, in the strong game before the opponent does."""
    move: int | None
    """A best move, if the answer is good for the side to move."""
    zone: int
    """The relevance zone: stones of the other side outside of it would change nothing. In misère it
    is the whole board."""


class LinesSolver(KernelSolver):
    """Solves positions of one game: the strong game, or if `weak` the Maker–Breaker game.

    With a `checkpoint` the table is stored in that file, and entries of an earlier solve of the
    same game are used. Raises OptionError for a game that the solver does not support, or if the
    file is not a table of this game.
    """

    entries = kernels.ENTRIES

    def __init__(
        self,
        game: LineGame,
        weak: bool = False,
        megabytes: int = TABLE_MEGABYTES,
        checkpoint: Path | None = None,
    ) -> None:
        if weak:  # of the same games as jobs
            JOBS.require(game.start(), ("maker_breaker",))
        LINES.require(game.start())
        self.weak = weak
        if game.misere:
            self.entries = kernels.MISERE_ENTRIES
        if game.exactly:
            self.entries = kernels.EXACT_ENTRIES
        large = table_bytes(megabytes).bit_length() - BUCKET_BYTES.bit_length()
        arrays, (small, limit) = _Arrays(game), SMALL_TABLE
        has_small = small < large and checkpoint is None
        self.tables = [_Table(game, arrays, weak, small, EFFORT, limit)] if has_small else []
        effort = WEAK_EFFORT if weak else EFFORT
        self.tables.append(_Table(game, arrays, weak, large, effort, checkpoint=checkpoint))
        self._in_place = IN_PLACE_NODES // max(1, len(game.masks))
        super().__init__(game, self.tables)

    def solve(self, ask: Ask) -> Verdict:
        """Return the verdict on a position; include verdicts on every move if they cost little.

        If the deadline, or Ctrl-C with `keep_interrupted`, comes after the value has been found,
        return the value without the moves. Raises SearchStopped, Late or KeyboardInterrupt.
        """
        ask.use(self)
        value, move = self._value(ask)
        best = ask.position.moves if value < 0 else [] if move is None else [move]
        moves: tuple[MoveVerdict, ...] | None = None
        with ask.until_stopped() as stop:
            if ask.with_moves and self.nodes - ask.nodes_before <= QUICK_NODES:
                moves = self._moves(ask)
        if moves is not None:
            best = [item.move for item in moves if item.value == value]
        return Verdict(
            value=value,
            best_moves=tuple(best),
            moves=moves,
            method=LINES.name,
            proof="depth-first search of misère to the end"
            if self.game.misere
            else "depth-first search with zones of relevance, pairings and weights of lines"
            + (", of the Maker–Breaker game" if self.weak else ""),
            stopped=stop.reason,
            **ask.cost(self),
        )

    def _value(self, ask: Ask) -> tuple[int, int | None]:
        """Return the value for the side to move, and a best move if the position is not lost."""
        position = ask.position
        if position.winner == 0 or (position.is_over and not self.weak):
            return result_of(position), None
        if self.weak:  # a line of the Breaker's does not end this game
            wins, move, _ = self.wins(ask, 0)
            return (1 if wins == (position.side == 0) else -1), move
        wins, move, _ = self.wins(ask, position.side)
        if wins:
            return 1, move
        wins, move, _ = self.wins(ask, 1 - position.side)
        return -1 if wins else 0, move

    def _moves(self, ask: Ask) -> tuple[MoveVerdict, ...] | None:
        """Return the verdicts on all moves, None if they take too long. Raises Late."""
        position, moves = ask.position, []
        for move in position.moves:
            try:
                value, _ = self._value(ask.about(position.play(move), QUICK_NODES))
            except SearchStopped:
                return None
            moves.append(move_verdict(position, move, value))
        return tuple(moves)

    def wins(self, ask: Ask, attacker: int) -> Answer:
        """Return whether `attacker` can force a line; in the strong game, before the opponent has
        one.

        Raises SearchStopped after `ask.limit` nodes, Late and KeyboardInterrupt.
        """
        position = ask.position
        stones = position.stones(attacker), position.stones(1 - attacker)
        wins, best, zone = self._answer(ask, self._question(*stones, position.side != attacker))
        pleases = wins == (position.side == attacker)
        return Answer(wins, _legal(position, best) if pleases else None, zone)

    def holds(self, ask: Ask, attack: int, defence: int) -> bool:
        """Return whether the defender, not to move, stops every line of the attacker.

        `attack` and `defence` are their stones. Raises as `wins` does.
        """
        return not self._answer(ask, self._question(attack, defence, False))[0]

    def reply(self, ask: Ask, attack: int, defence: int) -> int | None:
        """Return the move of the defender, to move, with which it stops every line of the attacker;
        None if there is none.

        `attack` and `defence` are their stones. Raises as `wins` does.
        """
        wins, best, _ = self._answer(ask, self._question(attack, defence, True))
        if wins:
            return None
        return best if best != kernels.NONE else next(bits(self.game.board & ~(attack | defence)))

    def pairs(self, attack: int, defence: int) -> list[tuple[int, int]] | None:
        """Return disjoint pairs of cells such that every line without a stone of the defender
        contains one; None if none are found in PAIR_TRIES steps."""
        is_paired = kernels.is_paired(
            self.tables[-1].block, signed(attack), signed(defence), PAIR_TRIES
        )
        return self._pairs_found() if is_paired else None

    def holding_reply(self, attack: int, defence: int) -> tuple[int, list[tuple[int, int]]] | None:
        """Return a move of the defender, to move, after which it stops every line by pairs, and the
        pairs, or after which the lines weigh so little that no pairs are needed; None if none is
        found."""
        open_ = self._open_to(attack, defence)
        cell = kernels.holding_reply(
            self.tables[-1].block,
            signed(attack),
            signed(defence),
            signed(_completing(open_)),
            self._weight(open_),
            PAIR_TRIES,
        )
        return None if cell == kernels.NONE else (cell, self._pairs_found())

    def _pairs_found(self) -> list[tuple[int, int]]:
        """Return the pairs that the kernel has found."""
        block = self.tables[-1].block
        partner = block.partner
        first = ((cell, partner[cell]) for cell in bits(block.paired & self.game.board))
        return [(cell, later - 1) for cell, later in first if later]

    def _answer(self, ask: Ask, question: Question) -> tuple[bool, int, int]:
        """Return whether the attacker wins, the best move found, and the zone."""
        limit = min(ask.limit, ask.left(self))
        with self._thread_runner.alone:
            self._thread_runner.end()
            for table in self.tables:
                raise_if_late(ask.deadline)
                nodes = min(limit, table.limit)
                wins = self._search(table, question, nodes, ask)
                block = table.block
                if not block.stop and not block.spent:
                    zone = -1 if self.game.misere else block.zones[0]
                    return wins, block.best, zone & self.game.board
                if nodes == limit:
                    break
        raise SearchStopped("nodes")

    def _question(self, attack: int, defence: int, is_defence: bool) -> Question:
        """Return the arguments of the kernel for a question."""
        missing = self._exact_to if self.game.exactly else self._open_to
        threats = [] if self.weak else missing(defence, attack)
        return (
            0,
            is_defence,
            signed(attack),
            signed(defence),
            signed(_completing(missing(attack, defence))),
            signed(_completing(threats)),
            self._weight(self._open_to(attack, defence)),
        )

    def _open_to(self, own: int, other: int) -> list[int]:
        """Return the missing cells of every line that a side can still complete."""
        return [mask & ~own for mask in self.game.masks if not mask & other]

    def _exact_to(self, own: int, other: int) -> list[int]:
        """Return the missing cells of every exact line that a side can still complete."""
        return [
            line.mask & ~own
            for line in self.game.lines
            if not line.mask & other and not line.ends & own
        ]

    def _weight(self, open_lines: list[int]) -> int:
        """Return the weight of lines with these missing cells."""
        longest = self.game.longest_line
        return sum(1 << longest - left.bit_count() for left in open_lines)

    def _search(self, table: _Table, question: Question, nodes: int, ask: Ask) -> bool:
        """Let the kernel search at most `nodes` nodes.

        With a small table the first nodes are searched in this thread, the rest in another one.
        """
        last = table.nodes + nodes
        if table.is_small:
            table.begin(min(last, table.nodes + self._in_place))
            wins = table.answer(question)
            if not table.block.spent or nodes <= self._in_place:
                return wins
        table.begin(last)

        def poll() -> None:
            ask.report(f"{self.nodes:,} nodes, {table.done():.1%} of the first moves searched")

        try:
            return bool(self._thread_runner.run(lambda: table.answer(question), ask.deadline, poll))
        finally:
            table.save()


def _legal(position: Position, cell: int) -> int | None:
    moves = position.moves
    return cell if cell in moves else moves[0] if moves else None


def _completing(open_lines: Iterable[int]) -> int:
    """Return the cells that complete a line, given the missing cells of the open lines."""
    return sum({cells for cells in open_lines if cells.bit_count() == 1})


class _Arrays:
    """The arrays of a game that the kernel reads."""

    def __init__(self, game: LineGame) -> None:
        through = game.masks_through
        crowd = [len(masks) for masks in through]
        lines = sorted(game.lines, key=lambda line: sum(crowd[cell] for cell in line.cells()))
        group = _few_symmetries(game)
        self.lines = array("q", (signed(line.mask) for line in lines))
        self.ends = array("q", (signed(line.ends) for line in lines))
        self.row = max(crowd) + 1
        """The number of words for each cell in `through`."""
        self.through = array("q", bytes(8 * MAX_CELLS * self.row))
        """The lines through each cell, ended by a 0 [cell, line]."""
        self.is_symmetric = len(group) > 1
        self.words = array("q", bytes(8 * 3 * MAX_CELLS * kernels.SYMMETRIES))
        """The random words of positions' keys [kind of cell, cell, symmetry]."""
        self.images = array("q", bytes(8 * 2 * MAX_CELLS * kernels.SYMMETRIES))
        """The cells' images under each symmetry, then under its inverse [symmetry, cell]."""
        for cell in range(game.size):
            for index, mask in enumerate(through[cell]):
                self.through[cell * self.row + index] = signed(mask)
            for number in range(kernels.SYMMETRIES):
                self._carry(cell, group[number % len(group)][cell], number)

    def _carry(self, cell: int, image: int, number: int) -> None:
        """Store that a symmetry maps a cell to its image."""
        self.images[MAX_CELLS * number + cell] = image
        self.images[MAX_CELLS * (kernels.SYMMETRIES + number) + image] = cell
        for kind in range(3):
            word = mix((MAX_CELLS * kind + image + 1) * GOLDEN)
            self.words[(MAX_CELLS * kind + cell) * kernels.SYMMETRIES + number] = signed(word)


def _few_symmetries(game: LineGame) -> list[tuple[int, ...]]:
    """Return a group of symmetries of the board that is no larger than the kernel allows."""
    group = {tuple(range(game.size))}
    for symmetry in symmetries(game):
        wider = group | {symmetry}
        while len(wider) <= kernels.SYMMETRIES:
            products = {
                tuple(first[second[cell]] for cell in range(game.size))
                for first in wider
                for second in wider
            }
            if products == wider:
                group = wider
                break
            wider = products
    return sorted(group)


class _Table:
    """A transposition table, the block of its kernel, and its node limit."""

    def __init__(
        self,
        game: LineGame,
        arrays: _Arrays,
        weak: bool,
        size: int,
        effort: tuple[int, int],
        limit: int = NO_LIMIT,
        checkpoint: Path | None = None,
    ) -> None:
        self.limit = limit
        self._is_misere, self._is_exact = game.misere, game.exactly
        self._file: mmap | None = None
        if checkpoint is None:
            self._pages, at = pages(BUCKET_BYTES << size), 0
        else:
            self._pages = self._file = open_checkpoint(checkpoint, game, weak, BUCKET_BYTES, size)
            size, at = (
                ((len(self._pages) - HEADER_BYTES) // BUCKET_BYTES).bit_length() - 1,
                HEADER_BYTES,
            )
        self.megabytes = (BUCKET_BYTES << size) / (1 << 20)
        self.is_small = self.megabytes < 1
        """Whether the table fits in the processor's cache."""
        count = len(arrays.lines)
        tries, tried = effort
        depths = MAX_CELLS // 2 + 2
        self.block = kernels.Search(
            lists=bytes(depths * count),
            options=bytes(depths * kernels.LINE_PAIRS),
            lines=arrays.lines,
            ends=arrays.ends,
            count=count,
            others=0 if weak else count,
            through=arrays.through,
            row=arrays.row,
            longest=game.longest_line,
            table=addressof(c_char.from_buffer(self._pages, at)),
            shift=64 - size,
            board=signed(game.board),
            seal=_seal(game, weak),
            symmetric=max(game.size - MAX_SHARED_CLOSED_CELLS, 0)
            if arrays.is_symmetric
            else MAX_CELLS,
            zobrist=arrays.words,
            images=arrays.images,
            tries=tries,
            tried=tried,
            round=ROUND_NODES if weak else NO_LIMIT,
        )

    def begin(self, last: int) -> None:
        """Prepare the block for a question that stops when `nodes` reaches `last`."""
        block = self.block
        block.stop = block.spent = 0
        block.best, block.limit = kernels.NONE, last

    def answer(self, question: Question) -> bool:
        """Run the kernel."""
        if self._is_misere:
            return kernels.attacker_forces(self.block, *question[:4])
        if self._is_exact:
            return kernels.attacker_wins_exactly(self.block, *question)
        return kernels.attacker_wins(self.block, *question)

    def forget(self) -> None:
        """Clear the table."""
        wipe(self._pages, 0 if self._file is None else HEADER_BYTES)

    def stop(self) -> None:
        """Stop the kernel."""
        self.block.stop = 1

    @property
    def nodes(self) -> int:
        """The nodes visited so far."""
        return self.block.nodes

    def done(self) -> float:
        """Return the fraction of the moves of the first plies that have been searched."""
        share, done = 1.0, 0.0
        for ply in range(kernels.PROGRESS_PLIES):
            progress = self.block.progress[ply]
            share /= max(progress.count, 1)
            done += share * progress.index
        return done

    def save(self) -> None:
        """Write the checkpoint to disk; raise OptionError if that fails."""
        if self._file is not None:
            try:
                self._file.flush()
            except OSError as error:
                raise OptionError(
                    f"checkpoint: {error.strerror}; expected a file that can be written"
                ) from None


def _seal(game: LineGame, weak: bool) -> int:
    """Return the word that makes entries those of this game, strong or weak."""
    digest = hashlib.sha256(kind_of(game, weak).encode()).digest()
    return signed(int.from_bytes(digest[:8]) & ~63)
