"""What a heuristic of one's own is worth: against the truth, every line of play, in games."""

from __future__ import annotations

from collections import Counter
from time import perf_counter
from typing import Any

from plyscope.errors import OptionError
from plyscope.faces.diagrams.smallboard import small_drawing
from plyscope.faces.findings.cards import card_section
from plyscope.faces.findings.matches import match_section
from plyscope.faces.findings.solving import certificate_answer
from plyscope.faces.web.endpoints import Tell
from plyscope.faces.web.endpoints.analysis import prepare_engine
from plyscope.faces.web.endpoints.inputs import (
    beginning_of,
    game_of,
    heuristic_of,
    running_position_of,
)
from plyscope.faces.web.endpoints.players import agent_of
from plyscope.faces.web.endpoints.wrongmoves import as_board, labelled, telling
from plyscope.faces.web.requests import CertifyRequest, MatchRequest, RateRequest, ReportRequest
from plyscope.faces.wording import INTERVALS, REPEATED, elo, times
from plyscope.jsonable import by_name
from plyscope.lab.certify import certify as certified
from plyscope.lab.match import play_match
from plyscope.lab.ratings import Sprt, fit_ratings
from plyscope.lab.reportcard import ReportCard, report_card
from plyscope.lab.tally import MatchResult
from plyscope.rules.game import one_line
from plyscope.rules.position import Position
from plyscope.searching.score import plies_text

MAX_RATED = 50
"""Players that are rated together."""
OPENING_PLIES = 2
"""Of a match, where none are given."""


# Report cards


def report(request: ReportRequest, tell: Tell) -> dict[str, Any]:
    """Return the card, after telling that of fewer plies; it ends with the depth in which its time
    does."""
    game = game_of(request.game)
    heuristic = heuristic_of(request.heuristic, game)
    _, samples = labelled(game, request.samples, request.seed, tell)
    began, found = perf_counter(), dict[str, Any]()
    try:
        for depth in range(1, request.depths + 1):
            tell({"text": f"searching {plies_text(depth)}"})
            card = report_card(heuristic, game, depth, samples=samples, seed=request.seed)
            found = {**_card_data(card), "drawing": small_drawing(game)._asdict()}
            tell(found)
            if perf_counter() - began > request.seconds:
                break
    except KeyboardInterrupt:
        if not found:
            raise
    return found


def _card_data(card: ReportCard) -> dict[str, Any]:
    section = card_section([card])
    worst = [
        {
            **as_board(item.position),
            "plays": [item.chosen],
            "right": [item.better],
            "text": figure.caption,
        }
        for item, figure in zip(card.worst, section.figures, strict=True)
    ]
    return {
        "card": card.as_dict(),
        "title": section.words[0],
        "rows": [[*row] if row else None for row in section.rows],
        "notes": [*section.notes, *card.notes],
        "boards": worst,
    }


# Certificates


def certify(request: CertifyRequest, tell: Tell) -> dict[str, Any]:
    """Return the certificate, and its answer in words."""
    game = game_of(request.game)
    agent = agent_of(request.agent, game)
    _, progress = telling(tell, "{:,} positions")
    found = certified(agent, game, seconds=request.seconds, progress=progress)
    return {**found.as_dict(), "answer": certificate_answer(found)}


# Matches


def match(request: MatchRequest, tell: Tell) -> dict[str, Any]:
    """Return the result, after telling it as games end; it ends with its time too."""
    position, plies = _start_of(request)
    game = position.game
    a, b = agent_of(request.a, game), agent_of(request.b, game)
    prepare_engine(tell)
    began, is_late = perf_counter(), False
    is_due, _ = telling(tell, "")

    def progress(result: MatchResult) -> None:
        nonlocal is_late
        if is_due():
            tell(_match_data(result, request, is_late))
        is_late = perf_counter() - began > request.seconds
        if is_late and result.games < request.games:
            raise KeyboardInterrupt

    sprt = None if request.sprt is None else Sprt(elo0=request.sprt[0], elo1=request.sprt[1])
    result = play_match(
        a,
        b,
        request.games,
        game,
        request.seed,
        start=None if position == game.start() else position,
        opening_plies=plies,
        sprt=sprt,
        progress=progress,
        keep_interrupted=True,
    )
    return _match_data(result, request, is_late)


def _start_of(request: MatchRequest) -> tuple[Position, int]:
    """Return where the games of a match begin, and how many plies are openings: from a position
    with stones on it none, so that each pair begins there."""
    position, plies = beginning_of(request.game), request.opening_plies
    if position == position.game.start():
        return position, OPENING_PLIES if plies is None else plies
    if plies:
        raise OptionError(
            f"openings of {plies} plies from '{one_line(position)}', where all games begin; "
            "expected 0 opening plies"
        )
    return running_position_of(request.game), 0


def _match_data(result: MatchResult, request: MatchRequest, is_late: bool) -> dict[str, Any]:
    section = match_section(result)
    findings = [*section.notes]
    if result.stopped == "interrupted":
        findings = [each for each in findings if each != "interrupted"]
        after = f"{times(result.games, 'game')} of {request.games:,}"
        findings.append(f"the time was over after {after}" if is_late else f"stopped after {after}")
    rows = [
        [name, wins, as_x, as_o, result.draws, losses]
        for name, wins, as_x, as_o, losses in (
            (result.a, result.a_wins, result.a_wins_as_x, result.a_wins_as_o, result.b_wins),
            (result.b, result.b_wins, result.b_wins_as_x, result.b_wins_as_o, result.a_wins),
        )
    ]
    return {
        "match": result.as_dict(),
        "wanted": request.games,
        "rows": rows,
        "verdict": section.heading,
        "findings": findings,
        "outcomes": [
            {"first": first, "second": second, "outcome": outcome, "games": games}
            for first, second, outcome, games in result.outcomes
        ],
    }


def rate(request: RateRequest, tell: Tell) -> dict[str, Any]:
    """Return the players by rating."""
    results = [(each.first, each.second, each.outcome, each.games) for each in request.outcomes]
    players = {name for first, second, *_ in results for name in (first, second)}
    if len(players) > MAX_RATED:
        raise OptionError(f"{len(players):,} players; expected at most {MAX_RATED}")
    ratings = fit_ratings(results)
    games: Counter[str] = Counter()
    for first, second, _, number in results:
        games[first] += number
        games[second] += number
    played, distinct = sum(number for *_, number in results), request.distinct
    repeated = distinct is not None and distinct < played
    return {
        "players": [
            {"name": name, "text": elo(found), "games": games[name], **by_name(found)}
            for name, found in ratings.ranked
        ],
        "text": f"the first move is worth {elo(ratings.first_move)} Elo ({INTERVALS})",
        "note": f"{times(distinct or 0, 'different game')}: {REPEATED}" if repeated else None,
    }
