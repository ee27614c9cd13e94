"""Patterns: their classes by adding stones one by one, their values, and the compiled board."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import oracles
from plyscope import LineTable, evaluate, explain, parse, parse_game, search
from plyscope.errors import NotationError
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.notes import notes_on
from plyscope.evaluation.tablefile import read_table, write_table
from plyscope.evaluation.terms import pattern_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.conventions import Conventions
from plyscope.searching.limit import NO_LIMIT
from plyscope_fast.evaluation.features import evaluations
from plyscope_fast.evaluation.patterns import classes_of, pattern_classes
from plyscope_fast.searching.threats import ThreatBoard, lift, place
from sizes import sized
from twins import some_position

PLAIN = ["connect4", "7,7,5", "15,15,5", "qubic", "5,4,3", "3,3,3,misere", "6,1,3"]
TOURNAMENT = ["7,7,5,renju", "6,6,4,renju", "7,7,5,caro", "6,6,4,caro,exactly"]
SPECIAL = ["7,7,4,torus", "9,9,5,torus", "7,7,4,exactly", "6,6,3,exactly", "8,8,5,holes=d4"]


def game_of(spec: str) -> LineGame:
    game = parse_game(spec)
    assert isinstance(game, LineGame)
    return game


def some_patterns(draw: random.Random, game: LineGame, largest: int = 60) -> LineTable:
    """A table of patterns in which stones and openness have values of their own."""
    keys = [*product(range(1, game.longest_line), (0, 1)), (game.longest_line, 0)]
    return LineTable(
        "drawn",
        {},
        patterns={key: draw.randint(-largest, largest) for key in keys},
        pattern_tempo={key: draw.randint(-largest, largest) for key in keys if draw.random() < 0.7},
        cells={game.format_cell(draw.randrange(game.size)): 7} if draw.random() < 0.3 else {},
    )


@pytest.mark.parametrize(("k", "exactly"), [*product((2, 3, 4, 5), (False, True))])
def test_derives_the_class_of_every_run_by_adding_stones(k: int, exactly: bool) -> None:
    reach, classes = (k if exactly else k - 1), pattern_classes(k, exactly)
    codes = range(len(classes))
    if len(codes) > 10_000:
        codes = sorted(random.Random(k).sample(codes, sized(400, 4000)))  # type: ignore[assignment]
    for code in codes:
        cells = "".join(".X#"[code // 3**place % 3] for place in range(2 * reach))
        made = oracles.pattern(cells[:reach] + "." + cells[reach:], k, exactly)
        expected = None if classes[code] == 0 else pattern_of(int(classes[code]))
        assert made == expected, cells


@pytest.mark.parametrize("k", [3, 4, 5])
def test_an_open_pattern_of_one_stone_less_cannot_be_stopped_on_its_run(k: int) -> None:
    """The other side puts a stone anywhere; a closed one it can stop."""
    for code, number in enumerate(pattern_classes(k, False)):
        run = ["X.#"[(1, 0, 2)[code // 3**place % 3]] for place in range(2 * k - 2)]
        run.insert(k - 1, "X")
        replies = [at for at, stone in enumerate(run) if stone == "."]
        if pattern_of(int(number))[0] != k - 1:
            continue
        stopped = [
            at
            for at in replies
            if not any(
                oracles.pattern("".join([*after[:mine], "X", *after[mine + 1 :]]), k) == (k, False)
                for after in [[*run[:at], "#", *run[at + 1 :]]]
                for mine in replies
                if mine != at
            )
        ]
        assert (not stopped) == pattern_of(int(number))[1], "".join(run)


@pytest.mark.parametrize(
    ("run", "made"),
    [
        ("..XX.X...", (4, 1)),  # X X _ X becomes an open four
        ("OXXX.....", (4, 0)),
        ("..XX.....", (3, 1)),
        (".OXX.....", (3, 0)),
        ("O.XX..O..", (3, 0)),
        ("O.XX.O...", None),  # five cells do not fit
        ("OXX..XX..", (4, 0)),
        (".........", (1, 1)),
        ("...O.....", (1, 0)),
        ("..OX.XX.X", (4, 0)),
        ("XXXX.XXXX", (5, 0)),
    ],
)
def test_patterns_of_five_in_a_row_have_their_names(run: str, made: tuple[int, int] | None) -> None:
    digits = [".XO".index(stone) for at, stone in enumerate(run) if at != 4]
    number = int(pattern_classes(5, False)[sum(3**at * digit for at, digit in enumerate(digits))])
    assert (None if number == 0 else pattern_of(number)) == made


def test_a_line_that_must_be_exact_is_not_completed_by_a_longer_one() -> None:
    code = {stones: sum(3**at for at in stones) for stones in ((1, 2, 3, 4), (0, 1, 2, 3, 4))}
    classes = pattern_classes(5, True)
    assert pattern_of(int(classes[code[1, 2, 3, 4]])) == (5, 0)
    assert classes[code[0, 1, 2, 3, 4]] == 0


@pytest.mark.parametrize("spec", PLAIN + SPECIAL + TOURNAMENT)
def test_finds_the_patterns_of_each_cell_and_direction(spec: str) -> None:
    draw, game = random.Random(spec), game_of(spec)
    for _ in range(sized(4, 30)):
        table, position = some_patterns(draw, game), some_position(game, draw)
        board = tuple(
            "#" if game.holes >> cell & 1 else "XO."[2 if o is None else o]
            for cell in range(game.size)
            for o in [position.owner(cell)]
        )
        found, expected = classes_of(position), 0
        assert found is not None
        for side in (0, 1):
            exactly = game.exactly or (game.renju and side == 0)
            made = oracles.patterns(
                board, game.shape, game.longest_line, "XO"[side], exactly, game.torus, game.caro
            )
            listed = [
                (cell, *pattern_of(int(number)))
                for cell, row in enumerate(found[side])
                for number in row
                if number
            ]
            assert sorted(listed) == sorted(made), str(position)
            for _, stones, is_open in made:
                value = table.patterns[stones, int(is_open)]
                if side == position.side:
                    value += table.pattern_tempo.get((stones, int(is_open)), 0)
                expected += value if side == 0 else -value
        for cell in range(game.size):
            if board[cell] in "XO":
                value = table.cells.get(game.format_cell(cell), 0)
                expected += value if board[cell] == "X" else -value
        for side, sign in ((0, 1), (1, -1)):
            assert table.evaluate(position, side) == sign * expected, str(position)
            assert table.explain(position, side).total == sign * expected
            assert abs(expected) <= table.greatest_sum(game)
            vectorised = evaluations([table, table], [position], [side])
            assert vectorised.tolist() == [[sign * expected] * 2]
            after = {
                move: table.evaluate(game.play(position, move), side) for move in position.moves
            }
            assert table.evaluate_moves(position, side) == after, str(position)


def test_names_the_cells_and_patterns_in_the_explanation() -> None:
    position = parse("7,7,5 d4 a1 d5 b1")
    shares = {share.term: share for share in explain(position, "patterns", side="x").terms}
    parts = [str(part) for part in shares["patterns"].parts]
    assert any("d6, open three on a column, mine" in part for part in parts), parts
    assert "three" in parts[0]  # the strongest


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_reads_a_written_file_of_patterns_back_as_equal(tmp_path: Path, suffix: str) -> None:
    draw, game = random.Random(suffix), game_of("7,7,5")
    for _ in range(20):
        table = some_patterns(draw, game)
        path = tmp_path / f"table.{suffix}"
        write_table(table, path)
        again = read_table(path)
        assert {key: value for key, value in table.patterns.items() if value} == again.patterns
        position = some_position(game, draw)
        assert again.evaluate(position, 0) == table.evaluate(position, 0)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("[patterns]\nwide = [0, 1]", "wide"),
        ("[patterns]\nopen = [5, 1]", "5"),
        ("patterns = 3", "3"),
        ("[pattern_tempo]\nclosed = ['x']", "x"),
    ],
)
def test_rejects_a_wrong_file_of_patterns(tmp_path: Path, text: str, quoted: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text + "\n")
    with pytest.raises(NotationError, match=quoted):
        read_table(path)


def test_counts_lines_in_games_without_patterns() -> None:
    for spec in ("3,3,3,torus", "7,7,7"):
        game = game_of(spec)
        position = some_position(game, random.Random(spec))
        assert classes_of(position) is None
        assert evaluate(position, "patterns") == evaluate(position, "counted-lines")
        notes = notes_on(LineTable("none", {}, patterns={(2, 1): 5}), game)
        assert any("patterns" in note for note in notes)
    notes = notes_on(LineTable("long", {}, patterns={(5, 0): 5}), game_of("connect4"))
    assert any("5" in note for note in notes)


def state_of(board: Any) -> dict[str, Any]:
    """The fields of a compiled board that moves change."""
    cells, words = board.cells, board.word_count
    counts = {"pattern_codes": cells * board.directions, "pattern_sums": 2 * cells}
    counts |= {"pattern_counts": 2 * cells, "free": words, "playable": words}
    counts |= dict.fromkeys(("winning", "opening", "making"), 2 * words)
    fields = {
        name: [getattr(board, name)[at] for at in range(count)] for name, count in counts.items()
    }
    return {**fields, **{name: getattr(board, name) for name in ("total", "live", "empty")}}


def two_sums(total: int) -> tuple[int, int]:
    """The two sums of a word: if the root's side is to move, and if it is not."""
    lower = total + (1 << 29) & (1 << 30) - 1
    return lower - (1 << 29), total - (lower - (1 << 29)) >> 30


@pytest.mark.parametrize("spec", [*PLAIN[:6], *SPECIAL, *TOURNAMENT])
def test_keeps_a_compiled_board_equal_to_one_set_up_anew(spec: str) -> None:
    draw, game = random.Random(spec + "!"), game_of(spec)
    for number in range(sized(3, 12)):
        position = root = some_position(game, draw)
        table = find_heuristic("patterns", game) if number % 2 else some_patterns(draw, game, 5000)

        def board_of(position: Position, table: LineTable) -> Any:
            return ThreatBoard(position, table, Conventions(), 9, NO_LIMIT)

        board, made = board_of(position, table), list[tuple[int, int, int]]()
        before = state_of(board)
        while not position.is_over and len(made) < 12:
            cell, mover, total = draw.choice(position.moves), len(made) % 2, board.total
            position = position.play(cell)
            is_line = position.winner is not None
            assert place(board, cell, mover) == is_line
            made.append((cell, mover, total))
            if position.is_over:
                break
            value = two_sums(board.total)[len(made) % 2]
            assert value == table.evaluate(position, root.side), str(position)
            if len(made) % 2 == 0:
                assert state_of(board) == state_of(board_of(position, table)), str(position)
        while made:
            lift(board, *made.pop())
        assert state_of(board) == before


def test_only_the_engine_counts_patterns_compiled() -> None:
    found = search("7,7,5", "alphabeta", "patterns", depth=1)
    assert found.form == "reference"
    with pytest.raises(Exception, match="patterns"):
        search("7,7,5", "alphabeta", "patterns", depth=1, form="compiled")


@pytest.mark.parametrize("game", ["3,3,5", "1,5,9,misere"])
def test_a_game_without_lines_has_no_patterns(game: str) -> None:
    assert evaluate(game, "patterns") == 0
    assert search(game, "engine", "patterns", nodes=100).value == 0
