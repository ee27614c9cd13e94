"""Values that are seen: fills, the evaluation bar, threats, the graph that stays, and questions
asked by choosing a cell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from looking import expect
from waiting import until

from .test_page import Visit, button, visiting

PROVED = "room=analyze&position=tictactoe&moves=b2,b3"


@pytest.fixture
def visit(browser: Any, server: str) -> Iterator[Visit]:
    with visiting(browser, server) as found:
        yield found


def test_fills_moves_and_the_bar_where_all_is_proved(visit: Visit) -> None:
    page = visit.go(PROVED)
    page.get_by_role("img", name="X wins · proved · in 5 plies").wait_for()
    page.locator(".value-mark.proved.win").nth(5).wait_for()
    expect(page.locator(".value-mark.proved.win")).to_have_count(6)
    expect(page.locator(".value-mark.proved.draw")).to_have_count(1)
    bar = page.locator(".evaluation-bar")
    expect(bar).to_have_attribute("aria-label", "X wins · proved · in 5 plies")
    expect(bar).to_have_attribute("data-kind", "proved")
    page.wait_for_function(  # it grows
        """() => {
            const bar = document.querySelector(".evaluation-bar");
            return bar.querySelector(".share").offsetHeight > 0.95 * bar.offsetHeight;
        }"""
    )
    page.get_by_role("radio", name="heuristic").check()
    page.locator(".value-mark.heuristic").nth(6).wait_for()
    expect(page.locator(".value-mark.heuristic")).to_have_count(7)
    page.wait_for_url(lambda url: "layer=heuristic" in url)
    page.reload()
    page.locator(".value-mark.heuristic").first.wait_for()
    expect(page.get_by_role("radio", name="heuristic")).to_be_checked()
    until(lambda: page.evaluate("document.documentElement.scrollHeight") <= 800)


def test_shows_threats_as_a_layer_with_a_legend(visit: Visit) -> None:
    page = visit.go("room=analyze&layer=threats&position=tictactoe&moves=a3,b2,a2,c3")
    page.get_by_text("completes a line as soon as it is taken").wait_for()
    expect(page.locator("g.threat.x.line")).to_have_count(1)
    expect(page.locator("g.threat.o.line")).to_have_count(1)
    page.get_by_role("radio", name="best known").check()
    page.locator("g.threat").first.wait_for(state="detached")


def test_asks_why_not_by_choosing_a_cell(visit: Visit) -> None:
    page = visit.go("room=analyze&position=tictactoe&moves=b2,a3,c3")
    page.keyboard.press("w")
    page.get_by_role("gridcell", name=re.compile("^b3, empty")).click()
    answer = page.locator(".why")
    answer.get_by_text(re.compile("b3 loses in 2 plies, answered by a1")).wait_for()
    page.wait_for_url(lambda url: "shelf=why" in url)
    button(page, "Why not …").click()
    page.get_by_text("Choose the move to ask about").wait_for()
    page.get_by_role("gridcell", name=re.compile("^c2, empty")).click()
    answer.get_by_text(re.compile("c2 loses in 2 plies, answered by a1")).wait_for()
    expect(page.locator(".cell.taken")).to_have_count(3)
    page.get_by_role("gridcell", name=re.compile("^c2, empty")).click()
    page.get_by_role("gridcell", name=re.compile("^c2, O, last move")).wait_for()


def test_keeps_the_graph_while_moving_through_the_game(visit: Visit) -> None:
    page = visit.go("room=analyze&shelf=game&position=tictactoe&moves=b2,a3,c3,b3")
    button(page, "Review the game").click()
    page.get_by_text(re.compile("move 4, O b3 loses, answered by a1; a1 draws\\.")).wait_for()
    button(page, "Back").click()
    page.get_by_text("move 3, X c3 draws, and nothing is better.").wait_for()
    expect(page.locator(".graph .point")).to_have_count(5)
    page.get_by_role("tab", name="Play").click()
    page.get_by_role("tab", name="Analyse").click()
    page.get_by_role("tab", name="Game").click()
    expect(page.locator(".graph .point")).to_have_count(5)


def test_reviews_a_finished_game_without_being_asked(visit: Visit) -> None:
    page = visit.go("room=analyze&shelf=game&position=tictactoe&moves=a3,b2,a2,c3,a1")
    page.get_by_text("move 5, X a1 wins, and nothing is better.").wait_for()
    page.get_by_text("4. c3: mistake").wait_for()


def test_shows_the_graph_of_a_game_reviewed_in_play(visit: Visit) -> None:
    page = visit.go("room=play&shelf=review&o=human&position=tictactoe&moves=b2,a3,c3,b3")
    button(page, "Review the game").click()
    page.get_by_text("1 move gave something away").wait_for()
    page.get_by_role("tab", name="Analyse").click()
    page.get_by_role("tab", name="Game").click()
    expect(page.locator(".graph .point")).to_have_count(5)


def test_draws_losing_moves_small_on_a_large_board_and_counts_them(visit: Visit) -> None:
    """O has to block the four at h7: each of the other moves loses in two plies."""
    page = visit.go("room=analyze&position=gomoku15&moves=h8,h12,h9,g9,h10,i10,h11")
    page.locator(".value-mark.proved.loss.small").nth(199).wait_for()
    page.get_by_text(re.compile(r"\d+ other moves lose in (at most )?\d+ plies")).wait_for()
    told, drawn = page.evaluate(  # more of them while the search deepens: in one look
        """() => [document.querySelector(".stage").textContent,
          document.querySelectorAll(".value-mark.proved.loss.small").length]"""
    )
    assert re.findall(r"(\d+) other moves lose", told) == [str(drawn)]
    far = page.get_by_role("gridcell", name=re.compile("^o15, empty.*loss in 2"))
    until(lambda: far.locator(".note").all_inner_texts() in ([], [""]))


OVER = """() => [...document.querySelectorAll(".cell .note")].filter((note) => {
  const cell = note.closest(".cell").getBoundingClientRect();
  const [x, y] = [cell.left + cell.width / 2, cell.top + cell.height / 2];
  const ring = [...document.querySelectorAll(".values circle")]
    .map((circle) => circle.getBoundingClientRect())
    .find(({ left, right, top, bottom }) => left < x && x < right && top < y && y < bottom);
  const text = document.createRange();
  text.selectNodeContents(note);
  const { left, right } = text.getBoundingClientRect();
  return note.textContent && (!ring || left < ring.left || right > ring.right);
}).map((note) => note.textContent)"""
"""The numbers that run over their rings."""


def test_draws_numbers_within_their_rings_on_a_phone(visit: Visit) -> None:
    visit.page.set_viewport_size({"width": 390, "height": 844})
    page = visit.go("room=analyze&position=gomoku15&moves=h8,i9,g7&layer=heuristic")
    page.locator(".note.evaluation", has_text="−15").first.wait_for()
    until(lambda: page.evaluate(OVER), [])


def test_says_the_same_in_headline_graph_and_why_not(visit: Visit) -> None:
    moves = "d1,d2,d3,d4,d5,d6,c1,e1"
    page = visit.go(f"room=analyze&shelf=game&position=connect4&moves={moves}")
    page.get_by_role("img", name="X wins · proved · in 31 plies").wait_for()
    button(page, "Review the game").click()
    page.get_by_role("button", name="after 5, proved: X wins in 31 plies").wait_for()
    page.get_by_text("· best 5").wait_for()
    page.get_by_role("tab", name="Why", exact=True).click()
    button(page, "Why not …").click()
    page.get_by_role("gridcell", name=re.compile("^a1, empty")).click()
    page.get_by_text(re.compile(r"^1 loses in 34 plies, .*; 5 wins in 31 plies")).wait_for()


SLOW_WORKER = """() => {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    const isPlay = JSON.parse(text).endpoint === 'play';
    isPlay ? setTimeout(() => send.call(this, text), 600) : send.call(this, text);
  };
}"""


def test_draws_a_stone_before_the_server_has_answered(visit: Visit) -> None:
    page = visit.go("room=analyze&position=gomoku15&moves=h8")
    page.locator(".value-mark").first.wait_for()
    page.evaluate(SLOW_WORKER)
    taken = page.evaluate("""async () => {
      document.querySelector('[aria-label^="i9,"]').click();
      await new Promise(requestAnimationFrame);
      return document.querySelectorAll('.cell.taken').length;
    }""")
    assert taken == 2
    page.get_by_role("gridcell", name=re.compile("^i9, O, last move")).wait_for()
    page.wait_for_url(re.compile("i9"))


def test_plays_a_proved_line_out_against_own_replies_too(visit: Visit) -> None:
    """X has won at b2, b3: 5 plies. The visitor replies for O; X goes on to its win."""
    page = visit.go(PROVED)
    out = button(page, "Play it out")
    out.click()
    expect(out).to_have_attribute("aria-pressed", "true")
    page.wait_for_url(re.compile("moves=b2,b3,[a-c][1-3]"))  # X's move
    page.locator(".cell:not(.taken)").last.click()  # before O's own move comes, or after it
    page.get_by_text("X has won").wait_for()
    expect(out).to_have_count(0)  # nothing is left to play


def test_stops_playing_out_when_the_visitor_walks(visit: Visit) -> None:
    page = visit.go(PROVED)
    button(page, "Play it out").click()
    button(page, "Back").click()
    out = page.get_by_role("button", name="Play it out", include_hidden=True)
    expect(out).to_have_attribute("aria-pressed", "false")
    page.wait_for_url(re.compile("moves=b2($|&)"))
