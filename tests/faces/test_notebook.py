"""What a notebook shows: every number of the thing, well-formed, also where it is not trusted."""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from base64 import b64decode
from pathlib import Path

import pytest

from commands import output
from documents import notebooks
from plyscope import (
    certify,
    explain,
    parse,
    parse_tree,
    perft,
    play_match,
    report_card,
    search,
    solve,
    trace,
)
from plyscope.faces.notebook.parts import EVEN, MAX_WIDTH_PX, MIN_COORDINATE_PX, MINUS, PLUS
from plyscope.faces.wording import match_verdict
from plyscope.lab.matches.tournament import tournament
from sentences import says
from tests.tunings import sampled

TREE = "[[[3,5],[6,9]],[[1,2],[0,-1]]]"


def test_shows_bounds_as_bounds_on_the_board_of_a_result() -> None:
    board, *_ = images(search(".X./O../X.O", "alphabeta")._repr_html_())
    assert re.findall(r">([≤≥] −?\d+)<", board) == ["≤ 5", "≤ 0", "≤ 5"]


def images(html: str) -> list[str]:
    """The drawings of a page, as SVG."""
    found = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
    return [b64decode(data).decode() for data in found]


def painted(html: str, colour: str) -> int:
    """The number of bars in a colour; those of bounds are outlines."""
    return sum(svg.count(f'"{colour}"') for svg in images(html))


@pytest.fixture(scope="module")
def faces() -> list[str]:
    shown = [
        *(parse("X../.X./..O"), parse("connect4 44455"), parse("gomoku15 h8 i9")),
        *(search(".X./O../X.O"), search(TREE), parse_tree(TREE), trace(TREE)),
        *(trace("tictactoe", depth=2), trace("tictactoe", depth=6)),
        *(explain(".X./O../X.O", "diagonal-lines"), certify("accumulating")),
        *(solve("XO./.X./..."), perft("tictactoe")),
        play_match("level-2", "level-1", 4, "tictactoe"),
        tournament(["two-ply", "random"], 4, game="tictactoe"),
        *(report_card("counted-lines", "tictactoe"), sampled()),
    ]
    return [thing._repr_html_() for thing in shown]


def test_shows_every_public_result_in_a_notebook(faces: list[str]) -> None:
    for html in faces:
        ElementTree.fromstring(f"<body>{html}</body>")
    assert "At E (MAX)" in trace(TREE)._repr_html_()
    assert repr(parse("X../.../...")) == "<tictactoe: X../.../...>"
    assert repr(parse_tree("[1,[2,3]]")) == "<tree [1,[2,3]]>"
    says(repr(search(".X./O../X.O")))


# What the sanitizer of JupyterLab 4.6 keeps of an untrusted notebook, of all that it allows
# (@jupyterlab/apputils, src/sanitizer.ts); `<svg>`, `<style>` and `href="data:…"` it removes.
TAGS = {
    *("details", "div", "figcaption", "figure", "img", "li", "p", "pre", "summary", "ul"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {"class", "style"}
ATTRIBUTES_OF = {"img": {"src", "alt", "width"}}
LENGTH = r"(0|[+-]?(\d*\.)?\d+(px|em|rem|%))"
COLOUR = r"(#[0-9a-f]+|rgba\(\d{1,3},\d{1,3},\d{1,3},0?\.\d+\))"
STYLES = {
    "align-items": "flex-start",
    "background": f"none|{COLOUR}",
    "border": f"{LENGTH}( (solid|dashed) {COLOUR})?",
    "border-bottom": f"{LENGTH} (solid|dashed) {COLOUR}",
    "border-collapse": "collapse",
    "display": "block|flex",
    "flex-wrap": "wrap",
    "font": rf"{LENGTH}/[\d.]+ [a-z-]+(,[a-z-]+)*",
    "font-size": LENGTH,
    "font-weight": "normal|bold|[1-9]00",
    "gap": f"{LENGTH} {LENGTH}",
    "height": f"{LENGTH}|auto",
    "line-height": r"[\d.]+",
    "margin": f"{LENGTH}( {LENGTH}){{0,3}}",
    "max-width": f"{LENGTH}|none",
    "opacity": r"0?\.\d+",
    "overflow-x": "auto",
    "padding": f"{LENGTH}( {LENGTH}){{0,3}}",
    "table-layout": "auto",
    "text-align": "left|right",
    "white-space": "normal|nowrap",
}
UNSEEN = {"font-variant-numeric"}
"""Properties that it removes, without which a table still reads well."""


def removed(html: str) -> list[str]:
    """What the sanitizer removes."""
    found = []
    for element in ElementTree.fromstring(f"<body>{html}</body>").iter():
        if element.tag == "body":
            continue
        if element.tag not in TAGS:
            found.append(f"<{element.tag}>")
        known = ATTRIBUTES | ATTRIBUTES_OF.get(element.tag, set())
        found += [f"{element.tag} {name}" for name in element.attrib if name not in known]
        for declaration in filter(None, element.attrib.get("style", "").split(";")):
            name, _, value = declaration.partition(":")
            if name not in UNSEEN and not re.fullmatch(STYLES.get(name, "(?!)"), value):
                found.append(declaration)
    return found


def test_loses_nothing_to_the_sanitizer_of_untrusted_notebooks(faces: list[str]) -> None:
    assert removed("<p><svg/><style>p{}</style></p>") == ["<svg>", "<style>"]
    assert removed('<p style="color:color-mix(in srgb,red,blue)" id="a"/>') != []
    for html in faces:
        assert removed(html) == []


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_loses_nothing_of_the_lessons_to_the_sanitizer(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    shown = [
        "".join(output["data"]["text/html"])
        for cell in cells
        for output in cell.get("outputs", ())
        if "text/html" in output.get("data", {})
    ]
    assert sum(html.count("<img ") for html in shown) >= 2
    for html in shown:  # the style beside a widget hides its image where the widget is alive
        assert removed(html) == ["<style>"] * ("plyscope-still" in html)
    lines = [line for cell in cells if cell["cell_type"] == "code" for line in cell["source"]]
    assert max(len(line.rstrip("\n")) for line in lines) <= 80  # wider is cut off beside the files


def test_gives_drawings_a_background_and_an_alternative_text(faces: list[str]) -> None:
    drawn = [svg for html in faces for svg in images(html)]
    assert len(drawn) > 40
    for svg in drawn:
        ElementTree.fromstring(svg)
        assert "prefers-color-scheme" not in svg  # which is the system's, not the notebook's
        if "<style>" in svg:
            assert svg.index('fill="#fff"') < svg.index("<style>")
    alternatives = re.findall(r'<img [^>]*alt="([^"]*)"', parse("X../.X./..O")._repr_html_())
    assert alternatives == ["tictactoe: X../.X./..O"]
    assert 'alt="search tree, alphabeta' in trace(TREE)._repr_html_()


def test_fits_a_wide_tree_to_the_page_and_opens_it_in_full_size() -> None:
    wide, small = trace("tictactoe", depth=2)._repr_html_(), trace(TREE)._repr_html_()
    fitted, full = re.findall(r'<img [^>]*width="(\d+)" style="([^"]*)"', wide)
    assert int(fitted[0]) == int(full[0]) > MAX_WIDTH_PX
    assert "max-width:100%" in fitted[1]
    assert "max-width:none" in full[1]
    assert wide.index(fitted[1]) < wide.index("<details>") < wide.index(full[1])
    assert "<details>" not in small


@pytest.mark.parametrize("place", ["X../.X./..O", "connect4 44455", "gomoku15 h8", "qubic a1a"])
@pytest.mark.parametrize("is_beside", [False, True])
def test_draws_coordinates_large_enough_to_read(place: str, is_beside: bool) -> None:
    position = parse(place)
    html = (explain(position) if is_beside else position)._repr_html_()
    width = int(re.search(r' width="(\d+)" style', html)[1])
    svg = images(html)[0]
    cell = float(re.search(r"scale\(([\d.]+)\)", svg)[1])
    scale = width / int(re.search(r' width="(\d+)"', svg)[1])
    sizes = re.findall(r'class="label" font-size="([\d.]+)"', svg)
    assert min(map(float, sizes)) * cell * scale > MIN_COORDINATE_PX - 0.1


def rows_of(html: str) -> list[list[str]]:
    """The cells of all tables in a page, row by row, as text."""
    body = ElementTree.fromstring(f"<body>{html}</body>")
    return [["".join(cell.itertext()) for cell in row] for row in body.iter("tr")]


def test_shows_every_moves_value_of_a_verdict_on_and_beside_the_board() -> None:
    verdict = solve("XO./.X./...")
    html = verdict._repr_html_()
    assert f">{verdict}<" in html
    assert rows_of(html) == [
        ["move", "value", "plies"],
        ["c1 ★", "loss", "4"],
        *([name, "loss", "2"] for name in ("c3", "a2", "c2", "a1", "b1")),
    ]
    (board,) = images(html)
    assert sorted(re.findall(r'cell-label"[^>]*>([^<]+)<', board)) == ["L2"] * 5 + ["L4"]
    (won,) = images(solve("X.X/OO./X..")._repr_html_())
    assert re.findall(r">(W1)<", won)  # a win at once


def test_lists_all_equal_moves_of_a_verdict_in_a_notebook_only(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = rows_of(solve("4,4,4")._repr_html_())[1:]
    assert [row[1] for row in rows] == ["draw"] * 16
    assert "move   value" not in output(capsys, "solve", "4,4,4")


def test_names_moves_by_columns_where_they_are_typed_so() -> None:
    for html in (
        solve("connect4-5x4 3333")._repr_html_(),
        search("connect4-5x4 3333", depth=2)._repr_html_(),
    ):
        moves = [row[0].removesuffix(" ★") for row in rows_of(html)[1:] if row[0] != "sum"]
        assert sorted(moves) == ["1", "2", "4", "5"]
    assert re.search(r"best line [1245] [1245]<", html)


def test_shows_all_plies_of_perft_and_their_sums_each_time() -> None:
    counts = perft("tictactoe", classes=True)
    assert next(counts).sequences == 1
    html = counts._repr_html_()
    assert html == counts._repr_html_()
    head, *rows, sums = rows_of(html)
    assert head == ["ply", "sequences", "positions", "classes", "X wins", "O wins", "draws"]
    assert rows[-1] == ["9", "127,872", "78", "15", "81,792", "0", "46,080"]
    assert sums == ["sum", "549,946", "5,478", "765", "131,184", "77,904", "46,080"]
    assert "255,168 complete games" in html
    assert "perft of tictactoe" in html
    assert [row.ply for row in perft("tictactoe", depth=2)] == [0, 1, 2]


def test_shows_the_numbers_and_worst_positions_of_a_report_card() -> None:
    card = report_card("counted-lines", "tictactoe")
    html = card._repr_html_()
    rows = {row[0]: row[1] for row in rows_of(html) if row[0]}
    assert rows["correctly minus wrongly ordered sibling pairs"] == f"{card.among_siblings:.3f}"
    first = card.depths[0]
    label = f"wrong moves at depth 1 (with no heuristic: {first.null_mistakes:.1%})"
    assert rows[label] == f"{first.mistakes:.1%}"
    assert html.count("<figure ") == len(card.worst) > 3
    assert painted(html, PLUS) == len(card.depths)


def test_lets_a_table_define_its_display() -> None:
    body = ElementTree.fromstring(report_card("open-lines", "tictactoe", depth=1)._repr_html_())
    styles = [row.attrib["style"] for row in body.iter("tr")]
    assert all("background:none" in style for style in styles)  # Jupyter has stripes
    for row in body.iter("tr"):
        name, value, *_ = (cell.attrib["style"] for cell in row)
        assert "text-align:left" in name  # Jupyter has all cells right
        assert "text-align:right" in value


def test_shows_who_is_better_and_the_games_by_side_of_a_match() -> None:
    result = play_match("level-2", "level-1", 8, "tictactoe")
    html = result._repr_html_()
    assert f">{match_verdict(result)}<" in html.replace("&#x27;", "'")
    _, a, b = (row[:6] for row in rows_of(html))
    wins = (result.a_wins, result.a_wins_as_x, result.a_wins_as_o, result.draws, result.b_wins)
    assert a == ["level-2", *map(str, wins)]
    assert b[1] == a[-1]
    said = f"level-2: {result.a_wins} won, {result.draws} drawn, {result.b_wins} lost"
    assert f'alt="{said}"' in html
    assert painted(html, PLUS) == painted(html, EVEN) == painted(html, MINUS) == 2


def test_shows_an_explanation_beside_its_board_with_a_bar_for_each_line() -> None:
    found = explain(".X./O../X.O", "diagonal-lines")
    html = found._repr_html_()
    head, *rows, sums = rows_of(html)
    assert head[:7] == ["line", "kind", "mine", "theirs", "value", "× weight", "="]
    told = sorted((line for line in found.lines if line.value), key=lambda line: -abs(line.value))
    values = [str(line.value).replace("-", "−") for line in told]
    assert [row[6] for row in rows] == values
    assert sums[6] == str(found.sum)
    assert painted(html, PLUS) == sum(line.value > 0 for line in told)
    assert painted(html, MINUS) == sum(line.value < 0 for line in told)
    assert 'class="drawn"' in images(html)[0]


def test_leaves_out_of_an_explanation_what_every_line_repeats() -> None:
    found = explain("connect4 4", "open-lines")
    html = found._repr_html_()
    assert len({abs(line.value) for line in found.lines if line.value}) == 1
    assert rows_of(html)[0] == ["line", "kind", "mine", "theirs", "="]
    assert len(images(html)) == 1  # the board: equal bars would say nothing


def test_draws_hollow_bars_for_bounds() -> None:
    html = search(".X./O../X.O", "alphabeta")._repr_html_()
    values = [row[2] for row in rows_of(html)[1:-1]]
    hollow = sum("stroke-dasharray" in svg for svg in images(html)[1:])
    assert hollow == sum(value[0] in "≤≥" for value in values) == 3


def test_draws_no_windows_on_the_edges_of_minimax() -> None:
    (minimax,), (alphabeta,) = (
        images(trace(TREE, algorithm)._repr_html_()) for algorithm in ("minimax", "alphabeta")
    )
    assert "(−∞, ∞)" not in minimax
    assert "(−∞, ∞)" in alphabeta


def test_hides_frames_of_plyscope_in_the_traceback_of_a_cell(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ipython = pytest.importorskip("IPython.core.interactiveshell")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setitem(
        sys.modules, "__main__", sys.modules["__main__"]
    )  # the shell takes its place
    shell = ipython.InteractiveShell.instance()
    try:
        shell.run_line_magic("xmode", "Context")
        shell.run_cell("import plyscope as ps\ndef ask(position):\n    return 1 // 0")
        for cell, seen in (
            ("ps.parse('gomoku')", ["gomoku15"]),
            ("ps.search('tictactoe', heuristic=ask)", ["return 1 // 0", "HeuristicError"]),
        ):
            shown = "\n".join(shell.run_cell(cell).error_in_exec._render_traceback_())
            plain = re.sub(r"\x1b\[[\d;]*m", "", shown)
            assert [word for word in (cell, *seen) if word not in plain] == []
            assert "/plyscope/" not in plain
        error = shell.run_cell("ps.parse('gomoku')").error_in_exec
        assert error.__traceback__.tb_next.tb_next  # all frames are still there, for %debug
        shell.run_line_magic("xmode", "Verbose")
        assert "/plyscope/" in "\n".join(error._render_traceback_())
    finally:
        shell.clear_instance()
