"""Proofs, counts, report cards, matches and tunings in a notebook."""

from __future__ import annotations

from html import escape

from plyscope.display import html
from plyscope.faces.notebook.parts import (
    SMALL,
    SUBHEAD,
    bars_of,
    beside,
    board,
    drawing,
    face,
    figure,
    notes,
    paragraph,
    shares,
    table,
)
from plyscope.faces.report.charts import by_itself
from plyscope.faces.report.section import Figure
from plyscope.faces.wording import match_verdict, number
from plyscope.lab.certify import Certificate
from plyscope.lab.reportcard import ReportCard
from plyscope.lab.tally import MatchResult
from plyscope.lab.tuning.result import TuningResult
from plyscope.rules.game import spoken
from plyscope.rules.perft import Perft
from plyscope.rules.position import Position
from plyscope.solving.verdict import MoveVerdict, Verdict

VALUES = {1: "win", 0: "draw", -1: "loss"}
SIGNS = {1: "+", 0: "=", -1: "−"}
SIGNS_SAID = "on the board: +5 wins in 5 plies, = draws, −4 loses in 4"


@html.register
def verdict_html(verdict: Verdict) -> str:
    """Return what a position is worth, and every move on its board where the moves are told."""
    moves = verdict.moves or ()
    position = verdict.position
    drawn = ""
    if isinstance(position, Position):
        labels = {move.move: f"{SIGNS[move.value]}{move.distance or ''}" for move in moves}
        drawn = board(position, labels)
    has_scores = any(move.score is not None for move in moves)
    head = ("move", "value", "plies", *(["score"] if has_scores else []))
    ordered = sorted(moves, key=lambda move: -_rank(move))
    rows = [
        (
            spoken(verdict.position.game, move.text)
            + (" ★" if move.move in verdict.best_moves else ""),
            VALUES[move.value],
            number(move.distance),
            *([number(move.score)] if has_scores else []),
        )
        for move in ordered
    ]
    listed = table(head, rows) if rows else ""
    cost = f"{verdict.proof} ({verdict.method}; {verdict.nodes:,} nodes, {verdict.seconds:.3f} s)"
    said = [SIGNS_SAID] if drawn and moves else []
    return face(beside(drawn, listed), notes([*said, cost]), heading=str(verdict))


def _rank(move: MoveVerdict) -> float:
    """Return how good a move is: quicker wins and later losses are better."""
    return move.value * (1000.0 - (move.distance or 0))


@html.register
def perft_html(counts: Perft) -> str:
    """Return the counts of all plies, with their sums; what is not yet counted is counted now."""
    rows = [*counts.rows, *counts] if counts.rows else list(counts)
    names = ("sequences", "positions", "classes", "first_wins", "second_wins", "draws")
    heads = ("sequences", "positions", "classes", "X wins", "O wins", "draws")
    has_classes = rows[0].classes is not None
    shown = [at for at in range(len(names)) if has_classes or names[at] != "classes"]
    body = [(number(row.ply), *(number(getattr(row, names[at])) for at in shown)) for row in rows]
    sums = [sum(getattr(row, names[at]) or 0 for row in rows) for at in shown]
    listed = table(
        ("ply", *(heads[at] for at in shown)), body, names=0, sums=[("sum", *map(number, sums))]
    )
    games = f"{sum(row.games for row in rows):,} complete games"
    position = counts.position
    is_start = position == position.game.start()
    heading = position.game.name if is_start else f"{position.game.name} from {position}"
    return face(listed, notes([games]), heading=f"perft of {heading}")


@html.register
def report_card_html(card: ReportCard) -> str:
    """Return a heuristic's card, and the positions in which it is most wrong."""
    from plyscope.faces.tables.heuristics import card_notes, card_rows, mistake_text

    title, *rows = card_rows([card])
    cells = [(row[0], *row[1]) for row in rows if isinstance(row, tuple)]
    wrong = iter(bars_of([item.mistakes for item in card.depths]))
    bars = [next(wrong, "") if cell[0].startswith("wrong moves") else "" for cell in cells]
    worst = [
        board(item.position, caption=mistake_text(item), width=SMALL)
        if isinstance(item.position, Position)
        else figure(f"<pre>{escape(str(item.position))}</pre>", mistake_text(item))
        for item in card.worst
    ]
    return face(
        paragraph(str(title)),
        table(("", "value"), cells, bars=bars if any(bars) else ()),
        notes([*card_notes([card]), *card.notes]),
        beside(*worst),
        heading=f"{card.heuristic} on {card.game}",
    )


@html.register
def match_html(result: MatchResult) -> str:
    """Return who is better, by how much, and the games by side."""
    from plyscope.faces.tables.matches import match_findings

    a_wins = (result.a_wins, result.a_wins_as_x, result.a_wins_as_o)
    b_wins = (result.b_wins, result.b_wins_as_x, result.b_wins_as_o)
    rows = [
        (result.a, *map(number, (*a_wins, result.draws, result.b_wins))),
        (result.b, *map(number, (*b_wins, result.draws, result.a_wins))),
    ]
    of_a = (result.a_wins, result.draws, result.b_wins)
    bars = [_won(result.a, of_a), _won(result.b, of_a[::-1])]
    head = ("agent", "wins", "as X", "as O", "draws", "losses")
    _, *findings = match_findings(result)
    games = f"{result.games:,} games, seed {result.seed}"
    return face(
        paragraph(games),
        table(head, rows, bars=bars),
        notes(findings),
        heading=match_verdict(result),
    )


def _won(name: str, counts: tuple[int, ...]) -> str:
    wins, draws, losses = counts
    return shares(counts, f"{name}: {wins:,} won, {draws:,} drawn, {losses:,} lost")


@html.register
def certificate_html(certificate: Certificate) -> str:
    """Return the counts of every line of play, and the losing line where there is one."""
    rows = [
        (
            side.agent_side.upper(),
            *map(number, (side.wins, side.draws, side.losses, side.positions)),
        )
        for side in certificate.sides
    ]
    bars = [
        _won(side.agent_side.upper(), (side.wins, side.draws, side.losses))
        for side in certificate.sides
    ]
    heading = f"{certificate.agent} on {certificate.game}: {certificate.answer}"
    head = ("plays", "wins", "draws", "losses", "positions")
    return face(table(head, rows, bars=bars), heading=heading)


@html.register
def tuning_html(result: TuningResult) -> str:
    """Return the card of a tuning: what came of it, and the evidence with its charts."""
    from plyscope.faces.report.tuning import tuning_sections, tuning_title

    data = result.as_dict()
    title = tuning_title(data)
    parts = []
    for section in tuning_sections(data, heading=title):
        if section.heading != title:
            parts.append(paragraph(section.heading, SUBHEAD))
        parts += map(paragraph, section.words)
        if section.picture:
            parts.append(drawing(by_itself(section.picture)))
        elif section.drawing:
            parts.append(f"<pre>{escape(section.drawing)}</pre>")
        parts.append(beside(*map(_position_figure, section.figures)))
        if section.head:
            parts.append(table(section.head, section.rows))
    return face(*parts, heading=title)


def _position_figure(shown: Figure) -> str:
    """Return a position of a report with its caption."""
    if isinstance(shown.drawn, Position):
        return board(shown.drawn, caption=shown.caption)
    return figure(f"<pre>{escape(shown.drawn)}</pre>", shown.caption)
