"""Games and boards as people bring them, each with its one right outcome (`tests/corpus`)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import plyscope as ps
from plyscope.errors import PlyscopeError
from plyscope.rules.notation import read
from plyscope.rules.source import text_of

CORPUS = Path(__file__).parents[1] / "corpus"
FILES = ("games",)
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
    assert len(OUTCOMES & {*entry}) == 1
    if "refused" in entry:
        with pytest.raises(PlyscopeError) as raised:
            ps.parse(source, game)
        assert "\n" not in str(raised.value)
        for words in entry["refused"]:
            assert words in str(raised.value)
        return
    assert ps.parse(source, game) == ps.parse(entry["position"])
    reading = read(text_of(source), game)
    assert reading.end == ps.parse(entry["position"])
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
