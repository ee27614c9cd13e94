"""The sections of a report: words, a table, and a chart of the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import Any

from plyscope.display import times
from plyscope.faces.findings.cards import (
    budget_rows,
    budget_sentence,
    measures,
    population_text,
)
from plyscope.faces.findings.section import Figure, Section
from plyscope.faces.findings.tuning import tuning_sections, tuning_title
from plyscope.faces.report.charts import interval_chart, line_chart, share_chart
from plyscope.faces.wording import CONFIDENCE, INTERVALS, elo
from plyscope.lab.matches.findings import AtPly, Findings
from plyscope.lab.matches.tally import MatchResult


def sections(
    findings: Sequence[Findings],
    cards: Sequence[dict[str, Any]],
    tunings: Sequence[dict[str, Any]] = (),
) -> Iterator[Section]:
    """Yield the sections of each game: its matches, report cards and tunings."""
    kept = (*cards, *tunings)
    games = dict.fromkeys([*(item.game for item in findings), *(item["game"] for item in kept)])
    for game in games:
        yield Section(1, game)
        for item in findings:
            if item.game == game:
                yield from _of_matches(item)
        of_game = [card for card in cards if card["game"] == game]
        if of_game:
            yield from _of_cards(of_game)
        for tuning in tunings:
            if tuning["game"] == game:
                yield from tuning_sections(tuning, heading=tuning_title(tuning), level=2)


def _of_matches(findings: Findings) -> Iterator[Section]:
    yield _ratings(findings)
    yield _who_beat_whom(findings)
    yield _by_side(findings.matches)
    if any(findings.lengths.values()):
        yield _lengths(findings)
    yield _by_ply(findings, "Time by ply", "milliseconds a move", lambda item: item.seconds * 1000)
    if any(item.nodes is not None for plies in findings.by_ply.values() for item in plies):
        yield _by_ply(findings, "Nodes by ply", "nodes a move", lambda item: item.nodes)
    forfeits = [item for match in findings.matches for item in match.forfeits.items()]
    if forfeits:
        words = ("An agent that fails, plays an illegal move or is too slow forfeits the game.",)
        rows = tuple((reason, f"{count:,}") for reason, count in forfeits)
        yield Section(2, "Forfeits", words, ("reason", "games"), rows)


def _ratings(findings: Findings) -> Section:
    rated = findings.ratings.ranked
    games = sum(match.games for match in findings.matches)
    distinct = sum(match.distinct for match in findings.matches)
    first_move = elo(findings.ratings.first_move)
    different = f"{times(games, 'game')}, {distinct:,} of them different."
    words = [f"{different} The first move is worth {first_move} Elo."]
    if distinct < games:
        words.append(
            "The others are repeats. Only different games are evidence, so the intervals are too "
            "narrow."
        )
    words.append(
        "Ratings by Davidson's model, with draws and the advantage of the first move; "
        f"{INTERVALS}. The mean rating is 0."
    )
    bars = [(name, rating.value, rating.low, rating.high) for name, rating in rated]
    chart = interval_chart(f"Elo with {INTERVALS}", bars)
    rows = tuple((str(place), name, elo(rating)) for place, (name, rating) in enumerate(rated, 1))
    head = ("", "player", f"Elo ({CONFIDENCE})")
    return Section(2, "Ratings", tuple(words), head, rows, chart)


def _who_beat_whom(findings: Findings) -> Section:
    names = list(dict.fromkeys(name for match in findings.matches for name in match.names))
    scores: dict[tuple[str, str], list[int]] = {}
    for match in findings.matches:
        for one, other, wins, losses in (
            (*match.names, match.a_wins, match.b_wins),
            (*match.names[::-1], match.b_wins, match.a_wins),
        ):
            total = scores.setdefault((one, other), [0, 0, 0])
            for at, count in enumerate((wins, match.draws, losses)):
                total[at] += count
    rows = tuple(
        (one, *("–".join(map(str, scores.get((one, other), ()))) for other in names))
        for one in names
    )
    words = ("Won–drawn–lost, for the player of the row.",)
    return Section(2, "Who beat whom", words, ("", *names), rows)


def _by_side(matches: Sequence[MatchResult]) -> Section:
    shares, rows = [], []
    for match in matches:
        a, b = match.names
        for side, wins, draws, losses in (
            ("X", match.a_wins_as_x, match.draws_a_as_x, match.b_wins_as_o),
            ("O", match.a_wins_as_o, match.draws_a_as_o, match.b_wins_as_x),
        ):
            shares.append((f"{a} as {side}, {b}", wins, draws, losses))
            score = (wins + draws / 2) / max(1, wins + draws + losses)
            counts = (f"{count:,}" for count in (wins, draws, losses))
            rows.append((a, side, b, *counts, f"{score:.1%}"))
    chart = share_chart("Games won, drawn and lost by side", shares)
    words = ("Left to right: games won, drawn and lost by the player named first.",)
    head = ("player", "as", "against", "won", "drawn", "lost", "score")
    return Section(2, "Results by side", words, head, tuple(rows), chart)


def _lengths(findings: Findings) -> Section:
    by_x, by_o = findings.lengths["x"], findings.lengths["o"]
    plies = range(min([*by_x, *by_o]), max([*by_x, *by_o]) + 1)
    series = [
        (f"won by {side}", [(ply, games.get(ply, 0)) for ply in plies])
        for side, games in (("X", by_x), ("O", by_o))
    ]
    chart = line_chart("Won games by length", "plies after the opening", series)
    rows = tuple(
        (str(ply), f"{by_x.get(ply, 0):,}", f"{by_o.get(ply, 0):,}")
        for ply in plies
        if by_x.get(ply) or by_o.get(ply)
    )
    head = ("plies", *(label for label, _ in series))
    return Section(2, "Moves to win", ("Plies after the opening.",), head, rows, chart)


def _by_ply(
    findings: Findings, heading: str, unit: str, value: Callable[[AtPly], float | None]
) -> Section:
    series = []
    for agent, plies in findings.by_ply.items():
        points = [(item.ply + 1, number) for item in plies if (number := value(item)) is not None]
        if points:
            series.append((agent, points))
    columns = sorted({ply for _, points in series for ply, _ in points})
    rows = tuple(
        (agent, *(_short_number(dict(points).get(ply)) for ply in columns))
        for agent, points in series
    )
    head, chart = ("ply", *map(str, columns)), line_chart(heading, "ply", series)
    return Section(2, heading, (f"Mean {unit}.",), head, rows, chart)


def _short_number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _of_cards(cards: Sequence[dict[str, Any]]) -> Iterator[Section]:
    first = cards[0]
    names = tuple(card["heuristic"] for card in cards)
    words = (
        f"{population_text(first)}"
        f"{', measured on ' + first['about'] if first.get('about') else ''}. "
        "τ-b is Kendall's rank correlation between the evaluation and the exact value; "
        "siblings are the positions after the moves of one position.",
    )
    rows = tuple(measures(cards))
    yield Section(2, "Heuristics against exact values", words, ("", *names), rows)
    yield _wrong_by_depth(cards)
    if budget := tuple(row for row in budget_rows(cards) if row):
        about = tuple(
            f"{card['heuristic']}: {said}" for card in cards for said in budget_sentence(card)
        )
        yield Section(2, "Wrong moves by class of position", about, ("", *names), budget)
    if any(item.get("delay") is not None for card in cards for item in card["depths"]):
        yield _wasted_by_depth(cards)
    yield from (_most_wrong(card) for card in cards if card["worst"])


def _wrong_by_depth(cards: Sequence[dict[str, Any]]) -> Section:
    def percents(card: dict[str, Any], key: str) -> list[tuple[int, float]]:
        return [(item["depth"], 100 * item[key]) for item in card["depths"]]

    series = [(card["heuristic"], percents(card, "mistakes")) for card in cards]
    series.append(("no heuristic (null)", percents(cards[0], "null_mistakes")))
    head = ("depth", *(str(item["depth"]) for item in cards[0]["depths"]))
    rows = tuple(
        (label, *(f"{value:.1f}{text}" for (_, value), text in zip(points, texts, strict=False)))
        for (label, points), texts in zip(series, (*map(_bounds, cards), repeat("")), strict=True)
    )
    words = (
        "Positions in which the chosen move loses value, in per cent of the critical positions "
        "(those where the move matters); for a sample with the 95 % interval.",
    )
    chart = line_chart("Wrong moves by depth, in per cent", "depth", series)
    return Section(2, "Wrong moves by depth", words, head, rows, chart)


def _bounds(card: dict[str, Any]) -> Iterator[str]:
    """Yield the interval of each depth's wrong moves, empty if there is none."""
    for item in card["depths"]:
        is_sampled = card["is_sampled"] and "low" in item  # older cards have none
        yield f" ({100 * item['low']:.1f} to {100 * item['high']:.1f})" if is_sampled else ""


def _wasted_by_depth(cards: Sequence[dict[str, Any]]) -> Section:
    """Return, by depth, by how many plies right moves fall short of best play; cards without
    distances are omitted."""

    def plies(card: dict[str, Any], key: str) -> list[tuple[int, float]]:
        items = ((item["depth"], item.get(key)) for item in card["depths"])
        return [(depth, value) for depth, value in items if value is not None]

    series = [(card["heuristic"], plies(card, "delay")) for card in cards]
    series.append(("no heuristic (null)", plies(cards[0], "null_delay")))
    series = [(label, points) for label, points in series if points]
    depths = sorted({depth for _, points in series for depth, _ in points})
    rows = tuple(
        (label, *(f"{dict(points)[at]:.2f}" if at in dict(points) else "" for at in depths))
        for label, points in series
    )
    words = (
        "In won and lost positions whose value the chosen move keeps: how many plies later than "
        "the fastest win, or sooner than the slowest loss, on average.",
    )
    chart = line_chart("Plies short of best play, by depth", "depth", series)
    return Section(2, "Plies short of best play", words, ("depth", *map(str, depths)), rows, chart)


def _most_wrong(card: dict[str, Any]) -> Section:
    worst = card["worst"]
    rows = tuple(
        (item["position"], item["chosen"], item["better"], f"{item['margin']:,}") for item in worst
    )
    is_own = card["changes_when_mirrored"] is None
    figures = tuple(
        Figure(item["position"], f"prefers {item['chosen']} to {item['better']}", is_own)
        for item in worst
    )
    heading = f"The worst mistakes of {card['heuristic']}"
    head = ("position", "prefers", "to", "by")
    return Section(2, heading, (), head, rows, figures=figures)
