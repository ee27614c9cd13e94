"""`certify`: play an agent against every line of play of its opponent, and say whether it can be beaten.

Nothing is sampled: the agent's ties and its random openings are all followed, the opponent tries every legal move. Positions are memoised,
so a position that many lines reach is asked about once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plyscope.errors import OptionError
from plyscope.lab.agent import Agent
from plyscope.lab.agents import parse_agent
from plyscope.rules.game import FIRST, SECOND, SIDES
from plyscope.rules.games import parse_game
from plyscope.rules.linegame import LineGame, Position
from plyscope.searching.result import line_text

__all__ = ["Certificate", "SideCertificate", "certify"]

MAX_POSITIONS = 2_000_000


@dataclass(frozen=True, kw_only=True)
class SideCertificate:
    """What every line of play came to with the agent as `agent_side`, x moving first or o moving second: the games (move sequences) it
    wins, draws and loses.

    `positions` counts the positions visited; `losing_line` is a shortest game that it loses, as cells, None if there is none.
    """

    agent_side: str
    wins: int
    draws: int
    losses: int
    positions: int
    losing_line: tuple[str, ...] | None


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """The answer of `certify`, for the agent moving first and moving second."""

    agent: str
    game: str
    sides: tuple[SideCertificate, ...]

    @property
    def never_loses(self) -> bool:
        """Whether no line of play beats the agent, whoever moves first."""
        return all(side.losing_line is None for side in self.sides)

    @property
    def losing_line(self) -> tuple[str, ...] | None:
        """A shortest game that the agent loses, None if there is none."""
        return min((side.losing_line for side in self.sides if side.losing_line is not None), key=len, default=None)

    def as_dict(self) -> dict[str, Any]:
        """Return the certificate as JSON-ready data."""
        return {
            "agent": self.agent,
            "game": self.game,
            "never_loses": self.never_loses,
            "losing_line": None if self.losing_line is None else list(self.losing_line),
            "sides": [vars(side) for side in self.sides],
        }

    def _repr_html_(self) -> str:
        from plyscope.faces.notebook import certificate_html  # the notebook's door: a face shows what a floor below holds

        return certificate_html(self)


@dataclass(frozen=True)
class _Ends:
    """Games below a position: won, drawn and lost by the agent, and the moves of a shortest loss."""

    wins: int
    draws: int
    losses: int
    loss: tuple[int, ...] | None


def certify(
    agent: Agent | str, game: LineGame | str = "tictactoe", *, most: int | None = None, progress: Callable[[int], None] | None = None
) -> Certificate:
    """Play `agent` against every line of play on `game`, moving first and moving second, and return the counts and a shortest loss.

    `progress` is called with the positions visited. Raises OptionError when more than `most` positions (two million) would be visited.
    """
    chosen = parse_agent(agent)
    rules = parse_game(game) if isinstance(game, str) else game
    sides = tuple(_certify_side(chosen, rules, side, MAX_POSITIONS if most is None else most, progress) for side in (FIRST, SECOND))
    return Certificate(agent=chosen.name, game=rules.name, sides=sides)


def _certify_side(agent: Agent, game: LineGame, agent_side: int, most: int, progress: Callable[[int], None] | None) -> SideCertificate:
    known: dict[Position, _Ends] = {}

    def play_out(position: Position) -> _Ends:
        ends = known.get(position)
        if ends is not None:
            return ends
        if len(known) >= most:
            raise OptionError(f"more than {most:,} positions against {agent.name!r} on {game.name!r}; expected a smaller game")
        payoff = game.payoff(position)
        if payoff is not None:
            mine = -payoff if agent_side else payoff
            ends = _Ends(int(mine > 0), int(mine == 0), int(mine < 0), () if mine < 0 else None)
        else:
            moves = agent.choices(position) if position.side == agent_side else game.moves(position)
            below = [(move, play_out(game.play(position, move))) for move in moves]
            losses = [(move, *end.loss) for move, end in below if end.loss is not None]
            ends = _Ends(
                sum(end.wins for _, end in below),
                sum(end.draws for _, end in below),
                sum(end.losses for _, end in below),
                min(losses, key=len, default=None),
            )
        known[position] = ends
        if progress is not None and len(known) % 256 == 0:
            progress(len(known))
        return ends

    start = game.start()
    ends = play_out(start)
    return SideCertificate(
        agent_side=SIDES[agent_side],
        wins=ends.wins,
        draws=ends.draws,
        losses=ends.losses,
        positions=len(known),
        losing_line=None if ends.loss is None else tuple(line_text(start, ends.loss)),
    )
