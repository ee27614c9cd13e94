"""The solver of draws in which each side blocks all lines: brute force, and proofs that hold."""

from __future__ import annotations

import functools
import itertools
import operator
import random
from collections import Counter
from dataclasses import replace

import pytest

import checker
import oracles
from plyscope import LineGame, parse, parse_game, solve
from plyscope.errors import OptionError
from plyscope.rules.linegame import Line
from plyscope.rules.lines import bits
from plyscope.solving.ask import Ask
from plyscope.solving.verify import verify
from plyscope_fast.solving import blocking, proof
from plyscope_fast.solving.blocking import Blocker
from plyscope_fast.solving.matching import Matcher
from plyscope_fast.solving.proof import proof_lines, proof_of
from sentences import refuses
from sizes import sized


def some_game(draw: random.Random) -> LineGame:
    """A board of ten cells with some lines of three to five cells."""
    lines = {tuple(sorted(draw.sample(range(10), draw.randint(3, 5)))) for _ in range(6)}
    masks = tuple(Line(sum(1 << cell for cell in line), "row") for line in sorted(lines))
    return LineGame("some", (10, 1), masks, exactly=draw.random() < 0.3)


def test_a_side_that_uses_a_part_of_the_board_blocks_all_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw, found = random.Random(5), Counter[str]()
    monkeypatch.setattr(blocking, "MAX_CELLS", 7)
    for _ in range(300):
        game = some_game(draw)
        lines = tuple(line.cells() for line in game.lines)
        weak = oracles.MakerSolved(lines)
        b = oracles.random_board(draw, game.size, lines, 0, draw.randrange(4))
        position = parse("".join(b), game)
        x, o = position.first, position.second
        if position.is_over:
            continue
        blocker, ask = Blocker(position, 1), Ask(position)
        if position.side == 0:
            holds, truth = blocker.holds(ask, x, o), not weak.maker_wins(b)
        else:
            cell = blocker.reply(ask, x, o)
            holds, truth = cell is not None, not weak.maker_wins(b)
            if cell is not None:
                assert not weak.maker_wins(oracles.place(b, cell, "O")), (b, lines)
        assert truth or not holds, (b, lines)
        part = "part" if blocker.cells else "weights" if blocker.solver is None else "all"
        part = "matching" if isinstance(blocker.solver, Matcher) else part
        found[part, holds, truth] += 1
    assert found["part", True, True] > 20
    assert found["part", False, True] > 2, "no draw was missed: the part of the board is not used"
    assert found["part", False, False] > 5


def linear_game(draw: random.Random) -> LineGame:
    """A board of 12 cells with lines of three to five cells, no two of which share two cells."""
    masks: list[int] = []
    for _ in range(60):
        mask = sum(1 << cell for cell in draw.sample(range(12), draw.randint(3, 5)))
        if all((mask & other).bit_count() < 2 for other in masks):
            masks.append(mask)
    return LineGame("linear", (12, 1), tuple(Line(mask, "row") for mask in sorted(masks)))


def test_matchings_block_all_lines_whatever_is_outside_the_zone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw, found = random.Random(8), Counter[object]()
    monkeypatch.setattr(blocking, "MAX_CELLS", 7)
    for _ in range(sized(60, 400)):
        game = linear_game(draw)
        blocker, ask = Blocker(game.start(), 1), Ask(game.start())
        assert isinstance(blocker.solver, Matcher)
        for _ in range(4):
            cells = draw.sample(range(game.size), draw.randrange(7))
            attack = sum(1 << cell for cell in cells[::2])
            defence = sum(1 << cell for cell in cells[1::2])
            if any(mask & attack == mask for mask in game.masks):
                continue
            free = game.board & ~(attack | defence)
            truth = oracles.stops_all_lines(game.masks, game.board, attack, defence)
            holds = blocker.holds(ask, attack, defence)
            assert truth or not holds
            found["holds", truth] += holds
            if holds and blocker.solver.holds(ask, attack, defence):
                words = blocker.solver.memory.block.zones
                zone = sum(1 << cell for cell in range(game.size) if words[cell])
                assert zone & ~free == 0
                more = sum(1 << cell for cell in bits(free & ~zone) if draw.random() < 0.8)
                found["outside"] += more > 0
                assert oracles.stops_all_lines(game.masks, game.board, attack | more, defence)
            pairs = blocker.pairs(attack, defence)
            found["pairs"] += bool(pairs)
            assert holds or pairs is None
            cell = blocker.reply(ask, attack, defence)
            if cell is not None:
                found["reply"] += 1
                after = defence | 1 << cell
                assert free >> cell & 1
                assert oracles.stops_all_lines(game.masks, game.board, attack, after)
            found["truth"] += truth
    assert found["holds", True] > 0.6 * found["truth"]
    assert found["holds", True] > 1.3 * found["pairs"]
    assert found["outside"] > sized(15, 100)
    assert found["reply"] > sized(45, 300)


def test_finds_a_largest_matching_and_leaves_out_what_it_can() -> None:
    draw, found = random.Random(9), Counter[object]()
    for _ in range(sized(120, 300)):
        game = linear_game(draw)
        matcher = Matcher(game)
        cells = draw.sample(range(game.size), draw.randrange(9))
        attack = sum(1 << cell for cell in cells[::2])
        defence = sum(1 << cell for cell in cells[1::2])
        wanted = sum(1 << cell for cell in draw.sample(range(game.size), 5))
        free = game.board & ~(attack | defence)
        lines = [mask & free for mask in game.masks if not mask & defence]
        pairs = matcher.pairs(attack, defence, (wanted,))
        # Hall's theorem: there are two cells for each line unless some lines have too few together
        is_matched = all(
            2 * len(some) <= functools.reduce(operator.or_, some, 0).bit_count()
            for count in range(1, len(lines) + 1)
            for some in itertools.combinations(lines, count)
        )
        assert (pairs is not None) == is_matched
        found[is_matched] += 1
        if pairs is None:
            continue
        used = sum(1 << cell for pair in pairs for cell in pair)
        assert used.bit_count() == 2 * len(pairs) == 2 * len(lines)
        assert used & ~free == 0
        assert all(any(line >> a & line >> b & 1 for a, b in pairs) for line in lines)
        fewest = next(
            count
            for count in range(6)
            if any(
                matcher.pairs(attack | sum(1 << c for c in some), defence) is not None
                for some in itertools.combinations(
                    bits(wanted & free), (wanted & free).bit_count() - count
                )
            )
        )
        assert (used & wanted).bit_count() == fewest
        found["left out"] += fewest < (wanted & free).bit_count()
    assert min(found[True], found[False], found["left out"]) > sized(12, 30), found


def test_draws_agree_with_brute_force(monkeypatch: pytest.MonkeyPatch) -> None:
    draw, found = random.Random(6), Counter[int | None]()
    for number in range(200):
        monkeypatch.setattr(blocking, "MAX_CELLS", 7 if number % 2 else 64)
        game = some_game(draw)
        if game.exactly:
            continue
        lines = tuple(line.cells() for line in game.lines)
        b = oracles.random_board(draw, game.size, lines, 0, draw.randrange(6))
        position = parse("".join(b), game)
        verdict, strong = solve(position, "blocking"), oracles.Solved(lines)
        found[verdict.value] += 1
        if verdict.value is None:
            assert "proves no win" in str(verdict.stopped)
            continue
        assert verdict.value == strong.worth(b)[0]
        if not position.is_over:
            (move,) = verdict.best_moves
            assert strong.worth(oracles.place(b, move, oracles.to_move(b)))[0] == 0
    assert found[0] > 30
    assert found[None] > 8


@pytest.mark.parametrize(
    ("name", "positions"),
    [
        *(("9,9,7", 40), ("10,8,7,exactly", None), ("11,11,8", 1)),
        *(("9,8,9", 1), ("9,9,9,exactly", 3), ("12,12,12", 1)),
    ],
)
def test_proves_draws_of_large_boards(name: str, positions: int | None) -> None:
    verdict = solve(name, "blocking")
    assert verdict.value == 0
    text = proof_of(parse_game(name).start())
    proved = verify(text)
    assert [(claim["side"], claim["at_least"]) for claim in proved["claims"]] == [
        ("x", 0),
        ("o", 0),
    ]
    assert positions in (None, proved["positions"])
    assert tuple(checker.check(text.encode())) == ([("x", 0), ("o", 0)], proved["positions"])


def test_replies_on_no_hole() -> None:
    # every line is blocked, so each empty cell is as good as another
    game = parse_game("9,9,9,holes=i1")
    blocker, ask = Blocker(game.start(), 1), Ask(game.start())
    assert isinstance(blocker.solver, Matcher)
    attack, defence = 0, 0
    for line in game.masks:
        if not line & defence:
            defence |= next(1 << cell for cell in bits(line) if not attack >> cell & 1)
    for _ in range(20):
        reply = blocker.reply(ask, attack, defence)
        assert reply in set(bits(game.board & ~(attack | defence)))
        defence |= 1 << reply


def test_ignores_rows_longer_than_an_exact_line() -> None:
    text = "9,9,5,exactly a1 a3 b1 c3 c1 e3 e1 g3 f1 i3 d1 h5"  # six stones of X in a row
    verdict = solve(text, "blocking")
    assert verdict.value is None
    assert "proves no win" in str(verdict.stopped)


def test_writes_no_proof_of_a_draw_without_a_known_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Blocker, "holds", lambda *_: False)
    monkeypatch.setattr(Blocker, "reply", lambda *_: None)
    unknown = replace(solve("5,5,4"), best_moves=())
    monkeypatch.setattr(proof, "solve", lambda *_, **__: unknown)
    with refuses(OptionError):
        list(proof_lines(Ask(parse_game("5,5,4").start()), 0))


def test_the_cube_of_seven_needs_few_replies_where_the_defender_has_the_centre() -> None:
    game = parse_game("7x7x7,7")
    blocker, ask = Blocker(game.start(), 1), Ask(game.start())
    centre = game.size // 2
    assert blocker.reply(ask, 1, 0) == centre
    assert isinstance(blocker.solver, Matcher)
    assert blocker.solver.memory.block.symmetries == 1152
    attack, defence = 1, 1 << centre
    draw = random.Random(1)
    for _ in range(2):  # whatever X does, two further replies lead to a matching
        attack |= 1 << draw.choice([c for c in range(game.size) if not (attack | defence) >> c & 1])
        assert blocker.pairs(attack, defence) is None
        reply = blocker.reply(ask, attack, defence)
        assert reply is not None
        defence |= 1 << reply
    pairs = blocker.pairs(attack, defence)
    assert pairs is not None
    assert len(pairs) == sum(not mask & defence for mask in game.masks)
