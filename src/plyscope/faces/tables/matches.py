"""Games between agents: `match`, `tournament`, `records`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from plyscope.faces.signs import shown
from plyscope.faces.tables import new_table, with_lines
from plyscope.faces.wording import INTERVALS, REPEATED, elo, number, times
from plyscope.lab.game import ENDINGS

if TYPE_CHECKING:
    from plyscope.lab.ratings import Sprt
    from plyscope.lab.tally import MatchResult
    from plyscope.lab.tournament import TournamentResult

MOST_REASONS = 8
"""Reasons why agents were stopped that are told under a table."""


def match_table(result: MatchResult) -> RenderableType:
    """Return who won how often, by side, how much better one is, and what the evidence is worth."""
    head = ("agent", "wins", "as X", "as O", "draws", "losses")
    table = new_table(f"{result.games:,} games, seed {result.seed}", *head, left=("agent",))
    a_wins = (result.a_wins, result.a_wins_as_x, result.a_wins_as_o)
    b_wins = (result.b_wins, result.b_wins_as_x, result.b_wins_as_o)
    table.add_row(result.a, *map(number, (*a_wins, result.draws, result.b_wins)))
    table.add_row(result.b, *map(number, (*b_wins, result.draws, result.a_wins)))
    return with_lines(table, _findings(result))


def _findings(result: MatchResult) -> Iterator[str]:
    """Yield what the games tell, line by line."""
    first_move = elo(result.ratings.first_move)
    yield (
        f"{result.a} is better by {elo(result.elo)} Elo, the first move worth {first_move}: "
        f"{INTERVALS}"
    )
    if result.elo_of_pairs is not None:
        pairs = " ".join(map(str, result.pairs))
        yield f"pairs by half points 0 to 4: {pairs}; by them alone {elo(result.elo_of_pairs)} Elo"
    repeated = f": {REPEATED}" if result.distinct < result.games else ""
    yield f"{result.distinct:,} different games from {times(result.openings, 'opening')}{repeated}"
    if result.sprt is not None:
        yield _sequential_test(result.sprt, result)
    if result.at_limit:
        yield f"{times(result.at_limit, 'game')} had not ended at the limit of plies: a draw"
    length = (
        ""
        if result.moves_to_win is None
        else f"a won game took {result.moves_to_win:.2f} moves on average; "
    )
    yield f"{length}{result.seconds:.3f} s, {result.seconds / result.games * 1000:.2f} ms a game"
    costs = zip(result.seconds_a_move, result.nodes_a_move, strict=True)
    for name, (seconds, nodes) in zip((result.a, result.b), costs, strict=True):
        searched = "" if nodes is None else f", {nodes:,.0f} nodes"
        yield f"{name}: {seconds * 1000:.3f} ms a move{searched}"
    yield from _forfeits(result.forfeits)
    if result.stopped == "interrupted":
        yield "interrupted"


def _sequential_test(sprt: Sprt, result: MatchResult) -> str:
    low, high = sprt.bounds
    accepted = f"accepted {getattr(sprt, result.verdict):g}" if result.verdict else "not decided"
    return (
        f"sequential test of {sprt.elo1:g} against {sprt.elo0:g} Elo: {accepted}, "
        f"log-likelihood ratio {sprt.ratio(result.pairs):.2f} of {low:.2f} to {high:.2f}"
    )


def _forfeits(forfeits: Mapping[str, int]) -> Iterator[str]:
    """Yield why agents were stopped, a reason on different positions once, with one of them."""
    kinds: dict[str, tuple[str, int]] = {}
    for reason, count in forfeits.items():
        kind = re.sub(r" on '[^']*'", "", reason)
        first, before = kinds.get(kind, (reason, 0))
        kinds[kind] = first, before + count
    for reason, count in sorted(kinds.values(), key=lambda kind: -kind[1])[:MOST_REASONS]:
        yield f"stopped {times(count, 'time')}: {reason}"
    if len(kinds) > MOST_REASONS:
        yield f"stopped for {len(kinds) - MOST_REASONS:,} more reasons: --json has all"


def tournament_table(result: TournamentResult) -> RenderableType:
    """Return the players by rating, and how each fared against each: won, drawn and lost."""
    numbers = [str(place) for place in range(1, len(result.players) + 1)]
    games = sum(match.games for match in result.matches)
    has_forfeits = any(match.forfeits for match in result.matches)
    head = ("", "player", "Elo", *numbers, *(["forfeits"] if has_forfeits else []))
    table = new_table(f"{result.game}, {games:,} games", *head, left=("player",))
    ratings = result.ratings.by_player
    rated = sorted(ratings, key=lambda name: -ratings[name].value)
    # the others have not played, in a tournament that was interrupted
    ranked = [*rated, *(name for name in result.players if name not in ratings)]
    for place, name in zip(numbers, ranked, strict=True):
        scores = [result.score(name, other) for other in ranked]
        against = ("–" if score is None else "{}–{}–{}".format(*score) for score in scores)
        forfeits = [number(result.forfeits(name))] if has_forfeits else []
        rating = elo(ratings[name]) if name in ratings else "–"
        table.add_row(place, name, rating, *against, *forfeits)
    first_move = elo(result.ratings.first_move)
    lines = [
        "won–drawn–lost against the player of that number; "
        f"the first move is worth {first_move} Elo ({INTERVALS})"
    ]
    distinct = sum(match.distinct for match in result.matches)
    if distinct < games:
        lines.append(f"{distinct:,} different games: {REPEATED}")
    reasons: Counter[str] = Counter()
    for match in result.matches:
        reasons.update(match.forfeits)
    lines += _forfeits(reasons)
    return with_lines(table, [*lines, *(["interrupted"] if result.stopped else [])])


def records_table(games: Sequence[dict[str, Any]]) -> RenderableType:
    """Return the games of a file of records, one a row."""
    head = ("", "game", "x", "o", "winner", "moves")
    table = new_table(f"{len(games):,} games", *head, left=("game", "x", "o", "moves"))
    for row in games:
        keys = [key for key in ("experiment", "pair", "number") if key in row]
        place = ".".join(str(row[key] + (key == "pair")) for key in keys)
        ending = "" if row["ending"] in ENDINGS else f" ({row['ending']})"
        moves = f"{row['start']} {row['moves']}{ending}"
        table.add_row(place, row["game"], row["x"], row["o"], row["winner"] or "draw", moves)
    return table


def plies_table(plies: Sequence[dict[str, Any]]) -> RenderableType:
    """Return moves of a file of records, one a row: what each cost, and its search's values."""
    head = ("match", "pair", "game", "ply", "seconds", "value", "depth", "nodes")
    table = new_table(f"{len(plies):,} plies", *head)
    for row in plies:
        results = map(number, (row["value"], row["depth"], row["nodes"]))
        table.add_row(*_game_of(row), str(row["ply"]), f"{row['seconds']:.6f}", *results)
    return table


def outputs_table(outputs: Sequence[dict[str, Any]]) -> RenderableType:
    """Return what strangers' code printed in recorded games, one game and side a row."""
    head = ("match", "pair", "game", "side", "printed")
    table = new_table(f"output in {len(outputs):,} games", *head, left=("side", "printed"))
    for row in outputs:
        printed = Text("\n".join(map(shown, row["text"].splitlines())))
        table.add_row(*_game_of(row), row["side"], printed)
    return table


def _game_of(row: dict[str, Any]) -> tuple[str, str, str]:
    """Return the numbers of the match, the pair and the game that a row belongs to."""
    return str(row["experiment"]), str(row["pair"] + 1), str(row["number"])
