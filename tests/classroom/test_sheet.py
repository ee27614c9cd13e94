"""Trees by hand: tables of answers, their marks, and the sheets of an assignment."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from commands import answer, output, refusal
from oracles import alphabeta_by_node, tree_value
from plyscope.datafile import csv_text
from plyscope.errors import NotationError, OptionError
from plyscope.faces.cli import run
from plyscope_class.assignment import AlgorithmOptions, Assignment, Rubric
from plyscope_class.check import check_submission
from plyscope_class.grade import grade_of
from plyscope_class.handout import READY, make_class, ready_assignment
from plyscope_class.judge import judge
from plyscope_class.run import run_class
from plyscope_class.sheet import names_in, sheet_of
from sentences import refuses, says

Rows = list[dict[str, str]]
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


def test_writes_the_right_answers_of_an_independent_search(tmp_path: Path) -> None:
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


def test_counts_a_consistent_value_half_and_deducts_a_point_for_a_wrong_cut(tmp_path: Path) -> None:
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
    "change",
    [
        lambda rows: rows[3].update(question="9"),
        lambda rows: rows[3].update(node="ZZ"),
        lambda rows: rows[3].update(node="A"),
        lambda rows: rows[0].update(value="many"),
        lambda rows: rows[-1].update(cut="perhaps"),
    ],
)
def test_an_unreadable_cell_costs_its_item_and_is_a_note_with_its_line(
    change: Any, tmp_path: Path
) -> None:
    rows = written(tmp_path)
    change(rows)
    content = csv_text([[*rows[0]], *([*row.values()] for row in rows)]).encode()
    found = judge({"answers.csv": content}, "answers.csv", SHEET).as_dict()["answers"]
    (note,) = found["notes"]
    says(note)
    questions = found["questions"]
    assert sum(each["possible"] - each["points"] for each in questions) <= 1
    item = check_submission({"answers.csv": content}, "answers.csv", SHEET).findings[0]
    assert note in str(item.finding)
    assert item.share > 0.9


def test_refuses_a_table_without_a_column(tmp_path: Path) -> None:
    content = b"question,node,alpha,beta,cut\n1,A,,,\n"
    found = check_submission({"answers.csv": content}, "answers.csv", SHEET)
    assert not found.does_run
    says(str(found.findings[0].finding))


def numbers(change: Callable[[str], str]) -> Callable[[Rows], str]:
    """Write each number of a table in another way."""

    def spelled(rows: Rows) -> str:
        for row in rows:
            for name in ("value", "alpha", "beta"):
                row[name] = change(row[name]) if row[name] else ""
        return text_of(rows)

    return spelled


def cells(change: Callable[[str, str], str]) -> Callable[[Rows], str]:
    """Change each cell of a table, by its column."""

    def spelled(rows: Rows) -> str:
        for row in rows:
            row |= {name: change(name, cell) for name, cell in row.items()}
        return text_of(rows)

    return spelled


def struck(yes: str, no: str = "") -> Callable[[Rows], str]:
    return cells(lambda name, cell: (yes if cell else no) if name == "cut" else cell)


def text_of(rows: Rows, delimiter: str = ",") -> str:
    out = StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerows([[*rows[0]], *([*row.values()] for row in rows)])
    return out.getvalue()


def is_whole(text: str) -> bool:
    return text.lstrip("−-").isdigit()


def dashed(dash: str) -> Callable[[Rows], str]:
    return numbers(lambda text: text.replace("−", dash).replace("-", dash))


SPELLINGS: dict[str, Callable[[Rows], str | bytes]] = {
    "as given": text_of,
    "hyphen": dashed("-"), "minus": dashed("−"), "en dash": dashed("–"), "em dash": dashed("—"),
    "plus": numbers(lambda text: f"+{text}" if text.isdigit() else text),
    "3.0": numbers(lambda text: f"{text}.0" if is_whole(text) else text),
    "3,0": numbers(lambda text: f"{text},0" if is_whole(text) else text),
    "3.": numbers(lambda text: f"{text}." if is_whole(text) else text),
    "equals": numbers(lambda text: f"={text}"),
    "apostrophe": numbers(lambda text: f"'{text}"),
    "spaces": cells(lambda name, cell: f"  {cell} "),
    "inf": numbers(lambda text: text.replace("∞", "inf")),
    "Infinity": numbers(lambda text: text.replace("∞", "Infinity")),
    "- inf": numbers(lambda text: text.replace("−∞", "- inf")),
    "oo": numbers(lambda text: text.replace("∞", "oo")),
    "dashes in empty cells": cells(lambda name, cell: cell or "-"),
    "en dashes in empty cells": cells(lambda name, cell: cell or "–"),
    "NaN in empty cells": cells(lambda name, cell: cell or "NaN"),
    "None in empty cells": cells(lambda name, cell: cell or "None"),
    "small letters": cells(lambda name, cell: cell.lower() if name == "node" else cell),
    "heads in capitals": lambda rows: text_of([{k.upper(): v for k, v in r.items()} for r in rows]),
    "Q1": cells(lambda name, cell: f"Q{cell}" if name == "question" else cell),
    "1.0": cells(lambda name, cell: f"{cell}.0" if name == "question" else cell),
    "tabs": lambda rows: text_of(rows, "\t"), "semicolons": lambda rows: text_of(rows, ";"),
    "UTF-16": lambda rows: text_of(rows, "\t").encode("utf-16"),
    "a byte order mark": lambda rows: text_of(rows).encode("utf-8-sig"),
    "Windows lines": lambda rows: text_of(rows).replace("\n", "\r\n"),
    "a Latin-1 comment": lambda rows: b"# L\xf6sung\n" + dashed("-")(rows).replace(
        "∞", "inf").encode("latin-1"),
    "a comment below": lambda rows: f"{text_of(rows)}# done,,,,,\n",
    "an empty row": lambda rows: text_of(rows).replace("\n2,", "\n,,,,,\n2,", 1),
    "empty lines above": lambda rows: f",,,,,\n\nsep=,\n{text_of(rows)}",
    "columns in another order": lambda rows: text_of([dict(reversed(r.items())) for r in rows]),
    "a column too many": lambda rows: text_of([{**row, "note": "?"} for row in rows]),
    "cut X": struck("X"), "cut yes": struck("yes", "no"), "cut ja": struck("Ja", "nein"),
    "cut y": struck("y", "n"), "cut oui": struck("oui", "non"), "cut true": struck("TRUE", "FALSE"),
    "cut t": struck("t", "f"), "cut 1": struck("1", "0"), "cut 1.0": struck("1.0", "0.0"),
    "cut tick": struck("✓"),
}  # fmt: skip


@pytest.mark.parametrize("name", SPELLINGS)
def test_reads_each_usual_spelling_of_right_answers(name: str, tmp_path: Path) -> None:
    spelled = SPELLINGS[name](written(tmp_path))
    content = spelled if isinstance(spelled, bytes) else spelled.encode()
    found = judge({"answers.csv": content}, "answers.csv", SHEET).as_dict()
    assert grade_of(found, "", SHEET).total == 100
    assert found["answers"]["notes"] == []


def test_reads_a_table_with_semicolons_and_a_byte_order_mark(tmp_path: Path) -> None:
    rows = written(tmp_path)
    lines = [";".join(rows[0]), *(";".join(row.values()) for row in rows)]
    content = ("\ufeff" + "\r\n".join(lines)).encode()
    found = judge({"answers.csv": content}, "answers.csv", SHEET)
    assert grade_of(found.as_dict(), "", SHEET).total == 100


def test_puts_the_sheets_into_the_handout_and_marks_practice_alone(
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
    says(refusal(capsys, "class", "check", "answers.csv"))


def test_gives_a_class_marks_reasons_and_the_right_search(
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


def test_checks_the_options_of_a_sheet() -> None:
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


def test_gives_each_student_different_trees_and_a_key(with_students: Path) -> None:
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


def test_writes_no_names_and_no_sheet_into_the_common_handout(with_students: Path) -> None:
    handout = with_students / "handout"
    assert not (handout / "answers.csv").exists()
    assert not (handout / "sheet.html").exists()
    assert Assignment.read(handout).algorithm.students == ()
    assert "answers.csv` with your name" in (handout / "README.md").read_text(encoding="utf-8")
    for file in handout.iterdir():
        if file.suffix != ".pdf":
            assert "Lovelace" not in file.read_text(encoding="utf-8"), file


def test_marks_each_student_by_the_sheet_of_the_name_in_the_table(
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
    out = output(capsys, "class", "run", str(folder), "--jobs", "1")
    graded = {each.submission.key: each for each in run_class(folder, jobs=1).graded}
    total = {key: each.grade.total for key, each in graded.items()}
    assert total["ada"] == total["mallory"] == 100
    assert 90 < total["joerg"] < 100
    assert total["eve"] < 70
    assert total["trent"] == 0
    says(graded["trent"].grade.reason)
    says(graded["joerg"].grade.parts[0].reasons[-1])
    assert graded["ada"].same_as == ("mallory",)
    assert graded["joerg"].same_as == ()
    assert "the same sheet: ada, mallory" in out
    page = (folder / "class.html").read_text(encoding="utf-8")
    assert "<h2>The same sheet: ada, mallory</h2>" in page
    page = (folder / "feedback" / "joerg.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 1
    tree = str(sheet_of(Assignment.read(folder), "Jörg")[0].tree.start())
    assert f"plyscope tree &#x27;{tree}&#x27; -A minimax" in page


def test_rejects_a_table_that_names_several_students(with_students: Path) -> None:
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


@pytest.mark.parametrize("text", ["Ada\nAda\n", "Ada Lovelace\nada-lovelace\n", "name\n", None])
def test_rejects_names_that_are_not_one_file_each(text: str | None, tmp_path: Path) -> None:
    file = tmp_path / "names.csv"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    with refuses(NotationError):
        names_in(str(file))


def test_rejects_names_of_students_except_for_trees(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "names.csv").write_text(NAMES, encoding="utf-8")
    words = ("class", "new", str(tmp_path / "x"), "--students", str(tmp_path / "names.csv"))
    says(refusal(capsys, *words))
    options = AlgorithmOptions(students=("Eve", "Eve"))
    with pytest.raises(OptionError, match="twice in 'students'"):
        Assignment(interface="answers", algorithm=options).checked()
