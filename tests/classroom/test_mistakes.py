"""Causes of mistakes: each is named where it is made, and nothing is named that was not made."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from plyscope.lab.people.node import Node, run_algorithm
from plyscope.processes import Failed
from plyscope_class.algorithm import Run, Watched, judge_runs, questions_of, run_of
from plyscope_class.assignment import Assignment
from plyscope_class.grade import Grade, grade_of
from plyscope_class.handout import ready_assignment
from sentences import says
from sources import sources
from students import ALPHABETA_PROGRAM

SOURCES = sources("mistakes")
MINIMAX = SOURCES["minimax"]
CALL = "alphabeta(child, depth - 1, alpha, beta)"
BOTH = "max(values) if node.is_max else min(values)"


def changed(*changes: tuple[str, str], text: str = ALPHABETA_PROGRAM) -> str:
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


LAST_OF_EQUAL = changed(
    ("    best = -inf if", "    choice = None\n    best = -inf if"),
    ("            best = max(best, value)", "            if value >= best: best, choice = value, child"),
    ("            best = min(best, value)", "            if value <= best: best, choice = value, child"),
    ("return node.value", "return node.value, None"),
    ("return best", "return best, choice"),
    (CALL, f"{CALL}[0]"),
)  # fmt: skip
FIRST_OF_EQUAL = LAST_OF_EQUAL.replace("value >= best", "value > best").replace(
    "value <= best", "value < best"
)
TOO_SHALLOW = changed(("if depth else", "if depth != 1 else"))
CAUSES: dict[str, str] = {
    "ignores the depth": changed(("if depth else ()", "")),
    "returns 0": "def alphabeta(node, *of):\n    return 0\n",
    "window swapped": changed((CALL, "alphabeta(child, depth - 1, beta, alpha)")),
    "cut at value >= alpha": changed(("if alpha >= beta", "if value >= alpha")),
    "arguments in another order": changed(
        ("(node, depth, alpha, beta)", "(node, alpha, beta, depth)"),
        (CALL, "alphabeta(child, alpha, beta, depth - 1)"),
    ),
    "depth == 1": TOO_SHALLOW,
    "sign": changed(
        ("def alphabeta(", "def alphabeta(*of):\n    return -search(*of)\ndef search("),
        (CALL, "search(child, depth - 1, alpha, beta)"),
    ),
    "sides swapped": changed(("node.is_max", "not node.is_max")),
    "both maximize": changed(
        ("-inf if node.is_max else inf", "-inf"), ("if node.is_max", "if True")
    ),
    "begins with 0": changed(("-inf if node.is_max else inf", "0")),
    "begins with 1000": changed(("-inf if node.is_max else inf", "-1000 if node.is_max else 1000")),
    "too deep": changed(("if depth else", "if depth >= 0 else")),
    "no cuts": changed(("if alpha >= beta", "if False")),
    "last of equal moves": LAST_OF_EQUAL,
    **SOURCES["members"],
}
OF_MINIMAX: dict[str, str] = {
    "ignores the depth": changed(("if depth else ()", ""), text=MINIMAX),
    "returns 0": "def minimax(node, depth):\n    return 0\n",
    "depth == 1": changed(("if depth else", "if depth != 1 else"), text=MINIMAX),
    "sign": changed((BOTH, f"-({BOTH})"), text=MINIMAX),
    "both maximize": changed((BOTH, "max(values)"), text=MINIMAX),
    "view of the mover": changed(
        ("return node.value", "return node.value if node.is_max else -node.value"), text=MINIMAX
    ),
}


def assignment(kind: str) -> Assignment:
    made = ready_assignment(kind, None, 7)
    return replace(made, algorithm=replace(made.algorithm, further=()))


@cache
def judged(text: str, kind: str = "alphabeta") -> dict[str, Any]:
    """The judgement of a program's plain searches, which runs in this process."""
    scope: dict[str, Any] = {}
    exec(text, scope)
    runs = []
    for question in questions_of(ready_assignment(kind, None, 7)):
        if question.function == kind:
            runs.append(run(question, scope[kind]))
    return judge_runs(runs, assignment(kind))


def run(question: Any, function: Any) -> Run:
    watched = Watched(question)
    root = Node(watched.local_read, *watched.root)
    try:
        return run_of(watched, run_algorithm(function, root, question.arguments))
    except Exception as error:  # whatever the program raises
        return run_of(watched, {}, Failed(f"raised {error!r}"))


def graded(text: str, kind: str = "alphabeta") -> Grade:
    check = {"does_run": True, "items": [], "missing": []}
    judgement = {"check": check, "forbidden": None, "algorithm": judged(text, kind)}
    made = assignment(kind)
    parts = replace(made.rubric, check=0.0, nodes=0.0)
    return grade_of(judgement, "", replace(made, rubric=parts))


@pytest.mark.parametrize("name", CAUSES)
def test_names_the_mistake_of_an_alpha_beta(name: str) -> None:
    cause = judged(CAUSES[name])["cause"]
    says(cause)
    assert ", or " not in cause


@pytest.mark.parametrize("name", OF_MINIMAX)
def test_names_the_mistake_of_a_minimax(name: str) -> None:
    says(judged(OF_MINIMAX[name], "minimax")["cause"])


@pytest.mark.parametrize(
    "text",
    [
        ALPHABETA_PROGRAM,
        FIRST_OF_EQUAL,
        changed(("in children:", "in sorted(children, key=lambda child: child.name[::-1]):")),
        changed(("if alpha >= beta", "if alpha >= beta - 3")),
        changed(
            ("    for child", "    known = [child.value for child in children]\n    for child")
        ),
        changed(("if alpha >= beta", "if alpha >= beta or best > 4")),
        changed(("if depth else ()", "if depth > 1 or node.is_max and depth else ()")),
        changed(("return best", "return best + 1")),
        "def alphabeta(node, *of):\n    return len(node.children)\n",
    ],
)
def test_names_nothing_if_no_mistake_of_the_catalogue_agrees(text: str) -> None:
    assert judged(text)["cause"] == ""


def test_names_a_cause_of_the_values_if_the_nodes_have_another_one() -> None:
    text = changed(
        ("-inf if node.is_max else inf", "0"),
        ("    for child", "    known = [child.value for child in children]\n    for child"),
    )
    cause = judged(text)["cause"]
    says(cause)


def test_a_cause_is_the_first_reason_and_is_given_once() -> None:
    grade = graded(CAUSES["sides swapped"])
    says(grade.reason)
    assert sum("minimizes at MAX" in reason for part in grade.parts for reason in part.reasons) == 1


def test_gives_half_of_the_points_for_a_base_case_that_is_one_ply_off() -> None:
    shallow, zero = graded(TOO_SHALLOW), graded(CAUSES["returns 0"])
    assert (shallow.total, zero.total) == (37.5, 0)
    reasons = [reason for part in shallow.parts for reason in part.reasons]
    says("\n".join(reasons))


def test_most_boards_show_that_the_last_of_equal_moves_was_taken() -> None:
    assert graded(FIRST_OF_EQUAL).total == 75
    wrong = [each for each in judged(LAST_OF_EQUAL)["questions"] if each["fault"]]
    assert sum(each["name"].startswith("board") for each in wrong) == 8
    assert graded(LAST_OF_EQUAL).total < 68


def test_finds_and_names_a_table_that_keeps_bounds_as_values() -> None:
    made = ready_assignment("alphabeta", None, 7)
    asked = [each for each in questions_of(made) if each.function == "table"]
    assert len(asked) == 6
    for kept, number in (("True", 3), ("low < best < high", 0)):
        scope: dict[str, Any] = {}
        exec(SOURCES["table"].replace("KEPT", kept), scope)
        found = judge_runs([run(each, scope["table"]) for each in asked], made)
        assert sum(bool(each["fault"]) for each in found["further"]) >= number
        assert ("as if it were exact" in found["table_cause"]) == bool(number)


def test_cuts_a_value_of_4200_digits_in_the_reason() -> None:
    text = changed(("def alphabeta(", "def alphabeta(*of):\n    return 10**4200\ndef unused("))
    reasons = [reason for part in graded(text).parts for reason in part.reasons]
    assert max(map(len, reasons)) < 300
