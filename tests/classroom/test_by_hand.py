"""What a teacher adds to a class: points by hand, regrades with a reason, and what Gradescope shows."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from math import fsum
from pathlib import Path

import pytest

from commands import answer
from plyscope.errors import NotationError, OptionError
from plyscope_class.assignment import Assignment, GradescopeOptions, Rubric
from plyscope_class.grade import grade_of
from plyscope_class.gradescope import results_of
from plyscope_class.run import run_class, write_results
from sentences import refuses

SMALL = """
title = "Small"
[check]
positions = 5
[rubric]
report_card = 0
certificate = 0
ladder = 0
manual = 10
[gradescope]
hidden = ["manual"]
[league]
pairs = 0
"""
RIGHT = "def heuristic(mine, theirs):\n    return mine - theirs\n"
WRONG = "def heuristic(board):\n    return 1 / 0\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "submissions").mkdir()
    (tmp_path / "assignment.toml").write_text(SMALL)
    (tmp_path / "submissions" / "ann.py").write_text(RIGHT)
    (tmp_path / "submissions" / "bob.py").write_text(WRONG)
    return tmp_path


def totals(folder: Path) -> dict[str, float]:
    return {each.submission.key: each.grade.total for each in run_class(folder, jobs=1).graded}


def test_adds_manual_points_with_their_reasons(folder: Path) -> None:
    before = totals(folder)
    (folder / "manual.csv").write_text(
        "\ufeffname;id;points;reason\nAnn;ann;7,5;clear names\nAnn;ann;-1;no tests\n"
    )
    ann, bob = run_class(folder, jobs=1).graded
    assert ann.grade.total == before["ann"] + 6.5
    assert ann.grade.of == 30
    assert ann.grade.parts[-1].reasons == ("+7.5: clear names", "-1: no tests")
    assert bob.grade.parts[-1].reasons == ("no points by hand yet",)
    assert bob.grade.total == before["bob"]


@pytest.mark.parametrize(
    "text",
    [
        "id,points\nann,1\n",
        "id,points,reason\neve,1,\n",
        "id,points,reason\nann,many,\n",
        "id,points,reason\nann,inf,\n",
        "id,points,reason\nann\n",
        "",
    ],
)
def test_quotes_a_wrong_row_before_judging_anything(folder: Path, text: str) -> None:
    (folder / "manual.csv").write_text(text)
    with refuses(NotationError):
        run_class(folder, jobs=1)
    assert not (folder / "judged").exists()


def test_judges_again_in_a_regrade_and_says_why(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = run_class(folder, jobs=1).graded[0].grade.total
    (cached,) = (
        place for place in (folder / "judged").iterdir() if '"does_run": true' in place.read_text()
    )
    spoilt = json.loads(cached.read_text())
    spoilt["check"]["items"][0] |= {"finding": "the server was down", "share": 0.0}
    cached.write_text(json.dumps(spoilt))
    assert totals(folder)["ann"] < first
    status, _, _ = answer(
        capsys, "class", "run", str(folder), "--jobs", "1", "--regrade", "ann",
        "--because", "the server was down",
    )  # fmt: skip
    assert status == 0
    lines = (folder / "regrades.csv").read_text().splitlines()
    assert lines[0] == "id,reason,before,after"
    assert lines[1].startswith("ann,the server was down,")
    assert lines[1].endswith(f",{first:g}")
    assert "judged again: the server was down." in (folder / "feedback" / "ann.html").read_text()
    assert totals(folder)["ann"] == first
    assert run_class(folder, jobs=1).graded[0].regraded == ("the server was down",)


def test_rejects_a_regrade_without_a_reason_or_a_submission(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = ("class", "run", str(folder))
    for words, said in (
        (("--regrade", "ann"), "--regrade ID with --because TEXT"),
        (("--regrade", "ann", "--because", " "), "--regrade ID with --because TEXT"),
        (("--regrade", "eve", "--because", "x"), "no submission 'eve'"),
    ):
        status, out, err = answer(capsys, *run, *words)
        assert (status, out) == (2, "")
        assert said in err
    assert not (folder / "regrades.csv").exists()


def test_shows_checks_by_name_on_gradescope_and_hides_private_parts(folder: Path) -> None:
    (folder / "manual.csv").write_text("id,points,reason\nann,3,\n")
    assignment = Assignment.read(folder)
    for each in run_class(folder, jobs=1).graded:
        found = results_of(each.grade, each.judgement, assignment)
        assert found["score"] == each.grade.total
        assert fsum(test["score"] for test in found["tests"]) == pytest.approx(found["score"])
        assert fsum(test["max_score"] for test in found["tests"]) == pytest.approx(30)
        by_name = {test["name"]: test for test in found["tests"]}
        assert len(by_name) == len(found["tests"])
        assert by_name["by hand"]["visibility"] == "hidden"
        assert {test["visibility"] for test in found["tests"][:-1]} == {"visible"}
    ann = run_class(folder, jobs=1).graded[0]
    assert results_of(ann.grade, ann.judgement, assignment)["tests"][0]["status"] == "passed"


def test_can_show_a_part_after_the_due_date() -> None:
    rubric = Rubric(report_card=0, certificate=0)
    shown = GradescopeOptions(after_due_date=("ladder",))
    assignment = replace(Assignment(), rubric=rubric, gradescope=shown).checked()
    tests = results_of(grade_of(None, "late", assignment), None, assignment)["tests"]
    assert [test["visibility"] for test in tests] == ["visible", "after_due_date"]
    assert assignment.judging == replace(assignment, gradescope=GradescopeOptions()).judging
    for wrong in (
        GradescopeOptions(hidden=("laddre",)),
        GradescopeOptions(hidden=("ladder",), after_published=("ladder",)),
    ):
        with pytest.raises(OptionError, match=r"part 'lad.* in \[gradescope\]; expected"):
            replace(assignment, gradescope=wrong).checked()


def test_fills_the_worksheet_of_moodle_in_another_language(folder: Path) -> None:
    (folder / "submissions" / "Grace Hopper_12_assignsubmission_file_heuristic.py").write_text(
        RIGHT
    )
    head = (
        "ID,Vollständiger Name,Status,Bewertung,Bestwertung,Zuletzt geändert,Feedback als Kommentar"
    )
    file = folder / "moodle.csv"
    rows = [
        'Teilnehmer/in12,"Hopper, Grace",abgegeben,,"30,00",-,',
        'Teilnehmer/in120,Eve,-,,"30,00",-,',
    ]
    file.write_text("\n".join([head, *rows]), encoding="utf-8-sig")
    result = run_class(folder, jobs=1)
    write_results(folder, result)
    written = list(csv.reader((folder / "grades-moodle.csv").read_text().splitlines()))
    assert written[0] == head.split(",")
    grade = next(each.grade for each in result.graded if each.submission.identity == "12")
    assert written[1][:6] == ["Teilnehmer/in12", "Hopper, Grace", "abgegeben",
                              f"{grade.total:g}".replace(".", ","), "30,00", "-"]  # fmt: skip
    assert written[1][6] == grade.reason
    assert written[2] == ["Teilnehmer/in120", "Eve", "-", "", "30,00", "-", ""]
    file.write_text("a,b\n1,2\n")
    with pytest.raises(NotationError, match="grading worksheet"):
        write_results(folder, result)


def test_writes_the_columns_that_canvas_and_moodle_import(folder: Path) -> None:
    handed_in = folder / "submissions"
    for name in (
        "lovelaceada_417_90210_heuristic.py",
        "Grace Hopper_12_assignsubmission_file_heuristic.py",
        "Alan Turing_13_assignsubmission_file_notes.txt",
    ):
        (handed_in / name).write_text(RIGHT)
    result = run_class(folder, jobs=1)
    names = [place.name for place in write_results(folder, result)[:3]]
    assert names == ["grades.csv", "grades-canvas.csv", "grades-moodle.csv"]
    assert (folder / "grades-canvas.csv").read_text().splitlines() == [
        "Student,ID,SIS User ID,SIS Login ID,Section,Small",
        "Points Possible,,,,,30",
        "lovelaceada,417,,,,20",
    ]
    rows = (folder / "grades-moodle.csv").read_text().splitlines()
    assert rows[0].split(",")[:3] == ["Identifier", "Full name", "Grade"]
    assert rows[1].startswith("Participant 13,Alan Turing,,30,,'notes.txt'; expected heuristic.py")
    assert rows[2].startswith("Participant 12,Grace Hopper,20,30,,")
    (handed_in / "lovelaceada_417_90210_heuristic.py").unlink()
    assert not any(
        "canvas" in place.name for place in write_results(folder, run_class(folder, jobs=1))
    )
