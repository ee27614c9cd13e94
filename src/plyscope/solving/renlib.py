"""Libraries of RenLib, a program in which players of Renju and Gomoku study openings and wins.

A library is a tree of moves on a board of 15×15. Here it holds the strategy of a proof: one move of
the winner in each position, and the replies that need an answer of their own. All other replies are
met by the same fours, which follow a pass. Inside fours only the forced replies are listed: after
any other reply the winner completes five. So each branch ends with five in a row of the winner.

The file is a head of 20 bytes and then the nodes, each before its children and these before its
next sibling. A node is the byte of its move and a byte of flags:

    move  16 · (row from the top, from 0) + column from 1; 0 for the root and a pass
    0x80  a sibling follows
    0x40  the node has no child
    0x08  a comment follows, ended by one or two zeros that make its length even
    0x04  the position that RenLib shows first

Black moves first, and colours alternate. Source: RenLib by Frank Arkbo, which wrote version 3.4.
"""

from __future__ import annotations

from collections.abc import Iterable

from plyscope.errors import OptionError
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.solving.verify import (
    NO_ANSWER,
    Answer,
    completes,
    completing,
    plain_move,
    read_answer,
    read_head,
)

HEAD = b"\xffRenLib\xff\x03\x04" + 10 * b"\xff"
SIZE = 15
"""The columns and rows of RenLib's board."""
MAX_BYTES = 1 << 24
"""The limit of a library."""
SIBLING, LEAF, COMMENT, START = 0x80, 0x40, 0x08, 0x04
PASS = -1
OTHERS = "pass: any other move"


def moves_to(position: Position) -> list[int]:
    """Return moves that lead to a position.

    Raises OptionError if RenLib has no such position.
    """
    game = position.game
    fits = game.shape == (SIZE, SIZE) and game.given == 5 and game.variants <= {"exactly"}
    ahead = position.first.bit_count() - position.second.bit_count()
    if not fits or ahead != position.side:
        raise OptionError(
            f"a RenLib library of '{position}'; expected five in a row on 15×15, and a position"
            " that turns of one stone reach"
        )
    stones = list(bits(position.first)), list(bits(position.second))
    return [stones[ply % 2][ply // 2] for ply in range(len(stones[0]) + len(stones[1]))]


def library(position: Position, proof: Iterable[str]) -> bytes:
    """Return the library with the strategy of a proof that a side wins from a position.

    The proof is the lines of `proof_lines`. Raises OptionError if the position or the proof does
    not fit.
    """
    before = moves_to(position)
    strategy = _Strategy(proof)
    if not strategy.is_win:
        raise OptionError(
            f"a RenLib library of '{position}', which is a draw; expected a win of either side"
        )
    after = strategy.after((position.first, position.second), position.side)
    *before, last = [PASS, *before]
    after = _nodes([(last, after, f"{('black', 'white')[strategy.side]} wins", START)])
    for move in reversed(before):
        after = _nodes([(move, after, "", 0)])
    return HEAD + after


class _Strategy:
    """The answers of a proof of a win."""

    def __init__(self, proof: Iterable[str]) -> None:
        head, *lines = proof
        _, self.game, self.symmetries, _, ((self.side, least, _), *_) = read_head(head.rstrip())
        self.is_win = least == 1
        self.answers: dict[tuple[int, int], Answer] = {}
        for line in lines[1:-1] if self.is_win else ():
            _, stones, answer = read_answer(line.rstrip(), self.game, least)
            self.answers[stones] = answer

    def after(self, stones: tuple[int, int], mover: int) -> bytes:
        """Return the nodes after a position in which `mover` is to move."""
        kind, cells = self._answer(stones)
        if mover == self.side:
            if kind == "fours":
                return self._fours(stones, cells)
            move = cells[0] if kind else plain_move(self.game, stones, mover)
            return _nodes([(move, self._after_move(stones, mover, move), "", 0)])
        nodes = [(PASS, self._fours(stones, cells), OTHERS, 0)] if kind else []
        for move in self.game.moves(stones[0] | stones[1]):
            if not kind or self._answer(_played(stones, mover, move)) != NO_ANSWER:
                nodes.append((move, self._after_move(stones, mover, move), "", 0))
        return _nodes(nodes)

    def _answer(self, stones: tuple[int, int]) -> Answer:
        """Return the answer in a position, given in the proof for its least image."""
        images = self.symmetries.images(*stones)
        least = min(images)
        kind, cells = self.answers.get(self.symmetries.stones(least), NO_ANSWER)
        symmetry = self.symmetries.group[images.index(least)]
        return kind, tuple(map(symmetry.index, cells))

    def _after_move(self, stones: tuple[int, int], mover: int, move: int) -> bytes:
        after = _played(stones, mover, move)
        if completes(self.game.through[move], after[mover]):
            return b""
        return self.after(after, 1 - mover)

    def _fours(self, stones: tuple[int, int], fours: Iterable[int]) -> bytes:
        """Return the nodes of fours that win, with the replies, to five in a row."""
        own, other = stones[self.side], stones[1 - self.side]
        line: list[int] = []
        for move in fours:
            own |= 1 << move
            line.append(move)
            if completes(self.game.through[move], own):
                break
            threats = sorted(completing(self.game.lines, own, other))
            other |= threats[0]
            line += (threat.bit_length() - 1 for threat in threats[:2])
            if len(threats) > 1:
                break
        after = b""
        for move in reversed(line):
            after = _nodes([(move, after, "", 0)])
        return after


def _played(stones: tuple[int, int], mover: int, move: int) -> tuple[int, int]:
    return stones[0] | (mover == 0) << move, stones[1] | (mover == 1) << move


def _nodes(nodes: list[tuple[int, bytes, str, int]]) -> bytes:
    """Return the bytes of siblings: of each the move, the nodes after it, a comment, and flags."""
    data = b""
    for number, (move, after, comment, flags) in enumerate(nodes, 1):
        flags |= SIBLING * (number < len(nodes)) | LEAF * (not after) | COMMENT * (comment != "")
        data += bytes([0 if move == PASS else 16 * (move // SIZE) + move % SIZE + 1, flags])
        if comment:
            data += comment.encode("ascii") + bytes(2 - len(comment) % 2)
        data += after
    if len(data) > MAX_BYTES:
        raise OptionError(
            f"a RenLib library of more than {MAX_BYTES:,} bytes; expected a smaller win"
        )
    return data
