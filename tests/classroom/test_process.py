"""What the process of a submission knows, and what it can cost the process that judges it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import process_time

import pytest

import plyscope as ps
import plyscope_class
from commands import answer, python
from plyscope.errors import HeuristicError, NotationError, OptionError
from plyscope.lab.people.sandbox import Sandbox, require_sandbox
from plyscope.processes import Failed
from plyscope_class import commands
from plyscope_class.algorithm import questions_of
from plyscope_class.assignment import Assignment, CheckOptions, Limits
from plyscope_class.findings import class_page, feedback
from plyscope_class.handout import make_class, ready_assignment, usual_assignment
from plyscope_class.model import SAME, model_marks
from plyscope_class.run import run_class, write_results
from plyscope_class.submission_process import Budget, SubmissionHeuristic, SubmissionProcess
from plyscope_class.submissions import find_submissions
from sentences import refuses
from sources import sources


def has_sandbox() -> bool:
    try:
        require_sandbox()
    except OptionError:
        return False
    return True


KERNEL = pytest.mark.skipif(not has_sandbox(), reason="a kernel with Landlock and seccomp")
SOURCES = sources("submission_process")
ENDINGS = SOURCES["endings"]


def asked_for(interface: str) -> Assignment:
    if interface == "algorithm":
        return ready_assignment("minimax", None, 7)
    return usual_assignment("tictactoe", interface, 7)


def printed(text: str, interface: str = "heuristic", wanted: Assignment | None = None) -> str:
    """Return what a submission prints when it is imported."""
    wanted = wanted or asked_for(interface)
    files = {wanted.file: (text + ENDINGS[interface]).encode()}
    with SubmissionProcess(files, wanted.file, wanted) as submission:
        return submission.start()


# Memory and files

KNOWN = (
    "plyscope.evaluation", "plyscope.evaluation.function", "plyscope.evaluation.heuristic",
    "plyscope.evaluation.boardform", "plyscope.evaluation.signatures", "plyscope.lab", "plyscope.lab.agents",
    "plyscope.lab.agents.agent", "plyscope.lab.agents.readings",
    "plyscope.lab.people", "plyscope.lab.people.forbidden", "plyscope.lab.people.node",
    "plyscope.lab.people.sandbox", "plyscope.lab.people.syscalls",
    "plyscope.searching", "plyscope.searching.limit",
)  # fmt: skip
"""The modules above the rules that a submission may find: how its function is called."""
ABOVE = ("evaluation", "lab", "searching", "solving", "tuning", "faces")


@pytest.mark.parametrize("interface", ENDINGS)
def test_holds_no_heuristic_search_solver_or_judge_in_memory(interface: str) -> None:
    found = printed("import sys\nprint(*sys.modules)", interface).split()
    assert not {each for each in found if each.startswith(("plyscope_class", "plyscope_worlds"))}
    above = {each for each in found if each.split(".")[:1] == ["plyscope"]}
    above = {each for each in above if each.partition(".")[2].partition(".")[0] in ABOVE}
    assert above <= set(KNOWN)
    assert "plyscope.rules.position" in found


ATTACKS = SOURCES["attacks"]


@KERNEL
@pytest.mark.parametrize("attack", ATTACKS)
def test_is_kept_from_the_code_of_plyscope(attack: str) -> None:
    try:
        said = printed(ATTACKS[attack])
    except Failed as failure:
        said = failure.output
    assert "reached" not in said


@KERNEL
def test_no_open_of_c_reaches_a_file_of_plyscope() -> None:
    text = """
import ctypes, os, sys
library, opened, tried = ctypes.CDLL(None), 0, 0
for path in sys.path:
    for folder, _, names in os.walk(os.path.join(path, 'plyscope')):
        for name in names:
            tried += 1
            opened += library.open(os.path.join(folder, name).encode(), 0) >= 0
print(opened, tried)
"""
    opened, tried = map(int, printed(text).split())
    assert (opened, tried > 300) == (0, True)


@KERNEL
def test_other_packages_on_the_path_are_still_imported() -> None:
    wanted = asked_for("heuristic")
    text = "import numpy.linalg, numba, json, helper\nprint(helper.VALUE)" + ENDINGS["heuristic"]
    files = {wanted.file: text.encode(), "helper.py": b"VALUE = 7"}
    with SubmissionProcess(files, wanted.file, wanted) as submission:
        said = submission.start()
    assert said == "7\n"


def test_a_class_that_allows_plyscope_can_import_it() -> None:
    wanted = replace(asked_for("heuristic"), check=CheckOptions(forbidden=()))
    text = "import plyscope as ps\nprint(ps.evaluate('X../.../...', 'counted-lines'))"
    assert printed(text, wanted=wanted) == "-3\n"  # for O


def test_hides_each_plyscope_on_the_path_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    for name in ("plyscope/a.py", "plyscope_house/a.py", "other/a.py", "one.py"):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text("")
    (tmp_path / "link").symlink_to(site)
    monkeypatch.setattr(sys, "path", [*sys.path, str(site), str(tmp_path / "link")])
    own = [
        path.removeprefix(f"{tmp_path}/")
        for path in Sandbox("/usr", hides_plyscope=True).readable
        if path.startswith(str(tmp_path))
    ]
    assert sorted(own) == ["site/one.py", "site/other"]
    assert str(site) in Sandbox("/usr").readable


# The price of the sandbox


@KERNEL
def test_adds_no_audit_hook_where_the_kernel_holds(tmp_path: Path) -> None:
    code = f"""
import sys
added = []
sys.addaudithook = added.append
from plyscope.lab.people.forbidden import Ban
from plyscope.lab.people.sandbox import Sandbox
Ban(("plyscope",), {str(tmp_path)!r}, (), print).enforce()
held = Sandbox({str(tmp_path)!r}, hides_plyscope=True).enter()
print(held, len(added))
"""
    assert python("-P", "-c", code).stdout == "('files', 'processes') 0\n"


# Limits at both ends of the pipe

FLOOD = SOURCES["flood"]
FLOODS = SOURCES["floods"]


@pytest.mark.parametrize("flood", FLOODS)
def test_ends_a_submission_that_floods_the_judge(flood: str) -> None:
    wanted = ready_assignment("minimax", None, 7)
    limits = Limits(call_seconds=0.02, import_seconds=5.0, megabytes=500)
    wanted = replace(wanted, limits=limits)
    files = {wanted.file: FLOOD.replace("LINE", FLOODS[flood]).encode()}
    began = process_time()
    with SubmissionProcess(files, wanted.file, wanted) as submission:
        run = submission.run(questions_of(wanted)[0])
    assert run.failure is not None
    assert process_time() - began < 5  # 0.1 s of its own, and at most 0.4 s of the judge's


def test_the_limit_of_all_answers_is_known_before_the_first() -> None:
    for name, calls in (("heuristic", 600), ("agent", 1_800), ("algorithm", 600)):
        wanted = asked_for(name)
        budget = Budget(wanted)
        assert budget.seconds == calls * wanted.limits.call_seconds
        budget.answers += 100_000
        assert budget.seconds == calls * wanted.limits.call_seconds
        budget.spent = budget.seconds + 1
        assert budget.is_spent
    given = replace(asked_for("agent"), limits=Limits(total_seconds=60.0))
    assert Budget(given, spent=61).is_spent


# Functions of one line


@pytest.mark.parametrize(
    "text",
    [
        "def heuristic(mine, theirs):\n    return 0 if mine and theirs else mine**3 - theirs**3",
        "def heuristic(mine, theirs, lines):\n    return sum((mine & each).bit_count() for each in lines)",
        "def heuristic(mine, theirs):\n    return mine / 3\nheuristic.scale = 30",
    ],
)
@pytest.mark.parametrize("game", ["tictactoe", "connect4", "4,4,3"])
def test_values_functions_of_lines_as_plyscope_does(text: str, game: str, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(text)
    wanted = Assignment(game=game, interface="heuristic").checked()
    positions = _some(game)
    with SubmissionProcess({wanted.file: text.encode()}, wanted.file, wanted) as submission:
        found = submission.values(positions, [each.side for each in positions])
    known = [ps.evaluate(each, f"{tmp_path}/own.py") for each in positions]
    assert found == known


def _some(game: str) -> Sequence[ps.Position]:
    position, found = ps.parse(game), []
    while not position.is_over and len(found) < 12:
        found.append(position)
        position = position.play(position.moves[len(found) % len(position.moves)])
    return found


def test_says_which_line_a_function_of_lines_fails_for() -> None:
    wanted = asked_for("heuristic")
    text = "def heuristic(mine, theirs):\n    return 'x'"
    with (
        SubmissionProcess({wanted.file: text.encode()}, wanted.file, wanted) as submission,
        pytest.raises(HeuristicError, match=r"\(mine, theirs\) = \(0, 0\)"),
    ):
        SubmissionHeuristic(submission).evaluate(ps.parse("tictactoe"), 0)


# Machines without Landlock

WITHOUT = SOURCES["without"]
"""Answers Landlock's first call as a kernel without it."""


@KERNEL
def test_opens_no_file_for_writing_without_landlock(tmp_path: Path) -> None:
    (tmp_path / "run_autograder").write_text("text")
    code = f"""{WITHOUT}
import ctypes, json, os
held = sandbox.Sandbox({str(tmp_path)!r}).enter()
library, file = ctypes.CDLL(None), {str(tmp_path / "run_autograder").encode()!r}
flags = (os.O_WRONLY, os.O_RDWR, os.O_TRUNC, os.O_WRONLY | os.O_TRUNC, os.O_CREAT, os.O_TMPFILE)
print(held, [library.open(file, each, 0o600) >= 0 for each in flags], library.open(file, 0) >= 0)
print(library.creat(file, 0o600) >= 0, library.open(file + b'2', os.O_CREAT | 1, 0o600) >= 0)
"""
    assert python("-P", "-c", code).stdout == f"('processes',) {[False] * 6} True\nFalse False\n"
    assert [each.name for each in tmp_path.iterdir()] == ["run_autograder"]
    assert (tmp_path / "run_autograder").read_text() == "text"


@pytest.mark.parametrize("is_required", [False, True])
def test_gradescope_tells_the_teacher_alone_that_the_sandbox_is_incomplete(
    is_required: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    wanted = ready_assignment("trees", None, 7)
    shown = replace(wanted.gradescope, require_sandbox=is_required)
    make_class(tmp_path / "hw", replace(wanted, gradescope=shown), "trees")
    note = "submissions run in an incomplete sandbox"
    monkeypatch.setattr(commands, "_sandbox", lambda assignment: (note, False))
    answers, results = tmp_path / "hw" / "teacher" / "answers.csv", tmp_path / "results.json"
    words = "--submission", str(answers), "--results", str(results)
    status, out, err = answer(capsys, "class", "run", str(tmp_path / "hw"), *words)
    if is_required:
        assert (status, out, results.exists()) == (2, "", False)
        assert "by require_sandbox" in err.splitlines()[-1]
        return
    tests = json.loads(results.read_text())["tests"]
    (test,) = (each for each in tests if each["name"] == "for the teacher")
    assert (test["visibility"], test["output"], test["max_score"]) == ("hidden", note, 0.0)
    assert status == 0


def test_reads_whether_the_sandbox_is_required(tmp_path: Path) -> None:
    wanted = ready_assignment("minimax", None, 7)
    make_class(tmp_path / "hw", wanted, "minimax")
    file = tmp_path / "hw" / "assignment.toml"
    assert not Assignment.read(file).gradescope.require_sandbox
    line = "require_sandbox = "
    file.write_text(file.read_text().replace(f"{line}false", f"{line}true"))
    assert Assignment.read(file).gradescope.require_sandbox
    file.write_text(file.read_text().replace(f"{line}true", f'{line}"yes"'))
    with refuses(NotationError):
        Assignment.read(file)


# Model solutions

SOLUTIONS = Path(plyscope_class.__file__).parent / "assignments"


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "agent", "evaluation"])
def test_marks_a_pasted_model_solution_and_not_the_stub(name: str, tmp_path: Path) -> None:
    wanted = ready_assignment(name, None, 7)
    make_class(tmp_path / "hw", wanted, name)
    text = (SOLUTIONS / name / "solution.py").read_text()
    texts = {
        "ann": text,
        "bob": f"# mine\n{text}".replace("depth", "plies"),
        "carl": f"{text}\nX = 1\n",
        "stub": (tmp_path / "hw" / "handout" / wanted.file).read_text(),
    }
    for key, own in texts.items():
        (tmp_path / "hw" / "submissions" / f"{key}.py").write_text(own)
    found = find_submissions(tmp_path / "hw" / "submissions", wanted)
    marks = model_marks(found, wanted, tmp_path / "hw")
    assert marks["ann"] == SAME
    assert "bob" in marks
    assert "stub" not in marks
    if name == "alphabeta":  # the others are too short to be compared by their runs
        assert marks["carl"].endswith("% like the model solution")


def test_a_mark_is_for_the_teacher(tmp_path: Path) -> None:
    wanted = ready_assignment("minimax", None, 7)
    make_class(tmp_path / "hw", wanted, "minimax")
    text = (SOLUTIONS / "minimax" / "solution.py").read_text()
    (tmp_path / "hw" / "submissions" / "ann.py").write_text(text)
    result = run_class(tmp_path / "hw", jobs=1)
    write_results(tmp_path / "hw", result)
    assert f",{SAME}," in (tmp_path / "hw" / "grades.csv").read_text()
    (ann,) = result.as_dict()["graded"]
    assert (ann["notes"], ann["total"]) == ([SAME], ann["of"])
    tests = json.loads((tmp_path / "hw/results/ann/results.json").read_text())["tests"]
    hidden = [each["output"] for each in tests if each["visibility"] == "hidden"]
    assert hidden == [SAME]
    words = [text for section in class_page(result) for row in section.rows for text in row]
    assert SAME in words
    shown = [text for section in feedback(result.graded[0], wanted) for text in section.words]
    assert not any(SAME in each for each in shown)
