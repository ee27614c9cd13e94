"""Matches between two agents: pairs of games from the same opening, with sides swapped."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from plyscope.catalogue import checks_keywords
from plyscope.errors import OptionError, PlyscopeError
from plyscope.lab.agents.agent import Agent, AgentLike, calls_user_function, do_repeat, spec_of
from plyscope.lab.agents.catalogue import parse_agent
from plyscope.lab.judging.wins import plyless_scoring
from plyscope.lab.matches.game import MAX_PLIES, GameRecord, name_of, play_game
from plyscope.lab.matches.openings import (
    Opening,
    balanced,
    opening_at,
    openings,
    random_opening,
    shortest_plies,
)
from plyscope.lab.matches.ratings import Sprt
from plyscope.lab.matches.sides import check_rule
from plyscope.lab.matches.tally import MatchResult, Tally
from plyscope.lab.people.files import AgentFiles, code_of, files_of_game
from plyscope.lab.people.workers import mapped
from plyscope.rules.game import Game, GameLike, PositionLike, one_line, position_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.source import as_position, game_of

if TYPE_CHECKING:
    from plyscope.lab.matches.records import Records


class MatchOptions(TypedDict, total=False):
    """The options of `play_match` that the matches of a tournament share."""

    game: GameLike | str
    seed: int
    opening_plies: int | None
    progress: Callable[[MatchResult], None] | None
    executor: Executor | None
    records: Records | None
    adjudicate: int
    balanced: bool
    max_plies: int
    opening: str | None
    sandbox: bool


class Pair(NamedTuple):
    """A pair of games from one opening: `a` plays X in the first game and O in the second."""

    place: int
    """The pair's number in the match, from 0."""
    a: Agent
    b: Agent
    opening: Opening
    seed: str
    """The seed of both games."""
    games: int
    """2, or 1 in the last pair of an odd number of games."""
    adjudicate: int
    max_plies: int
    sides: str | None


@checks_keywords
def play_match(
    a: AgentLike,
    b: AgentLike,
    games: int = 1000,
    game: GameLike | str | None = None,
    seed: int = 0,
    start: PositionLike | None = None,
    opening_plies: int | None = None,
    sprt: Sprt | None = None,
    progress: Callable[[MatchResult], None] | None = None,
    keep_interrupted: bool = False,
    executor: Executor | None = None,
    records: Records | None = None,
    adjudicate: int = 0,
    balanced: bool = False,
    max_plies: int = MAX_PLIES,
    opening: str | None = None,
    starts: Sequence[Any] = (),
    sandbox: bool = False,
) -> MatchResult:
    """Play `games` games in pairs, the agents changing sides, and return the counts.

        a, b            agents: a text, an Agent or a function
        games           the greatest number of games; both games of a pair have one opening
        game            the game; by default that of `start`, else tictactoe
        seed            the seed of the order of the openings and of random agents
        start, starts   a position, or several in turn, at which the pairs begin
        opening_plies   begin at all openings of this length, in random order; on a user-defined
                        game after as many random moves. By default the fewest that give
                        different games if both agents repeat theirs, else 0
        balanced        only openings that favour neither side
        opening         `pie` or `swap2`: the agents choose their sides by this rule
        adjudicate      end a line game with its exact value at this number of empty cells
        max_plies       the number of plies after which a user-defined game is a draw
        sprt            a sequential test; the match ends when the test does
        executor        plays the pairs, any of `concurrent.futures`; None plays them here
        records         an open file of records: pairs found there are not played again, and every
                        pair is added when it ends
        sandbox         run the processes of agents that are files or programs in a sandbox
        progress        called with the result so far after every pair

    Each pair draws its random numbers from `seed` and its number, so the games are the same in any
    executor. Two agents that repeat their games stop before they play the first pair again. The
    sign of a user-defined game's payoff counts. Ctrl-C raises KeyboardInterrupt; with
    `keep_interrupted` it returns the partial result.

    Raises OptionError for options out of range or that exclude each other, and what `parse_agent`
    and `parse` raise. An agent that fails loses the game.

    >>> from plyscope import play_match
    >>> play_match("two-ply", "random", games=100, seed=1).b_wins
    0
    """
    first, second = _players(a, b, sandbox)
    given = starts[0] if len(starts) else start
    if given is None:
        rules = game_of("tictactoe" if game is None else game)
    else:
        rules = as_position(given, game).game
    _check(rules, games, opening_plies or 0, adjudicate, balanced, max_plies, opening)
    is_free = start is None and not len(starts) and opening is None
    if opening_plies is None:
        opening_plies = automatic_plies((first, second), rules, games) if is_free else 0
    begins = _begins(rules, start, starts, opening_plies, seed, balanced, (games + 1) // 2)
    check_rule(opening, begins[0].position)
    if records is not None:
        _require_found_again(rules, begins)
    files = AgentFiles((first, second), files_of_game(rules))
    pairs = _pairs(games, first, second, begins, seed, (adjudicate, max_plies, opening))
    listed = begins if len(starts) else ()
    question = _question(pairs[0], rules, seed, opening_plies, balanced, files, listed)
    book = len(set(begins))
    does_repeat = do_repeat((first, second), rules) and opening is None
    is_sure = does_repeat and not any(map(calls_user_function, (first, second)))
    is_drawn = (
        len(pairs) < book or balanced or (opening_plies > 0 and not isinstance(rules, LineGame))
    )
    tally = Tally(
        first.name,
        second.name,
        seed,
        sprt,
        book=book,
        opening_plies=opening_plies if is_free else 0,
        is_balanced=balanced,
        seed_matters=not is_sure or (is_free and is_drawn),
    )
    played = _in_order(pairs, question, files, executor, records)
    result = _counted(
        played, tally, progress, keep_interrupted, len(begins) if does_repeat else None
    )
    scorings = plyless_scoring(first, rules), plyless_scoring(second, rules)
    return replace(result, first_games=tuple(tally.first_games), scorings=scorings)


def automatic_plies(agents: Sequence[Agent], game: Game, games: int) -> int:
    """Return the fewest opening plies that give `games` different games.

    Return 0 if fewer than two of the agents repeat their games."""
    repeating = [agent for agent in agents if do_repeat((agent,), game)]
    if len(repeating) < 2 or games <= 2 or not isinstance(game, LineGame):
        return 0
    return shortest_plies(game, (games + 1) // 2)


def _players(
    a: Agent | str | Callable[..., Any], b: Agent | str | Callable[..., Any], sandbox: bool
) -> tuple[Agent, Agent]:
    """Return the two agents. Raises OptionError if different agents have the same name."""
    first, second = parse_agent(a, sandbox), parse_agent(b, sandbox)
    if first.name == second.name and spec_of(first) != spec_of(second):
        raise OptionError(f"two agents are called {first.name!r}; expected a name for each")
    return first, second


def _question(
    first: Pair,
    game: Game,
    seed: int,
    plies: int,
    is_balanced: bool,
    files: AgentFiles,
    starts: Sequence[Opening],
) -> dict[str, Any]:
    """Return the key of a match in the records, given its first pair.

    Unused options are left out, so that the keys of older records stay valid. `code` has the
    versions of functions that are no files; a match with one whose version cannot be known is never
    continued."""
    opening = first.opening
    options = {
        "balanced": is_balanced,
        "code": code_of((first.a, first.b), game),
        "decide_at": first.adjudicate,
        "files": files.digests,
        "sandbox": any(getattr(agent, "sandbox", False) for agent in (first.a, first.b)),
        "max_plies": 0 if isinstance(game, LineGame) else first.max_plies,
        "sides": first.sides,
        "starts": [str(each.position) for each in starts],
    }
    return {
        "a": spec_of(first.a),
        "b": spec_of(first.b),
        "game": name_of(game),
        "seed": seed,
        "openings": plies,
        "start": str(opening.position) if opening.text is None else opening.text,
        **{key: value for key, value in options.items() if value},
    }


def _pairs(
    games: int,
    a: Agent,
    b: Agent,
    begins: Sequence[Opening],
    seed: int,
    rest: tuple[int, int, str | None],
) -> list[Pair]:
    """Return the pairs of a match; the last one has a single game if `games` is odd."""
    sizes = [2] * (games // 2) + [1] * (games % 2)
    return [
        Pair(at, a, b, begins[at % len(begins)], f"{seed} {at}", size, *rest)
        for at, size in enumerate(sizes)
    ]


def _counted(
    played: Generator[list[GameRecord], None, None],
    tally: Tally,
    progress: Callable[[MatchResult], None] | None,
    keep_interrupted: bool,
    period: int | None,
) -> MatchResult:
    """Count pairs as they end, up to the last one or until the match is stopped.

    A match of agents that repeat their games stops when pair `period` equals the first pair."""
    stopped, first = None, None
    try:
        for place, ended in enumerate(played):
            moves = [game.moves for game in ended]
            first = moves if place == 0 else first
            if place == period and first is not None and moves == first[: len(moves)]:
                stopped = "repeats"
                break
            tally.add(ended)
            if progress is not None:
                progress(tally.result())
            if tally.verdict is not None:
                stopped = "sprt"
                break
    except KeyboardInterrupt:
        if not keep_interrupted or not tally.games:
            raise
        stopped = "interrupted"
    finally:
        played.close()
    return tally.result(stopped)


def _check(
    game: Game,
    games: int,
    opening_plies: int,
    adjudicate: int,
    is_balanced: bool,
    max_plies: int,
    sides: str | None,
) -> None:
    """Raise OptionError for options that are out of range or exclude each other."""
    if games < 1:
        raise OptionError(f"{games} games; expected at least 1")
    if adjudicate < 0:
        raise OptionError(f"adjudication at {adjudicate} empty cells; expected 0 or more")
    if max_plies < 1:
        raise OptionError(f"{max_plies} plies at most; expected at least 1")
    of_lines = {"adjudication by exact values": adjudicate, "balanced openings": is_balanced}
    for what, is_asked in of_lines.items():
        if is_asked and not isinstance(game, LineGame):
            raise OptionError(f"{what} on {game.name!r}; expected a line game")
    if sides is not None and (opening_plies or is_balanced):
        what = f"{opening_plies} plies" if opening_plies else "balanced positions"
        raise OptionError(f"opening {sides!r} with openings of {what}; expected one or the other")


def _begins(
    game: Game,
    start: Any,
    starts: Sequence[Any],
    plies: int,
    seed: int,
    is_balanced: bool,
    pairs: int,
) -> list[Opening]:
    """Return the openings of a match, in an order drawn from `seed`."""
    if len(starts):
        return [opening_at(as_position(each, game)) for each in starts]
    if start is not None:
        found = [as_position(start, game)]
    elif isinstance(game, LineGame):
        found = list(openings(game, plies))
    elif plies:
        return [random_opening(game, plies, f"{seed} opening {at}") for at in range(pairs)]
    else:
        found = [position_of(game, game.start())]
    if is_balanced:
        found = list(balanced(found, seed))
    Random(seed).shuffle(found)
    return [opening_at(each) for each in found]


def _require_found_again(game: Game, starts: Sequence[Opening]) -> None:
    """Raise OptionError if a record of the game or its openings could not be read back."""
    try:
        is_found = isinstance(game, LineGame) or game_of(name_of(game)) == game
    except PlyscopeError:
        is_found = False
    if not is_found:
        raise OptionError(
            f"records of {game.name!r}, which is not from a file; "
            "expected a game such as 'nim.py:Nim'"
        )
    for start in starts:
        if not start.is_readable:
            raise OptionError(
                f"records from '{one_line(start.position)}', which cannot be read back; "
                f"expected {game.name!r} to have a method parse_position"
            )


def _in_order(
    pairs: Sequence[Pair],
    question: dict[str, Any],
    files: AgentFiles,
    executor: Executor | None,
    records: Records | None,
) -> Generator[list[GameRecord], None, None]:
    """Yield the games of each pair in the order of the match; recorded pairs are not played again.

    A pair is recorded as soon as it ends. Raises OptionError if a file of an agent changes during
    the match.
    """
    experiment, ended = 0, {}
    if records is not None:
        experiment = records.experiment(question)
        kept = records.pairs(experiment)
        ended = {
            pair.place: kept[pair.place][: pair.games]
            for pair in pairs
            if len(kept.get(pair.place, ())) >= pair.games
        }
    missing = [pair for pair in pairs if pair.place not in ended]
    with closing(mapped(executor, _play, missing, in_order=False)) as played:
        for pair in pairs:
            while pair.place not in ended:
                other, games = next(played)
                files.check()
                if records is not None:
                    records.keep(experiment, other.place, games)
                ended[other.place] = games
            yield ended.pop(pair.place)


def _play(pair: Pair) -> list[GameRecord]:
    """Play the games of a pair; its seed determines their random numbers."""
    random = Random(pair.seed)
    sides = ((pair.a, pair.b), (pair.b, pair.a))[: pair.games]
    start, text = pair.opening
    options: dict[str, Any] = {
        "adjudicate": pair.adjudicate,
        "max_plies": pair.max_plies,
        "rule": pair.sides,
    }
    return [play_game(players, start, random, opening=text, **options) for players in sides]
