"""Heuristics of several terms in both forms of a search."""

from __future__ import annotations

import random

import pytest

from plyscope import TermSum, parse, parse_game, search
from plyscope.errors import OptionError
from plyscope.evaluation.linetable import KindTable
from plyscope.searching.conventions import Conventions
from plyscope.searching.limit import NO_LIMIT
from plyscope_fast.searching import board, threats
from plyscope_fast.searching.layout import NO_EVALUATION, TABLE_SUM, TERM_SUM, CompiledBoard
from plyscope_fast.searching.threats import ThreatBoard
from twins import FANO, SPECS, TWINS, assert_twins, some_options, some_position, some_terms

SOME = ["tictactoe", "connect4", "4,4,3,torus", "5,5,3,gravity,misere", "3x3x3,3,gravity", "9,8,3"]
SOME += ["5,5,3,exactly", "5,4,4,stones=2"]
"""Boards of one word and of two, with and without ends, moves that lose, rows that count, and turns
of two stones."""


@pytest.mark.parametrize("spec", SOME)
@pytest.mark.parametrize("name", TWINS)
def test_twins_agree_on_terms(name: str, spec: str) -> None:
    draw = random.Random(f"{name} {spec}")
    game = parse_game(spec)
    for _ in range(8 if game.size < 30 else 3):
        position = some_position(game, draw)
        options = {**some_options(name, draw, position), "heuristic": some_terms(draw, game)}
        assert_twins(position, name, **options)


@pytest.mark.parametrize("spec", [*SPECS, "4,4,4,torus", "fano"])
@pytest.mark.parametrize("kind", [CompiledBoard, ThreatBoard])
def test_updates_the_value_as_stones_come_and_go(kind: type[CompiledBoard], spec: str) -> None:
    """The searches' own board, and that of the playing engine, which is nobody's twin."""
    draw, kernels = random.Random(spec), threats if kind is ThreatBoard else board
    game = FANO if spec == "fano" else parse_game(spec)
    for _ in range(6):
        path, table = [some_position(game, draw)], some_terms(draw, game)
        here = kind(path[0], table, Conventions(), game.size, NO_LIMIT)
        states = slice(here.index_of("states"), here.index_of("states") + len(game.lines))
        kept = here.total, here.words[states]
        taken: list[tuple[int, int]] = []
        for number in range(60):
            is_over = path[-1].is_over
            if number > 30 or is_over or (taken and draw.random() < 0.4):
                if not taken:
                    break
                cell, total = taken.pop()
                path.pop()
                kernels.lift(here, cell, path[-1].side ^ path[0].side, total)
            else:
                cell = draw.choice(path[-1].moves)
                taken.append((cell, here.total))
                kernels.place(here, cell, path[-1].side ^ path[0].side)
                path.append(game.play(path[-1], cell))
            found = board.static_evaluation(here, len(taken), here.total, here.empty)
            assert found == table.evaluate(path[-1], path[0].side)
        assert (here.total, here.words[states]) == kept


def test_the_engine_takes_mirrored_positions_for_one_where_the_terms_do() -> None:
    fair = {"ends": {(2, 2): 5}, "cells": {"a1": 3, "g1": 3}, "mobility": 2}
    for terms, images in (
        (fair, 2),
        ({"cells": {"a1": 3}}, 1),
        ({"threats": {(0, 1): 4}}, 2),
        ({"kinds": {"row": KindTable({(2, 0): 4})}}, 2),
    ):
        table = TermSum(**terms)  # type: ignore[arg-type]
        here = ThreatBoard(parse("connect4 44"), table, Conventions(), 2, NO_LIMIT)
        assert here.symmetry_count == images
    rows = TermSum(threats={(0, 1): 4})
    alone = TermSum(kinds={"row": KindTable({(2, 0): 4})})
    alike = TermSum(kinds={kind: KindTable({(2, 0): 4}) for kind in ("row", "column")})
    for table, spec, images in (
        (rows, "3,3,3", 4),
        (rows, "4,4,3", 2),  # what is left where odd rows stay odd rows
        (alone, "4,4,3", 4),
        (alike, "4,4,3", 8),
    ):
        game = parse_game(spec)
        here = ThreatBoard(game.start(), table, Conventions(), 2, NO_LIMIT)
        assert here.symmetry_count == images, spec


def test_uses_the_fast_form_for_line_tables_by_kind() -> None:
    rows = {"row": KindTable({(2, 0): 4})}
    for terms, evaluator in (
        ({"kinds": rows}, TABLE_SUM),
        ({"kinds": rows, "cells": {"a1": 0}}, TABLE_SUM),
        ({"kinds": rows, "cells": {"a1": 1}}, TERM_SUM),
        ({"kinds": {"row": KindTable(tempo={(2, 0): 4})}}, TERM_SUM),
        ({"tempo": {(1, 0): 0}}, NO_EVALUATION),
    ):
        table = TermSum(**terms)  # type: ignore[arg-type]
        here = CompiledBoard(parse("connect4 44"), table, Conventions(), 2, NO_LIMIT)
        assert (here.evaluator, here.has_terms) == (evaluator, evaluator == TERM_SUM)
        assert_twins(parse("connect4 4455"), "alphabeta", heuristic=table, depth=3)


def test_leaves_sums_too_large_for_a_word_to_the_reference() -> None:
    for terms, position, said in (
        ({"cells": {"b2": 10**9}}, "tictactoe", "may sum beyond ±536,870,911"),
        ({"mobility": 1}, "9,8,4,gravity", "are counted on at most 64 cells"),
    ):
        with pytest.raises(OptionError, match=said):
            search(position, "alphabeta", TermSum(**terms), depth=1, form="compiled")  # type: ignore[arg-type]
        assert search(position, "alphabeta", TermSum(**terms), depth=1).form == "reference"  # type: ignore[arg-type]
