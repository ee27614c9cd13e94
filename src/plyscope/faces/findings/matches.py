"""Games between two agents: `match`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from plyscope.faces.findings.section import Section
from plyscope.faces.wording import INTERVALS, elo, match_verdict, number, times, unbiased
from plyscope.lab.tally import MatchResult

MOST_REASONS = 8
"""Reasons why agents were stopped that are told under a table."""


def match_section(result: MatchResult) -> Section:
    """Return whether one agent is better, and the games by side."""
    a_wins = (result.a_wins, result.a_wins_as_x, result.a_wins_as_o)
    b_wins = (result.b_wins, result.b_wins_as_x, result.b_wins_as_o)
    of_a = (result.a_wins, result.draws, result.b_wins)
    return Section(
        1,
        match_verdict(result),
        (f"{result.games:,} games, seed {result.seed}{book_text(result)}",),
        ("agent", "wins", "as X", "as O", "draws", "losses"),
        (
            (result.a, *map(number, (*a_wins, result.draws, result.b_wins))),
            (result.b, *map(number, (*b_wins, result.draws, result.a_wins))),
        ),
        bars=(of_a, of_a[::-1]),
        notes=tuple(match_findings(result)),
    )


def match_findings(result: MatchResult) -> Iterator[str]:
    """Yield what the games show beside the verdict, line by line."""
    first = result.a_wins_as_x + result.b_wins_as_x + result.draws / 2
    yield _pairs(result)
    yield f"X, who moves first, scores {first / result.games:.0%}"
    played = times(result.openings, "opening")
    if result.openings < result.book:
        played = f"{result.openings:,} of {times(result.book, 'opening')}"
    different = f"{times(result.distinct, 'different game')} from {played}"
    repeated = "; the rest repeat them and prove nothing" if result.distinct < result.games else ""
    yield different + repeated
    if result.sprt is not None and result.ratio is not None:
        low, high = (number(bound) for bound in result.sprt.bounds)
        ratio = f"log-likelihood ratio {number(result.ratio)}, decided at {low} and {high}"
        yield ratio
        when = " at the stop" if result.elo_unbiased is not None else ""
        measured = f"the score{when} is that of {elo(result.elo)} Elo ({INTERVALS})"
        yield measured + unbiased(result.elo_unbiased)
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
    yield from forfeit_lines(result.forfeits)
    yield from _why_no_more(result)


def _pairs(result: MatchResult) -> str:
    """Return how many points one player scored in the two games of each pair."""
    texts = ("0", "½", "1", "1½", "2 points")
    counts = [f"{text} in {count:,}" for text, count in zip(texts, result.pairs, strict=True)]
    pairs = times(sum(result.pairs), "pair")
    return f"of {pairs} of games, {result.a} scored {', '.join(reversed(counts))}"


def book_text(result: MatchResult) -> str:
    """Return what the openings are, to go on after the seed."""
    if not result.opening_plies:
        return ""
    which = "all" if result.openings == result.book else f"{result.openings:,} of"
    kind = "balanced position" if result.is_balanced else "position"
    after = times(result.opening_plies, "ply").replace("plys", "plies")
    return f"; openings: {which} {times(result.book, kind)} after {after}"


def _why_no_more(result: MatchResult) -> Iterator[str]:
    """Yield why there are no more games, or no others."""
    if result.stopped == "interrupted":
        yield "interrupted"
    elif result.stopped == "repeats":
        more = f"expected perhaps --opening-plies {result.opening_plies + 1}"
        yield f"stopped: the first games came again, and the same games would follow; {more}"
    if not result.seed_matters:
        yield "the seed changes nothing: both play without chance, from the same openings"


def forfeit_lines(forfeits: Mapping[str, int]) -> Iterator[str]:
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
