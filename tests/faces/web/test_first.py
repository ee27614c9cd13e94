"""The first screen, and the picker of games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra test-page").expect


@pytest.fixture
def page(browser: Any, server: str) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(30_000)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(server)
    page.locator(".inside").wait_for()
    yield page
    assert complaints == []
    context.close()


def named(page: Any, name: str) -> Any:
    return page.get_by_role("button", name=re.compile(name))


def test_six_pictures_lead_to_what_they_show_and_the_name_leads_back(page: Any) -> None:
    expect(page.locator(".offer-list .picture")).to_have_count(6)
    expect(page).to_have_title("plyscope")
    named(page, "^Connect Four ").click()
    page.get_by_role("grid", name=re.compile("^connect4")).wait_for()
    assert page.url.endswith("#room=play&position=connect4")
    page.get_by_role("button", name="plyscope").click()
    named(page, "^A tree").click()
    page.get_by_role("treeitem").first.wait_for()
    page.go_back()
    expect(page).to_have_title("plyscope")  # a click before that would be another way back
    named(page, "See it think").click()
    page.get_by_role("gridcell", name=re.compile("^c2, X, last move")).wait_for()
    expect(page).to_have_title("connect4 4444433 · Analyse · plyscope")
    page.go_back()
    named(page, "^Qubic").wait_for()


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


def test_a_room_that_is_being_left_writes_nothing_into_the_address(page: Any) -> None:
    page.goto(page.url.split("#")[0] + "#room=trees&position=connect4")
    page.get_by_role("treeitem").first.wait_for()
    page.get_by_role("button", name="Next", exact=True).wait_for()
    page.evaluate(LEAVE_AND_STEP)
    named(page, "^Qubic").wait_for()
    assert page.evaluate("location.hash") == ""


def test_the_picker_says_a_game_by_picture_by_numbers_and_by_text(page: Any) -> None:
    page.get_by_text("Another game").click()
    text = page.get_by_label("Game or position")
    said = page.locator(".picker .help")
    expect(said).to_have_text(re.compile("^7,7,4,torus: 4 in a line on 7×7"))
    expect(page.locator(".picker .games .picture")).to_have_count(
        page.locator(".picker .games button").count()
    )
    named(page, "^connect4$").click()
    expect(page.get_by_label("gravity")).to_be_checked()
    expect(page.get_by_label("Rows")).to_have_value("6")
    page.get_by_label("Columns").fill("8")
    page.get_by_label("Columns").press("Tab")
    expect(text).to_have_value("8,6,4,gravity")
    page.get_by_label("misère").check()
    expect(text).to_have_value("8,6,4,gravity,misere")
    text.fill("torus 5,5,4")
    expect(page.get_by_label("torus")).to_be_checked()
    expect(page.get_by_label("gravity")).not_to_be_checked()
    text.fill("gomokku")
    expect(said).to_have_text(re.compile("perhaps gomoku"))
    text.fill("3x3x3")
    expect(named(page, "^cube$")).to_have_attribute("aria-pressed", "true")
    page.locator(".other").get_by_role("button", name="Play").click()
    expect(page.get_by_role("gridcell")).to_have_count(27)


def test_one_change_of_a_game_is_not_lost_in_the_next(page: Any) -> None:
    page.get_by_text("Another game").click()
    expect(page.locator(".picker .help")).to_have_text(re.compile("^7,7,4,torus: "))
    columns = page.get_by_label("Columns")
    columns.evaluate("input => { input.value = '9'; input.dispatchEvent(new Event('change')); }")
    page.get_by_label("misère").evaluate("input => input.click()")
    page.get_by_label("exactly").evaluate("input => input.click()")
    expect(page.get_by_label("Game or position")).to_have_value("9,7,4,torus,misere,exactly")


def test_play_begins_what_is_picked(page: Any, server: str) -> None:
    page.goto(f"{server}/#room=play&o=human")
    page.get_by_label("Game or position").fill("misere tictactoe")
    page.get_by_role("button", name="New game").click()
    page.get_by_role("grid", name=re.compile("^misere-tictactoe")).wait_for()
    assert "position=misere-tictactoe" in page.url


def test_all_scripts_come_in_one_file_that_a_browser_keeps(page: Any, server: str) -> None:
    loaded = page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => name).filter(name => name.endsWith('.js'))"
    )
    assert [url.removeprefix(f"{server}/static/").split("/")[1:] for url in loaded] == [["main.js"]]
    assert "immutable" in page.request.get(loaded[0]).headers["cache-control"]
