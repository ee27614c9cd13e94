"""The solver of games in which play may return to an earlier position: retrograde analysis.

All positions that can be reached are listed, each with the positions before it. Values then spread
backwards from the ends, the greatest first. A position has a value as soon as a move of its side
leads to a good one, and this move is its best. It also has one when all its moves lead to bad ones,
and the last of these is its best. All other positions are draws: each side can keep out of the
positions that are bad for it, for ever. Source: Ströhlein 1970, who solved endgames of chess.

The greater value of two wins is the faster one. A winner who plays the best moves never returns to
a position. So values from positions without a history are the same if a repetition ends the game as
a draw.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import Any

from plyscope.rules.game import FIRST, side_at
from plyscope.solving.ask import Ask, Solver
from plyscope.solving.exhaustive import MAX_POSITIONS, POLL_POSITIONS, WIN, Values, verdict_of
from plyscope.solving.verdict import Verdict


class RepeatingValues(Values):
    """The values of positions of a game with `draw_by_repetition`, as in `Values`.

    In a `scored` game a value is WIN times the payoff, less the plies to the end (more, if it is
    negative). A best move must come nearer to the end: one that only keeps the payoff could go
    round in a circle. `pause` is called with the number of visits: each position is visited once
    to find its moves, and once more if its value is not 0.
    """

    def of_end(self, state: Any) -> int | None:
        """Return the value of a finished game."""
        value = super().of_end(state)
        return value * WIN if value and self.game.scored else value

    def in_view(self, value: int, side: int) -> tuple[int, int | None, int | None]:
        """Return the result, the distance and the score of a value in the view of `side`."""
        result = ((value > 0) - (value < 0)) * (1 if side == FIRST else -1)
        payoff = -(-abs(value) // WIN)
        distance = payoff * WIN - abs(value) if value else None
        return result, distance, result * payoff if self.game.scored else None

    def find(self, root: Any) -> int:
        """Return the value of `root`, and store the values of all states that follow it."""
        if root in self.known:
            return self.known[root]
        states, number = [root], {root: 0}
        parents: list[list[int]] = [[]]
        """For each position the numbers of those before it, once for each move between them."""
        sides, open_moves, values = bytearray(), list[int](), list[int]()
        for at, state in enumerate(states):  # which grows
            self.visit(at + 1)
            value = self.of_end(state)
            moves = self.moves(state) if value is None else ()
            for _, after in moves:
                if after not in number:
                    self.require_room(len(states) + 1)
                    number[after] = len(states)
                    states.append(after)
                    parents.append([])
                parents[number[after]].append(at)
            sides.append(side_at(self.game, state) if value is None else FIRST)
            open_moves.append(len(moves))
            values.append(value or 0)
        del number  # which takes as much memory as the values
        self._spread(values, sides, open_moves, parents)
        self.known.update(zip(states, values, strict=True))
        return values[0]

    def _spread(
        self, values: list[int], sides: bytearray, open_moves: list[int], parents: list[list[int]]
    ) -> None:
        """Set the values of all positions from those of the ends; a draw keeps the value 0."""
        waiting = [(-abs(value), at) for at, value in enumerate(values) if value]
        heapify(waiting)
        visits = len(values)
        while waiting:
            _, at = heappop(waiting)
            visits += 1
            self.poll(visits)
            value = values[at]
            for before in parents[at]:
                open_moves[before] -= 1
                is_good = (value > 0) == (sides[before] == FIRST)
                if not values[before] and (is_good or not open_moves[before]):
                    values[before] = value - (value > 0) + (value < 0)
                    heappush(waiting, (-abs(values[before]), before))


def _solve(ask: Ask) -> Verdict:
    """Return the verdict with the values of all moves."""
    values = RepeatingValues(
        ask.position.game,
        min(MAX_POSITIONS, ask.limit),
        lambda visits: ask.pause(visits, POLL_POSITIONS, "visits of retrograde analysis"),
    )
    return verdict_of(ask, values, RETROGRADE.name, "; endless play is a draw")


RETROGRADE = Solver(
    name="retrograde",
    summary="games with draw_by_repetition, whose positions may repeat: values, distances, scores",
    why_not=lambda position: (
        "" if position.game.draw_by_repetition else "a game with draw_by_repetition = True"
    ),
    solve=_solve,
    needs_lines=False,
    has_distances=True,
)
