"""Random rules of line games: boards with holes, exact lines, several stones a turn."""

from __future__ import annotations

import random
from typing import Any

from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits

SHAPES = ((3, 3), (4, 3), (4, 4), (5, 3), (6, 2), (5, 5), (3, 2, 2), (3, 3, 3), (7, 6), (9, 8))


def some_game(draw: random.Random, most_cells: int = 72, alternates: bool = False) -> LineGame:
    """A game by random rules, at least one of them exact lines, holes or stones a turn."""
    while True:
        shape = draw.choice([shape for shape in SHAPES if _size(shape) <= most_cells])
        rules: dict[str, Any] = {
            "exactly": draw.random() < 0.5,
            "gravity": draw.random() < 0.35,
            "misere": draw.random() < 0.25,
            "torus": draw.random() < 0.2,
        }
        if draw.random() < 0.5:
            number = draw.randint(1, max(1, _size(shape) // 5))
            rules["holes"] = sum(1 << cell for cell in draw.sample(range(_size(shape)), number))
        if not alternates and draw.random() < 0.6:
            rules["stones"], rules["first_stones"] = draw.randint(1, 3), draw.randint(1, 3)
        game = LineGame.grid(*shape, k=draw.randint(2, 4), **rules)
        if game.lines and game.variants & {"exactly", "holes", "stones"}:
            return game


def _size(shape: tuple[int, ...]) -> int:
    size = 1
    for side in shape:
        size *= side
    return size


def running_position(game: LineGame, draw: random.Random) -> Any:
    """A running position after some random moves, None where none was found soon."""
    for _ in range(20):
        position = game.start()
        for _ in range(draw.randrange(len(list(bits(game.board))))):
            if not position.is_over:
                position = position.play(draw.choice(position.moves))
        if not position.is_over:
            return position
    return None
