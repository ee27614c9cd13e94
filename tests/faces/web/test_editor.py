"""The editor for heuristics in the page without a server, in Chromium: values as one types, faults
with their lines, a text that does not end, and a text that a link brings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

import plyscope as ps
from looking import expect, served
from plyscope_web.app import app

from .conftest import LAPTOP, a_listener, opened, serving
from .test_looks import EVERYTHING, axe
from .test_site import PLACE as SITE
from .test_site import site

__all__ = ["axe", "site"]
ROWS = '''def rows(board, player):
    """My rows without their stones, less theirs without mine."""
    value = 0
    for row in board:
        value += (3 - player not in row) - (player not in row)
    return value
'''
ENDLESS = "def f(board):\n    while True:\n        pass\n"
NAMESPACE: dict[str, Any] = {}
exec(ROWS, NAMESPACE)
rows = NAMESPACE["rows"]
EXAMPLE = "def f(mine, theirs):\n    return mine - theirs\n"
POSITION = "tictactoe b2 a1 c3"
PLACE = f"#room=analyze&position={POSITION}&shelf=heuristic"


@pytest.fixture(scope="module")
def address(site: Any) -> Iterator[str]:
    with served(site / SITE) as (address, _):
        yield address


@pytest.fixture(scope="module")
def kept(browser: Any, address: str) -> Iterator[Any]:
    """A page for all tests: Python starts once."""
    with opened(browser) as page:
        page.goto(f"{address}{PLACE}")
        page.locator("p.evaluation", has_text="counted-lines").wait_for()
        choose(page, "write your own …")
        read_as(page, "f(mine, theirs)")
        assert "layer=heuristic" in page.url  # its values are shown on the board
        yield page


@pytest.fixture
def page(kept: Any, address: str) -> Any:
    """The editor beside the board, with its first example."""
    kept.set_viewport_size(LAPTOP)
    kept.goto(f"{address}#room=home")
    kept.locator(".inside.home").wait_for()  # what the last test left is gone
    kept.goto(f"{address}{PLACE}&layer=heuristic&heuristic=mine")
    kept.locator(".inside.analyze .editor").wait_for()
    write(kept, EXAMPLE)
    read_as(kept, "f(mine, theirs)")
    return kept


def choose(page: Any, label: str) -> None:
    page.get_by_role("combobox", name="Heuristic").select_option(label=label)


def read_as(page: Any, signature: str) -> None:
    page.get_by_text(f"read as {signature}").first.wait_for()


def write(page: Any, text: str, label: str = "your heuristic") -> None:
    field = page.get_by_role("textbox", name=label)
    field.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def fault(page: Any) -> Any:
    return page.locator(".writing p.fault").first


def test_shows_values_on_the_board_as_one_types(page: Any) -> None:
    write(page, ROWS)
    read_as(page, "f(board, player)")
    for cell in ("a3", "b1"):
        value = ps.evaluate(f"{POSITION} {cell}", rows, side="o")
        sign = "−" if value < 0 else ""
        named = re.compile(rf"^{cell}, empty, {sign}{abs(value)}\b")
        page.get_by_role("gridcell", name=named).wait_for()
    total = ps.evaluate(POSITION, rows)
    expect(page.locator("p.evaluation")).to_have_text(f"mine for O: {total}".replace("-", "−"))
    page.reload()
    read_as(page, "f(board, player)")
    expect(page.locator(".cm-line").first).to_have_text("def rows(board, player):")


def test_marks_the_line_of_a_fault_and_takes_the_mark_away(page: Any) -> None:
    write(page, "def f(board):\n    x = 1\n    return (x\n")
    expect(fault(page)).to_contain_text("line 3, column 12: raised SyntaxError")
    expect(page.locator(".cm-line.fault")).to_have_text("    return (x")
    write(page, "def f(board):\n    return 1 // board[0][1]\n")
    expect(fault(page)).to_contain_text("ZeroDivisionError")
    expect(page.locator(".cm-line.fault")).to_have_text("    return 1 // board[0][1]")
    write(page, "def f(board):\n    return 4\n")
    expect(page.locator("p.evaluation")).to_have_text("mine for O: −4")
    expect(fault(page)).to_be_empty()
    expect(page.locator(".cm-line.fault")).to_have_count(0)


def test_a_search_and_a_tree_use_the_text(page: Any, address: str) -> None:
    write(page, ROWS)
    read_as(page, "f(board, player)")
    page.get_by_role("tab", name="Lines").click()
    page.get_by_text("How is this known?").click()
    page.get_by_label("Algorithm").select_option("alphabeta")
    page.get_by_label("Depth").fill("3")
    page.get_by_label("Depth").blur()
    result = ps.search(POSITION, "alphabeta", rows, depth=3, root="open")
    page.get_by_text(f"{result.nodes:,} nodes, {result.cutoffs} cutoffs").wait_for()
    page.goto(f"{address}#room=trees&tree={POSITION}&heuristic=mine&shelf=search&depth=2")
    page.get_by_text("2 plies deep, judged by mine").wait_for()
    trace = ps.trace(POSITION, heuristic=rows, depth=2)
    page.get_by_text(f"of {len(trace):,}").first.wait_for(state="attached")
    expect(page.get_by_role("textbox", name="your heuristic")).to_contain_text("def rows")


def test_plays_against_the_text_and_tests_it_in_the_lab(page: Any, address: str) -> None:
    write(page, ROWS)
    read_as(page, "f(board, player)")
    page.goto(f"{address}#room=play&position=tictactoe&o=mine@1")
    page.get_by_role("gridcell", name=re.compile("^b2")).click()
    page.get_by_text(re.compile(r"O played \w\d\. X to move")).wait_for()
    page.get_by_role("tab", name="Lab").click()
    choose(page, "✎ mine")
    read_as(page, "f(board, player)")


def test_compares_two_heuristics_cell_by_cell(page: Any) -> None:
    write(page, ROWS)
    read_as(page, "f(board, player)")
    page.get_by_label("Compare with").select_option("counted-lines")
    boards = page.locator("table.number-board")
    expect(boards).to_have_count(3)
    position = ps.parse(POSITION)
    for at, text in enumerate(boards.nth(2).locator("td").all_inner_texts()):
        if at in position.moves:
            after = position.play(at)
            one, two = (ps.evaluate(after, each, side="o") for each in (rows, "counted-lines"))
            assert int(text.replace("−", "-")) == one - two
    page.get_by_label("Compare with").select_option("other")
    write(page, ROWS.replace("value = 0", "value = 5"), "the other heuristic")
    expect(boards.nth(2).locator("td", has_text="−5")).to_have_count(len(position.moves))


def test_stops_a_text_that_does_not_end_and_lives_on(page: Any) -> None:
    write(page, ENDLESS)
    page.get_by_role("button", name="Stop").click()
    expect(fault(page)).to_contain_text("'mine' did not end: stopped; its text is kept")
    expect(page.get_by_role("textbox", name="your heuristic")).to_contain_text("while True")
    write(page, ENDLESS + "# once more\n")
    expect(fault(page)).to_contain_text("'mine' did not end: no answer in time")
    write(page, "def f(board):\n    return 4\n")
    expect(page.locator("p.evaluation")).to_have_text("mine for O: −4")
    expect(fault(page)).to_be_empty()


def test_asks_before_it_runs_a_text_from_a_link(browser: Any, page: Any) -> None:
    write(page, "def f(board):\n    return 6\n")
    expect(page.locator("p.evaluation")).to_have_text("mine for O: −6")
    assert "mine=" not in page.url.partition("heuristic=mine")[2]
    page.get_by_label("Put mine into the link").check()
    page.wait_for_url(re.compile("&mine="))
    before = page.url
    write(page, "def f(board):\n    return 8\n")
    page.wait_for_url(lambda url: url != before)  # the link follows the text
    with opened(browser) as other:
        other.goto(page.url)
        dialog = other.get_by_role("dialog", name="a heuristic from a link")
        expect(dialog).to_contain_text("return 8")
        assert other.locator(".inside").count() == 0
        other.get_by_role("button", name="Do not run it").click()
        other.locator("p.evaluation", has_text="counted-lines").wait_for(state="attached")
        assert "mine" not in other.url
        other.goto("about:blank")
        other.goto(page.url)
        other.get_by_role("button", name="Run it", exact=True).click()
        expect(other.locator("p.evaluation")).to_have_text("mine for O: −8")
        other.reload()  # it is a text of one's own by now
        expect(other.locator("p.evaluation")).to_have_text("mine for O: −8")


def test_leads_from_the_first_screen_to_a_link_that_somebody_else_opens(
    browser: Any, page: Any, address: str
) -> None:
    with opened(browser) as student:
        student.goto(address)
        student.locator(".offer", has_text="Tic-tac-toe").click()
        student.get_by_role("gridcell", name=re.compile("^b2")).click()
        student.get_by_text(re.compile(r"O played \w\d\. X to move")).wait_for()
        student.get_by_role("tab", name="Analyse").click()
        student.get_by_role("tab", name="Heuristic").click()
        choose(student, "write your own …")
        write(student, ROWS)
        read_as(student, "f(board, player)")
        student.get_by_label("Put mine into the link").check()
        student.wait_for_url(re.compile("&mine="))
        values = student.locator("p.evaluation").inner_text()
        link = student.url
    assert values.startswith("mine for X: ")
    page.goto("about:blank")
    page.goto(link)
    page.get_by_role("button", name="Run it", exact=True).click()
    expect(page.locator("p.evaluation")).to_have_text(values)
    expect(page.get_by_role("gridcell", name=re.compile("^b2.*X"))).to_be_visible()


@pytest.mark.parametrize("size", [LAPTOP, {"width": 390, "height": 844}], ids=["laptop", "phone"])
def test_is_right_by_the_rules_of_axe_and_no_wider_than_the_window(
    page: Any, axe: str, size: Any
) -> None:
    page.get_by_label("Compare with").select_option("counted-lines")
    expect(page.locator("table.number-board")).to_have_count(3)
    write(page, "def f(board):\n    return ('a'  # b\n")
    expect(fault(page)).to_contain_text("line 2")
    page.set_viewport_size(size)
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(axe)
    found = page.evaluate("options => axe.run(document, options)", EVERYTHING)
    assert found["passes"]
    assert found["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_server_offers_no_editor_and_says_so_of_a_link(browser: Any) -> None:
    listener = a_listener()
    host = f"127.0.0.1:{listener.getsockname()[1]}"
    with serving(app(frozenset({host}), 1), listener), opened(browser) as page:
        page.goto(f"http://{host}/#room=analyze&position={POSITION}&heuristic=mine&mine=eA")
        said = page.get_by_text("a server runs only the heuristics of its start")
        said.first.wait_for()
        page.get_by_role("tab", name="Heuristic").click()
        choices = page.get_by_role("combobox", name="Heuristic")
        options = choices.locator("option").all_inner_texts()
        assert "counted-lines" in options
        assert not any("write" in text or "mine" in text for text in options)
