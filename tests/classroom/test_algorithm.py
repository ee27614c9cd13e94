"""Algorithms of students: what the judge records, and what a submission cannot get by a trick."""

from __future__ import annotations

import csv
from dataclasses import replace
from math import inf
from pathlib import Path
from random import Random
from time import thread_time
from typing import Any

import pytest

import plyscope as ps
from oracles import alphabeta_by_node, tree_value
from plyscope.errors import PlyscopeError
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.rules.tree import parse_tree
from plyscope_class.algorithm import (
    Question,
    Run,
    Watched,
    judge_runs,
    model_solution,
    questions_of,
    run_here,
)
from plyscope_class.assignment import FURTHER, AlgorithmOptions, Assignment
from plyscope_class.findings import _departures
from plyscope_class.grade import GRADERS, Grade, grade_of
from plyscope_class.handout import make_class, ready_assignment
from plyscope_class.judge import judge
from plyscope_class.submission_process import SubmissionProcess
from sentences import says
from sizes import sized
from students import ALPHABETA_PROGRAM as GOOD

SMALL = AlgorithmOptions(kind="alphabeta", trees=4, windows=3, boards=2)
ALPHABETA = Assignment(interface="algorithm", algorithm=SMALL).checked()
MINIMAX = Assignment(interface="algorithm", algorithm=AlgorithmOptions(trees=4, boards=2)).checked()


def question(tree: str, **more: Any) -> Question:
    read = parse_tree(tree)
    more = {"depth": 9, "function": "alphabeta", "takes_window": True} | more
    start = read.start()
    return Question(name="", position=start, heuristic=find_heuristic(None, read), **more)


def graded(text: str, assignment: Assignment = ALPHABETA) -> Grade:
    files = {assignment.file: text.encode()}
    return grade_of(judge(files, assignment.file, assignment).as_dict(), "", assignment)


def points(text: str, assignment: Assignment = ALPHABETA) -> dict[str, float]:
    return {part.name: part.points / part.of for part in graded(text, assignment).parts}


def random_tree(random: Random, depth: int) -> Any:
    if depth == 0 or random.random() < 0.15:
        return random.randint(-9, 9)
    return [random_tree(random, depth - 1) for _ in range(random.randint(1, 3))]


@pytest.mark.parametrize(
    ("strict", "hard"), [(False, False), (True, False), (False, True), (True, True)]
)
def test_expects_the_visits_and_values_of_an_independent_alpha_beta(
    strict: bool, hard: bool
) -> None:
    random = Random(11)
    convention: Any = ("gt" if strict else "ge", "hard" if hard else "soft")
    for _ in range(150):
        tree = [random_tree(random, 4) for _ in range(3)]
        low = random.randint(-9, 8)
        window = random.choice([(-inf, inf), (low, random.randint(low + 1, 10))])
        asked = question(str(tree), window=window)
        found = alphabeta_by_node(tree, strict, hard, window=window)
        run = run_here(asked, model_solution("alphabeta"))
        run = replace(run, visits=tuple(sorted(found)), value=found[()][2])
        assert run.departure("alphabeta", convention) is None  # paths in order are in preorder
        assert run.value_fault("alphabeta", convention) in ("", UNREAD)
        assert asked.value == tree_value(tree)
        assert replace(run, value=99.0).value_fault("alphabeta", convention)


UNREAD = "answers without reading the leaves that prove the answer"


def test_accepts_the_model_solution_with_a_proof_of_each_value() -> None:
    random = Random(12)
    for _ in range(200):
        tree = [random_tree(random, 4) for _ in range(3)]
        low = random.randint(-9, 8)
        for window in ((-inf, inf), (low, low + 3)):
            run = run_here(question(str(tree), window=window), model_solution("alphabeta"))
            assert run.value_fault("alphabeta", ("ge", "soft")) == ""
            assert run.departure("alphabeta", ("ge", "soft")) is None


def filled(node: Any, known: set[Any], guess: int, path: tuple[int, ...] = ()) -> Any:
    """The nested lists with a guess at each leaf that is not known."""
    if isinstance(node, int):
        return node if path in known else guess
    return [filled(child, known, guess, (*path, at)) for at, child in enumerate(node)]


def test_a_proof_needs_the_leaves_that_decide_the_value() -> None:
    random = Random(13)
    for _ in range(100):
        tree = [random_tree(random, 3) for _ in range(3)]
        asked = question(str(tree))
        watched = Watched(asked)
        ids = [0]
        for number in ids:
            ids += [child[0] for child in watched.read([number, "children"])]
        leaves = [number for number in ids if watched.nodes[number][0].is_over]
        read = random.sample(leaves, random.randint(0, len(leaves)))
        for number in read:
            watched.read([number, "value"])
        known = {watched.nodes[number][1] for number in read}

        # minimax is monotone: the extreme values of what was not read give the bounds
        extremes = [tree_value(filled(tree, known, guess)) for guess in (-(10**6), 10**6)]
        bounds = tuple(
            -inf if each == -(10**6) else inf if each == 10**6 else each for each in extremes
        )
        assert watched.proven() == bounds


def test_a_good_submission_has_all_points() -> None:
    assert graded(GOOD).total == 100
    pair = GOOD.replace("return best", "return best, None").replace(
        "value = alphabeta(child, depth - 1, alpha, beta)",
        "value = alphabeta(child, depth - 1, alpha, beta)\n        value = value[0] if isinstance(value, tuple) else value",
    )
    assert graded(pair).total == 100


def test_judges_a_pair_by_its_move() -> None:
    text = """
def minimax(node, depth):
    children = node.children if depth else []
    if not children:
        return node.value
    values = [minimax(child, depth - 1) for child in children]
    values = [value[0] if isinstance(value, tuple) else value for value in values]
    best = max(values) if node.is_max else min(values)
    return best, children[WHICH]
"""
    right = points(text.replace("WHICH", "values.index(best)"), MINIMAX)
    assert right == {"check": 1, "values": 1, "visits": 1}
    wrong = points(text.replace("WHICH", "values.index(min(values))"), MINIMAX)
    assert wrong["visits"] == 1
    assert 0 < wrong["values"] < 1
    by_chance = text.replace(
        "WHICH", "random.choice([i for i, value in enumerate(values) if value == best])"
    )
    assert points("import random\n" + by_chance, MINIMAX)["values"] == 1  # equal moves are equal


def test_judges_a_berkeley_style_class_by_its_actions() -> None:
    text = """
class MinimaxAgent:
    def getAction(self, state):
        def value(state, agent, depth):
            if depth == 0 or state.isWin() or state.isLose():
                return self.evaluationFunction(state)
            actions = state.getLegalActions(agent)
            after = depth - (agent == state.getNumAgents() - 1)
            values = [value(state.generateSuccessor(agent, a), 1 - agent, after) for a in actions]
            return max(values) if agent == 0 else min(values)
        def worth(action):
            return value(state.generateSuccessor(0, action), 1, self.depth)
        return BEST(state.getLegalActions(0), key=worth)
"""
    assignment = Assignment(
        interface="algorithm", function="MinimaxAgent", file="multiAgents.py",
        depth=3,
        algorithm=AlgorithmOptions(trees=6, boards=6, given=("[[3,12,8],[2,4,6],[14,5,2]]",)),
    ).checked()  # fmt: skip
    assert points(text.replace("BEST", "max"), assignment) == {"check": 1, "values": 1, "visits": 1}
    wrong = points(text.replace("BEST", "min"), assignment)
    assert wrong["visits"] == 1
    assert wrong["values"] < 0.5


def test_names_another_convention_and_can_accept_it() -> None:
    strict = GOOD.replace(">= beta", "> beta")
    found = graded(strict)
    assert found.total < 90
    assert "right for cut at α > β" in next(p for p in found.parts if p.name == "visits").reasons[0]
    hard = GOOD.replace("    return best", "    return alpha if node.is_max else beta")
    assert points(hard)["values"] < 1
    any_of_both = replace(ALPHABETA, algorithm=replace(SMALL, cut="any", bound="any"))
    assert points(strict, any_of_both) == {"check": 1, "values": 1, "visits": 1}
    assert points(hard, any_of_both) == {"check": 1, "values": 1, "visits": 1}


def test_names_the_cutoff_at_the_first_departure() -> None:
    plain = GOOD.replace("        if alpha >= beta:\n            break\n", "")
    scope: dict[str, Any] = {}
    exec(plain, scope)
    run = run_here(question("[[3,5],[2,9]]"), scope["alphabeta"])
    departure = run.departure("alphabeta", ("ge", "soft"))
    assert (departure.step, departure.wanted, departure.found) == (6, None, (1, 1))
    says(str(departure))


def test_feedback_counts_what_was_pruned_as_a_result_does() -> None:
    scope: dict[str, Any] = {}
    exec(GOOD.replace("        if alpha >= beta:\n            break\n", ""), scope)
    found = judge_runs([run_here(question("[[3,5],[2,9],[6,1]]"), scope["alphabeta"])], ALPHABETA)
    (section,) = _departures(found, ALPHABETA)
    right = ps.search("[[3,5],[2,9],[6,1]]").pruned
    assert (right.pruned_leaves, right.cutoffs, right.idle_cutoffs) == (1, 2, 1)
    assert f"Expected: {right}." in section.words
    assert "0 pruned; 0 cutoffs." in section.words[1]


MISTAKES = {
    "sign": ("max(best, value)", "min(best, value)"),
    "one-side": ("if node.is_max:", "if True:"),
    "no-window": (
        "alphabeta(child, depth - 1, alpha, beta)",
        "alphabeta(child, depth - 1, -inf, inf)",
    ),
    "too-deep": ("depth else ()", "depth >= 0 else ()"),
    "shallow-depth": ("node.children if depth else", "node.children if depth > 1 else"),
    "cut-of-siblings": ("alpha >= beta", "alpha >= beta or best > 4"),
    "small-infinity": ("-inf if node.is_max else inf", "-999 if node.is_max else 999"),
    "reversed": ("in children:", "in reversed(children):"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_deducts_points_for_mistakes_with_a_reason(name: str) -> None:
    old, new = MISTAKES[name]
    assert old in GOOD
    found = graded(GOOD.replace(old, new))
    assert found.total < 95
    assert found.reason


TRICKS = {
    "loops": "def alphabeta(node, depth, alpha, beta):\n    while True: pass",
    "recursion": "def alphabeta(*a):\n    return alphabeta(*a)",
    "raises": "def alphabeta(node, *a):\n    node.children\n    raise KeyError(3)",
    "nan": "def alphabeta(*a):\n    return float('nan')",
    "infinity": "def alphabeta(*a):\n    return float('inf')",
    "text": "def alphabeta(*a):\n    return '3'",
    "none": "def alphabeta(*a):\n    pass",
    "true": "def alphabeta(*a):\n    return True",
    "triple": "def alphabeta(*a):\n    return 1, 2, 3",
    "guess": "def alphabeta(node, *a):\n    return 0",
    "endless-reads": (
        "def alphabeta(node, depth, alpha, beta):\n"
        "    while True: type(node)(node._read, 0, '', True, '').children"
    ),
    "unseen": "def alphabeta(node, depth, alpha, beta):\n    return node._read(9, 'value')",
    "bad-read": "def alphabeta(node, depth, alpha, beta):\n    return node._read('0', [])",
    "hostile-repr": (
        "class A:\n    def __repr__(self): raise SystemExit\ndef alphabeta(*a):\n    return A()"
    ),
    "hostile-number": (
        "class A(int):\n    def __eq__(self, o): return True\n"
        "    def __hash__(self): return 0\n"
        "def alphabeta(node, *a):\n    return A(7)"
    ),
    "solution": (
        "import os, sys\n"
        "home = [p for p in sys.path if os.path.isdir(os.path.join(p, 'plyscope_class'))][0]\n"
        "place = os.path.join(home, 'plyscope_class/assignments/alphabeta')\n"
        "exec(open(os.path.join(place, 'solution.py')).read())"
    ),
    "reference": ("from plyscope.searching import search\ndef alphabeta(*a):\n    return 0"),
}


@pytest.mark.parametrize("name", TRICKS)
def test_gives_a_trick_no_more_points_than_the_check(name: str) -> None:
    quick = replace(ALPHABETA, limits=replace(ALPHABETA.limits, call_seconds=0.4))
    found = graded(TRICKS[name], quick)
    assert found.total <= 14  # a guess can be right where one leaf read would do
    assert found.reason


def test_ignores_changed_nodes_and_printed_output() -> None:
    changed = GOOD.replace(
        "    best = -inf",
        "    node.children.clear()\n    try:\n        node.value = 9\n    except AttributeError:\n"
        "        print('no', node)\n    best = -inf",
    )
    assert graded(changed).total == 100


def test_accepts_no_proof_cached_from_another_question() -> None:
    further = AlgorithmOptions(
        kind="alphabeta", trees=0, windows=0, boards=0, given=("[[3,5],[2,9]]",),
        further=FURTHER, further_boards=1, further_depth=3,
    )  # fmt: skip
    assignment = Assignment(interface="algorithm", algorithm=further, seed=4).checked()
    keeps = (
        GOOD
        + """
kept = {}
def table(node, depth):
    shape = len(node.children), [len(child.children) for child in node.children]
    if str(shape) not in kept:
        kept[str(shape)] = alphabeta(node, depth, -inf, inf)
    return kept[str(shape)]
ordered = deepening = table
"""
    )
    with SubmissionProcess({"alphabeta.py": keeps.encode()}, "alphabeta.py", assignment) as one:
        asked = [each for each in questions_of(assignment) if each.function == "table"][:1]
        first, second = [one.run(each) for each in (*asked, *asked)]
    assert first.value == second.value == asked[0].value
    assert first.value_fault("minimax", ("ge", "soft")) == ""
    assert second.value_fault("minimax", ("ge", "soft")) == UNREAD


def test_gives_points_for_fewer_nodes_at_the_same_value() -> None:
    options = replace(
        SMALL, trees=0, windows=0, boards=0, given=("[[3,5],[2,9]]",), further=FURTHER
    )
    assignment = Assignment(interface="algorithm", algorithm=options).checked()
    asked = questions_of(assignment)
    plain: list[Run] = []
    for each in asked:
        if each.function == "alphabeta":
            plain.append(run_here(each, model_solution("alphabeta")))
            continue
        goal = run_here(each, model_solution(each.function))
        assert (
            goal.value
            == each.value
            == ps.search(each.position, "minimax", depth=each.depth).value * each.sign
        )
        judged = judge_runs([goal], assignment)["further"][0]
        assert judged["share"] == 1
        assert judged["nodes"] < judged["plain"]
        same = run_here(
            each, lambda node, depth: model_solution("alphabeta")(node, depth, -inf, inf)
        )
        assert judge_runs([same], assignment)["further"][0]["share"] == 0
    assert len(plain) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "maximin"}, {"cut": "le"}, {"bound": "firm"}, {"further": ("faster",)},
        {"given": ("[[3,",)}, {"heuristic": "nothing-such"},
    ],
)  # fmt: skip
def test_rejects_wrong_options(change: dict[str, Any]) -> None:
    with pytest.raises(PlyscopeError):
        Assignment(interface="algorithm", algorithm=AlgorithmOptions(**change)).checked()


@pytest.mark.parametrize("kind", ["minimax", "alphabeta"])
def test_gives_typical_mistakes_their_published_shares(kind: str, tmp_path: Path) -> None:
    make_class(tmp_path, ready_assignment(kind, "tictactoe", 7), kind)
    folder = tmp_path / "teacher" / "mistakes"
    expected = list(csv.DictReader((folder / "expected.csv").read_text().splitlines()))
    assert len(expected) == 40
    assignment = Assignment.read(folder)
    for row in expected[:: sized(4, 1)]:
        text = (folder / "submissions" / f"{row['id']}.py").read_text()
        files = {assignment.file: text.encode()}
        asked = [each for each in questions_of(assignment) if each.function == kind]
        with SubmissionProcess(files, assignment.file, assignment) as submission:
            judged = judge_runs([submission.run(each) for each in asked], assignment)
        for part in ("values", "visits"):
            share, _ = GRADERS[part](judged)
            least, most = float(row[f"least_{part}"]), float(row[f"most_{part}"])
            assert least - 0.001 <= share <= most + 0.001, (row, part, share)


def test_does_not_charge_the_algorithm_for_the_judges_time(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = replace(ALPHABETA.limits, call_seconds=0.1)  # of a run: 0.5
    hasty = replace(ALPHABETA, limits=limits)
    asked, read = question("[[3,12,8],[2,4,6],[14,5,2]]"), Watched.read

    def read_slowly(watched: Watched, what: Any) -> Any:
        until = thread_time() + 0.1
        while thread_time() < until:
            pass
        return read(watched, what)

    monkeypatch.setattr(Watched, "read", read_slowly)
    name = ALPHABETA.file
    with SubmissionProcess({name: GOOD.encode()}, name, hasty) as submission:
        run = submission.run(asked)
        assert run.failure is None, run.failure
        assert len(run.visits) == 11
        assert submission.budget.spent < 1
    sleeping = GOOD.replace("    best =", "    __import__('time').sleep(1)\n    best =", 1)
    with SubmissionProcess({name: sleeping.encode()}, name, hasty) as submission:
        assert "within 0.5 s" in str(submission.run(asked).failure)
