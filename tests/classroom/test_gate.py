"""What a submission contains is its owner's problem alone, and whose it is follows from names that
no student chooses."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from time import process_time
from typing import Any
from zipfile import ZipFile

import pytest

from commands import answer, output, refusal
from plyscope.errors import OptionError
from plyscope.processes import Failed
from plyscope_class import submissions
from plyscope_class.assignment import Assignment
from plyscope_class.handout import for_students, make_class, ready_assignment
from plyscope_class.notebook import script_of_notebook
from plyscope_class.sheet import sheet_of
from plyscope_class.submissions import Submission, find_submissions, one_submission
from sentences import refuses, says

MINE = "def heuristic(board):\n    return 1\n"
THEIRS = "def heuristic(board):\n    return 0\n"


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def put(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def found(folder: Path, files: Mapping[str, str | bytes], *exports: str) -> dict[str, Submission]:
    given = find_submissions(put(folder, files), Assignment().checked(), exports)
    return {each.key: each for each in given}


def noted(*cells: str) -> str:
    made = [{"cell_type": "code", "source": text} for text in cells]
    return json.dumps({"cells": made, "nbformat": 4, "nbformat_minor": 5, "metadata": {}})


# One odd file

ODD: dict[str, tuple[str, str | bytes, str]] = {
    "990 folders": ("bob.zip", zipped({"d/" * 990 + "x.csv": "x"}), "lies in 991 folders"),
    "a name of dots": ("bob.zip", zipped({"a_1_2_.": MINE}), ""),
    "a name that leaves the folder": ("bob.zip", zipped({"a_1_2_../../x.py": MINE}), ""),
    "6,500 signs": ("bob.ipynb", noted(f"T = {'-' * 6_500}1\n{MINE}"), "cell 1 "),
    "800 lambdas": (
        "bob.ipynb",
        noted(f"T = {'lambda: ' * 800}1", "def heuristic(board): return T"),
        "",
    ),
    "a notebook of brackets": ("bob.ipynb", "[" * 200_000, "a file without the cells"),
    "brackets": ("bob.ipynb", noted(f"{'(' * 3_000}1{')' * 3_000}\n{MINE}"), "cell 1 "),
    "a number of 100,000 digits": (
        "bob.ipynb",
        '{"cells": ' + "1" * 100_000 + "}",
        "a file without",
    ),
}


@pytest.mark.parametrize("odd", ODD)
def test_reads_everybody_else_beside_one_odd_file(tmp_path: Path, odd: str) -> None:
    name, content, problem = ODD[odd]
    given = found(tmp_path, {"ann.py": MINE, name: content})
    assert set(given) == {"ann", "bob"}
    assert (given["ann"].main, given["ann"].problem) == ("ann.py", "")
    assert problem in given["bob"].problem


@pytest.mark.parametrize("odd", ODD)
def test_reads_one_odd_file_alone(tmp_path: Path, odd: str) -> None:
    name, content, problem = ODD[odd]
    assert len(found(tmp_path, {name: content})) == 1
    assert problem in one_submission(tmp_path / name, Assignment().checked()).problem


def test_no_file_of_a_platform_has_a_name_outside_its_folder(tmp_path: Path) -> None:
    files = {
        "lea_1_2_../../x.py": MINE,
        "lea_1_2_..": MINE,
        "lea_1_2_.": MINE,
        "lea_1_3_a.py": MINE,
    }
    for number, name in enumerate(files):
        for each in found(tmp_path / str(number), {"e.zip": zipped({name: MINE})}).values():
            assert all(".." not in Path(file).parts and file.strip("./") for file in each.files)


@pytest.mark.parametrize("is_late", [False, True])
@pytest.mark.parametrize("word", ["owners", "contents"])
def test_a_reader_that_ends_costs_its_own_row_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, is_late: bool
) -> None:
    answers = submissions._Gate._answers
    seconds = submissions.READ_SECONDS

    def answered(gate: Any, questions: Any) -> Any:
        ends = any(each[0] == word and "bob" in repr(each) for each in questions)
        monkeypatch.setattr(submissions, "READ_SECONDS", 0.0 if ends and is_late else seconds)
        if ends and not is_late:
            gate.child.end()
            raise Failed("ended by signal 11")
        return answers(gate, questions)

    monkeypatch.setattr(submissions._Gate, "_answers", answered)
    names = ["ann", "bob", "carl", *(f"s{number}" for number in range(10))]
    given = found(tmp_path, {f"{name}.py": MINE for name in names})
    assert list(given) == sorted(names)
    bob = given.pop("bob")
    reason = "gave no answer within 0 s" if is_late else "ended by signal 11"
    assert (bob.problem, bob.main) == (f"cannot be read: {reason}", "")
    assert all(each.main and not each.problem for each in given.values())


def test_reads_no_more_of_an_export_than_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submissions, "MAX_EXPORT_BYTES", 250)
    monkeypatch.setattr(submissions, "BATCH_QUESTIONS", 1)
    text = f"{MINE}{'#' * (100 - len(MINE))}"
    files = {f"S{at}_{at}_assignsubmission_file_/heuristic.py": text for at in range(4)}
    given = found(tmp_path, {"moodle.zip": zipped(files)})
    problems = [each.problem.partition(":")[0] for each in given.values()]
    assert problems == ["", "", "not read", "not read"]


def test_reads_a_relative_folder_wherever_it_was_called_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        put(tmp_path / name / "in", {f"{name}.py": MINE})
        monkeypatch.chdir(tmp_path / name)
        (only,) = find_submissions("in", Assignment().checked())
        assert (only.key, only.main) == (name, f"{name}.py")
        assert one_submission(f"in/{name}.py", Assignment().checked()).main == f"{name}.py"


def test_judges_a_sum_of_400_terms_in_a_notebook() -> None:
    book = noted(f"TOTAL = {' + '.join(['1'] * 400)}", "def heuristic(board):\n    return TOTAL")
    scope: dict[str, Any] = {}
    exec(script_of_notebook(book.encode(), "heuristic"), scope)
    assert scope["heuristic"](None) == 400


def test_a_script_of_a_notebook_keeps_the_text_of_its_statements() -> None:
    cells = (
        "import functools; X = 3",
        "@functools.cache\ndef heuristic(board):\n    return X  # three\n",
    )
    script = script_of_notebook(noted(*cells).encode(), "heuristic")
    assert "@functools.cache\ndef heuristic(board):\n    return X" in script
    scope: dict[str, Any] = {}
    exec(script, scope)
    assert scope["heuristic"](None) == 3


def test_says_in_one_line_that_a_notebook_is_too_deep(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = put(tmp_path, {"h.ipynb": noted(f"T = {'-' * 6_500}1\n{MINE}")}) / "h.ipynb"
    assert "cell 1" in refusal(capsys, "class", "check", str(book), "--game", "tictactoe")


# Whose it is

ANN = "annsmith_417_90100_heuristic.py"
ADA = "Ada L_417_assignsubmission_file_"
YML = "submission_901:\n  :submitters:\n  - :name: {name}\n    :sid: '7'\n"
FORGED: dict[str, tuple[dict[str, str | bytes], dict[str, str | bytes], str]] = {
    "a newer attachment of Canvas": (
        {ANN: MINE},
        {"mallory.zip": zipped({"annsmith_417_90210_heuristic.py": THEIRS})},
        "mallory",
    ),
    "an attachment of Canvas in a folder": (
        {ANN: MINE},
        {"mallory/annsmith_417_90210_heuristic.py": THEIRS},
        "mallory",
    ),
    "a folder of Moodle": (
        {f"{ADA}/heuristic.py": MINE},
        {"mallory.zip": zipped({f"{ADA}/heuristic.py": THEIRS})},
        "mallory",
    ),
    "GitHub Classroom": (
        {"ann.py": MINE},
        {"hw1-submissions.zip": zipped({"hw1-ann/heuristic.py": THEIRS})},
        "hw1-submissions",
    ),
    "nbgrader": (
        {"ann.py": MINE},
        {"submitted.zip": zipped({"submitted/ann/hw1/heuristic.py": THEIRS})},
        "submitted",
    ),
    "Gradescope's metadata": (
        {"ann.py": MINE},
        {
            "zgs.zip": zipped(
                {
                    "submission_metadata.yml": YML.format(name="ann"),
                    "submission_901/heuristic.py": THEIRS,
                }
            )
        },
        "zgs",
    ),
    "an export in a single folder": (
        {ANN: MINE},
        {"mallory.zip": zipped({"x/y/annsmith_417_90210_heuristic.py": THEIRS})},
        "mallory",
    ),
    "an export in the zip of a Canvas file": (
        {ANN: MINE},
        {"mal_418_90211_a.zip": zipped({"annsmith_417_90210_heuristic.py": THEIRS})},
        "mal",
    ),
    "metadata in the zip of a folder of Gradescope": (
        {"submission_901/heuristic.py": MINE, "submission_metadata.yml": YML.format(name="Ann")},
        {"submission_902/submission_metadata.yml": YML.format(name="Mallory")},
        "submission_902",
    ),
}


@pytest.mark.parametrize("forged", FORGED)
def test_takes_no_row_by_what_a_zip_or_a_folder_contains(tmp_path: Path, forged: str) -> None:
    honest, more, row = FORGED[forged]
    alone = found(tmp_path / "alone", honest)
    (victim,) = alone.values()
    assert victim.main
    given = found(tmp_path / "all", honest | more)
    assert given[victim.key] == victim
    assert set(given) == {victim.key, row}
    assert THEIRS.encode() not in victim.files.values()


def test_asks_about_an_export_that_is_not_alone_until_it_is_named(tmp_path: Path) -> None:
    export = zipped({f"{ADA}/h.py": MINE, "Bob M_418_assignsubmission_file_/h.py": MINE})
    files = {"moodle.zip": export, "late.py": MINE}
    asked = found(tmp_path, files)
    assert set(asked) == {"moodle", "late"}
    assert asked["moodle"].is_open
    assert "--export 'moodle.zip'" in asked["moodle"].problem
    named = found(tmp_path, files, "moodle.zip")
    assert set(named) == {"Ada-L", "Bob-M", "late"}
    says(named["Ada-L"].known_by)
    says(named["late"].known_by)
    assert not any(each.is_open for each in named.values())
    with refuses(OptionError):
        find_submissions(tmp_path, Assignment().checked(), ("other.zip",))


TWICE: dict[str, tuple[dict[str, str | bytes], tuple[str, ...], tuple[str, ...]]] = {
    "two entries": ({"ann.py": MINE, "ann/heuristic.py": MINE}, (), ("'ann.py'", "'ann/'")),
    "a zip and a file": ({"ann.py": MINE, "ann.zip": zipped({"h.py": MINE})}, (), ("'ann.zip'",)),
    "two exports": (
        {"one.zip": zipped({ANN: MINE}), "two.zip": zipped({ANN.replace("100", "101"): THEIRS})},
        ("one.zip", "two.zip"),
        ("'one.zip'", "'two.zip'"),
    ),
    "an export and a file of it": (
        {"one.zip": zipped({ANN: MINE}), ANN: THEIRS},
        ("one.zip",),
        ("'one.zip'", f"'{ANN}'"),
    ),
    "two names of one number": (
        {ANN: MINE, "mallory_417_90101_heuristic.py": THEIRS},
        (),
        (f"'{ANN}'", "'mallory_417_90101_heuristic.py'"),
    ),
    "a folder of a GitHub export": (
        {"hw1-submissions/hw1-ann/heuristic.py": THEIRS, "ann.py": MINE},
        ("hw1-submissions",),
        ("'hw1-submissions'", "'ann.py'"),
    ),
}


@pytest.mark.parametrize("twice", TWICE)
def test_asks_who_is_claimed_twice_and_names_both_files(tmp_path: Path, twice: str) -> None:
    files, exports, names = TWICE[twice]
    given = found(tmp_path, {"zoe.py": MINE} | files, *exports)
    zoe = given.pop("zoe")
    assert (zoe.main, zoe.is_open) == ("zoe.py", False)
    assert all(each.is_open and not each.main for each in given.values())
    assert all(name in each.problem for name in names for each in given.values())


def test_a_question_is_no_grade(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "hw"
    make_class(folder, ready_assignment("trees", None, 7), "trees")
    sheet = (folder / "teacher" / "answers.csv").read_text()
    table = {"annsmith_417_90100_answers.csv": sheet, "mallory_418_90101_answers.csv": sheet}
    put(folder / "submissions", {**table, "mal_417_90102_answers.csv": "question,node\n"})
    status, _, err = answer(capsys, "class", "run", str(folder), "-j", "1")
    assert status == 1
    assert err.count("question: ") == 2
    with (folder / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert rows["mallory"]["total"] == "100"
    assert rows["mallory"]["known_by"] == "Canvas's file names"
    for key in ("annsmith", "mal"):
        assert (rows[key]["total"], rows[key]["answers"]) == ("", "")
        assert not (folder / "results" / key).exists()
    canvas = (folder / "grades-canvas.csv").read_text()
    assert "annsmith,417,,,,\n" in canvas.replace("\r", "")
    status, out, _ = answer(capsys, "class", "run", str(folder), "-j", "1", "--json")
    totals = {each["id"]: each["total"] for each in json.loads(out)["graded"]}
    assert totals == {"annsmith": None, "mal": None, "mallory": 100.0}


def test_reads_sixty_submissions_with_one_process(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {}
    for number in range(60):
        inner = {"work/heuristic.py": MINE, "work/data.txt": "x" * 10_000}
        files[f"s{number}.zip" if number % 2 else f"s{number}.py"] = (
            zipped(inner) if number % 2 else MINE
        )
    find_submissions(put(tmp_path / "one", {"ann.py": MINE}), Assignment().checked())
    process = submissions._gate.child
    began = process_time()
    assert len(found(tmp_path / "all", files)) == 60
    assert submissions._gate.child is process
    assert process_time() - began < 2


def test_writes_no_character_that_a_terminal_obeys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "hw"
    make_class(folder, ready_assignment("trees", None, 7), "trees")
    put(folder / "submissions", {"a\x1b[31m\u202eb.csv": "question\x1b[2J,node\n"})
    answer(capsys, "class", "run", str(folder), "-j", "1")
    table = (folder / "grades.csv").read_text(encoding="utf-8-sig")
    assert not set(table) & {"\x1b", "\u202e"}
    assert "a\\x1b[31m\\u202eb" in table


# Seeds


@pytest.mark.parametrize("seed", [0, 7, 2**63 - 1])
def test_the_hand_out_never_has_the_questions_of_the_class(tmp_path: Path, seed: int) -> None:
    for name in ("trees", "minimax", "alphabeta"):
        assignment = ready_assignment(name, None, seed)
        make_class(tmp_path / f"{name}", assignment, name)
        students = Assignment.read(tmp_path / name / "handout")
        assert students.seed != seed
        assert students.seed > 10**12
    wanted = ready_assignment("trees", None, seed)
    practice, sheet = sheet_of(for_students(wanted)), sheet_of(wanted)
    assert all(one.tree != other.tree for one, other in zip(practice, sheet, strict=True))


def test_refuses_the_seed_of_the_hand_out(tmp_path: Path) -> None:
    wanted = ready_assignment("minimax", None, 1)
    same = ready_assignment("minimax", None, for_students(wanted).seed)
    with refuses(OptionError):
        make_class(tmp_path / "hw", same, "minimax")


def test_draws_another_long_seed_for_each_class(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seeds = []
    for number in range(2):
        out = output(capsys, "class", "new", str(tmp_path / str(number)), "--json")
        seeds.append(json.loads(out)["seed"])
    assert seeds[0] != seeds[1]
    assert max(seeds) > 10**12
