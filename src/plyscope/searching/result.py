"""Results: what was asked, what was found, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import prod
from typing import Any

from plyscope.display import drawn
from plyscope.jsonable import by_name
from plyscope.rules.game import Game
from plyscope.searching.conventions import Conventions
from plyscope.searching.limit import Limit
from plyscope.searching.score import Bound, format_score

__all__ = [
    "Depth",
    "RootMove",
    "SearchResult",
    "Variation",
    "effective_branching",
    "minimal_leaves",
]


@dataclass(frozen=True, kw_only=True)
class RootMove:
    """What the search says of one move at the root, in the root's view.

    `evaluation` is the heuristic's opinion right after the move, None where there was no time to
    ask for it. The counts are those of the nodes below the root (the move's own node included).
    `row` and `column` are 0-based from the top left, None in games without a board. `text` is the
    move's name.
    """

    move: Any
    text: str
    row: int | None
    column: int | None
    value: float | None
    bound: Bound | None
    evaluation: int | None
    nodes: int
    leaves: int
    cutoffs: int


@dataclass(frozen=True, kw_only=True)
class Depth:
    """One finished depth of a search that deepens. `table` is the part of the engine's table in
    use, None where there is none."""

    depth: int
    value: float
    nodes: int
    seconds: float
    pv: tuple[Any, ...]
    table: float | None = None

    @property
    def speed(self) -> float:
        """Nodes per second."""
        return self.nodes / max(self.seconds, 1e-9)


@dataclass(frozen=True, kw_only=True)
class Variation:
    """One of the best lines of play that the engine was asked for, with its value in the root's
    view."""

    value: int
    pv: tuple[Any, ...]


@dataclass(frozen=True, kw_only=True, repr=False)
class SearchResult:
    """What `search` found.

    `position` is one of `game`. `value` is in the view of the side to move at the root, and `bound`
    says how it relates to the minimax value at `depth`. `best_moves` are the moves proven to have
    that value: with a shared root window only the first can be (later equal ones are mere bounds),
    unless cuts are made at > only; `root="open"` proves all. `depth` is the greatest ply reached by
    the search that the value is of; `complete` tells that no leaf lay at the horizon. `stopped`
    says which limit (`nodes`, `seconds`) or `interrupted` ended the search early, None if nothing
    did. `variations` are the engine's best lines, best first. `nodes` counts every call, the root
    included, over all depths; `last_nodes` those of the last finished depth alone. `engine` is
    `reference` or `compiled`, and `engine_reason` says why.
    """

    position: Any
    game: Game
    algorithm: str
    heuristic: str
    conventions: Conventions
    limit: Limit
    value: float
    bound: Bound
    best_moves: tuple[Any, ...]
    moves: tuple[RootMove, ...]
    pv: tuple[Any, ...]
    depth: int
    complete: bool
    stopped: str | None
    nodes: int
    last_nodes: int
    leaves: int
    cutoffs: int
    table_hits: int
    researches: int
    widths: tuple[int, ...] | None
    depths: tuple[Depth, ...]
    variations: tuple[Variation, ...]
    engine: str
    engine_reason: str
    seconds: float

    @property
    def best_move(self) -> Any:
        """The first of the best moves, None when the game is over."""
        return self.best_moves[0] if self.best_moves else None

    @property
    def branching(self) -> float | None:
        """The effective branching factor: that of a uniform tree with as many nodes and this depth;
        None at depth 0."""
        return effective_branching(self.last_nodes, self.depth)

    @property
    def minimal(self) -> int | None:
        """The leaves of the Knuth–Moore minimal tree, None where the tree is not of one width at
        each ply, or sides do not alternate."""
        return None if self.widths is None else minimal_leaves(self.widths)

    @property
    def minimal_ratio(self) -> float | None:
        """The leaves visited over those of the minimal tree; 1 is perfect ordering."""
        return self.leaves / self.minimal if self.minimal else None

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON-ready data: its fields, moves by name, infinite windows as
        None."""
        names = [field.name for field in fields(self)]
        at = names.index("widths")
        names[at : at + 1] = "branching", "minimal", "minimal_ratio"
        texts = {item.move: item.text for item in self.moves}

        def with_names(item: Depth | Variation) -> dict[str, Any]:
            return by_name(item, pv=line_text(self.position, item.pv, self.game))

        return by_name(
            self,
            *names,
            position=str(self.position),
            game=self.game.name,
            best_moves=[texts.get(move, str(move)) for move in self.best_moves],
            moves=[by_name(item, move=item.text) for item in self.moves],
            pv=line_text(self.position, self.pv, self.game),
            depths=[with_names(item) for item in self.depths],
            variations=[with_names(item) for item in self.variations],
        )

    def __repr__(self) -> str:
        names = {item.move: item.text for item in self.moves}
        best = ", ".join(names.get(move, str(move)) for move in self.best_moves) or "none"
        value = f"value {self.bound.sign} {format_score(self.value, self.conventions.scoring)}"
        return f"<{self.algorithm} on {self.position}: {value}, best {best}, {self.nodes:,} nodes, depth {self.depth}>"

    _repr_html_ = drawn


def line_text(position: Any, line: tuple[Any, ...], game: Any = None) -> list[str]:
    """Return the names of the moves of a line of play from `position`."""
    game = game or getattr(position, "game", None)
    texts = []
    for move in line:
        texts.append(str(move) if game is None else game.format_move(position, move))
        position = position if game is None else game.play(position, move)
    return texts


def effective_branching(nodes: int, depth: int) -> float | None:
    """Return b with 1 + b + b² + ... + b^depth = `nodes`, to six digits; None at depth 0.

    Source: the effective branching factor of Russell & Norvig, Artificial Intelligence: A Modern
    Approach.
    """
    if depth < 1 or nodes < 2:
        return None
    low, high = 0.0, float(nodes)
    while high - low > 1e-7 * max(1.0, high):
        middle = (low + high) / 2
        if sum(middle**ply for ply in range(depth + 1)) < nodes:
            low = middle
        else:
            high = middle
    return round(high, 6)


def minimal_leaves(widths: tuple[int, ...]) -> int:
    """Return the leaves that any alpha-beta must visit in a tree with `widths[ply]` children at
    each ply, in the best order.

    The product of the widths at even plies, plus that at odd plies, less one: b^⌈d/2⌉ + b^⌊d/2⌋ − 1
    for one width b (Knuth & Moore 1975).
    """
    return prod(widths[0::2]) + prod(widths[1::2]) - 1
