"""Records: games in one SQLite file, so that no game is lost or played twice.

    meta         key, value                 the version of this layout
    experiments  number, question,          the question, as JSON,
                 manifest                   and the versions and machine, as JSON
    games        experiment, pair, number,  the place of the game in its experiment
                 game, x, o, start, moves,  the game, the agents, the start and the moves
                 winner,                    x, o or null
                 ending                     line, full board, rules, solved, ply limit, repetition,
                                            or the reason of a forfeit
    plies        experiment, pair, number,  the place of the game
                 ply, seconds,              the ply, from 0, and its time
                 value, depth, nodes        the result of the mover's search, or null
    outputs      experiment, pair, number,  the place of the game
                 side, text                 the output of user code, by side x or o
    sides        experiment, pair, number,  the place of the game
                 text                       the opening rule and whether the players swapped
                                            sides; no row without a rule
    cards        game, heuristic,           the report card of a heuristic, as JSON
                 manifest, card
    tunings      game, start, family,       the result of a tuning, as JSON; the digest of its
                 digest, manifest, tuning   training data
    digests      name, sha256               the digest of an experiment, a game with its plies
                                            and outputs, a card or a tuning

Each pair of games is one transaction, so a killed match loses only the pairs in play. The same
question continues its experiment. Several processes may write to one file. Rows that do not match
their digest are refused; rows of earlier versions have none.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plyscope.datafile import DataFrame, frame
from plyscope.lab.matches.game import GameRecord, replayed
from plyscope.lab.matches.gametext import read_games
from plyscope.lab.matches.recordfile import RecordFile, Row
from plyscope.lab.people.files import changed_files
from plyscope.pythonfile import path_of
from plyscope.rules.game import SIDES, GamePosition
from plyscope.rules.games import parse_game
from plyscope.rules.source import as_position
from plyscope.version import __version__

if TYPE_CHECKING:
    from plyscope.lab.judging.reportcard.results import ReportCard

PARTS = {"plies": "ply", "outputs": "side", "sides": "text"}
"""Tables with several rows for a game, and the column that numbers these rows."""
KEYS = {"card": ("game", "heuristic"), "tuning": ("game", "start", "family", "digest")}
"""The columns that identify a card and a tuning."""
RENAMED = {"asymmetric": "changes_when_mirrored", "partial": "changes_when_colours_swap"}
"""The current names of a report card's fields, by their names in earlier versions."""


class Experiment(NamedTuple):
    """A recorded experiment: the options of a match."""

    number: int
    question: dict[str, Any]
    manifest: dict[str, Any]
    """Versions and machine."""

    def __str__(self) -> str:
        options = ", ".join(f"{key} {value}" for key, value in self.question.items())
        return f"experiment {self.number}: {options}"

    @property
    def changed_game(self) -> str:
        """The file of its game if it was changed or is missing; else empty."""
        path, kept = path_of(str(self.question["game"])), self.question.get("files", {})
        return path if path in kept and changed_files({path: kept[path]}) else ""


class Records:
    """A file of records, created unless it exists; with `reading` it must exist.

    Raises NotationError for a file that holds something else, is damaged, or cannot be written.
    """

    def __init__(self, path: str | Path, reading: bool = False) -> None:
        self._file = RecordFile(Path(path), reading)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __repr__(self) -> str:
        return f"<records in {str(self._file.path)!r}>"

    def __enter__(self) -> Records:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def experiment(self, question: dict[str, Any]) -> int:
        """Return the number of the experiment with this question, creating it if necessary."""
        file, key = self._file, json.dumps(question, sort_keys=True)
        with file.writing():
            is_new = file.base.execute(
                "INSERT OR IGNORE INTO experiments (question, manifest) VALUES (?, ?)",
                (key, _manifest()),
            ).rowcount
            row = file.rows("SELECT * FROM experiments WHERE question = ?", (key,))[0]
            if is_new > 0:
                file.keep_digest(f"experiment {row['number']}", row)
        return int(row["number"])

    def experiments(self) -> list[Experiment]:
        """Return all experiments in the order of creation."""
        query, experiments = "SELECT * FROM experiments ORDER BY number", []
        for row in self._file.checked_rows("experiment", query, "number"):
            with self._file.errors(f"experiment {row['number']}"):
                question, manifest = (
                    dict(json.loads(row[key])) for key in ("question", "manifest")
                )
                experiments.append(Experiment(row["number"], question, manifest))
        return experiments

    def pairs(self, experiment: int) -> dict[int, list[GameRecord]]:
        """Return the recorded pairs of an experiment by number."""
        pairs: dict[int, list[GameRecord]] = {}
        for row, *parts in self._games("WHERE experiment = ?", experiment):
            with self._file.errors(_place(row)):
                game = _game_record(row, *parts)
            pairs.setdefault(row["pair"], []).append(game)
        return pairs

    def keep(self, experiment: int, pair: int, games: list[GameRecord]) -> None:
        """Record a pair in one transaction; a pair that is already recorded is not changed.

        Raises NotationError if it cannot be written; earlier records stay intact.
        """
        with self._file.writing():
            for number, game in enumerate(games):
                self._keep_game((experiment, pair, number), game)

    def _keep_game(self, place: tuple[int, int, int], game: GameRecord) -> None:
        """Record a game unless it is already recorded, in the transaction of its pair."""
        file, (experiment, pair, number) = self._file, place
        row = {"experiment": experiment, "pair": pair, **game.as_row(number)}
        columns, values = ", ".join(row), ", ".join(f":{key}" for key in row)
        insert = f"INSERT OR IGNORE INTO games ({columns}) VALUES ({values})"
        if not file.base.execute(insert, row).rowcount:
            return
        plies = [
            (*place, at, ply.seconds, ply.value, ply.depth, ply.nodes)
            for at, ply in enumerate(game.plies)
        ]
        file.base.executemany("INSERT INTO plies VALUES (?, ?, ?, ?, ?, ?, ?, ?)", plies)
        outputs = [
            (*place, side, text) for side, text in zip(SIDES, game.output, strict=True) if text
        ]
        file.base.executemany("INSERT INTO outputs VALUES (?, ?, ?, ?, ?)", outputs)
        sides = [] if game.sides is None else [(*place, game.sides)]
        file.base.executemany("INSERT INTO sides VALUES (?, ?, ?, ?)", sides)
        where = "WHERE experiment = ? AND pair = ? AND number = ?"
        rows = file.rows(f"SELECT * FROM games {where}", place)
        for table, column in PARTS.items():
            rows += file.rows(f"SELECT * FROM {table} {where} ORDER BY {column}", place)
        file.keep_digest("game {} {} {}".format(*place), *rows)

    def keep_card(self, card: ReportCard) -> None:
        """Record a report card, replacing one of the same heuristic and game."""
        self._keep_result("card", card.as_dict())

    def cards(self) -> list[dict[str, Any]]:
        """Return all report cards, as data of `ReportCard.as_dict`."""
        return [
            {RENAMED.get(key, key): value for key, value in card.items()}
            for card in self._results("card")
        ]

    def keep_tuning(self, tuning: Mapping[str, Any]) -> None:
        """Record the data of a tuning, replacing one with the same start and training data."""
        self._keep_result("tuning", tuning)

    def tunings(self) -> list[dict[str, Any]]:
        """Return all tunings, as data of `TuningResult.as_dict`."""
        return self._results("tuning")

    def _keep_result(self, kind: str, result: Mapping[str, Any]) -> None:
        """Record the data of a card or a tuning, replacing one with the same key."""
        file, key = self._file, {name: result[name] for name in KEYS[kind]}
        row = key | {"manifest": _manifest(), kind: json.dumps(result)}
        values = ", ".join(f":{name}" for name in row)
        with file.writing():
            file.base.execute(f"INSERT OR REPLACE INTO {kind}s VALUES ({values})", row)
            file.keep_digest(" ".join((kind, *key.values())), row)

    def _results(self, kind: str) -> list[dict[str, Any]]:
        """Return the data of all cards or tunings."""
        if f"{kind}s" not in self._file.tables:
            return []
        key, results = KEYS[kind], []
        query = f"SELECT * FROM {kind}s ORDER BY {', '.join(key)}"
        for row in self._file.checked_rows(kind, query, *key):
            with self._file.errors(f"the {kind} of {row[key[1]]!r}"):
                results.append(dict(json.loads(row[kind])))
        return results

    def games(self) -> Iterator[Row]:
        """Yield every game, as the columns of a table."""
        return (row for row, *_ in self._games())

    def to_frame(self) -> DataFrame:
        """Return the games as a pandas DataFrame, a row for each."""
        return frame(self.games())

    def plies(self) -> Iterator[Row]:
        """Yield every move of every game, as the columns of a table."""
        return (ply for _, plies, *_ in self._games() for ply in plies)

    def outputs(self) -> Iterator[Row]:
        """Yield the output of user code, as the columns of a table."""
        return (output for _, _, outputs, _ in self._games() for output in outputs)

    def _games(
        self, where: str = "", *experiment: int
    ) -> Iterator[tuple[Row, list[Row], list[Row], list[Row]]]:
        """Yield games with their plies, outputs and sides, in the order of the file.

        Raises NotationError for a changed game and for missing ones.
        """
        file, order = self._file, "ORDER BY experiment, pair, number"
        with file.reading():
            plies, outputs, sides = (
                _Parts(
                    file.cursor(f"SELECT * FROM {table} {where} {order}, {column}", experiment)
                    if table in file.tables
                    else iter(())
                )
                for table, column in PARTS.items()
            )
            checked = 0
            games = file.cursor(f"SELECT * FROM games {where} {order}", experiment)
            for row in chain(games, (None,)):
                for part in (plies.next, outputs.next, sides.next):
                    if part is not None and (row is None or _key(part) < _key(row)):
                        raise file.error(f"{_place(part)} has moves without a game; expected both")
                if row is not None:
                    parts = plies.of(row), outputs.of(row), sides.of(row)
                    name = "game {} {} {}".format(*_key(row))
                    checked += file.check(name, _place(row), row, *chain(*parts))
                    yield row, *parts
            kept = file.count_digests(" ".join(("game", *map(str, experiment), "*")))
            if checked != kept:
                raise file.error(
                    f"{kept - checked:,} games are missing; expected the {kept:,} recorded ones"
                )


def open_records(file: str | Path, *, read_only: bool = False) -> Records:
    """Open a file of records, for `play_match` and `tournament` to continue and for reading.

    The file is created unless it exists; with `read_only` it must exist. Use it in a `with`
    statement, or call `close`. Raises NotationError for a file that holds something else, is
    damaged or cannot be written.

    >>> import tempfile, plyscope as ps
    >>> with (
    ...     tempfile.TemporaryDirectory() as folder,
    ...     ps.open_records(f"{folder}/games.db") as records,
    ... ):
    ...     match = ps.play_match("random", "two-ply", games=2, records=records)
    ...     [each.question["a"] for each in records.experiments()]
    ['random']
    """
    return Records(file, reading=read_only)


class _Parts:
    """Rows of a table, read game by game."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._rows, self.next = rows, next(rows, None)

    def of(self, game: Row) -> list[Row]:
        """Return the rows of a game; games must be requested in the order of the rows."""
        parts = []
        while self.next is not None and _key(self.next) == _key(game):
            parts.append(self.next)
            self.next = next(self._rows, None)
        return parts


def _game_record(row: Row, plies: list[Row], outputs: list[Row], sides: list[Row]) -> GameRecord:
    """Return the record of a game, after replaying its moves."""
    start = as_position(row["start"], parse_game(row["game"]))
    moves, end = replayed(start, row["moves"])
    output = {part["side"]: part["text"] for part in outputs}
    return GameRecord(
        players=(row["x"], row["o"]),
        start=start,
        plies=tuple(
            replace(move, **{name: ply[name] for name in ("seconds", "value", "depth", "nodes")})
            for move, ply in zip(moves, plies, strict=True)
        ),
        end=end,
        winner=row["winner"],
        ending=row["ending"],
        output=(output.get("x", ""), output.get("o", "")),
        opening=row["start"] if isinstance(start, GamePosition) else None,
        sides=sides[0]["text"] if sides else None,
    )


def _key(row: Row) -> tuple[int, int, int]:
    return row["experiment"], row["pair"], row["number"]


def _place(row: Row) -> str:
    return f"game {row['number']} of pair {row['pair']} of experiment {row['experiment']}"


def _manifest() -> str:
    """Return the provenance of a result as JSON: the versions and the machine."""
    return json.dumps(
        {
            "plyscope": __version__,
            "python": platform.python_version(),
            "machine": platform.machine(),
            "platform": sys.platform,
            "cores": os.cpu_count(),
        }
    )


SQLITE_HEADER = b"SQLite format 3\0"
"""The first bytes of a file of records."""


def games_of(path: str | Path) -> Iterator[GameRecord]:
    """Yield the games in a file of records, or in the text that `plyscope records` writes.

    Raises NotationError.
    """
    text = _text_of(Path(path))
    if text is not None:
        yield from read_games(text, str(path))
        return
    with Records(path, reading=True) as records:
        for experiment in records.experiments():
            for pair in records.pairs(experiment.number).values():
                yield from pair


def _text_of(path: Path) -> str | None:
    """Return a file's text; None for a database or an unreadable file."""
    try:
        with path.open("rb") as file:
            is_database = file.read(len(SQLITE_HEADER)) == SQLITE_HEADER
        return None if is_database else path.read_text()
    except (OSError, UnicodeDecodeError):
        return None
