"""The page's address: the way back, titles, and links that say all that is seen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from looking import expect
from waiting import until

from .conftest import opened


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    with opened(browser) as page:
        yield page


def cell(page: Any, name: str) -> Any:
    return page.get_by_role("gridcell", name=re.compile(name))


def tab(page: Any, name: str) -> Any:
    return page.get_by_role("tab", name=name, exact=True)


def test_goes_back_from_move_to_move_and_from_room_to_room(page: Any, server: str) -> None:
    page.goto(f"{server}/#room=play&position=connect4&o=human")
    for name in ("d1", "d2"):
        cell(page, f"^{name}, empty").click()
        cell(page, f"^{name}, [XO]").wait_for()
    expect(page).to_have_title("connect4 44 · Play · plyscope")
    board = page.locator(".board").element_handle()
    page.go_back()
    cell(page, "^d2, empty").wait_for()
    expect(page).to_have_title("connect4 4 · Play · plyscope")
    until(board.is_visible)  # a place in the same game builds no room
    page.get_by_role("button", name="move 2, O 4").wait_for()
    page.go_forward()
    cell(page, "^d2, O").wait_for()
    tab(page, "Analyse").click()
    expect(page).to_have_title("connect4 44 · Analyse · plyscope")
    cell(page, "^c1, empty").click()
    cell(page, "^c1, X").wait_for()
    expect(page).to_have_title("connect4 443 · Analyse · plyscope")
    tab(page, "Trees").click()
    page.get_by_role("treeitem").first.wait_for()
    page.go_back()
    cell(page, "^c1, X").wait_for()
    page.go_back()
    cell(page, "^c1, empty").wait_for()
    expect(tab(page, "Analyse")).to_have_attribute("aria-selected", "true")
    page.go_back()
    expect(tab(page, "Play")).to_have_attribute("aria-selected", "true")
    cell(page, "^d2, O").wait_for()


def test_goes_back_past_an_agents_answer(page: Any, server: str) -> None:
    page.goto(f"{server}/#room=play&position=connect4&o=level-1")
    cell(page, "^d1, empty").click()
    page.get_by_text(re.compile(r"O played .*X to move")).wait_for()
    page.go_back()
    page.get_by_text("X to move", exact=True).wait_for()
    expect(page.locator(".taken, .cell[data-stone]")).to_have_count(0)
    page.go_forward()
    page.get_by_text(re.compile(r"O played .*X to move")).wait_for()


def test_restores_variations_after_a_reload(page: Any, server: str) -> None:
    page.goto(f"{server}/#room=play&position=tictactoe&o=human&moves=a1,b2")
    cell(page, "^b2, O").wait_for()
    page.get_by_role("button", name="Undo").click()
    cell(page, "^c3, empty").click()
    cell(page, "^c3, O").wait_for()
    page.wait_for_url(lambda url: url.endswith("moves=a1,c3&variations=a1,b2,(c3)"))
    page.reload()
    cell(page, "^c3, O").wait_for()
    page.get_by_role("button", name="move 2, O b2").click()
    cell(page, "^b2, O").wait_for()


def test_keeps_the_game_after_a_link_to_another_room(page: Any, server: str) -> None:
    page.goto(f"{server}/#room=play&position=connect4&moves=d1,d2&o=human")
    cell(page, "^d2, O").wait_for()
    page.evaluate("location.hash = 'room=trees&tree=[[5,3],[2,[8,1]]]&colour=red'")
    told = page.locator(".offline", has_text="unknown key 'colour'")
    expect(told).to_be_visible()
    page.get_by_role("treeitem").first.wait_for()
    expect(page).to_have_title(re.compile("Trees · plyscope$"))
    page.go_back()
    cell(page, "^d2, O").wait_for()
    expect(told).to_be_hidden()


def test_shows_that_a_link_was_copied(page: Any, server: str) -> None:
    page.context.grant_permissions(["clipboard-write", "clipboard-read"])
    page.goto(f"{server}/#room=play&position=connect4")
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Link", exact=True).click()
    expect(page.locator(".told")).to_be_visible()
    until(lambda: page.evaluate("navigator.clipboard.readText()"), page.url)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("room=play&shelf=attic", "shelf 'attic'; expected moves, new, review, puzzles"),
        ("room=analyze&shelf=attic", "shelf 'attic'; expected lines, heuristic, why, game"),
        ("room=trees&algorithm=engine", "algorithm 'engine'; expected "),
        ("room=trees&step=99", "step '99'; expected a whole number 0 to 30"),
        ("room=trees&position=tictactoe&depth=9", "depth '9'; expected a whole number 1 to 8"),
    ],
)
def test_reports_bad_values_that_only_the_room_can_check(
    page: Any, server: str, place: str, said: str
) -> None:
    page.goto(f"{server}/#{place}")
    told = page.locator(".offline", has_text=said)
    expect(told).to_be_visible()
    page.wait_for_url(lambda url: url.endswith(place))
    page.get_by_role("heading", level=1).click()
    expect(told).to_be_hidden()
