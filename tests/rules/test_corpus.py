"""Games and boards as people bring them, each with its one right outcome (`tests/corpus`)."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path
from typing import Any

import pytest

import plyscope as ps
from commands import refusal
from plyscope.errors import PlyscopeError
from plyscope.faces.cli import run
from plyscope.rules.source import read

CORPUS = Path(__file__).parents[1] / "corpus"
FILES = ("games", "boards")
OUTCOMES = {"position", "refused"}
INPUTS = {
    f"{name}: {entry['name']}": entry
    for name in FILES
    for entry in tomllib.loads((CORPUS / f"{name}.toml").read_text(encoding="utf-8"))["input"]
}


def source_of(entry: dict[str, Any], folder: Path) -> str:
    """Return the text of an input; of a file the path, after writing it."""
    if "file" not in entry:
        return str(entry["text"])
    if "text" in entry or "hex" in entry:
        content = bytes.fromhex(entry["hex"]) if "hex" in entry else entry["text"].encode()
        (folder / entry["file"].partition("#")[0]).write_bytes(content)
    return str(folder / entry["file"])


@pytest.mark.parametrize("name", INPUTS)
def test_reads_or_refuses_what_people_bring(name: str, tmp_path: Path) -> None:
    entry = INPUTS[name]
    source, game = source_of(entry, tmp_path), entry.get("game")
    rows = entry.get("rows", "top")
    assert len(OUTCOMES & {*entry}) == 1
    if "refused" in entry:
        with pytest.raises(PlyscopeError) as raised:
            ps.parse(source, game, rows)
        assert "\n" not in str(raised.value)
        for words in entry["refused"]:
            assert words in str(raised.value)
        return
    reading = read(source, game, rows)
    assert str(reading.end) == str(ps.parse(entry["position"]))
    assert len(reading.moves) == entry.get("moves", len(reading.moves))
    for words in entry.get("says", ()):
        assert words in reading.said


def test_names_each_input_once() -> None:
    entries = [
        entry
        for name in FILES
        for entry in tomllib.loads((CORPUS / f"{name}.toml").read_text(encoding="utf-8"))["input"]
    ]
    assert len(INPUTS) == len(entries)


READ_AND_REFUSED = {
    "boards": (125, 33),
    "games": (54, 23),
    "trees": (78, 36),
    "heuristics": (53, 12),
    "agents": (36, 15),
}


@pytest.mark.parametrize("name", READ_AND_REFUSED)
def test_counts_the_outcomes(name: str) -> None:
    content = tomllib.loads((CORPUS / f"{name}.toml").read_text(encoding="utf-8"))
    entries = content.get("input") or list(content.values())
    refused = sum("refused" in entry for entry in entries)
    assert (len(entries) - refused, refused) == READ_AND_REFUSED[name]


def test_lists_the_game_of_a_file_that_is_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.kifu"
    file.write_text("(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15]PB[Ann]PW[Bo]RE[W+R];B[hh];W[ii])")
    assert run(["records", f"{file}#2", "--csv"]) == 0
    shown = capsys.readouterr()
    (game,) = csv.DictReader(shown.out.splitlines())
    assert (game["x"], game["o"], game["winner"]) == ("Ann", "Bo", "o")
    assert "game 2 of 2" in shown.err
    assert "has no result" in refusal(capsys, "records", str(file))
    assert run(["records", f"{file}#3"]) == 2
    assert "#1 to #2" in capsys.readouterr().err


def test_opens_no_file_for_a_position_that_only_looks_like_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "44455").write_text("connect4 1")
    (tmp_path / "h8i9").write_text("connect4 1")
    assert ps.parse("44455") == ps.parse("connect4 44455")
    assert ps.parse("h8i9") == ps.parse("gomoku15 h8 i9")
    assert read("X.O/.X./..O").end == ps.parse("X.O/.X./..O")
