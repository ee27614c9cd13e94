"""Random positions whose exact values a solver finds.

The positions come from *quiet* random games: no move ends the game or lets the next move end it
(`solving/quiet`). If a solver can quickly solve every late position, late positions are drawn. In
other games, positions are drawn that solvers settle within a limit of nodes (`settling`); few of
these are early.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from plyscope.errors import OptionError
from plyscope.extras import needs
from plyscope.lab.judging.orbits import orbit_keys
from plyscope.lab.judging.sources import QUIET, Source
from plyscope.lab.people.workers import mapped
from plyscope.progress import Count
from plyscope.rules.game import Game
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.solving.accelerated import (
    CONNECT,
    LINES,
    SOLVER_NODES,
    TABLEBASE,
    Settled,
    can_settle,
    settle,
)
from plyscope.solving.quiet import has_quiet_games
from plyscope.solving.solvers import plan_of

MAX_FAILED_GAMES = 200
"""Drawing ends after this number of random games in a row without a new position."""
OTHER_SOURCES_FACTOR = 20
"""The factor on MAX_FAILED_GAMES for sources other than QUIET, whose games give fewer late or new
positions."""
BATCH_POSITIONS = 64
"""Positions whose keys are compared with `avoid` in one batch."""
JOB_POSITIONS = 8
"""Positions that a worker settles in one job."""


@dataclass
class Drawn:
    """The positions of one game that were drawn so far."""

    positions: list[Position] = field(default_factory=list)
    settled: dict[Position, Settled] | None = None
    """The exact values of each position and its moves; None if they are solved later, together."""
    source: Source = QUIET
    looked_at: int = 0
    """Number of positions drawn, including those that no solver could settle."""

    @property
    def about(self) -> str:
        """A description of the positions, for users."""
        games = f"positions of {self.source.words}"
        if self.settled is None:
            is_small = TABLEBASE.is_quick(self.positions[0])
            return games if is_small else f"{games}, in their second half"
        nodes = " or ".join(f"{name} in {nodes:,}" for name, nodes in SOLVER_NODES.items())
        share = len(self.positions) / self.looked_at
        return (
            f"{games} solved together with all their moves ({nodes} nodes), "
            f"{share:.0%} of those drawn"
        )


class TooFewPositions(OptionError):
    """Raised if fewer positions than requested could be drawn."""

    def __init__(self, game: Game, size: int, found: int) -> None:
        super().__init__(
            f"{size} samples of '{game.name}': only {found} were found; expected fewer"
        )
        self.found = found


Grown = Callable[[Drawn], None] | None
"""A function that is called after each settled position, with all drawn so far."""


def draw(
    game: Game,
    size: int,
    seed: int,
    avoid: Collection[int] = frozenset(),
    progress: Count | None = None,
    executor: Executor | None = None,
    grown: Grown = None,
    source: Source = QUIET,
) -> Drawn:
    """Return `size` different positions. They depend on `seed`, but not on the number of workers.

    No position or child, nor a symmetric one, has a key in `avoid`, such as the keys of another
    sample (`Population.orbits`). Raises OptionError for a game without a solver, and
    TooFewPositions if fewer are found.
    """
    if not isinstance(game, LineGame):
        raise OptionError(
            f"cannot sample {game.name!r}; expected a line game, or no samples: all its positions"
        )
    if not can_draw(game):
        for solver in (TABLEBASE, CONNECT, LINES):
            if not solver.why_not(game.start()) and (lacking := solver.lacking())[0]:
                raise needs(f"a sample of {game.name!r}", *lacking)
        raise OptionError(
            f"cannot sample '{game.name}', since no solver is quick for it; "
            "expected gravity, lines that win, misère without gravity, or at most 16 cells"
        )
    if is_known_late(game):
        drawn, is_quick = Drawn(source=source), plan_of(game).is_quick
        for position in islice(_candidates(game, seed, avoid, is_quick, source), size):
            drawn.positions.append(position)
            drawn.looked_at += 1
            if progress is not None:
                progress(drawn.looked_at)
    else:
        drawn = _settled(game, size, seed, avoid, progress, executor, grown, source)
    if len(drawn.positions) < size:
        raise TooFewPositions(game, size, len(drawn.positions))
    return drawn


def can_draw(game: LineGame) -> bool:
    """Return whether positions of this game can be drawn and solved quickly."""
    return has_quiet_games(game) and (is_known_late(game) or can_settle(game))


def is_known_late(game: LineGame) -> bool:
    """Return whether a solver can quickly solve every late position."""
    start = game.start()
    return TABLEBASE.is_quick(start) or CONNECT.plays(start)


def _settled(
    game: LineGame,
    size: int,
    seed: int,
    avoid: Collection[int],
    progress: Count | None,
    executor: Executor | None,
    grown: Grown,
    source: Source,
) -> Drawn:
    """Draw positions and solve them with all their moves; skip those that exceed the limits."""
    known: dict[Position, Settled] = {}
    drawn = Drawn(settled=known, source=source)
    asked = _candidates(game, seed, avoid, lambda position: True, source)
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
    game: LineGame,
    seed: int,
    avoid: Collection[int],
    suits: Callable[[Position], bool],
    source: Source,
) -> Iterator[Position]:
    """Yield different positions for which `suits` returns true, without those to avoid.

    Stop after MAX_FAILED_GAMES random games in a row without a new one.
    """
    random, avoided, seen = Random(seed), frozenset(avoid), set[Position]()
    is_left = True
    while is_left:
        fresh: list[Position] = []
        tries = 0
        while is_left and len(fresh) < (BATCH_POSITIONS if avoided else 1):
            position = source.draw(game, random)
            if position not in seen and suits(position):
                seen.add(position)
                fresh.append(position)
                tries = 0
            else:
                tries += 1
                is_left = tries < MAX_FAILED_GAMES * (
                    1 if source is QUIET else OTHER_SOURCES_FACTOR
                )
        yield from _without(game, fresh, avoided)


def _without(game: LineGame, positions: list[Position], avoided: frozenset[int]) -> list[Position]:
    """Return the positions without an avoided key, whose children have none either."""
    if not avoided:
        return positions
    families = [
        (position, *(game.play(position, move) for move in position.moves))
        for position in positions
    ]
    asked = [each for family in families for each in family]
    keys = dict(zip(asked, orbit_keys(game, asked).tolist(), strict=True))
    return [family[0] for family in families if avoided.isdisjoint(map(keys.__getitem__, family))]
