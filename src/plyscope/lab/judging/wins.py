"""Wins at hand that a player takes late or gives away, and wins in one turn that it does not block.

In small games exact values say what is won, and how fast. Elsewhere only wins in one turn are known
(`tactics`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from plyscope.identity import cached_while
from plyscope.lab.judging.tactics import LineTactics, tactics_in
from plyscope.rules.game import Game, moves_at, one_line, position_of, side_at, version_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.conventions import Scoring
from plyscope.searching.limit import SearchStopped
from plyscope.solving.exhaustive import Values, children_of

MAX_SOLVED_POSITIONS = 20_000
"""The most positions that are solved: some tenths of a second."""
MAX_SOLVED_CELLS = 16
"""The most empty cells of a line game that may have so few positions."""
MAX_JUDGED_POSITIONS = 200_000
JUDGING_SECONDS = 2.0
"""The time limit for judging the moves of a player."""

MAX_TRIED_MOVES = 2_000
"""The most moves that are played to find the wins in one turn of a position."""
MAX_LINE_TESTS = 1_000_000
"""The most lines that are tested for the moves of a match: about a second on 15×15."""
MAX_OWN_PLIES = 2_000
"""The most moves of a match that are judged on a user-defined game."""

Played = Mapping[Any, Sequence[Any]]
"""The moves that a player plays, or may play, by state."""


@dataclass(frozen=True, kw_only=True)
class WorseMove:
    """A move that takes a win late or gives it away, or lets the opponent win in one turn."""

    position: Any
    move: str
    value: int | None
    """The exact value of the move, 1 for a win; None if unknown."""
    plies: int | None
    """Plies to the end of the game with this move; None for a draw or if unknown."""
    better: tuple[str, ...]
    """The moves that win soonest, or that prevent the opponent's win."""
    better_plies: int | None
    """Plies to the win with these; None if they only prevent a win."""

    def __str__(self) -> str:
        verb = "prevents a win" if self.better_plies is None else "wins sooner"
        return f"{self.move} on '{one_line(self.position)}'; {' or '.join(self.better)} {verb}"


@dataclass(frozen=True, kw_only=True)
class WinsTaken:
    """How a player treats wins at hand. A position with several moves counts as its worst one."""

    positions: int
    """The different positions judged; on large boards with turns of several stones, none are."""
    is_exact: bool
    """Whether every win that can be forced counts; else only wins in one turn."""
    is_partial: bool
    """Whether there were more positions than the limits allow."""
    may_vary: bool
    """Whether the player has several possible moves in some position."""
    scoring: Scoring | None
    """The scoring of the player's search if it does not count plies, so that all wins are equal to
    it; else None."""
    wins: int
    """Positions with a win at hand."""
    slower: int
    """Of these, the number in which it wins later; without exact values, in which it does not win
    at once."""
    given_away: int | None
    """Of these, the number in which it no longer wins; None without exact values."""
    wins_in_one: int
    """Positions with a win in one turn."""
    passed_in_one: int
    """Of these, the number in which it does not win at once."""
    blocks: int
    """Positions without a win in one turn in which the opponent threatens one, and a move prevents
    it."""
    unblocked: int
    """Of these, the number in which it lets the opponent win."""
    first: WorseMove | None
    """The position with the quickest win that was not taken; of several, the earliest."""
    first_unblocked: WorseMove | None

    def __str__(self) -> str:
        late = self.slower + (self.given_away or 0)
        return f"{late:,} of {self.wins:,} wins at hand not taken at once"


def wins_taken(
    game: Game,
    played: Played,
    scoring: Scoring | None = None,
    *,
    is_partial: bool = False,
    have_been_played: bool = False,
    seconds: float = JUDGING_SECONDS,
) -> WinsTaken | None:
    """Return how the moves of a player treat wins at hand.

        played             its moves by state, known to be all if not `is_partial`
        scoring            reported as it is (`plyless_scoring`)
        have_been_played   all moves were played; else they are possible
        seconds            the time limit

    The result is None without any position, and for a `scored` game, in which a greater payoff may
    take longer. Moves that win equally fast are equal.
    """
    if game.scored or not played:
        return None
    end = perf_counter() + seconds
    judged = _Judged(game, played, end)
    for state, moves in played.items():
        if judged.positions >= MAX_JUDGED_POSITIONS or perf_counter() > end:
            break
        judged.add(state, moves)
    return WinsTaken(
        positions=judged.positions,
        is_exact=judged.values is not None,
        is_partial=is_partial or judged.positions < len(played),
        may_vary=not have_been_played and any(len(moves) > 1 for moves in played.values()),
        scoring=scoring,
        wins=judged.wins,
        slower=judged.slower,
        given_away=None if judged.values is None else judged.given_away,
        wins_in_one=judged.wins_in_one,
        passed_in_one=judged.passed_in_one,
        blocks=judged.blocks,
        unblocked=judged.unblocked,
        first=judged.first,
        first_unblocked=judged.first_unblocked,
    )


def max_judged_plies(game: Game) -> int:
    """Return the most plies of a match that are judged."""
    return MAX_LINE_TESTS // len(game.masks) if isinstance(game, LineGame) else MAX_OWN_PLIES


def plyless_scoring(agent: Any, game: Game) -> Scoring | None:
    """Return the scoring of an agent's search if it does not count the plies of a win; None if it
    does, and for any other agent."""
    if getattr(agent, "algorithm", None) not in ALGORITHMS:
        return None
    algorithm = ALGORITHMS[agent.algorithm]
    usual = algorithm.scoring if isinstance(game, LineGame) else "result"
    found: Scoring = dict(agent.options).get("scoring") or usual
    return found if "scoring" in algorithm.takes and found != "distance" else None


class _Judged:
    """The counts over the positions added so far."""

    def __init__(self, game: Game, played: Played, end: float) -> None:
        self.game, self.tactics = game, tactics_in(game)
        self.values = _values(game, played, end)
        self.positions = self.wins = self.slower = self.given_away = 0
        self.wins_in_one = self.passed_in_one = self.blocks = self.unblocked = 0
        self.first: WorseMove | None = None
        self.first_unblocked: WorseMove | None = None
        self._rank: tuple[int, int] | None = None

    def add(self, state: Any, moves: Sequence[Any]) -> None:
        """Judge the worst of the moves, unless nothing can be known of the position in short
        time."""
        tried = self._tried(state)
        is_quick = tried <= MAX_TRIED_MOVES
        if self.values is None and not is_quick:
            return
        self.positions += 1
        at_once = self.tactics.wins(state) if is_quick else set()
        if at_once:
            self.wins_in_one += 1
            self.passed_in_one += any(move not in at_once for move in moves)
        elif tried * tried <= MAX_TRIED_MOVES or tried == 0:
            self._block(state, moves)
        if self.values is not None:
            self._compare(self.values, state, moves)
        elif at_once:
            self.wins += 1
            passed = [move for move in moves if move not in at_once]
            if passed:
                self.slower += 1
                self._keep(state, passed[0], None, None, tuple(at_once), 1)

    def _tried(self, state: Any) -> int:
        """Return about how many moves are played to find the wins in one turn; 0 if none is, in a
        line game with turns of one stone."""
        game = self.game
        if isinstance(self.tactics, LineTactics):
            return 0
        count = len(moves_at(game, state))
        if isinstance(game, LineGame):
            return int(count ** max(1, game.stones))
        side, children = side_at(game, state), children_of(game, state)
        goes_on = (game.payoff(each) is None and side_at(game, each) == side for each in children)
        return count**3 if any(goes_on) else count

    def _compare(self, values: Values, state: Any, moves: Sequence[Any]) -> None:
        """Compare the exact values of the moves with that of the position."""
        side = side_at(self.game, state)
        value, plies, _ = values.in_view(values.known[state], side)
        if value <= 0:
            return
        self.wins += 1

        def after(move: Any) -> tuple[int, int | None]:
            won, distance, _ = values.in_view(values.known[self.game.play(state, move)], side)
            return won, None if distance is None else distance + 1

        worst = min(moves, key=lambda move: (after(move)[0], -(after(move)[1] or 0)))
        found = after(worst)
        if found == (value, plies):
            return
        self.given_away += found[0] <= 0
        self.slower += found[0] > 0
        best = tuple(move for move in moves_at(self.game, state) if after(move) == (value, plies))
        self._keep(state, worst, *found, best, plies or 0)

    def _keep(
        self,
        state: Any,
        move: Any,
        value: int | None,
        plies: int | None,
        best: tuple[Any, ...],
        best_plies: int,
    ) -> None:
        """Keep the position if its win is the quickest so far, or as quick and earlier."""
        is_board = isinstance(state, Position)
        stones = (state.first | state.second).bit_count() if is_board else 0
        if self._rank is None or (best_plies, stones) < self._rank:
            self._rank = best_plies, stones
            self.first = self._worse(state, move, value, plies, best, best_plies)

    def _block(self, state: Any, moves: Sequence[Any]) -> None:
        """Count a position in which the opponent threatens to win, and whether a move lets it."""
        if not self.tactics.is_threatened(state):
            return
        side = side_at(self.game, state)

        def is_lost(move: Any) -> bool:
            return self.tactics.is_lost_at_once(side, self.game.play(state, move))

        letting = [move for move in moves if is_lost(move)]
        if not letting:
            self.blocks += 1
            return
        prevent = tuple(move for move in moves_at(self.game, state) if not is_lost(move))
        self.blocks += bool(prevent)
        self.unblocked += bool(prevent)
        if prevent and self.first_unblocked is None:
            self.first_unblocked = self._worse(state, letting[0], -1, 2, prevent, None)

    def _worse(
        self,
        state: Any,
        move: Any,
        value: int | None,
        plies: int | None,
        better: tuple[Any, ...],
        better_plies: int | None,
    ) -> WorseMove:
        def name(each: Any) -> str:
            return self.game.format_move(state, each)

        return WorseMove(
            position=position_of(self.game, state),
            move=name(move),
            value=value,
            plies=plies,
            better=tuple(map(name, sorted(better, key=list(moves_at(self.game, state)).index))),
            better_plies=better_plies,
        )


def _values(game: Game, played: Played, end: float) -> Values | None:
    """Return the exact values of the positions and of all that follow; None if there are too many,
    if positions may repeat, or after the time `end`."""
    is_of_lines = isinstance(game, LineGame)
    if game.draw_by_repetition:
        return None
    if is_of_lines and max(state.empty.bit_count() for state in played) > MAX_SOLVED_CELLS:
        return None

    def pause(count: int) -> None:
        if perf_counter() > end:
            raise SearchStopped("seconds")

    values = _solver(game)
    values.pause = pause
    try:
        for state in played:
            values.find(state)
    except SearchStopped:
        return None
    except Exception:  # a user's game, in a state that no game has met, or states that repeat
        if is_of_lines:
            raise
        return None
    return values


@cached_while(version_of, maxsize=4)
def _solver(game: Game) -> Values:
    return Values(game, MAX_SOLVED_POSITIONS)
