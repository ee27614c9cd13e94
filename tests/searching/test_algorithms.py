"""Every algorithm against oracles: values, windows, counts, lines, limits."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from math import inf
from operator import attrgetter
from typing import Any

import pytest

import oracles
from games import Nim
from plyscope import ALGORITHMS, LineTable, parse_game, search, trace
from plyscope.errors import HeuristicError, OptionError, PlyscopeError
from plyscope.searching.algorithms import TEXTBOOK
from plyscope.searching.events import Enter, Event, Leaf, Return
from plyscope.searching.reference import dfpn, mtdf, pn, sss
from plyscope.searching.request import make_request
from plyscope.searching.result import effective_branching, minimal_leaves
from plyscope.searching.score import INFINITY, WIN, Bound
from plyscope.searching.walk import Walk
from sentences import refuses, says
from waiting import PATIENCE_SECONDS

EXACT = [name for name in TEXTBOOK if ALGORITHMS[name].is_exact]


def random_tree(draw: random.Random, depth: int, is_uniform: bool = False, spread: int = 9) -> Any:
    """A tree of nested lists; small values give many ties."""
    if depth == 0 or (not is_uniform and depth < 4 and draw.random() < 0.2):
        return draw.randint(-spread, spread)
    return [
        random_tree(draw, depth - 1, is_uniform, spread)
        for _ in range(3 if is_uniform else draw.randint(1, 4))
    ]


def some_trees(number: int, seed: int = 1, **shape: Any) -> list[Any]:
    draw = random.Random(seed)
    trees = (random_tree(draw, draw.randint(1, 5), **shape) for _ in range(10 * number))
    return [tree for tree in trees if isinstance(tree, list) and not may_be_binary(tree)][:number]


def may_be_binary(tree: list[Any]) -> bool:
    """Return whether a list may also be the leaves of a binary tree, so that it is asked about."""
    return len(tree) in (4, 8, 16) and not any(isinstance(child, list) for child in tree)


def some_positions(spec: str, number: int, plies: tuple[int, int], seed: int = 2) -> list[Any]:
    draw, game, found = random.Random(seed), parse_game(spec), []
    while len(found) < number:
        position = game.start()
        for _ in range(draw.randint(*plies)):
            if not position.is_over:
                position = position.play(draw.choice(position.moves))
        if not position.is_over:
            found.append(position)
    return found


@pytest.mark.parametrize(
    ("spec", "plies"), [("tictactoe", (1, 5)), ("connect4-5x4", (8, 12)), ("4,3,3", (5, 8))]
)
def test_minimax_agrees_with_the_oracle(spec: str, plies: tuple[int, int]) -> None:
    for position in some_positions(spec, 25, plies):
        game = position.game
        lines = [frozenset(line.cells()) for line in game.lines]
        b = tuple(
            "X" if position.first >> cell & 1 else "O" if position.second >> cell & 1 else "."
            for cell in range(game.size)
        )
        mover = oracles.to_move(b)
        sign = 1 if mover == "X" else -1

        def opinion(board: oracles.Board, lines: oracles.Lines = lines) -> float:
            return oracles.open_lines(board, "X", lines)

        value, nodes = oracles.minimax(
            b, mover, lines, opinion, 3, game.width if game.gravity else 0
        )
        found = search(position, "minimax", "open-lines", depth=3)
        assert (found.value, found.nodes) == (sign * value, nodes)


@pytest.mark.parametrize("cut", ["ge", "gt"])
@pytest.mark.parametrize("bound", ["soft", "hard"])
def test_alphabeta_counts_nodes_and_cutoffs_as_the_naive_one_does(cut: str, bound: str) -> None:
    draw = random.Random(f"{cut}{bound}")
    for tree in some_trees(300, seed=4):
        low = draw.randint(-9, 8)
        high = draw.randint(low + 1, 9)
        for window in ((-inf, inf), (low, high)):
            naive = oracles.AlphaBeta(
                lambda node: node if isinstance(node, list) else [],
                lambda node: node,
                cut == "gt",
                bound == "hard",
            )
            value = naive.value(tree, True, *window, inf)
            given = None if window[0] == -inf else window
            found = search(tree, cut=cut, bound=bound, window=given)
            assert (found.value, found.nodes, found.cutoffs) == (
                value,
                naive.nodes,
                naive.cutoffs,
            ), (tree, window)


@pytest.mark.parametrize("name", ["alphabeta", "pvs"])
@pytest.mark.parametrize("bound", ["soft", "hard"])
@pytest.mark.parametrize("cut", ["ge", "gt"])
def test_a_score_keeps_what_its_window_promises(name: str, bound: str, cut: str) -> None:
    if name == "pvs" and cut == "gt":
        pytest.skip("pvs cuts at ≥ only")
    draw = random.Random(8)
    for tree in some_trees(500, seed=5):
        value = oracles.tree_value(tree)
        alpha = draw.randint(-10, 9)
        beta = draw.randint(alpha + 1, 10)
        found = search(
            tree, name, window=(alpha, beta), bound=bound, cut=cut if name == "alphabeta" else None
        )
        score = found.value
        if score <= alpha:
            assert value <= score
        elif score >= beta:
            assert value >= score
        else:
            assert value == score
        relation = {
            Bound.EXACT: value == score,
            Bound.LOWER: value >= score,
            Bound.UPPER: value <= score,
        }
        assert relation[found.bound], (tree, alpha, beta, found.bound)
        if bound == "hard":
            assert alpha <= score <= beta


@pytest.mark.parametrize("cut", ["ge", "gt"])
@pytest.mark.parametrize("bound", ["soft", "hard"])
def test_gives_true_bounds_of_root_moves_within_any_window(bound: str, cut: str) -> None:
    """Also where fail-hard with strict cuts hands down a window without an inside, whose one end
    says nothing."""
    draw = random.Random(13)
    for tree in some_trees(300, seed=13, spread=4):
        alpha = draw.randint(-5, 3)
        found = search(tree, window=(alpha, draw.randint(alpha + 1, 5)), bound=bound, cut=cut)
        for item in found.moves:
            value = oracles.tree_value(tree[item.move], False)
            assert item.bound is not Bound.EXACT or item.value == value
            assert item.bound is not Bound.UPPER or item.value >= value  # type: ignore[operator]
            assert item.bound is not Bound.LOWER or item.value <= value  # type: ignore[operator]


@pytest.mark.parametrize(
    "options", [{"root": "open"}, {"cut": "gt"}, {"root": "open", "cut": "gt", "bound": "hard"}]
)
def test_open_windows_and_strict_cuts_prove_all_best_moves(options: dict[str, Any]) -> None:
    for tree in some_trees(300, seed=7, spread=3):
        values = [oracles.tree_value(child, False) for child in tree]
        assert search(tree, **options).best_moves == tuple(
            move for move, value in enumerate(values) if value == max(values)
        )


def test_negamax_visits_the_nodes_of_minimax() -> None:
    for tree in some_trees(100):
        one, other = search(tree, "minimax"), search(tree, "negamax")
        told = attrgetter("nodes", "leaves", "pv", "moves")
        assert told(one) == told(other)


def leaves_of(tree: Any, name: str) -> set[tuple[int, ...]]:
    return {event.path for event in trace(tree, name) if isinstance(event, Leaf)}


def test_sss_visits_no_leaf_that_alphabeta_skips() -> None:
    """Roizen & Pearl 1983."""
    for tree in some_trees(300, seed=10, is_uniform=True):
        assert leaves_of(tree, "sss") <= leaves_of(tree, "alphabeta")


def test_mtdf_from_infinity_visits_the_leaves_of_sss() -> None:
    """Plaat, Schaeffer, Pijls & de Bruin 1996."""
    for tree in some_trees(150, seed=11, is_uniform=True, spread=10**6):
        seen: set[tuple[int, ...]] = set()

        def watch(event: Event, seen: set[tuple[int, ...]] = seen) -> None:
            if isinstance(event, Leaf):
                seen.add(event.path)

        walk = Walk(make_request(tree), watch=watch)
        assert mtdf.mtdf(walk, INFINITY, partial(mtdf.null_window, walk)) == oracles.tree_value(
            tree
        )
        assert seen == leaves_of(tree, "sss")
    assert sss.search is not None


def best_first(tree: Any, is_max: bool = True) -> Any:
    """The tree with the children of every node sorted, the best for its side first."""
    if not isinstance(tree, list):
        return tree
    return sorted(
        (best_first(child, not is_max) for child in tree),
        key=lambda child: oracles.tree_value(child, not is_max),
        reverse=is_max,
    )


@pytest.mark.parametrize(("width", "depth"), [(2, 3), (2, 6), (3, 4), (4, 3), (5, 2), (3, 5)])
def test_perfect_order_reaches_the_minimal_tree(width: int, depth: int) -> None:
    """Knuth & Moore 1975."""
    draw = random.Random(width * 10 + depth)

    def uniform(left: int) -> Any:
        return draw.randint(-1000, 1000) if left == 0 else [uniform(left - 1) for _ in range(width)]

    found = search(best_first(uniform(depth)))
    assert found.leaves == width ** -(-depth // 2) + width ** (depth // 2) - 1 == found.minimal
    assert found.minimal_ratio == 1


def test_counts_fewer_moves_at_each_ply_in_a_minimal_tree() -> None:
    found = search("tictactoe", depth=4)
    assert found.widths == (9, 8, 7, 6)
    assert found.minimal == 9 * 7 + 8 * 6 - 1
    assert search("tictactoe").minimal is None
    assert minimal_leaves((3, 3, 3)) == 9 + 3 - 1


def test_computes_the_branching_factor_of_the_uniform_tree() -> None:
    assert effective_branching(1 + 3 + 9 + 27, 3) == pytest.approx(3, abs=1e-5)
    assert search("[[1,2],[3,4]]", "minimax").branching == pytest.approx(2, abs=1e-5)
    assert effective_branching(1, 0) is None


@pytest.mark.parametrize("name", ["minimax", "negamax", "alphabeta", "pvs"])
def test_enters_and_leaves_nodes_like_brackets(name: str) -> None:
    for tree in some_trees(50):
        stack = []
        for event in trace(tree, name):
            if isinstance(event, Enter):
                assert not stack or event.path[:-1] == stack[-1]
                stack.append(event.path)
            elif isinstance(event, Leaf | Return):
                assert stack.pop() == event.path
        assert stack == []


def test_keeps_a_time_limit() -> None:
    found = search("gomoku15", "iterative-deepening", seconds=0.3)
    assert (found.stopped, found.depth >= 1) == ("seconds", True)
    assert found.seconds < PATIENCE_SECONDS


def test_reports_partial_moves_of_a_budget_too_small_for_one_depth() -> None:
    found = search("gomoku15", nodes=100)
    assert (found.bound, found.depths, found.stopped) == (Bound.LOWER, (), "nodes")
    assert search("gomoku15", nodes=1).bound is Bound.ESTIMATE


@pytest.mark.parametrize("reason", ["nodes", "seconds", "memory", "interrupted"])
def test_prints_why_a_search_ended_early(reason: str) -> None:
    found = search("tictactoe", depth=1)
    assert "stopped because" in str(replace(found, stopped=reason))
    assert "stopped because" not in str(found)


def test_returns_a_partial_result_of_an_interrupted_search_on_request() -> None:
    def interrupt(event: Event) -> None:
        nonlocal left
        left -= 1
        if not left:
            raise KeyboardInterrupt

    left = 5000
    found = search("4,4,4", "iterative-deepening", watch=interrupt, keep_interrupted=True)
    assert (found.stopped, found.complete) == ("interrupted", False)
    assert found.depths
    left = 10
    with pytest.raises(KeyboardInterrupt):
        search("4,4,4", watch=interrupt)


def test_distance_prefers_the_quicker_win() -> None:
    found = search("XX./OO./...", scoring="distance")
    assert (found.value, found.pv, found.best_move) == (WIN - 1, (2,), 2)
    assert search("XX./OO./... o", scoring="result").value == WIN


def test_uct_reports_a_time_limit_that_ends_before_it_begins() -> None:
    assert search("connect4", "uct", seconds=1e-9).stopped == "seconds"


def test_uct_is_reproducible_and_sees_a_win() -> None:
    one, other = (
        search("XX./OO./...", "uct", scoring="result", nodes=400, seed=3) for _ in range(2)
    )
    assert (one.moves, one.value, one.pv) == (other.moves, other.value, other.pv)
    assert (one.best_move, one.bound, one.nodes) == (2, Bound.ESTIMATE, 400)
    assert (one.form, one.form_reason) == ("reference", "'uct' has no compiled form")
    assert search("[[3,5],[1,9]]", "uct", nodes=3000).best_move == 0


def test_accumulating_search_is_the_published_one() -> None:
    draw = random.Random(12)
    boards = [
        b
        for b in oracles.reachable3()
        if b.count("X") == b.count("O")
        and "." in b
        and oracles.moves(b, oracles.LINES3)
        and b.count(".") < 8
    ]
    for b in draw.sample(boards, 150):
        text = "/".join("".join(b[row : row + 3]) for row in (0, 3, 6))
        found = search(text, "accumulating")
        assert found.best_move == oracles.accumulating_choice(b), text
        for item in found.moves:
            assert item.value == oracles.accumulated(
                oracles.place(b, item.move, "X"), "O", 0, -inf, inf
            ), text


def test_searches_another_game_by_the_protocol_alone() -> None:
    for left in range(1, 11):
        for name in EXACT:
            found = search((left, 0), name, game=Nim())
            assert (found.value > 0) == (left % 4 != 0)
            if left % 4:
                assert found.best_move == left % 4
    assert search((5, 0), game=Nim(), heuristic=lambda position: position[0], depth=1).value == 4


@pytest.mark.parametrize(
    "given",
    [
        {"algorithm": "alphabet"},
        {"algorithm": "minimax", "cut": "gt"},
        {"order": "sorted"},
        {"window": (3, 3)},
        {"window": (1, 3), "root": "open"},
        {"depth": 0},
        {"seconds": -1},
        {"form": "warp"},
        {"scoring": "distance", "position": "[1,2]"},
        {"heuristic": "open-lines", "position": "[1,2]"},
        {"algorithm": "accumulating", "position": "[1,2]"},
    ],
)
def test_rejects_impossible_requests_in_one_line(given: dict[str, Any]) -> None:
    options = {"position": "tictactoe", **given}
    with pytest.raises(PlyscopeError) as caught:
        search(options.pop("position"), **options)
    says(f"search {given}", str(caught.value))
    assert "\n" not in str(caught.value)


def test_ends_a_search_with_the_name_of_a_failing_heuristic() -> None:
    with pytest.raises(HeuristicError, match="'<lambda>' raised ZeroDivisionError"):
        search("tictactoe", heuristic=lambda mine, theirs, lines: 1 // 0)


def test_rejects_values_too_large_for_a_window() -> None:
    with refuses(HeuristicError):
        search("tictactoe", heuristic=LineTable("huge", {(1, 0): 10**9}), depth=1)


def test_limits_a_trace() -> None:
    with pytest.raises(OptionError, match="more than 100 events"):
        trace("tictactoe", max_events=100)


def walk_of(tree: Any, watch: Any = None) -> Walk:
    return Walk(make_request(tree), watch=watch)


def test_proof_numbers_lead_where_least_is_missing() -> None:
    """The first move needs five answers, the second one: nothing below the first is searched,
    worked out by hand."""
    tree = [[[1], [1], [1], [1], [1]], [[1]]]
    walk = walk_of(tree)
    answer = pn.ask(walk, 1)
    assert (answer.score, walk.nodes) == (1, 10)
    assert list(answer.solution) == [1]
    entered: list[tuple[int, ...]] = []
    walk = walk_of(
        tree, lambda event: entered.append(event.path) if isinstance(event, Enter) else None
    )
    assert dfpn.ask(walk, 1).score == 1
    assert entered == [(), (0,), (1,), (1, 0), (1, 0, 0)]


@pytest.mark.parametrize("asked", [pn.ask, dfpn.ask])
def test_justifies_every_true_answer_by_leaves(asked: Any) -> None:
    def check(node: Any, answer: Any, is_max: bool, test: int) -> None:
        is_yes = answer.score >= test
        assert (oracles.tree_value(node, is_max) >= test) == is_yes
        if isinstance(node, int):
            assert answer.score == node
            return
        below = answer.solution
        assert len(below) == (1 if is_max == is_yes else len(node))
        scores = [child.score for child in below.values()]
        assert answer.score == (max if is_max else min)(scores)
        for move, child in below.items():
            check(node[move], child, not is_max, test)

    for tree in some_trees(80, seed=12):
        for test in range(-9, 10, 3):
            check(tree, asked(walk_of(tree), test), True, test)


def test_gives_a_walk_few_attributes() -> None:
    """Python 3.11 reads the attributes of objects that have more than 30 slower."""
    assert len(vars(walk_of([1, 2]))) <= 30
