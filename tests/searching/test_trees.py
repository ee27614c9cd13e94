"""Trees with fractions, MIN at the root, unknown leaves and chance nodes: every search against the
oracles."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any

import pytest

import oracles
from plyscope import ALGORITHMS, parse_tree, search, trace
from plyscope.errors import NotationError, OptionError
from plyscope.rules.tree import ExplicitTree
from plyscope.rules.treetext import CHANCE, WORDS, Exact, TreeNode, as_exact, format_value
from plyscope.searching.algorithms import TEXTBOOK
from plyscope.searching.conventions import CHOICES
from plyscope.searching.events import Enter
from plyscope.searching.score import INFINITY, Bound, format_score
from sentences import says

ANY_TREE = [name for name in TEXTBOOK if not ALGORITHMS[name].needs_lines]
EXACT = [name for name in ANY_TREE if ALGORITHMS[name].is_exact]
VALUES = (
    range(-4, 9),
    [Fraction(n, 2) for n in range(-6, 9)],
    [3.0, 4.01, -1.99, 4, 4.5, -2, 0.25],
    [Fraction(1, 3), Fraction(-2, 3), Fraction(5, 6), 0, 1, 0.5],
)


def drawn(
    draw: random.Random, depth: int, values: Any, *, unknown: float = 0, chance: float = 0
) -> Any:
    """A random tree with sides, as the oracles have it; MAX and MIN at random."""
    if depth == 0 or (depth < 3 and draw.random() < 0.15):
        return draw.choice("xyz") if draw.random() < unknown else draw.choice(values)
    children = [
        drawn(draw, depth - 1, values, unknown=unknown, chance=chance)
        for _ in range(draw.randint(1, 3))
    ]
    if draw.random() >= chance:
        return draw.choice(["max", "min"]), children, []
    parts = [draw.randint(0, 3) for _ in children]
    parts[draw.randrange(len(parts))] += 1
    return "chance", children, [Fraction(part, sum(parts)) for part in parts]


def node_of(tree: Any) -> TreeNode:
    if isinstance(tree, str):
        return TreeNode(name=tree)
    if not isinstance(tree, tuple):
        return TreeNode(value=as_exact(tree))
    word, children, shares = tree
    return TreeNode(tuple(map(node_of, children)), side=WORDS.index(word), weights=tuple(shares))


def tree_of(tree: Any) -> ExplicitTree:
    return ExplicitTree(node_of(tree))


def trees(seed: int, number: int, depths: tuple[int, int] = (1, 4), **shape: Any) -> Any:
    draw = random.Random(seed)
    for _ in range(number):
        tree = drawn(draw, draw.randint(*depths), draw.choice(VALUES), **shape)
        if isinstance(tree, tuple):
            yield tree


def conventions_of(name: str) -> list[dict[str, str]]:
    """Every combination of the conventions that change what an algorithm visits."""
    taken = [key for key in ("cut", "cutoffs", "bound", "root") if key in ALGORITHMS[name].takes]
    choices = [[(key, choice) for choice in CHOICES[key]] for key in taken]
    return [dict(each) for each in product(*choices)]


@pytest.mark.parametrize("name", EXACT)
def test_every_search_finds_the_value_of_the_tree_in_maxs_view(name: str) -> None:
    for tree in trees(50, 25):
        value = oracles.tree_with_chance(tree)
        for conventions in conventions_of(name):
            found = search(tree_of(tree), name, **conventions)
            assert (found.value, found.bound) == (value, Bound.EXACT), (tree, conventions)
            assert format_score(found.value) == format_value(value).replace("-", "−")
            by_move = [oracles.tree_with_chance(child) for child in tree[1]]
            for move in found.moves:
                check_bound(move.value, move.bound, by_move[move.move], (tree, conventions))
            assert all(by_move[move] == value for move in found.best_moves)
            assert found.best_moves


def check_bound(score: Any, bound: Bound | None, value: Fraction, about: Any) -> None:
    """A score holds for the value by its bound."""
    if bound is Bound.EXACT:
        assert score == value, about
    elif bound is Bound.LOWER:
        assert value >= score, about
    elif bound is Bound.UPPER:
        assert value <= score, about


@pytest.mark.parametrize("cut", CHOICES["cut"])
@pytest.mark.parametrize("bound", CHOICES["bound"])
def test_alphabeta_visits_what_the_textbook_visits_within_any_window(cut: str, bound: str) -> None:
    draw = random.Random(51)
    for tree in trees(52, 40):
        ends = sorted(draw.sample(range(-10, 20), 2))
        for window in (None, tuple(Fraction(end, 4) for end in ends)):
            traced = trace(tree_of(tree), cut=cut, bound=bound, window=window)
            score, visited, cutoffs = oracles.alphabeta_with_sides(
                tree, cut == "gt", bound == "hard", window or (-inf, inf)
            )
            assert traced.result.value == score
            assert [event.path for event in traced if isinstance(event, Enter)] == visited
            assert traced.result.cutoffs == cutoffs
            value = oracles.tree_with_chance(tree)
            check_bound(score, traced.result.bound, value, (tree, window))
            first = next(iter(traced))
            assert isinstance(first, Enter)
            assert (first.alpha, first.beta) == (window or (-INFINITY, INFINITY))


@pytest.mark.parametrize("name", EXACT)
def test_a_tree_from_mins_side_is_the_negated_tree_from_maxs(name: str) -> None:
    for tree in trees(53, 25):
        mirrored = negated(tree)
        for conventions in conventions_of(name) if name != "sss" else []:
            one, other = (
                search(tree_of(tree), name, **conventions),
                search(tree_of(mirrored), name, **conventions),
            )
            assert one.value == -other.value
            if name not in ("mtdf", "pn", "dfpn"):  # their questions are "at least", not "at most"
                assert (one.nodes, one.cutoffs) == (other.nodes, other.cutoffs)


def negated(tree: Any) -> Any:
    if not isinstance(tree, tuple):
        return -as_exact(tree)
    return {"max": "min", "min": "max"}[tree[0]], list(map(negated, tree[1])), []


def test_trees_with_min_at_the_root() -> None:
    for text, value, best in (("min[0,[-2,1],5]", 0, 0), ("min[[7,[2,9]],[[6,1],4]]", 4, 1)):
        for name in ANY_TREE:
            found = search(text, name)
            if ALGORITHMS[name].is_exact:
                assert (found.value, found.best_moves) == (value, (best,)), name
            assert found.best_move == best, (text, name)


def test_the_side_of_a_tree_that_names_none() -> None:
    given = [[3, 5], [2, 9]]
    assert (search(parse_tree(given, side="min")).value, search(parse_tree(given)).value) == (5, 3)
    with pytest.raises(NotationError) as wrong:
        parse_tree("max[1,2]", side="min")
    says("side-of-a-tree-twice", str(wrong.value))
    with pytest.raises(NotationError) as wrong:
        parse_tree("[1,2]", side="x")
    says("side-of-a-tree", str(wrong.value))


# Exact values


def test_a_value_equals_the_float_and_the_fraction_that_an_author_writes() -> None:
    value = search(tree_of(("max", [4.01, -1.99], []))).value
    assert (value == 4.01, value == Fraction(401, 100), repr(value)) == (True, True, "4.01")
    third = search(tree_of(("max", [Fraction(1, 3)], []))).value
    assert (Fraction(third), third == Fraction(1, 3), str(third)) == (Fraction(1, 3), True, "1/3")
    whole = search(tree_of(("max", [3.0, 2.5], []))).value
    assert (whole, type(whole)) == (3, int)


def test_a_window_may_lie_between_the_values_of_a_tree() -> None:
    found = search([[3, 5], [6, 9]], window=(3, 4.5))
    assert (found.value, found.bound) == (6, Bound.LOWER)
    assert found.conventions.window == (3, 4.5)
    assert "window (3, 4.5)" in str(found.conventions)
    with pytest.raises(OptionError):
        search(".X./O../X.O", window=(3, 4.5))  # type: ignore[arg-type]


def test_refuses_values_whose_common_denominator_is_too_large() -> None:
    with pytest.raises(NotationError) as wrong:
        search(tree_of(("max", [0.8444218515250481, 3], [])))
    says("scale-of-a-tree", str(wrong.value))


# Chance


def test_expectimax_averages_exactly() -> None:
    for tree in trees(54, 150, chance=0.5):
        given = tree_of(tree)
        if not given.has_chance:
            continue
        found = search(given, "minimax")
        assert (found.value, found.algorithm) == (oracles.tree_with_chance(tree), "expectimax")
        assert found.bound is Bound.EXACT
        for move in found.moves:
            assert move.value == oracles.tree_with_chance(tree[1][move.move])
        assert bool(found.best_moves) == (tree[0] != "chance")


@pytest.mark.parametrize("name", [name for name in ANY_TREE if name != "minimax"])
def test_refuses_chance_nodes_elsewhere(name: str) -> None:
    with pytest.raises(OptionError) as wrong:
        search(tree_of(("max", [("chance", [3, 6], [Fraction(1, 2)] * 2), 4], [])), name)
    says("chance-in-another-search", str(wrong.value).replace(name, "NAME"))


def test_refuses_expectimax_without_chance() -> None:
    with pytest.raises(OptionError) as wrong:
        search("tictactoe", "expectimax")
    says("expectimax-without-chance", str(wrong.value))
    assert search([[3, 5], [2, 9]], "expectimax").value == 3


# Unknown leaves


def values_of(tree: Any, draw: random.Random) -> set[Any]:
    """The values of a tree for many values of its unknown leaves; those of one name differ too."""
    numbers = [Fraction(n, 2) for n in range(-12, 24)]
    found = {oracles.tree_with_chance(tree, lambda name: draw.choice(numbers)) for _ in range(40)}
    for number in numbers:
        found.add(oracles.tree_with_chance(tree, lambda name, number=number: number))
    return found


@pytest.mark.parametrize("name", [*EXACT, "expectimax"])
def test_answers_about_unknown_leaves_hold_for_all_their_values(name: str) -> None:
    draw, kinds = random.Random(55), dict.fromkeys(("unseen", "same", "depends"), 0)
    shape = {"unknown": 0.12, "chance": 0.3 if name == "expectimax" else 0}
    for tree in trees(57, 30, (2, 4), **shape):
        given = tree_of(tree)
        if not given.unknown:
            continue
        values = values_of(tree, draw)
        by_move = [values_of(child, draw) for child in tree[1]]
        for conventions in conventions_of(name):
            try:
                found = search(given, name, **conventions)
            except OptionError as error:
                assert "depends on" in str(error), error
                assert len(values) > 1, (tree, conventions)
                kinds["depends"] += 1
                continue
            assert all(value == found.value for value in values), (tree, conventions)
            assert found.unknown is not None
            kinds["unseen" if "does not visit" in found.unknown else "same"] += 1
            for move, of_move in zip(found.moves, by_move, strict=True):
                for value in of_move:
                    check_bound(move.value, move.bound, value, (tree, conventions, move))
                assert move.value is None or abs(move.value) < INFINITY
            if "does not visit" in found.unknown:
                assert alike_for_all(tree, name, conventions, draw, found.nodes), tree
    visits_all = name in ("minimax", "negamax", "expectimax")
    assert (kinds["unseen"] > 0, kinds["same"] > 0, kinds["depends"] > 0) == (
        not visits_all,
        True,
        True,
    )


def alike_for_all(
    tree: Any, name: str, conventions: dict[str, str], draw: random.Random, nodes: int
) -> bool:
    """Whether the search visits as many nodes with any numbers in place of unknown leaves."""

    def with_numbers(node: Any) -> Any:
        if isinstance(node, tuple):
            return node[0], list(map(with_numbers, node[1])), node[2]
        return draw.randint(-9, 12) if isinstance(node, str) else node

    return all(
        search(tree_of(with_numbers(tree)), name, **conventions).nodes == nodes for _ in range(3)
    )


def test_says_within_which_bounds_the_value_lies() -> None:
    said = {}
    for tree in (
        ("max", [("min", [3, 5], []), ("min", ["x", 9], [])], []),
        ("max", [("min", ["x", "y"], []), 1], []),
        ("min", [("max", ["x", 5], []), 7], []),
        ("max", ["x", "y", "z"], []),
    ):
        with pytest.raises(OptionError) as wrong:
            search(tree_of(tree))
        said[str(tree)] = str(wrong.value)
    says("unknown-leaves-that-matter", "\n".join(said.values()))


def test_says_that_an_unknown_leaf_is_not_visited_or_does_not_matter() -> None:
    tree = tree_of(("max", [("min", [3, 5], []), ("min", [2, "x"], [])], []))
    says("unknown-leaf-not-visited", search(tree).unknown or "")
    says("unknown-leaf-that-does-not-matter", search(tree, "minimax").unknown or "")
    with pytest.raises(OptionError) as wrong:
        search(tree, "uct")
    says("unknown-leaf-estimated", str(wrong.value))


def test_a_limit_of_nodes_cannot_hide_an_unknown_leaf() -> None:
    tree = tree_of(("max", [("min", ["x", 5], []), ("min", [2, 3], [])], []))
    with pytest.raises(OptionError) as wrong:
        search(tree, nodes=6)
    says("unknown-leaf-with-a-limit", str(wrong.value))


def test_an_order_by_value_reads_unknown_leaves() -> None:
    tree = tree_of(("max", [("min", [3, 5], []), ("min", [2, "x"], [])], []))
    assert "the value is the same" in (search(tree, order="best").unknown or "")


def test_refuses_other_uses_of_an_unknown_leaf() -> None:
    tree = tree_of(("max", [("min", [3, "x"], [])], []))
    with pytest.raises(NotationError) as wrong:
        _ = tree.start().play(0, 1).payoff
    says("unknown-leaf-read", str(wrong.value))
    assert tree.side(tree.start()) != CHANCE
    assert isinstance(Exact(Fraction(1, 3)), float)


def test_a_position_below_the_root_prints_its_side() -> None:
    position = parse_tree([[3, 5], [2, 9]]).start().play(0)
    assert str(position) == "min[3,5]"
    assert search(str(position)).value == search(position).value == 3
