"""Trees as people write them, each with its one right outcome (`tests/corpus/trees.toml`)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import plyscope as ps
from plyscope.errors import NotationError
from plyscope.faces.cli.tree import _drawn
from plyscope.rules.tree import ExplicitTree
from plyscope.rules.treeforms.reading import is_tree, read_tree
from plyscope.rules.treetext import looks_like_tree

CORPUS = Path(__file__).parents[1] / "corpus" / "trees.toml"
INPUTS: dict[str, dict[str, Any]] = {
    entry["name"]: entry for entry in tomllib.loads(CORPUS.read_text(encoding="utf-8"))["input"]
}
READ = [name for name, entry in INPUTS.items() if "tree" in entry]
REFUSED = [name for name, entry in INPUTS.items() if "refused" in entry]
PUBLISHED = [name for name, entry in INPUTS.items() if "value" in entry]


def leaves_never_visited(trace: ps.Trace) -> list[str]:
    """Return the names of the leaves that a search did not visit, from left to right."""
    tree = trace.result.game
    assert isinstance(tree, ExplicitTree)
    visited = {event.path for event in trace if type(event).__name__ == "Enter"}
    stack, pruned = [(tree.root, ())], []
    while stack:
        node, path = stack.pop()
        if not node.children and path not in visited:
            pruned.append(tree.name_of(path))
        stack += [(child, (*path, index)) for index, child in enumerate(node.children)][::-1]
    return pruned


def test_has_one_outcome_for_each_input() -> None:
    assert len(INPUTS) >= 50
    assert sorted(READ + REFUSED) == sorted(INPUTS)


@pytest.mark.parametrize("name", READ)
def test_reads_a_tree_in_the_form_of_its_author(name: str) -> None:
    entry = INPUTS[name]
    reading = read_tree(entry["text"])
    assert str(reading.root) == entry["tree"]
    assert entry.get("form", "") in reading.said
    assert str(read_tree(str(reading.root)).root) == str(reading.root)
    assert looks_like_tree(entry["text"])


@pytest.mark.parametrize("name", REFUSED)
def test_refuses_what_is_no_tree_or_two(name: str) -> None:
    with pytest.raises(NotationError, match="expected") as raised:
        read_tree(INPUTS[name]["text"])
    for words in INPUTS[name]["refused"]:
        assert words in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", PUBLISHED)
def test_has_the_published_value_and_pruned_leaves(name: str) -> None:
    entry = INPUTS[name]
    for cut in ("ge", "gt") if entry.get("cut", "both") == "both" else (entry["cut"],):
        trace = ps.trace(entry["text"], cut=cut)
        assert trace.result.value == entry["value"]
        never = leaves_never_visited(trace)
        assert never == entry.get("pruned", never)
        assert trace.result.pruned.pruned_leaves == len(never)


@pytest.mark.parametrize("name", [name for name, entry in INPUTS.items() if "file" in entry])
def test_reads_a_file_by_its_content(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from plyscope.faces.cli import run

    entry = INPUTS[name]
    path = tmp_path / entry["file"]
    path.write_text(entry["text"], encoding="utf-8")
    status = run(["tree", str(path), "--json"])
    assert status == (2 if "refused" in entry else 0)
    assert ("one node with" if "refused" in entry else "pruned_leaves") in "".join(
        capsys.readouterr()
    )


@pytest.mark.parametrize(
    "text",
    [
        "X O .\n. X .\nO . X",
        "  X O\n X . .\n . . O",
        "| 0 | 1 |\n+---+---+\n| 2 | 0 |",
        "BOARD\n10,10,1\n11,10,2\nDONE",
        "1 0 2 / 0 1 0 / 2 0 1",
        "connect4 44455",
        "X../.O./...",
        "a1 b2\nc3 d4",
    ],
)
def test_leaves_boards_and_moves_to_their_readers(text: str) -> None:
    assert not is_tree(text)
    assert not looks_like_tree(text)


@pytest.mark.parametrize(
    "text",
    ["[[3,12,8],[2,4,6],[14,5,2]]", "A[B[m=3,n=5],C[o=2,p=9]]", '"max"[x=3,"to the left"[1,2.5]]'],
)
def test_reads_back_the_drawing_in_dot(text: str) -> None:
    drawn = read_tree(str(_drawn(ps.trace(text), ".dot"))).root
    tree = ps.parse_tree(text)
    assert ps.search(str(drawn)).value == ps.search(text).value
    again = ExplicitTree(drawn)
    assert again._names == tree._names


def test_counts_cutoffs_that_cut_nothing() -> None:
    result = ps.search([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    pruned = result.pruned
    assert (pruned.nodes, pruned.leaves) == (13, 9)
    assert (pruned.pruned_nodes, pruned.pruned_leaves) == (2, 2)
    assert (result.cutoffs, pruned.idle_cutoffs) == (2, 1)
    assert ps.search("connect4 44", depth=2).pruned is None
    again = ps.search([[3, 12, 8], [2, 4, 6], [14, 5, 2]], "mtdf").pruned
    assert again.pruned_leaves == 2  # visits of several passes count once


def test_orders_a_plain_tree_best_first_by_its_values() -> None:
    """The rotation of a tree with the most cutoffs, a question of MIT 6.034."""
    assert ps.search("[[2,9],[3,5]]").cutoffs == 0
    best = ps.search("[[2,9],[3,5]]", order="best")
    assert (best.value, best.cutoffs, best.leaves) == (3, 1, best.minimal)
    assert ps.trace("A[B=9[3,1],C=1[7,5]]", order="best").visited[1] == "B"  # by its estimate


def test_takes_the_name_of_a_leaf_in_an_answer() -> None:
    from plyscope.lab.questions.quiz import Question
    from plyscope.lab.questions.quiz.answer import path_of

    question = Question(ps.parse_tree("a[b[l=4,m=8],c[n=3,o=9]]"))
    assert path_of(question, "o") == (1, 1)


@pytest.mark.parametrize("text", ["[3,5,2,9]", "((x 5) (2 9))", "[3, 5, 6, 9, 1, 2, 0, -1]"])
def test_asks_about_two_trees_before_every_command(text: str) -> None:
    with pytest.raises(NotationError, match="expected ") as raised:
        ps.parse(text)
    assert "neither" not in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        *('{"nodes":5,"edges":3}', '{"nodes":[1],"edges":[null]}', "<a/>", "digraph {}", "{}"),
        *("{'A': None}", '{"value":{"N":3},"children":[1]}', "1/0 / 3", "(1/0 3)", "[1/0,3]"),
        *('[{"id":"A","parent":null},{"id":"B","value":3}]', "d 99 b 3 / 1 2 3 4", "[" * 500),
        *('G.add_edge("A")\nG.add_node("B",value=3)', "{(1,2):[3]}", "{'a':[1],**{}}"),
        *('{"weights":[1],"children":[3]}', '{"side":["max"],"children":[3]}'),
    ],
)
def test_refuses_odd_texts_in_one_line(text: str) -> None:
    with pytest.raises(NotationError, match="expected") as raised:
        read_tree(text)
    assert "\n" not in str(raised.value)
