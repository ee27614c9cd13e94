"""Kaggle's ConnectX: a file to hand in, held to our search; and files of Kaggle's as agents here.

The package is never imported: what it shows its agents is composed here, as it documents it.
"""

from __future__ import annotations

import ast
import random
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import plyscope as ps
from commands import output, python
from plyscope.errors import AgentError, OptionError, PlyscopeError
from plyscope.evaluation.linetable import LineTable
from plyscope.searching.score import WIN
from plyscope_worlds.connectx_agents import configuration_of, observation_of
from plyscope_worlds.connectx_export import connectx_submission
from sentences import refuses
from twins import some_position

SHOWN = {
    "observation": {
        "remainingOverageTime": 60,
        "step": 3,
        "board": [0] * 35 + [0, 0, 2, 1, 1, 0, 0],
        "mark": 2,
    },
    "configuration": {
        "episodeSteps": 1000,
        "actTimeout": 2,
        "runTimeout": 1200,
        "columns": 7,
        "rows": 6,
        "inarow": 4,
        "agentTimeout": 60,
        "timeout": 2,
    },
}
"""What an agent is shown at the fourth ply of a game, in the shape that Kaggle documents."""


def module_of(heuristic: Any, game: str = "connect4") -> ModuleType:
    """Run a submission as Kaggle does: the text alone, its last function is the agent."""
    module = ModuleType("submission")
    text = connectx_submission(heuristic, game)
    exec(compile(text, "submission.py", "exec"), vars(module))
    return module


def seen(position: Any) -> tuple[Any, Any]:
    return observation_of(position), configuration_of(position.game)


def test_shows_positions_as_kaggle_does() -> None:
    position = ps.parse("connect4 435")
    shown, rules = seen(position)
    recorded = SHOWN["observation"]
    assert {**recorded, "remainingOverageTime": 60.0} == shown
    assert recorded["board"] == shown.board
    assert {**SHOWN["configuration"], "actTimeout": 2.0, "timeout": 2.0} == rules


@pytest.mark.parametrize("as_object", [False, True])
def test_a_submission_answers_such_observations_with_a_legal_column(as_object: bool) -> None:
    quick = {**SHOWN["configuration"], "timeout": 0.2, "actTimeout": 0.2}
    given = (SHOWN["observation"], quick)
    if as_object:
        given = tuple(SimpleNamespace(**each) for each in given)  # type: ignore[assignment]
    assert module_of("counted-lines").agent(*given) in range(7)


def test_a_submission_needs_the_standard_library_alone() -> None:
    tree = ast.parse(connectx_submission("counted-lines"))
    imported = {
        (node.module or "").partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
    }
    assert imported <= sys.stdlib_module_names
    assert not any(isinstance(node, ast.Import) for node in ast.walk(tree))
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert functions[-1] == "agent"
    assert isinstance(tree.body[-1], ast.FunctionDef)


TABLES: tuple[Any, ...] = (
    "counted-lines",
    "weighted-lines",
    "diagonal-lines",
    LineTable("odd", {(1, 0): 2, (2, 1): -3, (3, 0): 11, (0, 3): -9, (0, 1): 1}, {"row": 3}, 25),
)


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("spec", ["connect4", "5,4,4,gravity", "6,5,3,gravity"])
def test_chooses_as_our_search_at_a_fixed_depth(spec: str, table: Any) -> None:
    game, module, draw = ps.parse_game(spec), module_of(table, spec), random.Random(spec)
    board = module.Board(*game.shape, game.longest_line)
    for _ in range(12):
        position = some_position(game, draw)
        mine, theirs = position.stones(position.side), position.stones(1 - position.side)
        search = module.Search(board, mine, theirs)
        for depth in (1, 2, 3, 4):
            found = ps.search(
                position, heuristic=table, depth=depth, scoring="distance", root="open"
            )
            value, column = search.run(depth)
            best = {cell % game.width for cell in found.best_moves}
            assert (value, column) == (
                found.value,
                next(at for at in board.order if at in best),
            ), (str(position), depth)
    assert module.WIN == WIN


def test_takes_a_win_and_blocks_one_in_any_time() -> None:
    module = module_of("counted-lines")
    for moves, column in (
        ("connect4 445566", (2, 6)),
        ("connect4 4455", (2, 5)),
        ("connect4 41414", (3,)),
    ):
        shown, rules = seen(ps.parse(moves))
        assert module.agent(shown, {**rules, "timeout": 0.05, "actTimeout": 0.05}) in column


def test_a_submission_keeps_its_clock() -> None:
    module = module_of("counted-lines")
    looks = 0

    def clock() -> float:
        """A hundredth of a second later whenever somebody looks."""
        nonlocal looks
        looks += 1
        return looks / 100

    module.perf_counter = clock
    for overage, share in ((60, 0.75), (0.5, 0.5)):
        shown, rules = seen(ps.parse("connect4 4"))
        before = looks
        module.agent({**shown, "remainingOverageTime": overage}, {**rules, "actTimeout": 0.4})
        assert 0.2 * share < (looks - before) / 100 <= 0.4
        assert module.time_for(2, overage) == 2 * share


@pytest.mark.parametrize("size", [(7, 6, 4), (4, 4, 3), (9, 5, 4), (3, 3, 3)])
def test_a_submission_is_legal_in_every_position_of_any_board(size: tuple[int, int, int]) -> None:
    game = ps.parse_game(f"{size[0]},{size[1]},{size[2]},gravity")
    module, draw = module_of("counted-lines"), random.Random(1)
    for _ in range(6):
        position = game.start()
        while not position.is_over:
            shown, rules = seen(position)
            column = module.agent(shown, {**rules, "timeout": 0.002, "actTimeout": 0.002})
            assert column in {cell % game.width for cell in position.moves}
            position = position.play(draw.choice(position.moves))


def test_a_submission_beats_random_as_an_agent_here(tmp_path: Path) -> None:
    path = tmp_path / "submission.py"
    path.write_text(connectx_submission("counted-lines"))
    agent = f"connectx:{path} seconds=0.3"
    result = ps.play_match(f"mine={agent}", "random", games=4, game="connect4", seed=3)
    assert (result.a, result.a_forfeits) == ("mine", 0)
    assert result.a_wins >= 3  # how deep it looks in its time is the machine's matter
    assert ps.parse_agent(f"{path}:agent seconds=0.05").choices(ps.parse("connect4 4455"))[0] in (
        ps.parse("connect4 4455").moves[2],
        ps.parse("connect4 4455").moves[5],
    )


def leftmost(observation: Any, configuration: Any) -> int:
    """As Kaggle's tutorials write it."""
    return next(c for c in range(configuration.columns) if observation.board[c] == 0)


def first_empty(observation: Any, configuration: Any) -> int:
    """As for Kaggle's tictactoe, whose moves are cells."""
    return int(observation.board.index(0))


def by_the_observation_alone(obs: Any) -> int:
    return 6 if obs["board"][6] == 0 and obs.mark == 1 else 0


def test_accepts_functions_for_kaggle_as_agents() -> None:
    position = ps.parse("connect4 1")
    assert ps.Agent(leftmost).choices(position) == (position.moves[0],)
    assert ps.parse_agent(by_the_observation_alone).choices(ps.parse("connect4"))[0] % 7 == 6
    record = ps.play_match(leftmost, by_the_observation_alone, games=2, game="5,4,4,gravity")
    assert record.games == 2


@pytest.mark.parametrize("answer", [7, -1, None, 2.5, True, "3"])
def test_reports_a_missing_column_as_an_error_of_the_agent(answer: Any) -> None:
    agent = ps.Agent(lambda observation, configuration: answer, name="odd")
    with refuses(AgentError):
        agent.choices(ps.parse("connect4"))


def test_says_what_an_agent_for_kaggle_plays() -> None:
    with refuses(AgentError):
        ps.Agent(leftmost).choices(ps.parse("qubic"))
    assert ps.Agent(first_empty).choices(ps.parse("tictactoe a3")) == (1,)
    with refuses(AgentError):
        ps.Agent(lambda observation: 0).choices(ps.parse("tictactoe a3"))


def test_the_command_writes_a_file_that_runs_alone(tmp_path: Path, capsys: Any) -> None:
    table, path = tmp_path / "mine.toml", tmp_path / "submission.py"
    table.write_text('name = "mine"\nmine = [0, 1, 10, 100, 1000]\nweights = { diagonal = 2 }\n')
    assert output(capsys, "export", "connectx", str(table), "-o", str(path)) == f"wrote {path}\n"
    code = f"import runpy; print(runpy.run_path({str(path)!r})['agent']({SHOWN['observation']}, {SHOWN['configuration']}))"
    found = python("-I", "-S", "-c", code)
    assert int(found.stdout) in range(7)
    assert "WEIGHTS: Mapping[str, int] = {'diagonal': 2}" in path.read_text()


@pytest.mark.parametrize(
    ("heuristic", "game"),
    [
        ("random", "connect4"),
        ("counted-lines", "tictactoe"),
        ("counted-lines", "7,6,4,gravity,misere"),
        (lambda position: 3, "connect4"),
    ],
)
def test_rejects_what_makes_no_submission(heuristic: Any, game: str) -> None:
    with refuses(OptionError):
        connectx_submission(heuristic, game)


def test_rejects_a_file_without_a_function(tmp_path: Path) -> None:
    (tmp_path / "empty.py").write_text("x = 3\n")
    for text in (f"connectx:{tmp_path / 'empty.py'}", f"connectx:{tmp_path / 'none.py'}"):
        with pytest.raises(PlyscopeError, match="no function in|no file"):
            ps.parse_agent(text)
