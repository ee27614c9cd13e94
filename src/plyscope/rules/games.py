"""The catalogue of games, and the text that names any other: `7,7,5`, `4x4x4,4`, `3,3,3,torus`,
`5,4,4,gravity,misere`.

`m,n,k` is m columns and n rows, k in a line; a board of more dimensions is its sizes joined by `x`,
then k.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import prod

from plyscope.catalogue import Catalogue, nearest_name
from plyscope.errors import NotationError
from plyscope.rules.linegame import MAX_CELLS, MAX_LINE_CELLS, LineGame, count_lines

__all__ = ["GAMES", "default_game", "format_spec", "parse_game"]

FLAGS = ("torus", "gravity", "misere")
_SPEC = re.compile(r"(\d+,\d+|\d+(?:x\d+)+),(\d+)((?:,[a-z]+)*)")


def format_spec(
    shape: tuple[int, ...],
    k: int,
    *,
    torus: bool = False,
    gravity: bool = False,
    misere: bool = False,
) -> str:
    """Return the text of a game on a grid."""
    board = f"{shape[0]},{shape[1]}" if len(shape) == 2 else "x".join(map(str, shape))
    chosen = [flag for flag, on in zip(FLAGS, (torus, gravity, misere), strict=True) if on]
    return ",".join([board, str(k), *chosen])


GAMES = Catalogue(
    "game",
    (
        LineGame.grid(3, 3, k=3, name="tictactoe", summary="three in a line on 3×3: a draw"),
        LineGame.grid(
            3,
            3,
            k=3,
            name="misere-tictactoe",
            misere=True,
            summary="whoever completes a line on 3×3 loses: a draw",
        ),
        LineGame.grid(
            3,
            3,
            k=3,
            name="torus-tictactoe",
            torus=True,
            summary="3×3 whose edges meet, 12 lines: the first player wins",
        ),
        LineGame.grid(
            4,
            3,
            k=3,
            name="4,3,3",
            summary="three in a line on 4 columns and 3 rows: the first player wins",
        ),
        LineGame.grid(4, 4, k=4, name="4,4,4", summary="four in a line on 4×4: a draw"),
        LineGame.grid(5, 5, k=4, name="5,5,4", summary="four in a line on 5×5: a draw"),
        LineGame.grid(
            3,
            3,
            3,
            k=3,
            name="cube",
            summary="three in a line in a cube of 27 cells: the first player wins from the centre",
        ),
        LineGame.grid(
            4,
            4,
            4,
            k=4,
            name="qubic",
            summary="four in a line in a cube of 64 cells: the first player wins (Patashnik 1980)",
        ),
        LineGame.grid(
            5,
            4,
            k=4,
            name="connect4-5x4",
            gravity=True,
            summary="Connect Four on 5 columns and 4 rows: a draw",
        ),
        LineGame.grid(
            7,
            6,
            k=4,
            name="connect4",
            gravity=True,
            summary="stones fall, four in a line on 7×6: the first player wins",
        ),
        LineGame.grid(9, 9, k=5, name="gomoku9", summary="five or more in a line on 9×9"),
        LineGame.grid(
            15,
            15,
            k=5,
            name="gomoku15",
            summary="five or more in a line on 15×15: the first player wins (Allis 1994)",
        ),
    ),
)


@lru_cache(maxsize=256)
def parse_game(text: str) -> LineGame:
    """Return the game of that catalogue name or `m,n,k` text; raise UnknownNameError or
    NotationError.

    No line is made before a position is played on, so that a caller with bounds of its own may ask
    `count_lines` first.
    """
    text = text.strip().lower()
    if text in GAMES:
        return GAMES[text]
    match = _SPEC.fullmatch(text)
    if match is None:
        if text[:1].isdigit():
            raise NotationError(
                f"cannot read the game {text[:64]!r}; expected m,n,k such as '7,7,5', or sizes and k such as '4x4x4,4,torus'"
            )
        raise nearest_name("game", text, [*GAMES, "m,n,k"])
    board, k_text, flags_text = match.groups()
    if len(text) > 64:
        raise NotationError(f"game {text[:64]!r}... is too long; expected at most 64 characters")
    flags = flags_text.split(",")[1:]
    for flag in flags:
        if flag not in FLAGS:
            raise NotationError(
                f"unknown word {flag!r} in the game {text!r}; expected {', '.join(FLAGS)}"
            )
    shape = tuple(int(size) for size in re.split("[x,]", board))
    k = int(k_text)
    if not 0 < prod(shape) <= MAX_CELLS or not 1 <= k <= MAX_CELLS:
        raise NotationError(
            f"game {text!r} is out of range; expected at most {MAX_CELLS} cells and k from 1"
        )
    torus, gravity, misere = (flag in flags for flag in FLAGS)
    if k * count_lines(shape, k, torus) > MAX_LINE_CELLS:
        raise NotationError(
            f"the lines of the game {text!r} have too many cells; expected at most {MAX_LINE_CELLS:,} together"
        )
    made = LineGame.grid(
        *shape,
        k=k,
        torus=torus,
        gravity=gravity,
        misere=misere,
        summary=f"{k} in a line on {'×'.join(map(str, shape))}",
    )
    return next((game for game in GAMES.values() if game.rules == made.rules), made)


@lru_cache(maxsize=64)
def default_game(shape: tuple[int, ...]) -> LineGame | None:
    """Return the game that a bare board of `shape` belongs to: the first of the catalogue with that
    shape, None if there is none."""
    return next((game for game in GAMES.values() if game.shape == shape), None)
