"""What a tuning returns: its file with a provenance, and its data."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from plyscope import LineTable, TermSum, parse_game
from plyscope.errors import NotationError, OptionError
from plyscope.evaluation.notes import notes_on
from plyscope.evaluation.tablefile import read_table
from plyscope.tuning.result import TuningResult
from sentences import refuses
from tunings import sampled, whole

CONNECT4 = parse_game("connect4")


@pytest.mark.parametrize("suffix", [".toml", ".json"])
@pytest.mark.parametrize("result", [sampled(), whole()], ids=["a sum", "a plain table"])
def test_reads_the_file_back_as_equal_with_its_provenance(
    result: TuningResult, suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / f"mine{suffix}"
    result.write(path)
    table = read_table(path)
    assert table == result.candidate
    assert {**table.provenance, "numbers": ""} == {**result.provenance, "numbers": ""}
    errors = result.at_use
    assert errors is not None
    assert table.provenance["wrong_after"] == [round(number, 6) for number in errors.after]
    table.write(tmp_path / f"again{suffix}")
    assert (tmp_path / f"again{suffix}").read_bytes() == path.read_bytes()


def test_writes_no_time_into_the_file(tmp_path: Path) -> None:
    files = tmp_path / "one.toml", tmp_path / "other.toml"
    for file, seconds in zip(files, (1.0, 99.0), strict=True):
        sampled(seconds=seconds).write(file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_notes_a_changed_table_or_one_used_in_another_game(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    sampled().write(path)
    assert notes_on(read_table(path), CONNECT4) == ()
    elsewhere = "was tuned on 'connect4', and this is '5,5,4'"
    assert any(elsewhere in note for note in notes_on(read_table(path), parse_game("5,5,4")))
    text = path.read_text()
    path.write_text(text.replace("5216", "5217"))
    (note,) = notes_on(read_table(path), CONNECT4)
    assert "changed after tuning" in note
    path.write_text(text.replace('name = "tuned"', 'name = "mine"'))
    assert notes_on(read_table(path), CONNECT4) == ()


def test_adds_provenance_without_changing_a_number(tmp_path: Path) -> None:
    table = LineTable.one_sided("mine", (0, 1, 3, 8, 21))
    assert replace(table, provenance={"game": "connect4"}) == table
    assert hash(replace(table, provenance={"game": "connect4"})) == hash(table)
    assert TermSum(replace(table, provenance={"game": "4,4,4"})).provenance == {"game": "4,4,4"}
    path = tmp_path / "mine.toml"
    path.write_text("mine = [0, 1]\nprovenance = 3\n")
    with pytest.raises(NotationError, match="provenance is '3'"):
        read_table(path)


def test_writes_no_heuristic_that_is_no_table(tmp_path: Path) -> None:
    with refuses(OptionError):
        sampled(candidate="null", start="null").write(tmp_path / "mine.toml")


def test_writes_the_content_of_the_file_as_json(tmp_path: Path) -> None:
    data = json.loads(json.dumps(sampled().as_dict()))
    sampled().write(tmp_path / "mine.json")
    file = json.loads((tmp_path / "mine.json").read_text())
    assert data["heuristic"] == {key: value for key, value in file.items() if key != "provenance"}
    assert data["trials"][0]["match"]["verdict"] == "elo1"
    assert data["errors"][0]["before"]["low"] < data["errors"][0]["before"]["value"]
    assert whole().as_dict()["optimum"]["is_proved"]
