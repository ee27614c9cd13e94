"""The opening book of Connect Four: the scores of its first plies, which take longest to solve.

The file holds the score of every position after PLIES plies, one of two mirror images;
`bench/book.py` made it with the solver of gravity games. Scores of earlier positions follow: a
score is the maximum over the moves.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from time import perf_counter

from plyscope.rules.games import line_game
from plyscope.rules.notation import parse
from plyscope.rules.position import Position
from plyscope.rules.symmetry import canonical, with_x_first
from plyscope.solving.ask import Ask, Solver
from plyscope.solving.verdict import Verdict, move_of_score, value_of_score

GAME, PLIES, FILE = "connect4", 4, "openings.txt"


def openings() -> dict[Position, str]:
    """Return every position after PLIES plies, one of two mirror images, with moves that reach
    it."""
    start = line_game(GAME).start()
    layer = {start: (start, "")}
    for _ in range(PLIES):
        longer: dict[Position, tuple[Position, str]] = {}
        for position, moves in layer.values():
            for column, move in enumerate(position.moves, 1):
                after = position.play(move)
                longer.setdefault(canonical(after), (after, f"{moves}{column}"))
        layer = longer
    return {position: moves for position, (_, moves) in layer.items()}


@lru_cache(maxsize=1)
def _scores() -> dict[Position, int]:
    """Return the score of each position after at most PLIES plies, one of two mirror images."""
    lines = files("plyscope.solving").joinpath(FILE).read_text(encoding="utf-8").splitlines()
    scores = {
        canonical(parse(f"{GAME} {moves}")): int(score) for moves, score in map(str.split, lines)
    }

    def score(position: Position) -> int:
        position = canonical(position)
        if position not in scores:
            scores[position] = max(-score(position.play(move)) for move in position.moves)
        return scores[position]

    score(line_game(GAME).start())
    return scores


def _entry(position: Position) -> Position:
    """Return the position under which the book stores `position`: X is the first player, and one
    of two mirror images is chosen."""
    return canonical(with_x_first(position)._replace(game=line_game(GAME)))


def _why_not(position: Position) -> str:
    """Return the kind of position that the book has; '' if it has this one and its children."""
    is_early = (position.first | position.second).bit_count() < PLIES
    if is_early and position.game.rules == line_game(GAME).rules and _entry(position) in _scores():
        return ""
    return f"a position of {GAME} of fewer than {PLIES} plies"


def _solve(ask: Ask) -> Verdict:
    """Return the verdict by the scores of the position and its children in the book."""
    position, began, scores = ask.position, perf_counter(), _scores()
    score = scores[_entry(position)]
    value, distance = value_of_score(position, score)
    after = {move: scores[_entry(position.play(move))] for move in position.moves}
    return Verdict(
        position=position,
        value=value,
        distance=distance,
        score=score,
        best_moves=tuple(move for move in after if after[move] == -score),
        moves=tuple(move_of_score(position, move, its) for move, its in after.items()),
        method=BOOK.name,
        proof="looked up in the opening book, made by the solver of gravity games"
        f" from all positions of {PLIES} plies",
        seconds=perf_counter() - began,
    )


BOOK = Solver(
    name="book",
    summary="the first plies of Connect Four, solved beforehand: scores",
    why_not=_why_not,
    solve=_solve,
    has_distances=True,
)
