"""Sessions of Gomocup's protocol, of Yixin and of GTP: lines sent, and lines answered.

In the answers, MOVE is any cell of the board that is empty. MESSAGE lines are left out, and of
ERROR and UNKNOWN the text after the first words.
"""

from __future__ import annotations

import argparse
import io
import re
from random import Random
from threading import Event, Thread
from typing import Any

import pytest

from plyscope.lab.agents.catalogue import parse_agent
from plyscope.searching.accelerator import Readiness, accelerator
from plyscope_worlds.gomocup import _Brain, _Lines, run
from waiting import until

START = ["START 15"]
SESSIONS = {
    "two numbers after START": (["START 15 15", "TURN 7,7"], ["OK", "MOVE"]),
    "a comma after START": (["START 15,15", "BEGIN"], ["OK", "MOVE"]),
    "a rectangle": (["RECTSTART 15,12", "TURN 14,11", "TURN 0,12"], ["OK", "MOVE", "ERROR"]),
    "a rectangle, with a space": (["RECTSTART 15 , 12", "TURN 14,11"], ["OK", "MOVE"]),
    "three numbers after START": (["START 15 15 15"], ["ERROR"]),
    "no number after START": (["START", "BEGIN"], ["ERROR", "ERROR"]),
    "a board of Yixin": (["START 15 15", "INFO timeout_turn 500", "YXBOARD", "7,7,1", "DONE",
                          "TURN 8,8", "TURN 7,7"], ["OK", "MOVE", "ERROR"]),
    "a board of Yixin in small letters": (
        [*START, "yxboard", "7,7,2", "done", "begin"], ["OK", "MOVE"]),
    "a board of Yixin with a wrong line": (
        [*START, "YXBOARD", "7,7,1", "7;8;2", "DONE", "TURN 8,8", "BEGIN", "TAKEBACK 7,7"],
        ["OK", "ERROR", "ERROR", "ERROR", "ERROR"]),
    "a wrong board, then a right one": (
        [*START, "BOARD", "7,7,4", "DONE", "TURN 1,1", "YXBOARD", "7,7,1", "DONE", "TURN 8,8"],
        ["OK", "ERROR", "ERROR", "MOVE"]),
    "a wrong board, then a new game": (
        [*START, "BOARD", "7,7,4", "DONE", "RESTART", "TURN 8,8"], ["OK", "ERROR", "OK", "MOVE"]),
    "stones of an unknown command": (
        [*START, "YXBLOCK", "7,7", "DONE", "TURN 8,8"],
        ["OK", "UNKNOWN", "UNKNOWN", "UNKNOWN", "ERROR"]),
    "an unknown command without stones": (
        [*START, "YXBALANCEONE 3", "TURN 8,8"], ["OK", "UNKNOWN", "MOVE"]),
    "the best move of a board of Yixin": (
        [*START, "YXBOARD", "7,7,1", "8,8,2", "DONE", "YXNBEST 1", "TURN 0,0"],
        ["OK", "MOVE", "MOVE"]),
    "the best move after a wrong board": (
        [*START, "YXBOARD", "7,7", "DONE", "YXNBEST 2", "RESTART", "YXNBEST 2"],
        ["OK", "ERROR", "ERROR", "OK", "MOVE"]),
    "silent commands of Yixin": (
        ["INFO show_detail 2", "INFO thread_num 1", *START, "YXSHOWINFO", "YXHASHCLEAR", "YXSTOP",
         "TURN 8,8"], ["OK", "MOVE"]),
    "forbidden cells without Renju": ([*START, "YXSHOWFORBID"], ["OK", "FORBID ."]),
    "forbidden cells of Renju": (
        ["INFO rule 4", "START 9", "YXBOARD", "2,4,1", "3,4,1", "4,2,1", "4,3,1", "0,0,2", "8,0,2",
         "0,8,2", "8,8,2", "DONE", "YXSHOWFORBID"], ["OK", "FORBID 0404."]),
    "GTP": (["protocol_version", "name", "boardsize 15", "clear_board", "komi 6.5",
             "play black H8", "genmove white", "quit", "name"],
            ["= 2", "= plyscope", "=", "=", "=", "=", "= VERTEX", "="]),
    "GTP with numbers and comments": (
        ["# hello", "", "1 name", "2 known_command genmove", "3 known_command go", "4 # none"],
        ["=1 plyscope", "=2 true", "=3 false"]),
    "GTP with wrong sides, cells, and passes": (
        ["boardsize 9", "play w E5", "play b E5", "play w E5", "play w I5", "play w pass",
         "play w K1", "play w J1", "genmove b"],
        ["=", "?", "=", "?", "?", "?", "?", "=", "= VERTEX"]),
    "GTP takes back": (
        ["clear_board", "undo", "play b H8", "undo", "play b H8", "play white h9"],
        ["=", "?", "=", "=", "=", "="]),
    "GTP sizes and unknown commands": (
        ["boardsize 99", "boardsize", "final_score", "7 quit", "name"], ["?", "?", "?", "=7"]),
    "GTP with times": (
        ["time_settings 0 5 1", "time_left b 3 1", "time_left b soon 1", "genmove black"],
        ["=", "=", "?", "= VERTEX"]),
    "GTP after the end of a game": (
        ["boardsize 5", *(f"play {'bw'[at % 2]} {'ABCDE'[at // 2]}{at % 2 + 1}" for at in range(9)),
         "play w E2", "genmove w", "undo", "genmove b"],
        ["=", *["="] * 9, "?", "?", "=", "= E1"]),
    "PLAY of Gomocup": ([*START, "PLAY 7,7", "TURN 8,8"], ["OK", "7,7", "MOVE"]),
    "PLAY of Gomocup first": (["PLAY 7,7", *START], ["ERROR", "OK"]),
}  # fmt: skip


def told(
    lines: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[str]:
    """Return the lines that the command answers to `lines`, without MESSAGE and empty ones."""
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([*lines, ""])))
    asked = argparse.Namespace(agent="alphabeta depth=1", json=False, seed=0)
    assert run(asked) == 0
    answers = capsys.readouterr().out.splitlines()
    return [line for line in answers if line and not line.startswith("MESSAGE")]


@pytest.mark.parametrize("name", SESSIONS)
def test_answers_a_session(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines, expected = SESSIONS[name]
    answers = told(lines, monkeypatch, capsys)
    for answer, wanted in zip(answers, expected, strict=True):
        if wanted == "MOVE":
            assert re.fullmatch(r"\d+,\d+", answer)
            assert all(answer not in line for line in lines)
        elif wanted == "= VERTEX":
            assert re.fullmatch(r"= [A-HJ-O]\d+", answer)
            assert all(answer[2:] not in line for line in lines)
        elif wanted in ("ERROR", "UNKNOWN", "?"):
            assert answer.startswith(f"{wanted} ")
        else:
            assert answer == wanted


def test_names_the_line_after_which_no_move_is_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = told([*START, "YXBLOCK", "7,7", "DONE", "TURN 8,8"], monkeypatch, capsys)
    assert answers[-1] == "ERROR TURN after '7,7'; expected START, RESTART or BOARD"


def test_finds_the_best_move_for_the_side_to_move(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    black, white = [f"{x},7" for x in (3, 4, 5, 6, 13)], [f"{x},3" for x in (3, 4, 5, 6)]
    walls = ["2,7", "2,3"]
    for number in "12":  # white completes five, whichever side is called own
        other = "2" if number == "1" else "1"
        board = [f"{cell},{number}" for cell in [*black, walls[1]]]
        board += [f"{cell},{other}" for cell in [*white, walls[0]]]
        lines = [*START, "YXBOARD", *board, "DONE", "YXNBEST 1"]
        assert told(lines, monkeypatch, capsys)[-1] == "7,3"


def test_shows_and_lists_by_gtp(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = told(["boardsize 5", "play b C3", "play w A1", "showboard"], monkeypatch, capsys)
    board = [line for line in shown if re.fullmatch(r"[XO. ]+", line)]
    assert board == [". . . . .", ". . . . .", ". . X . .", ". . . . .", "O . . . ."]
    listed = told(["list_commands"], monkeypatch, capsys)
    assert {"= boardsize", "genmove", "play", "quit"} <= {*listed}


def test_answers_start_while_the_engine_is_compiled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    is_compiled, brain = Event(), brain_of("engine")
    compile_until(is_compiled, monkeypatch)
    assert brain.execute("START", "15", iter([])) == ["OK"]
    assert brain.execute("INFO", "timeout_turn 100", iter([])) == []
    assert brain.execute("INFO", "rule 1", iter([])) == []
    *_, quick = brain.execute("TURN", "7,7", iter([]))
    assert re.fullmatch(r"\d+,\d+", quick)
    assert capsys.readouterr().out.startswith("MESSAGE the engine is being compiled")
    is_compiled.set()
    brain.preparing.join()
    *_, move = brain.execute("TURN", "0,0" if quick != "0,0" else "1,0", iter([]))
    assert re.fullmatch(r"\d+,\d+", move)
    assert capsys.readouterr().out == ""


def test_waits_for_the_engine_without_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    is_compiled, brain = Event(), brain_of("engine")
    monkeypatch.setattr("plyscope_worlds.gomocup.DEFAULT_SECONDS", 0.05)
    compile_until(is_compiled, monkeypatch)
    assert brain.execute("START", "15", iter([])) == ["OK"]
    found: list[list[str]] = []
    playing = Thread(target=lambda: found.append(brain.execute("TURN", "7,7", iter([]))))
    playing.start()
    until(lambda: brain.stones, [7 * 15 + 7])  # it has heard the command
    assert not found
    is_compiled.set()
    playing.join()
    assert found[0][0].startswith("MESSAGE value")


def test_loads_stored_code_before_it_answers_start(monkeypatch: pytest.MonkeyPatch) -> None:
    brain, loaded = brain_of("engine"), list[Any]()
    monkeypatch.setattr("plyscope_worlds.gomocup._load", lambda *given: loaded.append(given))
    monkeypatch.setattr(type(accelerator()), "readiness", lambda *given: Readiness("stored", 0.0))
    assert brain.execute("START", "15", iter([])) == ["OK"]
    assert loaded  # a move has to begin at once


@pytest.mark.parametrize(("agent", "is_begun"), [("level-9", True), ("random", False)])
def test_begins_at_start_to_compile_what_an_agent_searches_with(
    agent: str, is_begun: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    brain, compiling = brain_of(agent), Event()
    monkeypatch.setattr(
        "plyscope.lab.agents.searches.prepare_search", lambda *given: compiling.wait()
    )
    assert brain.execute("START", "15", iter([])) == ["OK"]
    assert (brain.preparing is not None and brain.preparing.is_alive()) == is_begun
    compiling.set()


def test_refuses_start_where_the_engine_cannot_run(monkeypatch: pytest.MonkeyPatch) -> None:
    brain = brain_of("engine")
    monkeypatch.setattr(type(accelerator()), "refuses", lambda *given: "machine code needs numba")
    (said,) = brain.execute("START", "15", iter([]))
    assert said.startswith("ERROR machine code needs numba")


def compile_until(is_compiled: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the engine be compiled until an event."""
    monkeypatch.setattr("plyscope_worlds.gomocup._load", lambda *given: is_compiled.wait())
    monkeypatch.setattr(type(accelerator()), "readiness", lambda *given: Readiness("missing", 0.0))


def brain_of(agent: str) -> Any:
    return _Brain(parse_agent(agent), Random(1), _Lines([]), is_clocked=True)


def test_refuses_a_taken_vertex_and_one_off_the_board_by_gtp(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["boardsize 5", "play b C3", "play w C3", "play w F1", "play w A0", "play w A5"]
    answers = told(lines, monkeypatch, capsys)
    assert [answer[:1] for answer in answers if answer] == [*"==???="]
    assert all("vertex" in answer for answer in answers if answer[:1] == "?")
