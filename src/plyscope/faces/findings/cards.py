"""Heuristics against the truth: `report-card`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plyscope.faces.findings.section import Figure, Section
from plyscope.faces.wording import number, standing
from plyscope.lab.reportcard import Mistake, ReportCard
from plyscope.rules.game import spoken

COST = {1: "half a point", 2: "the game"}


def card_section(cards: Sequence[ReportCard]) -> Section:
    """Return cards of one game side by side, and for one alone where it is most wrong."""
    first = cards[0]
    sample = " of random games" if first.is_sampled else ""
    ongoing = f"{first.ongoing:,} not over (τ-b), " if first.ongoing and not sample else ""
    title = (
        f"{first.game}: {first.positions:,} positions{sample}, {ongoing}"
        f"{first.choices:,} with a choice that matters"
    )
    rows = tuple(_rows(cards))
    wrong = iter(first.depths)
    bars = [(next(wrong).mistakes,) if "".join(row[:1]).startswith(WRONG) else () for row in rows]
    worst = first.worst if len(cards) == 1 else ()
    return Section(
        1,
        "",
        (title,),
        ("", *(card.heuristic for card in cards)),
        rows,
        figures=tuple(Figure(item.position, mistake_text(item)) for item in worst),
        bars=tuple(bars) if len(cards) == 1 else (),
        notes=tuple(_notes(cards)),
    )


WRONG = "wrong moves at depth"


def _rows(cards: Sequence[ReportCard]) -> Iterator[tuple[str, ...]]:
    """Yield each row's label and cells, an empty row between the parts."""
    first = cards[0]
    yield "correlation with the value (τ-b)", *(_share(card.correlation) for card in cards)
    yield "right order among siblings, less wrong", *(_share(card.among_siblings) for card in cards)
    if first.changes_when_mirrored is not None:
        changes = (number(card.changes_when_mirrored) for card in cards)
        yield "evaluated otherwise when mirrored", *changes
        changes = (number(card.changes_when_colours_swap) for card in cards)
        yield "evaluated otherwise with colours exchanged", *changes
    yield "an evaluation, in Python", *(f"{card.microseconds:.1f} µs" for card in cards)
    if first.nodes is not None:
        label = f"alpha-beta's nodes in its order (without opinion {first.null_nodes:,})"
        yield label, *(number(card.nodes) for card in cards)
    yield ()
    for at, item in enumerate(first.depths):
        label = f"{WRONG} {item.depth} (without opinion {item.null_mistakes:.1%})"
        yield label, *(_mistakes(card, at) for card in cards)
    if first.pacing:
        yield ()
        for at, item in enumerate(first.depths):
            without = f"without opinion {_plies(item.null_delay)}"
            label = f"plies wasted by right moves at depth {item.depth} ({without})"
            yield label, *(_plies(card.depths[at].delay) for card in cards)


def _notes(cards: Sequence[ReportCard]) -> Iterator[str]:
    if cards[0].is_sampled:
        yield f"asked about {cards[0].about}"
    if any(_is_worse(card, at) for card in cards for at in range(len(card.depths))):
        yield "↑ wrong more often than one ply shallower"


def _share(value: float | None) -> str:
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


def mistake_text(item: Mistake) -> str:
    """Return what a heuristic prefers, and what that costs."""
    chosen, better = (spoken(item.position.game, name) for name in (item.chosen, item.better))
    choice = f"rates {chosen} {item.margin:,} above {better}"
    return f"{standing(item.position)}: {choice}, which costs {COST[item.lost]}"
