"""The solver of any game: the value of every position that play can reach, from the ends back.

Positions are visited depth first, each once however many ways lead to it, and have a value when all
that follow them have one. Whose move it is is the game's word, so a side may move again and again.
A position that comes again in its own play is refused: it would need its own value.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, Generic, TypeVar

from plyscope.rules.game import (
    FIRST,
    Game,
    comes_again,
    moves_at,
    payoff_at,
    side_at,
    state_of,
)
from plyscope.searching.limit import SearchStopped
from plyscope.solving.ask import Ask, Solver
from plyscope.solving.verdict import MoveVerdict, Verdict

WIN = 1 << 40
"""More plies than any game has: a win in d plies counts WIN − d."""
MAX_POSITIONS = 5_000_000
"""Positions that are kept at most: some hundred bytes each, and what their states take."""
POLL_POSITIONS = 512
"""Positions between two looks at the clock."""


Value = TypeVar("Value")
Moves = Sequence[tuple[Any, Any]]
"""Moves, each with the state after it."""


class FromTheEnds(ABC, Generic[Value]):
    """Retrograde analysis: a value for each state that play can reach, from those of its children.

    States are visited depth first, each once, without recursion.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[Any, Value] = {}
        """The values by state."""
        self.path: dict[Any, Moves] = {}
        """The states above the one that is visited, from the root on, with their moves."""

    @abstractmethod
    def of_end(self, state: Any) -> Value | None:
        """Return the value of a finished game, None while it goes on."""

    def moves(self, state: Any) -> Moves:
        """Return the moves to follow: all of them, unless a subclass says otherwise."""
        return [(move, self.game.play(state, move)) for move in moves_at(self.game, state)]

    @abstractmethod
    def of_moves(self, state: Any, moves: Moves) -> Value:
        """Return the value of a state, given those `known` after each of its moves."""

    def visit(self, count: int) -> None:
        """Do nothing before the state that is visited as number `count`; a subclass may raise."""

    def find(self, root: Any) -> Value:
        """Return the value of `root`, and find those of all that follow.

        Raises OptionError for a state that comes again in its own play.
        """
        known, path, state = self.known, self.path, root
        stack: list[list[Any]] = []
        """The states after those of the path that are to be visited, the next one last."""
        while root not in known:
            if state in path:
                raise comes_again(self.game, state, len(path) - list(path).index(state))
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
    """The values of positions of one game, in FIRST's view, as far as they were asked for.

    Where payoffs are `scored`, a value is a payoff. Else a game won in d plies counts WIN − d, a
    lost one d − WIN, a draw 0: who wins hurries, who loses delays. `pause` is called with the
    number of positions, now and then; SearchStopped where there are more than `most`.
    """

    def __init__(
        self, game: Game, most: int = MAX_POSITIONS, pause: Callable[[int], None] | None = None
    ) -> None:
        super().__init__(game)
        self.most, self.pause = most, pause

    def visit(self, count: int) -> None:
        """Stop, or pause."""
        if count > self.most:
            raise SearchStopped("memory" if self.most == MAX_POSITIONS else "nodes")
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

    def told(self, value: int, side: int) -> tuple[int, int | None, int | None]:
        """Return what a value is to `side`: won, drawn or lost; the distance; the score."""
        own = value if side == FIRST else -value
        result = (own > 0) - (own < 0)
        if self.game.scored:
            return result, None, own
        return result, WIN - abs(own) if own else None, None


def children_of(game: Game, state: Any) -> list[Any]:
    """Return the states after each move."""
    return [game.play(state, move) for move in moves_at(game, state)]


def _solve(ask: Ask) -> Verdict:
    position = ask.position
    game: Game = position.game
    values = Values(
        game,
        min(MAX_POSITIONS, ask.limit),
        lambda found: ask.pause(found, POLL_POSITIONS, "positions"),
    )
    value = values.find(state_of(position))
    result, distance, score = values.told(value, position.side)
    moves = () if position.is_over else _moves(values, position)
    return Verdict(
        position=position,
        value=result,
        distance=distance,
        score=score,
        best_moves=tuple(
            each.move
            for each in moves
            if (each.value, each.score) == (result, score) and each.distance == distance
        ),
        moves=tuple(moves),
        method=EXHAUSTIVE.name,
        proof=f"the value of each of {len(values.known):,} positions, from the ends back",
        nodes=len(values.known),
        seconds=perf_counter() - ask.began,
    )


def _moves(values: Values, position: Any) -> list[MoveVerdict]:
    """Return the value of every move to the side that plays it."""
    game, state, found = position.game, state_of(position), []
    for move in position.moves:
        value = values.known[game.play(state, move)]
        result, distance, score = values.told(value, position.side)
        found.append(
            MoveVerdict(
                move=move,
                text=game.format_move(state, move),
                value=result,
                distance=None if distance is None else distance + 1,
                score=score,
            )
        )
    return found


EXHAUSTIVE = Solver(
    name="exhaustive",
    summary="every position that play can reach, from the ends back: values, distances, scores",
    solve=_solve,
    needs_lines=False,
    has_distances=True,
)
