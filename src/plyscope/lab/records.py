"""Records: games kept in one SQLite file, so that nothing that was played is lost or played again.

    meta         key, value                        the version of this layout
    experiments  number, question, manifest        what was asked, as JSON, and with which versions on which machine, as JSON
    games        experiment, pair, number,         the place of the game in its experiment
                 game, x, o, start, moves, winner, what was played, the agents, the first position and the moves as text, x, o or null
                 seconds_x, seconds_o              what each side thought

Each pair of games is one transaction: killed at any moment, a match loses the pairs in play and no more. The same question finds its
experiment again. Several processes may write to one file.
"""

from __future__ import annotations

import json
import platform
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plyscope.errors import NotationError
from plyscope.lab.match import GameRecord
from plyscope.rules.games import parse_game
from plyscope.rules.notation import parse

__all__ = ["Records"]

VERSION = 1
LAYOUT = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS experiments (number INTEGER PRIMARY KEY, question TEXT NOT NULL UNIQUE, manifest TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS games (
    experiment INTEGER NOT NULL REFERENCES experiments, pair INTEGER NOT NULL, number INTEGER NOT NULL,
    game TEXT NOT NULL, x TEXT NOT NULL, o TEXT NOT NULL, start TEXT NOT NULL, moves TEXT NOT NULL, winner TEXT,
    seconds_x REAL NOT NULL, seconds_o REAL NOT NULL, PRIMARY KEY (experiment, pair, number)
) STRICT;
"""
BUSY_SECONDS = 30.0


class Records:
    """A file of records, made where there is none. Raises NotationError for a file that holds something else."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self._base = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            self._base.execute("PRAGMA journal_mode=WAL")
            tables = {name for (name,) in self._base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if tables and "experiments" not in tables:
                raise NotationError(f"{str(path)!r} is a database of something else; expected records of plyscope or a new file")
            self._base.executescript(LAYOUT)
            self._base.execute("INSERT OR IGNORE INTO meta VALUES ('version', ?)", (str(VERSION),))
            (found,) = self._base.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
        except sqlite3.Error as error:
            raise NotationError(f"cannot keep records in {str(path)!r}: {error}") from None
        if found != str(VERSION):
            raise NotationError(f"{str(path)!r} has version {found} of the records; expected {VERSION}")

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def __enter__(self) -> Records:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def experiment(self, question: dict[str, Any]) -> int:
        """Return the number of the experiment that asks this, a new one where it was not asked before."""
        from plyscope import __version__

        manifest = {"plyscope": __version__, "python": platform.python_version(), "machine": platform.machine(), "platform": sys.platform}
        key = json.dumps(question, sort_keys=True)
        self._base.execute("INSERT OR IGNORE INTO experiments (question, manifest) VALUES (?, ?)", (key, json.dumps(manifest)))
        (number,) = self._base.execute("SELECT number FROM experiments WHERE question = ?", (key,)).fetchone()
        return int(number)

    def pairs(self, experiment: int) -> dict[int, list[GameRecord]]:
        """Return the pairs of an experiment that are kept, by their place."""
        found: dict[int, list[GameRecord]] = {}
        rows = "SELECT pair, game, x, o, start, moves, winner, seconds_x, seconds_o FROM games WHERE experiment = ? ORDER BY pair, number"
        for pair, game, x, o, start, moves, winner, seconds_x, seconds_o in self._base.execute(rows, (experiment,)):
            begin = parse(start, parse_game(game))
            end = begin
            for name in moves.split():
                end = end.play(end.game.parse_move(end, name))
            record = GameRecord(
                players=(x, o), start=begin, moves=tuple(moves.split()), end=end, winner=winner, seconds=(seconds_x, seconds_o)
            )
            found.setdefault(pair, []).append(record)
        return found

    def keep(self, experiment: int, pair: int, records: list[GameRecord]) -> None:
        """Keep a pair, whole or not at all; a pair that is there already stays as it is."""
        rows = []
        for number, record in enumerate(records):
            told = record.start.game.name, *record.players, str(record.start), " ".join(record.moves), record.winner
            rows.append((experiment, pair, number, *told, *record.seconds))
        self._base.execute("BEGIN IMMEDIATE")
        self._base.executemany("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self._base.execute("COMMIT")

    def games(self) -> Iterator[dict[str, Any]]:
        """Yield every game, as the columns of a table."""
        base = self._base.execute("SELECT * FROM games ORDER BY experiment, pair, number")
        names = [column[0] for column in base.description]
        for row in base:
            yield dict(zip(names, row, strict=True))
