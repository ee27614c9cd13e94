"""Solving in jobs: the same values however it is split, journals, and workers that are lost."""

from __future__ import annotations

import json
import os
import random
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

import oracles
from commands import output, refusal
from plyscope import parse_game, solve
from plyscope.errors import OptionError
from plyscope.faces.cli import run
from plyscope.lab.people.workers import LocalWorkers
from plyscope.rules.linegame import LineGame, Position
from plyscope.searching.limit import Late, SearchStopped
from plyscope.solving.ask import Ask
from plyscope.solving.verdict import Verdict
from plyscope_fast.solving.jobs import JOB_NODES, solve_in_jobs
from plyscope_fast.solving.lines import lines_solver
from sentences import refuses, says


class Here(Executor):
    """Does everything at once, but loses as many jobs as it is told to first."""

    def __init__(self, lost: int = 0) -> None:
        self.lost, self.done = lost, 0

    def submit(self, function: Any, /, *words: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.lost:
            self.lost -= 1
            future.set_exception(BrokenProcessPool("killed"))
        else:
            self.done += 1
            future.set_result(function(*words, **options))
        return future


def in_jobs(
    position: Position | LineGame,
    executor: Executor,
    jobs: int,
    nodes: int = JOB_NODES,
    journal: Path | None = None,
    **options: Any,
) -> Verdict:
    start = position.start() if isinstance(position, LineGame) else position
    ask = Ask(start, executor=executor, jobs=jobs, checkpoint=journal, **options)
    return solve_in_jobs(ask, nodes)


@pytest.mark.parametrize(
    ("name", "weak", "nodes", "value"),
    [
        ("5,5,4", False, 300, 0),
        ("6,5,4", False, 2000, 1),
        ("5,5,4", True, 5, 1),
        ("6,4,4", True, 50, -1),
        ("7,4,4", False, 5000, 0),
        ("7,7,5", True, 1000, -1),
        ("3x3x3,3", False, 10, 1),
    ],
)
def test_finds_published_values_by_small_jobs(
    name: str, weak: bool, nodes: int, value: int
) -> None:
    with ThreadPoolExecutor(2) as executor:
        verdict = in_jobs(parse_game(name), executor, 4, maker_breaker=weak, nodes=nodes)
    assert verdict.value == value
    if value > 0:
        (best,) = verdict.best_moves
        assert (
            solve(verdict.position.play(best), "lines", with_moves=False, maker_breaker=weak).value
            == -1
        )


def test_random_positions_agree_with_brute_force() -> None:
    game, draw = parse_game("4,3,3"), random.Random(4)
    all_lines = tuple(line.cells() for line in game.lines)
    strong, weak = oracles.Solved(all_lines), oracles.MakerSolved(all_lines)
    for _ in range(60):
        b = oracles.random_board(draw, 12, all_lines, 0, draw.randrange(3, 9))
        words = [sum(1 << cell for cell, stone in enumerate(b) if stone == side) for side in "XO"]
        position = game.position(words[0], words[1])
        if position.is_over:
            continue
        verdict = in_jobs(position, Here(), 3, nodes=4)
        assert verdict.value == strong.worth(b)[0]
        for best in verdict.best_moves:
            assert -strong.worth(oracles.place(b, best, oracles.to_move(b)))[0] == verdict.value
        maker = in_jobs(position, Here(), 3, nodes=4, maker_breaker=True).value
        assert (maker == 1) == (weak.maker_wins(b) == (position.side == 0))


def test_resumes_from_a_journal(tmp_path: Path) -> None:
    file, game = tmp_path / "journal", parse_game("6,5,4")
    lines_solver.cache_clear()  # or the first job may know the answer
    with pytest.raises(Late):
        in_jobs(game, Here(), 1, nodes=400, journal=file, seconds=0.0)
    begun = len(file.read_text().splitlines())
    assert begun == 2
    whole = Here()
    assert in_jobs(game, whole, 1, nodes=400, journal=file).value == 1
    file.write_text(file.read_text()[:-3])  # as if the machine had stopped in the middle of a line
    again = Here()
    assert in_jobs(game, again, 1, nodes=400, journal=file).value == 1
    assert again.done <= 1 < whole.done
    with refuses(OptionError):
        in_jobs(game, Here(), 1, nodes=400, journal=file, maker_breaker=True)
    with refuses(OptionError):
        in_jobs(game, Here(), 1, journal=tmp_path)


def journal(file: Path) -> bytes:
    """Return a whole journal of 6,5,4 in small jobs."""
    assert in_jobs(parse_game("6,5,4"), Here(), 1, nodes=2000, journal=file).value == 1
    return file.read_bytes()


def test_resumes_from_a_journal_cut_anywhere(tmp_path: Path) -> None:
    file, draw = tmp_path / "journal", random.Random(1)
    whole = journal(file)
    head = whole.index(b"\n") + 1
    for at in (
        1,
        head - 1,
        head,
        head + 1,
        len(whole) - 20,
        *(draw.randrange(len(whole)) for _ in range(20)),
    ):
        file.write_bytes(whole[:at])
        assert in_jobs(parse_game("6,5,4"), Here(), 1, nodes=2000, journal=file).value == 1
        again = Here()
        verdict = in_jobs(parse_game("6,5,4"), again, 1, nodes=2000, journal=file)
        assert (verdict.value, again.done) == (1, 0)
        assert (
            "damaged" not in verdict.proof
        )  # as it would be had the next answer been added to half a line


def test_drops_and_reports_changed_or_foreign_answers(tmp_path: Path) -> None:
    file, game = tmp_path / "journal", parse_game("7,4,4")
    assert in_jobs(game, Here(), 1, nodes=5000, journal=file).value == 0
    whole = file.read_bytes()
    head, *lines = whole.splitlines(keepends=True)
    assert any(b", false," in line for line in lines)
    file.write_bytes(head + b"".join(line.replace(b", false,", b", true,") for line in lines))
    verdict = in_jobs(game, Here(), 1, nodes=5000, journal=file)
    assert verdict.value == 0
    says(verdict.proof)
    file.write_bytes(
        head + journal(tmp_path / "other").partition(b"\n")[2] + b"garbage\n" + b"".join(lines[1:])
    )
    assert in_jobs(game, Here(), 1, nodes=5000, journal=file).value == 0
    file.write_bytes(b'["plyscope journal 1", "x", false, 5000]\n')
    with refuses(OptionError):
        in_jobs(game, Here(), 1, nodes=5000, journal=file)
    assert file.read_bytes().startswith(b'["plyscope journal 1"')


def test_repeats_only_the_jobs_of_lost_workers() -> None:
    assert in_jobs(parse_game("6,5,4"), Here(lost=3), 2, nodes=2000).value == 1
    with pytest.raises(SearchStopped, match="lost workers"):
        in_jobs(parse_game("6,5,4"), Here(lost=100), 2, nodes=2000)


def test_restarts_killed_processes() -> None:
    with LocalWorkers(2, alone=0) as workers:
        with pytest.raises(BrokenProcessPool):
            workers.submit(os._exit, 1).result()
        assert workers.submit(abs, -3).result() == 3


def test_rejects_games_that_cannot_be_split() -> None:
    for text in ("connect4", "9,9,5"):
        with pytest.raises(OptionError, match="at most 64 cells"):
            in_jobs(parse_game(text), Here(), 1)
    with refuses(OptionError):
        solve("XXX/OO./...", executor=Here())
    with refuses(OptionError):
        solve("5,5,4", executor=Here(), megabytes=3)


def test_command_splits_a_solve(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = json.loads(
        output(
            capsys,
            "solve",
            "6,5,4",
            "--jobs",
            "2",
            "--checkpoint",
            str(tmp_path / "journal"),
            "--json",
        )
    )
    assert (data["value"], data["method"]) == (1, "lines")
    says(data["proof"])
    says(refusal(capsys, "solve", "6,5,4", "--jobs", "2", "--cluster", "tcp://x:1"))
    assert run(["solve", "8,8,5", "--maker-breaker", "--jobs", "2", "--seconds", "0.1"]) == 1
    assert "not solved: seconds" in capsys.readouterr().out
