"""What a notebook shows: every number of the thing, well-formed, and nothing beside it changed."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

from plyscope import (
    certify,
    explain,
    parse,
    parse_tree,
    perft,
    play_match,
    report_card,
    search,
    solve,
    trace,
)
from plyscope.faces.wording import match_verdict

TREE = "[[[3,5],[6,9]],[[1,2],[0,-1]]]"


def test_the_board_of_a_result_shows_bounds_as_bounds() -> None:
    html = search(".X./O../X.O", "alphabeta")._repr_html_()
    board = html[: html.index("<table")]
    assert re.findall(r">([≤≥] −?\d+)<", board) == ["≤ 5", "≤ 0", "≤ 5"]


def test_things_show_themselves_in_a_notebook() -> None:
    shown = [
        parse("X../.X./..O"),
        search(".X./O../X.O"),
        search(TREE),
        parse_tree(TREE),
        trace(TREE),
        trace("tictactoe", depth=6),
        explain(".X./O../X.O", "diagonal-lines"),
        certify("accumulating"),
        solve("XO./.X./..."),
        perft("tictactoe"),
        play_match("level-2", "level-1", 4, "tictactoe"),
    ]
    for thing in shown:
        html = thing._repr_html_()
        ElementTree.fromstring(f"<body>{html}</body>")
        assert "<script" not in html
        leaking = [
            rule for rule in selectors(html) if not rule.startswith((".plyscope-", ".drawn"))
        ]
        assert leaking == []  # an output changes nothing beside it
    assert "At E (MAX)" in trace(TREE)._repr_html_()
    assert repr(parse("X../.../...")) == "<tictactoe: X../.../...>"
    assert repr(parse_tree("[1,[2,3]]")) == "<tree [1,[2,3]]>"
    assert (
        repr(search(".X./O../X.O"))
        == "<alphabeta on .X./O../X.O: value = 5, best c3, 98 nodes, depth 5>"
    )


def selectors(html: str) -> list[str]:
    """The selectors of all styles in a page."""
    styles = "".join(re.findall(r"<style>(.*?)</style>", html, re.DOTALL))
    rules = re.findall(r"([^{}]+)\{[^{}]*\}", styles)
    return [name.strip() for rule in rules for name in rule.split(",")]


def rows_of(html: str) -> list[list[str]]:
    """The cells of all tables in a page, row by row, as text."""
    body = ElementTree.fromstring(f"<body>{html}</body>")
    return [["".join(cell.itertext()) for cell in row] for row in body.iter("tr")]


def test_a_verdict_shows_every_moves_value_on_the_board_and_beside_it() -> None:
    verdict = solve("XO./.X./...")
    html = verdict._repr_html_()
    assert f">{verdict}<" in html
    assert rows_of(html) == [
        ["move", "value", "plies"],
        ["c1 ★", "loss", "4"],
        *([name, "loss", "2"] for name in ("c3", "a2", "c2", "a1", "b1")),
    ]
    board = html[: html.index("<table")]
    assert sorted(re.findall(r'cell-label"[^>]*>([^<]+)<', board)) == ["−2"] * 5 + ["−4"]
    won = solve("X.X/OO./X..")._repr_html_()
    assert re.findall(r">(\+1)<", won[: won.index("<table")])  # a win at once


def test_moves_are_named_by_columns_where_they_are_typed_so() -> None:
    for html in (
        solve("connect4-5x4 3333")._repr_html_(),
        search("connect4-5x4 3333", depth=2)._repr_html_(),
    ):
        moves = [row[0].removesuffix(" ★") for row in rows_of(html)[1:]]
        assert sorted(moves) == ["1", "2", "4", "5"]
    assert re.search(r"best line [1245] [1245]<", html)


def test_perft_shows_all_plies_and_their_sums_as_often_as_it_is_asked() -> None:
    counts = perft("tictactoe", classes=True)
    assert next(counts).sequences == 1
    html = counts._repr_html_()
    assert html == counts._repr_html_()
    head, *rows, sums = rows_of(html)
    assert head == ["ply", "sequences", "positions", "classes", "X wins", "O wins", "draws"]
    assert rows[-1] == ["9", "127,872", "78", "15", "81,792", "0", "46,080"]
    assert sums == ["sum", "549,946", "5,478", "765", "131,184", "77,904", "46,080"]
    assert "255,168 complete games" in html
    assert [row.ply for row in perft("tictactoe", depth=2)] == [0, 1, 2]


def test_a_report_card_shows_its_numbers_and_its_worst_positions() -> None:
    card = report_card("counted-lines", "tictactoe")
    html = card._repr_html_()
    rows = {row[0]: row[1] for row in rows_of(html) if row[0]}
    assert rows["right order among siblings, less wrong"] == f"{card.among_siblings:.3f}"
    first = card.depths[0]
    label = f"wrong moves at depth 1 (without opinion {first.null_mistakes:.1%})"
    assert rows[label] == f"{first.mistakes:.1%}"
    assert html.count("<figure>") == len(card.worst) > 3
    assert html.count('class="plus"') == len(card.depths)


def test_a_match_shows_who_is_better_and_the_games_by_side() -> None:
    result = play_match("level-2", "level-1", 8, "tictactoe")
    html = result._repr_html_()
    assert f">{match_verdict(result)}<" in html.replace("&#x27;", "'")
    _, a, b = (row[:6] for row in rows_of(html))
    wins = (result.a_wins, result.a_wins_as_x, result.a_wins_as_o, result.draws, result.b_wins)
    assert a == ["level-2", *map(str, wins)]
    assert b[1] == a[-1]
    said = f"level-2: {result.a_wins} won, {result.draws} drawn, {result.b_wins} lost"
    assert f'aria-label="{said}"' in html


def test_an_explanation_stands_beside_its_board_with_a_bar_for_each_line() -> None:
    found = explain(".X./O../X.O", "diagonal-lines")
    html = found._repr_html_()
    head, *rows, sums = rows_of(html)
    assert head[:7] == ["line", "kind", "mine", "theirs", "value", "× weight", "="]
    told = sorted((line for line in found.lines if line.value), key=lambda line: -abs(line.value))
    values = [str(line.value).replace("-", "−") for line in told]
    assert [row[6] for row in rows] == values
    assert sums[6] == str(found.sum)
    assert html.count('class="plus"') == sum(line.value > 0 for line in told)
    assert html.count('class="minus"') == sum(line.value < 0 for line in told)
    assert 'class="drawn"' in html


def test_bars_of_bounds_are_hollow_in_a_notebook() -> None:
    html = search(".X./O../X.O", "alphabeta")._repr_html_()
    signs = [row[1][0] for row in rows_of(html)[1:]]
    assert html.count(' bound"') == sum(sign != "=" for sign in signs) == 3


def test_minimax_has_no_windows_on_its_edges_in_a_notebook() -> None:
    assert "(−∞, ∞)" not in trace(TREE, "minimax")._repr_html_()
    assert "(−∞, ∞)" in trace(TREE)._repr_html_()
