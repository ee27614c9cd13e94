"""Threats: empty cells that complete a line, and moves that make two such cells.

    kind    the empty cell                                   also called
    line    completes a line at once                         four (of five in a row)
    double  makes two cells that complete a line             open three, fork
    odd     completes a line later, when it is playable;     odd threat
            in an odd row from the bottom
    even    the same in an even row                          even threat

Lines of one cell are no threats, and misère games have none. Doubles are not counted if a turn has
several stones, and neither with Caro's rule, by which one stone may stop both cells.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

from plyscope.evaluation.terms import ODD, row_parity
from plyscope.rules.game import FIRST
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position

Kind = Literal["line", "double", "odd", "even"]


@dataclass(frozen=True, kw_only=True)
class Threat:
    """A threat of one side on an empty cell.

    >>> import plyscope as ps
    >>> [each.cell for each in threats(ps.parse("XX./.O./..O")) if each.kind == "line"]
    [2]
    """

    side: int
    kind: Kind
    cell: int
    line: int
    """The bitboard of a line that the cell completes, or would complete."""


def threats(position: Position) -> tuple[Threat, ...]:
    """Return the threats of both sides, first those of FIRST, in the order of cells."""
    if position.is_over or position.game.misere:
        return ()
    return tuple(found for side in (0, 1) for found in _of_side(position, side))


def _of_side(position: Position, side: int) -> list[Threat]:
    """Return the threats of one side, in the order of cells."""
    game, stones, other = position.game, position.stones(side), position.stones(1 - side)
    playable = game.landing(stones | other)
    complete: dict[int, int] = {}
    """For each cell, a line that lacks only this cell."""
    pairs: dict[int, dict[int, int]] = defaultdict(dict)
    """For each pair of cells, a line that lacks only these two."""
    for line in game.lines:
        mask, missing = line.mask, line.mask & ~stones
        if missing & other or not 0 < missing.bit_count() < 3 or mask.bit_count() == 1:
            continue
        if not game.counts(line, stones, other, side):
            continue
        one, *rest = bits(missing)
        if not rest:
            complete.setdefault(one, mask)
        for two in rest:
            pairs[one].setdefault(two, mask)
            pairs[two].setdefault(one, mask)
    found = [
        Threat(side=side, kind=_kind(game, cell, playable), cell=cell, line=line)
        for cell, line in complete.items()
    ]
    if game.renju and side == FIRST:
        pairs = {cell: rest for cell, rest in pairs.items() if not game.foul(position, cell)}
    for cell, others in pairs.items() if game.alternates and not game.caro else ():
        if cell in complete or not playable >> cell & 1:
            continue
        with_it = stones | 1 << cell
        then = game.landing(with_it | other)
        winning = {
            at
            for at in {*complete, *others}
            if then >> at & 1 and game.completes(with_it | 1 << at, at, other, side)
        }
        new = sorted(winning & others.keys() - complete.keys())
        if new and len(winning) > 1:
            found.append(Threat(side=side, kind="double", cell=cell, line=others[new[0]]))
    return sorted(found, key=lambda threat: threat.cell)


def _kind(game: LineGame, cell: int, playable: int) -> Kind:
    """Return the kind of a threat to complete a line at `cell`: now, or later in a row of this
    parity."""
    if playable >> cell & 1:
        return "line"
    return "odd" if row_parity(game, cell) == ODD else "even"
