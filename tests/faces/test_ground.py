"""Boards as they are drawn: every cell in its place, whatever the game."""

from __future__ import annotations

import random
import re
from itertools import product
from xml.etree import ElementTree

import pytest

from plyscope import GAMES, solve
from plyscope.faces.diagrams.board import STYLES, board_svg, drawing_style
from plyscope.faces.diagrams.ground import ground_of, strike_of, style_of
from plyscope.faces.diagrams.values import CellValue
from plyscope.faces.findings.results import sections_of
from plyscope.faces.report.write import report_html
from plyscope.rules.games import parse_game
from plyscope.rules.linegame import LineGame
from plyscope_web.endpoints.present import drawing_data

Place = tuple[float, float]
OTHERS = (
    *("7,7,5", "6,6,4,holes=c3+d4", "8,6,4,torus", "9,9,5,holes=e5", "4x4x4,4,gravity", "7,1,3"),
    *("6,5,4,gravity,torus=x", "6,5,4,gravity,holes=c2", "2x2x2x2,2", "5,4,4,hexagonal"),
    "5,5,4,hexagonal,holes=a5+b5+a4+e2+d1+e1",
)
CIRCLE = re.compile(r"M(\S+) (\S+)a(\S+) \3 0 1 0 \S+ 0a\3 \3 0 1 0 \S+ 0z")


def game_of(name: str) -> LineGame:
    game = parse_game(name)
    assert isinstance(game, LineGame)
    return game


def circles(path: str) -> set[Place]:
    return {
        (round(float(left) + float(radius), 2), round(float(y), 2))
        for left, y, radius in CIRCLE.findall(path)
    }


def drawn_places(style: str, paths: dict[str, str], front: dict[str, str]) -> set[Place]:
    """Return where a level's paths put its cells."""
    if style == "frame":
        return circles(front["frame"])
    if style == "squares":
        corners = re.findall(r"M(\S+) (\S+)h.92|M(\S+) (\S+)h.78a", paths["tile"])
        return {(round(float(x) + 0.39, 2), round(float(y) + 0.47, 2)) for *_, x, y in corners}
    if style == "hexagons":
        tops = re.findall(r"M(\S+) (\S+)l", paths["tile"])
        return {(round(float(x), 2), round(float(y) + 3**-0.5, 2)) for x, y in tops}
    if style == "crossings":
        across = re.findall(r"M(\S+) (\S+)h(\d+)", paths["crossings"])
        down = re.findall(r"M(\S+) (\S+)v(\d+)", paths["crossings"])
        rows, columns = (
            {
                (round(float(x) + step * by[0], 2), round(float(y) + step * by[1], 2))
                for x, y, length in lines
                for step in range(int(length) + 1)
            }
            for lines, by in ((across, (1, 0)), (down, (0, 1)))
        )
        return rows | columns
    lines = re.findall(r"M(\S+) (\S+)Q(\S+) (\S+) (\S+) (\S+?)(?=M|$)", paths["pen"])
    ys = sorted({float(y) for _, y, _, _, _, end in lines if y == end})
    xs = sorted({float(x) for x, _, _, _, end, _ in lines if x == end})
    columns, rows = ([at[0] - 0.5, *(each + 0.5 for each in at)] for at in (xs, ys))
    return set(product(columns, rows))


def are_same(places: set[Place], others: set[Place]) -> bool:
    """Return whether each place has one of the others within rounding, and there are no more."""
    return len(places) == len(others) and all(
        sum(abs(x - a) + abs(y - b) < 0.01 for a, b in others) == 1 for x, y in places
    )


@pytest.mark.parametrize("name", [*GAMES, *OTHERS])
def test_draws_each_cell_once_around_its_centre(name: str) -> None:
    game = game_of(name)
    ground, plane = ground_of(game), game.width * game.height
    for number, level in enumerate(ground.levels):
        cells = [
            cell for cell in range(number * plane, (number + 1) * plane) if game.board >> cell & 1
        ]
        middles = [ground.centre(cell) for cell in cells]
        assert len(set(middles)) == len(middles)
        if name == "7,1,3" or min(game.width, game.height) > 2:
            places = drawn_places(ground.style, dict(level.ground), dict(level.front))
            assert are_same(places, set(middles))
        for x, y in middles:
            assert 0.5 < x < ground.size[0] - 0.5
            assert 0.5 < y < ground.size[1] - 0.5
        names = [text for _, _, text in level.labels]
        assert {str(row + 1) for row in range(game.height)} <= set(names)


@pytest.mark.parametrize(
    ("name", "style"),
    [
        *(("tictactoe", "pen"), ("qubic", "pen"), ("connect4", "frame"), ("7,7,5", "squares")),
        *(("gomoku9", "crossings"), ("connect6", "crossings"), ("5,4,4,hexagonal", "hexagons")),
        *(("9,9,5,gravity", "frame"), ("4,4,3,holes=a1", "squares"), ("9,8,5", "squares")),
    ],
)
def test_draws_a_board_in_the_style_of_its_game(name: str, style: str) -> None:
    assert style_of(game_of(name)) == style


def test_places_star_points_as_on_boards_of_go_and_renju() -> None:
    def stars(name: str) -> set[tuple[int, int]]:
        ground = ground_of(game_of(name))
        x, y = ground.origin
        paths = dict(ground.levels[0].ground)
        return {(round(at - x) + 1, round(top - y) + 1) for at, top in circles(paths["star"])}

    assert stars("connect6") == set(product((4, 10, 16), (4, 10, 16)))
    assert stars("gomoku15") == {(4, 4), (12, 4), (8, 8), (4, 12), (12, 12)}
    assert stars("gomoku9") == {(3, 3), (7, 3), (5, 5), (3, 7), (7, 7)}
    assert stars("10,10,5") == set(product((3, 8), (3, 8)))


def test_names_columns_as_they_are_typed() -> None:
    def columns(name: str) -> list[list[str]]:
        game = game_of(name)
        return [
            [text for _, _, text in level.labels][: game.width] for level in ground_of(game).levels
        ]

    assert columns("connect4") == [list("1234567")]
    assert columns("4x4x4,4,gravity")[2] == ["9", "10", "11", "12"]
    assert columns("gomoku9") == [list("abcdefghi")]
    levels = [level.labels[-1][2] for level in ground_of(game_of("2x2x2x2,2")).levels]
    assert levels == ["level a1", "level b1", "level a2", "level b2"]


def test_draws_a_winning_line_as_one_stroke_beyond_its_ends() -> None:
    game = game_of("tictactoe")
    x, y = ground_of(game).origin
    (stroke,) = strike_of(game, (2, 4, 6))
    assert [level for level, *_ in stroke] == [0] * 5
    ends = {(stroke[0][1], stroke[0][2]), (stroke[-1][1], stroke[-1][2])}
    expected = {(x + 2.3, y - 0.3), (x - 0.3, y + 2.3)}
    assert ends == {(round(a, 3), round(b, 3)) for a, b in expected}


def test_strikes_a_line_around_a_torus_on_both_sides() -> None:
    game = game_of("8,6,4,torus")
    cells = {game.parse_move(game.start(), name) for name in ("g3", "h3", "a3", "b3")}
    first, second = strike_of(game, sorted(cells))
    x, y = ground_of(game).origin
    walked = [[round(at - x, 2) for _, at, _ in stroke] for stroke in (first, second)]
    assert walked == [[1.3, 1, 0, -0.5], [7.5, 7, 6, 5.7]]
    assert {round(top - y, 2) for _, _, top in (*first, *second)} == {3}


def test_draws_a_line_through_a_cube_from_level_to_level() -> None:
    game = game_of("qubic")
    (stroke,) = strike_of(game, (0, 21, 42, 63))
    assert [level for level, *_ in stroke] == [0, 1, 2, 3]
    x, y = ground_of(game).origin
    assert [(round(at - x), round(top - y)) for _, at, top in stroke] == [(n, n) for n in range(4)]


def test_lists_lines_only_for_a_cube() -> None:
    assert drawing_data(game_of("connect4"))["lines"] is None
    lines = drawing_data(game_of("qubic"))["lines"]
    assert [len(line) for line in lines] == [4] * 76


def test_uses_the_colours_of_the_page_in_drawings() -> None:
    tokens = (STYLES / "tokens.css").read_text()
    style = drawing_style()
    assert not [name for name in ("var(", "light-dark", ".drawing") if name in style]
    light, _, dark = style.partition("@media(prefers-color-scheme:dark)")
    for name, selector, by in (
        ("x", ".drawn .stone.x", "stroke"),
        ("frame", ".drawn .frame", "fill"),
    ):
        day, night = re.search(rf"--{name}: light-dark\(([^,]+), ([^)]+)\)", tokens).groups()
        assert re.search(rf"{re.escape(selector)}{{[^}}]*{by}:{day}", light)
        assert re.search(rf"{re.escape(selector)}{{[^}}]*{by}:{night}", dark)


@pytest.mark.parametrize("name", [*GAMES, *OTHERS])
def test_draws_every_position_with_stones_last_move_and_winning_line(name: str) -> None:
    game, draw = game_of(name), random.Random(name)
    position, last = game.start(), 0
    while not position.is_over and (position.first | position.second).bit_count() < 30:
        last = draw.choice(position.moves)
        position = position.play(last)
    svg = ElementTree.fromstring(
        board_svg(position, {position.moves[0]: CellValue("≤ 5")} if position.moves else {}, last)
    )
    paths = svg.iter("{http://www.w3.org/2000/svg}path")
    kinds = [path.attrib["class"] for path in paths if "class" in path.attrib]
    is_disc = style_of(game) in ("frame", "crossings")
    for side, stones in zip("xo", (position.first, position.second), strict=True):
        assert kinds.count(f"{'disc' if is_disc else 'stone'} {side}") == stones.bit_count()
    assert len([kind for kind in kinds if kind.startswith("last")]) == 1
    assert kinds.count("won") == (position.winning_line() is not None)
    assert [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")].count(
        "≤ 5"
    ) == bool(position.moves)


def test_fades_lost_moves_unless_all_are_lost() -> None:
    (some,) = sections_of(solve("XX./OO./..."))
    (every,) = sections_of(solve("XO./.X./..."))
    assert some.about
    assert every.about
    values = some.about.values
    assert {value.text[0] for value in values.values() if value.is_faded} <= {"L"}
    assert 'class="value-mark proved win"' in report_html("", [some])
    assert every.about.legend.startswith("every move loses in at most 4 plies; the palest")
    assert not any(value.is_faded for value in every.about.values.values())
    shares = {value.text: value.share for value in every.about.values.values()}
    assert -1 == shares["L2"] < shares["L4"] < 0
