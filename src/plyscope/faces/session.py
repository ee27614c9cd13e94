"""A game in progress at the terminal: who plays, where it stands, and how it came there."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from shlex import quote
from typing import Any

from plyscope.datafile import write_file
from plyscope.errors import OptionError, PlyscopeError
from plyscope.evaluation.evaluate import explain
from plyscope.faces.boards import draw_board
from plyscope.faces.progress import thinking
from plyscope.faces.reviews import hint_text, review_text
from plyscope.faces.terminal import Terminal
from plyscope.faces.wording import number, side_name, times
from plyscope.lab.agents.agent import Agent, ask, typed
from plyscope.lab.agents.catalogue import LEVELS, level
from plyscope.lab.agents.players import LevelAgent
from plyscope.lab.game import name_of
from plyscope.lab.hint import hint
from plyscope.lab.puzzles import Puzzle
from plyscope.lab.review import Assessment, review_game, review_move
from plyscope.lab.sides import MORE, AgentPlayer, Player, choose_sides
from plyscope.rules.cells import MAX_NUMBERED
from plyscope.rules.game import (
    SIDES,
    GamePosition,
    move_text,
    one_line,
    position_after,
    read_move,
    side_text,
    spoken,
)
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position

HINT_SECONDS = 1.0
MOST_SAID = 300
"""Characters of an error."""
WORDS = "hint, why, undo, eval, moves, board, level N, save FILE, help, quit"
QUIT = ("quit", "q", "exit")


class Left(Exception):
    """The person left the game."""


class Session:
    """Games from one start between two `players`, of whom None is a person.

    What is said goes to the `console`; prompts stand there too, and what is entered is read from
    standard input.
    """

    def __init__(
        self,
        players: tuple[Agent | None, Agent | None],
        start: Any,
        seed: int,
        console: Terminal,
        puzzle: Puzzle | None = None,
        opening: str = "",
        rule: str | None = None,
        past: Sequence[str] = (),
    ) -> None:
        self.players, self.start, self.seed = players, start, seed
        self.past = past
        """The moves with which the first game goes on, by their names."""
        self.repeats_past = False
        """Whether further games go on with them as well."""
        self.console, self.puzzle = console, puzzle
        self.opening = opening
        """The moves by which the start of a game of one's own is typed."""
        self.rule, self._seated, self._from = rule, players, start
        """The rule by which sides are chosen, who sits where before, and from where."""
        self.is_opening = False
        """Whether sides are being chosen."""
        self.games = 0
        self.positions = [start]
        self.moves: list[Any] = []

    @property
    def position(self) -> Any:
        """The position now."""
        return self.positions[-1]

    @property
    def random(self) -> Random:
        """What the next move draws from: of the seed and the position alone, so that a game that is
        gone on with goes on as it would have."""
        return Random(f"{self.seed} {one_line(self.position)}")

    @property
    def has_person(self) -> bool:
        """Whether a person plays."""
        return None in self.players

    def say(self, text: str, style: str = "") -> None:
        """Print a line."""
        self.console.print(text, style=style, markup=False)

    def introduce(self) -> None:
        """Say who plays, and what a person can enter."""
        for side, player in enumerate(self.players):
            who = "you" if player is None else f"{player.name} ({self._summary(player)})"
            self.say(f"{side_name(side)}: {who}")
        if self.has_person:
            self.say(f"A move is {self._example()}. Other words: {WORDS}.", "dim")

    def _summary(self, player: Agent) -> str:
        """Return how a player plays this game."""
        if isinstance(player, LevelAgent) and not isinstance(self.start, Position):
            return player.own_summary
        return player.summary

    def play(self) -> bool:
        """Play one game from the start to its end; return False where the person left."""
        self.seed += self.games > 0
        self.games += 1
        if self.rule is not None:
            self.players, self.start = self._seated, self._from
        self.positions, self.moves = [self.start], []
        for name in self.past if self.games == 1 or self.repeats_past else ():
            self.moves.append(read_move(self.position, name))
            self.positions.append(position_after(self.position, self.moves[-1]))
        self._draw()
        if self.rule is not None and not self._choose_sides(self.rule):
            self.leave()
            return False
        while not self.position.is_over:
            player = self.players[self.position.side]
            move = self._ask() if player is None else self._think(player)
            if move is None:
                self.leave()
                return False
            self._make(move, player)
        self._tell_result()
        if self.has_person and self.puzzle is None:
            self._review()
        return True

    def _choose_sides(self, rule: str) -> bool:
        """Carry out an opening, after which the game starts; return False where the person left."""
        choosing: list[Player] = [
            _PersonInOpening(self) if player is None else _AgentInOpening(self, player)
            for player in self.players
        ]
        side = self.start.side
        self.is_opening = True
        try:
            seats = choose_sides(rule, self.start, choosing[side], choosing[1 - side])
        except Left:
            return False
        self.is_opening = False
        if seats.is_swapped:
            self.players = self.players[1], self.players[0]
        self.start, self.positions, self.moves = seats.position, [seats.position], []
        names = ["you" if player is None else player.name for player in self.players]
        self.say(", ".join(f"{side_name(at)} is {name}" for at, name in enumerate(names)), "bold")
        return True

    def put(self, stones: int) -> Any:
        """Return the position after the person has put so many stones, none of which ends the
        game. Raises Left."""
        self.positions, self.moves = [self.position], []
        self.say(f"You put {times(stones, 'stone')}; then sides are chosen.")
        while len(self.moves) < stones:
            move = self._ask()
            if move is None:
                raise Left
            if position_after(self.position, move).is_over:
                self.say(f"{_said(self.position, move)} ends the game; expected another stone")
                continue
            self._make(move, None)
        return self.position

    def show(self, position: Any) -> None:
        """Go on from a position, and draw it."""
        self.positions, self.moves = [position], []
        self._draw()

    def take(self, words: tuple[str, ...]) -> str:
        """Return the person's answer, one of the words. Raises Left."""
        while True:
            line = self._read(f"take {' or '.join(words)}? ")
            if line is None or line.lower() in QUIT:
                raise Left
            if line.lower() in words:
                return line.lower()
            self.say(f"{line[:40]!r}; expected {' or '.join(words)}")

    def leave(self) -> None:
        """Say how the game can be gone on with, on a line that is not broken."""
        self.console.print()
        who = [
            f"--{side} {'human' if player is None else quote(typed(player))}"
            for side, player in zip(SIDES, self.players, strict=True)
        ]
        rule = [f"--opening {self.rule}"] if self.is_opening else []
        words = " ".join([self._typed(), *who, *rule, f"--seed {self.seed}"])
        self.console.print(
            f"goodbye; to go on: plyscope play {words}", markup=False, soft_wrap=True
        )

    def _typed(self) -> str:
        """Return how the position is typed on a command line: of an opening that was left, where it
        began."""
        position = self._from if self.is_opening else self.position
        if not isinstance(position, GamePosition):
            return f"'{self._moves_typed()}'"
        game = position.game
        names = [] if self.is_opening else self.names
        text = ", ".join(filter(None, [self.opening, *names]))
        if hasattr(game, "parse_position"):
            text = str(position)
        return f"--game {quote(game.of_file)} {quote(text)}"

    def _moves_typed(self) -> str:
        """Return a position of a line game as the game and its moves from the empty board, of
        another beginning as its board."""
        position = self._from if self.is_opening else self.position
        game = position.game
        if self.is_opening or self.start != game.start() or game.height == 1:
            return str(position)
        names = [spoken(game, name) for name in self.names]
        return f"{name_of(game)} {('' if game.speaks_of_columns else ' ').join(names)}".strip()

    @property
    def names(self) -> list[str]:
        """The names of the moves."""
        return [move_text(*item) for item in zip(self.positions, self.moves, strict=False)]

    def wants_another(self) -> bool:
        """Ask whether there shall be another game."""
        answer = self._read("again? [y/n] ")
        return answer is not None and answer.lower() in ("y", "yes")

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
            "line": _winning_cells(position),
        }

    def saved(self) -> dict[str, Any]:
        """Return what a file needs for the game to go on, or to be looked at again."""
        start, game = self.start, self.start.game
        is_own = isinstance(start, GamePosition)
        seats = ["human" if player is None else typed(player) for player in self.players]
        return {
            "game": game.of_file if is_own else name_of(game),
            "start": self.opening if is_own and not hasattr(game, "parse_position") else str(start),
            "moves": self.names,
            "x": seats[0],
            "o": seats[1],
            "seed": self.seed,
        }

    # A move

    def _make(self, move: Any, player: Agent | None) -> None:
        """Play a move, and show the board after it but between two moves of a person."""
        before = self.position
        if self.puzzle is not None and before == self.start:
            self._judge(self.puzzle, move_text(before, move))
        self.moves.append(move)
        self.positions.append(position_after(before, move))
        if player is not None:
            name, cell = _said(before, move), move_text(before, move)
            where = "" if name == cell else f" ({cell})"
            self.say(f"{side_name(before.side)} plays {name}{where}")
        after = self.position
        if player is not None or after.is_over or self.players[after.side] is None:
            self._draw()

    def _judge(self, puzzle: Puzzle, move: str) -> None:
        """Say whether the person has found the move."""
        name = spoken(puzzle.position.game, move)
        if move == puzzle.move:
            rest = "win" if puzzle.goal == "win" else "hold"
            self.say(f"{name}: that is it; now {rest} it", "bold")
        else:
            self.say(f"{name}: not that one (undo takes it back)", "bold")

    def _think(self, player: Agent) -> Any:
        with thinking(f"{player.name} is thinking"):
            choice, _ = ask(player, self.position, self.random)
        return choice.move

    def _ask(self) -> Any:
        """Return the person's move, None at the end of input; answer whatever else is entered."""
        while True:
            line = self._read(f"{side_name(self.position.side)} to move: ")
            if line is None or line.lower() in QUIT:
                return None
            if not self._is_move(line) and self._obey(line.lower()):
                continue
            try:
                return read_move(self.position, line)
            except PlyscopeError as error:
                self.say(str(error)[:MOST_SAID])

    def _is_move(self, line: str) -> bool:
        """Return whether a line is a legal move's name: in a game of one's own any word may be."""
        position = self.position
        return not isinstance(position, Position) and line in [
            move_text(position, move) for move in position.moves
        ]

    def _read(self, prompt: str) -> str | None:
        print(prompt, end="", flush=True, file=self.console.file)
        try:
            line = sys.stdin.readline()
        except UnicodeDecodeError:
            line = "?\n"
        if not line:
            return None
        if not sys.stdin.isatty():
            self.console.print()
        return line.strip()

    def _tell_result(self) -> None:
        """Say who has won, and with which line."""
        position, winner = self.position, self.position.winner
        if winner is None:
            self.say("a draw", "bold")
            return
        cells = _winning_cells(position)
        how = "" if cells is None else f" with {' '.join(cells)}"
        if cells is not None and position.game.misere:
            how = f": {side_name(1 - winner)} completed a line"
        is_person = self.players[winner] is None and self.players != (None, None)
        self.say(f"{'you win' if is_person else f'{side_name(winner)} wins'}{how}", "bold")

    def _review(self) -> None:
        """Say which of the person's moves gave something away, and what was better."""
        people = [side for side, player in enumerate(self.players) if player is None]
        found: tuple[Assessment, ...] = ()
        is_skipped = False
        try:
            with thinking("looking at your moves (Ctrl-C skips this)"):
                for game in review_game(self.start, self.moves):
                    found = game
        except KeyboardInterrupt:
            is_skipped = True
        items = [at.review for at in found if at.review is not None]
        items = [item for item in items if item.position.side in people]
        if is_skipped:
            self.say(f"skipped after {times(len(items), 'move')}", "dim")
        given = [review_text(item) for item in items if item.gives_away]
        for text in given:
            self.say(text)
        unproved = sum(not item.is_proved for item in items)
        looked = f"{times(len(items), 'move')} looked at"
        if unproved:
            self.say(f"{looked}, {len(items) - unproved} of them judged by proof")
        elif items and not given:
            self.say(f"{looked}: nothing given away")

    # Words that are no move

    def _obey(self, line: str) -> bool:
        """Carry out a word that is no move; return whether it was one."""
        word, _, rest = line.partition(" ")
        answers: dict[str, Callable[[], None]] = {
            "hint": self._hint,
            "undo": self._undo,
            "eval": self._evaluate,
            "moves": self._list_moves,
            "board": self._draw,
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
            self.say(f"nothing entered; expected {self._example()}")
        elif line in answers:
            answers[line]()
        else:
            return False
        return True

    def _help(self) -> None:
        self.say(
            f"a move: {self._example()}; moves: what is legal; hint: a good move, and why; "
            "why: what the last move was worth, why MOVE: what that one is; undo: take back"
        )
        self.say(
            "eval: what the usual heuristic says; board: draw it again; "
            f"level N: how strong the agent is, 1 to {len(LEVELS)}; "
            "save FILE: to go on later; quit: leave"
        )

    def _example(self) -> str:
        """Return what a person may enter, a cell by its name and by its number."""
        game = self.position.game
        names = [move_text(self.position, move) for move in self.position.moves[:1]]
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
            found = hint(self.position, HINT_SECONDS)
        self.say(f"hint: {hint_text(found)}" if found else "no hint in this time")

    def _why(self, text: str) -> None:
        """Say what a move would be worth here, or what the last one was, and what answers it."""
        if text:
            try:
                ply, position, move = len(self.moves), self.position, read_move(self.position, text)
            except PlyscopeError as error:
                self.say(str(error)[:MOST_SAID])
                return
        elif not self.moves:
            self.say("no move has been made; expected why and a move")
            return
        else:
            ply, position, move = len(self.moves) - 1, self.positions[-2], self.moves[-1]
        with thinking("looking at it"):
            item = review_move(position, move, ply)
        self.say(review_text(item))

    def _save(self, name: str) -> None:
        """Write the game to a file, with which `plyscope play` goes on."""
        if self.is_opening:
            self.say("save while sides are being chosen; expected it afterwards")
            return
        if not name:
            self.say("save; expected the name of a file, such as save game.json")
            return
        path = Path(name).with_suffix(".json")
        try:
            write_file("file", path, json.dumps(self.saved(), indent=2) + "\n")
        except OptionError as error:
            self.say(str(error))
            return
        self.say(f"to go on: plyscope play {quote(str(path))}")

    def _undo(self) -> None:
        """Take back the person's last move and what came after it."""
        mine = [
            ply
            for ply, position in enumerate(self.positions[:-1])
            if self.players[position.side] is None
        ]
        if not mine:
            self.say("nothing to take back")
            return
        del self.positions[mine[-1] + 1 :]
        del self.moves[mine[-1] :]
        self._draw()

    def _evaluate(self) -> None:
        usual = explain(self.position)
        self.say(f"{usual.heuristic}: {number(usual.total)} for {side_name(usual.side)}")

    def _list_moves(self) -> None:
        between = " " if isinstance(self.position, Position) else ", "
        self.say(between.join(_said(self.position, move) for move in self.position.moves))

    def _set_level(self, text: str) -> None:
        is_number = text.isascii() and text.isdigit() and len(text) < 3
        if not is_number or not 1 <= int(text) <= len(LEVELS):
            self.say(f"level {text[:20]!r}; expected 1 to {len(LEVELS)}")
            return
        agent = level(int(text))
        first, second = self.players
        self.players = first and agent, second and agent
        self.say(f"{agent.name}: {self._summary(agent)}")

    def _draw(self) -> None:
        last = self.moves[-1] if self.moves else None
        self.console.print()
        self.console.print(draw_board(self.position, last, self.console.width))
        self.console.print()


def _said(position: Any, move: Any) -> str:
    """Return a move as people say it."""
    return spoken(position.game, move_text(position, move))


def _winning_cells(position: Any) -> list[str] | None:
    """Return the cells of the line that ended the game, None where none did."""
    line = position.winning_line() if isinstance(position, Position) else None
    return None if line is None else [position.game.format_cell(cell) for cell in line.cells()]


class _PersonInOpening:
    """The person where sides are chosen. Raises Left."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def put(self, position: Any, stones: int) -> Any:
        """Return the position after so many stones, which the person enters."""
        return self.session.put(stones)

    def take(self, position: Any, words: tuple[str, ...]) -> str:
        """Return what the person takes."""
        return self.session.take(words)


class _AgentInOpening:
    """An agent there, and what is shown of it."""

    def __init__(self, session: Session, agent: Agent) -> None:
        self.session, self.player = session, AgentPlayer(agent, session.random)

    def put(self, position: Any, stones: int) -> Any:
        """Return the position after so many stones, which is drawn."""
        name = self.player.agent.name
        with thinking(f"{name} is thinking"):
            after = self.player.put(position, stones)
        self.session.say(f"{name} puts {times(stones, 'stone')}")
        self.session.show(after)
        return after

    def take(self, position: Any, words: tuple[str, ...]) -> str:
        """Return what it takes, which is said."""
        name = self.player.agent.name
        with thinking(f"{name} is thinking"):
            taken = self.player.take(position, words)
        said = "puts two more stones" if taken == MORE else f"takes {taken.upper()}"
        self.session.say(f"{name} {said}", "bold")
        return taken
