"""Trees as pictures, in every form."""

from __future__ import annotations

import io
import os
import random
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from commands import refusal
from plyscope import ALGORITHMS, parse, trace
from plyscope.errors import OptionError
from plyscope.faces.boards import GAP, draw_board
from plyscope.faces.cli import run
from plyscope.faces.diagrams.builders import draw_tree
from plyscope.faces.diagrams.diff import compare_traces
from plyscope.faces.diagrams.dot import tree_dot
from plyscope.faces.diagrams.narration import narrate, sentences
from plyscope.faces.diagrams.smallboard import small_drawing
from plyscope.faces.diagrams.step import KEYS, _pressed, move, step_through
from plyscope.faces.diagrams.svg import tree_svg
from plyscope.faces.diagrams.text import tree_text
from plyscope.faces.diagrams.tikz import tree_tikz
from plyscope.faces.sheets.paper import sheet_pdf
from plyscope.faces.terminal import Terminal
from plyscope.lab.questions.exam.trees import make_questions
from plyscope.rules.games import GAMES
from plyscope.searching.algorithms import TEXTBOOK
from plyscope.searching.events import Enter, Event
from sentences import refuses, says

TREE = "[[[3,5],[6,9]],[[1,2],[0,-1]]]"
SVG = "{http://www.w3.org/2000/svg}"


def test_prints_the_published_tree_as_text() -> None:
    lines = [line.plain.rstrip() for line in tree_text(draw_tree(trace(TREE))).lines()]
    assert lines[:8] == [
        "▲ A = 5  ★   (−∞, ∞)",
        "├─ ▼ B = 5  ★   (−∞, ∞)",
        "│  ├─ ▲ D = 5  ★   (−∞, ∞)",
        "│  │  ├─ 3",
        "│  │  └─ 5  ★",
        "│  └─ ▲ E ≥ 6   (−∞, 5)",
        "│     ├─ 6",
        "│     └─ 9  ✂ cut",
    ]
    assert lines[-3:] == ["   └─ ▲ G  ✂ cut", "      ├─ 0  ✂ cut", "      └─ −1  ✂ cut"]


def test_explains_every_cutoff_in_a_sentence() -> None:
    says("\n".join(sentences(trace(TREE))))
    says("\n".join(sentences(trace("[[1,2],[3,4]]", window=(-9, 2)))))


def test_names_each_node_of_a_position_by_the_moves_that_lead_to_it() -> None:
    traced = trace("tictactoe", "alphabeta", "counted-lines", depth=3)
    said = sentences(traced)
    cut = [sentence.split()[1] for sentence in said]
    assert len(cut) == len(set(cut)) == 25
    says(said[0])
    entered = [
        text.split(" (")[0] for text in narrate(traced) if "is called with the window" in text
    ]
    assert len(entered) == len(set(entered)) == traced.result.nodes


def test_gives_leaves_of_equal_value_different_names() -> None:
    tree = parse("[[20,-3,20],[-3]]").game
    paths = [(), (0,), (0, 0), (0, 1), (0, 2), (1, 0)]
    names = [tree.distinct_name(path) for path in paths]
    assert names == ["A", "B", "20 (1 of 2)", "-3", "20 (2 of 2)", "-3"]
    diff = compare_traces(trace("[[5,5],[9,9,9]]"), trace("[[5,5],[9,9,9]]", "minimax"))
    assert [item.name for item in diff.differences] == []
    cut = compare_traces(trace("[[5,5],[3,3,3]]"), trace("[[5,5],[3,3,3]]", "minimax"))
    assert [item.name for item in cut.differences] == ["C", "C 3 (2 of 3)", "C 3 (3 of 3)"]


def some_traces() -> list[Any]:
    draw = random.Random(3)

    def tree(depth: int) -> Any:
        return (
            draw.randint(-5, 5)
            if depth == 0 or draw.random() < 0.1
            else [tree(depth - 1) for _ in range(draw.randint(1, 3))]
        )

    found = []
    for name in TEXTBOOK:
        budget: dict[str, Any] = {"nodes": 60} if name == "uct" else {}
        if name != "accumulating":
            found += [trace([[1, tree(3)], tree(3), tree(3)], name, **budget) for _ in range(3)]
        depth = {} if name == "uct" else {"depth": 2}
        found.append(trace(".X./O../X.O", name, **budget, **depth))
    return found


@pytest.mark.parametrize(
    "traced", some_traces(), ids=lambda traced: f"{traced.result.algorithm}-{traced.result.nodes}"
)
def test_draws_every_algorithm_in_every_form(traced: Any) -> None:
    picture = draw_tree(traced)
    drawn = list(picture.root.walk())
    entered = {event.path for event in traced if isinstance(event, Enter)}
    assert {node.path for node in drawn if not node.is_cut} >= entered
    assert all(not node.visits for node in drawn if node.is_cut)
    assert picture.nodes == traced.result.nodes
    assert len(tree_text(picture).lines()) == len(drawn)
    svg = ElementTree.fromstring(tree_svg(picture))
    assert traced.result.conventions.describe(ALGORITHMS[traced.result.algorithm].takes) in "".join(
        svg.itertext()
    )
    assert len(svg.findall(f".//{SVG}rect[@class='board']")) == sum(
        picture.board(node) is not None for node in drawn
    )
    assert len(svg.findall(f".//{SVG}rect[@class='node']")) == sum(
        node.is_leaf for node in drawn if picture.board(node) is None
    )
    assert tree_dot(picture).count(" -> ") == len(drawn) - 1
    tikz = tree_tikz(picture)
    assert tikz.isascii()
    assert tikz.count(r"\draw") == len(drawn) - 1
    assert all(sentence.endswith(("searched.", "search.")) for sentence in sentences(traced))


@pytest.mark.parametrize(
    ("name", "size"),
    [("tictactoe", (32, 32)), ("connect4", (72, 62)), ("gomoku15", (62, 62)), ("qubic", (78, 18))],
)
def test_draws_smaller_cells_on_large_boards(name: str, size: tuple[int, int]) -> None:
    assert small_drawing(GAMES[name]).size == size  # levels of a cube stand a cell apart


def boards_of(svg: str) -> list[str]:
    """Return what `tree_svg` draws of each board: its stones as letters, row by row."""
    found = []
    for group in re.findall(r'<rect class="board".*', svg):
        marks = []
        for sign in "xo":
            path = re.search(rf'<path class="disc {sign}" d="([^"]*)"', group)
            marks.append(0 if path is None else path[1].count("M"))
        found.append(f"{marks[0]} {marks[1]}")
    return found


def test_draws_every_node_of_a_line_game_as_a_board() -> None:
    picture = draw_tree(trace("connect4 4445", depth=2))
    nodes = list(picture.root.walk())
    stones = [
        f"{node.position.first.bit_count()} {node.position.second.bit_count()}" for node in nodes
    ]
    assert boards_of(tree_svg(picture)) == stones
    tikz = tree_tikz(picture)
    for node in nodes:
        rows = "/".join("".join(row) for row in picture.board(node).rows)
        assert rows == str(node.position).removeprefix("connect4 ").lower()
        assert rows.upper().replace("/", r"\\{}") in tikz


def test_marks_the_last_move_on_the_board_of_a_node() -> None:
    picture = draw_tree(trace("cube b2b", depth=1))
    for node in picture.root.children:
        board = picture.board(node)
        row, column = board.last
        assert board.rows[row][column] == "o"
        assert node.name == f"{'abc'[column % 4]}{3 - row}{'abc'[column // 4]}"
    assert picture.board(picture.root).last is None


class Piles:
    """Take stones; whoever takes the last one wins. Its text has several lines."""

    name = "piles"

    def start(self) -> tuple[int, ...]:
        return (2, 1, 0)

    def side(self, position: tuple[int, ...]) -> int:
        return position[-1]

    def moves(self, position: tuple[int, ...]) -> list[int]:
        return [pile for pile in (0, 1) if position[pile]]

    def play(self, position: tuple[int, ...], move: int) -> tuple[int, ...]:
        left = list(position)
        left[move] -= 1
        return (*left[:2], 1 - left[2])

    def payoff(self, position: tuple[int, ...]) -> int | None:
        return None if any(position[:2]) else -1 if position[-1] == 0 else 1

    def format_move(self, position: tuple[int, ...], move: int) -> str:
        return "ab"[move]

    def parse_move(self, position: tuple[int, ...], text: str) -> int:
        return "ab".index(text)

    def format(self, position: tuple[int, ...]) -> str:
        return "\n".join(
            f"{name}: {'*' * left}" for name, left in zip("ab", position, strict=False)
        )


def test_draws_every_node_of_a_user_defined_game_as_text_in_a_box() -> None:
    game = Piles()
    picture = draw_tree(trace(game.start(), "minimax", game=game))
    svg = ElementTree.fromstring(tree_svg(picture))
    texts = [
        "\n".join(line.text or "" for line in text).replace("\u00a0", " ")
        for text in svg.findall(f".//{SVG}text[@class='letters']")
    ]
    assert texts == [game.format(node.position) for node in picture.root.walk()]
    assert "a: **\nb: *" in texts
    assert r"{a:~**\\{}b:~*}" in tree_tikz(picture)


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_accepts_the_dot_file() -> None:
    done = subprocess.run(
        ["dot", "-Tsvg"],
        input=tree_dot(draw_tree(trace(TREE))),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert "<svg" in done.stdout


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
def test_latex_compiles_the_tikz_file(tmp_path: Path) -> None:
    (tmp_path / "tree.tex").write_text(tree_tikz(draw_tree(trace(TREE))))
    subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tree.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert (tmp_path / "tree.pdf").stat().st_size > 1000


def test_rejects_a_tree_that_is_too_large() -> None:
    with refuses(OptionError):
        draw_tree(trace("tictactoe", depth=6))


def test_shows_the_same_picture_after_a_step_forward_and_back() -> None:
    traced = trace(TREE, "pvs")
    forward = [draw_tree(traced, step) for step in range(len(traced) + 1)]
    back = [draw_tree(traced, step) for step in reversed(range(len(traced) + 1))]
    assert forward == back[::-1]
    assert forward[0].nodes == 0
    assert [picture.nodes for picture in forward] == sorted(picture.nodes for picture in forward)


def test_stepper_moves_by_event_and_by_cutoff() -> None:
    cutoffs = [5, 9]
    assert [
        move(action, 5, 12, cutoffs)
        for action in ("next", "previous", "cutoff", "cutoff back", "start", "end")
    ] == [6, 4, 9, 0, 0, 12]
    assert (
        move("next", 12, 12, cutoffs),
        move("previous", 0, 12, cutoffs),
        move("cutoff", 9, 12, cutoffs),
    ) == (12, 0, 12)


def test_stepper_reads_words_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("n\nc\nwhat\np\nG\nq\nn\n"))
    printed = io.StringIO()
    step_through(trace(TREE), Terminal(printed, 200))
    said = printed.getvalue()
    says(said)
    assert said.count("step ") == 5


def test_reads_a_key_of_several_letters_as_one() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"n\x1b[C\x1bOD\x1b[4~\x1b[1;5C?")
    os.close(writing)
    keys = list(_pressed(reading))
    os.close(reading)
    assert keys == ["n", "\x1b[C", "\x1b[D", "\x1b[4~", "\x1b[1;5C", "?"]
    assert [KEYS.get(key) for key in keys[:4]] == ["next", "next", "previous", "end"]


def test_draws_as_many_levels_of_a_cube_side_by_side_as_fit() -> None:
    def width(columns: int) -> int:
        return max(map(len, draw_board(parse("qubic"), width=columns).plain.splitlines()))

    one = width(1)
    for levels in (1, 2, 3, 4):
        fitting = levels * one + (levels - 1) * len(GAP)
        assert width(fitting) == fitting
        assert width(fitting + 1) == fitting
        assert width(fitting - 1) <= max(one, fitting - one - len(GAP))


def test_names_the_cells_of_a_printed_board_in_one_way() -> None:
    text = draw_board(parse("XO./.X./..O"), is_numbered=False).plain
    assert text.splitlines()[0] == "3  X  O  · "


def test_diff_shows_what_a_strict_cut_visits_more() -> None:
    found = compare_traces(trace("[[5,3],[3,9],[4,2]]"), trace("[[5,3],[3,9],[4,2]]", cut="gt"))
    assert found.counts == {"nodes": (9, 10), "leaves": (5, 6), "cutoffs": (2, 1)}
    assert [(item.name, item.first, item.second) for item in found.differences] == [
        ("C", "≤ 3", "= 3"),
        ("C 9", "not visited", "9"),
    ]
    assert compare_traces(trace(TREE), trace(TREE)).differences == ()


def test_command_writes_files_and_rejects_formats_that_it_cannot_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("tree.svg", "tree.dot", "tree.tex"):
        assert run(["tree", TREE, "-o", str(tmp_path / name)]) == 0
        assert (tmp_path / name).stat().st_size > 500
    assert run(["tree", TREE, "-o", "tree.gif"]) == 2
    says(capsys.readouterr().err)
    assert run(["tree", TREE, "-o", str(tmp_path / "no" / "tree.svg")]) == 2
    says(capsys.readouterr().err)
    (tmp_path / "tree.json").write_text(TREE)
    assert run(["tree", str(tmp_path / "tree.json")]) == 0
    assert "✂ cut" in capsys.readouterr().out
    assert run(["tree", str(tmp_path / "none.json")]) == 2
    assert run(["tree", TREE, "--diff", "cut"]) == 2
    assert run(["tree", TREE, "--diff", "cut=gt", "--json"]) == 0


@pytest.mark.parametrize("name", GAMES)
def test_writes_every_board_with_its_stones(name: str) -> None:
    draw, position = random.Random(1), GAMES[name].start()
    while not position.is_over and (position.first | position.second).bit_count() < 30:
        last = draw.choice(position.moves)
        position = position.play(last)
    text = draw_board(position, last).plain
    assert (text.count("X"), text.count("O")) == (
        position.first.bit_count(),
        position.second.bit_count(),
    )
    assert max(map(len, text.split("\n"))) <= 80
    line = position.winning_line()
    assert text.count("*") == (0 if line is None else 2 * len(line.cells()))


def test_escapes_names_in_a_tree() -> None:
    html = trace({"name": "A", "children": [1, {"name": "b'", "value": 2}]})._repr_html_()
    ElementTree.fromstring(f"<body>{html}</body>")
    events: tuple[Event, ...] = trace([1, 2]).events
    assert events


def test_writes_figures_as_pdf_and_png_that_are_the_same_twice(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    heads = {"tree.pdf": b"%PDF-", "tree.png": b"\x89PNG\r\n"}
    for name, head in heads.items():
        assert run(["tree", TREE, "-o", str(tmp_path / name)]) == 0
        drawn = (tmp_path / name).read_bytes()
        assert drawn.startswith(head)
        assert b"CreationDate" not in drawn  # a second later it would be another
        assert run(["tree", TREE, "-o", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_bytes() == drawn
    width = int.from_bytes((tmp_path / "tree.png").read_bytes()[16:20])
    assert width > 1000  # two pixels for each of the SVG's and more


def test_writes_any_words_into_a_pdf_sheet() -> None:
    pytest.importorskip("typst")
    name = "#A *b* _c_ $d$ [e] @f <g> \\h // i"
    for is_key in (False, True):
        assert sheet_pdf(make_questions(1), is_key, name).startswith(b"%PDF-")


def test_says_what_to_install_for_figures_without_typst(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    says(refusal(capsys, "tree", TREE, "-o", "tree.pdf"))


def test_draws_playouts_as_means_and_finished_games_by_their_values() -> None:
    playouts = trace("tictactoe b2 a3 c3 a1", "uct", nodes=60)
    text = tree_text(draw_tree(playouts)).plain
    assert text.startswith("root ≈ ")
    assert "59 visits" in text
    assert "▼" not in text
    for step in range(1, 12):  # what is played at random below the tree is not drawn
        entered = {event.path for event in list(playouts)[:step] if event.kind == "enter"}
        assert {node.path for node in draw_tree(playouts, step).root.walk()} == entered
    assert "shape=invtriangle" not in tree_dot(draw_tree(playouts))
    accumulated = trace("tictactoe b2 a3 c3 a1", "accumulating", depth=2)
    assert "a2 = −9" in tree_text(draw_tree(accumulated)).plain
