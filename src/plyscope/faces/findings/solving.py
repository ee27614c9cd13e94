"""Proofs and counts: `solve`, `puzzles`, `certify`, `perft`."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from plyscope.display import times
from plyscope.faces.diagrams.values import CellValue, losses_text, proved_value, shown_values
from plyscope.faces.findings.section import Figure, Section
from plyscope.faces.reviews import wins_sentences
from plyscope.faces.wording import headed, named, number, standing
from plyscope.lab.judging.why import reason_for, reason_of
from plyscope.rules.cells import parse_cell
from plyscope.rules.game import spoken, state_of
from plyscope.rules.position import Position

if TYPE_CHECKING:
    from plyscope.lab.judging.certify import Certificate
    from plyscope.lab.judging.puzzles import Puzzle
    from plyscope.rules.perft import Perft, PlyCount
    from plyscope.solving.verdict import Verdict
    from plyscope_fast.solving.why import Reason

MAX_EQUAL_MOVES = 9
"""The most equal moves that a brief table lists."""
VALUES = {1: "win", 0: "draw", -1: "loss"}
LEGEND = "on the board: W5 wins in 5 plies, D draws, L4 loses in 4"
MARK, CHOSEN = CellValue("!", 0.5, "proved"), CellValue("▸", 1.0, "proved")
"""The marks of the cells of a reason and of its move."""
COUNTS = {
    "sequences": "sequences",
    "positions": "positions",
    "classes": "classes",
    "X wins": "first_wins",
    "O wins": "second_wins",
    "draws": "draws",
}


def verdict_section(
    verdict: Verdict, is_brief: bool = False, reason: Reason | None = None
) -> Section:
    """Return the value of a position and of its moves, with the reason for the best move; a brief
    section omits the moves if more than MAX_EQUAL_MOVES are all equal."""
    position, moves = verdict.position, verdict.moves or ()
    known = {item.move: proved_value(item.value, item.distance) for item in moves}
    said = filter(None, (losses_text(known, len(known)), LEGEND if known else ""))
    nodes = f"{times(verdict.nodes, 'node')}, " if verdict.nodes else ""
    cost = f"{nodes}{verdict.seconds:.3f} s, {verdict.megabytes:.1f} MB"
    is_scored = position.game.scored
    amounts = [] if is_scored else [("plies", attrgetter("distance"))]
    amounts += [("score", attrgetter("score"))] * any(item.score is not None for item in moves)
    values = {(item.value, item.distance, item.score) for item in moves}
    is_short = is_brief and not is_scored and len(moves) > MAX_EQUAL_MOVES and len(values) == 1
    ranked = sorted(
        () if is_short else moves,
        key=lambda item: (-item.value, -(item.score or 0), (item.distance or 0) * item.value),
    )
    rows = tuple(
        (
            spoken(position.game, item.text),
            VALUES[item.value],
            *(number(amount(item)) for _, amount in amounts),
        )
        for item in ranked
    )
    reason = reason or reason_of(verdict)
    said_why = () if reason is None else (reason.sentence,)
    return Section(
        1,
        str(verdict),
        head=("move", "value", *(name for name, _ in amounts)) if rows else (),
        rows=rows,
        names=2,
        best=frozenset(at for at, item in enumerate(ranked) if item.move in verdict.best_moves),
        notes=(*said_why, f"{verdict.method}: {verdict.proof}; {cost}"),
        about=Figure(
            position,
            headed(position, "").strip(),
            values=shown_values(known, position),
            legend="; ".join(said),
        ),
    )


def reason_section(reason: Reason) -> Section:
    """Return the sentence of a reason, what was checked, and the board with its cells marked."""
    position, game = reason.position, reason.position.game
    signs = {} if reason.signs is None else reason.signs.marks
    marks = {cell: MARK._replace(text=sign) for cell, sign in signs.items()}
    marks |= {parse_cell(game.shape, name): MARK for name in reason.cells}
    if reason.move is not None and isinstance(position, Position):
        marks[position.game.parse_move(position, reason.move)] = CHOSEN
    return Section(
        1,
        reason.sentence,
        notes=tuple(filter(None, (reason.claim and f"checked: {reason.claim}", reason.checked))),
        about=Figure(position, headed(position, "").strip(), values=marks),
    )


def certificate_section(certificate: Certificate) -> Section:
    """Return the counts over all lines of play, and a losing line if there is one."""
    against = "a search" if certificate.is_searched else "every line of play"
    rows, bars = [], []
    for side in certificate.sides:
        order = "first" if side.agent_side == "x" else "second"
        counts = (side.wins, side.draws, side.losses)
        bars.append(counts)
        name = f"{side.agent_side.upper()} (moves {order})"
        rows.append((name, *map(number, (*counts, side.positions))))
    return Section(
        1,
        certificate_answer(certificate),
        (f"{certificate.agent} on {certificate.game}, against {against}",),
        ("agent plays", "wins", "draws", "losses", "positions"),
        tuple(rows),
        bars=tuple(bars),
        notes=tuple(wins_sentences(certificate.wins_taken)),
    )


def certificate_answer(certificate: Certificate) -> str:
    """Return the answer in words, with the usual names of moves."""
    answer = certificate.answer
    if certificate.losing_line is None:
        return answer
    line = " ".join(spoken(certificate.rules, name) for name in certificate.losing_line)
    return answer.replace(" ".join(certificate.losing_line), line)


def counts_section(perft: Perft) -> Section:
    """Return the counts by ply, to the last."""
    return perft_section(perft.position, [*perft.rows, *perft])


def perft_section(position: Any, rows: Sequence[PlyCount], is_cut: bool = False) -> Section:
    """Return the counts by ply and their sums, which are incomplete if the count `is_cut`."""
    game = position.game
    name = game.name if state_of(position) == game.start() else named(position)
    has_classes = bool(rows) and rows[0].classes is not None
    counts = {head: key for head, key in COUNTS.items() if has_classes or key != "classes"}
    sums = (sum(getattr(row, key) or 0 for row in rows) for key in counts.values())
    games = f"{sum(row.games for row in rows):,} complete games"
    cut = f"interrupted in ply {len(rows)}: {games} before it; the sums are incomplete"
    return Section(
        1,
        cut if is_cut else games,
        (f"perft of {name}",),
        ("ply", *counts),
        tuple(
            (number(row.ply), *(number(getattr(row, key)) for key in counts.values()))
            for row in rows
        ),
        names=0,
        sums=(("sum so far" if is_cut else "sum", *map(number, sums)),),
    )


def puzzle_section(puzzle: Puzzle) -> Section:
    """Return a puzzle with its solution below the board."""
    task = {
        "win": f"one move wins, in {puzzle.depth} plies",
        "draw": f"one move does not lose; the others lose within {puzzle.depth} plies",
    }[puzzle.goal]
    position = puzzle.position
    fooled = f"; without search, wrong: {', '.join(puzzle.fooled)}" if puzzle.fooled else ""
    reason = reason_for(position, position.game.parse_move(position, puzzle.move))
    because = "" if reason is None or not reason.is_simple else f"\n{reason.sentence}"
    answer = f"{spoken(position.game, puzzle.move)}{fooled}{because}\n"
    text = f"{named(position)}\n"
    words = f"{standing(position)}: {task}"
    return Section(1, "", (words,), notes=(answer,), about=Figure(position, text))
