"""Games between agents: `match`, `tournament`, `records`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from plyscope.display import times
from plyscope.faces.findings.section import Section
from plyscope.faces.reviews import wins_sentences
from plyscope.faces.signs import shown
from plyscope.faces.wording import INTERVALS, REPEATED, elo, match_verdict, number, unbiased
from plyscope.lab.matches.game import ENDINGS
from plyscope.lab.matches.tally import MatchResult

if TYPE_CHECKING:
    from plyscope.lab.matches.tournament import TournamentResult

MIN_NAME_COLUMNS = 12
"""The least width of a player's name."""
MAX_REASONS = 8
"""The most reasons for forfeits below a table."""


def match_section(result: MatchResult) -> Section:
    """Return the verdict of a match and its games by side."""
    a_wins = (result.a_wins, result.a_wins_as_x, result.a_wins_as_o)
    b_wins = (result.b_wins, result.b_wins_as_x, result.b_wins_as_o)
    of_a = (result.a_wins, result.draws, result.b_wins)
    a, b = result.names
    return Section(
        1,
        match_verdict(result),
        (f"{times(result.games, 'game')}, seed {result.seed}{book_text(result)}",),
        ("agent", "wins", "as X", "as O", "draws", "losses"),
        (
            (a, *map(number, (*a_wins, result.draws, result.b_wins))),
            (b, *map(number, (*b_wins, result.draws, result.a_wins))),
        ),
        cut=("agent",),
        bars=(of_a, of_a[::-1]),
        notes=tuple(match_findings(result)),
    )


def match_findings(result: MatchResult) -> Iterator[str]:
    """Yield the details of a match, one line each."""
    first = result.a_wins_as_x + result.b_wins_as_x + result.draws / 2
    texts = ("0", "½", "1", "1½", "2 points")
    counts = [f"{text} in {count:,}" for text, count in zip(texts, result.pairs, strict=True)]
    if pairs := sum(result.pairs):
        counted = f"{result.names[0]} scored {', '.join(reversed(counts))}"
        yield f"in {times(pairs, 'pair')} of games, {counted}"
    yield f"X, who moves first, scores {first / result.games:.0%}"
    played = times(result.openings, "opening")
    if result.openings < result.book:
        played = f"{result.openings:,} of {times(result.book, 'opening')}"
    different = f"{times(result.distinct, 'different game')} from {played}"
    repeated = "; the others are repeats, not evidence" if result.distinct < result.games else ""
    yield different + repeated
    if result.sprt is not None and result.ratio is not None:
        low, high = (number(bound) for bound in result.sprt.bounds)
        ratio = f"log-likelihood ratio {number(result.ratio)}; the test ends at {low} or {high}"
        yield ratio
        when = " at the stop" if result.elo_unbiased is not None else ""
        measured = f"the score{when} corresponds to {elo(result.elo)} Elo ({INTERVALS})"
        yield measured + unbiased(result.elo_unbiased)
    if result.at_limit:
        yield f"{times(result.at_limit, 'game')} reached the limit of plies: counted as a draw"
    length = (
        ""
        if result.moves_to_win is None
        else f"a won game took {result.moves_to_win:.2f} moves on average; "
    )
    yield f"{length}{result.seconds:.3f} s, {result.seconds / result.games * 1000:.2f} ms a game"
    costs = zip(result.seconds_a_move, result.nodes_a_move, strict=True)
    for name, (seconds, nodes) in zip(result.names, costs, strict=True):
        searched = "" if nodes is None else f", {nodes:,.0f} nodes"
        yield f"{name}: {seconds * 1000:.3f} ms a move{searched}"
    yield from forfeit_lines(result.forfeits)
    for name, taken in zip(result.names, result.wins_taken, strict=True):
        yield from wins_sentences(taken, name)
    yield from _why_no_more(result)


def book_text(result: MatchResult) -> str:
    """Return a phrase about the openings, which follows the seed."""
    if not result.opening_plies:
        return ""
    which = "all" if result.openings == result.book else f"{result.openings:,} of"
    kind = "balanced position" if result.is_balanced else "position"
    after = times(result.opening_plies, "ply")
    return f"; openings: {which} {times(result.book, kind)} after {after}"


def _why_no_more(result: MatchResult) -> Iterator[str]:
    """Yield why a match ended early, and whether its seed has an effect."""
    if result.stopped == "interrupted":
        yield "interrupted"
    elif result.stopped == "repeats":
        more = f"try --opening-plies {result.opening_plies + 1}"
        yield f"stopped: all further games would repeat these; {more}"
    if not result.seed_matters:
        yield "the seed has no effect: both agents are deterministic, and the openings are fixed"


def forfeit_lines(forfeits: Mapping[str, int]) -> Iterator[str]:
    """Yield the reasons of forfeits, each once with one of its positions."""
    kinds: dict[str, tuple[str, int]] = {}
    for reason, count in forfeits.items():
        kind = re.sub(r" on '[^']*'", "", reason)
        first, before = kinds.get(kind, (reason, 0))
        kinds[kind] = first, before + count
    for reason, count in sorted(kinds.values(), key=lambda kind: -kind[1])[:MAX_REASONS]:
        yield f"stopped {times(count, 'time')}: {reason}"
    if len(kinds) > MAX_REASONS:
        yield f"{len(kinds) - MAX_REASONS:,} more reasons: see --json"


def tournament_section(result: TournamentResult, width: int = 80) -> Section:
    """Return the players by rating, and the score of each: against each other player if that fits
    into `width` columns, else against all."""
    games = sum(match.games for match in result.matches)
    has_forfeits = any(match.forfeits for match in result.matches)
    ratings = dict(result.ratings.ranked)
    # the others have not played, in a tournament that was interrupted
    ranked = [*ratings, *(name for name in result.players if name not in ratings)]
    elos = [elo(ratings[name]) if name in ratings else "–" for name in ranked]
    least = min(MIN_NAME_COLUMNS, max(map(len, ranked)))
    left = width - least - max(map(len, elos)) - (22 if has_forfeits else 11)
    told, head, scores = _scores(result, ranked, left)
    notes = [f"{told}the first move is worth {elo(result.ratings.first_move)} Elo ({INTERVALS})"]
    distinct = sum(match.distinct for match in result.matches)
    if distinct < games:
        notes.append(f"{distinct:,} different games: {REPEATED}")
    reasons: Counter[str] = Counter()
    for match in result.matches:
        reasons.update(match.forfeits)
    notes += [*forfeit_lines(reasons), *(["interrupted"] if result.stopped else [])]
    openings = book_text(result.matches[0]) if result.matches else ""
    return Section(
        1,
        "",
        (f"{result.game}, {times(games, 'game')}{openings}",),
        ("", "player", "Elo", *head, *(["forfeits"] if has_forfeits else [])),
        tuple(
            (
                str(at + 1),
                name,
                elos[at],
                *scores[at],
                *([number(result.forfeits(name))] if has_forfeits else []),
            )
            for at, name in enumerate(ranked)
        ),
        names=0,
        left=("player",),
        cut=("player",),
        notes=tuple(notes),
    )


def _scores(
    result: TournamentResult, ranked: Sequence[str], width: int
) -> tuple[str, tuple[str, ...], list[list[str]]]:
    """Return the legend of the score columns, their heads, and the cells of each player."""
    numbers = tuple(str(place) for place in range(1, len(ranked) + 1))
    met = [[result.score(name, other) for other in ranked] for name in ranked]
    if len(result.matches) >= len(ranked) or len(ranked) == 2:  # no gauntlet
        for name, form in SCORES.items():
            cells = [["–" if score is None else form(score) for score in row] for row in met]
            if sum(max(len(row[at]) for row in cells) + 3 for at in range(len(ranked))) <= width:
                return f"{name} against the player of that number; ", numbers, cells
    sums = [[sum(score[at] for score in row if score) for at in range(3)] for row in met]
    return "", ("won", "drawn", "lost"), [[*map(number, row)] for row in sums]


def _per_cent(score: tuple[int, int, int]) -> str:
    won, drawn, _ = score
    return f"{100 * (won + drawn / 2) / sum(score):.0f}"


SCORES: dict[str, Callable[[tuple[int, int, int]], str]] = {
    "won–drawn–lost": lambda score: "–".join(map(str, score)),
    "per cent scored": _per_cent,
}
"""The formats of a score, the widest first."""


def records_section(games: Sequence[dict[str, Any]]) -> Section:
    """Return a table of the games of a file of records."""
    rows = []
    for row in games:
        keys = [key for key in ("experiment", "pair", "number") if key in row]
        place = ".".join(str(row[key] + (key == "pair")) for key in keys)
        ending = "" if row["ending"] in ENDINGS else f" ({row['ending']})"
        moves = f"{row['start']} {row['moves']}{ending}"
        rows.append((place, row["game"], row["x"], row["o"], row["winner"] or "draw", moves))
    head = ("", "game", "x", "o", "winner", "moves")
    return _listed(times(len(games), "game"), head, rows, ("game", "x", "o", "moves"))


def plies_section(plies: Sequence[dict[str, Any]]) -> Section:
    """Return the moves of a file of records, one per row, with the time, value, depth and nodes of
    each search."""
    rows = [
        (
            *(*_game_of(row), str(row["ply"]), f"{row['seconds']:.6f}"),
            *map(number, (row["value"], row["depth"], row["nodes"])),
        )
        for row in plies
    ]
    head = ("match", "pair", "game", "ply", "seconds", "value", "depth", "nodes")
    return _listed(times(len(plies), "ply"), head, rows)


def outputs_section(outputs: Sequence[dict[str, Any]]) -> Section:
    """Return the output of user code in recorded games, one row per game and side."""
    rows = [
        (*_game_of(row), row["side"], "\n".join(map(shown, row["text"].splitlines())))
        for row in outputs
    ]
    head = ("match", "pair", "game", "side", "printed")
    return _listed(f"output in {times(len(outputs), 'game')}", head, rows, ("side", "printed"))


def _listed(
    title: str, head: tuple[str, ...], rows: Sequence[tuple[str, ...]], left: tuple[str, ...] = ()
) -> Section:
    return Section(1, "", (title,), head, tuple(rows), names=0, left=left)


def _game_of(row: dict[str, Any]) -> tuple[str, str, str]:
    """Return the numbers of the match, the pair and the game that a row belongs to."""
    return str(row["experiment"]), str(row["pair"] + 1), str(row["number"])
