"""Games of lines without gravity solved, on boards of up to 64 cells: does a side complete a line,
in the strong game or in the weak one?

Method: `compiled/lines`. Two questions tell the value of the strong game: does the side to move
win, and if not, does its opponent? In the weak game (Maker–Breaker) X is the Maker and wins with a
line, O the Breaker wins when there is none: one question.

What the table holds stays true whatever is asked of the game, so a table that lies in a file is a
checkpoint: a solve that was stopped goes on from there. Positions are told apart by 58 bits of a
mixed key: of a billion look-ups, one meets a wrong entry with a chance of less than one in a
hundred million.
"""

from __future__ import annotations

import hashlib
import os
from array import array
from collections.abc import Callable
from ctypes import addressof, c_char
from functools import lru_cache
from mmap import mmap
from os import SEEK_END
from pathlib import Path
from time import perf_counter
from typing import BinaryIO, NamedTuple

from plyscope.errors import OptionError
from plyscope.machine.block import signed
from plyscope.machine.memory import pages
from plyscope.machine.run import Beside, Late
from plyscope.randomness import GOLDEN, mix
from plyscope.rules.linegame import LineGame, Position, bits
from plyscope.rules.symmetry import symmetries
from plyscope.solving.compiled import lines as kernels
from plyscope.solving.running import OUT_OF_NODES, OUT_OF_TIME, Compiled, Stopped
from plyscope.solving.verdict import MoveVerdict, Verdict

__all__ = ["Answer", "LinesSolver", "can_fill_lines", "lines_solver"]

WORDS = 64
MOST_WEIGHT = 1 << 62
"""What all lines weigh together has to fit in a word."""
MEGABYTES = 256
SMALL_TABLE = (13, 100_000)
"""The logarithm of the buckets of the table that is tried first, and the nodes for which it is:
most positions are done before a large one would have been fetched."""
BUCKET = 32
HEAD = 4096
"""Bytes of a checkpoint before its table, which say what it is of and how large."""
FORMAT, EARLIER = "plyscope checkpoint 2", "plyscope checkpoint 1\n{}\n"
LARGEST = 48
"""More than the logarithm of the buckets of any table."""
BLOCK = 1 << 20
EFFORT, WEAK_EFFORT = (200, 8), (500, 16)
"""Steps of a search for pairs and the replies after which pairs are looked for, and those of long
searches of the weak game, in which pairs that are hard to find save more than they cost."""
ALIKE = 12
"""Positions that are alike by symmetry share entries until so many cells are closed."""
ROUND = 20_000
"""Nodes of the weak game's first replies in the first round; the strong game, whose wins threats
find, has no rounds: they cost more than they save."""
QUICK = 100_000
"""Nodes within which a position, and then each of its moves, is solved unasked."""
IN_PLACE = 50_000
"""Nodes, divided by the game's lines, that are searched before anybody looks for Ctrl-C:
milliseconds, in which most questions are answered. What takes longer goes on beside the
interpreter, with the table as it is by then."""


def can_fill_lines(game: LineGame) -> bool:
    """Return whether the solver plays this game: any lines that win on at most 64 cells, without
    gravity."""
    is_plain = not game.gravity and not game.misere and game.size <= WORDS
    return is_plain and len(game.masks) << game.longest_line < MOST_WEIGHT


@lru_cache(maxsize=4)
def lines_solver(game: LineGame, weak: bool = False) -> LinesSolver:
    """Return the solver of a game, the same one again: its tables stay true."""
    return LinesSolver(game, weak)


Words = tuple[int, int, int, int, int, int, bool]
"""What the kernel is called with, behind its block."""


class Answer(NamedTuple):
    """Whether the attacker `wins`; a best `move` where the answer pleases the side to move; and the
    `zone`, cells outside which stones of the other side would change nothing."""

    wins: bool
    move: int | None
    zone: int


class LinesSolver(Compiled):
    """Solves positions of one game, strong or `weak`; `nodes` counts those of all that it has
    solved.

    With a `checkpoint` the table lies in that file, and what an earlier solve of the same game left
    in it is used. Raises OptionError for a game it does not play, and for a file that is something
    else.
    """

    entries = kernels.ENTRIES

    def __init__(
        self,
        game: LineGame,
        weak: bool = False,
        megabytes: int = MEGABYTES,
        checkpoint: Path | None = None,
    ) -> None:
        if not can_fill_lines(game):
            raise OptionError(
                f"{game.name!r} for the solver of lines; expected lines that win, without gravity, on at most {WORDS} cells"
            )
        self.game, self.weak = game, weak
        self._made = _Made(game)
        largest = (megabytes << 20).bit_length() - BUCKET.bit_length()
        sizes = [SMALL_TABLE] if SMALL_TABLE[0] < largest and checkpoint is None else []
        self.tables = [_Table(self, size, limit, None) for size, limit in sizes]
        self.tables.append(_Table(self, largest, kernels.UNLIMITED, checkpoint))
        self._in_place = IN_PLACE // max(1, len(game.masks))
        self._beside = Beside(self._stop)

    @property
    def nodes(self) -> int:
        """The nodes visited so far."""
        return sum(table.block[kernels.NODES] for table in self.tables)

    def wins(
        self,
        position: Position,
        attacker: int,
        deadline: float | None = None,
        progress: Callable[[int, float], None] | None = None,
        limit: int | None = None,
    ) -> Answer:
        """Return whether a side completes a line, in the strong game before the other.

        `progress` is called with the nodes and the share of the first moves that is done. Raises
        Stopped at the deadline (of `perf_counter`) or after `limit` nodes, and KeyboardInterrupt.
        """
        attack, defence = position.stones(attacker), position.stones(1 - attacker)
        needs = self._completing(attack, defence)
        threats = 0 if self.weak else self._completing(defence, attack)
        longest = self.game.longest_line
        weight = sum(
            [
                1 << (longest - (mask & ~attack).bit_count())
                for mask in self.game.masks
                if not mask & defence
            ]
        )
        words = (
            signed(attack),
            signed(defence),
            0,
            signed(needs),
            signed(threats),
            weight,
            position.side != attacker,
        )
        with self._beside.alone:
            self._beside.end()
            for table in self.tables:
                if deadline is not None and perf_counter() >= deadline:
                    raise Stopped(OUT_OF_TIME)
                most = table.limit if limit is None else min(limit, table.limit)
                last = table.block[kernels.NODES] + most
                found = None
                if table.is_small:
                    table.ask(min(last, last - most + self._in_place))
                    found = kernels.attack(table.base, *words)
                if found is None or (table.block[kernels.SPENT] and most > self._in_place):
                    table.ask(last)
                    found = self._go_on(table, words, deadline, progress)
                if not table.block[kernels.STOP] and not table.block[kernels.SPENT]:
                    cell = table.block[kernels.BEST]
                    is_right = found == (position.side == attacker)
                    zone = table.block[kernels.ZONE] & self.game.board
                    return Answer(
                        bool(found), self._legal(position, cell) if is_right else None, zone
                    )
                if most == limit:
                    break
        raise Stopped(OUT_OF_NODES)

    def _go_on(
        self,
        table: _Table,
        words: Words,
        deadline: float | None,
        progress: Callable[[int, float], None] | None,
    ) -> bool:
        """Let the kernel take its time beside this thread."""

        def glance() -> None:
            if progress is not None:
                progress(self.nodes, table.done())

        try:
            return bool(self._beside.run(lambda: self._attack(table, words), deadline, glance))
        except Late:
            raise Stopped(OUT_OF_TIME) from None
        finally:
            table.save()

    def _attack(self, table: _Table, words: Words) -> bool:
        return bool(kernels.attack(table.base, *words))

    def _stop(self) -> None:
        for table in self.tables:
            table.block[kernels.STOP] = 1

    def _completing(self, own: int, other: int) -> int:
        left = [mask & ~own for mask in self.game.masks if not mask & other]
        return sum({cells for cells in left if cells.bit_count() == 1})

    def _legal(self, position: Position, cell: int) -> int | None:
        moves = position.moves
        return cell if cell in moves else moves[0] if moves else None

    def solve(
        self,
        position: Position,
        with_moves: bool = True,
        deadline: float | None = None,
        progress: Callable[[int, float], None] | None = None,
        limit: int | None = None,
        keep_interrupted: bool = False,
    ) -> Verdict:
        """Return the verdict on a position, with that of every move where these take little; raises
        Stopped and KeyboardInterrupt.

        With a `limit`, no question is searched for more nodes. Where the value is known when the
        time is over, or with `keep_interrupted` at Ctrl-C, it is the verdict."""
        began, before = perf_counter(), self.nodes
        value, move = self._value(position, deadline, progress, limit)
        best = position.moves if value < 0 else [] if move is None else [move]
        moves: tuple[MoveVerdict, ...] | None = None
        stopped: str | None = None
        try:
            moves = (
                self._moves(position, deadline)
                if with_moves and self.nodes - before <= QUICK
                else None
            )
        except Stopped as error:
            stopped = str(error)
        except KeyboardInterrupt:
            if not keep_interrupted:
                raise
            stopped = "interrupted"
        if moves is not None:
            best = [item.move for item in moves if item.value == value]
        return Verdict(
            position=position,
            value=value,
            distance=None,
            score=None,
            best_moves=tuple(best),
            moves=moves,
            method="lines",
            proof="depth-first search with zones of relevance, pairings and weights of lines"
            + (", of the weak game" if self.weak else ""),
            nodes=self.nodes - before,
            seconds=perf_counter() - began,
            megabytes=self.megabytes,
            stopped=stopped,
            weak=self.weak,
        )

    @property
    def megabytes(self) -> float:
        """The memory of the tables that are used."""
        return sum(table.megabytes for table in self.tables if table.block[kernels.NODES])

    def _value(
        self,
        position: Position,
        deadline: float | None = None,
        progress: Callable[[int, float], None] | None = None,
        limit: int | None = None,
    ) -> tuple[int, int | None]:
        """Return the value of a position to the side to move, and a best move where the position is
        not lost."""
        side = position.side
        if position.winner == 0 or (position.is_over and not self.weak):
            return 0 if position.winner is None else 1 if position.winner == side else -1, None
        if self.weak:  # in which a line of the Breaker's ends nothing
            found, move, _ = self.wins(position, 0, deadline, progress, limit)
            return (1 if found == (side == 0) else -1), move
        found, move, _ = self.wins(position, side, deadline, progress, limit)
        if found:
            return 1, move
        found, move, _ = self.wins(position, 1 - side, deadline, progress, limit)
        return -1 if found else 0, move

    def _moves(self, position: Position, deadline: float | None) -> tuple[MoveVerdict, ...] | None:
        """Return what every move is worth, None where that takes long; raise Stopped at the
        deadline."""
        found = []
        for move in position.moves:
            try:
                value, _ = self._value(position.play(move), deadline, limit=QUICK)
            except Stopped as error:
                if str(error) != OUT_OF_NODES:
                    raise
                return None
            text = self.game.format_move(position, move)
            found.append(MoveVerdict(move=move, text=text, value=-value, distance=None))
        return tuple(found)


class _Made:
    """What the kernel wants of a game: its lines, the random words of its positions' keys, and the
    images of cells."""

    def __init__(self, game: LineGame) -> None:
        through = game.masks_through
        crowd = [len(masks) for masks in through]
        masks = sorted(game.masks, key=lambda mask: sum(crowd[cell] for cell in bits(mask)))
        self.lines = array("q", map(signed, masks))
        self.row = max(crowd) + 1
        self.through = array("q", bytes(8 * WORDS * self.row))
        group = _few_symmetries(game)
        self.is_symmetric = len(group) > 1
        self.words = array("q", bytes(8 * 3 * WORDS * kernels.SYMMETRIES))
        self.images = array("q", bytes(8 * 2 * WORDS * kernels.SYMMETRIES))
        for cell in range(game.size):
            for index, mask in enumerate(through[cell]):
                self.through[cell * self.row + index] = signed(mask)
            for number in range(kernels.SYMMETRIES):
                image = group[number % len(group)][cell]
                self.images[WORDS * number + cell] = image
                self.images[WORDS * (kernels.SYMMETRIES + number) + image] = cell
                for kind in range(3):
                    word = mix((WORDS * kind + image + 1) * GOLDEN)
                    self.words[(WORDS * kind + cell) * kernels.SYMMETRIES + number] = signed(word)


def _few_symmetries(game: LineGame) -> list[tuple[int, ...]]:
    """Return a group of the board's symmetries that has as many as the kernel takes, or fewer."""
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
    """A table, the block that goes with it, and the nodes for which it is."""

    def __init__(self, solver: LinesSolver, size: int, limit: int, checkpoint: Path | None) -> None:
        game, made = solver.game, solver._made
        self.limit = limit
        tries, tried = WEAK_EFFORT if solver.weak and limit == kernels.UNLIMITED else EFFORT
        self._file: mmap | None = None
        if checkpoint is None:
            self._pages, at = pages(BUCKET << size), 0
        else:
            self._pages = self._file = _opened(checkpoint, solver, size)
            size, at = ((len(self._pages) - HEAD) // BUCKET).bit_length() - 1, HEAD
        self.megabytes = (BUCKET << size) / (1 << 20)
        self.is_small = self.megabytes < 1
        """Whether the first look at its memory takes no time."""
        self._lists = array("q", bytes(8 * (WORDS // 2 + 2) * (len(made.lines) + kernels.OPTIONS)))
        self.block = array("q", bytes(8 * kernels.BLOCK))
        self.base = self.block.buffer_info()[0]
        for place, number in {
            kernels.TABLE: addressof(c_char.from_buffer(self._pages, at)),
            kernels.SHIFT: 64 - size,
            kernels.LINES: made.lines.buffer_info()[0],
            kernels.COUNT: len(made.lines),
            kernels.OTHERS: 0 if solver.weak else len(made.lines),
            kernels.THROUGH: made.through.buffer_info()[0],
            kernels.ROW: made.row,
            kernels.LONGEST: game.longest_line,
            kernels.SYMMETRIC: max(game.size - ALIKE, 0) if made.is_symmetric else WORDS,
            kernels.ZOBRIST: made.words.buffer_info()[0],
            kernels.IMAGES: made.images.buffer_info()[0],
            kernels.PAIRS: self._lists.buffer_info()[0],
            kernels.SEAL: _seal(solver),
            kernels.TRIES: tries,
            kernels.TRIED: tried,
            kernels.ROUND: ROUND if solver.weak else kernels.UNLIMITED,
        }.items():
            self.block[place] = number

    def ask(self, limit: int) -> None:
        """Make the block ready for a question, which stops at so many nodes."""
        block = self.block
        block[kernels.STOP] = block[kernels.SPENT] = 0
        block[kernels.BEST], block[kernels.LIMIT] = -1, limit

    def done(self) -> float:
        """Return the share of the moves of the first plies that have been searched."""
        share, found = 1.0, 0.0
        for ply in range(kernels.SHOWN):
            index, count = divmod(self.block[kernels.DONE + ply], 256)
            share /= max(count, 1)
            found += share * index
        return found

    def save(self) -> None:
        """Write the checkpoint to the disk. Raises OptionError where that fails."""
        if self._file is not None:
            try:
                self._file.flush()
            except OSError as error:
                raise OptionError(
                    f"checkpoint: {error.strerror}; expected a disk that can be written"
                ) from None


def _seal(solver: LinesSolver) -> int:
    """Return the word that makes entries those of this game, strong or weak."""
    digest = hashlib.sha256(_kind(solver).encode()).digest()
    return signed(int.from_bytes(digest[:8]) & ~63)


def _kind(solver: LinesSolver) -> str:
    return f"{'weak' if solver.weak else 'strong'} {solver.game.digest}"


def _head(solver: LinesSolver, size: int) -> bytes:
    """Return the head of a checkpoint of 2 to the `size` buckets."""
    said = f"{FORMAT}\n{_kind(solver)}\n{size}\n".encode()
    return (said + hashlib.sha256(said).hexdigest().encode()).ljust(HEAD, b"\n")


def _opened(path: Path, solver: LinesSolver, size: int) -> mmap:
    """Return the memory of a checkpoint, made with 2 to the `size` buckets where it is not there.

    Every entry vouches for itself: what was cut off a file is forgotten, and what was put behind it
    is cut off.
    """
    told = f"checkpoint {str(path)!r}"
    try:
        was_there = path.exists()
        with path.open("a+b") as file:
            file.seek(0)
            if there := file.read(HEAD):
                size = _size_of(there, solver, told)
            try:
                if not there:
                    file.write(_head(solver, size))
                    file.flush()
                _reserve(file, HEAD + (BUCKET << size))
            except OSError:
                if not was_there:
                    path.unlink()
                raise
            return mmap(file.fileno(), 0)
    except OptionError:
        raise
    except (OSError, ValueError) as error:  # a ValueError for a name that no file can have
        reason = getattr(error, "strerror", None) or error
        raise OptionError(f"{told}: {reason}; expected a file that can be written") from None


def _size_of(head: bytes, solver: LinesSolver, told: str) -> int:
    """Return the logarithm of the buckets that a head tells. Raises OptionError for one that is not
    of this game, or damaged."""
    for size in range(LARGEST):
        if head == _head(solver, size):
            return size
    game = f"the {'weak' if solver.weak else 'strong'} game of {solver.game.name}"
    if head == EARLIER.format(_kind(solver)).encode().ljust(HEAD, b"\n"):
        raise OptionError(
            f"{told} is one of {game} without checksums, of an earlier version; expected a new file"
        )
    raise OptionError(
        f"{told} is no checkpoint of {game}, or its head is damaged; expected its own, or a new file"
    )


def _reserve(file: BinaryIO, size: int) -> None:
    """Give the file its size, and that its room on the disk: a page that finds none when it is
    written to would end the process."""
    there = file.seek(0, SEEK_END)
    try:
        file.truncate(min(there, size))
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, size)
        else:
            for at in range(there, size, BLOCK):
                file.write(bytes(min(BLOCK, size - at)))
            file.flush()
    except OSError:
        file.truncate(there)
        raise
