"""Games as people call them."""

from __future__ import annotations

import pytest

from plyscope.rules.games import GAMES, parse_game
from plyscope_web.spoken import spec_of, spoken_game


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("gomoku", "gomoku15"),
        ("Gomoku 9x9", "9,9,5"),
        ("gomoku19", "19,19,5"),
        ("gomoku 20", "20,20,5"),
        ("misere gomoku9", "9,9,5,misere"),
        ("torus 5,5,4", "5,5,4,torus"),
        ("5,5,4 torus", "5,5,4,torus"),
        ("5 5 4 torus", "5,5,4,torus"),
        ("5x5,4 toroidal", "5,5,4,torus"),
        ("misere tictactoe", "3,3,3,misere"),
        ("misère tic-tac-toe", "3,3,3,misere"),
        ("Tic Tac Toe", "tictactoe"),
        ("noughts and crosses", "tictactoe"),
        ("connect four", "connect4"),
        ("Connect Four 8x7", "8,7,4,gravity"),
        ("five in a row", "gomoku15"),
        ("3x3x3", "3x3x3,3"),
        ("4 x 4 x 4", "4x4x4,4"),
        ("3×3", "3,3,3"),
        ("15x15", "15,15,5"),
        ("15x15 exact", "15,15,5,exactly"),
        ("19x19 6 stones=2", "19,19,6,stones=2"),
        ("connect4 torus=x", "7,6,4,gravity,torus=x"),
    ],
)
def test_reads_spoken_names_as_games(said: str, meant: str) -> None:
    assert spoken_game(said) == meant
    assert parse_game(meant).start() is not None


@pytest.mark.parametrize(
    "text",
    [
        *("connect4", "connect4-5x4", "7,7,5", "5,5,4,torus", "connect4 44", "tictactoe b2 o"),
        *("...", "X.O/.X./..O", "44455", "1 2 3", "h8i9g7", "7x6", "chess", "torus", ""),
        *("tictactoe gomoku", "5x5 4x4", "0x0", "x", "9" * 300 + "x3"),
    ],
)
def test_leaves_other_texts_and_game_texts_unchanged(text: str) -> None:
    assert spoken_game(text) in (None, text)


def test_every_games_text_names_it() -> None:
    for game in GAMES.values():
        assert parse_game(spec_of(game)) is game
    assert spec_of(parse_game("5,5,4,gravity,holes=a1")) == "5,5,4,gravity,holes=a1"  # type: ignore[arg-type]
