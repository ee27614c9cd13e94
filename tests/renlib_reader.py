"""A reader of RenLib's libraries, which plays every branch. Nothing of plyscope is imported.

The format is that of RenLib 3.4; like RenLib, the reader goes back to the last node that has a
sibling wherever a node has no child.
"""

from __future__ import annotations

from typing import NamedTuple

from oracles import lines_and_ends

LINES = [
    (frozenset(five), frozenset(ends)) for five, ends in lines_and_ends((15, 15), 5, False, ())
]
Cells = frozenset[int]
WON_BY = {"black wins": 0, "white wins": 1}


class Node(NamedTuple):
    """A move, numbered row by row from the top left, None for a pass; and what follows."""

    cell: int | None
    comment: str
    is_start: bool
    after: list[Node]


def read(data: bytes) -> Node:
    """Return the root of a library."""
    assert data[:20] == b"\xffRenLib\xff" + bytes([3, 4]) + 10 * b"\xff"
    tree: list[Node] = []
    here: list[Node] | None = tree
    waiting: list[list[Node]] = []
    at = 20
    while at < len(data):
        move, flags = data[at], data[at + 1]
        at += 2
        assert not flags & 0x33, "a mark, an old comment, a node without a move, or more flags"
        comment = b""
        if flags & 0x08:
            while not comment.endswith(b"\0"):
                comment += data[at : at + 2]
                at += 2
        row, column = divmod(move, 16)
        assert move == 0 or (row < 15 and 1 <= column <= 15)
        cell = row * 15 + column - 1 if move else None
        assert here is not None, "a node that belongs nowhere"
        here.append(Node(cell, comment.rstrip(b"\0").decode(), bool(flags & 0x04), []))
        if flags & 0x80:
            waiting.append(here)
        here = here[-1].after
        if flags & 0x40:
            here = waiting.pop() if waiting else None
    assert here is None
    (root,) = tree
    assert root.cell is None
    return root


class Rules(NamedTuple):
    """Five in a row, or exactly five."""

    exactly: bool

    def lacking(self, own: Cells, other: Cells) -> set[int]:
        """The cells with which `own` completes five."""
        lefts = (
            five - own
            for five, ends in LINES
            if not five & other and not (self.exactly and ends & own)
        )
        return {min(left) for left in lefts if len(left) == 1}

    def check(self, node: Node) -> tuple[Cells, Cells, int]:
        """Assert that the winner wins each branch below the root, and against all other replies.

        Return the stones of black and white at the start, and the number of nodes after it.
        """
        stones = [Cells(), Cells()]
        while not node.is_start:
            (node,) = node.after
            assert node.cell is not None
            assert node.cell not in stones[0] | stones[1]
            stones[len(stones[0]) > len(stones[1])] |= {node.cell}
        black, white = stones
        winner = WON_BY[node.comment]
        is_own = winner == (len(black) > len(white))
        play = self.own_move if is_own else self.replies
        return black, white, play(node.after, stones[winner], stones[1 - winner])

    def own_move(self, nodes: list[Node], own: Cells, other: Cells) -> int:
        """Play the only move of the winner; return the number of nodes."""
        ((cell, _, _, after),) = nodes
        assert cell is not None
        assert cell not in own | other
        if cell in self.lacking(own, other):
            assert not after
            return 1
        return 1 + self.replies(after, own | {cell}, other)

    def replies(self, nodes: list[Node], own: Cells, other: Cells) -> int:
        """Play all replies of the loser; return the number of nodes."""
        assert not self.lacking(other, own), "the loser completes five"
        listed = {node.cell: node.after for node in nodes}
        assert len(listed) == len(nodes)
        threats = self.lacking(own, other)
        for cell in set(range(225)) - own - other - set(listed):
            wins = threats - {cell} or self.fours_win(listed.get(None, []), own, other | {cell})
            assert wins, "a reply without an answer"
        count = len(nodes)
        for cell, after in listed.items():
            assert cell not in own | other
            count += self.own_move(after, own, other if cell is None else other | {cell})
        return count

    def fours_win(self, nodes: list[Node], own: Cells, other: Cells) -> bool:
        """Whether the winner's moves in a branch win by fours in this position."""
        while nodes:
            (node,) = nodes
            assert node.cell is not None
            if node.cell in other:
                return False
            if node.cell in self.lacking(own, other):
                return True
            own |= {node.cell}
            threats = self.lacking(own, other)
            if self.lacking(other, own) or len(threats) != 1:
                return len(threats) > 1 and not self.lacking(other, own)
            other |= threats
            nodes = node.after[0].after
        return False
