"""Reasons for a move that are found by playing: threats, replies in the same column, and pairs.

S is the side that plays the move, T the other one. A *chain* is a line of play in which S moves
first and last, each move of T is its only one that does not let S complete a line in the next
move, and S completes a line at the end. So a chain is a win against every reply. Everything is
found by playing, in plain Python, and within a limit of line tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from plyscope.display import times
from plyscope.evaluation.terms import threat_cells
from plyscope.extras import lacking_for_kernels, load
from plyscope.rules.game import SIDES, spoken
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.searching.limit import NO_LIMIT, SearchStopped
from plyscope.searching.result import line_text
from plyscope.searching.score import plies_text
from plyscope.solving.verify import Game as Rules
from plyscope.solving.verify import follow_up

if TYPE_CHECKING:
    from plyscope_fast.solving.signs import Signs

MAX_LINE_TESTS = 3_000_000
"""The most lines that are tested for a reason: about half a second."""
MAX_THREATS = 14
"""The most moves of S in a chain."""
MAX_BLOCKS = 3
"""The most threats of T in a row that S answers before its own chain."""
MAX_NAMED = 4
"""The most cells that a sentence names one by one."""
NUMBERS = {2: "two", 3: "three", 4: "four"}
MAX_PAIRED_CELLS = 64
"""The most cells of a board on which answers in the same column or by pairs are searched for."""

PROOF, SIGNS = "plyscope_fast.solving.proof", "plyscope_fast.solving.signs"

Chain = tuple[int, ...]
"""The moves of both sides, S first."""


class Found(NamedTuple):
    """A claim that was checked, with its clause: a verb phrase about the move."""

    kind: str
    clause: str
    claim: str
    checked: str
    cells: Sequence[int] = ()
    line: Sequence[int] = ()
    """The line of play after the move."""
    signs: Signs | None = None
    """The signs by which the side that plays the move goes on."""


WINNING = {"double", "stack", "squeeze", "fours", "three", "quiet"}
"""The kinds that prove a win against every reply."""
BestPlay = Callable[[int], Sequence[int]]
"""A function that returns at most so many moves of best play after the move."""


def reason(
    position: Position, move: int, value: int | None, plies: int | None, best_play: BestPlay
) -> Found | None:
    """Return the first reason for a move, None if there is none; the game goes on after the move.

    `value` and `plies` are those of the move, as far as they are proved; it does not lose.
    """
    asked = _Asked(position, move, value)
    wins = (asked.at_once, asked.by_threats) if value in (1, None) else ()
    keeps = (asked.all_others_lose, asked.by_columns if position.game.gravity else asked.by_pairs)
    for search in (*wins, *keeps, asked.by_signs):
        try:
            found: Found | None = search()
        except SearchStopped:
            continue
        if found is not None:
            return found
    if value == 1 and plies is not None:
        return asked.by_best_play(plies, best_play(plies - 1))
    return asked.threatens() if value is None else None


def winning_move(position: Position) -> int | None:
    """Return the first move of a chain of the side to move, None if none is found."""
    try:
        chain = Forcing(position.game).chain(position)
    except SearchStopped:
        return None
    return None if chain is None else chain[0]


def _kernels(module: str) -> Any:
    """Return a module that calls kernels, None where none can run."""
    return None if lacking_for_kernels()[0] else load(module, "a reason", "fast")


class Forcing:
    """The search for chains in one game, within a limit of line tests.

    Its functions raise SearchStopped beyond the limit.
    """

    def __init__(self, game: LineGame, line_tests: int = MAX_LINE_TESTS) -> None:
        self.game, self.left = game, line_tests
        self._failed: dict[tuple[int, int, int], int] = {}

    def completions(self, position: Position, side: int) -> list[int]:
        """Return the cells on which `side` would complete a line if it were to move."""
        self.left -= len(self.game.masks)
        if self.left < 0:
            raise SearchStopped("nodes")
        own, taken = position.stones(side), position.first | position.second
        cells = bits(threat_cells(position, side) & self.game.landing(taken))
        return [c for c in cells if not self.game.exactly or self.game.completes(own | 1 << c, c)]

    def chain(self, position: Position, most: int = MAX_THREATS) -> Chain | None:
        """Return a chain with the fewest moves of S, which is to move; None if there is none."""
        found = (self._chain(position, threats) for threats in range(most + 1))
        return next((chain for chain in found if chain is not None), None)

    def after(self, after: Position, most: int = MAX_THREATS) -> Chain | None:
        """Return the rest of a chain after a move of S, a threat; None if there is none."""
        found = (self._rest(after, threats) for threats in range(most + 1))
        return next((chain for chain in found if chain is not None), None)

    def against_all(self, after: Position, blocks: int = MAX_BLOCKS) -> dict[int, Chain] | None:
        """Return a line of S by each reply of T, which is to move; None if one reply has none.

        The line is a chain, or blocks a threat of T and wins in the same way after that.
        """
        if self.completions(after, after.side):
            return None
        passed = self.chain(after._replace(side=1 - after.side))
        if passed is None and not self.game.gravity:
            return None  # a stone of T never helps S
        found = {}
        moves = sorted(after.moves, key=lambda move: passed is None or move not in passed)
        for reply in moves:
            then = self.game.play(after, reply)
            line = None if then.is_over else self._answer(then, passed, blocks)
            if line is None:
                return None
            found[reply] = line
        return found or None

    def _answer(self, position: Position, passed: Chain | None, blocks: int) -> Chain | None:
        """Return a line of S, to move after a reply of T; first try the chain without the reply."""
        if passed is not None and self.holds(position, passed):
            return passed
        found = self.chain(position)
        threats = self.completions(position, 1 - position.side) if found is None else []
        if len(threats) != 1 or not blocks:
            return found
        after = self.game.play(position, threats[0])
        if after.is_over:
            return None
        return (threats[0],) if self.against_all(after, blocks - 1) is not None else None

    def holds(self, position: Position, chain: Chain) -> bool:
        """Return whether a line of play is a chain in this position."""
        side = position.side
        for at, cell in enumerate(chain):
            if cell not in self.legal(position):
                return False
            position = self.game.play(position, cell)
            if position.winner is not None:
                return position.winner == side and at == len(chain) - 1
            if at % 2 == 0:
                own = self.completions(position, side)
                last = at == len(chain) - 3 and len(own) > 1
                if self.completions(position, 1 - side) or not (len(own) == 1 or last):
                    return False
                if chain[at + 1] not in own:
                    return False
        return False

    def legal(self, position: Position) -> list[int]:
        """Return the cells on which a stone can be placed."""
        return list(bits(self.game.landing(position.first | position.second)))

    def _chain(self, position: Position, threats: int) -> Chain | None:
        """Return a chain with at most `threats` moves before the last one of S, which is to
        move."""
        side = position.side
        own = self.completions(position, side)
        if own:
            return (own[0],)
        key = position.first, position.second, side
        if threats <= self._failed.get(key, 0):
            return None
        theirs = self.completions(position, 1 - side)
        moves = theirs if len(theirs) == 1 else [] if theirs else self._threatening(position)
        for move in moves:
            after = self.game.play(position, move)
            rest = None if after.is_over else self._rest(after, threats)
            if rest is not None:
                return (move, *rest)
        self._failed[key] = threats
        return None

    def _rest(self, after: Position, threats: int) -> Chain | None:
        """Return the rest of a chain after a move of S, with at most `threats` moves of S before
        the last one, this move counted."""
        side = 1 - after.side
        own = self.completions(after, side)
        if not own or self.completions(after, after.side):
            return None
        if len(own) > 1:
            return own[0], own[1]
        then = self.game.play(after, own[0])
        rest = None if then.is_over else self._chain(then, threats - 1)
        return None if rest is None else (own[0], *rest)

    def _threatening(self, position: Position) -> list[int]:
        """Return the moves after which S may complete a line: without gravity, those on a line that
        lacks two cells."""
        if self.game.gravity:
            return list(position.moves)
        own, other = position.stones(position.side), position.stones(1 - position.side)
        self.left -= len(self.game.masks)
        cells = 0
        for mask in self.game.masks:
            left = mask & ~own
            if left.bit_count() == 2 and not left & other:
                cells |= left
        return list(bits(cells))


def names(game: LineGame, cells: Sequence[int]) -> str:
    """Return the names of a few cells, such as `a1 and b2`."""
    told = [game.format_cell(cell) for cell in cells]
    return " and ".join(filter(None, (", ".join(told[:-1]), *told[-1:])))


def either(game: LineGame, cells: Sequence[int]) -> str:
    """Return the names of cells as alternatives, or their number."""
    if len(cells) > MAX_NAMED:
        return f"one of {len(cells)} cells"
    return names(game, cells).replace(" and ", " or ")


class _Asked:
    """A question: the reason for a move."""

    def __init__(self, position: Position, move: int, value: int | None) -> None:
        self.position, self.move, self.value = position, move, value
        self.game = position.game
        self.after = self.game.play(position, move)
        self.own, self.other = (SIDES[side].upper() for side in (position.side, 1 - position.side))
        self.name = spoken(self.game, self.game.format_cell(move))
        self.completions = Forcing(self.game, NO_LIMIT).completions

    def _squeezed(self, position: Position) -> dict[int, int] | None:
        """Return the cell on which the other side completes a line by each move, where it has none
        now and neither side completes one at once; else None."""
        side = 1 - position.side
        if any(self.completions(position, each) for each in (0, 1)) or not self.game.gravity:
            return None
        after = {move: self.game.play(position, move) for move in position.moves}
        found = {move: self.completions(then, side) for move, then in after.items()}
        return {move: own[0] for move, own in found.items()} if all(found.values()) else None

    def _above(self, position: Position) -> list[int]:
        """Return the cell of the only threat of the side that has moved, and a cell on which it
        completes a line after the other side has taken that one; [] if there is none."""
        own = self.completions(position, 1 - position.side)
        then = self.game.play(position, own[0])
        return [*own, *self.completions(then, 1 - position.side)[:1]] if len(own) == 1 else []

    def at_once(self) -> Found | None:
        """Return a double threat, a threat above a threat, or that every reply allows a line."""
        after, own, other = self.after, self.own, self.other
        cells = self.completions(after, self.position.side)
        if self.completions(after, after.side):
            return None
        if not cells:
            lines = self._squeezed(after)
            return None if lines is None else self._squeeze(lines)
        after_each = f"after each of {times(len(after.moves), 'reply')} {own} completes a line"
        if len(cells) > 1:
            number = NUMBERS.get(len(cells), str(len(cells)))
            return Found(
                kind="double",
                clause=f"makes {number} threats at once, at {names(self.game, cells)}: "
                f"{other} can take only one of these cells",
                claim=f"{other} completes no line; {after_each}",
                checked="the cells on which each side completes a line were counted",
                cells=cells,
                line=cells[:2],
            )
        rest = self._above(after)
        if len(rest) < 2 or not self.game.gravity:
            return None
        block, above = rest
        low, high = map(self.game.format_cell, rest)
        return Found(
            kind="stack",
            clause=f"makes a threat at {low}, and one above it: {other} has to take {low}, and "
            f"then {own} completes a line at {high}",
            claim=f"{other} completes no line; {after_each}",
            checked="the forced reply was played",
            cells=(block, above),
            line=(block, above),
        )

    def _squeeze(self, lines: dict[int, int]) -> Found:
        cells = sorted(set(lines.values()))
        each = "its one move" if len(lines) == 1 else f"each of its {len(lines)} moves"
        return Found(
            kind="squeeze",
            clause=f"leaves {self.other} without a safe move: {each} lets {self.own} complete a "
            f"line at {either(self.game, cells)}",
            claim=f"after each move of {self.other}, which completes no line, {self.own} completes "
            "one",
            checked=f"{times(len(lines), 'reply')} played",
            cells=cells,
            line=next(iter(lines.items())),
        )

    def all_others_lose(self) -> Found | None:
        """Return that all other moves let the other side complete a line at once."""
        position, other = self.position, self.other
        after, game = self.after, self.game
        others = [move for move in position.moves if move != self.move]
        if not others or self.completions(after, after.side):
            return None
        cells = set()
        for move in others:
            then = game.play(position, move)
            theirs = self.completions(then, 1 - position.side)
            if then.winner is not None or not theirs:
                return None
            cells.add(theirs[0])
        told: dict[str, Any] = {
            "claim": f"after each other move, {len(others)} in all, {other} completes a line, and "
            f"after {self.name} it does not",
            "checked": f"{times(len(others) + 1, 'move')} played",
        }
        threats = self.completions(position, 1 - position.side)
        if threats == [self.move]:
            clause = f"blocks the cell where {other} would complete a line"
            return Found(kind="block", clause=clause, cells=threats, **told)
        is_one = len(others) == 1
        return Found(
            kind="safe",
            clause=f"is the only safe move: after {'the other' if is_one else 'any other'} "
            f"{other} completes a line at {either(self.game, sorted(cells))}",
            cells=sorted(cells),
            **told,
        )

    def by_best_play(self, plies: int, line: Sequence[int]) -> Found | None:
        """Return how a proved win ends in a line of best play: the other side has no safe move, or
        cannot stop two threats."""
        position, side = self.after, self.position.side
        if len(line) != plies - 1 or position.play(*line).winner != side:
            return None
        end = position.play(*line[:-2])
        lines = self._squeezed(end)
        cell, own, other = line[-1], self.own, self.other
        in_plies = plies_text(plies)
        told: dict[str, Any] = {
            "checked": f"{times(len(line) + 1, 'position')} of the line solved",
            "line": line,
        }
        claim = f"the move wins in {in_plies}; in one line of best play, each move best by plies, "
        if lines is None:
            cells = self.completions(end, side)
            if len(cells) == 1:
                cells = self._above(end)
                how = f"a threat at {names(self.game, cells[:1])} and one above it"
            else:
                how = f"threats at {names(self.game, cells)}"
            return Found(
                kind="ending",
                clause=f"wins in {in_plies}: best play ends with {how}",
                claim=f"{claim}{own} has {how} before the last two moves",
                cells=cells,
                **told,
            )
        name, is_one = names(self.game, [cell]), len(lines) == 1
        left = "all other columns are full" if is_one else "no other move is safe"
        stands = threat_cells(position, side) >> cell & 1
        threat = f"{own}'s threat at {name}" if stands else f"a line of {own}'s at {name}"
        return Found(
            kind="column",
            clause=f"wins in {in_plies} by {threat}: in best play {other} has to play below it "
            f"once {left}",
            claim=f"{claim}{own} completes a line at {name} after {other} played below it, when "
            + ("it had no other move" if is_one else "each of its moves allowed a line"),
            cells=(cell,),
            **told,
        )

    def threatens(self) -> Found | None:
        """Return a threat that the other side has to answer."""
        cells = self.completions(self.after, self.position.side)
        if not cells or self.completions(self.after, self.after.side):
            return None
        return Found(
            kind="threat",
            clause=f"threatens a line at {either(self.game, cells)}; {self.other} has to answer",
            claim=f"{self.other} completes no line at once; {self.own} does unless it is stopped",
            checked="the cells on which each side completes a line were counted",
            cells=cells,
            line=cells[:1],
        )

    def by_threats(self) -> Found | None:
        """Return a win by threats that leave one reply each, or one against every reply."""
        own, other, after = self.own, self.other, self.after
        forcing = Forcing(self.game)
        rest = forcing.after(after)
        if rest is not None:
            chain = (self.move, *rest)
            played = " ".join(spoken(self.game, name) for name in line_text(self.position, chain))
            return Found(
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
            return Found(kind="quiet", clause=f"wins: {none}", **told)
        if is_three:
            then = after._replace(side=self.position.side)
            cells = forcing.completions(self.game.play(then, passed[0]), self.position.side)
            what = "threats at once" if len(cells) > 1 else "threats, one above the other"
            clause = f"threatens {names(self.game, passed[:1])}, which makes two {what}; {none}"
            return Found(kind="three", clause=clause, cells=passed, **told)
        line = names(self.game, passed[::2])
        clause = f"threatens to win by threats alone, with {line}; {none}"
        return Found(kind="quiet", clause=clause, cells=passed[::2], **told)

    def by_columns(self) -> Found | None:
        """Return that answers in the same column win, or hold the draw."""
        position, game, side = self.after, self.game, self.position.side
        if game.size > MAX_PAIRED_CELLS or self.completions(position, position.side):
            return None
        proof = _kernels(PROOF)
        if proof is None:
            return None
        rules = Rules(proof.game_data(game))
        stones = position.first, position.second
        least = self.value or 0
        cells = proof.find_follow(rules, stones, side, least)
        if cells is None:
            return None
        own, other = self.own, self.other
        pairs = list(zip(cells[::2], cells[1::2], strict=True))
        also = "".join(
            f", {names(self.game, [one])} by {names(self.game, [to])}" for one, to in pairs
        )
        but = f" ({also[2:]} and the reverse)" if pairs else ""
        lit, result = (
            self._lit(rules, side, cells) if least else (cells, f"{other} completes no line")
        )
        return Found(
            kind="follow",
            clause=f"lets {own} answer every move of {other} in the same column{but}: {result}",
            claim=f"with these answers {other} completes no line"
            + (f", and {own} completes one" if least else ""),
            checked="the cells that each side gets were compared with all lines (`verify`)",
            cells=lit,
        )

    def by_signs(self) -> Found | None:
        """Return signs on the empty cells by which the side wins, or holds the draw."""
        module = _kernels(SIGNS)
        if self.value is None or module is None or not module.has_signs(self.game):
            return None
        signs = module.signs_for(self.after, self.position.side, self.value)
        if signs is None:
            return None
        own, other = self.own, self.other
        result = "completes a line" if self.value else f"keeps {other} from every line"
        return Found(
            kind="signs",
            clause=f"{'wins' if self.value else 'draws at least'} by these signs: {signs.said}",
            claim=f"{own} {result} against all moves of {other} if it completes a line, else "
            "blocks one, else obeys the least sign",
            checked=f"all moves of {other} played (`verify`)",
            line=signs.line(),
            signs=signs,
        )

    def _lit(self, rules: Rules, side: int, named: Sequence[int]) -> tuple[Sequence[int], str]:
        """Return the cells of a win by answers in the same column, and what they lead to."""
        position, own = self.after, self.own
        taken = position.first | position.second
        winning = []
        for column in self.game.columns:
            empty = [cell for cell in column if not taken >> cell & 1]
            empty = empty[1:] if empty[:1] and empty[0] in named else empty
            upper, _, is_won = follow_up(rules, empty, position.stones(side))
            winning += [max(bits(upper), key=empty.index)] if is_won else []
        if not winning:
            return (), f"{self.other} completes no line, and {own} completes one at the end"
        where = either(self.game, winning)
        return (
            winning,
            f"{own} completes a line at {where}, once the other columns are full at the latest",
        )

    def by_pairs(self) -> Found | None:
        """Return pairs of cells by which the side completes a draw."""
        position, side = self.after, self.position.side
        if self.game.size > MAX_PAIRED_CELLS or self.value != 0:
            return None
        open_ = [mask for mask in self.game.masks if not mask & position.stones(side)]
        proof = _kernels(PROOF)
        if open_ and proof is None:
            return None
        pairs = proof.find_pairs(position, side) if proof is not None and open_ else ()
        if pairs is None:
            return None
        own, other = self.own, self.other
        told = " ".join("–".join(map(self.game.format_cell, pair)) for pair in pairs)
        clause = f"holds: when {other} takes one cell of a pair, {own} takes the other, so {other} "
        clause += f"completes no line: {told}"
        return Found(
            kind="pairs",
            clause=clause if pairs else f"holds: no line is left that {other} could complete",
            claim=f"each line without a stone of {own} has both cells of a pair, and no two pairs "
            "share a cell",
            checked="every line compared with the pairs",
            cells=[cell for pair in pairs for cell in pair],
        )
