"""The games to which every algorithm, heuristic, solver, agent and verb is held, and their values by
plain recursion over the five methods."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

import plyscope as ps
import students
from games import DotsAndBoxes, DrawnGraph, Kalah, MixedTree, Othello, sign
from plyscope.rules.linegame import LineGame
from plyscope.searching.score import WIN
from twins import FANO

EXAMPLES = Path(__file__).parents[1] / "examples"
MAX_POSITIONS = 3_000
"""Positions of a tree that is searched to its end."""
MAX_LEAVES = 150
"""Leaves of a tree that is searched to a depth, as far as its root's moves tell."""

LINE_GAMES: dict[str, Callable[[], Any]] = {
    **{name: lambda name=name: ps.GAMES[name] for name in ps.GAMES},
    **{
        spec: lambda spec=spec: ps.parse_game(spec)
        for spec in (
            "5,4,4,gravity,misere",
            "4,4,3,exactly,holes=b2",
            "4,4,3,stones=2",
            "3x2x2,2",
            "1,1,1",
        )
    },
    "fano": lambda: FANO,
}
"""The catalogue, and a game for each word of the rules."""

FILES = {
    file.stem: file
    for file in sorted(EXAMPLES.glob("*.py"))
    if "(ps.Game):" in file.read_text(encoding="utf-8")
}


def _example(name: str) -> Any:
    """The only game of a file in `examples`."""
    module = import_module(f"examples.{name}")
    (game,) = (
        found
        for found in vars(module).values()
        if isinstance(found, type) and issubclass(found, ps.Game) and found is not ps.Game
    )
    return game()


class SpeltDots(DotsAndBoxes):
    """Names with a space and a comma, and texts of two lines."""

    name = "spelt dots"

    def format_move(self, position: Any, move: Any) -> str:
        return f"edge {move}, drawn"

    def parse_move(self, position: Any, text: str) -> Any:
        return int(text.split()[1].rstrip(","))

    def format(self, position: Any) -> str:
        return f"drawn: {sorted(position.drawn)}\nmargin: {position.margin}"


OWN_GAMES: dict[str, Callable[[], Any]] = {
    **{f"examples/{name}.py": lambda name=name: _example(name) for name in FILES},
    **{f"student's {name}": build for name, build in students.GAMES.items()},
    "dots 1×2": lambda: DotsAndBoxes(1, 2),
    "dots 2×1, unscored": lambda: DotsAndBoxes(2, 1, scored=False),
    "spelt dots 2×1": lambda: SpeltDots(2, 1),
    "dots 2×2": lambda: DotsAndBoxes(2, 2),
    "kalah 2,2": lambda: Kalah(2, 2),
    "kalah 3,2": lambda: Kalah(3, 2),
    "othello, passing": lambda: Othello(4),
    "othello, skipping": lambda: Othello(4, skips=True),
    "drawn graph": lambda: DrawnGraph(random.Random(3), 30, scored=False),
    "drawn graph, scored": lambda: DrawnGraph(random.Random(4), 30, scored=True, spread=4),
    "drawn tree": lambda: MixedTree.drawn(random.Random(5), 6),
    "written tree": lambda: ps.parse_tree("[max[3,[-5,2]],[6,9],[-1,min[4,8],7]]"),
}
"""Those of `examples`, and games in which sides move twice, pass, or score."""

EVERY_GAME = LINE_GAMES | OWN_GAMES
SMALL = (
    *("dots 1×2", "dots 2×1, unscored", "kalah 2,2", "drawn graph", "drawn graph, scored"),
    *("examples/nim.py", "examples/hexapawn.py"),
)
"""Games of one's own of which every line of play can be counted."""


@cache
def game_of(name: str) -> Any:
    return EVERY_GAME[name]()


def some_game(game: Any, draw: random.Random) -> Iterator[tuple[Any, Any]]:
    """A random game: each running state with the move that is made there."""
    state = game.start()
    while game.payoff(state) is None:
        move = draw.choice(list(game.moves(state)))
        yield state, move
        state = game.play(state, move)


def late_state(game: Any, draw: random.Random, most: int = 6) -> Any:
    """A running state at most so many plies before the end of a random game."""
    states = [state for state, _ in some_game(game, draw)]
    return states[max(0, len(states) - draw.randint(1, most))]


def is_small(game: Any, state: Any) -> bool:
    """Return whether few lines of play follow."""
    if getattr(game, "draw_by_repetition", False):
        return False
    left = MAX_POSITIONS

    def count(at: Any) -> None:
        nonlocal left
        left -= 1
        if left > 0 and game.payoff(at) is None:
            for move in game.moves(at):
                count(game.play(at, move))

    count(state)
    return left > 0


def some_depth(game: Any, state: Any, draw: random.Random) -> int | None:
    """A depth to which brute force is quick, None for the end."""
    width = len(game.moves(state))
    depths = [depth for depth in (1, 2, 3, 4) if depth == 1 or width**depth <= MAX_LEAVES]
    return draw.choice([*depths, None] if is_small(game, state) else depths)


def opinion(state: Any) -> int:
    """A heuristic in FIRST's view: any number that depends on the state alone."""
    return random.Random(hash(state)).randint(-6, 6)


def opinions_of(game: Any, draw: random.Random) -> tuple[Any, Callable[[Any], int]]:
    """A heuristic as `search` takes it, and the same in FIRST's view as a function."""
    if isinstance(game, LineGame):
        name = draw.choice(["counted-lines", "open-lines", "diagonal-lines"])
        return name, lambda state: ps.evaluate(state, name, side="x")
    return opinion, opinion


class Oracle:
    """The value of a state in FIRST's view by recursion over the five methods: `leaf` where it is not
    searched further, finished games by `scoring`."""

    def __init__(
        self, game: Any, leaf: Callable[[Any], float] | None = None, scoring: str = "result"
    ) -> None:
        self.game, self.leaf, self.scoring = game, leaf, scoring
        self.known: dict[Any, float] = {}

    def value(self, state: Any, left: float = inf, ply: int = 0) -> float:
        key = state, left, ply if self.scoring == "distance" else 0
        if key not in self.known:
            self.known[key] = self._value(state, left, ply)
        return self.known[key]

    def _value(self, state: Any, left: float, ply: int) -> float:
        payoff = self.game.payoff(state)
        if payoff is not None and self.scoring == "heuristic" and self.leaf is not None:
            return self.leaf(state)
        if payoff is not None and getattr(self.game, "scored", False):
            return payoff
        if payoff is not None:
            return sign(payoff) * (WIN - (ply if self.scoring == "distance" else 0))
        if left == 0:
            assert self.leaf is not None
            return self.leaf(state)
        moves = self.game.moves(state)
        below = [self.value(self.game.play(state, move), left - 1, ply + 1) for move in moves]
        return min(below) if self.game.side(state) else max(below)
