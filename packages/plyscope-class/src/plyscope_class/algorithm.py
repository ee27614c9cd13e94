"""The judgement of a student's search algorithm: its values, moves and visits, node by node.

The judge holds the tree. A submission requests the children and the value of each node, so the
judge knows which nodes it has visited, and in which order; a node counts once. A value counts only
if the leaves that were read prove it. A submission that guesses, or remembers another question, has
not read enough leaves.

MAX is the first player, X on a board; values and windows are in MAX's view. Nodes on boards have
names without meaning, so that a submission can know their values only by asking.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import islice, product
from math import inf
from random import Random
from typing import Any, get_args

from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.lab.people.node import CHILDREN, VALUE, Described, Node, run_algorithm
from plyscope.lab.questions.exam.trees import default_constraints, make_questions
from plyscope.lab.questions.quiz.question import Question as Quiz
from plyscope.processes import Failed
from plyscope.pythonrun import load_named
from plyscope.rules.game import FIRST, Game, move_text, one_line, random_game
from plyscope.rules.tree import ExplicitTree, TreePosition, parse_tree, value_in
from plyscope.searching.conventions import BoundStyle, Conventions, Cut
from plyscope.searching.events import Cutoff, Enter, Leaf, Return
from plyscope.searching.pruned import pruned_of
from plyscope.searching.score import INFINITY
from plyscope.searching.trace import Trace, trace
from plyscope_class.assignment import Assignment
from plyscope_class.mistakes import (
    BOUNDS_AS_VALUES,
    LAST_OF_EQUAL,
    MISTAKES,
    RIGHT,
    Mistake,
    run,
)

Path = tuple[Any, ...]
Convention = tuple[Cut, BoundStyle]
EDGE_TREES = (
    "[[[5]]]",
    "[3,[5,2],1]",
    "[[4,4],[4,4]]",
    "[[-3,-5],[-6,-9]]",
    "[[-2000000,-3000000],[-4000000,-1500000]]",
    "[[1500000,2000000],[3000000,4000000]]",
    "[[[3,8],2],[4,[1,[7,0]]],6]",
)
"""Trees on which common mistakes show: one child, leaves at several depths, equal values, only
negative values, values beyond ±1,000,000."""
READS_PER_NODE = 20
"""The limit of a submission's reads: READS_PER_NODE for each node of the minimax tree, plus
EXTRA_READS."""
EXTRA_READS = 2_000
MIN_BOARD_NODES, MAX_BOARD_NODES = 30, 20_000
"""Nodes of the minimax tree of a question on a board."""
MAX_GOAL = 0.9
"""The most nodes of the model solution in a further question, as a share of alpha-beta's."""
MAX_TRIES = 200
TRAP_TRIES = 80
"""The most boards among which those are chosen on which a common mistake shows."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Question:
    """A call of an algorithm, on a position of a tree or of a game."""

    name: str
    position: Any
    depth: int
    heuristic: Heuristic
    function: str
    window: tuple[float, float] = (-inf, inf)
    """Alpha and beta in MAX's view."""
    takes_window: bool = False
    """Whether the function takes alpha and beta."""

    def __str__(self) -> str:
        return one_line(self.position)

    @property
    def arguments(self) -> tuple[float, ...]:
        """The arguments after the node."""
        return (self.depth, *self.window) if self.takes_window else (self.depth,)

    @property
    def call(self) -> str:
        """The call as a text."""
        return f"{self.function}({', '.join(map(str, ('node', *self.arguments)))}) on '{self}'"

    @property
    def sign(self) -> int:
        """1 if scores are in MAX's view, as always in trees, else −1: a score times it is in MAX's
        view."""
        is_tree = isinstance(self.position.game, ExplicitTree)
        return 1 if is_tree or self.position.side == FIRST else -1

    @cached_property
    def labels(self) -> dict[Path, str]:
        """The name of each node of a tree."""
        game = self.position.game
        return Quiz(game, algorithm="minimax").labels if isinstance(game, ExplicitTree) else {}

    def name_of(self, path: Path) -> str:
        """Return the name of a node for people: its name in a tree, the moves to it on a board."""
        if self.labels:
            return self.labels[path]
        position, texts = self.position, []
        for move in path:
            texts.append(move_text(position, move))
            position = position.play(move)
        return " ".join(texts) or "the root"

    def trace(self, algorithm: str, cut: Cut = "ge", bound: BoundStyle = "soft") -> Trace:
        """Return the right search under a convention."""
        return _traced(self, algorithm, cut, bound)

    @cached_property
    def values(self) -> dict[Any, float]:
        """The exact value of each child in MAX's view, by its move."""
        start, move_of = self.position, self.position.play
        return {move: value_of(self, move_of(move), self.depth - 1) for move in start.moves}

    @property
    def value(self) -> float:
        """The exact value in MAX's view."""
        return value_of(self, self.position, self.depth)


@lru_cache(maxsize=4_096)
def _traced(question: Question, algorithm: str, cut: Cut, bound: BoundStyle) -> Trace:
    options: dict[str, Any] = {}
    if algorithm == "alphabeta":
        ends = tuple(int(min(INFINITY, max(-INFINITY, end))) for end in question.window)
        window = ends if question.sign > 0 else (-ends[1], -ends[0])
        options = {"window": window, "cut": cut, "bound": bound}
    depth = question.depth
    return trace(question.position, algorithm, question.heuristic, depth=depth, **options)


def value_of(question: Question, position: Any, depth: int) -> float:
    """Return the minimax value at a depth in MAX's view."""
    if depth <= 0 or position.is_over:
        return value_in(position.game, question.heuristic.evaluate(position, FIRST))
    children = [value_of(question, position.play(each), depth - 1) for each in position.moves]
    return max(children) if position.side == FIRST else min(children)


class Watched:
    """A tree that answers a submission's questions about its nodes, and records them."""

    def __init__(self, question: Question, number: int = 0) -> None:
        self.question, self.number = question, number
        self.nodes: list[tuple[Any, Path]] = []
        self.visits: dict[Path, None] = {}
        """The visited nodes in order."""
        self.expanded: dict[Path, None] = {}
        """The nodes whose children were read."""
        self.evaluated: dict[Path, None] = {}
        """The nodes whose value was read."""
        self.revealed: dict[Path, tuple[Described, ...]] = {}
        self.keys: dict[Any, str] = {}
        self.names: dict[str, Path] = {}
        self.reads = 0
        self.most = READS_PER_NODE * question.trace("minimax").result.nodes + EXTRA_READS
        self.root = self._described(question.position, ())

    def _described(self, position: Any, path: Path) -> Described:
        """Return the description of a node, and let the submission read it from now on."""
        number, is_tree = len(self.nodes), bool(self.question.labels)
        self.nodes.append((position, path))
        name = self.question.labels[path] if is_tree else f"n{number}"
        key = self.keys.setdefault(position, f"{self.number}.{len(self.keys)}")
        self.names[name] = path
        return number, name, position.side == FIRST, key

    def read(self, asked: Any) -> Any:
        """Return the children or the value of a node, [number, what]. Raises Failed."""
        is_pair = isinstance(asked, list) and len(asked) == 2 and type(asked[0]) is int
        if not is_pair or not 0 <= asked[0] < len(self.nodes) or asked[1] not in (CHILDREN, VALUE):
            raise Failed("asked for an unknown node")
        self.reads += 1
        if self.reads > self.most:
            raise Failed(f"read nodes more than {self.most:,} times; does it stop at depth 0?")
        position, path = self.nodes[asked[0]]
        self.visits[path] = None
        if asked[1] == VALUE:
            self.evaluated[path] = None
            return self._value(position)
        self.expanded[path] = None
        if path not in self.revealed:
            moves = () if position.is_over else position.moves
            self.revealed[path] = tuple(
                self._described(position.play(each), (*path, each)) for each in moves
            )
        return self.revealed[path]

    def _value(self, position: Any) -> float | None:
        if isinstance(position, TreePosition) and position.node.value is None:
            return None
        question = self.question
        return value_in(position.game, question.heuristic.evaluate(position, FIRST))

    def local_read(self, number: int, what: str) -> Any:
        """Return the children or the value of a node, for code that runs in this process."""
        return self.read([number, what])

    @property
    def cutoffs(self) -> int:
        """The number of nodes with children of which some were never visited."""
        return sum(
            any((*path, self.nodes[child[0]][1][-1]) not in self.visits for child in children)
            for path, children in self.revealed.items()
            if children and len(path) < self.question.depth
        )

    def proven(self) -> tuple[float, float]:
        """Return the bounds of the root's value that follow from the nodes read.

        Equal positions count as one: reading one of them reveals all of them.
        """
        values, opened = set[Any](), set[Any]()
        for position, path in self.nodes:
            if path in self.evaluated:
                values.add(position)
            if path in self.expanded:
                opened.add(position)
        known: dict[tuple[Any, int], tuple[float, float]] = {}

        def bounds(position: Any, depth: int) -> tuple[float, float]:
            if (position, depth) in known:
                return known[position, depth]
            found: tuple[float, float] = -inf, inf
            if depth <= 0 or position.is_over:
                value = self._value(position) if position in values else None
                found = found if value is None else (value, value)
            elif position in opened:
                below = [bounds(position.play(each), depth - 1) for each in position.moves]
                best = max if position.side == FIRST else min
                found = best(low for low, _ in below), best(high for _, high in below)
            known[position, depth] = found
            return found

        return bounds(self.question.position, self.question.depth)


@dataclass(frozen=True, kw_only=True)
class Run:
    """The record of one call of a submission."""

    question: Question
    visits: tuple[Path, ...]
    leaves: tuple[Path, ...]
    """The nodes whose value was read, in order."""
    cutoffs: int
    proven: tuple[float, float]
    value: float | None = None
    move: Path | None = None
    """The path of the chosen child."""
    failure: Failed | None = None
    """Why there is no answer, None if there is one."""

    def expected(self, algorithm: str, convention: tuple[Cut, BoundStyle]) -> float:
        """Return the value that the right search returns, in MAX's view."""
        events = self.question.trace(algorithm, *convention).events
        ends = [each for each in events if isinstance(each, Return | Leaf) and not each.path]
        return self.question.sign * ends[-1].score

    def value_fault(self, algorithm: str, convention: tuple[Cut, BoundStyle]) -> str:
        """Return what is wrong with the value and the move, or an empty text."""
        if self.failure is not None:
            return f"{self.failure.reason}{self._unread()}"
        question, wanted = self.question, self.expected(algorithm, convention)
        is_open = question.window == (-inf, inf)
        (low, high), (alpha, beta) = self.proven, question.window
        if self.value is not None and self.value != wanted:
            text = f"{self.value:,}"
            text = text if len(text) <= MAX_DIGITS else f"{text[:MAX_DIGITS]}…"
            return f"returns {text}; expected {wanted:,}"
        if low != high and low < beta and high > alpha:
            return "answers without reading the leaves that prove the answer"
        if self.move is None:
            return "returns no move" if self.value is None else ""
        if is_open and (len(self.move) != 1 or question.values[self.move[0]] != question.value):
            best = [move for move, value in question.values.items() if value == question.value]
            names = " or ".join(question.name_of((move,)) for move in best)
            return f"chooses {question.name_of(self.move)}; expected {names}"
        return ""

    def _unread(self) -> str:
        """Return which inner node's value was read although the tree has none, or an empty text."""
        for path in self.leaves if self.question.labels else ():
            node = TreePosition(self.question.position.game, path).node
            if node.value is None:
                at, name = self.question.depth - len(path), self.question.name_of(path)
                return f"; it has read the value of {name}, which is not a leaf, at depth {at}"
        return ""

    def agrees(self, attempt: Attempt, takes_last: bool) -> bool:
        """Return whether a mistaken search has the same value, nodes and move."""
        if self.failure is not None and attempt.is_blind:  # where it ends depends on the program
            return len(self.visits) > 0 and self.visits == attempt.visits[: len(self.visits)]
        if (self.failure is not None) != attempt.has_failed or self.visits != attempt.visits:
            return False
        is_same = self.value is None or self.value == attempt.value
        moves = attempt.first, attempt.last
        return is_same and (self.move is None or self.move == moves[takes_last])

    def departure(self, algorithm: str, convention: tuple[Cut, BoundStyle]) -> Departure | None:
        """Return the first step at which the visits depart from the right search, or None."""
        traced = self.question.trace(algorithm, *convention)
        entered = [
            (at, each.path) for at, each in enumerate(traced.events) if isinstance(each, Enter)
        ]
        for step, (at, path) in enumerate(entered):
            found = self.visits[step] if step < len(self.visits) else None
            if found != path:
                return Departure(self, traced, step, at, path, found)
        if len(self.visits) > len(entered):
            step = len(entered)
            return Departure(self, traced, step, len(traced.events), None, self.visits[step])
        return None


@dataclass(frozen=True)
class Departure:
    """The first visit that differs from the right search."""

    run: Run
    traced: Trace
    step: int
    """The number of visits before it."""
    event: int
    """The number of the right search's events before it."""
    wanted: Path | None
    """The node that the right search visits, None at its end."""
    found: Path | None
    """The node that the submission visits, None at its end."""

    def __str__(self) -> str:
        question, number = self.run.question, self.step + 1
        name = question.name_of
        right = "ends" if self.wanted is None else f"visits {name(self.wanted)}"
        if self.found is None:
            return f"ends after {self.step} nodes; the right search then {right}"
        cut = self._cutoff(self.found)
        why = "" if cut is None else f"; {name(self.found)} is cut off: {cut}"
        return f"visits {name(self.found)} as node {number}; the right search {right}{why}"

    def _cutoff(self, path: Path) -> str | None:
        """Return the right search's cutoff that skips a node, in words."""
        sign = self.run.question.sign
        for event in self.traced.events[: self.event]:
            deep = len(event.path) + 1
            is_above = path[: deep - 1] == event.path and len(path) >= deep
            if isinstance(event, Cutoff) and is_above and path[deep - 1] in event.skipped:
                low, high = (event.alpha, event.beta) if sign > 0 else (-event.beta, -event.alpha)
                return f"alpha {low:,} and beta {high:,} at {self.run.question.name_of(event.path)}"
        return None


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """The record of a mistaken search."""

    visits: tuple[Path, ...]
    value: float | None = None
    first: Path | None = None
    last: Path | None = None
    """The first and the last of the best moves."""
    is_blind: bool = False
    """Whether it read a value that the tree does not have."""
    has_failed: bool = False
    """Whether it read nodes too often."""


@lru_cache(maxsize=16_384)
def attempt_of(question: Question, mistake: Mistake, kind: str, cut: str, bound: str) -> Attempt:
    """Return the record of a mistaken search for a question."""
    watched = Watched(question)
    root = Node(watched.local_read, *watched.root)
    try:
        found = run(
            mistake, root, *question.arguments, has_cuts=kind != "minimax", cut=cut, bound=bound
        )
    except (Failed, RecursionError):
        return Attempt(visits=tuple(watched.visits), has_failed=True)
    first, last = (each and watched.names[each.name] for each in (found.first, found.last))
    return Attempt(
        visits=tuple(watched.visits), value=found.value, first=first, last=last,
        is_blind=found.is_blind,
    )  # fmt: skip


MIN_VALUES = 5
"""The fewest wrong values that a mistake explains if only the values agree, not the nodes."""
MIN_TABLE = 2
"""The fewest wrong values that a table of bounds explains."""


def cause_of(runs: list[Run], kind: str, convention: Convention) -> tuple[str, float]:
    """Return the mistake that explains all searches of a submission, as a sentence, and the share
    of their points that it leaves; an empty text and 0 if none does.

    The mistake agrees in every search, or at least in every value.
    """
    is_wrong = {
        run.question: bool(run.value_fault(kind, convention) or run.departure(kind, convention))
        for run in runs
    }
    if not any(is_wrong.values()):
        return "", 0.0
    ordered = sorted(runs, key=lambda run: not is_wrong[run.question])
    known = [each for each in MISTAKES if kind != "minimax" or not each.has_windows]
    all_of = f"in {len(runs)} of {len(runs)} searches"
    name = {"alphabeta": "alpha-beta"}.get(kind, kind)
    found = [
        each
        for each in known
        if any(
            all(
                run.agrees(attempt_of(run.question, each, kind, *convention), last)
                for run in ordered
            )
            for last in (False, True)[each.takes_last :]
        )
    ]
    if found:
        return f"{all_of} it does what {name} does if it {_either(found)}", found[0].share
    wrong = [run for run in runs if run.value != run.expected(kind, convention)]
    if len(wrong) < MIN_VALUES or any(run.value is None for run in wrong):
        return "", 0.0
    found = [
        each
        for each in known
        if all(
            run.value == attempt_of(run.question, each, kind, *convention).value
            for run in (*wrong, *runs)
        )
    ]
    return f"{all_of} its value is that of {name} if it {_either(found)}" if found else "", 0.0


def _either(found: list[Mistake]) -> str:
    """Return what mistakes do, which no search tells apart."""
    return ", or ".join(dict.fromkeys(each.says for each in found))


def table_cause(runs: list[Run]) -> str:
    """Return what is wrong with a transposition table, or an empty text."""
    asked = [run for run in runs if run.question.function == "table"]
    wrong = [run for run in asked if run.value != run.question.value]
    if len(wrong) < MIN_TABLE or not all(
        run.value == attempt_of(run.question, BOUNDS_AS_VALUES, "table", "ge", "soft").value
        for run in asked
    ):
        return ""
    return f"in {len(asked)} of {len(asked)} searches its values are those of a program that " + (
        BOUNDS_AS_VALUES.says
    )


# The questions


@lru_cache(maxsize=8)
def questions_of(assignment: Assignment) -> tuple[Question, ...]:
    """Return the questions of an assignment, the same for the same seed."""
    options, rules = assignment.algorithm, assignment.rules
    takes_window = options.kind == "alphabeta"
    asked: list[Question] = []

    def ask(name: str, position: Any, depth: int, **more: Any) -> None:
        game = position.game
        usual = "estimate" if isinstance(game, ExplicitTree) else options.heuristic or None
        given = {"name": name, "position": position, "depth": depth}
        given |= {"function": assignment.function, "takes_window": takes_window} | more
        asked.append(Question(heuristic=find_heuristic(usual, game), **given))

    for number, text in enumerate(options.given, 1):
        tree = parse_tree(text)
        ask(f"given tree {number}", tree.start(), height_of(tree))
    for number, text in enumerate(EDGE_TREES if options.trees else (), 1):
        tree = parse_tree(text)
        ask(f"special tree {number}", tree.start(), height_of(tree))
    random = Random(f"{assignment.seed} algorithm")
    for number, quiz in enumerate(_trees(assignment, options.trees, "trees"), 1):
        ask(f"tree {number}", quiz.tree.start(), height_of(quiz.tree))
    if takes_window:
        for number, quiz in enumerate(_trees(assignment, options.windows, "windows"), 1):
            low = random.randint(-8, 5)
            window = low, low + random.randint(1, 6)
            ask(f"window {number}", quiz.tree.start(), height_of(quiz.tree), window=window)
    heuristic = find_heuristic(options.heuristic or None, rules)
    boards = _boards(rules, random, MAX_TRIES, assignment.depth)
    if takes_window:
        boards = _traps_first(boards, options.boards, LAST_OF_EQUAL, assignment.depth, heuristic)
    for position in islice(boards, options.boards):
        ask(f"board {str(position)!r}", position, assignment.depth)
    for name in options.further:
        before, more = len(asked), {"function": name, "takes_window": False}
        depth, number = options.further_depth, options.further_boards
        boards = _boards(rules, random, MAX_TRIES, depth)
        if name == "table":
            boards = _traps_first(boards, number, BOUNDS_AS_VALUES, depth, heuristic)
            number *= 2
        for position in boards:
            ask(f"{name} {str(position)!r}", position, depth, **more)
            if goal_of(asked[-1]) > MAX_GOAL * asked[-1].trace("alphabeta").result.nodes:
                asked.pop()
            if len(asked) - before == number:
                break
        if len(asked) - before < options.further_boards:
            raise OptionError(
                f"no {options.further_boards} positions of {rules.name!r} in which {name!r} helps "
                f"at depth {options.further_depth}; expected fewer, or another depth"
            )
    return tuple(asked)


def height_of(tree: ExplicitTree) -> int:
    """Return the plies from the root to the deepest leaf."""
    return max(map(len, tree._sides))


def _trees(assignment: Assignment, number: int, what: str) -> tuple[Quiz, ...]:
    """Return trees with cutoffs for alpha-beta, drawn by the assignment's seed."""
    if not number:
        return ()
    kind, depth = assignment.algorithm.kind, assignment.algorithm.tree_depth
    wanted = default_constraints(kind, depth=depth)
    return make_questions(f"{assignment.seed} {what}", number, wanted, algorithm=kind)


def _boards(rules: Game, random: Random, number: int, depth: int) -> Iterator[Any]:
    """Yield different positions from the first halves of random games, at most `number`.

    The minimax tree of each has MIN_BOARD_NODES to MAX_BOARD_NODES nodes.
    """
    found: dict[Any, None] = {}
    for _ in range(MAX_TRIES):
        if len(found) >= number:
            return
        game = [each for each in random_game(rules, random, MAX_TRIES) if not each.is_over]
        position = random.choice(game[: len(game) // 2 + 1])
        nodes = _nodes_below(position, depth, MAX_BOARD_NODES)
        if position not in found and MIN_BOARD_NODES <= nodes <= MAX_BOARD_NODES:
            found[position] = None
            yield position


@dataclass(frozen=True)
class _PlainNode:
    """A node of a board for the searches of this process, without a record."""

    position: Any
    heuristic: Heuristic

    @property
    def children(self) -> list[_PlainNode]:
        moves = () if self.position.is_over else self.position.moves
        return [_PlainNode(self.position.play(move), self.heuristic) for move in moves]

    @property
    def value(self) -> float:
        return value_in(self.position.game, self.heuristic.evaluate(self.position, FIRST))

    @property
    def is_max(self) -> bool:
        return bool(self.position.side == FIRST)

    @property
    def key(self) -> Any:
        return self.position


def _traps_first(
    positions: Iterator[Any], number: int, mistake: Mistake, depth: int, heuristic: Heuristic
) -> Iterator[Any]:
    """Yield `number` of the first TRAP_TRIES positions in which a mistaken alpha-beta has a wrong
    value or move, as far as there are so many; then the others."""
    others = []
    for position in islice(positions, TRAP_TRIES):
        root = _PlainNode(position, heuristic)
        found = run(mistake, root, depth)
        value = run(RIGHT, found.last, depth - 1).value if mistake.takes_last else found.value
        if number and value != run(RIGHT, root, depth).value:
            number -= 1
            yield position
        else:
            others.append(position)
        if not number:
            break
    yield from others
    yield from positions


def _nodes_below(position: Any, depth: int, most: int) -> int:
    """Return the number of nodes to a depth, or more than `most`."""
    nodes = 1
    for move in () if depth <= 0 or position.is_over else position.moves:
        if nodes > most:
            break
        nodes += _nodes_below(position.play(move), depth - 1, most)
    return nodes


# The judgement


def run_here(question: Question, function: Any) -> Run:
    """Return the record of an algorithm that is run in this process."""
    watched = Watched(question)
    try:
        answer = run_algorithm(
            function, Node(watched.local_read, *watched.root), question.arguments
        )
    except Failed as failure:
        return run_of(watched, {}, failure)
    return run_of(watched, answer)


def run_of(watched: Watched, answer: dict[str, Any], failure: Failed | None = None) -> Run:
    """Return the record of a run, with the answer checked."""
    value, move = answer.get("value"), answer.get("move")
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < inf
    if failure is None and not (is_number or (value is None and move is not None)):
        failure = Failed("gave an answer that cannot be read")
    is_known = move is None or (isinstance(move, str) and move in watched.names)
    if failure is None and not is_known:
        failure = Failed(f"chooses {str(move)[:40]!r}; expected a child of the node, or its name")
    return Run(
        question=watched.question,
        visits=tuple(watched.visits),
        leaves=tuple(watched.evaluated),
        cutoffs=watched.cutoffs,
        proven=watched.proven(),
        value=value if is_number else None,
        move=None if failure or move is None else watched.names[str(move)],
        failure=failure,
    )


def conventions_of(assignment: Assignment) -> list[Convention]:
    """Return the conventions that an assignment accepts, of a cut and of a bound."""
    options = assignment.algorithm
    cuts = get_args(Cut) if options.cut == "any" else (options.cut,)
    bounds = get_args(BoundStyle) if options.bound == "any" else (options.bound,)
    return list(product(cuts, bounds))


def judge_runs(runs: list[Run], assignment: Assignment) -> dict[str, Any]:
    """Return the judgement of all runs, by the accepted convention that fits them best."""
    kind, options = assignment.algorithm.kind, assignment.algorithm
    plain = [run for run in runs if run.question.function not in options.further]

    def right(convention: Convention) -> int:
        return sum(
            (not run.value_fault(kind, convention)) + (run.departure(kind, convention) is None)
            for run in plain
        )

    accepted = conventions_of(assignment)
    best = max(accepted, key=right)
    everywhere = list(product(get_args(Cut), get_args(BoundStyle)))
    fits = max(everywhere, key=right) if kind == "alphabeta" else best
    is_other = right(fits) == 2 * len(plain) > right(best)
    cause, kept = ("", 0.0) if is_other else cause_of(plain, kind, best)
    return {
        "convention": _words(best) if kind == "alphabeta" else "",
        "other": _words(fits) if is_other else "",
        "cause": cause,
        "kept": kept,
        "table_cause": table_cause(runs),
        "questions": [_judged(run, kind, best) for run in plain],
        "further": [
            _judged_further(run) for run in runs if run.question.function in options.further
        ],
    }


def _words(convention: Convention) -> str:
    cut, bound = convention
    return Conventions(cut=cut, bound=bound).describe(frozenset(("cut", "bound")))


def _judged(run: Run, kind: str, convention: Convention) -> dict[str, Any]:
    question = run.question
    departure = run.departure(kind, convention)
    right = question.trace(kind, *convention)
    cutoffs = [each for each in right.events if isinstance(each, Cutoff) and each.skipped]
    return {
        "name": question.name,
        "position": str(question),
        "call": question.call,
        "fault": run.value_fault(kind, convention),
        "departure": "" if departure is None else str(departure),
        "visits": [question.name_of(path) for path in run.visits[:MAX_SHOWN]],
        "leaves": [question.name_of(path) for path in run.leaves[:MAX_SHOWN]],
        "nodes": len(run.visits),
        "cutoffs": run.cutoffs,
        "pruned": _pruned(run),
        "expected_nodes": right.result.nodes,
        "expected_cutoffs": len(cutoffs),
        "expected_pruned": str(right.result.pruned or ""),
        "drawing": _drawing(departure),
    }


def _pruned(run: Run) -> str:
    """Return what a submission pruned of a tree, as results say it; empty for a board.

    A cutoff after the last child of a node cannot be seen from its visits.
    """
    position, depth = run.question.position, run.question.depth
    if not isinstance(position, TreePosition):
        return ""
    return str(pruned_of(position.node, depth, set(run.visits), run.cutoffs, 0))


MAX_DIGITS = 30
"""The most characters of a wrong value in a judgement."""
MAX_SHOWN = 200
"""Nodes listed in a judgement."""


def _drawing(departure: Departure | None) -> dict[str, Any] | None:
    """Return the data for drawing a departure: the right search's options, and its events up to
    there."""
    if departure is None:
        return None
    result = departure.traced.result
    return {
        "algorithm": result.algorithm,
        "heuristic": result.heuristic,
        "depth": departure.run.question.depth,
        "window": result.conventions.as_dict()["window"],
        "cut": result.conventions.cut,
        "bound": result.conventions.bound,
        "events": departure.event,
    }


def _judged_further(run: Run) -> dict[str, Any]:
    """Return the judgement of a search that may visit fewer nodes than alpha-beta."""
    question = run.question
    fault = run.value_fault("minimax", ("ge", "soft"))
    plain = question.trace("alphabeta").result.nodes
    goal = goal_of(question)
    saved = (plain - len(run.visits)) / max(1, plain - goal)
    return {
        "name": question.name,
        "position": str(question),
        "call": question.call,
        "fault": fault,
        "nodes": len(run.visits),
        "plain": plain,
        "goal": goal,
        "share": 0.0 if fault else min(1.0, max(0.0, saved)),
    }


SOLUTION = os.path.join(os.path.dirname(__file__), "assignments", "alphabeta", "solution.py")
"""The model solution, which sets the goals of the further functions."""


@lru_cache(maxsize=256)
def goal_of(question: Question) -> int:
    """Return the number of nodes that the model solution visits."""
    return len(run_here(question, model_solution(question.function)).visits)


@cache
def model_solution(name: str) -> Any:
    """Return a function of the model solution."""
    return load_named(f"{SOLUTION}:{name}", "algorithm", f"a function {name}")[1]
