"""Trees by hand: tables of answers, their marks, and the sheets of an assignment."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from commands import answer
from oracles import alphabeta_by_node, tree_value
from plyscope.classroom.assignment import AlgorithmOptions, Assignment, Rubric
from plyscope.classroom.check import check_submission
from plyscope.classroom.grade import grade_of
from plyscope.classroom.handout import READY, make_class, ready_assignment
from plyscope.classroom.judge import judge
from plyscope.classroom.run import run_class
from plyscope.classroom.sheet import sheet_of
from plyscope.datafile import csv_text
from plyscope.errors import OptionError

SHEET = ready_assignment("trees", None, 7)


def written(tmp_path: Path) -> list[dict[str, str]]:
    """The table of right answers of the teacher's folder."""
    make_class(tmp_path / "made", SHEET, "trees")
    text = (tmp_path / "made" / "teacher" / "answers.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def points(rows: list[dict[str, str]]) -> float:
    content = csv_text([[*rows[0]], *([*row.values()] for row in rows)]).encode()
    found = judge({"answers.csv": content}, "answers.csv", SHEET)
    return grade_of(found.as_dict(), "", SHEET).total


def test_the_table_of_right_answers_is_that_of_an_independent_search(tmp_path: Path) -> None:
    rows = written(tmp_path)
    for number, question in enumerate(sheet_of(SHEET), 1):
        tree = json.loads(str(question.tree.start()))
        own = {row["node"]: row for row in rows if row["question"] == str(number)}
        root = own[question.labels[()]]
        assert int(root["value"].replace("−", "-")) == tree_value(tree)
        if question.algorithm == "minimax":
            assert not any(row["alpha"] or row["cut"] for row in own.values())
            continue
        found = alphabeta_by_node(tree, False, False)
        for path, label in question.labels.items():
            is_struck = path not in found and path[:-1] in found
            assert (own[label]["cut"] == "x") == is_struck
            assert bool(own[label]["alpha"]) == (path in found)
    assert points(rows) == 100


def test_a_value_that_follows_counts_half_and_a_stroke_too_many_costs_a_point(
    tmp_path: Path,
) -> None:
    rows = written(tmp_path)
    possible = sum(
        each["possible"]
        for each in judge(
            {"answers.csv": csv_text([[*rows[0]], *([*row.values()] for row in rows)]).encode()},
            "answers.csv",
            SHEET,
        ).as_dict()["answers"]["questions"]
    )
    row = next(row for row in rows if row["alpha"] and not row["cut"] and row["node"] != "A")
    row["cut"] = "yes"
    assert points(rows) == pytest.approx(100 - 100 / possible, abs=0.01)
    row["cut"] = "no"
    row["alpha"] = ""
    assert points(rows) == pytest.approx(100 - 100 / possible, abs=0.01)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda rows: rows[3].update(question="9"), "question '9' in line 5 of 'answers.csv'"),
        (lambda rows: rows[3].update(node="ZZ"), "node 'ZZ' of question 1 in line 5"),
        (lambda rows: rows[3].update(node="A"), "node 'A' of question 1 in line 5 .* twice"),
        (lambda rows: rows[0].update(value="many"), "'many' for value at node 'A'"),
        (lambda rows: [row.pop("value") for row in rows], "expected question, node, value"),
    ],
)
def test_what_cannot_be_read_is_a_finding_with_its_place(
    change: object, said: str, tmp_path: Path
) -> None:
    rows = written(tmp_path)
    change(rows)  # type: ignore[operator]
    content = csv_text([[*rows[0]], *([*row.values()] for row in rows)]).encode()
    found = check_submission({"answers.csv": content}, "answers.csv", SHEET)
    assert not found.does_run
    (item,) = found.findings
    assert item.finding is not None
    assert re.search(said, item.finding), item.finding


def test_a_table_with_semicolons_and_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    rows = written(tmp_path)
    lines = [";".join(rows[0]), *(";".join(row.values()) for row in rows)]
    content = ("\ufeff" + "\r\n".join(lines)).encode()
    found = judge({"answers.csv": content}, "answers.csv", SHEET)
    assert grade_of(found.as_dict(), "", SHEET).total == 100


def test_the_hand_out_has_the_sheets_and_marks_the_practice_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "hw1"
    words = ("class", "new", str(folder), "--assignment", "trees", "--seed", "7")
    assert answer(capsys, *words)[0] == 0
    handout = folder / "handout"
    assert {"sheet.html", "practice.html", "practice-key.html"} <= {
        each.name for each in handout.iterdir()
    }
    assert (folder / "teacher" / "sheet-key.html").exists()
    text = (handout / "sheet.html").read_text(encoding="utf-8")
    assert "key" not in text.partition("</title>")[0]
    assert Assignment.read(handout).file == "practice.csv"
    monkeypatch.chdir(handout)
    status, out, _ = answer(capsys, "class", "check", "practice.csv")
    assert status == 1
    assert "question 1, 2, 3, 4 has no answer" in out
    status, out, err = answer(capsys, "class", "check", "answers.csv")
    assert (status, out) == (2, "")
    assert "expected practice.csv" in err


def test_a_class_gets_marks_reasons_and_the_right_search(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_class(tmp_path, SHEET, "trees")
    made = tmp_path / "teacher" / "mistakes" / "submissions"
    for name in ("minimax-all", "right-all"):
        content = (made / f"{name}.csv").read_bytes()
        (tmp_path / "submissions" / f"{name}.csv").write_bytes(content)
    (tmp_path / "submissions" / "eve.ipynb").write_text("{}")
    status, _, err = answer(capsys, "class", "run", str(tmp_path), "--jobs", "1")
    assert status == 1
    assert "eve" in err
    by_key = {each.submission.key: each for each in run_class(tmp_path, jobs=1).graded}
    assert by_key["right-all"].grade.total == 100
    assert by_key["right-all"].same_as == ()  # right answers are equal
    assert "this is minimax" in by_key["minimax-all"].grade.reason
    assert by_key["eve"].judgement is None
    page = (tmp_path / "feedback" / "minimax-all.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 3
    assert "plyscope tree " in page


def test_options_of_a_sheet_are_checked() -> None:
    for change in (
        {"algorithm": AlgorithmOptions(kind="alphabeta", cut="any")},
        {"algorithm": AlgorithmOptions(kind="pvs")},
        {"algorithm": AlgorithmOptions(trees=0)},
        {"rubric": Rubric(answers=10)},
        {"file": "answers.py"},
    ):
        with pytest.raises(OptionError):
            Assignment(interface="answers", **change).checked()  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="points for 'answers'"):
        Assignment(rubric=Rubric(answers=10)).checked()


def test_every_lecture_has_six_steps_with_a_place_on_the_page(tmp_path: Path) -> None:
    for name in READY:
        make_class(tmp_path / name, ready_assignment(name, None, 7), name)
        text = (tmp_path / name / "teacher" / "lecture.html").read_text(encoding="utf-8")
        assert text.count('<li><input type="checkbox"') == text.count("/#room=") == 6
