"""Report cards against brute force and scipy."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from scipy.stats import binomtest, kendalltau

import oracles
from commands import refusal
from plyscope import (
    LineTable,
    evaluate,
    parse,
    parse_game,
    play_match,
    report_card,
    search,
    solve,
)
from plyscope.errors import OptionError
from plyscope.evaluation.function import WithoutLines
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.lab.judging.population import Population, Positions
from plyscope.lab.judging.reportcard.budget import Classes, one_of_each
from plyscope.lab.judging.reportcard.measures import at_least, tau_b
from plyscope.lab.judging.sample import Sample
from plyscope.lab.judging.share import wilson
from plyscope.lab.judging.tactics import tactic_of
from plyscope.lab.judging.whole import WholeGame
from plyscope.rules.position import Position
from sentences import refuses

Board = tuple[str, ...]


@cache
def worth(b: Board) -> int:
    """What a board is worth to its side to move, by brute force."""
    side = oracles.to_move(b)
    if oracles.has_line(b, "O" if side == "X" else "X", oracles.LINES3):
        return -1
    cells = oracles.moves(b, oracles.LINES3)
    return max((-worth(oracles.place(b, cell, side)) for cell in cells), default=0)


def searched(b: Board, depth: int) -> int:
    """The value of a search to `depth` with counted lines, in the view of the side to move."""
    side = oracles.to_move(b)
    if oracles.has_line(b, "O" if side == "X" else "X", oracles.LINES3):
        return -(10**9)
    cells = oracles.moves(b, oracles.LINES3)
    if not cells:
        return 0
    if depth == 0:
        return oracles.counted_lines(b) * (1 if side == "X" else -1)
    return max(-searched(oracles.place(b, cell, side), depth - 1) for cell in cells)


@cache
def plies_left(b: Board) -> int:
    """How long a decided board lasts, where the winner hurries and the loser delays."""
    value = worth(b)
    side = oracles.to_move(b)
    if oracles.has_line(b, "O" if side == "X" else "X", oracles.LINES3):
        return 0
    after = [oracles.place(b, cell, side) for cell in oracles.moves(b, oracles.LINES3)]
    plies = [plies_left(child) + 1 for child in after if -worth(child) == value]
    return min(plies) if value > 0 else max(plies)


def test_counts_the_positions_in_which_a_move_can_waste_plies() -> None:
    known: dict[Position, tuple[int, int]] = {}

    def outcome(position: Position) -> tuple[int, int]:
        """Return the value to the side to move and the plies to the end with best play."""
        if position not in known:
            after = [outcome(position.play(move)) for move in position.moves]
            value = max((-value for value, _ in after), default=-int(position.winner is not None))
            plies = [1 + left for value_after, left in after if value_after == -value]
            known[position] = value, (min if value > 0 else max)(plies, default=0)
        return known[position]

    outcome(parse_game("4,2,3").start())
    pacing = 0
    for position, (value, _) in known.items():
        after = [known[position.play(move)] for move in position.moves]
        pacing += value != 0 and len({left for worth, left in after if worth == -value}) > 1
    assert report_card("counted-lines", "4,2,3", depth=1).pacing == pacing > 0


@pytest.mark.parametrize("depth", [1, 2])
def test_counts_wasted_plies_as_brute_force(depth: int) -> None:
    wasted: list[float] = []
    pacing = 0
    for b in oracles.reachable3():
        value, side = worth(b), oracles.to_move(b)
        cells = oracles.moves(b, oracles.LINES3)
        if value == 0 or not cells:
            continue
        children = [oracles.place(b, cell, side) for cell in cells]
        keeping = [child for child in children if -worth(child) == value]
        if len({plies_left(child) for child in keeping}) < 2:
            continue
        pacing += 1
        scores = [searched(child, depth - 1) for child in children]
        chosen = [
            child
            for child, score in zip(children, scores, strict=True)
            if score == min(scores) and child in keeping
        ]
        if chosen:
            best = plies_left(b) - 1
            wasted.append(sum(abs(plies_left(child) - best) for child in chosen) / len(chosen))
    card = report_card("counted-lines", depth=depth)
    assert card.pacing == pacing
    assert card.depths[-1].delay == pytest.approx(sum(wasted) / len(wasted))
    assert card.depths[0].delay > 0


@pytest.mark.parametrize("depth", [1, 2])
def test_counts_mistakes_as_brute_force(depth: int) -> None:
    total, count = Fraction(0), 0
    for b in oracles.reachable3():
        children = [
            oracles.place(b, cell, oracles.to_move(b)) for cell in oracles.moves(b, oracles.LINES3)
        ]
        if len({worth(child) for child in children}) > 1:
            count += 1
            scores = [searched(child, depth - 1) for child in children]
            chosen = [
                child for child, score in zip(children, scores, strict=True) if score == min(scores)
            ]
            total += Fraction(sum(worth(child) > -worth(b) for child in chosen), len(chosen))
    card = report_card("counted-lines", depth=depth)
    assert card.choices == count
    assert card.depths[-1].mistakes == pytest.approx(float(total / count))


KEPT: list[tuple[dict[str, Any], tuple[float, ...], list[tuple[float, ...]]]] = [
    (
        {"heuristic": "counted-lines", "depth": 4},
        (5478, 3191, 0.5734777304507359, 0.8768601190476191),
        [
            (0.03771022667920192, 0.26613839518884963, 0.03896375221978481, 0, 0),
            (0.035725477906612346, 0.08565160943725657, 0.03614331975347331, 134, 88),
            (0.017027055259584246, 0.045517900046261064, 0.017027055259584246, 124, 104),
            (0.007103311396636373, 0.019340108340421724, 0.007103311396636373, 112, 20),
        ],
    ),
    (
        {"heuristic": "open-lines", "game": "connect4", "depth": 2, "samples": 100, "seed": 3},
        (100, 30, 0.30737401973990797, 0.38509316770186336),
        [
            (0.4738888888888889, 0.6473809523809524, 0.8144444444444444, 0, 0),
            (0.3111111111111111, 0.3813492063492063, 0.48333333333333334, 7, 2),
        ],
    ),
]
"""Cards of the first version, which drew positions one move at a time and solved each by itself.
Their sums are rounded once (`fsum`), so that every Python gives the same digits."""


@pytest.mark.parametrize(("asked", "of_card", "of_depths"), KEPT, ids=["whole", "sample"])
def test_cards_keep_their_numbers(
    asked: dict[str, Any], of_card: tuple[float, ...], of_depths: list[tuple[float, ...]]
) -> None:
    card = report_card(**asked)
    assert (card.positions, card.choices, card.correlation, card.among_siblings) == of_card
    assert [
        (item.mistakes, item.null_mistakes, item.lost, item.fixed, item.regressed)
        for item in card.depths
    ] == of_depths


def test_computes_the_correlation_of_scipy() -> None:
    draw = random.Random(4)
    for _ in range(20):
        truth = [draw.choice([-1, 0, 1]) for _ in range(200)]
        ratings = [draw.randint(-5, 5) + 3 * value for value in truth]
        assert tau_b(ratings, truth) == pytest.approx(kendalltau(ratings, truth).statistic)
    assert tau_b([1, 1], [0, 1]) is None


def test_the_paired_test_is_the_exact_binomial() -> None:
    for heads, tosses in ((0, 0), (3, 10), (9, 12), (112, 250)):
        expected = 1.0 if tosses == 0 else binomtest(heads, tosses, alternative="greater").pvalue
        assert at_least(heads, tosses) == pytest.approx(expected)


class Perfect(WithoutLines):
    """The value by brute force."""

    name = "perfect"

    def evaluate(self, position: Any, side: int) -> int:
        stones = [position.owner(cell) for cell in range(9)]
        value = worth(tuple("." if owner is None else "XO"[owner] for owner in stones))
        return value if side == position.side else -value


def test_perfect_knowledge_makes_no_mistakes() -> None:
    card = report_card(Perfect(), depth=2)
    assert [item.mistakes for item in card.depths] == [0, 0]
    assert card.among_siblings == 1
    assert card.correlation == pytest.approx(1)
    assert card.worst == ()


def test_scores_no_opinion_as_the_baseline() -> None:
    card = report_card("null", depth=3)
    assert all(item.mistakes == item.null_mistakes for item in card.depths)
    assert (card.correlation, card.among_siblings) == (None, 0)
    assert (card.changes_when_mirrored, card.changes_when_colours_swap) == (0, 0)
    assert card.nodes == card.null_nodes


def test_counts_broken_symmetries() -> None:
    lopsided = LineTable("lopsided", {(1, 0): 1, (0, 1): -1}, {"row": 2})
    assert report_card(lopsided, depth=1).changes_when_mirrored > 1000
    biased = LineTable("biased", {(1, 0): 1, (0, 1): -1, (1, 1): 1})
    card = report_card(biased, depth=1)
    assert (card.changes_when_mirrored, card.changes_when_colours_swap) == (0, 0)
    first = report_card(lambda mine, theirs, lines: mine & 1, depth=1)
    assert first.changes_when_mirrored > 0


def test_draws_few_positions_from_all_classes() -> None:
    kinds = [Classes(list("aabbc"), list("abc")), Classes(list("12121"), list("12"))]
    assert one_of_each(kinds, [0, 1, 2, 3, 4], lambda at: 0) == [0, 3, 4]
    assert one_of_each(kinds, [0, 1, 2, 3, 4], lambda at: at) == [1, 3, 4]
    assert one_of_each(kinds, [0, 1], lambda at: 0) == [0, 1]
    assert one_of_each(kinds, [], lambda at: 0) == []


def test_lists_true_mistakes_as_worst_positions() -> None:
    for item in report_card("open-lines", depth=1).worst:
        position = item.position
        value = search(position, "minimax", scoring="result").value
        after = {
            name: position.play(position.game.parse_move(position, name))
            for name in (item.chosen, item.better)
        }
        ratings = {
            name: evaluate(child, "open-lines", side="xo"[position.side])
            for name, child in after.items()
        }
        assert ratings[item.chosen] - ratings[item.better] == item.margin >= 0
        outcomes = {
            name: -search(child, "minimax", scoring="result").value for name, child in after.items()
        }
        assert outcomes[item.better] == value
        assert outcomes[item.chosen] < value


def test_makes_cards_of_other_games_and_rejects_large_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    card = report_card("counted-lines", "3,3,3,misere", depth=2, progress=seen.append)
    assert card.positions == max(seen)
    assert parse("3,3,3,misere").game.name == card.game or card.game == "misere-tictactoe"
    monkeypatch.setattr("plyscope.lab.judging.whole.MAX_POSITIONS", 1000)
    for game, positions, instead in (
        ("connect4", "all", "a sample of them (samples)"),
        ("gomoku15", "all", "a sample of them (samples)"),
        ("5,5,4,gravity,misere", None, "a smaller game"),
    ):
        said = f"'{game}' has more than 1,000 positions; expected {instead}"
        with pytest.raises(OptionError, match=re.escape(said)):
            report_card("counted-lines", game, positions=positions)


TEMPO = LineTable("tempo", {(1, 0): 3, (2, 0): 11, (0, 1): -1, (0, 2): -25})
"""It says more of O's stones than of X's, so that whose view it takes matters."""


@pytest.mark.parametrize("heuristic", ["counted-lines", TEMPO])
def test_agrees_with_the_whole_game_on_sampled_positions(heuristic: Any) -> None:
    game = parse_game("4,3,3")
    opinion = find_heuristic(heuristic, game)
    whole, sample = WholeGame(game), Sample(game, 150, 4)

    def losses(population: Population, depth: int) -> dict[Any, tuple[float, float]]:
        critical = population.critical
        played = critical.played(opinion, depth)
        both = zip(critical.wrong_by(played), critical.lost_by(played), strict=True)
        positions = (population.positions[at] for at in critical.at)
        return dict(zip(positions, both, strict=True))

    assert len(sample.critical) > 20
    for depth in (1, 2, 3):
        expected = losses(whole, depth)
        for position, loss in losses(sample, depth).items():
            assert loss == pytest.approx(expected[position])
    pacing = sample.pacing
    in_whole = Positions(whole, [whole.number[sample.positions[at]] for at in pacing.at])
    assert len(pacing) > 20
    assert set(in_whole.at) <= set(whole.pacing.at)
    for depth in (1, 2):
        assert (pacing.played(opinion, depth) == in_whole.played(opinion, depth)).all()
    for at, position in enumerate(sample.positions):
        there = whole.number[position]
        assert sample.exact_values[at] == whole.exact_values[there]
        assert sample.distances[at] == whole.distances[there]


@pytest.mark.parametrize("game", ["3,3,3", "3,2,2,misere", "4,3,3,gravity"])
def test_counts_distances_as_the_tablebase(game: str) -> None:
    whole = WholeGame(parse_game(game))
    for at, position in enumerate(whole.positions):
        verdict = solve(position, "tablebase", with_moves=False)
        assert (whole.exact_values[at], whole.distances[at]) == (verdict.value, verdict.distance)


def test_repeats_sampled_cards_and_prints_their_margin() -> None:
    one, other = (report_card("open-lines", "connect4", 2, samples=30, seed=3) for _ in range(2))
    assert {**one.as_dict(), "microseconds": 0} == {**other.as_dict(), "microseconds": 0}
    assert (one.is_sampled, one.positions, one.nodes) == (True, 30, None)
    at_one = one.depths[0]
    assert (at_one.mistakes, at_one.low, at_one.high) == wilson(
        at_one.mistakes * one.choices, one.choices
    )
    assert 0 < at_one.low < at_one.mistakes < at_one.high < 1
    assert report_card("open-lines", "connect4", 1, samples=30, seed=4).worst != one.worst
    with refuses(OptionError):
        report_card("open-lines", "5,5,4,gravity,misere", samples=5)
    with refuses(OptionError):
        report_card("open-lines", samples=5000)


@pytest.mark.parametrize(
    "ask",
    [
        lambda game: play_match("random", "random", game=game),
        lambda game: report_card("null", game),
    ],
)
def test_says_what_an_object_lacks_to_be_a_game(ask: Any) -> None:
    with refuses(OptionError):
        ask(object())


def test_splits_the_wrong_moves_into_an_error_budget() -> None:
    card = report_card("counted-lines", depth=2)
    for groups in (card.by_tactic, card.by_ply, card.by_reach):
        assert sum(group.positions for group in groups) == card.choices
        for row in card.depths:
            wrong = sum(group.positions * group.wrong[row.depth - 1].value for group in groups)
            assert wrong / card.choices == pytest.approx(row.mistakes)
    assert [item.asks for item in card.worst] == [tactic_of(item.position) for item in card.worst]
    assert len({item.asks for item in card.worst}) == len(card.worst) == 4


def test_counts_wrong_moves_as_in_games_played_out() -> None:
    """Every game of tic-tac-toe on a board of 2×3 with two in a row in misère, one by one."""
    name, heuristic = "3,2,3,misere", "counted-lines"
    exact = {position: solve(position).value for position in _all_positions(parse_game(name))}

    def wrong_of(position: Position, side: int) -> float:
        if position.is_over:
            return 0.0
        after = {move: position.play(move) for move in position.moves}
        if position.side != side:
            return sum(wrong_of(each, side) for each in after.values()) / len(after)
        best = search(position, "minimax", heuristic, depth=1, scoring="result").best_moves
        values = {
            move: exact[each] if each.side == position.side else -exact[each]
            for move, each in after.items()
        }
        return sum(
            (values[move] < max(values.values())) + wrong_of(after[move], side) for move in best
        ) / len(best)

    card = report_card(heuristic, name, depth=1)
    start = parse_game(name).start()
    assert card.wrong_a_game[0] == pytest.approx((wrong_of(start, 0) + wrong_of(start, 1)) / 2)
    assert report_card(heuristic, "connect4", 1, samples=20).wrong_a_game is None


def test_excludes_unreachable_positions_from_lines_of_play() -> None:
    game = parse_game("tictactoe")
    card = report_card("counted-lines", game, depth=1)
    reached: set[tuple[Position, int]] = set()
    ahead = [(game.start(), side) for side in (0, 1)]
    while ahead:
        position, side = ahead.pop()
        if (position, side) in reached or position.is_over:
            continue
        reached.add((position, side))
        moves = position.moves
        if position.side == side:
            found = search(position, "minimax", "counted-lines", depth=1, scoring="result")
            moves = found.best_moves
        ahead += [(position.play(move), side) for move in moves]
    whole = WholeGame(game)
    critical = [whole.positions[at] for at in whole.critical.at]
    number = sum((position, position.side) in reached for position in critical)
    by_name = {group.name: group.positions for group in card.by_reach}
    assert card.choices - by_name["never reached"] == number > 0


def _all_positions(game: Any) -> set[Position]:
    found, ahead = {game.start()}, [game.start()]
    while ahead:
        position = ahead.pop()
        for after in (position.play(move) for move in position.moves):
            if after not in found:
                found.add(after)
                ahead.append(after)
    return found


def test_refuses_an_unknown_heuristic_and_a_bad_file_before_any_card(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyscope.lab.judging.reportcard.report_card", None)  # which is not called
    assert "unknown heuristic 'nope'" in refusal(capsys, "report-card", "null", "nope")
    said = refusal(capsys, "report-card", "null", "--record", "/nonexistent/a.db")
    assert "cannot keep records" in said
