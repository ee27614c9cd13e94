"""The SQLite file of the records: its tables, transactions, and digests of the stored rows.

Any error from a damaged, full or read-only file is raised as a NotationError of one line. Reading
needs no permission to write to the file or its folder.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any

from plyscope.errors import NotationError

VERSION = "2"
LAYOUT = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS experiments (
    number INTEGER PRIMARY KEY, question TEXT NOT NULL UNIQUE, manifest TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS games (
    experiment INTEGER NOT NULL REFERENCES experiments, pair INTEGER NOT NULL,
    number INTEGER NOT NULL, game TEXT NOT NULL, x TEXT NOT NULL, o TEXT NOT NULL,
    start TEXT NOT NULL, moves TEXT NOT NULL, winner TEXT, ending TEXT NOT NULL,
    PRIMARY KEY (experiment, pair, number)
) STRICT;
CREATE TABLE IF NOT EXISTS plies (
    experiment INTEGER NOT NULL, pair INTEGER NOT NULL, number INTEGER NOT NULL,
    ply INTEGER NOT NULL, seconds REAL NOT NULL, value REAL, depth INTEGER, nodes INTEGER,
    PRIMARY KEY (experiment, pair, number, ply)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS outputs (
    experiment INTEGER NOT NULL, pair INTEGER NOT NULL, number INTEGER NOT NULL,
    side TEXT NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (experiment, pair, number, side)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sides (
    experiment INTEGER NOT NULL, pair INTEGER NOT NULL, number INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (experiment, pair, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS cards (
    game TEXT NOT NULL, heuristic TEXT NOT NULL, manifest TEXT NOT NULL, card TEXT NOT NULL,
    PRIMARY KEY (game, heuristic)
) STRICT;
CREATE TABLE IF NOT EXISTS tunings (
    game TEXT NOT NULL, start TEXT NOT NULL, family TEXT NOT NULL, digest TEXT NOT NULL,
    manifest TEXT NOT NULL, tuning TEXT NOT NULL,
    PRIMARY KEY (game, start, family, digest)
) STRICT;
CREATE TABLE IF NOT EXISTS digests (
    name TEXT PRIMARY KEY, sha256 TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""
"""The tables; files of this version may lack outputs, sides, cards, tunings and digests."""
BUSY_SECONDS = 30.0
MAX_REASON_CHARS = 400
Row = dict[str, Any]


class RecordFile:
    """A SQLite file with these tables; it is created if missing, unless it is opened for
    reading."""

    def __init__(self, path: Path, is_reading: bool) -> None:
        self.path, self._is_reading = path, is_reading
        with self.errors(), ExitStack() as stack:
            self.base = _open_to_read(path, stack) if is_reading else _open_to_write(path, stack)
            # in one transaction, so that only one of several processes creates the tables
            with nullcontext() if is_reading else self.writing():
                self._check_layout()
            self.tables = self._table_names()
            self._open = stack.pop_all()

    def _check_layout(self) -> None:
        """Create missing tables unless reading; raise NotationError for another database or
        version."""
        tables = self._table_names()
        if "experiments" not in tables and (tables or self._is_reading):
            raise NotationError(
                f"{str(self.path)!r} is a database of something else; "
                "expected records of plyscope or a new file"
            )
        if not self._is_reading:
            for statement in LAYOUT.split(";"):
                self.base.execute(statement)
            self.base.execute("INSERT OR IGNORE INTO meta VALUES ('version', ?)", (VERSION,))
        versions = [row["value"] for row in self.rows("SELECT * FROM meta WHERE key = 'version'")]
        if versions != [VERSION]:
            raise NotationError(
                f"{str(self.path)!r} has version {' '.join(map(str, versions))[:40]!r} of the "
                f"records; expected {VERSION!r}"
            )

    def _table_names(self) -> set[str]:
        query = "SELECT name FROM sqlite_master WHERE type = 'table'"
        return {row["name"] for row in self.cursor(query)}

    def close(self) -> None:
        """Close the file."""
        with self.errors():
            self._open.close()

    def cursor(self, query: str, values: Sequence[Any] = ()) -> Iterator[Row]:
        """Yield the rows of a query, as dictionaries by column name."""
        rows = self.base.execute(query, values)
        names = [column[0] for column in rows.description]
        for row in rows:
            yield dict(zip(names, row, strict=True))

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Row]:
        """Return the rows of a query, as dictionaries by column name."""
        return list(self.cursor(query, values))

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Hold the file's state for all reads of a block, despite concurrent writes."""
        with self.errors():
            self.base.execute("BEGIN")
            try:
                yield
            finally:
                if self.base.in_transaction:
                    self.base.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Run a block in one transaction, which is rolled back on any error."""
        with self.errors():
            self.base.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.base.execute("COMMIT")
            except BaseException:
                if self.base.in_transaction:
                    self.base.execute("ROLLBACK")
                raise

    def error(self, reason: str) -> NotationError:
        """Return an error about this file."""
        verb = "read" if self._is_reading else "keep"
        return NotationError(f"cannot {verb} records in {str(self.path)!r}: {reason}")

    @contextmanager
    def errors(self, place: str = "") -> Iterator[None]:
        """Turn an error in a block into a NotationError with the place in the file."""
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
            reason = " ".join(str(error).split())[:MAX_REASON_CHARS]
            shown = reason if reason.isprintable() else ascii(reason)
            raise self.error(f"{place}: {shown}" if place else shown) from None

    def keep_digest(self, name: str, *rows: Row) -> None:
        """Store the digest of rows under a name."""
        digest = name, _digest(rows)
        self.base.execute("INSERT OR REPLACE INTO digests VALUES (?, ?)", digest)

    def check(self, name: str, place: str, *rows: Row) -> bool:
        """Return whether a digest of these rows is stored; raise NotationError if it differs from
        theirs."""
        if "digests" not in self.tables:
            return False
        kept = self.rows("SELECT sha256 FROM digests WHERE name = ?", (name,))
        if kept and kept[0]["sha256"] != _digest(rows):
            raise self.error(f"{place} does not match its digest; expected unchanged records")
        return bool(kept)

    def checked_rows(self, kind: str, query: str, *key: str) -> list[Row]:
        """Return the rows of a query, after checking their digests.

        The name of a row's digest is `kind` and the values of the columns `key`.
        """
        with self.reading():
            rows = self.rows(query)
            for row in rows:
                name = " ".join((kind, *(str(row[column]) for column in key)))
                self.check(name, name, row)
        return rows

    def count_digests(self, pattern: str) -> int:
        """Return the number of digests whose names match a GLOB pattern."""
        if "digests" not in self.tables:
            return 0
        query = "SELECT count(*) AS number FROM digests WHERE name GLOB ?"
        return int(self.rows(query, (pattern,))[0]["number"])


def _open_to_write(path: Path, stack: ExitStack) -> sqlite3.Connection:
    base = stack.enter_context(
        closing(sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None))
    )
    base.execute("PRAGMA journal_mode=WAL")
    return base


def _open_to_read(path: Path, stack: ExitStack) -> sqlite3.Connection:
    """Open a file for reading, even in a folder without write permission.

    Even to read a file, SQLite writes temporary files next to it. If it cannot, the file is read as
    immutable. If there is also a write-ahead log, left by a process that was killed, the file and
    the log are first copied to a temporary folder.
    """
    base = _open(path, "rw", stack)
    try:
        base.execute("SELECT count(*) FROM sqlite_master")
        return base
    except sqlite3.OperationalError as error:
        base.close()
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
    log = path.with_name(f"{path.name}-wal")
    if not log.exists() or not log.stat().st_size:
        return _open(path, "ro&immutable=1", stack)
    folder = Path(stack.enter_context(TemporaryDirectory()))
    for file in (path, log):
        copyfile(file, folder / file.name)
    return _open(folder / path.name, "rw", stack)


def _open(path: Path, mode: str, stack: ExitStack) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?mode={mode}"
    base = stack.enter_context(
        closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None))
    )
    base.execute("PRAGMA query_only=ON")
    return base


def _digest(rows: Sequence[Row]) -> str:
    """Return the digest of rows without null values, so that it stays the same when a column is
    added."""
    known = [{key: value for key, value in row.items() if value is not None} for row in rows]
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()
