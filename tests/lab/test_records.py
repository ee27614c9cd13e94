"""Records: nothing that was played is lost, played again or counted twice, whatever happens to the
process."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from commands import data, output, refusal
from plyscope import play_match
from plyscope.errors import NotationError
from plyscope.faces.cli import run
from plyscope.lab.judging.reportcard import report_card
from plyscope.lab.matches.gametext import read_games
from plyscope.lab.matches.records import Records
from sentences import refuses, says
from tunings import sampled, whole
from waiting import until

WORDS = [
    *("match", "random", "greedy", "-g", "4,4,4", "-n", "400", "--opening-plies", "2", "--seed"),
    "5",
]


counts = attrgetter(
    "a_wins_as_x", "a_wins_as_o", "draws", "pairs", "games", "distinct", "moves_to_win"
)


def test_resumes_a_match_where_it_was_left(tmp_path: Path) -> None:
    whole = play_match("random", "greedy", 60, "4,3,3", 7, opening_plies=1)
    with Records(tmp_path / "lab.db") as records:
        play_match("random", "greedy", 23, "4,3,3", 7, opening_plies=1, records=records)
        kept = {pair: games[0].moves for pair, games in records.pairs(1).items()}
        resumed = play_match("random", "greedy", 60, "4,3,3", 7, opening_plies=1, records=records)
        assert counts(resumed) == counts(whole)
        assert {
            pair: games[0].moves for pair, games in records.pairs(1).items() if pair in kept
        } == kept
        assert len(list(records.games())) == 60
        other = play_match("random", "greedy", 10, "4,3,3", 8, records=records)
        assert (other.games, len(list(records.games()))) == (10, 70)


def test_reads_games_back_as_they_were(tmp_path: Path) -> None:
    for spec in ("connect4", "misere-tictactoe", "4,3,3,torus", "qubic"):
        with Records(tmp_path / f"{spec}.db") as records:
            play_match("random", "random", 4, spec, 3, opening_plies=1, records=records)
            for games in records.pairs(1).values():
                for game in games:
                    assert game.end.is_over
                    assert game.winner == (
                        None if game.end.winner is None else "xo"[game.end.winner]
                    )


def test_loses_only_the_games_in_play_when_killed(tmp_path: Path) -> None:
    file = tmp_path / "lab.db"
    command = [sys.executable, "-m", "plyscope", *WORDS, "--record", str(file)]
    seen = []
    for delay in (0.3, 0.15, 0.25):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def has_gone_on(process: Any = process, before: int = (seen or [0])[-1]) -> bool:
            return process.poll() is not None or (file.exists() and _count(file) > before)

        until(has_gone_on)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        seen.append(_count(file))
    assert seen == sorted(seen)
    assert seen[0] > 0
    assert all(number % 2 == 0 for number in seen)
    with Records(file) as records:
        resumed = play_match("random", "greedy", 400, "4,4,4", 5, opening_plies=2, records=records)
    assert counts(resumed) == counts(
        play_match("random", "greedy", 400, "4,4,4", 5, opening_plies=2)
    )
    assert _count(file) == 400


def _count(file: Path) -> int:
    base = sqlite3.connect(file, timeout=10)
    try:
        return int(base.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        base.close()


def test_two_processes_write_to_one_file(tmp_path: Path) -> None:
    file = tmp_path / "lab.db"
    command = [sys.executable, "-m", "plyscope", *WORDS, "--record", str(file)]
    other = [*command[:-3], "6", *command[-2:]]
    processes = [
        subprocess.Popen(words, stdout=subprocess.DEVNULL) for words in (command, command, other)
    ]
    assert [process.wait(timeout=120) for process in processes] == [0, 0, 0]
    assert _count(file) == 800
    base = sqlite3.connect(file)
    assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    base.close()


def lab(file: Path, games: int = 20) -> Path:
    """Return a file of records that holds so many games of 4,3,3."""
    with Records(file) as records:
        play_match("random", "greedy", games, "4,3,3", 7, records=records)
    return file


@contextmanager
def powerless(*paths: Path) -> Iterator[None]:
    """Be somebody who can write to none of these."""
    modes = [path.stat().st_mode for path in paths]
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    for path in paths:
        path.chmod(0o555)
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        for path, mode in zip(paths, modes, strict=True):
            path.chmod(mode)


@pytest.fixture
def reachable() -> Iterator[Path]:
    """Give a folder that everybody can look into."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.parametrize(
    "is_left_behind", [False, True], ids=["closed", "left by a process that was killed"]
)
def test_reads_records_from_a_read_only_folder(
    reachable: Path, tmp_path: Path, is_left_behind: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    file = lab(reachable / "lab ?#%.db")
    if is_left_behind:
        (reachable / "copy").mkdir()
        with Records(file) as records:
            play_match("random", "greedy", 20, "4,3,3", 8, records=records)
            for each in (file, file.with_name(f"{file.name}-wal")):
                shutil.copyfile(each, reachable / "copy" / each.name)
        file = reachable / "copy" / file.name
    other = str(lab(tmp_path / "lab.db"))
    told = [
        run(words)
        for words in (
            ["records", other, "--report"],
            ["match", "nobody", "random"],
            ["records", other, "--csv"],
        )
    ]
    assert told == [0, 2, 0]  # and all is imported, which nobody may not be allowed to
    capsys.readouterr()
    with powerless(*file.parent.iterdir(), file.parent):
        with Records(file, reading=True) as records:
            assert (
                len(list(records.games()))
                == len(records.pairs(1)) * 2 + len(records.pairs(2)) * 2
                == (40 if is_left_behind else 20)
            )
        assert output(capsys, "records", str(file), "--csv").count("\n") == (
            41 if is_left_behind else 21
        )
        assert "greedy" in output(capsys, "records", str(file), "--report")
        assert "cannot keep records in" in refusal(
            capsys, "match", "random", "greedy", "-n", "2", "--record", str(file)
        )
    assert not [path.name for path in reachable.iterdir() if path.name.endswith(("-shm", "-wal"))]


def test_reads_without_writing(tmp_path: Path) -> None:
    file = lab(tmp_path / "lab.db")
    before = file.read_bytes()
    with Records(file, reading=True) as records:
        (experiment,) = records.experiments()
        with refuses(NotationError):
            records.keep(1, 99, records.pairs(experiment.number)[0])
    assert [path.name for path in tmp_path.iterdir()] == ["lab.db"]
    assert file.read_bytes() == before
    for name in ("empty.db", "none.db"):
        if name == "empty.db":
            (tmp_path / name).touch()
        with pytest.raises(NotationError):
            Records(tmp_path / name, reading=True)
    assert not (tmp_path / "none.db").exists()
    assert not (tmp_path / "empty.db").stat().st_size


def test_reports_a_full_disk_in_one_line_and_keeps_earlier_games(tmp_path: Path) -> None:
    with Records(tmp_path / "lab.db") as records:
        (pages,) = records._file.base.execute("PRAGMA page_count").fetchone()
        records._file.base.execute(f"PRAGMA max_page_count = {pages + 6}")
        with refuses(NotationError):
            play_match("random", "greedy", 2000, "4,3,3", 7, records=records)
        kept = records.pairs(1)
        assert len(kept) > 3
        assert all(len(games) == 2 for games in kept.values())
    with Records(tmp_path / "lab.db") as records:  # when there is room again
        assert records.pairs(1) == kept
        resumed = play_match("random", "greedy", 200, "4,3,3", 7, records=records)
        assert counts(resumed) == counts(play_match("random", "greedy", 200, "4,3,3", 7))


def change(file: Path, *statements: str) -> None:
    base = sqlite3.connect(file)
    for statement in statements:
        assert base.execute(statement).rowcount
    base.commit()
    base.close()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "UPDATE games SET winner = 'x' WHERE winner = 'o' AND pair = 3",
            "game [01] of pair 3 of experiment 1 does not match its digest",
        ),
        (
            "UPDATE games SET o = 'nobody' WHERE pair = 2 AND number = 1",
            "game 1 of pair 2 of experiment 1 does not match its digest",
        ),
        (
            "UPDATE plies SET nodes = 7 WHERE pair = 4 AND number = 0 AND ply = 2",
            "game 0 of pair 4 of experiment 1 does not match its digest",
        ),
        (
            "DELETE FROM plies WHERE pair = 4 AND number = 0 AND ply = 2",
            "game 0 of pair 4 of experiment 1 does not match its digest",
        ),
        (
            "INSERT INTO outputs VALUES (1, 4, 0, 'x', 'I win')",
            "game 0 of pair 4 of experiment 1 does not match its digest",
        ),
        (
            "DELETE FROM games WHERE pair = 4 AND number = 0",
            "game 0 of pair 4 of experiment 1 has moves without a game",
        ),
        (
            "UPDATE games SET moves = CAST(x'fffe' AS TEXT) WHERE pair = 1 AND number = 0",
            "Could not decode to UTF-8",
        ),
    ],
)
def test_rejects_changed_games(tmp_path: Path, statement: str, said: str) -> None:
    file = lab(tmp_path / "lab.db")
    change(file, statement)
    for reading in (True, False):
        with Records(file, reading=reading) as records:
            with pytest.raises(NotationError, match=said):
                records.pairs(1)
            with pytest.raises(NotationError, match=said):
                list(records.games())
            with pytest.raises(NotationError, match=said):
                list(records.plies())
    with Records(file) as records, pytest.raises(NotationError, match=said):
        play_match("random", "greedy", 40, "4,3,3", 7, records=records)


def test_misses_a_deleted_game(tmp_path: Path) -> None:
    file = lab(tmp_path / "lab.db")
    change(file, "DELETE FROM plies WHERE pair = 4", "DELETE FROM games WHERE pair = 4")
    with Records(file) as records, refuses(NotationError):
        records.pairs(1)


def test_rejects_changed_questions_and_cards(tmp_path: Path) -> None:
    file = lab(tmp_path / "lab.db")
    with Records(file) as records:
        for _ in range(2):
            records.keep_card(report_card("open-lines", "3,3,2", 2))
        (card,) = records.cards()
        assert card["heuristic"] == "open-lines"
    change(
        file,
        "UPDATE cards SET card = replace(card, ' 0', ' 1')",
        "UPDATE experiments SET question = replace(question, '4,3,3', '4,4,3')",
    )
    with Records(file, reading=True) as records:
        with refuses(NotationError):
            records.cards()
        with refuses(NotationError):
            records.experiments()


def test_reads_cards_with_old_field_names(tmp_path: Path) -> None:
    file = tmp_path / "lab.db"
    with Records(file) as records:
        records.keep_card(report_card("open-lines", "3,3,2", 2))
        kept = records.cards()
    change(
        file,
        "UPDATE cards SET card = replace(card, 'changes_when_mirrored', 'asymmetric')",
        "UPDATE cards SET card = replace(card, 'changes_when_colours_swap', 'partial')",
        "DELETE FROM digests",
    )
    with Records(file, reading=True) as records:
        assert records.cards() == kept


def test_reads_and_resumes_records_without_digests(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = lab(tmp_path / "lab.db")
    change(file, "DROP TABLE digests", "DROP TABLE cards", "DROP TABLE outputs")
    with Records(file, reading=True) as records:
        assert (len(list(records.games())), len(records.pairs(1)), records.cards()) == (20, 10, [])
    with Records(lab(file, 40), reading=True) as records:
        assert len(list(records.games())) == 40
    change(
        file, "UPDATE games SET moves = 'a1 a1 a1' WHERE pair = 2 AND number = 1"
    )  # one that has no digest
    with Records(file) as records, refuses(NotationError):
        records.pairs(1)
    assert refusal(capsys, "records", str(file), "--text").count("\n") == 1


@pytest.mark.parametrize("how", ["half the pages", "the schema", "cut", "no version"])
def test_reports_a_corrupted_file_in_one_line_in_every_command(
    tmp_path: Path, how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file, draw = lab(tmp_path / "lab.db", 100), random.Random(3)
    data = bytearray(file.read_bytes())
    if how == "half the pages":
        for at in range(4096, len(data), 8192):
            data[at : at + 4096] = draw.randbytes(4096)
    elif how == "the schema":
        at = data.index(b"CREATE TABLE games")
        data[at : at + 6] = b"\xff\n\xfe\n\x00\n"
    elif how == "cut":
        del data[len(data) // 2 :]
    file.write_bytes(data)
    if how == "no version":
        change(file, "DELETE FROM meta")
    words = (
        ["records", str(file)],
        ["records", str(file), "--text"],
        ["records", str(file), "--plies"],
        ["records", str(file), "--report"],
    )
    for command in words:
        assert run(command) == 2, command
        printed = capsys.readouterr()
        assert printed.err.startswith("plyscope: ")
        assert printed.err.count("\n") == 1
    if how != "no version":  # which is put back
        assert (
            refusal(
                capsys,
                "match",
                "random",
                "greedy",
                "-g",
                "4,3,3",
                "-n",
                "200",
                "--seed",
                "7",
                "--record",
                str(file),
            ).count("\n")
            == 1
        )


def test_rejects_a_file_that_holds_no_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "text.db"
    text.write_text("no database at all, but long enough to be looked at " * 30)
    with refuses(NotationError):
        Records(text)
    strange = sqlite3.connect(tmp_path / "strange.db")
    strange.execute("CREATE TABLE cats (name TEXT)")
    strange.commit()
    strange.close()
    with refuses(NotationError):
        Records(tmp_path / "strange.db")
    says(refusal(capsys, "records", str(tmp_path / "none.db")))
    says(
        refusal(
            capsys,
            "match",
            "random",
            "random",
            "-n",
            "2",
            "--record",
            str(tmp_path / "no" / "folder.db"),
        )
    )


def test_prints_records_as_table_csv_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "lab.db")
    assert run(["match", "two-ply", "random", "-n", "4", "--record", file, "--json"]) == 0
    capsys.readouterr()
    for words, said in (
        ([], "4 games"),
        (["--csv"], "experiment,pair,number,game,x,o"),
        (["--json"], '"moves"'),
    ):
        assert said in output(capsys, "records", file, *words)


def test_says_that_a_report_card_of_a_large_game_is_of_a_sample(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyscope.lab.judging.populations._latest", {})
    monkeypatch.setattr("plyscope.lab.judging.whole.MAX_POSITIONS", 300)
    monkeypatch.setattr("plyscope.lab.judging.reportcard.card.SAMPLES_OF_LARGE", 5)
    assert run(["report-card", "null", "-d", "1", "--json"]) == 0
    out, err = capsys.readouterr()
    card = json.loads(out)[0]
    assert (card["positions"], card["is_sampled"], card["population"]) == (5, True, "quiet")
    assert "a sample of 5" in card["notes"][-1]
    assert err.count("\n") == len(card["notes"])
    assert run(["report-card", "null", "--positions", "all"]) == 2


def test_reads_back_games_as_text(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "lab.db"
    with Records(file) as records:
        play_match(
            "greedy", "alphabeta depth=2", 6, "connect4", 1, opening_plies=2, records=records
        )
        play_match("random", lambda position: 1 / 0, 2, "4,3,3", 1, records=records)  # type: ignore[arg-type, return-value]
        kept = [
            game
            for experiment in records.experiments()
            for pair in records.pairs(experiment.number).values()
            for game in pair
        ]
        plies = list(records.plies())
    assert len(plies) == sum(len(game.plies) for game in kept)
    assert all(row["nodes"] is None or row["nodes"] > 0 for row in plies)
    assert {row["depth"] for row in plies if row["nodes"] is not None} == {1, 2}
    text = output(capsys, "records", str(file), "--text")
    for game, read in zip(kept, read_games(text), strict=True):
        told = attrgetter("players", "start", "moves", "end", "winner")
        assert told(read) == told(game)
        assert read.ending == game.ending
    (tmp_path / "games.txt").write_text(text)
    assert output(capsys, "records", str(tmp_path / "games.txt"), "--text") == text
    for words in (["--csv"], ["--json"], []):
        assert "alphabeta depth=2" in output(capsys, "records", str(tmp_path / "games.txt"), *words)
    assert "value" in output(capsys, "records", str(file), "--plies")


@pytest.mark.parametrize(
    "text",
    [
        "1. b2",
        '[Game "tictactoe"]\n[X "a"]\n[O "b"]\n[Result "1-0"]\n[Ending "line"]\n1. b2 a1',
        '[Game "tictactoe"]\n[X "a"]\n[O "b"]\n[Result "1-0"]\n[Ending "line"]\n1. b2 b2',
        '[Game "tictactoe"]\n[X "a"]\n[Result "1-0"]\n[Ending "line"]\n1. b2',
        '[Game "tictactoe"]\n[Colour "red"]',
    ],
)
def test_names_the_line_of_an_unreadable_text_of_games(
    tmp_path: Path, text: str, capsys: Any
) -> None:
    file = tmp_path / "games.txt"
    file.write_text(text)
    with refuses(NotationError):
        list(read_games(text))
    assert refusal(capsys, "records", str(file)).count("\n") == 1


def test_keeps_tunings_once_and_rejects_changed_ones(tmp_path: Path) -> None:
    file = tmp_path / "lab.db"
    with Records(file) as records:
        records.keep_tuning(sampled(seconds=1.0).as_dict())
        records.keep_tuning(sampled().as_dict())
        records.keep_tuning(sampled(family="table").as_dict())
        records.keep_tuning(whole().as_dict())
        kept = records.tunings()
    assert [(item["game"], item["family"]) for item in kept] == [
        ("connect4", "table"),
        ("connect4", "to-move"),
        ("tictactoe", "lines"),
    ]
    assert kept[1] == json.loads(json.dumps(sampled().as_dict()))
    change(file, "UPDATE tunings SET tuning = replace(tuning, 'improved', 'improvod')")
    with Records(file, reading=True) as records, refuses(NotationError):
        records.tunings()
    change(file, "DROP TABLE tunings")
    with Records(file, reading=True) as records:
        assert records.tunings() == []


@pytest.mark.parametrize(
    ("name", "content", "row"),
    [
        (
            "a.sgf",
            "(;GM[4]SZ[15]PB[Ann]PW[Bob]RE[W+R];B[hh];W[ii])",
            ("Ann", "Bob", "o", "the result in the file"),
        ),
        (
            "a.psq",
            "Piskvorky 15x15, 0:0, 0\n"
            + "".join(f"{at},1,0\n{at},3,0\n" for at in range(1, 5))
            + "5,1,0\none\ntwo\n-1\n",
            ("one", "two", "x", "line"),
        ),
    ],
)
def test_records_lists_a_finished_game_of_another_program(
    name: str,
    content: str,
    row: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / name
    file.write_text(content)
    (found,) = data(capsys, "records", str(file))
    assert (found["x"], found["o"], found["winner"], found["ending"]) == row
    file.write_text(content.replace("RE[W+R]", "").replace("5,1,0\none", "one"))
    says(refusal(capsys, "records", str(file)))
