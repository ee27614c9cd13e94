"""Workers: the same games, whoever plays them, and each counted once, whoever is lost."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyscope import parse_game, play_match
from plyscope.faces.cli import run
from plyscope.lab import workers
from plyscope.lab.match import MatchResult
from plyscope.lab.records import Records
from plyscope.lab.workers import LocalWorkers, cluster_workers
from plyscope.solving.jobs import solve_in_jobs


def counts(found: MatchResult) -> tuple[Any, ...]:
    return found.a_wins_as_x, found.a_wins_as_o, found.draws, found.pairs, found.games, found.distinct, found.moves_to_win


@pytest.mark.parametrize("alone", [0.0, 0.002, 1000.0])
def test_local_workers_play_the_same_games(alone: float) -> None:
    with LocalWorkers(2, alone) as executor:
        found = play_match("random", "alphabeta depth=1", 40, "4,4,4", 3, opening_plies=1, executor=executor)
        assert (executor.pool is None) == (alone == 1000.0)
    assert counts(found) == counts(play_match("random", "alphabeta depth=1", 40, "4,4,4", 3, opening_plies=1))


@pytest.fixture
def cluster() -> Iterator[Any]:
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as found:
        yield found


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_loses_a_worker_counts_every_game_once(cluster: Any, tmp_path: Path) -> None:
    killed: list[int] = []

    def kill_one(score: MatchResult) -> None:
        if score.games >= 20 and not killed:
            killed.append(next(iter(cluster.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    with cluster_workers(cluster.scheduler_address) as executor, Records(tmp_path / "lab.db") as records:
        found = play_match("random", "uct nodes=60", 160, "4,4,4", 3, executor=executor, records=records, progress=kill_one)
        assert killed
        kept = records.pairs(1)
        assert sorted(kept) == list(range(80))
        assert all(len(pair) == 2 for pair in kept.values())
    assert counts(found) == counts(play_match("random", "uct nodes=60", 160, "4,4,4", 3))


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_loses_a_worker_solves(cluster: Any, tmp_path: Path, capsys: Any) -> None:
    killed: list[int] = []

    def kill_one(nodes: int, done: int) -> None:
        if done >= 3 and not killed:
            killed.append(next(iter(cluster.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    journal = tmp_path / "744.journal"
    with cluster_workers(cluster.scheduler_address) as executor:
        verdict = solve_in_jobs(parse_game("7,4,4"), executor, 4, nodes=5000, journal=journal, progress=kill_one)
    assert killed
    assert verdict.value == 0
    assert len(journal.read_text().splitlines()) > 3
    assert run(["solve", "7,7,5", "--weak", "--value-only", "--json", "--cluster", cluster.scheduler_address]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == -1


@pytest.mark.filterwarnings("ignore")
def test_no_cluster_is_bad_input(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(workers, "CONNECTING", 0.5)
    for address, said in (("tcp://127.0.0.1:9", "no cluster at"), ("nonsense://x", "no cluster at")):
        assert run(["match", "random", "random", "-n", "2", "--cluster", address]) == 2
        told = capsys.readouterr().err
        assert said in told
    assert run(["match", "random", "random", "-n", "2", "--cluster", "tcp://127.0.0.1:9", "--jobs", "2"]) == 2
    assert "expected one of them" in capsys.readouterr().err
