"""Games in which sides do not alternate: every search against brute force, and the tree in which a
turn is one move."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import inf
from typing import Any

import pytest

import oracles
from games import BruteForce, DotsAndBoxes, Kalah, Mixed, MixedTree, Own
from plyscope import ALGORITHMS, parse_tree, search, trace
from plyscope.errors import OptionError
from plyscope.faces.diagrams.builders import draw_tree
from plyscope.faces.diagrams.dot import tree_dot
from plyscope.faces.diagrams.narration import narrate
from plyscope.faces.diagrams.svg import tree_svg
from plyscope.faces.diagrams.text import tree_text
from plyscope.faces.diagrams.tikz import tree_tikz
from plyscope.lab.questions.quiz import Question, mark, read_answer
from plyscope.rules.tree import TreePosition
from plyscope.searching.algorithms import TEXTBOOK
from plyscope.searching.causes import causes
from plyscope.searching.conventions import CHOICES, Conventions
from plyscope.searching.events import Enter, Leaf, Return, TableHit, WindowMoved
from plyscope.searching.score import INFINITY, WIN, Bound
from sentences import says

FOLLOWS = [name for name in TEXTBOOK if not ALGORITHMS[name].needs_lines]


def opinion(position: Any) -> int:
    """A heuristic in FIRST's view: any number that depends on the position alone."""
    return random.Random(hash(position)).randint(-6, 6)


def trees(
    seed: int, number: int, depth: tuple[int, int] = (1, 5), **shape: Any
) -> Iterator[MixedTree]:
    draw = random.Random(seed)
    for _ in range(number):
        yield MixedTree.drawn(draw, draw.randint(*depth), **shape)


@pytest.mark.parametrize("name", ["mtdf", "iterative-deepening", "dfpn"])
@pytest.mark.parametrize(
    ("game", "value"),
    [
        (DotsAndBoxes(1, 1), -1),
        (DotsAndBoxes(1, 2), 0),
        (DotsAndBoxes(1, 3), -1),
        (Kalah(1, 1), 0),
        (Kalah(1, 2), -1),
        (Kalah(1, 3), 1),
        (Kalah(1, 4), -1),
        (Kalah(2, 1), 1),
        (Kalah(2, 2), -1),
        (Kalah(2, 3), -1),
        (Kalah(2, 4), -1),
        (Kalah(3, 1), 0),
    ],
    ids=lambda item: f"{item.name} {item.start()}" if isinstance(item, Own) else str(item),
)
def test_published_values_of_small_boards(game: Own, value: int, name: str) -> None:
    """Dots and boxes: Berlekamp, Conway & Guy, Winning Ways. Kalah: Irving, Donkers & Uiterwijk
    2000."""
    found = search(game.start(), name, game=game).value
    assert (found > 0) - (found < 0) == value
    assert found == BruteForce(game).value(game.start())


def test_finds_that_the_first_player_wins_four_boxes() -> None:
    game = DotsAndBoxes(2, 2)
    found = search(game.start(), "mtdf", game=game, depth=12)
    assert (found.value, found.complete) == (2, True)
    assert set(found.best_moves) <= {
        move for move in game.edges if BruteForce(game).value(game.play(game.start(), move)) == 2
    }


# What scores prove, at every node


def nodes_told(
    traced: Any,
) -> Iterator[tuple[tuple[Any, ...], tuple[int, int], float, float, Bound]]:
    """For every score that is told: the node, the window it was last called with, the plies left,
    the score and its bound."""
    called: dict[Any, Enter] = {}
    for event in traced:
        if isinstance(event, Enter):
            called[event.path] = event
        elif isinstance(event, Leaf | Return | TableHit):
            entered = called.get(
                event.path, Enter(event.path, 0, -INFINITY, INFINITY, True)
            )  # a playout's leaf is not entered
            bound = Bound.EXACT if isinstance(event, Leaf) else event.bound
            yield (
                event.path,
                (entered.alpha, entered.beta),
                inf if entered.depth is None else entered.depth,
                event.score,
                bound,
            )


@pytest.mark.parametrize("name", ["alphabeta", "pvs", "mtdf", "iterative-deepening"])
def test_moves_alpha_at_max_and_beta_at_min_to_the_score_of_a_child(
    name: str,
) -> None:
    moved = 0
    for tree in trees(15, 60):
        told: dict[Any, float] = {}
        for event in trace((), name, game=tree):
            if isinstance(event, Leaf | Return | TableHit):
                told[event.path] = event.score
            elif isinstance(event, WindowMoved):
                is_max = tree.side(event.path) == tree.side(())
                assert (event.which, event.after) == (
                    "alpha" if is_max else "beta",
                    told[*event.path, event.move],
                )
                assert event.after > event.before if is_max else event.after < event.before
                moved += 1
    assert moved > 100


@pytest.mark.parametrize("order", ["best", "worst"])
@pytest.mark.parametrize("name", ["minimax", "negamax"])
def test_orders_moves_for_the_side_to_move(name: str, order: str) -> None:
    for tree in trees(16, 30, depth=(2, 4)):
        traced = trace((), name, opinion, game=tree, order=order)
        entered = [event.path for event in traced if isinstance(event, Enter)]
        for path in entered:
            below = [at for at in entered if at and at[:-1] == path]
            worth = [opinion(at) if tree.at(at).children else tree.at(at).value for at in below]
            assert worth == sorted(worth, reverse=(tree.side(path) == 0) == (order == "best"))


@pytest.mark.parametrize("bound", CHOICES["bound"])
@pytest.mark.parametrize(
    ("name", "cut", "cutoffs"),
    [
        ("alphabeta", "ge", "deep"),
        ("alphabeta", "gt", "deep"),
        ("alphabeta", "ge", "shallow"),
        ("pvs", None, None),
    ],
)
def test_a_score_keeps_what_its_window_promises_at_every_node(
    name: str, cut: str | None, cutoffs: str | None, bound: str
) -> None:
    draw = random.Random(f"{name} {cut} {cutoffs} {bound}")
    for tree in trees(5, 200):
        alpha = draw.randint(-6, 5)
        beta = draw.randint(alpha + 1, 6)
        brute, sign = BruteForce(tree), -1 if tree.side(()) else 1
        traced = trace(
            (), name, game=tree, window=(alpha, beta), bound=bound, cut=cut, cutoffs=cutoffs
        )
        for path, (low, high), _, score, _ in nodes_told(traced):
            value = sign * brute.value(path)
            if not tree.at(path).children:
                assert score == value
                continue
            if (
                low == high
            ):  # what strict cuts hand down has no inside, and fail-hard returns its one end
                assert cut == "gt"
                continue
            assert score > low or value <= score, (tree.root, path)
            assert score < high or value >= score, (tree.root, path)
            assert not low < score < high or value == score, (tree.root, path)
            assert bound == "soft" or low <= score <= high
        assert traced.result.conventions.window == (alpha, beta)


# A turn is one move


def turns(node: Mixed, path: tuple[int, ...] = ()) -> Any:
    """The tree in which a turn is one move, so that sides alternate: leaves are (value, path),
    inner nodes lists."""
    if not node.children:
        return node.value, path
    below: list[Any] = []
    for number, child in enumerate(node.children):
        found = turns(child, (*path, number))
        below += found if child.children and child.side == node.side else [found]
    return below


def leaves_of(tree: MixedTree, name: str = "alphabeta", **options: Any) -> list[tuple[int, ...]]:
    """The leaves in the order in which they are visited."""
    return [
        event.path for event in trace((), name, game=tree, **options) if isinstance(event, Leaf)
    ]


@pytest.mark.parametrize(("cut", "bound"), [("ge", "soft"), ("ge", "hard"), ("gt", "soft")])
def test_alphabeta_visits_the_leaves_of_the_naive_one_in_alternating_games(
    cut: str, bound: str
) -> None:
    """But for strict cuts with fail-hard, where a score brought back to beta closes nothing above
    it."""
    for tree in trees(6, 150):
        visited: list[tuple[int, ...]] = []
        sign = -1 if tree.root.side else 1

        def leaf(node: Any, visited: list[tuple[int, ...]] = visited, sign: int = sign) -> int:
            visited.append(node[1])
            return sign * node[0]

        naive = oracles.AlphaBeta(
            lambda node: node if isinstance(node, list) else [], leaf, cut == "gt", bound == "hard"
        )
        value = naive.value(turns(tree.root), True, -inf, inf, inf)
        assert search((), game=tree, cut=cut, bound=bound).value == value
        assert leaves_of(tree, cut=cut, bound=bound) == visited


def test_shallow_cutoffs_visit_the_leaves_of_f1_in_alternating_games() -> None:
    """F1 of Knuth & Moore 1975: a node is handed the bound of its parent's best move so far, and no
    other."""
    differing = 0
    for tree in trees(7, 300, depth=(3, 6)):
        visited: list[tuple[int, ...]] = []

        def f1(
            node: Any, bound: float, sign: int, visited: list[tuple[int, ...]] = visited
        ) -> float:
            if isinstance(node, tuple):
                visited.append(node[1])
                return sign * node[0]
            best = -inf
            for child in node:
                best = max(best, -f1(child, -best, -sign))
                if best >= bound:
                    break
            return best

        value = f1(turns(tree.root), inf, -1 if tree.root.side else 1)
        assert search((), game=tree, cutoffs="shallow").value == value
        assert leaves_of(tree, cutoffs="shallow") == visited
        differing += visited != leaves_of(tree)
    assert differing > 5


def test_makes_only_shallow_cutoffs_and_reports_the_missed_deep_ones() -> None:
    deep = 0
    for tree in trees(8, 150, depth=(3, 6)):
        assert not any(cause.is_deep for cause in causes(trace((), game=tree, cutoffs="shallow")))
        found = [
            cause.is_deep and bool(cause.cutoff.skipped) for cause in causes(trace((), game=tree))
        ]
        deep += any(found)
        if leaves_of(tree) != leaves_of(tree, cutoffs="shallow"):
            assert any(cause.is_deep for cause in causes(trace((), game=tree)))
    assert deep > 5


def test_sss_visits_the_same_leaves_as_in_alternating_games() -> None:
    def nested(node: Any, side: int) -> Mixed:
        """The tree of turns as a tree."""
        return (
            Mixed(side, (), node[0])
            if isinstance(node, tuple)
            else Mixed(side, tuple(nested(child, 1 - side) for child in node), 0)
        )

    def paths(
        node: Any, path: tuple[int, ...] = ()
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        if isinstance(node, tuple):
            yield path, node[1]
        else:
            for number, child in enumerate(node):
                yield from paths(child, (*path, number))

    for tree in trees(9, 150):
        folded = turns(tree.root)
        written = dict(paths(folded))
        assert leaves_of(tree, "sss") == [
            written[path] for path in leaves_of(MixedTree(nested(folded, tree.root.side)), "sss")
        ]


# Trees as people write them, their pictures and the quiz


def written(node: Mixed, usual: int = 0) -> str:
    """The tree as text: a side is written where it is not the usual one."""
    if not node.children:
        return str(node.value)
    side = "" if node.side == usual else ("max", "min")[node.side]
    return f"{side}[{','.join(written(child, 1 - node.side) for child in node.children)}]"


def written_trees(seed: int, number: int) -> Iterator[tuple[MixedTree, Any]]:
    for tree in trees(seed, 2 * number, depth=(2, 4)):
        if tree.root.side == 0:
            yield tree, parse_tree(written(tree.root))


def test_reads_the_sides_of_written_trees() -> None:
    for tree, read in written_trees(11, 100):
        assert parse_tree(str(read.start())).root == read.root
        assert search(read.start()).value == BruteForce(tree).value(())
        waiting: list[Any] = [()]
        while waiting:
            path = waiting.pop()
            if tree.moves(path):
                assert read.side(TreePosition(read, path)) == tree.side(path)
            waiting += [(*path, move) for move in tree.moves(path)]


@pytest.mark.parametrize("name", FOLLOWS)
def test_draws_every_node_by_the_side_to_move(name: str) -> None:
    for tree, read in written_trees(12, 15):
        traced = trace(read, name, nodes=100 if name == "uct" else None)
        for step in (None, 7):
            for node in draw_tree(traced, step, whole=True).root.walk():
                assert node.is_leaf or node.is_max == (tree.side(node.path) == 0)
                assert not (node.is_leaf and any(child.visits for child in node.children))
        said = [line for line in narrate(traced) if " is called with " in line]
        entered = [event for event in traced if isinstance(event, Enter)]
        for line, event in zip(said, entered, strict=True):
            assert (
                tree.moves(event.path) == range(0)
                or f"({('MAX', 'MIN')[tree.side(event.path)]})" in line
            )


def test_points_triangles_by_the_side_in_every_format() -> None:
    picture = draw_tree(trace("[max[3,5],min[6,9],2]"), whole=True)
    assert [
        line.strip("├└│─ ")[:3]
        for line in tree_text(picture).plain.splitlines()
        if "▲" in line or "▼" in line
    ] == [
        "▲ A",
        "▲ B",
        "▼ C",
    ]
    assert [
        line.split("shape=")[1].split()[0]
        for line in tree_dot(picture).splitlines()
        if "triangle" in line
    ] == [
        "triangle",
        "triangle",
        "invtriangle",
    ]
    assert [
        line[6:9]
        for line in tree_tikz(picture).splitlines()
        if line.startswith((r"\node[max", r"\node[min"))
    ] == ["max", "max", "min"]
    assert tree_svg(picture).count("l20 34h-40z") == 2
    assert tree_svg(picture).count("l20 -34h-40z") == 1
    assert "B (MAX) is called with the window (−∞, ∞)" in narrate(trace("[max[3,5],min[6,9],2]"))


def test_draws_games_without_a_picture_by_their_moves() -> None:
    game = DotsAndBoxes(1, 1)
    traced = trace(game.play(game.play(game.play(game.start(), 0), 1), 2), game=game)
    assert [(node.name, node.is_leaf, node.score) for node in draw_tree(traced).root.walk()] == [
        ("root", False, 1),
        ("3", True, 1),
    ]
    assert traced.result.as_dict()["pv"] == ["3"]
    assert traced.result.as_dict()["game"] == "dots"
    half = trace(game.play(game.start(), 0), game=DotsAndBoxes(1, 2), depth=4)
    assert {node.is_max for node in draw_tree(half).root.walk() if len(node.path) == 3} == {
        True,
        False,
    }


@pytest.mark.parametrize("cut", CHOICES["cut"])
@pytest.mark.parametrize("bound", CHOICES["bound"])
def test_makes_the_key_of_an_independent_alphabeta(cut: Any, bound: Any) -> None:
    def nested(node: Mixed) -> Any:
        return [nested(child) for child in node.children] or node.value

    finite = {-inf: -INFINITY, inf: INFINITY}
    for tree, read in written_trees(13, 60):
        key = Question(read, Conventions(cut=cut, bound=bound)).key

        def is_max(path: tuple[int, ...], tree: MixedTree = tree) -> bool:
            return tree.side(path) == 0

        expected = oracles.alphabeta_by_node(
            nested(tree.root), cut == "gt", bound == "hard", is_max
        )
        for path, node in key.items():
            assert node.is_leaf or node.is_max == is_max(path)
            if path in expected:
                alpha, beta, score = (finite.get(end, end) for end in expected[path])
                assert (node.window, node.score, node.is_cut) == ((alpha, beta), score, False)
            else:
                assert (node.score, node.is_cut) == (None, path[:-1] in expected)


def test_accepts_the_best_child_value_of_the_side_to_move_as_consistent() -> None:
    question = Question(parse_tree("[max[3,5],[6,9]]"), asked=("values",))
    assert [question.key[path].score for path in ((0,), (1,), ())] == [5, 6, 6]
    marking = mark(
        question, read_answer(question, {"0": {"value": 7}, "1": {"value": 6}, "": {"value": 7}})
    )
    assert [(item.path, item.verdict) for item in marking.marks] == [
        ((), "follows"),
        ((0,), "wrong"),
        ((1,), "right"),
    ]
    swapped = {"": {"value": 3}, "0": {"value": 3}, "1": {"value": 6}}
    says(mark(question, read_answer(question, swapped)).diagnosis)


# What games of one's own are worth, and what they have to say


class Choice(Own):
    """One move, `worth` or the horizon."""

    name, scored = "choice", False

    def __init__(self, worth: Any = 0, **changed: Any) -> None:
        self.worth, self.changed = worth, changed

    def start(self) -> int:
        return 0

    def side(self, position: int) -> Any:
        return self.changed.get("side", 0)

    def moves(self, position: int) -> Any:
        return self.changed.get("moves", ["end", "on"]) if position == 0 else ["on"]

    def play(self, position: int, move: str) -> int:
        return -1 if move == "end" else position + 1

    def payoff(self, position: int) -> Any:
        return self.worth if position < 0 else None


def test_scores_finished_games_by_result_and_the_horizon_by_heuristic() -> None:
    found = search(0, game=Choice(1), heuristic=lambda position: 70, depth=1, root="open")
    assert {item.text: item.value for item in found.moves} == {"end": WIN, "on": 70}
    assert found.conventions.scoring == "result"
    assert search(0, game=Choice(-3), heuristic=lambda position: -WIN, depth=1).best_moves == (
        "on",
    )
    assert (
        search(
            0,
            game=Choice(-3),
            heuristic=lambda position: 5,
            depth=1,
            scoring="heuristic",
            root="open",
        )
        .moves[0]
        .value
        == 5
    )


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        (
            Choice(1),
            {"algorithm": "engine"},
            "'choice' is not a line game; expected one for algorithm 'engine'",
        ),
        (
            Choice(1),
            {"algorithm": "accumulating"},
            "'choice' is not a line game; expected one for algorithm 'accumulating'",
        ),
        (
            Choice(0.5),
            {},
            "payoff '0.5' of 'choice' on '-1'; expected a whole number within ±1,000,000,000",
        ),
        (
            Choice(2 * WIN),
            {},
            "payoff '2000000000' of 'choice' on '-1'; expected a whole number within ±1,000,000,000",
        ),
        (
            Choice("a win\nof one"),
            {},
            "payoff 'a win\\nof one' of 'choice' on '-1'; expected a whole number within ±1,000,000,000",
        ),
        (Choice(1, side=2), {}, "side '2' of 'choice' on '0'; expected 0 or 1"),
        (Choice(1, side=-1), {}, "side '-1' of 'choice' on '0'; expected 0 or 1"),
        (
            Choice(1, moves=[]),
            {},
            "'choice' goes on without a move on '0'; expected a payoff there, or a move that passes",
        ),
        (
            DotsAndBoxes(1, 1),
            {"scoring": "distance"},
            "scoring 'distance' on 'dots', whose leaves carry values; expected result or heuristic",
        ),
    ],
)
def test_rejects_options_impossible_for_user_defined_games(
    game: Own, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(OptionError) as caught:
        search(game.start(), game=game, depth=2, **options)
    assert str(caught.value) == said


def test_predicts_no_minimal_tree_where_sides_do_not_alternate() -> None:
    assert search("[max[1,2],[3,4]]", "minimax").minimal is None
    assert search("[[1,2],[3,4]]", "minimax").minimal == 3


# Estimates


def test_uct_tends_to_the_value_by_the_side_that_moves() -> None:
    for tree in trees(10, 12, depth=(2, 3), widths=(2, 3)):
        value = BruteForce(tree).value(())
        found = search((), "uct", game=tree, nodes=4000, seed=1)
        assert found.value == pytest.approx(-value if tree.root.side else value, abs=1)
