"""Time is kept, and a stop is heard: by every solver and search, wherever it is."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from time import perf_counter, process_time, sleep
from typing import Any

import pytest

from commands import python
from plyscope import parse, parse_game, search, solve
from plyscope.lab.agents.catalogue import parse_agent
from plyscope.processes import module_command
from plyscope.rules.symmetry import symmetries
from plyscope_fast.solving.lines import lines_solver
from plyscope_fast.solving.threats import threat_solver
from sources import sources
from waiting import PATIENCE_SECONDS, until

BENCH = Path(__file__).parents[2] / "bench" / "stops.py"
SLACK = 1.0
"""Processor seconds of this process over the time that it was given."""


def test_obeys_random_stops_without_damage() -> None:
    command = [
        sys.executable,
        str(BENCH),
        "--stops",
        "36",
        "--seed",
        "7",
        "--heard",
        "10",
        "--quick",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("text", ["4x4x4,4,torus", "8,8,5", "8,8,4,torus", "4x4x4x4,4", "12,12,6"])
def test_counts_preparation_as_part_of_the_time(text: str) -> None:
    solve("7,7,4", seconds=1)  # what has to be compiled is
    search("15,15,5", "engine", seconds=0.01)
    solve(text, seconds=0.1, with_moves=False)  # and what is read from the disk
    game = parse_game(text)
    for known in (symmetries, lines_solver, threat_solver):
        known.cache_clear()
    until(is_idle)
    began = process_time()
    verdict = solve(game, seconds=0.3, with_moves=False)
    assert process_time() - began < 0.3 + SLACK
    assert verdict.value is not None or verdict.stopped == "seconds"


def is_idle() -> bool:
    """Return whether no call that an earlier test has abandoned computes any more."""
    began = process_time()
    sleep(0.05)
    return process_time() - began < 0.02


def test_makes_a_tablebase_within_the_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from plyscope_fast.evaluation import tablebase

    monkeypatch.setattr(tablebase, "home", lambda: tmp_path)
    game = parse_game("16x1,5")
    until(is_idle)
    began = process_time()
    verdict = solve(game, seconds=0.2)
    assert process_time() - began < 0.2 + SLACK
    assert (verdict.value, verdict.stopped, verdict.method) == (None, "seconds", "tablebase")


@pytest.mark.parametrize("weak", [False, True])
def test_reports_the_work_of_a_stopped_solve(weak: bool) -> None:
    for seconds in (0.4, 2, 10):  # preparing is part of it, and long on a busy machine
        verdict = solve("8,8,5", seconds=seconds, maker_breaker=weak)
        assert (verdict.value, verdict.stopped, verdict.maker_breaker) == (None, "seconds", weak)
        assert seconds <= verdict.seconds
        if verdict.nodes > 0:
            break
    assert verdict.nodes > 0
    assert verdict.megabytes > 0
    assert verdict.method in ("lines", "threats")


def test_returns_what_is_proved_when_the_time_is_over() -> None:
    lines_solver.cache_clear()
    times = [0.005 * number for number in range(1, 60)]
    verdicts = [solve("4x4x4,3", "lines", seconds=seconds) for seconds in times]
    assert {verdict.value for verdict in verdicts} <= {None, 1}
    assert all(verdict.stopped == "seconds" for verdict in verdicts if verdict.moves is None)
    assert verdicts[-1].value == 1


@pytest.mark.parametrize(
    "text",
    [
        "7,7,5",
        "8,8,5",
        "connect4 1",
        "connect4 14",
        "9,7,4,gravity",
        "15,15,5 h8 i9",
        "4x4x4,4,torus",
    ],
)
def test_keeps_the_time_of_the_perfect_agent(text: str) -> None:
    position = parse(text)
    parse_agent("perfect seconds=0.01").choose(position, Random(1))  # what has to be compiled is
    agent = parse_agent("perfect seconds=0.2")
    began = process_time()
    choice = agent.choose(position, Random(1))
    assert process_time() - began < 0.2 + SLACK
    assert choice.move in position.moves


def is_slow(mine: int, theirs: int, lines: Any) -> int:
    """Takes a while, and cannot be compiled."""
    until = perf_counter() + 0.01
    while perf_counter() < until:
        pass
    return len(str(mine))


LOOPING = sources("stops")["looping"]
"""In a process of its own: the threads that machine code does not leave end with it."""


def test_spends_no_more_than_the_time_on_a_looping_heuristic() -> None:
    done = python("-c", LOOPING, check=False)
    assert done.returncode == 0, done.stderr
    assert all(float(seconds) < PATIENCE_SECONDS for seconds in done.stdout.split()), done.stdout


@pytest.mark.parametrize("algorithm", ["alphabeta", "uct", "sss", "iterative-deepening"])
@pytest.mark.parametrize("order", ["generated", "best"])
def test_stops_calling_a_slow_heuristic_when_the_time_is_over(algorithm: str, order: str) -> None:
    options = {} if algorithm == "sss" else {"order": order}
    began = process_time()
    found = search("8,8,5 d4", algorithm, is_slow, seconds=0.2, form="reference", **options)
    assert process_time() - began < 0.2 + SLACK
    assert found.stopped == "seconds"
    assert any(item.evaluation is None for item in found.moves)


def test_cancels_in_a_worker_whose_parent_ignores_ctrl_c() -> None:
    process = subprocess.Popen(
        module_command("plyscope_web.worker"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    assert process.stdout.readline().startswith("0 ready")
    arguments = json.dumps({"position": "8,8,5", "seconds": 30})
    process.stdin.write(f"1 solve 0 {arguments}\n")
    process.stdin.flush()
    while not process.stdout.readline().startswith("1 told"):
        pass
    process.stdin.write("1 stop\n")
    process.stdin.flush()
    while (said := process.stdout.readline().split(" ", 2))[1] == "told":
        pass
    assert (said[1], json.loads(said[2])["stopped"]) == ("found", "interrupted")
    process.stdin.close()
    process.stdout.close()
    assert process.wait(PATIENCE_SECONDS) == 0
