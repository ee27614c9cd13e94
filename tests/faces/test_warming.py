"""What is compiled before the page opens, and that it is known when that is done."""

from __future__ import annotations

import json
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from plyscope.faces import warming
from plyscope.faces.cli import run
from plyscope.rules.games import GAMES
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.solving.accelerated import CONNECT
from plyscope_fast.machine.store import cache_folder
from plyscope_fast.searching.run import entries
from plyscope_fast.solving.connect import connect_solver
from plyscope_fast.solving.lines import LinesSolver
from plyscope_fast.solving.matching import Matcher
from plyscope_fast.solving.threats import ThreatSolver
from plyscope_web import command as web
from waiting import until


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("PLYSCOPE_CACHE", str(folder))
    return folder


def names() -> list[str]:
    return [*warming._solvers(), *warming._algorithms()]


def test_compiles_every_kernel_of_a_game_ahead() -> None:
    compiled = {kernel.file_name for name in names() for kernel in warming._kernels(name)}
    needed = [entries(algorithm) for algorithm in ALGORITHMS.values()]
    needed += [LinesSolver.entries, ThreatSolver.entries, Matcher.entries]
    gravity = [game for game in GAMES.values() if not CONNECT.why_not(game.start())]
    needed += [connect_solver(game).entries for game in gravity]
    assert len(gravity) > 1
    assert {kernel.file_name for group in needed for kernel in group} == compiled


def test_is_warm_only_with_every_file_and_unchanged_sources(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = cache_folder()
    folder.mkdir(parents=True)
    files = [folder / kernel.file_name for name in names() for kernel in warming._kernels(name)]
    for file in files[1:]:
        file.write_bytes(b"machine code")
    warming._write_note(names())
    assert not warming.is_warm()  # the first is missing
    files[0].write_bytes(b"machine code")
    warming._write_note(names())
    assert warming.is_warm()
    files[-1].unlink()
    assert not warming.is_warm()
    files[-1].write_bytes(b"machine code")
    assert warming.is_warm()
    monkeypatch.setattr(warming, "sources_digest", lambda: "another")
    assert not warming.is_warm()
    warming._note().write_text(json.dumps({"no": "list"}))
    assert not warming.is_warm()


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
    assert not warming.is_warm()


def test_fills_the_bar_at_the_end() -> None:
    bars = [warming.bar(done, 7) for done in range(8)]
    assert len({text.index("]") for text in bars}) == 1
    assert [text.count("#") for text in bars] == sorted(text.count("#") for text in bars)
    assert "#" not in bars[0]
    assert "." not in bars[-1]
    assert bars[3].endswith("3 of 7")


@pytest.mark.parametrize(
    ("is_warm", "options", "expected"),
    [
        (False, [], ["compiled", "said", "served"]),
        (True, [], ["said", "served"]),
        (False, ["--no-compile"], ["said", "served"]),
    ],
)
def test_opens_the_page_once_the_searches_are_compiled(
    is_warm: bool,
    options: list[str],
    expected: list[str],
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    happened = []

    class Server:
        def run(self, sockets: Any) -> None:
            happened.append("served")
            sockets[0].close()

    monkeypatch.setattr(warming, "is_warm", lambda: is_warm)
    monkeypatch.setattr(web, "compile_ahead", lambda: happened.append("compiled"))
    monkeypatch.setattr("plyscope_web.server.server", lambda app: Server())
    monkeypatch.setattr("builtins.print", lambda text, file=None, **more: note(text))

    def note(text: str) -> None:
        if "at http" in text:
            happened.append("said")

    assert run(["web", "--port", "0", "--no-browser", *options]) == 0
    assert happened == expected


def test_opens_no_page_after_ctrl_c_during_compilation(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(web, "compile_ahead", interrupted)
    assert run(["web", "--port", "0", "--no-browser"]) == 1
    said = capsys.readouterr()
    assert "at http" not in said.out
    assert "interrupted" in said.err
