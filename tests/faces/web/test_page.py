"""The page in a real browser: each room's main path, by keyboard alone, on a phone, and by the
rules of axe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import copytree
from typing import Any
from xml.etree import ElementTree

import pytest

from looking import expect, hold, release
from plyscope_web import frontend
from plyscope_web.endpoints import answer, read
from waiting import until

from .conftest import opened

EXTENDING = Path(__file__).parents[3] / "docs" / "extending.md"
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
ALL_ASKED = "ask=values,windows,cuts"
TREE = "[[[3,5],[6,9]],[[1,2],[0,-1]]]"
SVG = "{http://www.w3.org/2000/svg}"
LABELS = "all => all.map((one) => one.getAttribute('aria-label'))"
DEEP = "connect4&moves=d1,d2,d3,d4,d5,c1,c2"


class Visit:
    """A page that is looked at."""

    def __init__(self, page: Any, server: str) -> None:
        self.page, self.server = page, server

    def go(self, place: str) -> Any:
        self.page.goto("about:blank")
        self.page.goto(f"{self.server}/#{place}")
        self.raise_tools()
        return self.page

    def raise_tools(self) -> None:
        """Raise the sheet that the tools are on a phone."""
        self.page.locator(".inside").wait_for()
        for handle in self.page.locator(".handle").filter(visible=True).all():
            handle.click()
            self.page.mouse.move(0, 0)  # where it points at no line of the sheet


@contextmanager
def visiting(browser: Any, server: str, **options: Any) -> Iterator[Visit]:
    """Visit the page, without a complaint of it."""
    with opened(browser, hears_console=True, **options) as page:
        yield Visit(page, server)


@pytest.fixture(params=[WIDE, PHONE], ids=["wide", "phone"])
def visit(request: pytest.FixtureRequest, browser: Any, server: str) -> Iterator[Visit]:
    with visiting(browser, server, viewport=request.param) as found:
        yield found
        width = request.param["width"]
        until(lambda: found.page.evaluate("document.documentElement.scrollWidth") <= width)


def button(page: Any, name: str) -> Any:
    return page.get_by_role("button", name=name, exact=True)


def status(page: Any) -> Any:
    return page.locator(".stage .status")


def test_plays_an_agent_with_undo_and_variations(visit: Visit) -> None:
    page = visit.go("room=play")
    page.get_by_role("gridcell", name="b2, empty").click()
    page.get_by_text(re.compile(r"O played \w\d\. X to move")).wait_for()
    expect(page.get_by_role("button", name=re.compile("^move "))).to_have_count(2)
    button(page, "Undo").click()
    page.get_by_text("X to move", exact=True).wait_for()
    page.get_by_role("gridcell", name="a1, empty").click()
    page.get_by_text(re.compile(r"O played \w\d\. X to move")).wait_for()
    expect(page.get_by_role("button", name=re.compile("^move "))).to_have_count(
        4
    )  # the first try stands in brackets
    page.wait_for_url(lambda url: "moves=a1," in url)
    button(page, "Hint").click()
    page.get_by_text(re.compile("Hint: ")).wait_for()
    expect(page.locator(".cell.best")).to_have_count(1)


def test_plays_two_people_by_keyboard_alone(visit: Visit) -> None:
    page = visit.go("room=play")
    page.get_by_text("Other players").click()
    page.get_by_label("O", exact=True).select_option("human")
    page.locator("[role=gridcell][tabindex='0']").focus()
    for key in (
        *("Enter", "ArrowDown", "Enter", "ArrowUp", "ArrowRight", "Enter", "ArrowDown", "Enter"),
        *("ArrowUp", "ArrowRight", "Enter"),
    ):
        before = page.locator(".taken").count()
        page.keyboard.press(key)
        if key == "Enter":
            page.wait_for_function(
                "count => document.querySelectorAll('.taken').length > count", arg=before
            )
    status(page).get_by_text("X played c3. X wins with a3 b3 c3", exact=True).wait_for()
    expect(page.locator(".cell.won")).to_have_count(3)
    expect(page.locator("[role=gridcell][aria-disabled=true]")).to_have_count(9)


def test_opens_any_typed_board_and_says_what_is_wrong(visit: Visit) -> None:
    page = visit.go("room=play")
    page.get_by_text("Other players").click()
    page.get_by_label("O", exact=True).select_option("human")
    page.get_by_text("Other boards and rules").click()
    page.get_by_label("Game or position").fill("7,7,5")
    button(page, "Start").click()
    page.get_by_role("grid", name="7,7,5, 7 columns, 7 rows").wait_for()
    page.get_by_label("Game or position").fill("connect4 4x")
    button(page, "Start").click()
    page.locator(".error").get_by_text("x").first.wait_for()
    page.get_by_label("Game or position").fill("qubic")
    button(page, "Start").click()
    page.get_by_role("grid", name="level d of qubic").wait_for()
    expect(page.get_by_role("grid")).to_have_count(4)


def test_plays_a_column_by_its_number_or_any_of_its_cells(visit: Visit) -> None:
    page = visit.go("room=play&position=connect4")
    page.get_by_text("Other players").click()
    page.get_by_label("O", exact=True).select_option("human")
    page.locator("[role=gridcell][tabindex='0']").focus()
    page.keyboard.press("4")
    page.get_by_role("gridcell", name="d1, X").wait_for()
    page.get_by_role("gridcell", name="d6, empty").click()
    page.get_by_role("gridcell", name="d2, O, last move").wait_for()


def test_opens_the_same_game_from_a_link(visit: Visit) -> None:
    page = visit.go(f"room=play&o=human&position={DEEP}")
    expect(page.get_by_role("button", name="move 7, X 3")).to_have_attribute("aria-current", "step")
    page.wait_for_url(lambda url: "moves=d1,d2,d3,d4,d5,c1,c2" in url)
    page.wait_for_url(lambda url: "o=human" in url)
    button(page, "Share").click()
    with page.expect_download() as download:
        button(page, "SVG").click()
    text = download.value.path().read_text()
    assert text.startswith("<svg")
    assert [
        text.count(f'fill="{colour}"') for colour in ("rgb(5, 80, 174)", "rgb(154, 74, 0)")
    ] == [4, 3]
    assert "connect4: X played 3. O to move" in text
    button(page, "Share").click()
    with page.expect_download() as download:
        button(page, "PNG").click()
    assert download.value.path().read_bytes()[:4] == b"\x89PNG"


def test_says_why_the_best_move_is_best_and_lights_its_cells(visit: Visit) -> None:
    page = visit.go("room=analyze&position=connect4&moves=d1,d2,e1,e2")
    page.get_by_text("3 makes two threats at once, at b1 and f1").wait_for()
    expect(page.locator("path[data-reason]")).to_have_count(2)


def test_leaves_stones_visible_on_the_cells_of_a_reason(visit: Visit) -> None:
    page = visit.go("room=analyze&position=4,4,3&moves=a1,a2,b1,b2,d1")
    page.get_by_text("c2 completes a line: a2 b2 c2").wait_for()
    layers = page.locator(".drawing g:has(> *)").evaluate_all(
        "groups => groups.map(({ className }) => className.baseVal)"
    )
    assert layers.index("reason") < layers.index("values") < layers.index("stones")


def test_changes_the_theme_on_a_phone(browser: Any, server: str) -> None:
    with visiting(browser, server, viewport={"width": 390, "height": 844}) as visit:
        page = visit.go("room=play")
        button(page, "keys").click()
        button(page, "Theme: auto").click()
        button(page, "Theme: light").wait_for()


def test_shows_one_value_on_every_move_and_the_rest_on_pointing(visit: Visit) -> None:
    for _ in range(4):  # a proof of all moves may not end in the page's 10 s on a busy machine
        page = visit.go("room=analyze&position=connect4&moves=d1,d2,d3,d4,d5,c1,c2")
        page.get_by_role("img", name="X wins · proved · in 34 plies").wait_for()
        page.get_by_text("· best 3").wait_for()
        cell = page.get_by_role("gridcell", name=re.compile("^c3, empty, best"))
        cell.wait_for()
        page.get_by_text("How is this known?").click()
        page.get_by_text(re.compile(r"engine: depth \d+")).wait_for()
        with suppress(AssertionError):
            expect(page.locator(".note.proof")).to_have_count(7, timeout=20_000)
            break
    page.get_by_role("gridcell", name=re.compile("^c3, .*heuristic 4")).wait_for()
    notes, name, said = cell.evaluate(  # which change while the search deepens: in one look
        """cell => [[...cell.querySelectorAll(".note")].map((note) => note.textContent),
          cell.ariaLabel, cell.title]"""
    )
    assert len(notes) == 1
    assert name == f"c3, empty, best, {notes[0]}, {said}"
    assert re.fullmatch(r"proved loss 34, (search .*, )?heuristic 4", said), said
    cell.hover()
    page.locator(".pointed").get_by_text(re.compile("^3: proved loss 34, ")).wait_for()
    expect(page.locator(".note.proof")).to_have_count(7)
    page.get_by_role("radio", name="wrong").check()
    page.locator(".note.over, .note.under, .note.right").first.wait_for()


def test_shows_where_a_heuristic_is_wrong(visit: Visit) -> None:
    page = visit.go("room=analyze&shelf=heuristic&position=tictactoe&moves=a3,b2")
    page.get_by_role("combobox", name="Heuristic").select_option("null")
    page.get_by_role("img", name="a draw · proved").wait_for()
    page.get_by_role("radio", name="wrong").check()
    page.get_by_text("0 of 7 moves misjudged, by the proof").wait_for()
    # every reply to a3 b2 draws, so that a heuristic that is always 0 orders none wrongly
    expect(page.locator(".note.over, .note.under")).to_have_count(0)


def test_shows_and_plays_the_best_lines(visit: Visit) -> None:
    page = visit.go("room=analyze&position=tictactoe&moves=b2,a3,a1")
    line = page.locator("button.line").first
    line.wait_for()
    first = line.inner_text().split()[0]
    line.focus()
    page.locator(".cell.ghosted").first.wait_for()
    line.click()
    page.get_by_role("tab", name="Game").click()
    page.get_by_role("button", name=f"4. {first}").wait_for()
    page.wait_for_url(lambda url: "shelf=game" in url)


def test_shows_the_game_as_a_graph_with_its_mistakes(visit: Visit) -> None:
    page = visit.go("room=analyze&shelf=game&position=tictactoe&moves=b2,a3,c3,b3")
    button(page, "Review the game").click()
    page.get_by_text("4. b3: mistake").wait_for()
    page.get_by_role("button", name=re.compile("^after a3, proved: ")).press("Enter")
    page.wait_for_function(
        "document.querySelector('.bar [aria-current=step]').textContent === '2. a3'"
    )


def test_changes_the_table_and_its_values_by_a_slider(visit: Visit) -> None:
    page = visit.go("room=analyze&shelf=heuristic&position=tictactoe&moves=b2")
    evaluation = page.locator(".evaluation")
    evaluation.get_by_text("counted-lines for O: −4").wait_for()
    slider = page.get_by_label("1 theirs", exact=True).first
    slider.fill("-5")
    evaluation.get_by_text("your table for O: −20").wait_for()
    button(page, "back to counted-lines").click()
    evaluation.get_by_text("counted-lines for O: −4").wait_for()
    page.get_by_label("1 theirs, as a number").first.fill("-500")
    evaluation.get_by_text("your table for O: −2,000").wait_for()


def test_gives_each_term_a_slider(visit: Visit) -> None:
    page = visit.go("room=analyze&shelf=heuristic&position=connect4&moves=d1,d2")
    page.locator(".evaluation").get_by_text("counted-lines for X: ").wait_for()
    page.get_by_text("More terms").click()
    page.get_by_text("Cells", exact=True).click()
    page.get_by_label("d1", exact=True).fill("7")
    page.locator(".evaluation", has_text="your table for X: ").wait_for()
    page.get_by_role("tab", name="Why").click()
    page.locator(".waterfall tr", has_text=re.compile(r"cells\s*\+7")).wait_for()
    page.get_by_role("tab", name="Heuristic").click()
    page.get_by_text("Patterns", exact=True).wait_for()
    folded = page.locator(".bench details .group > summary")
    assert [text.split("\n")[0] for text in folded.all_inner_texts()] == [
        "Cells",
        "Threats",
        "Patterns",
    ]


def test_steps_a_search_by_keyboard(visit: Visit) -> None:
    page = visit.go("room=trees")
    page.get_by_text("step 0 of 30").wait_for()
    page.get_by_text("The search has not begun: Next takes a step, Play runs it.").first.wait_for()
    button(page, "End").click()
    page.get_by_text(
        "step 30 of 30: 11 nodes, 5 leaves, 2 cutoffs; any alpha-beta needs at least 5 leaves here"
    ).wait_for()
    button(page, "Start").click()
    page.keyboard.press("c")
    expect(status(page)).to_have_text(
        "At E (MAX) 6 raises alpha to 6 ≥ beta 5, which D gave to B: 9 is not searched.",
        use_inner_text=True,
    )
    expect(page.locator(".code .now")).to_have_text("if α ≥ β: stop here", use_inner_text=True)
    button(page, "Python").click()
    expect(page.locator(".code .now")).to_contain_text("walk.cutoff(", use_inner_text=True)
    expect(page.get_by_role("treeitem", name="9, leaf, cut")).to_have_count(1)
    page.keyboard.press("n")
    expect(
        page.get_by_role("treeitem", name=re.compile("^E, ≥ 6, MAX, window .*current"))
    ).to_have_count(1)
    page.keyboard.press("p")
    page.keyboard.press("p")
    expect(page.get_by_role("treeitem", name="9, leaf, not searched yet")).to_have_count(1)
    page.keyboard.press("G")
    page.get_by_role("treeitem", name=re.compile("^C,.* MIN")).focus()
    page.keyboard.press("ArrowUp")
    page.locator("[role=treeitem]:focus[aria-label^='A, ']").wait_for()


def test_shows_two_searches_and_highlights_their_differences(visit: Visit) -> None:
    page = visit.go("room=trees&tree=[[5,3],[3,9],[4,2]]&shelf=search")
    button(page, "Compare with another search").click()
    page.get_by_text("2 nodes differ, highlighted in both.").wait_for()
    trees = [page.get_by_role("tree", name=name) for name in ("the searched tree", "the other")]
    for tree in trees:
        lit = tree.get_by_role("treeitem", name=re.compile("differs"))
        until(lambda lit=lit: [name[0] for name in lit.evaluate_all(LABELS)], ["C", "9"])
    button(page, "Go to the first difference").click()
    said = page.locator(".said")
    said.filter(has_text="C (MIN) 3 lowers beta to 3 ≤ alpha 3").wait_for()
    until(lambda: [" is not searched" in text for text in said.all_inner_texts()], [True, False])
    button(page, "C").click()
    for tree in trees:
        tree.get_by_role("treeitem", name=re.compile("^C,"), selected=True).wait_for()
    page.wait_for_url(re.compile("algorithm2=alphabeta&cut2=gt"))
    page.get_by_label("When to cut").first.select_option("gt")
    page.get_by_text("No node differs.").wait_for()
    page.get_by_text("A move that could tie is searched: equal scores are exact.").first.wait_for()


def test_steps_two_searches_together_with_counts_and_code(visit: Visit) -> None:
    page = visit.go("room=trees&algorithm2=pvs")
    page.get_by_text(re.compile("^step 0 of .* in step")).wait_for()
    counts = page.locator("section:visible .help", has_text=re.compile(r"^\d+ nodes?, "))
    for step in (1, 5, 14, 22):
        page.locator(".track input").fill(str(step))
        page.get_by_text(f"step {step} of ").wait_for()
        until(lambda: len({text.split(",")[0] for text in counts.all_inner_texts()}), 1)
    expect(page.locator("section:visible h2", has_text="alpha-beta")).to_have_count(1)
    expect(page.locator("section:visible h2", has_text="pvs")).to_have_count(1)
    shown = page.locator("section:visible .code")
    until(lambda: ["pvs(" in text for text in shown.all_inner_texts()], [False, True])
    expect(page.locator(".code .now")).to_have_count(2)
    page.get_by_role("button", name="At C (MIN)").nth(1).click()
    page.locator(".pane").nth(1).locator("[role=treeitem]:focus[aria-label^='C, MIN']").wait_for()
    expect(page.locator(".said").nth(1)).to_contain_text("At C (MIN)", use_inner_text=True)


@pytest.mark.parametrize(
    "algorithm",
    [
        *("minimax", "negamax", "pvs", "mtdf", "sss", "pn", "dfpn", "iterative-deepening"),
        "accumulating",
    ],
)
def test_steps_every_algorithm(visit: Visit, algorithm: str) -> None:
    tree = "tictactoe b2 a3 c3 a1" if algorithm == "accumulating" else TREE
    page = visit.go(f"room=trees&tree={tree}&shelf=search")
    caption = page.locator(".caption").first
    caption.get_by_text(re.compile("^alpha-beta, ")).wait_for()
    page.get_by_label("Algorithm", exact=True).select_option(algorithm)
    caption.get_by_text(re.compile("^alpha-beta, ")).wait_for(state="detached")
    page.get_by_role("tab", name="Steps").click()
    button(page, "Next").click()
    expect(page.locator(".code .now")).to_have_count(1)


def test_says_in_both_frames_that_a_search_starts(visit: Visit) -> None:
    hold(visit.page, "trace")
    page = visit.go("room=trees&algorithm2=pvs")
    expect(page.locator(".caption")).to_have_text(
        ["starting the searches …"] * 2, use_inner_text=True
    )
    release(page)
    page.get_by_text("step 0 of ").wait_for()
    expect(page.locator(".stage")).not_to_contain_text("starting", use_inner_text=True)
    page = visit.go("room=trees&tree=connect9")
    release(page)
    page.get_by_role("alert").filter(has_text="connect9").wait_for()
    expect(page.locator(".stage")).not_to_contain_text("starting", use_inner_text=True)


@pytest.mark.parametrize("place", ["algorithm2=pvs", "tree=tictactoe&depth=3&algorithm2=uct"])
def test_opens_two_trees_with_readable_texts(visit: Visit, place: str) -> None:
    page = visit.go(f"room=trees&{place}&step=20")
    page.get_by_text("step 20 of ").wait_for()
    texts = page.locator(".tree .node > text")
    until(lambda: texts.count() > 10)
    sizes = page.evaluate(
        """[...document.querySelectorAll('.tree .node > text')].map((text) =>
            parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""
    )
    assert min(sizes) > 10.9


def test_disables_algorithms_that_cannot_search_a_tree_and_says_why(visit: Visit) -> None:
    page = visit.go("room=trees&shelf=search")
    page.get_by_role("treeitem").first.wait_for()
    option = page.get_by_label("Algorithm").locator("option", has_text="accumulating")
    expect(option).to_be_disabled()
    expect(option).to_have_text(
        "accumulating (only for line games such as tictactoe)", use_inner_text=True
    )


def test_opens_a_tree_as_large_as_its_frame_allows(visit: Visit) -> None:
    page = visit.go("room=trees")
    root = page.get_by_role("treeitem", name=re.compile("^A,.* MAX"))
    root.locator("text", has_text="A").wait_for()  # seen
    page.wait_for_function(
        """() => {
            const leaves = [...document.querySelectorAll("[role=treeitem][aria-label*=leaf]")];
            const boxes = leaves.map((leaf) => leaf.getBoundingClientRect());
            const frame = document.querySelector(".scene").getBoundingClientRect();
            return boxes.at(-1).right - boxes[0].left > 0.8 * frame.width;
        }"""
    )


def test_zooms_moves_folds_and_follows_a_tree(visit: Visit) -> None:
    page = visit.go("room=trees&tree=connect4&algorithm=minimax&depth=4")
    page.get_by_text(re.compile("^1,000 of 2,801 nodes are shown; left out are 1,801")).wait_for()
    items = page.get_by_role("treeitem")
    page.get_by_text("996 of 1,000 nodes are folded: Fit shows all").wait_for()
    expect(items).to_have_count(4)  # the root, and of its children those that are shown
    button(page, "End").click()
    page.get_by_role("treeitem", name=re.compile("current")).wait_for()
    until(lambda: 10 < items.count() < 200)  # those in view, of a thousand
    page.keyboard.press("0")
    page.locator(".far .edge").first.wait_for()
    until(lambda: items.count() < 5)  # the others are dots
    page.keyboard.press("g")
    page.keyboard.press("+")
    for _ in range(16):
        page.keyboard.press("+")
    page.locator(".far .edge").first.wait_for(state="detached")
    page.goto(page.url.split("#")[0] + "#room=trees&step=30")
    page.get_by_role("treeitem", name=re.compile("^B,.* MIN")).focus()
    page.keyboard.press("f")
    page.get_by_role("treeitem", name=re.compile("folded, 6 below")).wait_for()
    expect(items).to_have_count(9)
    page.keyboard.press("g")
    page.keyboard.press("c")  # to a node below the folded one, which comes to light
    page.get_by_role("treeitem", name=re.compile("^E,.* MAX.*current")).wait_for()


def in_the_frame(page: Any) -> list[int]:
    """Return the numbers of the tree's nodes that are wholly within its frame."""
    found: list[int] = page.evaluate(
        """[...document.querySelectorAll('.tree [role=treeitem]')].filter((item) => {
            const box = item.getBoundingClientRect();
            const frame = item.closest('.tree').getBoundingClientRect();
            return box.left >= frame.left && box.right <= frame.right &&
                box.top >= frame.top && box.bottom <= frame.bottom;
        }).map((item) => Number(item.dataset.node))"""
    )
    return found


def test_shows_each_steps_node_with_its_parent_and_the_variation_at_the_end(visit: Visit) -> None:
    asked = b'{"position": "tictactoe", "depth": 3, "heuristic": "counted-lines"}'
    traced = answer("trace", read("trace", asked), lambda told: None)
    nodes, steps = traced["nodes"], traced["steps"]
    visit.page.emulate_media(reduced_motion="reduce")  # the camera is there at once
    page = visit.go("room=trees&tree=tictactoe&depth=3")
    page.get_by_text("step 0 of 408").wait_for()
    for step in (5, 25, 180, 300):
        page.locator(".track input").fill(str(step))
        page.get_by_text(f"step {step} of 408").wait_for()
        node = steps[step - 1]["node"]
        wanted = {node, nodes[node]["parent"] or 0}
        until(lambda wanted=wanted: wanted - set(in_the_frame(page)), set())
    button(page, "End").click()
    page.get_by_text("step 408 of 408").wait_for()
    variation = {number for number, node in enumerate(nodes) if node["pv"]}
    assert len(variation) == 4
    until(lambda: variation - set(in_the_frame(page)), set())
    page.keyboard.press("C")  # back: as close as before
    page.get_by_role("treeitem", name=re.compile("current")).wait_for()
    expect(page.locator(".far .edge")).to_have_count(0)


def test_searches_one_line_by_enter_and_several_by_ctrl_enter(visit: Visit) -> None:
    page = visit.go("room=trees&shelf=tree")
    page.get_by_text("Ctrl+Enter").wait_for()
    text = page.get_by_label("Tree or position")
    text.fill("[[4,4],[7,[1,2]]]")
    text.press("Enter")
    page.get_by_role("treeitem", name=re.compile("^7, leaf")).wait_for()
    expect(text).to_have_value("[[4,4],[7,[1,2]]]")
    text.fill("[[4,4],\n[8,2]]")
    text.press("Enter")  # another line
    until(lambda: text.input_value().count("\n"), 2)
    text.press("Control+Enter")
    page.get_by_role("treeitem", name=re.compile("^8, leaf")).wait_for()


def test_gives_no_two_nodes_the_same_name(visit: Visit) -> None:
    page = visit.go("room=trees&tree=[[5,5],[[3,3,-1],2]]")
    items = page.get_by_role("treeitem")
    expect(items).to_have_count(10)
    assert len(set(items.evaluate_all(LABELS))) == 10


def test_shows_the_value_at_the_end_of_an_incomplete_drawing(visit: Visit) -> None:
    page = visit.go("room=trees&tree=tictactoe&depth=4")
    page.get_by_text("of the first").wait_for()
    button(page, "End").click()
    status(page).get_by_text("the whole search found that").wait_for()


def test_links_a_sentence_to_its_node_and_the_address_to_its_step(visit: Visit) -> None:
    page = visit.go("room=trees&tree=[[3,5],[2,9]]&cut=gt&bound=hard")
    page.get_by_role("button", name="At C (MIN) 2 lowers beta to 2").click()
    expect(status(page)).to_have_text(re.compile(r"^At C \(MIN\) 2 lowers beta"))
    page.locator("[role=treeitem]:focus[aria-label^='C, '][aria-label*='MIN']").wait_for()
    page.wait_for_url(re.compile("step=14"))
    address = page.url
    page = visit.go(address.partition("#")[2])
    page.get_by_text("step 14 of 16").wait_for()
    expect(page.locator(".code").first).to_contain_text(
        "return best, clamped to [α, β]", use_inner_text=True
    )


def test_saves_a_tree_as_it_is_drawn(visit: Visit) -> None:
    visit.page.emulate_media(color_scheme="dark")
    page = visit.go("room=trees&shelf=tree&tree=[[-10000,3],[2,123456]]&step=5")
    page.get_by_text("step 5 of ").wait_for(state="attached")
    saved = []
    for form, name in (("SVG", "tree.svg"), ("PNG", "tree.png")):
        with page.expect_download() as download:
            button(page, form).click()
        assert download.value.suggested_filename == name
        saved.append(download.value.path().read_bytes())
    svg, png = saved
    drawn = ElementTree.fromstring(svg)
    texts = ["".join(text.itertext()) for text in drawn.iter(f"{SVG}text")]
    assert {"−10000", "3", "2", "123456", "A", "B", "C"} <= {*texts}
    assert "step 5 of " in texts[-1]
    sizes = {text.get("font-size") for text in drawn.iter(f"{SVG}text")}
    assert sizes - {None} <= {"11px", "13px", "8"}  # those of the page
    assert not re.search(rb"class=|style=|var\(", svg)
    assert {shape.get("fill") for shape in drawn.iter(f"{SVG}rect")} >= {"rgb(255, 255, 255)"}
    assert png[:4] == b"\x89PNG"
    page = visit.go("room=trees&shelf=tree")
    page.get_by_role("treeitem").first.wait_for()
    button(page, "Quiz me on this tree").click()
    page.get_by_role("tab", name="Quiz", selected=True).wait_for()
    page.wait_for_url(re.compile(r"room=quiz.*tree=\[\[\[3,5\]"))


def test_makes_a_quiz_of_the_small_tree_of_a_position(visit: Visit) -> None:
    page = visit.go("room=trees&tree=tictactoe&depth=3&shelf=tree")
    page.get_by_role("treeitem").first.wait_for()
    button(page, "Quiz me on this tree").click()
    page.get_by_role("alert").get_by_text("the tree has more than 60 nodes; expected").wait_for()
    page = visit.go("room=trees&tree=tictactoe b2 a3 c3 a1&depth=2&shelf=tree")
    page.get_by_role("treeitem").first.wait_for()
    button(page, "Quiz me on this tree").click()
    page.wait_for_url(re.compile(r"room=quiz.*tree=\[\["))
    page.get_by_role("textbox", name=re.compile("value of")).first.wait_for()


def test_shows_boards_as_the_nodes_of_a_positions_tree(visit: Visit) -> None:
    page = visit.go("room=trees&tree=.X./O../X.O")
    page.get_by_text("step 0 of ").wait_for()
    button(page, "End").click()
    button(page, "Fit").click()
    page.get_by_role("treeitem", name=re.compile("^a3,.* MIN")).wait_for()
    crosses = page.get_by_role("treeitem", name=re.compile("^a3,.* MIN")).locator(
        ".little .stone.x"
    )
    until(lambda: crosses.get_attribute("d").count("M"), 3)  # two, and the one that was played
    page.wait_for_function(  # nodes come into view one after the other
        """() => {
            const nodes = document.querySelectorAll("[role=treeitem]");
            const boards = document.querySelectorAll("[role=treeitem] .little .pen");
            return nodes.length > 20 && boards.length === nodes.length;
        }"""
    )


def test_marks_a_quiz_answered_by_keyboard_with_a_diagnosis(visit: Visit) -> None:
    page = visit.go(f"room=quiz&{ALL_ASKED}")
    page.get_by_label("value of A").wait_for()
    button(page, "Mark").click()
    points = page.locator(".points")
    points.get_by_text("0 of 19 points", exact=True).wait_for()
    expect(page.locator(".result")).not_to_contain_text("null", use_inner_text=True)
    button(page, "Show the key").click()
    points.get_by_text("0 of 19 points, for your answers").wait_for()
    button(page, "Mark").click()
    points.get_by_text("19 of 19 points", exact=True).wait_for()
    page.locator(".praise").get_by_text("all right").wait_for()
    page.locator(".paper [data-path='1.1'] .hit").click()
    cutter = page.get_by_label("cut the edge to C G", exact=True)
    cutter.focus()
    page.keyboard.press("Space")
    button(page, "Mark").click()
    points.get_by_text("18 of 19 points", exact=True).wait_for()


def test_reaches_the_rooms_by_arrow_keys(visit: Visit) -> None:
    page = visit.go("room=play")
    page.get_by_role("tab", name="Play").focus()
    for name in ("Analyse", "Trees", "Quiz", "Lab", "Play"):
        page.keyboard.press("ArrowRight")
        until(lambda: page.evaluate("document.activeElement.textContent"), name)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_axe_finds_nothing_wrong(
    browser: Any, server: str, scheme: str, viewport: dict[str, int]
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs test-page")

    context = browser.new_context(viewport=viewport, color_scheme=scheme, bypass_csp=True)
    context.set_default_timeout(60_000)
    visit = Visit(context.new_page(), server)

    rules = {"rules": {"label-content-name-mismatch": {"enabled": True}}}

    def check(room: str) -> None:
        found = axe.Axe().run(visit.page, options=rules).response
        assert [(room, item["id"], item["nodes"][0]["html"]) for item in found["violations"]] == []
        assert len(found["passes"]) > 20

    page = visit.go("room=play&position=connect4&moves=d1,d2")
    page.locator(".taken").first.wait_for()
    check("play")
    page = visit.go(f"room=analyze&position={DEEP}")
    page.get_by_role("img", name="X wins · proved").wait_for()
    for shelf in ("Why", "Heuristic"):
        page.get_by_role("tab", name=shelf).click()
        check(f"analyze, {shelf}")
    page.get_by_role("tab", name="Game").click()
    button(page, "Review the game").click()
    page.get_by_role("button", name=re.compile("^after 3")).last.wait_for()
    check("analyze")
    page = visit.go("room=trees&step=14")
    page.get_by_role("treeitem").first.wait_for()
    check("trees, its steps")
    page.get_by_role("tab", name="Search").click()
    button(page, "Compare with another search").click()
    page.get_by_text(re.compile("highlighted in both|No node differs")).wait_for()
    check("trees")
    page = visit.go(f"room=quiz&{ALL_ASKED}")
    page.get_by_label("value of A").wait_for()
    button(page, "Mark").click()
    page.locator(".points").get_by_text("0 of 19 points", exact=True).wait_for()
    check("quiz")
    context.close()


def test_marks_every_edge_where_only_cuts_are_asked(visit: Visit) -> None:
    page = visit.go("room=quiz&ask=cuts")
    page.locator(".cutter").first.wait_for()
    button(page, "Show the key").click()
    page.get_by_text("for your answers").first.wait_for()
    button(page, "Mark").click()
    page.locator(".praise").get_by_text("all right").wait_for()
    below = page.locator(".cutter:not([data-mark])").count()
    expect(page.locator(".verdict.for-cut.right")).to_have_count(
        page.locator(".cutter").count() - below
    )
    assert page.locator(".cutter").count() > 2 * below
    expect(page.locator(".paper input")).to_have_count(0)


def test_opens_the_room_that_the_documents_add(
    visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What docs/extending.md says to write is joined and served as if it were there."""
    room, entry = re.findall(r"```js\n(.*?)```", EXTENDING.read_text(encoding="utf-8"), re.DOTALL)
    imported, listed = entry.splitlines()
    monkeypatch.setattr(frontend, "STATIC", copytree(frontend.STATIC, tmp_path / "static"))
    (tmp_path / "static" / "rooms" / "count").mkdir()
    (tmp_path / "static" / "rooms" / "count" / "room.js").write_text(room, encoding="utf-8")
    widget = tmp_path / "static" / "widget.js"
    text = widget.read_text(encoding="utf-8")
    text = text.replace("const ROOMS = [", f"{imported}\nconst ROOMS = [\n{listed}")
    widget.write_text(text, encoding="utf-8")
    joined = frontend.scripts(frontend.ENTRY)
    visit.page.route(
        f"**/{frontend.ENTRY}",
        lambda route: route.fulfill(body=joined, content_type="text/javascript"),
    )
    page = visit.go("room=count")
    button(page, "Count the moves").click()
    page.get_by_text("9 moves", exact=True).wait_for()


CONTROLS = """[...document.querySelectorAll("button, input, select, textarea, summary, a[href]")]
  .filter((each) => {
    const box = each.getBoundingClientRect();
    return each.checkVisibility({ visibilityProperty: true }) && box.width > 0
      && box.bottom > 0 && box.top < innerHeight;
  }).length"""


def test_shows_few_controls_at_first_and_one_width_of_tools(browser: Any, server: str) -> None:
    with visiting(browser, server, viewport={"width": 1280, "height": 860}) as visit:
        widths, sizes = measured_rooms(visit)
    assert len(widths) == 1
    assert len(sizes) == 1


def measured_rooms(visit: Visit) -> tuple[set[int], set[str]]:
    """Return the widths of the tools and the sizes of headlines in all rooms, which show few
    controls."""
    widths, sizes = set(), set()
    for room in ("home", "play", "analyze", "trees", "quiz", "lab"):
        page = visit.go(f"room={room}")
        page.locator(f".inside.{room}").wait_for()
        settled = {
            "home": ".offer .picture",
            "play": ".games .picture",
            "analyze": ".lines button",
            "trees": ".tree .node",
            "quiz": ".paper input",
            "lab": ".depth-chart",
        }
        page.locator(settled[room]).first.wait_for()
        page.wait_for_function(f"{CONTROLS} <= {12 if room == 'home' else 24}")
        if room != "home":
            widths.add(page.evaluate("document.querySelector('.side').offsetWidth"))
        headline = page.locator(".stage .status, .standing, .setup summary").locator("visible=true")
        sizes.add(headline.first.evaluate("one => getComputedStyle(one).fontSize"))
    return widths, sizes
