"""Tablebases: the value and distance of every position of a small game, in one file.

    bytes 0 ... 4095    JSON: format, game, digest of its rules, positions, positions by ply
    8 a position        the keys (`retrograde`), ply by ply, in order, little-endian
    1 a position        the values in the same order: 0 a draw, d won in d plies, −d lost in d
    last 32             SHA-256 of the rest

The file is checked against its digest and mapped into memory; positions are found by bisection.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import numpy as np

from plyscope.cache import NotOurs, distrust, home, open_own, own_folder
from plyscope.errors import HeuristicError, NotationError
from plyscope.evaluation.function import WithoutLines
from plyscope.progress import Progress, silent
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.rules.symmetry import orbit, with_x_first
from plyscope.searching.limit import Late
from plyscope.wholefile import write_whole
from plyscope_fast.evaluation.retrograde import Ply, retrograde
from plyscope_fast.machine.store import why_not_kept
from plyscope_fast.machine.threads import ThreadRunner, tick

MAX_TABLES = 8
FORMAT = "plyscope tablebase 1"
HEADER_BYTES, DIGEST_BYTES = 4096, 32
"""Bytes of the header and of the digest at the end."""


class Tablebase:
    """The values of all positions of `game` that can be reached from the empty board."""

    def __init__(self, game: LineGame, plies: list[Ply], positions: int) -> None:
        self.game, self.plies, self.positions = game, plies, positions

    @property
    def classes(self) -> int:
        """The number of positions up to symmetry."""
        return sum(len(keys) for keys, _ in self.plies)

    @property
    def megabytes(self) -> float:
        """The size of the table."""
        return self.classes * 9 / (1 << 20)

    def probe(self, position: Position) -> tuple[int, int | None] | None:
        """Return the value for the side to move (1, 0, −1) and the plies to the end, None if drawn.

        Return None for a position that cannot be reached, whichever side begins.
        """
        position = with_x_first(position)
        if position.game.rules != self.game.rules:
            return None
        ply = (position.first | position.second).bit_count()
        if ply >= len(self.plies):
            return None
        keys, values = self.plies[ply]
        images = orbit(position)
        key = np.uint64(min(each.first | each.second << self.game.size for each in images))
        at = int(np.searchsorted(keys, key))
        if at == len(keys) or keys[at] != key:
            return None
        value = int(values[at])
        if value == 0:
            return 0, None
        return 1 if value > 0 else -1, 0 if position.is_over else abs(value)

    def save(self, path: Path) -> None:
        """Write the table atomically; raise OSError."""
        head = {
            "format": FORMAT,
            "game": self.game.name,
            "rules": self.game.digest,
            "positions": self.positions,
            "plies": [len(keys) for keys, _ in self.plies],
        }
        parts = [json.dumps(head).encode().ljust(HEADER_BYTES)]
        parts += [keys.astype("<u8").tobytes() for keys, _ in self.plies]
        parts += [values.tobytes() for _, values in self.plies]
        digest = hashlib.sha256()
        for part in parts:
            digest.update(part)
        write_whole(path, [*parts, digest.digest()], is_private=True)

    @classmethod
    def load(cls, game: LineGame, path: Path) -> Tablebase:
        """Return the table of a file, mapped into memory; raise NotationError for a damaged one."""

        def refused(why: object) -> NotationError:
            return NotationError(f"{str(path)!r} is no tablebase of {game.name!r}: {why}")

        try:
            data = np.memmap(path, dtype=np.uint8, mode="r")
        except (OSError, ValueError) as error:  # ValueError: the file is empty
            raise refused(f"{error}; expected one that plyscope has written") from None
        if hashlib.sha256(data[:-DIGEST_BYTES].data).digest() != bytes(data[-DIGEST_BYTES:]):
            raise refused(
                "it is damaged; "
                f"expected a file whose last {DIGEST_BYTES} bytes are the digest of the rest"
            )
        try:
            head = json.loads(bytes(data[:HEADER_BYTES]))
            sizes = head["plies"]
            is_ours = head["format"] == FORMAT and head["rules"] == game.digest
            is_ours = is_ours and len(data) == HEADER_BYTES + 9 * sum(sizes) + DIGEST_BYTES
        except (ValueError, KeyError, TypeError):
            is_ours = False
        if not is_ours:
            raise refused("it has other rules or format; expected one that plyscope has written")
        ends = np.cumsum([0, *sizes])
        keys, values = HEADER_BYTES + 8 * ends, HEADER_BYTES + 8 * ends[-1] + ends
        plies = [
            (
                data[keys[ply] : keys[ply + 1]].view("<u8"),
                data[values[ply] : values[ply + 1]].view(np.int8),
            )
            for ply in range(len(sizes))
        ]
        return cls(game, plies, head["positions"])


@dataclass(frozen=True)
class TablebaseHeuristic(WithoutLines):
    """The exact value: 1000 less the plies to the end for a win, negated for a loss, else 0."""

    name: str = "tablebase"
    summary: str = "the exact value by the tablebase: 1000 minus the plies to the end"

    def evaluate(self, position: Position, side: int) -> int:
        """Return the value for `side`; raise HeuristicError if the position cannot be reached."""
        probed = tablebase(position.game).probe(position)
        if probed is None:
            raise HeuristicError(
                f"heuristic {self.name!r} on '{position}', which no game reaches; "
                "expected a position that can be reached from the empty board"
            )
        value, distance = probed
        score = value * (1000 - (distance or 0))
        return score if side == position.side else -score


def tablebase(
    game: LineGame,
    progress: Progress = silent,
    deadline: float | None = None,
) -> Tablebase:
    """Return the tablebase of a game: the one in memory or in the user's cache folder, else a new
    one.

    `progress` is called with the name of the phase and the number of positions done in it. Raises
    OptionError for a game of more than 32 cells or 20 million positions, Late at the deadline (a
    time of perf_counter), and KeyboardInterrupt.
    """
    table = _in_memory.get(game)
    if table is None:
        table = _cached_in_thread(game, progress, deadline)
        for oldest in list(_in_memory)[: len(_in_memory) + 1 - MAX_TABLES]:
            _in_memory.pop(oldest, None)
        _in_memory[game] = table
    return table


_in_memory: dict[LineGame, Tablebase] = {}


def _cached_in_thread(game: LineGame, progress: Progress, deadline: float | None) -> Tablebase:
    """Load or make the table in a thread, since NumPy cannot be interrupted while it sorts."""
    is_stopped = Event()
    latest: deque[tuple[str, int, int]] = deque(maxlen=1)

    def report(phase: str, done: int, total: int) -> None:
        tick()
        if is_stopped.is_set():
            raise Late
        latest.append((phase, done, total))

    def poll() -> None:
        if latest:
            progress(*latest.pop())

    table: Tablebase = ThreadRunner(is_stopped.set).run(
        lambda: _cached(game, report), deadline, poll
    )
    return table


def _cached(game: LineGame, progress: Progress) -> Tablebase:
    """Return the table from the cache folder, or make one and store it there."""
    path = home() / "tablebases" / f"{game.digest[:16]}.tb"
    try:
        own_folder(path.parent)
        open_own(path).close()
        return Tablebase.load(game, path)
    except NotOurs as error:
        distrust(error)
    except (OSError, NotationError):
        pass  # missing or damaged: made again
    table = generate(game, progress)
    try:
        own_folder(path.parent)
        table.save(path)
    except OSError as error:  # the table is made again next time
        distrust(NotOurs(why_not_kept(error)))
    return table


def generate(game: LineGame, progress: Progress = silent) -> Tablebase:
    """Make and return a tablebase; raise OptionError for a game that is too large."""
    return Tablebase(game, *retrograde(game, progress))
