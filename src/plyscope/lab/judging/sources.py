"""Sources of a sample's positions: quiet or random games, recorded games, own play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import Heuristic
from plyscope.lab.matches.records import games_of
from plyscope.rules.game import random_game, result_for
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.score import MAX_EVALUATION, WIN
from plyscope.solving.quiet import quiet_position

POPULATIONS = ("quiet", "random", "own-play", "games:FILE", "all")

RANDOM_MOVES = 0.2
"""The share of random moves in games of `own-play`."""


class Source(NamedTuple):
    """A source of random positions of a game."""

    words: str
    """A description of the games, for users."""
    draw: Callable[[LineGame, Random], Position]
    """Returns an unfinished position."""


QUIET = Source("quiet random games", quiet_position)


def source_of(name: str, game: LineGame, heuristic: Heuristic) -> Source:
    """Return the source that POPULATIONS names, for a card of this heuristic.

        quiet        a random number of quiet moves (`solving/quiet`)
        random       any ply of a game of random moves
        own-play     any ply of a game of the heuristic, one ply deep, against itself, in which
                     one move in five is random
        games:FILE   any ply of a recorded game

    Raises OptionError for another name, and for a file without games of this game.
    """
    kind, _, path = name.partition(":")
    if name == "quiet":
        return QUIET
    if name == "random":
        return Source("random games", _random_position)
    if name == "own-play":
        words = f"games of {heuristic.name} against itself, one ply deep, one move in five random"
        return Source(words, lambda game, random: _own_position(heuristic, game, random))
    if kind == "games" and path:
        played = list(_recorded(path, game))
        if not played:
            raise OptionError(f"no game of {game.name!r} in {path!r}; expected recorded games")
        return Source(f"the games in {path}", lambda game, random: random.choice(played))
    raise OptionError(f"positions {name[:40]!r}; expected one of {', '.join(POPULATIONS)}")


def _random_position(game: LineGame, random: Random) -> Position:
    passed: Iterator[Position] = random_game(game, random, game.size + 1)
    return random.choice([position for position in passed if not position.is_over])


def _recorded(path: str, game: LineGame) -> Iterator[Position]:
    """Yield the unfinished positions of the recorded games of this game."""
    for record in games_of(path):
        start = record.start
        if isinstance(start, Position) and start.game.rules == game.rules:
            position = start._replace(game=game)
            for move in record.moves:
                yield position
                position = position.play(move)


def _own_position(heuristic: Heuristic, game: LineGame, random: Random) -> Position:
    position, passed = game.start(), []
    while not position.is_over:
        passed.append(position)
        moves = list(position.moves)
        if random.random() >= RANDOM_MOVES:
            scores = [_score(heuristic, game.play(position, move), position.side) for move in moves]
            moves = [
                move for move, score in zip(moves, scores, strict=True) if score == max(scores)
            ]
        position = game.play(position, random.choice(moves))
    return random.choice(passed)


def _score(heuristic: Heuristic, position: Position, side: int) -> float:
    """Return the score of a search of one ply for the position after a move of `side`."""
    result = result_for(side, position.game, position)
    if result is not None:
        return WIN * result
    return max(-MAX_EVALUATION, min(MAX_EVALUATION, heuristic.evaluate(position, side)))
