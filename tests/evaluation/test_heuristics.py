"""The heuristics: published values, oracles, and a heuristic of one's own."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest

import oracles
from plyscope import (
    HEURISTICS,
    LineTable,
    certify,
    evaluate,
    explain,
    parse,
    report_card,
    search,
    trace,
)
from plyscope.errors import HeuristicError, NotationError, PlyscopeError
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.pythonfile import Overdue
from plyscope.rules.games import GAMES, parse_game
from sentences import refuses, says


def some_boards(number: int) -> list[str]:
    draw = random.Random(11)
    return [
        "/".join("".join(draw.choice("XO..") for _ in range(3)) for _ in range(3))
        for _ in range(number)
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [(".../.../...", 0), ("X../.X./...", 6), ("XO./.XO/..X", 4), ("XOX/OXO/...", 2)],
)
def test_system_a(text: str, value: int) -> None:
    assert (evaluate(text, "open-lines", side="x"), evaluate(text, "open-lines", side="o")) == (
        value,
        -value,
    )


@pytest.mark.parametrize(
    ("stones", "value"),
    [
        ((0, 0), 0),
        ((1, 0), 10),
        ((2, 0), 100),
        ((3, 0), 1000),
        ((0, 1), -10),
        ((0, 2), -100),
        ((0, 3), -1000),
        ((1, 1), 0),
        ((2, 1), 0),
    ],
)
def test_system_b(stones: tuple[int, int], value: int) -> None:
    assert HEURISTICS["weighted-lines"].build(GAMES["tictactoe"]).value(*stones) == value  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "value"), [("XOX/OXO/XOX", 0), ("XOX/OXO/OXO", 0), ("X../OXO/OOX", 1)]
)
def test_system_d(text: str, value: int) -> None:
    assert evaluate(text, "diagonal-lines", side="x") == value


def test_all_tables_agree_with_counting_by_hand_on_thousands_of_boards() -> None:
    for text in some_boards(3000):
        b, position = oracles.board(text), parse(text)
        assert evaluate(position, "open-lines", side="x") == oracles.open_lines(b, "X")
        assert evaluate(position, "weighted-lines", side="o") == oracles.weighted_lines(b, "O")
        assert evaluate(position, "counted-lines", side="x") == oracles.counted_lines(b)
        assert evaluate(position, "diagonal-lines", side="x") == oracles.diagonal_lines(b)


def test_counts_ten_for_a_result_however_many_lines_are_full() -> None:
    assert evaluate("XXX/XOO/XOO", "result", side="x") == 10
    assert evaluate("XX./OO./...", "result", side="x") == 0
    assert evaluate("misere-tictactoe XXX/OO./...", "result", side="x") == -10


def test_extends_tables_beyond_three_in_a_line() -> None:
    six = parse_game("6,6,6")
    for name, values in {
        "open-lines": [0, 1, 1, 1, 1, 1, 1],
        "weighted-lines": [0, 10, 100, 1000, 10**4, 10**5, 10**6],
        "counted-lines": [0, 1, 3, 8, 21, 55, 144],
        "diagonal-lines": [0, 1, 3, 9, 27, 81, 0],
        "result": [0, 0, 0, 0, 0, 0, 10],
    }.items():
        table = HEURISTICS[name].build(six)
        assert [table.value(stones, 0) for stones in range(7)] == values  # type: ignore[attr-defined]
        assert [table.value(0, stones) for stones in range(7)] == [-value for value in values]  # type: ignore[attr-defined]


def test_never_loses_with_five_numbers_that_make_more_wrong_moves() -> None:
    agent = "alphabeta depth=1 heuristic={} ties=random"
    assert certify(agent.format("five-numbers")).never_loses
    assert certify(agent.format("counted-lines")).never_loses is False
    five, counted = (
        report_card(name, depth=1).depths[0].mistakes for name in ("five-numbers", "counted-lines")
    )
    assert five > 2 * counted


def test_counts_a_line_as_a_liability_in_misere() -> None:
    for name in ("open-lines", "weighted-lines", "counted-lines", "diagonal-lines"):
        assert (
            evaluate("misere-tictactoe X../.X./..O", name) == -evaluate("X../.X./..O", name) != 0
            or name == "open-lines"
        )


def test_explain_names_the_lines() -> None:
    shares = {
        share.cells: (share.mine, share.theirs, share.value)
        for share in explain("X../OXO/OO.", "diagonal-lines", side="x").lines or ()
    }
    assert shares["a3", "b2", "c1"] == (2, 0, 6)
    assert shares["a2", "b2", "c2"] == (1, 2, 0)


def test_reads_a_table_from_toml_and_json(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(
        'name = "one"\nmine = [0, 1, 3, 8]\nweights = { diagonal = 2 }\nclamp = 20\n[values]\n"1,1" = 5\n'
    )
    (tmp_path / "two.json").write_text('{"mine": [0, 1], "theirs": [0, -2]}')
    table = LineTable.read(tmp_path / "one.toml")
    assert (table.name, table.value(2, 0), table.value(0, 3), table.value(1, 1), table.clamp) == (
        "one",
        3,
        -8,
        5,
        20,
    )
    assert evaluate("X../.../...", str(tmp_path / "one.toml"), side="x") == 1 + 1 + 2
    assert evaluate("X../.../..O", LineTable.read(tmp_path / "two.json"), side="x") == 2 - 4


@pytest.mark.parametrize(
    "text",
    [
        "",
        "mine = 3",
        "mine = [0, 1.5]",
        "mine = [0, 1]\nsize = 3",
        '[values]\n"1" = 3',
        '[values]\n"1,0" = true',
        "mine = [0]\n[weights]\nslanted = 2",
        "mine = [",
        "mine = [1]\n" + "x" * 5000 + " = 1",
        "mine = [0, 99999999999]",
        '{"mine": null, "theirs": [0, -1]}',
        '{"mine": null, "values": {"1,0": 3}}',
    ],
)
def test_rejects_a_bad_table_with_its_key(tmp_path: Path, text: str) -> None:
    path = tmp_path / ("bad.json" if text.startswith("{") else "bad.toml")
    path.write_text(text)
    with pytest.raises(NotationError) as caught:
        LineTable.read(path)
    says(f"table {text[:40]}", str(caught.value).replace(f"{tmp_path}/", ""))


def test_takes_a_function_as_a_heuristic() -> None:
    def same_as_a(mine: int, theirs: int, lines: tuple[int, ...]) -> int:
        return sum((theirs & line == 0) - (mine & line == 0) for line in lines)

    for text in some_boards(300):
        assert evaluate(text, same_as_a, side="o") == evaluate(text, "open-lines", side="o")


@pytest.mark.parametrize("answer", [None, "3", 2.5, [1], 10**10])
def test_reports_a_function_without_a_whole_number_by_name_and_position(
    answer: object,
) -> None:
    with refuses(HeuristicError):
        FunctionHeuristic("odd", lambda mine, theirs, lines: answer).evaluate(
            parse("X../.../..."), 0
        )  # type: ignore[arg-type, return-value]


def test_reports_a_function_that_raises_by_name_and_position() -> None:
    def broken(mine: int, theirs: int, lines: tuple[int, ...]) -> int:
        return mine()  # type: ignore[operator, no-any-return]

    with refuses(HeuristicError):
        evaluate("X../.../...", broken)


class Odd(BaseException):
    """An object that does what no other does, whatever it is asked for."""

    def __str__(self) -> str:
        raise SystemExit(4)

    def __index__(self) -> int:
        raise GeneratorExit


@pytest.mark.parametrize(
    "raised",
    [
        SystemExit(3),
        SystemExit,
        GeneratorExit,
        Odd,
        BaseException("a\nb"),
        RecursionError(),
        StopIteration,
    ],
)
def test_reports_any_exception_of_a_function_in_one_line(
    raised: BaseException | type[BaseException],
) -> None:
    def leaves(mine: int, theirs: int, lines: tuple[int, ...]) -> int:
        raise raised

    def leaves_a_line(mine: int, theirs: int) -> int:
        raise raised

    name = raised.__name__ if isinstance(raised, type) else type(raised).__name__
    for function in (leaves, leaves_a_line):
        for asked in (evaluate, explain, partial(search, depth=2), partial(trace, depth=1)):
            with pytest.raises(
                HeuristicError,
                match=rf"'{function.__name__}' raised {name}\b.*; expected a whole number \(it was called",
            ):
                asked("X../.../...", heuristic=function)


def test_rejects_an_object_that_is_no_number() -> None:
    for answer in (Odd(), Odd, object()):
        with pytest.raises(
            HeuristicError,
            match=r"'odd' answered ['\"].*['\"] on 'X../.../...'; expected a whole number",
        ):
            evaluate(
                "X../.../...",
                FunctionHeuristic("odd", lambda mine, theirs, lines, answer=answer: answer),
            )


def test_passes_ctrl_c_and_a_deadline_through_a_function() -> None:
    for stop in (KeyboardInterrupt, Overdue):

        def stopped(
            mine: int, theirs: int, lines: tuple[int, ...], stop: type[BaseException] = stop
        ) -> int:
            raise stop

        with pytest.raises(stop):
            FunctionHeuristic("stopped", stopped).evaluate(parse("X../.../..."), 0)


@pytest.mark.parametrize(
    "text",
    [
        "import sys\nsys.exit('bye\\n\\nbye')",
        "raise BaseException('bye bye')",
        "raise GeneratorExit('bye bye')",
    ],
)
def test_reports_any_exception_of_a_file_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(NotationError, match=r"\w+: bye bye"):
        find_heuristic(f"{tmp_path / 'mine.py'}:f", GAMES["tictactoe"])


def test_finds_no_function_in_a_file_with_a_module_getattr(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def __getattr__(name): raise SystemExit(3)")
    with pytest.raises(NotationError, match="no function 'f'"):
        find_heuristic(f"{tmp_path / 'mine.py'}:f", GAMES["tictactoe"])


@pytest.mark.parametrize("spec", ["\0x.py:f", "\0x.toml", "\0x.json", "\udcff\0.py:f"])
def test_rejects_a_name_that_no_file_can_have(spec: str) -> None:
    with pytest.raises(NotationError, match=r"\\x00") as caught:
        find_heuristic(spec, GAMES["tictactoe"])
    assert str(caught.value).isprintable()


def test_rejects_a_list_as_a_table_and_says_what_is_expected() -> None:
    with refuses(HeuristicError):
        LineTable("x", [0, 1])  # type: ignore[arg-type]


@pytest.mark.parametrize("spec", ["weighted", "none.toml", "none.py:f", "random:x", 3, "a.py:"])
def test_rejects_an_object_that_is_no_heuristic(spec: object) -> None:
    with pytest.raises(PlyscopeError, match="expected|cannot read"):
        find_heuristic(spec, GAMES["tictactoe"])


@pytest.mark.parametrize("name", ["\0x", "\ud800", "x" * 300, "x" * 5000, "a\nb\x1b[2J"])
@pytest.mark.parametrize("end", [".py:f", ".toml", ".json", ""])
def test_rejects_a_path_that_no_file_can_have(name: str, end: str) -> None:
    with pytest.raises(PlyscopeError, match="expected|cannot read") as caught:
        find_heuristic(name + end, GAMES["tictactoe"])
    assert len(str(caught.value)) < 1000
    assert str(caught.value).isprintable()


def test_random_depends_on_seed_and_stones_alone() -> None:
    values = [evaluate(text, "random") for text in some_boards(200)]
    assert values == [evaluate(text, "random") for text in some_boards(200)]
    assert values != [evaluate(text, "random:7") for text in some_boards(200)]
    assert len(set(values)) > 60
    assert max(map(abs, values)) <= 100
