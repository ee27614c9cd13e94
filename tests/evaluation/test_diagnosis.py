"""Notes on heuristics that are Python functions: what is odd about them, and why it may be."""

import random
import time

import numpy as np
import pytest

import plyscope as ps
from examples.kalah import Kalah
from examples.nim import Nim
from plyscope.errors import HeuristicError, OptionError
from plyscope.evaluation.diagnosis import Source, diagnose, findings, sample_of
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.evaluation.heuristics import HEURISTICS, find_heuristic
from plyscope.evaluation.notes import notes_on
from plyscope.evaluation.signatures import OF_BOARD
from plyscope.rules.game import state_of
from sentences import refuses

TICTACTOE = ps.parse_game("tictactoe")
CONNECT4 = ps.parse_game("connect4")
GAMES = ("tictactoe", "misere-tictactoe", "connect4", "4,4,4", "7,7,5", "3x3x3,3", "6,6,4,torus")
MARK_X, MARK_O, NOTHING = "X", "O", None


def found(function, game=TICTACTOE):
    """The kinds of findings, and their texts."""
    given = diagnose(find_heuristic(function, game), game)
    return [each.kind for each in given], " ".join(each.text for each in given)


# Wrong ones, as courses and tutorials have them


def winner_of_texts(board):
    lines = [*board, *zip(*board, strict=True)]
    for line in lines:
        if line[0] != NOTHING and len(set(line)) == 1:
            return line[0]
    return None


def utility(board):
    won = winner_of_texts(board)
    if won == MARK_X:
        return 1
    return -1 if won == MARK_O else 0


def evaluate_letters(board):
    for row in range(3):
        if board[row][0] == board[row][1] == board[row][2]:
            if board[row][0] == "x":
                return 10
            if board[row][0] == "o":
                return -10
    return 0


def count_letters(board):
    return sum(row.count("X") - row.count("O") for row in board)


def evaluate_color(board, color):
    return color * sum(sum(row) for row in board)


def evaluate_sums(board):
    for row in board:
        if sum(row) == 3:
            return 10
        if sum(row) == -3:
            return -10
    return 0


def sum_of_array(array):
    return int(array.sum())


def opponent_is_minus(board, player):
    return sum(row.count(player) - row.count(-player) for row in board)


def leaves_out_player(board, player):
    return sum(row.count(1) - row.count(2) for row in board)


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "4,4,4"])
@pytest.mark.parametrize(
    ("function", "kind", "words"),
    [
        (utility, "constant", ["0 on all", "'X'", "'O'", "0, 1 and 2", "cells='X,O,None'"]),
        (
            evaluate_letters,
            "constant",
            ["'x'", "'o'", "'board' are 0, 1 and 2", "cells='x,o,None'"],
        ),
        (count_letters, "constant", ["'X'", "'O'"]),
        (evaluate_color, "sides", ["1 and 2 on", "'color' is 1 for X and 2 for O", "not 1 and -1"]),
        (evaluate_sums, "signs", ["never negative", "a sum of cells with -3", "cells='1,-1,0'"]),
        (sum_of_array, "stones", ["raises", "X's or O's"]),
        (opponent_is_minus, "signs", ["never negative", "-1", "cells='1,-1,0'"]),
        (leaves_out_player, "sides", ["the same value", "X's view", "for_='x'"]),
    ],
)
def test_says_what_a_wrong_heuristic_shows_and_the_likely_reason(function, kind, words, game):
    kinds, text = found(function, ps.parse_game(game))
    assert kinds == [kind]
    assert game != "tictactoe" or [word for word in words if word not in text] == []


def test_tells_where_it_raises_and_how_often():
    def by_key(board):
        return sum({0: 0, 1: 1}[cell] for row in board for cell in row)

    given = diagnose(find_heuristic(by_key, TICTACTOE), TICTACTOE)
    assert [each.kind for each in given] == ["raises"]
    assert "KeyError: 2" in given[0].text
    assert all("O" in str(position) for position in given[0].positions)


def test_reports_chance_and_restores_the_users_random_state():
    def drawn(board):
        return random.randrange(1_000_000) + int(np.random.randint(1_000))

    random.seed(5)
    np.random.seed(5)
    expected = random.random(), np.random.random()
    random.seed(5)
    np.random.seed(5)
    assert found(drawn)[0][0] == "chance"
    assert (random.random(), np.random.random()) == expected


def test_spends_at_most_a_second_on_a_slow_or_endless_function():
    def endless(board):
        while True:
            pass

    assert found(endless) == ([], "")

    calls = []

    def slow(board):
        calls.append(1)
        time.sleep(0.05)
        return 0

    found(slow)
    assert len(calls) < 30


def test_asks_once_until_a_function_changes(monkeypatch):
    calls, weights = [], [1]

    def corner(board):
        return weights[0] * (board[0][0] - board[2][2])

    evaluate = FunctionHeuristic.evaluate
    monkeypatch.setattr(
        FunctionHeuristic, "evaluate", lambda *given: calls.append(1) or evaluate(*given)
    )
    first = notes_on(find_heuristic(corner, TICTACTOE), TICTACTOE)
    before = len(calls)
    assert 0 < before <= 400
    assert notes_on(find_heuristic(corner, TICTACTOE), TICTACTOE) == first
    assert len(calls) == before
    weights[0] = 0
    assert notes_on(find_heuristic(corner, TICTACTOE), TICTACTOE) != first


# Sound ones


def rows(board, player):
    opponent = 3 - player
    return sum((opponent not in row) - (player not in row) for row in board)


def mobility(position):
    return len(position.moves) if position.side == 0 else -len(position.moves)


def one_sided(board, player):
    return 10 * sum(row.count(player) for row in board)


def open_rows_of_x(board):
    return sum(2 not in row for row in board)


def with_tempo(board, player, opponent):
    stones = [cell for row in board for cell in row]
    to_move = 1 if stones.count(1) == stones.count(2) else 2
    return 3 * (stones.count(player) - stones.count(opponent)) + (1 if to_move == player else -1)


def negative_edge(board):
    total = 0
    for row in board:
        total += (row[0] == 1) + (row[-1] == 1) - (row[0] == 2) - (row[-1] == 2)
        if row[0] == -1:  # no cell
            total += 1
        elif row[0] == 0:
            continue
    return total


def middle(board: np.ndarray, player: int) -> int:
    distance = np.abs(np.arange(board.shape[0]) - board.shape[0] // 2)
    mine, theirs = (board == player), (board == 3 - player)
    return int((mine.T @ (9 - distance)).sum() - (theirs.T @ (9 - distance)).sum())


def bits(mine, theirs, lines):
    return max(((mine & line).bit_count() for line in lines if not theirs & line), default=0) - max(
        ((theirs & line).bit_count() for line in lines if not mine & line), default=0
    )


def worth(mine, theirs):
    return 0 if mine and theirs else mine**2 - theirs**2


def wins_alone(position):
    return {None: 0, 0: 100, 1: -100}[position.winner]


SOUND = (rows, mobility, one_sided, open_rows_of_x, with_tempo, negative_edge, bits, worth)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("function", SOUND)
def test_says_nothing_of_a_sound_heuristic(function, game):
    rules = ps.parse_game(game)
    is_flat = len(rules.shape) == 2
    if is_flat or function in (mobility, bits, worth):
        assert found(function, rules) == ([], "")


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "4,4,4"])
def test_says_nothing_of_arrays_scales_and_results(game):
    rules = ps.parse_game(game)
    net = np.random.default_rng(1).normal(size=rules.size)

    def network(array, player):
        sign = np.where(array == player, 1, np.where(array == 0, 0, -1))
        return float(np.tanh(sign.ravel() @ net))

    for function in (middle, ps.heuristic(network, scale=1000), wins_alone):
        assert found(function, rules) == ([], "")


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "qubic"])
def test_says_nothing_of_the_catalogue_and_the_examples(game):
    rules = ps.parse_game(game)
    for name in HEURISTICS:
        if name != "tablebase" or rules is TICTACTOE:
            assert notes_on(find_heuristic(name, rules), rules) == ()
    assert notes_on(find_heuristic("examples/mine.py", rules), rules) == ()


def test_says_nothing_of_sound_heuristics_of_user_defined_games():
    for game, function in (
        (Nim(), lambda state: sum(state[0])),
        (Kalah(), lambda state: state[6] - state[13]),
        (Kalah(), "null"),
    ):
        assert notes_on(find_heuristic(function, game), game) == ()


def test_reports_constants_and_errors_of_user_defined_games():
    rules = Kalah()
    assert found(lambda state: 7, rules)[0] == ["constant"]
    assert found(lambda state: state.nothing, rules)[0] == ["raises"]


# Answers that somebody else has asked for


def test_finds_faults_from_answers_and_a_text_without_the_function():
    text = "def helper(cell):\n    return cell == 'X'\n\ndef f(board):\n    return helper(board[0][0])\n"
    sample = sample_of(TICTACTOE)
    source = Source.of_text(text, "f", OF_BOARD)
    (finding,) = findings(sample, [(0, 0)] * len(sample.positions), source)
    assert finding.kind == "constant"
    assert "'X'" in finding.text
    honest = [(at % 7, -(at % 7)) for at in range(len(sample.positions))]
    assert findings(sample, honest, source) == ()
    failed = HeuristicError("heuristic 'f' raised ValueError: 3 on '...'")
    (finding,) = findings(sample, [*honest[:-1], (failed, failed)], source)
    assert finding.kind == "raises"
    assert finding.positions == (sample.positions[-1],)
    assert Source.of_text("def f(:", "f").trees == ()


def test_samples_the_same_legally_reached_positions_each_time():
    sample = sample_of(CONNECT4)
    assert len(set(sample.positions)) == len(sample.positions) > 100
    for before, after, mover in sample.steps:
        position = sample.positions[before]
        assert position.side == mover
        assert sample.positions[after] in [position.play(move) for move in position.moves]
        assert state_of(position) is position


# Errors


class Weights:
    """An object that can be called."""

    def __call__(self, board, player):
        return sum(row.count(player) for row in board)


class Heaps:
    """The same for Nim."""

    def __call__(self, state):
        return sum(state[0])


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda board: board[:, 0], ["f(board)", "annotate board as np.ndarray"]),
        (lambda grid, player: grid.shape, ["f(board, player)", "annotate grid as np.ndarray"]),
        (lambda b: b[0][0], ["f(position)", "call the argument board"]),
        (lambda b, c: b[0][0], ["f(mine, theirs)", "call the first argument board"]),
        (lambda array: array.cells, ["f(board)", "an array"]),
    ],
)
def test_errors_say_how_the_function_was_called(function, words):
    with pytest.raises(HeuristicError) as told:
        ps.search("X../.../...", heuristic=function, depth=1)
    assert [word for word in words if word not in str(told.value)] == []


@pytest.mark.parametrize("scale", [None, 10])
def test_does_not_call_an_answer_that_is_no_number_a_fraction(scale):
    with pytest.raises(HeuristicError, match="expected a number within"):
        ps.evaluate("X../.../...", ps.heuristic(lambda board: float("nan"), scale=scale))


def test_rejects_arguments_position_and_player_with_the_remedy():
    with refuses(OptionError):
        ps.evaluate("X../.../...", lambda state, player: 0)


def test_searches_a_callable_object_with_the_reference():
    found = ps.search("4,4,4", heuristic=Weights(), depth=3)
    assert (found.form, found.heuristic) == ("reference", "Weights")
    with refuses(OptionError):
        ps.search("4,4,4", heuristic=Weights(), depth=2, form="compiled")
    with refuses(OptionError):
        ps.search(Nim(), heuristic=Heaps(), depth=2, form="compiled")


def test_does_not_blame_the_compiler_for_a_random_function():
    def drawn(board):
        return np.random.randint(0, 1_000_000)

    with pytest.raises(OptionError, match="it returns [0-9]+ and then [0-9]+ on"):
        ps.search("4,4,4", heuristic=drawn, depth=2, form="compiled")
