"""Signs on the page: drawn on the board, checked before they are followed, named after each reply."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

import oracles
import plyscope as ps
from looking import expect
from plyscope.errors import PlyscopeError
from plyscope.rules.game import random_position
from plyscope.solving.ask import Ask
from plyscope_fast.solving.signs import sign_finder
from plyscope_web.endpoints import answer, read
from sentences import refuses, says
from sizes import sized

from .test_page import Visit, button, visit

__all__ = ["visit"]

BOARDS = {"4,4,4,gravity": 4, "5,4,4,gravity": 4, "4,4,3,gravity": 3}
NEAR = "4,4,4,gravity O.O./X.X./X.OO/O.XX"
WON = "......./....X../..O.X../..X.O../X.O.O../XOO.X.X"


def ask(endpoint: str, **asked: Any) -> dict[str, Any]:
    return answer(endpoint, read(endpoint, json.dumps(asked).encode()), lambda told: None)


def cells_of(position: ps.Position) -> list[str]:
    owners = map(position.owner, range(position.game.size))
    return ["." if owner is None else "XO"[owner] for owner in owners]


def every_sign(given: dict[str, Any]) -> str:
    """Return a sign for each cell of the board, 0 where none is given."""
    board, signs = cells_of(ps.parse(given["position"])), iter(given["signs"])
    return "".join(next(signs) if stone == "." else "0" for stone in board)


def some_later(position: ps.Position, draw: random.Random) -> ps.Position:
    """Return a position some random moves later, which obey no signs."""
    later: ps.Position = random_position(position, draw, draw.randrange(4))
    return later


def forged(draw: random.Random, game: Any) -> tuple[ps.Position, dict[str, Any]]:
    """Return a position, and signs that were found or made up, for any side and result, of it or of
    another position."""
    early, late = game.size // 2 - 2, game.size - 3
    start = random_position(game.start(), draw, draw.randrange(early, late))
    while start.is_over:
        start = random_position(game.start(), draw, draw.randrange(early, late))
    side, least, count = draw.randrange(2), draw.randrange(2), start.empty.bit_count()
    found = sign_finder(game).find(Ask(start, limit=50_000), side, least)
    signs = [*map(str, found or draw.choices(range(7), k=count))]
    for _ in range(draw.randrange(3)):
        signs[draw.randrange(count)] = draw.choice("0123456")
    given = {"position": str(start), "side": "xo"[side], "at_least": least, "signs": "".join(signs)}
    if draw.random() < 0.1:
        given["side"], given["at_least"] = draw.choice("xo"), draw.randrange(2)
    if draw.random() < 0.1:
        start = random_position(game.start(), draw, draw.randrange(early, late))
    return some_later(start, draw), given


@pytest.mark.parametrize("name", BOARDS)
def test_follows_signs_exactly_where_brute_force_says_that_they_hold(name: str) -> None:
    draw, followed, refused, game = random.Random(54), 0, 0, ps.parse_game(name)
    lines, width = oracles.lines(game.shape, BOARDS[name]), game.shape[0]
    for _ in range(sized(60, 5_000)):
        position, given = forged(draw, game)
        side, mover = given["side"].upper(), "XO"[position.side]
        board, signs, least = cells_of(position), every_sign(given), given["at_least"]
        holds = not position.is_over and mover == side
        holds = holds and oracles.signs_hold(board, width, lines, side, mover, signs, least)
        try:
            found = ask("follow", position=str(position), signs=given)
        except PlyscopeError:
            assert not holds, (position, given)
            refused += 1
            continue
        assert holds, (position, given)
        asked = oracles.asked_by_signs(board, width, lines, side, signs)
        assert found["cell"] in asked
        assert found["move"] == game.format_cell(found["cell"])
        sign = re.search(r"sign (\d) on (\w\d)", found["sentence"])
        if sign is None:
            after = position.play(found["cell"])
            assert (after.winner == position.side) == ("completes" in found["sentence"])
        else:
            assert (sign[1], sign[2]) == (signs[found["cell"]], found["move"])
        followed += 1
    assert min(followed, refused) > sized(5, 500), (followed, refused)


def test_sends_the_signs_of_a_reason_with_what_they_mean() -> None:
    reason = ask("solve", position=WON)["reason"]
    assert reason["kind"] == "signs"
    why = ps.why(WON)
    assert why.signs is not None
    assert reason["signs"]["guide"] == why.signs.as_dict()
    told = {mark["cell"]: mark["text"] for mark in reason["signs"]["marks"]}
    assert told == why.signs.marks
    says("the legend of signs", reason["signs"]["legend"])
    says("the title of a sign", reason["signs"]["marks"][0]["title"])
    assert ask("solve", position="tictactoe b2 a2")["reason"]["signs"] is None


@pytest.mark.parametrize(
    "changed",
    [
        {"signs": "9" * 28},
        {"signs": "0" * 28},
        {"signs": "333"},
        {"side": "x"},
        {"position": "tictactoe"},
    ],
)
def test_names_what_is_wrong_with_signs(changed: dict[str, str]) -> None:
    position = "......./....X../..O.X../..X.O../X.O.O.X/XOO.XOX"
    signs = ask("solve", position=WON)["reason"]["signs"]["guide"]
    assert ask("follow", position=position, signs=signs)["move"] == "f2"
    with refuses(PlyscopeError):
        ask("follow", position=position, signs=signs | changed)


def test_refuses_signs_that_take_long_to_check_soon() -> None:
    position = "8,8,4,gravity"
    signs = {"position": position, "side": "x", "at_least": 0, "signs": "65" * 32}
    with pytest.raises(PlyscopeError, match="signs '6565"):
        ask("follow", position=position, signs=signs)


def test_draws_the_signs_of_a_reason_and_follows_them_against_own_replies(visit: Visit) -> None:
    page = visit.go(f"room=analyze&position={NEAR}")
    said = page.locator(".pointed")
    said.get_by_text("4 wins by these signs: one of a pair d4; claimodd b1.").wait_for()
    expect(page.locator(".notes .sign")).to_have_text(["2", "3"])
    page.get_by_role("gridcell", name="d4, empty, 2, sign 2: one of a pair", exact=True).wait_for()
    page.get_by_role("gridcell", name=re.compile("^b1, empty, .*, sign 3: claimodd$")).wait_for()
    page.get_by_text("X completes a line if it can, else blocks one").wait_for()
    button(page, "Play it out").click()
    page.wait_for_url(re.compile("moves=d3"))
    page.get_by_role("gridcell", name=re.compile("^d4, empty")).click()  # O takes one of the pair
    said.get_by_text("X plays 2: sign 3 on b1, claimodd.").wait_for()
    page.wait_for_url(re.compile("moves=d3,d4,b1"))
    said.get_by_text(re.compile("^X plays 2: it completes a line")).wait_for()
    page.get_by_text("X has won").wait_for()
    page.get_by_role("radio", name="threats").check()
    expect(page.locator(".notes .sign")).to_have_count(0)
