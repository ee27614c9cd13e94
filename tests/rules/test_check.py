"""`check_game`: each thing that is wrong is said, with its position, and nothing that is not."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

import plyscope as ps
from games import DotsAndBoxes, Kalah, MixedTree, Othello
from plyscope.errors import NotationError, OptionError
from plyscope.rules.check import check_game


class Nim(ps.Game):
    """Take one to three of ten; whoever takes the last one wins."""

    def start(self) -> Any:
        return 10, 0

    def side(self, state: Any) -> Any:
        return state[1]

    def moves(self, state: Any) -> Any:
        return [take for take in (1, 2, 3) if take <= state[0]]

    def play(self, state: Any, move: Any) -> Any:
        return state[0] - move, 1 - state[1]

    def payoff(self, state: Any) -> Any:
        return None if state[0] else 1 if state[1] else -1


class ListState(Nim):
    def start(self) -> Any:
        return [10, 0]

    def play(self, state: Any, move: Any) -> Any:
        return [state[0] - move, 1 - state[1]]


class LaterList(Nim):
    """Hashable at the start alone."""

    def play(self, state: Any, move: Any) -> Any:
        return [state[0] - move, 1 - state[1]]


class Heap:
    """Equal and hashed by its number, which play may change."""

    def __init__(self, left: int, side: int) -> None:
        self.left, self.side_to_move = left, side

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Heap) and (self.left, self.side_to_move) == (
            other.left,
            other.side_to_move,
        )

    def __hash__(self) -> int:
        return hash((self.left, self.side_to_move))


class WithHeaps(Nim):
    kind: type = Heap

    def start(self) -> Any:
        return self.kind(10, 0)

    def side(self, state: Any) -> Any:
        return state.side_to_move

    def moves(self, state: Any) -> Any:
        return super().moves((state.left, 0))

    def play(self, state: Any, move: Any) -> Any:
        return self.kind(state.left - move, 1 - state.side_to_move)

    def payoff(self, state: Any) -> Any:
        return super().payoff((state.left, state.side_to_move))


class Changing(WithHeaps):
    def play(self, state: Any, move: Any) -> Any:
        state.left -= move
        state.side_to_move = 1 - state.side_to_move
        return state


class Bare:
    def __init__(self, left: int, side: int) -> None:
        self.left, self.side_to_move = left, side


class ByIdentity(WithHeaps):
    kind = Bare


class Unstable(Heap):
    numbers = count()

    def __hash__(self) -> int:
        return next(self.numbers)


class UnequalHashes(WithHeaps):
    kind = Unstable


class HiddenSide(Nim):
    """Whose move it is is kept in the game and not in the state."""

    def __init__(self) -> None:
        self.turn = 0

    def start(self) -> Any:
        self.turn = 0
        return 10

    def side(self, state: Any) -> Any:
        return self.turn

    def moves(self, state: Any) -> Any:
        return super().moves((state, 0))

    def play(self, state: Any, move: Any) -> Any:
        self.turn = 1 - self.turn
        return state - move

    def payoff(self, state: Any) -> Any:
        return None if state else 1 if self.turn else -1


class Forgetful(Nim):
    """The side does not belong to what makes states equal, though the payoff asks for it."""

    class State(tuple):  # type: ignore[type-arg]
        def __eq__(self, other: object) -> bool:
            return isinstance(other, tuple) and self[0] == other[0]

        def __hash__(self) -> int:
            return hash(self[0])

    def start(self) -> Any:
        return self.State((10, 0))

    def play(self, state: Any, move: Any) -> Any:
        return self.State((state[0] - move, 1 - state[1]))


class Dice(Nim):
    numbers = count()

    def play(self, state: Any, move: Any) -> Any:
        return max(0, state[0] - move - next(self.numbers) % 2), 1 - state[1]


class ManyStarts(Nim):
    numbers = count(7)

    def start(self) -> Any:
        return next(self.numbers), 0


class Circle(Nim):
    """One may put a stone back."""

    def moves(self, state: Any) -> Any:
        return [1, -1] if state[0] < 10 else [1]


class Endless(Nim):
    def moves(self, state: Any) -> Any:
        return [-1]


class Sides(Nim):
    def side(self, state: Any) -> Any:
        return "xo"[state[1]]


class Half(Nim):
    def payoff(self, state: Any) -> Any:
        return None if state[0] else 0.5


class NoMoves(Nim):
    def moves(self, state: Any) -> Any:
        return [take for take in (2, 3) if take <= state[0]]


class Generator(Nim):
    def moves(self, state: Any) -> Any:
        yield from super().moves(state)


class Lists(Nim):
    def moves(self, state: Any) -> Any:
        return [[take] for take in super().moves(state)]


class Doubled(Nim):
    def moves(self, state: Any) -> Any:
        return [1, *super().moves(state)]


class SameText(Nim):
    def format_move(self, state: Any, move: Any) -> str:
        return "take"


class Misread(Nim):
    def parse_move(self, state: Any, text: str) -> Any:
        return text


class Unread(Nim):
    def parse_move(self, state: Any, text: str) -> Any:
        return {"1": 1, "2": 2}[text]


class Raising(Nim):
    def moves(self, state: Any) -> Any:
        return super().moves(state) if state[0] > 3 else state.nothing


class NoText(Nim):
    def format_move(self, state: Any, move: Any) -> str:
        return ""


class NumberAsText(Nim):
    def format(self, state: Any) -> Any:
        return state[0]


BROKEN = {
    ListState: "unhashable state",
    LaterList: "unhashable state",
    Changing: "changed state",
    ByIdentity: "no equality",
    UnequalHashes: "hash",
    HiddenSide: "changed game, equal states",
    Forgetful: "equal states",
    Dice: "play",
    ManyStarts: "start",
    Circle: "cycle",
    Sides: "side",
    Half: "payoff",
    NoMoves: "no moves",
    Generator: "moves",
    Lists: "unhashable moves",
    Doubled: "move twice",
    SameText: "same text",
    Misread: "parse_move",
    Unread: "parse_move",
    Raising: "moves raises",
    NoText: "move text",
    NumberAsText: "format",
}


@pytest.mark.parametrize(
    ("game", "kind"), BROKEN.items(), ids=lambda value: getattr(value, "__name__", None)
)
def test_reports_a_broken_rule_with_the_position(game: Any, kind: str) -> None:
    check = check_game(game)
    assert ", ".join(fault.kind for fault in check.faults) == kind, check
    fault = check.faults[0]
    assert fault.position
    assert f"breaks a rule: {fault.text}" in str(check)


def test_gives_the_moves_that_lead_to_a_fault() -> None:
    fault = check_game(NoMoves()).faults[0]
    game, state = NoMoves(), (10, 0)
    for text in fault.moves:
        state = game.play(state, int(text))
    assert str(state) == fault.position == "(1, " + fault.position[4:]
    assert str(fault).endswith(f"after {' '.join(fault.moves)}")


class TenPoints(Nim):
    def payoff(self, state: Any) -> Any:
        payoff = super().payoff(state)
        return None if payoff is None else 10 * payoff


class OfTheMover(Nim):
    """The payoff in the view of the side to move, which has always lost."""

    def payoff(self, state: Any) -> Any:
        return None if state[0] else -1


class GoesOn(Nim):
    def moves(self, state: Any) -> Any:
        return [take for take in (1, 2, 3) if take <= state[0]] or [0]


class Won(Nim):
    """The payoff is whether FIRST has won."""

    def payoff(self, state: Any) -> Any:
        return None if state[0] else state[1] == ps.SECOND


class Shuffled(Nim):
    def moves(self, state: Any) -> Any:
        self.calls = getattr(self, "calls", 0) + 1
        return super().moves(state)[:: 1 if self.calls % 2 else -1]


@pytest.mark.parametrize(("game", "kind"), [(Won, "payoff"), (Shuffled, "order of moves")])
def test_reports_a_boolean_payoff_and_a_changing_order(game: Any, kind: str) -> None:
    check = check_game(game, games=5)
    assert not check.is_sound
    assert kind in [fault.kind for fault in check.faults]


def test_ignores_moves_beyond_the_end() -> None:
    assert check_game(GoesOn, games=20).hints == ()


class Ambiguous(Nim):
    """Two moves written one after the other read as a third."""

    def format_move(self, state: Any, move: Any) -> str:
        return ("a", "b", "a b")[move - 1]


HINTS = {
    TenPoints: "scored",
    OfTheMover: "one winner",
    Endless: "long",
    Ambiguous: "moves as text",
}


@pytest.mark.parametrize(
    ("game", "kind"), HINTS.items(), ids=lambda value: getattr(value, "__name__", None)
)
def test_gives_a_hint_on_what_may_be_intended(game: Any, kind: str) -> None:
    check = check_game(game, games=30 if game is not Endless else 2)
    assert check.is_sound
    assert [hint.kind for hint in check.hints] == [kind], check


@pytest.mark.parametrize(
    "game",
    [
        *(
            Nim,
            WithHeaps,
            "tictactoe",
            "misere-tictactoe",
            "3,3,3,torus",
            "connect4-5x4",
            "3x3x3,3",
        ),
        *(DotsAndBoxes(2, 1), DotsAndBoxes(2, 2), Kalah(2, 3), Othello(4), Othello(4, skips=True)),
        ps.parse_tree("[[3,-5],[-6,[9,1]]]"),
    ],
    ids=lambda game: getattr(game, "name", str(game)),
)
def test_says_nothing_of_a_sound_game(game: Any) -> None:
    for seed in range(3):
        check = check_game(game, games=20, seed=seed, max_positions=100)
        assert not check.faults + check.hints, f"seed {seed}: {check}"
        assert check.first_wins + check.second_wins + check.draws == 20


def test_says_nothing_of_random_trees_with_sides_in_any_order() -> None:
    from random import Random

    for seed in range(30):
        check = check_game(MixedTree.drawn(Random(seed), 4), games=20, seed=seed)
        kinds = {fault.kind for fault in check.faults + check.hints}
        assert kinds <= {"one winner"}, f"seed {seed}: {check}"


def test_counts_the_numbers_of_the_game() -> None:
    check = check_game("tictactoe", games=200)
    assert check.positions == 5478  # the published count
    assert (check.longest, check.most_moves, check.alternates) == (9, 9, True)
    # at random X wins 58 of 100, O 29 (131,184, 77,904 and 46,080 games, by their chances)
    assert 0.45 < check.first_wins / 200 < 0.7
    assert check_game("connect4", games=1, max_positions=5_000).positions is None
    assert check_game(DotsAndBoxes(2, 1), games=5).alternates is False


def test_repeats_a_check_by_its_seed() -> None:
    assert str(check_game(Kalah(3, 3), seed=5, games=10)) == str(
        check_game(Kalah(3, 3), seed=5, games=10)
    )
    assert check_game(Nim, seed=1).as_dict()["is_sound"] is True


def test_rejects_an_object_that_is_no_game() -> None:
    for source, kind in (("nim.py:Nim", NotationError), (3, OptionError), (int, OptionError)):
        with pytest.raises(kind):
            check_game(source)
