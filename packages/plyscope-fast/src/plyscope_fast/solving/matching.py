"""The solver that blocks lines which share at most one cell, on boards of any size.

`kernels/matching` holds the method.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations

from plyscope.randomness import GOLDEN, mix
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.symmetry import quick_symmetries
from plyscope.searching.limit import SearchStopped
from plyscope.solving.ask import Ask
from plyscope_fast.machine.block import WORD_BYTES, Words, signed
from plyscope_fast.solving.kernels import matching
from plyscope_fast.solving.running import KernelSolver, raise_if_late

MAX_IMAGES = 1 << 20
"""The limit of cells × symmetries for the symmetries of the lines."""
TABLE_BITS = 16
"""The binary logarithm of the number of entries in the table."""


def share_one_cell(masks: Iterable[int]) -> bool:
    """Return whether no two lines share more than one cell."""
    return all((one & other).bit_count() < 2 for one, other in combinations(masks, 2))


@lru_cache(maxsize=2)
def matcher_of(game: LineGame) -> Matcher:
    """Return the solver of a game, the same object each time: its arrays take a second to make."""
    return Matcher(game)


class Matcher(KernelSolver):
    """The solver of a game in which no two lines share more than one cell. Entries of its table
    hold for both sides."""

    entries = matching.ENTRIES

    def __init__(self, game: LineGame) -> None:
        self.memory = _Memory(game)
        super().__init__(game, [self.memory])

    def holds(self, ask: Ask, attack: int, defence: int) -> bool:
        """Return whether the defender, not to move, is shown to block all lines.

        `attack` and `defence` are the stones. Raises SearchStopped after `ask.limit` nodes, Late
        and KeyboardInterrupt.
        """
        rounds = range(matching.MAX_ROUNDS + 1)
        return any(self._search(ask, attack, defence, False, most) for most in rounds)

    def reply(self, ask: Ask, attack: int, defence: int) -> int | None:
        """Return a move of the defender, to move, with which it is shown to block all lines; None
        if there is none.

        Arguments and exceptions are as in `holds`.
        """
        for rounds in (1, matching.MAX_ROUNDS):
            if self._search(ask, attack, defence, True, rounds):
                return self.memory.block.best
        return None

    def pairs(
        self, attack: int, defence: int, unwanted: Sequence[int] = ()
    ) -> list[tuple[int, int]] | None:
        """Return two empty cells for each line without a stone of the defender, different ones for
        different lines; None if there are not enough cells. For `unwanted` see `Blocker.pairs`.
        """
        with self._thread_runner.alone:
            self._thread_runner.end()
            return self._pairs(self.memory.put(attack, defence), unwanted)

    def _pairs(
        self, block: matching.Search, unwanted: Sequence[int]
    ) -> list[tuple[int, int]] | None:
        ranks = [0] * self.game.size
        for rank, cells in enumerate(unwanted, start=1):
            for cell in bits(cells):
                ranks[cell] = rank
        order = array("q", sorted(range(self.game.size), key=ranks.__getitem__))
        if not matching.is_matched(block, Words(order.buffer_info()[0])):
            return None
        begin = (block.matched.address - block.address) // WORD_BYTES
        places = block.words[begin : begin + 2 * block.count]
        return [
            (one, other)
            for one, other in zip(places[::2], places[1::2], strict=True)
            if one != matching.NONE
        ]

    def _search(self, ask: Ask, attack: int, defence: int, is_defence: bool, rounds: int) -> bool:
        limit = min(ask.limit, ask.left(self))
        with self._thread_runner.alone:
            self._thread_runner.end()
            block = self.memory.put(attack, defence)
            block.stop = block.spent = 0
            block.limit = block.nodes + limit

            def search() -> bool:
                return matching.blocks(block, 0, is_defence, rounds)

            def poll() -> None:
                ask.report(f"{self.nodes:,} nodes")

            is_short = rounds <= is_defence  # a few matchings
            raise_if_late(ask.deadline)
            is_held = search() if is_short else self._thread_runner.run(search, ask.deadline, poll)
            if block.spent:
                raise SearchStopped("nodes")
            return bool(is_held)


class _Memory:
    """The block of the kernel of `matching`, with its table."""

    def __init__(self, game: LineGame) -> None:
        cells, masks = range(game.size), game.masks
        lines = [list(bits(mask)) for mask in masks]
        through = [[at for at, line in enumerate(lines) if cell in line] for cell in cells]
        width, row = game.longest_line + 1, max(map(len, through)) + 1
        group = quick_symmetries(game, MAX_IMAGES)
        words = [[mix((kind * game.size + cell + 1) * GOLDEN) for cell in cells] for kind in (0, 1)]
        plies, zone_words = matching.PLIES, (game.size + 63) // 64
        self.table = array("q", bytes(WORD_BYTES * (2 + zone_words) << TABLE_BITS))
        by_cell, by_line = bytes(plies * game.size), bytes(plies * len(lines))
        self.stones = array("q", bytes(WORD_BYTES * game.size))
        self.holes = (1 << game.size) - 1 & ~game.board
        self.block = matching.Search(
            stones=self.stones.buffer_info()[0],
            cells=game.size,
            count=len(lines),
            lines=_padded(lines, width),
            width=width,
            through=_padded(through, row),
            row=row,
            symmetries=len(group),
            images=array("q", [cell for one in group for cell in one]),
            random=array(
                "q", [signed(of[one[cell]]) for of in words for cell in cells for one in group]
            ),
            table=self.table.buffer_info()[0],
            entries=1 << TABLE_BITS,
            zone_words=zone_words,
            blocked=bytes(len(lines)),
            owners=by_cell,
            matched=by_line * 2,
            needy=by_line,
            zones=by_cell,
            left=by_cell,
            searched=by_cell,
            moves=by_cell,
            queue=bytes(max(game.size, len(lines)) + 1),
            parents=bytes(game.size),
            seen=bytes(game.size),
            hashes=bytes(len(group)),
            crossed=bytes(row),
        )
        self.megabytes = (len(self.table) + len(self.block.words)) * WORD_BYTES / (1 << 20)

    def put(self, attack: int, defence: int) -> matching.Search:
        """Put the stones of a position on the board, and return the block."""
        self.stones[:] = array("q", bytes(WORD_BYTES * len(self.stones)))
        taken = defence | self.holes  # no line goes through a hole
        for stone, stones in ((matching.ATTACKER, attack), (matching.DEFENDER, taken)):
            for cell in bits(stones):
                self.stones[cell] = stone
        matching.begin(self.block)
        return self.block

    def forget(self) -> None:
        """Clear the table."""
        self.table[:] = array("q", bytes(WORD_BYTES * len(self.table)))

    def stop(self) -> None:
        """Stop the kernel."""
        self.block.stop = 1

    @property
    def nodes(self) -> int:
        """The nodes visited so far."""
        return self.block.nodes


def _padded(rows: list[list[int]], width: int) -> array[int]:
    """Return rows of this width, each ended by NONE."""
    return array("q", [n for row in rows for n in row + [matching.NONE] * (width - len(row))])
