"""The constants of functions: which there are, the function with others, and the file with others."""

from __future__ import annotations

import json
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from plyscope import LineTable, evaluate, parse, parse_game, report_card, tune
from plyscope.errors import HeuristicError, OptionError, PlyscopeError
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.lab.judging.population import Positions
from plyscope.tuning.constants import Constants, find_constants, write_source

GAME = parse_game("tictactoe")
TEXT = '''#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Lines, the centre, and a café."""
from functools import lru_cache

WORTH = [0, 1,   # nothing, one
         3, 8]   # é: two, three
CENTRE: float = -2.5; EDGE = +4
BY_KIND = {"row": 1, "rest": (7, -1)}
DERIVED = 2 * 3
FROM = [EDGE_OF for EDGE_OF in (1, 2)]
AT_ONCE = 3
TABLE = [AT_ONCE] * 4
TWICE = 1
TWICE = 2
FLAG = True
EMPTY = []
HUGE = 10**400
WORDS = ["a", "b"]
NOBODY = 5
counter = 0


@lru_cache(maxsize=None)
def worth(number):
    return WORTH[number] + DERIVED - 6


def f(mine, theirs, lines, more=AT_ONCE):
    total = 0 if EMPTY or HUGE < 0 or not FLAG or WORDS == [] else TWICE - 2
    for line in lines:
        own, other = (mine & line).bit_count(), (theirs & line).bit_count()
        if not other:
            total += worth(own)
        elif not own:
            total -= worth(other)
    total += BY_KIND["rest"][0] * (mine & 1) + TABLE[0] - more
    return total + CENTRE * 2 * (mine >> 4 & 1) + EDGE * (mine >> 1 & 1)


f.scale = 10

if __name__ == "__main__":
    print(WORTH)
'''
NAMES = (
    *("WORTH[0]", "WORTH[1]", "WORTH[2]", "WORTH[3]", "CENTRE", "EDGE"),
    *("BY_KIND['row']", "BY_KIND['rest'][0]", "BY_KIND['rest'][1]"),
)
START = (0, 1, 3, 8, -2.5, 4, 1, 7, -1)
OTHER = (5, -6, 70, 800, 0.125, -4, 0, 9, 3)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(TEXT, encoding="utf-8")
    return path


def written_to(path: Path, text: str, name: str = "f") -> Constants:
    path.write_text(text, encoding="utf-8")
    return find_constants(f"{path}:{name}", GAME)


def positions(number: int, seed: int = 0) -> list[Any]:
    draw, found = random.Random(seed), []
    while len(found) < number:
        position = GAME.start()
        for _ in range(draw.randrange(9)):
            if not position.is_over:
                position = GAME.play(position, draw.choice(list(position.moves)))
        found.append(position)
    return found


def test_parameters_are_the_numbers_that_the_function_reads(file: Path) -> None:
    constants = find_constants(f"{file}:f", GAME)
    assert constants.parameters == NAMES
    assert constants.weights_of_start == START
    assert [each.is_whole for each in constants.constants] == [*[True] * 4, False, *[True] * 4]


def test_the_tuned_file_is_the_file_with_other_numbers(file: Path) -> None:
    constants = find_constants(f"{file}:f", GAME)
    tuned = file.with_name("tuned.py")
    write_source(tuned, constants.written(OTHER), ["Born today.", "of two\nlines"])
    text, head = tuned.read_text(encoding="utf-8"), TEXT[: TEXT.index('"""')]
    expected = TEXT.replace(head, f"{head}# Born today.\n# of two lines\n")
    for before, after in (
        ("[0, 1,   #", "[5, -6,   #"),
        ("         3, 8]", "         70, 800]"),
        ("CENTRE: float = -2.5; EDGE = +4", "CENTRE: float = 0.125; EDGE = -4"),
        ('{"row": 1, "rest": (7, -1)}', '{"row": 0, "rest": (9, 3)}'),
    ):
        assert before in expected
        expected = expected.replace(before, after)
    assert text == expected
    assert constants.written(START) == TEXT.replace("+4", "4")


def test_the_tuned_file_says_what_the_function_with_other_numbers_does(file: Path) -> None:
    constants = find_constants(f"{file}:f", GAME)
    made, path = constants.heuristic(OTHER), file.with_name("tuned.py")
    write_source(path, constants.written(OTHER), ["Born today."])
    asked = positions(200)
    assert [made.evaluate(each, each.side) for each in asked] == [
        evaluate(each, f"{path}:f") for each in asked
    ]
    ran = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True)
    assert ran.stdout == "[5, -6, 70, 800]\n"


def test_nobodys_module_is_changed(file: Path) -> None:
    asked = positions(50)
    before = [evaluate(each, f"{file}:f") for each in asked]
    constants = find_constants(f"{file}:f", GAME)
    other = constants.heuristic(OTHER)
    assert [other.evaluate(each, each.side) for each in asked] != before
    assert [evaluate(each, f"{file}:f") for each in asked] == before
    again = constants.heuristic(START)
    assert [again.evaluate(each, each.side) for each in asked] == before


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_every_other_byte_is_kept(tmp_path: Path, newline: str, encoding: str) -> None:
    text = f"# coding: {encoding}\n# é\fé\nA = 1 ;É = 'é'; B = [ 2,\n 3 ] # é\n\n" + (
        "def f(mine, theirs):\n    return A * mine - B[1] * theirs + B[0]  # é"
    )
    path = tmp_path / "odd.py"
    data = text.replace("\n", newline).encode(encoding)
    path.write_bytes(data)
    constants = find_constants(f"{path}:f", GAME)
    tuned = tmp_path / "tuned.py"
    write_source(tuned, constants.written((10, 20, 30)))
    for before, after in ((b"A = 1 ", b"A = 10 "), (b"[ 2,", b"[ 20,"), (b" 3 ]", b" 30 ]")):
        data = data.replace(before, after)
    assert tuned.read_bytes() == data
    assert find_constants(f"{tuned}:f", GAME).weights_of_start == (10, 20, 30)
    write_source(tuned, constants.written((10, 20, 30)), ["born in 東京"])
    assert find_constants(f"{tuned}:f", GAME).weights_of_start == (10, 20, 30)


def test_some_may_be_chosen(file: Path) -> None:
    chosen = find_constants(f"{file}:f", GAME, ["WORTH", "BY_KIND['rest'][0]"])
    assert chosen.parameters == (*NAMES[:4], "BY_KIND['rest'][0]")
    assert "EDGE = +4" in chosen.written((1, 2, 3, 4, 5))


@pytest.mark.parametrize(
    ("free", "message"),
    [
        ("WORHT", r"unknown constant 'WORHT'; expected one of .* WORTH\[2\]"),
        ("NOBODY", "unknown constant 'NOBODY'; expected one of BY_KIND"),
        (
            "AT_ONCE",
            "constant 'AT_ONCE' is read while the file '.*mine.py' is imported; expected a",
        ),
    ],
)
def test_what_is_no_parameter_is_refused_in_one_line(file: Path, free: str, message: str) -> None:
    with pytest.raises(PlyscopeError, match=message) as refused:
        find_constants(f"{file}:f", GAME, [free])
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "def f(mine, theirs):\n    return mine",
        "WORTH = []\ndef f(mine, theirs):\n    return mine if WORTH else -mine",
        "WORTH = [0, [], 'a']\ndef f(mine, theirs):\n    return WORTH[0]",
        "WORTH = 1e999\ndef f(mine, theirs):\n    return mine if WORTH else 0",
        "WORTH = 10**30\ndef f(mine, theirs):\n    return mine if WORTH else 0",
        "WORTH = 9999999999999\ndef f(mine, theirs):\n    return mine if WORTH else 0",
        "WORTH = 3\ndef f(mine, theirs):\n    global WORTH\n    WORTH += 0\n    return WORTH",
        "worth = 3\ndef f(mine, theirs):\n    return worth",
        "import string as WORTH\ndef f(mine, theirs):\n    return mine if WORTH else 0",
    ],
)
def test_a_function_without_constants_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(OptionError) as refused:
        find_constants(f"{path}:f", GAME)
    assert str(refused.value) == (
        f"function 'f' of '{path}' reads no constants of its module; "
        "expected numbers under names in capitals, such as VALUES = [0, 1, 3, 8]"
    )


VALUES = [0, 1, 3]
SCALE = 2


def helper(number: int) -> int:
    return VALUES[number] * SCALE


def around(inner: Callable[[int], int]) -> Callable[[int, int], int]:
    def difference(mine: int, theirs: int) -> int:
        return inner(min(mine, 2)) - inner(min(theirs, 2))

    return difference


def test_a_function_of_this_process_has_the_constants_of_its_module() -> None:
    constants = find_constants(around(helper), GAME)
    assert constants.parameters == ("VALUES[0]", "VALUES[1]", "VALUES[2]", "SCALE")
    table = constants.heuristic((5, 6, 7, -1))
    assert isinstance(table, LineTable)
    assert (table.value(2, 0), table.value(0, 1)) == (-7 + 5, -5 + 6)
    assert (VALUES, SCALE, helper(2)) == ([0, 1, 3], 2, 6)
    assert constants.written((5, 6, 7, -1)) == "VALUES = [5, 6, 7]\nSCALE = -1\n"


@cache
def remembered(mine: int, theirs: int) -> int:
    return VALUES[min(mine, 2)] - again(theirs)


def again(number: int) -> int:
    """Call what calls it."""
    return remembered(number - 1, 0) if number > 2 else VALUES[number]


def test_functions_that_remember_or_call_each_other_are_made_again() -> None:
    constants = find_constants(remembered, GAME)
    assert constants.parameters == ("VALUES[0]", "VALUES[1]", "VALUES[2]")
    before = remembered(0, 3)
    table = constants.heuristic((100, 10, 1))
    assert isinstance(table, LineTable)
    assert (table.value(0, 1), table.value(0, 3)) == (100 - 10, 100 - (1 - 100))
    assert remembered(0, 3) == before


def test_a_sum_over_lines_is_a_table_with_any_numbers(tmp_path: Path) -> None:
    text = """
MINE, THEIRS = 1, 2
WORTH = [0, 1, 3, 8]
BONUS = 0
def f(mine, theirs, lines):
    total = 0
    for line in lines:
        total += WORTH[(mine & line).bit_count()] - 2 * WORTH[(theirs & line).bit_count()]
    return total
def g(mine, theirs, lines):
    total = 0
    for line in lines:
        total += WORTH[(mine & line).bit_count()] + BONUS * (mine & line & 4)
    return total
"""
    constants = written_to(tmp_path / "sum.py", text)
    assert constants.is_table
    draft, table = constants.draft((1, -2, 3, 4)), constants.heuristic((1, -2, 3, 4))
    assert isinstance(draft, LineTable)
    assert isinstance(table, LineTable)
    assert draft.values == table.values
    by_cells = find_constants(f"{tmp_path / 'sum.py'}:g", GAME)
    assert isinstance(by_cells.heuristic(by_cells.weights_of_start), LineTable)
    assert not by_cells.is_table  # with a bonus of 0 alone
    assert isinstance(by_cells.heuristic((0, 1, 3, 8, 1)), FunctionHeuristic)


def test_another_process_makes_the_same_function(file: Path) -> None:
    made = find_constants(f"{file}:f", GAME).heuristic(OTHER, "tuned", "of my own")
    there = pickle.loads(pickle.dumps(made))
    assert (there.name, there.summary, there.scale) == ("tuned", "of my own", 10)
    asked = positions(20)
    assert [there.evaluate(each, 1) for each in asked] == [made.evaluate(each, 1) for each in asked]
    data = pickle.dumps(made)
    file.write_text(TEXT.replace("+ EDGE", "- EDGE"), encoding="utf-8")
    with pytest.raises(OptionError, match=r"mine\.py' was changed meanwhile"):
        pickle.loads(data)


def test_a_file_that_works_numbers_out_otherwise_is_refused(tmp_path: Path) -> None:
    text = """
WORTH = 3
class Table:
    def of(self, stones):
        return WORTH * stones
TABLE = Table()
def f(mine, theirs):
    return TABLE.of(mine) - WORTH * theirs
"""
    constants = written_to(tmp_path / "class.py", text)
    with pytest.raises(OptionError, match="returns other values if its numbers") as refused:
        constants.check(positions(20))
    assert "\n" not in str(refused.value)


def test_whole_numbers_stay_whole_and_fractions_are_short(file: Path) -> None:
    constants = find_constants(f"{file}:f", GAME, ["WORTH[1]", "CENTRE"])
    assert constants.rounded((2.6, 0.123456)) == (3, 0.1235)
    assert constants.rounded((1e30, -1e-9)) == (10**9, -1e-9)
    assert [type(each) for each in constants.rounded((2.6, 3.0))] == [int, float]


def test_a_heuristic_that_raises_says_so_with_other_numbers_too(tmp_path: Path) -> None:
    text = "LIMIT = 2\ndef f(board, player):\n    return 1 // (LIMIT - 2 + board[0][0])\n"
    constants = written_to(tmp_path / "raises.py", text)
    with pytest.raises(HeuristicError, match=r"'f' raised ZeroDivisionError.* on '\.\.\./") as said:
        constants.heuristic((2,)).evaluate(parse("tictactoe"), 0)
    assert "\n" not in str(said.value)
    assert constants.heuristic((3,)).evaluate(parse("tictactoe"), 0) == 1


# Tuned


LISTS = """MINE = [0, 1, 3, 8]    # by stones
THEIRS = [0, 1, 3, 8]


def f(mine, theirs):
    return 0 if mine and theirs else MINE[mine] - THEIRS[theirs]
"""


def test_a_file_is_tuned_and_written(tmp_path: Path) -> None:
    path, tuned = tmp_path / "mine.py", tmp_path / "tuned.py"
    path.write_text(LISTS)
    result = tune(f"{path}:f", "tictactoe", games=100, jobs=1)
    assert (result.outcome, result.family, result.choices) == ("improved", "constants", 3191)
    assert result.at_use is not None
    assert result.at_use.after.value < 0.025 < result.at_use.before.value
    assert [weight.before for weight in result.weights] == [0, 1, 3, 8] * 2
    assert {trial.match.a for trial in result.trials} == {"tuned"}
    result.write(tuned)
    head, _, rest = tuned.read_text().partition("\nMINE")
    assert all(line.startswith("# ") for line in head.splitlines())
    assert f"# digest = {result.digest}\n" in head
    numbers = [weight.after for weight in result.weights]
    assert "MINE" + rest == LISTS.replace("[0, 1, 3, 8]  ", f"{numbers[:4]}  ", 1).replace(
        "THEIRS = [0, 1, 3, 8]", f"THEIRS = {numbers[4:]}"
    )
    (card,) = [report_card(f"{tuned}:f", "tictactoe", depth=1)]
    assert card.depths[0].mistakes == pytest.approx(result.at_use.after.value)
    told = json.loads(json.dumps(result.as_dict()))
    assert (told["weights"][3]["low"], told["weights"][3]["high"]) == (None, None)
    assert told["source"] == "MINE" + rest
    with pytest.raises(OptionError, match=r"cannot be|expected a file that can be written"):
        result.write(tmp_path / "none" / "tuned.py")


def test_a_function_without_a_table_is_tuned(tmp_path: Path) -> None:
    """One that no other process can be handed, since it is of this one."""
    constants: dict[str, Any] = {"__builtins__": __builtins__, "__name__": "notebook"}
    text = "CENTRE, EDGE = -1, 0\ndef g(board):\n    return CENTRE * sum(map(own, board[0][1:3]))"
    exec(text + "\ndef own(mark):\n    return (0, 1, -1)[mark]\n", constants)
    result = tune(constants["g"], "4,2,3", trials=False, jobs=2)
    assert [weight.name for weight in result.weights] == ["CENTRE"]
    assert result.weights[0].after > 0
    assert result.is_better
    assert result.source == f"CENTRE = {result.weights[0].after}\n"
    with pytest.raises(OptionError, match="'tuned' is no table"):
        result.write(tmp_path / "mine.toml")


def test_constants_of_a_sample_are_tested_on_fresh_positions(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(LISTS.replace("8]", "8, 21]"))
    tuned = tune(f"{path}:f", "connect4", free=["THEIRS"], samples=700, trials=False, jobs=1)
    assert [weight.name for weight in tuned.weights] == [f"THEIRS[{at}]" for at in range(5)]
    assert not tuned.is_whole
    assert tuned.at_use is not None
    assert tuned.at_use.choices < tuned.choices
    assert tuned.is_better == (tuned.at_use.p <= 0.05)


def test_a_tuning_goes_on_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, file = tmp_path / "mine.py", tmp_path / "resume"
    path.write_text(LISTS)
    asked = 0
    played = Positions.played

    def counted(self: Positions, *words: Any, **options: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked == 300:
            raise KeyboardInterrupt
        return played(self, *words, **options)

    monkeypatch.setattr(Positions, "played", counted)

    def tuned(**options: Any) -> Any:
        return tune(f"{path}:f", "4,2,3", trials=False, jobs=1, **options)

    stopped = tuned(resume=file)
    assert (stopped.outcome, asked > 300) == ("interrupted", True)
    asked = 300
    rest = tuned(resume=file)
    asked, spent = 300, asked - 300
    whole = tuned()
    assert asked - 300 > spent + 200
    # by their texts: an interval that cannot be had is nan, which equals nothing
    assert (repr(rest.weights), rest.digest) == (repr(whole.weights), whole.digest)
    asked = 300
    tuned(resume=file, depth=2)  # which is another question to it
    assert asked - 300 > spent + 200


def test_games_against_start_may_follow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyscope.tuning.question.PLAYED_GAMES", 700)
    path = tmp_path / "mine.py"
    path.write_text(LISTS)
    played: list[int] = []
    result = tune(
        f"{path}:f",
        "4,2,3",
        labels="exact+play",
        trials=False,
        jobs=1,
        progress=lambda phase, done, total: played.append(total) if phase == "learn" else None,
    )
    assert result.labels.startswith("exact values and 700 games against START, ")
    assert len(set(played)) == 2  # the steps of both stages
    assert result.digest != tune(f"{path}:f", "4,2,3", trials=False, jobs=1).digest


@pytest.mark.parametrize(
    ("start", "options", "message"),
    [
        ("four.py:f", {"samples": 100, "game": "connect4"}, "10 numbers to learn from .* critical"),
        ("mine.py:f", {"free": ["NONE"]}, "unknown constant 'NONE'; expected one of MINE, MINE"),
        ("counted-lines", {"family": "constants"}, "constants of 'counted-lines'; expected a func"),
        (
            "mine.py:f",
            {"optimum": True},
            "no optimum can be proved for the constants of 'f'; expected a family",
        ),
        ("counted-lines", {"labels": "exact+play"}, "labels 'exact.play' of the table 'counted-l"),
        ("plain.py:f", {"family": "constants"}, "reads no constants of its module"),
        ("other.py:f", {}, "reads no constants of its module"),
        ("raises.py:f", {}, "'f' raised ZeroDivisionError: .* on "),
        ("none.py:f", {}, "no file '.*none.py'"),
    ],
)
def test_what_cannot_be_tuned_is_refused_in_one_line(
    tmp_path: Path, start: str, options: dict[str, Any], message: str
) -> None:
    for name, text in (
        ("mine", LISTS),
        ("four", LISTS.replace("8]", "8, 21]")),
        ("plain", "def f(mine, theirs):\n    return mine - theirs\n"),
        ("other", "def f(board):\n    return board[0][0]\n"),
        ("raises", "A = 2\ndef f(board):\n    return A // 0\n"),
    ):
        (tmp_path / f"{name}.py").write_text(text)
    with pytest.raises(PlyscopeError, match=message) as refused:
        tune(str(tmp_path / start) if ":" in start else start, trials=False, **options)
    assert "\n" not in str(refused.value)


def test_a_table_without_constants_is_tuned_as_a_table(tmp_path: Path) -> None:
    path = tmp_path / "plain.py"
    path.write_text("def f(mine, theirs):\n    return mine - theirs\n")
    result = tune(f"{path}:f", family="lines", trials=False, jobs=1)
    assert (result.family, result.source) == ("lines", None)
    with pytest.raises(
        OptionError, match=r"the table of 'f' to .*tuned\.py'; expected .* ends in \.toml"
    ):
        result.write(tmp_path / "tuned.py")
