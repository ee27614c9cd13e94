"""`review`: every move of a game, judged by proofs; searches estimate what is not proved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plyscope.catalogue import checks_keywords
from plyscope.display import drawn, printed, times
from plyscope.errors import OptionError, PlyscopeError
from plyscope.jsonable import by_name
from plyscope.lab.judging.review import Assessment, MoveReview, review_game
from plyscope.lab.matches.gametext import read_game_text
from plyscope.rules.game import (
    SIDES,
    GameLike,
    at_move,
    parse_side,
    position_after,
    read_move,
    side_text,
)
from plyscope.searching.limit import Limit


@dataclass(frozen=True, kw_only=True)
class SideReview:
    """The moves of one player in a game, counted."""

    side: str
    """`x` or `o`."""
    player: str
    """The player's name, empty if it is unknown."""
    moves: int
    proved: int
    """Moves whose value, and that of the position before, are proved."""
    mistakes: int
    """Moves that are proved to lose value."""
    slow_wins: int
    """Moves that keep a proved win, where another move wins sooner."""

    def __str__(self) -> str:
        counts = {"move": self.moves, "mistake": self.mistakes, "slower win": self.slow_wins}
        words = [times(count, noun) for noun, count in counts.items()]
        return f"{self.side.upper()}: {', '.join(words)}"


@dataclass(frozen=True, kw_only=True)
class GameReview:
    """The review of a game.

    >>> import plyscope as ps
    >>> found = ps.review("tictactoe a3 b3")
    >>> [item.is_blunder for item in found.moves], found.moves[1].better
    ([False, True], ('b2',))
    """

    game: str
    said: str
    """The notation of the text, and what was assumed to read it; empty for plyscope's own."""
    players: tuple[str, str]
    """The names of X and O, empty if they are unknown."""
    start: Any
    end: Any
    """The last position that was reached."""
    winner: str | None
    """The side that has won there, x or o; None if none has."""
    result: int | None
    """The result that the text gives, 1, 0 or −1 in X's view; None without one."""
    moves: tuple[MoveReview, ...]
    """The reviews of the moves, only of those of one side if it was asked for."""
    sides: tuple[SideReview, ...]
    """The same, counted by side."""
    stopped: str | None = None
    """`interrupted` if Ctrl-C ended the review; then the last moves are missing."""

    def as_dict(self) -> dict[str, Any]:
        """Return the review as JSON-ready data."""
        moves = [
            by_name(item, is_blunder=item.is_blunder, is_slow_win=item.is_slow_win)
            for item in self.moves
        ]
        return by_name(self, moves=moves)

    __str__ = printed
    _repr_html_ = drawn


@checks_keywords
def review(
    source: str,
    game: GameLike | str | None = None,
    *,
    side: str | None = None,
    effort: float = 1.0,
    seconds: float = 0.0,
    progress: Callable[[int, int], None] | None = None,
    keep_interrupted: bool = False,
) -> GameReview:
    """Return the review of each move of a game.

        source    a game and moves, such as `connect4 44455`; the name of a file: a game saved by
                  `play`, games written by `records`, or a file of another program, such as
                  `a.sgf`; or the content of such a file
        game      the game, if the text does not name it
        side      only the moves of this side, `x` or `o`
        effort    the node limits of solvers and searches, as a multiple of the usual ones
        seconds   time for proofs of the moves left unjudged, beginning with the last one
        progress  called with the number of positions that are judged, and the number of all

    Ctrl-C raises KeyboardInterrupt; with `keep_interrupted` it returns the moves judged so far.
    Raises OptionError for a text without moves or options out of range, and what `read_game_text`
    raises.

    >>> import plyscope as ps
    >>> print(ps.review("tictactoe a3 b3").sides[1])
    O: 1 move, 1 mistake, 0 slower wins
    """
    wanted = None if side is None else parse_side(side)
    Limit(seconds=seconds)
    if not 0 < effort <= 1e6:
        raise OptionError(f"effort {effort}; expected a number above 0")
    text = read_game_text(source, game)
    position, moves = text.start, []
    for number, name in enumerate(text.moves, 1):
        try:
            moves.append(read_move(position, name))
        except PlyscopeError as error:
            raise at_move(error, number, " ".join(text.moves)) from None
        position = position_after(position, moves[-1])
    if not moves:
        raise OptionError(
            f"no moves in {source.strip()[:80]!r}; expected a game and its moves, such as "
            "'connect4 44455', or the file of a game"
        )
    found: tuple[Assessment, ...] = ()
    stopped = None
    try:
        for found in review_game(text.start, moves, effort=effort, seconds=seconds):
            if progress is not None:
                progress(len(found), len(moves) + 1)
    except KeyboardInterrupt:
        if not keep_interrupted:
            raise
        stopped = "interrupted"
    items = tuple(
        at.review
        for at in found
        if at.review is not None and wanted in (None, at.review.position.side)
    )
    end = found[-1].position if found else text.start
    return GameReview(
        game=text.start.game.name,
        said=text.said,
        players=text.players,
        start=text.start,
        end=end,
        winner=side_text(end.winner),
        result=text.result,
        moves=items,
        sides=tuple(
            _counted(own, text.players[own], items) for own in (0, 1) if wanted in (None, own)
        ),
        stopped=stopped,
    )


def _counted(side: int, player: str, items: tuple[MoveReview, ...]) -> SideReview:
    own = [item for item in items if item.position.side == side]
    return SideReview(
        side=SIDES[side],
        player=player,
        moves=len(own),
        proved=sum(item.is_proved for item in own),
        mistakes=sum(item.is_blunder for item in own),
        slow_wins=sum(item.is_slow_win for item in own),
    )
