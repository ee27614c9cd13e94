"""The choice of moves and signs for a short proof of a game with gravity.

S is the side of a claim. Where S is to move, the proof holds either signs, which end it there, or a
move, after which every reply is proved. A solver says which moves keep the result; `Plan` searches
for those that make the proof short, best first over the graph of positions (AO*: Nilsson 1980). A
position without signs counts as the number of positions that its proof is expected to take. The
search follows the moves with the least sums, until all that they lead to is settled. If too little
is expected, it turns from one move to the next and finishes late; if too much, it stays with the
first move that is good enough.

Then the graph is made smaller. Each of its positions, those with most stones first, is searched
longer for signs, and takes another move where that leads to signs or to positions of the graph and
makes the graph smaller; then once more, with a greater limit. The graph is complete at any time:
Ctrl-C ends the search, and the proof is written with what was found.

The journal keeps the signs of each position, or that none were found, the moves that keep the
result, and the moves of the last graph. A search that is run again begins with those, and is where
it was within a minute.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from typing import NamedTuple

from plyscope.journal import Journal
from plyscope.rules.position import Position
from plyscope.solving.accelerated import CONNECT, TABLEBASE
from plyscope.solving.ask import Ask
from plyscope.solving.solve import solve
from plyscope.solving.verify import Game, Symmetries, completing
from plyscope_fast.solving import connect
from plyscope_fast.solving.rules import no_move
from plyscope_fast.solving.signs import sign_finder

SIGN_POSITIONS = 200_000
"""The limit of positions that the search for the signs of one position meets."""
DEDUCED = 1_000_000
"""The limit of the search by clauses where that finds none."""
LONGER = 10_000_000, 40_000_000
"""The limits of the searches by clauses for a smaller graph."""
FORMAT = "plyscope signs 1"
"""The format of the journal."""
EMPTY_CELLS, POSITIONS, DOUBLED_AFTER = 22, 40.0, 4
"""A position without signs is expected to take POSITIONS if it has EMPTY_CELLS empty cells, and
twice as many for each DOUBLED_AFTER more."""
WIDEST, LEAST = 40, 3
"""A search for a smaller graph adds at most WIDEST positions to it. A position without signs takes
at least LEAST."""
REPORTED = 64
"""The number of positions that are given moves from one message to the next."""


class Step(NamedTuple):
    """A move of S, and the positions after each reply."""

    move: int
    after: list[Node]


class Node:
    """A position with S to move, or the root."""

    __slots__ = ("above", "best", "cost", "is_done", "position", "signs", "steps", "tried")

    def __init__(self, position: Position) -> None:
        self.position = position
        self.signs: str | None = None
        """The signs; empty if S completes a line at once, None if none were found."""
        self.steps: list[Step] = []
        self.best: Step | None = None
        self.cost = 1.0
        """The positions of its proof; an estimate unless `is_done`."""
        self.is_done = False
        self.above: list[Node] = []
        self.tried = 0
        """The greatest number of positions within which no move was found."""


class Plan:
    """The moves and signs by which `side` reaches `least` from the position of `ask`.

    `ask.checkpoint` is the journal. Raises OptionError if that is the file of another question.
    """

    def __init__(self, ask: Ask, side: int, least: int, rules: Game, symmetric: Symmetries) -> None:
        self.ask, self.side, self.least = ask, side, least
        self.rules, self.symmetric = rules, symmetric
        self.finder = sign_finder(ask.position.game).emptied()
        question = {"rules": ask.position.game.digest, "positions": SIGN_POSITIONS}
        self.journal = Journal(ask.checkpoint, FORMAT, question, key_length=5)
        self.nodes: dict[tuple[int, int], Node] = {}
        self.root = self._node(ask.position)

    def complete(self) -> None:
        """Search until all positions that the moves lead to are settled.

        Raises OptionError if no move is found for one of them, and KeyboardInterrupt.
        """
        count = 0
        while not self.root.is_done:
            self._expand(self._next())
            count += 1
            if count % REPORTED == 0:
                followed = list(self.followed())
                settled = sum(node.is_done for node in followed)
                self.ask.report(
                    f"signs: {self.root.cost:,.0f} positions expected; {settled:,} of"
                    f" {len(followed):,} that are followed are settled; {len(self.nodes):,} tried"
                )

    def shorten(self) -> None:
        """Make the completed graph smaller, until Ctrl-C at most."""
        try:
            for deduced in LONGER:
                nodes = sorted(self.followed(), key=lambda each: each.position.empty.bit_count())
                for count, node in enumerate(nodes):
                    self._shorten(node, deduced)
                    if count % REPORTED == 0:
                        self.ask.report(
                            f"signs: {_size(self.followed()):,} positions; {count:,} of"
                            f" {len(nodes):,} searched for fewer, with a limit of {deduced:,}"
                            " (Ctrl-C ends this search, and keeps what it found)"
                        )
        except KeyboardInterrupt:
            self.ask.report("signs: the search for fewer positions was ended")
        for node in self.followed():
            if node.best is not None and node.position.side == self.side:
                key = ("chosen", self.side, self.least, node.position.first, node.position.second)
                if self.journal.known.get(key) != [node.best.move]:
                    self.journal.keep(key, node.best.move)

    def answer(self, position: Position) -> tuple[str, int | None]:
        """Return the signs of a position of the completed graph, or an empty text and the move;
        None if S completes a line, or is not to move."""
        node = self.nodes[position.first, position.second]
        if node.signs is not None:
            return node.signs, None
        assert node.best is not None
        return "", node.best.move if position.side == self.side else None

    def followed(self, end: Node | None = None) -> Iterator[Node]:
        """Yield the positions that the best moves lead to, but none that follow `end`."""
        return _after(self.root, {end} if end else set())

    def _node(self, position: Position) -> Node:
        """Return the node of the least image of a position."""
        x, o = key = self.symmetric.least(position.first, position.second)
        if key in self.nodes:
            return self.nodes[key]
        node = self.nodes[key] = Node(position._replace(first=x, second=o))
        position = node.position
        mine, theirs = position.stones(self.side), position.stones(1 - self.side)
        wins = completing(self.rules.lines, mine, theirs)
        if position.side == self.side and any(1 << move in wins for move in position.moves):
            node.signs = ""
        else:
            node.signs = self._signs(position, SIGN_POSITIONS, DEDUCED)
        node.is_done = node.signs is not None
        if not node.is_done:
            left = position.empty.bit_count() - EMPTY_CELLS
            node.cost = 1 + POSITIONS * 2 ** (left / DOUBLED_AFTER)
        return node

    def _signs(self, position: Position, limit: int, deduced: int) -> str | None:
        """Return the signs of a position, None if none are found."""
        for name, most, steps in (("signs", limit, 0), (f"clauses {deduced}", 0, deduced)):
            key = (name, self.side, self.least, position.first, position.second)
            if key not in self.journal.known:
                ask = Ask(position, limit=most)
                found = self.finder.find(ask, self.side, self.least, is_near=True, deduced=steps)
                self.journal.keep(key, "".join(map(str, found or ())))
            (signs,) = self.journal.known[key]
            if signs:
                return str(signs)
        return None

    def _moves(self, position: Position) -> list[int]:
        """Return the moves that keep the result: those with most threats first, then the inner."""
        key = ("moves", self.side, self.least, position.first, position.second)
        if key not in self.journal.known:
            self.journal.keep(key, *self._keeping(position))
        mine, theirs = position.stones(self.side), position.stones(1 - self.side)
        width = self.rules.shape[0]

        def order(move: int) -> tuple[int, int]:
            wins = completing(self.rules.lines, mine | 1 << move, theirs)
            threats = sum(1 << cell in wins for cell in position.play(move).moves)
            return -threats, abs(2 * (move % width) + 1 - width)

        return sorted(self.journal.known[key], key=order)

    def _keeping(self, position: Position) -> list[int]:
        ask = Ask(position)
        if CONNECT.plays(position) and not TABLEBASE.is_quick(self.ask.position):
            solver = connect.solver_of(self.ask)
            return [move for move in position.moves if solver.keeps(ask, move, self.least)]
        verdict = solve(position)
        return [each.move for each in verdict.moves or () if (each.value or 0) >= self.least]

    def _expand(self, node: Node) -> None:
        """Find the steps of a node."""
        position = node.position
        if position.side == self.side:
            least = inf
            key = ("chosen", self.side, self.least, position.first, position.second)
            for move in self.journal.known.get(key) or self._moves(position):
                step = self._step(move, position.play(move), 2 * least)
                if step is not None:
                    node.steps.append(step)
                    least = min(least, sum(each.cost for each in step.after))
                    if all(each.signs is not None for each in step.after):
                        break
        elif (step := self._step(-1, position, inf)) is not None:
            node.steps.append(step)
        if not node.steps:
            raise no_move(self.ask.position, position)
        for step in node.steps:
            for each in step.after:
                each.above.append(node)
        self._update(node)

    def _step(self, move: int, position: Position, most: float) -> Step | None:
        """Return the step to a position with the other side to move, None if it costs more than
        `most`."""
        after: list[Node] = []
        for reply in () if position.is_over else position.moves:
            following = position.play(reply)
            if not following.is_over:
                node = self._node(following)
                if node not in after:
                    after.append(node)
                if sum(each.cost for each in after) > most:
                    return None
        return Step(move, after)

    def _update(self, node: Node) -> None:
        """Update the cost of a node, and of those above it."""
        todo = [node]
        while todo:
            node = todo.pop()
            before = node.cost, node.is_done, node.best
            costs = [2.0 + sum(each.cost for each in step.after) for step in node.steps]
            node.cost = min(costs)
            node.best = node.steps[costs.index(node.cost)]
            node.is_done = all(each.is_done for each in node.best.after)
            if before != (node.cost, node.is_done, node.best):
                todo += node.above

    def _next(self) -> Node:
        """Return a followed position without steps: of those after each move, the one that is
        expected to take most."""
        node = self.root
        while node.best is not None:
            left = (each for each in node.best.after if not each.is_done)
            node = max(left, key=lambda each: each.cost)
        return node

    def _shorten(self, node: Node, deduced: int) -> None:
        """Look for signs of a position of the graph, or for a move that makes the graph smaller."""
        if node.best is None or node.position.side != self.side:
            return
        graph = set(self.followed())
        if node not in graph:
            return
        node.signs = self._signs(node.position, 0, deduced)
        if node.signs is not None:
            node.best = None
            return
        size = _size(graph)
        graph = set(self.followed(node)) - {node}
        most = min(size - _size(graph) - 1, WIDEST)
        node.best = self._step_within(node, most, graph) or node.best

    def _step_within(self, node: Node, most: int, graph: set[Node]) -> Step | None:
        """Return a step of a node without signs with which it adds at most `most` positions to a
        graph, None if none is found."""
        position = node.position
        for move in self._moves(position):
            left, after, is_open = most - 2, list[Node](), list[Node]()
            following = position.play(move)
            for reply in () if following.is_over else following.moves:
                last = following.play(reply)
                if left < 0 or last.is_over or (each := self._node(last)) in after:
                    continue
                after.append(each)
                if each.is_done:
                    left -= _size(_after(each, graph))
                else:
                    left -= LEAST
                    is_open.append(each)
            for each in is_open:
                left += LEAST
                if left > each.tried:
                    each.best = self._step_within(each, left, graph)
                    each.is_done, each.tried = each.best is not None, left
                left = left - _size(_after(each, graph)) if each.is_done else -1
                if left < 0:
                    break
            if left >= 0:
                return Step(move, after)
        return None


def _after(root: Node, graph: set[Node]) -> Iterator[Node]:
    """Yield a position, and those after it that are not in a graph, nor only after such."""
    seen, todo = graph | {root}, [root] if root not in graph else []
    for node in todo:
        yield node
        for each in node.best.after if node.best else ():
            if each not in seen:
                seen.add(each)
                todo.append(each)


def _size(nodes: Iterable[Node]) -> int:
    """Return the number of positions of a proof with these nodes: two for each with a move."""
    return sum(1 + (node.best is not None) for node in nodes)
