"""The campaigns of `bench` work: each is tried on a little."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).resolve().parents[1] / "bench"


def script(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a script of `bench` as a module, under a name that no module of the tests has."""
    spec = spec_from_file_location(f"bench_{name}", BENCH / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    monkeypatch.setattr(sys, "path", [*sys.path])  # which scripts put their folders on
    spec.loader.exec_module(module)
    return module


def test_whatever_is_fed_is_read_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fuzz = script("fuzz", monkeypatch)
    monkeypatch.chdir(tmp_path)
    rows = {target.name: fuzz.fuzz(target, 30, 0) for target in fuzz.targets(tmp_path)}
    assert len(rows) > 20
    assert {name: row.kinds for name, row in rows.items() if row.bad} == {}
    assert all(row.inputs == 30 and row.taken > 0 for row in rows.values()), rows


def test_faults_are_found_by_the_fuzzer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A target that fails in every way that is looked for."""
    fuzz = script("fuzz", monkeypatch)
    monkeypatch.setattr(fuzz, "GIVEN_UP", 0.2)
    from plyscope.errors import NotationError

    def reads(given: str) -> None:
        if given == "hangs":
            while True:
                pass
        if given == "raises":
            raise KeyError(given)
        if given != "right":
            raise NotationError(
                {"long": "x" * 2000, "odd": "a\x1b[2J", "refused": "expected better"}[given]
            )

    target = fuzz.Target("some", lambda draw: "", reads)
    assert fuzz.fault(target, "right") == (None, True)
    assert fuzz.fault(target, "refused") == (None, False)
    for given, said in (
        ("hangs", "no end"),
        ("raises", "KeyError"),
        ("long", "more than 1,000"),
        ("odd", "a message with '\\x1b'"),
    ):
        kind, is_taken = fuzz.fault(target, given)
        assert kind is not None
        assert said in kind
        assert not is_taken


def test_both_forms_are_held_against_each_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    twins = script("twins", monkeypatch)
    assert twins.main(["--positions", "22", "--seed", "4"]) == 0
    words = capsys.readouterr().out.splitlines()[-1].split()
    assert (words[0], words[1], words[3]) == ("all", "22", "0")
    monkeypatch.setattr(twins, "assert_twins", lambda *words, **options: 1 / 0)
    assert twins.main(["--positions", "2"]) == 1
    assert "ZeroDivisionError" in capsys.readouterr().out


def test_solvers_are_held_against_brute_force(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = script("small_games", monkeypatch)
    monkeypatch.setattr(small, "MOST_EMPTY", 7)
    monkeypatch.setattr(small, "WHOLE", 4)
    assert small.main(["--games", "5", "--seed", "3"]) == 0
    rows = {
        line[:22].strip(): line[22:].split() for line in capsys.readouterr().out.splitlines()[1:]
    }
    assert {
        "tablebase",
        "search",
        "lines",
        "lines, weak",
        "lines, in jobs",
        "threats",
        "engine",
    } <= set(rows)
    assert all(row[2] == "0" for row in rows.values())
    monkeypatch.setattr(small.Judge, "faults", lambda judge, b, verdict: ["a lie"])
    assert small.main(["--games", "1"]) == 1


def test_a_killed_solve_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kills = script("kills", monkeypatch)
    words = ["--checkpoint", "kept", "--megabytes", "2", "--value-only", "--json"]
    monkeypatch.setattr(kills, "SOLVES", (["solve", "5,5,4", *words],))
    monkeypatch.setattr(kills, "PAUSE", 0.3)
    monkeypatch.setattr(kills, "WAIT", (0.1, 0.2))
    assert kills.kill_solves(1, 5)
    assert "1 kills, 1 solves: 0 wrong, 0 processes left" in capsys.readouterr().out
    monkeypatch.setattr(kills, "SOLVES", (["solve", "X.O/.X./O..", "--json"],))
    assert not kills.kill_solves(0, 5)  # which is no draw
