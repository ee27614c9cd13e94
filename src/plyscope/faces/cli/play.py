"""`plyscope play`: a person against an agent, two people, or two agents, on any board."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from plyscope.faces.cli.options import add_json, console, print_json, whole
from plyscope.faces.cli.statuses import DONE, status_of

if TYPE_CHECKING:
    from plyscope.lab.agent import Agent
    from plyscope.rules.linegame import Position
    from plyscope.solving.puzzles import Puzzle

__all__ = ["add", "run"]

DEFAULT_LEVEL = 5
HINT_SECONDS = 1.0
WORDS = "hint, undo, eval, moves, board, level N, help, quit"


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "play",
        help="a game: a person against an agent, or two agents, on any board",
        description=__doc__,
    )
    parser.add_argument(
        "position",
        metavar="GAME|POSITION",
        nargs="?",
        default="tictactoe",
        help="where to start (default: tictactoe)",
    )
    parser.add_argument(
        "--x", metavar="WHO", help="who plays X: human, or an agent (default: human)"
    )
    parser.add_argument(
        "--o",
        metavar="WHO",
        help=f"who plays O: human, or an agent (default: level-{DEFAULT_LEVEL})",
    )
    parser.add_argument("--second", action="store_true", help="the person moves second")
    parser.add_argument(
        "--level", type=whole(1, 10), metavar="N", help="the agent's level, 1 to 10"
    )
    parser.add_argument(
        "--first", choices=("x", "o"), help="who moves first on an empty board (default: x)"
    )
    parser.add_argument(
        "--games",
        type=whole(1, 1_000_000),
        metavar="N",
        help="let two agents play N games, taking X in turn",
    )
    parser.add_argument(
        "--puzzle",
        action="store_true",
        help="a position in which one move alone wins or saves, against perfect play",
    )
    parser.add_argument(
        "--seed",
        type=whole(0),
        metavar="N",
        help="the seed of whatever is random (default: a new one each time)",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play."""
    from plyscope.errors import OptionError
    from plyscope.rules.game import parse_side
    from plyscope.rules.linegame import Position
    from plyscope.searching.driver import as_position

    start = as_position(arguments.position)
    if not isinstance(start, Position):
        raise OptionError(
            f"{arguments.position!r} is no line game; expected a game such as 'tictactoe', 'connect4' or '7,7,5'"
        )
    if arguments.first is not None:
        if start.first | start.second:
            raise OptionError(
                f"first {arguments.first!r} on '{start}', which has stones; expected an empty board"
            )
        start = start.game.position(0, 0, parse_side(arguments.first))
    seed = Random().randrange(10**6) if arguments.seed is None else arguments.seed
    if arguments.puzzle:
        return _play_puzzle(arguments, start, seed)
    players = _players(arguments, start.side)
    if arguments.games is not None:
        return _play_match(players, start, arguments.games, seed, arguments.json)
    return _Table(players, start, Random(seed), arguments.json).play()


def _play_puzzle(arguments: argparse.Namespace, start: Position, seed: int) -> int:
    """Let the person solve a puzzle of the game against the perfect agent."""
    from plyscope.errors import OptionError
    from plyscope.faces.progress import counting
    from plyscope.lab.agents import AGENTS
    from plyscope.solving.puzzles import puzzles

    given = [
        name
        for name in ("x", "o", "level", "first", "games")
        if getattr(arguments, name) is not None
    ]
    if given or arguments.second or start != start.game.start():
        raise OptionError(
            f"--puzzle with {f'--{given[0]}' if given else 'a position or --second'}; expected a game alone"
        )
    with counting("positions looked at") as progress:
        puzzle = next(puzzles(start.game, seed, progress), None)
    if puzzle is None:
        raise OptionError(f"no puzzle of {start.game.name!r} was found; expected another game")
    side = puzzle.position.side
    players = (None, AGENTS["perfect"]) if side == 0 else (AGENTS["perfect"], None)
    table = _Table(players, puzzle.position, Random(seed), arguments.json, puzzle)
    table.say("One move wins." if puzzle.goal == "win" else "One move does not lose.", "bold")
    return table.play()


def _players(arguments: argparse.Namespace, side: int) -> tuple[Agent | None, Agent | None]:
    """Return the players of X and O, None for a person: by default a person moves first against the
    agent of the level."""
    from plyscope.errors import OptionError
    from plyscope.lab.agents import level, parse_agent

    wanted = [arguments.x, arguments.o]
    agent = level(arguments.level or DEFAULT_LEVEL)
    if arguments.level is not None and all(wanted):
        raise OptionError(
            f"level {arguments.level} with both --x and --o; expected one of them to be left out"
        )
    if wanted == [None, None]:
        person = 1 - side if arguments.second else side
        return (None, agent) if person == 0 else (agent, None)
    if arguments.second:
        raise OptionError("--second with --x or --o; expected one or the other")
    players: list[Agent | None] = []
    for who, other in zip(wanted, reversed(wanted), strict=True):
        if who is None:
            players.append(agent if other == "human" or arguments.level is not None else None)
        else:
            players.append(None if who == "human" else parse_agent(who))
    return players[0], players[1]


def _play_match(
    players: tuple[Agent | None, Agent | None],
    start: Position,
    games: int,
    seed: int,
    as_json: bool,
) -> int:
    from plyscope.errors import OptionError
    from plyscope.faces.progress import counting
    from plyscope.lab.match import play_match

    first, second = players
    if first is None or second is None:
        raise OptionError(f"{games} games with a person; expected two agents, --x and --o")
    with counting("games") as progress:
        result = play_match(
            first,
            second,
            games,
            seed=seed,
            start=start,
            progress=lambda score: progress(score.games),
            keep_interrupted=True,
        )
    if as_json:
        print_json(result.as_dict())
    else:
        from plyscope.faces.tables.matches import match_table

        console().print(match_table(result))
    return status_of(result.stopped is None)


@dataclass
class _Table:
    """A game in progress at the terminal: who plays, where it stands, and how it came there."""

    players: tuple[Agent | None, Agent | None]
    start: Position
    random: Random
    as_json: bool
    puzzle: Puzzle | None = None
    positions: list[Position] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.positions = [self.start]
        self.console = console(stderr=self.as_json)

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    def say(self, text: str, style: str = "") -> None:
        """Print a line."""
        self.console.print(text, style=style, markup=False)

    def play(self) -> int:
        """Play games until the person has enough; return the exit status."""
        for side, player in enumerate(self.players):
            self.say(
                f"{'XO'[side]}: {'you' if player is None else f'{player.name} ({player.summary})'}"
            )
        if None in self.players:
            self.say(f"A move is a cell such as {self._example()}. Other words: {WORDS}.", "dim")
        try:
            while True:
                if not self._play_one():
                    return DONE
                if (
                    None not in self.players
                    or not sys.stdin.isatty()
                    or self.as_json
                    or not self._again()
                ):
                    return DONE
                self.positions, self.moves = [self.start], []
        except KeyboardInterrupt:
            self._goodbye()
            if None not in self.players:
                raise
            return DONE

    def _example(self) -> str:
        game = self.position.game
        cells = [game.format_cell(move) for move in self.position.moves[:2]] or ["b2"]
        numbers = f"1 to {game.width}" if game.gravity else "1 to 9" if game.size <= 9 else ""
        return " or ".join([repr(cells[0]), numbers] if numbers else [repr(cells[0])])

    def _play_one(self) -> bool:
        """Play one game to its end; return False when the person left."""
        self._draw()
        while not self.position.is_over:
            player = self.players[self.position.side]
            move = self._ask() if player is None else self._think(player)
            if move is None:
                self._goodbye()
                return False
            if self.puzzle is not None and self.position == self.start:
                self._judge(self.puzzle, self.position.game.format_move(self.position, move))
            self.moves.append(move)
            self.positions.append(self.position.game.play(self.position, move))
            if player is not None:
                self.say(
                    f"{'XO'[1 - self.position.side]} plays {self.position.game.format_cell(move)}"
                )
            if (
                player is not None
                or self.position.is_over
                or self.players[self.position.side] is None
            ):
                self._draw()
        self._tell_result()
        return True

    def _judge(self, puzzle: Puzzle, move: str) -> None:
        """Say whether the person has found the move."""
        if move == puzzle.move:
            self.say(
                f"{move}: that is it; now {'win' if puzzle.goal == 'win' else 'hold'} it", "bold"
            )
        else:
            self.say(f"{move}: not that one (undo takes it back)", "bold")

    def _draw(self) -> None:
        from plyscope.faces.boards import draw_board

        self.console.print()
        self.console.print(
            draw_board(self.position, self.moves[-1] if self.moves else None, self.console.width)
        )
        self.console.print()

    def _think(self, player: Agent) -> int:
        from plyscope.faces.progress import thinking
        from plyscope.lab.agent import ask

        with thinking(f"{player.name} is thinking"):
            choice, _ = ask(player, self.position, self.random)
        return int(choice.move)

    def _ask(self) -> int | None:
        """Return the move that the person enters, None at the end of input; whatever else is
        entered is answered, and asked again."""
        from plyscope.errors import PlyscopeError

        while True:
            line = self._read(f"{'XO'[self.position.side]} to move: ")
            if line is None or line.lower() in ("quit", "q", "exit"):
                return None
            if self._obey(line.lower()):
                continue
            try:
                return self.position.game.parse_move(self.position, line)
            except PlyscopeError as error:
                self.say(str(error)[:300])

    def _read(self, prompt: str) -> str | None:
        print(prompt, end="", flush=True, file=sys.stderr if self.as_json else sys.stdout)
        try:
            line = sys.stdin.readline()
        except UnicodeDecodeError:
            line = "?\n"
        if not line:
            return None
        if not sys.stdin.isatty():
            self.console.print()
        return line.strip()

    def _obey(self, line: str) -> bool:
        """Carry out a word that is no move; return whether it was one."""
        word, _, rest = line.partition(" ")
        answers = {
            "hint": self._hint,
            "undo": self._undo,
            "eval": self._evaluate,
            "moves": self._list_moves,
            "board": self._draw,
            "help": self._help,
        }
        answers["?"] = self._help
        if word == "level":
            self._set_level(rest)
        elif not line:
            self.say(f"nothing entered; expected a cell such as {self._example()}")
        elif line in answers:
            answers[line]()
        else:
            return False
        return True

    def _help(self) -> None:
        self.say(
            f"a move: a cell such as {self._example()}; moves: what is legal; hint: the best moves; undo: take back"
        )
        self.say(
            "eval: what counted-lines says; board: draw it again; level N: how strong the agent is, 1 to 10; quit: leave"
        )

    def _hint(self) -> None:
        from plyscope.searching.driver import search
        from plyscope.searching.score import format_score

        found = search(
            self.position, "iterative-deepening", scoring="distance", seconds=HINT_SECONDS
        )
        best = ", ".join(self.position.game.format_cell(move) for move in found.best_moves)
        reach = "searched to the end" if found.complete else f"searched to depth {found.depth}"
        self.say(
            f"hint: {best} ({format_score(found.value, 'distance') if found.value or not found.complete else 'draw'}, {reach})"
        )

    def _undo(self) -> None:
        """Take back the person's last move and what came after it."""
        mine = [
            number
            for number, position in enumerate(self.positions[:-1])
            if self.players[position.side] is None
        ]
        if not mine:
            self.say("nothing to take back")
            return
        del self.positions[mine[-1] + 1 :]
        del self.moves[mine[-1] :]
        self._draw()

    def _evaluate(self) -> None:
        from plyscope.evaluation.evaluate import evaluate

        self.say(f"counted-lines: {evaluate(self.position)} for {'XO'[self.position.side]}")

    def _list_moves(self) -> None:
        self.say(" ".join(self.position.game.format_cell(move) for move in self.position.moves))

    def _set_level(self, text: str) -> None:
        from plyscope.lab.agents import LEVELS, level

        if not (
            text.isascii() and text.isdigit() and len(text) < 3 and 1 <= int(text) <= len(LEVELS)
        ):
            self.say(f"level {text[:20]!r}; expected 1 to {len(LEVELS)}")
            return
        agent = level(int(text))
        self.players = tuple(player and agent for player in self.players)  # type: ignore[assignment]
        self.say(f"{agent.name}: {agent.summary}")

    def _tell_result(self) -> None:
        position = self.position
        if position.winner is None:
            self.say("a draw", "bold")
        else:
            line = position.winning_line()
            cells = (
                ""
                if line is None
                else " with " + " ".join(position.game.format_cell(cell) for cell in line.cells())
            )
            player = self.players[position.winner]
            who = (
                "you win"
                if player is None and None in self.players and self.players != (None, None)
                else f"{'XO'[position.winner]} wins"
            )
            lost = (
                f": {'XO'[1 - position.winner]} completed a line" if position.game.misere else cells
            )
            self.say(f"{who}{lost}", "bold")
        if self.as_json:
            self._print_record()

    def _print_record(self) -> None:
        from plyscope.rules.game import SIDES

        line = self.position.winning_line()
        cell_name = self.position.game.format_cell
        print_json(
            {
                "game": self.position.game.name,
                "start": str(self.start),
                "players": ["human" if player is None else player.name for player in self.players],
                "moves": [cell_name(move) for move in self.moves],
                "end": str(self.position),
                "winner": None if self.position.winner is None else SIDES[self.position.winner],
                "line": None if line is None else [cell_name(cell) for cell in line.cells()],
            }
        )

    def _again(self) -> bool:
        answer = self._read("again? [y/n] ")
        return answer is not None and answer.lower() in ("y", "yes")

    def _goodbye(self) -> None:
        self.console.print()
        self.say(f"goodbye; to go on: plyscope play '{self.position}'")
        if self.as_json:
            self._print_record()
