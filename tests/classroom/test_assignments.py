"""Whole assignments: the public tests of the hand-out, and the grades of typical mistakes."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from plyscope.datafile import csv_text
from plyscope.errors import OptionError
from plyscope_class.assignment import Assignment
from plyscope_class.grade import Grade, grade_of, with_league
from plyscope_class.handout import READY, make_class, ready_assignment, stub
from plyscope_class.judge import judge
from plyscope_class.league import extra_points, standings
from plyscope_class.sheet import answers_with, sheet_of
from sizes import sized

JUDGED = ("trees", "evaluation", "agent")
"""The assignments of which all parts are judged here; tests/classroom/test_algorithm.py has the
others."""


@pytest.mark.parametrize("name", JUDGED)
def test_gives_typical_mistakes_their_published_shares(name: str, tmp_path: Path) -> None:
    assignment = ready_assignment(name, None, 7)
    make_class(tmp_path, assignment, name)
    folder = tmp_path / "teacher" / "mistakes"
    expected = list(csv.DictReader((folder / "expected.csv").read_text().splitlines()))
    assert len(expected) == 40
    suffix = Path(assignment.file).suffix
    for row in expected[:: sized(20 if name == "agent" else 13, 1)]:
        content = (folder / "submissions" / f"{row['id']}{suffix}").read_bytes()
        found = judge({assignment.file: content}, assignment.file, assignment)
        for part in grade_of(found.as_dict(), "", assignment).parts:
            if f"least_{part.name}" not in row:
                continue
            share = part.points / part.of
            least, most = float(row[f"least_{part.name}"]), float(row[f"most_{part.name}"])
            assert least - 0.001 <= share <= most + 0.001, (row["id"], part)


@pytest.mark.parametrize("name", READY)
def test_public_tests_fail_for_the_stub_and_pass_for_the_solution(
    name: str, tmp_path: Path
) -> None:
    assignment = ready_assignment(name, None, 7)
    make_class(tmp_path, assignment, name)
    handout = tmp_path / "handout"
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(handout)]
    # A student's shell has none of the options that this run of the tests was given.
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    failed = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert failed.returncode == 1, failed.stdout + failed.stderr
    assert "passed" in failed.stdout
    given = (handout / assignment.file).read_text()
    if name == "trees":
        students = Assignment.read(handout)
        rows = answers_with("right", sheet_of(students), ())
        (handout / students.file).write_text(csv_text(rows))
    else:
        shutil.copy(tmp_path / "teacher" / assignment.file, handout)
    passed = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert passed.returncode == 0, passed.stdout
    notebook = json.loads((handout / f"{name}.ipynb").read_text())
    written = "".join(notebook["cells"][1]["source"])
    if name != "trees":
        assert written == f"%%writefile {assignment.file}\n{given}".rstrip("\n")


@pytest.mark.parametrize("name", READY[: sized(1, 5)])
def test_runs_the_handout_notebook_and_passes_its_tests_with_the_solution(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    assignment = ready_assignment(name, None, 7)
    make_class(tmp_path, assignment, name)
    handout = tmp_path / "handout"
    notebook = nbformat.read(handout / f"{name}.ipynb", as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if name == "trees":
        students = Assignment.read(handout)
        rows = answers_with("right", sheet_of(students), ())
        (handout / students.file).write_text(csv_text(rows))
    else:
        solution = (tmp_path / "teacher" / assignment.file).read_text()
        code[0].source = f"%%writefile {assignment.file}\n{solution}"
    place = {"metadata": {"path": str(handout)}}
    nbclient.NotebookClient(
        notebook, timeout=600, kernel_name="python3", resources=place
    ).execute()  # raises at the first cell that fails
    printed = ["".join(each.get("text", "") for each in cell.outputs) for cell in code]
    tested = next(text for text in printed if " passed" in text)
    assert "failed" not in tested
    assert all(cell.outputs for cell in code)
    if name == "trees":
        assert "estimate: 100 of 100 points" in printed[-1]
    if name == "agent":
        assert "never loses" in printed[-1] + str(code[-1].outputs)


def test_gives_an_evaluation_handout_the_stub_of_its_interface(tmp_path: Path) -> None:
    assignment = ready_assignment("evaluation", None, 7)
    make_class(tmp_path, assignment, "evaluation")
    assert (tmp_path / "handout" / assignment.file).read_text() == stub(assignment)
    assert Assignment.read(tmp_path).seed != Assignment.read(tmp_path / "handout").seed


@pytest.mark.parametrize("name", ["trees", "evaluation", "agent"])
def test_rejects_an_assignment_on_another_game(name: str) -> None:
    with pytest.raises(OptionError, match="4,3,3"):
        ready_assignment(name, "4,3,3", 7)


def test_gives_extra_points_to_the_first_place_of_a_league_and_none_to_the_last() -> None:
    played = {("ann", "bob"): (6, 0, 0, 6, 0, 0), ("ann", "eve"): (6, 0, 0, 6, 0, 0)}
    played[("bob", "eve")] = (3, 0, 3, 3, 0, 3)
    found = extra_points(standings(["ann", "bob", "eve"], played, 1), 5.0)
    assert found["ann"] == (5.0, 1, 3)
    assert found["bob"] == found["eve"] == (2.5, 2, 3)
    grade = with_league(Grade(parts=()), found["bob"])
    assert (grade.total, grade.of) == (2.5, 0)
    assert with_league(Grade(parts=()), None).total == 0
