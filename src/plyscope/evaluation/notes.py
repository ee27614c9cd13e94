"""Notes on a heuristic: table entries without effect on a game, and odd behaviour of a function.

Heuristics of the catalogue are made for their game and have no notes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from plyscope.errors import NotationError
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.evaluation.linetable import NO_KIND, LineTable
from plyscope.evaluation.patterns import has_patterns
from plyscope.evaluation.tablefile import numbers_digest
from plyscope.evaluation.terms import EVEN, ODD, ends_of
from plyscope.rules import cells as names
from plyscope.rules.linegame import LineGame

MAX_NAMED = 3
"""The number of names that a note lists."""


def notes_on(heuristic: Any, game: Any) -> tuple[str, ...]:
    """Return notes on a heuristic for `game`, a sentence each.

    They name table entries without effect, and odd behaviour of a Python function.

    >>> import plyscope as ps
    >>> notes_on(ps.LineTable.one_sided("mine", (0, 1, 10, 100)), ps.parse_game("4,4,4"))
    ("table 'mine' has no value for 4 stones on a line: a finished line counts 0 on '4,4,4'",)
    """
    if isinstance(heuristic, FunctionHeuristic):
        from plyscope.evaluation.diagnosis import diagnose  # late: few searches call a function

        told = f"heuristic {heuristic.name!r} "
        return tuple(told + finding.text for finding in diagnose(heuristic, game))
    if not isinstance(heuristic, LineTable) or not isinstance(game, LineGame):
        return ()
    told = f"table {heuristic.name!r} "
    return (*(told + note for note in _of_provenance(heuristic, game)), *_notes_on(heuristic, game))


def _of_provenance(table: LineTable, game: LineGame) -> Iterator[str]:
    """Yield a note if the provenance describes other numbers or another game."""
    if table.provenance.get("numbers", "") not in ("", numbers_digest(table)):
        yield "was changed after tuning: its provenance describes other numbers"
    elif table.provenance.get("game", game.name) != game.name:
        yield f"was tuned on {str(table.provenance['game'])[:40]!r}, and this is {game.name!r}"


@lru_cache(maxsize=64)
def _notes_on(table: LineTable, game: LineGame) -> tuple[str, ...]:
    notes = (
        _of_nothing,
        _of_finished_lines,
        _of_kinds,
        _of_ends,
        _of_cells,
        _of_moves,
        _of_patterns,
    )
    return tuple(f"table {table.name!r} {note}" for each in notes for note in each(table, game))


def _of_nothing(table: LineTable, game: LineGame) -> Iterator[str]:
    if not table.terms and table.name != "null":
        yield "has no value: every position counts 0"


def _of_finished_lines(table: LineTable, game: LineGame) -> Iterator[str]:
    """Yield notes on kinds of lines that have values while incomplete but none when complete."""
    lengths: dict[tuple[str, int], None] = {}
    for line in game.lines:
        lengths[table.own_kind(line), line.mask.bit_count()] = None
    for kind, length in sorted(lengths):
        own = table.kinds.get(kind, NO_KIND)
        pairs = [*table.values, *table.tempo, *own.values, *own.tempo]
        for at, whose in enumerate(("", " of theirs")):
            said = {pair[at] for pair in pairs if not pair[1 - at]}
            said |= {stones for stones, _ in table.ends}
            if length not in said and any(0 < stones < length for stones in said):
                yield (
                    f"has no value for {length} stones{whose} on a {kind or 'line'}: "
                    f"a finished {kind or 'line'} counts 0 on {game.name!r}"
                )
                break


def _of_kinds(table: LineTable, game: LineGame) -> Iterator[str]:
    kinds = dict.fromkeys(line.kind for line in game.lines)
    for says, named in (("weighs", table.weights), ("has tables for", table.kinds)):
        missing = [kind for kind in named if kind not in kinds]
        if missing:
            yield f"{says} {_listed(missing)}, and {game.name!r} has only {_listed(kinds)}"


def _of_ends(table: LineTable, game: LineGame) -> Iterator[str]:
    if "ends" in table.terms and not any(map(ends_of, game.lines)):
        yield f"has values for ends, and no line of {game.name!r} has a cell beyond its ends"


def _of_cells(table: LineTable, game: LineGame) -> Iterator[str]:
    missing = [name for name in table.cells if not _is_cell(game, name)]
    if missing:
        yield f"has a value for {_listed(missing)}, and {game.name!r} has no such cell"


def _is_cell(game: LineGame, name: str) -> bool:
    try:
        return names.format_cell(game.shape, names.parse_cell(game.shape, name)) == name
    except NotationError:
        return False


def _of_moves(table: LineTable, game: LineGame) -> Iterator[str]:
    if game.gravity:
        return
    if any(table.threats.get((side, ODD)) != table.threats.get((side, EVEN)) for side in (0, 1)):
        yield f"distinguishes threats by their rows, and {game.name!r} has no gravity"
    if table.mobility and not game.misere:
        yield f"counts safe moves, and no move on {game.name!r} is unsafe"


def _of_patterns(table: LineTable, game: LineGame) -> Iterator[str]:
    if "patterns" not in table.terms:
        return
    if not has_patterns(game):
        yield f"counts patterns, and {game.name!r} has none"
    elif missing := sorted(
        {stones for stones, _ in (*table.patterns, *table.pattern_tempo)}
        - set(range(1, game.longest_line + 1))
    ):
        yield (
            f"has values for patterns of {_listed(missing)} stones, and lines of {game.name!r} "
            f"have {game.longest_line}"
        )


def _listed(words: Any) -> str:
    listed = [repr(str(word)[:40]) for word in words]
    more = len(listed) - MAX_NAMED
    return ", ".join(listed[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
