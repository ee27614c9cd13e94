"""The board in a real browser: what it is drawn from, how it moves, and that fingers hit it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

import plyscope as ps
from looking import expect
from plyscope.faces.diagrams.board import board_svg
from plyscope.faces.diagrams.builders import draw_tree
from plyscope.faces.diagrams.svg import tree_svg
from waiting import until

from .test_page import PHONE, WIDE, Visit, button, visiting

PLACES = {
    "tictactoe&moves=b2,a3,c1,a1,a2": "tictactoe b2,a3,c1,a1,a2",
    "tictactoe&moves=a1,a2,b1,b2,c1": "tictactoe a1,a2,b1,b2,c1",
    "connect4&moves=d1,d2,d3,c1,e1,c2,f1,c3,g1": "connect4 44435363",
    "gomoku15&moves=h8,i9": "gomoku15 h8i9",
    "qubic&moves=a1a,b2b": "qubic a1a,b2b",
    "5,4,4,hexagonal&moves=a1,b2": "5,4,4,hexagonal a1,b2",
    "8,6,4,torus&moves=h3,b1,a3,b5,b3,c6,g3": "8,6,4,torus h3,b1,a3,b5,b3,c6,g3",
}
DRAWN = """() => {
  const found = [];
  const walk = (element, x, y) => {
    const moved = /translate\\((\\S+) (\\S+)\\)/.exec(element.getAttribute("transform") ?? "");
    if (moved) [x, y] = [x + Number(moved[1]), y + Number(moved[2])];
    if (element.matches("path, text"))
      found.push([element.getAttribute("class"), element.getAttribute("d") ?? element.textContent,
        Math.round(1000 * x), Math.round(1000 * y)]);
    for (const child of element.children) walk(child, x, y);
  };
  walk(document.querySelector(".surface .drawing"), 0, 0);
  return found;
}"""
MOTIONS = """window.motions = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  const where = this.closest(".front, .stones, .marks")?.getAttribute("class");
  window.motions.push([where, Object.keys(frames[0]).join()]);
  return animate.call(this, frames, options);
};"""


@pytest.fixture
def visit(browser: Any, server: str) -> Iterator[Visit]:
    with visiting(browser, server, viewport=WIDE) as found:
        found.page.add_init_script(MOTIONS)
        yield found


@pytest.fixture
def calm(browser: Any, server: str) -> Iterator[Visit]:
    with visiting(browser, server, viewport=WIDE, reduced_motion="reduce") as found:
        found.page.add_init_script(MOTIONS)
        yield found


@pytest.fixture
def phone(browser: Any, server: str) -> Iterator[Visit]:
    with visiting(browser, server, viewport=PHONE, has_touch=True, is_mobile=True) as found:
        yield found


def drawn_by_python(position: Any, last: int) -> list[list[Any]]:
    """Return the paths and the texts of Python's drawing with their places, in thousandths."""
    found = []

    def walk(element: ElementTree.Element, x: float, y: float) -> None:
        moved = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
        if moved:
            x, y = x + float(moved[1]), y + float(moved[2])
        if element.tag.endswith(("path", "text")):
            said = element.get("d") or element.text
            found.append([element.get("class"), said, round(1000 * x), round(1000 * y)])
        for child in element:
            walk(child, x, y)

    walk(ElementTree.fromstring(board_svg(position, last=last)), 0, 0)
    return found


def struck(paths: list[list[Any]]) -> list[float]:
    """Return the places of the winning line, and take it out."""
    found = [path for path in paths if path[0] in ("under", "won")]
    for path in found:
        paths.remove(path)
    return [float(number) for path in found for number in re.findall(r"-?[\d.]+", path[1])]


@pytest.mark.parametrize("place", PLACES)
def test_draws_what_python_draws(visit: Visit, place: str) -> None:
    visit.page.set_viewport_size({"width": 1900, "height": 500})  # levels in one row, as in files
    page = visit.go(f"room=play&o=human&position={place}")
    name, _, moves = place.partition("&moves=")
    position = ps.parse(name)
    for move in moves.split(","):
        last = position.game.parse_move(position, move)
        position = position.play(last)
    page.locator(".drawing .last").wait_for()
    theirs, ours = page.evaluate(DRAWN), drawn_by_python(position, last)
    assert struck(theirs) == pytest.approx(struck(ours), abs=0.002)
    theirs, ours = sorted(theirs), sorted(ours)
    assert [path[:2] for path in theirs] == [path[:2] for path in ours]
    for path, other in zip(theirs, ours, strict=True):
        assert path[2:] == pytest.approx(other[2:], abs=2)


def test_animates_a_falling_disc_and_the_winning_line(visit: Visit) -> None:
    page = visit.go("room=play&o=human&position=connect4&moves=a1,b1,a2,b2,a3,b3")
    page.get_by_role("gridcell", name="b3, O, last move").wait_for()
    page.get_by_role("gridcell", name="a4, empty").click()
    page.get_by_role("gridcell", name="a4, X, last move, in the winning line").wait_for()
    for motion in (["stones", "translate,easing"], ["marks", "strokeDasharray,strokeDashoffset"]):
        page.wait_for_function(
            "motion => window.motions.some(([...one]) => `${one}` === motion)", arg=",".join(motion)
        )
    count = len(page.evaluate("window.motions"))
    button(page, "Undo").click()  # what was taken back does not fall, nor what was there before
    page.get_by_role("gridcell", name="a4, empty").wait_for()
    until(lambda: len(page.evaluate("window.motions")), count)
    expect(page.locator(".drawing .won")).to_have_count(0)


def test_saves_the_board_with_its_style_in_the_light_theme(visit: Visit) -> None:
    visit.page.emulate_media(color_scheme="dark")
    page = visit.go("room=play&o=human&position=connect4&moves=d1,d2,d3")
    page.get_by_role("gridcell", name="d3, X, last move").wait_for()
    button(page, "Share").click()
    with page.expect_download() as download:
        button(page, "SVG").click()
    svg = ElementTree.fromstring(download.value.path().read_text())
    drawn = {path.get("d"): path for path in svg.iter("{http://www.w3.org/2000/svg}path")}
    ours = drawn_by_python(ps.parse("connect4 444"), 24)
    assert set(drawn) == {said for kind, said, *_ in ours if kind != "label"}
    (disc,) = {said for kind, said, *_ in ours if kind == "disc x"}
    assert drawn[disc].get("fill") == "rgb(5, 80, 174)"
    assert not re.findall("class=|style=|var", ElementTree.tostring(svg, "unicode"))
    assert [text for text in svg.itertext() if "X played 4" in text] == [
        "connect4: X played 4. O to move"
    ] * 2


def test_animates_nothing_with_reduced_motion(calm: Visit) -> None:
    page = calm.go("room=play&o=human&position=connect4&moves=a1,b1,a2,b2,a3,b3")
    page.get_by_role("gridcell", name="a4, empty").click()
    page.get_by_role("gridcell", name="a4, X, last move, in the winning line").wait_for()
    expect(page.locator(".drawing .won")).to_have_count(1)
    until(lambda: page.evaluate("window.motions"), [])


def test_redraws_only_changed_cells(visit: Visit) -> None:
    page = visit.go("room=play&o=human&position=gomoku15&moves=h8,i9")
    page.get_by_role("gridcell", name="i9, O, last move").wait_for()
    page.evaluate(
        """() => {
          window.changes = 0;
          const board = document.querySelector(".surface");
          const count = (changes) => (window.changes += changes.length);
          const all = { childList: true, subtree: true, attributes: true, characterData: true };
          new MutationObserver(count).observe(board, all);
        }"""
    )
    page.get_by_role("gridcell", name="g7, empty").click()
    page.get_by_role("gridcell", name="g7, X, last move").wait_for()
    until(
        lambda: 0 < page.evaluate("window.changes") < 40
    )  # of 225 cells with five attributes each


def test_highlights_lines_through_a_cell_on_all_levels_of_a_cube(visit: Visit) -> None:
    page = visit.go("room=play&o=human&position=qubic")
    page.get_by_role("gridcell", name="a1a, empty").hover()
    page.locator(".drawing .through").first.wait_for()
    game = ps.GAMES["qubic"]
    corner = game.parse_move(game.start(), "a1a")
    cells = {cell for line in game.lines if corner in line.cells() for cell in line.cells()}
    until(lambda: page.locator(".drawing .through").count() == len(cells) == 22)
    page.mouse.move(0, 0)
    page.locator(".drawing .through").first.wait_for(state="detached")
    page.get_by_role("gridcell", name="b2b, empty").focus()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("gridcell", name="a2b, empty").and_(page.locator(":focus")).wait_for()
    expect(page.locator(".drawing .through")).to_have_count(13)


def test_asks_for_a_second_tap_on_small_cells(phone: Visit) -> None:
    page = phone.go("room=play&o=human&position=gomoku15")
    page.get_by_text("Tap a cell, then tap it again").wait_for()
    page.get_by_role("gridcell", name="a1, empty").tap()
    button(page, "Play a1").tap()
    below = button(page, "Undo").bounding_box()
    page.get_by_role("gridcell", name="h8, empty").tap()
    button(page, "Play h8").wait_for()
    until(
        lambda: button(page, "Undo").bounding_box(), below
    )  # what a finger aims at stays where it is
    expect(page.locator(".taken")).to_have_count(1)
    page.get_by_role("gridcell", name="h9, empty").tap()
    button(page, "Play h9").wait_for()
    page.get_by_role("gridcell", name="h9, empty").tap()
    page.get_by_role("gridcell", name="h9, O, last move").wait_for()
    page.get_by_role("gridcell", name="i9, empty").tap()
    button(page, "Play i9").tap()
    page.get_by_role("gridcell", name="i9, X, last move").wait_for()
    expect(page.locator(".confirm button")).to_have_count(0)
    page = phone.go("room=play&o=human&position=connect4")
    page.get_by_role("gridcell", name="d1, empty").tap()
    page.get_by_role("gridcell", name="d1, X, last move").wait_for()


@pytest.mark.parametrize("place", ["connect4", "gomoku15", "qubic", "tictactoe", "connect6"])
def test_shows_the_whole_board_at_once(visit: Visit, place: str) -> None:
    visit.page.set_viewport_size({"width": 1280, "height": 800})
    page = visit.go(f"room=play&o=human&position={place}")
    page.locator(".drawing .label").first.wait_for()
    page.get_by_role("gridcell", name="empty").first.click()
    bar = button(page, "Undo").bounding_box()
    assert bar["y"] + bar["height"] <= 800
    board = page.locator(".surface").bounding_box()
    assert max(board["width"], board["height"]) > 520


@pytest.mark.parametrize("text", ["tictactoe b2a3", "connect4 4445", "cube b2b"])
def test_draws_the_board_of_a_tree_node_as_python_does(visit: Visit, text: str) -> None:
    page = visit.go(f"room=trees&tree={text}&depth=2")
    page.locator(".little").nth(4).wait_for()
    picture = draw_tree(ps.trace(text, depth=2))
    svg = ElementTree.fromstring(tree_svg(picture))
    ours = [
        [
            [path.get("class"), path.get("d")]
            for path in board.iter("{http://www.w3.org/2000/svg}path")
        ]
        for board in svg.iter("{http://www.w3.org/2000/svg}g")
        if board.get("class") == "drawn little"
    ]
    theirs = page.locator(".little").evaluate_all(
        """boards => boards.map((board) => [...board.querySelectorAll("path")]
          .map((path) => [path.getAttribute("class"), path.getAttribute("d")]))"""
    )
    assert len(theirs) > 4  # those in view
    assert {json.dumps(sorted(board)) for board in theirs} <= {
        json.dumps(sorted(board)) for board in ours
    }
