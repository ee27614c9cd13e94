"""`Walk`: one search in progress, used by every reference algorithm.

A walk generates and orders moves, scores leaves, counts nodes, checks the limits, collects the
principal variation and the scores of the root moves, and sends events. Algorithms call it, and so
stay as short as in their papers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import index
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from plyscope.errors import HeuristicError, OptionError
from plyscope.randomness import GOLDEN, MIX_FIRST, MIX_SECOND, mix
from plyscope.rules.game import (
    FIRST,
    SECOND,
    bad_payoff,
    moves_at,
    quoted,
    require_no_return,
    side_at,
)
from plyscope.rules.tree import ExplicitTree, shares_of
from plyscope.rules.treetext import CHANCE, Value
from plyscope.searching.events import (
    Cutoff,
    Enter,
    Iteration,
    Leaf,
    Research,
    Return,
    TableHit,
    Watcher,
    WindowMoved,
)
from plyscope.searching.limit import NO_LIMIT, SearchStopped
from plyscope.searching.score import INFINITY, MAX_EVALUATION, MAX_PLY, WIN, Bound, bound_of, win_in
from plyscope.searching.table import UNKNOWN, Interval, Table, TableEntry

if TYPE_CHECKING:
    from plyscope.searching.algorithm import SearchRequest
    from plyscope.searching.result import Variation

Shared = TypeVar("Shared")
CLOCK_CHECK_NODES = 8
"""The number of nodes between two checks of the clock."""
CYCLE_CHECK_PLIES = 1_000
"""The ply at which a search without a depth limit checks whether the game repeats a position."""


class Node(NamedTuple):
    """A position reached in a search, and the moves from the root to it.

    `is_max` is true if the side in whose view the scores are is to move: the root's side, in an
    explicit tree MAX. In negamax form a score of this node times
    `sign` is in the view of its parent: −1 if the side to move has changed, 1 if it moves again.
    """

    position: Any
    path: tuple[Any, ...] = ()
    is_max: bool = True
    sign: int = 1

    @property
    def ply(self) -> int:
        """The number of moves from the root."""
        return len(self.path)

    @property
    def key(self) -> tuple[Any, int]:
        """The key of the node in tables."""
        return self.position, len(self.path)

    def window(self, alpha: int, beta: int) -> tuple[int, int]:
        """Return the parent's window (alpha, beta) in this node's view, in negamax form."""
        return (alpha, beta) if self.sign > 0 else (-beta, -alpha)


class Counts:
    """Nodes, leaves and cutoffs."""

    __slots__ = ("cutoffs", "leaves", "nodes")

    def __init__(self, nodes: int = 0, leaves: int = 0, cutoffs: int = 0) -> None:
        self.nodes, self.leaves, self.cutoffs = nodes, leaves, cutoffs


class Memory:
    """The objects that the passes of one search share, one of each class: a table, boards."""

    def __init__(self) -> None:
        self._objects: dict[type[Any], Any] = {}

    def of(self, kind: type[Shared], *arguments: Any) -> Shared:
        """Return the object of class `kind`, made as `kind(*arguments)` when it is first used."""
        found: Shared | None = self._objects.get(kind)
        if found is None:
            found = self._objects[kind] = kind(*arguments)
        return found


class Walk:
    """One pass of a search, to one depth.

    Earlier passes have visited `nodes_before` nodes and share `memory`. `pause` is a number of
    nodes, and a function that is called once after them. If the algorithm is in negamax form, its
    scores and windows are in the view of the side to move.
    """

    # set by the engine only: attributes are quicker in objects that have at most 30
    variations: tuple[Variation, ...] = ()
    stopped: str | None = None
    table_fill: float | None = None

    def __init__(
        self,
        request: SearchRequest,
        depth: int | None = None,
        *,
        deadline: float | None = None,
        nodes_before: int = 0,
        memory: Memory | None = None,
        watch: Watcher | None = None,
        pause: tuple[int, Callable[[Walk], int]] | None = None,
    ) -> None:
        # the request
        self.game, self.heuristic = request.game, request.heuristic
        self.limit = request.limit
        self.options, self.mover_view = request.options, request.algorithm.mover_view
        self.depth = MAX_PLY if depth is None else depth
        self.root, self.conventions = Node(request.position), request.conventions
        self.root_side = self.side(request.position)
        if isinstance(self.game, ExplicitTree):
            self.root = Node(request.position, is_max=self.root_side == FIRST)
            self.root_side = FIRST
            window = self._window_seen(self.root, *request.units_window)
            self.conventions = replace(self.conventions, window=window)
        self.deadline, self.watch = deadline, watch
        self._pause = (NO_LIMIT, _go_on) if pause is None else pause
        most = NO_LIMIT if self.limit.nodes is None else self.limit.nodes
        self._most_nodes = min(most, self._pause[0])
        self.memory = Memory() if memory is None else memory
        self.table: Any = self.memory.of(Table)
        self.is_scored = bool(getattr(self.game, "scored", False))
        # counts
        self.nodes = nodes_before
        self.at_root = Counts()
        self.below: dict[Any, Counts] = {}
        self.table_hits = self.researches = self.horizon_leaves = self.deepest = 0
        self.visited: set[tuple[int, ...]] | None = (
            set() if isinstance(self.game, ExplicitTree) else None
        )
        self.idle_cutoffs = 0  # of explicit trees, after the last child
        self.widths: list[set[int]] = []
        self.alternates = True
        self.leaf_plies: set[int] = set()
        # results
        self.values: dict[Any, tuple[float, Bound]] = {}
        self._pvs: list[tuple[Any, ...]] = [()]
        if self.conventions.scoring == "distance" and self.is_scored:
            raise OptionError(
                f"scoring 'distance' on {self.game.name!r}, whose leaves carry values; "
                "expected result or heuristic"
            )

    # The tree

    def is_leaf(self, node: Node, depth: int) -> bool:
        """Return whether `node` is a leaf: the game is over, or the horizon is reached."""
        return depth <= 0 or self.game.payoff(node.position) is not None

    def static(self, node: Node) -> int:
        """Return the static evaluation, or the score of a finished game, in the root's view."""
        return self._static(node, self.game.payoff(node.position))

    def _static(self, node: Node, payoff: Any) -> int:
        """Return the same of a node whose payoff is known."""
        scoring = self.conventions.scoring
        if payoff is None or scoring == "heuristic":
            value = self.evaluation(node)
            if not -WIN <= value <= WIN:
                raise HeuristicError(
                    f"heuristic {self.heuristic.name!r} gives {value} on "
                    f"{quoted(self.game, node.position)}; expected a number within ±{WIN:,}"
                )
            if scoring == "heuristic":
                return value
            return max(-MAX_EVALUATION, min(MAX_EVALUATION, value))
        value = self._payoff_value(node, payoff)
        if self.is_scored or not value:
            return value
        win = win_in(node.ply) if scoring == "distance" else WIN
        return win if value > 0 else -win

    def evaluation(self, node: Node) -> int:
        """Return the heuristic's value of `node`, in the root's view."""
        return self.heuristic.evaluate(node.position, self.root_side)

    def outcome(self, node: Node) -> int:
        """Return the payoff of a finished game, in the root's view."""
        return self._payoff_value(node, self.game.payoff(node.position))

    def _payoff_value(self, node: Node, payoff: Any) -> int:
        """Return the payoff in the root's view.

        Raises OptionError if it is no whole number, or too large for a window.
        """
        try:
            value = index(payoff)
        except TypeError:
            value = INFINITY
        if not -WIN <= value <= WIN:
            expected = f"a whole number within ±{WIN:,}"
            raise bad_payoff(self.game, node.position, payoff, expected)
        return -value if self.root_side else value

    def moves(self, node: Node, first: Any = None) -> Sequence[Any]:
        """Return the moves of `node` in the order of the conventions, after `first` if it is
        given."""
        moves = self._ordered_moves(node)
        if first is None:
            return moves
        index = list(moves).index(first)
        return [first, *moves[:index], *moves[index + 1 :]]

    def playable(self, node: Node) -> list[Any]:
        """Return the moves of a line game in generated order, even if the game is won."""
        return list(self.game.moves(node.position._replace(winner=None)))

    def _ordered_moves(self, node: Node) -> Sequence[Any]:
        """Return the moves of a node in the order of the conventions, and record their number for
        the uniform widths."""
        moves = self.game.moves(node.position) or moves_at(self.game, node.position)
        self.alternates &= node.is_max == (node.ply % 2 == 0)
        while len(self.widths) <= node.ply:
            self.widths.append(set())
        self.widths[node.ply].add(len(moves))
        order = self.conventions.order
        if order == "generated":
            return moves
        if order == "random":
            base = self.conventions.seed * GOLDEN + node.ply * MIX_FIRST
            numbers = [move if isinstance(move, int) else at for at, move in enumerate(moves)]
            ranked = [(mix(base + number * MIX_SECOND), at) for at, number in enumerate(numbers)]
            return [moves[at] for _, at in sorted(ranked)]
        sign = (1 if node.is_max else -1) * (-1 if order == "best" else 1)
        if isinstance(self.game, ExplicitTree) and (values := self.game.backed_up) is not None:
            path = node.position.path
            return sorted(moves, key=lambda move: sign * values[*path, move])
        return sorted(moves, key=lambda move: sign * self.static(self.child(node, move)))

    def child(self, node: Node, move: Any) -> Node:
        """Return the node after `move`."""
        position = self.game.play(node.position, move)
        is_max = self.side(position) == self.root_side
        return Node(position, (*node.path, move), is_max, 1 if is_max == node.is_max else -1)

    def side(self, position: Any) -> int:
        """Return the side to move; FIRST for a finished game without one."""
        side = self.game.side(position)
        if side in (FIRST, SECOND) or (side == CHANCE and isinstance(self.game, ExplicitTree)):
            return int(side)
        return side_at(self.game, position) if self.game.payoff(position) is None else FIRST

    def shares(self, node: Node) -> Sequence[Value]:
        """Return the probabilities of the children of a chance node, none for another node."""
        if self.side(node.position) != CHANCE:
            return ()
        return shares_of(node.position.node)

    def is_closed(self, alpha: int, beta: int) -> bool:
        """Return whether the window is closed, by the convention `cut`."""
        return alpha >= beta if self.conventions.cut == "ge" else alpha > beta

    def proves(self, score: int, alpha: int, beta: int) -> Bound:
        """Return the bound that `score` proves after a search within (alpha, beta)."""
        return bound_of(score, alpha, beta, self.conventions.closed)

    # Steps of the algorithm

    def enter(self, node: Node, depth: int, alpha: int = -INFINITY, beta: int = INFINITY) -> None:
        """Count a call of `node`; raise SearchStopped when a limit is reached."""
        self.nodes += 1
        if self.nodes > self._most_nodes:
            self._reach()
        deadline = self.deadline
        if (
            deadline is not None
            and self.nodes % CLOCK_CHECK_NODES == 0
            and perf_counter() >= deadline
        ):
            raise SearchStopped("seconds")
        ply = len(node.path)
        if ply == CYCLE_CHECK_PLIES and self.limit.depth is None:
            require_no_return(self.game, self.root.position, node.path)
        self._counts(node).nodes += 1
        if self.visited is not None:
            self.visited.add(node.path)
        if ply > self.deepest:
            self.deepest = ply
        while len(self._pvs) <= ply + 1:
            self._pvs.append(())
        self._pvs[ply] = ()
        if self.watch is not None:
            low, high = self._window_seen(node, alpha, beta)
            left = None if depth > MAX_PLY // 2 else depth
            self.watch(Enter(node.path, left, low, high, node.is_max))

    def _reach(self) -> None:
        """Call the pause function, which returns when to pause again, or raise SearchStopped at the
        node limit."""
        limit = self.limit.nodes
        if limit is not None and self.nodes > limit:
            self.nodes -= 1
            raise SearchStopped("nodes")
        self._most_nodes = min(NO_LIMIT if limit is None else limit, self._pause[1](self))

    def leaf(self, node: Node) -> int:
        """Count a leaf and return its score."""
        payoff = self.game.payoff(node.position)
        score, is_horizon = self._static(node, payoff), payoff is None
        self._counts(node).leaves += 1
        self.leaf_plies.add(node.ply)
        self.horizon_leaves += is_horizon
        if self.watch is not None:
            self.watch(Leaf(node.path, score, is_horizon))
        return score if node.is_max or not self.mover_view else -score

    def searched(self, node: Node, move: Any, score: int, alpha: int, beta: int) -> None:
        """Store the score of a root move that was searched within (alpha, beta)."""
        if not node.path:
            bound = self.proves(score, alpha, beta)
            if self.mover_view and not node.is_max:
                score, bound = -score, bound.turned()
            self.values[move] = (score, bound)

    def lift(self, node: Node, move: Any) -> None:
        """Take `move` back: nothing to do here, since each node has its own position."""

    def improve(self, node: Node, move: Any) -> None:
        """Make `move` and the variation below it the principal variation of `node`."""
        self._pvs[node.ply] = (move, *self._pvs[node.ply + 1])

    def raised(self, node: Node, move: Any, before: int, after: int) -> None:
        """Record that the score of `move` moved alpha, at MAX nodes and in negamax form, or beta,
        at MIN nodes."""
        self.improve(node, move)
        if self.watch is not None:
            sign = -1 if self.mover_view and not node.is_max else 1
            which = "alpha" if node.is_max else "beta"
            self.watch(WindowMoved(node.path, which, sign * before, sign * after, move))

    def cutoff(self, node: Node, moves: Sequence[Any], move: Any, alpha: int, beta: int) -> None:
        """Count a cutoff after `move`: the window of `node` is closed."""
        self._counts(node).cutoffs += 1
        if self.visited is not None and list(moves)[-1] == move:
            self.idle_cutoffs += 1
        if self.watch is not None:
            low, high = self._window_seen(node, alpha, beta)
            skipped = tuple(moves)[list(moves).index(move) + 1 :]
            which = "beta" if node.is_max else "alpha"
            self.watch(Cutoff(node.path, which, low, high, move, skipped))

    def leave(self, node: Node, score: int, alpha: int, beta: int) -> int:
        """Return the score of `node` for the window (alpha, beta), limited to it if fail-hard."""
        if self.conventions.bound == "hard":
            score = max(alpha, min(beta, score))
        if self.watch is not None:
            seen, bound = score, self.proves(score, alpha, beta)
            if self.mover_view and not node.is_max:
                seen, bound = -score, bound.turned()
            self.watch(Return(node.path, seen, bound))
        return score

    def table_hit(self, node: Node, score: int, bound: Bound) -> None:
        """Count a hit of the transposition table; `score` is in the algorithm's view."""
        self.table_hits += 1
        if self.watch is not None:
            if self.mover_view and not node.is_max:
                score, bound = -score, bound.turned()
            self.watch(TableHit(node.path, score, bound))

    def recall(self, node: Node) -> TableEntry:
        """Return the table entry of `node`, UNKNOWN if there is none."""
        entry: TableEntry = self.table.get(node.key, UNKNOWN)
        return entry

    def remember(
        self, node: Node, depth: int, score: int, bound: Bound = Bound.EXACT, move: Any = None
    ) -> None:
        """Store the result of a search of `node` to `depth`, and its best move."""
        self.table[node.key] = TableEntry(depth, score, bound, move)

    def recall_interval(self, node: Node, depth: int) -> Interval:
        """Return the proven interval of the value of `node` at `depth`."""
        interval: Interval = self.table.get((*node.key, depth), Interval())
        return interval

    def remember_interval(self, node: Node, depth: int, lower: int, upper: int) -> None:
        """Store the proven interval of the value of `node` at `depth`."""
        self.table[*node.key, depth] = Interval(lower, upper)

    def research(self, node: Node, alpha: int, beta: int) -> None:
        """Count a second search of `node`, with the window (alpha, beta) in the node's view."""
        self.researches += 1
        if self.watch is not None:
            self.watch(Research(node.path, *self._window_seen(node, alpha, beta)))

    def iteration(self, number: int, depth: int | None = None, guess: int | None = None) -> None:
        """Send the event that a new pass from the root begins."""
        if self.watch is not None:
            self.watch(Iteration((), number, depth, guess))

    def _counts(self, node: Node) -> Counts:
        """Return the counts of the root move that leads to `node`."""
        if not node.path:
            return self.at_root
        counts = self.below.get(node.path[0])
        if counts is None:
            counts = self.below[node.path[0]] = Counts()
        return counts

    def _window_seen(self, node: Node, alpha: int, beta: int) -> tuple[int, int]:
        return (-beta, -alpha) if self.mover_view and not node.is_max else (alpha, beta)

    # Results

    @property
    def root_window(self) -> tuple[int, int]:
        """The window at the root, in the root's view."""
        return self._window_seen(self.root, *self.conventions.window)

    @property
    def pv(self) -> tuple[Any, ...]:
        """The principal variation found so far."""
        return self._pvs[0]

    @pv.setter
    def pv(self, variation: tuple[Any, ...]) -> None:
        self._pvs[0] = variation

    def uniform_widths(self) -> tuple[int, ...] | None:
        """Return the number of children at each ply, None if the tree is not uniform.

        A tree is uniform if this number is the same for all nodes of a ply, sides alternate, and
        all leaves have the same ply.
        """
        if not self.alternates or len(self.leaf_plies) != 1:
            return None
        if any(len(widths) != 1 for widths in self.widths):
            return None
        return tuple(next(iter(widths)) for widths in self.widths)


def _go_on(walk: Walk) -> int:
    """Do nothing at a pause."""
    return NO_LIMIT
