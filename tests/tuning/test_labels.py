"""Labels from recorded games, held to what can be counted over the games one by one."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from plyscope import parse_game, play_match, tune
from plyscope.errors import NotationError, OptionError
from plyscope.faces.findings.tuning import tuning_sections
from plyscope.faces.report.write import report_markdown
from plyscope.lab.game import GameRecord
from plyscope.lab.gametext import write_games
from plyscope.lab.records import Records, games_of
from plyscope.rules.position import Position
from plyscope.rules.symmetry import canonical
from plyscope.tuning.family import find_family
from plyscope.tuning.fit import fit
from plyscope.tuning.games import GamesPopulation
from plyscope.tuning.learning import estimate
from plyscope.tuning.split import folds

GAME = parse_game("5,5,4")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("labels") / "lab.db"
    with Records(path) as records:
        play_match("random", "greedy", 120, GAME, 1, opening_plies=2, records=records)
        play_match("random", "random", 40, GAME, 2, records=records)
        play_match("random", "random", 4, "tictactoe", 2, records=records)
    return path


def games_in(file: Path) -> list[GameRecord]:
    return [game for game in games_of(file) if game.start.game == GAME]


def line_of(game: GameRecord) -> list[Position]:
    """All positions of a game, the last one too."""
    line: list[Position] = [game.start]
    for move in game.moves:
        line.append(line[-1].play(move))
    return line


def result_of(game: GameRecord, side: int) -> int:
    return 0 if game.winner is None else 1 if game.winner == "xo"[side] else -1


def test_results_are_the_means_of_the_games_that_went_through(file: Path) -> None:
    games = games_in(file)
    population = GamesPopulation(games_of(file), GAME)
    results = defaultdict(list)
    for game in games:
        for position in line_of(game)[:-1]:
            if (position.first | position.second).bit_count() >= population.opening:
                results[canonical(position)].append(result_of(game, position.side))
    found = [canonical(position) for position in population.positions]
    assert set(found) == set(results)
    assert len(found) == len(results) == len(population)
    for at, position in enumerate(found):
        mine = results[position]
        assert population.results[at] == pytest.approx(sum(mine) / len(mine))
        assert population.counts[at] == len(mine)
        assert population.sides[at] == position.side


def test_no_game_is_on_both_sides_of_a_split(file: Path) -> None:
    population = GamesPopulation(games_of(file), GAME)
    parts = folds(population.groups.tolist(), 5, 1)
    fold_of = {
        canonical(position): fold
        for position, fold in zip(population.positions, parts, strict=True)
    }
    assert min(map(parts.count, range(5))) > len(parts) // 10
    for game in games_in(file):
        seen = {
            fold_of[canonical(position)]
            for position in line_of(game)
            if canonical(position) in fold_of
        }
        assert len(seen) <= 1


def test_results_teach_that_lines_are_worth_having(file: Path) -> None:
    featured = GamesPopulation(games_of(file), GAME).featured(
        1, find_family("lines", "counted-lines", GAME)
    )
    one, two = fit(*featured.pairs()[0], 1e-3).weights[:2]
    assert 0 < one < two


def test_who_stands_better_is_the_logistic_regression_of_decided_results(file: Path) -> None:
    population = GamesPopulation(games_of(file), GAME)
    family = find_family("table", "counted-lines", GAME)
    featured = population.featured(2, family)
    decided = population.results != 0
    assert len(featured) == decided.sum() > 100
    pairs, owners = featured.pairs()
    assert owners.tolist() == list(range(len(featured)))
    found = fit(*pairs, 1e-3)
    features = family.features(population.positions, population.sides)[decided].astype(float)
    shares, wins = abs(population.results[decided]), population.results[decided] > 0
    squares = (shares / shares.sum()) @ features**2
    penalty = 1e-3 * np.where(squares > 0, squares, 1)

    def loss(at: Any) -> float:
        chances = 1 / (1 + np.exp(-features @ at))
        told = np.log(np.where(wins, chances, 1 - chances))
        return float(-(shares / shares.sum()) @ told + penalty @ at**2 / 2)

    model = minimize(loss, np.zeros(len(family.parameters)), method="BFGS", tol=1e-9)
    assert found.weights == pytest.approx(model.x, rel=1e-3, abs=1e-4)
    other = population.featured(1, family)  # whoever has just moved sees it from the other side
    assert (other.move_values == -featured.move_values).all()
    turned = family.features(population.positions, [1 - side for side in population.sides])
    assert (other.features[::2] == turned[decided]).all()
    numbers = estimate(featured, 1e-3).numbers
    right = (featured.scores(numbers)[::2] > 0) == (featured.move_values[::2] > 0)
    assert right.mean() > 0.6


def test_a_table_is_tuned_by_the_results_of_games(file: Path) -> None:
    options = {"family": "to-move", "samples": 150, "trials": False, "labels": f"games:{file}"}
    result = tune("open-lines", GAME, **options)
    population = GamesPopulation(games_of(file), GAME)
    assert result.labels == f"results of {population.games} different games, games:{file}"
    assert (result.positions, result.choices) == (len(population), (population.results != 0).sum())
    learned = {weight.name: weight.after for weight in result.weights}
    assert 0 < learned["to_move[2]"] < learned["to_move[3]"]
    assert learned["not_to_move[3]"] < 0
    first = result.errors[0]
    assert first.after.value < first.before.value
    assert result.is_better
    page = report_markdown("", tuning_sections(result.as_dict()))
    assert "by the number of decided positions" in page
    assert tune("open-lines", GAME, **options).digest == result.digest


def test_where_no_solver_knows_the_game_games_alone_can_show_an_improvement(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyscope.tuning.question.can_draw", lambda game: False)
    options = {"family": "to-move", "labels": f"games:{file}", "samples": 150}
    untried = tune("open-lines", GAME, **options, trials=False)
    assert (untried.errors, untried.outcome) == ((), "no improvement")
    tried = tune("open-lines", GAME, **options, games=200)
    assert tried.outcome == "improved"
    assert any(trial.match.verdict == "elo1" for trial in tried.trials)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            {"labels": "games:"},
            "labels 'games:'; expected exact, exact+play, games:FILE, or a function of positions",
        ),
        ({"optimum": True}, "the optimum from results of games; expected exact labels"),
    ],
)
def test_what_results_cannot_tell_is_said(file: Path, options: Any, said: str) -> None:
    with pytest.raises(OptionError, match=re.escape(said)):
        tune("open-lines", GAME, **{"labels": f"games:{file}", "samples": 100, **options})


def test_games_are_read_from_text_too(file: Path, tmp_path: Path) -> None:
    text = tmp_path / "games.txt"
    text.write_text("".join(write_games(games_in(file))))
    kept, read = (GamesPopulation(games_of(each), GAME) for each in (file, text))
    assert read.positions == kept.positions
    assert read.results.tolist() == kept.results.tolist()


def test_files_without_such_games_are_told_so(file: Path, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="0 finished games of 'connect4'"):
        GamesPopulation(games_of(file), parse_game("connect4"))
    with pytest.raises(NotationError, match=r"nothing\.db"):
        list(games_of(tmp_path / "nothing.db"))
