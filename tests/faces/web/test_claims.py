"""What the page calls proved, the plies it tells, and the moves it calls the only ones: held to an
oracle that knows nothing but the rules, on random positions of all sorts of small games."""

from __future__ import annotations

import json
import random
import re
from typing import Any, NamedTuple

import pytest

import plyscope as ps
from oracles import LineRules
from plyscope_web.endpoints import answer, read

GAMES: dict[str, tuple[dict[str, Any], int]] = {
    "tictactoe": ({"sizes": (3, 3), "k": 3}, 2),
    "misere-tictactoe": ({"sizes": (3, 3), "k": 3, "misere": True}, 2),
    "torus-tictactoe": ({"sizes": (3, 3), "k": 3, "round": (0, 1)}, 2),
    "4,4,3,misere": ({"sizes": (4, 4), "k": 3, "misere": True}, 9),
    "4,4,3,exactly": ({"sizes": (4, 4), "k": 3, "exactly": True}, 9),
    "4,4,4,stones=2,first=2": ({"sizes": (4, 4), "k": 4, "stones": 2, "first": 2}, 9),
    "4,4,3,stones=2,misere": ({"sizes": (4, 4), "k": 3, "stones": 2, "misere": True}, 9),
    "4,4,3,gravity,torus": ({"sizes": (4, 4), "k": 3, "gravity": True, "round": (0, 1)}, 7),
}
"""By name: their rules as the oracle has them, and the least number of stones."""
POSITIONS = 5


class Truth(NamedTuple):
    """To the side to move; the plies to the end, None for a draw."""

    value: int
    plies: int | None


def ask(endpoint: str, **asked: Any) -> dict[str, Any]:
    return answer(endpoint, read(endpoint, json.dumps(asked).encode()), lambda told: None)


def truth(rules: LineRules, position: ps.Position, side: int) -> Truth:
    """Return what the oracle says of a position, in the view of a side."""
    width = position.game.width

    def stones(board: int) -> frozenset[tuple[int, ...]]:
        cells = range(position.game.size)
        return frozenset((cell % width, cell // width) for cell in cells if board >> cell & 1)

    value, plies = rules.outcome((stones(position.first), stones(position.second)))
    return Truth(-value if side else value, plies)


def some_positions(name: str, least: int) -> list[ps.Position]:
    draw, found = random.Random(f"claims {name}"), []
    while len(found) < POSITIONS:
        position = ps.parse(name)
        for _ in range(draw.randrange(least, position.game.size - 1)):
            position = position if position.is_over else position.play(draw.choice(position.moves))
        if not position.is_over and (position.first | position.second).bit_count() >= least:
            found.append(position)
    return found


def said(words: str) -> Truth | None:
    """Return what some words claim, None where they claim nothing."""
    found = re.search(r"\b(?:(win|loss|loses|draws)|wins)\b(?: in (\d+))?", words)
    if found is None:
        return None
    value = {"loss": -1, "loses": -1, "draws": 0}.get(found[1] or "", 1)
    return Truth(value, int(found[2]) if found[2] else None)


def holds(claim: Truth | None, known: Truth) -> bool:
    """Whether a claim is so: a win may be seen late by a search, and never before it is there."""
    if claim is None:
        return True
    is_so = claim.plies is None or known.plies is None or claim.plies >= known.plies
    return claim.value == known.value and is_so


@pytest.mark.parametrize("name", GAMES)
def test_makes_only_true_claims(name: str) -> None:
    options, least = GAMES[name]
    rules = LineRules(**options)
    for position in some_positions(name, least):
        text, game = str(position), position.game
        known = truth(rules, position, position.side)
        of_moves = {}
        for move in position.moves:
            value, plies = truth(rules, position.play(move), position.side)
            of_moves[move] = Truth(value, None if plies is None else plies + 1)
        for algorithm in ("engine", "alphabeta", "pvs"):
            found = ask("analyze", position=text, algorithm=algorithm, seconds=0.3)
            for item in found["moves"]:
                if item["sign"] == "=":
                    assert holds(said(item["text"]), of_moves[item["cell"]]), (text, item)
                if item["sign"] == "=" and found["settled"]:
                    sign = (item["value"] > 0) - (item["value"] < 0)
                    assert sign == of_moves[item["cell"]].value, (text, item)
        hint = ask("suggest", position=text, seconds=0.3)
        if hint["proved"]:
            assert of_moves[hint["cell"]].value == known.value, (text, hint)
            alike = [each for each in of_moves.values() if each.value == known.value]
            assert "only move" not in hint["sentence"] or len(alike) == 1, (text, hint)
        for move in position.moves[:2]:
            cell = game.format_cell(move)
            tried = ask("attempt", position=text, move=cell, seconds=0.2)
            assert holds(said(tried["said"].partition(":")[0]), of_moves[move]), (text, tried)
            if tried["proved"]:
                assert tried["right"] == (of_moves[move].value == known.value), (text, tried)
            refuted = ask("refute", position=text, move=cell, seconds=0.2)["text"]
            own = re.split(r", answered|; ", refuted)[0].rpartition(": ")[2]
            assert holds(said(own), of_moves[move]), (text, refuted)
