"""JSON-ready data of positions, search results and proofs for the page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from plyscope.faces.diagrams.ground import MAX_LINES, ground_of, last_of, stones_of, strike_of
from plyscope.faces.wording import doubt
from plyscope.jsonable import by_name
from plyscope.rules.cells import parse_cell
from plyscope.rules.game import SIDES, GamePosition, move_text, side_text, spoken
from plyscope.rules.games import GAMES, spec_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.result import SearchResult, line_text
from plyscope.searching.score import format_score
from plyscope.solving.verdict import Verdict
from plyscope_web.endpoints.inputs import Asked
from plyscope_web.endpoints.players import agents_for

if TYPE_CHECKING:
    from plyscope_fast.solving.signs import Signs
    from plyscope_fast.solving.why import Reason

KNOWN_WIN = re.compile(r"the first player wins \(([^()]+ \d{4})\)$")
"""A proved result in the summary of a game, with its source."""


def position_data(asked: Asked) -> dict[str, Any]:
    """Return the data to draw a position, with the side to move and the winner."""
    position = asked.position
    drawn = _board_data(position) if isinstance(position, Position) else _text_data(position)
    return {
        "position": asked.text,
        "game": position.game.name,
        "summary": position.game.summary,
        "known": _known_result(position),
        **drawn,
        "agents": agents_for(position.game),
        "side": SIDES[position.side],
        "over": asked.is_over,
        "winner": side_text(position.winner),
    }


def _known_result(position: Any) -> str | None:
    """Return the source of the result of a game of the catalogue that the first player wins, on its
    empty board; else None."""
    if not isinstance(position, Position) or position.first | position.second:
        return None
    is_listed = position.game in GAMES.values()
    found = KNOWN_WIN.search(position.game.summary) if is_listed else None
    return found[1] if found else None


@lru_cache(maxsize=64)
def drawing_data(game: LineGame) -> dict[str, Any]:
    """Return the board and its stones as JSON-ready data; for a cube, also its lines."""
    ground = ground_of(game)
    is_lit = len(ground.levels) > 1 and len(game.lines) <= MAX_LINES
    return by_name(
        ground,
        box=tuple(round(at, 3) for at in ground.box),
        row=(ground.row[0], round(ground.row[1], 4)),
        stones=stones_of(ground),
        last=last_of(ground),
        lines=[line.cells() for line in game.lines] if is_lit else None,
    )


def _text_data(position: GamePosition) -> dict[str, Any]:
    """Return a position of a user-defined game: its text, and the names of its moves."""
    names = [move_text(position, move) for move in position.moves]
    margin = position.payoff if position.game.scored else None
    return {
        "text": str(position).splitlines(),
        "margin": None if margin is None else abs(margin),
        "shape": [],
        "spec": "",
        "gravity": False,
        "misere": False,
        "cells": "",
        "upcoming": "",
        "doubt": None,
        "names": names,
        "spoken": None,
        "moves": list(range(len(names))),
        "line": None,
        "strike": None,
        "drawing": None,
        "kinds": [],
        "longest": 0,
    }


def cell_of(position: Any, move: Any) -> int:
    """Return the number of a move on the page: its cell, or its index in the legal moves."""
    if isinstance(position, Position):
        return int(move)
    return list(position.moves).index(move)


def _board_data(position: Position) -> dict[str, Any]:
    """Return the board of a position; cells are numbered by row from the top left, by level."""
    game, line = position.game, position.winning_line()
    names = [game.format_cell(cell) for cell in range(game.size)]
    return {
        "text": None,
        "margin": None,
        "shape": list(game.shape),
        "spec": spec_of(game),
        "gravity": game.gravity,
        "misere": game.misere,
        "cells": "".join(_stone(position, cell) for cell in range(game.size)),
        "names": names,
        "spoken": [spoken(game, name) for name in names] if game.speaks_of_columns else None,
        "moves": list(position.moves),
        "upcoming": _upcoming(position),
        "doubt": doubt(position),
        "line": None if line is None else list(line.cells()),
        "strike": None if line is None else strike_of(game, line.cells()),
        "drawing": drawing_data(game),
        "kinds": sorted({line.kind for line in game.lines}),
        "longest": game.longest_line,
    }


def _stone(position: Position, cell: int) -> str:
    owner = position.owner(cell)
    return SIDES[owner] if owner is not None else "#" if position.game.holes >> cell & 1 else "."


def _upcoming(position: Position) -> str:
    """Return the sides of the stones to come, until the board is full."""
    game, put = position.game, (position.first | position.second).bit_count()
    left = range(game.board.bit_count() - put)
    if game.alternates:
        return "".join(SIDES[position.side ^ ply & 1] for ply in left)
    return "".join(SIDES[game.turn_at(put + ply)] for ply in left)


def result_data(result: SearchResult) -> dict[str, Any]:
    """Return a search result, with scores as numbers and as text."""
    lines: list[tuple[float, str, tuple[Any, ...]]]
    lines = [(item.value, "=", item.pv) for item in result.variations]
    lines = lines or [(result.value, result.bound.sign, result.pv)]
    values = {pv[0]: (value, sign) for value, sign, pv in lines if pv}
    for item in result.moves:
        if item.value is not None and item.bound is not None:
            values.setdefault(item.move, (item.value, item.bound.sign))

    def text(score: float) -> str:
        return format_score(score, result.conventions.scoring)

    def move_data(cell: Any, value: float, sign: str) -> dict[str, Any]:
        return {"cell": cell, "value": value, "sign": sign, "text": text(value)}

    def line_data(value: float, sign: str, pv: tuple[Any, ...]) -> dict[str, Any]:
        moves = line_text(result.position, pv)
        return {"value": value, "text": f"{sign} {text(value)}", "pv": moves, "cells": list(pv)}

    return {
        **by_name(result, "algorithm", "heuristic", "depth", "complete", "stopped", "value"),
        "settled": result.complete and result.conventions.scoring != "heuristic",
        "text": f"{result.bound.sign} {text(result.value)}",
        "best": list(result.best_moves),
        "moves": [
            move_data(item.move, *values[item.move]) for item in result.moves if item.move in values
        ],
        "lines": [line_data(*line) for line in lines],
        "nodes": result.last_nodes,
        **by_name(result, "cutoffs", "leaves", "seconds", "form"),
    }


def reason_data(reason: Reason | None) -> dict[str, Any] | None:
    """Return the sentence of a reason, its kind, its cells by number and its signs; None without
    one."""
    if reason is None:
        return None
    shape = reason.position.game.shape
    cells = [parse_cell(shape, name) for name in reason.cells]
    signs = None if reason.signs is None else _signs_data(reason.signs)
    return {"sentence": reason.sentence, "kind": reason.kind, "cells": cells, "signs": signs}


def _signs_data(signs: Signs) -> dict[str, Any]:
    """Return signs as `follow` takes them, as notes of the cells, and what they mean."""
    titles = {cell: f"sign {sign}: {signs.named(cell)}" for cell, sign in signs.marks.items()}
    return {
        "guide": signs.as_dict(),
        "marks": marks_data(signs.marks, titles),
        "legend": signs.legend,
    }


def marks_data(marks: Mapping[int, str], titles: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return what is written on cells, as notes of the page."""
    return [
        {"cell": cell, "kind": "sign", "text": text, "title": titles[cell]}
        for cell, text in marks.items()
    ]


def proof_data(verdict: Verdict) -> dict[str, Any]:
    """Return the verdict on a position of a line game, and on its moves if there is one."""
    return {
        **verdict.as_dict(),
        "position": str(verdict.position),
        "text": str(verdict),
        "moves": [by_name(item) for item in verdict.moves or ()],
        "best": list(verdict.best_moves),
    }
