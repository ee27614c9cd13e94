"""Trees in the form of Berkeley's multi-agent tests: trees of our own."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from typing import Any

import pytest

import oracles
from plyscope import parse_tree, search, trace
from plyscope.errors import NotationError
from plyscope.rules.treeforms.reading import read_tree
from sentences import says
from sources import sources

TEXT = sources("multiagent")["text"]


def test_reads_a_test_as_its_author_writes_it() -> None:
    traced = trace(TEXT, cut="gt")
    assert traced.result.value == 3
    assert traced.visited == ("max", "b1", "d1", "d2", "b2", "e")
    assert [move.value for move in traced.result.moves] == [3, Fraction(-199, 100)]
    says("read-multiagent-test", read_tree(TEXT).said)


def test_the_other_agents_are_chance_for_expectimax() -> None:
    found = search(TEXT.replace("AlphaBetaAgent", "ExpectimaxAgent"), "minimax")
    assert found.algorithm == "expectimax"
    assert (found.value, found.best_moves) == (3.505, (0,))


def test_a_state_that_follows_two_others_is_a_node_below_each() -> None:
    """At ply 2 the turn is MAX's, also in a state in which it was MIN's at ply 1."""
    text = TEXT.replace("b2 Down e", "b2 Down b1").replace('depth: "1"', 'depth: "2"')
    found = search(text)
    assert (found.value, found.best_move) == (4.01, 1)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("GraphGameTreeTest", "PacmanGameTreeTest"),
        ('num_agents: "2"', ""),
        ('depth: "1"', 'depth: "0"'),
        ("AlphaBetaAgent", "MyAgent"),
        ("b1 Left d1", "b1 d1"),
        ("d2 4.01", "d2 four"),
        ("e -1.99", ""),
    ],
)
def test_refuses_a_test_that_it_cannot_read(old: str, new: str) -> None:
    assert old in TEXT
    with pytest.raises(NotationError) as wrong:
        parse_tree(TEXT.replace(old, new))
    says("multiagent-" + re.sub(r"\W+", "-", old).strip("-"), str(wrong.value))


def drawn(draw: random.Random, agents: int, rounds: int) -> tuple[str, Any]:
    """The text of a random test, and its tree as the oracles have it."""
    edges: list[str] = []
    values: list[str] = []

    def node(name: str, ply: int) -> Any:
        value = draw.choice(["3.0", "4.01", "-1.99", "2", "-5.5"])
        values.append(f"{name} {value}")
        if ply == agents * rounds or (ply and draw.random() < 0.2):
            if ply == agents * rounds and draw.random() < 0.3:  # beyond the horizon
                edges.append(f"{name} On {name}x")
                values.append(f"{name}x 77.0")
            return float(value)
        children = []
        for number in range(draw.randint(1, 3)):
            edges.append(f"{name} Move{number} {name}{number}")
            children.append(node(f"{name}{number}", ply + 1))
        return "min" if ply % agents else "max", children, []

    tree = node("s", 0)
    text = TEXT.split("# a comment")[0].replace('"1"', f'"{rounds}"')
    text += f'num_agents: "{agents}"\nstart_state: "s"\nwin_states: ""\nlose_states: ""\n'
    text += 'successors: """\n' + "\n".join(edges) + '\n"""\nevaluation: """\n'
    return text + "\n".join(values) + '\n"""\n', tree


def test_searches_random_tests_as_the_textbook_does() -> None:
    draw = random.Random(60)
    for _ in range(60):
        text, tree = drawn(draw, draw.choice([2, 2, 3]), draw.randint(1, 2))
        score, visited, _ = oracles.alphabeta_with_sides(tree, strict=True, hard=False)
        traced = trace(text, cut="gt")
        assert traced.result.value == score
        assert list(traced.visited) == ["s" + "".join(map(str, path)) for path in visited]
