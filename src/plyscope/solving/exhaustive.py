"""The solver of any game: the value of every position that play can reach, from the ends back.

Positions are visited depth first, each once however many ways lead to it, and have a value when all
that follow them have one. Whose move it is is the game's word, so a side may move again and again.
A position that comes again in its own play is refused: it would need its own value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from plyscope.rules.game import (
    FIRST,
    Game,
    comes_again,
    moves_at,
    payoff_at,
    side_at,
    state_of,
)
from plyscope.rules.position import Position
from plyscope.searching.limit import SearchStopped
from plyscope.solving.ask import Ask, Solver
from plyscope.solving.verdict import MoveVerdict, Verdict

FAR = 1 << 40
"""More plies than any game has: a win in d plies counts FAR − d."""
MOST = 5_000_000
"""Positions that are kept at most: some hundred bytes each, and what their states take."""
LOOK = 512
"""Positions between two looks at the clock."""


class Values:
    """The values of positions of one game, in FIRST's view, as far as they were asked for.

    Where payoffs are `scored`, a value is a payoff. Else a game won in d plies counts FAR − d, a
    lost one d − FAR, a draw 0: who wins hurries, who loses delays.
    """

    def __init__(self, game: Game, most: int = MOST) -> None:
        self.game, self.most = game, most
        self.known: dict[Any, int] = {}

    def find(self, root: Any, pause: Callable[[int], None] = lambda found: None) -> int:
        """Return the value of `root`, and find those of all that follow it.

        `pause` is called with the number of positions, now and then. Raises OptionError for a
        position that comes again in its own play, and SearchStopped where they are too many.
        """
        known, path = self.known, dict[Any, None]()
        frames: list[tuple[Any, int, list[Any], list[Any]]] = []  # children; those still to visit
        state = root
        while root not in known:
            if state in path:
                raise comes_again(self.game, state, len(path) - list(path).index(state))
            payoff = payoff_at(self.game, state)
            if payoff is not None:
                known[state] = self._of_end(payoff)
            else:
                side, children = side_at(self.game, state), children_of(self.game, state)
                path[state] = None
                frames.append((state, side, children, children[::-1]))
            count = len(known) + len(path)
            if count > self.most:
                raise SearchStopped("memory" if self.most == MOST else "nodes")
            if count % LOOK == 0:
                pause(count)
            while frames:
                closing, side, children, waiting = frames[-1]
                while waiting and waiting[-1] in known:
                    waiting.pop()
                if waiting:
                    state = waiting[-1]
                    break
                frames.pop()
                del path[closing]
                known[closing] = self._of_children(side, [known[child] for child in children])
        return known[root]

    def _of_end(self, payoff: int) -> int:
        return payoff if self.game.scored else FAR * ((payoff > 0) - (payoff < 0))

    def _of_children(self, side: int, values: Sequence[int]) -> int:
        best = max(values) if side == FIRST else min(values)
        return best if self.game.scored else best - (best > 0) + (best < 0)

    def told(self, value: int, side: int) -> tuple[int, int | None, int | None]:
        """Return what a value is to `side`: won, drawn or lost; the distance; the score."""
        own = value if side == FIRST else -value
        result = (own > 0) - (own < 0)
        if self.game.scored:
            return result, None, own
        return result, FAR - abs(own) if own else None, None


def children_of(game: Game, state: Any) -> list[Any]:
    """Return the states after each move."""
    return [game.play(state, move) for move in moves_at(game, state)]


def _why_not(position: Position) -> str:
    return ""


def _solve(ask: Ask) -> Verdict:
    position = ask.position
    game: Game = position.game
    values = Values(game, min(MOST, ask.limit))
    value = values.find(state_of(position), lambda found: ask.pause(found, LOOK, "positions"))
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
    why_not=_why_not,
    solve=_solve,
    needs_lines=False,
    has_distances=True,
)
