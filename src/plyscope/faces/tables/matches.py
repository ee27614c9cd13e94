"""Games between agents: `tournament`, `records`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from plyscope.faces.findings.matches import book_text, forfeit_lines
from plyscope.faces.signs import shown
from plyscope.faces.tables import cut, new_table, with_lines
from plyscope.faces.wording import (
    INTERVALS,
    REPEATED,
    elo,
    number,
)
from plyscope.lab.game import ENDINGS

if TYPE_CHECKING:
    from plyscope.lab.tournament import TournamentResult

LEAST_NAME = 12
"""Columns that a player's name has at least."""


def tournament_table(result: TournamentResult, width: int = 100) -> RenderableType:
    """Return the players by rating, one a line, and how each fared: against each, as far as that
    fits into so many columns, or against all."""
    games = sum(match.games for match in result.matches)
    has_forfeits = any(match.forfeits for match in result.matches)
    ratings = dict(result.ratings.ranked)
    # the others have not played, in a tournament that was interrupted
    ranked = [*ratings, *(name for name in result.players if name not in ratings)]
    elos = [elo(ratings[name]) if name in ratings else "–" for name in ranked]
    least = min(LEAST_NAME, max(map(len, ranked)))
    left = width - least - max(map(len, elos)) - (22 if has_forfeits else 11)
    told, head, scores = _scores(result, ranked, left)
    head = ("", "player", "Elo", *head, *(["forfeits"] if has_forfeits else []))
    openings = book_text(result.matches[0]) if result.matches else ""
    title = f"{result.game}, {games:,} games{openings}"
    table = new_table(title, *head, left=("player",))
    table.columns[2].no_wrap = True  # it is names that are cut
    for at, name in enumerate(ranked):
        forfeits = [number(result.forfeits(name))] if has_forfeits else []
        table.add_row(str(at + 1), cut(name), elos[at], *scores[at], *forfeits)
    first_move = elo(result.ratings.first_move)
    lines = [f"{told}the first move is worth {first_move} Elo ({INTERVALS})"]
    distinct = sum(match.distinct for match in result.matches)
    if distinct < games:
        lines.append(f"{distinct:,} different games: {REPEATED}")
    reasons: Counter[str] = Counter()
    for match in result.matches:
        reasons.update(match.forfeits)
    lines += forfeit_lines(reasons)
    return with_lines(table, [*lines, *(["interrupted"] if result.stopped else [])])


def _scores(
    result: TournamentResult, ranked: Sequence[str], width: int
) -> tuple[str, tuple[str, ...], list[list[str]]]:
    """Return what the columns of scores tell, their heads, and the cells of each player."""
    numbers = tuple(str(place) for place in range(1, len(ranked) + 1))
    met = [[result.score(name, other) for other in ranked] for name in ranked]
    if len(result.matches) >= len(ranked) or len(ranked) == 2:  # no gauntlet
        for name, form in SCORES.items():
            cells = [["–" if score is None else form(score) for score in row] for row in met]
            if sum(max(len(row[at]) for row in cells) + 3 for at in range(len(ranked))) <= width:
                return f"{name} against the player of that number; ", numbers, cells
    sums = [[sum(score[at] for score in row if score) for at in range(3)] for row in met]
    return "", ("won", "drawn", "lost"), [[*map(number, row)] for row in sums]


def _per_cent(score: tuple[int, int, int]) -> str:
    won, drawn, _ = score
    return f"{100 * (won + drawn / 2) / sum(score):.0f}"


SCORES: dict[str, Callable[[tuple[int, int, int]], str]] = {
    "won–drawn–lost": lambda score: "–".join(map(str, score)),
    "per cent scored": _per_cent,
}
"""How the games of two players are told, the widest first."""


def records_table(games: Sequence[dict[str, Any]]) -> RenderableType:
    """Return the games of a file of records, one a row."""
    head = ("", "game", "x", "o", "winner", "moves")
    table = new_table(f"{len(games):,} games", *head, left=("game", "x", "o", "moves"))
    for row in games:
        keys = [key for key in ("experiment", "pair", "number") if key in row]
        place = ".".join(str(row[key] + (key == "pair")) for key in keys)
        ending = "" if row["ending"] in ENDINGS else f" ({row['ending']})"
        moves = f"{row['start']} {row['moves']}{ending}"
        table.add_row(place, row["game"], row["x"], row["o"], row["winner"] or "draw", moves)
    return table


def plies_table(plies: Sequence[dict[str, Any]]) -> RenderableType:
    """Return moves of a file of records, one a row: what each cost, and its search's values."""
    head = ("match", "pair", "game", "ply", "seconds", "value", "depth", "nodes")
    table = new_table(f"{len(plies):,} plies", *head)
    for row in plies:
        results = map(number, (row["value"], row["depth"], row["nodes"]))
        table.add_row(*_game_of(row), str(row["ply"]), f"{row['seconds']:.6f}", *results)
    return table


def outputs_table(outputs: Sequence[dict[str, Any]]) -> RenderableType:
    """Return what strangers' code printed in recorded games, one game and side a row."""
    head = ("match", "pair", "game", "side", "printed")
    table = new_table(f"output in {len(outputs):,} games", *head, left=("side", "printed"))
    for row in outputs:
        printed = Text("\n".join(map(shown, row["text"].splitlines())))
        table.add_row(*_game_of(row), row["side"], printed)
    return table


def _game_of(row: dict[str, Any]) -> tuple[str, str, str]:
    """Return the numbers of the match, the pair and the game that a row belongs to."""
    return str(row["experiment"]), str(row["pair"] + 1), str(row["number"])
