"""`certify`: play an agent against every line of play of its opponent, and say whether it can be
beaten.

Nothing is sampled: the agent's ties and its random openings are all followed, the opponent tries
every legal move. Positions are memoised, so a position that many lines reach is asked about once.

Where that is too much, the opponent is the engine: it plays its best line, then every line that
leaves its ranking of the moves once, then twice (limited discrepancy search; Harvey and Ginsberg
1995), until it has won or the time is up. A loss found so is a proof; that none was found is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from plyscope.display import drawn
from plyscope.lab.agent import Agent
from plyscope.lab.agents import parse_agent
from plyscope.rules.game import FIRST, SECOND, SIDES
from plyscope.rules.games import parse_game
from plyscope.rules.linegame import LineGame, Position
from plyscope.searching.driver import search
from plyscope.searching.limit import Limit
from plyscope.searching.result import line_text

__all__ = ["Certificate", "SideCertificate", "certify"]

MAX_POSITIONS = 2_000_000
RANKING_NODES, RANKED = 10_000, 3
"""The nodes for which the engine looks at a position to rank its moves, and the best of them that
it tells apart."""


@dataclass(frozen=True, kw_only=True)
class SideCertificate:
    """What every line of play came to with the agent as `agent_side`, x moving first or o moving
    second: the games (move sequences) it wins, draws and loses.

    `positions` counts the positions visited; `losing_line` is a shortest game that it loses, as
    cells, None if there is none. Where not every line was played, `is_searched`: the counts are
    those of the games against the engine, and the losing line is any that was found.
    """

    agent_side: str
    is_searched: bool
    wins: int
    draws: int
    losses: int
    positions: int
    losing_line: tuple[str, ...] | None


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """The answer of `certify`, for the agent moving first and moving second; `stopped` is
    `interrupted` when it was."""

    agent: str
    game: str
    sides: tuple[SideCertificate, ...]
    stopped: str | None = None

    @property
    def never_loses(self) -> bool | None:
        """Whether no line of play beats the agent, whoever moves first; None where none was found
        and not every line was played."""
        if self.losing_line is not None:
            return False
        return None if self.is_searched else True

    @property
    def is_searched(self) -> bool:
        """Whether there were too many lines of play, and the engine looked for one that beats the
        agent."""
        return any(side.is_searched for side in self.sides)

    @property
    def losing_line(self) -> tuple[str, ...] | None:
        """A shortest game that the agent loses, None if there is none."""
        return min(
            (side.losing_line for side in self.sides if side.losing_line is not None),
            key=len,
            default=None,
        )

    @property
    def answer(self) -> str:
        """The answer in words."""
        if self.losing_line is not None:
            return f"can be beaten: {' '.join(self.losing_line)}"
        if self.never_loses:
            return "never loses"
        why = "interrupted" if self.stopped else "there are too many lines of play"
        return f"not decided: {why}, and the engine found none that beats it"

    def as_dict(self) -> dict[str, Any]:
        """Return the certificate as JSON-ready data."""
        return {
            "agent": self.agent,
            "game": self.game,
            "never_loses": self.never_loses,
            "is_searched": self.is_searched,
            "losing_line": None if self.losing_line is None else list(self.losing_line),
            "sides": [vars(side) for side in self.sides],
            "stopped": self.stopped,
        }

    _repr_html_ = drawn


def certify(
    agent: Agent | str | Callable[..., Any],
    game: LineGame | str = "tictactoe",
    *,
    most: int | None = None,
    seconds: float = 120.0,
    progress: Callable[[int], None] | None = None,
) -> Certificate:
    """Play `agent` against every line of play on `game`, moving first and moving second, and return
    the counts and a shortest loss.

    Beyond `most` positions (two million), or half of the `seconds`, the rest of the time goes to
    the engine's search for a line that beats the agent. `progress` is called with the positions
    visited. Ctrl-C ends it with what it has. Raises OptionError.
    """
    chosen = parse_agent(agent)
    rules = parse_game(game) if isinstance(game, str) else game
    Limit(seconds=seconds)
    began = perf_counter()
    playout = _Playout(
        chosen, rules, MAX_POSITIONS if most is None else most, began + seconds / 2, progress
    )
    sides: list[SideCertificate] = []
    try:
        sides = [playout.every_line(side) for side in (FIRST, SECOND)]
    except (_TooMany, KeyboardInterrupt) as stop:
        playout.is_interrupted = isinstance(stop, KeyboardInterrupt)
        if not playout.is_interrupted:
            asked = perf_counter()
            _ranking(rules.start())  # what has to be compiled does not come off the time
            began += perf_counter() - asked
        for side in range(len(sides), 2):
            rest = (
                0.0 if playout.is_interrupted else (began + seconds - perf_counter()) / (2 - side)
            )
            sides.append(
                playout.searched(
                    side, perf_counter() + rest, playout.lost if side == playout.side else None
                )
            )
    stopped = "interrupted" if playout.is_interrupted else None
    return Certificate(agent=chosen.name, game=rules.name, sides=tuple(sides), stopped=stopped)


class _TooMany(Exception):
    """Raised when not every line of play can be played."""


@dataclass(frozen=True)
class _Ends:
    """Games below a position: won, drawn and lost by the agent, and the moves of a shortest
    loss."""

    wins: int
    draws: int
    losses: int
    loss: tuple[int, ...] | None


class _Playout:
    """The games of an agent. `lost` is the first loss met on the way of `side`, whether or not all
    lines could be played."""

    def __init__(
        self,
        agent: Agent,
        game: LineGame,
        most: int,
        deadline: float,
        progress: Callable[[int], None] | None,
    ) -> None:
        self.agent, self.game, self.most, self.deadline, self.progress = (
            agent,
            game,
            most,
            deadline,
            progress,
        )
        self.known: dict[Position, _Ends] = {}
        self.path: list[int] = []
        self.lost: tuple[int, ...] | None = None
        self.side = FIRST
        self.is_interrupted = False

    def every_line(self, side: int) -> SideCertificate:
        """Return what all lines come to; raise _TooMany."""
        self.known, self.path, self.lost, self.side = {}, [], None, side
        ends = self._play_out(self.game.start())
        return self._certificate(
            ends.wins, ends.draws, ends.losses, len(self.known), ends.loss, is_searched=False
        )

    def _play_out(self, position: Position) -> _Ends:
        ends = self.known.get(position)
        if ends is not None:
            return ends
        if len(self.known) >= self.most or perf_counter() > self.deadline:
            raise _TooMany
        outcome = self._outcome(position)
        if outcome is not None:
            ends = _Ends(
                int(outcome > 0), int(outcome == 0), int(outcome < 0), () if outcome < 0 else None
            )
            if outcome < 0 and self.lost is None:
                self.lost = tuple(self.path)
        else:
            moves = (
                self.agent.choices(position)
                if position.side == self.side
                else self.game.moves(position)
            )
            below = []
            for move in moves:
                self.path.append(move)
                below.append((move, self._play_out(self.game.play(position, move))))
                self.path.pop()
            losses = [(move, *end.loss) for move, end in below if end.loss is not None]
            ends = _Ends(
                sum(end.wins for _, end in below),
                sum(end.draws for _, end in below),
                sum(end.losses for _, end in below),
                min(losses, key=len, default=None),
            )
        self.known[position] = ends
        if self.progress is not None and len(self.known) % 256 == 0:
            self.progress(len(self.known))
        return ends

    def searched(self, side: int, deadline: float, lost: tuple[int, ...] | None) -> SideCertificate:
        """Return what the engine finds against the agent before the deadline, beginning with a loss
        that is known already."""
        self.side, self.deadline = side, deadline
        self.rankings: dict[Position, tuple[int, ...]] = {}
        self.answers: dict[Position, Sequence[int]] = {}
        self.outcomes = [0, 0, 0]  # draws, wins, losses: by the outcome, of which −1 is the last
        if lost is None:
            try:
                for discrepancies in range(self.game.size * self.game.size):
                    seen: dict[Position, int] = {}
                    lost = self._beat(self.game.start(), discrepancies, seen)
                    if lost is not None:
                        break
            except _TooMany:
                pass
            except KeyboardInterrupt:
                self.is_interrupted = True
        else:
            self.outcomes[-1] = 1
        draws, wins, losses = self.outcomes
        return self._certificate(
            wins, draws, losses, len(self.answers) + len(self.rankings), lost, is_searched=True
        )

    def _beat(
        self, position: Position, discrepancies: int, seen: dict[Position, int]
    ) -> tuple[int, ...] | None:
        """Return the rest of a game that the agent loses, leaving the engine's ranking so often, or
        None."""
        if seen.get(position, -1) >= discrepancies:
            return None
        seen[position] = discrepancies
        if perf_counter() > self.deadline:
            raise _TooMany
        outcome = self._outcome(position)
        if outcome is not None:
            self.outcomes[outcome] += 1
            return () if outcome < 0 else None
        is_own = position.side == self.side
        moves = self._choices(position) if is_own else self._ranking(position)
        for cost, move in enumerate(moves):
            if not is_own and cost > discrepancies:
                break
            found = self._beat(
                self.game.play(position, move), discrepancies - (0 if is_own else cost), seen
            )
            if found is not None:
                return (move, *found)
        return None

    def _choices(self, position: Position) -> Sequence[int]:
        found = self.answers.get(position)
        if found is None:
            found = self.answers[position] = self.agent.choices(position)
        return found

    def _ranking(self, position: Position) -> Sequence[int]:
        found = self.rankings.get(position)
        if found is None:
            found = self.rankings[position] = _ranking(position)
        return found

    def _outcome(self, position: Position) -> int | None:
        """Return 1, 0 or −1 for a game that the agent has won, drawn or lost."""
        payoff = self.game.payoff(position)
        if payoff is None:
            return None
        mine = -payoff if self.side else payoff
        return (mine > 0) - (mine < 0)

    def _certificate(
        self,
        wins: int,
        draws: int,
        losses: int,
        positions: int,
        loss: tuple[int, ...] | None,
        is_searched: bool,
    ) -> SideCertificate:
        return SideCertificate(
            agent_side=SIDES[self.side],
            is_searched=is_searched,
            wins=wins,
            draws=draws,
            losses=losses,
            positions=positions,
            losing_line=None if loss is None else tuple(line_text(self.game.start(), loss)),
        )


def _ranking(position: Position) -> tuple[int, ...]:
    """Return the moves, those that the engine prefers first."""
    found = search(position, "engine", nodes=RANKING_NODES, multipv=RANKED, megabytes=1)
    preferred = (
        tuple(dict.fromkeys(line.pv[0] for line in found.variations if line.pv)) or found.best_moves
    )
    return (*preferred, *(move for move in position.moves if move not in preferred))
