"""The league of a class: extra points, and the leaderboard while it is played."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from commands import answer
from plyscope_class.league import League
from plyscope_class.run import run_class

SMALL = """
title = "Agents"
interface = "agent"
[check]
positions = 4
[rubric]
report_card = 0
certificate = 0
ladder = 0
[league]
pairs = 2
extra = 6
"""
GOOD = """
def choose(position):
    return max(position.moves, key=lambda move: -value(position.play(move), 4))
def value(position, depth):
    if position.is_over:
        return 0 if position.winner is None else -9 - depth
    if depth == 0:
        return 0
    return max(-value(position.play(move), depth - 1) for move in position.moves)
"""
FIRST = "def choose(position):\n    return position.moves[0]\n"
LATE = "def choose(position):\n    return 1 / 0\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "submissions").mkdir()
    (tmp_path / "assignment.toml").write_text(SMALL)
    for name, text in (("ann", GOOD), ("bob", FIRST), ("cy", FIRST + "# too\n"), ("eve", LATE)):
        (tmp_path / "submissions" / f"{name}.py").write_text(text)
    return tmp_path


def test_a_class_sees_the_leaderboard_move_and_gets_extra_points(folder: Path) -> None:
    seen: list[League] = []
    result = run_class(folder, jobs=1, on_league=seen.append)
    assert len(seen) == 3
    assert [
        sum(each.wins + each.draws + each.losses for each in now.standings) for now in seen
    ] == ([8, 16, 24])
    assert result.league == seen[-1]
    grades = {each.submission.key: each.grade for each in result.graded}
    extra = {key: grade.parts[-1] for key, grade in grades.items()}
    assert {part.name for part in extra.values()} == {"league"}
    assert (extra["eve"].points, extra["eve"].reasons) == (0, ("did not play in the league",))
    assert extra["ann"].points >= extra["bob"].points == extra["cy"].points
    assert grades["ann"].of == 20
    assert grades["ann"].total == 20 + extra["ann"].points
    again: list[League] = []
    assert run_class(folder, jobs=1, on_league=again.append).graded == result.graded
    assert again == []  # nothing was played


def test_the_leaderboard_reloads_itself_until_the_league_ends(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from plyscope_class import run

    written: list[str] = []
    write = run.write_text

    def note(path: Path, text: str) -> None:
        if path.name == "leaderboard.html":
            written.append(text)
        write(path, text)

    monkeypatch.setattr(run, "write_text", note)
    answer(capsys, "class", "run", str(folder), "--jobs", "1", "--pseudonyms")
    assert len(written) >= 2
    assert all('http-equiv="refresh"' in text for text in written[:-1])
    assert 'http-equiv="refresh"' not in written[-1]
    assert not any("ann" in text.partition("<body>")[2] for text in written)
    rows = list(csv.DictReader((folder / "grades.csv").read_text("utf-8-sig").splitlines()))
    assert [float(row["league"]) >= 0 for row in rows] == [True] * 4
