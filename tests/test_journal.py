"""Journals: what was kept is read again, damage is forgotten, other questions are refused."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from plyscope.errors import OptionError
from plyscope.journal import Journal
from sentences import refuses

QUESTION = {"game": "4,3,3", "seed": 1}


def journal(path: Path | None, **changed: object) -> Journal:
    return Journal(path, "plyscope trial 1", QUESTION | changed, key_length=2)


def test_finds_results_again_by_their_keys(tmp_path: Path) -> None:
    for path in (None, tmp_path / "journal"):
        first = journal(path)
        first.keep(("block", 0), "about", [1, None, True])
        first.keep(("block", 1))
        expected = {("block", 0): ["about", [1, None, True]], ("block", 1): []}
        assert first.known == expected
        assert journal(path).known == (expected if path else {})


def test_keeps_whole_lines_when_cut_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    first = journal(path)
    for number in range(3):
        first.keep(("block", number), number)
    whole = path.read_bytes()
    for end in range(len(whole) + 1):
        path.write_bytes(whole[:end])
        again = journal(path)
        assert again.damaged == 0
        assert list(again.known.values()) == [[0], [1], [2]][: len(again.known)]
        assert len(again.known) == max(0, whole[:end].count(b"\n") - 1)
        for number in range(len(again.known), 3):
            again.keep(("block", number), number)
        assert path.read_bytes() == whole


def test_drops_and_counts_changed_and_foreign_lines(
    tmp_path: Path,
) -> None:
    path, draw = tmp_path / "journal", random.Random(1)
    for seed in (2, 1):
        path.unlink(missing_ok=True)
        kept = journal(path, seed=seed)
        kept.keep(("block", 0), 100 + seed)
        line = path.read_bytes().splitlines(keepends=True)[1]
        if seed == 2:
            other = line
    with path.open("ab") as file:
        file.write(other)
    assert (journal(path).known, journal(path).damaged) == ({("block", 0): [101]}, 1)
    head = path.read_bytes().partition(b"\n")[0] + b"\n"
    for _ in range(50):
        at = draw.randrange(len(line) - 1)
        path.write_bytes(head + line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :])
        assert journal(path).known == {}
        assert journal(path).damaged >= 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"hello\n", "'plyscope trial 1'"),
        (b"\xff\n", "'plyscope trial 1'"),
        (b"1\n", "'plyscope trial 1'"),
        (b"[]\n", "'plyscope trial 1'"),
        (b"[" * 100_000, "'plyscope trial 1'"),
        (b'["plyscope trial 0", "4,3,3", 1]\n', "'plyscope trial 1'"),
        (b'{"name": "plyscope tuning", "digest": "", "data": {}}\n', "'plyscope trial 1'"),
        (b'["plyscope trial 1", "5,5,4", 1]\n', "game '5,5,4'; expected '4,3,3'"),
        (b'["plyscope trial 1", "4,3,3", 2]\n', "seed '2'; expected '1'"),
    ],
)
def test_rejects_another_file_and_leaves_it_unchanged(
    tmp_path: Path, text: bytes, message: str
) -> None:
    path = tmp_path / "journal"
    path.write_bytes(text)
    with pytest.raises(OptionError, match=message) as error:
        journal(path)
    assert repr(str(path)) in str(error.value)
    assert path.read_bytes() == text


def test_reports_a_failed_write_in_one_line_and_loses_nothing(tmp_path: Path) -> None:
    kept = journal(tmp_path / "journal")
    kept.keep(("block", 0), 1)
    kept.path = Path("/dev/full")
    with refuses(OptionError):
        kept.keep(("block", 1), 2)
    assert journal(tmp_path / "journal").known == {("block", 0): [1]}
    for path in (tmp_path, Path("a\0b"), tmp_path / "none" / "journal"):
        with pytest.raises(OptionError, match="expected a file that can be written"):
            journal(path)
