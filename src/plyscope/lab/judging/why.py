"""`why`: the reason for a move, found and checked by `plyscope_fast.solving.why`.

Without the package plyscope-fast `why` names it, and results are printed without a reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plyscope.catalogue import checks_keywords
from plyscope.errors import OptionError
from plyscope.extras import KERNEL_PACKAGES, load, missing
from plyscope.rules.game import GameLike, PositionLike
from plyscope.rules.source import as_position
from plyscope.solving.known import NOTHING, Proofs
from plyscope.solving.verdict import Verdict

if TYPE_CHECKING:
    from plyscope_fast.solving.why import Reason


@checks_keywords
def why(
    position: PositionLike,
    move: Any = None,
    against: Any = None,
    *,
    game: GameLike | str | None = None,
    effort: float = 1.0,
) -> Reason:
    """Return the reason for the best move in a position, or for `move`.

        position  a position, its text, a game, or with `game` a state of it
        move      a move or its text; by default the best one that is known
        against   another move: return the reason why it is not played instead
        game      the game, if `position` is a state or a text that does not name it
        effort    the node limits of solvers, as a multiple of those of a review

    What the sentence says was checked, by playing or by a solver, within a limit of nodes; the
    result does not depend on the machine. Raises OptionError if the game is over or both `move` and
    `against` are given, IllegalMoveError for a move that is not legal, and the errors of `parse`.

    >>> import plyscope as ps
    >>> found = ps.why("connect4 4455")
    >>> found.kind, found.move, found.cells
    ('double', 'c1', ('b1', 'f1'))
    >>> print(found)
    3 makes two threats at once, at b1 and f1: O can take only one of these cells.
    >>> print(ps.why("tictactoe a1", against="b1").reply.kind)
    fours
    """
    if move is not None and against is not None:
        raise OptionError(f"move {str(move)!r} with against {str(against)!r}; expected one of them")
    start = as_position(position, game)
    found: Reason = _module().why(start, move if against is None else against, effort)
    return found


def reason_for(position: Any, move: Any, proofs: Proofs = NOTHING) -> Reason | None:
    """Return the reason for a move, with known `proofs`; None without plyscope-fast."""
    return None if missing(KERNEL_PACKAGES) else _module().reason_for(position, move, proofs)


def reason_of(verdict: Verdict) -> Reason | None:
    """Return the reason for the first best move of a verdict; None if there is none, for a finished
    game, a tree, a game with scores or a Maker–Breaker game, and without plyscope-fast."""
    return None if missing(KERNEL_PACKAGES) else _module().reason_of(verdict)


def _module() -> Any:
    return load("plyscope_fast.solving.why", "a reason", "fast")
