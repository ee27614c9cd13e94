"""The text of positions and trees, both ways."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plyscope.errors import NotationError, PlyscopeError
from plyscope.rules.games import GAMES, parse_game
from plyscope.rules.linegame import Position
from plyscope.rules.notation import named_game, parse
from plyscope.rules.source import as_position
from plyscope.rules.tree import parse_tree
from sentences import refuses, says

SPECS = [
    *GAMES,
    "5,4,4",
    "6,1,3",
    "1,5,2",
    "4,4,4,torus",
    "3,3,3,torus,misere",
    "3x3x3x3,3",
    "5,5,4,gravity",
    "30,3,3",
    "5,5,3,exactly,holes=a1+c3,stones=2,first=2",
    "4,4,3,hexagonal,torus=x",
    "5,4,3,gravity,holes=b2+c4",
]


@given(st.sampled_from(SPECS), st.integers(0, 2**32), st.integers(0, 40), st.booleans())
@settings(max_examples=300, deadline=None)
def test_reads_every_position_back(spec: str, seed: int, plies: int, is_turned: bool) -> None:
    draw, position = random.Random(seed), parse_game(spec).start()
    if is_turned and position.game.alternates:
        position = position.game.position(0, 0, 1)
    for _ in range(plies):
        if not position.is_over:
            position = position.play(draw.choice(position.moves))
    assert parse(str(position)) == position
    assert parse(str(position).lower()) == position
    assert parse(str(position).replace(".", "_")) == position


@pytest.mark.parametrize(
    "text",
    [
        ".X./O../X.O",
        ".x./o../x.o",
        "_X_/O__/X_O",
        "-X-/O--/X-O",
        " X /O  /X O",
        "1X1/O2/X1O",
        ".X.\nO..\nX.O",
        "tictactoe .X./O../X.O",
        ".X./O../X.O x",
    ],
)
def test_reads_all_forms_of_a_board_alike(text: str) -> None:
    assert parse(text) == parse("tictactoe 2 4 7 9")


def test_reads_the_side_to_move_from_the_stones_or_the_suffix() -> None:
    assert [
        parse(text).side
        for text in ("X../.../...", "XO./.../...", "XOX/OXO/OXO", "X../.../... x", ".../.../... o")
    ] == [1, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("connect4 44455", "......./......./......./...X.../...OX../...XO.."),
        ("tictactoe b2a1", ".../.X./O.."),
    ],
)
def test_plays_moves_from_the_empty_board(text: str, board: str) -> None:
    assert str(parse(text)) == board


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("3\r2,32,5 a1", "32,32,5"),
        ("32X32,5", "32x32,5"),
        ("connect4 44", "connect4"),
        (" Qubic", "qubic"),
        ("X../.O./...", None),
    ],
)
def test_knows_the_game_before_reading_the_position(
    text: str, game: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyscope.rules.linegame.grid_lines", None)
    assert named_game(text) == (None if game is None else parse_game(game))


def test_reads_a_game_and_its_moves() -> None:
    position = parse("15,15,5 h8 i9")
    assert position.game is GAMES["gomoku15"]
    assert (position.first, position.second) == (1 << (7 * 15 + 7), 1 << (6 * 15 + 8))


@pytest.mark.parametrize(
    "text",
    [
        "connect4 44x3",
        "connect4 4444444",
        "conect4 44",
        "gomoku h8",
        "XOZ/.../...",
        "X../../...",
        "XX/..",
        "tictactoe 1 1",
        "tictactoe 1 x",
        "",
        "X" * 20_000,
    ],
)
def test_rejects_bad_positions_with_the_place(text: str) -> None:
    with pytest.raises(PlyscopeError) as caught:
        parse(text)
    says(f"parse {text[:40]}", str(caught.value))


PIECES = st.sampled_from(
    [
        *"XO./_-0123456789 abcghio,\n",
        "tictactoe",
        "connect4",
        "5,4,4",
        "//",
        " x",
        "[",
        "é",
        "\x00",
        "²",
    ]
)


@given(st.lists(PIECES, max_size=14).map("".join) | st.text(max_size=30))
@settings(max_examples=600, deadline=None)
@example("connect4 ²")
@example(".toml")
@example("0²\n\nX")
def test_reads_any_text_or_rejects_it_in_one_line(text: str) -> None:
    try:
        position = parse(text)
    except PlyscopeError as error:
        assert "expected" in str(error)
    else:
        assert isinstance(position, Position)
        assert parse(str(position)) == position


TREES = st.recursive(
    st.integers(-999, 999), lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=25
).filter(lambda tree: isinstance(tree, list))


@given(TREES)
@settings(max_examples=200, deadline=None)
def test_reads_every_tree_back_from_its_text_and_lists(tree: list[object]) -> None:
    read = parse_tree(tree)
    assert str(parse_tree(str(read.start()))) == str(read)
    assert str(parse_tree(f"max{tree}")) == str(parse_tree(tree, side="max"))


@given(
    st.lists(
        st.sampled_from([*"[](),=-−+0123456789 AB{}:\"'", "value", "name", "children"]), max_size=20
    ).map("".join)
)
@settings(max_examples=400, deadline=None)
def test_reads_any_tree_text_or_rejects_it(text: str) -> None:
    try:
        tree = parse_tree(text)
    except PlyscopeError as error:
        assert "expected" in str(error)
    else:
        assert parse_tree(str(tree.start())).root == tree.root


def test_trees_have_names_values_and_estimates() -> None:
    tree = parse_tree(
        '{"name": "top", "children": [{"name": "l", "value": 3}, {"value": 4, "children": [1, 2]}]}'
    )
    assert str(tree.start()) == "top[l=3,4[1,2]]"
    assert [tree.name_of(path) for path in ((), (0,), (1,), (1, 0))] == ["top", "l", "B", "1"]
    letters = parse_tree("[[[3,5],[6,9]],[[1,2],[0,-1]]]")
    assert [
        letters.name_of(path)
        for path in ((), (0,), (1,), (0, 0), (0, 1), (1, 0), (1, 1), (1, 1, 1))
    ] == [*"ABCDEFG", "-1"]


@pytest.mark.parametrize(
    "data",
    [
        [],
        [[], 1],
        [True],
        ["a"],
        {"children": []},
        {"value": 3},
        {"kidz": 1, "children": [2]},
        [10**12],
        [None],
    ],
)
def test_rejects_bad_trees(data: object) -> None:
    with pytest.raises(NotationError, match="expected"):
        parse_tree(data)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "data",
    [[[1] * 1000] * 300, {"children": [{"children": [1] * 1000}] * 300}, [[[1] * 500] * 500] * 500],
)
def test_limits_trees_in_every_form(data: list[object]) -> None:
    with pytest.raises(NotationError, match="more than 200,000 nodes"):
        parse_tree(data)
    endless: list[object] = [1]
    endless.append(endless)
    with pytest.raises(NotationError, match="more than"):
        parse_tree(endless)


def test_quotes_at_most_a_line_in_errors_of_trees() -> None:
    tree = parse_tree([1] * 1000)
    for text in ("9" * 5000, "x" * 5000, "1001", "a\nb"):
        with pytest.raises(PlyscopeError, match="no child") as caught:
            tree.parse_move(tree.start(), text)
        assert len(str(caught.value)) < 300
        assert str(caught.value).isprintable()
    for data in (
        ["x" * 5000, 1],
        {"x" * 5000: 1},
        {"name": "x" * 5000 + "-", "children": [1]},
        {"name": "x" * 5000, "children": [{"name": "y" * 5000, "children": ["a"]}]},
    ):
        with pytest.raises(NotationError) as said:
            parse_tree(data)
        assert len(str(said.value)) < 300
    assert tree.parse_move(tree.start(), "1000") == 999


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("((3)(5))", "[3,5]"),
        ("(((3)(5)) ((6)(-9)))", "[[3,5],[6,-9]]"),
        ("((12)((4)(5)))", "[12,[4,5]]"),
        ("((3,5),(6,9))", "[[3,5],[6,9]]"),
        ("((3))", "[[3]]"),
    ],
)
def test_reads_leaves_in_round_brackets_side_by_side(text: str, tree: str) -> None:
    assert str(parse_tree(text).start()) == tree


def test_reports_a_missing_bracket_in_the_text_as_written() -> None:
    with refuses(NotationError):
        parse_tree("((3)(5)")


def test_a_number_that_may_be_a_column_gets_the_text_of_the_column() -> None:
    with pytest.raises(PlyscopeError, match="the text '4' is its column"):
        parse("connect4").play(3)


def test_a_folder_is_named_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("games/mine", "tictactoe"):
        (tmp_path / name).mkdir(parents=True)
    with pytest.raises(NotationError, match="'games/mine' is a folder"):
        as_position("games/mine")
    assert as_position("tictactoe").game.name == "tictactoe"
