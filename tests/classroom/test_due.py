"""Due dates: which submissions are late, and what that costs."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from commands import answer, refusal
from plyscope.errors import NotationError, OptionError
from plyscope_class.assignment import Assignment, DueOptions
from plyscope_class.due import late_of
from plyscope_class.grade import Grade
from plyscope_class.gradescope import results_of
from plyscope_class.run import run_class, write_results
from plyscope_class.submissions import find_submissions
from plyscope_class.times import parse_time
from sentences import refuses, says

SMALL = """
title = "Small"
[check]
positions = 5
[rubric]
report_card = 0
certificate = 0
ladder = 0
[league]
pairs = 0
[due]
at = {at}
grace_minutes = 10
points_a_day = 3
days = 4
"""
AT = '"2026-12-04T23:59+01:00"'
RIGHT = "def heuristic(mine, theirs):\n    return mine - theirs\n"
DUE = datetime(2026, 12, 4, 22, 59, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "submissions").mkdir()
    (tmp_path / "assignment.toml").write_text(SMALL.format(at=AT))
    for name in ("ann.py", "bob.py", "lovelaceada_LATE_417_90210_heuristic.py"):
        (tmp_path / "submissions" / name).write_text(RIGHT)
    return tmp_path


def grades(folder: Path) -> dict[str, Grade]:
    return {each.submission.key: each.grade for each in run_class(folder, jobs=1).graded}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-12-04T23:59+01:00", DUE),
        ("2026-12-04 22:59:00.948203 UTC", DUE),  # nbgrader
        ("2026-12-04 15:59:00.365935000 -07:00", DUE),  # Gradescope's export
        ("2026-12-04T15:59:00.365935-07:00", DUE),  # Gradescope's autograder
        ("2026-12-05 9:30", datetime(2026, 12, 5, 9, 30).astimezone()),
        ("2026-12-04", datetime(2026, 12, 4, 23, 59).astimezone()),
    ],
)
def test_reads_times_as_platforms_and_people_write_them(text: str, expected: datetime) -> None:
    assert parse_time(text) == expected


@pytest.mark.parametrize("text", ["", "4.12.2026", "2026-13-01", "2026-12-04 25:00", "tomorrow"])
def test_rejects_text_that_is_no_time(text: str) -> None:
    with pytest.raises(ValueError, match=f"{re.escape(text)}|must be in"):
        parse_time(text)


@pytest.mark.parametrize(
    ("late", "days"),
    [
        (timedelta(0), None),
        (timedelta(minutes=10), None),
        (timedelta(minutes=11), 1),
        (timedelta(days=1), 1),
        (timedelta(days=1, seconds=1), 2),
        (timedelta(days=-3), None),
    ],
)
def test_counts_days_from_the_due_date_after_the_grace_period(
    late: timedelta, days: int | None
) -> None:
    options = DueOptions(at=AT.strip('"'), grace_minutes=10)
    found = late_of(options, DUE + late, is_marked=True)
    assert (None if found is None else found.days) == days


def test_deducts_points_a_day_for_late_submissions_and_everything_at_the_end(folder: Path) -> None:
    full = grades(folder)["ann"].total
    assert full == 20
    for handed_in, lost in (
        ("2026-12-05T00:05+01:00", 0), ("2026-12-05T10:00+01:00", 3),
        ("2026-12-08T23:00+01:00", 12), ("2026-12-09T10:00+01:00", 20), ("", 0),
    ):  # fmt: skip
        (folder / "dates.csv").write_text(f"id;handed_in;due\nann;{handed_in};\n")
        kept = sorted((folder / "judged").iterdir())
        found = grades(folder)
        assert found["ann"].total == full - lost
        assert found["ann"].of == 20
        assert found["bob"].total == full  # whose time is not known
        assert found["lovelaceada"].total == full - 3  # marked by Canvas, for a day
        assert sorted((folder / "judged").iterdir()) == kept  # nothing is judged again


def test_treats_a_personal_due_date_as_an_extension(folder: Path) -> None:
    (folder / "dates.csv").write_text(
        "id,handed_in,due\nann,2026-12-06 10:00,2026-12-07\nlovelaceada,,2026-12-07\n"
    )
    result = run_class(folder, jobs=1)
    assert [each.late for each in result.graded] == [None] * 3
    assert {each.grade.total for each in result.graded} == {20}


def test_never_deducts_more_than_the_points(folder: Path) -> None:
    (folder / "submissions" / "bob.py").write_text("def heuristic(board):\n    return 1 / 0\n")
    (folder / "dates.csv").write_text("id,handed_in,due\nbob,2026-12-07 10:00,\n")
    assert grades(folder)["bob"].total == 0


def test_shows_lateness_in_all_results(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "dates.csv").write_text("id,handed_in,due\nann,2026-12-06T10:00+01:00,\n")
    assert answer(capsys, "class", "run", str(folder), "--jobs", "1")[0] == 0
    text = (folder / "grades.csv").read_text("utf-8-sig")
    rows = {row["id"]: row for row in csv.DictReader(text.splitlines())}
    assert [rows[key]["late"] for key in ("ann", "bob", "lovelaceada")] == ["late", "", "late"]
    assert [rows[key]["penalty"] for key in ("ann", "bob")] == ["-6", "0"]
    assert rows["ann"]["total"] == "14"
    assert "2 days late" in rows["ann"]["reason"]
    found = json.loads((folder / "results" / "ann" / "results.json").read_text())
    assert found["score"] == 14 == sum(test["score"] for test in found["tests"])
    (test,) = (test for test in found["tests"] if test["name"] == "handed in late")
    assert (test["score"], test["max_score"], test["status"]) == (-6, 0, "failed")
    page = (folder / "feedback" / "ann.html").read_text()
    assert "It is late: handed in 2026-12-0" in page
    assert "Handed in late: -6<" in page
    assert "It is late" not in (folder / "feedback" / "bob.html").read_text()
    assert "Late: ann, lovelaceada." in (folder / "class.html").read_text()
    assert (folder / "grades-canvas.csv").read_text().endswith(",417,,,,17\n")


def test_only_marks_late_submissions_without_a_penalty(folder: Path) -> None:
    assignment = replace(Assignment.read(folder), due=DueOptions(at="2026-12-04"))
    (folder / "dates.csv").write_text("id,handed_in,due\nann,2026-12-05 00:00,\n")
    result = run_class(folder, assignment, jobs=1)
    assert {each.submission.key: each.late is not None for each in result.graded} == {
        "ann": True, "bob": False, "lovelaceada": True,
    }  # fmt: skip
    assert {each.grade.total for each in result.graded} == {20}
    assert all(part.name != "penalty" for each in result.graded for part in each.grade.parts)
    write_results(folder, result)
    assert "penalty" not in (folder / "grades.csv").read_text().splitlines()[0]


def test_reads_the_time_of_submission_from_platforms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assignment = Assignment().checked()
    stamped = tmp_path / "one" / "submitted" / "ann" / "hw3"
    stamped.mkdir(parents=True)
    (stamped / "heuristic.py").write_text(RIGHT)
    (stamped / "timestamp.txt").write_text("2026-12-04 22:59:00.000000 UTC")
    (ann,) = find_submissions(tmp_path / "one", assignment)
    assert (ann.key, ann.handed_in) == ("ann", DUE)
    own = tmp_path / "two" / "bob"  # a student's own file proves nothing
    own.mkdir(parents=True)
    (own / "heuristic.py").write_text(RIGHT)
    (own / "timestamp.txt").write_text("2026-12-04 22:59:00.000000 UTC")
    (bob,) = find_submissions(tmp_path / "two", assignment)
    assert bob.handed_in is None
    export = tmp_path / "three" / "export"
    for number in ("1", "2"):
        (export / f"submission_{number}").mkdir(parents=True)
        (export / f"submission_{number}" / "heuristic.py").write_text(RIGHT)
    (export / "submission_metadata.yml").write_text(
        "submission_1:\n  :submitters:\n  - :name: Ada\n    :sid: '7'\n"
        "  :created_at: 2026-12-04 22:59:00.365935000 Z\n  :history:\n"
        "  - :id: 8\n    :created_at: 2026-01-01 00:00:00.000000000 Z\n"
        "submission_2:\n  :submitters:\n  - :name: Bob\n    :sid: '8'\n"
    )
    ada, bob = find_submissions(tmp_path / "three", assignment)
    assert (ada.name, ada.handed_in, bob.name, bob.handed_in) == ("Ada", DUE, "Bob", None)


def test_deducts_late_points_on_gradescope_too(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    top = tmp_path / "autograder"
    (top / "submission").mkdir(parents=True)
    (top / "submission" / "heuristic.py").write_text(RIGHT)
    run = ("class", "run", str(folder), "--submission", str(top / "submission"))
    results = top / "results.json"
    for created, score in (
        ('{"created_at": "2026-12-05T14:22:32.365935-07:00"}', 17),
        ('{"created_at": "2026-12-01T14:22:32.365935-07:00"}', 20),
        ("[", 20), ('{"created_at": null}', 20), ("{}", 20),
    ):  # fmt: skip
        (top / "submission_metadata.json").write_text(created)
        assert answer(capsys, *run, "--results", str(results))[0] == 0
        assert json.loads(results.read_text())["score"] == score


@pytest.mark.parametrize(
    "text",
    [
        "id,due\nann,\n",
        "id,handed_in,due\neve,,\n",
        "id,handed_in,due\nann,,4.12.2026\n",
        "id,handed_in,due\nann,,\nann,,\n",
    ],
)
def test_quotes_a_wrong_row_of_dates(folder: Path, text: str) -> None:
    (folder / "dates.csv").write_text(text)
    with refuses(NotationError):
        run_class(folder, jobs=1)
    assert not (folder / "judged").exists()


def test_checks_the_due_date_in_the_assignment(folder: Path) -> None:
    file = folder / "assignment.toml"
    for at in ("2026-12-04T23:59:00+01:00", "2026-12-04 23:59:00", '"2026-12-04"', '""'):
        file.write_text(SMALL.format(at=at))
        Assignment.read(folder)
    file.write_text(SMALL.format(at='"4.12."'))
    with refuses(OptionError):
        Assignment.read(folder)


def test_shows_the_due_date_in_the_handout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, options in (("own", ()), ("ready", ("--assignment", "minimax"))):
        words = ("class", "new", str(tmp_path / name), "--due", "2026-12-04 23:59", *options)
        assert answer(capsys, *words)[0] == 0
        handout = tmp_path / name / "handout"
        assert "It is due on 2026-12-04 23:59." in (handout / "README.md").read_text()
        assert Assignment.read(handout).due.at == "2026-12-04 23:59"
    says(refusal(capsys, "class", "new", str(tmp_path / "x"), "--due", "soon"))
    assert not (tmp_path / "x").exists()


def test_gives_the_grade_of_the_class_on_gradescope(folder: Path) -> None:
    (folder / "dates.csv").write_text("id,handed_in,due\nann,2026-12-06T10:00+01:00,\n")
    assignment = Assignment.read(folder)
    ann = run_class(folder, jobs=1).graded[0]
    assert results_of(ann.grade, ann.judgement, assignment)["score"] == ann.grade.total == 14
