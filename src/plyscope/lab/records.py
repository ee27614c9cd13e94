"""Records: games kept in one SQLite file, so that nothing that was played is lost or played again.

    meta         key, value                        the version of this layout
    experiments  number, question, manifest        what was asked, as JSON, and with which versions on which machine, as JSON
    games        experiment, pair, number,         the place of the game in its experiment
                 game, x, o, start, moves, winner, what was played, the agents, the first position and the moves as text, x, o or null
                 ending                            line, full board, or why an agent was stopped and lost
    plies        experiment, pair, number, ply,    the place of the move in its game, from 0
                 seconds, value, depth, nodes      what it cost, and what the mover's search said, null where it did not search

    outputs      experiment, pair, number, side,   what a stranger's code printed in that game, x or o; no row where it printed nothing
                 text
    cards        game, heuristic, manifest, card   the report card of a heuristic, as JSON

Each pair of games is one transaction: killed at any moment, a match loses the pairs in play and no more. The same question finds its
experiment again. Several processes may write to one file.
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from plyscope.errors import NotationError
from plyscope.lab.match import GameRecord, Ply
from plyscope.lab.reportcard import ReportCard
from plyscope.rules.game import SIDES
from plyscope.rules.games import parse_game
from plyscope.rules.notation import parse

__all__ = ["Experiment", "Records"]

VERSION = 2
LAYOUT = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS experiments (number INTEGER PRIMARY KEY, question TEXT NOT NULL UNIQUE, manifest TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS games (
    experiment INTEGER NOT NULL REFERENCES experiments, pair INTEGER NOT NULL, number INTEGER NOT NULL,
    game TEXT NOT NULL, x TEXT NOT NULL, o TEXT NOT NULL, start TEXT NOT NULL, moves TEXT NOT NULL, winner TEXT,
    ending TEXT NOT NULL, PRIMARY KEY (experiment, pair, number)
) STRICT;
CREATE TABLE IF NOT EXISTS plies (
    experiment INTEGER NOT NULL, pair INTEGER NOT NULL, number INTEGER NOT NULL, ply INTEGER NOT NULL,
    seconds REAL NOT NULL, value REAL, depth INTEGER, nodes INTEGER, PRIMARY KEY (experiment, pair, number, ply)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS outputs (
    experiment INTEGER NOT NULL, pair INTEGER NOT NULL, number INTEGER NOT NULL, side TEXT NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (experiment, pair, number, side)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS cards (
    game TEXT NOT NULL, heuristic TEXT NOT NULL, manifest TEXT NOT NULL, card TEXT NOT NULL, PRIMARY KEY (game, heuristic)
) STRICT;
"""
BUSY_SECONDS = 30.0


class Experiment(NamedTuple):
    """What was asked, under which number, and with which versions on which machine."""

    number: int
    question: dict[str, Any]
    manifest: dict[str, Any]


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
        key = json.dumps(question, sort_keys=True)
        self._base.execute("INSERT OR IGNORE INTO experiments (question, manifest) VALUES (?, ?)", (key, _manifest()))
        (number,) = self._base.execute("SELECT number FROM experiments WHERE question = ?", (key,)).fetchone()
        return int(number)

    def experiments(self) -> list[Experiment]:
        """Return every experiment, in the order in which they were first asked for."""
        rows = self._base.execute("SELECT number, question, manifest FROM experiments ORDER BY number")
        return [Experiment(number, json.loads(question), json.loads(manifest)) for number, question, manifest in rows]

    def pairs(self, experiment: int) -> dict[int, list[GameRecord]]:
        """Return the pairs of an experiment that are kept, by their place."""
        thoughts: dict[tuple[int, int], list[tuple[Any, ...]]] = {}
        rows = "SELECT pair, number, seconds, value, depth, nodes FROM plies WHERE experiment = ? ORDER BY pair, number, ply"
        for pair, number, *thought in self._base.execute(rows, (experiment,)):
            thoughts.setdefault((pair, number), []).append(tuple(thought))
        said: dict[tuple[int, int], dict[str, str]] = {}
        rows = "SELECT pair, number, side, text FROM outputs WHERE experiment = ?"
        for pair, number, side, text in self._base.execute(rows, (experiment,)):
            said.setdefault((pair, number), {})[side] = text
        found: dict[int, list[GameRecord]] = {}
        rows = "SELECT pair, number, game, x, o, start, moves, winner, ending FROM games WHERE experiment = ? ORDER BY pair, number"
        for pair, number, game, x, o, start, moves, winner, ending in self._base.execute(rows, (experiment,)):
            begin = parse(start, parse_game(game))
            end = begin
            for name in moves.split():
                end = end.play(end.game.parse_move(end, name))
            plies = tuple(Ply(move, *told) for move, told in zip(moves.split(), thoughts.get((pair, number), []), strict=True))
            printed = said.get((pair, number), {})
            found.setdefault(pair, []).append(
                GameRecord(
                    players=(x, o),
                    start=begin,
                    plies=plies,
                    end=end,
                    winner=winner,
                    ending=ending,
                    output=(printed.get("x", ""), printed.get("o", "")),
                )
            )
        return found

    def keep(self, experiment: int, pair: int, records: list[GameRecord]) -> None:
        """Keep a pair, whole or not at all; a pair that is there already stays as it is."""
        self._base.execute("BEGIN IMMEDIATE")
        for number, record in enumerate(records):
            place = experiment, pair, number
            row = {"experiment": experiment, "pair": pair, **record.as_row(number)}
            columns, values = ", ".join(row), ", ".join(f":{key}" for key in row)
            if self._base.execute(f"INSERT OR IGNORE INTO games ({columns}) VALUES ({values})", row).rowcount:
                plies = [(*place, at, ply.seconds, ply.value, ply.depth, ply.nodes) for at, ply in enumerate(record.plies)]
                self._base.executemany("INSERT INTO plies VALUES (?, ?, ?, ?, ?, ?, ?, ?)", plies)
                said = [(*place, side, text) for side, text in zip(SIDES, record.output, strict=True) if text]
                self._base.executemany("INSERT INTO outputs VALUES (?, ?, ?, ?, ?)", said)
        self._base.execute("COMMIT")

    def keep_card(self, card: ReportCard) -> None:
        """Keep a report card, in the place of an earlier one of the same heuristic and game."""
        row = card.game, card.heuristic, _manifest(), json.dumps(card.as_dict())
        self._base.execute("INSERT OR REPLACE INTO cards VALUES (?, ?, ?, ?)", row)

    def cards(self) -> list[dict[str, Any]]:
        """Return every report card, as the data that `ReportCard.as_dict` gave."""
        return [json.loads(card) for (card,) in self._base.execute("SELECT card FROM cards ORDER BY game, heuristic")]

    def games(self) -> Iterator[dict[str, Any]]:
        """Yield every game, as the columns of a table."""
        return self._rows("SELECT * FROM games ORDER BY experiment, pair, number")

    def plies(self) -> Iterator[dict[str, Any]]:
        """Yield every move of every game, as the columns of a table."""
        return self._rows("SELECT * FROM plies ORDER BY experiment, pair, number, ply")

    def outputs(self) -> Iterator[dict[str, Any]]:
        """Yield what strangers' code printed, as the columns of a table."""
        return self._rows("SELECT * FROM outputs ORDER BY experiment, pair, number, side")

    def _rows(self, query: str) -> Iterator[dict[str, Any]]:
        base = self._base.execute(query)
        names = [column[0] for column in base.description]
        for row in base:
            yield dict(zip(names, row, strict=True))


def _manifest() -> str:
    """Return with which versions and on which machine something was found out, as JSON."""
    from plyscope import __version__

    cores = os.cpu_count()
    versions = {"plyscope": __version__, "python": platform.python_version()}
    return json.dumps({**versions, "machine": platform.machine(), "platform": sys.platform, "cores": cores})
