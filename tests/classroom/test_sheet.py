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
from plyscope.faces.cli import run

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


NAMES = "name\nAda Lovelace\nJörg\nEve\n"


@pytest.fixture(scope="module")
def with_students(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class in which each student has a sheet of their own."""
    folder = tmp_path_factory.mktemp("class")
    (folder / "names.csv").write_text(NAMES, encoding="utf-8")
    words = ["class", "new", str(folder / "hw1"), "--assignment", "trees", "--seed", "7"]
    assert run([*words, "--students", str(folder / "names.csv")]) == 0
    return folder / "hw1"


def rows_in(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(file.read_text(encoding="utf-8-sig").splitlines()))


def test_each_student_has_trees_and_a_key_of_their_own(with_students: Path) -> None:
    names = ["Ada Lovelace", "Jörg", "Eve"]
    assignment = Assignment.read(with_students)
    assert assignment.algorithm.students == tuple(names)
    trees = {
        str(question.tree.start()) for name in names for question in sheet_of(assignment, name)
    }
    assert len(trees) == 4 * len(names)
    folders = {each.name: each for each in (with_students / "students").iterdir()}
    assert set(folders) == {"Ada-Lovelace", "Jörg", "Eve"}
    for name, folder in folders.items():
        assert name.replace("-", " ") in (folder / "sheet.html").read_text(encoding="utf-8")
    key = (with_students / "teacher" / "keys" / "Eve.html").read_text(encoding="utf-8")
    assert "Eve" in key
    blank = rows_in(folders["Jörg"] / "answers.csv")
    right = [row for row in rows_in(with_students / "teacher" / "answers.csv")
             if row["student"] == "Jörg"]  # fmt: skip
    assert [row["node"] for row in blank] == [row["node"] for row in right]
    assert {row["student"] for row in blank} == {"Jörg"}
    assert not any(row["value"] for row in blank)
    for number, question in enumerate(sheet_of(assignment, "Jörg"), 1):
        tree = json.loads(str(question.tree.start()))
        (root,) = (
            row for row in right
            if (row["question"], row["node"]) == (str(number), question.labels[()])
        )  # fmt: skip
        assert int(root["value"].replace("−", "-")) == tree_value(tree)


def test_the_hand_out_of_all_has_no_names_and_no_sheet(with_students: Path) -> None:
    handout = with_students / "handout"
    assert not (handout / "answers.csv").exists()
    assert not (handout / "sheet.html").exists()
    assert Assignment.read(handout).algorithm.students == ()
    assert "answers.csv` with your name" in (handout / "README.md").read_text(encoding="utf-8")
    for file in handout.iterdir():
        if file.suffix != ".pdf":
            assert "Lovelace" not in file.read_text(encoding="utf-8"), file


def test_each_is_marked_by_the_sheet_of_the_name_in_the_table(
    with_students: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = rows_in(with_students / "teacher" / "answers.csv")
    folder = tmp_path / "hw1"
    (folder / "submissions").mkdir(parents=True)
    text = (with_students / "assignment.toml").read_text(encoding="utf-8")
    (folder / "assignment.toml").write_text(text, encoding="utf-8")

    def hand_in(key: str, whose: str, name: str, root: str = "") -> None:
        own = [row | {"student": name} for row in rows if row["student"] == whose]
        own[0]["value"] = root or own[0]["value"]
        content = csv_text([[*rows[0]], *([*row.values()] for row in own)])
        (folder / "submissions" / f"{key}.csv").write_text(content, encoding="utf-8")

    hand_in("ada", "Ada Lovelace", "ada lovelace")
    hand_in("joerg", "Jörg", "Jo\u0308rg", root="99")
    hand_in("eve", "Ada Lovelace", "Eve")  # copies the numbers
    hand_in("mallory", "Ada Lovelace", "Ada Lovelace")  # copies everything
    hand_in("trent", "Eve", "Trent")
    status, out, _ = answer(capsys, "class", "run", str(folder), "--jobs", "1")
    assert status == 0
    graded = {each.submission.key: each for each in run_class(folder, jobs=1).graded}
    total = {key: each.grade.total for key, each in graded.items()}
    assert total["ada"] == total["mallory"] == 100
    assert 90 < total["joerg"] < 100
    assert total["eve"] < 70
    assert total["trent"] == 0
    assert "student 'Trent' in 'trent.csv'; expected the name" in graded["trent"].grade.reason
    assert graded["joerg"].grade.parts[0].reasons[-1] == "by the sheet of Jörg"
    assert graded["ada"].same_as == ("mallory",)
    assert graded["joerg"].same_as == ()
    assert "the same sheet: ada, mallory" in out
    page = (folder / "class.html").read_text(encoding="utf-8")
    assert "<h2>The same sheet: ada, mallory</h2>" in page
    page = (folder / "feedback" / "joerg.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 1
    tree = str(sheet_of(Assignment.read(folder), "Jörg")[0].tree.start())
    assert f"plyscope tree &#x27;{tree}&#x27; -A minimax" in page


def test_a_table_names_one_student(with_students: Path) -> None:
    assignment = Assignment.read(with_students)
    rows = rows_in(with_students / "teacher" / "answers.csv")
    content = csv_text([[*rows[0]], *([*row.values()] for row in rows)]).encode()
    for table, said in (
        (content, "student 'Ada Lovelace, Eve, Jörg' in 'answers.csv'; expected your name"),
        (b"question,node,value,alpha,beta,cut\n1,A,3,,,\n", "expected student"),
        (b"student,question,node,value,alpha,beta,cut\n,1,A,3,,,\n", "student 'nobody'"),
    ):
        found = check_submission({"answers.csv": table}, "answers.csv", assignment)
        assert said in str(found.findings[0].finding)


def test_names_of_students_are_for_trees_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "names.csv").write_text(NAMES, encoding="utf-8")
    words = ("class", "new", str(tmp_path / "x"), "--students", str(tmp_path / "names.csv"))
    status, out, err = answer(capsys, *words)
    assert (status, out) == (2, "")
    assert "expected both" in err
    options = AlgorithmOptions(students=("Eve", "Eve"))
    with pytest.raises(OptionError, match="twice in 'students'"):
        Assignment(interface="answers", algorithm=options).checked()
