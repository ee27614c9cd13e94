"""`solve`: the value of a position, by the solvers that suit its game."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path

from plyscope.catalogue import checks_keywords
from plyscope.errors import OptionError
from plyscope.rules.game import GameLike, PositionLike
from plyscope.rules.source import as_position
from plyscope.rules.tree import TreePosition
from plyscope.searching.limit import Limit
from plyscope.solving.ask import Ask, ignore
from plyscope.solving.solvers import plan_for
from plyscope.solving.verdict import Verdict


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
    threads: int = 1,
) -> Verdict:
    """Return the exact value of a position, or of a game's start, and its best moves.

        position        a position, its text, a game, a tree, or with `game` a state of it
        method          a name in `plyscope solve --help`, or `auto`, which takes the solvers that
                        suit the game in turn
        game            the game, if `position` is a state or a text that does not name it
        seconds         time limit
        with_moves      also find the value of every move
        maker_breaker   X wins with a line, and O wins if X gets none
        checkpoint      a file in which the solver of lines stores its table; a later call with
                        this file continues the solve
        megabytes       size of the table, for the solvers of lines and of gravity games
        executor, jobs  split the solve into jobs for the executor, at most `jobs` at a time
        threads         the number of threads of the solver of gravity games in a long solve; which
                        of several best moves it finds may then differ from run to run
        progress        called with a line of text about the progress, at intervals

    If `seconds` are over, the verdict's value is None and `stopped` is the reason. Ctrl-C raises
    KeyboardInterrupt; with `keep_interrupted` it returns such a verdict too.

    Raises OptionError for options that the solver does not support and positions that it does not
    solve, UnknownNameError for an unknown method, and the errors of `parse`.

    >>> import plyscope as ps
    >>> str(ps.solve("X../.O./..X"))
    'a draw; best: b3 a2 c2 b1'
    """
    start = as_position(position, game)
    if isinstance(start, TreePosition) and start.game.has_chance:
        raise OptionError(
            "a tree with chance nodes is not solved; expected a search by expectimax, such as "
            "plyscope analyze -A expectimax"
        )
    Limit(seconds=seconds)
    if threads < 1:
        raise OptionError(f"{threads} threads; expected at least one")
    ask = Ask(
        start,
        seconds=seconds,
        with_moves=with_moves,
        keep_interrupted=keep_interrupted,
        report=progress or ignore,
        maker_breaker=maker_breaker,
        megabytes=megabytes,
        checkpoint=None if checkpoint is None else Path(checkpoint),
        executor=executor,
        jobs=jobs,
        threads=threads,
    )
    plan = plan_for(ask, method)
    with ask.until_stopped() as stop:
        verdict = plan.take(ask)
        if verdict is None:
            raise OptionError(
                f"method {method!r} on '{start}', which no game reaches;"
                " expected a position that can be reached from the empty board"
            )
        return verdict
    return ask.unsolved(stop.reason)
