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
    digests      name, sha256                      what an experiment, a game with its plies and outputs, or a card was when it was kept

Each pair of games is one transaction: killed at any moment, a match loses the pairs in play and no
more. The same question finds its experiment again. Several processes may write to one file. What
was changed since it was kept is refused, not believed; what earlier versions have kept has no
digest. Reading takes no right to write, to the file or beside it.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from itertools import chain
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from plyscope.errors import NotationError
from plyscope.lab.game import GameRecord, Ply
from plyscope.rules.game import SIDES
from plyscope.rules.games import parse_game
from plyscope.rules.notation import parse

if TYPE_CHECKING:
    from plyscope.lab.reportcard import ReportCard

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
CREATE TABLE IF NOT EXISTS digests (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""
"""Files of version 2 may lack outputs, cards and digests."""
OF_A_GAME = {"plies": "ply", "outputs": "side"}
"""Tables whose rows belong to games, and what tells those of one game apart."""
RENAMED = {"asymmetric": "changes_when_mirrored", "partial": "changes_when_colours_swap"}
"""Fields of a card, by the names under which earlier versions have kept them."""
BUSY_SECONDS = 30.0
Row = dict[str, Any]


class Experiment(NamedTuple):
    """What was asked, under which number, and with which versions on which machine."""

    number: int
    question: dict[str, Any]
    manifest: dict[str, Any]


class Records:
    """A file of records, made where there is none; one that is for `reading` has to be there, and
    is not written to.

    Raises NotationError for a file that holds something else, was damaged, or cannot be written
    where that is asked for.
    """

    def __init__(self, path: str | Path, reading: bool = False) -> None:
        self.path, self._doing = Path(path), "read" if reading else "keep"
        with self._told(), ExitStack() as stack:
            self._base = _to_read(self.path, stack) if reading else _to_keep(self.path, stack)
            with (
                nullcontext() if reading else self._writing()
            ):  # so that of several that make one file, one does
                tables = self._names_of_tables()
                if "experiments" not in tables and (tables or reading):
                    raise NotationError(
                        f"{str(path)!r} is a database of something else; expected records of plyscope or a new file"
                    )
                if not reading:
                    for statement in LAYOUT.split(";"):
                        self._base.execute(statement)
                    self._base.execute(
                        "INSERT OR IGNORE INTO meta VALUES ('version', ?)", (str(VERSION),)
                    )
                found = [
                    value
                    for (value,) in self._base.execute(
                        "SELECT value FROM meta WHERE key = 'version'"
                    )
                ]
                if found != [str(VERSION)]:
                    raise NotationError(
                        f"{str(path)!r} has version {' '.join(map(str, found))[:40]!r} of the records; expected {str(VERSION)!r}"
                    )
            self._tables = self._names_of_tables()
            self._open = stack.pop_all()

    def _names_of_tables(self) -> set[str]:
        return {
            name
            for (name,) in self._base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }

    def close(self) -> None:
        """Close the file."""
        with self._told():
            self._open.close()

    def __enter__(self) -> Records:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def experiment(self, question: dict[str, Any]) -> int:
        """Return the number of the experiment that asks this, a new one where it was not asked
        before."""
        key = json.dumps(question, sort_keys=True)
        with self._writing():
            is_new = self._base.execute(
                "INSERT OR IGNORE INTO experiments (question, manifest) VALUES (?, ?)",
                (key, _manifest()),
            ).rowcount
            row = self._rows("SELECT * FROM experiments WHERE question = ?", (key,))[0]
            if is_new > 0:
                self._vouch(f"experiment {row['number']}", row)
        return int(row["number"])

    def experiments(self) -> list[Experiment]:
        """Return every experiment, in the order in which they were first asked for."""
        found = []
        for row in self._held(
            "experiment", "SELECT * FROM experiments ORDER BY number", ("number",)
        ):
            with self._told(f"experiment {row['number']}: "):
                found.append(
                    Experiment(
                        row["number"],
                        dict(json.loads(row["question"])),
                        dict(json.loads(row["manifest"])),
                    )
                )
        return found

    def pairs(self, experiment: int) -> dict[int, list[GameRecord]]:
        """Return the pairs of an experiment that are kept, by their place."""
        found: dict[int, list[GameRecord]] = {}
        for row, thoughts, outputs in self._games("WHERE experiment = ?", (experiment,)):
            with self._told(f"{_place(row)}: "):
                begin = parse(row["start"], parse_game(row["game"]))
                end = begin
                names = row["moves"].split()
                for name in names:
                    end = end.play(end.game.parse_move(end, name))
                told = (
                    (thought["seconds"], thought["value"], thought["depth"], thought["nodes"])
                    for thought in thoughts
                )
                printed = {output["side"]: output["text"] for output in outputs}
                game = GameRecord(
                    players=(row["x"], row["o"]),
                    start=begin,
                    plies=tuple(Ply(move, *each) for move, each in zip(names, told, strict=True)),
                    end=end,
                    winner=row["winner"],
                    ending=row["ending"],
                    output=(printed.get("x", ""), printed.get("o", "")),
                )
            found.setdefault(row["pair"], []).append(game)
        return found

    def keep(self, experiment: int, pair: int, records: list[GameRecord]) -> None:
        """Keep a pair, whole or not at all; a pair that is there already stays as it is.

        Raises NotationError where it cannot be written; what was kept before stays whole.
        """
        with self._writing():
            for number, record in enumerate(records):
                place = experiment, pair, number
                row = {"experiment": experiment, "pair": pair, **record.as_row(number)}
                columns, values = ", ".join(row), ", ".join(f":{key}" for key in row)
                if self._base.execute(
                    f"INSERT OR IGNORE INTO games ({columns}) VALUES ({values})", row
                ).rowcount:
                    plies = [
                        (*place, at, ply.seconds, ply.value, ply.depth, ply.nodes)
                        for at, ply in enumerate(record.plies)
                    ]
                    self._base.executemany(
                        "INSERT INTO plies VALUES (?, ?, ?, ?, ?, ?, ?, ?)", plies
                    )
                    said = [
                        (*place, side, text)
                        for side, text in zip(SIDES, record.output, strict=True)
                        if text
                    ]
                    self._base.executemany("INSERT INTO outputs VALUES (?, ?, ?, ?, ?)", said)
                    at_place = "WHERE experiment = ? AND pair = ? AND number = ?"
                    rows = self._rows(f"SELECT * FROM games {at_place}", place)
                    for table, column in OF_A_GAME.items():
                        rows += self._rows(
                            f"SELECT * FROM {table} {at_place} ORDER BY {column}", place
                        )
                    self._vouch("game {} {} {}".format(*place), *rows)

    def keep_card(self, card: ReportCard) -> None:
        """Keep a report card, in the place of an earlier one of the same heuristic and game."""
        row = card.game, card.heuristic, _manifest(), json.dumps(card.as_dict())
        with self._writing():
            self._base.execute("INSERT OR REPLACE INTO cards VALUES (?, ?, ?, ?)", row)
            (kept,) = self._rows("SELECT * FROM cards WHERE game = ? AND heuristic = ?", row[:2])
            self._vouch(f"card {card.game} {card.heuristic}", kept)

    def cards(self) -> list[dict[str, Any]]:
        """Return every report card, as the data that `ReportCard.as_dict` gave."""
        found = []
        query = "SELECT * FROM cards ORDER BY game, heuristic"
        for row in (
            self._held("card", query, ("game", "heuristic")) if "cards" in self._tables else ()
        ):
            with self._told(f"the card of {row['heuristic']!r}: "):
                card: dict[str, Any] = dict(json.loads(row["card"]))
                found.append({RENAMED.get(key, key): value for key, value in card.items()})
        return found

    def games(self) -> Iterator[Row]:
        """Yield every game, as the columns of a table."""
        return (row for row, _, _ in self._games())

    def plies(self) -> Iterator[Row]:
        """Yield every move of every game, as the columns of a table."""
        return (thought for _, thoughts, _ in self._games() for thought in thoughts)

    def outputs(self) -> Iterator[Row]:
        """Yield what strangers' code printed, as the columns of a table."""
        return (output for _, _, outputs in self._games() for output in outputs)

    def _games(
        self, where: str = "", of: tuple[int, ...] = ()
    ) -> Iterator[tuple[Row, list[Row], list[Row]]]:
        """Yield games with their plies and outputs. Raises NotationError for one that is not what
        was kept, and where one is missing."""
        order = "ORDER BY experiment, pair, number"
        with self._told(), self._reading():
            plies, outputs = (
                _Beside(
                    self._cursor(f"SELECT * FROM {table} {where} {order}, {column}", of)
                    if table in self._tables
                    else iter(())
                )
                for table, column in OF_A_GAME.items()
            )
            held = 0
            for row in chain(self._cursor(f"SELECT * FROM games {where} {order}", of), (None,)):
                for beside in (plies, outputs):
                    if beside.next is not None and (row is None or _key(beside.next) < _key(row)):
                        raise NotationError(
                            f"{self._cannot()}: {_place(beside.next)} has moves and no game; expected both"
                        )
                if row is not None:
                    parts = plies.of(row), outputs.of(row)
                    held += self._check(
                        "game {} {} {}".format(*_key(row)), _place(row), row, *parts[0], *parts[1]
                    )
                    yield row, *parts
            names = " ".join(("game", *map(str, of), "*"))
            query = "SELECT count(*) FROM digests WHERE name GLOB ?"
            kept = (
                self._base.execute(query, (names,)).fetchone()[0]
                if "digests" in self._tables
                else 0
            )
            if held != kept:
                raise NotationError(
                    f"{self._cannot()}: {kept - held:,} games are missing; expected the {kept:,} that were kept"
                )

    def _held(self, kind: str, query: str, key: tuple[str, ...]) -> list[Row]:
        """Return rows. Raises NotationError for one that is not what was kept."""
        with self._told(), self._reading():
            found = self._rows(query)
            for row in found:
                name = " ".join((kind, *(str(row[column]) for column in key)))
                self._check(name, name, row)
        return found

    def _vouch(self, name: str, *rows: Row) -> None:
        self._base.execute("INSERT OR REPLACE INTO digests VALUES (?, ?)", (name, _digest(rows)))

    def _check(self, name: str, told: str, *rows: Row) -> bool:
        """Return whether rows have a digest. Raises NotationError where it is not theirs."""
        kept = (
            self._base.execute("SELECT sha256 FROM digests WHERE name = ?", (name,)).fetchone()
            if "digests" in self._tables
            else None
        )
        if kept is not None and kept[0] != _digest(rows):
            raise NotationError(
                f"{self._cannot()}: {told} is not what was kept; expected what its digest says"
            )
        return kept is not None

    def _rows(self, query: str, of: tuple[Any, ...] = ()) -> list[Row]:
        return list(self._cursor(query, of))

    def _cursor(self, query: str, of: tuple[Any, ...] = ()) -> Iterator[Row]:
        base = self._base.execute(query, of)
        names = [column[0] for column in base.description]
        for row in base:
            yield dict(zip(names, row, strict=True))

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """See the file as it is now, whatever others write meanwhile."""
        self._base.execute("BEGIN")
        try:
            yield
        finally:
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Write all or nothing."""
        with self._told():
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._base.execute("COMMIT")
            except BaseException:
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
                raise

    def _cannot(self) -> str:
        return f"cannot {self._doing} records in {str(self.path)!r}"

    @contextmanager
    def _told(self, place: str = "") -> Iterator[None]:
        """Raise NotationError, in one line, for whatever a file that is damaged, full or not to be
        written makes SQLite and us raise."""
        try:
            yield
        except (
            sqlite3.Error,
            OSError,
            ValueError,
            TypeError,
            LookupError,
            OverflowError,
            RecursionError,
        ) as error:
            if isinstance(error, NotationError) and not place:
                raise
            reason = " ".join(str(error).split())[:400]
            raise NotationError(
                f"{self._cannot()}: {place}{reason if reason.isprintable() else ascii(reason)}"
            ) from None


class _Beside:
    """Rows of a table that belong to games, taken game by game."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._rows, self.next = rows, next(rows, None)

    def of(self, game: Row) -> list[Row]:
        """Take those of the next game."""
        found = []
        while self.next is not None and _key(self.next) == _key(game):
            found.append(self.next)
            self.next = next(self._rows, None)
        return found


def _to_keep(path: Path, stack: ExitStack) -> sqlite3.Connection:
    base = stack.enter_context(
        closing(sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None))
    )
    base.execute("PRAGMA journal_mode=WAL")
    return base


def _to_read(path: Path, stack: ExitStack) -> sqlite3.Connection:
    """Open a file that may lie where nothing can be written.

    SQLite writes beside a file even to read it, and takes that away where it may. Where it cannot
    write, the file is read as one that does not change; if a process was killed and has left games
    beside it, both are copied first.
    """
    base = _opened(path, "rw", stack)
    try:
        base.execute("SELECT count(*) FROM sqlite_master")
        return base
    except sqlite3.OperationalError as error:
        base.close()
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
    beside = path.with_name(f"{path.name}-wal")
    if not beside.exists() or not beside.stat().st_size:
        return _opened(path, "ro&immutable=1", stack)
    folder = Path(stack.enter_context(TemporaryDirectory()))
    for file in (path, beside):
        copyfile(file, folder / file.name)
    return _opened(folder / path.name, "rw", stack)


def _opened(path: Path, mode: str, stack: ExitStack) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?mode={mode}"
    base = stack.enter_context(
        closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None))
    )
    base.execute("PRAGMA query_only=ON")
    return base


def _key(row: Row) -> tuple[int, int, int]:
    return row["experiment"], row["pair"], row["number"]


def _place(row: Row) -> str:
    return f"game {row['number']} of pair {row['pair']} of experiment {row['experiment']}"


def _digest(rows: Sequence[Row]) -> str:
    """Return the digest of rows; what is null does not count, so that a column can be added."""
    told = [{key: value for key, value in row.items() if value is not None} for row in rows]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _manifest() -> str:
    """Return with which versions and on which machine something was found out, as JSON."""
    from plyscope.version import __version__

    cores = os.cpu_count()
    versions = {"plyscope": __version__, "python": platform.python_version()}
    return json.dumps(
        {**versions, "machine": platform.machine(), "platform": sys.platform, "cores": cores}
    )
