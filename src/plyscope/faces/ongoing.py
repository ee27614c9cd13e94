"""A game in progress: its players, its start and its moves."""

from __future__ import annotations

from random import Random
from shlex import quote
from typing import Any

from plyscope.lab.agents.agent import Agent, spec_of
from plyscope.lab.matches.game import name_of
from plyscope.rules.game import (
    SIDES,
    GamePosition,
    move_text,
    one_line,
    position_after,
    side_text,
    spoken,
)
from plyscope.rules.position import Position


class OngoingGame:
    """A game between two `players` from a start; None stands for a person.

    `opening` has the moves that lead to the start of a user-defined game. `choosing` is the rule
    while players choose sides, else empty.
    """

    def __init__(
        self, players: tuple[Agent | None, Agent | None], start: Any, seed: int, opening: str = ""
    ) -> None:
        self.players, self.start, self.seed, self.opening = players, start, seed, opening
        self.choosing = ""
        self.show(start)

    def show(self, position: Any) -> None:
        """Continue from a position that no move led to."""
        self.positions, self.moves = [position], list[Any]()

    @property
    def position(self) -> Any:
        """The current position."""
        return self.positions[-1]

    @property
    def names(self) -> list[str]:
        """The names of the moves."""
        return [move_text(*item) for item in zip(self.positions, self.moves, strict=False)]

    @property
    def random(self) -> Random:
        """The random numbers for the next move. They depend only on the seed and the position, so a
        game that is continued later continues in the same way."""
        return Random(f"{self.seed} {one_line(self.position)}")

    @property
    def has_person(self) -> bool:
        """Whether a person plays."""
        return None in self.players

    def play(self, move: Any) -> None:
        """Play a move."""
        self.moves.append(move)
        self.positions.append(position_after(self.position, move))

    def undo(self) -> bool:
        """Take back the person's last move and what came after it; return whether there was one."""
        sides = [position.side for position in self.positions[:-1]]
        mine = [ply for ply, side in enumerate(sides) if self.players[side] is None]
        if mine:
            del self.positions[mine[-1] + 1 :]
            del self.moves[mine[-1] :]
        return bool(mine)

    def record(self) -> dict[str, Any]:
        """Return the game as JSON-ready data."""
        position = self.position
        return {
            "game": name_of(position.game),
            "start": str(self.start),
            "players": ["human" if player is None else player.name for player in self.players],
            "moves": self.names,
            "end": str(position),
            "winner": side_text(position.winner),
            "line": winning_cells(position),
        }

    def saved(self) -> dict[str, Any]:
        """Return the data from which a saved game can be continued or reviewed."""
        start, game = self.start, self.start.game
        is_own = isinstance(start, GamePosition)
        seats = ["human" if player is None else spec_of(player) for player in self.players]
        return {
            "game": game.of_file if is_own else name_of(game),
            "start": self.opening if is_own and not hasattr(game, "parse_position") else str(start),
            "moves": self.names,
            "x": seats[0],
            "o": seats[1],
            "seed": self.seed,
        }

    def command(self) -> str:
        """Return the command that continues the game; an opening rule starts again."""
        who = [
            f"--{side} {'human' if player is None else quote(spec_of(player))}"
            for side, player in zip(SIDES, self.players, strict=True)
        ]
        rule = [f"--opening {self.choosing}"] if self.choosing else []
        return " ".join(["plyscope play", self._typed(), *who, *rule, f"--seed {self.seed}"])

    def _typed(self) -> str:
        """Return the position as an argument of the command line."""
        position, game = (self.start if self.choosing else self.position), self.start.game
        names = [] if self.choosing else self.names
        if isinstance(position, GamePosition):
            text = ", ".join(filter(None, [self.opening, *names]))
            if hasattr(game, "parse_position"):
                text = str(position)
            return f"--game {quote(game.of_file)} {quote(text)}"
        if self.choosing or self.start != game.start() or game.height == 1:
            return f"'{position}'"
        said = ("" if game.speaks_of_columns else " ").join(spoken(game, name) for name in names)
        return f"'{f'{name_of(game)} {said}'.strip()}'"


def winning_cells(position: Any) -> list[str] | None:
    """Return the cells of the line that ended the game, None if no line did."""
    line = position.winning_line() if isinstance(position, Position) else None
    return None if line is None else [position.game.format_cell(cell) for cell in line.cells()]
