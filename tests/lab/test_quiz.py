"""Quiz questions, their keys, marks and diagnoses; exam sheets from a seed."""

from __future__ import annotations

import json
from itertools import product
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest

import oracles
import plyscope as ps
from commands import output, refusal
from plyscope.errors import NotationError, OptionError
from plyscope.faces.cli import run
from plyscope.faces.findings.quiz import marking_section
from plyscope.lab.questions.exam.trees import Constraints, default_constraints, make_questions
from plyscope.lab.questions.quiz import Question, mark, next_due, read_answer
from plyscope.rules.tree import parse_tree
from plyscope.searching.causes import causes
from plyscope.searching.conventions import OPEN_WINDOW, Conventions
from plyscope.searching.score import INFINITY
from sentences import says

NUMBER = 60
"""Trees of each convention."""
PUBLISHED = "[[[3,5],[6,9]],[[1,2],[0,-1]]]"


def random_tree(draw: Random, depth: int) -> Any:
    return (
        draw.randint(-9, 9)
        if depth == 0
        else [random_tree(draw, depth - 1) for _ in range(draw.randint(1, 3))]
    )


def uneven_tree(draw: Random, depth: int) -> list[Any]:
    """A tree with leaves at any depth, and values that are often equal."""
    return [
        draw.randint(-5, 5) if depth == 1 or draw.random() < 0.2 else uneven_tree(draw, depth - 1)
        for _ in range(draw.randint(1, 3))
    ]


def right(question: Question) -> dict[str, Any]:
    """The answer that has everything right, as a person would write it."""
    answer = {}
    for path, node in question.key.items():
        if node.score is not None and node.window is not None:
            answer[".".join(map(str, path))] = {
                "value": node.score,
                "alpha": node.window[0],
                "beta": node.window[1],
            }
        elif node.is_cut:
            answer[".".join(map(str, path))] = {"cut": True}
    return answer


@pytest.mark.parametrize(
    ("cut", "bound", "root", "cutoffs"),
    list(product(("ge", "gt"), ("soft", "hard"), ("shared", "open"), ("deep", "shallow"))),
)
def test_makes_the_keys_of_an_independent_alphabeta(
    cut: Any, bound: Any, root: Any, cutoffs: Any
) -> None:
    draw = Random(4)
    for number in range(NUMBER):
        nested = uneven_tree(draw, draw.randint(1, 4))
        low = draw.randint(-10, 9)
        window = (low, draw.randint(low + 1, 11)) if root == "shared" and number % 2 else None
        conventions = Conventions(
            cut=cut, bound=bound, root=root, cutoffs=cutoffs, window=window or OPEN_WINDOW
        )
        key = Question(parse_tree(nested), conventions).key
        expected = oracles.alphabeta_by_node(
            nested,
            strict=cut == "gt",
            hard=bound == "hard",
            window=window or (-inf, inf),
            open_root=root == "open",
            shallow=cutoffs == "shallow",
        )
        finite = {-inf: -INFINITY, inf: INFINITY}
        for path, node in key.items():
            if path in expected:
                alpha, beta, score = (finite.get(x, x) for x in expected[path])
                assert (node.window, node.score, node.is_cut) == ((alpha, beta), score, False)
            else:
                assert node.score is None
                assert node.is_cut == (path[:-1] in expected)


def test_makes_minimax_keys_of_the_values_of_the_tree() -> None:
    draw = Random(5)
    for _ in range(NUMBER):
        nested = uneven_tree(draw, draw.randint(1, 4))
        key = Question(parse_tree(nested), algorithm="minimax").key
        for path, node in key.items():
            below: Any = nested
            for step in path:
                below = below[step]
            assert node.score == oracles.tree_value(below, len(path) % 2 == 0)
            assert not node.is_cut


def test_gives_the_right_answer_all_points_in_every_convention() -> None:
    for cut, bound in product(("ge", "gt"), ("soft", "hard")):
        question = Question(parse_tree(PUBLISHED), Conventions(cut=cut, bound=bound))  # type: ignore[arg-type]
        marking = mark(question, read_answer(question, right(question)))
        assert marking.points == marking.possible > 15
        assert marking.diagnosis is None
        assert {item.verdict for item in marking.marks} == {"right"}


def test_marks_every_searched_node_and_every_searched_or_cut_edge() -> None:
    question = Question(parse_tree(PUBLISHED))
    marked = {(item.path, item.item) for item in mark(question, {}).marks}
    for path, node in question.key.items():
        if node.score is not None:
            assert (path, "window") in marked
            assert node.is_leaf or (path, "value") in marked
            assert not path or (path, "cut") in marked
        assert not node.is_cut or (path, "cut") in marked


def test_gives_an_empty_answer_no_points_and_no_diagnosis() -> None:
    question = Question(parse_tree(PUBLISHED))
    marking = mark(question, {})
    assert (marking.points, marking.diagnosis) == (0, None)
    assert (
        f"In the tree: {ps.search(PUBLISHED).pruned}." in marking_section(question, marking).notes
    )


def test_gives_half_a_point_for_a_value_consistent_with_wrong_children() -> None:
    question = Question(parse_tree("[[3,5],[6,9]]"), asked=("values",))
    marking = mark(
        question, read_answer(question, {"0": {"value": 4}, "1": {"value": 6}, "": {"value": 6}})
    )
    assert [(item.path, item.verdict, item.points) for item in marking.marks] == [
        ((), "right", 1),
        ((0,), "wrong", 0),
        ((1,), "right", 1),
    ]
    marking = mark(
        question, read_answer(question, {"0": {"value": 8}, "1": {"value": 6}, "": {"value": 8}})
    )
    assert [item.verdict for item in marking.marks] == ["follows", "wrong", "right"]
    assert marking.points == 1.5


def test_deducts_a_point_for_a_wrong_cut_down_to_0() -> None:
    question = Question(parse_tree("[[3,5],[2,9]]"), asked=("cuts",))
    assert mark(question, read_answer(question, {"1.1": {"cut": True}})).points == 1
    assert (
        mark(question, read_answer(question, {"1.1": {"cut": True}, "0": {"cut": True}})).points
        == 0
    )
    assert (
        mark(question, read_answer(question, {"0": {"cut": True}, "0.1": {"cut": True}})).points
        == 0
    )


MISTAKES = {
    "minimax": ({"algorithm": "minimax"}, "this is minimax"),
    "shallow": ({"cutoffs": "shallow"}, "deep cutoffs were missed"),
    "gt": (
        {"cut": "gt"},
        "the cuts were made at alpha > beta, where the convention here is alpha ≥ beta",
    ),
    "hard": (
        {"bound": "hard"},
        "the values are those of fail-hard, where the convention here is fail-soft",
    ),
    "open": ({"root": "open"}, "with an open window"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_names_common_mistakes(mistake: str) -> None:
    options, expected = MISTAKES[mistake]
    from plyscope.lab.questions.quiz.mistakes import answer_of
    from plyscope.lab.questions.quiz.question import key_of
    from plyscope.searching.trace import trace

    named = 0
    for question in make_questions(11, 20, Constraints(depth=4, deep=1, values=(-3, 3))):
        wrong = answer_of(key_of(trace(question.tree, **options)).values())  # type: ignore[arg-type]
        marking = mark(question, wrong)
        if marking.points < marking.possible:
            assert marking.diagnosis is not None
            named += expected in marking.diagnosis
    assert named >= 8


def test_names_swapped_sides_and_right_to_left_search() -> None:
    question = Question(parse_tree("[[3,5,1],[6,9,2],[2,4,8]]"), asked=("values",))
    swapped = read_answer(
        question, {"": {"value": 5}, "0": {"value": 5}, "1": {"value": 6}, "2": {"value": 8}}
    )
    says(mark(question, swapped).diagnosis)
    question = Question(parse_tree("[[3,5,1],[6,9,2],[2,4,8]]"), asked=("values", "cuts"))
    backwards = {
        "": {"value": 2},
        "2": {"value": 2},
        "1": {"value": 2},
        "1.1": {"cut": True},
        "1.0": {"cut": True},
        "0": {"value": 1},
    }
    backwards |= {"0.1": {"cut": True}, "0.0": {"cut": True}}
    says(mark(question, read_answer(question, backwards)).diagnosis)


@pytest.mark.parametrize(
    "answer",
    [
        {"0.7": {}},
        {"x": {}},
        {"0": 3},
        {"0": {"worth": 3}},
        {"0": {"cut": "so"}},
        {"0": {"value": "five"}},
        {"0": {}, "B": {}},
        {"0": {"window": 3}},
        {"0": {"window": [1, 2, 3]}},
        {"0": {"alpha": "1/0"}},
    ],
)
def test_reports_an_unreadable_answer(answer: dict[str, Any]) -> None:
    with pytest.raises(NotationError) as raised:
        read_answer(Question(parse_tree(PUBLISHED)), answer)
    says(str(raised.value))


def test_reads_numbers_as_people_write_them() -> None:
    question = Question(parse_tree(PUBLISHED))
    texts = {
        "∞": INFINITY,
        "-inf": -INFINITY,
        "−∞": -INFINITY,
        " 5 ": 5,
        "−7": -7,
        "≥ 6": 6,
        "": None,
        "+3": 3,
        "3.0": 3,
        "'-3,0": -3,
        "–3": -3,
        "- inf": -INFINITY,
        "–": None,
        "NaN": None,
    }
    for text, number in texts.items():
        assert read_answer(question, {"0": {"value": text}})[(0,)].value == number
    assert read_answer(question, {"b": {"value": 3.0}})[(0,)].value == 3
    notes: list[str] = []
    written = {"0": {"value": 3, "alpha": "low", "cut": "so"}, "ZZ": {}}
    answer = read_answer(question, written, notes)
    assert (answer[(0,)].value, answer[(0,)].alpha, answer[(0,)].is_cut) == (3, None, False)
    assert [note[:5] for note in notes] == ["'low'", "'so' ", "node "]


def test_draws_questions_by_seed_and_wishes() -> None:
    wanted = Constraints(depth=4, deep=2, ties=False, values=(-50, 50), agree=True)
    texts = [
        [str(item.tree.start()) for item in make_questions(seed, 3, wanted)] for seed in (1, 1, 2)
    ]
    assert texts[0] == texts[1] != texts[2]
    assert len(set(texts[0])) == 3


def test_draws_questions_with_the_wished_properties() -> None:
    for question in make_questions(
        5,
        10,
        Constraints(
            depth=4, branching=(2, 2), cutoffs=3, deep=1, ties=False, values=(-40, 40), agree=True
        ),
    ):
        leaves = [node.name for node in question.key.values() if node.is_leaf]
        assert len(leaves) == 16 == len(set(leaves))
        found = [cause for cause in causes(question.trace.events) if cause.cutoff.skipped]
        assert len(found) >= 3
        assert any(cause.is_deep for cause in found)
        shallow = Question(question.tree, Conventions(cutoffs="shallow")).key
        assert sum(node.score is not None for node in shallow.values()) > sum(
            node.score is not None for node in question.key.values()
        )
        for cut, bound in product(("ge", "gt"), ("soft", "hard")):
            other = Question(question.tree, Conventions(cut=cut, bound=bound)).key  # type: ignore[arg-type]
            assert [(node.window, node.is_cut) for node in other.values()] == [
                (node.window, node.is_cut) for node in question.key.values()
            ]


@pytest.mark.parametrize(
    ("wishes", "error"),
    [
        ({"depth": 9}, "depth 9; expected 1 to 8"),
        ({"deep": 1}, "depth 3 with 1 deep cutoffs; expected at least 4, so that there can be one"),
        (
            {"branching": (1, 1), "cutoffs": 1},
            "branching 1 to 1 with cutoffs; expected 2 children or more, so that there can be one",
        ),
        (
            {"branching": (3, 2)},
            "branching 3 to 2; expected numbers from 1 to 9, the smaller one first",
        ),
        (
            {"values": (0, 3), "ties": False},
            "values 0 to 3 without ties for 8 leaves or more; expected a wider range",
        ),
        (
            {"depth": 8, "branching": (3, 3)},
            "depth 8 with 3 children at least has 6,561 leaves; expected at most 400",
        ),
    ],
)
def test_rejects_impossible_wishes(wishes: dict[str, Any], error: str) -> None:
    with pytest.raises(OptionError) as raised:
        Constraints(**wishes)
    assert str(raised.value) == error


def test_gives_up_a_wish_that_is_never_met() -> None:
    equal = Constraints(depth=2, branching=(2, 2), values=(0, 0))
    with pytest.raises(OptionError, match="no tree among 20,000"):
        make_questions(1, 1, equal, Conventions(cut="gt"))


@pytest.mark.parametrize(
    ("algorithm", "wishes", "error"),
    [
        ("alphabeta", {"cutoffs": 11}, "expected at most 10"),
        ("alphabeta", {"depth": 4, "branching": (2, 2), "deep": 9}, "expected at most 8"),
        ("alphabeta", {"again": 1}, "1 re-searches of alphabeta"),
        ("minimax", {"cutoffs": 1}, "1 cutoffs of minimax"),
    ],
)
def test_rejects_at_once_a_wish_that_no_tree_can_meet(
    algorithm: str, wishes: dict[str, Any], error: str
) -> None:
    tried: list[int] = []
    with pytest.raises(OptionError, match=error):
        make_questions(
            1, 1, default_constraints(algorithm, **wishes), None, (), algorithm, tried.append
        )
    assert not tried


def test_draws_no_tree_with_more_cutoffs_than_allowed() -> None:
    draw = Random(5)
    for _ in range(300):
        depth, many = draw.choice([(2, 2), (2, 3), (3, 2), (3, 3), (4, 2)])
        wanted = Constraints(depth=depth, branching=(1, many), values=(0, 3), cutoffs=0)
        (question,) = make_questions(draw.random(), 1, wanted)  # type: ignore[arg-type]
        cuts = [cause for cause in causes(question.trace.events) if cause.cutoff.skipped]
        nodes = sum(many**ply for ply in range(depth))
        assert len(cuts) <= nodes - depth


# The command


def test_prints_the_sheet_with_its_convention_and_without_answers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    printed = output(capsys, "exam", PUBLISHED)
    assert "Convention: order generated, cut at α ≥ β, fail-soft, shared root window." in printed
    assert "▲ A = ____   (___, ___)" in printed
    assert "cut\n" not in printed
    printed = output(capsys, "exam", PUBLISHED, "--key", "--cut", "gt")
    assert "cut at α > β" in printed
    assert "▲ E ≥ 6   (−∞, 5)" in printed


@pytest.mark.parametrize("form", ["html", "md", "tex", "svg", "json"])
def test_writes_sheets_and_their_keys_side_by_side(form: str, tmp_path: Path) -> None:
    sheet = tmp_path / f"sheet.{form}"
    assert run(["exam", "--seed", "3", "--deep", "1", "-o", str(sheet)]) == 0
    text = sheet.read_text()
    if form == "json":
        data = json.loads(text)
        assert data[0]["key"][""]["window"] == [None, None]
        assert any(node["cut"] for node in data[0]["key"].values())
        return
    key = (tmp_path / f"sheet-key.{form}").read_text()
    assert "fail-soft" in text
    assert "is not searched" in key if form != "svg" else "slash" in key
    assert "is not searched" not in text
    assert text != key


def test_the_latex_sheet_compiles(tmp_path: Path) -> None:
    import shutil
    import subprocess

    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex here")
    assert run(["exam", "--seed", "3", "--questions", "2", "-o", str(tmp_path / "sheet.tex")]) == 0
    for name in ("sheet.tex", "sheet-key.tex"):
        done = subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", name],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout[-600:]


def test_marks_an_answer_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = tmp_path / "answer.json"
    answer.write_text(json.dumps(right(Question(parse_tree(PUBLISHED)))))
    found = json.loads(output(capsys, "exam", PUBLISHED, "--answer", str(answer), "--json"))
    assert found["points"] == found["possible"]
    assert run(["exam", PUBLISHED, "--answer", str(answer), "--cut", "gt"]) == 0
    assert (
        f"{found['possible']} of {found['possible']} points" in capsys.readouterr().out
    )  # nothing here depends on it
    answer.write_text("{")
    assert refusal(capsys, "exam", PUBLISHED, "--answer", str(answer)).startswith(
        "plyscope: cannot read the answer"
    )


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "pvs"])
def test_asks_in_the_order_of_the_search(
    algorithm: str,
) -> None:
    """Filled in from the key one by one, all items come, and no value before those below it."""
    draw = Random(7)
    for _ in range(40):
        nested = random_tree(draw, 3)
        nested = nested if isinstance(nested, list) else [nested]
        question = Question(parse_tree(nested), algorithm=algorithm)
        written: dict[str, dict[str, Any]] = {}
        order: list[tuple[tuple[int, ...], str]] = []
        while due := next_due(question, read_answer(question, written)):
            assert (due.path, due.item) not in order
            order.append((due.path, due.item))
            node = question.key[due.path]
            there = written.setdefault(".".join(map(str, due.path)), {})
            if due.item == "window":
                assert node.window is not None
                there["alpha"], there["beta"] = node.window
            else:
                there[due.item] = {"value": node.score, "cut": node.is_cut, "again": node.is_again}[
                    due.item
                ]
        marking = mark(question, read_answer(question, written))
        assert marking.points == marking.possible == len(order)
        values = [path for path, item in order if item == "value"]
        assert values == sorted(values, key=lambda path: (*path, 9, 9, 9, 9)[:4])
        windows = [path for path, item in order if item == "window"]
        assert windows == sorted(windows)


def test_reports_a_wrong_cut_before_what_it_hides() -> None:
    question = Question(parse_tree(PUBLISHED))
    due = next_due(question, read_answer(question, {"0": {"cut": True}}))
    assert (due.path, due.item) == ((), "window")
    right_so_far = {"": {"alpha": "-inf", "beta": "inf"}, "0": {"cut": True}}
    due = next_due(question, read_answer(question, right_so_far))
    assert (due.path, due.item) == ((0,), "cut")
