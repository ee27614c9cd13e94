"""The commands, other than moves, that a person enters in `plyscope play`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from shlex import quote
from typing import Any

from plyscope.datafile import write_file
from plyscope.errors import OptionError, PlyscopeError
from plyscope.evaluation.evaluate import explain
from plyscope.faces.boards import draw_board
from plyscope.faces.ongoing import OngoingGame
from plyscope.faces.progress import thinking
from plyscope.faces.reviews import hint_text, review_text
from plyscope.faces.terminal import Terminal
from plyscope.faces.wording import number, side_name
from plyscope.lab.agents.agent import Agent
from plyscope.lab.agents.catalogue import LEVELS, level
from plyscope.lab.agents.players import LevelAgent
from plyscope.lab.judging.hint import hint
from plyscope.lab.judging.review import review_move
from plyscope.rules.cells import MAX_NUMBERED
from plyscope.rules.game import move_text, read_move, spoken
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position

HINT_SECONDS = 1.0
MAX_ERROR_CHARS = 300
"""Characters that are printed of an error message."""
WORDS = "hint, why, undo, eval, moves, board, level N, save FILE, help, quit"


class Words:
    """The commands of one `game`, a method for each; their output goes to the `console`."""

    def __init__(self, game: OngoingGame, console: Terminal) -> None:
        self.game, self.console = game, console

    def say(self, text: str, style: str = "") -> None:
        """Print a line."""
        self.console.print(text, style=style)

    def execute(self, line: str) -> bool:
        """Execute `line` if it is a command and not a move; return whether it was one."""
        word, _, rest = line.partition(" ")
        answers: dict[str, Callable[[], None]] = {
            "hint": self._hint,
            "undo": self._undo,
            "eval": self._evaluate,
            "moves": self._list_moves,
            "board": self.draw,
            "help": self._help,
            "?": self._help,
        }
        if word == "level":
            self._set_level(rest)
        elif word == "why":
            self._why(rest)
        elif word == "save":
            self._save(rest)
        elif not line:
            self.say(f"nothing entered; expected {self.example()}")
        elif line in answers:
            answers[line]()
        else:
            return False
        return True

    def _help(self) -> None:
        self.say(
            f"a move: {self.example()}; moves: list the legal moves; hint: a good move and the "
            "reason; why: review the last move; why MOVE: review that move; undo: take back a move"
        )
        self.say(
            "eval: evaluate with the usual heuristic; board: draw the board again; "
            f"level N: set the strength of the agent, 1 to {len(LEVELS)}; "
            "save FILE: save the game, to continue it later; quit: leave the game"
        )

    def example(self) -> str:
        """Return an example of a move, with a cell or column by name and by number."""
        game = self.game.position.game
        names = [move_text(self.game.position, move) for move in self.game.position.moves[:1]]
        if not isinstance(game, LineGame):
            return f"a name such as {names[0]!r}" if names else "a name"
        if game.speaks_of_columns:
            return f"a column, 1 to {game.width}"
        cell = f"a cell such as {(names or ['b2'])[0]!r}"
        if game.gravity:
            return f"{cell} or 1 to {game.size // game.height}"
        return f"{cell} or 1 to 9" if game.size <= MAX_NUMBERED else cell

    def _hint(self) -> None:
        with thinking("looking for a move"):
            found = hint(self.game.position, HINT_SECONDS)
        self.say(f"hint: {hint_text(found)}" if found else "no hint was found in time")

    def _why(self, text: str) -> None:
        """Print the review of the move `text`; if `text` is empty, of the last move played."""
        game = self.game
        if text:
            try:
                ply, position, move = len(game.moves), game.position, read_move(game.position, text)
            except PlyscopeError as error:
                self.say(str(error)[:MAX_ERROR_CHARS])
                return
        elif not game.moves:
            self.say("no move has been played; expected a move after why")
            return
        else:
            ply, position, move = len(game.moves) - 1, game.positions[-2], game.moves[-1]
        with thinking("reviewing the move"):
            item = review_move(position, move, ply)
        self.say(review_text(item))

    def _save(self, name: str) -> None:
        """Write the game to a file that `plyscope play` can continue and `review` judges."""
        if self.game.choosing:
            self.say("save while sides are being chosen; expected it after that")
            return
        if not name:
            self.say("save; expected the name of a file, such as save game.json")
            return
        path = Path(name).with_suffix(".json")
        try:
            write_file("file", path, json.dumps(self.game.saved(), indent=2) + "\n")
        except OptionError as error:
            self.say(str(error))
            return
        name = quote(str(path))
        self.say(f"to continue: plyscope play {name}; to judge the moves: plyscope review {name}")

    def _undo(self) -> None:
        """Take back the person's last move and the moves after it."""
        if self.game.undo():
            self.draw()
        else:
            self.say("nothing to take back")

    def _evaluate(self) -> None:
        usual = explain(self.game.position)
        self.say(f"{usual.heuristic}: {number(usual.total)} for {side_name(usual.side)}")

    def _list_moves(self) -> None:
        position = self.game.position
        between = " " if isinstance(position, Position) else ", "
        self.say(between.join(move_said(position, move) for move in position.moves))

    def _set_level(self, text: str) -> None:
        is_number = text.isascii() and text.isdigit() and len(text) < 3
        if not is_number or not 1 <= int(text) <= len(LEVELS):
            self.say(f"level {text[:20]!r}; expected 1 to {len(LEVELS)}")
            return
        agent = level(int(text))
        first, second = self.game.players
        self.game.players = first and agent, second and agent
        self.say(f"{agent.name}: {self.summary(agent)}")

    def draw(self) -> None:
        """Draw the board."""
        last = self.game.moves[-1] if self.game.moves else None
        self.console.print()
        self.console.print(draw_board(self.game.position, last, self.console.width))
        self.console.print()

    def summary(self, player: Agent) -> str:
        """Return the summary of a player for this game."""
        if isinstance(player, LevelAgent) and not isinstance(self.game.start, Position):
            return player.own_summary
        return player.summary


def move_said(position: Any, move: Any) -> str:
    """Return the name of a move for messages."""
    return spoken(position.game, move_text(position, move))
