"""The solver of any game: retrograde analysis of every position that can be reached.

Positions are visited depth first, each once. A position gets its value when all its children have
one. The game determines the side to move, so a side may make several moves in a row. A position to
which play from it can return is an error: its value would depend on itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, Generic, TypeVar

from plyscope.rules.game import (
    FIRST,
    Game,
    moves_at,
    payoff_at,
    repetition_error,
    side_at,
    state_of,
)
from plyscope.rules.tree import value_in
from plyscope.searching.limit import SearchStopped
from plyscope.solving.ask import Ask, Solver
from plyscope.solving.verdict import MoveVerdict, Verdict

WIN = 1 << 40
"""The value of a won game; a win in d plies has the value WIN − d."""
MAX_POSITIONS = 5_000_000
"""The limit of stored positions: about a hundred bytes each, plus their states."""
POLL_POSITIONS = 512
"""Positions between two checks of the clock."""


Value = TypeVar("Value")
Moves = Sequence[tuple[Any, Any]]
"""Moves with the states after them."""


class FromTheEnds(ABC, Generic[Value]):
    """Retrograde analysis: the value of each reachable state, from the values of its children.

    States are visited depth first, each once, without recursion.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[Any, Value] = {}
        """The values by state."""
        self.path: dict[Any, Moves] = {}
        """The states from the root to the parent of the current one, with their moves."""

    @abstractmethod
    def of_end(self, state: Any) -> Value | None:
        """Return the value of a finished game, None while it goes on."""

    def moves(self, state: Any) -> Moves:
        """Return the moves to follow; a subclass may return fewer."""
        return [(move, self.game.play(state, move)) for move in moves_at(self.game, state)]

    @abstractmethod
    def of_moves(self, state: Any, moves: Moves) -> Value:
        """Return the value of a state; the values after its moves are in `known`."""

    def visit(self, count: int) -> None:
        """Called before state number `count` is visited; a subclass may raise to stop."""

    def find(self, root: Any) -> Value:
        """Return the value of `root`, and store the values of all states that follow it.

        Raises OptionError for a state to which play from it can return.
        """
        known, path, state = self.known, self.path, root
        stack: list[list[Any]] = []
        """For each state of the path the children still to visit, the next one last."""
        while root not in known:
            if state in path:
                raise repetition_error(self.game, state, len(path) - list(path).index(state))
            self.visit(len(known) + len(path) + 1)
            value = self.of_end(state)
            if value is None:
                path[state] = moves = self.moves(state)
                stack.append([after for _, after in reversed(moves)])
            else:
                known[state] = value
            while stack:
                while stack[-1] and stack[-1][-1] in known:
                    stack[-1].pop()
                if stack[-1]:
                    state = stack[-1][-1]
                    break
                stack.pop()
                state, moves = path.popitem()
                known[state] = self.of_moves(state, moves)
        return known[root]


class Values(FromTheEnds[int]):
    """The values of positions of one game, in FIRST's view, computed on demand.

    In a `scored` game a value is a payoff. Otherwise a game won in d plies has the value WIN − d, a
    lost one d − WIN, a draw 0, so the winner prefers fast wins and the loser slow losses. `pause`
    is called with the number of positions at regular intervals. Raises SearchStopped beyond `most`
    positions.
    """

    def __init__(
        self, game: Game, most: int = MAX_POSITIONS, pause: Callable[[int], None] | None = None
    ) -> None:
        super().__init__(game)
        self.most, self.pause = most, pause

    def visit(self, count: int) -> None:
        """Raise SearchStopped beyond the limit, and call `pause` at intervals."""
        self.require_room(count)
        self.poll(count)

    def require_room(self, positions: int) -> None:
        """Raise SearchStopped beyond the limit."""
        if positions > self.most:
            raise SearchStopped("memory" if self.most == MAX_POSITIONS else "nodes")

    def poll(self, count: int) -> None:
        """Call `pause` at intervals."""
        if self.pause is not None and count % POLL_POSITIONS == 0:
            self.pause(count)

    def of_end(self, state: Any) -> int | None:
        """Return the value of a finished game."""
        payoff = payoff_at(self.game, state)
        if payoff is None or self.game.scored:
            return payoff
        return WIN * ((payoff > 0) - (payoff < 0))

    def of_moves(self, state: Any, moves: Moves) -> int:
        """Return the value of the best move."""
        values = [self.known[after] for _, after in moves]
        best = max(values) if side_at(self.game, state) == FIRST else min(values)
        return best if self.game.scored else best - (best > 0) + (best < 0)

    def in_view(self, value: int, side: int) -> tuple[int, int | None, int | None]:
        """Return the result, the distance and the score of a value in the view of `side`."""
        own = value if side == FIRST else -value
        result = (own > 0) - (own < 0)
        if self.game.scored:
            return result, None, own
        return result, WIN - abs(own) if own else None, None


def why_not_repeating(position: Any) -> str:
    """Return why a solver of games that end does not accept a position, '' if it does."""
    return "a game without draw_by_repetition" if position.game.draw_by_repetition else ""


def children_of(game: Game, state: Any) -> list[Any]:
    """Return the states after each move."""
    return [game.play(state, move) for move in moves_at(game, state)]


def _solve(ask: Ask) -> Verdict:
    """Return the verdict with the values of all moves."""
    values = Values(
        ask.position.game,
        min(MAX_POSITIONS, ask.limit),
        lambda found: ask.pause(found, POLL_POSITIONS, "positions"),
    )
    return verdict_of(ask, values, EXHAUSTIVE.name)


def verdict_of(ask: Ask, values: Values, method: str, remark: str = "") -> Verdict:
    """Return the verdict by `values`, with the values of all moves; `remark` ends its proof."""
    position = ask.position
    value = values.find(state_of(position))
    result, distance, score = values.in_view(value, position.side)
    moves = () if position.is_over else _moves(values, position)
    shown = None if score is None else value_in(position.game, score)
    return Verdict(
        position=position,
        value=result,
        distance=distance,
        score=shown,
        best_moves=tuple(
            each.move
            for each in moves
            if (each.value, each.score, each.distance) == (result, shown, distance)
        ),
        moves=tuple(moves),
        method=method,
        proof=f"retrograde analysis of all {len(values.known):,} positions that can follow{remark}",
        nodes=len(values.known),
        seconds=perf_counter() - ask.began,
    )


def _moves(values: Values, position: Any) -> list[MoveVerdict]:
    """Return the verdicts on all moves, in the view of the side that plays them."""
    game, state, found = position.game, state_of(position), []
    for move in position.moves:
        value = values.known[game.play(state, move)]
        result, distance, score = values.in_view(value, position.side)
        found.append(
            MoveVerdict(
                move=move,
                text=game.format_move(state, move),
                value=result,
                distance=None if distance is None else distance + 1,
                score=None if score is None else value_in(game, score),
            )
        )
    return found


EXHAUSTIVE = Solver(
    name="exhaustive",
    summary="retrograde analysis of all positions that can follow: values, distances, scores",
    why_not=why_not_repeating,
    solve=_solve,
    needs_lines=False,
    has_distances=True,
)
