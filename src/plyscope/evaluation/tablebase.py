"""Tablebases: the value and distance of every position of a small game, in one file.

All positions that play can reach are found ply by ply, one of those that turns and mirrors make
equal, and then valued from the last ply to the first. On disk each ply has its positions in order,
as words of 64 bits (the stones of X below, those of O above), and for each a byte: 0 for a draw, d
for a win in d plies, −d for a loss in d. The file is held to its digest, mapped into memory, and a
position found by bisection.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

from plyscope.errors import HeuristicError, NotationError, OptionError
from plyscope.evaluation.function import WithoutLines
from plyscope.machine.cache import NotOurs, distrust, home, open_own, own_folder, write_whole
from plyscope.machine.run import Beside, Late
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.rules.symmetry import symmetries, with_x_first

__all__ = ["MOST_CELLS", "MOST_CLASSES", "Tablebase", "TablebaseHeuristic", "tablebase"]

MOST_CELLS = 32
MOST_CLASSES = 20_000_000
"""Positions of one table, symmetric ones counted once."""
MOST_IN_MEMORY = 8
FORMAT = "plyscope tablebase 1"
HEAD, DIGEST = 4096, 32
"""Bytes at the beginning, which say what a file is of, and at its end."""
Words = np.ndarray[Any, np.dtype[np.uint64]]
Bytes = np.ndarray[Any, np.dtype[np.int8]]


class Tablebase:
    """The values of all positions of `game` that play from the empty board reaches, X first."""

    def __init__(self, game: LineGame, plies: list[tuple[Words, Bytes]], positions: int) -> None:
        self.game, self.plies, self.positions = game, plies, positions
        self._images = _images(game)

    @property
    def classes(self) -> int:
        """The number of positions, symmetric ones counted once."""
        return sum(len(keys) for keys, _ in self.plies)

    @property
    def megabytes(self) -> float:
        """The size of the table."""
        return self.classes * 9 / (1 << 20)

    def probe(self, position: Position) -> tuple[int, int | None] | None:
        """Return the value for the side to move (1, 0, −1) and the plies to the end, None for a
        draw's; None for a position that play does not reach, whoever has begun."""
        position = with_x_first(position)
        if position.game.rules != self.game.rules:
            return None
        ply = (position.first | position.second).bit_count()
        if ply >= len(self.plies):
            return None
        keys, values = self.plies[ply]
        key = np.uint64(min(self._key(position.first, position.second)))
        at = int(np.searchsorted(keys, key))
        if at == len(keys) or keys[at] != key:
            return None
        found = int(values[at])
        if position.is_over:
            return (0, None) if found == 0 else (-1 if found < 0 else 1, 0)
        return (0, None) if found == 0 else (1 if found > 0 else -1, abs(found))

    def save(self, path: Path) -> None:
        """Write the table whole or not at all; its last 32 bytes are the digest of the rest. Raises
        OSError."""
        head = {
            "format": FORMAT,
            "game": self.game.name,
            "rules": self.game.digest,
            "positions": self.positions,
            "plies": [len(keys) for keys, _ in self.plies],
        }
        parts = [json.dumps(head).encode().ljust(HEAD)]
        parts += [keys.astype("<u8").tobytes() for keys, _ in self.plies] + [
            values.tobytes() for _, values in self.plies
        ]
        digest = hashlib.sha256()
        for part in parts:
            digest.update(part)
        write_whole(path, [*parts, digest.digest()])

    @classmethod
    def load(cls, game: LineGame, path: Path) -> Tablebase:
        """Return the table of a file, mapped into memory. Raises NotationError for one that is
        damaged, or of another game."""
        told = f"{str(path)!r} is no whole tablebase of {game.name!r}"
        try:
            data = np.memmap(path, dtype=np.uint8, mode="r")
        except (OSError, ValueError) as error:  # ValueError: it is empty
            raise NotationError(
                f"{told}: {error}; expected one that plyscope has written"
            ) from None
        if hashlib.sha256(data[:-DIGEST].data).digest() != bytes(data[-DIGEST:]):
            raise NotationError(
                f"{told}: it is not what was written; "
                f"expected one whose last {DIGEST} bytes are the digest of the rest"
            )
        try:
            head = json.loads(bytes(data[:HEAD]))
            is_ours = head["format"] == FORMAT and head["rules"] == game.digest
            is_ours = is_ours and len(data) == HEAD + 9 * sum(head["plies"]) + DIGEST
        except (ValueError, KeyError, TypeError):
            is_ours = False
        if not is_ours:
            raise NotationError(
                f"{told}: it is of something else; expected one that plyscope has written"
            )
        keys, at = [], HEAD
        for size in head["plies"]:
            keys.append(data[at : at + 8 * size].view("<u8"))
            at += 8 * size
        plies = []
        for words, size in zip(keys, head["plies"], strict=True):
            plies.append((words, data[at : at + size].view(np.int8)))
            at += size
        return cls(game, plies, head["positions"])

    def _key(self, first: int, second: int) -> list[int]:
        """Return the keys of all images of a position."""
        return [
            _carried(first, image) | _carried(second, image) << self.game.size
            for image in self._images
        ]


@dataclass(frozen=True)
class TablebaseHeuristic(WithoutLines):
    """The heuristic that knows: 1000 less the plies to the end for who wins, as much negative for
    who loses, 0 for a draw."""

    name: str = "tablebase"
    summary: str = "what a position is worth by the tablebase: 1000 less the plies to the end"

    def evaluate(self, position: Position, side: int) -> int:
        """Return the value for `side`; raise OptionError for a game that has no tablebase,
        HeuristicError for a position that play does not reach."""
        probed = tablebase(position.game).probe(position)
        if probed is None:
            raise HeuristicError(
                f"heuristic {self.name!r} on '{position}', which play does not reach; "
                "expected a position that it does"
            )
        value, distance = probed
        worth = value * (1000 - (distance or 0))
        return worth if side == position.side else -worth


def tablebase(
    game: LineGame,
    progress: Callable[[str, int], None] | None = None,
    deadline: float | None = None,
) -> Tablebase:
    """Return the tablebase of a game: the one in memory, the one on disk in the user's cache
    folder, or a new one, which is kept there.

    `progress` is called with what is done and the number of positions. Raises OptionError for a
    game of more than 32 cells, or of more than 20 million positions, Late at the deadline (of
    perf_counter), and KeyboardInterrupt.
    """
    found = _in_memory.get(game)
    if found is None:
        found = _made_beside(game, progress or (lambda what, count: None), deadline)
        for oldest in list(_in_memory)[: len(_in_memory) + 1 - MOST_IN_MEMORY]:
            _in_memory.pop(oldest, None)
        _in_memory[game] = found
    return found


def _made_beside(
    game: LineGame, progress: Callable[[str, int], None], deadline: float | None
) -> Tablebase:
    """Load or make the table in a thread of its own: NumPy lets nobody in between before it has
    sorted millions of positions."""
    is_stopped = Event()
    told: deque[tuple[str, int]] = deque(maxlen=1)

    def tell(what: str, count: int) -> None:
        if is_stopped.is_set():
            raise Late
        told.append((what, count))

    def glance() -> None:
        if told:
            progress(*told.pop())

    found: Tablebase = Beside(is_stopped.set).run(lambda: _make(game, tell), deadline, glance)
    return found


_in_memory: dict[LineGame, Tablebase] = {}


def _make(game: LineGame, progress: Callable[[str, int], None]) -> Tablebase:
    path = home() / "tablebases" / f"{game.digest[:16]}.tb"
    try:
        own_folder(path.parent)
        open_own(path).close()
        return Tablebase.load(game, path)
    except NotOurs as error:
        distrust(error)
    except (OSError, NotationError):
        pass  # not there, or damaged: made anew
    found = generate(game, progress)
    with suppress(OSError):  # a folder that cannot be used costs making it again, no more
        own_folder(path.parent)
        found.save(path)
    return found


def generate(game: LineGame, progress: Callable[[str, int], None]) -> Tablebase:
    """Work out the table: positions ply by ply, then values back from the last."""
    if game.size > MOST_CELLS:
        raise OptionError(
            f"a tablebase of {game.name!r}, which has {game.size} cells; "
            f"expected at most {MOST_CELLS}"
        )
    if not game.variations <= {"torus", "gravity", "misere"}:
        raise OptionError(f"a tablebase of {game.name!r}; expected rules that it knows")
    said = ("positions found", 1)
    maker = _Maker(game, lambda: progress(*said))
    layers = [np.zeros(1, dtype=np.uint64)]
    running: list[Words] = []
    positions = total = 1
    while len(layers[-1]):
        keys = layers[-1]
        ply = len(layers) - 1
        over = maker.is_won(keys, 1 - ply % 2)
        running.append(keys[~over])
        children = maker.children(running[-1], ply % 2)
        after = (
            np.unique(np.concatenate([maker.canonical(child) for _, child in children]))
            if children
            else keys[:0]
        )
        total += len(after)
        positions += maker.orbits(after)
        if total > MOST_CLASSES:
            raise OptionError(
                f"a tablebase of {game.name!r}: more than {MOST_CLASSES:,} positions; "
                "expected a smaller game"
            )
        said = ("positions found", total)
        layers.append(after)
    layers.pop()
    plies: list[tuple[Words, Bytes]] = []
    done = 0
    below: tuple[Words, Bytes] | None = None
    for ply in range(len(layers) - 1, -1, -1):
        values = maker.values(layers[ply], ply, below)
        below = layers[ply], values
        plies.append(below)
        done += len(values)
        said = ("positions valued", done)
    plies.reverse()
    return Tablebase(game, plies, positions)


class _Maker:
    """Works on many positions at once, each a word; `look` is called in between, to stop it."""

    def __init__(self, game: LineGame, look: Callable[[], None]) -> None:
        self.game, self.size, self.look = game, game.size, look
        self.low = np.uint64((1 << game.size) - 1)
        self.masks = [np.uint64(mask) for mask in game.masks]
        self.images = _images(game)
        self.columns = (
            [[np.uint64(1 << cell) for cell in column] for column in game.columns]
            if game.gravity
            else []
        )

    def split(self, keys: Words) -> tuple[Words, Words]:
        """Return the stones of X and of O."""
        return keys & self.low, keys >> np.uint64(self.size)

    def is_won(self, keys: Words, mover: int) -> Any:
        """Return which positions have a line of the side that moved last."""
        stones = self.split(keys)[mover]
        found = np.zeros(len(keys), dtype=bool)
        for mask in self.masks:
            found |= (stones & mask) == mask
        return found

    def children(self, keys: Words, mover: int) -> list[tuple[Any, Words]]:
        """Return for each cell which positions can be moved there from, and what they become."""
        first, second = self.split(keys)
        taken = first | second
        found = []
        for cell in range(self.size):
            bit = np.uint64(1 << cell)
            can = (taken & bit) == 0
            if self.columns:
                column = next(column for column in self.columns if bit in column)
                at = column.index(bit)
                if at:
                    can &= (taken & column[at - 1]) != 0
            where = np.flatnonzero(can)
            self.look()
            if len(where):
                found.append((where, keys[where] | np.uint64(1 << cell + mover * self.size)))
        return found

    def canonical(self, keys: Words) -> Words:
        """Return the least image of each position."""
        least = keys
        for image in self.images[1:]:
            self.look()
            least = np.minimum(least, self.carried(keys, image))
        return least

    def orbits(self, keys: Words) -> int:
        """Return how many positions these stand for."""
        fixed = np.ones(len(keys), dtype=np.int64)
        for image in self.images[1:]:
            fixed += self.carried(keys, image) == keys
        return int((len(self.images) // fixed).sum())

    def carried(self, keys: Words, image: tuple[int, ...]) -> Words:
        """Return the positions with the stone of each cell carried to its image."""
        found = np.zeros_like(keys)
        by_shift: dict[int, int] = {}
        for cell, to in enumerate(image):
            by_shift[to - cell] = by_shift.get(to - cell, 0) | 1 << cell | 1 << cell + self.size
        for shift, mask in by_shift.items():
            part = keys & np.uint64(mask)
            found |= part << np.uint64(shift) if shift >= 0 else part >> np.uint64(-shift)
        return found

    def values(self, keys: Words, ply: int, below: tuple[Words, Bytes] | None) -> Bytes:
        """Return the values of the positions of a ply, given those of the next."""
        over = self.is_won(keys, 1 - ply % 2)
        values = np.zeros(len(keys), dtype=np.int8)
        values[over] = -self.game.value_of_line * ENDED
        if below is None:
            return values
        next_keys, next_values = below
        open_ = np.flatnonzero(~over)
        best = np.full(len(open_), WORST, dtype=np.int16)
        for where, child in self.children(keys[open_], ply % 2):
            found = next_values[np.searchsorted(next_keys, self.canonical(child))].astype(np.int16)
            best[where] = np.maximum(best[where], _rank(-_farther(found)))
        values[open_] = np.where(best == WORST, 0, _unrank(best)).astype(np.int8)
        return values


ENDED = 100
"""The value of a position in which the game is won or lost; of others the plies to the end."""
WORST = -1000


def _farther(values: Any) -> Any:
    """Return the values one ply earlier: a win in d is one in d + 1 from there, an ended game one
    in 1."""
    return np.where(
        values == 0, 0, np.sign(values) * np.where(np.abs(values) == ENDED, 1, np.abs(values) + 1)
    )


def _rank(values: Any) -> Any:
    """Return what grows with how good a value is: the fastest win most, the fastest loss least."""
    return np.where(values == 0, 0, np.sign(values) * (2 * ENDED - np.abs(values)))


def _unrank(ranks: Any) -> Any:
    return np.where(ranks == 0, 0, np.sign(ranks) * (2 * ENDED - np.abs(ranks)))


@lru_cache(maxsize=16)
def _images(game: LineGame) -> tuple[tuple[int, ...], ...]:
    return symmetries(game)


def _carried(stones: int, image: tuple[int, ...]) -> int:
    return sum(1 << image[cell] for cell in bits(stones))
