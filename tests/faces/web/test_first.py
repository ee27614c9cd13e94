"""The first screen, and the picker of games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

import plyscope as ps
from looking import expect
from plyscope.lab.judging.puzzles import daily_puzzle
from waiting import until

from .conftest import opened


@pytest.fixture
def page(browser: Any, server: str) -> Iterator[Any]:
    with opened(browser) as page:
        page.goto(server)
        page.locator(".inside").wait_for()
        yield page


def named(page: Any, name: str) -> Any:
    return page.get_by_role("button", name=re.compile(name))


def test_four_pictures_link_to_what_they_show_and_the_name_links_back(page: Any) -> None:
    expect(page.locator(".offer-list .picture")).to_have_count(4)
    expect(page).to_have_title("plyscope")
    named(page, "^Connect Four ").click()
    page.get_by_role("grid", name=re.compile("^connect4")).wait_for()
    page.wait_for_url(lambda url: url.endswith("#room=play&position=connect4"))
    page.get_by_role("button", name="plyscope").click()
    named(page, "^Gomoku").click()
    page.get_by_role("grid", name=re.compile("^gomoku15")).wait_for()
    page.go_back()
    expect(page).to_have_title("plyscope")  # a click before that would be another way back
    named(page, "Analyse this position").click()
    page.get_by_role("gridcell", name=re.compile("^c3, X, last move")).wait_for()
    expect(page).to_have_title("connect4 435326173 · Analyse · plyscope")
    page.go_back()
    named(page, "^Gomoku").wait_for()


def test_shows_an_analysis_that_the_solver_confirms(page: Any) -> None:
    cells = page.locator(".hero [data-cell]")
    page.locator(".hero .note.proof").nth(6).wait_for(state="attached")
    verdict = ps.solve(ps.parse("connect4 435326173"))
    said = f"proved · in {verdict.distance} plies · best 4"
    expect(page.locator(".welcome .said")).to_have_text(f"O wins{said}")
    assert (verdict.value, verdict.best_moves) == (1, (31,))
    for item in verdict.moves:
        name = {1: "win", 0: "draw", -1: "loss"}[item.value] + f" {item.distance or ''}"
        expect(cells.nth(item.move)).to_have_attribute("title", re.compile(name.strip()))


def test_proves_the_puzzle_of_today_and_counts_its_streak(page: Any) -> None:
    named(page, "^Today's puzzle Connect Four: only one move wins").click()
    page.get_by_text(re.compile("^Puzzle: [XO] to move, only one move wins")).wait_for()
    today = page.evaluate("new Date().toLocaleDateString('sv')")
    puzzle = daily_puzzle(today)
    spoken = "abcdefg".index(puzzle.move[0]) + 1
    page.keyboard.press(str(spoken))
    page.get_by_text(f"Right: {spoken}", exact=True).wait_for()
    page.get_by_text("the puzzle of the day solved 1 day in a row").wait_for()
    page.get_by_role("button", name="plyscope").click()
    named(page, "^Today's puzzle .*solved 1 day in a row").wait_for()


LEAVE_AND_STEP = """() => {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    setTimeout(() => send.call(this, text), 300);
  };
  addEventListener("popstate", () => document.querySelector("[title='Next: n']").click(), {
    once: true,
  });
  history.back();
}"""
"""Take a step in Trees once the way back has begun, and before its place is known."""


def test_writes_nothing_into_the_address_while_leaving_a_room(page: Any) -> None:
    page.goto(page.url.split("#")[0] + "#room=trees&position=connect4")
    page.get_by_role("treeitem").first.wait_for()
    page.get_by_role("button", name="Next", exact=True).wait_for()
    page.evaluate(LEAVE_AND_STEP)
    named(page, "^Gomoku").wait_for()
    until(lambda: page.evaluate("location.hash"), "")


TORUS = "room=play&o=human&position=7,7,4,torus"


def test_picks_a_game_by_picture_by_numbers_and_by_text(page: Any, server: str) -> None:
    page.goto(f"{server}/#{TORUS}")
    text = page.get_by_label("Game or position")
    said = page.locator(".picker .help")
    expect(said).to_have_text(re.compile("^7,7,4,torus: 4 in a line on 7×7"))
    expect(page.locator(".picker .games .picture")).to_have_count(
        page.locator(".picker .games button").count()
    )
    page.locator(".picker .games button", has_text="Connect Four").click()
    expect(page.get_by_role("checkbox", name="gravity")).to_be_checked()
    expect(page.get_by_label("Rows", exact=True)).to_have_value("6")
    page.get_by_label("Columns", exact=True).fill("8")
    page.get_by_label("Columns", exact=True).press("Tab")
    expect(text).to_have_value("8,6,4,gravity")
    page.get_by_label("misère").check()
    expect(text).to_have_value("8,6,4,gravity,misere")
    text.fill("torus 5,5,4")
    expect(page.get_by_role("checkbox", name="torus")).to_be_checked()
    expect(page.get_by_role("checkbox", name="gravity")).not_to_be_checked()
    text.fill("gomokku")
    expect(said).to_have_text(re.compile("perhaps gomoku"))
    text.fill("3x3x3")
    expect(named(page, "^cube$")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("gridcell")).to_have_count(27)


def test_keeps_each_of_several_quick_changes_of_a_game(page: Any, server: str) -> None:
    page.goto(f"{server}/#{TORUS}")
    expect(page.locator(".picker .help")).to_have_text(re.compile("^7,7,4,torus: "))
    columns = page.get_by_label("Columns", exact=True)
    columns.evaluate("input => { input.value = '9'; input.dispatchEvent(new Event('change')); }")
    page.get_by_label("misère").evaluate("input => input.click()")
    page.get_by_label("exactly").evaluate("input => input.click()")
    expect(page.get_by_label("Game or position")).to_have_value("9,7,4,torus,misere,exactly")


def test_starts_the_picked_game(page: Any, server: str) -> None:
    page.goto(f"{server}/#room=play&o=human")
    page.get_by_text("Other boards and rules").click()
    page.get_by_label("Game or position").fill("misere tictactoe")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("grid", name=re.compile("^misere-tictactoe")).wait_for()
    page.wait_for_url(lambda url: "position=misere-tictactoe" in url)


def test_loads_all_scripts_in_one_cached_file(page: Any, server: str) -> None:
    loaded = page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => name).filter(name => name.endsWith('.js'))"
    )
    assert [url.removeprefix(f"{server}/static/").split("/")[1:] for url in loaded] == [["main.js"]]
    assert "immutable" in page.request.get(loaded[0]).headers["cache-control"]
