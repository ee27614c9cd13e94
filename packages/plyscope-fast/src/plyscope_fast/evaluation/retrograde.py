"""Retrograde analysis: the values of all positions of a small game, from the last ply to the first.

Positions are generated ply by ply, one for each class of symmetric positions, and stored in arrays
of keys. A key is a word of 64 bits:

    0 ... size-1        the stones of X
    size ... 2 size-1   the stones of O

Positions in which the game has ended are valued first. Every other position gets the value of its
best move.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from plyscope.errors import OptionError
from plyscope.progress import Progress
from plyscope.rules.game import SECOND
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.symmetry import symmetries
from plyscope.solving.accelerated import MAX_TABLE_CELLS, TABLE_RULES

MAX_CLASSES = 20_000_000
"""The limit of positions of one game, counted up to symmetry."""

Keys = np.ndarray[Any, np.dtype[np.uint64]]
Bytes = np.ndarray[Any, np.dtype[np.int8]]
Ply = tuple[Keys, Bytes]
"""The sorted positions of a ply and their values: 0 a draw, d won in d plies, −d lost in d."""

END_VALUE = 100
"""The value of a position in which the game is won, −END_VALUE of one in which it is lost."""
NO_RANK = -1000
"""A number below all ranks."""


def retrograde(game: LineGame, progress: Progress) -> tuple[list[Ply], int]:
    """Return the plies of a game from the empty board, and the number of all positions.

    `progress` is called with the name of the phase and the number of positions done in it. Raises
    OptionError if the game has more than MAX_TABLE_CELLS cells, unsupported rules or too many
    positions.
    """
    if game.size > MAX_TABLE_CELLS:
        raise OptionError(
            f"a tablebase of {game.name!r}, which has {game.size} cells; "
            f"expected at most {MAX_TABLE_CELLS}"
        )
    if not game.variants <= TABLE_RULES:
        raise OptionError(
            f"a tablebase of {game.name!r}; expected no other rules than "
            f"{', '.join(sorted(TABLE_RULES))}"
        )
    done = ("positions found", 1)
    moves = _Moves(game, lambda: progress(*done, 0))
    layers = [np.zeros(1, dtype=np.uint64)]
    total = positions = 1
    while True:
        following = moves.following(layers[-1], len(layers) - 1)
        if not len(following):
            break
        layers.append(following)
        total += len(following)
        positions += moves.orbits(following)
        if total > MAX_CLASSES:
            raise OptionError(
                f"a tablebase of {game.name!r}: more than {MAX_CLASSES:,} positions; "
                "expected a smaller game"
            )
        done = ("positions found", total)
    plies: list[Ply] = []
    valued = 0
    for ply in reversed(range(len(layers))):
        plies.append((layers[ply], moves.values(layers[ply], ply, plies[-1] if plies else None)))
        valued += len(layers[ply])
        done = ("positions valued", valued)
    return plies[::-1], positions


class _Moves:
    """Moves of many positions of one ply, which all have the same side to move.

    `pause` is called between steps; it reports progress and may raise an exception to stop.
    """

    def __init__(self, game: LineGame, pause: Callable[[], None]) -> None:
        self.game, self.size, self.pause = game, game.size, pause
        self.low = np.uint64((1 << game.size) - 1)
        self.lines = [
            (np.uint64(line.mask | line.ends if game.exactly else line.mask), np.uint64(line.mask))
            for line in game.lines
        ]
        """For each line two bitboards: the cells to test (with its ends if they count), and the
        cells of the line, which must have stones while the others have none."""
        self.images = symmetries(game)
        self.support = {
            cell: np.uint64(1 << below)
            for column in (game.columns if game.gravity else ())
            for below, cell in pairwise(column)
        }
        """For each cell the bit of the cell below it, which must be taken first."""

    def following(self, keys: Keys, ply: int) -> Keys:
        """Return the sorted positions of the next ply."""
        running = keys[~self._is_over(keys, ply)]
        reached = [self._canonical(after) for _, after in self._after_moves(running, ply)]
        return np.unique(np.concatenate(reached)) if reached else keys[:0]

    def values(self, keys: Keys, ply: int, below: Ply | None) -> Bytes:
        """Return the values of the positions of a ply, given those of the next."""
        over = self._is_over(keys, ply)
        values = np.zeros(len(keys), dtype=np.int8)
        mover, last = self.game.turn_at(ply), self.game.turn_at(ply - 1)
        values[over] = self.game.value_of_line * (END_VALUE if mover == last else -END_VALUE)
        if below is None:
            return values
        next_keys, next_values = below
        running = np.flatnonzero(~over)
        best = np.full(len(running), NO_RANK, dtype=np.int16)
        for where, after in self._after_moves(keys[running], ply):
            at = np.searchsorted(next_keys, self._canonical(after))
            sign = 1 if self.game.turn_at(ply + 1) == mover else -1
            ranks = _rank(sign * _one_ply_earlier(next_values[at].astype(np.int16)))
            best[where] = np.maximum(best[where], ranks)
        values[running] = np.where(best == NO_RANK, 0, _unrank(best)).astype(np.int8)
        return values

    def orbits(self, keys: Keys) -> int:
        """Return the number of positions that are symmetric to one of these canonical positions."""
        fixed = np.ones(len(keys), dtype=np.int64)
        for image in self.images[1:]:
            fixed += self._carried(keys, image) == keys
        return int((len(self.images) // fixed).sum())

    def _is_over(self, keys: Keys, ply: int) -> Any:
        """Return which positions have a complete line of the side that moved last."""
        is_second = self.game.turn_at(ply - 1) == SECOND
        stones = keys >> np.uint64(self.size) if is_second else keys & self.low
        over = np.zeros(len(keys), dtype=bool)
        for span, mask in self.lines:
            over |= (stones & span) == mask
        return over

    def _after_moves(self, keys: Keys, ply: int) -> list[tuple[Any, Keys]]:
        """Return for each cell the positions from which it can be played, and those after it."""
        taken = (keys & self.low) | keys >> np.uint64(self.size)
        moves = []
        shift = self.size if self.game.turn_at(ply) == SECOND else 0
        for cell in bits(self.game.board):
            can = (taken & np.uint64(1 << cell)) == 0
            if cell in self.support:
                can &= (taken & self.support[cell]) != 0
            where = np.flatnonzero(can)
            self.pause()
            if len(where):
                moves.append((where, keys[where] | np.uint64(1 << cell + shift)))
        return moves

    def _canonical(self, keys: Keys) -> Keys:
        """Return the least image of each position."""
        least = keys
        for image in self.images[1:]:
            self.pause()
            least = np.minimum(least, self._carried(keys, image))
        return least

    def _carried(self, keys: Keys, image: tuple[int, ...]) -> Keys:
        """Return the positions with each stone moved to the image of its cell."""
        carried = np.zeros_like(keys)
        by_shift: dict[int, int] = {}
        for cell, to in enumerate(image):
            by_shift[to - cell] = by_shift.get(to - cell, 0) | 1 << cell | 1 << cell + self.size
        for shift, mask in by_shift.items():
            part = keys & np.uint64(mask)
            carried |= part << np.uint64(shift) if shift >= 0 else part >> np.uint64(-shift)
        return carried


def _one_ply_earlier(values: Any) -> Any:
    """Return the values one ply earlier: each distance grows by one, and an ended game has distance
    1."""
    distances = np.where(np.abs(values) == END_VALUE, 1, np.abs(values) + 1)
    return np.where(values == 0, 0, np.sign(values) * distances)


def _rank(values: Any) -> Any:
    """Return ranks, greater for better values: a faster win is better, a faster loss worse."""
    return np.where(values == 0, 0, np.sign(values) * (2 * END_VALUE - np.abs(values)))


_unrank = _rank  # the function is its own inverse
