"""Workers: the same games, whoever plays them, and each counted once, whoever is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from commands import output, python, refusal
from plyscope import parse_game, play_match
from plyscope.faces.cli import run
from plyscope.lab.judging.reportcard import report_card
from plyscope.lab.matches.match import MatchResult
from plyscope.lab.matches.ratings import Sprt
from plyscope.lab.matches.records import Records
from plyscope.lab.people import workers
from plyscope.lab.people.workers import LocalWorkers, cluster_workers
from plyscope.solving.ask import Ask
from plyscope_fast.solving.jobs import solve_in_jobs
from sentences import says
from waiting import PATIENCE_SECONDS, until

counts = attrgetter(
    "a_wins_as_x", "a_wins_as_o", "draws", "pairs", "games", "distinct", "moves_to_win"
)


@pytest.mark.parametrize("alone", [0.0, 0.002, 1000.0])
def test_plays_the_same_games_with_local_workers(alone: float) -> None:
    with LocalWorkers(2, alone) as executor:
        found = play_match(
            "random", "alphabeta depth=1", 40, "4,4,4", 3, opening_plies=1, executor=executor
        )
        assert (not executor.pools) == (alone == 1000.0)
    assert counts(found) == counts(
        play_match("random", "alphabeta depth=1", 40, "4,4,4", 3, opening_plies=1)
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_records_every_pair_as_it_ends(tmp_path: Path, jobs: int) -> None:
    kept: list[int] = []
    with LocalWorkers(jobs, 0.0) as executor, Records(tmp_path / "lab.db") as records:

        def look(score: MatchResult) -> None:
            kept.append(len(records.pairs(1)) - score.games // 2)

        play_match("random", "random", 40, executor=executor, records=records, progress=look)
    assert len(kept) == 20
    assert all(0 <= ahead <= jobs * 32 for ahead in kept)
    if jobs == 1:
        assert kept == [0] * 20


def test_plays_no_pair_beyond_the_end_of_a_sequential_test(tmp_path: Path) -> None:
    sprt = Sprt(elo0=0, elo1=200)
    with LocalWorkers(1) as executor, Records(tmp_path / "lab.db") as records:
        found = play_match("two-ply", "random", 2000, sprt=sprt, executor=executor, records=records)
        assert found.stopped == "sprt"
        assert len(records.pairs(1)) * 2 == found.games < 2000
    with LocalWorkers(2, 0.0) as executor:
        many = play_match("two-ply", "random", 2000, sprt=sprt, executor=executor)
    assert (many.games, many.pairs, many.verdict) == (found.games, found.pairs, found.verdict)


@pytest.mark.parametrize("jobs", [1, 2])
def test_resumes_an_interrupted_match(tmp_path: Path, jobs: int) -> None:
    played: list[int] = []

    def stop(score: MatchResult) -> None:
        played.append(score.games)
        if score.games == 10 and len(played) == 5:
            raise KeyboardInterrupt

    with Records(tmp_path / "lab.db") as records:
        with LocalWorkers(jobs, 0.0) as executor:
            first = play_match(
                "random",
                "two-ply",
                40,
                executor=executor,
                records=records,
                progress=stop,
                keep_interrupted=True,
            )
        assert (first.games, first.stopped) == (10, "interrupted")
        before = {at: [game.plies for game in pair] for at, pair in records.pairs(1).items()}
        with LocalWorkers(jobs, 0.0) as executor:
            whole = play_match("random", "two-ply", 40, executor=executor, records=records)
        after = records.pairs(1)
    assert sorted(after) == list(range(20))
    assert {at: [game.plies for game in after[at]] for at in before} == before, (
        "what was kept was not played again"
    )
    assert counts(whole) == counts(play_match("random", "two-ply", 40))


def test_repeats_a_pair_whose_process_was_killed(tmp_path: Path) -> None:
    with LocalWorkers(2, 0.0) as executor:

        def kill_one(score: MatchResult) -> None:
            if score.games == 20 and executor.pools:
                os.kill(next(iter(executor.pools[0]._processes)), signal.SIGKILL)

        found = play_match(
            "random", "uct nodes=60", 120, "4,4,4", 3, executor=executor, progress=kill_one
        )
    assert counts(found) == counts(play_match("random", "uct nodes=60", 120, "4,4,4", 3))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_keeps_whole_pairs_and_leaves_no_process_when_killed(tmp_path: Path, number: int) -> None:
    (tmp_path / "bot.py").write_text("def bot(position):\n    return position.moves[-1]\n")
    words = [
        *("match", "bot.py:bot", "uct nodes=300", "-n", "4000", "-g", "4,4,4", "--jobs", "2"),
        *("--record", "lab.db"),
    ]
    running = subprocess.Popen(
        [sys.executable, "-m", "plyscope", *words],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    # two workers, their strangers and guards, and the match itself
    until(lambda: len(_inhabitants(tmp_path)) >= 6)
    running.send_signal(number)
    status = running.wait(PATIENCE_SECONDS)
    assert status == (-number if number == signal.SIGKILL else 1)
    until(lambda: not _inhabitants(tmp_path))
    with Records(tmp_path / "lab.db") as records:
        kept = records.pairs(1)
    assert kept
    assert all(len(pair) == 2 for pair in kept.values())


def _inhabitants(folder: Path) -> list[str]:
    """Return the processes whose current folder it is."""
    found = []
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            if process.name.isdigit() and (process / "cwd").readlink() == folder:
                found.append(process.name)
    return found


def test_searches_compiled_from_the_first_move_where_that_is_faster() -> None:
    from plyscope.lab.agents.searches import search_moves
    from plyscope.searching.algorithms import ALGORITHMS
    from plyscope.searching.choice import form_of_many
    from plyscope.searching.request import make_request
    from plyscope_fast.searching.run import prepare

    prepare(ALGORITHMS["alphabeta"])
    start = parse_game("connect4").start()
    assert form_of_many(make_request(start, depth=4)) == "compiled"
    assert form_of_many(make_request(start, depth=1)) == "auto"
    for form in ("reference", "compiled"):
        assert search_moves(
            "alphabeta", (("depth", 4), ("form", form)), True, start
        ) == search_moves("alphabeta", (("depth", 4),), True, start)


@pytest.fixture
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason="needs the extra cluster")

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as found:
        yield found


@pytest.mark.filterwarnings("ignore")
def test_counts_every_game_once_when_a_cluster_loses_a_worker(cluster: Any, tmp_path: Path) -> None:
    killed: list[int] = []

    def kill_one(score: MatchResult) -> None:
        if score.games >= 20 and not killed:
            killed.append(next(iter(cluster.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    with (
        cluster_workers(cluster.scheduler_address) as executor,
        Records(tmp_path / "lab.db") as records,
    ):
        found = play_match(
            "random",
            "uct nodes=60",
            160,
            "4,4,4",
            3,
            executor=executor,
            records=records,
            progress=kill_one,
        )
        assert killed
        kept = records.pairs(1)
        assert sorted(kept) == list(range(80))
        assert all(len(pair) == 2 for pair in kept.values())
    assert counts(found) == counts(play_match("random", "uct nodes=60", 160, "4,4,4", 3))


@pytest.mark.filterwarnings("ignore")
def test_solves_when_a_cluster_loses_a_worker(cluster: Any, tmp_path: Path, capsys: Any) -> None:
    killed: list[int] = []

    def kill_one(message: str) -> None:
        if int(message.split()[-2]) >= 3 and not killed:
            killed.append(next(iter(cluster.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    journal = tmp_path / "744.journal"
    with cluster_workers(cluster.scheduler_address) as executor:
        start = parse_game("7,4,4").start()
        ask = Ask(start, executor=executor, jobs=4, checkpoint=journal, report=kill_one)
        verdict = solve_in_jobs(ask, nodes=5000)
    assert killed
    assert verdict.value == 0
    assert len(journal.read_text().splitlines()) > 3
    assert (
        json.loads(
            output(
                capsys,
                "solve",
                "7,7,5",
                "--maker-breaker",
                "--value-only",
                "--json",
                "--cluster",
                cluster.scheduler_address,
            )
        )["value"]
        == -1
    )


@pytest.mark.filterwarnings("ignore")
def test_gives_the_same_card_and_tuning_when_a_cluster_loses_a_worker(
    cluster: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    killed: list[int] = []

    def kill_one(done: int) -> None:
        if done >= 5 and not killed:
            killed.append(next(iter(cluster.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    def json_of(*words: str) -> Any:
        assert run([*words, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    there = "--cluster", cluster.scheduler_address
    with cluster_workers(cluster.scheduler_address) as executor:
        card = report_card("counted-lines", "5,5,4", 1, kill_one, 30, 3, executor)
    assert killed
    here = report_card("counted-lines", "5,5,4", 1, samples=30, seed=3)
    timed = {"seconds": 0, "microseconds": 0}
    assert card.as_dict() | timed == here.as_dict() | timed
    words = "tune", "counted-lines", "--family", "lines", "-n", "250", "-g", "4,3,3"
    options = "-d", "2", "--no-games"
    by_cluster, by_one = json_of(*words, *options, *there), json_of(*words, *options, "-j", "1")
    assert by_cluster["weights"] == by_one["weights"]
    assert by_cluster["errors"] == by_one["errors"]


@pytest.mark.filterwarnings("ignore")
def test_rejects_a_missing_cluster(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    pytest.importorskip("distributed", reason="needs the extra cluster")
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 0.5)
    for command in (
        "match random random -n 2 --cluster nonsense://x",
        "match random random -n 2 --cluster tcp://127.0.0.1:9",
        "tournament random greedy -n 2 --cluster tcp://127.0.0.1:9",
        "solve 4,4,4 --cluster tcp://127.0.0.1:9",
        "report-card counted-lines -n 2 --cluster tcp://127.0.0.1:9",
        "tune counted-lines --cluster tcp://127.0.0.1:9",
    ):
        assert "no cluster at" in refusal(capsys, *command.split())
    says(
        refusal(
            capsys,
            "match",
            "random",
            "random",
            "-n",
            "2",
            "--cluster",
            "tcp://127.0.0.1:9",
            "--jobs",
            "2",
        )
    )


@pytest.mark.skipif(not hasattr(os, "waitpid"), reason="processes of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_prints_no_traceback_after_ctrl_c_while_a_worker_starts(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from multiprocessing import resource_tracker, util

    resource_tracker.ensure_running()
    start, started = util.spawnv_passfds, list[int]()

    def interrupted(*given: Any) -> int:
        started.append(start(*given))
        signal.raise_signal(number)
        return started[-1]

    monkeypatch.setattr(util, "spawnv_passfds", interrupted)
    before = signal.signal(number, signal.default_int_handler)
    executor = LocalWorkers(2, alone=0)
    try:
        with pytest.raises(KeyboardInterrupt):
            executor.submit(pow, 2, 3)
        assert signal.getsignal(number) is signal.default_int_handler
    finally:
        signal.signal(number, before)
    processes = [process for pool in executor.pools for process in pool._processes.values()]
    assert [process.pid for process in processes] == started
    executor.shutdown()
    for process in processes:
        process.join()
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.skipif(not hasattr(os, "waitpid"), reason="processes of POSIX")
def test_keeps_the_other_worker_when_one_dies_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    from multiprocessing import resource_tracker, util

    start, started = util.spawnv_passfds, list[int]()

    def wait_for_the_first(*given: Any) -> int:
        started.append(start(*given))
        if len(started) == 2:
            os.waitid(os.P_PID, started[0], os.WEXITED | os.WNOWAIT)
            time.sleep(0.5)
        return started[-1]

    resource_tracker.ensure_running()
    monkeypatch.setattr(util, "spawnv_passfds", wait_for_the_first)
    executor = LocalWorkers(2, alone=0)
    lost = executor.submit(os._exit, 3)
    kept = executor.submit(pow, 2, 3)
    assert isinstance(lost.exception(60), BrokenExecutor)
    assert kept.result(60) == 8
    ending = Thread(target=executor.shutdown, daemon=True)
    ending.start()
    ending.join(60)
    assert not ending.is_alive()
    assert len(started) == 2


@pytest.mark.parametrize("alone", [0, 0.2])
def test_tells_a_script_without_a_main_guard_what_it_lacks(alone: float, tmp_path: Path) -> None:
    script = tmp_path / "unguarded.py"
    script.write_text(
        "from time import sleep\n"
        "from plyscope.lab.people.workers import LocalWorkers, mapped\n"
        f"with LocalWorkers(2, alone={alone}) as executor:\n"
        "    for _ in mapped(executor, sleep, [0.05] * 400):\n"
        "        pass\n"
    )
    done = python(script, check=False)
    assert done.returncode == 1
    assert "processes ended unexpectedly; expected" in done.stderr
    assert "if __name__ == '__main__':" in done.stderr


class Later(Future[Any]):
    """The work of somebody who has not ended before the result is wanted."""

    def done(self) -> bool:
        return False


class Noting:
    """Notes what is submitted, and does it at once."""

    future: type[Future[Any]] = Later

    def submit(self, function: Any, /, *words: Any, **options: Any) -> Future[Any]:
        self.submitted = [*getattr(self, "submitted", ()), *words]
        future = self.future()
        future.set_result(function(*words))
        return future


@pytest.mark.parametrize(
    ("base", "jobs", "ahead"), [(LocalWorkers, 2, 16), (LocalWorkers, 40, 80), (Executor, None, 64)]
)
def test_gives_every_worker_items_before_the_first_result_is_read(
    base: Any, jobs: int | None, ahead: int
) -> None:
    with type("Given", (Noting, base), {})(*[jobs] if jobs else []) as executor:
        found = workers.mapped(executor, abs, range(200))
        assert next(found) == (0, 0)
        assert len(executor.submitted) == ahead
        assert [result for _, result in found] == [*range(1, 200)]


@pytest.mark.parametrize("in_order", [True, False])
def test_begins_no_item_before_the_result_of_immediate_work_is_read(in_order: bool) -> None:
    with type("Given", (Noting, Executor), {"future": Future})() as executor:
        found = workers.mapped(executor, abs, range(9), in_order)
        for at in range(9):
            assert next(found) == (at, at)
            assert executor.submitted == [*range(at + 1)]


def test_yields_results_as_they_end_without_an_order() -> None:
    futures: list[Future[Any]] = []

    class OnlyTheSecond(Executor):
        def submit(self, function: Any, /, *words: Any, **options: Any) -> Future[Any]:
            futures.append(Future())
            if len(futures) == 2:
                futures[-1].set_result("done")
            return futures[-1]

    found = workers.mapped(OnlyTheSecond(), abs, [5, 6, 7], in_order=False)
    assert next(found) == (6, "done")
    found.close()
    assert [future.cancelled() for future in futures] == [True, False]
