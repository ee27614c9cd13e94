"""A function of a file is an agent or a heuristic; where it may be both, the user is asked."""

from __future__ import annotations

import tomllib
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import plyscope as ps
from commands import refusal
from games import Nim
from plyscope import parse, parse_agent, parse_game, play_match
from plyscope.errors import AgentError, NotationError, OptionError, PlyscopeError
from plyscope.evaluation.boardform import form_of
from plyscope.evaluation.function import load_function
from plyscope.evaluation.signatures import is_player
from plyscope.faces.cli import run
from plyscope.lab.agents.agent import legal_move
from plyscope.lab.agents.readings import IsHeuristic, Unclear, as_player, reading_of
from plyscope.lab.agents.searches import SearchAgent
from plyscope.pythonrun import load_named
from sentences import refuses, says
from sources import sources

FILE = sources("readings")["file"]


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "both.py").write_text(FILE)
    return str(tmp_path / "both.py")


def typed(board: Any) -> tuple[int, int]:
    return 0, 0


def weighed(board: Any) -> float:
    return 0.5


def counted(position: Any) -> float:
    return len(position.moves)


def last(position: Any) -> Any:
    return position.moves[-1]


def agent(board: Any) -> int:
    return 0


def h_x(position: Any) -> Any:
    return position.moves[0]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (last, "agent"),
        (h_x, "agent"),
        (counted, "heuristic"),
        (typed, "agent"),
        (weighed, "heuristic"),
        (agent, None),
        (lambda board, player: 0, None),
        (lambda board: 0, None),
        (lambda mine, theirs: 0, "heuristic"),
        (lambda mine, theirs, lines: 0, "heuristic"),
        (lambda obs, config: 0, "agent"),
        (ps.heuristic(last, scale=2), "heuristic"),
    ],
)
def test_reads_declaration_arguments_and_annotation(function: Any, expected: str | None) -> None:
    assert reading_of(function) == expected


def test_plays_a_clear_function_and_asks_about_an_unclear_one(file: str) -> None:
    for name in ("bot", "first", "evaluate"):
        if name == "evaluate":
            with pytest.raises(IsHeuristic, match=f"heuristic:{file}:evaluate"):
                parse_agent(f"{file}:{name}")
        else:
            chosen = parse_agent(f"{file}:{name}").choose(parse("X../.../..."), Random(0))
            assert chosen.move == 1
    for name in ("unsaid", "choose_bot"):
        with pytest.raises(Unclear) as told:
            parse_agent(f"{file}:{name}")
        assert f"'agent:{file}:{name}' or 'heuristic:{file}:{name}'" in str(told.value)


def test_reads_a_prefix_everywhere(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    searching = parse_agent(f"heuristic:{file}:unsaid")
    assert isinstance(searching, SearchAgent)
    assert dict(searching.options) == {"heuristic": f"{file}:unsaid", "depth": 2}
    deeper = parse_agent(f"heuristic:{file}:unsaid depth=3")
    assert dict(deeper.options)["depth"] == 3  # type: ignore[attr-defined]
    with pytest.raises(AgentError, match="answered 9"):
        parse_agent(f"agent:{file}:evaluate").choose(parse("tictactoe"), Random(0))
    play = ["--jobs", "1", "-n", "2"]
    for command in (
        ["match", f"heuristic:{file}:unsaid", "random", *play],
        ["tournament", f"agent:{file}:bot", f"heuristic:{file}:evaluate", *play],
        ["play", "--x", f"heuristic:{file}:unsaid", "--o", f"agent:{file}:bot"],
    ):
        assert run(command) == 0
    says(capsys.readouterr().err)
    for command in (
        ["match", f"{file}:unsaid", "random"],
        ["certify", f"{file}:unsaid"],
        ["tournament", "random", f"{file}:choose_bot"],
        ["play", "--x", f"{file}:choose_bot", "--o", "random"],
    ):
        error = refusal(capsys, *command).strip()
        assert "\n" not in error
        assert "agent:" in error
        assert "heuristic:" in error
    assert run(["eval", "tictactoe b2", "-H", f"{file}:unsaid"]) == 0  # only one thing is meant


def test_takes_the_side_of_an_agent_as_an_argument_in_python() -> None:
    def f(board: Any) -> Any:
        return 1, 2, (2, 2)

    with pytest.raises(AgentError, match="for_='o', answer='12'"):
        ps.Agent(f, for_="o").choices(parse("X../.../..."))
    assert ps.Agent(f, for_="o", answer="12").choices(parse("X../.../...")) == (5,)


def test_takes_a_declared_function_of_the_board_from_python() -> None:
    def f(board: Any, player: int) -> Any:
        return int(np.argmin(np.ravel(board) != 0))

    with pytest.raises(Unclear, match="ps.Agent"):
        play_match(f, "random", 2)  # type: ignore[arg-type]
    assert ps.Agent(f).choices(parse("X../.../...")) == (1,)
    for declared in (lambda mine, theirs: 0, ps.heuristic(f)):
        with pytest.raises(IsHeuristic, match="heuristic="):
            ps.Agent(declared)
    for named_otherwise in (h_x, counted):
        assert ps.Agent(named_otherwise).name == named_otherwise.__name__
    assert ps.Agent(heuristic=f, depth=1, name="mine").name == "mine"


def test_accepts_a_cell_a_name_or_a_place_from_a_bot() -> None:
    start = parse("connect4 44")
    asked: list[Any] = []

    def answering(answer: Any) -> Any:
        def bot(board: np.ndarray, player: int) -> Any:
            asked.append((board.shape, player))
            return answer

        return ps.Agent(bot)

    for answer in (3, 24, "d3", (3, 3), [3, 3], np.array([3, 3]), np.int64(3)):
        assert answering(answer).choices(start) == (24,)
    assert asked[0] == ((6, 7), 1)
    cube = parse_game("3x3x3,3").start()
    assert ps.Agent(lambda board: (2, 1, 0)).choices(cube) == (2 * 9 + 3,)
    for answer in ((0, 7), (-1, 0), (0,), ("a", 0), (5, 3), None, 9.5, 77):
        with pytest.raises(AgentError, match="answered"):
            answering(answer).choices(start)
    with pytest.raises(AgentError, match="no such board"):
        as_player("bot", lambda board: 0)(ps.GamePosition(Nim(), Nim().start()))


# Which function of a file is meant


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("def count(b): return 1\ndef f(board): return count(board)\n", "f"),
        (
            "from functools import partial\ndef weighted(board, player, k): return 1\n"
            "heuristic = partial(weighted, k=3)\n",
            "heuristic",
        ),
        ("def f(board): return 0\ndef heuristic(board): return 1\n", "heuristic"),
        ("def f(n):\n    return f(n - 1) if n else 0\n", "f"),
        ("from plyscope import heuristic\n@heuristic(scale=2)\ndef f(board): return 1\n", "f"),
    ],
)
def test_ignores_helper_functions(tmp_path: Path, text: str, name: str) -> None:
    file = tmp_path / "some.py"
    file.write_text(text)
    assert load_function(str(file)).name == name


def test_lists_the_remaining_candidates(tmp_path: Path) -> None:
    file = tmp_path / "two.py"
    file.write_text("def h(x): return 1\ndef f(board): return h(1)\ndef g(board): return 2\n")
    with refuses(NotationError):
        load_function(str(file))


def test_reads_a_file_with_a_bot_and_its_helper_as_an_agent(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(
        "def worth(position): return 1\n"
        "def choose(position):\n    return min(position.moves, key=evaluate_after)\n"
        "def evaluate_after(move): return worth(move)\n"
    )
    assert parse_agent(str(file)).choose(parse("tictactoe"), Random(0)).move == 0


def test_rejects_arguments_that_nobody_passes() -> None:
    for function, name in (
        (lambda board, depth: 0, "depth"),
        (lambda board, player, depth: 0, "depth"),
        (lambda grid, config: 0, "config"),
        (lambda x, y, alpha: 0, "alpha"),
    ):
        with pytest.raises(OptionError, match=f"'{name}' is never passed"):
            ps.evaluate("tictactoe", function)  # type: ignore[arg-type]
    assert ps.evaluate("tictactoe", lambda board, player, depth=3: depth) == 3


def test_prints_notes_on_a_sandboxed_heuristic_in_matches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "letters.py"
    file.write_text("def evaluate(board) -> float: return sum(row.count('X') for row in board)\n")
    assert run(["match", str(file), "random", "-n", "2", "--jobs", "1"]) == 0
    error = capsys.readouterr().err
    says(error)
    assert "'X'" in error


CORPUS = Path(__file__).parents[1] / "corpus"
AGENT_CASES = tomllib.loads((CORPUS / "agents.toml").read_text())


def played(text: str, game: str) -> str:
    """Return the sentence that ends a game of an agent against itself; "" if it plays it out."""
    name, _, options = text.partition(" ")
    given = dict(pair.split("=", 1) for pair in options.split())
    try:
        agent_name, function = load_named(text, "agent", "a function", is_player=is_player)
        player = as_player(agent_name, function, form_of(given), name)
        position = ps.parse(game)
        while position.moves:
            position = position.play(legal_move(position, player(position)))
    except PlyscopeError as error:
        return str(error)
    return ""


def notes(text: str, game: str) -> tuple[str, ...]:
    """Return the notes on an agent of a file."""
    return parse_agent(f"agent:{text}").notes(parse_game(game))


@pytest.mark.parametrize("name", AGENT_CASES)
def test_names_the_option_with_which_an_agent_plays_as_it_stands(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO())
    assert {file.stem for file in (CORPUS / "agents").glob("*.py")} == set(AGENT_CASES)
    case = AGENT_CASES[name]
    game = case.get("game", "tictactoe")
    text = f"{CORPUS / 'agents' / name}.py:{case.get('name', 'choose')}"
    if "noted" in case:
        assert played(text, game) == ""
        assert case["noted"] in " ".join(notes(text, game))
    elif "refused" in case:
        assert [words for words in case["refused"] if words not in played(text, game)] == []
    elif option := case["option"]:
        if "array" in option:
            pytest.importorskip("numpy")
        assert case.get("asked", option) in played(text, game)
        assert played(f"{text} {option}", game) == ""
    else:
        assert played(text, game) == ""


def test_a_file_agent_has_a_form() -> None:
    file = CORPUS / "agents" / "spaces.py"
    first = ps.parse("tictactoe")
    with pytest.raises(AgentError, match="'agent:.* cells=1,2,space'"):  # f(board) is unclear
        parse_agent(f"agent:{file}").choose(first, Random(1))
    assert parse_agent(f"agent:{file} cells=1,2,space").choose(first, Random(1)).move == 0


def test_an_agent_of_this_process_has_a_form() -> None:
    def first_free(board, mark):
        return board.index(" ")

    agent = ps.Agent(first_free, board="flat", cells="XO ")
    assert agent.choices(ps.parse("tictactoe a3")) == (1,)


def test_exchanges_colours_for_an_agent_that_plays_one_side() -> None:
    text = f"agent:{CORPUS / 'agents' / 'plays_o.py'}"
    for_x = ps.parse("OO./XX./...")
    assert parse_agent(text).choose(for_x, Random(1)).move == 2  # it wins for O
    assert parse_agent(f"{text} for=o").choose(for_x, Random(1)).move == 5
    assert parse_agent(f"{text} for=o").choose(ps.parse("XX./OO./..X"), Random(1)).move == 5
