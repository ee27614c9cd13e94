"""The endpoints of the lab: report cards, tuning, certificates and matches."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

from plyscope.display import times
from plyscope.errors import OptionError
from plyscope.evaluation.linetable import LineTable
from plyscope.evaluation.tablefile import table_data
from plyscope.extras import load
from plyscope.faces.diagrams.smallboard import small_drawing
from plyscope.faces.findings.cards import card_section
from plyscope.faces.findings.conflicts import conflicts_sections
from plyscope.faces.findings.matches import match_section
from plyscope.faces.findings.section import Section
from plyscope.faces.findings.solving import certificate_answer, certificate_section
from plyscope.faces.findings.tuning import headline, progress_text, tuning_sections
from plyscope.faces.wording import elo
from plyscope.jsonable import by_name
from plyscope.lab.judging.certify import certify as certified
from plyscope.lab.judging.reportcard import ReportCard, report_card
from plyscope.lab.judging.sampling import is_known_late
from plyscope.lab.matches.match import play_match
from plyscope.lab.matches.ratings import Sprt
from plyscope.lab.matches.tally import MatchResult
from plyscope.rules.game import one_line
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.score import plies_text
from plyscope.tuning.proofs import proof
from plyscope_web.endpoints import Tell, sparingly
from plyscope_web.endpoints.analysis import prepare
from plyscope_web.endpoints.inputs import (
    beginning_of,
    game_of,
    heuristic_of,
    running_position_of,
)
from plyscope_web.endpoints.players import agent_of
from plyscope_web.endpoints.wrongmoves import as_board, labelled
from plyscope_web.requests import (
    CertifyRequest,
    MatchRequest,
    ReportRequest,
    TuneRequest,
    WhyRequest,
)

OPENING_PLIES = 2
"""The default length of a match's openings, in plies."""
TUNE_SAMPLES = 2_000
"""The default number of sampled positions to learn from on a game that is too large as a whole."""


# Report cards


def report(request: ReportRequest, tell: Tell) -> dict[str, Any]:
    """Return the report card of the last depth, after sending that of each smaller depth.

    The last depth is the one during which the time runs out, or the greatest requested depth.
    """
    game = game_of(request.game)
    heuristic = heuristic_of(request.heuristic, game)
    _, samples = labelled(game, request.samples, request.seed, tell)
    began, found = perf_counter(), dict[str, Any]()
    try:
        for depth in range(1, request.depths + 1):
            tell({"text": f"searching {plies_text(depth)}"})
            card = report_card(heuristic, game, depth, samples=samples, seed=request.seed)
            found = {**_card_data(card), "drawing": by_name(small_drawing(game))}
            tell(found)
            if perf_counter() - began > request.seconds:
                break
    except KeyboardInterrupt:
        if not found:
            raise
    return found


def _card_data(card: ReportCard) -> dict[str, Any]:
    section = card_section(card)
    worst = [
        as_board(item.position, [item.chosen], [item.better], figure.caption)
        for item, figure in zip(card.worst, section.figures, strict=True)
    ]
    return {
        "card": card.as_dict(),
        "sections": [_section_data(section, (*section.notes, *card.notes))],
        "boards": worst,
    }


# Tuning


def tune(request: TuneRequest, tell: Tell) -> dict[str, Any]:
    """Return the tuned table and the evidence, as far as the time allows."""
    game = game_of(request.game)
    heuristic = heuristic_of(request.heuristic, game)
    if not isinstance(heuristic, LineTable):
        raise OptionError(f"heuristic {heuristic.name!r} is not a table; expected one to tune")
    samples = request.samples
    if _is_large(game, "tuning"):
        if not is_known_late(game):
            raise OptionError(
                f"tuning on {game.name!r}, for which no solver is fast enough on the page; "
                "expected a smaller game, or `plyscope tune`, which has no time limit"
            )
        samples = samples or TUNE_SAMPLES
    say = sparingly(tell)
    result = load("plyscope.tuning.tune", "tuning", "fast").tune(
        heuristic,
        game,
        family=request.family,
        depth=request.depth,
        samples=samples,
        seed=request.seed,
        seconds=request.seconds,
        progress=lambda *news: say(lambda: {"text": progress_text(*news)}),
        trials=False,
    )
    found = result.as_dict()
    return {
        "tuning": found,
        "answer": headline(found),
        "table": table_data(result.candidate),
        "sections": [
            _section_data(part)
            for part in tuning_sections(found)
            if part.words and not part.figures
        ],
    }


def _is_large(game: LineGame, what: str) -> bool:
    """Return whether a game has too many positions for `what`, which takes all of them."""
    question = load("plyscope.tuning.question", what, "fast")
    return bool(question.arrangements(game) > question.MAX_ARRANGEMENTS)


def _section_data(section: Section, notes: Sequence[str] | None = None) -> dict[str, Any]:
    """Return a section of a report as data, with other `notes` if they are given."""
    return {
        "heading": section.heading,
        "words": [*section.words],
        "head": [*section.head],
        "rows": [[*row] for row in section.all_rows],
        "notes": [*(section.notes if notes is None else notes)],
    }


# Conflicts


def why(request: WhyRequest, tell: Tell) -> dict[str, Any]:
    """Return positions that no numbers of a table's terms play right together."""
    game = game_of(request.game)
    if _is_large(game, "conflicts"):
        raise OptionError(
            f"conflicts on {game.name!r}, of which all positions are needed; "
            "expected a smaller game"
        )
    say = sparingly(tell)
    heuristic = heuristic_of(request.heuristic, game)
    found = proof("conflicts")(
        heuristic,
        game,
        family=request.family,
        depth=request.depth,
        count=request.count,
        seconds=request.seconds,
        progress=lambda phase, done, total: say(lambda: {"text": f"{phase}: {done:,}"}),
    )
    data = found.as_dict()
    answer, *parts = conflicts_sections(data, game)
    return {
        "answer": answer.words[0],
        "conflicts": [
            {"boards": _asked_boards(conflict, part), "section": _section_data(part)}
            for conflict, part in zip(found.conflicts, parts, strict=False)
        ],
        "sections": [_section_data(part) for part in (answer, *parts[len(found.conflicts) :])],
        "drawing": by_name(small_drawing(game)),
    }


def _asked_boards(conflict: Any, section: Section) -> list[dict[str, Any]]:
    return [
        as_board(asked.position, asked.wrong, asked.right, figure.caption)
        for asked, figure in zip(conflict.positions, section.figures, strict=True)
    ]


# Certificates


def certify(request: CertifyRequest, tell: Tell) -> dict[str, Any]:
    """Return the certificate, and a sentence about it."""
    game = game_of(request.game)
    agent = agent_of(request.agent, game)
    say = sparingly(tell)
    found = certified(
        agent,
        game,
        seconds=request.seconds,
        progress=lambda number: say(lambda: {"text": f"{number:,} positions"}),
    )
    sections = [_section_data(certificate_section(found))]
    return {**found.as_dict(), "answer": certificate_answer(found), "sections": sections}


# Matches


def match(request: MatchRequest, tell: Tell) -> dict[str, Any]:
    """Return the result of a match, after sending the results so far while games end.

    The match stops early when its time is used up.
    """
    position, plies = _start_of(request)
    game = position.game
    a, b = agent_of(request.a, game), agent_of(request.b, game)
    prepare()
    began, is_late, say = perf_counter(), False, sparingly(tell)

    def progress(result: MatchResult) -> None:
        nonlocal is_late
        say(lambda: _match_data(result, request, is_late))
        is_late = perf_counter() - began > request.seconds
        if is_late and result.games < request.games:
            raise KeyboardInterrupt

    sprt = None
    if request.sprt is not None:
        load("numpy", "a sequential test", "fast")  # before the games, and not after them
        sprt = Sprt(elo0=request.sprt[0], elo1=request.sprt[1])
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
    """Return the start position of a match and the number of plies of its openings.

    From a position with stones on it there are no openings, so that all games begin there.
    """
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
    return {
        "match": result.as_dict(),
        "wanted": request.games,
        "elo": elo(result.elo),
        "sections": [_section_data(section, findings)],
    }
