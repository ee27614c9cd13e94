"""`LineWalk`: the counterpart of `Walk` for reference algorithms compiled for line games.

Its methods have the names and the meaning of those of `Walk`, but send no events. `child` places a
stone and `searched` lifts it. If all moves of a node lead to leaves, the algorithm sees the node as
a leaf, and one loop scores its moves.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from plyscope.searching.conventions import CHOICES
from plyscope.searching.limit import SearchStopped
from plyscope.searching.reference import (
    accumulating,
    alphabeta,
    iterative_deepening,
    minimax,
    mtdf,
    negamax,
    pvs,
)
from plyscope.searching.score import INFINITY
from plyscope_fast.machine.block import Listed, Record, Words
from plyscope_fast.machine.kernel import text
from plyscope_fast.searching.bitboards import completing, last_moves, list_playable
from plyscope_fast.searching.board import (
    EXACT,
    LOWER,
    UPPER,
    count_root,
    decides,
    enter,
    frontier,
    generate,
    has_room,
    improve,
    is_closed,
    leaf,
    lift,
    list_moves,
    move_up,
    moves_of,
    note_root,
    place,
    proves,
    static_evaluation,
    within,
)
from plyscope_fast.searching.layout import CompiledBoard, Root, movers_of, zeros
from plyscope_fast.searching.table import (
    NO_DATA,
    CompiledTable,
    PackedEntry,
    PackedInterval,
    find,
    key_of,
    store,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from plyscope.evaluation.heuristic import Heuristic
    from plyscope.rules.position import Position
    from plyscope.searching.conventions import Conventions
    from plyscope.searching.walk import Walk
    from plyscope_fast.searching.run import Runner

NODE_BY_NODE, ONCE, TWICE = range(3)
"""The ways to search the last ply: node by node, if a table stores leaves too; otherwise in one
loop, which counts a later move that scores within the window once, or twice (PVS)."""
HAS_LINE, IS_MAX, IS_TURNED = 1, 2, 4
"""The flags of a node: the last move completed a line; the root's side is to move; the side to move
has changed."""


class RootWindow(Record):
    """The value of the convention `root`, as an index into `words`."""

    words = CHOICES["root"]
    number: int


class Passing(Record):
    """The value of the convention `cutoffs`, as an index into `words`."""

    words = CHOICES["cutoffs"]
    number: int


class CompiledConventions(Record):
    """The conventions that algorithms read."""

    root: RootWindow
    cutoffs: Passing
    window: tuple[int, int]


class LineNode(Record):
    """A node: `walk.Node` without its position, which is on the board."""

    ply: int
    flags: int  # HAS_LINE, IS_MAX, IS_TURNED

    @property
    def path(self) -> bool:
        """Whether the node is not the root."""
        return self.ply > 0

    @property
    def has_line(self) -> bool:
        """Whether the last move completed a line."""
        return self.flags & HAS_LINE != 0

    @property
    def is_max(self) -> bool:
        """Whether the root's side is to move."""
        return self.flags & IS_MAX != 0

    @property
    def sign(self) -> int:
        """The factor of a score for the view of the parent."""
        return -1 if self.flags & IS_TURNED != 0 else 1

    def window(self, alpha: int, beta: int) -> tuple[int, int]:
        """Return the parent's window in this node's view, in negamax form."""
        return (alpha, beta) if self.sign > 0 else (-beta, -alpha)


class CompiledEntry(Record):
    """The table entry of a node; its depth is −1 if there is none."""

    depth: int
    score: int
    bound: int
    move: Any  # of line games the cell, −1 for none

    def decides(self, alpha: int, beta: int) -> bool:
        """Return whether the entry makes a search within the window unnecessary."""
        return decides(self.score, self.bound, alpha, beta)


class CompiledInterval(Record):
    """The proven bounds of the value of a node."""

    lower: int
    upper: int

    def proves(self, end: int) -> int:
        """Return the bound that `end`, an end of the interval, proves as a score."""
        return EXACT if self.lower == self.upper else LOWER if end == self.lower else UPPER


class LineWalk(CompiledBoard):
    """One pass of a search of a line game, to one depth.

    Algorithms are compiled with two constants: `mover_view`, and `last_ply`, which is NODE_BY_NODE,
    ONCE or TWICE.
    """

    records: ClassVar[Any] = (
        *(LineNode, CompiledConventions, RootWindow, Passing, CompiledEntry, CompiledInterval),
    )
    """The records that algorithms receive."""

    mover_view: ClassVar[bool]
    last_ply: ClassVar[int]

    # changed
    alpha: int  # the window of the last node entered
    beta: int
    ends_below: bool  # all moves of that node lead to leaves
    totals: Words  # [plies]  `total` before the move
    flags: Words  # [plies]  IS_MAX and IS_TURNED of the nodes at the ply
    wins: Words  # [plies]  the cells that complete a line of the mover (in_registers)
    table: CompiledTable
    open_move: int  # the root move whose cost is being counted, + 1; 0 for none

    # set once
    depth: int
    low: int  # the window of the root
    high: int

    def _more(
        self, position: Position, heuristic: Heuristic, conventions: Conventions, depth: int
    ) -> dict[str, Any]:
        plies = position.game.size + 2
        movers = movers_of(position, plies)
        flags = [
            (0 if mover else IS_MAX) | (IS_TURNED if mover != before else 0)
            for before, mover in pairwise([0, *movers])
        ]
        low, high = conventions.window
        limits = {"depth": depth, "low": low, "high": high}
        return {"totals": zeros(plies), "wins": zeros(plies), "flags": flags, **limits}

    def settle(self) -> None:
        """Finish the count of the root move in which the search was stopped."""
        if self.open_move:
            move: Root = self.root_moves[self.open_move - 1]
            move.nodes += self.nodes
            move.leaves += self.leaves
            move.cutoffs += self.cutoffs
            self.open_move = 0

    # The tree

    @property
    def root(self) -> Any:
        """The root, as a node."""
        return LineNode(0, IS_MAX)

    @property
    def conventions(self) -> Any:
        """The conventions that algorithms read."""
        root, passing = 1 if self.is_open else 0, 1 if self.is_shallow else 0
        return CompiledConventions(RootWindow(root), Passing(passing), (self.low, self.high))

    @property
    def only_stones(self) -> bool:
        """Whether a move changes only the stones (`bitboards`), since the key is not used."""
        return self.last_ply != NODE_BY_NODE and self.in_registers

    def is_leaf(self, node: Any, depth: int) -> bool:
        """Return whether `node` is a leaf for the algorithm."""
        if self.last_ply == NODE_BY_NODE:
            return depth <= 0 or node.has_line or self.empty == 0
        if depth <= 0 or node.has_line or self.empty == 0:
            self.ends_below = False
            return True
        is_last = (depth == 1 or self.empty == 1) and node.ply > 0
        self.ends_below = is_last and has_room(self, self.empty)
        return self.ends_below

    def leaf(self, node: Any) -> int:
        """Count a leaf and return its score; of a node above leaves, count them and return the best
        score."""
        is_turned = not self.mover_view and not node.is_max
        if self.last_ply != NODE_BY_NODE and self.ends_below:
            low, high = (-self.beta, -self.alpha) if is_turned else (self.alpha, self.beta)
            score = within(self, self.last(node.ply, low, high), low, high)
            return -score if is_turned else score
        score = leaf(self, node.ply, node.has_line)
        return -score if self.mover_view and not node.is_max else score

    def last(self, ply: int, alpha: int, beta: int) -> int:
        """Return the score, for its side to move, of a node whose moves all lead to leaves."""
        again = self.last_ply == TWICE
        if self.only_stones:
            return last_moves(self, ply, self.wins[ply], alpha, beta, again)
        return frontier(self, ply, generate(self, ply), alpha, beta, again)

    def evaluation(self, node: Any) -> int:
        """Return the heuristic's value of `node`, in the root's view."""
        return static_evaluation(self, node.ply, self.total, self.empty)

    def outcome(self, node: Any) -> int:
        """Return 1, 0 or −1 for a finished game, in the root's view."""
        if not node.has_line:
            return 0
        return 1 if (self.movers[node.ply - 1] == 0) != self.misere else -1

    def playable(self, node: Any) -> Any:
        """Return the moves of `node` in the game's order."""
        return Listed(moves_of(self, node.ply), list_moves(self, node.ply))

    def moves(self, node: Any, first: int = -1) -> Any:
        """Return the moves of `node` in the order of the conventions, after `first` if it is
        given."""
        ply = node.ply
        if self.only_stones:
            if ply == 0:
                self.wins[0] = completing(self, self.stones[0])
            self.wins[ply + 1] = completing(self, self.stones[self.movers[ply + 1]])
            return Listed(moves_of(self, ply), list_playable(self, ply))
        count = generate(self, ply)
        if first >= 0:
            move_up(self, ply, first)
        return Listed(moves_of(self, ply), count)

    def child(self, node: Any, move: int) -> Any:
        """Place `move` and return the node after it."""
        ply = node.ply
        if ply == 0:
            count_root(self, move, -1)
            self.open_move = move + 1
        mover = self.movers[ply]
        if self.only_stones:
            self.stones[mover] ^= 1 << move
            self.empty -= 1
            has_line = (self.wins[ply] >> move) & 1 != 0
        else:
            self.totals[ply] = self.total
            has_line = place(self, move, mover)
        return LineNode(ply + 1, self.flags[ply + 1] | (HAS_LINE if has_line else 0))

    def is_closed(self, alpha: int, beta: int) -> bool:
        """Return whether the window is closed, by the convention `cut`."""
        return is_closed(self, alpha, beta)

    # Steps of the algorithm

    def enter(self, node: Any, depth: int, alpha: int = -INFINITY, beta: int = INFINITY) -> None:
        """Count a call of `node`; raise SearchStopped when a limit is reached."""
        if not enter(self, node.ply):
            raise SearchStopped("see board.stopped")
        if self.last_ply != NODE_BY_NODE:
            self.alpha, self.beta = alpha, beta

    def searched(self, node: Any, move: int, score: int, alpha: int, beta: int) -> None:
        """Lift the stone of `move`; at the root store its score within (alpha, beta)."""
        self.lift(node, move)
        note_root(self, node.ply, move, score, alpha, beta)

    def lift(self, node: Any, move: int) -> None:
        """Lift the stone of `move`."""
        ply = node.ply
        if self.only_stones:
            self.stones[self.movers[ply]] ^= 1 << move
            self.empty += 1
        else:
            lift(self, move, self.movers[ply], self.totals[ply])
        if ply == 0:
            count_root(self, move, 1)
            self.open_move = 0

    def improve(self, node: Any, move: int) -> None:
        """Make `move` and the variation below it the principal variation of `node`."""
        improve(self, node.ply, move)

    def raised(self, node: Any, move: int, before: int, after: int) -> None:
        """Record that the score of `move` moved an end of the window."""
        improve(self, node.ply, move)

    def cutoff(self, node: Any, moves: Any, move: int, alpha: int, beta: int) -> None:
        """Count a cutoff."""
        self.cutoffs += 1

    def leave(self, node: Any, score: int, alpha: int, beta: int) -> int:
        """Return the score of `node`, limited to the window if fail-hard."""
        return within(self, score, alpha, beta)

    def proves(self, score: int, alpha: int, beta: int) -> int:
        """Return the bound that `score` proves after a search within (alpha, beta)."""
        return proves(score, alpha, beta)

    def recall(self, node: Any) -> Any:
        """Return the table's entry of `node`."""
        data = find(self.table, key_of(self, node.ply, 0))
        entry = PackedEntry.of(data)
        depth = entry.depth if data != NO_DATA else -1
        return CompiledEntry(depth, entry.score, entry.bound, entry.move - 1)

    def remember(
        self, node: Any, depth: int, score: int, bound: int = EXACT, move: int = -1
    ) -> None:
        """Store the result of a search of `node` to `depth`, and its best move."""
        entry = PackedEntry(bound=bound, depth=depth, move=move + 1, score=score)
        store(self, self.table, key_of(self, node.ply, 0), entry.word)

    def recall_interval(self, node: Any, depth: int) -> Any:
        """Return the proven bounds of the value of `node` at `depth`."""
        data = find(self.table, key_of(self, node.ply, depth))
        interval = PackedInterval.of(data)
        if data == NO_DATA:
            return CompiledInterval(-INFINITY, INFINITY)
        return CompiledInterval(interval.lower, interval.upper)

    def remember_interval(self, node: Any, depth: int, lower: int, upper: int) -> None:
        """Store the proven bounds of the value of `node` at `depth`."""
        interval = PackedInterval(lower=lower, upper=upper)
        store(self, self.table, key_of(self, node.ply, depth), interval.word)

    def table_hit(self, node: Any, score: int, bound: int) -> None:
        """Count a hit of the table."""
        self.table_hits += 1

    def research(self, node: Any, alpha: int, beta: int) -> None:
        """Count a second search of `node`."""
        self.researches += 1


class Text:
    """A compiled form made from the source of a reference algorithm.

    The Python function `drive(walk, run)` calls `run` to run `function`, which is compiled.
    """

    def __init__(
        self,
        function: Callable[..., int],
        mover_view: bool,
        last_ply: int,
        drive: Callable[..., float] = lambda walk, run: run(walk),
    ) -> None:
        self.function, self.drive, self.has_table = function, drive, last_ply == NODE_BY_NODE
        self.entry = text(function, LineWalk, mover_view=mover_view, last_ply=last_ply)
        self.ENTRIES = (self.entry, find) if self.has_table else (self.entry,)

    def search(self, walk: Walk, runner: Runner) -> float:
        """Run the search of `walk` and return the value."""
        board = runner.board = runner.new_board(LineWalk)
        if self.has_table:
            walk.table = board.table = walk.memory.of(CompiledTable)
        return self.drive(walk, lambda walk, *numbers: int(runner.call(self.entry, *numbers)))


TEXTS = {
    "minimax": Text(minimax.search, False, ONCE),
    "negamax": Text(negamax.search, True, ONCE),
    "alphabeta": Text(alphabeta.search, False, ONCE),
    "pvs": Text(pvs.search, True, TWICE),
    "mtdf": Text(mtdf.null_window, False, NODE_BY_NODE, mtdf.search),
    "iterative-deepening": Text(
        iterative_deepening.search_root, True, NODE_BY_NODE, iterative_deepening.search
    ),
    "accumulating": Text(accumulating.score_moves, False, NODE_BY_NODE, accumulating.search),
}
"""The algorithms that are compiled from their reference form, by name."""
