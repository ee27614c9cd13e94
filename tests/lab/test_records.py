"""Records: nothing that was played is lost, played again or counted twice, whatever happens to the process."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from plyscope import play_match
from plyscope.errors import NotationError
from plyscope.faces.cli import run
from plyscope.lab.gametext import read_games
from plyscope.lab.records import Records

WORDS = ["match", "random", "greedy", "-g", "4,4,4", "-n", "400", "--openings", "2", "--seed", "5"]


def counts(found: Any) -> tuple[Any, ...]:
    return found.a_wins_as_x, found.a_wins_as_o, found.draws, found.pairs, found.games, found.distinct, found.moves_to_win


def test_a_match_goes_on_where_it_was_left(tmp_path: Path) -> None:
    whole = play_match("random", "greedy", 60, "4,3,3", 7, opening_plies=1)
    with Records(tmp_path / "lab.db") as records:
        play_match("random", "greedy", 23, "4,3,3", 7, opening_plies=1, records=records)
        kept = {pair: games[0].moves for pair, games in records.pairs(1).items()}
        resumed = play_match("random", "greedy", 60, "4,3,3", 7, opening_plies=1, records=records)
        assert counts(resumed) == counts(whole)
        assert {pair: games[0].moves for pair, games in records.pairs(1).items() if pair in kept} == kept
        assert len(list(records.games())) == 60
        other = play_match("random", "greedy", 10, "4,3,3", 8, records=records)
        assert (other.games, len(list(records.games()))) == (10, 70)


def test_games_read_back_as_they_were(tmp_path: Path) -> None:
    for spec in ("connect4", "misere-tictactoe", "4,3,3,torus", "qubic"):
        with Records(tmp_path / f"{spec}.db") as records:
            play_match("random", "random", 4, spec, 3, opening_plies=1, records=records)
            for games in records.pairs(1).values():
                for game in games:
                    assert game.end.is_over
                    assert game.winner == (None if game.end.winner is None else "xo"[game.end.winner])


def test_killed_at_any_moment_it_loses_only_what_was_in_play(tmp_path: Path) -> None:
    file = tmp_path / "lab.db"
    command = [sys.executable, "-m", "plyscope", *WORDS, "--record", str(file)]
    seen = []
    for delay in (0.3, 0.15, 0.25):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        waited = time.monotonic()
        while process.poll() is None and time.monotonic() - waited < 20 and (not file.exists() or _count(file) <= (seen or [0])[-1]):
            time.sleep(0.02)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        seen.append(_count(file))
    assert seen == sorted(seen)
    assert seen[0] > 0
    assert all(number % 2 == 0 for number in seen)
    with Records(file) as records:
        resumed = play_match("random", "greedy", 400, "4,4,4", 5, opening_plies=2, records=records)
    assert counts(resumed) == counts(play_match("random", "greedy", 400, "4,4,4", 5, opening_plies=2))
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
    processes = [subprocess.Popen(words, stdout=subprocess.DEVNULL) for words in (command, command, other)]
    assert [process.wait(timeout=120) for process in processes] == [0, 0, 0]
    assert _count(file) == 800
    base = sqlite3.connect(file)
    assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    base.close()


def test_what_is_no_file_of_records_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "text.db"
    text.write_text("no database at all, but long enough to be looked at " * 30)
    with pytest.raises(NotationError, match="cannot keep records in"):
        Records(text)
    strange = sqlite3.connect(tmp_path / "strange.db")
    strange.execute("CREATE TABLE cats (name TEXT)")
    strange.commit()
    strange.close()
    with pytest.raises(NotationError, match="is a database of something else; expected records of plyscope or a new file"):
        Records(tmp_path / "strange.db")
    assert run(["records", str(tmp_path / "none.db")]) == 2
    assert "no file" in capsys.readouterr().err
    assert run(["match", "random", "random", "-n", "2", "--record", str(tmp_path / "no" / "folder.db")]) == 2
    assert "cannot keep records in" in capsys.readouterr().err


def test_records_are_printed_as_table_csv_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "lab.db")
    assert run(["match", "two-ply", "random", "-n", "4", "--record", file, "--json"]) == 0
    capsys.readouterr()
    for words, said in (([], "4 games"), (["--csv"], "experiment,pair,number,game,x,o"), (["--json"], '"moves"')):
        assert run(["records", file, *words]) == 0
        assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["match", "nobody", "random"], "unknown agent 'nobody'"),
        (["match", "random", "random", "--sprt", "5", "0"], "sprt from 5 to 0 Elo; expected the first below the second"),
        (["match", "random", "random", "--openings", "9"], "the game is over by then"),
        (["match", "random", "random", "-g", "mars"], "unknown game 'mars'"),
        (["report-card", "nothing"], "unknown heuristic 'nothing'"),
        (["report-card", "null", "-g", "connect4"], "has more than 300,000 positions"),
    ],
)
def test_bad_input_to_the_lab_is_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyscope.lab.reportcard.MOST_POSITIONS", 300_000 if "connect4" not in words else 300)
    assert run(words) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert said.replace("300,000", "300" if "connect4" in words else "300,000") in err


def test_games_as_text_read_back(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "lab.db"
    with Records(file) as records:
        play_match("greedy", "alphabeta depth=2", 6, "connect4", 1, opening_plies=2, records=records)
        play_match("random", lambda position: 1 / 0, 2, "4,3,3", 1, records=records)  # type: ignore[arg-type, return-value]
        kept = [game for experiment in records.experiments() for pair in records.pairs(experiment.number).values() for game in pair]
        plies = list(records.plies())
    assert len(plies) == sum(len(game.plies) for game in kept)
    assert all(row["nodes"] is None or row["nodes"] > 0 for row in plies)
    assert {row["depth"] for row in plies if row["nodes"] is not None} == {1, 2}
    assert run(["records", str(file), "--text"]) == 0
    text = capsys.readouterr().out
    for game, read in zip(kept, read_games(text), strict=True):
        assert (read.players, read.start, read.moves, read.end, read.winner) == (
            game.players,
            game.start,
            game.moves,
            game.end,
            game.winner,
        )
        assert read.ending == game.ending
    (tmp_path / "games.txt").write_text(text)
    assert run(["records", str(tmp_path / "games.txt"), "--text"]) == 0
    assert capsys.readouterr().out == text
    for words in (["--csv"], ["--json"], []):
        assert run(["records", str(tmp_path / "games.txt"), *words]) == 0
        assert "alphabeta depth=2" in capsys.readouterr().out
    assert run(["records", str(file), "--plies"]) == 0
    assert "value" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1. b2", "line 1: '1. b2'|'b2' before any tag"),
        ('[Game "tictactoe"]\n[X "a"]\n[O "b"]\n[Result "1-0"]\n[Ending "line"]\n1. b2 a1', "expected the result of the board"),
        ('[Game "tictactoe"]\n[X "a"]\n[O "b"]\n[Result "1-0"]\n[Ending "line"]\n1. b2 b2', "b2"),
        ('[Game "tictactoe"]\n[X "a"]\n[Result "1-0"]\n[Ending "line"]\n1. b2', "'O' is missing"),
        ('[Game "tictactoe"]\n[Colour "red"]', "line 2: tag 'Colour'"),
    ],
)
def test_a_text_of_games_that_cannot_be_read_is_told_with_its_line(tmp_path: Path, text: str, said: str, capsys: Any) -> None:
    file = tmp_path / "games.txt"
    file.write_text(text)
    with pytest.raises(NotationError, match=said):
        list(read_games(text))
    assert run(["records", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
