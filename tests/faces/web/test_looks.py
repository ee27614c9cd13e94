"""The page as a person meets it: every room at three sizes, light, dark, in forced colours and
without motion, by keyboard alone, and by the rules of axe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from looking import GAMES, SCHEMES, SCRIPT, SIZES, expect, first_places, places, settle
from waiting import until

CONTRAST = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}
EVERYTHING = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    },
    "rules": {"target-size": {"enabled": True}, "label-content-name-mismatch": {"enabled": True}},
    "resultTypes": ["violations"],
}


class Look:
    """A page of one place, looked at from several sides."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.defects: list[str] = []
        page.on(
            "console",
            lambda message: (
                self.complaints.append(message.text) if message.type == "error" else None
            ),
        )
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def go(self, url: str) -> None:
        self.page.goto("about:blank")
        self.page.goto(url)
        settle(self.page)
        if "room=trees" in url:  # a first search may have to be compiled
            self.page.locator(".tree .node").first.wait_for()

    def turn(self, size: str = "laptop", scheme: str = "light") -> str:
        """Show the page so, and return what to call that."""
        kept = {"forced_colors": "none"} | SCHEMES[scheme]
        self.page.set_viewport_size(SIZES[size])
        self.page.emulate_media(reduced_motion="reduce", **kept)
        self.page.evaluate("looking.settle(60, 400)")
        return f"{size}, {scheme}"

    def ask(self, question: str) -> Any:
        return self.page.evaluate(f"looking.{question}()")

    def check_axe(self, what: str, options: dict[str, Any]) -> None:
        found = self.page.evaluate("options => axe.run(document, options)", options)
        assert found["passes"], "axe has looked at nothing"
        for item in found["violations"]:
            for node in item["nodes"]:
                self.defects.append(f"{what}: {item['id']}: {node['html'][:160]}")

    def check_size(self, what: str) -> None:
        sideways, _ = self.ask("overhang")
        if sideways:
            self.defects.append(f"{what}: {sideways} pixels too wide")
        self.defects += [f"{what}: cut off: {text}" for text in self.ask("clipped")]

    def check_scale(self, what: str) -> None:
        self.defects += [f"{what}: {text}" for text in self.ask("unscaled")]


@pytest.fixture(scope="module")
def look(browser: Any, server: str) -> Iterator[Look]:
    context = browser.new_context(viewport=SIZES["laptop"], reduced_motion="reduce")
    context.set_default_timeout(60_000)
    context.add_init_script(path=SCRIPT)
    yield Look(context.new_page())
    context.close()


@pytest.fixture
def axe() -> str:
    base = pytest.importorskip("axe_playwright_python.base", reason="needs test-page")
    found: str = base.AXE_SCRIPT
    return found


WRONG = """<!doctype html><style>
.row { display: flex } .cell { width: 20px; height: 20px; overflow: hidden; border: 1px solid }
.wide { width: 2000px } .moving { transition: color 1s }
</style><div class="plyscope"><div class="room"><p class="wide">wide</p><p class="moving">moving</p>
<div class="row"><div class="cell" role="gridcell" aria-label="a1">−1234</div></div>
<button>seen</button><button style="outline: none">unseen</button></div></div>"""


def test_notices_what_is_wrong(look: Look, axe: str) -> None:
    look.turn()
    look.page.goto("about:blank")
    look.page.set_content(WRONG)
    look.page.evaluate(axe)
    look.defects = []
    look.check_size("here")
    look.check_axe("here", EVERYTHING)
    found = "\n".join(look.defects)
    assert "pixels too wide" in found
    assert 'cut off: −1234 in div.cell "a1"' in found
    assert "html-has-lang" in found
    assert look.ask("tiny") == ["a1: 22 pixels"]
    assert [text.split()[0] for text in look.ask("motions")] == ["P"]
    seen = []
    for _ in range(2):
        look.page.keyboard.press("Tab")
        seen.append(look.ask("focus")["isSeen"])
    assert seen == [True, False]


def test_notices_what_stands_outside_of_the_scale(look: Look, server: str) -> None:
    look.turn()
    look.go(f"{server}/#room=trees")
    look.page.locator(".steps button").first.evaluate("one => one.style.height = '39px'")
    wrong = "one => Object.assign(one.style, { marginLeft: '5px', fontSize: '14px' })"
    look.page.locator(".side .help:visible").first.evaluate(wrong)
    found = "\n".join(look.ask("unscaled"))
    for text in ("39 pixels high", "margin-left 5", "letters of 14px", "5 pixels off: P.help"):
        assert text in found


@pytest.mark.parametrize("name", first_places())
def test_shows_each_room_right_at_every_size_and_in_every_colour(
    look: Look, server: str, axe: str, name: str
) -> None:
    look.defects = []
    look.turn()
    look.go(f"{server}/#{first_places()[name]}")
    look.page.evaluate(axe)
    what = look.turn()
    look.check_size(what)
    look.check_scale(what)
    look.check_axe(what, EVERYTHING)
    look.defects += [f"{what}: moves: {text}" for text in look.ask("motions")]
    look.check_axe(look.turn(scheme="dark"), CONTRAST)
    look.check_axe(look.turn(scheme="forced"), CONTRAST)
    what = look.turn("large")
    look.check_size(what)
    look.check_scale(what)
    what = look.turn("phone")
    look.check_size(what)
    look.check_scale(what)
    look.check_axe(what, EVERYTHING)
    assert look.defects + look.complaints == []


@pytest.mark.parametrize("name", first_places())
def test_shows_each_room_with_large_letters_and_on_a_magnified_screen(
    look: Look, server: str, name: str
) -> None:
    look.defects = []
    look.turn()
    look.go(f"{server}/#{first_places()[name]}")
    look.page.evaluate("document.documentElement.style.fontSize = '200%'")
    large = look.turn()
    look.check_size(large)
    look.defects += [
        f"{large}: {width} pixels for a part of the room"
        for width in look.page.locator(".inside > *").evaluate_all(
            "parts => parts.map((part) => part.getBoundingClientRect().width)"
        )
        if width < 600
    ]
    look.page.evaluate("document.documentElement.style.fontSize = ''")
    look.page.set_viewport_size({"width": 640, "height": 400})
    look.page.evaluate("looking.settle(60, 400)")
    look.check_size("magnified")
    if look.page.locator(".surface:visible").count():
        box = look.page.locator(".surface").bounding_box()
        assert box["height"] >= 220
        if name != "home":  # which begins with what it is
            assert box["y"] + box["height"] <= 400
    assert look.defects + look.complaints == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("room", ["play", "analyze"])
def test_fits_a_board_and_its_tools_on_a_laptop_and_a_phone(
    look: Look, server: str, room: str, game: str
) -> None:
    look.defects = []
    look.turn()
    look.go(f"{server}/#{places()[f'{room}-{game}']}")
    what = look.turn()
    look.check_size(what)
    _, down = look.ask("overhang")
    if down:
        look.defects.append(f"{what}: board and tools are {down} pixels too high")
    what = look.turn("phone")
    look.check_size(what)
    look.defects += [f"{what}: {text}" for text in look.ask("tiny")[:3]]
    assert look.defects + look.complaints == []


SHEET = """() => ({
  bottom: document.querySelector(".side").getBoundingClientRect().bottom,
  board: document.querySelector(".surface, .tree, .sheet").getBoundingClientRect().bottom,
  top: document.querySelector(".side").getBoundingClientRect().top,
  shelves: [...document.querySelectorAll(".shelf")].filter((one) => one.checkVisibility()).length,
})"""


@pytest.mark.parametrize("name", ["play", "analyze", "trees"])
def test_shows_the_tools_as_a_sheet_at_the_bottom_of_a_phone(
    look: Look, server: str, name: str
) -> None:
    look.turn("phone")
    look.go(f"{server}/#{first_places()[name]}")
    if name == "analyze":
        look.page.locator(".pointed:not(:empty)").wait_for()  # what is said above has an end
    handle = look.page.get_by_role("button", name="Tools", exact=True)
    lowered = look.page.evaluate(SHEET)
    assert lowered["bottom"] == SIZES["phone"]["height"]
    assert lowered["top"] > lowered["board"] > 0 == lowered["shelves"]
    expect(handle).to_have_attribute("aria-expanded", "false")
    look.page.locator(".shelves").get_by_role("tab").nth(1).click()
    raised = look.page.evaluate(SHEET)
    assert raised["shelves"] == 1
    assert raised["bottom"] == lowered["bottom"]
    assert SIZES["phone"]["height"] / 2 <= raised["top"] + 40 < lowered["top"]
    handle.click()
    until(lambda: look.page.evaluate(SHEET), lowered)
    look.turn()
    expect(handle).to_be_hidden()


@pytest.mark.parametrize(
    "place",
    [
        "room=trees",
        "room=trees&tree=[[[3,5],[6,9],[1,7]],[[1,2],[0,-1]],[[8,8],[12,-14]]]",
        "room=trees&tree=.X./O../X.O&depth=3",
        "room=trees&tree=tictactoe&depth=3",
        "room=trees&tree=tictactoe&depth=4",
        "room=trees&algorithm=pn&tree=.X./O../X.O",
    ],
)
def test_no_two_labels_of_a_tree_overlap(look: Look, server: str, place: str) -> None:
    look.defects = []
    look.turn()
    look.go(f"{server}/#{place}")
    for size in SIZES:
        look.turn(size)
        look.page.keyboard.press("g")
        for key in "ccnnncnG":
            look.page.keyboard.press(key)
            look.page.evaluate("looking.settle(30, 300)")
            look.defects += [f"{size}, {key}: {text}" for text in look.ask("overlaps")]
    assert look.defects + look.complaints == []


INSIDE = """() => [...document.querySelectorAll("button, a[href], input, select, [tabindex='0']")]
    .some((each) => !each.closest(".top") && each.checkVisibility())"""
"""Whether the room has something to be focused: on a busy machine its header is there before it."""


@pytest.mark.parametrize("name", first_places())
def test_moves_a_visible_focus_through_each_room(look: Look, server: str, name: str) -> None:
    look.turn()
    look.go(f"{server}/#{first_places()[name]}")
    look.page.wait_for_function(INSIDE)
    stops = []
    for _ in range(150):
        look.page.keyboard.press("Tab")
        if (stop := look.ask("focus")) is None:
            break
        stops.append(stop)
    else:
        raise AssertionError(f"150 stops and no end: {stops[-3:]}")
    assert [stop["name"] for stop in stops if not stop["isSeen"]] == []
    assert {"top"} < {stop["part"] for stop in stops}
    assert look.complaints == []


@pytest.mark.parametrize("game", GAMES)
def test_plays_a_stone_by_keyboard_from_the_top_of_the_page(
    look: Look, server: str, game: str
) -> None:
    look.turn()
    look.go(f"{server}/#room=play&o=human&position={game}")
    for _ in range(40):
        look.page.keyboard.press("Tab")
        if look.page.evaluate("document.activeElement.matches('[role=gridcell]')"):
            break
    look.page.keyboard.press("Enter")
    look.page.locator(".taken").wait_for()
    until(lambda: look.page.evaluate("document.activeElement.matches('[role=gridcell]')"))
    assert look.complaints == []
