"""OpenSpiel's games here, and agents there: held to the package where it is installed, else to what
was taken down of it."""

from __future__ import annotations

import pickle
import random
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from games import DotsAndBoxes, some_position
from plyscope import ALGORITHMS, parse_agent, search
from plyscope.errors import NotationError, OptionError, UnknownNameError
from plyscope.rules.games import parse_game
from plyscope.rules.source import as_position
from plyscope.searching.algorithms import TEXTBOOK
from plyscope_worlds import openspiel_games as openspiel
from plyscope_worlds.openspiel_bots import action_of_move, as_openspiel_bot, position_of_state
from plyscope_worlds.openspiel_games import GAMES_WITHOUT_HISTORY, from_openspiel
from sentences import refuses
from worlds import recorded

EXACT = [
    name for name in TEXTBOOK if ALGORITHMS[name].is_exact and not ALGORITHMS[name].needs_lines
]
GAMES = 1000


@pytest.fixture
def pyspiel() -> Any:
    return pytest.importorskip("pyspiel", reason="open_spiel is not installed")


@pytest.fixture(params=["installed", "recorded"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The package, and what was taken down of it."""
    if request.param == "installed":
        yield pytest.importorskip("pyspiel", reason="open_spiel is not installed")
        return
    monkeypatch.setitem(sys.modules, "pyspiel", recorded.module())
    openspiel._load.cache_clear()
    yield sys.modules["pyspiel"]
    openspiel._load.cache_clear()


def random_game(start: Any, draw: random.Random) -> Iterator[Any]:
    """The states of a random game, to the last."""
    state = start
    while not state.is_terminal():
        yield state
        state = state.child(draw.choice(state.legal_actions()))
    yield state


def shape(state: Any) -> tuple[Any, ...]:
    """What can be seen of a state."""
    player = state.current_player()
    texts = [state.action_to_string(player, action) for action in state.legal_actions()]
    seen = (str(state).strip(), state.is_terminal(), list(state.returns()), list(state.history()))
    return (player, list(state.legal_actions()), texts, *seen)


def test_agrees_with_recorded_results(pyspiel: Any) -> None:
    ours, theirs = recorded.module(), pyspiel
    draw = random.Random(1)
    for _ in range(200):
        for state in random_game(theirs.load_game("tic_tac_toe").new_initial_state(), draw):
            assert shape(recorded.State(tuple(state.history()))) == shape(state)
    assert str(ours.load_game("tic_tac_toe")) == str(theirs.load_game("tic_tac_toe"))
    assert theirs.load_game("tic_tac_toe").get_type().short_name == "tic_tac_toe"


# Their games here


@pytest.mark.parametrize(("algorithm", "nodes"), [("alphabeta", 18_297), ("minimax", 549_946)])
def test_their_tictactoe_has_the_textbooks_nodes(pyspiel: Any, algorithm: str, nodes: int) -> None:
    found = search(from_openspiel("tic_tac_toe"), algorithm)
    assert (found.nodes, found.value) == (nodes, 0)


def test_searches_their_game_as_ours(either: Any) -> None:
    game = from_openspiel("tic_tac_toe")
    start = game.play(game.play(game.start(), 4), 0)
    theirs = search(start, "pvs", "null", game=game)
    ours = search("tictactoe b2 a3", "pvs", "null", scoring="result")
    assert (theirs.value, theirs.nodes, theirs.pv) == (ours.value, ours.nodes, ours.pv)
    assert [game.format_move(start, move) for move in (1, 8)] == ["x(0,1)", "x(2,2)"]
    assert game.parse_move(start, "X(2,2)") == 8
    assert game.format(start) == "o..\n.x.\n..."
    assert (game.name, game.summary) == ("openspiel:tic_tac_toe", "Tic Tac Toe, by OpenSpiel")


def opinion(text: str) -> int:
    """Any number that depends on the position alone, in the first player's view."""
    return random.Random(text).randint(-9, 9)


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize(
    ("spec", "plies"),
    [
        ("breakthrough(rows=5,columns=3)", 8),
        ("dots_and_boxes(num_rows=2,num_cols=2,utility_margin=true)", 9),
        ("mancala", 60),
        ("oware(num_houses_per_player=3)", 20),
        ("othello", 56),
    ],
)
def test_openspiels_alphabeta_finds_the_same_values(
    pyspiel: Any, spec: str, plies: int, name: str
) -> None:
    algorithms = pytest.importorskip("open_spiel.python.algorithms.minimax")
    game, draw = from_openspiel(spec), random.Random(f"{spec} {name}")
    game.scored = True  # OpenSpiel's search takes a finished game for an evaluation of ±1
    for depth in (1, 2, 3, 4):
        position = some_position(game, draw, draw.randint(1, plies))
        side = game.side(position)

        def worth(state: Any, side: int = side) -> int:
            return opinion(str(state)) * (-1 if side else 1)

        theirs, _ = algorithms.alpha_beta_search(game.spiel, position.state, worth, depth, side)
        ours = search(position, name, lambda at: opinion(str(at.state)), game=game, depth=depth)
        assert ours.value == theirs, (str(position), depth)


@pytest.mark.parametrize("name", GAMES_WITHOUT_HISTORY)
def test_states_of_the_same_text_have_the_same_future(pyspiel: Any, name: str) -> None:
    """In the games in which positions are told apart by their text. Oware is not one of them."""
    small = {
        "gomoku": "gomoku(size=4,connect=3)",
        "hex": "hex(board_size=3)",
        "y": "y(board_size=3)",
        "mnk": "mnk(m=4,n=3,k=3)",
        "clobber": "clobber(rows=4,columns=3)",
        "breakthrough": "breakthrough(rows=5,columns=3)",
    }.get(name, name)
    game, draw, known = pyspiel.load_game(small), random.Random(name), {}
    met = 0
    for _ in range(150):
        for state in random_game(game.new_initial_state(), draw):
            if state.is_terminal() or len(state.history()) > 40:
                break
            first = state.legal_actions()[0]
            future = (*shape(state)[:-1], *shape(state.child(first))[:-1])
            key = openspiel.OpenSpielState(state).key
            met += key in known
            assert known.setdefault(key, future) == future
    assert met > 100


def test_distinguishes_positions_by_moves_where_states_repeat(pyspiel: Any) -> None:
    def after(game: Any, *texts: str) -> Any:
        state = game.start()
        for text in texts:
            state = game.play(state, game.parse_move(state, text))
        return state

    chess = from_openspiel("chess")
    assert after(chess, "Nf3", "Nf6", "Nc3") == after(chess, "Nf3", "Nf6", "Nc3")
    assert after(chess, "Nf3", "Nf6", "Nc3") != after(chess, "Nc3", "Nf6", "Nf3")
    pawns = from_openspiel("breakthrough(rows=5,columns=3)")
    assert after(pawns, "a5a4", "b1b2", "c5c4") == after(pawns, "c5c4", "b1b2", "a5a4")


def test_pickles_a_game_and_its_states(pyspiel: Any) -> None:
    game = from_openspiel("breakthrough(rows=5,columns=3)")
    state = game.play(game.start(), game.moves(game.start())[0])
    assert pickle.loads(pickle.dumps((game, state))) == (game, state)
    assert parse_game(game.name) == game


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("kuhn_poker", "'kuhn_poker()' has chance, hides information"),
        ("matrix_rps", "'matrix_rps()' has simultaneous moves, hides information"),
        ("chinese_checkers(players=3)", "'chinese_checkers(players=3)' is for 3 players"),
        ("catch", "'catch()' is for 1 player, has chance, is not zero-sum"),
    ],
)
def test_rejects_games_of_another_kind_with_the_reason(pyspiel: Any, spec: str, why: str) -> None:
    with pytest.raises(OptionError) as caught:
        from_openspiel(spec)
    assert str(caught.value) == (
        f"OpenSpiel's game {why}; expected one for two sides in turn, zero-sum, of perfect "
        "information, without chance"
    )


def test_answers_an_unknown_game_with_the_nearest_or_suitable_ones(pyspiel: Any) -> None:
    with refuses(UnknownNameError):
        from_openspiel("tictactoe")
    with refuses(UnknownNameError) as e:
        from_openspiel("foo")
    assert len(str(e.value)) < 300


def test_passes_on_errors_of_openspiel_about_parameters(pyspiel: Any) -> None:
    with refuses(NotationError):
        from_openspiel("breakthrough(rows=x)")


def test_names_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    openspiel._load.cache_clear()
    for call in (lambda: from_openspiel("tic_tac_toe"), lambda: as_openspiel_bot("random")):
        with pytest.raises(
            OptionError, match="OpenSpiel needs pyspiel; expected `pip install open_spiel`"
        ):
            call()


# Our agents there

LINE_GAMES = [
    *("tic_tac_toe", "connect_four", "connect_four(rows=4,columns=5,x_in_row=3)", "mnk"),
    *("mnk(m=4,n=3,k=3)", "mnk(m=5,n=6,k=4)", "gomoku(size=5,connect=4)"),
    *("gomoku(size=4,connect=3,wrap=true)", "gomoku(size=4,connect=4,anti=true)"),
    *("gomoku(size=3,dims=3,connect=3)", "gomoku(size=3,dims=3,connect=3,wrap=true,anti=true)"),
]


@pytest.mark.parametrize("spec", LINE_GAMES)
def test_agrees_on_the_rules_of_line_games(pyspiel: Any, spec: str) -> None:
    theirs, draw = pyspiel.load_game(spec), random.Random(spec)
    number = GAMES if theirs.num_distinct_actions() < 100 else GAMES // 10
    for _ in range(number):
        for state in random_game(theirs.new_initial_state(), draw):
            if state.is_terminal() or draw.random() < 0.1:  # else each is worked out anew
                position = position_of_state(state)
                actions = [action_of_move(position, move) for move in position.moves]
                assert (sorted(actions), position.is_over) == (
                    state.legal_actions(),
                    state.is_terminal(),
                )
        result = {None: 0, 0: 1, 1: -1}[position.winner]
        assert [result, -result] == state.returns()


def play(bots: list[Any], state: Any) -> list[float]:
    """As OpenSpiel's `evaluate_bots` does it, without chance."""
    for bot in bots:
        bot.restart_at(state)
    while not state.is_terminal():
        mover = state.current_player()
        action = bots[mover].step(state)
        assert action in state.legal_actions()
        bots[1 - mover].inform_action(state, mover, action)
        state = state.child(action)
    return list(state.returns())


@pytest.mark.parametrize("agent", ["perfect", "full-alphabeta"])
def test_a_bot_loses_none_of_two_hundred_games(either: Any, agent: str) -> None:
    bots = [as_openspiel_bot(agent), as_openspiel_bot("random", seed=7)]
    start = either.load_game("tic_tac_toe").new_initial_state()
    results = [play(bots, start)[0] for _ in range(100)]
    results += [play(bots[::-1], start)[1] for _ in range(100)]
    assert min(results) == 0
    assert sum(results) > 150


def test_lets_openspiel_play_a_bot(pyspiel: Any) -> None:
    evaluation = pytest.importorskip("open_spiel.python.algorithms.evaluate_bots")
    uniform = pytest.importorskip("open_spiel.python.bots.uniform_random")
    numpy = pytest.importorskip("numpy")
    draw = numpy.random.RandomState(3)
    bots = [as_openspiel_bot("perfect"), uniform.UniformRandomBot(1, draw)]
    game = pyspiel.load_game("connect_four(rows=4,columns=5)")
    results = [evaluation.evaluate_bots(game.new_initial_state(), bots, draw)[0] for _ in range(20)]
    assert min(results) >= 0
    assert sum(results) > 10


def test_plays_the_same_game_by_the_same_seed(either: Any) -> None:
    def moves(seed: int) -> list[int]:
        bot, state = as_openspiel_bot(parse_agent("random"), seed), None
        state = either.load_game("tic_tac_toe").new_initial_state()
        while not state.is_terminal():
            state = state.child(bot.step(state))
        return list(state.history())

    assert moves(4) == moves(4)
    assert len({tuple(moves(seed)) for seed in range(9)}) > 5


# The tests' own games


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 2), (1, 3), (2, 2)])
def test_agrees_with_dots_and_boxes_of_openspiel(pyspiel: Any, height: int, width: int) -> None:
    """The rules that other tests rest on: as many moves, and the same margin, after as many random
    moves."""
    theirs = from_openspiel(
        f"dots_and_boxes(num_rows={height},num_cols={width},utility_margin=true)"
    )
    ours, draw = DotsAndBoxes(width, height), random.Random(height * 9 + width)
    for _ in range(30):
        position, other = ours.start(), theirs.start()
        while ours.payoff(position) is None:
            assert (ours.side(position), list(ours.moves(position))) == (
                theirs.side(other),
                theirs.moves(other),
            )
            move = draw.choice(ours.moves(position))
            position, other = ours.play(position, move), theirs.play(other, move)
        assert ours.payoff(position) == theirs.payoff(other)


def test_takes_a_position_of_theirs_as_text(pyspiel: Any) -> None:
    position = as_position("openspiel:breakthrough(rows=5, columns=3) a5a4 b1b2")
    assert position.game == from_openspiel("breakthrough(rows=5,columns=3)")
    assert str(position) == "5.bb\n4b..\n3...\n2.w.\n1w.w\n abc"
    assert position.side == 0


def test_plays_games_without_lines_by_a_bot(pyspiel: Any) -> None:
    game = pyspiel.load_game("breakthrough(rows=4,columns=3)")
    bots = [as_openspiel_bot("alphabeta depth=5"), as_openspiel_bot("random", seed=5)]
    results = [play(bots, game.new_initial_state())[0] for _ in range(10)]
    results += [play(bots[::-1], game.new_initial_state())[1] for _ in range(10)]
    assert sum(results) >= 16
