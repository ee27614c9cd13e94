"""The endpoints for catalogues, drawn positions, and evaluations by heuristics."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from plyscope.evaluation.evaluate import evaluate_moves
from plyscope.evaluation.heuristics import HEURISTICS
from plyscope.evaluation.notes import notes_on
from plyscope.evaluation.patterns import counting
from plyscope.evaluation.tablefile import table_data
from plyscope.extras import MissingPackageError
from plyscope.faces.wording import line_name
from plyscope.jsonable import by_name
from plyscope.lab.agents.catalogue import AGENTS
from plyscope.rules.game import SIDES, move_text, parse_side, read_move
from plyscope.rules.games import GAMES
from plyscope.rules.linegame import LineGame
from plyscope.rules.symmetry import symmetries
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.conventions import CHOICES
from plyscope_web.endpoints import Tell
from plyscope_web.endpoints.inputs import (
    asked_of,
    heuristic_of,
    own_heuristics,
    own_start,
    position_of,
    text_reader,
)
from plyscope_web.endpoints.present import cell_of, position_data
from plyscope_web.requests import (
    CataloguesRequest,
    ExplainRequest,
    PlayRequest,
    ShowRequest,
)

MAX_MIRRORED = 64
"""Cells of the largest board whose symmetries are computed."""


def catalogues(request: CataloguesRequest, tell: Tell) -> dict[str, Any]:
    """Return the catalogues of games, heuristics, algorithms and agents."""
    algorithms = [
        by_name(
            item,
            *("name", "summary", "source"),
            takes=sorted(item.takes),
            choices={name: CHOICES[name] for name in CHOICES if name in item.takes},
            told=not item.is_engine,
            exact=item.is_exact,
            lines=item.needs_lines,
        )
        for item in ALGORITHMS.values()
    ]
    own, own_ones = own_start.get(), own_heuristics.get()
    return {
        "own": None if own is None else own.game.name,
        "games": _named([*([] if own is None else [own.game]), *GAMES.values()]),
        "heuristics": _named((*HEURISTICS.values(), *own_ones)),
        "own_heuristics": [each.name for each in own_ones],
        "writes": text_reader.get() is not None,
        "algorithms": algorithms,
        "agents": _named(AGENTS.values()),
    }


def _named(items: Iterable[Any]) -> list[dict[str, Any]]:
    return [by_name(item, "name", "summary") for item in items]


def show(request: ShowRequest, tell: Tell) -> dict[str, Any]:
    """Return the data to draw the position."""
    return position_data(asked_of(request.position))


def play(request: PlayRequest, tell: Tell) -> dict[str, Any]:
    """Return the data to draw the position after the move."""
    asked = asked_of(request.position)
    before = asked.position
    move = read_move(before, request.move)
    after = position_data(asked.after(move))
    return {**after, "move": move_text(before, move), "cell": cell_of(before, move)}


def explain(request: ExplainRequest, tell: Tell) -> dict[str, Any]:
    """Return the evaluation of a position by line, and the evaluation after each move."""
    position = position_of(request.position)
    heuristic = heuristic_of(request.heuristic, position.game)
    side = position.side if request.side is None else parse_side(request.side)
    explanation = heuristic.explain(position, side)
    lines = explanation.lines
    shares = [
        {
            "line": line_name(position.game, share.cells),
            **by_name(share, "cells", "kind", "mine", "theirs", "table", "weight", "value"),
        }
        for share in lines or ()
        if share.value
    ]
    after = evaluate_moves(position.game, position, heuristic, side, position.moves)
    return {
        "heuristic": heuristic.name,
        "side": SIDES[side],
        "total": explanation.total,
        "sum": explanation.total if lines is None else explanation.sum,
        "lines": sorted(shares, key=lambda share: -abs(share["value"])),
        "silent": None if lines is None else len(lines) - len(shares),
        "after": [{"cell": move, "value": value} for move, value in after.items()],
        "terms": [by_name(share, "term", "value") for share in explanation.terms],
        "notes": list(notes_on(heuristic, position.game)),
        "table": table_data(heuristic),
        "scope": _scope(position.game),
    }


@lru_cache(maxsize=32)
def _scope(game: LineGame) -> dict[str, Any]:
    """Return which terms of a line table apply to a game, and its symmetric cells."""
    names = [game.format_cell(cell) for cell in range(game.size)]
    images = symmetries(game) if game.size <= MAX_MIRRORED else ()
    orbits = {frozenset(image[cell] for image in images): cell for cell in range(game.size)}
    return {
        "orbits": [[names[cell] for cell in sorted(orbit)] for orbit in orbits if orbit],
        "rows": game.gravity,
        "unsafe": game.gravity or game.misere,
        "patterns": _patterns(game),
    }


def _patterns(game: LineGame) -> list[list[int]]:
    """Return the patterns that the game can have; none without the package that counts them."""
    try:
        return [*map(list, counting().possible_patterns(game))]
    except MissingPackageError:
        return []
