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

from plyscope.classroom.assignment import Assignment
from plyscope.classroom.grade import grade_of
from plyscope.classroom.handout import make_class, ready_assignment, stub
from plyscope.classroom.judge import judge
from plyscope.errors import OptionError
from sizes import sized

NAMES = ("minimax", "alphabeta", "evaluation")
JUDGED = ("evaluation",)
"""The assignments of which all parts are judged here; tests/classroom/test_algorithm.py has the
others."""


@pytest.mark.parametrize("name", JUDGED)
def test_the_typical_mistakes_get_the_shares_that_were_written_down(
    name: str, tmp_path: Path
) -> None:
    assignment = ready_assignment(name, None, 7)
    make_class(tmp_path, assignment, name)
    folder = tmp_path / "teacher" / "mistakes"
    expected = list(csv.DictReader((folder / "expected.csv").read_text().splitlines()))
    assert len(expected) == 40
    for row in expected[: sized(10, 40)]:
        content = (folder / "submissions" / f"{row['id']}.py").read_bytes()
        found = judge({assignment.file: content}, assignment.file, assignment)
        for part in grade_of(found.as_dict(), "", assignment).parts:
            share = part.points / part.of
            least, most = float(row[f"least_{part.name}"]), float(row[f"most_{part.name}"])
            assert least - 0.001 <= share <= most + 0.001, (row["id"], part)


@pytest.mark.parametrize("name", NAMES)
def test_the_public_tests_fail_for_the_stub_and_pass_for_the_solution(
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
    shutil.copy(tmp_path / "teacher" / assignment.file, handout)
    passed = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert passed.returncode == 0, passed.stdout
    notebook = json.loads((handout / f"{name}.ipynb").read_text())
    written = "".join(notebook["cells"][1]["source"])
    assert written == f"%%writefile {assignment.file}\n{given}".rstrip("\n")


def test_the_handout_of_an_evaluation_has_the_stub_of_its_interface(tmp_path: Path) -> None:
    assignment = ready_assignment("evaluation", None, 7)
    make_class(tmp_path, assignment, "evaluation")
    assert (tmp_path / "handout" / assignment.file).read_text() == stub(assignment)
    assert Assignment.read(tmp_path).seed != Assignment.read(tmp_path / "handout").seed


def test_an_evaluation_of_another_game_is_refused() -> None:
    with pytest.raises(OptionError, match="tictactoe"):
        ready_assignment("evaluation", "tictactoe", 7)
