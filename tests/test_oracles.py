"""The oracles give the published numbers by themselves."""

from __future__ import annotations

from math import inf

import oracles


def test_gives_the_published_evaluations() -> None:
    for text, value in (
        (".../.../...", 0),
        ("X../.X./...", 6),
        ("XO./.XO/..X", 4),
        ("XOX/OXO/...", 2),
    ):
        assert (
            oracles.open_lines(oracles.board(text), "X"),
            oracles.open_lines(oracles.board(text), "O"),
        ) == (value, -value)
    for text, value in (("XOX/OXO/XOX", 0), ("XOX/OXO/OXO", 0), ("X../OXO/OOX", 1)):
        assert oracles.diagonal_lines(oracles.board(text)) == value


def test_gives_the_published_search_counts() -> None:
    position = oracles.board(".X./O../X.O")
    assert oracles.minimax(position, "X", oracles.LINES3, oracles.counted_lines) == (5, 226)
    search = oracles.AlphaBeta(
        lambda b: [
            oracles.place(b, cell, oracles.to_move(b)) for cell in oracles.moves(b, oracles.LINES3)
        ],
        oracles.counted_lines,
        strict=False,
        hard=False,
    )
    assert (search.value(position, True, -inf, inf, inf), search.nodes, search.cutoffs) == (
        5,
        98,
        30,
    )


def test_gives_the_published_choices_of_system_d() -> None:
    assert oracles.accumulating_choice(oracles.board("XO./.XO/O.X")) == 2
    assert oracles.accumulating_choice(oracles.board("XO./.XO/...")) == 8


def test_counts_the_number_of_positions() -> None:
    assert len(oracles.reachable3()) == 5478
