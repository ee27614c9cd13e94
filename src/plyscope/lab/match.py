"""Games between agents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from time import perf_counter

from plyscope.errors import IllegalMoveError, OptionError
from plyscope.lab.agents import Agent, parse_agent
from plyscope.rules.game import SIDES
from plyscope.rules.games import parse_game
from plyscope.rules.linegame import LineGame, Position

__all__ = ["GameRecord", "MatchResult", "play_game", "play_match"]


@dataclass(frozen=True, kw_only=True)
class GameRecord:
    """One finished game: players by side, the moves from `start`, the `winner` (None for a draw), the seconds each side thought."""

    players: tuple[str, str]
    start: Position
    moves: tuple[str, ...]
    end: Position
    winner: str | None
    seconds: tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class MatchResult:
    """What came of games between `a` and `b`, who take X in turn: wins of each, by the side they played."""

    a: str
    b: str
    games: int
    seed: int
    a_wins_as_x: int
    a_wins_as_o: int
    b_wins_as_x: int
    b_wins_as_o: int
    draws: int
    moves_to_win: float | None
    seconds: float

    @property
    def a_wins(self) -> int:
        """The games that `a` won."""
        return self.a_wins_as_x + self.a_wins_as_o

    @property
    def b_wins(self) -> int:
        """The games that `b` won."""
        return self.b_wins_as_x + self.b_wins_as_o


def play_moves(players: tuple[Agent, Agent], start: Position, random: Random) -> Iterator[tuple[Position, int, float]]:
    """Yield for each move the position after it, the cell and the seconds it took; raise IllegalMoveError for a move that is not legal."""
    position = start
    while not position.is_over:
        player = players[position.side]
        began = perf_counter()
        move = player.choose(position, random)
        if move not in position.moves:
            raise IllegalMoveError(f"{player.name!r} played {move!r} on '{position}'; expected a legal move")
        position = position.game.play(position, move)
        yield position, move, perf_counter() - began


def play_game(
    players: tuple[Agent, Agent], start: Position, random: Random, watch: Callable[[Position, int], None] | None = None
) -> GameRecord:
    """Play one game from `start`, X by the first player; `watch` is called with each position and the move that led to it."""
    position, moves, seconds = start, [], [0.0, 0.0]
    for after, move, spent in play_moves(players, start, random):
        seconds[position.side] += spent
        moves.append(start.game.format_cell(move))
        position = after
        if watch is not None:
            watch(position, move)
    return GameRecord(
        players=(players[0].name, players[1].name),
        start=start,
        moves=tuple(moves),
        end=position,
        winner=None if position.winner is None else SIDES[position.winner],
        seconds=(seconds[0], seconds[1]),
    )


def play_match(
    a: Agent | str,
    b: Agent | str,
    games: int = 1000,
    game: LineGame | str = "tictactoe",
    seed: int = 0,
    start: Position | None = None,
    progress: Callable[[int], None] | None = None,
) -> MatchResult:
    """Play `games` games, the agents taking X in turn, and count; `progress` is called with the games done. Raises OptionError."""
    if games < 1:
        raise OptionError(f"{games} games; expected at least 1")
    first, second = (parse_agent(agent) if isinstance(agent, str) else agent for agent in (a, b))
    opening = start or (parse_game(game) if isinstance(game, str) else game).start()
    random, began = Random(seed), perf_counter()
    wins = {(player, side): 0 for player in "ab" for side in SIDES}
    lengths = []
    for number in range(games):
        players = (first, second) if number % 2 == 0 else (second, first)
        record = play_game(players, opening, random)
        if record.winner is not None:
            is_a = (record.winner == "x") == (number % 2 == 0)
            wins["a" if is_a else "b", record.winner] += 1
            lengths.append(len(record.moves))
        if progress is not None:
            progress(number + 1)
    return MatchResult(
        a=first.name,
        b=second.name,
        games=games,
        seed=seed,
        a_wins_as_x=wins["a", "x"],
        a_wins_as_o=wins["a", "o"],
        b_wins_as_x=wins["b", "x"],
        b_wins_as_o=wins["b", "o"],
        draws=games - sum(wins.values()),
        moves_to_win=sum(lengths) / len(lengths) if lengths else None,
        seconds=perf_counter() - began,
    )
