"""OpenSpiel's rules and its alpha-beta, where it is installed: games in which sides do not
alternate."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

import pytest

from games import DotsAndBoxes, Own, some_position
from plyscope import ALGORITHMS, search
from plyscope.searching.algorithms import TEXTBOOK

pyspiel = pytest.importorskip("pyspiel")
EXACT = [
    name for name in TEXTBOOK if ALGORITHMS[name].is_exact and not ALGORITHMS[name].needs_lines
]


class Spiel(Own):
    """A game of OpenSpiel; a position is the actions that led to it. OpenSpiel names no side where
    the game is over."""

    def __init__(self, spec: str) -> None:
        self.name, self.rules = spec, pyspiel.load_game(spec)
        self.state = lru_cache(maxsize=100_000)(self._state)

    def _state(self, position: tuple[int, ...]) -> Any:
        if not position:
            return self.rules.new_initial_state()
        state = self.state(position[:-1]).clone()
        state.apply_action(position[-1])
        return state

    def start(self) -> tuple[int, ...]:
        return ()

    def side(self, position: tuple[int, ...]) -> int:
        return int(self.state(position).current_player())

    def moves(self, position: tuple[int, ...]) -> list[int]:
        return list(self.state(position).legal_actions())

    def play(self, position: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*position, move)

    def payoff(self, position: tuple[int, ...]) -> int | None:
        state = self.state(position)
        return int(state.returns()[0]) if state.is_terminal() else None


def opinion(text: str) -> int:
    """Any number that depends on the position alone, in the first player's view."""
    return random.Random(text).randint(-9, 9)


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize(
    ("spec", "plies"),
    [
        ("dots_and_boxes(num_rows=2,num_cols=2,utility_margin=true)", 9),
        ("mancala", 60),
        ("oware(num_houses_per_player=3)", 20),
        ("othello", 56),
    ],
)
def test_openspiels_alphabeta_finds_the_same_values(spec: str, plies: int, name: str) -> None:
    algorithms = pytest.importorskip("open_spiel.python.algorithms.minimax")
    game, draw = Spiel(spec), random.Random(f"{spec} {name}")
    for depth in (1, 2, 3, 4):
        position = some_position(game, draw, draw.randint(1, plies))
        side = game.side(position)

        def worth(state: Any, side: int = side) -> int:
            return opinion(str(state)) * (-1 if side else 1)

        theirs, _ = algorithms.alpha_beta_search(
            game.rules, game.state(position), worth, depth, side
        )
        ours = search(
            position, name, lambda at: opinion(str(game.state(at))), game=game, depth=depth
        )
        assert ours.value == theirs, (position, depth)


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 2), (1, 3), (2, 2)])
def test_our_dots_and_boxes_are_openspiels(height: int, width: int) -> None:
    """The rules that the other tests rest on: as many moves, and the same margin, after as many
    random moves."""
    theirs = Spiel(f"dots_and_boxes(num_rows={height},num_cols={width},utility_margin=true)")
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
    left = ours.start()
    for move in range(3):
        left = ours.play(left, move) if ours.payoff(left) is None and len(ours.edges) > 7 else left
    same = tuple(range(3)) if len(ours.edges) > 7 else ()
    assert search(left, "mtdf", game=ours).value == search(same, "alphabeta", game=theirs).value
