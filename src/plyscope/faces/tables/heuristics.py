"""Heuristics line by line, and against the truth: `eval`, `report-card`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from plyscope.faces.boards import draw_board
from plyscope.faces.tables import new_table
from plyscope.faces.wording import TERM_NAMES, headed, line_name, number, side_name, standing
from plyscope.rules.game import spoken
from plyscope.rules.position import Position

if TYPE_CHECKING:
    from plyscope.evaluation.heuristic import Explanation
    from plyscope.lab.reportcard import Mistake, ReportCard

COST = {1: "half a point", 2: "the game"}


def explanation_table(explanation: Explanation, show_all: bool = False) -> RenderableType:
    """Return the evaluation line by line, the lines that count first by their share."""
    heading = Text(f"{explanation.heuristic} for {side_name(explanation.side)}: ", style="bold")
    heading.append(number(explanation.total), "bold")
    position = explanation.position
    text = headed(position, "").strip()
    heading.append(f"\n{text}" if "\n" in text else f"   {text}", "")
    if isinstance(position, Position):
        heading.append("\n").append_text(draw_board(position))
    if explanation.lines is None:
        return Group(heading, Text("this heuristic has no lines to show", style="dim"))
    lines = [share for share in explanation.lines if share.value or show_all]
    head = ("line", "kind", "mine", "theirs", "value", "× weight", "=")
    table = new_table("", *head, left=("line", "kind"))
    for share in sorted(lines, key=lambda share: -abs(share.value)):
        numbers = (share.mine, share.theirs, share.table, share.weight, share.value)
        table.add_row(line_name(position.game, share.cells), share.kind, *map(number, numbers))
    for term in explanation.terms:
        table.add_section()
        table.add_row(
            TERM_NAMES.get(term.term, term.term), *[""] * 5, number(term.value), style="bold"
        )
        for part in term.parts:
            table.add_row(f"  {part.what}", *[""] * 5, number(part.value))
    table.add_section()
    table.add_row("sum", *[""] * 5, number(explanation.sum))
    if explanation.sum != explanation.total:
        table.add_row("kept within the table's clamp", *[""] * 5, number(explanation.total))
    hidden = len(explanation.lines) - len(lines)
    note = f"{hidden} of {len(explanation.lines)} lines count 0 (--all shows them)"
    return Group(heading, table, *([Text(note, style="dim")] if hidden else []))


def report_cards(cards: Sequence[ReportCard]) -> RenderableType:
    """Return the cards side by side, and for one alone the positions in which it is most wrong."""
    title, *rows = card_rows(cards)
    table = new_table(str(title), "", *[card.heuristic for card in cards], left=("",))
    for row in rows:
        if isinstance(row, tuple):
            table.add_row(row[0], *row[1])
        else:
            table.add_section()
    notes = [Text(note, style="dim") for note in card_notes(cards)]
    worst = cards[0].worst if len(cards) == 1 else ()
    return Group(table, *notes, *map(_mistake, worst))


def card_rows(cards: Sequence[ReportCard]) -> Iterator[str | tuple[str, list[str]] | None]:
    """Yield the title of cards of one game, then each row's label and cells, None between the
    sections."""
    first = cards[0]
    sample = " of random games" if first.is_sampled else ""
    ongoing = ""
    if not first.is_sampled and first.ongoing:
        ongoing = f"{first.ongoing:,} not over (τ-b), "
    yield (
        f"{first.game}: {first.positions:,} positions{sample}, {ongoing}"
        f"{first.choices:,} with a choice that matters"
    )
    rows: dict[str, Callable[[ReportCard], str]] = {
        "correlation with the value (τ-b)": lambda card: _correlation(card.correlation),
        "right order among siblings, less wrong": lambda card: _correlation(card.among_siblings),
    }
    if first.changes_when_mirrored is not None:
        rows |= {
            "evaluated otherwise when mirrored": lambda card: number(card.changes_when_mirrored),
            "evaluated otherwise with colours exchanged": lambda card: number(
                card.changes_when_colours_swap
            ),
        }
    rows["an evaluation, in Python"] = lambda card: f"{card.microseconds:.1f} µs"
    if first.nodes is not None:
        label = f"alpha-beta's nodes in its order (without opinion {first.null_nodes:,})"
        rows[label] = lambda card: number(card.nodes)
    for label, cell in rows.items():
        yield label, [*map(cell, cards)]
    yield None
    for at, item in enumerate(first.depths):
        label = f"wrong moves at depth {item.depth} (without opinion {item.null_mistakes:.1%})"
        yield label, [_mistakes(card, at) for card in cards]
    if first.pacing:
        yield None
        for at, item in enumerate(first.depths):
            without = f"without opinion {_plies(item.null_delay)}"
            label = f"plies wasted by right moves at depth {item.depth} ({without})"
            yield label, [_plies(card.depths[at].delay) for card in cards]


def card_notes(cards: Sequence[ReportCard]) -> Iterator[str]:
    """Yield what is said under cards."""
    if cards[0].is_sampled:
        yield f"asked about {cards[0].about}"
    if any(_is_worse(card, at) for card in cards for at in range(len(card.depths))):
        yield "↑ wrong more often than one ply shallower"


def _correlation(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _plies(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _mistakes(card: ReportCard, at: int) -> str:
    """Return how often it is wrong at a depth, with the interval of a sample."""
    item = card.depths[at]
    bounds = f" ({100 * item.low:.1f} to {100 * item.high:.1f})" if card.is_sampled else ""
    return f"{item.mistakes:.1%}{bounds}{' ↑' if _is_worse(card, at) else ''}"


def _is_worse(card: ReportCard, at: int) -> bool:
    return at > 0 and card.depths[at].mistakes > card.depths[at - 1].mistakes


def _mistake(item: Mistake) -> RenderableType:
    return Group(Text(f"\n{mistake_text(item)}"), draw_board(item.position))


def mistake_text(item: Mistake) -> str:
    """Return what a heuristic prefers, and what that costs."""
    chosen, better = (spoken(item.position.game, name) for name in (item.chosen, item.better))
    choice = f"rates {chosen} {item.margin:,} above {better}"
    return f"{standing(item.position)}: {choice}, which costs {COST[item.lost]}"
