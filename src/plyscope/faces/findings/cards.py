"""Heuristics against exact values: `report-card`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from plyscope.faces.findings.section import Figure, Section
from plyscope.faces.wording import number, standing
from plyscope.lab.judging.reportcard import Mistake, ReportCard
from plyscope.rules.game import spoken

COST = {1: "half a point", 2: "the game"}
WRONG = "wrong moves at depth"
MIN_LISTED_SHARE = 0.01
"""The least share of the wrong moves with which a class is listed in the sentence about classes."""
QUIET = (
    "quiet: no move ended the game or let the next move end it, so the side to move has no win "
    "at once; its opponent may threaten one"
)
"""An explanation of the quiet population, for users."""


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


MEASURES: tuple[tuple[str, str, Callable[[Any], str]], ...] = (
    ("rank correlation with the exact value (τ-b)", "correlation", _share),
    ("correctly minus wrongly ordered sibling pairs", "among_siblings", _share),
    ("positions whose value changes when mirrored", "changes_when_mirrored", number),
    ("positions whose value changes when colours swap", "changes_when_colours_swap", number),
    ("time of one evaluation, in Python", "microseconds", "{:.1f} µs".format),
    ("alpha-beta nodes in its order (with no heuristic: {null_nodes})", "nodes", number),
)
"""The measures without a depth: label, field, format."""


def card_section(*cards: ReportCard) -> Section:
    """Return cards of one game side by side; a single card also shows its worst mistakes."""
    first, data = cards[0], [card.as_dict() for card in cards]
    rows = (*measures(data), *_by_depth(cards), *budget_rows(data))
    wrong = iter(first.depths)
    bars = [(next(wrong).mistakes,) if "".join(row[:1]).startswith(WRONG) else () for row in rows]
    worst = first.worst if len(cards) == 1 else ()
    sample = f" ({first.population})" if first.is_sampled else ""
    return Section(
        1,
        "",
        (f"{first.game}: {population_text(data[0], sample)}",),
        ("", *(card.heuristic for card in cards)),
        rows,
        figures=tuple(Figure(item.position, mistake_text(item)) for item in worst),
        bars=tuple(bars) if len(cards) == 1 else (),
        notes=tuple(_notes(cards)),
    )


def populations_section(cards: Sequence[ReportCard]) -> Section:
    """Return the wrong moves at depth 1 of each heuristic, by population, and how they differ."""
    names = tuple(dict.fromkeys(card.heuristic for card in cards))
    by_place = {(card.population, card.heuristic): card for card in cards}
    rows = tuple(
        (
            population,
            *(
                _mistakes(by_place[population, name], 0) if (population, name) in by_place else "–"
                for name in names
            ),
        )
        for population in dict.fromkeys(card.population for card in cards)
    )
    notes = []
    for name in names:
        shares = {
            card.population: card.depths[0].mistakes for card in cards if card.heuristic == name
        }
        low, high = (choose(shares, key=shares.__getitem__) for choose in (min, max))
        times = f", {shares[high] / shares[low]:.1f} times as many" if shares[low] else ""
        notes.append(f"{name}: {shares[low]:.1%} on {low}, {shares[high]:.1%} on {high}{times}")
    words = (f"{cards[0].game}: wrong moves at depth 1 by population",)
    return Section(1, "", words, ("positions", *names), rows, notes=tuple(notes))


def population_text(card: dict[str, Any], sample: str = "") -> str:
    """Return how many positions a card (from its JSON) covers."""
    ongoing = 0 if card.get("is_sampled") else card.get("ongoing", 0)
    going_on = f"{ongoing:,} not over (used for τ-b), " if ongoing else ""
    choices = f"{card['choices']:,} critical (the move matters)"
    return f"{card['positions']:,} positions{sample}, {going_on}{choices}"


def measures(cards: Sequence[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Yield the label and cells of each measure without a depth; the cards come from JSON."""
    first = cards[0]
    for label, key, form in MEASURES:
        if first[key] is not None or form is _share:
            label = label.format(null_nodes=number(first["null_nodes"]))
            yield label, *(form(card[key]) for card in cards)


def _by_depth(cards: Sequence[ReportCard]) -> Iterator[tuple[str, ...]]:
    """Yield the label and cells of each measure by depth, an empty row before each."""
    first = cards[0]
    yield ()
    for at, item in enumerate(first.depths):
        label = f"{WRONG} {item.depth} (with no heuristic: {item.null_mistakes:.1%})"
        yield label, *(_mistakes(card, at) for card in cards)
    if first.pacing:
        yield ()
        for at, item in enumerate(first.depths):
            without = f"with no heuristic: {_plies(item.null_delay)}"
            label = f"plies short of best play at depth {item.depth} ({without})"
            yield label, *(_plies(card.depths[at].delay) for card in cards)


def budget_rows(cards: Sequence[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Yield the wrong moves at depth 1 by class, and in a game; by stones on a single card.

    The cards come from JSON; those of earlier versions have no such numbers."""
    first = cards[0]
    if not all(card.get("by_tactic") for card in cards):
        return
    yield ()
    for key, form in (("by_tactic", "{}"), ("by_ply", "{} stones"), ("by_reach", "{}")):
        groups = first.get(key, ()) if key == "by_tactic" or len(cards) == 1 else ()
        if key == "by_ply" and first["changes_when_mirrored"] is None:
            form = "ply {}"
        for group in groups:
            named = [
                next((each for each in card[key] if each["name"] == group["name"]), None)
                for card in cards
            ]
            label = f"wrong at depth 1, {form.format(group['name'])} ({group['positions']:,})"
            yield label, *(f"{each['wrong'][0]['value']:.1%}" if each else "–" for each in named)
    if first["wrong_a_game"]:
        label = "wrong moves in a game against random moves, at depth 1"
        yield label, *(f"{card['wrong_a_game'][0]:.3f}" for card in cards)


def budget_sentence(card: dict[str, Any]) -> Iterator[str]:
    """Yield the classes of most wrong moves at depth 1, in a sentence; the card comes from JSON."""
    counts = [
        (group["positions"] * group["wrong"][0]["value"], group["name"])
        for group in card.get("by_tactic", ())
    ]
    total = sum(count for count, _ in counts)
    told = [
        f"{100 * count / total:.0f} % {name}"
        for count, name in sorted(counts, reverse=True)
        if total and count / total >= MIN_LISTED_SHARE
    ]
    if told:
        yield f"wrong moves at depth 1 by class of position: {', '.join(told)}"


def _notes(cards: Sequence[ReportCard]) -> Iterator[str]:
    if len(cards) == 1:
        yield from budget_sentence(cards[0].as_dict())
    if cards[0].is_sampled:
        yield f"measured on {cards[0].about}"
        if "quiet" in cards[0].about:
            yield QUIET
    if any(_is_worse(card, at) for card in cards for at in range(len(card.depths))):
        yield "↑ more wrong moves than one ply shallower"


def _plies(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _mistakes(card: ReportCard, at: int) -> str:
    """Return the share of wrong moves at a depth, with its interval for a sample."""
    item = card.depths[at]
    bounds = f" ({100 * item.low:.1f} to {100 * item.high:.1f})" if card.is_sampled else ""
    return f"{item.mistakes:.1%}{bounds}{' ↑' if _is_worse(card, at) else ''}"


def _is_worse(card: ReportCard, at: int) -> bool:
    return at > 0 and card.depths[at].mistakes > card.depths[at - 1].mistakes


def mistake_text(item: Mistake) -> str:
    """Return which move a heuristic prefers, and what that costs."""
    chosen, better = (spoken(item.position.game, name) for name in (item.chosen, item.better))
    choice = f"rates {chosen} {item.margin:,} above {better}"
    if not item.margin:
        choice = f"rates {chosen} as high as {better}"
    asked = f" ({item.asks})" if item.asks else ""
    return f"{standing(item.position)}: {choice}, which costs {COST[item.lost]}{asked}"
