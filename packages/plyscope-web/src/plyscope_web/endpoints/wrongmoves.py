"""The endpoint that finds a heuristic's wrong moves in all positions of a game, or in a sample."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

from plyscope.errors import OptionError
from plyscope.faces.diagrams.smallboard import small_board, small_drawing
from plyscope.faces.findings.cards import COST
from plyscope.jsonable import by_name
from plyscope.lab.judging.arrays import Flags
from plyscope.lab.judging.population import Population
from plyscope.lab.judging.populations import population_of
from plyscope.lab.judging.sample import Sample
from plyscope.lab.judging.sampling import Drawn, Grown, can_draw, is_known_late
from plyscope.progress import Count
from plyscope.rules.game import SIDES
from plyscope.rules.linegame import LineGame
from plyscope_web.endpoints import Tell, sparingly
from plyscope_web.endpoints.inputs import game_of, heuristic_of
from plyscope_web.requests import WrongRequest
from plyscope_web.wrongmap import Compared, Judged, WrongMap

MAX_EXHAUSTIVE_POSITIONS = 20_000
"""The greatest number of positions of a game that is examined whole; a larger one is sampled."""
QUICK_SAMPLES, SLOW_SAMPLES = 1000, 100
"""The size of a sample if the solver of the game is fast, and if it is slow."""
PARTIAL_SAMPLES = (10, 20, 40, 80)
"""The numbers of sampled positions after which a partial result is sent."""
RANDOM_SOURCE = "positions of random games, solved one by one"
MAX_CACHED = 3
"""The greatest number of cached maps of wrong moves."""
MAX_SHOWN = 8
"""The greatest number of positions drawn in each group: wrong, fixed, regressed."""

_maps: OrderedDict[tuple[LineGame, int | None, int], WrongMap] = OrderedDict()
_too_large: set[LineGame] = set()


class _TooLarge(Exception):
    pass


def wrong(request: WrongRequest, tell: Tell) -> dict[str, Any]:
    """Return the number of wrong moves, the comparison with `before`, and example positions.

    For a sample that is slow to draw, partial results cover the positions drawn so far. If the
    request is cancelled, the last of them is the result.
    """
    game = game_of(request.game)
    heuristic_of(request.heuristic, game)  # raises for a heuristic that the page refuses

    part: WrongMap | None = None

    def tell_part(drawn: Drawn) -> None:
        nonlocal part
        if (number := len(drawn.positions)) in PARTIAL_SAMPLES:
            part = WrongMap(Sample.of(game, drawn), is_whole=False)
            of = _number(game, request.samples)
            tell({**_wrong(request, part), "text": f"{RANDOM_SOURCE}: {number:,} of {of:,}"})

    try:
        map_ = _map_of(game, request.samples, request.seed, tell, tell_part)
    except KeyboardInterrupt:
        if part is None:
            raise
        map_ = part
    return _wrong(request, map_)


def _wrong(request: WrongRequest, map_: WrongMap) -> dict[str, Any]:
    """Return the response for the positions of a map of wrong moves."""
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
        "drawing": by_name(small_drawing(game)),
    }
    if request.before is None:
        return found
    before = map_.judge(heuristic_of(request.before, game), request.depth)
    both = Compared(before, after)
    found["boards"] |= {
        "fixed": _boards(map_, both.fixed, before, after),
        "regressed": _boards(map_, both.regressed, after),
    }
    return {
        **found,
        "before": _count(before),
        "fixed": int(both.fixed.sum()),
        "regressed": int(both.regressed.sum()),
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
    verb, boards = "costs" if now is None else "cost", []
    for found in map_.shown(is_in, wrong, MAX_SHOWN, now):
        name = found.position.game.format_cell
        plays, right = map(name, found.plays), map(name, found.right)
        boards.append(as_board(found.position, plays, right, f"{verb} {COST[found.lost]}"))
    return boards


def as_board(
    position: Any, plays: Iterable[str], right: Iterable[str], text: str
) -> dict[str, Any]:
    """Return a position as a small board, with the moves that are played, the right moves and a
    text."""
    board = small_board(position.game, position)
    assert board is not None
    return {
        "position": str(position),
        "board": board.as_dict(),
        "side": SIDES[position.side],
        "plays": [*plays],
        "right": [*right],
        "text": text,
    }


def _map_of(
    game: LineGame, samples: int | None, seed: int, tell: Tell, grown: Grown = None
) -> WrongMap:
    """Return the map of a small game, or of a sample of a larger one; the latest are cached."""
    number = _number(game, samples)
    key = game, number, 0 if number is None else seed
    if key not in _maps:
        population, number = labelled(game, samples, seed, tell, grown)
        key = game, number, 0 if number is None else seed
        _maps[key] = WrongMap(population, is_whole=number is None)
        while len(_maps) > MAX_CACHED:
            _maps.popitem(last=False)
    _maps.move_to_end(key)
    return _maps[key]


def labelled(
    game: LineGame, samples: int | None, seed: int, tell: Tell, grown: Grown = None
) -> tuple[Population, int | None]:
    """Return the solved positions, and the size of the sample, None for all positions."""
    number = _number(game, samples)
    if number is not None and not can_draw(game):
        raise OptionError(
            f"{game.name!r} has more than {MAX_EXHAUSTIVE_POSITIONS:,} positions and no solver "
            "that is fast enough for a sample; expected a smaller game"
        )
    try:
        told = _counting(tell, game, number)
        population = population_of(game, number, seed, told, grown=grown)
    except _TooLarge:
        _too_large.add(game)
        return labelled(game, samples, seed, tell, grown)
    tell({"text": f"solving {len(population.positions):,} positions"})
    len(population.critical)  # which solves them
    tell({"text": ""})
    return population, number


def _number(game: LineGame, samples: int | None) -> int | None:
    """Return the size of a game's sample, None for all positions unless known to be too many."""
    if samples is None and game in _too_large:
        return QUICK_SAMPLES if is_known_late(game) else SLOW_SAMPLES
    return samples


def _counting(tell: Tell, game: LineGame, samples: int | None) -> Count:
    """Return a callback that reports the number of positions found.

    It raises _TooLarge if a game without a sample has more than MAX_EXHAUSTIVE_POSITIONS.
    """
    is_slow = samples is not None and not is_known_late(game)
    doing = RANDOM_SOURCE if is_slow else "looking for positions"
    tell({"text": doing})
    of = "" if samples is None else f" of {samples:,}"
    say = sparingly(tell)

    def told(number: int) -> None:
        if samples is None and number > MAX_EXHAUSTIVE_POSITIONS:
            raise _TooLarge
        say(lambda: {"text": f"{doing}: {number:,}{of}"})

    return told
