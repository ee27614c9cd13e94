"""One game between two agents on a line game, and its record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from plyscope.errors import AgentError, HeuristicError
from plyscope.lab.agent import Agent, ask
from plyscope.lab.apart import OUTPUT
from plyscope.rules.game import side_text
from plyscope.rules.position import Position
from plyscope.solving.solve import solve
from plyscope.solving.solvers import plan_of

ENDINGS = ("line", "full board", "solved")
"""How games end where no agent was stopped: by the rules, or by the solved value of a position."""


@dataclass(frozen=True)
class Ply:
    """One move of a game, its cost, and what the mover's search says of it, if it searched."""

    move: str
    seconds: float
    value: float | None = None
    """The score, in the mover's view."""
    depth: int | None = None
    nodes: int | None = None


@dataclass(frozen=True, kw_only=True)
class GameRecord:
    """One finished game."""

    players: tuple[str, str]
    """The agents, by side."""
    start: Position
    plies: tuple[Ply, ...]
    end: Position
    winner: str | None
    """The side that won, x or o; None for a draw."""
    ending: str
    """One of ENDINGS, or why the loser was stopped: a crash, no answer in time, no legal move."""
    output: tuple[str, str] = ("", "")
    """What strangers' code has printed, by side."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves as text."""
        return tuple(ply.move for ply in self.plies)

    @property
    def is_forfeit(self) -> bool:
        """Whether an agent was stopped before the game was over."""
        return self.ending not in ENDINGS

    def as_row(self, number: int) -> dict[str, Any]:
        """Return the game as a row of the table of records, under this number."""
        return {
            "number": number,
            "game": self.start.game.name,
            "x": self.players[0],
            "o": self.players[1],
            "start": str(self.start),
            "moves": " ".join(self.moves),
            "winner": self.winner,
            "ending": self.ending,
        }

    def side(self, ply: int) -> int:
        """Return the side to move at a ply, from 0; in line games the sides alternate."""
        return (self.start.side + ply) % 2


def play_game(
    players: tuple[Agent, Agent],
    start: Position,
    random: Random,
    watch: Callable[[Position, int], None] | None = None,
    decide_at: int = 0,
) -> GameRecord:
    """Play one game from `start`, X by the first player; `watch` gets each position and its move.

    An agent that raises AgentError has lost, and so has one whose heuristic fails. With `decide_at`
    empty cells or fewer the game is decided by its solved value, if a solver knows it at once.
    """
    position, plies, output = start, [], ["", ""]
    while not position.is_over:
        if decide_at and _is_decided(position, decide_at):
            winner, ending = _proven_winner(position), "solved"
            break
        side = position.side
        try:
            choice, seconds = ask(players[side], position, random)
        except (AgentError, HeuristicError) as error:
            winner, ending = 1 - side, _reason(players[side], error)
            output[side] = (output[side] + getattr(error, "output", ""))[:OUTPUT]
            break
        output[side] = (output[side] + choice.output)[:OUTPUT]
        name = position.game.format_cell(choice.move)
        plies.append(Ply(name, seconds, choice.value, choice.depth, choice.nodes))
        position = position.game.play(position, choice.move)
        if watch is not None:
            watch(position, choice.move)
    else:
        winner, ending = position.winner, "full board" if position.winner is None else "line"
    return GameRecord(
        players=(players[0].name, players[1].name),
        start=start,
        plies=tuple(plies),
        end=position,
        winner=side_text(winner),
        ending=_writable(ending),
        output=(_writable(output[0]), _writable(output[1])),
    )


def _is_decided(position: Position, decide_at: int) -> bool:
    """Return whether few enough cells are empty, and a solver knows the value at once."""
    empty = position.game.board & ~(position.first | position.second)
    return empty.bit_count() <= decide_at and plan_of(position.game).is_quick(position)


def _proven_winner(position: Position) -> int | None:
    value = solve(position, with_moves=False).value
    return None if not value else position.side if value > 0 else 1 - position.side


def _reason(agent: Agent, error: AgentError | HeuristicError) -> str:
    """Return why an agent was stopped, and which."""
    return str(error) if isinstance(error, AgentError) else f"agent {agent.name!r}: {error}"


def _writable(text: str) -> str:
    """Return a stranger's text without lone surrogates, which cannot be written to a file."""
    return text.encode(errors="backslashreplace").decode()
