"""Built-in agents other than plain searches: two-ply, random, perfect, and the levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from plyscope.evaluation.heuristics import find_heuristic
from plyscope.identity import cached_while
from plyscope.lab.agents.agent import Agent, AllChoices, Choice
from plyscope.lab.agents.searches import SearchAgent, search_moves
from plyscope.rules.game import position_after, version_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.choice import UNCOMPILED_CELLS
from plyscope.searching.engine import has_engine
from plyscope.searching.score import MAX_PLY
from plyscope.solving.accelerated import CONNECT
from plyscope.solving.solve import solve
from plyscope.solving.solvers import plan_of

MAX_SEARCHED_CELLS = 81
"""The cells of the largest board on which the levels and the analysis search for a first move."""
QUICK_SECONDS = 0.5
"""If one best move of a gravity game is found within this time, all best moves are computed."""
UNPROVED = "found no proof within its time limit, and may find one next time"
LAST_SECONDS, LAST_SHARE = 1.0, 0.25
"""The time left for the engine if no solver finishes: LAST_SECONDS, or this share of the limit if
that is less."""


@dataclass(frozen=True)
class TwoPlyAgent(Agent):
    """The two-ply player of system B.

    The score of a move is its value for the mover, minus the opponent's greatest value after a
    reply (0 without replies).
    """

    name: str = "two-ply"
    summary: str = (
        "value after its move minus the opponent's best value after a reply, weighted lines (B)"
    )
    heuristic: str = "weighted-lines"

    def score(self, position: Any, move: Any) -> int:
        """Return the score of `move`."""
        side = position.side
        heuristic = find_heuristic(self.heuristic, position.game)
        after = position_after(position, move)
        replies = (
            heuristic.evaluate(position_after(after, reply), 1 - side) for reply in after.moves
        )
        return heuristic.evaluate(after, side) - max(replies, default=0)

    def choices(self, position: Any) -> Sequence[Any]:
        """Return all moves of the largest score."""
        scores = {move: self.score(position, move) for move in position.moves}
        best = max(scores.values())
        return tuple(move for move, score in scores.items() if score == best)


@dataclass(frozen=True)
class RandomAgent(Agent):
    """An agent that plays random legal moves."""

    name: str = "random"
    summary: str = "any legal move"

    def choices(self, position: Any) -> Sequence[Any]:
        """Return all legal moves."""
        return tuple(position.moves)


@dataclass(frozen=True)
class PerfectAgent(Agent):
    """An agent that plays a random proven best move: it wins fastest and loses slowest.

    If no solver finishes in time, the engine chooses the move, in the last second or the last
    quarter of `seconds`. If finding all best moves takes long, only one is found.
    """

    name: str = "perfect"
    seconds: float = 10.0

    @property
    def summary(self) -> str:
        """One line on how it plays."""
        return (
            f"a proven best move, or the engine's if there is no proof in {self.seconds:g} seconds"
        )

    def all_choices(self, position: Any) -> AllChoices:
        """Return all proven best moves, or the engine's move with a doubt."""
        moves, value, _ = _proven(position, self.seconds)
        return AllChoices(moves, UNPROVED if value is None else None)

    def choose(self, position: Any, random: Random) -> Choice:
        """Return one of `all_choices` at random."""
        moves, value, nodes = _proven(position, self.seconds)
        return Choice(random.choice(moves), value, None, nodes)


@cached_while(lambda position, seconds: version_of(position.game), maxsize=1 << 16)
def _proven(position: Any, seconds: float) -> tuple[tuple[Any, ...], float | None, int | None]:
    """Return the best moves, the value and the nodes of a verdict, or the engine's move."""
    last = min(LAST_SECONDS, LAST_SHARE * seconds)
    proving = seconds - last
    is_early = (
        isinstance(position, Position)
        and CONNECT.plays(position)
        and not plan_of(position.game).is_quick(position)
    )
    verdict = solve(position, seconds=proving, with_moves=not is_early)
    if is_early and verdict.value is not None and verdict.seconds < min(QUICK_SECONDS, proving):
        of_all = solve(position, seconds=proving - verdict.seconds)
        verdict = of_all if of_all.best_moves else verdict
    if verdict.best_moves:
        return verdict.best_moves, verdict.value, verdict.nodes
    if has_engine(position):
        by_patterns = (("heuristic", "patterns"), ("seconds", last))
        searched = search_moves("engine", by_patterns, False, position)
    else:
        searched = search_moves("iterative-deepening", (("seconds", last),), False, position)
    return searched.moves or tuple(position.moves), None, searched.nodes


def opening_move(position: Any) -> int | None:
    """Return the usual first move on a large board: the middle, then a cell beside the stone.

    A search rates almost all cells there alike, and would take the first of them, far from the
    middle. Return None elsewhere: later, on boards of at most MAX_SEARCHED_CELLS cells or of other
    than two dimensions, with gravity and in misère.
    """
    if not isinstance(position, Position) or position.game.size <= MAX_SEARCHED_CELLS:
        return None
    game, stones = position.game, position.first | position.second
    if len(game.shape) != 2 or game.gravity or game.misere or stones.bit_count() > 1:
        return None
    at = divmod(stones.bit_length() - 1, game.width) if stones else None

    def away(cell: int) -> int:
        row, column = divmod(cell, game.width)
        if at is not None:
            return max(abs(row - at[0]), abs(column - at[1]))
        return max(abs(2 * row + 1 - game.height), abs(2 * column + 1 - game.width))

    return min(position.moves, key=away, default=None)


@dataclass(frozen=True)
class LevelAgent(Agent):
    """An opponent for people: a search that plays a random move in `random_percent` of its moves,
    and on large boards opens in the middle.

    The search is `plain` on 3×3 boards, where it takes less time than the engine needs to start;
    `playouts` on user-defined games, which may have no heuristic; `engine` with gravity, where no
    gain by patterns was measured, and in misère; and `patterns`, the engine with them, elsewhere.
    In games of the gravity solver, `solver` plays if there is one.
    """

    name: str
    summary: str
    plain: SearchAgent
    engine: SearchAgent
    patterns: SearchAgent
    playouts: SearchAgent
    random_percent: int = 0
    own_summary: str = ""
    """The summary on user-defined games."""
    solver: PerfectAgent | None = None

    def all_choices(self, position: Any) -> AllChoices:
        """Return the moves it may play: all legal moves if it plays random ones."""
        if (first := opening_move(position)) is not None:
            return AllChoices((first,))
        if self.random_percent:
            return AllChoices(tuple(position.moves))
        return self.searcher(position).all_choices(position)

    def repeats(self, game: Any) -> bool:
        """Return whether it plays no random moves and is unlikely to run out of time."""
        is_quick = dict(self.engine.options).get("depth", MAX_PLY) < MAX_PLY
        return isinstance(game, LineGame) and not self.random_percent and is_quick

    def choose(self, position: Any, random: Random) -> Choice:
        """Return a usual first move, a random move, or the move of the search."""
        if (first := opening_move(position)) is not None:
            return Choice(first)
        if random.randrange(100) < self.random_percent:
            return Choice(random.choice(tuple(position.moves)))
        return self.searcher(position).choose(position, random)

    def searcher(self, position: Any) -> SearchAgent | PerfectAgent:
        """Return the agent whose move it plays in a position."""
        if not isinstance(position, Position):
            return self.playouts
        if self.solver is not None and CONNECT.plays(position):
            return self.solver
        game = position.game
        if game.size <= UNCOMPILED_CELLS or not has_engine(position):
            return self.plain
        return self.engine if game.gravity or game.misere else self.patterns
