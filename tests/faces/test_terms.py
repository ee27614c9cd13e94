"""Tables of terms on the command line and in the notebook."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import answer, output
from plyscope import TermSum, explain, report_card, search
from plyscope.faces.cli import run

SHORT = "has no value for 4 stones on a line: a finished line counts 0 on '4,4,4'"


@pytest.mark.parametrize(
    "words",
    [
        "eval XXXX/OOO./..../.... --game 4,4,4 -H mine.toml",
        "eval XXXX/OOO./..../.... --game 4,4,4 -H mine.toml --json",
        "analyze XXX./OOO./..../.... --game 4,4,4 -H mine.toml --depth 1",
        "report-card mine.toml -g 4,4,4 --samples 3 --depth 1",
        "match two-ply minimax+heuristic=mine.toml+depth=1 -n 2 -g 4,4,4 --jobs 1",
        "tournament two-ply minimax+heuristic=mine.toml+depth=1 -n 2 -g 4,4,4 --jobs 1",
    ],
)
def test_reports_a_table_that_is_too_short_in_one_line(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text("mine = [0, 1, 10, 100]\n")
    assert run([word.replace("+", " ") for word in words.split()]) in (0, 1)
    assert capsys.readouterr().err == f"plyscope: note: table 'mine' {SHORT}\n"


def test_shows_the_notes_in_results_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("mine = [0, 1, 10]\nweights = { pillar = 2 }\n")
    notes = explain("X../.../...", str(path)).notes
    assert len(notes) == 2
    assert search("X../.../...", heuristic=str(path), depth=1).notes == notes
    assert report_card(str(path), depth=1).notes == notes
    assert search("X../.../...", depth=1).notes == ()


def test_eval_shows_the_terms_and_their_sum(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = TermSum(
        tempo={(1, 0): 7}, cells={"d1": 5}, threats={(0, 1): 9}, ends={(1, 2): 1}, mobility=1
    )
    table.write(tmp_path / "mine.toml")
    words = ["eval", "connect4 4 4", "-H", str(tmp_path / "mine.toml"), "--side", "x"]
    out = output(capsys, *words)
    assert [term in out for term in ("lines: tempo", "lines: ends", "cells", "threats")] == [
        True
    ] * 4
    data = json.loads(output(capsys, *words, "--json"))
    by_term = {share["term"]: share["value"] for share in data["terms"]}
    assert list(by_term) == ["tempo", "ends", "cells", "threats", "mobility"]
    assert sum(by_term.values()) == data["value"]
    assert data["terms"][2]["parts"] == [{"what": "d1", "value": 5}]
    assert ">lines: tempo</td>" in explain("connect4 4 4", table)._repr_html_()


def test_counts_the_lines_left_out_of_an_explanation(capsys: pytest.CaptureFixture[str]) -> None:
    lines = explain("tictactoe b2 a3", "open-lines").lines
    assert lines is not None
    left_out = sum(line.value == 0 for line in lines)
    assert 0 < left_out < len(lines)
    note = "lines count 0"
    words = ("eval", "tictactoe b2 a3", "--heuristic", "open-lines")
    assert f"{left_out} of {len(lines)} {note}" in answer(capsys, *words)[1]
    assert note not in answer(capsys, *words, "--all")[1]
