"""Results of searches: the request, the score and moves found, and the cost."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from plyscope.datafile import DataFrame, frame
from plyscope.display import drawn, printed
from plyscope.evaluation.notes import notes_on
from plyscope.jsonable import by_name
from plyscope.rules.game import one_line, position_of, state_of
from plyscope.rules.tree import ExplicitTree
from plyscope.searching.pruned import Pruned
from plyscope.searching.score import Bound, format_score

if TYPE_CHECKING:
    from plyscope.rules.game import Game
    from plyscope.rules.tree import AnyPosition
    from plyscope.searching.algorithm import SearchRequest
    from plyscope.searching.conventions import Conventions
    from plyscope.searching.limit import Limit


@dataclass(frozen=True, kw_only=True)
class RootMove:
    """The result of a search for one move at the root, in the view of the result's value."""

    move: Any
    text: str
    """The name of the move."""
    row: int | None
    """The row, 0-based from the top; None in games without a board."""
    column: int | None
    """The column, 0-based from the left; None in games without a board."""
    value: float | None
    """The score of the move, None if it was not searched."""
    bound: Bound | None
    """The relation of `value` to the minimax value."""
    evaluation: float | None
    """The static evaluation right after the move, None if there was no time for it."""
    nodes: int
    """Nodes visited after the move, including the one it leads to."""
    leaves: int
    """Leaves among these nodes."""
    cutoffs: int
    """Cutoffs at these nodes."""

    def __str__(self) -> str:
        if self.value is None or self.bound is None:
            return f"{self.text}: not searched"
        sign = "" if self.bound is Bound.EXACT else f"{self.bound.sign} "
        return f"{self.text}: value {sign}{format_score(self.value)}, {self.nodes:,} nodes"


@dataclass(frozen=True, kw_only=True)
class Depth:
    """One finished depth of an iterative deepening."""

    depth: int
    value: float
    nodes: int
    """Nodes of this depth only."""
    seconds: float
    """Seconds of this depth only."""
    pv: tuple[Any, ...]
    table: float | None = None
    """The fraction of the engine's transposition table in use, None without such a table."""

    def __str__(self) -> str:
        value = format_score(self.value)
        return f"depth {self.depth}: value {value}, {self.nodes:,} nodes, {self.seconds:.3f} s"

    @property
    def speed(self) -> float:
        """Nodes per second."""
        return self.nodes / max(self.seconds, 1e-9)


@dataclass(frozen=True, kw_only=True)
class Variation:
    """One of the best variations of a MultiPV search."""

    value: int
    """The score in the root's view."""
    pv: tuple[Any, ...]

    def __str__(self) -> str:
        return f"value {format_score(self.value)}: moves {', '.join(map(str, self.pv))}"


@dataclass(frozen=True, kw_only=True, repr=False)
class SearchResult:
    """The result of `search`.

    The shared window leaves only a bound of a move that cannot be the best:

    >>> from plyscope import search
    >>> result = search(".X./O../X.O", "alphabeta", "counted-lines")
    >>> [f"{move.text} {move.bound.sign} {move.value}" for move in result.moves][:3]
    ['a3 = 0', 'c3 = 5', 'b2 ≤ 5']
    """

    request: SearchRequest
    """The request of the search."""
    value: float
    """The score of the root, in the view of its side to move; of an explicit tree in MAX's view,
    and exact: an int, a float such as 4.01, or a Fraction such as 1/3."""
    bound: Bound
    """The relation of `value` to the minimax value at `depth`."""
    best_moves: tuple[Any, ...]
    """The moves proven to have that value. With a shared root window only the first such move is
    proven, since later moves of equal value have only bounds. With `root="open"`, or with
    `cut="gt"` and fail-soft, all are proven."""
    moves: tuple[RootMove, ...]
    """The moves of the root."""
    pv: tuple[Any, ...]
    """The principal variation."""
    depth: int
    """The greatest ply reached by the search that found the value."""
    complete: bool
    """Whether no leaf was at the horizon."""
    stopped: str | None
    """The reason if the search ended early: `nodes`, `seconds`, `memory` or `interrupted`."""
    nodes: int
    """Nodes visited, including the root, over all depths."""
    last_nodes: int
    """Nodes of the last finished depth."""
    leaves: int
    """Leaves of the last finished depth."""
    cutoffs: int
    """Cutoffs of the last finished depth."""
    table_hits: int
    """Hits of the transposition table."""
    researches: int
    """Null windows that failed high and were searched again."""
    widths: tuple[int, ...] | None
    """The number of children at each ply, None if the tree is not uniform."""
    depths: tuple[Depth, ...]
    """The finished depths of an iterative deepening."""
    variations: tuple[Variation, ...]
    """The engine's best variations, best first."""
    form: str
    """The form that ran: `reference` or `compiled`."""
    form_reason: str
    """The reason for that form, in a few words."""
    seconds: float
    """Wall time without compilation."""
    pruned: Pruned | None = None
    """What a finished search of an explicit tree pruned; None for other searches."""
    unknown: str | None = None
    """Whether the unknown leaves of a tree matter; None without such leaves."""

    @property
    def position(self) -> AnyPosition:
        """The root: a Position, TreePosition or GamePosition."""
        root: AnyPosition = position_of(self.game, self.request.position)
        return root

    @property
    def game(self) -> Game:
        """The game of the position."""
        return self.request.game

    @property
    def algorithm(self) -> str:
        """The name of the algorithm."""
        return self.request.algorithm.name

    @property
    def heuristic(self) -> str:
        """The name of the heuristic."""
        return self.request.heuristic.name

    @property
    def notes(self) -> tuple[str, ...]:
        """How a tree was read, and notes on the heuristic for this game and on unknown leaves, a
        sentence each."""
        read = self.game.said if isinstance(self.game, ExplicitTree) else ""
        notes = (read, *notes_on(self.request.heuristic, self.game), self.unknown)
        return tuple(note for note in notes if note)

    @property
    def conventions(self) -> Conventions:
        """The conventions of the search."""
        return self.request.conventions

    @property
    def limit(self) -> Limit:
        """The limit of the search."""
        return self.request.limit

    @property
    def best_move(self) -> Any:
        """The first of the best moves, None if the game is over."""
        return self.best_moves[0] if self.best_moves else None

    @property
    def branching(self) -> float | None:
        """The effective branching factor: the width of a uniform tree with as many nodes and this
        depth; None at depth 0."""
        return effective_branching(self.last_nodes, self.depth)

    @property
    def minimal(self) -> int | None:
        """The leaves of the Knuth–Moore minimal tree, None if the tree is not uniform."""
        return None if self.widths is None else minimal_leaves(self.widths)

    @property
    def minimal_ratio(self) -> float | None:
        """The leaves visited divided by those of the minimal tree; 1 is perfect ordering."""
        return self.leaves / self.minimal if self.minimal else None

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON-ready data, with moves by name and infinite bounds as None."""
        texts = {item.move: item.text for item in self.moves}

        def with_names(item: Depth | Variation) -> dict[str, Any]:
            return by_name(item, pv=line_text(self.position, item.pv))

        return by_name(
            self,
            *JSON_KEYS,
            position=str(self.position),
            game=self.game.name,
            best_moves=[texts.get(move, str(move)) for move in self.best_moves],
            moves=[by_name(item, move=item.text) for item in self.moves],
            pv=line_text(self.position, self.pv),
            depths=[with_names(item) for item in self.depths],
            variations=[with_names(item) for item in self.variations],
        )

    def to_frame(self) -> DataFrame:
        """Return the moves as a pandas DataFrame, a row for each."""
        return frame(self.moves)

    def __repr__(self) -> str:
        names = {item.move: item.text for item in self.moves}
        best = ", ".join(names.get(move, str(move)) for move in self.best_moves) or "none"
        value = f"value {self.bound.sign} {format_score(self.value, self.conventions.scoring)}"
        return (
            f"<{self.algorithm} on {one_line(self.position)}: {value}, best {best}, "
            f"{self.nodes:,} nodes, depth {self.depth}>"
        )

    __str__ = printed
    _repr_html_ = drawn


JSON_KEYS = (
    *("position", "game", "algorithm", "heuristic", "conventions", "limit", "value", "bound"),
    *("best_moves", "moves", "pv", "depth", "complete", "stopped", "nodes", "last_nodes"),
    *(
        "leaves",
        "cutoffs",
        "pruned",
        "table_hits",
        "researches",
        "branching",
        "minimal",
        "minimal_ratio",
    ),
    *("depths", "variations", "form", "form_reason", "seconds"),
)
"""The keys of a result in JSON, in order."""


def line_text(position: Any, line: tuple[Any, ...]) -> list[str]:
    """Return the names of the moves of a line of play from `position`."""
    game, state, texts = position.game, state_of(position), []
    for move in line:
        texts.append(game.format_move(state, move))
        state = game.play(state, move)
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
    """Return the leaves that alpha-beta must visit in a tree with `widths[ply]` children a node.

    This is the product of the widths at even plies, plus the product at odd plies, less one:
    b^⌈d/2⌉ + b^⌊d/2⌋ − 1 for a constant width b (Knuth & Moore 1975).
    """
    return prod(widths[0::2]) + prod(widths[1::2]) - 1
