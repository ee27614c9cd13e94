"""Agents that are not ours: Python functions and external programs, which lose when they crash,
dawdle or cheat."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest

from commands import answer, python
from plyscope import parse, parse_agent, play_match
from plyscope.errors import AgentError, NotationError, OptionError, PlyscopeError
from plyscope.lab.agents.agent import ask
from plyscope.lab.matches.game import play_game
from plyscope.lab.matches.records import Records
from plyscope.rules.games import parse_game
from sentences import says
from sources import sources
from waiting import PATIENCE_SECONDS

BOTS = sources("foreign")["bots"]


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    file = tmp_path / "bots.py"
    file.write_text(BOTS)
    return file


def brain(tmp_path: Path, body: str) -> str:
    """Return the agent of a program that answers a line of the protocol as `answer(line)` says."""
    file = tmp_path / "brain.py"
    file.write_text(
        textwrap.dedent(body)
        + "\nimport sys\nfor line in sys.stdin:\n    said = answer(line.strip())\n    if said:\n        print(said, flush=True)\n"
    )
    return f"program command='{sys.executable} {file}' seconds=0.5"


def ours(agent: str = "engine", seconds: float = 1.0) -> str:
    return f"program command='{sys.executable} -m plyscope gomocup --agent \"{agent}\"' seconds={seconds}"


def test_functions_play(bots: Path) -> None:
    last = parse_agent(f"{bots}:last")
    assert last.choose(parse("X../.O./..."), Random(0)).move == 8
    found = play_match(f"agent:{bots}:by_name", f"{bots}:last", 2)
    assert (found.games, found.forfeits) == (2, {})
    assert play_match(lambda position: position.moves[0], f"{bots}:last", 2).pairs == found.pairs


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("crashes", "raised IndexError"),
        ("cheats", "answered"),
        ("sleeps", "gave no move within 0.1 s"),
    ],
)
def test_failing_functions_lose_with_the_reason(
    bots: Path, name: str, reason: str, tmp_path: Path
) -> None:
    with Records(tmp_path / "lab.db") as records:
        found = play_match(f"agent:{bots}:{name} seconds=0.1", "random", 4, records=records)
        assert (found.a_wins, found.b_wins, found.draws) == (0, 4, 0)
        assert sum(found.forfeits.values()) == 4
        assert all(reason in told for told in found.forfeits)
        again = play_match(f"agent:{bots}:{name} seconds=0.1", "random", 4, records=records)
        assert again.forfeits == found.forfeits


def test_pickles_functions_for_other_processes(bots: Path) -> None:
    with ProcessPoolExecutor(2) as pool:
        found = play_match(f"{bots}:last", "random", 20, executor=pool)
    assert found.pairs == play_match(f"{bots}:last", "random", 20).pairs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{bots}:nothing", "no function 'nothing'"),
        ("nowhere.py:bot", "no file 'nowhere.py' for the agent"),
        ("{bots}:last depth=3", "unknown option 'depth'"),
        ("{bots}:last seconds=0", "expected more than 0"),
        ("program seconds=2", "names no program"),
        ("program command='oops", "expected quotes in pairs"),
    ],
)
def test_rejects_what_cannot_be_an_agent_in_one_line(bots: Path, text: str, expected: str) -> None:
    with pytest.raises((OptionError, NotationError, PlyscopeError), match=expected):
        parse_agent(text.format(bots=bots))


def test_our_program_plays_like_its_agent() -> None:
    there, here = parse_agent(ours("alphabeta depth=2")), parse_agent("alphabeta depth=2")
    other = parse_agent("alphabeta depth=1 heuristic=open-lines order=random seed=4")
    for game in ("7,7,5", "5,4,3"):
        start = parse_game(game).start()
        for place in (0, 1):
            a, b = (
                play_game((agent, other) if place == 0 else (other, agent), start, Random(0))
                for agent in (there, here)
            )
            assert (a.moves, a.ending) == (b.moves, b.ending)
            assert a.ending in ("line", "full board")


def test_our_program_keeps_to_its_time() -> None:
    agent = parse_agent(ours(seconds=3.0))
    ask(agent, parse("15,15,5 h8 i9"), Random(0))  # starts it
    began = time.monotonic()
    choice, _ = ask(agent, parse("15,15,5 h8 i9 h9"), Random(0))
    assert choice.move in parse("15,15,5 h8 i9 h9").moves
    assert time.monotonic() - began < PATIENCE_SECONDS  # without a time it would search for days


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            "def answer(line): return 'OK' if line.startswith(('START', 'RESTART')) else '99,99' if line in ('BEGIN', 'DONE') else ''",
            "expected a legal move x,y",
        ),
        (
            "def answer(line): return 'OK' if line.startswith(('START', 'RESTART')) else None",
            "gave no move",
        ),
        (
            "def answer(line): return 'OK' if line.startswith('START') else 1 / 0",
            "ended with status 1: ZeroDivisionError: division by zero",
        ),
        ("def answer(line): return 'ERROR too small'", "expected OK"),
    ],
)
def test_failing_programs_lose_with_the_reason(tmp_path: Path, body: str, reason: str) -> None:
    found = play_match(brain(tmp_path, body), "random", 2, "7,7,5")
    assert (found.a_wins, found.b_wins) == (0, 2)
    assert all(reason in told for told in found.forfeits), found.forfeits


def test_ignores_messages_and_unknown_words(tmp_path: Path) -> None:
    body = """
        seen = []
        def answer(line):
            word = line.split(" ")[0]
            if word in ("START", "RESTART"):
                return "MESSAGE hello\\nOK"
            if word == "INFO":
                return "UNKNOWN"
            if word == "BEGIN":
                return "DEBUG thinking\\n0,0"
            if word == "TURN":
                seen.append(line)
                return f"{len(seen)},0"
    """
    record = play_game(
        (parse_agent(brain(tmp_path, body)), parse_agent("alphabeta depth=1 order=generated")),
        parse_game("7,7,5").start(),
        Random(0),
    )
    assert record.moves[:1] == ("a7",)
    assert not any("DEBUG" in move for move in record.moves)


def talk(*lines: str, agent: str = "alphabeta depth=2") -> list[str]:
    done = python(
        "-m", "plyscope", "gomocup", "--agent", agent, input="\n".join(lines), check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_speaks_the_protocol_as_its_managers_expect() -> None:
    answers = talk(
        "ABOUT",
        "TURN 1,1",
        "START 15",
        "INFO timeout_turn 1000",
        "BOARD",
        "7,7,1",
        "8,8,2",
        "7,8,1",
        "8,7,2",
        "7,9,1",
        "8,9,2",
        "7,10,1",
        "8,6,2",
        "DONE",
    )
    assert answers[0].startswith('name="plyscope"')
    says(answers[1])
    assert answers[2] == "OK"
    assert answers[-1] in ("7,6", "7,11")  # four of its own in a row: it wins
    wrong = ("TAKEBACK 3,3", "DANCE", "TURN 9,9", "END", "BEGIN")
    says("\n".join(talk("START 6", "BEGIN", "RESTART", *wrong)[-4:]))
    says(talk("START 400", "RECTSTART 0,5")[0])


def test_plays_no_blocked_cell_and_no_line_through_it() -> None:
    four = [f"{x},7,1" for x in (3, 4, 5, 6)] + ["0,0,2", "2,0,2", "4,0,2"]
    ends = ["7,7,3", "2,7,3"]
    win = talk("START 15", "INFO timeout_turn 200", "BOARD", *four, "DONE", agent="engine")
    assert win[-1] in ("7,7", "2,7")
    kept = talk("START 15", "INFO timeout_turn 200", "BOARD", *four, *ends, "DONE", agent="engine")
    assert kept[-1] not in ("7,7", "2,7")
    assert talk("START 15", "BOARD", "3,3,4", "DONE")[-1].startswith("ERROR stone '3,3,4'")
    assert talk("START 15", "BOARD", "3,3,3", "DONE", "TURN 1,1")[1] != "3,3"


def test_moves_at_once_for_zero_or_negative_times() -> None:
    began = time.perf_counter()
    answers = talk(
        "START 10",
        "INFO timeout_turn 0",
        "BEGIN",
        "TURN 1,1",
        "INFO timeout_turn 100",
        "INFO time_left -40",
        "TURN 2,1",
        "INFO time_left 2147483647",
        "TURN 3,1",
        agent="engine",
    )
    assert answers[1] == "5,5"
    assert len([answer for answer in answers if answer[0].isdigit()]) == 4
    assert time.perf_counter() - began < PATIENCE_SECONDS  # or a search would take days


def test_chooses_at_each_step_of_swap2() -> None:
    def chosen(*stones: str) -> str:
        told = ["START 15", "INFO timeout_turn 300", "SWAP2BOARD", *stones, "DONE"]
        return talk(*told, agent="engine")[-1]

    placed = chosen().split(" ")
    assert len({*placed}) == 3
    assert all(re.fullmatch(r"\d+,\d+", cell) for cell in placed)
    assert chosen("7,7", "0,0", "8,8") == "SWAP"  # black stands better
    # white has an open three and is to move
    assert chosen("0,0", "7,7", "14,0", "8,7", "0,14") != "SWAP"
    says(chosen("7,7"))


def test_a_search_ends_when_the_manager_says_so() -> None:
    command = [sys.executable, "-m", "plyscope", "gomocup"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdout is not None
        process.stdin.write("START 15\nINFO timeout_turn 3600000\nBEGIN\n")
        assert [process.stdout.readline() for _ in range(2)] == ["OK\n", "7,7\n"]
        for turn, word in (("0,1", "YXSTOP"), ("0,13", "YXSTOP"), ("14,0", "END")):
            process.stdin.write(f"TURN {turn}\n")
            time.sleep(0.3)  # mostly it searches by then; it has to answer in any case
            process.stdin.write(f"{word}\n")
            answer = process.stdout.readline()
            while answer.startswith("MESSAGE"):
                answer = process.stdout.readline()
            assert re.fullmatch(r"\d+,\d+\n", answer), answer
        assert process.wait(30) == 0


def test_reads_the_rule_of_exactly_five_by_its_number(tmp_path: Path) -> None:
    agent = "alphabeta depth=1 scoring=result heuristic=null"
    six = [f"{x},2,1" for x in (1, 2, 3, 4, 6)] + ["0,2,2"]
    five = [f"{x},8,1" for x in (1, 2, 3, 4)] + ["0,8,2"]
    assert talk("START 15", "BOARD", *six, "DONE", agent=agent)[-1] == "5,2"
    board = ("BOARD", *six, *five, "DONE")
    assert talk("INFO rule 1", "START 15", *board, agent=agent)[-1] == "5,8"
    assert talk("START 15", "INFO rule 1", *board, agent=agent)[-1] == "5,8"
    says(talk("START 15", "INFO rule 2")[-1])
    body = """
        rule = None
        def answer(line):
            global rule
            if line.startswith("INFO rule"):
                rule = line.split()[2]
            return "OK" if "START" in line else f"{rule},0" if line == "BEGIN" else ""
    """
    told = parse_agent(brain(tmp_path, body))
    numbers = {"": 0, ",exactly": 1, ",renju": 4, ",caro": 8, ",exactly,caro": 9}
    for text, cell in ((f"10,10,5{rule}", number) for rule, number in numbers.items()):
        assert told.choose(parse_game(text).start(), Random(0)).move == cell


def test_reads_renju_and_caro_by_their_numbers() -> None:
    def chosen(rule: str, *stones: str) -> str:
        agent = "alphabeta depth=1 scoring=result heuristic=null"
        board = [f"{stone},1" for stone in stones]
        board += ["0,2,2", "0,8,2", *(f"{2 * at},14,2" for at in range(len(stones) - 2))]
        return talk("START 19", f"INFO rule {rule}", "BOARD", *board, "DONE", agent=agent)[-1]

    six = [f"{x},2" for x in (1, 2, 3, 4, 6)]
    five = [f"{x},8" for x in (1, 2, 3, 4)]
    assert {rule: chosen(rule, *six, *five) for rule in "01489"} == {
        **dict.fromkeys("08", "5,2"),
        **dict.fromkeys("149", "5,8"),
    }
    threes = ["5,7", "6,7", "7,5", "7,6"]  # 7,7 makes two
    all_else = [f"{x},{y}" for x in range(9) for y in range(9) if f"{x},{y}" not in threes]
    board = [*(f"{stone},1" for stone in threes), "0,0,2", "8,0,2", "0,8,2", "8,8,2"]
    for seed in range(4):
        told = ("START 9", "INFO rule 4", "BOARD", *board, "DONE")
        assert talk(*told, agent="random")[-1] in {*all_else} - {"7,7"}, seed


def test_knows_blocked_fives_in_caro() -> None:
    agent = "alphabeta depth=1 scoring=result heuristic=null"
    closed = [*(f"{x},3,1" for x in (2, 3, 4, 5)), "1,3,2", "7,3,2"]
    halfway = [*(f"{x},8,1" for x in (2, 3, 4, 5)), "1,8,2"]
    for rule, cell in (("0", "6,3"), ("8", "6,8"), ("9", "6,8")):
        told = ("START 15", f"INFO rule {rule}", "BOARD", *closed, *halfway, "DONE")
        assert talk(*told, agent=agent)[-1] == cell


def test_lets_a_program_place_several_stones_a_turn() -> None:
    here, there = (
        parse_agent("alphabeta depth=1 order=generated"),
        parse_agent(ours("alphabeta depth=1 order=generated")),
    )
    start = parse_game("6,6,4,stones=2").start()
    games = [play_game((agent, here), start, Random(0)) for agent in (there, here)]
    assert games[0].moves == games[1].moves
    assert games[0].ending == "line"


def test_answers_any_input_in_printable_lines() -> None:
    """Control characters, bytes in no encoding, numbers of 5,000 digits."""
    digits = b"9" * 5000
    odd = [
        b"D\x1b[2J\tANCE",
        b"START 10",
        b"INFO rule \x1b[2J\x07",
        b"INFO folder C:\\B\xf6b",
        b"INFO timeout_turn " + digits,
        b"INFO time_left \x1c9000",
    ]
    asked = [
        b"E\x07TURN 1,1",
        *odd,
        b"TAKEBACK " + digits + b",1",
        b"TURN 1," + digits,
        b"\xff\xfe",
        "BOARD\n٣,٣,2\nDONE".encode(),
    ]
    command = [sys.executable, "-m", "plyscope", "gomocup", "--agent", "alphabeta depth=1"]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(
        command, input=b"\n".join(asked), capture_output=True, timeout=60, env=environment
    )
    assert (done.returncode, done.stderr) == (0, b"")
    answers = done.stdout.decode().splitlines()
    assert all(answer.isprintable() for answer in answers)
    assert [answer.split(" ")[0] for answer in answers[:-2]] == [
        "ERROR",
        "ERROR",
        "OK",
        "MESSAGE",
        "ERROR",
        "ERROR",
        "UNKNOWN",
    ]
    says(answers[0])
    assert answers[-1].replace(",", "").isdigit()


def test_reports_an_agent_that_fails_at_the_table_in_one_line(bots: Path, capsys: Any) -> None:
    status, _, err = answer(capsys, "play", "--x", f"agent:{bots}:crashes", "--o", "random")
    assert status == 2
    says(err)
    with pytest.raises(AgentError, match="expected a legal move"):
        ask(parse_agent(f"agent:{bots}:cheats"), parse("tictactoe"), Random(0))


def test_does_not_undo_a_blocked_cell() -> None:
    answers = talk("START 6", "BOARD", "0,0,3", "1,1,2", "DONE", "TAKEBACK 0,0", "TAKEBACK 1,1")
    says(answers[-2])
    assert answers[-1] == "OK"


def test_ends_when_the_input_ends_inside_a_board() -> None:
    assert talk("START 6", "BOARD", "0,0,1")[0] == "OK"


def test_makes_no_move_after_a_board_with_a_wrong_stone() -> None:
    answers = talk(
        *("START 6", "SWAP2BOARD", "0,0", "9,9", "1,1", "DONE", "PLAY 0,0", "TURN 1,1"),
        *("RESTART", "PLAY 0,0"),
    )
    assert answers[1].startswith("ERROR cell '9,9'")
    assert answers[2].startswith("ERROR PLAY")
    assert answers[3].startswith("ERROR TURN")
    assert answers[4:] == ["OK", "0,0"]
