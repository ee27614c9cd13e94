"""`LineWalk`: what `Walk` is to the reference algorithms in Python, where their own text is
compiled for line games.

Its methods have the names and the meaning of `Walk`'s, but for those that tell events: nobody
watches here. `child` places a stone and `searched` lifts it. Where all moves of a node lead to
leaves, the node itself is a leaf to the text: they are searched in one loop.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from plyscope.machine.block import Listed, Record, Words
from plyscope.machine.kernel import Kernel, text
from plyscope.searching.compiled.bitboards import completing, last_moves, list_playable
from plyscope.searching.compiled.board import (
    count_root,
    enter,
    frontier,
    generate,
    has_room,
    improve,
    is_closed,
    leaf,
    lift,
    moves_of,
    note_root,
    place,
    within,
)
from plyscope.searching.compiled.layout import CompiledBoard, Root, movers_of, zeros
from plyscope.searching.conventions import CHOICES
from plyscope.searching.limit import SearchStopped
from plyscope.searching.reference import alphabeta, minimax, negamax, pvs
from plyscope.searching.score import INFINITY

if TYPE_CHECKING:
    from plyscope.evaluation.heuristic import Heuristic
    from plyscope.rules.position import Position
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.conventions import Conventions
    from plyscope.searching.walk import Walk

NODE_BY_NODE, ONCE, TWICE = range(3)
"""How often the text searches a move of the last ply that is better than the first, and within the
window: once, or twice (PVS). Node by node where a table keeps leaves too."""
HAS_LINE, IS_MAX, IS_TURNED = 1, 2, 4
"""What is said of a node: the last move completed a line, the root's side is to move, another side
than before."""


class RootWindow(Record):
    """The convention `root`, which is equal to one of its words."""

    words = CHOICES["root"]
    number: int


class Passing(Record):
    """The convention `cutoffs`."""

    words = CHOICES["cutoffs"]
    number: int


class CompiledConventions(Record):
    """The conventions that algorithms read themselves."""

    root: RootWindow
    cutoffs: Passing
    window: tuple[int, int]


class LineNode(Record):
    """A node: `reference.Node` without its position, which the board shows."""

    ply: int
    flags: int  # HAS_LINE, IS_MAX, IS_TURNED

    @property
    def path(self) -> bool:
        """Whether it is not the root."""
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
        """What turns a score to the view of the node before."""
        return -1 if self.flags & IS_TURNED != 0 else 1

    def window(self, alpha: int, beta: int) -> tuple[int, int]:
        """Return the parent's window in this node's view, in negamax form."""
        return (alpha, beta) if self.sign > 0 else (-beta, -alpha)


class LineWalk(CompiledBoard):
    """One pass of a search of a line game, to one depth.

    Text is compiled with two constants: `mover_view`, and `last_ply`, which is NODE_BY_NODE, ONCE
    or TWICE.
    """

    records: ClassVar[Any] = (LineNode, CompiledConventions, RootWindow, Passing)
    """What the text is handed beside numbers."""

    mover_view: ClassVar[bool]
    last_ply: ClassVar[int]

    # changed
    alpha: int  # the window that the last node was entered with
    beta: int
    ends_below: bool  # all moves of that node lead to leaves
    totals: Words  # [plies]  `total` before the move
    flags: Words  # [plies]  IS_MAX and IS_TURNED of the nodes there
    wins: Words  # [plies]  the cells that complete a line of the mover (in_registers)
    open_move: int  # of the root, whose cost is being counted, + 1; 0 for none

    # set once
    depth: int
    low: int  # the window of the root
    high: int

    def __init__(
        self,
        position: Position,
        heuristic: Heuristic,
        conventions: Conventions,
        depth: int,
        node_limit: int,
        function: int = 0,
    ) -> None:
        super().__init__(position, heuristic, conventions, depth, node_limit, function)
        self.depth, (self.low, self.high) = depth, conventions.window

    def _more(self, position: Position, heuristic: Heuristic) -> dict[str, Any]:
        plies = position.game.size + 2
        movers = movers_of(position, plies)
        flags = [
            (0 if mover else IS_MAX) | (IS_TURNED if mover != before else 0)
            for before, mover in pairwise([0, *movers])
        ]
        return {"totals": zeros(plies), "wins": zeros(plies), "flags": flags}

    def settle(self) -> None:
        """Finish the count of a move of the root within which the search was stopped."""
        if self.open_move:
            move: Root = self.root_moves[self.open_move - 1]
            move.nodes += self.nodes
            move.leaves += self.leaves
            move.cutoffs += self.cutoffs
            self.open_move = 0

    # What the search stands on

    @property
    def root(self) -> Any:
        """The root."""
        return LineNode(0, IS_MAX)

    @property
    def conventions(self) -> Any:
        """The conventions."""
        root, passing = 1 if self.is_open else 0, 1 if self.is_shallow else 0
        return CompiledConventions(RootWindow(root), Passing(passing), (self.low, self.high))

    def is_leaf(self, node: Any, depth: int) -> bool:
        """Whether `node` is not searched further by the text."""
        if depth <= 0 or node.has_line or self.empty == 0:
            self.ends_below = False
            return True
        is_last = (depth == 1 or self.empty == 1) and node.ply > 0
        is_last = is_last and self.last_ply != NODE_BY_NODE
        self.ends_below = is_last and has_room(self, self.empty)
        return self.ends_below

    def leaf(self, node: Any) -> int:
        """Count a leaf and return its score; that of a node all whose moves lead to leaves, which
        are counted."""
        is_turned = not self.mover_view and not node.is_max
        if self.ends_below:
            low, high = (-self.beta, -self.alpha) if is_turned else (self.alpha, self.beta)
            score = within(self, self.last(node.ply, low, high), low, high)
            return -score if is_turned else score
        score = leaf(self, node.ply, node.has_line)
        return -score if self.mover_view and not node.is_max else score

    def last(self, ply: int, alpha: int, beta: int) -> int:
        """Return the score, for its side to move, of a node all whose moves lead to leaves."""
        again = self.last_ply == TWICE
        if self.in_registers:
            return last_moves(self, ply, self.wins[ply], alpha, beta, again)
        return frontier(self, ply, generate(self, ply), alpha, beta, again)

    def moves(self, node: Any) -> Any:
        """Return the moves of `node` in the order of the conventions."""
        ply = node.ply
        if self.in_registers:
            if ply == 0:
                self.wins[0] = completing(self, self.stones[0])
            self.wins[ply + 1] = completing(self, self.stones[self.movers[ply + 1]])
            return Listed(moves_of(self, ply), list_playable(self, ply))
        count = generate(self, ply)
        return Listed(moves_of(self, ply), count)

    def child(self, node: Any, move: int) -> Any:
        """Return the node after `move`, which is placed."""
        ply = node.ply
        if ply == 0:
            count_root(self, move, -1)
            self.open_move = move + 1
        mover = self.movers[ply]
        if self.in_registers:
            self.stones[mover] ^= 1 << move  # nobody asks for the key
            self.empty -= 1
            has_line = (self.wins[ply] >> move) & 1 != 0
        else:
            self.totals[ply] = self.total
            has_line = place(self, move, mover)
        return LineNode(ply + 1, self.flags[ply + 1] | (HAS_LINE if has_line else 0))

    def is_closed(self, alpha: int, beta: int) -> bool:
        """Whether the window leaves nothing to find, by the convention of the cut."""
        return is_closed(self, alpha, beta)

    # What the algorithm does

    def enter(self, node: Any, depth: int, alpha: int = -INFINITY, beta: int = INFINITY) -> None:
        """Count a call of `node`; raise SearchStopped when a limit is reached."""
        if not enter(self, node.ply):
            raise SearchStopped("the board says why")
        self.alpha, self.beta = alpha, beta

    def searched(self, node: Any, move: int, score: int, alpha: int, beta: int) -> None:
        """Lift the stone of `move`; note, at the root, what it was worth within (alpha, beta)."""
        ply = node.ply
        if self.in_registers:
            self.stones[self.movers[ply]] ^= 1 << move
            self.empty += 1
        else:
            lift(self, move, self.movers[ply], self.totals[ply])
        if ply == 0:
            count_root(self, move, 1)
            self.open_move = 0
            note_root(self, ply, move, score, alpha, beta)

    def improve(self, node: Any, move: int) -> None:
        """Make `move` and the variation below it the principal variation of `node`."""
        improve(self, node.ply, move)

    def raised(self, node: Any, move: int, before: int, after: int) -> None:
        """Note that the score of `move` moved an end of the window."""
        improve(self, node.ply, move)

    def cutoff(self, node: Any, moves: Any, move: int, alpha: int, beta: int) -> None:
        """Count a cutoff."""
        self.cutoffs += 1

    def leave(self, node: Any, score: int, alpha: int, beta: int) -> int:
        """Return the score of `node`, brought within the window when fail-hard."""
        return within(self, score, alpha, beta)

    def research(self, node: Any, alpha: int, beta: int) -> None:
        """Count a second search of `node`."""
        self.researches += 1


class Text:
    """A reference algorithm's own text as its compiled form."""

    def __init__(self, reference: Any, mover_view: bool, last_ply: int) -> None:
        self.entry = text(reference.search, LineWalk, mover_view=mover_view, last_ply=last_ply)

    @property
    def ENTRIES(self) -> tuple[Kernel, ...]:
        """The kernels that `search` calls."""
        return (self.entry,)

    def search(self, walk: Walk, runner: Runner) -> int:
        """Search as `walk` asks."""
        runner.board = runner.new_board(LineWalk)
        return int(runner.call(self.entry))


TEXTS = {
    "minimax": Text(minimax, False, ONCE),
    "negamax": Text(negamax, True, ONCE),
    "alphabeta": Text(alphabeta, False, ONCE),
    "pvs": Text(pvs, True, TWICE),
}
"""The algorithms whose own text is compiled, by name."""
