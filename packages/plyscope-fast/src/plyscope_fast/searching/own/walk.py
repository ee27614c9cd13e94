"""`CompiledWalk`: the class that replaces `Walk` where Numba compiles the reference algorithms.

Its methods have the names and the meaning of those of `Walk`, but send no events. Counts and
results are in typed memory, which Python reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from plyscope.rules.game import FIRST, SECOND
from plyscope.searching.limit import SearchStopped
from plyscope.searching.score import INFINITY, MAX_EVALUATION, WIN
from plyscope_fast.machine.block import Block, Record, Rows, Words
from plyscope_fast.machine.memory import Zeros
from plyscope_fast.machine.own import (
    OwnGame,
    flattened,
    number_or,
    numbers_in,
    read_move,
    read_position,
    width_of,
    write,
)
from plyscope_fast.searching.board import EXACT, draw_priority, proves
from plyscope_fast.searching.layout import (
    BEST_FIRST,
    BY_DISTANCE,
    BY_HEURISTIC,
    GENERATED,
    NO_NODES,
    RANDOM,
    Ply,
    Root,
    of_conventions,
    zeros,
)
from plyscope_fast.searching.own.table import OwnTable, find_slot, tag_of, take_slot
from plyscope_fast.searching.table import PackedEntry, PackedInterval
from plyscope_fast.searching.walk import (
    CompiledConventions,
    CompiledEntry,
    CompiledInterval,
    Passing,
    RootWindow,
)

if TYPE_CHECKING:
    from plyscope.searching.walk import Walk

MAX_PLIES = 1_000
"""The greatest number of plies of a game in compiled searches, limited by the stack of a thread."""


class Unfit(Exception):
    """The game or the heuristic returned an invalid value; the walk holds the position."""


class TooDeep(Exception):
    """A game lasted more plies than there is memory for."""


class CompiledNode(Record):
    """A node: `walk.Node` without its path; algorithms only test whether the path is empty."""

    position: Any
    ply: int
    branch: int  # the number of the root's move that leads here, −1 at the root
    is_max: bool
    sign: int

    @property
    def path(self) -> bool:
        """Whether the node is not the root."""
        return self.ply > 0

    def window(self, alpha: int, beta: int) -> tuple[int, int]:
        """Return the parent's window in this node's view, in negamax form."""
        return (alpha, beta) if self.sign > 0 else (-beta, -alpha)


RECORDS = CompiledNode, CompiledConventions, RootWindow, Passing, CompiledEntry, CompiledInterval


class CompiledWalk(Block):
    """One pass of a compiled search, to one depth."""

    game: ClassVar[Any]
    """The game; only compiled code has it."""

    # counted
    stopped: bool  # another thread requests the search to stop
    nodes: int
    leaves: int
    cutoffs: int
    researches: int
    table_hits: int
    horizon_leaves: int
    deepest: int
    searched_moves: int  # of the root
    takes_turns: bool  # the sides have alternated so far
    root_moves: Rows[Root]  # [moves of the root]
    plies: Rows[Ply]  # [room]
    pv: Words  # [room, stride]  lengths, and moves of `width` numbers
    failed: Words  # [numbers of a position]  the position at which Unfit was raised

    # of the last node that `is_leaf` or `recall` was called with
    is_over: bool  # the game is over
    payoff: int  # 0 if the game is not over
    has_move: bool  # the table has a best move
    table: OwnTable

    # set once
    root_count: int
    room: int  # plies that it has memory for
    stride: int
    node_limit: int
    root_words: Words
    root_side: int
    depth: int
    alpha: int
    beta: int
    scoring: int
    order: int
    seed: int
    is_open: bool
    is_shallow: bool
    is_hard: bool
    cuts_above: bool
    is_scored: bool
    mover_view: bool

    def __init__(self, walk: Walk, own: OwnGame, nodes: int) -> None:
        """Copy the settings of `walk`; `nodes` is the number of nodes that it may still visit."""
        root, conventions = walk.root.position, walk.conventions
        root_count = len(walk.game.moves(root))
        room = min(walk.depth, MAX_PLIES) + 2
        self._pv = Zeros(room * (stride := room * numbers_in(own.move) + 1))
        super().__init__(
            root_moves=zeros(Root.size() * root_count),
            root_count=root_count,
            plies=NO_NODES * room,
            pv=self._pv.address,
            failed=zeros(numbers_in(own.position)),
            takes_turns=True,
            room=room,
            stride=stride,
            node_limit=nodes,
            root_words=flattened(root),
            root_side=walk.root_side,
            depth=walk.depth,
            alpha=conventions.window[0],
            beta=conventions.window[1],
            is_scored=walk.is_scored,
            mover_view=walk.mover_view,
            **of_conventions(conventions),
        )

    # The tree

    @property
    def root(self) -> Any:
        """The root, as a node."""
        return CompiledNode(read_position(self.game, self.root_words), 0, -1, True, 1)

    @property
    def conventions(self) -> Any:
        """The conventions that algorithms read."""
        root, passing = 1 if self.is_open else 0, 1 if self.is_shallow else 0
        return CompiledConventions(RootWindow(root), Passing(passing), (self.alpha, self.beta))

    def is_leaf(self, node: Any, depth: int) -> bool:
        """Return whether `node` is not searched further; store the payoff for `leaf`."""
        payoff = self.game.payoff(node.position)
        self.is_over = payoff is not None
        self.payoff = 0 if payoff is None else payoff
        return depth <= 0 or self.is_over

    def static(self, node: Any) -> int:
        """Return the static evaluation, or the score of a finished game, in the root's view."""
        payoff = self.game.payoff(node.position)
        return self.score(node, payoff is not None, 0 if payoff is None else payoff)

    def score(self, node: Any, is_over: bool, payoff: int) -> int:
        """Return the static evaluation, or the score of a game that ended with `payoff`."""
        scoring = self.scoring
        if not is_over or scoring == BY_HEURISTIC:
            value = self.in_view(node, self.game.evaluate(node.position))
            if scoring == BY_HEURISTIC:
                return value
            return max(-MAX_EVALUATION, min(MAX_EVALUATION, value))
        value = self.in_view(node, payoff)
        if self.is_scored or value == 0:
            return value
        win = WIN - node.ply if scoring == BY_DISTANCE else WIN
        return win if value > 0 else -win

    def in_view(self, node: Any, value: int) -> int:
        """Return a value in FIRST's view converted to the root's view; raise Unfit if its absolute
        value is more than WIN."""
        if not -WIN <= value <= WIN:
            self.refuse(node.position)
        return -value if self.root_side else value

    def refuse(self, position: Any) -> None:
        """Store a position for which the game or the heuristic returned an invalid value, and raise
        Unfit."""
        write(self.failed, position)
        raise Unfit

    def moves(self, node: Any, first: Any = None) -> Any:
        """Return the moves of `node` in the order of the conventions. The move `first` comes first
        if `recall` found it in the table."""
        moves = self.ordered_moves(node)
        if first is not None and self.has_move:
            at = 0
            while moves[at] != first:
                at += 1
            while at > 0:
                moves[at] = moves[at - 1]
                at -= 1
            moves[0] = first
        return moves

    def ordered_moves(self, node: Any) -> Any:
        """Return the moves of `node` in the order of the conventions."""
        moves = self.game.moves(node.position)
        count = len(moves)
        if count == 0:
            self.refuse(node.position)
        self.takes_turns = self.takes_turns and node.is_max == (node.ply % 2 == 0)
        widths = self.plies[node.ply]
        widths.least_width = min(count, widths.least_width)
        widths.greatest_width = max(count, widths.greatest_width)
        if self.order == GENERATED:
            return moves
        keys = [self.rank(node, moves[index], index) for index in range(count)]
        for index in range(1, count):
            key, move, at = keys[index], moves[index], index
            while at > 0 and keys[at - 1] > key:
                keys[at], moves[at] = keys[at - 1], moves[at - 1]
                at -= 1
            keys[at], moves[at] = key, move
        return moves

    def rank(self, node: Any, move: Any, place: int) -> int:
        """Return the sort key of a move; the move with the least key comes first."""
        if self.order == RANDOM:
            return draw_priority(self.seed, node.ply, number_or(move, place))
        sign = 1 if node.is_max else -1
        return (-sign if self.order == BEST_FIRST else sign) * self.static(self.child(node, move))

    def child(self, node: Any, move: Any) -> Any:
        """Return the node after `move`."""
        position = self.game.play(node.position, move)
        is_max = self.side(position) == self.root_side
        sign = 1 if is_max == node.is_max else -1
        branch = node.branch if node.ply > 0 else self.branch_of(node, move)
        return CompiledNode(position, node.ply + 1, branch, is_max, sign)

    def side(self, position: Any) -> int:
        """Return the side to move, FIRST if the game is over and `side` returns no valid side."""
        side: int = self.game.side(position)
        if side != FIRST and side != SECOND:
            if self.game.payoff(position) is None:
                self.refuse(position)
            return FIRST
        return side

    def branch_of(self, node: Any, move: Any) -> int:
        """Return the index of a move of the root in the game's order."""
        moves, branch = self.game.moves(node.position), 0
        while moves[branch] != move:
            branch += 1
        if branch >= self.root_count:  # the game was changed after it was compiled
            self.refuse(node.position)
        return branch

    def is_closed(self, alpha: int, beta: int) -> bool:
        """Return whether the window (alpha, beta) causes a cutoff, by the convention `cut`."""
        return alpha > beta or (alpha == beta and not self.cuts_above)

    # Steps of the algorithm

    def enter(self, node: Any, depth: int, alpha: int = -INFINITY, beta: int = INFINITY) -> None:
        """Count a visit of `node`. Raise SearchStopped if a limit is reached, TooDeep if there is
        no memory for its ply."""
        if self.stopped:
            raise SearchStopped("seconds")
        if self.nodes >= self.node_limit:
            raise SearchStopped("nodes")
        ply = node.ply
        if ply + 2 > self.room:
            raise TooDeep
        self.nodes += 1
        self.deepest = max(self.deepest, ply)
        self.pv[self.stride * ply] = 0
        if ply > 0:
            self.root_moves[node.branch].nodes += 1

    def leaf(self, node: Any) -> int:
        """Count a leaf and return its score."""
        score = self.score(node, self.is_over, self.payoff)
        self.leaves += 1
        self.plies[node.ply].leaves += 1
        if node.ply > 0:
            self.root_moves[node.branch].leaves += 1
        if not self.is_over:
            self.horizon_leaves += 1
        return score if node.is_max or not self.mover_view else -score

    def searched(self, node: Any, move: Any, score: int, alpha: int, beta: int) -> None:
        """Store the score of `move`, searched within (alpha, beta), if `node` is the root."""
        if node.ply == 0:
            branch = self.root_moves[self.branch_of(node, move)]
            branch.value, branch.alpha, branch.beta = score, alpha, beta
            if branch.turn == 0:
                self.searched_moves += 1
                branch.turn = self.searched_moves

    def lift(self, node: Any, move: Any) -> None:
        """Do nothing: each node has its own position, so no move has to be undone."""

    def improve(self, node: Any, move: Any) -> None:
        """Make `move` and the variation below it the principal variation of `node`."""
        here = self.pv.offset(self.stride * node.ply)
        below, width = here.offset(self.stride), width_of(move)
        here[0] = below[0] + 1
        write(here.offset(1), move)
        for index in range(1, width * below[0] + 1):
            here[width + index] = below[index]

    def raised(self, node: Any, move: Any, before: int, after: int) -> None:
        """Update the principal variation after `move` has changed a bound of the window."""
        self.improve(node, move)

    def cutoff(self, node: Any, moves: Any, move: Any, alpha: int, beta: int) -> None:
        """Count a cutoff."""
        self.cutoffs += 1
        if node.ply > 0:
            self.root_moves[node.branch].cutoffs += 1

    def leave(self, node: Any, score: int, alpha: int, beta: int) -> int:
        """Return the score of `node`; if the search is fail-hard, limited to the window."""
        return max(alpha, min(beta, score)) if self.is_hard else score

    def proves(self, score: int, alpha: int, beta: int) -> int:
        """Return the bound that `score` proves after a search within (alpha, beta)."""
        return proves(score, alpha, beta)

    def look_up(self, node: Any, depth: int = 0) -> None:
        """Write the key of `node`, searched to `depth`, to `table.key`."""
        self.table.key[0] = tag_of(node.ply, depth)
        write(self.table.key.offset(1), node.position)

    def recall(self, node: Any) -> Any:
        """Return the table's entry of `node`, and store whether it has a move."""
        self.look_up(node)
        slot = Words.of(find_slot(self.table)).offset(self.table.key_width)
        entry = PackedEntry.of(slot[0])
        is_known = Words.of(slot.address - 8 * self.table.key_width)[0] != 0
        self.has_move = is_known and entry.move != 0
        depth = entry.depth if is_known else -1
        return CompiledEntry(depth, entry.score, entry.bound, read_move(self.game, slot.offset(1)))

    def remember(
        self, node: Any, depth: int, score: int, bound: int = EXACT, move: Any = None
    ) -> None:
        """Store the result of a search of `depth` at `node`, and its best move."""
        slot = self.slot_for(node)
        if move is None:
            slot[0] = PackedEntry(bound=bound, depth=depth, move=0, score=score).word
        else:
            slot[0] = PackedEntry(bound=bound, depth=depth, move=1, score=score).word
            write(slot.offset(1), move)

    def slot_for(self, node: Any, depth: int = 0) -> Any:
        """Return the words after the key in the slot of `node`; raise SearchStopped if there is no
        memory for a new slot."""
        self.look_up(node, depth)
        address = take_slot(self.table)
        if address == 0:
            raise SearchStopped("memory")
        return Words.of(address).offset(self.table.key_width)

    def recall_interval(self, node: Any, depth: int) -> Any:
        """Return the interval in which the value of `node` at `depth` is proved to be."""
        self.look_up(node, depth)
        slot = Words.of(find_slot(self.table))
        if slot[0] == 0:
            return CompiledInterval(-INFINITY, INFINITY)
        interval = PackedInterval.of(slot[self.table.key_width])
        return CompiledInterval(interval.lower, interval.upper)

    def remember_interval(self, node: Any, depth: int, lower: int, upper: int) -> None:
        """Store the interval in which the value of `node` at `depth` is proved to be."""
        self.slot_for(node, depth)[0] = PackedInterval(lower=lower, upper=upper).word

    def table_hit(self, node: Any, score: int, bound: int) -> None:
        """Count a score taken from the table."""
        self.table_hits += 1

    def research(self, node: Any, alpha: int, beta: int) -> None:
        """Count a second search of `node`."""
        self.researches += 1


class Trial(CompiledWalk):
    """The memory to call a game's methods on one position, `root_words`."""

    answers: Words  # the results, as `ask_methods` writes them

    def __init__(self, own: OwnGame, position: Any, room: int) -> None:
        Block.__init__(self, root_words=flattened(position), answers=zeros(room))


def ask_methods(walk: Trial, count: int) -> int:
    """Write the results of the methods on the position to `answers`, and return the count of
    numbers written: whether the game is over, the payoff, the side, the evaluation and the number
    of moves. If this number is `count`, each move and the position after it follow."""
    game, words = walk.game, walk.answers
    position = read_position(game, walk.root_words)
    payoff = game.payoff(position)
    words[0] = 0 if payoff is None else 1
    words[1] = 0 if payoff is None else payoff
    words[2] = game.side(position)
    words[3] = game.evaluate(position)
    moves, at = game.moves(position), 5
    words[4] = len(moves)
    if len(moves) == count:
        for move in moves:
            after = game.play(position, move)
            write(words.offset(at), move)
            at += width_of(move)
            write(words.offset(at), after)
            at += width_of(after)
    return at
