"""The symmetries of a board, found from its lines.

A symmetry is a permutation of the cells, `image[cell]`, that carries lines to lines, and under gravity columns to columns with their
bottom kept. `symmetries(game)` are those that also keep neighbours neighbours: the turns and mirrors people see. `of="lines"` asks for all
of them: Qubic has 192, of which 48 are the cube's (Silver 1967).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise, product
from typing import Literal

from plyscope.errors import OptionError
from plyscope.rules.cells import coordinates
from plyscope.rules.linegame import LineGame, Position, bits

__all__ = ["canonical", "orbit", "symmetries", "with_x_first"]

MAX_SYMMETRIES = 20_000
Kind = Literal["board", "lines"]


@lru_cache(maxsize=64)
def symmetries(game: LineGame, of: Kind = "board") -> tuple[tuple[int, ...], ...]:
    """Return the symmetries of the board, or of its lines alone, the identity first.

    Backtracking over the images of the cells, each held to its relation with the cells before it. Raises OptionError beyond 20,000
    symmetries, which boards with few lines have in plenty.
    """
    relation = _relations(game, of)
    order = _search_order(game)
    found = []
    for image in _extend([], order, relation, _closing_lines(game, order), frozenset(game.masks)):
        found.append(tuple(image[order.index(cell)] for cell in range(game.size)))
        if len(found) > MAX_SYMMETRIES:
            raise OptionError(f"the lines of {game.name!r} have more than {MAX_SYMMETRIES} symmetries; expected of='board'")
    return tuple(sorted(found))


def _relations(game: LineGame, of: Kind) -> list[list[tuple[object, ...]]]:
    """Return what every symmetry must keep for each pair of cells: the lines both are on, whether they touch, which one lies on the
    other."""
    shared = Counter(pair for mask in game.masks for pair in product(bits(mask), repeat=2))
    under = {(below, above) for column in game.columns for below, above in pairwise(column)} if game.gravity else set()
    at = [coordinates(game.shape, cell) for cell in range(game.size)]
    sizes = game.shape if len(game.shape) > 1 else (*game.shape, 1)

    def touching(one: int, other: int) -> bool:
        gaps = [abs(x - y) for x, y in zip(at[one], at[other], strict=True)]
        return sum(min(gap, size - gap) if game.torus else gap for gap, size in zip(gaps, sizes, strict=True)) == 1

    return [
        [
            (shared[one, other], of == "board" and touching(one, other), (one, other) in under, (other, one) in under, one == other)
            for other in range(game.size)
        ]
        for one in range(game.size)
    ]


def _search_order(game: LineGame) -> list[int]:
    """Return the cells so that lines are full as early as possible: a full line is what tells most about an image."""
    order: list[int] = []
    placed = 0
    while len(order) < game.size:
        left = (cell for cell in range(game.size) if not placed >> cell & 1)
        cell = max(left, key=lambda c: (max(((mask & placed).bit_count() for mask in game.masks_through[c]), default=0), -c))
        order.append(cell)
        placed |= 1 << cell
    return order


def _closing_lines(game: LineGame, order: list[int]) -> list[list[list[int]]]:
    """Return for each place in `order` the lines that are full from there on, each as places in `order`."""
    closing: list[list[list[int]]] = [[] for _ in order]
    for mask in game.masks:
        places = [order.index(cell) for cell in bits(mask)]
        closing[max(places)].append(places)
    return closing


def _extend(
    image: list[int], order: list[int], relation: list[list[tuple[object, ...]]], closing: list[list[list[int]]], lines: frozenset[int]
) -> Iterator[list[int]]:
    """Yield every completion of `image`, the images of the first cells of `order`, that keeps relations and lines; each must be read at
    once."""
    place = len(image)
    if place == len(order):
        yield image
        return
    row = relation[order[place]]
    wanted = [row[cell] for cell in order[:place]]
    for target in range(len(order)):
        if target in image or row[order[place]] != relation[target][target]:
            continue
        if [relation[target][placed] for placed in image] != wanted:
            continue
        image.append(target)
        if all(sum(1 << image[at] for at in line) in lines for line in closing[place]):
            yield from _extend(image, order, relation, closing, lines)
        image.pop()


class _BoardMap:
    """A permutation of cells applied to bitboards a byte at a time."""

    def __init__(self, permutation: tuple[int, ...]) -> None:
        self.tables = [
            [sum(1 << permutation[start + bit] for bit in bits(byte) if start + bit < len(permutation)) for byte in range(256)]
            for start in range(0, len(permutation), 8)
        ]

    def __call__(self, board: int) -> int:
        image = 0
        for table in self.tables:
            image |= table[board & 255]
            board >>= 8
        return image


@lru_cache(maxsize=64)
def _board_maps(game: LineGame, of: Kind) -> tuple[_BoardMap, ...]:
    return tuple(_BoardMap(permutation) for permutation in symmetries(game, of))


def orbit(position: Position, of: Kind = "board") -> frozenset[Position]:
    """Return the positions that are `position` turned or mirrored, itself among them."""
    maps = _board_maps(position.game, of)
    return frozenset(position._replace(first=image(position.first), second=image(position.second)) for image in maps)


def canonical(position: Position, of: Kind = "board") -> Position:
    """Return the one position that stands for all those equal to `position` up to symmetry: the one with the least bitboards."""
    first, second = min((image(position.first), image(position.second)) for image in _board_maps(position.game, of))
    return position._replace(first=first, second=second)


def with_x_first(position: Position) -> Position:
    """Return the position, its colours exchanged where O has begun: with as many stones of both, where it is O's turn."""
    if position.side == (position.first | position.second).bit_count() % 2:
        return position
    winner = None if position.winner is None else 1 - position.winner
    return Position(position.game, position.second, position.first, 1 - position.side, winner)
