"""Results as tables for the terminal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from plyscope.faces.boards import draw_board
from plyscope.faces.signs import shown
from plyscope.lab.game import ENDINGS
from plyscope.rules.game import SIDES
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.result import RootMove, SearchResult, line_text
from plyscope.searching.score import format_score

if TYPE_CHECKING:
    from plyscope.evaluation.heuristic import Explanation
    from plyscope.faces.diagrams.diff import TreeDiff
    from plyscope.lab.certify import Certificate
    from plyscope.lab.match import MatchResult
    from plyscope.lab.quiz import Marking, Question
    from plyscope.lab.ratings import Interval
    from plyscope.lab.reportcard import AtDepth, Mistake, ReportCard
    from plyscope.lab.tournament import TournamentResult
    from plyscope.rules.perft import PlyCount
    from plyscope.solving.puzzles import Puzzle
    from plyscope.solving.verdict import Verdict

__all__ = [
    "analysis_table",
    "catalogue_table",
    "certificate_table",
    "comparison_table",
    "counts_line",
    "difference_table",
    "explanation_table",
    "marking_table",
    "match_table",
    "outputs_table",
    "perft_table",
    "plies_table",
    "puzzle_table",
    "records_table",
    "report_cards",
    "tournament_table",
    "verdict_table",
]


MAX_DIFFERENCES = 60
MOST_REASONS = 8
"""Reasons why agents were stopped that are told under a table."""


def _table(title: str, *columns: str, left: Sequence[str] = ()) -> Table:
    table = Table(
        title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False
    )
    for column in columns:
        table.add_column(column, justify="left" if column in left else "right", overflow="fold")
    return table


def _number(value: float | None) -> str:
    return (
        "–"
        if value is None
        else format_score(value)
        if isinstance(value, float)
        else f"{value:,}".replace("-", "−")
    )


def explanation_table(explanation: Explanation, show_all: bool = False) -> RenderableType:
    """Return the evaluation line by line, the lines that count first by their share."""
    side = SIDES[explanation.side].upper()
    heading = Text.assemble(
        (f"{explanation.heuristic} for {side}: ", "bold"),
        (_number(explanation.total), "bold"),
        f"   {explanation.position}",
    )
    if explanation.lines is None:
        return Group(heading, Text("this heuristic has no lines to show", style="dim"))
    shown = [share for share in explanation.lines if share.value or show_all]
    table = _table(
        "", "line", "kind", "mine", "theirs", "value", "× weight", "=", left=("line", "kind")
    )
    for share in sorted(shown, key=lambda share: -abs(share.value)):
        numbers = (share.mine, share.theirs, share.table, share.weight, share.value)
        table.add_row("–".join(share.cells), share.kind, *map(_number, numbers))
    table.add_section()
    table.add_row("sum", "", "", "", "", "", _number(explanation.sum))
    if explanation.sum != explanation.total:
        table.add_row(
            "kept within the table's clamp", "", "", "", "", "", _number(explanation.total)
        )
    hidden = len(explanation.lines) - len(shown)
    parts: list[RenderableType] = [heading, table]
    if hidden:
        parts.append(
            Text(
                f"{hidden} of {len(explanation.lines)} lines count 0 (--all shows them)",
                style="dim",
            )
        )
    return Group(*parts)


def analysis_table(
    shared: SearchResult, separate: SearchResult | None, minimax: SearchResult | None
) -> RenderableType:
    """Return each move's value with the nodes of minimax and of the algorithm, each move with a
    window of its own where it was so searched."""
    if not shared.moves:
        return Group(
            Text(
                f"{shared.position}   the game is over: {shared.heuristic} gives "
                f"{format_score(shared.value, shared.conventions.scoring)} for the side to move"
            )
        )
    exact = separate or minimax or shared
    is_alike = exact is not shared and shared.algorithm != "minimax"
    columns = ["move", "row, column", "value", "opinion"]
    counted = separate or shared
    if minimax is not None and shared.algorithm != "minimax":
        columns.append("minimax nodes")
    columns += [f"{shared.algorithm} nodes", "leaves", "cutoffs"]
    table = _table(_title(shared), *columns, left=("move",))
    by_move = {item.move: item for item in minimax.moves} if minimax is not None else {}
    counts = {item.move: item for item in counted.moves}
    for item in exact.moves:
        cost = counts[item.move]
        row = [_marked(item, exact), _place(item), _value(item, exact), _number(item.evaluation)]
        row += (
            [_number(by_move[item.move].nodes)]
            if minimax is not None and shared.algorithm != "minimax"
            else []
        )
        table.add_row(
            *row,
            _number(cost.nodes),
            _number(cost.leaves),
            _number(cost.cutoffs),
            style="bold" if item.move in exact.best_moves else "",
        )
    table.add_section()
    sums = ["sum", "", "", ""]
    sums += (
        [_number(sum(item.nodes for item in minimax.moves))]
        if minimax is not None and shared.algorithm != "minimax"
        else []
    )
    table.add_row(
        *sums,
        *(
            _number(sum(getattr(item, name) for item in counted.moves))
            for name in ("nodes", "leaves", "cutoffs")
        ),
    )
    lines = [Text(line) for line in _summary(shared, separate if is_alike else None, minimax)]
    return Group(
        table,
        *(
            [depths_table(shared)]
            if ALGORITHMS[shared.algorithm].is_engine and shared.depths
            else []
        ),
        *lines,
    )


def depths_table(result: SearchResult) -> RenderableType:
    """Return the engine's depths one by one with what they cost, and its best lines where it was
    asked for several."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("depth", "value", "nodes", "nodes/s", "table"):
        table.add_column(name, justify="right")
    table.add_column("best line", overflow="ellipsis", no_wrap=True)
    scoring = result.conventions.scoring
    for item in result.depths:
        moves = " ".join(line_text(result.position, item.pv))
        fill = "–" if item.table is None else f"{item.table:.0%}"
        table.add_row(
            str(item.depth),
            format_score(item.value, scoring),
            _number(item.nodes),
            _number(round(item.speed)),
            fill,
            moves,
        )
    if len(result.variations) > 1:
        table.add_section()
        for number, line in enumerate(result.variations, 1):
            table.add_row(
                f"line {number}",
                format_score(line.value, scoring),
                "",
                "",
                "",
                " ".join(line_text(result.position, line.pv)),
            )
    return table


def _title(result: SearchResult) -> str:
    side = SIDES[result.position.game.side(result.position)].upper()
    to_move = (
        f"   {side} to move"
        if not getattr(result.position.game, "scored", False)
        else "   MAX to move"
    )
    return f"{result.position}{to_move}   {result.algorithm}, {result.heuristic}"


def _marked(item: RootMove, result: SearchResult) -> str:
    return f"{item.text} {'←' if item.move in result.best_moves else ''}".rstrip()


def _place(item: RootMove) -> str:
    return "–" if item.row is None else f"{item.row}, {item.column}"


def _value(item: RootMove, result: SearchResult) -> str:
    if item.value is None or item.bound is None:
        return "not searched"
    sign = "" if item.bound.sign == "=" else item.bound.sign + " "
    return sign + format_score(item.value, result.conventions.scoring)


def _why_none(result: SearchResult) -> str:
    return "none: the game is over" if not result.moves else "none yet"


def _summary(
    shared: SearchResult, separate: SearchResult | None, minimax: SearchResult | None
) -> list[str]:
    """Return the lines below the table: the value, what the search from the root cost, and how it
    was done."""
    exact = separate or shared
    best = ", ".join(
        item.text for item in exact.moves if item.move in exact.best_moves
    ) or _why_none(shared)
    sign = "" if shared.bound.sign == "=" else f"{shared.bound.sign} "
    value = sign + format_score(shared.value, shared.conventions.scoring)
    lines = [
        f"value {value} for the side to move, by {best}; best line {' '.join(line_text(shared.position, shared.pv)) or '–'}"
    ]
    reach = "to the end" if shared.complete else f"to depth {shared.depth}"
    cost = f"from the root, {reach}: {shared.algorithm} {shared.nodes:,} nodes, {shared.leaves:,} leaves, {shared.cutoffs:,} cutoffs"
    if minimax is not None and shared.algorithm != "minimax":
        cost += f"; minimax {minimax.nodes:,} nodes ({1 - shared.nodes / minimax.nodes:.0%} fewer)"
    lines.append(cost)
    if shared.branching is not None:
        ratio = (
            ""
            if shared.minimal_ratio is None
            else f", {shared.minimal_ratio:.2f} × the leaves of the minimal tree ({shared.minimal:,})"
        )
        lines.append(
            f"effective branching factor {shared.branching:.2f}{ratio}; {shared.engine} engine, {shared.seconds:.3f} s"
        )
        if "cannot be compiled" in shared.engine_reason:
            lines.append(f"reference engine because {shared.engine_reason}")
    if separate is not None:
        note = "; in the table each move has an open window"
    elif minimax is not None and shared.algorithm != "minimax":
        note = "; the values in the table are minimax's"
    else:
        note = ""
    lines.append(
        f"conventions: {shared.conventions.describe(ALGORITHMS[shared.algorithm].takes)}{note}"
    )
    if shared.stopped is not None:
        what = {
            "seconds": "its time was spent",
            "nodes": "its nodes were spent",
            "interrupted": "it was interrupted",
        }[shared.stopped]
        lines.append(
            f"stopped because {what}: the values are those of depth {shared.depth}"
            if shared.depths
            else f"stopped because {what}, before depth 1 was finished"
        )
    return lines


def comparison_table(results: Sequence[SearchResult]) -> RenderableType:
    """Return all algorithms side by side; the ratio is to minimax's nodes where minimax was run to
    the same depth."""
    first = results[0]
    table = _table(
        _title(first).rsplit("   ", 1)[0] + f"   {first.heuristic}",
        "algorithm",
        "value",
        "best",
        "nodes",
        "leaves",
        "cutoffs",
        "÷ minimax",
        "depth",
        "seconds",
        "value as minimax",
        left=("algorithm", "best"),
    )
    minimax = next((result for result in results if result.algorithm == "minimax"), None)
    for result in results:
        is_same_depth = (
            minimax is not None
            and minimax.depth == result.depth
            and result.stopped is None
            and minimax.stopped is None
        )
        ratio = (
            f"{result.nodes / minimax.nodes:.3f}" if minimax is not None and is_same_depth else "–"
        )
        same = (
            "–"
            if minimax is None or not is_same_depth
            else "estimate"
            if result.bound.sign == "≈"
            else "same"
            if result.value == minimax.value
            else "DIFFERS"
        )
        best = ", ".join(
            line_text(result.position, (move,))[0] for move in result.best_moves[:4]
        ) + (" ..." if len(result.best_moves) > 4 else "")
        table.add_row(
            result.algorithm,
            format_score(result.value, result.conventions.scoring),
            best,
            *map(_number, (result.nodes, result.leaves, result.cutoffs)),
            ratio,
            f"{result.depth}{'' if result.stopped is None else ' (' + result.stopped + ')'}",
            f"{result.seconds:.3f}",
            same,
        )
    shown = max(results, key=lambda result: len(ALGORITHMS[result.algorithm].takes))
    return Group(
        table,
        Text(
            f"conventions: {shown.conventions.describe(ALGORITHMS[shown.algorithm].takes)}, each where an algorithm takes it"
        ),
    )


def certificate_table(certificate: Certificate) -> RenderableType:
    """Return the counts of every line of play, and the losing line where there is one."""
    against = "the engine" if certificate.is_searched else "every line of play"
    columns = ("agent plays", "wins", "draws", "losses", "positions")
    table = _table(
        f"{certificate.agent} on {certificate.game}, against {against}",
        *columns,
        left=("agent plays",),
    )
    for side in certificate.sides:
        order = "first" if side.agent_side == "x" else "second"
        table.add_row(
            f"{side.agent_side.upper()} (moves {order})",
            *map(_number, (side.wins, side.draws, side.losses, side.positions)),
        )
    return Group(table, Text(certificate.answer, style="bold"))


def verdict_table(verdict: Verdict) -> RenderableType:
    """Return what a position is worth, and each of its moves."""
    parts: list[RenderableType] = [Text(f"{verdict.position}"), draw_board(verdict.position)]
    if verdict.moves:
        table = _table("", "move", "worth", "plies", left=("move", "worth"))
        for item in sorted(
            verdict.moves, key=lambda item: (-item.value, (item.distance or 0) * item.value)
        ):
            style = "bold" if item.move in verdict.best_moves else ""
            table.add_row(
                item.text,
                {1: "wins", 0: "draws", -1: "loses"}[item.value],
                _number(item.distance),
                style=style,
            )
        parts.append(table)
    parts.append(Text(str(verdict), style="bold"))
    cost = f"{verdict.nodes:,} nodes, " if verdict.nodes else ""
    parts.append(
        Text(
            f"{verdict.method}: {verdict.proof}; {cost}{verdict.seconds:.3f} s, {verdict.megabytes:.1f} MB"
        )
    )
    return Group(*parts)


def puzzle_table(puzzle: Puzzle) -> RenderableType:
    """Return a puzzle, its answer below the board."""
    side = "XO"[puzzle.position.side]
    task = {
        "win": f"one move wins, in {puzzle.depth} plies",
        "draw": f"one move does not lose, the others within {puzzle.depth} plies",
    }
    fooled = f"; wrong at a glance: {', '.join(puzzle.fooled)}" if puzzle.fooled else ""
    heading = Text(
        f"{puzzle.position.game.name} {puzzle.position}\n{side} to move: {task[puzzle.goal]}",
        style="bold",
    )
    return Group(heading, draw_board(puzzle.position), Text(f"{puzzle.move}{fooled}\n"))


def counts_line(result: SearchResult) -> str:
    """Return what the search cost, in a line."""
    ratio = (
        ""
        if result.minimal_ratio is None
        else f", {result.minimal_ratio:.2f} × the leaves of the minimal tree ({result.minimal:,})"
    )
    value = format_score(result.value, result.conventions.scoring)
    return f"{result.nodes:,} nodes, {result.leaves:,} leaves{ratio}, {result.cutoffs:,} cutoffs; value {value}"


def difference_table(found: TreeDiff) -> RenderableType:
    """Return two searches side by side, and the nodes on which they differ."""
    counts = _table("", "", "first", "second")
    for name, pair in (*found.counts.items(), ("value", found.values)):
        counts.add_row(name, *map(_number, pair))
    heading = Text(f"first:  {found.first}\nsecond: {found.second}")
    if not found.differences:
        return Group(heading, counts, Text("no node differs"))
    nodes = _table(
        f"{len(found.differences):,} nodes differ",
        "node",
        "first",
        "second",
        left=("node", "first", "second"),
    )
    for item in found.differences[:MAX_DIFFERENCES]:
        nodes.add_row(item.name, item.first, item.second)
    rest = len(found.differences) - MAX_DIFFERENCES
    return Group(
        heading, counts, nodes, *([Text(f"and {rest:,} more", style="dim")] if rest > 0 else [])
    )


def marking_table(question: Question, marking: Marking) -> RenderableType:
    """Return what was not right in an answer, the points, and what may have gone wrong."""
    table = _table(
        "",
        "node",
        "item",
        "given",
        "expected",
        "mark",
        left=("node", "item", "given", "expected", "mark"),
    )
    for item in marking.marks:
        if item.verdict != "right":
            names = [
                question.tree.name_of(item.path[:end]) for end in range(1, len(item.path) + 1)
            ] or [question.tree.name_of(())]
            table.add_row(
                " ".join(names), item.item, item.given or "–", item.expected, item.verdict
            )
    told = [
        Text(f"{marking.points:g} of {marking.possible} points"),
        Text(f"convention: {question.convention}", style="dim"),
    ]
    if marking.diagnosis is not None:
        told.insert(1, Text(f"It looks as if {marking.diagnosis}."))
    return Group(*([table] if table.row_count else []), *told)


def match_table(result: MatchResult) -> RenderableType:
    """Return who won how often, by side, how much better that makes one than the other, and how
    much the games are worth as evidence."""
    table = _table(
        f"{result.games:,} games, seed {result.seed}",
        "agent",
        "wins",
        "as X",
        "as O",
        "draws",
        "losses",
        left=("agent",),
    )
    table.add_row(
        result.a,
        *map(
            _number,
            (result.a_wins, result.a_wins_as_x, result.a_wins_as_o, result.draws, result.b_wins),
        ),
    )
    table.add_row(
        result.b,
        *map(
            _number,
            (result.b_wins, result.b_wins_as_x, result.b_wins_as_o, result.draws, result.a_wins),
        ),
    )
    lines = [
        f"{result.a} is better by {_elo(result.elo)} Elo, the first move worth {_elo(result.ratings.first_move)}: 95 % intervals",
    ]
    if result.elo_of_pairs is not None:
        lines.append(
            f"pairs by half points 0 to 4: {' '.join(map(str, result.pairs))}; by them alone {_elo(result.elo_of_pairs)} Elo"
        )
    lines.append(
        f"{result.distinct:,} different games from {result.openings:,} opening{'s' if result.openings > 1 else ''}"
        + (
            ": the rest repeat them, and the intervals are narrower than the evidence"
            if result.distinct < result.games
            else ""
        )
    )
    if result.sprt is not None:
        low, high = result.sprt.bounds
        accepted = {
            "elo0": f"accepted {result.sprt.elo0:g}",
            "elo1": f"accepted {result.sprt.elo1:g}",
            None: "not decided",
        }[result.verdict]
        tested = f"sequential test of {result.sprt.elo1:g} against {result.sprt.elo0:g} Elo"
        lines.append(
            f"{tested}: {accepted}, log-likelihood ratio {result.sprt.ratio(result.pairs):.2f} of {low:.2f} to {high:.2f}"
        )
    length = (
        ""
        if result.moves_to_win is None
        else f"a won game took {result.moves_to_win:.2f} moves on average; "
    )
    lines.append(
        f"{length}{result.seconds:.3f} s, {result.seconds / result.games * 1000:.2f} ms a game"
    )
    for name, spent, nodes in zip(
        (result.a, result.b), result.seconds_a_move, result.nodes_a_move, strict=True
    ):
        lines.append(
            f"{name}: {spent * 1000:.3f} ms a move"
            + ("" if nodes is None else f", {nodes:,.0f} nodes")
        )
    lines += _forfeits(result.forfeits)
    if result.stopped == "interrupted":
        lines.append("interrupted")
    return Group(table, *map(Text, lines))


def _elo(interval: Interval) -> str:
    low, high = (
        f"{end:+.0f}".replace("-", "−").replace("+inf", "∞").replace("−inf", "−∞")
        for end in (interval.low, interval.high)
    )
    return (
        f"{interval.value:+.0f} ({low} to {high})".replace("-", "−")
        .replace("+inf", "∞")
        .replace("−inf", "−∞")
    )


def _forfeits(forfeits: Mapping[str, int]) -> Iterator[str]:
    """Yield why agents were stopped, the same reason on different positions once, with one of
    them."""
    kinds: dict[str, tuple[str, int]] = {}
    for reason, count in forfeits.items():
        kind = re.sub(r" on '[^']*'", "", reason)
        first, before = kinds.get(kind, (reason, 0))
        kinds[kind] = first, before + count
    for reason, count in sorted(kinds.values(), key=lambda kind: -kind[1])[:MOST_REASONS]:
        yield f"stopped {count:,} time{'s' if count > 1 else ''}: {reason}"
    if len(kinds) > MOST_REASONS:
        yield f"stopped for {len(kinds) - MOST_REASONS:,} more reasons: --json has all"


def tournament_table(result: TournamentResult) -> RenderableType:
    """Return the players by rating, and for each how it fared against each: games won, drawn and
    lost."""
    numbers = [str(number) for number in range(1, len(result.players) + 1)]
    has_forfeits = any(match.forfeits for match in result.matches)
    table = _table(
        f"{result.game}, {sum(match.games for match in result.matches):,} games",
        "",
        "player",
        "Elo",
        *numbers,
        *(["forfeits"] if has_forfeits else []),
        left=("player",),
    )
    ratings = dict(zip(result.ratings.players, result.ratings.ratings, strict=True))
    rated = sorted(ratings, key=lambda name: -ratings[name].value)
    ranked = [
        *rated,
        *(name for name in result.players if name not in ratings),
    ]  # who has not played, of a tournament that was interrupted
    for number, name in zip(numbers, ranked, strict=True):
        scores = [result.score(name, other) for other in ranked]
        elo = _elo(ratings[name]) if name in ratings else "–"
        against = ("–" if score is None else "{}–{}–{}".format(*score) for score in scores)
        table.add_row(
            number, name, elo, *against, *([_number(result.forfeits(name))] if has_forfeits else [])
        )
    lines = [
        f"won–drawn–lost against the player of that number; the first move is worth {_elo(result.ratings.first_move)} Elo (95 % intervals)"
    ]
    distinct, games = (
        sum(match.distinct for match in result.matches),
        sum(match.games for match in result.matches),
    )
    if distinct < games:
        lines.append(
            f"{distinct:,} different games: the rest repeat them, and the intervals are narrower than the evidence"
        )
    reasons: Counter[str] = Counter()
    for match in result.matches:
        reasons.update(match.forfeits)
    lines += _forfeits(reasons)
    return Group(table, *map(Text, [*lines, *(["interrupted"] if result.stopped else [])]))


def records_table(games: Sequence[dict[str, Any]]) -> RenderableType:
    """Return the games of a file of records, one a row."""
    table = _table(
        f"{len(games):,} games",
        "",
        "game",
        "x",
        "o",
        "winner",
        "moves",
        left=("game", "x", "o", "moves"),
    )
    for row in games:
        place = ".".join(
            str(row[key] + (key == "pair"))
            for key in ("experiment", "pair", "number")
            if key in row
        )
        ending = "" if row["ending"] in ENDINGS else f" ({row['ending']})"
        table.add_row(
            place,
            row["game"],
            row["x"],
            row["o"],
            row["winner"] or "draw",
            f"{row['start']} {row['moves']}{ending}",
        )
    return table


def plies_table(plies: Sequence[dict[str, Any]]) -> RenderableType:
    """Return the moves of a file of records, one a row: what each cost, and what its search said in
    the mover's view."""
    table = _table(
        f"{len(plies):,} plies",
        "match",
        "pair",
        "game",
        "ply",
        "seconds",
        "value",
        "depth",
        "nodes",
    )
    for row in plies:
        place = str(row["experiment"]), str(row["pair"] + 1), str(row["number"]), str(row["ply"])
        table.add_row(
            *place,
            f"{row['seconds']:.6f}",
            *map(_number, (row["value"], row["depth"], row["nodes"])),
        )
    return table


def outputs_table(outputs: Sequence[dict[str, Any]]) -> RenderableType:
    """Return what strangers' code printed in the games of a file of records, one game and side a
    row."""
    table = _table(
        f"output in {len(outputs):,} games",
        "match",
        "pair",
        "game",
        "side",
        "printed",
        left=("side", "printed"),
    )
    for row in outputs:
        place = str(row["experiment"]), str(row["pair"] + 1), str(row["number"]), row["side"]
        table.add_row(*place, Text("\n".join(map(shown, row["text"].splitlines()))))
    return table


def report_cards(cards: Sequence[ReportCard]) -> RenderableType:
    """Return the cards side by side, and for one alone the positions in which it is most wrong."""
    first = cards[0]
    of = " of random games" if first.is_sampled else ""
    title = f"{first.game}: {first.positions:,} positions{of}, {first.choices:,} with a choice that matters"
    table = _table(title, "", *[card.heuristic for card in cards], left=("",))
    plain: list[tuple[str, Callable[[ReportCard], str]]] = [
        (
            "correlation with the value (τ-b)",
            lambda card: "–" if card.correlation is None else f"{card.correlation:.3f}",
        ),
        ("right order among siblings, less wrong", lambda card: f"{card.among_siblings:.3f}"),
        ("evaluated otherwise when mirrored", lambda card: _number(card.changes_when_mirrored)),
        (
            "evaluated otherwise with colours exchanged",
            lambda card: _number(card.changes_when_colours_swap),
        ),
        ("an evaluation, in Python", lambda card: f"{card.microseconds:.1f} µs"),
    ]
    if first.nodes is not None:
        plain.append(
            (
                f"alpha-beta's nodes in its order (without opinion {first.null_nodes:,})",
                lambda card: _number(card.nodes),
            )
        )
    for label, cell in plain:
        table.add_row(label, *map(cell, cards))
    table.add_section()
    for at, item in enumerate(first.depths):
        label = f"wrong moves at depth {item.depth} (without opinion {item.null_mistakes:.1%})"
        table.add_row(
            label,
            *(
                f"{card.depths[at].mistakes:.1%}{_margin(card.depths[at])}{_worse(card, at)}"
                for card in cards
            ),
        )
    is_marked = any(_worse(card, at) for card in cards for at in range(len(card.depths)))
    notes = [Text("↑ wrong more often than one ply shallower", style="dim")] if is_marked else []
    if len(cards) > 1:
        return Group(table, *notes)
    return Group(table, *notes, *(_mistake(item) for item in first.worst))


def _margin(item: AtDepth) -> str:
    return f" ± {item.margin * 100:.1f}" if item.margin else ""


def _worse(card: ReportCard, at: int) -> str:
    return " ↑" if at and card.depths[at].mistakes > card.depths[at - 1].mistakes else ""


def _mistake(item: Mistake) -> RenderableType:
    cost = {1: "half a point", 2: "the game"}[item.lost]
    side = SIDES[item.position.side].upper()
    said = f"\n{side} to move: rates {item.chosen} {item.margin:,} above {item.better}, which costs {cost}"
    return Group(Text(said), draw_board(item.position))


def perft_table(name: str, rows: Sequence[PlyCount], is_cut: bool = False) -> RenderableType:
    """Return the counts ply by ply and their sums, which are those of the first plies where the
    count `is_cut`."""
    columns = (
        ["ply", "sequences", "positions"]
        + (["classes"] if rows and rows[0].classes is not None else [])
        + ["X wins", "O wins", "draws"]
    )
    table = _table(name, *columns)
    for row in rows:
        classes = [] if row.classes is None else [_number(row.classes)]
        table.add_row(
            *map(_number, (row.ply, row.sequences, row.positions)),
            *classes,
            *map(_number, (row.first_wins, row.second_wins, row.draws)),
        )
    table.add_section()
    classes = (
        []
        if not rows or rows[0].classes is None
        else [_number(sum(row.classes or 0 for row in rows))]
    )
    totals = [
        sum(getattr(row, name) for row in rows)
        for name in ("sequences", "positions", "first_wins", "second_wins", "draws")
    ]
    table.add_row(
        "sum so far" if is_cut else "sum",
        *map(_number, totals[:2]),
        *classes,
        *map(_number, totals[2:]),
    )
    games = f"{sum(row.games for row in rows):,} complete games"
    return Group(
        table,
        Text(
            f"interrupted in ply {len(rows)}: {games} before it, and the sums are cut"
            if is_cut
            else games
        ),
    )


def catalogue_table(title: str, rows: Sequence[dict[str, Any]]) -> RenderableType:
    """Return a catalogue's rows; yes and no for what is true or false."""
    table = _table(
        title,
        *rows[0],
        left=[
            key
            for key, value in rows[0].items()
            if not isinstance(value, int) or isinstance(value, bool)
        ],
    )
    for row in rows:
        table.add_row(*(_cell(value) for value in row.values()))
    return table


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
