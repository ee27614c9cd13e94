"""Positions drawn at random from games that a solver knows.

A position is one of a *quiet* random game (`solving/quiet`). Where a solver has the value of every
late position at once, late ones are drawn; in other games those that solvers settle within a number
of nodes (`settling`), and so fewer of the early ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from plyscope.errors import OptionError
from plyscope.lab.judging.orbits import orbit_keys
from plyscope.lab.judging.settling import SOLVER_NODES, Settled, can_settle, settle
from plyscope.lab.workers import mapped
from plyscope.progress import Count
from plyscope.rules.game import Game
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.solving.connect import CONNECT
from plyscope.solving.quiet import has_quiet_games, quiet_position
from plyscope.solving.solvers import plan_of
from plyscope.solving.tablebase import TABLEBASE

MAX_FAILED_GAMES = 200
"""Random games in turn that bring no position for the sample, before it is given up."""
BATCH_POSITIONS = 64
"""Positions that are compared with those to avoid together."""
JOB_POSITIONS = 8
"""Positions that a worker settles together."""


@dataclass
class Drawn:
    """Positions of one game that were drawn."""

    positions: list[Position] = field(default_factory=list)
    settled: dict[Position, Settled] | None = None
    """What each of them is worth; None where a solver tells at once."""
    looked_at: int = 0
    """Positions that were drawn, those that were not settled among them."""

    @property
    def about(self) -> str:
        """Which positions these are, in words."""
        games = "positions of quiet random games"
        if self.settled is None:
            is_small = TABLEBASE.is_quick(self.positions[0])
            return games if is_small else f"{games}, in their second half"
        nodes = " or ".join(f"{name} in {nodes:,}" for name, nodes in SOLVER_NODES.items())
        share = len(self.positions) / self.looked_at
        return (
            f"{games} that solvers settle with all their moves ({nodes} nodes), "
            f"{share:.0%} of those drawn"
        )


class TooFewPositions(OptionError):
    """Raised where a game has hardly any positions left to draw."""

    def __init__(self, game: Game, size: int, found: int) -> None:
        super().__init__(
            f"{size} samples of '{game.name}': only {found} were found; expected fewer"
        )
        self.found = found


Grown = Callable[[Drawn], None] | None
"""Is given what has been drawn so far, after each position that solvers have settled."""


def draw(
    game: Game,
    size: int,
    seed: int,
    avoid: Collection[int] = frozenset(),
    progress: Count | None = None,
    executor: Executor | None = None,
    grown: Grown = None,
) -> Drawn:
    """Return so many different positions; `seed` tells which, however many workers settle them.

    None of them, no child, and no mirror image of one has a key in `avoid`, such as those of
    another sample (`Population.orbits`). Raises OptionError for a game without a solver, and where
    hardly any positions are left.
    """
    if not isinstance(game, LineGame):
        raise OptionError(
            f"samples of {game.name!r}; expected a line game, or none: all its positions"
        )
    if not can_draw(game):
        raise OptionError(
            f"samples of '{game.name}', which no solver has values of at once; "
            "expected gravity, lines that win, or at most 16 cells"
        )
    if is_known_late(game):
        drawn = _late(game, size, seed, avoid, progress)
    else:
        drawn = _settled(game, size, seed, avoid, progress, executor, grown)
    if len(drawn.positions) < size:
        raise TooFewPositions(game, size, len(drawn.positions))
    return drawn


def can_draw(game: LineGame) -> bool:
    """Whether a solver knows positions of this game, and they are found soon."""
    return has_quiet_games(game) and (is_known_late(game) or can_settle(game))


def is_known_late(game: LineGame) -> bool:
    """Whether a solver has the value of every late position at once."""
    start = game.start()
    return TABLEBASE.is_quick(start) or CONNECT.plays(start)


def _late(
    game: LineGame, size: int, seed: int, avoid: Collection[int], progress: Count | None
) -> Drawn:
    """Draw positions whose values, and those of all that follow, a solver has at once."""
    drawn, is_quick = Drawn(), plan_of(game).is_quick
    for position in islice(_candidates(game, seed, avoid, is_quick), size):
        drawn.positions.append(position)
        drawn.looked_at += 1
        if progress is not None:
            progress(drawn.looked_at)
    return drawn


def _settled(
    game: LineGame,
    size: int,
    seed: int,
    avoid: Collection[int],
    progress: Count | None,
    executor: Executor | None,
    grown: Grown,
) -> Drawn:
    """Draw positions that solvers settle, with all their moves."""
    known: dict[Position, Settled] = {}
    drawn = Drawn(settled=known)
    asked = _candidates(game, seed, avoid, lambda position: True)
    jobs = iter(lambda: list(islice(asked, JOB_POSITIONS)), [])
    since = 0
    for job, answers in mapped(executor, settle, jobs):
        for position, answer in zip(job, answers, strict=True):
            drawn.looked_at, since = drawn.looked_at + 1, since + 1
            if answer is not None:
                known[position], since = answer, 0
                drawn.positions.append(position)
                if progress is not None:
                    progress(len(known))
                if grown is not None:
                    grown(drawn)
            if len(known) == size or since == MAX_FAILED_GAMES:
                return drawn
    return drawn


def _candidates(
    game: LineGame, seed: int, avoid: Collection[int], suits: Callable[[Position], bool]
) -> Iterator[Position]:
    """Yield different positions that suit and have nothing to do with those to avoid, until hardly
    any are left."""
    random, avoided, seen = Random(seed), frozenset(avoid), set[Position]()
    is_left = True
    while is_left:
        fresh: list[Position] = []
        tries = 0
        while is_left and len(fresh) < (BATCH_POSITIONS if avoided else 1):
            position = quiet_position(game, random)
            if position not in seen and suits(position):
                seen.add(position)
                fresh.append(position)
                tries = 0
            else:
                tries += 1
                is_left = tries < MAX_FAILED_GAMES
        yield from _without(game, fresh, avoided)


def _without(game: LineGame, positions: list[Position], avoided: frozenset[int]) -> list[Position]:
    """Return the positions less all that have to do with those to avoid."""
    if not avoided:
        return positions
    families = [
        (position, *(game.play(position, move) for move in position.moves))
        for position in positions
    ]
    asked = [each for family in families for each in family]
    keys = dict(zip(asked, orbit_keys(game, asked).tolist(), strict=True))
    return [family[0] for family in families if avoided.isdisjoint(map(keys.__getitem__, family))]
