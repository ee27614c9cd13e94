"""The results of a match: wins, draws, cost of moves, and their statistics."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any

from plyscope.datafile import DataFrame, frame
from plyscope.display import drawn, printed
from plyscope.extras import load
from plyscope.jsonable import by_name
from plyscope.lab.judging.wins import WinsTaken, max_judged_plies, wins_taken
from plyscope.lab.matches.game import PLY_LIMIT, GameRecord, Ply
from plyscope.lab.matches.ratings import (
    Interval,
    Ratings,
    Sprt,
    elo_of_pairs,
    elo_of_score,
    fit_ratings,
)
from plyscope.rules.game import SIDES, position_after, side_at, state_of
from plyscope.searching.conventions import Scoring

if TYPE_CHECKING:
    from plyscope.lab.matches.stopped import Stopped

PlayedGame = tuple[Any, tuple[str, ...], int]
"""The start of a game, its moves, and the side of `a`."""
MIN_GAMES = 12
"""The fewest different games for a conclusion. With fewer than six pairs, one of two equal players
wins all pairs with a probability above 5 % (sign test)."""


@dataclass(frozen=True, kw_only=True)
class MatchResult:
    """The result of a match between `a` and `b`, each opening played by `a` as X and then as O."""

    a: str
    b: str
    games: int
    seed: int
    openings: int
    """Different openings played."""
    book: int
    """Number of openings available; each pair takes the next one."""
    opening_plies: int
    """Number of plies of these openings; 0 with `start` or `starts`."""
    is_balanced: bool
    """Whether only openings that favour neither side were used."""
    seed_matters: bool
    """Whether another seed may give different games."""
    a_wins_as_x: int
    a_wins_as_o: int
    b_wins_as_x: int
    b_wins_as_o: int
    draws_a_as_x: int
    draws_a_as_o: int
    pairs: tuple[int, int, int, int, int]
    """Number of pairs by the score of `a` in both games, in half points from 0 to 4."""
    distinct: int
    """Number of different games; deterministic agents may repeat a game."""
    at_limit: int
    """User-defined games that reached the ply limit; they count as draws."""
    moves_to_win: float | None
    """Mean length, in plies, of games won by the rules."""
    seconds: float
    seconds_a_move: tuple[float, float]
    """Mean seconds per move of `a` and of `b`."""
    nodes_a_move: tuple[float | None, float | None]
    """Mean nodes per search of `a` and of `b`; None for an agent that does not search."""
    forfeits: dict[str, int]
    """Number of forfeited games by reason."""
    a_forfeits: int
    b_forfeits: int
    sprt: Sprt | None
    verdict: str | None
    """The hypothesis accepted by the sequential test, elo0 or elo1; None if undecided or none."""
    stopped: str | None
    """Why the match ended early: `sprt`, `interrupted`, or `repeats`, when two deterministic agents
    would repeat their games. None if all games were played."""
    first_games: tuple[PlayedGame, ...] = field(default=(), repr=False)
    """The first games, of which `wins_taken` judges the moves; () before the end of the match."""
    scorings: tuple[Scoring | None, Scoring | None] = field(default=(None, None), repr=False)
    """The scorings of searches of `a` and `b` that do not count plies (`plyless_scoring`)."""

    @property
    def names(self) -> tuple[str, str]:
        """The names of `a` and `b`, with `(a)` and `(b)` for an agent against itself."""
        return (self.a, self.b) if self.a != self.b else (f"{self.a} (a)", f"{self.b} (b)")

    @property
    def a_wins(self) -> int:
        """Games won by `a`."""
        return self.a_wins_as_x + self.a_wins_as_o

    @property
    def b_wins(self) -> int:
        """Games won by `b`."""
        return self.b_wins_as_x + self.b_wins_as_o

    @property
    def draws(self) -> int:
        """Drawn games."""
        return self.draws_a_as_x + self.draws_a_as_o

    @property
    def outcomes(self) -> list[tuple[str, str, str, int]]:
        """The games as rows for `fit_ratings`; an agent against itself is two players."""
        a, b = self.names
        return [
            (a, b, "first", self.a_wins_as_x),
            (a, b, "second", self.b_wins_as_o),
            (a, b, "draw", self.draws_a_as_x),
            (b, a, "first", self.b_wins_as_x),
            (b, a, "second", self.a_wins_as_o),
            (b, a, "draw", self.draws_a_as_o),
        ]

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings of `a` and `b`, the advantage of the first move, and the weight of draws."""
        return fit_ratings(self.outcomes)

    @property
    def elo(self) -> Interval:
        """The Elo difference of `a` over `b`, from the scores of pairs.

        Its 95 % interval counts different games only, and is infinite without a complete pair. If a
        sequential test has ended the match, the value is biased away from 0; the interval corrects
        for the stop (`stopped`).
        """
        if not any(self.pairs):
            score = (self.a_wins + self.draws / 2) / self.games
            return Interval(elo_of_score(score), -inf, inf)
        measured = elo_of_pairs(self.pairs, self.distinct / self.games)
        if self._at_stop is None:
            return measured
        return Interval(measured.value, self._at_stop.low, self._at_stop.high)

    @property
    def elo_unbiased(self) -> float | None:
        """The median-unbiased Elo if a sequential test has ended the match, else None."""
        return None if self._at_stop is None else self._at_stop.unbiased

    @cached_property
    def _at_stop(self) -> Stopped | None:
        if self.sprt is None or self.verdict is None or not any(self.pairs):
            return None
        stopped = load("plyscope.lab.matches.stopped", "a sequential test", "fast")
        found: Stopped = stopped.elo_at_stop(self.pairs, self.distinct / self.games, self.sprt)
        return found

    @cached_property
    def wins_taken(self) -> tuple[WinsTaken | None, WinsTaken | None]:
        """How `a` and `b` treat wins at hand in the positions of the `first_games`."""
        if not self.first_games:
            return None, None
        game = self.first_games[0][0].game
        played: tuple[dict[Any, list[Any]], dict[Any, list[Any]]] = {}, {}
        for start, names, side_of_a in self.first_games:
            position = start
            for name in names:
                state = state_of(position)
                move = game.parse_move(state, name)
                moves = played[side_at(game, state) != side_of_a].setdefault(state, [])
                moves += [] if move in moves else [move]
                position = position_after(position, move)
        is_partial = len(self.first_games) < self.distinct
        a, b = (
            wins_taken(game, moves, scoring, is_partial=is_partial, have_been_played=True)
            for moves, scoring in zip(played, self.scorings, strict=True)
        )
        return a, b

    @property
    def is_too_few(self) -> bool:
        """Whether there are too few different games for a conclusion."""
        return self.distinct < MIN_GAMES

    @property
    def better(self) -> str | None:
        """`a` or `b`, the player shown to be better; None if no difference is shown.

        With a sequential test only its verdict counts: an interval computed at the stop would show
        a difference too often.
        """
        if self.is_too_few:
            return None
        if self.sprt is None:
            return "a" if self.elo.low > 0 else "b" if self.elo.high < 0 else None
        if self.verdict == "elo1" and self.sprt.elo0 >= 0:
            return "a"
        return "b" if self.verdict == "elo0" and self.sprt.elo1 <= 0 else None

    @property
    def ratio(self) -> float | None:
        """The log-likelihood ratio of the sequential test, from the different games."""
        if self.sprt is None:
            return None
        return self.sprt.ratio(self.pairs, self.distinct / self.games)

    __str__ = printed
    _repr_html_ = drawn

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON-ready data; an infinite Elo is None."""
        hidden = "sprt", "first_games", "scorings"
        names = [field.name for field in fields(self) if field.name not in hidden]
        sums = "a_wins", "b_wins", "draws", "elo", "elo_unbiased", "better", "first_move_elo"
        sprt = self.sprt
        return by_name(
            self,
            *names,
            *sums,
            first_move_elo=self.ratings.first_move,
            sprt=sprt and by_name(sprt, ratio=self.ratio, bounds=sprt.bounds),
            wins_taken=self.wins_taken,
        )

    def to_frame(self) -> DataFrame:
        """Return the games of both agents as a pandas DataFrame, a row for each."""
        a, b = (self.a_wins_as_x, self.a_wins_as_o), (self.b_wins_as_x, self.b_wins_as_o)
        rows = []
        for at, (agent, wins, losses) in enumerate(((self.a, a, b), (self.b, b, a))):
            row = {"agent": agent, "wins": sum(wins), "wins_as_x": wins[0], "wins_as_o": wins[1]}
            row |= {"draws": self.draws, "losses": sum(losses)}
            row |= {"forfeits": (self.a_forfeits, self.b_forfeits)[at]}
            row |= {"seconds_a_move": self.seconds_a_move[at]}
            rows.append(row | {"nodes_a_move": self.nodes_a_move[at]})
        return frame(rows)


@dataclass
class _Moves:
    """The number and cost of one agent's moves, and its forfeits."""

    number: int = 0
    seconds: float = 0.0
    searches: int = 0
    nodes: int = 0
    forfeits: int = 0

    def add(self, ply: Ply) -> None:
        """Count a move."""
        self.number += 1
        self.seconds += ply.seconds
        if ply.nodes is not None:
            self.searches += 1
            self.nodes += ply.nodes

    @property
    def seconds_a_move(self) -> float:
        """Mean seconds per move."""
        return self.seconds / max(1, self.number)

    @property
    def nodes_a_move(self) -> float | None:
        """Mean nodes per search, None without a search."""
        return self.nodes / self.searches if self.searches else None


class Tally:
    """The running count of a match."""

    def __init__(
        self,
        a: str,
        b: str,
        seed: int,
        sprt: Sprt | None = None,
        *,
        book: int,
        opening_plies: int = 0,
        is_balanced: bool = False,
        seed_matters: bool = True,
    ) -> None:
        self.a, self.b, self.seed, self.sprt = a, b, seed, sprt
        self.book, self.opening_plies, self.is_balanced = book, opening_plies, is_balanced
        self.seed_matters = seed_matters
        self.places: set[Any] = set()
        """The start positions of the games."""
        self.began = perf_counter()
        self.outcomes: Counter[tuple[str, str]] = Counter()
        """Number of games by winner (`a`, `b` or `draw`) and side of `a`."""
        self.pairs = [0] * 5
        self.lengths: list[int] = []
        self.at_limit = 0
        self.distinct: set[tuple[Any, tuple[str, ...]]] = set()
        self.first_games: list[PlayedGame] = []
        """The first different games, up to `max_judged_plies` plies in all."""
        self.judged_plies = 0
        self.moves = _Moves(), _Moves()
        """The moves of `a` and of `b`."""
        self.forfeits: Counter[str] = Counter()

    @property
    def games(self) -> int:
        """The games counted so far."""
        return self.outcomes.total()

    @property
    def verdict(self) -> str | None:
        """The hypothesis accepted by the sequential test; None if undecided or too few games."""
        if self.sprt is None or len(self.distinct) < MIN_GAMES:
            return None
        return self.sprt.verdict(self.pairs, len(self.distinct) / self.games)

    def add(self, games: list[GameRecord]) -> None:
        """Count the games of a pair: `a` is X in the first, O in the second."""
        self.places.add(state_of(games[0].start))
        half_points = [self._add(game, side) for game, side in zip(games, SIDES, strict=False)]
        if len(games) == 2:
            self.pairs[sum(half_points)] += 1

    def _add(self, game: GameRecord, side: str) -> int:
        """Count a game and return the half points of `a`, who has `side` unless sides were swapped
        in the opening."""
        if game.is_swapped:
            side = SIDES[1 - SIDES.index(side)]
        outcome = "draw" if game.winner is None else "a" if game.winner == side else "b"
        self.outcomes[outcome, side] += 1
        if game.is_won_by_rules:
            self.lengths.append(len(game.plies))
        self.at_limit += game.ending == PLY_LIMIT
        own, known = SIDES.index(side), len(self.distinct)
        self.distinct.add((state_of(game.start), game.moves))
        is_new = len(self.distinct) > known
        self.judged_plies += len(game.plies) if is_new else 0
        if is_new and self.judged_plies <= max_judged_plies(game.start.game):
            self.first_games.append((game.start, game.moves, own))
        if game.is_forfeit:
            self.forfeits[game.ending] += 1
            self.moves[outcome == "a"].forfeits += 1
        for ply in game.plies:
            self.moves[ply.side ^ (side == "o")].add(ply)
        return {"a": 2, "draw": 1, "b": 0}[outcome]

    def result(self, stopped: str | None = None) -> MatchResult:
        """Return the result so far."""
        count, (a, b) = self.outcomes, self.moves
        zero, one, two, three, four = self.pairs
        return MatchResult(
            a=self.a,
            b=self.b,
            games=self.games,
            seed=self.seed,
            openings=len(self.places),
            book=self.book,
            opening_plies=self.opening_plies,
            is_balanced=self.is_balanced,
            seed_matters=self.seed_matters,
            a_wins_as_x=count["a", "x"],
            a_wins_as_o=count["a", "o"],
            b_wins_as_x=count["b", "o"],
            b_wins_as_o=count["b", "x"],
            draws_a_as_x=count["draw", "x"],
            draws_a_as_o=count["draw", "o"],
            pairs=(zero, one, two, three, four),
            distinct=len(self.distinct),
            at_limit=self.at_limit,
            moves_to_win=sum(self.lengths) / len(self.lengths) if self.lengths else None,
            seconds=perf_counter() - self.began,
            seconds_a_move=(a.seconds_a_move, b.seconds_a_move),
            nodes_a_move=(a.nodes_a_move, b.nodes_a_move),
            forfeits=dict(self.forfeits),
            a_forfeits=a.forfeits,
            b_forfeits=b.forfeits,
            sprt=self.sprt,
            verdict=self.verdict,
            stopped=stopped,
        )


def tally_pairs(a: str, b: str, seed: int, pairs: dict[int, list[GameRecord]]) -> MatchResult:
    """Return the result of recorded pairs, by their number; its `seconds` is the sum of the agents'
    times."""
    tally = Tally(a, b, seed, book=len({games[0].start for games in pairs.values()}))
    for games in pairs.values():
        tally.add(games)
    return replace(tally.result(), seconds=sum(moves.seconds for moves in tally.moves))
