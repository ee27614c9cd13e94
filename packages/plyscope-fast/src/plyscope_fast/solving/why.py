"""`why`: the reason for a move, a small claim that is checked before it is told.

The kinds, from simple to deep. S plays the move, T is the other side. A reason of a kind is given
only if all of this was found true.

    line        the move completes a line
    double      T completes no line at once, and S threatens several: T can take one cell only
    stack       with gravity: T has to take the cell of S's threat, and S completes a line above it
    squeeze     with gravity: T completes no line, and each move of T lets S complete one
    fours       S completes a line at the end of threats that leave T one reply each
    three       S threatens a double threat, and wins by threats after every reply of T
    quiet       the same if S threatens a longer chain of threats, or none
    follow      with gravity: S answers each stone in its own column, wins, and T completes no line
    signs       with gravity: signs on the empty cells say how S goes on, and T completes no line
    column      with gravity, a proved win: in one line of best play T runs out of safe moves
    ending      a proved win: one line of best play ends with two threats of S
    block       S takes the cell on which T would complete a line; all other moves lose at once
    safe        all other moves let T complete a line at once
    pairs       S takes one cell of a pair when T takes the other, so T completes no line
    threat      S threatens a line, and T completes none at once
    only        all other moves are worse, as solvers prove
    refuted     another move is better: the reply of T, and the reason for that reply
    lost        no move is better, and T wins: T's reply, and its reason
    value       a solver proves the value, and nothing above was found
    unknown     nothing was proved

S *wins by threats* after a reply of T if there is a chain (`plyscope_fast.solving.reasons`), or if
T threatens one line and S, after taking that cell, wins by threats after every reply of T.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from plyscope.display import drawn
from plyscope.errors import OptionError
from plyscope.jsonable import by_name
from plyscope.lab.judging.review import solved_line
from plyscope.lab.judging.tactics import tactics_in
from plyscope.rules.game import (
    SIDES,
    move_text,
    one_line,
    position_after,
    read_move,
    spoken,
)
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.rules.tree import TreePosition
from plyscope.searching.result import line_text
from plyscope.searching.score import plies_text
from plyscope.solving.known import NOTHING, Proofs, proof_of, value_after
from plyscope.solving.verdict import Verdict
from plyscope_fast.solving import reasons
from plyscope_fast.solving.reasons import Found

if TYPE_CHECKING:
    from plyscope_fast.solving.signs import Signs

MAX_NAMED = 4
"""The most moves that a sentence names."""


@dataclass(frozen=True, kw_only=True)
class Reason:
    """The reason for a move.

    >>> import plyscope as ps
    >>> print(ps.why("XX./OO./..."))
    c3 completes a line: a3 b3 c3.
    """

    position: Any
    move: str | None
    """The move; None if no best move is known."""
    kind: str
    """The kind of the claim; for `refuted` and `lost` see `reply`."""
    sentence: str
    cells: tuple[str, ...] = ()
    """The cells that the sentence is about."""
    line: tuple[str, ...] = ()
    """A line of play that shows it, beginning with the move."""
    claim: str
    """What was checked, in full."""
    checked: str
    """How it was checked."""
    value: int | None = None
    """The proved value of the move for the side that plays it; None if it is not proved."""
    plies: int | None = None
    """Plies to the end of the game with the move, if they are proved."""
    signs: Signs | None = None
    """The signs by which the side of `kind` `signs`, or the opponent after a move that loses or
    is not the best, goes on."""
    reply: Reason | None = None
    """The reason for the opponent's reply, of a move that loses or is not the best."""

    _repr_html_ = drawn

    def __str__(self) -> str:
        return self.sentence

    @property
    def clause(self) -> str:
        """The sentence without the name of the move and the stop."""
        name = spoken(self.position.game, self.move or "")
        return self.sentence.removeprefix(f"{name} ").removesuffix(".")

    def as_dict(self) -> dict[str, Any]:
        """Return the reason as JSON-ready data."""
        signs = self.signs and self.signs.as_dict()
        return by_name(self, signs=signs, reply=self.reply and self.reply.as_dict())

    @property
    def is_simple(self) -> bool:
        """Whether it says more than values that solvers prove."""
        last = self.reply if self.reply is not None else self
        return last.kind not in ("only", "value", "unknown", "refuted", "lost")


def why(position: Any, move: Any, effort: float) -> Reason:
    """Return the reason for a move, a text or the move itself, by default for the best one."""
    if position.is_over:
        raise OptionError(
            f"a reason on '{one_line(position)}'; expected a position in which the game goes on"
        )
    if position.game.scored or isinstance(position, TreePosition):
        raise OptionError(
            f"a reason on '{one_line(position)}'; expected a game that is won, drawn or lost"
        )
    if not 0 < effort <= 1e6:
        raise OptionError(f"effort {effort}; expected a number above 0")
    told = read_move(position, move) if isinstance(move, str) else move
    if told is not None:
        position.play(told)  # raises IllegalMoveError
    return reason_for(position, told, effort=effort)


def reason_for(
    position: Any, move: Any = None, proofs: Proofs = NOTHING, effort: float = 1.0
) -> Reason:
    """Return the reason for a move, by default for the best one, with known `proofs`."""
    verdict = proof_of(position, proofs, effort)
    if move is None:
        move = _best(position, verdict)
    if move is None or position.game.scored:
        return Reason(
            position=position,
            move=None,
            kind="unknown",
            sentence="No best move is proved here within the limits.",
            claim="",
            checked="solvers and searches for threats ended at their limits",
        )
    return _Asked(position, move, verdict, proofs, effort).answer()


def reason_of(verdict: Verdict) -> Reason | None:
    """Return the reason for the first best move of a verdict; None if it has none, of a finished
    game, of a tree, and of Maker–Breaker games."""
    position = verdict.position
    if verdict.value is None or verdict.maker_breaker or not verdict.best_moves:
        return None
    if position.is_over or position.game.scored or isinstance(position, TreePosition):
        return None
    return reason_for(position, verdict.best_moves[0], {position: verdict})


def _best(position: Any, verdict: Verdict | None) -> Any:
    """Return the best move that solvers know, else one that wins by threats, else the only one that
    does not lose at once."""
    if verdict is not None and verdict.best_moves:
        return verdict.best_moves[0]
    if not isinstance(position, Position) or not _is_plain(position.game):
        return None
    if (move := reasons.winning_move(position)) is not None:
        return move
    theirs = tactics_in(position.game).wins(position._replace(side=1 - position.side))
    return next(iter(theirs)) if len(theirs) == 1 else None


def _is_plain(game: object) -> bool:
    """Return whether reasons are found by playing in a game."""
    rules = {"torus", "gravity", "holes", "exactly"}
    if not isinstance(game, LineGame) or not game.alternates:
        return False
    return game.variants <= rules and all(mask & (mask - 1) for mask in game.masks)


class _Asked:
    """A question: the reason for a move."""

    def __init__(
        self, position: Any, move: Any, verdict: Verdict | None, proofs: Proofs, effort: float
    ) -> None:
        self.position, self.move, self.verdict = position, move, verdict
        self.proofs, self.effort = proofs, effort
        self.game = position.game
        self.after = position_after(position, move)
        self.own, self.other = SIDES[position.side].upper(), SIDES[1 - position.side].upper()
        self.name = spoken(self.game, move_text(position, move))
        self.value, self.plies = self._value_of_move()

    def _value_of_move(self) -> tuple[int | None, int | None]:
        """Return the proved value of the move and its plies to the end, as far as they are
        known."""
        known = self.verdict
        for item in known.moves or () if known is not None else ():
            if item.move == self.move:
                return item.value, item.distance
        if known is not None and (value := value_after(known, self.move)) is not None:
            return value, known.distance if self.move in known.best_moves else None
        after = proof_of(self.after, self.proofs, self.effort)
        if after is None or after.value is None or self.game.scored:
            return None, None
        value = after.value if self.after.side == self.position.side else -after.value
        return value, None if after.distance is None else after.distance + 1

    def answer(self) -> Reason:
        """Return the first reason that is found."""
        found = self._by_rules()
        if found is None and isinstance(self.position, Position) and _is_plain(self.game):
            found = self._by_play()
        return self._told(found) if found is not None else self._by_values()

    def _told(self, found: Found, sentence: str = "", reply: Reason | None = None) -> Reason:
        line = (self.move, *found.line)
        is_win = found.kind in WINNING
        return Reason(
            position=self.position,
            move=move_text(self.position, self.move),
            kind=found.kind,
            sentence=sentence or f"{self.name} {found.clause}.",
            cells=tuple(self.game.format_cell(cell) for cell in found.cells),
            line=tuple(line_text(self.position, line)),
            claim=found.claim,
            checked=found.checked,
            value=1 if is_win else self.value,
            plies=1 if found.kind == "line" else self.plies,
            signs=found.signs,
            reply=reply,
        )

    def _by_rules(self) -> Found | None:
        """Return the reason that the move ends the game with a win."""
        if self.after.winner != self.position.side:
            return None
        played = "the move was played"
        if not isinstance(self.after, Position) or self.game.misere:
            return Found(
                kind="line", clause="wins at once", claim=f"{self.own} has won", checked=played
            )
        line = self.after.winning_line()
        cells = () if line is None else tuple(bits(line.mask))
        return Found(
            kind="line",
            clause=f"completes a line: {' '.join(map(self.game.format_cell, cells))}",
            claim=f"{self.own} has won by a line",
            checked=played,
            cells=cells,
        )

    def _by_play(self) -> Found | None:
        """Return the reason that is found by playing, None if there is none."""
        best = None if self.verdict is None else self.verdict.value
        if self.after.is_over or self.value == -1 or (best == 1 and not self.value):
            return None

        def line(plies: int) -> Sequence[int]:
            return solved_line(self.after, self.proofs, plies)

        return reasons.reason(self.position, self.move, self.value, self.plies, line)

    def _by_values(self) -> Reason:
        """Return what solvers prove: that other moves are worse, the refutation, or the value."""
        if self.value is None:
            return self._told(
                Found(
                    kind="unknown",
                    clause="is not proved to win, to draw or to lose within the limits",
                    claim="",
                    checked="solvers ended at their limits",
                )
            )
        best = self.verdict.value if self.verdict is not None else None
        told = self._proved()
        if self.value == -1 or (best is not None and self.value < best):
            return self._refuted(best)
        known = self.verdict.moves or () if self.verdict is not None else ()
        others = [item for item in known if item.move != self.move]
        result = RESULTS[self.value]
        if others and all(item.value < self.value for item in others):
            worse = _worse(self.game, others)
            return self._told(
                Found(
                    kind="only",
                    clause=f"is the only move that {result}{self._in_plies()}: {worse}",
                    claim=f"the move {result}, and {worse}",
                    **told,
                )
            )
        if others and self.value == 0 and all(item.value == 0 for item in others):
            clause = "draws, as every move does"
        else:
            clause = f"{result}{self._in_plies()}; no simpler reason was found"
        if len(self.position.moves) == 1:
            clause = f"is the only legal move: it {result}{self._in_plies()}"
        claim = f"the move {result}{self._in_plies()}"
        return self._told(Found(kind="value", clause=clause, claim=claim, **told))

    def _proved(self) -> dict[str, Any]:
        """Return how the value was checked."""
        known = self.verdict or proof_of(self.after, self.proofs, self.effort)
        return {"checked": "" if known is None else f"{known.method}: {known.proof}"}

    def _in_plies(self) -> str:
        return f" in {plies_text(self.plies)}" if self.value and self.plies else ""

    def _refuted(self, best: int | None) -> Reason:
        """Return why the move loses, or only draws: the reply, and the reason for it."""
        is_lost = best == -1
        kind = "lost" if is_lost else "refuted"
        after = self.after
        reply = None
        if not after.is_over and after.side != self.position.side:
            reply = reason_for(after, None, self.proofs, self.effort)
        if is_lost and len(self.position.moves) > 1:
            head = f"every move loses; {self.name} loses{self._in_plies()}"
            if (
                self.verdict is not None
                and self.move in self.verdict.best_moves
                and self.plies
                and self.verdict.distance
            ):
                head = f"every move loses; {self.name} holds out longest{self._in_plies()}"
        else:
            head = f"{self.name} {'only draws' if self.value == 0 else 'loses'}{self._in_plies()}"
        found = Found(
            kind=kind,
            clause="",
            claim=f"the move {RESULTS[self.value or 0]}{self._in_plies()}",
            cells=(),
            **self._proved(),
        )
        head = head[:1].upper() + head[1:] if head.startswith("every") else head
        if reply is None or reply.move is None:
            return self._told(found, f"{head}.")
        name = spoken(self.game, reply.move)
        because = f", which {reply.clause}" if reply.is_simple else ""
        sentence = f"{head}: {self.other} answers {name}{because}."
        told = self._told(found, sentence, reply)
        return replace(told, cells=reply.cells, signs=reply.signs, line=(told.line[0], *reply.line))


WINNING = {"line", *reasons.WINNING}
"""The kinds that prove a win."""
RESULTS = {1: "wins", 0: "draws", -1: "loses"}


def _worse(game: Any, others: Sequence[Any]) -> str:
    """Return what the other moves do: `1 and 2 draw, 3 loses`."""
    parts = []
    for value in (0, -1):
        items = [item for item in others if item.value == value]
        names = [spoken(game, item.text) for item in items]
        if not names:
            continue
        verb = RESULTS[value].removesuffix("s") if len(names) > 1 else RESULTS[value]
        text = " ".join(names) if len(names) <= MAX_NAMED else f"{len(names)} others"
        plies = [item.distance for item in items]
        most = None if None in plies or not value else max(plies)
        text += f" {verb}" + ("" if most is None else f" in at most {plies_text(most)}")
        parts.append(text)
    return ", ".join(parts)
