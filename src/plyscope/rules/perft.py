"""Perft: counting move sequences and positions by ply, the first test of any game's rules.

Each distinct position of a ply is stored with the number of sequences that reach it, so the cost
grows with distinct positions and not with sequences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from plyscope.catalogue import checks_keywords
from plyscope.datafile import DataFrame, frame
from plyscope.display import drawn, printed
from plyscope.errors import OptionError
from plyscope.jsonable import by_name, jsonable
from plyscope.progress import Count
from plyscope.rules.game import GameLike, PositionLike, state_of
from plyscope.rules.position import Position
from plyscope.rules.source import as_position
from plyscope.rules.symmetry import canonical


@dataclass(frozen=True, kw_only=True)
class PlyCount:
    """The counts of one ply.

    >>> [(counts.sequences, counts.positions) for counts in perft("tictactoe", depth=3)]
    [(1, 1), (9, 9), (72, 72), (504, 252)]
    """

    ply: int
    sequences: int
    """Move sequences of this length."""
    positions: int
    """Distinct positions."""
    classes: int | None
    """Distinct positions up to symmetry, None if they were not counted."""
    first_wins: int
    second_wins: int
    draws: int

    @property
    def games(self) -> int:
        """The games, as move sequences, that end at this ply."""
        return self.first_wins + self.second_wins + self.draws

    def __str__(self) -> str:
        counts = f"{self.sequences:,} sequences, {self.positions:,} positions"
        return f"ply {self.ply}: {counts}, {self.games:,} games ended"


class Perft(Iterator[PlyCount]):
    """An iterator over the counts of each ply, made on demand; a notebook shows them all."""

    def __init__(self, position: Any, layers: Iterator[PlyCount]) -> None:
        self.position = position
        self.rows: list[PlyCount] = []
        """The plies counted so far."""
        self._layers = layers

    def __next__(self) -> PlyCount:
        """Return the counts of the next ply."""
        row = next(self._layers)
        self.rows.append(row)
        return row

    def as_dict(self) -> dict[str, Any]:
        """Return all counts as JSON-ready data; count the remaining plies first."""
        for _ in self:
            pass
        plies = [by_name(row) | {"games": row.games} for row in self.rows]
        return {
            "game": self.position.game.name,
            "position": jsonable(self.position),
            "plies": plies,
        }

    def to_frame(self) -> DataFrame:
        """Return the counts of all plies as a pandas DataFrame, a row for each."""
        return frame(self.as_dict()["plies"])

    def __repr__(self) -> str:
        return f"<perft of {self.position.game.name}: {len(self.rows)} plies counted so far>"

    __str__ = printed
    _repr_html_ = drawn


@checks_keywords
def perft(
    game: GameLike | PositionLike | None = None,
    position: PositionLike | None = None,
    depth: int | None = None,
    classes: bool = False,
    progress: Count | None = None,
) -> Perft:
    """Return the counts of each ply from a position to `depth` (the end of the game).

    The arguments are a game or a position, or the text of one, and the depth; or a game, one of its
    positions and the depth. A whole number in place of the position is the depth; pass a state that
    is a whole number as `GamePosition(game, state)`. `classes` also counts positions up to
    symmetry, for line games. `progress` is called with the number of positions done, every few
    thousand.

    >>> [counts.sequences for counts in perft("tictactoe", 3)]
    [1, 9, 72, 504]

    Raises OptionError, and what `parse` raises.
    """
    if depth is None and isinstance(position, int) and game is not None:
        position, depth = None, position
    if game is None and position is None:
        raise OptionError("no position; expected a game or a position")
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 0):
        raise OptionError(f"depth {depth!r}; expected a whole number of plies from 0")
    root = (
        as_position(game) if position is None else as_position(position, cast(GameLike | str, game))
    )
    return Perft(root, _layers(root.game, state_of(root), depth, classes, progress))


def _layers(
    game: GameLike, root: Any, depth: int | None, classes: bool, progress: Count | None
) -> Iterator[PlyCount]:
    """Yield the counts of each ply, from a counter of positions by the sequences that reach
    them."""
    layer: Counter[Any] = Counter({root: 1})
    ply = 0
    while layer:
        ends = Counter[int]()
        following: Counter[Any] = Counter()
        for done, (node, count) in enumerate(layer.items()):
            if progress is not None and done % 4096 == 0:
                progress(done)
            payoff = game.payoff(node)
            if payoff is not None:
                ends[(payoff > 0) - (payoff < 0)] += count
            elif ply != depth:
                for move in game.moves(node):
                    following[game.play(node, move)] += count
        yield PlyCount(
            ply=ply,
            sequences=layer.total(),
            positions=len(layer),
            classes=len({canonical(node) for node in layer})
            if classes and isinstance(next(iter(layer)), Position)
            else None,
            first_wins=ends[1],
            second_wins=ends[-1],
            draws=ends[0],
        )
        layer, ply = following, ply + 1
