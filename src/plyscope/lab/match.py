"""Games between agents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, repeat
from math import isfinite
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any

from plyscope.errors import AgentError, HeuristicError, OptionError
from plyscope.lab.agent import Agent, Choice, ask
from plyscope.lab.agents import parse_agent
from plyscope.lab.apart import OUTPUT
from plyscope.lab.files import AgentFiles
from plyscope.lab.openings import balanced, openings
from plyscope.lab.ratings import Interval, Ratings, Sprt, bootstrap, fit_ratings
from plyscope.lab.workers import LocalWorkers
from plyscope.rules.game import SIDES
from plyscope.rules.games import parse_game
from plyscope.rules.linegame import LineGame, Position
from plyscope.solving.solve import is_quickly_solved, solve

if TYPE_CHECKING:
    from plyscope.lab.records import Records

__all__ = [
    "GameRecord",
    "MatchResult",
    "Ply",
    "play_game",
    "play_match",
    "play_pair",
    "score_pairs",
]

ENDINGS = ("line", "full board", "solved")
"""How games end where no agent was stopped: by the rules, or by what the position was proved to be
worth."""
MOST_LOST = 64
"""Pairs that may be played again in a match since the process that played them was killed."""
AHEAD = 64
"""Pairs that are in play or handed out at a time."""


@dataclass(frozen=True)
class Ply:
    """One move of a game, what it cost in seconds, and what the mover's search said of it in the
    mover's view, None where it did not search."""

    move: str
    seconds: float
    value: float | None = None
    depth: int | None = None
    nodes: int | None = None


@dataclass(frozen=True, kw_only=True)
class GameRecord:
    """One finished game: players by side, the plies from `start`, the `winner` (None for a draw),
    and how it ended.

    `ending` is `line`, `full board`, or `solved` where the game was decided by what its position is
    worth; or else the reason why the loser's agent was stopped: it crashed, gave no answer in time,
    or answered with no legal move. `output` is what strangers' code has printed, by side.
    """

    players: tuple[str, str]
    start: Position
    plies: tuple[Ply, ...]
    end: Position
    winner: str | None
    ending: str
    output: tuple[str, str] = ("", "")

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves as text."""
        return tuple(ply.move for ply in self.plies)

    @property
    def is_forfeit(self) -> bool:
        """Whether an agent was stopped before the game was over."""
        return self.ending not in ENDINGS

    def as_row(self, number: int) -> dict[str, Any]:
        """Return the game as a row of the table of records, in which it has this number."""
        x, o = self.players
        told = {
            "game": self.start.game.name,
            "x": x,
            "o": o,
            "start": str(self.start),
            "moves": " ".join(self.moves),
        }
        return {"number": number, **told, "winner": self.winner, "ending": self.ending}

    def side(self, number: int) -> int:
        """Return whose move the ply of this number, from 0, was."""
        return (self.start.side + number) % 2


@dataclass(frozen=True, kw_only=True)
class MatchResult:
    """What came of games between `a` and `b`, played in pairs: each opening twice, `a` as X and
    then as O.

    `pairs` counts the pairs by what `a` scored in them, in half points from 0 to 4. `distinct` is
    the number of different games: where agents without chance play the same game over and over, it
    tells how many results there really are. `seconds_a_move` is what `a` and `b` thought,
    `nodes_a_move` what they searched, None for one that does not. `forfeits` counts the reasons why
    an agent was stopped and lost. `a_forfeits` and `b_forfeits` are the games in which each of them
    was. `verdict` is what a sequential test accepted, elo0 or elo1, None when there was none or it
    did not end.
    """

    a: str
    b: str
    games: int
    seed: int
    openings: int
    a_wins_as_x: int
    a_wins_as_o: int
    b_wins_as_x: int
    b_wins_as_o: int
    draws_a_as_x: int
    draws_a_as_o: int
    pairs: tuple[int, int, int, int, int]
    distinct: int
    moves_to_win: float | None
    seconds: float
    seconds_a_move: tuple[float, float]
    nodes_a_move: tuple[float | None, float | None]
    forfeits: dict[str, int]
    a_forfeits: int
    b_forfeits: int
    sprt: Sprt | None
    verdict: str | None
    stopped: str | None

    @property
    def a_wins(self) -> int:
        """The games that `a` won."""
        return self.a_wins_as_x + self.a_wins_as_o

    @property
    def b_wins(self) -> int:
        """The games that `b` won."""
        return self.b_wins_as_x + self.b_wins_as_o

    @property
    def draws(self) -> int:
        """The games that nobody won."""
        return self.draws_a_as_x + self.draws_a_as_o

    @property
    def outcomes(self) -> list[tuple[str, str, str, int]]:
        """The games as rows for `fit_ratings`; an agent that plays itself is two players."""
        a, b = (self.a, self.b) if self.a != self.b else (f"{self.a} (a)", f"{self.b} (b)")
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
        """The ratings of `a` and `b`, the advantage of the first move, and how drawish the games
        were."""
        return fit_ratings(self.outcomes)

    @property
    def elo(self) -> Interval:
        """How much better `a` is, in Elo, by the model."""
        return self.ratings.difference(*self.ratings.players)

    @cached_property
    def elo_of_pairs(self) -> Interval | None:
        """The same from the score alone, its interval by drawing pairs anew; None before a pair is
        finished."""
        return bootstrap(self.pairs, self.seed) if sum(self.pairs) else None

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON-ready data; an infinite Elo is None."""
        of_pairs = self.elo_of_pairs
        data = {
            key: value
            for key, value in vars(self).items()
            if key not in ("ratings", "elo_of_pairs", "sprt")
        }
        return {
            **data,
            "a_wins": self.a_wins,
            "b_wins": self.b_wins,
            "draws": self.draws,
            "elo": vars(self.elo),
            "elo_of_pairs": of_pairs
            and {key: value if isfinite(value) else None for key, value in vars(of_pairs).items()},
            "first_move_elo": vars(self.ratings.first_move),
            "sprt": self.sprt
            and {
                **vars(self.sprt),
                "ratio": self.sprt.ratio(self.pairs),
                "bounds": self.sprt.bounds,
            },
        }


def play_game(
    players: tuple[Agent, Agent],
    start: Position,
    random: Random,
    watch: Callable[[Position, int], None] | None = None,
    decide_at: int = 0,
) -> GameRecord:
    """Play one game from `start`, X by the first player; `watch` is called with each position and
    the move that led to it.

    An agent that raises AgentError has lost, and so has one whose heuristic fails. With `decide_at`
    empty cells or fewer the game is decided by what its position is worth, if that is soon found
    out.
    """
    position, plies = start, []
    winner, ending, output = None, "", ["", ""]
    while not position.is_over:
        if (
            decide_at
            and (position.game.board & ~(position.first | position.second)).bit_count() <= decide_at
            and is_quickly_solved(position)
        ):
            value = solve(position, with_moves=False).value or 0
            winner, ending = (
                None if value == 0 else position.side if value > 0 else 1 - position.side,
                "solved",
            )
            break
        side = position.side
        try:
            choice, seconds = ask(players[side], position, random)
        except (AgentError, HeuristicError) as error:
            winner, ending = 1 - side, _reason(players[side], error)
            output[side] = (output[side] + getattr(error, "output", ""))[:OUTPUT]
            break
        output[side] = (output[side] + choice.output)[:OUTPUT]
        plies.append(_ply(position, choice, seconds))
        position = position.game.play(position, choice.move)
        if watch is not None:
            watch(position, choice.move)
    else:
        winner, ending = position.winner, "full board" if position.winner is None else "line"
    return GameRecord(
        players=(players[0].name, players[1].name),
        start=start,
        plies=tuple(plies),
        end=position,
        winner=None if winner is None else SIDES[winner],
        ending=_writable(ending),
        output=(_writable(output[0]), _writable(output[1])),
    )


def _writable(text: str) -> str:
    """Return what strangers' code has said as text that can be written to a file: it may hold
    halves of letters."""
    return text.encode(errors="backslashreplace").decode()


def _reason(agent: Agent, error: AgentError | HeuristicError) -> str:
    """Return why an agent was stopped, and which."""
    return str(error) if isinstance(error, AgentError) else f"agent {agent.name!r}: {error}"


def _ply(position: Position, choice: Choice, seconds: float) -> Ply:
    return Ply(
        position.game.format_cell(choice.move), seconds, choice.value, choice.depth, choice.nodes
    )


def play_match(
    a: Agent | str | Callable[..., Any],
    b: Agent | str | Callable[..., Any],
    games: int = 1000,
    game: LineGame | str = "tictactoe",
    seed: int = 0,
    start: Position | None = None,
    opening_plies: int = 0,
    sprt: Sprt | None = None,
    progress: Callable[[MatchResult], None] | None = None,
    keep_interrupted: bool = False,
    executor: Executor | None = None,
    records: Records | None = None,
    decide_at: int = 0,
    is_balanced: bool = False,
) -> MatchResult:
    """Play `games` games in pairs, and count. Raises OptionError.

    The pairs begin at `start`, or at each of the openings of `opening_plies` plies in an order
    drawn from `seed`, again from the first when they are used up; with `is_balanced` only at those
    that favour neither side. Each pair draws its own numbers from `seed` and its place, so that it
    does not matter who plays it: `executor` is any of `concurrent.futures`, None plays here. From
    `decide_at` empty cells on, games are decided by what their position is worth. What `records`
    hold of the same match, of the same files, is not played again, and every pair is kept there as
    it ends. With `sprt` the match ends when the test does. `progress` is called with the result so
    far after every pair. Ctrl-C raises KeyboardInterrupt, or with `keep_interrupted` ends the match
    like a finished one.
    """
    if games < 1:
        raise OptionError(f"{games} games; expected at least 1")
    first, second = parse_agent(a), parse_agent(b)
    rules = parse_game(game) if isinstance(game, str) else game
    all_begins = openings(rules, opening_plies) if start is None else (start,)
    begins = list(balanced(all_begins, seed) if is_balanced else all_begins)
    Random(seed).shuffle(begins)
    score = _Score(first.name, second.name, seed, len(begins), sprt)
    if decide_at < 0:
        raise OptionError(f"{decide_at} empty cells to decide games at; expected 0 or more")
    files = AgentFiles((first, second))
    question = {
        "a": first.name,
        "b": second.name,
        "game": rules.name,
        "seed": seed,
        "openings": opening_plies,
        "start": str(begins[0]),
    }
    more = {"balanced": is_balanced, "decide_at": decide_at, "files": files.digests}
    question |= {
        key: value for key, value in more.items() if value
    }  # what was asked before there were such options is still the same
    experiment = 0 if records is None else records.experiment(question)
    ended = {} if records is None else records.pairs(experiment)
    pairs = [
        (first, second, begins[at % len(begins)], f"{seed} {at}", min(2, games - 2 * at), decide_at)
        for at in range((games + 1) // 2)
    ]
    ended = {
        at: games[: pairs[at][4]]
        for at, games in ended.items()
        if at < len(pairs) and len(games) >= pairs[at][4]
    }
    played = _as_they_end(
        [(at, pair) for at, pair in enumerate(pairs) if at not in ended], executor
    )
    stopped = None
    try:
        for at in range(len(pairs)):
            while at not in ended:
                place, found = next(played)
                files.check()
                if records is not None:
                    records.keep(experiment, place, found)
                ended[place] = found
            for number, record in enumerate(ended.pop(at)):
                score.add(record, is_a_x=number == 0)
            if progress is not None:
                progress(score.result())
            if sprt is not None and sprt.verdict(score.pairs) is not None:
                stopped = "sprt"
                break
    except KeyboardInterrupt:
        if not keep_interrupted or not score.games:
            raise
        stopped = "interrupted"
    finally:
        played.close()
    return score.result(stopped)


def score_pairs(a: str, b: str, seed: int, pairs: dict[int, list[GameRecord]]) -> MatchResult:
    """Return what games that were played come to, by their place; `seconds` is what both agents
    thought."""
    score = _Score(a, b, seed, len({pair[0].start for pair in pairs.values()}), None)
    for pair in pairs.values():
        for number, record in enumerate(pair):
            score.add(record, is_a_x=number == 0)
    return replace(score.result(), seconds=sum(score.thought))


Pair = tuple[Agent, Agent, Position, str, int, int]


def play_pair(
    a: Agent, b: Agent, start: Position, seed: str, games: int, decide_at: int = 0
) -> list[GameRecord]:
    """Play an opening once with `a` as X and, if `games` is 2, once with `b`; whatever is random
    comes from `seed`."""
    random = Random(seed)
    return [
        play_game(players, start, random, decide_at=decide_at)
        for players in ((a, b), (b, a))[:games]
    ]


def _as_they_end(
    pairs: Iterable[tuple[int, Pair]], executor: Executor | None
) -> Generator[tuple[int, list[GameRecord]], None, None]:
    """Yield the place and the games of each pair as it ends, some more in play beside it; in the
    end those still in play are given up."""
    if executor is None:
        yield from ((at, play_pair(*pair)) for at, pair in pairs)
        return
    waiting: dict[Future[list[GameRecord]], tuple[int, Pair]] = {}
    lost = 0
    try:
        for at, pair in chain(pairs, repeat((-1, None))):
            if pair is not None:
                waiting[executor.submit(play_pair, *pair)] = at, pair
            elif not waiting:
                return
            is_enough = pair is None or len(waiting) >= AHEAD
            for future in sorted(
                wait(waiting, None if is_enough else 0.0, FIRST_COMPLETED).done,
                key=lambda each: waiting[each][0],
            ):
                place, again = waiting.pop(future)
                try:
                    yield place, future.result()
                except BrokenExecutor:  # the process that played it was killed
                    lost += 1
                    if lost > MOST_LOST:
                        raise OptionError(
                            f"{lost} processes were lost; expected more memory, or fewer of them by --jobs"
                        ) from None
                    waiting[executor.submit(play_pair, *again)] = place, again
    finally:
        if [future for future in waiting if not future.cancel()] and isinstance(
            executor, LocalWorkers
        ):
            executor.abandon()


class _Score:
    """The count of a match that goes on."""

    def __init__(self, a: str, b: str, seed: int, begins: int, sprt: Sprt | None) -> None:
        self.a, self.b, self.seed, self.openings, self.sprt = a, b, seed, begins, sprt
        self.games, self.began = 0, perf_counter()
        self.outcomes: Counter[tuple[str, str]] = Counter()
        self.pairs = [0] * 5
        self.half_points: list[int] = []
        self.lengths: list[int] = []
        self.seen: set[tuple[Position, tuple[str, ...]]] = set()
        self.moves, self.thought, self.nodes, self.searched = [0, 0], [0.0, 0.0], [0, 0], [0, 0]
        self.forfeits: Counter[str] = Counter()
        self.forfeited = [0, 0]

    def add(self, record: GameRecord, is_a_x: bool) -> None:
        """Count a game; every second one completes a pair."""
        self.games += 1
        side = "x" if is_a_x else "o"
        outcome = "draw" if record.winner is None else "a" if record.winner == side else "b"
        self.outcomes[outcome, side] += 1
        self.half_points.append({"a": 2, "draw": 1, "b": 0}[outcome])
        if len(self.half_points) % 2 == 0:
            self.pairs[sum(self.half_points[-2:])] += 1
        if record.ending == "line":
            self.lengths.append(len(record.plies))
        self.seen.add((record.start, record.moves))
        if record.is_forfeit:
            self.forfeits[record.ending] += 1
            self.forfeited[outcome == "a"] += 1
        for number, ply in enumerate(record.plies):
            whose = record.side(number) ^ (not is_a_x)
            self.moves[whose] += 1
            self.thought[whose] += ply.seconds
            if ply.nodes is not None:
                self.searched[whose] += 1
                self.nodes[whose] += ply.nodes

    def result(self, stopped: str | None = None) -> MatchResult:
        """Return what it has come to."""
        count = self.outcomes
        zero, one, two, three, four = self.pairs
        return MatchResult(
            a=self.a,
            b=self.b,
            games=self.games,
            seed=self.seed,
            openings=self.openings,
            a_wins_as_x=count["a", "x"],
            a_wins_as_o=count["a", "o"],
            b_wins_as_x=count["b", "o"],
            b_wins_as_o=count["b", "x"],
            draws_a_as_x=count["draw", "x"],
            draws_a_as_o=count["draw", "o"],
            pairs=(zero, one, two, three, four),
            distinct=len(self.seen),
            moves_to_win=sum(self.lengths) / len(self.lengths) if self.lengths else None,
            seconds=perf_counter() - self.began,
            seconds_a_move=(
                self.thought[0] / max(1, self.moves[0]),
                self.thought[1] / max(1, self.moves[1]),
            ),
            nodes_a_move=(
                _mean(self.nodes[0], self.searched[0]),
                _mean(self.nodes[1], self.searched[1]),
            ),
            forfeits=dict(self.forfeits),
            a_forfeits=self.forfeited[0],
            b_forfeits=self.forfeited[1],
            sprt=self.sprt,
            verdict=None if self.sprt is None else self.sprt.verdict(self.pairs),
            stopped=stopped,
        )


def _mean(total: int, count: int) -> float | None:
    return total / count if count else None
