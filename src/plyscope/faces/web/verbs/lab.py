"""Heuristics of one's own: as text, against the truth, against every line of play, in games."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter, OrderedDict
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Any

import msgspec

from plyscope.errors import NotationError, OptionError
from plyscope.evaluation.tablecode import python_text, table_of_code
from plyscope.evaluation.tablefile import content_of, table_of, toml_text
from plyscope.faces.diagrams.smallboard import small_board
from plyscope.faces.tables.heuristics import COST, card_notes, card_rows, mistake_text
from plyscope.faces.tables.matches import RANKED_TO, match_findings
from plyscope.faces.tables.solving import certificate_answer
from plyscope.faces.web.requests import (
    CertifyRequest,
    LineTableInput,
    MatchRequest,
    PasteRequest,
    RateRequest,
    ReportRequest,
    WriteRequest,
    WrongRequest,
)
from plyscope.faces.web.verbs import Tell
from plyscope.faces.web.verbs.analysis import prepare_engine
from plyscope.faces.web.verbs.inputs import (
    beginning_of,
    game_of,
    heuristic_of,
    running_position_of,
    table_data,
    table_of_input,
)
from plyscope.faces.web.verbs.players import agent_of
from plyscope.faces.wording import INTERVALS, REPEATED, elo, times
from plyscope.jsonable import by_name
from plyscope.lab.certify import certify as certified
from plyscope.lab.match import play_match
from plyscope.lab.ratings import Sprt, fit_ratings
from plyscope.lab.reportcard import ReportCard, report_card
from plyscope.lab.reportcard.population import Population
from plyscope.lab.reportcard.populations import population_of
from plyscope.lab.reportcard.sample import Sample
from plyscope.lab.reportcard.sampling import Drawn, Grown, can_draw, is_known_late
from plyscope.lab.tally import MatchResult
from plyscope.lab.tuning.choices import Flags
from plyscope.lab.wrongmap import Compared, Judged, WrongMap, WrongMove
from plyscope.rules.game import SIDES, one_line
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.score import plies_text

MOST_WHOLE = 20_000
"""Positions of a game that are all asked about; of a larger one a sample is."""
QUICK_SAMPLES, SLOW_SAMPLES = 1000, 100
"""Positions of a sample, where a solver knows them at once and where it has to find out."""
PARTS = (10, 20, 40, 80)
"""Positions of such a sample after which it is told what they say so far."""
SETTLING = "positions of random games, solved one by one"
KEPT = 3
"""Populations that are kept."""
SHOWN = 8
"""Positions that are drawn of each sort."""
JSON = re.compile(r'\s*(\{|\[\s*[\[{"\d-])')
"""What tells JSON from TOML, which may begin with a section in brackets."""
PYTHON = re.compile(r"^\s*(import|from|def|class|lambda)\b|\w\(", re.MULTILINE)
"""What tells Python from TOML."""
NAMELESS = {"table in TOML", "table in JSON", LineTableInput(values={}).name}
"""What tables are called whose text has no name."""
MOST_DOTS = 100
"""In a line of a table as text: reading `a.a.a` takes the square of their number."""
MOST_RATED = 50
"""Players that are rated together."""
OPENING_PLIES = 2
"""Of a match, where none are given."""
TELLS = 0.15
"""Seconds between two messages of progress."""


# Text


def write(request: WriteRequest, tell: Tell) -> dict[str, Any]:
    """Return the table in each form."""
    values = {"0,0": 0, **request.table.values}  # with which the others are lists
    table = table_of_input(msgspec.structs.replace(request.table, values=values))
    data = content_of(table)
    return {
        "toml": toml_text(data),
        "python": python_text(table),
        "json": json.dumps(data, indent=2) + "\n",
    }


def paste(request: PasteRequest, tell: Tell) -> dict[str, Any]:
    """Return the table of a text, and its name, none where the text has none."""
    table = _read(request.text)
    name = "" if table.name in NAMELESS else table.name
    return {"name": name, "table": table_data(table)}


def _read(text: str) -> Any:
    """Return the table of a text in TOML, JSON or Python; raise NotationError."""
    if not text.strip():
        raise NotationError("an empty text; expected a table in TOML, JSON or Python")
    if "LineTable(" in text or "TermSum(" in text:
        table, form = table_of_code(text), "Python"
        data: Any = content_of(table)
    else:
        form = "JSON" if JSON.match(text) else "TOML"
        if max(line.count(".") for line in text.splitlines()) > MOST_DOTS:
            raise _too_deep(form)
        try:
            data = json.loads(text) if form == "JSON" else tomllib.loads(text)
        except ValueError as error:
            if PYTHON.search(text):  # a word of it is misspelt, or it is some other Python
                return table_of_code(text)
            said = f"cannot read the {form}: {str(error)[:120]}; expected a table of numbers"
            raise NotationError(said) from None
        except RecursionError:
            raise _too_deep(form) from None
        with suppress(msgspec.ValidationError):  # as an address of the page has it
            return table_of_input(msgspec.convert(data, LineTableInput))
    try:
        return table_of(data, f"table in {form}")
    except RecursionError:
        raise _too_deep(form) from None


def _too_deep(form: str) -> NotationError:
    return NotationError(f"the {form} is too deep; expected a table of numbers")


# Wrong moves

_maps: OrderedDict[tuple[LineGame, int | None, int], WrongMap] = OrderedDict()
_too_large: set[LineGame] = set()


class _TooLarge(Exception):
    pass


def wrong(request: WrongRequest, tell: Tell) -> dict[str, Any]:
    """Return the count, how it compares with that of `before`, and some of the positions, after
    telling the same of the first of a sample that takes long to find; stopped, it ends with these.
    """
    game = game_of(request.game)
    heuristic_of(request.heuristic, game)  # which refuses one that is not of this game

    part: WrongMap | None = None

    def tell_part(drawn: Drawn) -> None:
        nonlocal part
        if (number := len(drawn.positions)) in PARTS:
            part = WrongMap(Sample.of(game, drawn), is_whole=False)
            of = _number(game, request.samples)
            tell({**_wrong(request, part), "text": f"{SETTLING}: {number:,} of {of:,}"})

    try:
        map_ = _map_of(game, request.samples, request.seed, tell, tell_part)
    except KeyboardInterrupt:
        if part is None:
            raise
        map_ = part
    return _wrong(request, map_)


def _wrong(request: WrongRequest, map_: WrongMap) -> dict[str, Any]:
    """Return what is asked, of the positions of a map."""
    game = map_.game
    heuristic = heuristic_of(request.heuristic, game)
    after = map_.judge(heuristic, request.depth)
    found = {
        "game": game.name,
        "heuristic": heuristic.name,
        "depth": request.depth,
        "whole": map_.is_whole,
        "about": map_.population.about,
        "positions": len(map_.population.asked),
        "choices": len(map_),
        **_count(after),
        "boards": {"wrong": _boards(map_, after.losses > 0, after)},
    }
    if request.before is None:
        return found
    before = map_.judge(heuristic_of(request.before, game), request.depth)
    both = Compared(before, after)
    found["boards"] |= {
        "cured": _boards(map_, both.cured, before, after),
        "spoilt": _boards(map_, both.spoilt, after),
    }
    return {
        **found,
        "before": _count(before),
        "cured": int(both.cured.sum()),
        "spoilt": int(both.spoilt.sum()),
        "chance": both.chance,
    }


def _count(judged: Judged) -> dict[str, Any]:
    share = judged.share
    return {
        "faulty": judged.faulty,
        "wrong": judged.wrong,
        "share": share.value,
        "low": share.low,
        "high": share.high,
    }


def _boards(
    map_: WrongMap, is_in: Flags, wrong: Judged, now: Judged | None = None
) -> list[dict[str, Any]]:
    verb = "costs" if now is None else "cost"
    return [_board(each, verb) for each in map_.shown(is_in, wrong, SHOWN, now)]


def _board(found: WrongMove, verb: str) -> dict[str, Any]:
    """Return a position, with the names of the moves that are rated best and of those that are."""
    game = found.position.game
    return {
        **_drawn(found.position),
        "plays": [game.format_cell(cell) for cell in found.plays],
        "right": [game.format_cell(cell) for cell in found.right],
        "text": f"{verb} {COST[found.lost]}",
    }


def _drawn(position: Position) -> dict[str, Any]:
    board = small_board(position.game, position)
    assert board is not None
    return {
        "position": str(position),
        "board": {"rows": board.rows, "grid": board.is_grid, "last": None},
        "side": SIDES[position.side],
    }


def _map_of(
    game: LineGame, samples: int | None, seed: int, tell: Tell, grown: Grown = None
) -> WrongMap:
    """Return the positions of a small game, or the sample of a larger one; the latest are kept."""
    number = _number(game, samples)
    key = game, number, 0 if number is None else seed
    if key not in _maps:
        population, number = _population(game, samples, seed, tell, grown)
        key = game, number, 0 if number is None else seed
        _maps[key] = WrongMap(population, is_whole=number is None)
        while len(_maps) > KEPT:
            _maps.popitem(last=False)
    _maps.move_to_end(key)
    return _maps[key]


def _population(
    game: LineGame, samples: int | None, seed: int, tell: Tell, grown: Grown = None
) -> tuple[Population, int | None]:
    """Return the positions with their values, and how many were drawn: None for all."""
    number = _number(game, samples)
    if number is not None and not can_draw(game):
        raise OptionError(
            f"{game.name!r} has more than {MOST_WHOLE:,} positions, which no solver has values of "
            "at once; expected a smaller game"
        )
    try:
        told = _counting(tell, game, number)
        population = population_of(game, number, seed, told, grown=grown)
    except _TooLarge:
        _too_large.add(game)
        return _population(game, samples, seed, tell, grown)
    tell({"text": f"finding out what {len(population.positions):,} positions are worth"})
    population.deciding()
    tell({"text": ""})
    return population, number


def _number(game: LineGame, samples: int | None) -> int | None:
    """Return how many positions are drawn of a game, None for all as far as is known."""
    if samples is None and game in _too_large:
        return QUICK_SAMPLES if is_known_late(game) else SLOW_SAMPLES
    return samples


def _counting(tell: Tell, game: LineGame, samples: int | None) -> Callable[[int], None]:
    """Return what tells how many positions have been found, and ends it where they are too many."""
    is_slow = samples is not None and not is_known_late(game)
    doing = SETTLING if is_slow else "looking for positions"
    tell({"text": doing})
    of = "" if samples is None else f" of {samples:,}"
    _, say = _telling(tell, f"{doing}: {{:,}}{of}")

    def told(number: int) -> None:
        if samples is None and number > MOST_WHOLE:
            raise _TooLarge
        say(number)

    return told


# Report cards


def report(request: ReportRequest, tell: Tell) -> dict[str, Any]:
    """Return the card, after telling that of fewer plies; it ends with the depth in which its time
    does."""
    game = game_of(request.game)
    heuristic = heuristic_of(request.heuristic, game)
    _, samples = _population(game, request.samples, request.seed, tell)
    began, found = perf_counter(), dict[str, Any]()
    try:
        for depth in range(1, request.depths + 1):
            tell({"text": f"searching {plies_text(depth)}"})
            card = report_card(heuristic, game, depth, samples=samples, seed=request.seed)
            found = _card_data(card, heuristic.name)
            tell(found)
            if perf_counter() - began > request.seconds:
                break
    except KeyboardInterrupt:
        if not found:
            raise
    return found


def _card_data(card: ReportCard, name: str) -> dict[str, Any]:
    worst = [
        {
            **_drawn(item.position),
            "plays": [item.chosen],
            "right": [item.better],
            "text": mistake_text(item),
        }
        for item in card.worst
    ]
    title, *rows = card_rows([card])
    return {
        "card": card.as_dict(),
        "title": title,
        "rows": [row and [row[0], *row[1]] for row in rows],
        "notes": [*card_notes([card]), *card.notes],
        "boards": worst,
    }


# Certificates


def certify(request: CertifyRequest, tell: Tell) -> dict[str, Any]:
    """Return the certificate, and its answer in words."""
    game = game_of(request.game)
    agent = agent_of(request.agent, game)
    _, progress = _telling(tell, "{:,} positions")
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
    is_due, _ = _telling(tell, "")

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
    verdict, *findings = match_findings(result)
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
        "verdict": verdict,
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
    if len(players) > MOST_RATED:
        raise OptionError(f"{len(players):,} players; expected at most {MOST_RATED}")
    ratings = fit_ratings(results)
    games: Counter[str] = Counter()
    for first, second, _, number in results:
        games[first] += number
        games[second] += number
    played, distinct = sum(number for *_, number in results), request.distinct
    repeated = distinct is not None and distinct < played
    ranked = sorted(ratings.by_player.items(), key=lambda item: -round(item[1].value, RANKED_TO))
    return {
        "players": [
            {"name": name, "text": elo(found), "games": games[name], **by_name(found)}
            for name, found in ranked
        ],
        "text": f"the first move is worth {elo(ratings.first_move)} Elo ({INTERVALS})",
        "note": f"{times(distinct or 0, 'different game')}: {REPEATED}" if repeated else None,
    }


def _telling(tell: Tell, text: str) -> tuple[Callable[[], bool], Callable[[int], None]]:
    """Return whether it is time for another message, and what tells numbers when it is."""
    due = 0.0

    def is_due() -> bool:
        nonlocal due
        is_it = perf_counter() >= due
        if is_it:
            due = perf_counter() + TELLS
        return is_it

    def told(number: int) -> None:
        if is_due():
            tell({"text": text.format(number)})

    return is_due, told
