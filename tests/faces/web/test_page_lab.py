"""The bench and the lab in a browser: a table follows its sliders, has a name, and is measured."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import pytest

import plyscope as ps
from looking import expect, hold, release
from plyscope.lab.judging.populations import population_of
from plyscope_optima import conflicts
from plyscope_web.wrongmap import WrongMap
from waiting import until

from .conftest import opened

playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra test-page")

WIDE = {"width": 1280, "height": 800}
COUNTED = {(1, 0): 1, (2, 0): 3, (3, 0): 8, (0, 1): -1, (0, 2): -3, (0, 3): -8}


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    with opened(browser, hears_console=True, viewport=WIDE, reduced_motion="reduce") as page:
        yield page


def go(page: Any, server: str, place: str) -> None:
    page.goto("about:blank")
    page.goto(f"{server}/#{place}")
    page.locator(".inside").wait_for()


def button(page: Any, name: str | re.Pattern[str]) -> Any:
    return page.get_by_role("button", name=name, exact=isinstance(name, str))


def wrong_moves(**changes: int) -> str:
    """Return in how many positions a changed table may go wrong one ply ahead, as the page writes
    it."""
    table = ps.LineTable("t", COUNTED | {(0, 2): changes["theirs"]})
    judged = WrongMap(population_of(ps.GAMES["tictactoe"], None, 0), True).judge(table, 1)
    return f"{judged.faulty:,}"


def test_updates_the_count_of_wrong_moves_with_a_slider(page: Any, server: str) -> None:
    go(page, server, "room=analyze&shelf=heuristic&position=tictactoe&moves=b2")
    before, after = wrong_moves(theirs=-3), wrong_moves(theirs=-9)
    count = page.locator(".wrong-count")
    count.get_by_text(f"{before} of 3,191 positions", exact=True).wait_for()
    page.get_by_role("slider", name="2 theirs").first.fill("-9")
    count.get_by_text(f"{before} → {after} of 3,191 positions", exact=True).wait_for()
    button(page, re.compile("fixed")).click()
    page.locator(".board-button").first.click()
    page.wait_for_url(re.compile("#(?!.*moves=b2)"))
    count.get_by_text(f"{before} → {after} of 3,191 positions", exact=True).wait_for()
    until(lambda: page.locator(".board .taken").count() > 1)


def test_restores_a_named_table_from_its_link_and_its_text(page: Any, server: str) -> None:
    go(page, server, "room=analyze&shelf=heuristic&position=tictactoe&moves=b2")
    evaluation = page.locator(".evaluation")
    evaluation.get_by_text("counted-lines for O: −4").wait_for()
    page.get_by_label("1 theirs, as a number").first.fill("-50")
    evaluation.get_by_text("your table for O: −200").wait_for()
    page.get_by_text("Save and use").click()
    page.get_by_label("name of the table").fill("steep")
    button(page, "Save").click()
    evaluation.get_by_text("steep for O: −200").wait_for()
    expect(page.get_by_role("combobox", name="Heuristic")).to_have_value("own:steep")
    page.reload()
    evaluation.get_by_text("steep for O: −200").wait_for()
    page.get_by_text("As text").click()
    text = page.get_by_label("the table as text")
    playwright.expect(text).to_have_value(re.compile('name = "steep"(.|\n)*-50'))
    text.fill("mine = ps.LineTable('flat', {(1, 0): 1, (0, 1): -3})")
    button(page, "Use this text").click()
    evaluation.get_by_text("your table for O: −12").wait_for()
    text.fill("mine = open('x')")
    button(page, "Use this text").click()
    said = "in line 1 of the Python; expected mine = ps.LineTable"
    page.locator("[role=status]", has_text=said).wait_for()


def test_keeps_what_is_typed_while_the_text_of_a_table_is_under_way(page: Any, server: str) -> None:
    hold(page, "write")
    go(page, server, "room=analyze&shelf=heuristic&position=tictactoe&moves=b2")
    page.locator(".evaluation").get_by_text("counted-lines for O: −4").wait_for()
    page.get_by_text("More terms, save and use").click()
    until(lambda: page.evaluate("held.length"))
    text = page.get_by_label("the table as text")
    text.fill("mine = open('x')")
    text.blur()
    release(page)
    playwright.expect(text).to_have_value("mine = open('x')")


def test_shares_tables_between_two_windows(page: Any, server: str) -> None:
    go(page, server, "room=lab&position=tictactoe")
    page.get_by_text("counted-lines · tictactoe · 6 plies").wait_for()
    page.get_by_text("Save and use").click()
    page.get_by_label("name of the table").fill("mine")
    button(page, "Save").click()
    page.get_by_text("mine · tictactoe · 6 plies").wait_for()
    other = page.context.new_page()
    go(other, server, "room=lab&position=tictactoe&heuristic=own:mine")
    other.get_by_text("mine · tictactoe · 6 plies").wait_for()
    other.get_by_label("2 theirs, as a number").first.fill("-9")
    other.get_by_text("your table · tictactoe · 6 plies").wait_for()
    other.get_by_text("Save and use").click()
    button(other, "Save").click()
    number = page.get_by_label("2 theirs, as a number").first
    playwright.expect(number).to_have_value("-9")
    button(other, "Remove").click()
    page.get_by_text("your table · tictactoe · 6 plies").wait_for()
    playwright.expect(number).to_have_value("-9")


def test_streams_and_stops_a_test_that_belongs_to_its_table(page: Any, server: str) -> None:
    go(page, server, "room=lab&position=tictactoe")
    page.get_by_text("counted-lines · tictactoe · 6 plies").click()
    page.get_by_label("Depths", exact=True).fill("1")
    page.get_by_label("Games", exact=True).fill("10000")
    page.get_by_label("Against", exact=True).select_option("level-3")
    button(page, "Test").click()
    page.locator(".result-bar").wait_for()
    button(page, "Stop").click()
    button(page, "Test").wait_for()
    page.get_by_text("more figures").click()
    page.get_by_text(re.compile("stopped after [\\d,]+ games of 10,000")).wait_for()
    elo = page.locator(".figure", has_text="Elo against level-3").locator("strong")
    expect(elo).to_have_text(re.compile("^[+−][\\d∞]+$"))
    page.get_by_label("2 theirs, as a number").first.fill("-9")
    page.get_by_text("The heuristic has changed since this test.").wait_for()


def test_shows_three_figures_of_a_test_and_changes_them_by_tuning(page: Any, server: str) -> None:
    go(page, server, "room=lab&position=tictactoe&heuristic=open-lines")
    page.get_by_text("open-lines · tictactoe · 6 plies").click()
    page.get_by_label("Depths", exact=True).fill("2")
    page.get_by_label("Games", exact=True).fill("20")
    page.get_by_label("Plies in games").select_option("1")
    button(page, "Test").click()
    card = ps.report_card("open-lines", depth=2)
    wrong = page.locator(".figure", has_text="wrong moves, 1 ply deep")
    wrong.get_by_text(f"{100 * card.depths[0].mistakes:.1f} %", exact=True).wait_for()
    agent = ps.Agent(heuristic="open-lines", depth=1, ties="random")
    assert ps.certify(agent).losing_line is not None
    page.locator(".figure.bad", has_text="can be beaten").wait_for()
    page.locator(".result-bar").wait_for()
    page.get_by_text("more figures").click()
    rows = page.locator(".scroll", has_text="rank correlation").locator("tbody tr")
    expect(rows).to_have_count(6)
    button(page, "Tune").click()
    page.locator(".answer.good").wait_for()
    button(page, "Use the tuned table").click()
    page.get_by_text("your table · tictactoe · 2 plies").wait_for()
    button(page, "Test").click()
    tuned = ps.tune("open-lines", trials=False)
    wrong.get_by_text(f"{100 * tuned.at_use.after.value:.1f} %", exact=True).wait_for()


def test_shows_positions_that_no_numbers_play_right_side_by_side(page: Any, server: str) -> None:
    go(page, server, "room=lab&position=tictactoe&heuristic=counted-lines")
    page.get_by_text("counted-lines · tictactoe · 6 plies").click()
    page.get_by_text("more figures").click()
    button(page, "Why no better?").click()
    page.get_by_text("no 2 numbers of own make every right move").wait_for()
    found = conflicts("counted-lines", count=2, additions=False)
    boards = page.locator(".result .boards button")
    boards.nth(sum(len(each.positions) for each in found.conflicts) - 1).wait_for()
    boards.first.click()
    position = str(found.conflicts[0].positions[0].position)
    page.wait_for_url(lambda url: position in unquote(url))


def test_opens_the_game_that_beats_a_heuristic(page: Any, server: str) -> None:
    go(page, server, "room=lab&position=tictactoe&heuristic=open-lines")
    page.get_by_text("open-lines · tictactoe · 6 plies").click()
    page.get_by_label("Plies in games").select_option("1")
    button(page, "Test").click()
    button(page, "Look at the game that beats it").click()
    page.locator(".inside.analyze").wait_for()
    page.get_by_text("the game is over").first.wait_for()


def test_rejects_numbers_in_plain_words_where_they_are_typed(page: Any, server: str) -> None:
    go(page, server, "room=lab&position=tictactoe")
    page.get_by_text("counted-lines · tictactoe · 6 plies").click()
    for label, text, expected in (
        ("Depths", "0", "0; expected a whole number from 1 to 8"),
        ("Depths", "2.5", "2.5; expected a whole number from 1 to 8"),
        ("Depths", "", "expected a whole number from 1 to 8"),
        ("Seconds for each", "-1", "-1; expected a whole number from 1 to 60"),
    ):
        field = page.get_by_label(label, exact=True).locator("visible=true")
        right = field.input_value()
        field.fill(text)
        field.press("Tab")
        fault = page.locator(f"#{field.get_attribute('aria-errormessage')}")
        expect(fault).to_have_text(expected, use_inner_text=True)
        button(page, "Test").click()
        page.locator(".stage > .error").get_by_text(f"{label}: {expected}").wait_for()
        field.fill(right)
        expect(fault).to_have_count(0)  # as soon as it is right again
    expect(page.locator(".depth-chart")).to_have_count(1)  # the result with which it opened
    expect(page.locator(".result-bar")).to_have_count(0)


def test_rejects_an_impossible_depth_and_does_not_search_it(page: Any, server: str) -> None:
    go(page, server, "room=analyze&position=tictactoe&moves=b2")
    page.get_by_text("How is this known?").click()
    depth = page.get_by_label("Depth", exact=True)
    depth.fill("3")
    depth.press("Tab")
    page.get_by_text("engine: depth 3,").wait_for()
    for text in ("0", "-3", "2.7"):
        depth.fill(text)
        depth.press("Tab")
        page.get_by_text(f"{text}; expected a whole number from 1 to 60").wait_for()
        expect(page.get_by_text("engine: depth 3,")).to_have_count(1)
    depth.fill("4")
    depth.press("Tab")
    page.get_by_text("engine: depth 4,").wait_for()
    expect(page.locator(".fault")).to_have_count(0)


def test_plays_against_a_changed_table_and_keeps_it_in_the_link(page: Any, server: str) -> None:
    go(page, server, "room=analyze&shelf=heuristic&position=tictactoe&moves=b2")
    page.get_by_label("1 theirs, as a number").first.fill("-50")
    page.locator(".evaluation").get_by_text("your table for O: −200").wait_for()
    page.get_by_text("Save and use").click()
    button(page, "Play against it").click()
    page.get_by_text(re.compile(r"^O played [abc]\d\. X to move$")).wait_for()
    page.wait_for_url(lambda url: '"0,1":-50' in unquote(url))
    link = page.url
    page.evaluate("localStorage.clear()")
    go(page, server, re.sub(".*#|(moves|variations)=[^&]*&?", "", link) + "&moves=a1")
    page.get_by_text(re.compile(r"^O played [abc]\d\. X to move$")).wait_for()
