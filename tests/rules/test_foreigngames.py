"""Games in the forms of other libraries are read as they are meant, or refused with the reason."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import pytest

import foreign_games
import plyscope as ps
from plyscope.errors import OptionError
from plyscope.faces.cli import run
from plyscope.rules.foreigngames import FORMS, frozen, held
from plyscope.rules.game import as_game, version_of
from plyscope.rules.perft import perft
from sentences import says

FILE = foreign_games.__file__
MODULE = str(Path(__file__).parent.parent / "data" / "rules_module.py")
TICTACTOE = ["Book", "Spiel", "Zero", "Reward", "Winner"]
TAKING = ["Easy", "OldEasy", "EasyByItself", "EasyWithKey"]
REFUSED = {
    "EasyWithoutEnd": "lacks is_over",
    "EasyWithoutPlayer": "no current_player or nplayer",
    "PacmanOfThree": "is 3; expected 2",
    "WinnerAlone": "never passes the turn from 'X'",
}
FAULTS = {
    "BookWithoutPlayer": "payoff raises",
    "BookThatChanges": "play raises",
    "EasyWithTwoResults": "payoff raises",
    "SpielOfFriends": "payoff raises",
    "SpielOfThree": "side",
    "WinnerUnknown": "payoff raises",
}


def of(name: str):
    return ps.parse_game(f"{FILE}:{name}")


@pytest.mark.parametrize("game", [*(f"{FILE}:{name}" for name in TICTACTOE), MODULE])
def test_has_the_moves_of_tictactoe(game: str) -> None:
    assert [ply.sequences for ply in perft(game, depth=3)] == [1, 9, 72, 504]


@pytest.mark.parametrize("game", [*(f"{FILE}:{name}" for name in TICTACTOE), MODULE])
@pytest.mark.parametrize(
    ("cells", "payoff"), [("03142", 1), ("031485", -1), ("012435768", 0), ("0312", None)]
)
def test_has_the_results_of_tictactoe(game: str, cells: str, payoff: int | None) -> None:
    position, empty = ps.GamePosition(ps.parse_game(game)), list("012345678")
    for cell in cells:
        position = position.play(position.moves[empty.index(cell)])
        empty.remove(cell)
    assert (position.payoff, position.is_over) == (payoff, payoff is not None)


@pytest.mark.parametrize("name", TAKING)
def test_reads_results_in_the_view_of_the_side_to_move(name: str) -> None:
    check = ps.check_game(f"{FILE}:{name}", games=5)
    assert (check.faults, check.hints, check.alternates) == ((), (), True)
    assert ps.solve(of(name)).best_moves == ("2",)
    assert [ps.solve(ps.GamePosition(of(name)).play(m)).value for m in ("1", "2")] == [1, -1]


def test_equal_states_of_different_moves_are_one_position() -> None:
    counts = [ps.check_game(f"{FILE}:{name}", games=1).positions for name in TAKING]
    assert counts == [14, 10, 14, 10]  # Easy counts what each player took; a key decides itself


def test_points_are_the_values_of_a_tree() -> None:
    tree = of("BookTree")
    result = ps.search(tree, depth=2)
    assert (tree.scored, result.value, result.nodes) == (True, 3, 11)
    assert not of("Book").scored


@pytest.mark.parametrize("name", REFUSED)
def test_refuses_what_cannot_be_read(name: str) -> None:
    with pytest.raises(OptionError, match=REFUSED[name]) as caught:
        of(name)
    says(f"game {name}", str(caught.value))


@pytest.mark.parametrize("name", FAULTS)
def test_check_reports_contradictions(name: str) -> None:
    faults = ps.check_game(f"{FILE}:{name}", games=20).faults
    assert faults[0].kind == FAULTS[name]
    says(f"check {name}", faults[0].text)


@pytest.mark.parametrize("name", [*TICTACTOE, "Pacman", "Easy", "BookTree"])
def test_says_how_it_was_read(name: str) -> None:
    says(f"reading {name}", of(name).reading)


def test_tries_every_form() -> None:
    read = {type(of(name)) for name in (*TICTACTOE, "Pacman", "Easy")}
    assert read == set(FORMS)


def test_commands_say_how_it_was_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    copy = shutil.copy(FILE, tmp_path)
    name = f"{copy}:Easy"
    for words in (
        ["solve", "--value-only", "-g", name],
        ["analyze", name, "-d", "1"],
        ["certify", "random", "-g", name],
        ["match", "random", "random", "-n", "2", "-g", name],
    ):
        assert run(words) in (0, 1)
        said = capsys.readouterr()
        assert said.err.startswith("plyscope: note: 'easy' is read as a game of easyAI's form")
        assert said.err.count("is read as") == 1


def test_takes_classes_objects_and_their_states() -> None:
    book = foreign_games.Book()
    assert ps.search(foreign_games.Spiel, depth=2).nodes == ps.search(book, depth=2).nodes
    middle = book.result(book.initial, 4)
    assert ps.search(middle, game=book, depth=1).nodes == 9
    spiel = foreign_games.Spiel()
    spiel.apply_action(4)
    assert ps.search(spiel, depth=1).nodes == 9


def test_heuristics_receive_the_given_state() -> None:
    seen = []

    def taken(state):
        seen.append(type(state).__name__)
        return state.players[0].taken

    assert ps.search(of("Easy"), heuristic=taken, depth=1).value == 2
    assert set(seen) == {"Easy"}


def test_draws_what_the_game_prints() -> None:
    assert str(ps.GamePosition(of("Book")).play("4")) == ". . .\n. X .\n. . ."
    assert str(ps.GamePosition(ps.parse_game(MODULE))) == ". . .\n. . .\n. . ."
    assert str(ps.GamePosition(of("Easy"))) == "left=5 current_player=1"


def test_leaves_the_given_object_alone() -> None:
    spiel = foreign_games.Spiel()
    ps.search(spiel, depth=3)
    assert (spiel.cells, spiel.player) == ([None] * 9, 0)


@pytest.mark.parametrize("name", ["Book", "Spiel", "Zero"])
def test_pickles_games_and_positions(name: str) -> None:
    position = ps.GamePosition(getattr(foreign_games, name))
    position = position.play(position.moves[0])
    again = pickle.loads(pickle.dumps(position))
    assert (again.state, again.moves, again.side) == (position.state, position.moves, 1)


def test_identity_follows_the_class(monkeypatch: pytest.MonkeyPatch) -> None:
    game = as_game(foreign_games.Spiel())
    before = version_of(game)
    assert before
    assert before == version_of(as_game(foreign_games.Spiel()))
    monkeypatch.setattr(foreign_games.Spiel, "returns", lambda self: [0, 0])
    assert version_of(game) != before


def test_machine_code_is_refused_with_the_reason() -> None:
    pytest.importorskip("numba")
    with pytest.raises(OptionError, match="form of easyAI"):
        ps.search(of("Easy"), depth=2, form="compiled")


def test_a_match_plays_it() -> None:
    match = ps.play_match("alphabeta", "random", game=f"{FILE}:Easy", games=4, seed=1)
    assert match.a_wins_as_x == 2


def test_freezes_values_by_their_content() -> None:
    class Piece:
        def __init__(self, at):
            self.at = at
            self.me = self

    assert frozen((1, "a", frozenset({2}))) == (1, "a", frozenset({2}))
    for make in (lambda n: [n, {n: [n]}], lambda n: {n}, lambda n: Piece([n]), lambda n: (n, [n])):
        assert held(make(1)) == held(make(1))
        assert hash(held(make(1))) == hash(held(make(1)))
        assert held(make(1)) != held(make(2))


def test_easyais_own_games_keep_the_rules() -> None:
    easyai = pytest.importorskip("easyAI.games.TicTacToe")
    check = ps.check_game(easyai.TicTacToe, games=3, max_positions=10)
    assert (check.faults, check.hints) == ((), ())
