"""The rules of a game as the checker of proofs reads them."""

from __future__ import annotations

from typing import Any

from plyscope.errors import OptionError
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position


def game_data(game: LineGame) -> dict[str, Any]:
    """Return the `game` object of a proof's first line.

    It has k if the lines are all straight lines of k cells, and else lists each line once. Rules
    added after the first checkers are present only if the game has them, so that a checker that
    does not know them rejects the file.
    """
    if not game.variants <= {"torus", "gravity", "misere", "holes", "exactly"}:
        known = "turns of one stone, lines of any kind and exact ones, holes, gravity, misère"
        raise OptionError(
            f"a proof of {game.name!r}; expected rules that the checker knows: {known}"
        )
    by_length = isinstance(game.given, int) and isinstance(game.torus, bool) and bool(game.lines)
    data: dict[str, Any] = {
        "shape": list(game.shape),
        "torus": game.torus and by_length,
        "gravity": game.gravity,
        "misere": game.misere,
    }
    if game.holes:
        data["holes"] = list(bits(game.holes))
    if game.exactly:
        data["exactly"] = True
    if by_length:
        return {**data, "k": game.given}
    told = dict.fromkeys((line.mask, line.ends if game.exactly else 0) for line in game.lines)
    data["lines"] = [list(bits(mask)) for mask, _ in told]
    if game.exactly:
        data["ends"] = [list(bits(ends)) for _, ends in told]
    return data


def no_move(root: Position, position: Position) -> OptionError:
    """Return the error of a proof for which no move was found in a position."""
    return OptionError(
        f"a proof of '{root}', in which no move was found that keeps the value of '{position}';"
        " expected a smaller game"
    )
