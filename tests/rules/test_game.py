"""Games of one's own: what is given, what has a default, and how they are read."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import plyscope as ps
from games import NIM_FILE
from plyscope.errors import IllegalMoveError, NotationError, OptionError
from plyscope.rules.game import as_game, state_of
from plyscope.rules.source import as_position
from sentences import refuses

NIM = (
    NIM_FILE
    + """
from dataclasses import dataclass
from typing import NamedTuple

class Spelt(Nim):
    name, summary = "spelt nim", "the same with words"

    def format_move(self, state, move):
        return f"take {move}"

    def format(self, state):
        return f"{state[0]} left"

    def parse_position(self, text):
        return int(text.split()[0]), 0

nim = Spelt()
nothing = 3
"""
)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "nim.py"
    path.write_text(NIM, encoding="utf-8")
    return str(path)


class Duck:
    """The five methods and nothing else."""

    def start(self) -> Any:
        return 10, 0

    def side(self, state: Any) -> int:
        return int(state[1])

    def moves(self, state: Any) -> Any:
        return [take for take in (1, 2, 3) if take <= state[0]]

    def play(self, state: Any, move: int) -> Any:
        return state[0] - move, 1 - state[1]

    def payoff(self, state: Any) -> int | None:
        return None if state[0] else 1 if state[1] else -1


def test_makes_a_game_of_five_methods(file: str) -> None:
    game = ps.parse_game(f"{file}:Nim")
    assert isinstance(game, ps.Game)
    assert (game.name, game.scored) == ("nim", False)
    assert game.summary == "Take one to three of ten; whoever takes the last one wins."
    assert game.format_move((10, 0), 3) == "3"
    assert game.parse_move((10, 0), " 3 ") == 3
    assert game.format((10, 0)) == "(10, 0)"
    assert ps.parse_game(f"{file}:Spelt").name == "spelt nim"


def test_completes_an_object_of_any_class() -> None:
    given = Duck()
    game = as_game(given)
    assert isinstance(game, ps.Game)
    assert (game.name, game.format_move((3, 0), 2), game.parse_move((3, 0), "2")) == (
        "duck",
        "2",
        2,
    )
    assert as_game(given) == game
    assert as_game(game) is game
    assert pickle.loads(pickle.dumps(game)).start() == (10, 0)


def test_names_the_missing_methods() -> None:
    class Half:
        def start(self) -> int:
            return 0

    with pytest.raises(OptionError, match="no method side, moves, play, payoff; expected start"):
        as_game(Half())
    with pytest.raises(OptionError, match="cannot be made: TypeError"):
        as_game(ps.Game)
    with pytest.raises(OptionError, match="a text is no game"):
        as_game("nim")


@pytest.mark.parametrize(
    "algorithm",
    [name for name in ps.ALGORITHMS if name not in ("engine", "accumulating", "expectimax")],
)
def test_accepts_every_form_of_a_position_in_every_textbook_algorithm(
    file: str, algorithm: str
) -> None:
    game = ps.parse_game(f"{file}:Nim")
    said = [game, type(game), f"{file}:Nim", ps.GamePosition(game, (10, 0))]
    results = [
        ps.search(source, algorithm, nodes=2000 if algorithm == "uct" else None) for source in said
    ]
    results.append(
        ps.search((10, 0), algorithm, game=game, nodes=2000 if algorithm == "uct" else None)
    )
    results.append(
        ps.search("", algorithm, game=f"{file}:Nim", nodes=2000 if algorithm == "uct" else None)
    )
    results.append(ps.search(Duck(), algorithm, nodes=2000 if algorithm == "uct" else None))
    assert {(result.value, result.best_move, result.nodes) for result in results} == {
        (results[0].value, 2, results[0].nodes)
    }
    assert isinstance(results[0].position, ps.GamePosition)


def test_gives_a_position_the_methods_of_a_line_games_position(file: str) -> None:
    position = as_position(f"{file}:Nim")
    assert (position.side, position.is_over, position.winner, position.moves) == (
        0,
        False,
        None,
        [1, 2, 3],
    )
    after = position.play(3, "3", "3")
    assert (after.side, after.state, str(after), repr(after)) == (
        1,
        (1, 1),
        "(1, 1)",
        "<nim: (1, 1)>",
    )
    over = after.play(1)
    assert (over.is_over, over.winner, over.payoff, over.moves) == (True, 1, -1, ())
    assert {over, position.play(3, 3, 3, 1)} == {over}
    assert "nim: X to move" in position._repr_html_()


def test_gives_trees_the_same_methods() -> None:
    position = ps.parse_tree("[[3,5],[6,9]]").start()
    assert (position.side, position.is_over, list(position.moves), position.winner) == (
        0,
        False,
        [0, 1],
        None,
    )
    leaf = position.play("B", 1)
    assert (leaf.side, leaf.is_over, leaf.payoff, leaf.winner) == (0, True, 5, 0)
    with pytest.raises(IllegalMoveError, match="no child '7'"):
        position.play(7)


def test_reads_positions_as_moves_or_by_the_game(file: str) -> None:
    assert as_position(f"{file}:Nim 3, 2,1").state == (4, 1)
    assert as_position("3 2", f"{file}:Nim").state == (5, 0)
    assert as_position("7 anything", ps.parse_game(f"{file}:Spelt")).state == (7, 0)
    assert as_position("", f"{file}:nim").state == (10, 0)


def test_reads_moves_with_spaces_and_common_prefixes() -> None:
    class Steps(Duck):
        def format_move(self, state: Any, move: int) -> str:
            return ("take one", "take one more", "take all, or three")[move - 1]

    assert as_position("take one take one more, take all, or three", Steps()).state == (4, 1)


def test_quotes_unreadable_text_with_its_place(file: str) -> None:
    for text, kind, message in (
        (
            f"{file}:Nim 3 7",
            IllegalMoveError,
            r"no move '7' on '\(7, 1\)' at move 2 of '3 7'; expected one of 1, 2, 3",
        ),
        (f"{file}:Nim 3 3 3 1 1", IllegalMoveError, "expected none: the game is over"),
        (
            f"{file}:Spelt x",
            NotationError,
            "cannot read the position 'x' of 'spelt nim': ValueError",
        ),
        (f"{file}:Nam", NotationError, "no game 'Nam' in .*; expected one of Nim, Spelt, nim"),
        (f"{file}:nothing", NotationError, "no game 'nothing'"),
        ("gone.py:Nim", NotationError, "no file 'gone.py' for the game"),
    ):
        with pytest.raises(kind, match=message):
            as_position(text)
    with pytest.raises(OptionError, match="is no state of 'nim', which raised TypeError"):
        ps.search(object(), game=ps.parse_game(f"{file}:Nim"))
    with pytest.raises(OptionError, match="is no position; expected a position"):
        ps.search((10, 0))
    with pytest.raises(OptionError, match="expected one game"):
        ps.search(ps.parse("tictactoe"), game=ps.parse_game(f"{file}:Nim"))


def test_reports_a_faulty_move_parser_without_a_traceback() -> None:
    class Careless(Duck):
        def parse_move(self, state: Any, text: str) -> int:
            return int(text)

    start = as_position(Careless())
    assert start.play("3").state == (7, 1)
    with refuses(NotationError):
        start.play("x")
    with pytest.raises(IllegalMoveError, match="no move '9'"):
        start.play("9")


@pytest.mark.parametrize("options", ["cells=X,O,None", "scale=3 rows=bottom"])
def test_refuses_options_after_a_game_of_a_file(file: str, options: str) -> None:
    with pytest.raises(OptionError) as caught:
        ps.parse_game(f"{file}:Nim {options}")
    assert repr(options) in str(caught.value)


def test_runs_a_file_again_only_after_a_change(file: str) -> None:
    before = ps.parse_game(f"{file}:Nim")
    assert ps.parse_game(f"{file}:Nim") is before
    Path(file).write_text(NIM.replace("10, ps.FIRST", "11, ps.FIRST"), encoding="utf-8")
    assert ps.parse_game(f"{file}:Nim").start() == (11, 0)


def test_pickles_games_of_files_with_their_path(file: str) -> None:
    position = as_position(f"{file}:Nim 3")
    again = pickle.loads(pickle.dumps(position))
    assert (again.state, again.game.name) == ((7, 1), "nim")


def test_accepts_all_of_them_in_perft_evaluate_and_explain(file: str) -> None:
    game = ps.parse_game(f"{file}:Nim")
    plies = list(ps.perft(game))
    # sequences of 1, 2, 3 that add up to 10: the tribonacci number
    assert sum(ply.games for ply in plies) == 274
    assert list(ps.perft(f"{file}:Nim")) == plies == list(ps.perft(game, (10, 0)))
    assert [ply.sequences for ply in ps.perft("tictactoe", depth=2)] == [1, 9, 72]
    assert list(ps.perft(game, (7, 0), 1)) == list(ps.perft(f"{file}:Nim 3", 1))

    def left(state: Any) -> int:
        return int(state[0])

    assert ps.evaluate((7, 1), left, game=game) == -7 == ps.evaluate(f"{file}:Nim 3", left)
    assert ps.evaluate((7, 1), left, side="x", game=game) == 7
    explained = ps.explain(ps.GamePosition(game, (7, 1)), left)
    assert (explained.total, explained.lines, state_of(explained.position)) == (-7, None, (7, 1))


def test_draws_a_trace(file: str) -> None:
    trace = ps.trace(f"{file}:Nim 3 3")
    assert trace.result.value < 0  # four are lost
    assert 'alt="search tree' in trace._repr_html_()


def test_parses_them_like_any_position(file: str) -> None:
    position = ps.parse(f"{file}:Nim 3")
    assert (position.state, position.side) == ((7, 1), 1)
    assert ps.parse("3", ps.parse_game(f"{file}:Nim")) == position
    assert ps.parse("[[3,5],[6,9]]").side == 0
    assert ps.parse("connect4 44").play("4") == ps.parse("connect4 444")


def test_gives_the_symmetries_of_line_games(file: str) -> None:
    position = ps.parse(f"{file}:Nim")
    with refuses(OptionError):
        ps.canonical(position)
    with refuses(OptionError):
        ps.symmetries(position.game)


@pytest.mark.parametrize(
    ("name", "word"),
    [("legal_moves", "moves"), ("turn", "side"), ("push", "play"), ("is_terminal", "is_over")],
)
def test_answers_names_of_other_libraries_with_those_of_a_position(
    name: str, word: str, file: str
) -> None:
    for position in (ps.parse("tictactoe b2"), as_position(f"{file}:Nim 3")):
        with pytest.raises(AttributeError, match=f"'{name}'; expected perhaps {word}"):
            getattr(position, name)
        assert word in dir(position)
        assert name not in dir(position)
        assert not hasattr(position, "no_such_word")
        assert not hasattr(position, "__getattr__")  # which slows searches in Python 3.11
        assert pickle.loads(pickle.dumps(position)) == position


def test_gives_a_position_the_payoff_of_its_game() -> None:
    position = ps.parse("XX./OO./...")
    assert (position.payoff, position.play("c3").payoff) == (None, 1)


def test_takes_a_game_as_the_position_at_its_start(file: str) -> None:
    game = ps.parse_game(f"{file}:Nim")
    assert ps.GamePosition(game) == ps.GamePosition(game, game.start()) == as_position(game)
    assert ps.GamePosition(game).play("3")._replace(state=(1, 0)).state == (1, 0)


def test_reports_an_unhashable_state(file: str) -> None:
    class State(list[int]):
        pass

    with refuses(OptionError):
        as_position(State([10, 0]), game=f"{file}:Nim")


def test_reads_moves_after_the_name_of_a_game_in_a_file(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(file).parent)
    assert ps.parse("nim.py:Nim 3").state == (7, 1)
