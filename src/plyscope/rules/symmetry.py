"""The symmetries of a board, found from its lines.

A symmetry is a permutation of the cells, `image[cell]`, that maps lines to lines (with their ends
if `exactly` is set) and holes to themselves; under gravity it maps columns to columns, bottom to
bottom. `symmetries(game)` are those that also map neighbours to neighbours: rotations and
reflections of the board. `of="lines"` returns all symmetries of the lines: Qubic has 192, of which
48 are those of the cube (Silver 1967).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise, product
from typing import Literal

from plyscope.errors import OptionError
from plyscope.rules.linegame import HEXAGONAL, LineGame
from plyscope.rules.lines import axes_of, bits, neighbour_cells
from plyscope.rules.position import Position

MAX_SYMMETRIES = 20_000
MAX_FLAT_CELLS = 100
"""The cells of the largest flat board on which `quick_symmetries` looks for those of the lines. On
larger ones with few lines, such as 12,12,12, it could take hours."""
Kind = Literal["board", "lines"]


@lru_cache(maxsize=64)
def symmetries(game: LineGame, of: Kind = "board") -> tuple[tuple[int, ...], ...]:
    """Return the symmetries of the board, or of its lines only, the identity first.

    >>> import plyscope as ps
    >>> len(symmetries(ps.GAMES["tictactoe"])), len(symmetries(ps.GAMES["connect4"]))
    (8, 2)

    Backtracking assigns images cell by cell; each must keep the cell's relations with all cells
    before it. For every cell it finds one symmetry for each image that the cell can have while the
    cells before it stay fixed; all other symmetries are products of these (Sims 1970). Raises
    OptionError beyond 20,000 symmetries, which boards with few lines can have.
    """
    if not isinstance(game, LineGame):
        raise OptionError(f"no symmetries of {str(game)[:40]!r}; expected a LineGame")
    board = _Relations(game, of)
    places = sorted(range(game.size), key=board.order.__getitem__)
    domains = [board.alike]
    for place, cell in enumerate(board.order):
        domains.append(board.narrowed(domains[-1], place, cell) or [])
    group = [tuple(range(game.size))]
    for place in range(game.size - 1, -1, -1):
        fixed = board.order[:place]
        targets = bits(domains[place][place] & ~(1 << board.order[place]))
        generators = [
            image
            for target in targets
            if (image := _completed(fixed, target, domains[place], board))
        ]
        if len(group) * (1 + len(generators)) > MAX_SYMMETRIES:
            raise OptionError(
                f"the lines of {game.name!r} have more than {MAX_SYMMETRIES} symmetries; "
                "expected of='board'"
            )
        by_cell = [[image[at] for at in places] for image in generators]
        group += [tuple(map(image.__getitem__, kept)) for image in by_cell for kept in group]
    return tuple(sorted(group))


def quick_symmetries(game: LineGame, most: int) -> tuple[tuple[int, ...], ...]:
    """Return the symmetries of the lines, or of the board if the former could take long to find or
    have more than `most` images of cells together."""
    is_flat = len(game.shape) < 3 or bool(game.torus)
    if game.size <= MAX_FLAT_CELLS or not is_flat:
        with suppress(OptionError):
            group = symmetries(game, "lines")
            if len(group) * game.size <= most:
                return group
    return symmetries(game)


class _Relations:
    """The properties that every symmetry keeps: the lines, and the relation of each pair of cells.

    The relation of two cells is the number of lines through both, whether they are neighbours, and
    which is above the other. `order` holds the cells in the order in which they get their images. A
    *domain* is the bitboard of the images that the cell at one place of `order` can still have.
    """

    def __init__(self, game: LineGame, of: Kind) -> None:
        self.order = _search_order(game)
        spans = [(line.mask, line.ends if game.exactly else 0) for line in game.lines]
        self.lines = frozenset(spans)
        shared = Counter(pair for mask in game.masks for pair in product(bits(mask), repeat=2))
        relation = [[shared[one, other] for other in range(game.size)] for one in range(game.size)]
        kinds = len(game.masks) + 1  # beyond any number of shared lines
        for one, other in _touching(game) if of == "board" else ():
            relation[one][other] += kinds
        for below, above in (
            (pair for column in game.columns for pair in pairwise(column)) if game.gravity else ()
        ):
            relation[below][above] += 2 * kinds
            relation[above][below] += 4 * kinds
        at_itself = 8 * kinds
        self.related: list[dict[int, int]] = [{} for _ in relation]
        for cell, row in enumerate(relation):
            row[cell] += at_itself * (2 + cell if game.holes >> cell & 1 else 1)
            for other, kind in enumerate(row):
                self.related[other][kind] = self.related[other].get(kind, 0) | 1 << cell
        self.alike = [
            sum(
                1 << other
                for other in range(game.size)
                if relation[other][other] == relation[cell][cell]
            )
            for cell in self.order
        ]
        self.kinds = [[relation[later][cell] for later in self.order] for cell in self.order]
        self.closing: list[list[tuple[list[int], list[int]]]] = [[] for _ in self.order]
        place_of = {cell: place for place, cell in enumerate(self.order)}
        for mask, ends in spans:
            line, beyond = ([place_of[cell] for cell in bits(part)] for part in (mask, ends))
            self.closing[max(line + beyond)].append((line, beyond))

    def narrowed(self, domains: list[int], place: int, target: int) -> list[int] | None:
        """Return the domains once the cell at `place` has the image `target`; None if a domain is
        empty."""
        related, kinds = self.related[target], self.kinds[place]
        narrowed = domains[: place + 1]
        for later in range(place + 1, len(domains)):
            domain = domains[later] & related.get(kinds[later], 0)
            if not domain:
                return None
            narrowed.append(domain)
        return narrowed


def _touching(game: LineGame) -> Iterator[tuple[int, int]]:
    """Yield the pairs of neighbours along the axes, on a hexagonal board in all six directions,
    and across joined edges."""
    shape, wraps = game.shape, axes_of(game.shape, game.torus)
    axes = [tuple(int(axis == other) for other in range(len(shape))) for axis in range(len(shape))]
    for direction in HEXAGONAL if game.hexagonal else axes:
        for sign in (-1, 1):
            following = neighbour_cells(shape, direction, wraps, sign)
            for cell in bits(game.board):
                other = following[cell]
                if other not in (-1, cell) and game.board >> other & 1:
                    yield cell, other


def _search_order(game: LineGame) -> list[int]:
    """Return the cells in an order that fills lines early: a full line restricts images most."""
    order: list[int] = []
    placed = 0
    while len(order) < game.size:
        left = (cell for cell in range(game.size) if not placed >> cell & 1)
        cell = max(
            left,
            key=lambda c: (
                max(((mask & placed).bit_count() for mask in game.masks_through[c]), default=0),
                -c,
            ),
        )
        order.append(cell)
        placed |= 1 << cell
    return order


def _completed(
    image: list[int], target: int, domains: list[int], board: _Relations
) -> list[int] | None:
    """Return a symmetry whose images begin with `image` and `target`, None if there is none."""
    begin, image = len(image), list(image)
    choices, left = [iter((target,))], [domains]  # of the places from `begin`
    while choices:
        place = begin + len(choices) - 1
        del image[place:]
        other = next(choices[-1], None)
        if other is None:
            choices.pop()
            left.pop()
            continue
        image.append(other)
        if not all(
            (sum(1 << image[at] for at in line), sum(1 << image[at] for at in ends)) in board.lines
            for line, ends in board.closing[place]
        ):
            continue
        if len(image) == len(board.order):
            return image
        narrowed = board.narrowed(left[-1], place, other)
        if narrowed is not None:
            choices.append(bits(narrowed[place + 1]))
            left.append(narrowed)
    return None


class _BoardMap:
    """A permutation of cells applied to bitboards a byte at a time."""

    def __init__(self, permutation: tuple[int, ...]) -> None:
        self.tables = [
            [
                sum(
                    1 << permutation[start + bit]
                    for bit in bits(byte)
                    if start + bit < len(permutation)
                )
                for byte in range(256)
            ]
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
    """Return all positions equal to `position` up to symmetry, itself included."""
    maps = _board_maps(position.game, of)
    return frozenset(
        position._replace(first=image(position.first), second=image(position.second))
        for image in maps
    )


def canonical(position: Position, of: Kind = "board") -> Position:
    """Return the canonical position: of all symmetric positions the one with the least bitboards.

    >>> import plyscope as ps
    >>> str(canonical(ps.parse("..X/.O./...")))
    'X../.O./...'
    """
    if not isinstance(position, Position):
        raise OptionError(f"no position {str(position)[:40]!r}; expected a Position of a line game")
    first, second = min(
        (image(position.first), image(position.second)) for image in _board_maps(position.game, of)
    )
    return position._replace(first=first, second=second)


def with_x_first(position: Position) -> Position:
    """Return the position, with colours swapped if the number of stones and the side to move show
    that O moved first."""
    stones = (position.first | position.second).bit_count()
    if not position.game.alternates or position.side == stones % 2:
        return position
    return with_colours_swapped(position)


def with_colours_swapped(position: Position) -> Position:
    """Return the position with all stones, the side to move and the winner of the other colour."""
    winner = None if position.winner is None else 1 - position.winner
    return Position(position.game, position.second, position.first, 1 - position.side, winner)
