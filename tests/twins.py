"""What the tests of the two forms of a search share."""

from __future__ import annotations

import random
from typing import Any

from plyscope import search

ALIKE = (
    "value",
    "bound",
    "best_moves",
    "moves",
    "pv",
    "depth",
    "complete",
    "stopped",
    "nodes",
    "last_nodes",
    "leaves",
    "cutoffs",
    "table_hits",
    "researches",
    "minimal",
)


def some_position(game: Any, draw: random.Random) -> Any:
    """A running game after some random moves."""
    while True:
        position = game.start() if draw.random() < 0.7 else game.position(0, 0, 1)
        for _ in range(draw.randrange(min(game.size, 40))):
            if not position.is_over:
                position = position.play(draw.choice(position.moves))
        if not position.is_over:
            return position


def assert_twins(position: Any, algorithm: str, **options: Any) -> None:
    """Both forms find and count the same."""
    one, other = (search(position, algorithm, engine=engine, **options) for engine in ("reference", "compiled"))
    assert (one.engine, other.engine) == ("reference", "compiled")
    for key in ALIKE:
        assert getattr(one, key) == getattr(other, key), (key, str(position), algorithm, options)
