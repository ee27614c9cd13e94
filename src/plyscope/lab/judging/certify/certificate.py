"""`certify` and its results: every line of play, or else the search for a refutation."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import comb
from time import perf_counter
from typing import Any

from plyscope.catalogue import checks_keywords
from plyscope.datafile import DataFrame, frame
from plyscope.display import drawn, printed
from plyscope.errors import OptionError
from plyscope.jsonable import by_name
from plyscope.lab.agents.agent import AgentLike
from plyscope.lab.agents.catalogue import parse_agent
from plyscope.lab.judging.certify.every_line import EveryLine, TooMany
from plyscope.lab.judging.certify.refutation import Refutation, ranking
from plyscope.lab.judging.wins import WinsTaken, plyless_scoring, wins_taken
from plyscope.lab.matches.game import name_of
from plyscope.progress import Count
from plyscope.rules.game import FIRST, SECOND, SIDES, Game, GameLike, position_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.source import game_of
from plyscope.searching.limit import Limit
from plyscope.searching.result import line_text
from plyscope.searching.search import deep_recursion

MAX_POSITIONS = 2_000_000
WHY_NOT_ALL = {
    None: "there are too many lines of play",
    "seconds": "the time ended before every line of play was played",
    "interrupted": "interrupted",
}
"""The reason why not every line of play was followed, by the cause of the stop."""


@dataclass(frozen=True, kw_only=True)
class SideCertificate:
    """The games of an agent on one side, counted as sequences of moves."""

    agent_side: str
    """The agent's side: `x`, which moves first, or `o`."""
    is_searched: bool
    """Whether not all games were played, only those of a search for a refutation."""
    wins: int
    draws: int
    losses: int
    positions: int
    """Positions visited."""
    losing_line: tuple[str, ...] | None
    """A shortest lost game, or any lost game if `is_searched`; None if none was found."""

    def __str__(self) -> str:
        games = f"{self.wins:,} wins, {self.draws:,} draws, {self.losses:,} losses"
        return f"as {self.agent_side.upper()}: {games} in {self.positions:,} positions"


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """The answer of `certify`."""

    agent: str
    game: str
    rules: Game = field(repr=False)
    sides: tuple[SideCertificate, ...]
    """The agent as X, then as O."""
    stopped: str | None = None
    """The cause of an early end: `interrupted` or `seconds`."""
    doubt: str | None = None
    """The reason why the agent may play other moves than those seen; None without a reason."""
    asked: int | None = None
    """Minimum number of calls per position of a function or program; None for other agents, whose
    moves are known, and if `is_searched`."""
    asked_positions: int | None = None
    """The number of positions in which it was called."""
    calls: int | None = None
    """The number of calls of a function or program in all."""
    wins_taken: WinsTaken | None = None
    """How the agent treats wins at hand in all positions in which it moved; None for a scored game,
    or after Ctrl-C."""

    @property
    def never_loses(self) -> bool | None:
        """Whether no line of play beats the agent; None if not every line was played, or with a
        `doubt`.

        True is a proof: the agent is a table, one of plyscope's searches, or a Python function
        whose whole code was read and is pure (`lab/people/purity.py`). For any other function it is
        None.
        """
        if self.losing_line is not None:
            return False
        return None if self.is_searched or self.doubt else True

    @property
    def is_searched(self) -> bool:
        """Whether not every line could be followed, so that a search for a refutation took its
        place."""
        return any(side.is_searched for side in self.sides)

    @property
    def losing_line(self) -> tuple[str, ...] | None:
        """The shortest lost game, None if there is none."""
        lines = (side.losing_line for side in self.sides if side.losing_line is not None)
        return min(lines, key=len, default=None)

    @property
    def answer(self) -> str:
        """The answer as a sentence."""
        if self.losing_line is not None:
            return f"can be beaten: {' '.join(self.losing_line)}"
        if self.never_loses:
            read = "; its whole code was read, and depends on the position alone"
            return f"never loses{read if self.asked else ''}"
        if not self.is_searched and self.asked:
            return f"never lost in {self.calls:,} calls; not proved, since it {self.doubt}"
        if not self.is_searched:
            return f"not decided: no line of play beat it, but it {self.doubt}"
        why = WHY_NOT_ALL[self.stopped]
        if not any(side.wins + side.draws + side.losses for side in self.sides):
            return f"not decided: {why}, and no game was finished in time"
        return f"not decided: {why}, and a search for a line that beats it found none"

    def as_dict(self) -> dict[str, Any]:
        """Return the certificate as JSON-ready data."""
        return by_name(
            self,
            *("agent", "game", "never_loses", "is_searched", "losing_line", "sides"),
            *("stopped", "doubt", "asked", "asked_positions", "calls", "wins_taken"),
        )

    def to_frame(self) -> DataFrame:
        """Return both sides as a pandas DataFrame, a row for each."""
        return frame(self.sides)

    __str__ = printed
    _repr_html_ = drawn


@checks_keywords
def certify(
    agent: AgentLike,
    game: GameLike | str = "tictactoe",
    *,
    max_positions: int | None = None,
    seconds: float = 120.0,
    progress: Count | None = None,
    sandbox: bool = False,
) -> Certificate:
    """Play `agent` against every line of play of a game, moving first and moving second.

        agent           a text, an Agent or a function
        game            the game; the sign of a payoff counts
        max_positions   positions to visit at most (default: two million)
        seconds         time limit
        sandbox         run an agent that is a file or a program in a sandbox
        progress        called with the number of positions visited

    Beyond `max_positions`, or half of the `seconds`, the rest of the time goes to a search for a
    game that the agent loses. Ctrl-C returns the partial result. Raises OptionError, and what
    `parse_agent` and `parse_game` raise.

    >>> from plyscope import certify
    >>> certify("two-ply").answer
    'never loses'
    """
    player = parse_agent(agent, sandbox)
    rules = game_of(game)
    Limit(seconds=seconds)  # which checks them
    most = MAX_POSITIONS if max_positions is None else max_positions
    _check(rules, most)
    end = perf_counter() + seconds
    half = end - seconds / 2
    by_side = [EveryLine(player, rules, side, most, half, progress) for side in (FIRST, SECOND)]
    sides: list[SideCertificate] = []
    is_interrupted, stopped = False, None
    try:
        for lines in by_side:
            sides.append(_certificate(lines, *lines.play_out()))
    except TooMany as ended:
        stopped = ended.stopped
        began = perf_counter()
        # compilation is not counted against `seconds`
        ranking(position_of(rules, rules.start()))
        end += perf_counter() - began
    except KeyboardInterrupt:
        is_interrupted = True
    for lines in by_side[len(sides) :]:
        refutation = Refutation(player, rules, lines.side, lines.loss)
        try:
            if not is_interrupted:
                now = perf_counter()
                with deep_recursion():
                    refutation.search(now + (end - now) / (2 - lines.side))
        except KeyboardInterrupt:
            is_interrupted = True
        sides.append(_certificate(refutation, *refutation.counts, refutation.loss))
        by_side[lines.side].played.update(refutation.played)
    played = by_side[FIRST].played | by_side[SECOND].played
    taken = None
    try:
        taken = (
            None if is_interrupted else wins_taken(rules, played, plyless_scoring(player, rules))
        )
    except KeyboardInterrupt:
        is_interrupted = True
    times = [lines.times for lines in by_side if lines.times is not None]
    is_searched = any(side.is_searched for side in sides)
    return Certificate(
        agent=player.name,
        game=name_of(rules),
        rules=rules,
        sides=tuple(sides),
        stopped="interrupted" if is_interrupted else stopped,
        doubt=next((lines.doubt for lines in by_side if lines.doubt), None),
        asked=None if is_searched else min(times, default=None),
        asked_positions=None if is_searched else sum(len(each.asked) for each in by_side) or None,
        calls=None if is_searched else sum(each.calls for each in by_side) or None,
        wins_taken=taken,
    )


def _check(game: Game, most: int) -> None:
    """Raise OptionError for a game with endless lines, or with too many and no engine to search
    it."""
    if game.draw_by_repetition:
        raise OptionError(
            f"every line of play of {game.name!r}, whose positions may repeat; "
            "expected a game without draw_by_repetition"
        )
    if not isinstance(game, LineGame) or game.alternates or game.gravity:
        return
    shortest = min(line.mask.bit_count() for line in game.lines)
    # the opponent's stones before either side can have a line, and the cells for them
    stones = max(0, shortest - 1 - max(game.stones, game.first_stones))
    cells = game.size - game.holes.bit_count() - 2 * shortest
    if cells > stones and comb(cells, stones) > most:
        raise OptionError(
            f"{game.name!r} has more than {most:,} positions, and no engine searches games "
            "with turns of several stones; expected a smaller game"
        )


def _certificate(
    played: EveryLine | Refutation,
    wins: int,
    draws: int,
    losses: int,
    loss: tuple[Any, ...] | None,
) -> SideCertificate:
    start = position_of(played.game, played.game.start())
    return SideCertificate(
        agent_side=SIDES[played.side],
        is_searched=isinstance(played, Refutation),
        wins=wins,
        draws=draws,
        losses=losses,
        positions=played.positions,
        losing_line=None if loss is None else tuple(line_text(start, loss)),
    )
