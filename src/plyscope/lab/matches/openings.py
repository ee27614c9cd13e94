"""Openings: the start positions of the games in a match."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from random import Random
from typing import Any, NamedTuple

from plyscope.errors import OptionError
from plyscope.lab.people.workers import mapped
from plyscope.progress import Progress, silent
from plyscope.rules.game import Game, GamePosition, move_text, position_after
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.rules.symmetry import canonical
from plyscope.searching.engine import has_engine
from plyscope.searching.score import MAX_EVALUATION
from plyscope.searching.search import search
from plyscope.solving.book import BOOK
from plyscope.solving.quiet import quiet_position
from plyscope.solving.solve import solve
from plyscope.solving.solvers import plan_of

MAX_OPENINGS = 100_000
DEFAULT_MAX_PLIES = 8
"""The most plies of automatic openings."""
MAX_FAILED_GAMES = 100
"""The search for an opening fails after this number of consecutive random games that end too
soon."""
MAX_WEIGHED_OPENINGS = 500
"""Openings tested for balance."""
WEIGHING_NODES = 5_000
"""Engine nodes for testing one opening."""
EVEN_POINTS = 1_000
"""The greatest absolute engine value of a balanced position, about that of a few open lines."""
BATCH_OPENINGS, BATCHES = 50, 8
"""The number of positions that a process tests in one batch, and of batches drawn at once."""
FRUITLESS_GAMES = 200
"""The search ends after this number of consecutive random games without a new position."""


def openings(game: LineGame, plies: int) -> tuple[Position, ...]:
    """Return the unfinished positions after `plies` moves; symmetric positions count once.

    They are in generated order. Raises OptionError if there are none, or more than 100,000.
    """
    positions = [game.start()]
    for _ in range(plies):
        children: dict[Position, Position] = {}
        for position, move in ((each, move) for each in positions for move in each.moves):
            if not (child := game.play(position, move)).is_over:
                children[canonical(child)] = child
            if len(children) > MAX_OPENINGS:
                raise OptionError(
                    f"openings of {plies} plies on {game.name!r} are more than {MAX_OPENINGS:,}; "
                    "expected fewer plies"
                )
        positions = list(children.values())
    if not positions:
        raise OptionError(
            f"openings of {plies} plies on {game.name!r}: the game is over by then; "
            "expected fewer plies"
        )
    return tuple(positions)


def shortest_plies(game: LineGame, pairs: int) -> int:
    """Return the fewest plies that give at least `pairs` openings, at most a quarter of the board.

    Return fewer if there would be too many openings or none."""
    cells = game.size - game.holes.bit_count()
    plies = 0
    while plies < min(DEFAULT_MAX_PLIES, cells // 4):
        try:
            number = len(openings(game, plies + 1))
        except OptionError:
            break
        plies += 1
        if number >= pairs:
            break
    return plies


class Opening(NamedTuple):
    """The start position of a pair of games."""

    position: Any
    text: str | None = None
    """The text that describes it, if it is not `str(position)`."""

    @property
    def is_readable(self) -> bool:
        """Whether its text can be read back."""
        position = self.position
        is_own = isinstance(position, GamePosition)
        return not is_own or self.text is not None or _has_reader(position.game)


def opening_at(position: Any) -> Opening:
    """Return the opening at a position; an empty text is the start of a user-defined game."""
    is_start = isinstance(position, GamePosition) and position.state == position.game.start()
    return Opening(position, "" if is_start else None)


def random_opening(game: Game, plies: int, seed: str) -> Opening:
    """Return a position of a user-defined game after `plies` random moves.

    Raises OptionError if the game is always over by then.
    """
    random = Random(seed)
    for _ in range(MAX_FAILED_GAMES):
        position, moves = GamePosition(game, game.start()), list[str]()
        while len(moves) < plies and not position.is_over:
            move = random.choice(tuple(position.moves))
            moves.append(move_text(position, move))
            position = position_after(position, move)
        if not position.is_over:
            return Opening(position, None if moves and _has_reader(game) else ", ".join(moves))
    raise OptionError(
        f"openings of {plies} plies on {game.name!r}: the game is over by then; "
        "expected fewer plies"
    )


def _has_reader(game: Game) -> bool:
    return hasattr(game, "parse_position")


def balanced(positions: Sequence[Position], seed: int) -> tuple[Position, ...]:
    """Return the balanced positions among 500 random ones of `positions`, in their order.

    If a solver is quick, these are the draws. Otherwise they are the half of them that the engine
    values closest to 0, without wins. Raises OptionError if there are none.
    """
    number = len(positions)
    drawn = sorted(Random(seed).sample(range(number), min(number, MAX_WEIGHED_OPENINGS)))
    weighed = [positions[at] for at in drawn]
    plan = plan_of(positions[0].game)
    if all(plan.is_quick(position) or BOOK.plays(position) for position in weighed):
        even = [position for position in weighed if solve(position, with_moves=False).value == 0]
    else:
        weights = {position: _weight(position) for position in weighed}
        median = sorted(weights.values())[(len(weighed) - 1) // 2]
        even = [each for each in weighed if weights[each] <= min(median, MAX_EVALUATION)]
    if not even:
        raise OptionError(
            f"balanced openings of '{positions[0].game.name}': all {len(weighed)} favour a side; "
            "expected other plies"
        )
    return tuple(even)


def _weight(position: Position) -> float:
    """Return the absolute value of a position by a search."""
    if not has_engine(position):
        return abs(search(position, "iterative-deepening", nodes=WEIGHING_NODES // 10).value)
    return abs(search(position, "engine", nodes=WEIGHING_NODES, megabytes=1).value)


def balanced_openings(
    game: LineGame, number: int, seed: int, executor: Executor, progress: Progress = silent
) -> list[Position]:
    """Return up to `number` balanced positions from quiet random games, no two symmetric.

    If a solver is quick, these are draws; otherwise the engine's absolute value is at most
    EVEN_POINTS.
    """
    random = Random(f"openings {seed}")
    seen: set[Position] = set()
    found: list[Position] = []
    while len(found) < number:
        drawn = [_drawn_openings(game, random, seen) for _ in range(BATCHES)]
        for _, even in mapped(executor, _even, drawn):
            found += even
        progress("openings", min(len(found), number), number)
        if not all(drawn):
            break
    return found[:number]


def _drawn_openings(game: LineGame, random: Random, seen: set[Position]) -> list[Position]:
    """Return a batch of new positions from random games, with stones on a third to a half of the
    cells.

    The batch is smaller if few new positions are left."""
    drawn: list[Position] = []
    tries = 0
    while len(drawn) < BATCH_OPENINGS and tries < FRUITLESS_GAMES:
        tries += 1
        position = quiet_position(game, random)
        stones = (position.first | position.second).bit_count()
        is_opening = game.size // 3 <= stones <= game.size // 2 and not position.is_over
        if not is_opening or (key := canonical(position)) in seen:
            continue
        seen.add(key)
        drawn.append(position)
        tries = 0
    return drawn


def _even(positions: list[Position]) -> list[Position]:
    if positions and plan_of(positions[0].game).has_distances:
        return [each for each in positions if solve(each, with_moves=False).value == 0]
    return [each for each in positions if _weight(each) <= EVEN_POINTS]
