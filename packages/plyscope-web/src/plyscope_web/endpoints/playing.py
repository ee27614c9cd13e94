"""The endpoints that help a player: hints, judgements of tried moves, puzzles."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from plyscope.errors import OptionError
from plyscope.faces.reviews import answer_text, hint_text, judgement_text
from plyscope.jsonable import by_name
from plyscope.lab.judging.hint import hint
from plyscope.lab.judging.puzzles import Puzzle, daily_puzzle, puzzle_in, puzzles
from plyscope.lab.judging.review import review_move, search_within, solved_line
from plyscope.rules.game import move_text, position_after, read_move
from plyscope.rules.position import Position
from plyscope.searching.result import line_text
from plyscope.searching.score import format_score
from plyscope.solving.known import proof_of
from plyscope_web.endpoints import Tell
from plyscope_web.endpoints.analysis import prepare
from plyscope_web.endpoints.inputs import position_of, proofs_of, running_position_of
from plyscope_web.endpoints.present import cell_of, proof_data
from plyscope_web.requests import AttemptRequest, PuzzleRequest, SuggestRequest

PUZZLE_SECONDS = 12.0
"""The time limit for finding a puzzle."""


def suggest(request: SuggestRequest, tell: Tell) -> dict[str, Any]:
    """Return a good move and a sentence about it; both are empty if none was found in time."""
    position = running_position_of(request.position)
    if isinstance(position, Position):
        prepare()
    proofs = proofs_of(request.known)
    found = hint(position, request.seconds, proofs)
    if found is None:
        nothing = {"move": "", "cell": None, "sentence": "", "number": "", "proved": False}
        return {**nothing, "line": [], "proof": None}
    verdict = proof_of(position, proofs) if isinstance(position, Position) else None
    number = "" if found.is_proved else format_score(found.value, "distance")
    return {
        "move": found.text,
        "cell": cell_of(position, found.move),
        "sentence": hint_text(found),
        "number": number,
        "proved": found.is_proved,
        "line": list(found.line),
        "proof": None if verdict is None else proof_data(verdict),
    }


def attempt(request: AttemptRequest, tell: Tell) -> dict[str, Any]:
    """Return whether a move keeps the value of the position, and sentences about it."""
    position = running_position_of(request.position)
    move = read_move(position, request.move)
    if isinstance(position, Position):
        prepare()
    proofs = proofs_of(request.known)
    found = review_move(position, move, proofs=proofs)
    best = move if not found.is_blunder else read_move(position, found.better[0])
    after = position_after(position, best)
    line = solved_line(after, proofs)
    if not (line or found.is_proved or after.is_over):
        line = search_within(after, request.seconds).pv
    return {
        "move": found.move,
        "cell": cell_of(position, move),
        "right": not found.is_blunder and found.half != "before",
        "proved": found.is_proved,
        "said": answer_text(found),
        "sentence": judgement_text(found),
        "better": list(found.better),
        "line": list(found.line),
        "solution": [move_text(position, best), *line_text(after, line)],
    }


def puzzle(request: PuzzleRequest, tell: Tell) -> dict[str, Any]:
    """Return a puzzle's position and goal, without its solution."""
    if request.least > request.most:
        raise OptionError(
            f"a puzzle of at least {request.least} and at most {request.most} plies; "
            "expected a least that is no greater than the most"
        )
    if request.position is not None:
        position = position_of(request.position)
        found = puzzle_in(position)
        if found is None:
            raise OptionError(
                f"'{str(position)[:60]}' is not a puzzle; expected a proved position in which "
                "one move alone wins, or does not lose, and is neither the last move nor a block"
            )
    elif request.date is not None:
        found = daily_puzzle(request.date)
    else:
        found = _drawn(request)
    return {
        **by_name(found, "goal", "depth"),
        "position": str(found.position),
        "game": found.position.game.name,
        "fooled": list(found.fooled),
    }


class _TooLong(OptionError):
    """Raised if no puzzle was found in time."""


def _drawn(request: PuzzleRequest) -> Puzzle:
    """Return the first puzzle from the seed with the requested goal and depth."""
    position, began = position_of(request.game), 0.0

    def progress(tried: int) -> None:
        nonlocal began
        if tried <= 3:  # the first ones may wait for the solver to be compiled
            began = perf_counter()
        if perf_counter() - began > PUZZLE_SECONDS:
            raise _TooLong(
                f"no such puzzle of {position.game.name!r} in {PUZZLE_SECONDS:.0f} seconds; "
                "expected an easier one, or another game"
            )

    for found in puzzles(position.game, request.seed, progress):
        is_wished = request.goal in (None, found.goal)
        if is_wished and request.least <= found.depth <= request.most:
            return found
    raise OptionError(
        f"no such puzzle of {position.game.name!r}; expected an easier one, or another game"
    )
