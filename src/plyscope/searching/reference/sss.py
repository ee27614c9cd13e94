"""SSS*: best-first search for the best of all strategies of MAX.

A strategy (a solution tree) has one move at each MAX node and all moves at each MIN node; its value
is the least of its leaves. The OPEN list holds sets of strategies that share a beginning, each with
its merit h, an upper bound of their values; the best is always taken next. The first one that is
solved at the root is an optimal strategy, and its merit is the minimax value, in the root's view. A
node solved with less merit than it was opened with has this merit as its value, otherwise a value
of at least the merit. Source: Stockman 1979; comments below name the six cases of the operator Γ.
Cases of solved nodes go by the side of the parent, not of the node, so that they also hold if one
side moves twice: consecutive moves of MAX are one choice, those of MIN one set of replies. A node
is counted when it first enters OPEN. SSS* visits no leaf that alpha-beta skips (Roizen & Pearl
1983), at the cost of storing OPEN.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Any

from plyscope.searching.score import INFINITY, Bound
from plyscope.searching.walk import Node, Walk


class _Open:
    """The OPEN list: states by merit, greatest first, and from left to right for equal merit.

    Purged states stay in the list until `pop` drops them.
    """

    def __init__(self) -> None:
        self.heap: list[tuple[int, tuple[int, ...], bool, Node, tuple[Any, ...]]] = []
        self.solved: set[tuple[int, ...]] = set()

    def push(
        self, place: tuple[int, ...], node: Node, is_solved: bool, merit: int, pv: tuple[Any, ...]
    ) -> None:
        heappush(self.heap, (-merit, place, is_solved, node, pv))

    def pop(self) -> tuple[tuple[int, ...], Node, bool, int, tuple[Any, ...]]:
        while True:
            negated, place, is_solved, node, pv = heappop(self.heap)
            if not any(place[:end] in self.solved for end in range(len(place))):
                return place, node, is_solved, -negated, pv

    def purge_below(self, place: tuple[int, ...]) -> None:
        """Remove every state below the MAX node at `place`, which is solved."""
        self.solved.add(place)


def sss(walk: Walk) -> tuple[int, tuple[Any, ...]]:
    """Return the minimax value of the root, and the variation to the leaf with that value."""
    opened = _Open()
    children: dict[tuple[int, ...], Sequence[Any]] = {}
    nodes: dict[tuple[int, ...], Node] = {(): walk.root}
    called: dict[tuple[int, ...], int] = {}

    def solve(place: tuple[int, ...], merit: int, pv: tuple[Any, ...]) -> None:
        walk.leave(nodes[place], merit, -INFINITY, called[place])
        opened.push(place, nodes[place], True, merit, pv)

    def push_new(place: tuple[int, ...], merit: int, pv: tuple[Any, ...]) -> None:
        node = nodes.get(place)
        if node is None:
            node = nodes[place] = walk.child(nodes[place[:-1]], children[place[:-1]][place[-1]])
        called[place] = merit
        walk.enter(node, walk.depth - node.ply, -INFINITY, merit)
        opened.push(place, node, False, merit, pv)

    push_new((), INFINITY, ())
    while True:
        place, node, is_solved, merit, pv = opened.pop()
        if is_solved and not place:
            return merit, pv
        if is_solved:
            parent, index = place[:-1], place[-1] + 1
            if nodes[parent].is_max:
                # case 1: a move of MAX is solved, so its node is solved too; no other strategy
                # there is better
                opened.purge_below(parent)
                solve(parent, merit, pv)
            elif index < len(children[parent]):
                # case 2: a reply of MIN is solved; open the next one
                push_new((*parent, index), merit, pv)
            else:
                # case 3: the last reply of MIN is solved, so its node is solved too
                solve(parent, merit, pv)
        elif walk.is_leaf(node, walk.depth - node.ply):
            # case 4: a leaf lowers the merit of the strategies through it
            score = walk.leaf(node)
            opened.push(place, node, True, min(merit, score), node.path if score < merit else pv)
        else:
            children[place] = walk.moves(node)
            if node.is_max:
                # case 6: a live MAX node; open all its moves
                for index in range(len(children[place])):
                    push_new((*place, index), merit, pv)
            else:
                # case 5: a live MIN node; open its first reply
                push_new((*place, 0), merit, pv)


def note_pv(walk: Walk, value: int, pv: tuple[Any, ...]) -> None:
    """Store the variation to the leaf with the value; the other root moves are no better."""
    walk.pv = pv
    no_better = Bound.UPPER if walk.root.is_max else Bound.LOWER
    for move in walk.game.moves(walk.root.position):
        walk.values[move] = (value, Bound.EXACT if pv and move == pv[0] else no_better)


def search(walk: Walk) -> int:
    """Search the root."""
    value, pv = sss(walk)
    note_pv(walk, value, pv)
    return value
