"""What `plyscope warm` compiles, and how people learn that something is compiled."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from concurrent.futures import Future
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from plyscope.faces import warming
from plyscope.faces.cli import run
from plyscope.faces.progress import note_slow, remedy_of, telling, thinking
from plyscope.rules.games import GAMES, line_game
from plyscope.searching.accelerator import Readiness, accelerator
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.request import make_request
from plyscope.solving.accelerated import CONNECT
from plyscope_fast.machine import shipped
from plyscope_fast.machine.compiling import compiles, report, viewed
from plyscope_fast.machine.store import write
from plyscope_fast.searching.run import entries
from plyscope_fast.solving.connect import connect_solver
from plyscope_fast.solving.kernels import signlogic, signs
from plyscope_fast.solving.lines import LinesSolver
from plyscope_fast.solving.matching import Matcher
from plyscope_fast.solving.threats import ThreatSolver
from plyscope_web.worker import _Worker
from sentences import says
from waiting import until


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache, and no machine code that a clone may have."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("PLYSCOPE_CACHE", str(folder))
    monkeypatch.setattr("plyscope_fast.machine.store._folder", [])
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "none")
    shipped.addresses.cache_clear()
    yield folder
    shipped.addresses.cache_clear()


def names() -> list[str]:
    return [*warming._solvers(), *warming._algorithms()]


def test_compiles_every_kernel_of_a_game_ahead() -> None:
    compiled = {kernel.file_name for name in names() for kernel in warming._kernels(name)}
    needed = [entries(algorithm) for algorithm in ALGORITHMS.values()]
    needed += [LinesSolver.entries, ThreatSolver.entries, Matcher.entries]
    needed += [signs.ENTRIES, signlogic.ENTRIES]
    for name in ("5,5,4,misere", "5,5,4,exactly"):
        needed += [LinesSolver(line_game(name), megabytes=1).entries]
    gravity = [game for game in GAMES.values() if not CONNECT.why_not(game.start())]
    needed += [connect_solver(game).entries for game in gravity]
    assert len(gravity) > 1
    assert {kernel.file_name for group in needed for kernel in group} == compiled


def test_measures_the_time_of_a_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "_kernels", lambda name: [])
    monkeypatch.setattr("time.perf_counter", iter([10.0, 12.5]).__next__)
    assert warming.prepare("alphabeta") == ("alphabeta", 2.5)


def test_ctrl_c_ends_the_processes_that_compile(cache: Path) -> None:
    def interrupt(phase: str, done: int, total: int) -> None:
        if done == 0:
            assert total == len(names())
            assert set(active_children()) > before
            raise KeyboardInterrupt

    before = set(active_children())
    with pytest.raises(KeyboardInterrupt):
        warming.warm(interrupt)
    until(lambda: set(active_children()), before)  # they are killed, and ended soon


def test_fills_the_bar_at_the_end() -> None:
    bars = [warming.bar(done, 7) for done in range(8)]
    assert len({text.index("]") for text in bars}) == 1
    assert [text.count("#") for text in bars] == sorted(text.count("#") for text in bars)
    assert "#" not in bars[0]
    assert "." not in bars[-1]
    assert bars[3].endswith("3 of 7")


def test_opens_the_page_and_compiles_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served = []

    class Server:
        def run(self, sockets: Any) -> None:
            served.append(sockets[0].getsockname()[1])
            sockets[0].close()

    monkeypatch.setattr("plyscope_web.server.server", lambda app: Server())
    assert run(["web", "--port", "0", "--no-browser"]) == 0
    assert len(served) == 1
    assert not cache.exists()


def test_compiles_nothing_ahead_that_cannot_be_kept(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cache.write_text("a file where the folder should be")
    assert run(["warm"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "PLYSCOPE_CACHE" in said.err
    assert "ready" not in said.err
    says(said.err)
    cache.unlink()
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert run(["warm"]) == 2
    assert "ready" not in capsys.readouterr().err


def test_names_the_searches_that_a_full_disk_has_not_kept(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Workers:
        def __init__(self, count: int, alone: float) -> None:
            pass

        def submit(self, call: Any, name: str) -> Future[tuple[str, float]]:
            done: Future[tuple[str, float]] = Future()
            done.set_result((name, 0.0))
            return done

        def shutdown(self) -> None:
            pass

    monkeypatch.setattr("plyscope.lab.people.workers.LocalWorkers", Workers)
    assert run(["warm"]) == 2
    said = capsys.readouterr().err
    assert "ready" not in said
    assert "alphabeta" in said


def test_logs_once_that_code_cannot_be_kept(
    cache: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    cache.write_text("a file where the folder should be")
    monkeypatch.setattr("plyscope_fast.machine.store._folder", [cache / "kernels"])
    monkeypatch.setattr("plyscope.cache._logged", [])
    for name in ("one.o", "two.o"):
        write(name, b"machine code")
    (said,) = caplog.messages
    assert "PLYSCOPE_CACHE" in said


def test_says_what_is_compiled_and_for_how_long() -> None:
    texts: list[str] = []
    with viewed(texts.append), compiles("alphabeta"):
        report()
        report()
    with viewed(texts.append):
        report()
    assert texts == ["compiling alphabeta, once on this machine, 0 of some 10 s", ""]


def test_tells_the_page_what_is_compiled_at_any_request(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(endpoint: str, request: Any, tell: Any) -> dict[str, Any]:
        with compiles("engine"):
            report()
        report()
        return {}

    monkeypatch.setattr("plyscope_web.worker.answer", answer)
    written = io.BytesIO()
    worker = _Worker(io.BytesIO(), written)
    worker.number = 1
    worker.found("show", 0.0, b'{"position":"tictactoe"}')
    told = [json.loads(line.split(b" ", 2)[2]) for line in written.getvalue().splitlines()]
    assert [news["text"].partition(",")[0] for news in told] == ["compiling engine", ""]


def test_logs_one_line_on_a_long_compilation_that_nobody_views(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with compiles("alphabeta"):
        report()
        assert not caplog.messages  # a short one
        monkeypatch.setattr("plyscope_fast.machine.compiling.LOG_SECONDS", 0.0)
        report()
        report()
    assert caplog.messages == ["plyscope: compiling alphabeta, once on this machine"]


@pytest.mark.parametrize("show", [lambda: thinking("level-9 is thinking"), telling])
def test_calls_compiling_by_its_name_on_a_terminal(
    show: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr", screen := Screen())
    monkeypatch.setattr("plyscope.faces.progress.DELAY_SECONDS", 0.01)
    monkeypatch.setattr("plyscope_fast.machine.compiling._shown", [""])
    with show(), compiles("engine"):
        until(lambda: (report(), "compiling engine" in screen.getvalue())[1], True)


def test_says_once_what_makes_plain_python_faster(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("plyscope.faces.progress.SLOW_SECONDS", 2.0)
    monkeypatch.setattr("plyscope.faces.progress._slow", [])
    note_slow(1.5, lambda: "`plyscope warm`")
    assert capsys.readouterr().err == ""
    note_slow(1.5, lambda: "`plyscope warm`")
    note_slow(1.5, lambda: "`plyscope warm`")
    says(capsys.readouterr().err)
    monkeypatch.setattr("plyscope.faces.progress._slow", [])
    note_slow(3.0, str)  # nothing makes it faster
    assert capsys.readouterr().err == ""


def test_knows_what_makes_a_search_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    request = make_request("connect4", "alphabeta", "open-lines", depth=6)
    missing, stored = Readiness("missing", 0.0), Readiness("stored", 0.0)
    monkeypatch.setattr(type(accelerator()), "readiness", lambda self, request: stored)
    assert remedy_of(request) == ""
    monkeypatch.setattr(type(accelerator()), "readiness", lambda self, request: missing)
    assert "plyscope warm" in remedy_of(request)
    for other in (
        make_request("connect4", "alphabeta", "open-lines", depth=6, form="reference"),
        make_request("[[3,5],[2,9]]"),
        make_request("tictactoe", "sss"),
    ):
        assert remedy_of(other) == ""
    monkeypatch.setattr("plyscope.faces.progress.why_no_kernels", lambda: "needs numba")
    assert remedy_of(request) == "needs numba"


def test_prints_one_line_of_progress_into_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with telling() as tell:
        tell("solving")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("plyscope.faces.progress.PIPE_SECONDS", 0.0)
    with telling() as tell:
        tell("solving")
        tell("still solving")
    assert capsys.readouterr().err == "plyscope: solving\n"
