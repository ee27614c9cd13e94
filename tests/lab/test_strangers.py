"""Strangers' code: whatever it does is a forfeit of its game with the reason, and nobody else's
result is touched."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from random import Random

import pytest

from commands import output
from plyscope import parse, parse_agent, parse_game, play_match
from plyscope.errors import AgentError, NotationError, OptionError
from plyscope.faces.cli import run
from plyscope.lab.agents.agent import legal_move
from plyscope.lab.agents.players import RandomAgent
from plyscope.lab.matches.game import GameRecord, play_game
from plyscope.lab.matches.records import Records
from plyscope.lab.matches.tournament import tournament
from plyscope.lab.people.apart_worker import MAX_OUTPUT_CHARS
from plyscope.processes import AnswerLate, Child, Failed, Overlong, kill_group
from sentences import refuses
from sources import sources
from waiting import PATIENCE_SECONDS, until

CHILD = 1_000_000 + os.getpid()
"""The seconds that children of these agents sleep, by which they are known."""
BOTS = sources("strangers")["bots"]


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    (tmp_path / "helpers.py").write_text("def first(position):\n    return min(position.moves)\n")
    (tmp_path / "bots.py").write_text(BOTS.replace("CHILD", str(CHILD)))
    return tmp_path / "bots.py"


def sleepers() -> int:
    """Return how many of the children sleep."""
    command = ["pgrep", "-f", f"^sleep {CHILD}$"]
    return len(subprocess.run(command, capture_output=True, check=False).stdout.split())


def one_game(agent: str) -> GameRecord:
    return play_game(
        (RandomAgent(), parse_agent(agent)), parse_game("tictactoe").start(), Random(1)
    )


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("raises", "raised ValueError: no way in line 14 on"),
        ("loops", "gave no move within 0.4 s on"),
        ("swallows", "gave no move within 0.4 s on"),
        ("sleeps", "gave no move within 0.4 s on"),
        ("exits", "raised SystemExit: 3"),
        ("interrupts", "raised KeyboardInterrupt"),
        ("vanishes", "ended with status 3"),
        ("crashes", "ended by signal 11 (Segmentation fault)"),
        ("hoards", "raised MemoryError"),
        ("answers_float", "answered"),
        ("answers_none", "answered None on"),
        ("answers_true", "answered True on"),
        ("answers_odd", "raised ValueError"),
        ("answers_far", "answered 1000000000000000000000000000000"),
        ("closes_all", "ended with status"),
        ("floods", "gave no move within 0.4 s"),
    ],
)
def test_forfeits_with_the_reason_whatever_a_function_does(
    bots: Path, name: str, reason: str
) -> None:
    played = one_game(f"agent:{bots}:{name} seconds=0.4")
    assert (played.winner, played.is_forfeit) == ("x", True)
    assert reason in played.ending
    assert "\n" not in played.ending


@pytest.mark.parametrize(
    "name", ["good", "numpys", "random_one", "closes_output", "keeps_a_child", "prints"]
)
def test_plays_a_sound_function_to_the_end(bots: Path, name: str) -> None:
    played = one_game(f"agent:{bots}:{name}")
    assert played.ending in ("line", "full board")


@pytest.mark.parametrize("name", ["h_raises", "h_exits", "h_none", "h_half"])
def test_forfeits_for_a_failing_heuristic(bots: Path, name: str) -> None:
    played = one_game(f"alphabeta depth=1 heuristic={bots}:{name}")
    assert (played.winner, played.is_forfeit) == ("x", True)


def test_plays_the_same_games_with_a_file_in_its_own_process(bots: Path) -> None:
    def same(mine: int, theirs: int, lines: tuple[int, ...]) -> int:
        return (mine & 16) * 2 + (mine & -mine)

    def counts(found: object) -> tuple[object, ...]:
        return tuple(
            getattr(found, name)
            for name in ("a_wins_as_x", "a_wins_as_o", "draws", "pairs", "distinct", "nodes_a_move")
        )

    from plyscope.lab.agents.searches import SearchAgent

    here = SearchAgent(
        "here", algorithm="alphabeta", options=(("depth", 2), ("heuristic", same)), ties="random"
    )
    apart = parse_agent(f"alphabeta depth=2 heuristic={bots}:h ties=random")
    assert counts(play_match(here, "random", 30, seed=5)) == counts(
        play_match(apart, "random", 30, seed=5)
    )


def test_plays_a_class_with_bad_entries_to_the_end(bots: Path) -> None:
    search = f"alphabeta depth=1 heuristic={bots}:h"
    good = [f"agent:{bots}:good", search, "two-ply", f"agent:{bots}:random_one"]
    bad = [f"agent:{bots}:{name} seconds=0.2" for name in ("raises", "vanishes", "patches")]
    alone = tournament(good, games=2, seed=3)
    both = tournament([*good[:2], *bad, *good[2:]], games=2, seed=3)

    def told(found: object) -> dict[tuple[str, str], object]:
        return {
            (match.a, match.b): (match.pairs, match.distinct, match.a_wins_as_x, match.nodes_a_move)
            for match in found.matches
        }  # type: ignore[attr-defined]

    of_both = told(both)
    assert {names: of_both[names] for names in told(alone)} == told(alone)
    assert all(both.forfeits(name) for name in bad[:2])
    assert not any(both.forfeits(name) for name in good)


def test_shows_forfeits_in_the_table_of_a_tournament(
    bots: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agents = f"agent:{bots}:raises", f"agent:{bots}:exits", "random"
    told = output(capsys, "tournament", *agents, "-n", "2", "--jobs", "1")
    assert "forfeits" in told
    assert len(re.findall("stopped [234] times", told)) >= 2
    assert "raised ValueError: no way" in " ".join(told.split())


def test_keeps_printed_output_only_in_the_record(
    bots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "lab.db"
    more = "-n", "2", "--json", "--record", str(file), "--jobs", "1"
    assert run(["match", f"agent:{bots}:prints", "random", *more]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("{")
    assert "I see" not in captured.out + captured.err
    with Records(file) as records:
        first, second = next(iter(records.pairs(1).values()))
    assert first.output[0].startswith("I see 9\nI see 7\n")
    assert second.output[1].startswith("I see 8\n")
    assert (first.output[1], second.output[0]) == ("", "")
    assert "I see 9" in output(capsys, "records", str(file), "--printed")


def test_keeps_limited_output_printed_before_a_hang(bots: Path) -> None:
    assert one_game(f"agent:{bots}:prints_and_hangs seconds=0.3").output == ("", "now\n")
    flood = one_game(f"agent:{bots}:floods seconds=0.3").output[1]
    assert set(flood) <= {"x"}
    assert len(flood) <= MAX_OUTPUT_CHARS


def test_keeps_incomplete_characters_as_escapes(tmp_path: Path) -> None:
    file = tmp_path / "half.py"
    file.write_text(
        'def f(position):\n    print("\\ud800")\n    return position.moves[0]\ndef g(position):\n    raise ValueError("\\ud800")\n'
    )
    with Records(tmp_path / "lab.db") as records:
        for number, name in enumerate("fg", 1):
            play_match(f"agent:{file}:{name}", "random", 2, records=records)
            kept = records.pairs(number)[0]
            assert "\\ud800" in (kept[0].output[0] if name == "f" else kept[0].ending)


@pytest.mark.parametrize("forged", ["1" + "0" * 400, "-1e300", "true", '"1"', "null", "NaN"])
def test_forfeits_for_forged_numbers_of_a_search(tmp_path: Path, forged: str) -> None:
    file = tmp_path / "forges.py"
    said = f'{{"moves": [0], "value": 1, "depth": 1, "nodes": {forged}}}'
    file.write_text(
        "import os, sys\n"
        "def h(mine, theirs, lines):\n"
        f"    os.write(sys.stdout.replies.stream.fileno(), {(said + chr(10)).encode()!r})\n"
        "    return 0\n"
    )
    with Records(tmp_path / "lab.db") as records:
        found = play_match(
            f"alphabeta depth=1 form=reference heuristic={file}:h", "random", 2, records=records
        )
    assert found.a_forfeits == 2


def test_seeds_the_random_numbers_of_a_function_by_the_match(bots: Path) -> None:
    one, same, other = (
        play_match(f"agent:{bots}:random_one", "random", 12, seed=seed, game="4,4,4")
        for seed in (1, 1, 2)
    )
    told = attrgetter("pairs", "distinct", "moves_to_win")
    assert told(one) == told(same)
    assert one.distinct > 6
    assert (one.pairs, one.moves_to_win) != (other.pairs, other.moves_to_win)


def test_ends_the_child_processes_of_an_agent(bots: Path) -> None:
    before = sleepers()
    assert one_game(f"agent:{bots}:hangs_with_a_child seconds=0.4").is_forfeit
    until(sleepers, before)


@pytest.mark.parametrize(
    ("answer", "means"),
    [(4, 4), ("b2", 4), *((other, None) for other in (True, 4.0, None, 9, -1, "z9", []))],
)
def test_accepts_a_whole_number_or_a_name_as_an_answer(answer: object, means: int | None) -> None:
    position = parse(".../.../...")
    if means is not None:
        assert legal_move(position, answer) == means
    else:
        with pytest.raises(AgentError, match="answered"):
            legal_move(position, answer)


def test_accepts_integers_of_numpy_as_moves() -> None:
    import numpy

    position = parse(".../.../...")
    for kind in (numpy.int8, numpy.int64, numpy.uint16):
        move = legal_move(position, kind(4))
        assert (move, type(move)) == (4, int)
    for other in (numpy.float64(4), numpy.bool_(True), numpy.array([4, 5])):
        with pytest.raises(AgentError):
            legal_move(position, other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(:", "SyntaxError"),
        ("import sys; sys.exit(4)", "SystemExit: 4"),
        ("import os; os._exit(4)", "ended with status 4"),
        ("1 / 0", "ZeroDivisionError"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
def test_rejects_a_file_that_cannot_be_run(tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "bad.py").write_text(text)
    with pytest.raises(NotationError, match=expected):
        parse_agent(f"{tmp_path / 'bad.py'}:f")


def test_rejects_a_name_that_no_file_can_have() -> None:
    with pytest.raises(NotationError, match=r"no file '\\x00x.py'"):
        parse_agent("\0x.py:f")


@pytest.mark.parametrize(
    ("option", "expected"),
    [("memory=lots", "200 to"), ("memory=1", "200 to"), ("form=quick", "auto, reference")],
)
def test_checks_the_limits(bots: Path, option: str, expected: str) -> None:
    with pytest.raises(OptionError, match=expected):
        parse_agent(f"alphabeta depth=1 heuristic={bots}:h {option}")


def test_treats_an_edited_file_as_another_agent(bots: Path, tmp_path: Path) -> None:
    agent = f"alphabeta depth=1 heuristic={bots}:h"
    with Records(tmp_path / "lab.db") as records:
        first = play_match(agent, "random", 4, records=records)
        assert play_match(agent, "random", 4, records=records).pairs == first.pairs
        assert len(records.experiments()) == 1
        for file in (bots, bots.parent / "helpers.py"):  # what it imports counts too
            file.write_text(file.read_text() + "\n# edited\n")
            play_match(agent, "random", 4, records=records)
        assert len(records.experiments()) == 3
        digests = [experiment.question["files"] for experiment in records.experiments()]
    assert [set(each) for each in digests] == [{str(bots), str(bots.parent / "helpers.py")}] * 3


def test_plays_an_edited_file_as_it_is_now(tmp_path: Path) -> None:
    bot, heuristic, table = tmp_path / "bot.py", tmp_path / "h.py", tmp_path / "h.toml"
    start = parse_game("tictactoe").start()
    agents = [
        f"agent:{bot}:f",
        f"alphabeta depth=1 heuristic={heuristic}:h",
        f"alphabeta depth=1 heuristic={table}",
    ]

    def moves() -> list[object]:
        return [parse_agent(agent).choose(start, Random(0)).move for agent in agents]

    bot.write_text("def f(position):\n    return 0\n")
    heuristic.write_text("def h(mine, theirs, lines):\n    return mine >> 8 & 1\n")
    table.write_text("mine = [0, 1, 1, 1]\n")
    assert moves() == [0, 8, 4]
    bot.write_text("def f(position):\n    return 2 \n")
    heuristic.write_text("def h(mine, theirs, lines):\n    return mine >> 6 & 1 \n")
    table.write_text("mine = [0, -1, -1, -1]\n")
    assert moves() == [2, 6, 1]


def test_identifies_a_table_and_a_program_by_their_files(tmp_path: Path) -> None:
    table, brain = tmp_path / "mine.toml", tmp_path / "brain.py"
    table.write_text("mine = [0, 1, 10, 100]\n")
    brain.write_text("import sys\n")
    assert parse_agent(f"alphabeta heuristic={table}").files == (str(table),)  # type: ignore[attr-defined]
    assert parse_agent(f"program command='{sys.executable} {brain}'").files == (
        sys.executable,
        str(brain),
    )  # type: ignore[attr-defined]


def test_ends_the_match_when_a_file_changes_during_play(bots: Path) -> None:
    def edit(score: object) -> None:
        bots.write_text(bots.read_text() + "\n")

    with refuses(OptionError):
        play_match(f"agent:{bots}:good", "random", 40, progress=edit)


# Programs


def program(tmp_path: Path, body: str) -> str:
    file = tmp_path / "brain.py"
    file.write_text("import os, subprocess, sys, time\n" + textwrap.dedent(body))
    return f"program command='{sys.executable} {file}' seconds=0.3"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("print('OK', flush=True)\nos.close(1)\ntime.sleep(300)", "closed its output"),
        (
            "print('OK\\nOK', flush=True)\nos.close(0)\ntime.sleep(300)",
            ("stopped listening", "gave no move", "answered 'OK'"),
        ),
        (
            "print('OK', flush=True)\nwhile True: sys.stdout.write('x' * 100_000)",
            ("a line of more than", "BrokenPipeError"),
        ),
        (
            "print('OK', flush=True)\nsubprocess.Popen(['sleep', 'CHILD'])\nsys.exit(5)",
            "ended with status 5",
        ),
    ],
)
def test_hanging_programs_lose_at_once(
    tmp_path: Path, body: str, reason: str | tuple[str, ...]
) -> None:
    began, before = time.monotonic(), sleepers()
    found = play_match(program(tmp_path, body.replace("CHILD", str(CHILD))), "random", 2, "7,7,5")
    assert (found.a_wins, found.b_wins, found.a_forfeits) == (0, 2, 2)
    reasons = (reason,) if isinstance(reason, str) else reason
    assert all(any(each in told for each in reasons) for told in found.forfeits), found.forfeits
    assert time.monotonic() - began < PATIENCE_SECONDS  # the program sleeps for 300 s
    until(sleepers, before)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("time.sleep(300)", "gave no OK in reply to START within 0.3 s"),
        ("os.close(0)\ntime.sleep(300)", "stopped listening"),
        ("print('NO', flush=True)\ntime.sleep(300)", "answered 'NO' to the start"),
    ],
)
def test_loses_all_games_after_failing_to_start_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, reason: str
) -> None:
    from plyscope.lab.agents import programs

    monkeypatch.setattr(programs, "START_SECONDS", 1.5)
    starts = tmp_path / "starts"
    note = f"with open({str(starts)!r}, 'a') as file: file.write('x')\n"
    brain = program(tmp_path, note + body)
    found = play_match(brain, "random", 6, "7,7,5")
    assert (found.a_forfeits, starts.read_text()) == (6, "xx")
    assert sum("within 1.5 s" in said for said in found.forfeits) <= 1
    last = [said for said in found.forfeits if "not started again" in said]
    assert last
    assert all(
        f"failed to start 2 times, and is not started again: {reason}" in said for said in last
    )
    assert play_match(brain, "random", 1, "7,7,5").a_forfeits == 1
    assert starts.read_text() == "xxx"  # another match asks it again


# The floor below


@pytest.fixture
def echo() -> Iterator[Child]:
    code = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"
    child = Child([sys.executable, "-c", code], 500)
    yield child
    child.end()


def test_a_child_answers_in_lines(echo: Child) -> None:
    for word in (b"one", b"two"):
        echo.say(word + b"\n")
        assert echo.hear(5) == word[::-1]
    with pytest.raises(TimeoutError):
        echo.hear(0.01)
    echo.end()
    assert not echo.is_running


def test_a_child_converses_within_limits(echo: Child) -> None:
    lines = echo.converse(b"one\ntwo\n", 5)
    assert [next(lines), next(lines)] == [b"eno", b"owt"]
    with refuses(AnswerLate):
        next(echo.converse(b"", 0.2, "word", 0.1))
    kill_group(echo.process.pid)
    echo.process.wait()
    with pytest.raises(Failed, match="ended by signal 9"):
        next(echo.converse(b"three\n", 5))


def test_stops_a_child_that_prints_too_much_and_limits_its_memory() -> None:
    child = Child([sys.executable, "-c", "while True: print('x' * 99_999, end='')"], 500)
    with pytest.raises(Overlong):
        child.hear(20)
    with refuses(Failed):
        next(child.converse(b"", 20))
    child.end()
    code = "print('begun', flush=True); input(); bytearray(10**9)"
    child = Child([sys.executable, "-c", code], 500)
    assert child.hear(20) == b"begun"
    child.say(b"\n")  # the limit holds by now
    with pytest.raises(EOFError):
        child.hear(20)
    assert child.exit_reason() == "ended with status 1: MemoryError"
    child.end()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_ends_all_child_processes_with_the_parent(number: int) -> None:
    code = f"from plyscope.processes import Child; import time; Child(['sh', '-c', 'sleep {CHILD} & sleep {CHILD}']); print(flush=True); time.sleep(600)"
    before = sleepers()
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert parent.stdout.readline() == b"\n"
    until(sleepers, before + 2)
    parent.send_signal(number)
    parent.wait()
    parent.stdout.close()
    until(sleepers, before)
