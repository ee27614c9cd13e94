"""`play_game`: one game between two agents; `GameRecord`, its record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from plyscope.errors import AgentError, HeuristicError
from plyscope.lab.agents.agent import Agent, ask, reason_of
from plyscope.lab.matches.sides import AgentPlayer, Stopped, choose_sides, seating
from plyscope.lab.people.apart_worker import MAX_OUTPUT_CHARS
from plyscope.rules.game import (
    SIDES,
    Game,
    GamePosition,
    is_repeated,
    move_text,
    moves_at,
    position_after,
    read_moves,
    side_at,
    side_text,
)
from plyscope.rules.position import Position
from plyscope.solving.solve import solve
from plyscope.solving.solvers import plan_of

PLY_LIMIT = "ply limit"
REPETITION = "repetition"
ENDINGS = ("line", "full board", "rules", "solved", PLY_LIMIT, REPETITION)
"""How games end without a forfeit.

A line game ends with a line or a full board, a user-defined game by its rules, and any game by
adjudication with the exact value. A game that reaches the ply limit is a draw, and so is one with
`draw_by_repetition` in which a position occurs for the third time."""
MAX_PLIES = 1_000
"""The default ply limit."""


@dataclass(frozen=True)
class Ply:
    """One move of a game, with its cost and the result of the mover's search, if any."""

    move: str
    side: int
    """The side that moved."""
    seconds: float
    value: float | None = None
    """The score, from the mover's view."""
    depth: int | None = None
    nodes: int | None = None

    def __str__(self) -> str:
        return f"{self.move} by {SIDES[self.side].upper()}, {self.seconds:.3f} s"


@dataclass(frozen=True, kw_only=True)
class GameRecord:
    """One finished game."""

    players: tuple[str, str]
    """The agents, by side."""
    start: Any
    """The first position."""
    plies: tuple[Ply, ...]
    end: Any
    winner: str | None
    """The side that won, x or o; None for a draw."""
    ending: str
    """One of ENDINGS, or the reason for a forfeit: a crash, a timeout, an illegal move."""
    output: tuple[str, str] = ("", "")
    """Output of user code, by side."""
    opening: str | None = None
    """The text that describes `start`, if it is not `str(start)`."""
    sides: str | None = None
    """The opening rule and its result, such as `pie kept` or `swap2 swapped`; None without one.
    `players` are in the order of the sides after the opening."""

    def __str__(self) -> str:
        result = f"{self.winner.upper()} wins" if self.winner else "a draw"
        return f"{' against '.join(self.players)}: {moves_text(self)}; {result} ({self.ending})"

    @property
    def is_swapped(self) -> bool:
        """Whether the players swapped sides in the opening."""
        return self.sides is not None and self.sides.endswith("swapped")

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves as text."""
        return tuple(ply.move for ply in self.plies)

    @property
    def is_forfeit(self) -> bool:
        """Whether the game ended with a forfeit."""
        return self.ending not in ENDINGS

    @property
    def is_won_by_rules(self) -> bool:
        """Whether the game was won by the rules, not by forfeit or adjudication."""
        return self.winner is not None and self.ending in ("line", "rules")

    def as_row(self, number: int) -> dict[str, Any]:
        """Return the game as a row of the records table."""
        return {
            "number": number,
            "game": name_of(self.start.game),
            "x": self.players[0],
            "o": self.players[1],
            "start": str(self.start) if self.opening is None else self.opening,
            "moves": moves_text(self),
            "winner": self.winner,
            "ending": self.ending,
        }


def name_of(game: Game) -> str:
    """Return the name of a game in records, from which it can be loaded again."""
    return game.of_file or game.name


def moves_text(game: GameRecord) -> str:
    """Return the moves on one line, separated by commas for user-defined games."""
    return (" " if isinstance(game.start, Position) else ", ").join(game.moves)


def replayed(start: Any, text: str) -> tuple[tuple[Ply, ...], Any]:
    """Return the moves in a text written by `moves_text`, and the last position; the moves' cost is
    unknown.

    Raises the errors of `parse_move` and `play`.
    """
    plies, end = [], start
    if isinstance(start, GamePosition):
        for move, after in read_moves(start, text):
            plies.append(Ply(move, end.side, 0.0))
            end = after
    else:
        for word in text.split():
            move = end.game.parse_move(end, word)
            plies.append(Ply(move_text(end, move), end.side, 0.0))
            end = position_after(end, move)
    return tuple(plies), end


def play_game(
    players: tuple[Agent, Agent],
    start: Any,
    random: Random,
    watch: Callable[[Any, Any], None] | None = None,
    adjudicate: int = 0,
    max_plies: int = MAX_PLIES,
    opening: str | None = None,
    rule: str | None = None,
) -> GameRecord:
    """Play one game from `start`; the first player is X. `watch` is called with each position and
    move.

    An agent loses if it raises AgentError or its heuristic fails. With `adjudicate` empty cells or
    fewer, the game ends with its exact value, if a solver knows it at once. A user-defined game is
    a draw after `max_plies`, and with `draw_by_repetition` when a position occurs for the third
    time. `opening` is the text of `start`. With a `rule` of `lab.matches.sides` the players first
    choose their sides, and the game starts after that.
    """
    plies, output, position, sides = list[Ply](), ["", ""], start, None

    def ended(winner: int | None, ending: str) -> GameRecord:
        return GameRecord(
            players=(players[0].name, players[1].name),
            start=start,
            plies=tuple(plies),
            end=position,
            winner=side_text(winner),
            ending=_writable(ending),
            output=(_writable(output[0]), _writable(output[1])),
            opening=opening,
            sides=sides,
        )

    if rule is not None:
        choosing, sides = [AgentPlayer(player, random) for player in players], seating(rule, False)
        try:
            seats = choose_sides(rule, start, choosing[start.side], choosing[1 - start.side])
        except Stopped as stopped:
            return ended(1 - choosing.index(stopped.player), str(stopped))
        start = position = seats.position
        if seats.is_swapped:
            players, sides = (players[1], players[0]), seating(rule, True)
    positions = [start]
    while not position.is_over:
        if adjudicate and _is_decided(position, adjudicate):
            value = solve(position, with_moves=False).value or 0
            winner = position.side if value > 0 else 1 - position.side
            return ended(winner if value else None, "solved")
        side = _mover(position)
        try:
            choice, seconds = ask(players[side], position, random)
        except (AgentError, HeuristicError) as error:
            output[side] = (output[side] + getattr(error, "output", ""))[:MAX_OUTPUT_CHARS]
            return ended(1 - side, reason_of(players[side], error))
        output[side] = (output[side] + choice.output)[:MAX_OUTPUT_CHARS]
        name = move_text(position, choice.move)
        plies.append(Ply(name, side, seconds, choice.value, choice.depth, choice.nodes))
        position = position_after(position, choice.move)
        positions.append(position)
        if watch is not None:
            watch(position, choice.move)
        if is_repeated(positions):
            return ended(None, REPETITION)
        if len(plies) >= max_plies and not (isinstance(position, Position) or position.is_over):
            return ended(None, PLY_LIMIT)
    return ended(position.winner, ending_of(position))


def _mover(position: Any) -> int:
    """Return the side to move. Raises OptionError if a user-defined game has no move."""
    if isinstance(position, GamePosition):
        moves_at(*position)
        return side_at(*position)
    return int(position.side)


def ending_of(position: Any) -> str:
    """Return the ending of a finished game."""
    if not isinstance(position, Position):
        return "rules"
    return "full board" if position.winner is None else "line"


def _is_decided(position: Position, adjudicate: int) -> bool:
    """Return whether at most `adjudicate` cells are empty and a solver knows the value at once."""
    empty = position.game.board & ~(position.first | position.second)
    return empty.bit_count() <= adjudicate and plan_of(position.game).is_quick(position)


def _writable(text: str) -> str:
    """Return a text with lone surrogates escaped, so that it can be written to a file."""
    return text.encode(errors="backslashreplace").decode()
