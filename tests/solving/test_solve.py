"""`solve` picks the solver, says how it proved what it says, and stops when told to."""

from __future__ import annotations

import json
import random
import re
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

import oracles
from commands import output
from plyscope import GAMES, parse, parse_game, solve
from plyscope.errors import OptionError
from plyscope.faces.cli import run
from plyscope.solving.ask import Ask
from plyscope.solving.solvers import PLANS, SOLVERS
from plyscope_fast.machine import memory
from plyscope_fast.solving import threats
from plyscope_fast.solving.connect import ConnectSolver
from plyscope_fast.solving.lines import LinesSolver
from plyscope_fast.solving.threats import ThreatSolver
from sentences import refuses

DOCUMENT = Path(__file__).parents[2] / "docs" / "solving.md"


def test_chooses_the_solver_that_suits() -> None:
    for text, method, value in (
        ("tictactoe", "tablebase", 0),
        ("connect4 4444443", "connect", None),
        ("5,5,4 c3 b2 c2 c4 b3 d3 b4 a5", "lines", 0),
        ("5,5,4,misere c3 b2 c2 c4 b3 d3 b4 a5 c5 d1 e1 e4 a1 a2", "lines", None),
    ):
        verdict = solve(text)
        assert verdict.method == method
        assert value is None or verdict.value == value
        assert verdict.value is not None


def test_documents_the_plans_of_auto_and_every_solver(capsys: pytest.CaptureFixture[str]) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for plan in PLANS:
        assert f"| {plan.games} | {plan} |" in text
    with pytest.raises(SystemExit):
        run(["solve", "--help"])
    words = capsys.readouterr().out.replace(",", " ").split()
    assert all(name in words and f"| `{name}` |" in text for name in SOLVERS)


def test_says_which_games_a_solver_expects() -> None:
    plays = {
        "tictactoe": {"tablebase", "lines", "blocking", "threats", "search"},
        "connect4": {"book", "connect", "search"},
        "gomoku15": {"blocking", "threats", "search"},
        "misere-tictactoe": {"tablebase", "lines", "search"},
        "qubic": {"lines", "blocking", "threats", "search"},
    }
    of_any_game = {"exhaustive", "proof-number"}
    for name, names in plays.items():
        start = GAMES[name].start()
        playing = {solver.name for solver in SOLVERS.values() if solver.plays(start)}
        assert playing == names | of_any_game
        for solver in SOLVERS.values():
            if not solver.plays(start):
                with pytest.raises(
                    OptionError, match=f"'{name}'; expected {solver.why_not(start)}"
                ):
                    solve(start, solver.name)


def test_documents_which_rules_each_solver_plays() -> None:
    text = (DOCUMENT.parent / "line-games.md").read_text(encoding="utf-8")
    known = {
        name: [cell.strip() == "yes" for cell in row.split("|")[2:-1]]
        for row in re.findall(r"^\|.*`.*\|$", text, re.MULTILINE)
        for name in re.findall(r"`([a-z-]+)`", row.split("|")[1])
        if name in SOLVERS
    }
    assert set(known) == set(SOLVERS) - {"retrograde"}  # positions of line games do not repeat
    bases = {"tablebase": "4,3,3", "book": "7,6,4,gravity", "connect": "7,6,4,gravity"}
    for name in known:
        solver, base = SOLVERS[name], bases.get(name, "5,5,4")
        assert solver.plays(parse_game(base).start())
        words = ("exactly", "holes=b2", "stones=2", "torus=x")
        played = [solver.plays(parse_game(f"{base},{word}").start()) for word in words]
        assert played == known[name], name


def test_agrees_among_the_solvers_of_a_game() -> None:
    draw, lines = random.Random(2), oracles.lines((5, 3), 3)
    for _ in range(25):
        b = oracles.random_board(draw, 15, lines, 5, draw.randrange(2, 12))
        position = parse("/".join("".join(b[at : at + 5]) for at in (0, 5, 10)), "5,3,3,gravity")
        table, connect = solve(position, "tablebase"), solve(position, "connect")
        told = attrgetter("score", "distance", "best_moves", "moves")
        assert told(table) == told(connect)
        if not position.is_over:
            assert solve(position, "search").value == table.value


def test_command_prints_a_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    out = output(capsys, "solve", "X../.O./..X")
    assert "a draw; best: b3 a2 c2 b1" in out
    assert "looked up among all 765 positions" in out
    data = json.loads(output(capsys, "solve", "connect4 4444443222", "--json"))
    assert data["method"] == "connect"
    legal = {"a1", "b1", "c2", "d1", "e1", "f1", "g1", "b4"}
    assert {item["text"] for item in data["moves"]} <= legal
    assert run(["solve", "8,8,5", "--seconds", "0.2"]) == 1
    assert "not solved: seconds" in capsys.readouterr().out


def test_says_interrupted_after_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*words: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("plyscope_fast.solving.connect.ConnectSolver._score", interrupt)
    verdict = solve("connect4 44444", keep_interrupted=True)
    assert (verdict.value, verdict.stopped) == (None, "interrupted")
    with pytest.raises(KeyboardInterrupt):
        solve("connect4 44444")


def test_rejects_bad_input() -> None:
    with refuses(OptionError):
        solve("[[1,2],3]", "tablebase")
    with pytest.raises(OptionError, match="seconds -1"):
        solve("tictactoe", seconds=-1)


@pytest.mark.parametrize(
    ("text", "kind", "most"),
    [
        ("connect4 32164625", ConnectSolver, 2.0),
        ("5,5,4 c3 b2 c2 c4", LinesSolver, 2.0),
        ("gomoku15 h8 a1 i8 a2 j8 a3", ThreatSolver, 9.1),
    ],
)
def test_makes_no_larger_table_than_the_platform_has_room_for(
    text: str, kind: Any, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "MAX_TABLE_BYTES", 1 << 20)
    monkeypatch.setattr(threats, "ZONE_BITS", 1)
    position = parse(text)
    verdict = kind(position.game, megabytes=1 << 16).solve(Ask(position, with_moves=False))
    assert verdict.megabytes <= most
    assert verdict.value == solve(text, with_moves=False).value
