"""Wins by threats: each move threatens to complete a line and leaves the opponent one reply.

Everything here is found by playing, in line games in which completing a line wins and each turn is
one stone. S is the side that wins, T the other one. A *chain* is a line of play in which S moves
first and last, each move of T is its only one that does not let S complete a line in the next
move, and S completes a line at the end. So a chain is a win against every reply.
"""

from __future__ import annotations

from plyscope.lab.judging.tactics import LineTactics
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.searching.limit import SearchStopped

MAX_LINE_TESTS = 3_000_000
"""The most lines that are tested for a reason: about half a second."""
MAX_THREATS = 14
"""The most moves of S in a chain."""
MAX_BLOCKS = 3
"""The most threats of T in a row that S answers before its own chain."""

Chain = tuple[int, ...]
"""The moves of both sides, S first."""


def plays(game: object) -> bool:
    """Return whether chains are found in a game."""
    rules = {"torus", "gravity", "holes", "exactly"}
    return isinstance(game, LineGame) and game.alternates and game.variants <= rules


class Forcing:
    """The search for chains in one game, within a limit of line tests.

    Its functions raise SearchStopped beyond the limit.
    """

    def __init__(self, game: LineGame, line_tests: int = MAX_LINE_TESTS) -> None:
        self.game, self.tactics = game, LineTactics(game)
        self.left = line_tests
        self._failed: dict[tuple[int, int, int], int] = {}

    def completions(self, position: Position, side: int) -> list[int]:
        """Return the cells on which `side` would complete a line if it were to move."""
        self.left -= len(self.game.masks)
        if self.left < 0:
            raise SearchStopped("nodes")
        return sorted(self.tactics.wins(position._replace(side=side)))

    def chain(self, position: Position, most: int = MAX_THREATS) -> Chain | None:
        """Return a chain with the fewest moves of S, which is to move; None if there is none."""
        for threats in range(most + 1):
            found = self._chain(position, threats)
            if found is not None:
                return found
        return None

    def after(self, after: Position, most: int = MAX_THREATS) -> Chain | None:
        """Return the rest of a chain after a move of S, a threat; None if there is none."""
        for threats in range(most + 1):
            found = self._rest(after, threats)
            if found is not None:
                return found
        return None

    def squeezed(self, after: Position) -> dict[int, int] | None:
        """Return the cell on which S completes a line by each reply of T, which is to move; None if
        it does not after every reply, or if S threatens a line now."""
        side = 1 - after.side
        if self.completions(after, after.side) or self.completions(after, side):
            return None
        found = {}
        for reply in after.moves:
            own = self.completions(self.game.play(after, reply), side)
            if not own:
                return None
            found[reply] = own[0]
        return found or None

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
