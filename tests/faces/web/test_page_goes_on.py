"""The page in a real browser as life goes: lost connections, links of all sorts, keys from
anywhere, and agents that find no move."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from looking import expect
from plyscope_web.app import app
from waiting import until

from .conftest import serving
from .test_page import DEEP, WIDE, Visit, button, status, visiting


@pytest.fixture
def visit(browser: Any, server: str) -> Iterator[Visit]:
    with visiting(browser, server, viewport=WIDE) as found:
        yield found


def banner(page: Any) -> Any:
    return page.locator(".offline:not([hidden])")


def test_repeats_questions_when_a_lost_server_is_back(browser: Any) -> None:
    def listening(port: int = 0) -> socket.socket:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        return listener

    listener = listening()
    port = listener.getsockname()[1]
    name = f"127.0.0.1:{port}"
    served = app(frozenset({name}), 1)
    context = browser.new_context(viewport=WIDE)
    context.set_default_timeout(30_000)
    playing, analysing = (Visit(context.new_page(), f"http://{name}") for _ in range(2))
    with serving(served, listener):
        page = playing.go("room=play&position=gomoku15&moves=h8,i9&o=level-10")
        other = analysing.go("room=analyze&position=tictactoe")
        other.get_by_role("img", name="a draw · proved").wait_for()
        page.get_by_role("gridcell", name="h9, empty").click()
        page.get_by_text("O (level-10) is thinking …").wait_for()
    banner(page).get_by_text("no connection to plyscope").wait_for()
    other.get_by_role("gridcell", name="b2, empty").click()
    with serving(app(frozenset({name}), 1), listening(port)):
        page.get_by_text(re.compile("O played .*X to move")).wait_for()
        expect(banner(page)).to_have_count(0)
        other.get_by_role("gridcell", name="b2, X").wait_for()
        other.get_by_role("img", name="a draw · proved").wait_for()
        other.get_by_text("How is this known?").click()
        other.get_by_text(re.compile(r"engine: depth \d \(to the end\)")).wait_for()
        for each in (page, other):
            expect(each.locator(".error")).to_have_text("", use_inner_text=True)
    context.close()


def test_moves_the_focus_to_what_a_button_opens(visit: Visit) -> None:
    page = visit.go("")
    page.get_by_role("button", name="Analyse this position").press("Enter")
    page.locator(".room:focus .inside.analyze").wait_for()
    page = visit.go("room=play&position=tictactoe&moves=a1,b2&o=human")
    page.get_by_role("button", name="move 1, X a1").press("Enter")
    page.locator("[aria-current=step]:focus", has_text="a1").wait_for()
    page = visit.go("room=analyze&position=tictactoe&moves=a1,b2")
    page.locator(".line").first.press("Enter")
    page.wait_for_url(re.compile("moves=a1,b2,"))
    page.locator(".lines :focus").wait_for()


def test_obeys_keys_wherever_the_focus_is(visit: Visit) -> None:
    page = visit.go("room=trees")
    page.get_by_text("step 0 of 30").wait_for()
    page.keyboard.press("G")
    page.get_by_text("step 30 of 30").wait_for()
    page.get_by_role("tab", name="Trees").focus()
    page.keyboard.press("p")
    page.get_by_text("step 29 of 30").wait_for()
    page.keyboard.press("Space")  # presses the tab, and plays nothing
    expect(button(page, "Play")).to_be_visible()
    page.get_by_role("tab", name="Tree", exact=True).click()
    page.get_by_label("Tree or position").focus()
    page.keyboard.type("gp")
    page.get_by_role("tab", name="Steps").click()
    expect(page.get_by_text("step 29 of 30")).to_have_count(1)

    page = visit.go("room=play&position=connect4&o=human")
    page.locator("[role=gridcell]").first.wait_for()
    page.keyboard.press("4")
    page.get_by_role("gridcell", name="d1, X").wait_for()
    page.get_by_role("gridcell", name="d2, empty").click()
    page.get_by_role("gridcell", name="d2, O").wait_for()
    page.keyboard.press("u")
    page.get_by_role("gridcell", name="d2, empty").wait_for()
    page.locator("body").click(position={"x": 640, "y": 890})
    page.keyboard.press("ArrowLeft")
    page.get_by_role("gridcell", name="d1, empty").wait_for()
    page.keyboard.press("Control+y")
    page.get_by_role("gridcell", name="d1, X").wait_for()


def test_lists_the_keys_after_a_question_mark_until_escape(visit: Visit) -> None:
    page = visit.go("room=trees")
    page.get_by_text("step 0 of 30").wait_for()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="keys")
    dialog.get_by_role("cell", name="next cutoff").wait_for()
    page.keyboard.press("G")  # of the room beneath
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    expect(page.get_by_text("step 0 of 30")).to_have_count(1)
    button(page, "keys").click()
    dialog.wait_for()


def test_keeps_the_right_part_of_a_wrong_link(visit: Visit) -> None:
    link = "room=play&x=noagent&o=human&position=connect4&moves=d1,d9"
    page = visit.go(link)
    said = banner(page)
    said.get_by_text(
        re.compile("x 'noagent'; expected human, .* or another agent; .*'d9'")
    ).wait_for()
    expect(said).to_have_text(re.compile("; the game is kept up to move 1$"))
    page.get_by_role("gridcell", name="d1, X").wait_for()
    page.wait_for_url(lambda url: url.endswith(link))
    page.get_by_role("gridcell", name="d2, empty").click()
    page.get_by_role("gridcell", name="d2, O").wait_for()
    expect(said).to_have_count(0)
    page.wait_for_url(re.compile("moves=d1,d2$"))


def test_leaves_nothing_in_memory_of_earlier_links(visit: Visit) -> None:
    page = visit.go(f"room=analyze&position={DEEP}")
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")

    def paste(moves: str) -> dict[str, float]:
        page.evaluate(
            "moves => (location.hash = `room=analyze&position=connect4&moves=${moves}`)", moves
        )
        last = moves.rpartition(",")[2]
        page.get_by_role("gridcell", name=re.compile(f"^{last}, [XO], last move")).wait_for()
        page.wait_for_timeout(50)
        return measured()

    def measured() -> dict[str, float]:
        devtools.send("HeapProfiler.collectGarbage")
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        return {item["name"]: item["value"] for item in metrics}

    paste("d1")
    before = paste("d1,d2")
    for column in "abcefg":
        paste(f"{column}1")
    # what was left alone is collected when the browser comes to it; what is held never is:
    # some 54 listeners and 490 nodes for each link
    most = before["JSEventListeners"] + 160, before["Nodes"] + 1_200

    def is_collected() -> bool:
        now = measured()
        return now["JSEventListeners"] < most[0] and now["Nodes"] < most[1]

    until(is_collected)
    page.get_by_text("How is this known?").click()
    page.get_by_text(re.compile("engine: depth")).wait_for()
    expect(page.locator(".error")).to_have_text("", use_inner_text=True)


@pytest.mark.parametrize(("width", "abreast"), [(1920, 4), (1280, 2), (390, 2)])
def test_shows_the_levels_of_a_cube_side_by_side_with_fitting_notes(
    visit: Visit, width: int, abreast: int
) -> None:
    visit.page.set_viewport_size({"width": width, "height": 800})
    page = visit.go("room=analyze&position=qubic")
    page.locator(".notes").first.wait_for()
    firsts = page.locator(".plane .row:first-child .cell:first-child")
    tops = firsts.evaluate_all(
        "cells => cells.map((cell) => Math.round(cell.getBoundingClientRect().top))"
    )
    assert len(tops) == 4
    assert tops.count(tops[0]) == abreast


CLIPPED = """[...document.querySelectorAll('.cell')].filter((cell) => {
  const [inside, outside] = [cell.querySelector('.notes'), cell.getBoundingClientRect()];
  const box = inside?.getBoundingClientRect();
  return box && (box.left < outside.left || box.right > outside.right
    || box.top < outside.top || box.bottom > outside.bottom);
}).map((cell) => cell.ariaLabel)"""
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.mark.parametrize(
    "place", ["connect4&moves=d1,d2,d3", "gomoku15&moves=h8,i9", "qubic", "19,19,5&moves=j10"]
)
def test_cuts_off_no_digit_of_a_note_on_a_phone(visit: Visit, place: str) -> None:
    visit.page.set_viewport_size({"width": 390, "height": 844})
    page = visit.go(f"room=analyze&position={place}")
    page.get_by_text(re.compile(r"engine: depth \d")).wait_for(state="attached")
    page.locator(".notes").nth(6).wait_for(state="attached")
    until(lambda: page.evaluate(CLIPPED), [])
    expect(page.locator(".cell[title]").first).to_have_attribute(
        "title", re.compile("^(proved|search|heuristic)")
    )
    if place == "qubic":
        page.set_viewport_size({"width": 320, "height": 844})
        page.evaluate(TWO_FRAMES)  # in which the board is measured anew
        until(lambda: page.evaluate(CLIPPED), [])


def test_draws_proved_and_estimated_values_apart(visit: Visit) -> None:
    # The last four positions are won, and nothing before them is proved.
    moves = "h8,a1,i8,a15,j8,o1,k8,o15,l8"
    page = visit.go(f"room=analyze&shelf=game&position=gomoku15&moves={moves}")
    page.get_by_role("button", name=re.compile("^after l8")).wait_for()

    def are_apart() -> bool:
        # The graph is drawn anew while the review goes on: its points are read in one look.
        points = page.locator(".graph .point").evaluate_all(
            "all => all.map((one) => [one.matches('.proved'), one.getBoundingClientRect().y])"
        )
        proved = [height for is_proved, height in points if is_proved]
        guessed = [height for is_proved, height in points if not is_proved]
        return len(points) == 10 > len(proved) > 3 and min(guessed) > max(proved)

    until(are_apart)
    curves = page.locator(".graph .curve").evaluate_all("all => all.map((one) => one.classList[1])")
    assert curves
    assert {*curves} <= {"proved", "estimated"}


def test_shows_no_sliders_for_a_heuristic_that_is_no_table(visit: Visit) -> None:
    page = visit.go("room=analyze&shelf=heuristic&position=tictactoe&moves=b2")
    page.get_by_label("1 theirs", exact=True).first.wait_for()
    page.get_by_role("combobox", name="Heuristic").select_option("random")
    page.get_by_text("random is not a table").wait_for()
    expect(page.get_by_label("1 theirs", exact=True)).to_have_count(0)


def test_opens_a_quiz_about_the_given_tree(visit: Visit) -> None:
    page = visit.go("room=quiz&tree=[[3,17],[2,9]]")
    page.locator(".paper text", has_text="17").wait_for()
    page.get_by_text("Other questions and conventions").click()
    page.get_by_text("about your own tree").wait_for()
    button(page, "Mark").click()
    page.locator(".points").wait_for()
    page.get_by_role("tab", name="Question").click()
    button(page, "Next question").click()
    page.locator(".paper text", has_text="17").wait_for(state="detached")
    expect(page.get_by_text("about a tree of your own")).to_be_hidden()


def test_stops_a_thinking_agent_and_goes_on(visit: Visit) -> None:
    page = visit.go("room=play&position=gomoku15&moves=h8,i9&o=level-10")
    page.get_by_role("gridcell", name="h9, empty").click()
    page.get_by_text("O (level-10) is thinking").wait_for()
    button(page, "Stop").click()
    expect(status(page)).to_have_text(re.compile(r"Stopped: O \(level-10\) is to move$"))
    expect(button(page, "Stop")).to_have_count(0)
    page.get_by_role("tab", name="New game").click()
    page.get_by_text("Other players").click()
    page.get_by_label("O", exact=True).select_option("level-1")
    page.get_by_text(re.compile("O played .*X to move")).wait_for()


def test_gives_up_an_agent_without_a_move_in_time(visit: Visit) -> None:
    visit.page.clock.install()
    page = visit.go("room=play&position=gomoku15&moves=h8,i9&o=level-10")
    page.get_by_role("gridcell", name="h9, empty").click()
    page.get_by_text("O (level-10) is thinking").wait_for()
    page.clock.fast_forward(30_000)
    page.get_by_text("O (level-10) does not move: no move in 30 seconds").wait_for()


def test_offers_only_agents_of_the_game(visit: Visit) -> None:
    page = visit.go("room=play&position=connect4&o=full-alphabeta")
    page.get_by_role("gridcell", name="d1, empty").click()
    page.get_by_text("it does not play this game; choose another agent").wait_for()
    page.get_by_role("tab", name="New game").click()
    offered = page.get_by_label("X", exact=True).locator("option").all_text_contents()
    assert {"perfect", "level-5"} < set(offered)
    assert not {"full-alphabeta", "accumulating"} & set(offered)
    page.get_by_text("Other boards and rules").click()
    page.get_by_label("Game or position").fill("tictactoe")
    button(page, "Start").click()
    page.get_by_role("gridcell", name="b2, empty").click()
    page.get_by_text(re.compile("O played .*X to move")).wait_for()


FORBIDDEN = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("denied"); } });"""
FULL = 'Storage.prototype.setItem = () => { throw new DOMException("full"); };'


@pytest.mark.parametrize("storage", [FORBIDDEN, FULL], ids=["forbidden", "full"])
def test_opens_every_room_without_storage_and_says_what_is_lost(visit: Visit, storage: str) -> None:
    visit.page.add_init_script(storage)
    page = visit.go("room=lab")
    button(page, "keys").click()
    button(page, "Theme: auto").click()
    page.locator(".told", has_text="this browser does not save data").wait_for()
    button(page, "Theme: light").click()
    button(page, "Close").click()
    for room in ("Play", "Analyse", "Trees", "Quiz", "Lab"):
        page.get_by_role("tab", name=room, exact=True).click()
        page.locator(".inside > .stage").wait_for()
    button(page, "keys").click()
    button(page, "Theme: dark").wait_for()  # as long as the page is there


def test_survives_data_stored_by_an_older_version(visit: Visit) -> None:
    page = visit.go("")
    for text in (
        "{",
        "null",
        '{"values": 7}',
        '[{"name": "old", "table": {"values": {"1,0": 1}}}]',
    ):
        page.evaluate(
            """text => ["theme", "tables", "quiz", "puzzles", "matches"].forEach((name) =>
              localStorage.setItem(`plyscope-${name}`, text))""",
            text,
        )
        for room in ("play", "analyze&shelf=heuristic", "quiz", "lab"):
            page = visit.go(f"room={room}")
            button(page, "keys").click()
            button(page, "Theme: auto").wait_for()
            page.locator(".inside > .stage").wait_for()
    page.get_by_role("option", name="★ old").first.wait_for(state="attached")
