"""Similar programs: disguised copies are found, independent solutions of a task are not."""

from __future__ import annotations

import ast
import re
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from plyscope_class.alike import given_texts, groups, program_text, same_as, similar
from plyscope_class.assignment import Assignment
from plyscope_class.findings import class_page
from plyscope_class.grade import Grade, Part
from plyscope_class.handout import make_class, ready_assignment
from plyscope_class.run import ClassResult, Graded
from plyscope_class.submissions import Submission

LONG = ("alphabeta", "evaluation", "agent")
"""The assignments whose programs are long enough to be compared."""


def submission(key: str, text: str, **modules: str) -> Submission:
    files = {"main.py": text.encode()} | {f"{name}.py": modules[name].encode() for name in modules}
    return Submission(key=key, name=key, identity="", files=files, main="main.py")


def class_of_40(name: str, folder: Path) -> tuple[dict[str, str], list[str]]:
    """Return the programs of a class, ten of each of four authors, and the given texts."""
    assignment = ready_assignment(name, None, 7)
    make_class(folder, assignment, name)
    files = sorted((folder / "teacher" / "mistakes" / "submissions").iterdir())
    return {file.stem: file.read_text() for file in files}, given_texts(folder, assignment)


def author(key: str) -> str:
    return key.rpartition("-")[2]


class Disguise(ast.NodeTransformer):
    """Renames what a program defines, and changes its numbers."""

    def __init__(self, own: set[str], draw: Random) -> None:
        self.draw = draw
        self.names = {name: f"{draw.choice('uvwxyz')}{at}" for at, name in enumerate(sorted(own))}

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("id", "arg", "name", "attr"):
            name = getattr(node, field, None)
            if name in self.names:
                setattr(node, field, self.names[name])
        if isinstance(node, ast.Constant) and type(node.value) is int:
            node.value += self.draw.randrange(5)
        return node


def disguised(text: str, seed: int) -> str:
    """Return a copy with other names, numbers, comments, and order of functions."""
    draw, tree = Random(seed), ast.parse(text)
    nodes = list(ast.walk(tree))
    own = {
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    own |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    own |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    rest = [node for node in tree.body if node not in imports]
    draw.shuffle(rest)
    tree.body = [*imports, *rest]
    lines = ast.unparse(Disguise(own, draw).visit(tree)).split("\n")
    return "\n".join(f"{line}  # {draw.random()}" if line else "# my own\n" for line in lines)


@pytest.mark.parametrize("name", LONG)
def test_finds_a_disguised_copy_in_a_class_and_nobody_else(name: str, tmp_path: Path) -> None:
    programs, given = class_of_40(name, tmp_path)
    rights = {key: text for key, text in programs.items() if key.startswith("right-")}
    for seed, (key, text) in enumerate(rights.items()):
        copy = submission("copy", disguised(text, seed))
        honest = [submission(other, text) for other, text in rights.items()]
        assert same_as([copy, *honest])["copy"] == ()
        (pair,) = similar([*honest, copy], given)
        assert {pair.one, pair.other} == {key, "copy"}, (pair, key)
        assert pair.share <= 1


@pytest.mark.parametrize("name", [*LONG, "minimax"])
def test_finds_only_programs_of_one_author_similar_in_a_class_of_40(
    name: str, tmp_path: Path
) -> None:
    programs, given = class_of_40(name, tmp_path)
    found = similar([submission(key, text) for key, text in programs.items()], given)
    assert [pair for pair in found if author(pair.one) != author(pair.other)] == []
    expected = sum(author(one) == author(other) for one, other in combinations(programs, 2))
    if name in LONG:  # a single slot of each differs
        assert len(found) >= 0.95 * expected
    else:  # most of them are too short to say anything
        assert len(found) < expected


@pytest.mark.parametrize("name", LONG)
def test_ignores_code_of_the_handout_and_the_model_solution(name: str, tmp_path: Path) -> None:
    assignment = ready_assignment(name, None, 7)
    make_class(tmp_path, assignment, name)
    solution = (tmp_path / "teacher" / assignment.file).read_text()
    copies = [submission("ann", solution), submission("bob", disguised(solution, 1))]
    assert similar(copies)
    assert similar(copies, given_texts(tmp_path, assignment)) == ()
    stub = (tmp_path / "handout" / assignment.file).read_text()
    handed_in = [submission("ann", stub), submission("bob", f"{stub}\nMORE = 1\n")]
    assert similar(handed_in, given_texts(tmp_path, assignment)) == ()


def test_a_program_that_most_of_the_class_shares_is_shown_as_a_group(tmp_path: Path) -> None:
    programs, given = class_of_40("evaluation", tmp_path)
    text = programs["right-loop"]
    ring = [submission(f"ring-{at}", f"{text}\nMINE = {at} {'+ 1' * at}\n") for at in range(7)]
    others = [programs[key] for key in ("right-two", "edge-lines", "flat-table")]
    honest = [submission(f"own-{at}", text) for at, text in enumerate(others)]
    assert same_as([*ring, *honest])["ring-0"] == ()
    found = similar([*ring, *honest], given)
    assert groups(found) == [tuple(each.key for each in ring)]
    assert min(pair.share for pair in found) > 0.9
    assert len(found) == 21


def test_skips_short_programs_and_files_that_are_not_python() -> None:
    bad, short = "def f(:\n" * 50, "def minimax(node):\n    return max(node.children)\n"
    for text in (bad, short, "", "\0"):
        assert similar([submission("ann", text), submission("bob", text + "\n# mine\n")]) == ()
    table = "name = 'x'\n" + "\n".join(f"a{at} = [{at}, 1, 2]" for at in range(60))
    files = {"table.toml": table.encode()}
    tables = [
        Submission(key=key, name=key, identity="", files=files, main="table.toml")
        for key in ("ann", "bob")
    ]
    assert similar(tables) == ()


def test_compares_the_modules_of_a_program(tmp_path: Path) -> None:
    programs, _ = class_of_40("evaluation", tmp_path)
    text = programs["right-table"]
    split = submission("ann", "from rules import heuristic\n", rules=text)
    whole = submission("bob", disguised(text, 3))
    (pair,) = similar([split, whole])
    assert program_text(split).startswith("from rules import heuristic\n\n# rules.py\n")
    assert min(pair.lines[0]) > 2


def test_shows_a_pair_side_by_side_and_marks_shared_lines(tmp_path: Path) -> None:
    programs, given = class_of_40("evaluation", tmp_path)
    text = programs["right-table"]
    own = "def mine(x):\n    return [x, 'only <mine>', {x: x}]\n"
    handed_in = [submission("ann", text + own), submission("bob", disguised(text, 5))]
    grade = Grade(parts=(Part(name="check", points=1, of=1, reasons=()),))
    result = ClassResult(
        assignment=Assignment().checked(),
        graded=tuple(Graded(submission=each, judgement=None, grade=grade) for each in handed_in),
        league=None,
        similar=similar(handed_in, given),
    )
    section = next(each for each in class_page(result) if each.heading.startswith("Similar"))
    share = 100 * result.similar[0].share
    assert section.heading == f"Similar programs: ann, bob ({share:.0f} %)"
    assert section.picture.count("<figure>") == 2
    marked = re.findall("<mark>(.*?)</mark>", section.picture)
    assert any("counts = Counter()" in line for line in marked)
    assert "only &lt;mine&gt;" in section.picture
    assert not any("mine&gt;" in line for line in marked)
    assert result.as_dict()["similar"] == [
        {"one": "ann", "other": "bob", "share": result.similar[0].share}
    ]
