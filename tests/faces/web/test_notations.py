"""Positions and games that are pasted into the page, and copied out of it."""

from __future__ import annotations

import json
import random
import tomllib
from pathlib import Path
from time import process_time
from typing import Any

import pytest

import plyscope as ps
from plyscope.errors import PlyscopeError
from plyscope.faces.ongoing import OngoingGame
from plyscope.lab.agents.catalogue import AGENTS
from plyscope.lab.matches.game import play_game
from plyscope.lab.matches.gametext import write_games
from plyscope_web.endpoints import answer, read
from sentences import refuses, says

NOTATIONS = {
    "tictactoe": {"moves", "cells", "drawing"},
    "connect4": {"moves", "cells", "columns", "drawing"},
    "gomoku15": {"moves", "cells", "sgf", "drawing"},
    "gomoku15-exactly": {"moves", "cells", "sgf", "drawing"},
    "qubic": {"moves", "drawing"},
    "3,3,3,torus": {"moves", "cells", "drawing"},
    "X.O/.../... x": {"drawing"},
    "gomoku9 e5 d4": {"moves", "cells", "sgf", "drawing"},
}
CORPUS = Path(__file__).parents[2] / "corpus" / "games.toml"
PASTED = {
    entry["name"]: entry
    for entry in tomllib.loads(CORPUS.read_text(encoding="utf-8"))["input"]
    if "file" not in entry
}


def ask(endpoint: str, **asked: Any) -> dict[str, Any]:
    return answer(endpoint, read(endpoint, json.dumps(asked).encode()), lambda told: None)


def end_of(found: dict[str, Any]) -> ps.Position:
    position: ps.Position = ps.parse(found["position"])
    return position.play(*found["moves"])


@pytest.mark.parametrize("text", NOTATIONS)
def test_reads_what_it_copies(text: str) -> None:
    start, draw = ps.parse(text), random.Random(3)
    if start.first | start.second and "e5" not in text:
        names: list[str] = ["b2"]
    else:
        start, names, end = start.game.start(), [], start.game.start()
        while not end.is_over and len(names) < 9:
            names.append(end.game.format_cell(draw.choice(end.moves)))
            end = end.play(names[-1])
    end, game = start.play(*names), start.game.name
    written = ask("copy", position=str(start), moves=names)
    assert set(written) == NOTATIONS[text] | {"position", "saved"}
    for kind, copied in written.items():
        is_said = kind in ("position", "moves", "drawing", "saved", "sgf")
        found = ask("read", text=copied if is_said else f"{game} {copied}")
        assert end_of(found) == end, kind
        assert found["moves"] == (names if kind not in ("position", "drawing") else []), kind


@pytest.mark.parametrize("name", PASTED)
def test_reads_pasted_games_as_the_terminal_does(name: str) -> None:
    entry = PASTED[name]
    text = " ".join(filter(None, [entry.get("game"), entry["text"]]))
    if "refused" in entry:
        with pytest.raises(PlyscopeError) as raised:
            ask("read", text=text)
        assert all(words in str(raised.value) for words in entry["refused"])
        return
    found = ask("read", text=text)
    assert end_of(found) == ps.parse(entry["position"])
    assert all(words in found["said"] for words in entry.get("says", ()))


def test_reads_a_game_saved_in_the_terminal_with_its_players() -> None:
    game = OngoingGame((None, AGENTS["level-3"]), ps.parse("connect4"), 7)
    found = ask("read", text=json.dumps({**game.saved(), "moves": ["d1", "d2"]}))
    assert (found["x"], found["o"], found["moves"]) == ("human", "level-3", ["d1", "d2"])
    assert found["position"] == "/".join(["......."] * 6)


def test_reads_the_first_of_several_games_as_text() -> None:
    players = (AGENTS["two-ply"], AGENTS["random"])
    games = [play_game(players, ps.parse("connect4 4"), random.Random(seed)) for seed in (1, 2)]
    found = ask("read", text="\n".join(write_games(games)))
    assert end_of(found) == games[0].end
    assert (found["x"], found["o"]) == ("two-ply", "random")


def test_says_what_a_text_was_read_as() -> None:
    says(ask("read", text="44455")["said"])
    says(ask("read", text="(;GM[4]SZ[15];B[hh])")["said"])
    assert ask("read", text="connect4 444")["said"] == ""
    assert ask("show", position="h8i9")["game"] == "gomoku15"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("44488", "column '8' at move 4"),
        ("(;GM[4]SZ[31];B[hh])", "too large for the page"),
        ("(;GM[4]SZ[15];B[hh];W[hh])", "at move 2"),
        ('{"game": "connect4"}', "no 'start'"),
        ('{"game": "connect4", "start": "", "moves": [1], "x": "", "o": ""}', "'moves'"),
        ('{"game"', "cannot read the saved game"),
        ("[[1,2],3]", "is a tree"),
        ("no such thing", "unknown game"),
    ],
)
def test_rejects_unreadable_text_in_one_line(text: str, told: str) -> None:
    with pytest.raises(PlyscopeError) as raised:
        ask("read", text=text)
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


FILES = [
    "game.sgf",
    "game.psq",
    "rules.toml b2",
    "nim.py:Nim",
    "rules.toml\nX.O\n...\n...",
    "rules.toml (;GM[4]SZ[9];B[aa])",
    '[Game "nim.py:Nim"]\n[X "a"]',
    '[Game "tictactoe"]\n[Start "rules.\\toml b2"]\n[X "a"]\n[O "b"]\n[Result "1-0"]\n[Ending "line"]',
    '{"game": "rules.toml", "start": "", "moves": [], "x": "", "o": ""}',
    '{"game": "tictactoe", "start": "rules.toml b2", "moves": [], "x": "", "o": ""}',
]


@pytest.mark.parametrize("text", FILES)
def test_opens_no_file_named_in_a_text(
    text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    (tmp_path / "rules.toml").write_text('board = "3x3"\nk = 3\n')
    (tmp_path / "game.sgf").write_text("(;GM[4]SZ[15];B[hh])")
    (tmp_path / "game.psq").write_text("Piskvorky 15x15, 0:0, 0\n8,8,0\n")
    (tmp_path / "nim.py").write_text("raise SystemExit('run')\n")
    monkeypatch.chdir(tmp_path)
    with refuses(PlyscopeError):
        ask("read", text=text)


@pytest.mark.parametrize(
    "text", [" " * 99_000 + "x", "x" * 99_000, "a1" * 49_000, "x" * 90_000 + "(;GM[4];B[hh])"]
)
def test_rejects_a_text_that_is_too_long_at_once(text: str) -> None:
    began = process_time()
    with pytest.raises(PlyscopeError, match="expected at most 10,?000"):
        ask("read", text=text)
    assert process_time() - began < 5


@pytest.mark.parametrize(
    "text",
    [
        "(;GM[4]SZ[15]" + ";B[aa];W[bb]" * 3_000 + ")",
        "." * 90_000,
        "gomoku15 " + "h8 " * 5_000,
        json.dumps({"game": "gomoku15", "start": "", "moves": ["h8"] * 500, "x": "", "o": ""}),
    ],
)
def test_checks_sizes_before_reading_a_text(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("asked_of", "reading_of"):
        monkeypatch.setattr(f"plyscope_web.endpoints.notations.{name}", None)
    with pytest.raises(PlyscopeError) as refused:
        answer("read", read("read", json.dumps({"text": text}).encode()), lambda told: None)
    says(str(refused.value))
    assert len(str(refused.value)) < 200


def test_reads_a_path_in_an_sgf_comment_as_text() -> None:
    assert ask("read", text="( ;GM[4]C[http://nim.py];B[hh])")["moves"] == ["h8"]
