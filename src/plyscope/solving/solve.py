"""`solve`: the value of a position, by the solvers that suit its game."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path

from plyscope.catalogue import checks_keywords
from plyscope.deprecation import renamed
from plyscope.errors import OptionError
from plyscope.rules.game import GameLike, PositionLike
from plyscope.rules.source import as_position
from plyscope.searching.limit import Limit
from plyscope.solving.ask import Ask, tell_nobody
from plyscope.solving.solvers import plan_for
from plyscope.solving.verdict import Verdict


@renamed(weak="maker_breaker")
@checks_keywords
def solve(
    position: PositionLike,
    method: str = "auto",
    *,
    game: GameLike | str | None = None,
    seconds: float | None = None,
    with_moves: bool = True,
    progress: Callable[[str], None] | None = None,
    keep_interrupted: bool = False,
    maker_breaker: bool = False,
    checkpoint: str | Path | None = None,
    megabytes: int | None = None,
    executor: Executor | None = None,
    jobs: int = 1,
) -> Verdict:
    """Return what a position, or the start of a game, is worth, and by which moves.

    `position` and `game` are whatever `as_position` takes: of a line game, a game of one's own, a
    tree.

    >>> import plyscope as ps
    >>> str(ps.solve("X../.O./..X"))
    'a draw; best: b3 a2 c2 b1'

    `method` is a name in SOLVERS, or `auto` for the plan that suits the game (`solvers.PLANS`).
    After `seconds`, or Ctrl-C with `keep_interrupted`, the verdict's value is None and it says what
    stopped it. `progress` is called with a line of text, now and then.

    With `maker_breaker` X wants a line, and O wants that there is none. With a `checkpoint`, a
    file, the solver of lines keeps what it knows there and goes on from what it finds. `megabytes`
    is the size of its table, or of that of the solver of gravity games. With an `executor` it works
    in at most so many `jobs` at a time (`solving/jobs`). Raises OptionError and UnknownNameError.
    """
    start = as_position(position, game)
    Limit(seconds=seconds)
    ask = Ask(
        start,
        seconds=seconds,
        with_moves=with_moves,
        keep_interrupted=keep_interrupted,
        tell=progress or tell_nobody,
        maker_breaker=maker_breaker,
        megabytes=megabytes,
        checkpoint=None if checkpoint is None else Path(checkpoint),
        executor=executor,
        jobs=jobs,
    )
    plan = plan_for(ask, method)
    with ask.until_stopped() as stop:
        verdict = plan.take(ask)
        if verdict is None:
            raise OptionError(
                f"'{start}' for method {method!r}, but play does not reach it;"
                " expected a position that it does"
            )
        return verdict
    return ask.unsolved(stop.reason)
