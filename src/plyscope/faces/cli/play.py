"""`plyscope play`: play a game: a person against an agent, two people, or two agents."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from plyscope.errors import OptionError
from plyscope.faces.cli.options import (
    JSON,
    console,
    print_json,
    print_result,
    said_reading,
    say,
    seed_row,
    whole,
)
from plyscope.faces.cli.puzzles import MOVES
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import DONE, status_of
from plyscope.faces.progress import counting

if TYPE_CHECKING:
    from plyscope.lab.agents.agent import Agent
    from plyscope.lab.judging.puzzles import Puzzle
    from plyscope.rules.position import Position

    Players = tuple[Agent | None, Agent | None]
    """Who plays X and O, None for a person."""

DEFAULT_LEVEL = 5


HELP = "play a game against an agent, or let two agents play"
OPTIONS = (
    Option(
        "position GAME|POSITION|FILE?",
        "the start: a game, a position, a saved game.json, or a file of another program such as "
        "game.sgf (default: tictactoe)",
    ),
    Option(
        "-g --game GAME",
        "the game, if the position does not name it: a name, m,n,k or file.py:Name",
    ),
    Option("--x WHO", "who plays X: human, or an agent (default: human)"),
    Option(
        "--o WHO",
        f"who plays O: human, or an agent, such as engine (default: level-{DEFAULT_LEVEL})",
    ),
    Option("--second", "move second"),
    Option("--level N", "the agent's level, 1 to 10", whole(1, 10)),
    Option("--first", "who moves first on an empty board (default: x)", ("x", "o")),
    Option(
        "--opening RULE",
        "choose sides by a rule: pie (one player makes the first turn, the other picks a side) "
        "or swap2",
        ("pie", "swap2"),
    ),
    Option("-n --games N", "let two agents play N games, alternating sides", whole(1, 10**6)),
    Option("--puzzle", "solve a puzzle: find the only move that wins, or that does not lose"),
    MOVES,
    seed_row(default=None),
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Play a game, a puzzle, or many games between agents, as the options say."""
    from plyscope.lab.matches.sides import check_rule
    from plyscope.rules.game import parse_side
    from plyscope.rules.position import Position
    from plyscope.rules.tree import TreePosition

    past = _loaded(arguments)
    text = arguments.position
    reading = said_reading(text or arguments.game or "tictactoe", arguments.game)
    start = reading.end
    if isinstance(start, TreePosition):
        raise OptionError(
            f"{text!r} is not a line game; "
            "expected a game such as 'tictactoe', 'connect4', '7,7,5' or 'nim.py:Nim'"
        )
    if not isinstance(start, Position):
        for name in ("first", "puzzle"):
            if getattr(arguments, name):
                raise OptionError(f"--{name} on {start.game.name!r}; expected a line game")
    elif arguments.first is not None:
        if start.first | start.second:
            raise OptionError(
                f"first {arguments.first!r} on '{start}', which has stones; expected an empty board"
            )
        start = start.game.position(0, 0, parse_side(arguments.first))
    seed = Random().randrange(10**6) if arguments.seed is None else arguments.seed
    if arguments.moves is not None and not arguments.puzzle:
        raise OptionError(f"--moves {arguments.moves} without --puzzle; expected both")
    if arguments.puzzle:
        return _play_puzzle(arguments, start, seed)
    players, rule = _players(arguments, start.side), arguments.opening
    from plyscope.faces.cli.agents import agent_notes

    say(agent_notes(players, start.game))
    if arguments.games is not None:
        return _play_match(players, start, arguments.games, seed, arguments.json, rule)
    check_rule(rule, start)
    opening, repeats = arguments.position or "", False
    if not arguments.game:
        opening = opening.partition(" ")[2]  # without the name of the game
    if text and not past and isinstance(start, Position) and not (start.is_over or rule):
        start, past, repeats = reading.start, reading.names, True
    return _play_games(players, start, seed, arguments.json, None, opening, rule, past, repeats)


def _loaded(arguments: argparse.Namespace) -> list[str]:
    """Set `arguments` from a saved game, if its file is named; return the moves of the game.

    Players and a seed that were given as options are kept. Raise NotationError if the file cannot
    be read or is no saved game.
    """
    from plyscope.lab.matches.gametext import read_saved

    data = None if arguments.game is not None else read_saved(arguments.position or "")
    if data is None:
        return []
    arguments.position, arguments.game = data["start"], data["game"]
    if arguments.x is None and arguments.o is None and arguments.level is None:
        arguments.x, arguments.o = data["x"], data["o"]
    seed = data.get("seed", 0)
    if arguments.seed is None and isinstance(seed, int):
        arguments.seed = seed
    return list(data["moves"])


def _play_games(
    players: Players,
    start: Any,
    seed: int,
    as_json: bool,
    puzzle: Puzzle | None = None,
    opening: str = "",
    rule: str | None = None,
    past: Sequence[str] = (),
    repeats_past: bool = False,
) -> int:
    from plyscope.faces.session import Session

    session = Session(players, start, seed, console(stderr=as_json), puzzle, opening, rule, past)
    session.repeats_past = repeats_past
    if puzzle is not None:
        session.say("One move wins." if puzzle.goal == "win" else "One move does not lose.", "bold")
    session.introduce()
    may_repeat = session.game.has_person and sys.stdin.isatty() and not as_json
    try:
        while True:
            is_finished = session.play()
            if as_json:
                print_json(session.game.record())
            if not (is_finished and may_repeat and session.wants_another()):
                return DONE
    except KeyboardInterrupt:
        session.leave()
        if as_json:
            print_json(session.game.record())
        if not session.game.has_person:
            raise
        return DONE


def _play_puzzle(arguments: argparse.Namespace, start: Position, seed: int) -> int:
    """Let the user solve a puzzle of the game against the perfect agent."""
    from plyscope.lab.agents.catalogue import AGENTS
    from plyscope.lab.judging.puzzles import MIN_MOVES, puzzles

    names = ("x", "o", "level", "first", "games", "opening")
    given = [f"--{name}" for name in names if getattr(arguments, name) is not None]
    if given or arguments.second or start != start.game.start():
        what = given[0] if given else "a position or --second"
        raise OptionError(f"--puzzle with {what}; expected only a game")
    with counting("positions tried") as progress:
        puzzle = next(puzzles(start.game, seed, progress, arguments.moves or MIN_MOVES), None)
    if puzzle is None:
        raise OptionError(f"no puzzle of {start.game.name!r} was found; expected another game")
    side = puzzle.position.side
    players = (None, AGENTS["perfect"]) if side == 0 else (AGENTS["perfect"], None)
    return _play_games(players, puzzle.position, seed, arguments.json, puzzle)


def _players(arguments: argparse.Namespace, side: int) -> Players:
    """Return the players: by default a person moves first against the agent of the level."""
    from plyscope.faces.cli.agents import given_agents
    from plyscope.lab.agents.catalogue import level

    wanted = [arguments.x, arguments.o]
    agent = level(arguments.level or DEFAULT_LEVEL)
    if arguments.level is not None and all(wanted):
        raise OptionError(
            f"level {arguments.level} with both --x and --o; expected at most one of them"
        )
    if wanted == [None, None]:
        person = 1 - side if arguments.second else side
        return (None, agent) if person == 0 else (agent, None)
    if arguments.second:
        raise OptionError("--second with --x or --o; expected one or the other")
    players: list[Agent | None] = []
    named = iter(given_agents([who for who in wanted if who not in (None, "human")]))
    for who, other in zip(wanted, reversed(wanted), strict=True):
        if who is None:
            players.append(agent if other == "human" or arguments.level is not None else None)
        else:
            players.append(None if who == "human" else next(named))
    return players[0], players[1]


def _play_match(
    players: Players, start: Any, games: int, seed: int, as_json: bool, rule: str | None
) -> int:
    from plyscope.lab.matches.match import play_match

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
            opening=rule,
            progress=lambda score: progress(score.games),
            keep_interrupted=True,
        )
    print_result(result, as_json)
    return status_of(result.stopped != "interrupted")
