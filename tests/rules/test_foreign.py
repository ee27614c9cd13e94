"""Positions and games in other people's notations."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path
from time import process_time

import pytest

import plyscope as ps
from plyscope.errors import PlyscopeError
from plyscope.rules.drawings import draw
from plyscope.rules.games import parse_game
from plyscope.rules.notation import named_game, parse, read
from plyscope_web.gametexts import write_cells, write_columns, write_sgf
from sentences import says

PONS = Path(__file__).parents[1] / "data" / "connect4"
GOMOKU = ("gomoku15", "gomoku9", "19,19,5", "7,6,5", "gomoku15-exactly")


def dropped(columns: str) -> str:
    """Return the board of Connect Four after some columns, by nothing but counting."""
    board = [["."] * 7 for _ in range(6)]
    for ply, column in enumerate(columns):
        at = int(column) - 1
        row = max(row for row in range(6) if board[row][at] == ".")
        board[row][at] = "XO"[ply % 2]
    return "/".join("".join(row) for row in board)


def test_reads_columns_as_connect_four_in_the_notation_of_pons() -> None:
    for file in sorted(PONS.iterdir()):
        for line in islice(file.read_text().splitlines(), 0, None, 50):
            columns = line.split()[0]
            reading = read(columns)
            assert str(reading.end) == dropped(columns)
            assert write_columns(reading.start, reading.moves) == columns
    says(read("44455").said)


@pytest.mark.parametrize(
    "text", ["h8i9g7", "/h8i9g7", "H8I9G7", "h8 i9 g7", "h8, i9, g7", "1. h8 i9 2. g7", "h8-i9-g7"]
)
def test_reads_cells_as_gomoku_from_the_bottom_left(text: str) -> None:
    reading = read(text)
    assert reading.end == parse("gomoku15 h8 i9 g7")
    says(reading.said)
    rows = str(reading.end).split("/")
    assert (rows[15 - 8][7], rows[15 - 9][8], rows[15 - 7][6]) == ("X", "O", "X")


def test_reads_sizes_as_a_game_and_not_as_columns() -> None:
    assert str(parse("4,4,4").game.name) == "4,4,4"
    assert read("4 4 4").end == parse("connect4 444")


def test_enlarges_the_board_for_a_cell_beyond_fifteen_and_says_so() -> None:
    assert read("h8s19").end.game.name == "19,19,5"
    says(read("t20h8").said)
    assert read("gomoku9 /e5d4").end == parse("gomoku9 e5 d4")


SHEETS = [
    "(;GM[4]SZ[15];B[hh];W[ii];B[gi])",
    "(;FF[4]GM[4]CA[UTF-8]AP[Editor:1.0]SZ[15]PB[Ann]PW[Bo]RE[B+R]\n;B[hh]\n;W[ii]BL[30]\n;B[gi])",
    "(;GM[4]SZ[15];B[hh]C[an \\] bracket; and (more)];W[ii];B[gi])",
    "(;GM[4]SZ[15];B[hh](;W[ii];B[gi])(;W[ih]))",
    "(;GM[4]SZ[15:15];B[hh];W[ii](;B[gi])(;B[gg]))(;GM[4]SZ[15];B[aa])",
    "(;Game[4]SiZe[15];B[hh];W[ii];B[gi])",
    "(;GM[4];B[h8];W[i7];B[g7])",
]


@pytest.mark.parametrize("sheet", SHEETS)
def test_counts_rows_from_the_top_in_sgf(sheet: str) -> None:
    assert parse(sheet) == parse("gomoku15 h8 i7 g7")
    assert ps.parse(sheet) == parse(sheet)


def test_places_setup_stones_before_the_moves() -> None:
    reading = read("(;GM[4]SZ[9]AB[aa:cb]AE[bb]AW[ii][hi]PL[W];W[gi])")
    assert str(reading.start).startswith("XXX....../X.X")
    assert (reading.start.side, reading.end.side) == (1, 0)
    assert [reading.start.game.format_cell(move) for move in reading.moves] == ["g1"]


def test_reads_many_large_rectangles_of_stones() -> None:
    began = process_time()
    start = read(f"(;GM[4]SZ[20]AB{'[tt:aa]' * 13_000}AW[aa]AE[bs:sb])").start
    assert process_time() - began < 10  # cell by cell of each it takes minutes
    assert (start.first.bit_count(), start.second.bit_count()) == (4 * 19 - 1, 1)


def test_plays_the_moves_of_one_node_in_order() -> None:
    assert (
        read("(;GM[4]SZ[15];W[ii]B[hh];W[gi])").moves == read("(;SZ[15];W[ii];B[hh];W[gi])").moves
    )
    assert read("(;GM[4]SZ[15];W[ii]B[hh])").start.side == 1


def test_reports_assumptions_about_a_game_in_sgf() -> None:
    says(read(SHEETS[0]).said)
    assert read(SHEETS[3]).said.endswith("without its variations")
    says(read(SHEETS[6]).said)
    says(read("(;SZ[15];B[hh])").said)


@pytest.mark.parametrize("name", GOMOKU)
def test_reads_back_games_written_in_sgf_and_as_cells(name: str) -> None:
    draw_move, start = random.Random(7), parse_game(name).start()
    for _ in range(20):
        end, moves = start, []
        while not end.is_over and len(moves) < 30:
            moves.append(draw_move.choice(end.moves))
            end = end.play(moves[-1])
        sheet = write_sgf(start, moves, ("a]b\\c:", ""))
        reading = read(sheet)
        assert (reading.start, reading.end, reading.moves) == (start, end, tuple(moves))
        assert read(f"{name} {write_cells(start, moves)}").moves == tuple(moves)


def test_reads_back_a_position_with_stones_from_sgf() -> None:
    start = parse("gomoku9 e5 d4 c3")
    assert read(write_sgf(start, [0, 1]))[:4] == (
        start,
        (0, 1),
        start.play(0, 1),
        read(SHEETS[0]).said.replace("15", "9"),
    )


DRAWINGS = [
    "X . O\n. X .\n. . O",
    "X_O\n_X_\n__O",
    "X-O\n-X-\n--O",
    "X O\n X \n  O",
    "X|O|  \n-+-+-\n |X| \n-+-+-\n | |O".replace("X|O|", "X| |O"),
    " X |   | O\n---+---+---\n   | X |\n---+---+---\n   |   | O",
    "| X |   | O |\n|---|---|---|\n|   | X |   |\n|   |   | O |",
    "+---+---+---+\n| X |   | O |\n+---+---+---+\n|   | X |   |\n+---+---+---+\n|   |   | O |\n+---+---+---+",
    "  a b c\n3 X . O\n2 . X .\n1 . . O",
    "X . O  3\n. X .  2\n. . O  1\na b c",
    "● · ○\n· ● ·\n· · ○",
    "⚫️⬜⚪️\n⬜⚫️⬜\n⬜⬜⚪️",
    "❌⬜⭕\n⬜❌⬜\n⬜⬜⭕",
    " X │ 2 │ O \n───┼───┼───\n 4 │[X]│ 6 \n───┼───┼───\n 7 │ 8 │ O ",
    "tictactoe\nX . O\n. X .\n. . O",
    "x.o\n.x.\n..o\nx to move",
    "B . W\n. B .\n. . W",
]


@pytest.mark.parametrize("text", DRAWINGS)
def test_reads_drawings_in_the_usual_signs_as_one_position(text: str) -> None:
    assert str(parse(text)) == "X.O/.X./..O"


def test_reads_a_drawn_connect_four_board_and_reports_the_signs() -> None:
    empty = "| | | | | | | |\n" * 4
    reading = read(f"{empty}|🔴| |🟡| | | | |\n|🔴| |🟡| | | |🔴|\n 1 2 3 4 5 6 7")
    assert str(reading.end) == f"{'......./' * 4}X.O..../X.O...X"
    says(reading.said)


@pytest.mark.parametrize("text", ["tictactoe b2 a3", "connect4 44455", "gomoku15 h8i9", "5,5,4 c3"])
def test_reads_back_what_the_terminal_draws(text: str) -> None:
    from plyscope.faces.boards import draw_board

    position = parse(text)
    assert parse(draw_board(position).plain, position.game) == position
    assert parse(draw_board(position, position.moves[0], is_numbered=False).plain) == position


@pytest.mark.parametrize(
    "text",
    [
        "tictactoe b2",
        "qubic a1a b2b",
        "6x1,3 a1",
        "6x1,3 ...... o",
        "1,1,1",
        "3,3,3 o",
        "5,5,3,exactly,holes=a1+c3,stones=2,first=2 b1",
    ],
)
def test_reads_back_drawings(text: str) -> None:
    position = parse(text)
    assert parse(draw(position)) == position


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("connect4 , ,", "no move in ', ,'"),
        ("44488", "column '8' at move 4 of '44488'; expected 1 to 7"),
        ("444444444", "move 7"),
        ("h8h8", "'h8' is taken at move 2"),
        ("h8x99", "cell 'x99' at move 2"),
        ("(;GM[1]SZ[19];B[aa])", "'GM[1]' in SGF"),
        ("(;GM[4]SZ[15];B[hh];B[ii])", "'B[ii]' in SGF '(;GM[4]SZ[15];B[hh];B[ii])'; expected W"),
        ("(;GM[4]SZ[15];B[pp])", "'B[pp]'"),
        ("(;GM[4]SZ[15];B[h])", "'B[h]'"),
        ("(;GM[4]SZ[big];B[hh])", "'SZ[big]'"),
        ("(;GM[4]SZ[15];B[hh]", "1 open"),
        ("(;GM[4]SZ[15];B[hh];[ii])", "'[ii]' at character 21 of the SGF has no name"),
        ("(;GM[4]SZ[15];B hh)", "cannot read 'B hh)' at character 15"),
        ("(;GM[4]SZ[15];B[hh];AB[aa])", "'AB[aa]'"),
        ("connect4 (;GM[4]SZ[15];B[hh])", "7×6"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n16,1,0\n", "move 2 '16,1,0'"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n", "'h8' is taken at move 2"),
        ("Piskvorky 15x15, 1:1, 0\n8,8,0\na\nb\n-1\n1,Pente\n", "rule 'Pente'"),
        ("X . O\n. X .\n. . ?", "'?'"),
        ("X.O\n.X.\n..", "2 cells"),
        ("0²\n\nX", "sign '²' at place 2 of row 1"),
        (f"1 {'2' * 5000}\nX.O\n.X.", "3 cells; expected 5001"),
    ],
)
def test_rejects_unreadable_text_in_one_line_with_the_place(text: str, told: str) -> None:
    with pytest.raises(PlyscopeError) as raised:
        parse(text)
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [" " * 9_990 + "!", "_\n" * 4_990, "X" + "/" * 9_990, "-" * 4_000 + "x\n-", "a1 " * 3_300],
)
def test_reads_or_rejects_a_long_text_quickly_and_briefly(text: str) -> None:
    began = process_time()
    with pytest.raises(PlyscopeError) as raised:
        read(text)
    assert process_time() - began < 5  # it was minutes
    assert len(str(raised.value)) < 400


def test_knows_the_game_of_a_text_before_making_lines() -> None:
    for text, name in (
        ("(;GM[4]SZ[31];B[hh])", "31,31,5"),
        ("44455", "connect4"),
        ("h8i9", "gomoku15"),
    ):
        game = named_game(text)
        assert game.name == name
        assert "lines" not in vars(game) or name != "31,31,5"


@pytest.mark.parametrize(
    ("write", "text"),
    [
        (write_sgf, "tictactoe"),
        (write_sgf, "connect4"),
        (write_sgf, "connect6"),
        (write_columns, "gomoku15"),
        (write_columns, "connect4 4"),
        (write_cells, "qubic"),
        (write_cells, "gomoku9 o"),
        (write_columns, "connect4 o"),
        (lambda start, moves: draw(start), "2x2x2x2,2"),
    ],
)
def test_rejects_what_a_notation_cannot_express(write, text: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(PlyscopeError, match="expected"):
        write(parse(text), [])


PSQ = "Piskvorky 20x20, 11:11, {}\n10,10,0\n11,9,120\n10,11,33\nfirst.zip\nsecond.zip\n-1\n0,{}\n"


def test_counts_columns_and_rows_of_piskvork_from_the_top_left() -> None:
    reading = read(PSQ.format(0, "Freestyle"))
    assert reading.end == parse("20,20,5 j11 k12 j10")
    assert reading.players == ("first.zip", "second.zip")
    assert read(PSQ.format(1, "Freestyle")).players == ("second.zip", "first.zip")
    assert read(PSQ.format(0, "Standard")).end.game.name == "20,20,5,exactly"
    bare = "Piskvorky 15x15, 0:0, 0\r\n8,8\r\n9,9\r\n"
    assert parse(bare.replace("\r", "")) == parse("gomoku15 h8 i7")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.sgf", b"\xef\xbb\xbf(;GM[4]SZ[15]PB[\xc3\x89mile];B[hh];W[ii])"),
        ("b.SGF", b"(;GM[4]SZ[15]PB[\xc9mile]\r\n;B[hh]\r\n;W[ii])\r\n"),
        ("c.psq", b"Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,9,120\r\n-1\r\n"),
    ],
)
def test_reads_a_game_file_by_its_extension(name: str, content: bytes, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    position = ps.parse("gomoku15 h8 i7")
    assert ps.parse(str(file)) == position
    assert ps.parse(str(file), game="gomoku15-exactly").game.name == "gomoku15-exactly"
    assert ps.search(str(file), depth=1, nodes=1000).request.position == position
    assert ps.perft(str(file), 0).position == position


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "cannot read the game file '.*none.sg"),
        (b"hello", "'hello'; expected SGF"),
        (b"(;GM[4]C[" + b"x" * 100_000 + b"])", "characters"),
    ],
)
def test_names_an_unreadable_game_file(content: bytes | None, told: str, tmp_path: Path) -> None:
    file = tmp_path / "none.sgf"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(PlyscopeError, match=told) as raised:
        ps.parse(str(file))
    assert "\n" not in str(raised.value)
