"""Games in which sides do not alternate, as somebody writes them who reads `rules/game.py` alone,
and their values by brute force.

Nothing of plyscope is imported. FIRST is 0, SECOND is 1, and payoffs are in FIRST's view.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


NIM_FILE = '''
import plyscope as ps

class Nim(ps.Game):
    """Take one to three of ten; whoever takes the last one wins."""

    def start(self):
        return 10, ps.FIRST

    def side(self, state):
        return state[1]

    def moves(self, state):
        return [take for take in (1, 2, 3) if take <= state[0]]

    def play(self, state, move):
        return state[0] - move, 1 - state[1]

    def payoff(self, state):
        return None if state[0] else 1 if state[1] == ps.SECOND else -1
'''
"""The text of a game's file, which tests write and add to."""


class Own:
    """What all of them share: moves are called by their numbers."""

    name = "own"
    scored = True

    def format_move(self, position: Any, move: Any) -> str:
        return str(move)

    def parse_move(self, position: Any, text: str) -> Any:
        return next(move for move in self.moves(position) if str(move) == text)

    def format(self, position: Any) -> str:
        return str(position)

    def moves(self, position: Any) -> Any:
        raise NotImplementedError

    def start(self) -> Any:
        raise NotImplementedError


class Nim(Own):
    """Take one to `most` of a heap; whoever takes the last one wins."""

    name = "nim"
    scored = False

    def __init__(self, heap: int = 10, most: int = 3) -> None:
        self.heap, self.most = heap, most

    def start(self) -> tuple[int, int]:
        return self.heap, 0

    def side(self, position: tuple[int, int]) -> int:
        return position[1]

    def moves(self, position: tuple[int, int]) -> list[int]:
        return [take for take in range(1, self.most + 1) if take <= position[0]]

    def play(self, position: tuple[int, int], move: int) -> tuple[int, int]:
        return position[0] - move, 1 - position[1]

    def payoff(self, position: tuple[int, int]) -> int | None:
        return None if position[0] else 2 * position[1] - 1


class Dots(NamedTuple):
    """The edges drawn, who is to draw, and FIRST's boxes less SECOND's."""

    drawn: frozenset[int]
    side: int
    margin: int


class DotsAndBoxes(Own):
    """Draw an edge; whoever closes a box draws again. With `scored` the payoff is the margin, else
    its sign."""

    name = "dots"

    def __init__(self, width: int, height: int, scored: bool = True) -> None:
        self.scored = scored
        across = {
            (x, y): number
            for number, (y, x) in enumerate((y, x) for y in range(height + 1) for x in range(width))
        }
        down = {
            (x, y): len(across) + number
            for number, (y, x) in enumerate((y, x) for y in range(height) for x in range(width + 1))
        }
        self.edges = range(len(across) + len(down))
        self.boxes = [
            frozenset({across[x, y], across[x, y + 1], down[x, y], down[x + 1, y]})
            for y in range(height)
            for x in range(width)
        ]

    def start(self) -> Dots:
        return Dots(frozenset(), 0, 0)

    def side(self, position: Dots) -> int:
        return position.side

    def moves(self, position: Dots) -> list[int]:
        return [edge for edge in self.edges if edge not in position.drawn]

    def play(self, position: Dots, move: int) -> Dots:
        drawn = position.drawn | {move}
        closed = sum(move in box and box <= drawn for box in self.boxes)
        gain = -closed if position.side else closed
        return Dots(drawn, position.side if closed else 1 - position.side, position.margin + gain)

    def payoff(self, position: Dots) -> int | None:
        if len(position.drawn) < len(self.edges):
            return None
        return position.margin if self.scored else (position.margin > 0) - (position.margin < 0)


class Sown(NamedTuple):
    """The seeds in the pits of FIRST and its store, then in those of SECOND and its store; and who
    is to sow."""

    pits: tuple[int, ...]
    side: int


class Kalah(Own):
    """Sow a pit; whoever ends in the own store sows again, and in an empty pit of one's own takes
    what lies opposite. The payoff is the margin of the stores, the seeds left over counted for the
    side on which they lie."""

    name = "kalah"

    def __init__(self, pits: int, seeds: int) -> None:
        self.pits, self.seeds = pits, seeds

    def start(self) -> Sown:
        row = (*(self.seeds for _ in range(self.pits)), 0)
        return Sown(row + row, 0)

    def side(self, position: Sown) -> int:
        return position.side

    def moves(self, position: Sown) -> list[int]:
        return (
            []
            if self.payoff(position) is not None
            else [pit for pit in range(self.pits) if position.pits[self._own(position) + pit]]
        )

    def play(self, position: Sown, move: int) -> Sown:
        pits, own = list(position.pits), self._own(position)
        at = own + move
        hand, pits[at] = pits[at], 0
        store = own + self.pits
        while hand:
            at = (at + 1) % len(pits)
            if at != (store + self.pits + 1) % len(pits):
                pits[at] += 1
                hand -= 1
        opposite = 2 * self.pits - at
        if own <= at < store and pits[at] == 1 and pits[opposite]:
            pits[store] += 1 + pits[opposite]
            pits[at] = pits[opposite] = 0
        return Sown(tuple(pits), position.side if at == store else 1 - position.side)

    def payoff(self, position: Sown) -> int | None:
        rows = position.pits[: self.pits + 1], position.pits[self.pits + 1 :]
        return None if any(rows[0][:-1]) and any(rows[1][:-1]) else sum(rows[0]) - sum(rows[1])

    def _own(self, position: Sown) -> int:
        return position.side * (self.pits + 1)


class Discs(NamedTuple):
    """FIRST's discs, SECOND's discs, who is to move, and whether the last move was a pass."""

    first: frozenset[int]
    second: frozenset[int]
    side: int
    passed: bool = False


class Othello(Own):
    """Othello on a small square. Who cannot flip anything passes: by a move of its own, PASS, or
    with `skips` the other side is to move again at once."""

    name = "othello"
    PASS = -1

    def __init__(self, size: int, skips: bool = False) -> None:
        self.size, self.skips = size, skips
        steps = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
        self.rays = {
            y * size + x: [
                [
                    (y + n * dy) * size + x + n * dx
                    for n in range(1, size)
                    if 0 <= x + n * dx < size and 0 <= y + n * dy < size
                ]
                for dx, dy in steps
            ]
            for y in range(size)
            for x in range(size)
        }

    def start(self) -> Discs:
        low, high = (self.size - 1) // 2, self.size // 2
        at = self.size * low
        return Discs(
            frozenset({at + high, self.size * high + low}),
            frozenset({at + low, self.size * high + high}),
            0,
        )

    def side(self, position: Discs) -> int:
        return position.side

    def flipped(self, position: Discs, side: int, cell: int) -> set[int]:
        own, other = (
            (position.second, position.first) if side else (position.first, position.second)
        )
        found: set[int] = set()
        for ray in self.rays[cell] if cell not in own | other else ():
            run = []
            for at in ray:
                if at not in other:
                    found |= set(run) if at in own else set()
                    break
                run.append(at)
        return found

    def placings(self, position: Discs, side: int) -> list[int]:
        return [cell for cell in self.rays if self.flipped(position, side, cell)]

    def moves(self, position: Discs) -> list[int]:
        if self.payoff(position) is not None:
            return []
        return self.placings(position, position.side) or [self.PASS]

    def play(self, position: Discs, move: int) -> Discs:
        side = position.side
        if move == self.PASS:
            return position._replace(side=1 - side, passed=True)
        flips = self.flipped(position, side, move)
        stones = [position.first - flips, position.second - flips]
        stones[side] = stones[side] | flips | {move}
        after = Discs(stones[0], stones[1], 1 - side)
        stays = self.skips and not self.placings(after, 1 - side) and self.placings(after, side)
        return after._replace(side=side) if stays else after

    def payoff(self, position: Discs) -> int | None:
        if self.placings(position, 0) or self.placings(position, 1):
            return None
        return len(position.first) - len(position.second)


class Mixed(NamedTuple):
    """A node of a tree in which any side may be to move anywhere: inner nodes have children, leaves
    a value."""

    side: int
    children: tuple[Any, ...]
    value: int


class MixedTree(Own):
    """A tree drawn at random: small values give many ties, and three nodes of seven have the side
    of their parent."""

    name = "mixed"

    def __init__(self, root: Mixed) -> None:
        self.root = root

    @classmethod
    def drawn(
        cls, draw: random.Random, depth: int, spread: int = 5, widths: tuple[int, int] = (1, 4)
    ) -> MixedTree:
        def node(left: int, above: int) -> Mixed:
            side = above if draw.random() < 3 / 7 else 1 - above
            value = draw.randint(-spread, spread)
            if not left or (left < depth - 1 and draw.random() < 0.15):
                return Mixed(side, (), value)
            return Mixed(
                side, tuple(node(left - 1, side) for _ in range(draw.randint(*widths))), value
            )

        return cls(node(depth, draw.randrange(2)))

    def start(self) -> Any:
        return ()

    def at(self, position: Any) -> Mixed:
        node = self.root
        for index in position:
            node = node.children[index]
        return node

    def side(self, position: Any) -> int:
        return self.at(position).side

    def moves(self, position: Any) -> range:
        return range(len(self.at(position).children))

    def play(self, position: Any, move: int) -> Any:
        return (*position, move)

    def payoff(self, position: Any) -> int | None:
        node = self.at(position)
        return None if node.children else node.value


class BruteForce:
    """The value of every position in FIRST's view by plain recursion over `side`: `leaf(position)`
    where it is not searched further."""

    def __init__(self, game: Any, leaf: Callable[[Any], float] | None = None) -> None:
        self.game, self.leaf = game, leaf
        self.known: dict[Any, float] = {}

    def value(self, position: Any, depth: float = inf) -> float:
        key = position, depth
        if key not in self.known:
            payoff = self.game.payoff(position)
            if payoff is not None or depth == 0:
                assert payoff is not None or self.leaf is not None
                self.known[key] = payoff if payoff is not None else self.leaf(position)  # type: ignore[misc]
            else:
                below = [
                    self.value(self.game.play(position, move), depth - 1)
                    for move in self.game.moves(position)
                ]
                self.known[key] = min(below) if self.game.side(position) else max(below)
        return self.known[key]


def some_position(game: Any, draw: random.Random, plies: int) -> Any:
    """A running position after so many random moves, fewer where one would have ended the game."""
    position = game.start()
    for _ in range(plies):
        after = game.play(position, draw.choice(game.moves(position)))
        position = position if game.payoff(after) is not None else after
    return position


class DrawnGraph(Own):
    """A game drawn at random whose positions are numbers: moves lead to greater ones, many to the
    same, and whose move it is is drawn for each. With `back` one move leads back."""

    name = "drawn"

    def __init__(
        self, draw: random.Random, size: int, scored: bool, spread: int = 1, back: bool = False
    ) -> None:
        self.scored = scored
        self.sides = [draw.randrange(2) for _ in range(size)]
        self.values: list[int | None] = [None] * size
        self.following: list[list[int]] = []
        for at in range(size):
            above = range(at + 1, min(size, at + 8))
            if not above or (at and draw.random() < 0.2):
                self.values[at] = draw.randint(-spread, spread)
                self.following.append([])
            else:
                self.following.append(draw.sample(above, draw.randint(1, min(4, len(above)))))
        if back:
            path = [0]
            while self.following[path[-1]]:
                path.append(draw.choice(self.following[path[-1]]))
            at = draw.randrange(len(path) - 1)
            self.following[path[at]].append(path[draw.randint(0, at)])

    def start(self) -> Any:
        return 0

    def side(self, position: Any) -> int:
        return self.sides[position]

    def moves(self, position: Any) -> list[int]:
        return self.following[position]

    def play(self, position: Any, move: int) -> int:
        return move

    def payoff(self, position: Any) -> int | None:
        return self.values[position]


def distance_of(game: Any, position: Any) -> tuple[int, int]:
    """The sign of the value in FIRST's view, and the plies to the end where the winner hurries and
    the loser delays, 0 for draws: plain recursion."""
    payoff = game.payoff(position)
    if payoff is not None:
        return (payoff > 0) - (payoff < 0), 0
    below = [distance_of(game, game.play(position, move)) for move in game.moves(position)]
    sign = -1 if game.side(position) else 1
    best = max(value * sign for value, _ in below) * sign
    plies = [plies for value, plies in below if value == best]
    return best, 0 if best == 0 else 1 + (min(plies) if best == sign else max(plies))


class DrawnCycles(DrawnGraph):
    """A game drawn at random in which a move may lead to any position, also to the same one, and
    two moves to one position; endless play is a draw."""

    name = "cycles"
    draw_by_repetition = True

    def __init__(self, draw: random.Random, size: int, scored: bool, spread: int = 1) -> None:
        self.scored = scored
        ends = draw.choice((0.1, 0.25, 0.5))
        self.sides = [draw.randrange(2) for _ in range(size)]
        self.values = [
            draw.randint(-spread, spread) if at and draw.random() < ends else None
            for at in range(size)
        ]
        self.following = [
            [] if value is not None else draw.choices(range(size), k=draw.randint(1, 4))
            for value in self.values
        ]

    def moves(self, position: Any) -> list[int]:
        return list(range(len(self.following[position])))

    def play(self, position: Any, move: int) -> int:
        return self.following[position][move]
