"""Games at the terminal: prompts, the moves and commands that are entered, and the responses."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from plyscope.display import times
from plyscope.errors import PlyscopeError
from plyscope.faces.entered import MAX_ERROR_CHARS, WORDS, Words, move_said
from plyscope.faces.ongoing import OngoingGame, winning_cells
from plyscope.faces.progress import thinking
from plyscope.faces.reviews import review_text
from plyscope.faces.terminal import Terminal
from plyscope.faces.wording import side_name
from plyscope.lab.agents.agent import Agent, ask
from plyscope.lab.judging.puzzles import Puzzle
from plyscope.lab.judging.review import Assessment, review_game
from plyscope.lab.matches.sides import PUT_TWO, AgentPlayer, Player, choose_sides
from plyscope.rules.game import is_repeated, move_text, position_after, read_move, spoken
from plyscope.rules.position import Position

QUIT = ("quit", "q", "exit")


class Left(Exception):
    """Raised when the user leaves the game."""


class Session:
    """Games from one start between two `players`; None stands for a person.

    Output and prompts go to the `console`; moves and commands are read from standard input.
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
        self.game = OngoingGame(players, start, seed, opening)
        self.words = Words(self.game, console)
        self.say = self.words.say
        self.console, self.puzzle = console, puzzle
        self.past = past
        """The names of the moves with which the first game begins."""
        self.repeats_past = False
        """Whether further games begin with these moves too."""
        self.rule, self._seated, self._from = rule, players, start
        """The rule for choosing sides, and the players and the start before sides are chosen."""
        self.games = 0

    def introduce(self) -> None:
        """Print the players and the words that a person can enter."""
        for side, player in enumerate(self.game.players):
            who = "you" if player is None else f"{player.name} ({self.words.summary(player)})"
            self.say(f"{side_name(side)}: {who}")
        if self.game.has_person:
            self.say(f"A move is {self.words.example()}. Commands: {WORDS}.", "dim")

    def play(self) -> bool:
        """Play one game from the start to its end; return False if the user left."""
        game = self.game
        game.seed += self.games > 0
        self.games += 1
        if self.rule is not None:
            game.players, game.start = self._seated, self._from
        game.show(game.start)
        for name in self.past if self.games == 1 or self.repeats_past else ():
            game.play(read_move(game.position, name))
        self.words.draw()
        if self.rule is not None and not self._choose_sides(self.rule):
            self.leave()
            return False
        while not (game.position.is_over or is_repeated(game.positions)):
            player = game.players[game.position.side]
            if player is None:
                move = self._ask()
            else:
                with thinking(f"{player.name} is thinking"):
                    move = ask(player, game.position, game.random)[0].move
            if move is None:
                self.leave()
                return False
            self._make(move, player)
        self._tell_result()
        if game.has_person and self.puzzle is None:
            self._review()
        return True

    def _choose_sides(self, rule: str) -> bool:
        """Carry out the opening rule before the game; return False if the user left."""
        choosing: list[Player] = [
            _PersonInOpening(self) if player is None else _AgentInOpening(self, player)
            for player in self.game.players
        ]
        game, side = self.game, self.game.start.side
        game.choosing = rule
        try:
            seats = choose_sides(rule, game.start, choosing[side], choosing[1 - side])
        except Left:
            return False
        game.choosing = ""
        if seats.is_swapped:
            game.players = game.players[1], game.players[0]
        game.start = seats.position
        game.show(game.start)
        names = ["you" if player is None else player.name for player in game.players]
        self.say(", ".join(f"{side_name(at)} is {name}" for at, name in enumerate(names)), "bold")
        return True

    def put(self, stones: int) -> Any:
        """Return the position after the user has placed `stones` stones, none of which may end the
        game. Raises Left."""
        self.game.show(self.game.position)
        self.say(f"Place {times(stones, 'stone')}; then the sides are chosen.")
        while len(self.game.moves) < stones:
            move = self._ask()
            if move is None:
                raise Left
            if position_after(self.game.position, move).is_over:
                self.say(
                    f"{move_said(self.game.position, move)} ends the game; expected another stone"
                )
                continue
            self._make(move, None)
        return self.game.position

    def take(self, words: tuple[str, ...]) -> str:
        """Ask the user to choose one of the words and return it. Raises Left."""
        while True:
            line = self._read(f"take {' or '.join(words)}? ")
            if line is None or line.lower() in QUIT:
                raise Left
            if line.lower() in words:
                return line.lower()
            self.say(f"{line[:40]!r}; expected {' or '.join(words)}")

    def leave(self) -> None:
        """Print the command that continues the game, on a line that is not wrapped."""
        self.console.print()
        said = f"goodbye; to continue: {self.game.command()}"
        self.console.print(said, soft_wrap=True)

    def wants_another(self) -> bool:
        """Ask the user whether to play another game."""
        answer = self._read("again? [y/n] ")
        return answer is not None and answer.lower() in ("y", "yes")

    # A move

    def _make(self, move: Any, player: Agent | None) -> None:
        """Play a move and show the board, except between two consecutive moves of a person."""
        before = self.game.position
        if self.puzzle is not None and before == self.game.start:
            self._judge(self.puzzle, move_text(before, move))
        self.game.play(move)
        if player is not None:
            name, cell = move_said(before, move), move_text(before, move)
            where = "" if name == cell else f" ({cell})"
            self.say(f"{side_name(before.side)} plays {name}{where}")
        after = self.game.position
        if player is not None or after.is_over or self.game.players[after.side] is None:
            self.words.draw()

    def _judge(self, puzzle: Puzzle, move: str) -> None:
        """Print whether the user has found the move."""
        name = spoken(puzzle.position.game, move)
        if move == puzzle.move:
            rest = "win" if puzzle.goal == "win" else "hold"
            self.say(f"{name}: that is it; now {rest} it", "bold")
        else:
            self.say(f"{name}: not that one (undo takes it back)", "bold")

    def _ask(self) -> Any:
        """Read lines until one is a move and return it, None at the end of input; carry out
        commands."""
        while True:
            line = self._read(f"{side_name(self.game.position.side)} to move: ")
            if line is None or line.lower() in QUIT:
                return None
            if not self._is_move(line) and self.words.execute(line.lower()):
                continue
            try:
                return read_move(self.game.position, line)
            except PlyscopeError as error:
                self.say(str(error)[:MAX_ERROR_CHARS])

    def _is_move(self, line: str) -> bool:
        """Return whether a line is the name of a legal move; in a user-defined game any word may be
        one."""
        position = self.game.position
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
        position, winner = self.game.position, self.game.position.winner
        if winner is None:
            self.say(f"a draw{'' if position.is_over else ' by repetition'}", "bold")
            return
        cells = winning_cells(position)
        how = "" if cells is None else f" with {' '.join(cells)}"
        if cells is not None and position.game.misere:
            how = f": {side_name(1 - winner)} completed a line"
        is_person = self.game.players[winner] is None and self.game.players != (None, None)
        self.say(f"{'you win' if is_person else f'{side_name(winner)} wins'}{how}", "bold")

    def _review(self) -> None:
        """Print the user's moves that lost value, and the better moves."""
        people = [side for side, player in enumerate(self.game.players) if player is None]
        found: tuple[Assessment, ...] = ()
        is_skipped = False
        try:
            with thinking("reviewing your moves (Ctrl-C skips this)"):
                for game in review_game(self.game.start, self.game.moves):
                    found = game
        except KeyboardInterrupt:
            is_skipped = True
        items = [at.review for at in found if at.review is not None]
        items = [item for item in items if item.position.side in people]
        if is_skipped:
            self.say(f"skipped after {times(len(items), 'move')}", "dim")
        given = [review_text(item) for item in items if item.is_blunder or item.is_slow_win]
        for text in given:
            self.say(text)
        unproved = sum(not item.is_proved for item in items)
        looked = f"{times(len(items), 'move')} reviewed"
        if unproved:
            self.say(f"{looked}, {len(items) - unproved} of them judged by proof")
        elif items and not given:
            self.say(f"{looked}: no value lost")


class _PersonInOpening:
    """The user as a player in an opening rule. Raises Left."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def put(self, position: Any, stones: int) -> Any:
        """Return the position after `stones` stones that the user enters."""
        return self.session.put(stones)

    def take(self, position: Any, words: tuple[str, ...]) -> str:
        """Return the word that the user chooses."""
        return self.session.take(words)


class _AgentInOpening:
    """An agent as a player in an opening rule; its choices are printed."""

    def __init__(self, session: Session, agent: Agent) -> None:
        self.session, self.player = session, AgentPlayer(agent, session.game.random)

    def put(self, position: Any, stones: int) -> Any:
        """Return the position after the agent's `stones` stones, and draw it."""
        name = self.player.agent.name
        with thinking(f"{name} is thinking"):
            after = self.player.put(position, stones)
        self.session.say(f"{name} places {times(stones, 'stone')}")
        self.session.game.show(after)
        self.session.words.draw()
        return after

    def take(self, position: Any, words: tuple[str, ...]) -> str:
        """Return the word that the agent chooses, and print it."""
        name = self.player.agent.name
        with thinking(f"{name} is thinking"):
            taken = self.player.take(position, words)
        said = "places two more stones" if taken == PUT_TWO else f"takes {taken.upper()}"
        self.session.say(f"{name} {said}", "bold")
        return taken
