"""The solver that looks up positions in a tablebase."""

from __future__ import annotations

from time import perf_counter

from plyscope.rules.position import Position
from plyscope.solving.accelerated import CONNECT, TABLEBASE
from plyscope.solving.ask import Ask
from plyscope.solving.verdict import MoveVerdict, Verdict, connect_score, move_verdict
from plyscope_fast.evaluation.tablebase import Tablebase, tablebase


def solve(ask: Ask) -> Verdict | None:
    """Return the verdict, None if the position cannot be reached from the empty board."""
    position = ask.position
    table = tablebase(
        position.game,
        lambda phase, done, total: ask.report(f"making the tablebase: {done:,} {phase}"),
        ask.deadline,
    )

    probed = table.probe(position)
    if probed is None:
        return None
    value, distance = probed
    moves = _moves(table, position) if ask.with_moves else None
    best = [item.move for item in moves or () if (item.value, item.distance) == probed]
    has_score = CONNECT.plays(position)
    return Verdict(
        position=position,
        value=value,
        distance=distance,
        score=connect_score(position, value, distance or 0) if has_score else None,
        best_moves=tuple(best),
        moves=moves,
        method=TABLEBASE.name,
        proof=f"looked up among all {table.classes:,} positions that play reaches,"
        " valued from the last ply to the first",
        seconds=perf_counter() - ask.began,
        megabytes=table.megabytes,
    )


def _moves(table: Tablebase, position: Position) -> tuple[MoveVerdict, ...]:
    """Return the verdicts on all moves of a position that is in the table."""
    probes = ((move, table.probe(position.play(move))) for move in position.moves)
    return tuple(move_verdict(position, move, *probed) for move, probed in probes if probed)
