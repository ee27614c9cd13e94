"""`tune --objective`: what counts as better, and what is refused."""

import numpy as np
import pytest

import plyscope as ps
from plyscope.errors import OptionError, PlyscopeError
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.faces.findings.tuning import headline
from plyscope.lab.judging.whole import WholeGame
from plyscope.rules.source import game_of
from plyscope.tuning.family import find_family
from plyscope.tuning.featured import joined
from plyscope.tuning.leaves import featured_of, leaves_of
from plyscope_optima.optimum import games_lost_by


def test_prefers_numbers_that_never_lose_to_a_losing_start():
    result = ps.tune("counted-lines", family="kinds", objective="never-loses", trials=False)
    assert result.is_better
    before, after = result.lost_games
    assert before[0] is None
    assert ps.parse(f"tictactoe {' '.join(before[1])}").winner == 0
    assert after == (None, None)
    assert result.heuristic.as_dict()["kinds"]
    assert "never loses as X and O" in headline(result.as_dict())
    assert result.provenance["objective"] == "never-loses"
    certified = ps.certify(
        ps.Agent("alphabeta", depth=1, heuristic=result.heuristic, scoring="result", ties="random")
    )
    assert certified.never_loses


def test_keeps_the_start_when_all_numbers_of_a_family_lose():
    result = ps.tune("counted-lines", family="lines", objective="never-loses", trials=False)
    assert result.outcome == "no improvement"
    assert result.heuristic.name == "counted-lines"
    assert result.unbeaten.is_possible is False
    assert "no 2 numbers of lines never lose as X and O: proved" in headline(result.as_dict())


def test_finds_no_improvement_of_a_start_that_never_loses():
    """Counted lines hold both sides two plies deep."""
    result = ps.tune(
        "counted-lines", family="lines", objective="never-loses", depth=2, trials=False
    )
    assert result.lost_games == ((None, None), (None, None))
    assert result.outcome == "no improvement"


@pytest.mark.parametrize(("sides", "family"), [("x", "lines"), ("o", "kinds")])
def test_tunes_for_one_side(sides, family):
    result = ps.tune("null", family=family, objective=f"never-loses-{sides}", trials=False)
    assert result.is_better
    assert result.lost_games[1]["xo".index(sides)] is None


def test_takes_the_smallest_family_that_holds_by_default():
    result = ps.tune("counted-lines", objective="never-loses", trials=False)
    assert result.is_better
    assert result.family == "kinds"


@pytest.mark.parametrize("family", ["lines", "table", "to-move"])
def test_improves_several_depths_without_losing_at_any(family):
    result = ps.tune("counted-lines", family=family, objective="depths", depth=3, trials=False)
    errors = result.errors[:3]
    after, before = (
        sum(getattr(each, name).value for each in errors) for name in ("after", "before")
    )
    is_nowhere_worse = all(each.after.value <= each.before.value for each in errors)
    assert result.is_better == (after < before and is_nowhere_worse)
    assert result.learning[-1].choices == result.choices


def test_counts_wrong_moves_of_joined_positions_at_all_depths():
    critical = WholeGame(game_of("tictactoe")).critical
    family = find_family("table", "null", critical.population.game)
    start = find_heuristic("counted-lines", family.game)
    parts = [featured_of(critical, leaves_of(critical, depth, start), family) for depth in (1, 2)]
    weights = np.array([2, 9, -1, -8])
    both = joined(parts)
    assert len(both) == 2 * len(critical)
    assert both.wrong(weights) == pytest.approx(sum(part.wrong(weights) for part in parts))
    half = both.only(np.arange(len(both)) >= len(critical))
    assert half.wrong(weights) == pytest.approx(parts[1].wrong(weights))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"objective": "moves+"}, "expected perhaps moves"),
        ({"objective": "points"}, "unknown objective 'points'"),
        ({"objective": "never-loses", "samples": 500}, "expected a whole game"),
        ({"objective": "depths", "labels": lambda positions: [0] * len(positions)}, "exact"),
    ],
)
def test_rejects_impossible_objectives(options, message):
    with pytest.raises(PlyscopeError, match=message):
        ps.tune("counted-lines", "tictactoe", **options)


def test_rejects_an_objective_for_constants(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def f(board, player, *, a=3):\n    return a * len(board)\n")
    with pytest.raises(OptionError, match="expected a family"):
        ps.tune(f"{file}:f", objective="depths")


def test_judges_lost_games_by_depth():
    start = find_heuristic("counted-lines", game_of("tictactoe"))
    one, two = (games_lost_by(start, game_of("tictactoe"), depth) for depth in (1, 2))
    assert one[1] is not None
    assert two == (None, None)
