"""The opening book of Connect Four: what its first plies are worth, solved beforehand, as they take
longest to solve.

The file holds the score of every position of PLIES plies, one of two mirror images, which
`bench/book.py` asks the solver of gravity games. What comes before follows: a position's score is
the greatest of those that its moves leave to the mover.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from time import perf_counter

from plyscope.rules.games import parse_game
from plyscope.rules.linegame import Position
from plyscope.rules.notation import parse
from plyscope.rules.symmetry import canonical, with_x_first
from plyscope.solving.verdict import Verdict, move_of_score, worth_of_score

__all__ = ["FILE", "GAME", "PLIES", "book_verdict", "in_book", "openings"]

GAME, PLIES, FILE = "connect4", 4, "openings.txt"


def openings() -> dict[Position, str]:
    """Return every position of PLIES plies, one of two mirror images, with moves that lead to it or
    to its image."""
    start = parse_game(GAME).start()
    found = {start: (start, "")}
    for _ in range(PLIES):
        longer: dict[Position, tuple[Position, str]] = {}
        for position, moves in found.values():
            for column, move in enumerate(position.moves, 1):
                after = position.play(move)
                longer.setdefault(canonical(after), (after, f"{moves}{column}"))
        found = longer
    return {position: moves for position, (_, moves) in found.items()}


@lru_cache(maxsize=1)
def _scores() -> dict[Position, int]:
    """Return the score of each position of at most PLIES plies, one of two mirror images."""
    lines = files("plyscope.solving").joinpath(FILE).read_text(encoding="utf-8").splitlines()
    found = {
        canonical(parse(f"{GAME} {moves}")): int(score) for moves, score in map(str.split, lines)
    }

    def score(position: Position) -> int:
        position = canonical(position)
        if position not in found:
            found[position] = max(-score(position.play(move)) for move in position.moves)
        return found[position]

    score(parse_game(GAME).start())
    return found


def in_book(position: Position) -> bool:
    """Return whether the book knows a position and what each of its moves leads to."""
    is_early = (
        position.first | position.second
    ).bit_count() < PLIES and position.game.rules == parse_game(GAME).rules
    return is_early and _entry(position) in _scores()


def _entry(position: Position) -> Position:
    """Return the position by which the book knows one."""
    return canonical(with_x_first(position)._replace(game=parse_game(GAME)))


def book_verdict(position: Position) -> Verdict:
    """Return the verdict on a position that is in the book, with that of every move."""
    began, scores = perf_counter(), _scores()
    score = scores[_entry(position)]
    value, distance = worth_of_score(position, score)
    after = {move: scores[_entry(position.play(move))] for move in position.moves}
    return Verdict(
        position=position,
        value=value,
        distance=distance,
        score=score,
        best_moves=tuple(move for move in after if after[move] == -score),
        moves=tuple(move_of_score(position, move, its) for move, its in after.items()),
        method="book",
        proof=f"looked up in the opening book, made by the solver of gravity games from all positions of {PLIES} plies",
        nodes=0,
        seconds=perf_counter() - began,
        megabytes=0.0,
    )
