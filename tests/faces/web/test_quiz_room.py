"""The quiz in a real browser: rung by rung with hints, on a sheet that fits its window, on paper."""

from __future__ import annotations

import re
from typing import Any

from looking import expect
from sentences import says
from waiting import until

from .test_page import ALL_ASKED, Visit, button, visit

__all__ = ["visit"]


CHANGED = "text => document.querySelector('.hint').innerText !== text"


def hints(page: Any, number: int) -> str:
    """Return the last of so many hints."""
    button(page, "Hint").click()
    for _ in range(number - 1):
        before = page.locator(".hint").inner_text()
        button(page, "Tell me more").click()
        page.wait_for_function(CHANGED, arg=before)
    text: str = page.locator(".hint").inner_text()
    return text


def test_goes_from_rung_to_rung_with_hints(visit: Visit) -> None:
    page = visit.go("room=quiz")
    page.get_by_label("value of A").wait_for()
    cuts = page.get_by_role("button", name=re.compile("^Cuts"))
    page.get_by_text("opens with a right answer in Values").wait_for()
    expect(cuts).to_have_count(0)
    says(hints(page, 3))
    until(lambda: page.evaluate("document.activeElement.ariaLabel"), "value of B D")
    page.keyboard.type("16")
    for name, value in {"B E": 13, "B": 13, "C F": 13, "C G": 9, "C": 9, "A": 3}.items():
        page.get_by_label(f"value of {name}", exact=True).fill(str(value))
    button(page, "Mark").click()
    page.locator(".points").get_by_text("6 of 7 points, with 3 hints", exact=True).wait_for()
    row = page.locator(".remarks tbody tr")
    expect(row).to_have_text(["A\tvalue\t3\t13"], use_inner_text=True)
    row.get_by_role("button", name="A", exact=True).click()
    until(lambda: page.evaluate("document.activeElement.ariaLabel"), "value of A")
    page.get_by_label("value of A").fill("13")
    expect(page.locator(".verdict.for-value")).to_have_count(
        6
    )  # what was changed has no mark any more
    button(page, "Mark").click()
    button(page, "Go on to Cuts").click()
    page.get_by_text("Which edges are cut?").wait_for()
    page.wait_for_url(lambda url: "ask=cuts" in url)
    page.goto("about:blank")
    page.go_back()
    visit.raise_tools()
    page.get_by_role("button", name=re.compile("^Values ?✓ 1 right")).wait_for()
    expect(page.get_by_role("button", name=re.compile("^Cuts"))).not_to_have_attribute(
        "aria-disabled", "true"
    )


def test_keeps_an_answer_after_a_reload_and_links_the_question(visit: Visit) -> None:
    asked = f"room=quiz&{ALL_ASKED}&seed=7&branching=2,3&cut=gt&bound=hard"
    page = visit.go(asked)
    page.get_by_label("value of A").fill("5")
    drawn = page.locator(".paper .node text").all_text_contents()
    page.get_by_text("A node never returns").wait_for()
    page.reload()
    page.get_by_label("value of A").wait_for()
    expect(page.get_by_label("value of A")).to_have_value("5")
    visit.go(asked.replace("seed=7", "seed=8")).get_by_label("value of A").wait_for()
    expect(page.get_by_label("value of A")).to_have_value("")
    visit.go(asked).get_by_label("value of A").wait_for()
    expect(page.get_by_label("value of A")).to_have_value("5")
    page.evaluate("sessionStorage.setItem('plyscope-answer', '{')")
    page.reload()
    page.get_by_label("value of A").wait_for()
    expect(page.get_by_label("value of A")).to_have_value("")
    page.get_by_label("value of A").fill("5")
    expect(page.locator(".paper .node text")).to_have_text(drawn)
    for part in ("seed=7", "branching=2,3", "cut=gt", "bound=hard"):
        page.wait_for_url(re.compile(part))
    visit.raise_tools()
    page.get_by_text("Other questions and conventions").click()
    button(page, "Clear").click()
    page.wait_for_function("document.querySelector('.value').value === ''")
    button(page, "Next question").click()
    page.wait_for_url(re.compile("seed=8"))


def test_fits_the_sheet_into_its_window_or_asks_node_by_node(visit: Visit) -> None:
    is_phone = visit.page.viewport_size["width"] < 500
    page = visit.go(f"room=quiz&{ALL_ASKED}")
    page.get_by_label("alpha at A").wait_for()
    until(
        lambda: page.evaluate(
            "(sheet => sheet.scrollWidth <= sheet.clientWidth)(document.querySelector('.sheet'))"
        )
    )
    until(lambda: page.locator(".guide").is_visible(), is_phone)
    page.get_by_label("alpha at A").fill("-inf")
    for text in ("inf", "7", "1"):  # beta and value of A, alpha of B
        page.keyboard.press("Enter")
        page.keyboard.type(text)
    expect(page.get_by_label("alpha at B", exact=True)).to_have_value("1")
    if not is_phone:
        return
    written = page.locator(".paper .written")
    expect(written).to_have_text(["7", "(-inf, inf)", "(1, )"])
    page.locator(".paper [data-path='1'] .hit").click()
    page.get_by_label("cut the edge to C", exact=True).click()
    expect(page.locator(".paper .edge.cut")).to_have_count(1)
    button(page, "the node before").click()
    page.get_by_text("B E 13 leaf").wait_for()


def test_prints_the_key_on_a_separate_page(visit: Visit) -> None:
    page = visit.go(f"room=quiz&{ALL_ASKED}")
    page.evaluate("window.print = () => (document.title = 'printing')")
    page.get_by_text("Other questions and conventions").click()
    button(page, "Print with the key").click()
    page.wait_for_function("document.title === 'printing'")
    expect(page.locator(".printed")).to_be_hidden()
    page.emulate_media(media="print")
    page.locator(".stage").wait_for(state="hidden")
    expect(page.locator(".printed img")).to_have_count(2)
    expect(page.locator(".printed h1")).to_have_text(
        ["Alpha-beta by hand", "Alpha-beta by hand: key"], use_inner_text=True
    )
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format="A4"))) == 2
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".printed")).to_have_count(0)


def test_answers_a_board_question_on_the_board(visit: Visit) -> None:
    page = visit.go("room=quiz&ask=board&seed=2")
    page.get_by_role("gridcell", name=re.compile("^c3")).click()
    for cell in ("a3", "b3", "c2"):
        page.get_by_role("gridcell", name=re.compile(f"^{cell}")).click()
    page.get_by_label("The best first").press("End")
    page.keyboard.type(" b1")
    expect(page.get_by_label("The best first")).to_have_value("c3 a3 b3 c2 b1")
    button(page, "Mark").click()
    page.locator(".points").get_by_text("3 of 3 points", exact=True).wait_for()
    button(page, "Go on to Signs").wait_for()
    button(page, "Next question").click()
    page.get_by_text("What value does counted-lines give this position").wait_for()
    button(page, "Show the key").click()
    page.locator(".points").get_by_text("0 of 1 points, for your answers").wait_for()
    expect(page.get_by_label("Value")).to_have_value("−4")
    page.get_by_role("button", name=re.compile("^Values")).click()
    page.locator(".paper .node").first.wait_for()
    expect(page.get_by_role("grid")).to_have_count(0)


def test_completes_a_strategy_and_is_refuted_by_a_game_on_the_board(visit: Visit) -> None:
    page = visit.go("room=quiz&ask=signs&seed=8")
    one, other = page.get_by_label("Sign at A"), page.get_by_label("Sign at B")
    page.get_by_role("gridcell", name="c2, empty, B, B: B").wait_for()
    one.select_option("0")
    button(page, "Mark").click()
    page.locator(".error").get_by_text("expected a sign from 0 to 6 for each letter").wait_for()
    other.select_option("0")
    page.get_by_role("gridcell", name="c2, empty, 0, B: 0").wait_for()
    button(page, "Mark").click()
    page.locator(".result").get_by_text("Refuted by this game: d4 e3. O is to move").wait_for()
    expect(page.locator(".cell.ghosted")).to_have_count(2)
    expect(one).to_have_attribute("data-mark", "wrong")
    one.select_option("2")
    expect(page.locator(".cell.ghosted")).to_have_count(0)
    other.select_option("2")
    button(page, "Mark").click()
    page.locator(".points").get_by_text("3 of 3 points", exact=True).wait_for()
    expect(page.locator(".result")).not_to_contain_text("Refuted")
    button(page, "Another one").click()
    page.wait_for_url(re.compile("ask=signs&seed=9"))
    expect(one).to_have_value("")
    button(page, "Show the key").click()
    page.locator(".points").get_by_text("0 of 3 points, for your answers").wait_for()
    expect(other).not_to_have_value("")
    expect(page.get_by_role("button", name=re.compile("^Signs ?✓ 1 right"))).to_be_visible()


def test_copies_the_link_to_a_board_question(visit: Visit) -> None:
    page = visit.go("room=quiz&ask=board")
    page.get_by_role("grid").wait_for()
    page.evaluate("navigator.clipboard.writeText = async (text) => (window.copied = text)")
    button(page, "Next question").click()
    page.wait_for_url(re.compile("seed=2"))
    page.get_by_text("Other questions and conventions").click()
    expect(page.get_by_text("Questions on the sheet")).to_be_hidden()  # of trees alone
    button(page, "Share").click()
    page.wait_for_function("window.copied?.endsWith('#room=quiz&ask=board&seed=2')")


OVERLAP = """document.querySelector(".inside .side").getBoundingClientRect().left <
    document.querySelector(".inside .stage").getBoundingClientRect().right"""


def test_shows_one_column_below_900_pixels(visit: Visit) -> None:
    page = visit.go("room=quiz")
    page.locator(".paper .node").first.wait_for()
    width = page.viewport_size["width"]
    for wide, is_one in ((895, True), (905, False)):
        page.set_viewport_size({"width": wide, "height": 800})
        until(lambda: page.evaluate(OVERLAP), is_one)  # the tools are a sheet over the one column
    page.set_viewport_size({"width": width, "height": 844})


def test_answers_and_marks_a_question_by_keyboard_alone(visit: Visit) -> None:
    page = visit.go("room=quiz")
    page.get_by_label("value of A").wait_for()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.answer input')"):
            break
    for value in (13, 13, 16, 13, 13, 13, 9):  # A, B, D, E, C, F, G
        page.keyboard.type(str(value))
        page.keyboard.press("Enter")
    until(lambda: page.evaluate("document.activeElement.textContent"), "Mark")
    page.keyboard.press("Enter")
    page.locator(".points").get_by_text("6 of 7 points").wait_for()  # C
    page.keyboard.press("k")
    page.locator(".points").get_by_text("for your answers").wait_for()
    page.keyboard.press("n")
    page.wait_for_url(re.compile("seed=2"))
    page = visit.go("room=quiz&ask=board&seed=3")
    page.get_by_label("Value").fill("7")
    page.keyboard.press("Enter")
    until(lambda: page.evaluate("document.activeElement.textContent"), "Mark")
