"""The numbers of a function's keyword parameters: which there are, and the function with others."""

from __future__ import annotations

import json
import pickle
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from plyscope import LineTable, evaluate, heuristic, parse, parse_game, report_card, search, tune
from plyscope.errors import HeuristicError, OptionError, PlyscopeError
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.lab.judging.population import Positions
from plyscope.tuning.constants import Constants, find_constants, write_source
from sentences import refuses, says
from sources import sources

GAME = parse_game("tictactoe")
SOURCES = sources("constants")
TEXT = SOURCES["text"]
NAMES = ("worth[0]", "worth[1]", "worth[2]", "worth[3]", "centre", "edge")
START = (0, 1, 3, 8, -2.5, 4)
OTHER = (5, -6, 70, 800, 0.125, -4)


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


def test_finds_the_numbers_of_keyword_parameters(file: Path) -> None:
    constants = find_constants(f"{file}:f", GAME)
    assert constants.parameters == NAMES
    assert constants.weights_of_start == START
    assert [each.is_whole for each in constants.constants] == [*[True] * 4, False, True]


def test_appends_the_numbers_to_the_text_of_the_file(file: Path) -> None:
    constants = find_constants(f"{file}:f", GAME)
    tuned = file.with_name("tuned.py")
    write_source(tuned, constants.written(OTHER), ["Tuned today.", "of two\nlines"])
    assert tuned.read_text(encoding="utf-8") == (
        f"{TEXT}# Tuned today.\n# of two lines\n"
        "f.__kwdefaults__.update(worth=(5, -6, 70, 800), centre=0.125, edge=-4)\n"
    )
    assert find_constants(f"{tuned}:f", GAME).weights_of_start == OTHER


def test_gives_the_values_of_the_written_file(file: Path) -> None:
    constants = find_constants(f"{file}:f", GAME)
    made, path = constants.heuristic(OTHER), file.with_name("tuned.py")
    write_source(path, constants.written(OTHER), ["Tuned today."])
    asked = positions(200)
    assert [made.evaluate(each, each.side) for each in asked] == [
        evaluate(each, f"{path}:f") for each in asked
    ]


def test_leaves_the_function_as_it_was(file: Path) -> None:
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
def test_keeps_the_text_of_a_file_in_its_encoding(
    tmp_path: Path, newline: str, encoding: str
) -> None:
    text = f"# coding: {encoding}\n# é\fé\n\ndef f(mine, theirs, *, a=1, É=(2, 3)):\n" + (
        "    return a * mine - É[1] * theirs + É[0]  # é"
    )
    path, tuned = tmp_path / "odd.py", tmp_path / "tuned.py"
    path.write_bytes(text.replace("\n", newline).encode(encoding))
    constants = find_constants(f"{path}:f", GAME)
    write_source(tuned, constants.written((10, 20, 30)), ["made in 東京"])
    body = text.replace("\n", newline).encode(encoding.removesuffix("-sig"))
    assert tuned.read_bytes().startswith(body)
    assert find_constants(f"{tuned}:f", GAME).weights_of_start == (10, 20, 30)


def test_selects_some_by_name(file: Path) -> None:
    chosen = find_constants(f"{file}:f", GAME, ["worth[1]", "edge"])
    assert chosen.parameters == ("worth[1]", "edge")
    assert chosen.written((7, 5)).endswith("update(worth=(0, 7, 3, 8), edge=5)\n")


@pytest.mark.parametrize("free", ["worht", "words", "more", "worth[4]"])
def test_refuses_an_unknown_name(file: Path, free: str) -> None:
    with pytest.raises(PlyscopeError) as refused:
        find_constants(f"{file}:f", GAME, [free])
    says(str(refused.value))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "def f(mine, theirs):\n    return mine",
        "def f(mine, theirs, pair=10):\n    return pair * mine",
        "def f(mine, theirs, *, worth=()):\n    return mine",
        "def f(mine, theirs, *, worth=(0, [], 'a')):\n    return worth[0]",
        "def f(mine, theirs, *, worth=1e999):\n    return mine if worth else 0",
        "def f(mine, theirs, *, worth=10**30):\n    return mine if worth else 0",
        "def f(mine, theirs, *, is_on=True):\n    return mine if is_on else 0",
        "from functools import cache\n@cache\ndef f(mine, theirs, *, pair=1):\n    return pair",
        "class F:\n    def __call__(self, mine, theirs, *, pair=1):\n        return pair\nf = F()",
    ],
)
def test_refuses_a_function_without_numbers(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(OptionError) as refused:
        find_constants(f"{path}:f", GAME)
    said = str(refused.value)
    assert f"of '{path}' has no numbers to tune; expected keyword parameters, such as def f" in said
    assert "\n" not in said


def around(factor: int) -> Any:
    @cache
    def stones(number: int) -> int:
        return factor * number

    def difference(mine: int, theirs: int, *, scale: int = 2) -> int:
        return scale * (stones(mine) - stones(theirs))

    return difference


def test_tunes_a_function_of_this_process() -> None:
    function = around(3)
    constants = find_constants(function, GAME)
    table = constants.heuristic((-1,))
    assert isinstance(table, LineTable)
    assert (table.value(2, 0), table.value(0, 1), function(1, 0)) == (-6, 3, 6)
    assert constants.written((-1,)) == "difference.__kwdefaults__.update(scale=-1)\n"


def test_makes_a_table_of_a_sum_over_lines_with_any_numbers(tmp_path: Path) -> None:
    text = """
def f(mine, theirs, lines, *, worth=[0, 1, 3, 8]):
    total = 0
    for line in lines:
        total += worth[(mine & line).bit_count()] - 2 * worth[(theirs & line).bit_count()]
    return total
def g(mine, theirs, lines, *, worth=(0, 1, 3, 8), bonus=0):
    total = 0
    for line in lines:
        total += worth[(mine & line).bit_count()] + bonus * (mine & line & 4)
    return total
def h(mine, theirs, lines, *, last=1):
    total = 0
    for line in lines:
        total += last * (mine & line).bit_count()
        if mine & line == line:
            last = 2
    return total
"""
    constants = written_to(tmp_path / "sum.py", text)
    assert constants.is_table
    assert isinstance(constants.heuristic((1, -2, 3, 4)), LineTable)
    by_cells = find_constants(f"{tmp_path / 'sum.py'}:g", GAME)
    assert isinstance(by_cells.heuristic(by_cells.weights_of_start), LineTable)
    assert not by_cells.is_table  # with a bonus of 0 alone
    assert isinstance(by_cells.heuristic((0, 1, 3, 8, 1)), FunctionHeuristic)
    of_order = find_constants(f"{tmp_path / 'sum.py'}:h", GAME)
    assert isinstance(of_order.heuristic((1,)), FunctionHeuristic)


def test_is_compiled_with_its_own_numbers(tmp_path: Path) -> None:
    text = "def f(board, player, *, centre=3):\n    return centre * (board[1][1] == player)\n"
    constants = written_to(tmp_path / "centre.py", text)
    for number in (3, 7):
        tuned = constants.heuristic((number,))
        found = [search("tictactoe", heuristic=tuned, depth=3, form=form) for form in FORMS]
        assert [result.value for result in found] == [number, number]
        assert len({result.nodes for result in found}) == 1


FORMS: Any = ("reference", "compiled")


def test_sends_the_function_to_another_process(file: Path) -> None:
    made = find_constants(f"{file}:f", GAME).heuristic(OTHER, "tuned", "of my own")
    there = pickle.loads(pickle.dumps(made))
    assert (there.name, there.summary, there.scale) == ("tuned", "of my own", 10)
    asked = positions(20)
    assert [there.evaluate(each, 1) for each in asked] == [made.evaluate(each, 1) for each in asked]


def test_keeps_whole_numbers_whole_and_fractions_short(file: Path) -> None:
    constants = find_constants(f"{file}:f", GAME, ["worth[1]", "centre"])
    assert constants.rounded((2.6, 0.123456)) == (3, 0.1235)
    assert constants.rounded((1e30, -1e-9)) == (10**9, -1e-9)
    assert [type(each) for each in constants.rounded((2.6, 3.0))] == [int, float]


def test_names_the_function_that_raises_with_other_numbers(tmp_path: Path) -> None:
    text = "def f(board, player, *, limit=2):\n    return 1 // (limit - 2 + board[0][0])\n"
    constants = written_to(tmp_path / "raises.py", text)
    with pytest.raises(HeuristicError, match=r"'f' raised ZeroDivisionError.* on '\.\.\./") as said:
        constants.heuristic((2,)).evaluate(parse("tictactoe"), 0)
    assert "\n" not in str(said.value)
    assert constants.heuristic((3,)).evaluate(parse("tictactoe"), 0) == 1


def test_keeps_a_declared_scale_and_name() -> None:
    def third(board: Any, player: int, *, centre: float = 0.5) -> float:
        return centre * (board[1][1] == player)

    tuned = find_constants(heuristic(third, scale=100, name="mine"), GAME).heuristic((0.25,))
    assert (tuned.name, tuned.evaluate(parse("tictactoe b2"), 0)) == ("mine", 25)


# Tuned


LISTS = SOURCES["lists"]


def test_tunes_and_writes_a_file(tmp_path: Path) -> None:
    path, tuned = tmp_path / "mine.py", tmp_path / "tuned.py"
    path.write_text(LISTS)
    result = tune(f"{path}:f", "tictactoe", games=100, jobs=1)
    assert (result.outcome, result.family, result.choices) == ("improved", "constants", 3191)
    assert result.at_use.after.value < 0.025 < result.at_use.before.value
    assert [weight.before for weight in result.weights] == [0, 1, 3, 8] * 2
    assert {trial.match.a for trial in result.trials} == {"tuned"}
    result.write(tuned)
    assert tuned.read_text().startswith(LISTS)
    assert f"# digest = {result.digest}\n" in tuned.read_text()
    numbers = tuple(weight.after for weight in result.weights)
    (card,) = [report_card(f"{tuned}:f", "tictactoe", depth=1)]
    assert card.depths[0].mistakes == pytest.approx(result.at_use.after.value)
    told = json.loads(json.dumps(result.as_dict()))
    assert (told["weights"][3]["low"], told["weights"][3]["high"]) == (None, None)
    last = f"f.__kwdefaults__.update(own={numbers[:4]}, other={numbers[4:]})\n"
    assert told["source"] == LISTS + last
    assert tuned.read_text().endswith(last)
    with refuses(OptionError):
        result.write(tmp_path / "none" / "tuned.py")


def test_tunes_a_function_without_a_table(tmp_path: Path) -> None:
    """One that no other process can be handed, since it is of this one."""
    scope: dict[str, Any] = {"__builtins__": __builtins__, "__name__": "notebook"}
    text = "def g(board, *, centre=-1):\n    return centre * sum(map(own, board[0][1:3]))"
    exec(text + "\ndef own(mark):\n    return (0, 1, -1)[mark]\n", scope)
    result = tune(scope["g"], "4,2,3", trials=False, jobs=2)
    assert [weight.name for weight in result.weights] == ["centre"]
    assert result.weights[0].after > 0
    assert result.is_better
    assert result.source == f"g.__kwdefaults__.update(centre={result.weights[0].after})\n"
    with refuses(OptionError):
        result.write(tmp_path / "mine.toml")


def test_tests_constants_of_a_sample_on_fresh_positions(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(LISTS.replace("8)", "8, 21)"))
    tuned = tune(f"{path}:f", "connect4", free=["other"], samples=700, trials=False, jobs=1)
    assert [weight.name for weight in tuned.weights] == [f"other[{at}]" for at in range(5)]
    assert not tuned.is_whole
    assert tuned.at_use.choices < tuned.choices
    assert tuned.is_better == (tuned.at_use.p <= 0.05)


def test_resumes_a_tuning_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_can_play_games_against_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    ("start", "options"),
    [
        ("four.py:f", {"samples": 100, "game": "connect4"}),
        ("mine.py:f", {"free": ["none"]}),
        ("counted-lines", {"family": "constants"}),
        ("mine.py:f", {"optimum": True}),
        ("counted-lines", {"labels": "exact+play"}),
        ("plain.py:f", {"family": "constants"}),
        ("other.py:f", {}),
        ("raises.py:f", {}),
        ("none.py:f", {}),
    ],
)
def test_rejects_what_cannot_be_tuned_in_one_line(
    tmp_path: Path, start: str, options: dict[str, Any]
) -> None:
    for name, text in (
        ("mine", LISTS),
        ("four", LISTS.replace("8)", "8, 21)")),
        ("plain", "def f(mine, theirs):\n    return mine - theirs\n"),
        ("other", "def f(board):\n    return board[0][0]\n"),
        ("raises", "def f(board, *, a=2):\n    return a // 0\n"),
    ):
        (tmp_path / f"{name}.py").write_text(text)
    with refuses(PlyscopeError) as refused:
        tune(str(tmp_path / start) if ":" in start else start, trials=False, **options)
    assert "\n" not in str(refused.value)


def test_tunes_a_table_without_constants_as_a_table(tmp_path: Path) -> None:
    path = tmp_path / "plain.py"
    path.write_text("def f(mine, theirs):\n    return mine - theirs\n")
    result = tune(f"{path}:f", family="lines", trials=False, jobs=1)
    assert (result.family, result.source) == ("lines", None)
    with refuses(OptionError):
        result.write(tmp_path / "tuned.py")
