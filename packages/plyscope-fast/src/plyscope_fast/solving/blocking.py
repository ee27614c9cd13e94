"""The solver of draws on boards of any size: each side blocks all lines of the other.

If no two lines share more than one cell, as on a cube with lines from side to side, `matching`
searches the whole board.

The kernel of `lines` takes 64 cells. On other boards the defender uses only 64 cells, and all
others count as the attacker's from the start. If the defender blocks every line there, it does so
on the whole board, because further stones of the attacker's never help the defender. The converse
does not hold, so this solver proves draws and nothing else.

The defender also blocks all lines if they weigh little enough (Erdős and Selfridge 1973), whatever
the size of the board.

To choose the 64 cells, one cell after the other is given to the attacker, each time the one whose
lines weigh least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import Line, bits
from plyscope.rules.position import Position
from plyscope.searching.limit import SearchStopped
from plyscope.solving.accelerated import BLOCKING, LINES, MAX_CELLS
from plyscope.solving.ask import Ask
from plyscope.solving.verdict import Verdict, ended
from plyscope_fast.solving.lines import LinesSolver, solver_of
from plyscope_fast.solving.matching import Matcher, matcher_of, share_one_cell

BASE = 1.5
"""A line weighs BASE times as much as one with one more cell left. With 1.5, 9,9,6 takes less than
a quarter of the nodes that it takes with 2."""


def solve(ask: Ask) -> Verdict:
    """Return the verdict that a position is drawn; raise SearchStopped if it is not proved."""
    position, mover = ask.position, ask.position.side
    if position.is_over:
        return ended(position)
    other, own, best = Blocker(position, 1 - mover), None, None
    if other.holds(ask, position.stones(mover), position.stones(1 - mover)):
        own = Blocker(position, mover)
        best = own.reply(ask, position.stones(1 - mover), position.stones(mover))
    if own is None or best is None:
        raise SearchStopped("no draw was proved, which proves no win")
    solvers = {each.solver for each in (other, own) if each.solver is not None}
    before = ask.spent.used
    return Verdict(
        position=position,
        value=0,
        best_moves=(best,),
        method=BLOCKING.name,
        proof="each side blocks all lines of the other",
        nodes=sum(solver.nodes - before.get(solver, solver.nodes) for solver in solvers),
        seconds=ask.spent.seconds,
        megabytes=sum(solver.megabytes for solver in solvers),
    )


class Blocker:
    """A side, the defender, that blocks all lines of the other, the attacker, in `position` and the
    positions after it, whatever its own lines are. If `ask` is about the weak game, the tables of
    its solver are used."""

    def __init__(self, position: Position, defender: int, ask: Ask | None = None) -> None:
        self.game = game = replace(position.game, exactly=False)  # longer lines are blocked too
        self.solver: LinesSolver | Matcher | None = None
        """The solver of the cells that the defender uses; None if there is no choice of MAX_CELLS
        cells with two of each line."""
        self.cells: tuple[int, ...] = ()
        """The cells of the board that the cells of the solver's game are; empty if they are the
        same."""
        if ask is not None and ask.maker_breaker and LINES.plays(position):
            self.solver = solver_of(ask)
            return
        if game.size > MAX_CELLS and share_one_cell(game.masks):
            self.solver = matcher_of(game).emptied()
            return
        if game.size > MAX_CELLS or not LINES.plays(game.start()):
            own, other = position.stones(defender), position.stones(1 - defender)
            lines = _with_fewer_cells([mask & ~other for mask in game.masks if not mask & own])
            if not lines:
                return
            self.cells = tuple(sorted({cell for line in lines for cell in bits(line)}))
            given = tuple(Line(self._inside(line), "row") for line in lines)
            game = LineGame(f"part of {game.name}", (len(self.cells),), given)
        self.solver = LinesSolver(game, weak=True)

    def holds(self, ask: Ask, attack: int, defence: int) -> bool:
        """Return whether the defender, not to move, is shown to block all lines.

        Arguments and exceptions are as in `reply`.
        """
        if self._are_light(attack, defence):
            return True
        if self.solver is None:
            return False
        ask.use(self.solver)
        return self.solver.holds(ask, self._inside(attack), self._inside(defence))

    def reply(self, ask: Ask, attack: int, defence: int) -> int | None:
        """Return a move with which the defender blocks all lines, None if none is found.

        `attack` and `defence` are the stones. Raises SearchStopped, Late and KeyboardInterrupt.
        """
        if self.solver is None or self.cells:
            heaviest = self._light_reply(attack, defence)
            if heaviest is not None:
                return heaviest
        if self.solver is None:
            return None
        ask.use(self.solver)
        cell = self.solver.reply(ask, self._inside(attack), self._inside(defence))
        return self.cells[cell] if self.cells and cell is not None else cell

    def holding_reply(self, attack: int, defence: int) -> tuple[int, list[tuple[int, int]]] | None:
        """Return a move of the defender and the pairs with which it blocks all lines after it, or
        no pairs if the lines weigh little enough; None if none is found.

        The solver of games in which no two lines share more than one cell finds pairs at once, so
        it is not asked.
        """
        if not isinstance(self.solver, LinesSolver):
            return None
        if self.cells and (heaviest := self._light_reply(attack, defence)) is not None:
            return heaviest, []
        found = self.solver.holding_reply(self._inside(attack), self._inside(defence))
        if found is None or not self.cells:
            return found
        cell, pairs = found
        return (self.cells[cell], self._outside(pairs)) if pairs else None

    def pairs(
        self, attack: int, defence: int, unwanted: Sequence[int] = ()
    ) -> list[tuple[int, int]] | None:
        """Return disjoint pairs of cells such that every line that the attacker could still
        complete contains one; None if none are found.

        If no two lines share more than one cell, the pairs leave out cells of the sets `unwanted`:
        as many as possible of the last one, then of those before.
        """
        if self.solver is None:
            return None
        if isinstance(self.solver, Matcher):
            return self.solver.pairs(attack, defence, unwanted)
        pairs = self.solver.pairs(self._inside(attack), self._inside(defence))
        return pairs if pairs is None or not self.cells else self._outside(pairs)

    def _outside(self, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return pairs of the solver's cells as pairs of cells of the board."""
        return [(self.cells[one], self.cells[other]) for one, other in pairs]

    def _inside(self, stones: int) -> int:
        """Return a set of cells of the board as a set of the solver's cells."""
        if not self.cells:
            return stones
        return sum(1 << at for at, cell in enumerate(self.cells) if stones >> cell & 1)

    def _light_reply(self, attack: int, defence: int) -> int | None:
        """Return the cell whose lines weigh most if the defender, who takes it, then blocks all
        lines by their weights; else None."""
        heaviest = max(
            bits(self.game.board & ~(attack | defence)),
            key=lambda cell: self._weight(self.game.masks_through[cell], attack, defence),
        )
        return heaviest if self._are_light(attack, defence | 1 << heaviest) else None

    def _are_light(self, attack: int, defence: int) -> bool:
        """Return whether the weights of the open lines show that the defender, not to move, blocks
        them all (Erdős and Selfridge 1973)."""
        return 2 * self._weight(self.game.masks, attack, defence) < 1 << self.game.longest_line

    def _weight(self, masks: Sequence[int], attack: int, defence: int) -> int:
        """Return the weight of those of these lines that the attacker could still complete."""
        longest = self.game.longest_line
        open_ = ((mask & ~attack).bit_count() for mask in masks if not mask & defence)
        return sum(1 << longest - missing for missing in open_)


def _with_fewer_cells(lines: list[int]) -> list[int] | None:
    """Return the lines with only MAX_CELLS of their cells, without those that contain another;
    None if a line would keep fewer than two, or is full: a row that is too long for exact lines."""
    if 0 in lines:
        return None
    through: dict[int, list[int]] = {}
    for index, line in enumerate(lines):
        for cell in bits(line):
            through.setdefault(cell, []).append(index)
    left = list(lines)
    weights = {
        cell: sum(BASE ** -left[index].bit_count() for index in through[cell])
        for cell in sorted(through)
    }
    while len(weights) > MAX_CELLS:
        given = min(weights, key=lambda cell: weights[cell])
        del weights[given]
        for index in through[given]:
            size = left[index].bit_count() - 1
            if size < 2:
                return None
            left[index] ^= 1 << given
            for cell in bits(left[index]):
                weights[cell] += BASE**-size - BASE ** -(size + 1)
    short = sorted(set(left), key=int.bit_count)
    return [line for at, line in enumerate(short) if all(line & one != one for one in short[:at])]
