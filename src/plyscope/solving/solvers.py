"""The catalogue of solvers, and the plans by which the method `auto` uses them.

To add a solver, write a file with a `Solver` and add it to SOLVERS and to a plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from time import perf_counter
from typing import NamedTuple

from plyscope.catalogue import Catalogue, nearest_name
from plyscope.errors import OptionError
from plyscope.extras import why_no_kernels
from plyscope.rules.game import Game, position_of
from plyscope.rules.position import Position
from plyscope.searching.limit import NO_LIMIT, Late, SearchStopped
from plyscope.solving.accelerated import BLOCKING, CONNECT, JOBS, LINES, SEARCH, TABLEBASE, THREATS
from plyscope.solving.ask import Ask, Solver
from plyscope.solving.book import BOOK
from plyscope.solving.exhaustive import EXHAUSTIVE
from plyscope.solving.proofnumber import PROOF_NUMBER
from plyscope.solving.retrograde import RETROGRADE
from plyscope.solving.verdict import Verdict

SOLVERS = Catalogue(
    "solver",
    (
        *(TABLEBASE, BOOK, CONNECT, LINES, BLOCKING, THREATS),
        *(SEARCH, EXHAUSTIVE, RETROGRADE, PROOF_NUMBER),
    ),
)


class Turn(NamedTuple):
    """A solver's turn in a plan."""

    solver: Solver
    share: float = 1.0
    """The fraction of the remaining time that it may use."""
    nodes: int = NO_LIMIT
    """The node limit of each of its searches."""

    def __str__(self) -> str:
        limits = [] if self.share == 1 else [f"{self.share:.0%} of the time"]
        limits += [] if self.nodes == NO_LIMIT else [f"{self.nodes:,} nodes"]
        return f"`{self.solver.name}`" + (f" ({', '.join(limits)})" if limits else "")

    def take(self, ask: Ask) -> Verdict | None:
        """Return the solver's verdict, None if its share was not enough."""
        seconds = ask.seconds
        if seconds is not None:
            seconds -= (1 - self.share) * (seconds - ask.spent.seconds)
        ask.spent.method = self.solver.name
        part = replace(ask, seconds=seconds, limit=self.nodes, began=perf_counter())
        try:
            return self.solver.solve(part)
        except SearchStopped:
            if self.nodes == NO_LIMIT:
                raise
        except Late:
            if self.share == 1:
                raise
        return None


@dataclass(frozen=True)
class Plan:
    """The solvers that `auto` uses for a kind of game, in order.

    A solver that does not accept the position is skipped.
    """

    games: str
    suits: Callable[[Position], bool]
    turns: tuple[Turn, ...]
    growth: int = 1
    """The factor of the node limits from one round to the next, until there is a verdict; 1 for a
    single round."""

    def __str__(self) -> str:
        again = f"; then again, each time for {self.growth} times the nodes"
        return ", ".join(map(str, self.turns)) + (again if self.growth > 1 else "")

    def take(self, ask: Ask) -> Verdict | None:
        """Return the first verdict, None if no solver has one."""
        verdicts = (turn.take(ask) for turn in self._turns(ask.position))
        return next((verdict for verdict in verdicts if verdict is not None), None)

    def _turns(self, position: Position) -> Iterator[Turn]:
        for number in count() if self.growth > 1 else (0,):
            for turn in self.turns:
                if turn.solver.plays(position):
                    yield turn._replace(nodes=turn.nodes * self.growth**number)

    @property
    def has_distances(self) -> bool:
        """Whether one of its solvers has distances."""
        return any(turn.solver.has_distances for turn in self.turns)

    def is_quick(self, position: Position) -> bool:
        """Return whether one of its solvers is quick for a position."""
        return any(turn.solver.is_quick(position) for turn in self.turns)


THREATS_FIRST = Turn(THREATS, share=0.5, nodes=30_000)
"""A first turn for wins by threats, which the engine finds slowly; the engine gets the remaining
time."""
OTHER_GAMES = Plan(
    "games that are no line games",
    lambda position: not isinstance(position, Position),
    (Turn(EXHAUSTIVE, share=0.5, nodes=300_000), Turn(PROOF_NUMBER)),
)
PLANS = (
    Plan("games whose positions may repeat", RETROGRADE.plays, (Turn(RETROGRADE),)),
    OTHER_GAMES,
    Plan(
        "games of at most 16 cells",
        TABLEBASE.is_quick,
        (Turn(TABLEBASE), THREATS_FIRST, Turn(SEARCH)),
    ),
    Plan(
        "turns of several stones", lambda position: not position.game.alternates, OTHER_GAMES.turns
    ),
    Plan("k in a row with gravity", CONNECT.plays, (Turn(BOOK), Turn(CONNECT))),
    Plan(
        "lines on at most 64 cells",
        LINES.plays,
        (Turn(LINES, nodes=100_000), Turn(THREATS, nodes=10_000)),
        growth=10,
    ),
    Plan(
        "all others",
        SEARCH.plays,
        (THREATS_FIRST, Turn(BLOCKING, share=0.5, nodes=3_000_000), Turn(SEARCH)),
    ),
    Plan(
        "all, without the packages that kernels need",
        lambda position: True,
        (Turn(BOOK), *OTHER_GAMES.turns),
    ),
)
"""The plans of `auto`; the first one that suits is used.

`lines` is good at draws and `threats` at wins. Their turns take about the same time, since a node
of `threats` takes as long as ten of `lines`.
"""


@lru_cache(maxsize=16)
def plan_of(game: Game) -> Plan:
    """Return the plan by which `auto` solves positions of a game."""
    start = position_of(game, game.start())
    plan = next(plan for plan in PLANS if plan.suits(start))
    if why_no_kernels():  # the turns of their solvers are skipped
        plan = replace(plan, turns=tuple(dict.fromkeys((*plan.turns, *OTHER_GAMES.turns))))
    return plan


def plan_for(ask: Ask, method: str) -> Plan:
    """Return the plan for a question: the plan of `auto`, or one solver.

    With options that only some solvers support, `auto` is the first of these that accepts the
    position. Raises OptionError if the solver does not accept it, and UnknownNameError.
    """
    position, options = ask.position, ask.options
    if method != "auto" and method not in SOLVERS:
        raise nearest_name("method", method, ["auto", *SOLVERS])
    if method == "auto" and not options:
        return plan_of(position.game)
    able = [each for each in (*SOLVERS.values(), JOBS) if options <= each.options]
    named = [each for each in able if method in ("auto", each.name)]
    if not named:
        names = " or ".join(dict.fromkeys(each.name for each in able)) or "one of them"
        raise OptionError(
            f"method {method!r} with {' and '.join(sorted(options))}; expected {names}"
        )
    solver = next(
        (each for each in named if each.plays(position)), named[-1 if method == "auto" else 0]
    )
    solver.require(position, options if method == "auto" else ())
    return Plan("this question", solver.plays, (Turn(solver),))
