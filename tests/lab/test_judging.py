"""What searches play in many positions at once, held to a search of each position by itself."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from plyscope import LineTable, TermSum, parse_game, search
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.lab.judging import graph
from plyscope.lab.judging.population import Positions
from plyscope.lab.judging.sample import Sample
from plyscope.lab.judging.whole import WholeGame
from plyscope.rules.game import position_of
from plyscope.rules.source import game_of
from plyscope.searching.score import WIN

SKEWED = LineTable("skewed", {(1, 0): 3, (0, 1): -1, (2, 0): 7, (0, 2): -20})
TEMPO = TermSum(SKEWED, tempo={(1, 0): 2, (2, 0): 9, (0, 2): -4})
FUNCTION = """
def f(position):
    own, other = position.stones(position.side), position.stones(1 - position.side)
    return own * 7 % 23 - other % 5
"""


def assert_plays_as_a_search(asked: Positions, heuristic: object, depth: int) -> None:
    """What may be played, and what is lost, are those of minimax in Python, one by one."""
    played = asked.played(heuristic, depth)
    wrong, lost = asked.wrong_by(played), asked.lost_by(played)
    population = asked.population
    for place, at in enumerate(asked.at):
        position = position_of(population.game, population.positions[at])
        best = search(
            position, "minimax", heuristic, depth=depth, scoring="result", form="reference"
        ).best_moves
        begin, end = asked.starts[place : place + 2]
        assert played[begin:end].tolist() == [move in best for move in position.moves]
        worth = dict(
            zip(position.moves, population.after(at, population.exact_values), strict=True)
        )
        losses = [max(worth.values()) - worth[move] for move in best]
        assert wrong[place] == pytest.approx(sum(loss > 0 for loss in losses) / len(best))
        assert lost[place] == pytest.approx(sum(losses) / len(best))


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("game", ["tictactoe", "3,3,3,misere", "4,2,3"])
@pytest.mark.parametrize("heuristic", [SKEWED, TEMPO], ids=["table", "terms"])
def test_judges_a_whole_game_as_searches_do(game: str, heuristic: object, depth: int) -> None:
    critical = WholeGame(parse_game(game)).critical
    assert_plays_as_a_search(critical.only(np.arange(depth, len(critical), 60)), heuristic, depth)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("heuristic", [SKEWED, TEMPO], ids=["table", "terms"])
def test_judges_a_sample_as_searches_do(heuristic: object, depth: int) -> None:
    critical = Sample(parse_game("4,3,3"), 60, 5).critical
    assert_plays_as_a_search(critical, heuristic, depth)
    ahead = critical.looking_ahead(depth)
    assert ahead.plies == depth
    assert_plays_as_a_search(ahead, heuristic, depth)


def test_calls_a_function_once_for_each_node(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FUNCTION)
    game = game_of("tictactoe")
    function = find_heuristic(f"{tmp_path / 'mine.py'}:f", game)
    critical = WholeGame(game).critical
    some = critical.only(np.arange(0, len(critical), 90))
    for depth in (1, 2, 3):
        assert_plays_as_a_search(some, function, depth)
    seen = []

    class Counting:
        name = "counting"

        def evaluate(self, position: object, side: int) -> int:
            seen.append((position, side))
            return function.evaluate(position, side)

    rated = some.rated(Counting())
    for depth in (1, 2, 3, 2):
        assert (some.played(rated, depth) == some.played(function, depth)).all()
    assert len(seen) == len(set(seen)) > 500


def test_counts_losses_by_given_labels_against_the_best_sibling() -> None:
    """A position's own label, which says nothing of its moves, has no part in it."""
    draw = Random(3)
    labelled = WholeGame(game_of("tictactoe")).relabelled(
        lambda positions: [draw.choice([-1, 0, 1]) for _ in positions]
    )
    critical = labelled.critical
    assert_plays_as_a_search(critical.only(np.arange(0, len(critical), 60)), TEMPO, 2)


def test_judges_a_batch_as_its_members_one_by_one() -> None:
    critical = Sample(parse_game("connect4"), 80, 2).critical.looking_ahead(3)
    played = critical.wrong_by(critical.played(TEMPO, 3))
    chosen = np.array(sorted(Random(1).sample(range(len(critical)), 9)))
    batch = critical.only(chosen)
    np.testing.assert_array_equal(batch.wrong_by(batch.played(TEMPO, 3)), played[chosen])


def test_searches_each_position_where_too_much_is_ahead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    critical = Sample(parse_game("connect4"), 60, 2).critical
    ahead = critical.looking_ahead(2)
    monkeypatch.setattr(graph, "MAX_PLY_POSITIONS", 50)
    searched = critical.looking_ahead(2)
    assert (searched.plies, ahead.plies) == (1, 2)
    told: list[int] = []
    played = searched.played(TEMPO, 2, count=told.append)
    assert played.tolist() == ahead.played(TEMPO, 2).tolist()
    assert told[-1] == len(critical)


def test_keeps_every_evaluation_below_a_win() -> None:
    """As in a search: a finished game counts more than the greatest evaluation."""
    critical = WholeGame(parse_game("tictactoe")).critical
    huge = LineTable("huge", {(1, 0): WIN, (0, 1): -WIN, (2, 0): WIN}, clamp=WIN)
    assert_plays_as_a_search(critical.only(np.arange(0, len(critical), 40)), huge, 1)


def test_a_game_without_critical_positions_loses_nothing() -> None:
    critical = WholeGame(parse_game("2,1,2")).critical
    played = critical.played(SKEWED, 2)
    assert (len(critical), len(played), len(critical.wrong_by(played))) == (0, 0, 0)
