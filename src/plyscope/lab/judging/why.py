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

S *wins by threats* after a reply of T if there is a chain (`forcing`), or if T threatens one line
and S, after taking that cell, wins by threats after every reply of T.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from plyscope.catalogue import checks_keywords
from plyscope.display import drawn, times
from plyscope.errors import OptionError
from plyscope.evaluation.terms import threat_cells
from plyscope.jsonable import by_name
from plyscope.lab.judging.forcing import Forcing, plays
from plyscope.lab.judging.review import solved_line
from plyscope.rules.game import (
    SIDES,
    GameLike,
    PositionLike,
    move_text,
    one_line,
    position_after,
    read_move,
    spoken,
)
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.rules.source import as_position
from plyscope.rules.tree import TreePosition
from plyscope.searching.limit import SearchStopped
from plyscope.searching.result import line_text
from plyscope.searching.score import plies_text
from plyscope.solving.answers import find_follow, find_pairs, game_data
from plyscope.solving.known import NOTHING, Proofs, proof_of, value_after
from plyscope.solving.verdict import Verdict
from plyscope.solving.verify import Game as Rules
from plyscope.solving.verify import follow_up

Kind = Literal[
    "line",
    "double",
    "stack",
    "squeeze",
    "fours",
    "three",
    "quiet",
    "follow",
    "column",
    "ending",
    "block",
    "safe",
    "pairs",
    "threat",
    "only",
    "refuted",
    "lost",
    "value",
    "unknown",
]
MAX_NAMED = 4
"""The most moves or cells that a sentence names."""
MAX_FOLLOWED_CELLS = 64
"""The most cells of a board on which answers in the same column or by pairs are searched for."""
NUMBERS = {2: "two", 3: "three", 4: "four"}


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
    kind: Kind
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
    reply: Reason | None = None
    """The reason for the opponent's reply, of a move that loses or is not the best."""

    _repr_html_ = drawn

    def __str__(self) -> str:
        return self.sentence

    def as_dict(self) -> dict[str, Any]:
        """Return the reason as JSON-ready data."""
        return by_name(self, reply=self.reply and self.reply.as_dict())

    @property
    def is_simple(self) -> bool:
        """Whether it says more than values that solvers prove."""
        last = self.reply if self.reply is not None else self
        return last.kind not in ("only", "value", "unknown", "refuted", "lost")


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
    result does not depend on the machine. Raises OptionError if the game is over, IllegalMoveError
    for a move that is not legal, and the errors of `parse`.

    >>> import plyscope as ps
    >>> found = ps.why("connect4 4455")
    >>> found.kind, found.move, found.cells
    ('double', 'c1', ('b1', 'f1'))
    >>> print(found)
    3 makes two threats at once, at b1 and f1: O can take only one of these cells.
    >>> print(ps.why("tictactoe a1", against="b1").reply.kind)
    fours
    """
    start = as_position(position, game)
    if start.is_over:
        raise OptionError(
            f"a reason on '{one_line(start)}'; expected a position in which the game goes on"
        )
    if not 0 < effort <= 1e6:
        raise OptionError(f"effort {effort}; expected a number above 0")
    told = [read_move(start, each) if isinstance(each, str) else each for each in (move, against)]
    for each in told:
        if each is not None:
            position_after(start, each)  # raises IllegalMoveError
    if told[1] is not None:
        return reason_for(start, told[1], effort=effort)
    return reason_for(start, told[0], effort=effort)


def reason_for(
    position: Any, move: Any = None, proofs: Proofs = NOTHING, effort: float = 1.0
) -> Reason:
    """Return the reason for a move, by default for the best one, with known `proofs`."""
    verdict = proof_of(position, proofs, effort)
    if move is None:
        move = _best(position, verdict)
    if move is None:
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
    if position.is_over or isinstance(position, TreePosition):
        return None
    return reason_for(position, verdict.best_moves[0], {position: verdict})


def _best(position: Any, verdict: Verdict | None) -> Any:
    """Return the best move that solvers know, else one that wins by threats, else the only one that
    does not lose at once."""
    if verdict is not None and verdict.best_moves:
        return verdict.best_moves[0]
    if not isinstance(position, Position) or not plays(position.game):
        return None
    try:
        forcing = Forcing(position.game)
        chain = forcing.chain(position)
        theirs = forcing.completions(position, 1 - position.side)
    except SearchStopped:
        return None
    if chain is not None:
        return chain[0]
    return theirs[0] if len(theirs) == 1 else None


@dataclass(frozen=True, kw_only=True)
class _Found:
    """A claim that was checked, with its clause: a verb phrase about the move."""

    kind: Kind
    clause: str
    claim: str
    checked: str
    cells: Sequence[int] = ()
    line: Sequence[Any] = ()
    """The line of play after the move."""


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
        if found is None and isinstance(self.position, Position) and plays(self.game):
            found = self._by_play()
        return self._told(found) if found is not None else self._by_values()

    def _told(self, found: _Found, sentence: str = "", reply: Reason | None = None) -> Reason:
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
            reply=reply,
        )

    def _by_rules(self) -> _Found | None:
        """Return the reason that the move ends the game with a win."""
        if self.after.winner != self.position.side:
            return None
        played = "the move was played"
        if not isinstance(self.after, Position) or self.game.misere:
            return _Found(
                kind="line", clause="wins at once", claim=f"{self.own} has won", checked=played
            )
        line = self.after.winning_line()
        cells = () if line is None else tuple(bits(line.mask))
        return _Found(
            kind="line",
            clause=f"completes a line: {self._cells(cells, len(cells))}",
            claim=f"{self.own} has won by a line",
            checked=played,
            cells=cells,
        )

    def _cells(self, cells: Sequence[int], most: int = MAX_NAMED) -> str:
        """Return the names of cells, such as `a1 b2`."""
        text = " ".join(self.game.format_cell(cell) for cell in cells[:most])
        return text if len(cells) <= most else f"{text} ..."

    def _and(self, cells: Sequence[int]) -> str:
        """Return the names of a few cells, such as `a1 and b2`."""
        names = [self.game.format_cell(cell) for cell in cells]
        return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))

    def _by_play(self) -> _Found | None:
        """Return the reason that is found by playing, None if there is none."""
        if self.after.is_over:
            return None
        tries = [self._at_once, self._by_threats] if self.value in (1, None) else []
        tries += [self._all_others_lose]
        if self.game.gravity and self.value != -1:
            tries += [self._by_columns]
        if self.value == 1:
            tries += [self._by_best_play]
        if not self.game.gravity and self.value == 0:
            tries += [self._by_pairs]
        tries += [self._threatens] if self.value is None else []
        if self.value == -1 or (self.verdict and self.verdict.value == 1 and self.value == 0):
            tries = []
        for search in tries:
            try:
                found = search(Forcing(self.game))
            except SearchStopped:
                continue
            if found is not None:
                return found
        return None

    def _at_once(self, forcing: Forcing) -> _Found | None:
        """Return a double threat, a threat above a threat, or that every reply allows a line."""
        after, own, other = self.after, self.own, self.other
        cells = forcing.completions(after, self.position.side)
        if forcing.completions(after, after.side):
            return None
        if not cells:
            lines = forcing.squeezed(after) if self.game.gravity else None
            return None if lines is None else self._squeeze(lines)
        after_each = f"after each of {times(len(after.moves), 'reply')} {own} completes a line"
        if len(cells) > 1:
            number = NUMBERS.get(len(cells), str(len(cells)))
            return _Found(
                kind="double",
                clause=f"makes {number} threats at once, at {self._and(cells)}: "
                f"{other} can take only one of these cells",
                claim=f"{other} completes no line; {after_each}",
                checked="the cells on which each side completes a line were counted",
                cells=cells,
                line=cells[:2],
            )
        rest = forcing.after(after, 1)
        if rest is None or not self.game.gravity:
            return None
        block, above = rest[0], rest[-1]
        return _Found(
            kind="stack",
            clause=f"makes a threat at {self._and([block])}, and one above it: {other} has to take "
            f"{self._and([block])}, and then {own} completes a line at {self._and([above])}",
            claim=f"{other} completes no line; {after_each}",
            checked="the forced reply was played",
            cells=(block, above),
            line=rest,
        )

    def _squeeze(self, lines: dict[int, int]) -> _Found:
        cells = sorted(set(lines.values()))
        where = self._and(cells) if len(cells) <= MAX_NAMED else f"one of {len(cells)} cells"
        each = "its one move" if len(lines) == 1 else f"each of its {len(lines)} moves"
        return _Found(
            kind="squeeze",
            clause=f"leaves {self.other} without a safe move: {each} lets {self.own} complete a "
            f"line at {where.replace(' and ', ' or ')}",
            claim=f"after each move of {self.other}, which completes no line, {self.own} completes "
            "one",
            checked=f"{times(len(lines), 'reply')} played",
            cells=cells,
            line=next(iter(lines.items())),
        )

    def _by_threats(self, forcing: Forcing) -> _Found | None:
        """Return a win by threats that leave one reply each, or one against every reply."""
        own, other, after = self.own, self.other, self.after
        rest = forcing.after(after)
        if rest is not None:
            chain = (self.move, *rest)
            played = " ".join(spoken(self.game, name) for name in line_text(self.position, chain))
            return _Found(
                kind="fours",
                clause=f"wins by {len(chain) // 2} threats, each of which leaves {other} one reply"
                f" at most: {played}",
                claim=f"in {played}, no reply of {other} but those played stops {own}'s lines",
                checked=f"{times(len(chain), 'move')} played, with every line that is threatened",
                cells=chain[::2],
                line=rest,
            )
        replies = forcing.against_all(after)
        if replies is None:
            return None
        passed = forcing.chain(after._replace(side=self.position.side))
        is_three = passed is not None and len(passed) == 3
        longest = max(replies.items(), key=lambda item: len(item[1]))
        count = times(len(replies), "reply")
        told: dict[str, Any] = {
            "claim": f"after each of {count} {own} wins by threats that leave one reply each, "
            f"after taking the cell of a line that {other} threatens",
            "checked": f"{count} played, and a win by threats found after each",
            "line": (longest[0], *longest[1]),
        }
        none = f"none of {other}'s {count} stops {own} from winning by threats"
        if len(replies) == 1:
            none = f"after {other}'s only reply {own} wins by threats"
        if passed is None:
            return _Found(kind="quiet", clause=f"wins: {none}", **told)
        if is_three:
            then = after._replace(side=self.position.side)
            cells = forcing.completions(self.game.play(then, passed[0]), self.position.side)
            what = "threats at once" if len(cells) > 1 else "threats, one above the other"
            clause = f"threatens {self._and(passed[:1])}, which makes two {what}; {none}"
            return _Found(kind="three", clause=clause, cells=passed, **told)
        line = self._cells(passed[::2], MAX_NAMED)
        clause = f"threatens to win by threats alone, with {line}; {none}"
        return _Found(kind="quiet", clause=clause, cells=passed[::2], **told)

    def _all_others_lose(self, forcing: Forcing) -> _Found | None:
        """Return that all other moves let the other side complete a line at once."""
        position, other = self.position, self.other
        after, game = self.after, self.game
        others = [move for move in position.moves if move != self.move]
        if not others or forcing.completions(after, after.side):
            return None
        cells = set()
        for move in others:
            then = game.play(position, move)
            theirs = forcing.completions(then, 1 - position.side)
            if then.winner is not None or not theirs:
                return None
            cells.add(theirs[0])
        told: dict[str, Any] = {
            "claim": f"after each other move, {len(others)} in all, {other} completes a line, and "
            f"after {self.name} it does not",
            "checked": f"{times(len(others) + 1, 'move')} played",
        }
        threats = forcing.completions(position, 1 - position.side)
        if threats == [self.move]:
            clause = f"blocks the cell where {other} would complete a line"
            return _Found(kind="block", clause=clause, cells=threats, **told)
        is_one = len(others) == 1
        return _Found(
            kind="safe",
            clause=f"is the only safe move: after {'the other' if is_one else 'any other'} "
            f"{other} completes a line at {self._or(sorted(cells))}",
            cells=sorted(cells),
            **told,
        )

    def _or(self, cells: Sequence[int]) -> str:
        if len(cells) > MAX_NAMED:
            return f"one of {len(cells)} cells"
        return self._and(cells).replace(" and ", " or ")

    def _by_columns(self, forcing: Forcing) -> _Found | None:
        """Return that answers in the same column win, or hold the draw."""
        position, game, side = self.after, self.game, self.position.side
        if game.size > MAX_FOLLOWED_CELLS or forcing.completions(position, position.side):
            return None
        rules = Rules(game_data(game))
        stones = position.first, position.second
        least = self.value or 0
        cells = find_follow(rules, stones, side, least)
        if cells is None:
            return None
        own, other = self.own, self.other
        pairs = list(zip(cells[::2], cells[1::2], strict=True))
        also = "".join(f", {self._and([one])} by {self._and([to])}" for one, to in pairs)
        but = f" ({also[2:]} and the reverse)" if pairs else ""
        lit, result = (
            self._lit(position, side, cells) if least else (cells, f"{other} completes no line")
        )
        return _Found(
            kind="follow",
            clause=f"lets {own} answer every move of {other} in the same column{but}: {result}",
            claim=f"with these answers {other} completes no line"
            + (f", and {own} completes one" if least else ""),
            checked="the cells that each side gets were compared with all lines (`verify`)",
            cells=lit,
        )

    def _lit(
        self, position: Position, side: int, named: Sequence[int]
    ) -> tuple[Sequence[int], str]:
        """Return the cells of a win by answers in the same column, and what they lead to."""
        rules, taken, own = Rules(game_data(self.game)), position.first | position.second, self.own
        winning = []
        for column in self.game.columns:
            empty = [cell for cell in column if not taken >> cell & 1]
            empty = empty[1:] if empty[:1] and empty[0] in named else empty
            upper, _, is_won = follow_up(rules, empty, position.stones(side))
            winning += [max(bits(upper), key=empty.index)] if is_won else []
        if not winning:
            return (), f"{self.other} completes no line, and {own} completes one at the end"
        where = self._or(winning)
        return winning, f"{own} completes a line at {where} once the other columns are full"

    def _by_best_play(self, forcing: Forcing) -> _Found | None:
        """Return how a proved win ends in a line of best play: the other side has no safe move, or
        cannot stop two threats."""
        position, side = self.after, self.position.side
        if self.plies is None:
            return None
        line = solved_line(position, self.proofs, self.plies - 1)
        if len(line) != self.plies - 1 or position.play(*line).winner != side:
            return None
        end = position.play(*line[:-2])
        lines = forcing.squeezed(end) if self.game.gravity else None
        cell, own, other = line[-1], self.own, self.other
        in_plies = plies_text(self.plies)
        told: dict[str, Any] = {
            "checked": f"{times(len(line) + 1, 'position')} of the line solved",
            "line": line,
        }
        claim = f"the move wins in {in_plies}; in one line of best play, each move best by plies, "
        if lines is None:
            cells = forcing.completions(end, side)
            if len(cells) == 1:
                block, *_, above = forcing.after(end, 1) or (cell, cell)
                cells = [block, above]
                how = f"a threat at {self._and(cells[:1])} and one above it"
            else:
                how = f"threats at {self._and(cells)}"
            return _Found(
                kind="ending",
                clause=f"wins in {in_plies}: best play ends with {how}",
                claim=f"{claim}{own} has {how} before the last two moves",
                cells=cells,
                **told,
            )
        name, is_one = self._and([cell]), len(lines) == 1
        left = "all other columns are full" if is_one else "no other move is safe"
        stands = threat_cells(position, side) >> cell & 1
        threat = f"{own}'s threat at {name}" if stands else f"a line of {own}'s at {name}"
        return _Found(
            kind="column",
            clause=f"wins in {in_plies} by {threat}: in best play {other} has to play below it "
            f"once {left}",
            claim=f"{claim}{own} completes a line at {name} after {other} played below it, when "
            + ("it had no other move" if is_one else "each of its moves allowed a line"),
            cells=(cell,),
            **told,
        )

    def _by_pairs(self, forcing: Forcing) -> _Found | None:
        """Return pairs of cells by which the side completes a draw."""
        position, side = self.after, self.position.side
        if self.game.size > MAX_FOLLOWED_CELLS:
            return None
        open_ = [mask for mask in self.game.masks if not mask & position.stones(side)]
        pairs = find_pairs(position, side) if open_ else ()
        if pairs is None:
            return None
        own, other = self.own, self.other
        told = " ".join(f"{self._cells((one,))}–{self._cells((to,))}" for one, to in pairs)
        clause = f"holds: when {other} takes one cell of a pair, {own} takes the other, so {other} "
        clause += f"completes no line: {told}"
        return _Found(
            kind="pairs",
            clause=clause if pairs else f"holds: no line is left that {other} could complete",
            claim=f"each line without a stone of {own} has both cells of a pair, and no two pairs "
            "share a cell",
            checked="every line compared with the pairs",
            cells=[cell for pair in pairs for cell in pair],
        )

    def _threatens(self, forcing: Forcing) -> _Found | None:
        """Return a threat that the other side has to answer."""
        cells = forcing.completions(self.after, self.position.side)
        if not cells or forcing.completions(self.after, self.after.side):
            return None
        return _Found(
            kind="threat",
            clause=f"threatens a line at {self._or(cells)}, where {self.other} has to answer",
            claim=f"{self.other} completes no line at once; {self.own} does unless it is stopped",
            checked="the cells on which each side completes a line were counted",
            cells=cells,
            line=cells[:1],
        )

    def _by_values(self) -> Reason:
        """Return what solvers prove: that other moves are worse, the refutation, or the value."""
        if self.value is None:
            return self._told(
                _Found(
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
                _Found(
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
        return self._told(_Found(kind="value", clause=clause, claim=claim, **told))

    def _proved(self) -> dict[str, Any]:
        """Return how the value was checked."""
        known = self.verdict or proof_of(self.after, self.proofs, self.effort)
        return {"checked": "" if known is None else f"{known.method}: {known.proof}"}

    def _in_plies(self) -> str:
        return f" in {plies_text(self.plies)}" if self.value and self.plies else ""

    def _refuted(self, best: int | None) -> Reason:
        """Return why the move loses, or only draws: the reply, and the reason for it."""
        is_lost = best == -1
        kind: Kind = "lost" if is_lost else "refuted"
        after = self.after
        reply = None
        if not after.is_over and after.side != self.position.side:
            reply = reason_for(after, None, self.proofs, self.effort)
        if is_lost and len(self.position.moves) > 1:
            head = f"every move loses; {self.name} loses{self._in_plies()}"
            if self.verdict is not None and self.move in self.verdict.best_moves and self.plies:
                head = f"every move loses; {self.name} holds out longest{self._in_plies()}"
        else:
            head = f"{self.name} {'only draws' if self.value == 0 else 'loses'}{self._in_plies()}"
        found = _Found(
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
        clause = reply.sentence.removeprefix(f"{name} ").removesuffix(".")
        because = f", which {clause}" if reply.is_simple else ""
        sentence = f"{head}: {self.other} answers {name}{because}."
        told = self._told(found, sentence, reply)
        return replace(told, cells=reply.cells, line=(told.line[0], *reply.line))


WINNING = {"line", "double", "stack", "squeeze", "fours", "three", "quiet"}
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
