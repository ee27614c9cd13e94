"""Small games as a student writes them, with whole numbers or tuples of them as positions, and
without a thought for compiling."""

from __future__ import annotations

import random
from typing import NamedTuple

ALPHABETA_PROGRAM = """
from math import inf
def alphabeta(node, depth, alpha, beta):
    children = node.children if depth else ()
    if not children:
        return node.value
    best = -inf if node.is_max else inf
    for child in children:
        value = alphabeta(child, depth - 1, alpha, beta)
        if node.is_max:
            best = max(best, value)
            alpha = max(alpha, value)
        else:
            best = min(best, value)
            beta = min(beta, value)
        if alpha >= beta:
            break
    return best
"""


def lowest(bits: int) -> int:
    """A function of the module that methods call."""
    return (bits & -bits).bit_length() - 1


class Own:
    name = "own"

    def format_move(self, position, move):
        return str(move)


class Nim(Own):
    """Heaps, then who is to move; whoever takes the last loses."""

    def __init__(self, *heaps):
        self.heaps = heaps

    def start(self):
        return (*self.heaps, 0)

    def side(self, position):
        return position[-1]

    def moves(self, position):
        if self.payoff(position) is not None:
            return []
        return [
            (heap, count)
            for heap in range(len(self.heaps))
            for count in range(1, position[heap] + 1)
        ]

    def play(self, position, move):
        heap, count = move
        return (
            *position[:heap],
            position[heap] - count,
            *position[heap + 1 : -1],
            1 - position[-1],
        )

    def payoff(self, position):
        if any(position[heap] for heap in range(len(self.heaps))):
            return None
        return -1 if position[-1] else 1


WHITE, BLACK, EMPTY = 0, 1, 2


class Hexapawn(Own):
    """A tuple for the board within the position, and moves that are pairs of cells."""

    SIZE = 3

    def start(self):
        size = self.SIZE
        return ((BLACK,) * size + (EMPTY,) * size * (size - 2) + (WHITE,) * size, WHITE)

    def side(self, position):
        return position[1]

    def moves(self, position):
        return [] if self._is_through(position) else self._steps(position)

    def _is_through(self, position):
        board, side = position
        size = self.SIZE
        row = board[:size] if side == BLACK else board[-size:]
        return any(piece == 1 - side for piece in row)

    def _steps(self, position):
        board, side = position
        size = self.SIZE
        forward = -size if side == WHITE else size
        found = []
        for cell, piece in enumerate(board):
            target = cell + forward
            if piece != side or not 0 <= target < size * size:
                continue
            if board[target] == EMPTY:
                found.append((cell, target))
            for step in (-1, 1):
                if 0 <= cell % size + step < size and board[target + step] == 1 - side:
                    found.append((cell, target + step))
        return found

    def play(self, position, move):
        board, side = position
        cells = list(board)
        cells[move[1]] = cells[move[0]]
        cells[move[0]] = EMPTY
        return tuple(cells), 1 - side

    def payoff(self, position):
        if self._is_through(position) or not self._steps(position):
            return 1 if position[1] == BLACK else -1
        return None


class Boxes(NamedTuple):
    """The edges drawn, as bits, who is to draw, and FIRST's boxes less SECOND's."""

    drawn: int
    side: int
    margin: int


class DotsAndBoxes(Own):
    """A NamedTuple for the position; whoever closes a box draws again, and the margin counts."""

    scored = True

    def __init__(self, width, height):
        across = width * (height + 1)
        self.edges = range(across + height * (width + 1))
        self.boxes = [
            sum(
                1 << edge
                for edge in (
                    y * width + x,
                    (y + 1) * width + x,
                    across + y * (width + 1) + x,
                    across + y * (width + 1) + x + 1,
                )
            )
            for y in range(height)
            for x in range(width)
        ]

    def start(self):
        return Boxes(0, 0, 0)

    def side(self, position):
        return position.side

    def moves(self, position):
        return [edge for edge in self.edges if not position.drawn >> edge & 1]

    def play(self, position, move):
        drawn = position.drawn | 1 << move
        closed = sum(1 for box in self.boxes if box >> move & 1 and box & drawn == box)
        gain = -closed if position.side else closed
        return Boxes(drawn, position.side if closed else 1 - position.side, position.margin + gain)

    def payoff(self, position):
        return position.margin if bin(position.drawn).count("1") == len(self.edges) else None


class Othello(Own):
    """Four by four, discs as bits; to pass is a move, −1, and two passes end the game."""

    name = "othello"

    def start(self):
        return (1 << 6 | 1 << 9, 1 << 5 | 1 << 10, 0, 0)

    def side(self, position):
        return position[2]

    @staticmethod
    def flipped(mine, theirs, cell):
        x, y, found = cell % 4, cell // 4, 0
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                flips = 0
                at_x, at_y = x + dx, y + dy
                while 0 <= at_x < 4 and 0 <= at_y < 4 and theirs >> (4 * at_y + at_x) & 1:
                    flips |= 1 << (4 * at_y + at_x)
                    at_x, at_y = at_x + dx, at_y + dy
                if 0 <= at_x < 4 and 0 <= at_y < 4 and mine >> (4 * at_y + at_x) & 1:
                    found |= flips
        return found

    def moves(self, position):
        first, second, side, passes = position
        if passes == 2:
            return []
        mine, theirs = (second, first) if side else (first, second)
        empty, found = ~(first | second) & 0xFFFF, []
        while empty:
            cell = lowest(empty)
            empty &= empty - 1
            if self.flipped(mine, theirs, cell):
                found.append(cell)
        return found or [-1]

    def play(self, position, move):
        first, second, side, passes = position
        if move < 0:
            return first, second, 1 - side, passes + 1
        mine, theirs = (second, first) if side else (first, second)
        flips = self.flipped(mine, theirs, move)
        mine, theirs = mine | flips | 1 << move, theirs & ~flips
        return (theirs, mine, 0, 0) if side else (mine, theirs, 1, 0)

    def payoff(self, position):
        if position[3] < 2:
            return None
        return position[0].bit_count() - position[1].bit_count()


class Dag(Own):
    """A graph drawn at random: positions and moves are single numbers, a level mixes the sides, and
    payoffs are values."""

    scored = True

    def __init__(self, seed, size=40):
        draw = random.Random(seed)
        self.size = size
        self.children = [
            draw.sample(range(node + 1, min(size, node + 12)), draw.randint(1, 3))
            if node < size - 12
            else []
            for node in range(size)
        ]
        self.sides = [draw.randrange(2) for _ in range(size)]
        self.payoffs = [draw.randint(-5, 5) for _ in range(size)]

    def start(self):
        return 0

    def side(self, position):
        return self.sides[position]

    def moves(self, position):
        return self.children[position]

    def play(self, position, move):
        return move

    def payoff(self, position):
        return None if self.children[position] else self.payoffs[position]


GAMES = {
    "nim": lambda: Nim(3, 4, 2),
    "hexapawn": Hexapawn,
    "dots": lambda: DotsAndBoxes(2, 2),
    "othello": Othello,
    "dag": lambda: Dag(1),
}


def heaps_opinion(position):
    return sum(position) * 7 % 11 - 5


def board_opinion(position):
    board, side = position
    return sum(cell * piece for cell, piece in enumerate(board)) % 7 - 3 + side


def boxes_opinion(position):
    return 2 * position.margin + position.drawn % 5 - 2


def discs_opinion(position):
    first, second, _, _ = position
    corners = 0x9009
    return 5 * (bin(first & corners).count("1") - bin(second & corners).count("1")) + first % 3


def node_opinion(position):
    return position * 7 % 11 - 5


OPINIONS = dict(
    zip(
        GAMES,
        (heaps_opinion, board_opinion, boxes_opinion, discs_opinion, node_opinion),
        strict=True,
    )
)
"""A heuristic for each, in FIRST's view."""
