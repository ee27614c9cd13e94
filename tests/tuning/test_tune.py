"""`tune`: what is learned, what is refused, and what counts as an improvement."""

import os
import signal
from dataclasses import replace
from itertools import combinations
from random import Random

import numpy as np
import pytest

import plyscope as ps
from plyscope.errors import OptionError, PlyscopeError
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.lab.judging import population
from plyscope.lab.judging.sample import Sample
from plyscope.lab.judging.whole import WholeGame
from plyscope.lab.matches.openings import balanced_openings
from plyscope.lab.people.workers import LocalWorkers
from plyscope.rules.source import game_of
from plyscope.solving.quiet import quiet_position
from plyscope.tuning import labels
from plyscope.tuning.family import find_family
from plyscope.tuning.featured import Featured
from plyscope.tuning.learning import Estimate, droppable, repaired
from plyscope.tuning.leaves import featured_of, leaves_of, opponents_view
from plyscope.tuning.trials import compare_moves, node_cost
from plyscope_optima import conflicts
from sentences import refuses

SKEWED = ps.TermSum(
    ps.LineTable("skewed", {(1, 0): 3, (0, 1): -1, (2, 0): 7, (0, 2): -20}),
    tempo={(1, 0): 2, (2, 0): 9, (0, 2): -4},
    kinds={"diagonal": ps.KindTable({(1, 0): 5, (0, 2): -1}, {(0, 1): 3})},
)
"""A table to which it matters whose view it is tested in."""


@pytest.fixture(scope="module")
def tictactoe():
    return WholeGame(game_of("tictactoe")).critical


@pytest.fixture(scope="module")
def sample():
    return Sample(game_of("4,3,3"), 60, 5).critical


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("is_whole", [True, False])
def test_values_leaves_as_a_search_values_each_move(tictactoe, sample, depth, is_whole):
    asked_about = tictactoe if is_whole else sample
    some = asked_about.only(np.arange(len(asked_about)) % (40 if is_whole else 1) == 0)
    with LocalWorkers(1) as executor:
        leaves = leaves_of(some, depth, SKEWED, executor)
    place = 0
    for at in some.at:
        position = some.population.positions[at]
        searched = ps.search(
            position, "minimax", SKEWED, depth=depth, scoring="result", form="reference"
        )
        worth = {move.move: move.value for move in searched.moves}
        for move in position.moves:
            number = leaves.of_move[place]
            leaf, result = leaves.positions[number], leaves.results[number]
            assert leaves.sides[number] == position.side
            if np.isnan(result):
                assert SKEWED.evaluate(leaf, position.side) == worth[move]
            else:
                assert (worth[move] > 0) - (worth[move] < 0) == result
            place += 1


def test_negates_values_for_the_other_side():
    for heuristic in (SKEWED, SKEWED.table, find_heuristic("random", game_of("tictactoe"))):
        turned = opponents_view(heuristic)
        for text in ("X../.O./...", "XX./.O./..O", ".../.../..."):
            position = ps.parse(text)
            for side in (0, 1):
                assert turned.evaluate(position, side) == -heuristic.evaluate(position, 1 - side)


def test_counts_wrong_moves_as_searches_do(tictactoe):
    family = find_family("table", "counted-lines", game_of("tictactoe"))
    with LocalWorkers(1) as executor:
        featured = featured_of(
            tictactoe,
            leaves_of(tictactoe, 1, find_heuristic("null", family.game), executor),
            family,
        )
        for weights in ([1, 3, -1, -3], [5, -2, 0, 7], [0, 0, 0, 0]):
            tuned = family.heuristic(weights, "tuned")
            wrong = tictactoe.wrong_by(tictactoe.played(tuned, 1, executor))
            assert np.allclose(featured.wrong_by(np.array(weights)), wrong)


def test_pairs_siblings_of_different_value_that_weights_can_separate():
    featured = Featured(
        starts=np.array([0, 3, 5]),
        move_values=np.array([1.0, 0, -1, 1, 0]),
        features=np.array([[1.0], [2], [4], [8], [0]]),
        offsets=np.zeros(5),
        results=np.array([0.0, 0, -1, 0, 0]),  # the third move has lost already
        groups=np.array([7, 9]),
    )
    pairs, owners = featured.pairs()
    assert pairs.differences.tolist() == [[-1], [8]]
    assert pairs.weights.tolist() == [1, 1]
    assert pairs.groups.tolist() == [7, 9]
    assert owners.tolist() == [0, 1]


def test_repair_never_makes_more_wrong_moves(tictactoe):
    family = find_family("all", "counted-lines", game_of("tictactoe"))
    with LocalWorkers(1) as executor:
        null = find_heuristic("null", family.game)
        featured = featured_of(tictactoe, leaves_of(tictactoe, 1, null, executor), family)
    for seed in range(3):
        numbers = np.random.default_rng(seed).integers(-99, 100, len(family.parameters))
        better = repaired(numbers, featured)
        assert featured.wrong(better) < featured.wrong(numbers)
        assert repaired(better, featured).tolist() == better.tolist()


def test_breaks_ties_alike_so_that_equal_tables_do_not_differ(tictactoe):
    null = find_heuristic("null", game_of("tictactoe"))
    with LocalWorkers(1) as executor:
        played = tictactoe.played(null, 1, executor)
    same = compare_moves(tictactoe, played, played, 1, seed=0, is_all=True)
    assert (same.errors.fixed, same.errors.regressed, same.errors.p) == (0, 0, 1)
    assert same.errors.before == same.errors.after


def test_finds_a_better_table_for_tictactoe_and_says_where():
    result = ps.tune("counted-lines", "tictactoe", family="table", trials=False)
    assert result.is_better
    assert result.is_whole
    assert [each.depth for each in result.errors] == [1, 2, 3]
    here = result.errors[0]
    assert here.after.value < here.before.value
    card = ps.report_card(result.heuristic, "tictactoe", depth=3)
    for found, on_card in zip(result.errors, card.depths, strict=True):
        assert found.after.value == pytest.approx(on_card.mistakes)
        assert found.after.low == found.after.high
    for changed, kind in ((result.fixed, "fixed"), (result.regressed, "regressed")):
        for groups, name in (
            (here.by_tactic, "asks"),
            (here.by_ply, "stones"),
            (here.by_reach, "reached"),
        ):
            classes = {group.name for group in groups if getattr(group, kind)}
            assert {getattr(each, name) for each in changed} == classes
    fixed = result.fixed[0]
    assert fixed.after in fixed.right
    assert fixed.before not in fixed.right
    assert [weight.before for weight in result.weights] == [1, 3, -1, -3]
    assert all(weight.low <= weight.after <= weight.high for weight in result.weights)


def test_writes_the_same_bytes_by_the_same_seed(tmp_path):
    written = []
    for number in range(2):
        result = ps.tune(game="4,3,3", family="lines", samples=300, seed=4, trials=False)
        result.write(tmp_path / f"{number}.toml")
        written.append((tmp_path / f"{number}.toml").read_bytes())
        content = result.as_dict()
        content.pop("seconds")
        written.append(repr(content).encode())
    assert written[0] == written[2]
    assert written[1] == written[3]
    assert ps.tune(game="4,3,3", family="lines", samples=300, seed=5, trials=False).digest != (
        result.digest
    )


def test_rejects_too_few_positions_with_the_number_needed():
    with refuses(OptionError):
        ps.tune(game="4,3,3", family="to-move+cells", samples=40, trials=False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 0}, "depth 0"),
        ({"labels": "wrong"}, "labels 'wrong'"),
        ({"family": "tabel"}, "tabel"),
        ({"start": "tablebase"}, "no table"),
        ({"game": "4,4,4", "samples": 0}, "0 samples"),
    ],
)
def test_rejects_what_cannot_be_tuned_in_one_line(options, message):
    with pytest.raises(PlyscopeError, match=message) as refused:
        ps.tune(**{"game": "tictactoe", "family": "lines", "trials": False, **options})
    assert "\n" not in str(refused.value)


def random_labels(seed):
    """Return labels that say nothing: each value is drawn by its position."""

    def labels(positions):
        return [
            Random(f"{seed} {position.first} {position.second}").choice((-1, 0, 1))
            for position in positions
        ]

    return labels


def test_finds_no_improvement_by_labels_without_information():
    """`bench/tuning.py` does so a hundred times."""
    shown = sum(
        ps.tune(
            game="4,3,3",
            family="lines",
            labels=random_labels(seed),
            samples=100,
            seed=seed,
            trials=False,
        ).is_better
        for seed in range(20)
    )
    assert shown <= 3


def test_finds_no_improvement_by_such_labels_on_a_whole_game():
    """Four numbers fit noise on all of tic-tac-toe; on what is held out they are no better."""
    for seed in range(6):
        result = ps.tune(
            family="to-move", labels=random_labels(seed), trials=False, name=f"noise {seed}"
        )
        assert result.outcome == "no improvement", seed
        assert result.is_held_out
        assert not result.is_whole
        assert result.at_use.before.low < result.at_use.before.value
        assert result.provenance["held_out"]
        assert result.at_use.choices < result.choices  # of mirror images one


def test_improves_on_held_out_positions_by_labels_of_a_table():
    game = game_of("tictactoe")
    planted = find_family("to-move", "null", game).heuristic((7, 40, -13, -90), "planted")

    def labels(positions):
        return [planted.evaluate(position, position.side) for position in positions]

    result = ps.tune("null", family="to-move", labels=labels, trials=False)
    assert result.is_better
    assert result.is_held_out
    assert result.at_use.p < 0.001


def test_tests_constants_on_positions_not_learned_from(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "def f(mine, theirs, *, own=(0, 1, 3)):\n"
        "    return 0 if mine and theirs else own[min(mine, 2)] - own[min(theirs, 2)]\n"
    )
    result = ps.tune(f"{file}:f", labels=random_labels(0), trials=False)
    assert result.is_held_out
    assert result.outcome == "no improvement"
    assert 0 < result.at_use.choices < result.choices / 8


def test_rejects_a_game_too_small_for_the_requested_sample(monkeypatch):
    monkeypatch.setattr(labels, "BLOCK_POSITIONS", 400)
    with pytest.raises(OptionError) as refused:
        ps.tune(game="tictactoe", family="lines", samples=900)
    said = str(refused.value)
    assert said.startswith("900 samples of 'tictactoe'")
    assert "all positions" in said


def test_reports_droppable_weights_one_at_a_time():
    """Two features that are alike: each may go, since the other says the same."""
    random = np.random.default_rng(5)
    number = 400
    good = random.integers(-5, 6, 2 * number).astype(float)
    other = random.integers(-5, 6, 2 * number).astype(float)
    featured = Featured(
        starts=np.arange(0, 2 * number + 1, 2),
        move_values=np.repeat([[0.0, 1.0]], number, axis=0).ravel(),
        features=np.column_stack([good, good, other]),
        offsets=np.zeros(2 * number),
        results=np.zeros(2 * number),
        groups=np.arange(number),
    )
    better = np.repeat(np.maximum.reduceat(good, featured.starts[:-1]), 2) == good
    featured = replace(featured, move_values=better.astype(float))
    parts = np.arange(number) % 5
    learned = Estimate(np.array([1, 1, 0]), np.array([1.0, 1.0, 1.0]))
    may, together = droppable(featured, parts, 1e-3, learned)
    assert may == [True, True, True]
    assert together is False
    learned = Estimate(np.array([9, 1, 0]), np.array([1.0, 1.0, 1.0]))
    assert droppable(featured, parts, 1e-3, learned) == ([False, True, True], True)


def test_finds_a_planted_table_again():
    """Values made by ranking positions with a table lead back to its order of siblings."""
    game = game_of("4,3,3")
    planted = find_family("to-move", "null", game).heuristic((7, 40, -13, -90), "planted")

    def labels(positions):
        return [planted.evaluate(position, position.side) for position in positions]

    result = ps.tune("null", game, family="to-move", labels=labels, samples=300, trials=False)
    assert result.is_better
    agree = pairs = 0
    for position in Sample(game, 200, 99).positions:
        after = [position.game.play(position, move) for move in position.moves]
        running = [child for child in after if not child.is_over]
        for one, other in combinations(running, 2):
            wanted, found = (
                table.evaluate(one, position.side) - table.evaluate(other, position.side)
                for table in (planted, result.candidate)
            )
            if wanted:
                pairs += 1
                agree += ((wanted > 0) == (found > 0) and found != 0) - (wanted * found < 0)
    assert pairs > 1000
    assert agree / pairs >= 0.99


def test_resumes_a_stopped_tuning_to_the_same_end(tmp_path, monkeypatch):
    monkeypatch.setattr(labels, "BLOCK_POSITIONS", 200)
    options = {"game": "4,3,3", "family": "lines", "samples": 250, "seed": 1, "trials": False}
    whole = ps.tune(**options, resume=tmp_path / "whole")

    def stop(phase, done, total):
        if phase == "label test":
            raise KeyboardInterrupt

    stopped = ps.tune(**options, resume=tmp_path / "parts", progress=stop)
    assert stopped.outcome == "interrupted"
    assert stopped.candidate == whole.candidate
    assert stopped.errors == ()
    kept = (tmp_path / "parts").read_text().splitlines()
    assert len(kept) == 3  # the head and two blocks
    (tmp_path / "parts").write_text("\n".join([*kept[:2], kept[2][:1000]]))  # killed while writing
    again = ps.tune(**options, resume=tmp_path / "parts")
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()
    assert {**again.as_dict(), "seconds": 0} == {**whole.as_dict(), "seconds": 0}

    def fail(phase, done, total):
        assert not phase.startswith("label") or done in (200, 250)

    ps.tune(**options, resume=tmp_path / "parts", progress=fail)  # which draws nothing again


def test_survives_killed_processes_of_a_tuning(monkeypatch):
    monkeypatch.setattr(population, "BATCH_POSITIONS", 10)
    killed = []
    options = {"family": "lines", "samples": 250, "depth": 2, "trials": False}

    def kill(phase, done, total):
        if phase == "search 1" and not killed:
            for pool in executor.pools:
                for pid in list(pool._processes):
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

    with LocalWorkers(2, alone=0) as executor:
        result = ps.tune("counted-lines", "4,3,3", executor=executor, progress=kill, **options)
    assert killed
    again = ps.tune("counted-lines", "4,3,3", **options)
    assert (result.weights, result.errors) == (again.weights, again.errors)


def interrupt(phase, done, total):
    raise KeyboardInterrupt


def test_raises_an_interrupt_before_there_are_numbers():
    with pytest.raises(KeyboardInterrupt):
        ps.tune(game="tictactoe", progress=interrupt)


def test_rejects_a_journal_of_another_tuning(tmp_path):
    options = {"game": "4,3,3", "family": "lines", "samples": 250, "trials": False}
    path = tmp_path / "kept"
    path.write_text('["plyscope tuning 2", "4,3,3", "' + ps.parse_game("4,3,3").digest + '"]\n')
    with pytest.raises(OptionError, match="'plyscope tuning 2'"):
        ps.tune(**options, resume=path)
    path.unlink()
    with pytest.raises(KeyboardInterrupt):
        ps.tune(**options, resume=path, progress=interrupt)
    with pytest.raises(OptionError, match="seed '0'; expected '1'"):
        ps.tune(**options, resume=path, seed=1)


def test_keeps_the_start_without_time():
    result = ps.tune(game="tictactoe", family="lines", seconds=0.0)
    assert result.outcome == "no improvement"
    assert result.heuristic.name == "counted-lines"
    assert result.errors == ()


def test_plays_each_game_from_balanced_openings_once():
    result = ps.tune(game="tictactoe", family="to-move", games=60)
    assert result.trials[0].condition == "depth 1"
    for trial in result.trials:
        match = trial.match
        assert (match.a, match.b) == ("tuned", "start")
        assert match.games == 2 * match.openings <= 60 or match.stopped == "sprt"
    game = game_of("tictactoe")
    with LocalWorkers(1) as executor:
        openings = balanced_openings(game, 30, 7, executor)
    assert len({ps.canonical(position) for position in openings}) == len(openings) > 10
    assert {ps.solve(position).value for position in openings} == {0}


def test_divides_nodes_by_cost_in_games_at_equal_time():
    options = {"game": "tictactoe", "family": "to-move", "games": 20, "node_cost": 1.8}
    result = ps.tune(**options)
    depth, nodes, time = result.trials
    assert (depth.nodes, nodes.nodes) == (None, (nodes.nodes[0], nodes.nodes[0]))
    tuned, start = time.nodes
    assert tuned == nodes.nodes[0]
    assert start == pytest.approx(1.8 * tuned, rel=0.1)
    assert time.condition == f"equal time, {tuned:,} nodes against {start:,}"
    assert result.provenance["node_cost"] == 1.8
    again = ps.tune(**options)
    assert [each.match.pairs for each in again.trials] == [
        each.match.pairs for each in result.trials
    ]


def test_measures_the_cost_of_a_node_in_both_forms():
    game = game_of("connect4")
    random = Random(3)
    positions = [quiet_position(game, random) for _ in range(2)]
    start = find_heuristic("counted-lines", game)
    found = node_cost(start, SKEWED, positions)
    assert found.compiled > 0
    assert found.reference > 1  # it has terms of which each is worked out


@pytest.mark.parametrize("cost", [0, -1, 1e9, float("nan")])
def test_rejects_an_impossible_cost_of_a_node(cost):
    with pytest.raises(OptionError, match="node cost"):
        ps.tune(node_cost=cost)


def test_keeps_interrupted_games():
    def stop(phase, done, total):
        if phase == "games at depth 1" and done == 10:
            raise KeyboardInterrupt

    result = ps.tune(game="tictactoe", family="lines", games=60, progress=stop)
    assert result.outcome == "interrupted"
    assert len(result.errors) == 3
    (trial,) = result.trials
    assert trial.match.games == 10


def test_reports_the_optimum_beside_what_was_learned():
    result = ps.tune(game="tictactoe", family="lines", optimum=True, trials=False)
    assert result.optimum.is_proved
    assert result.optimum.least <= result.errors[0].after.value
    assert result.optimum.conflict.depth == 1


def test_finds_the_conflict_at_the_depth_of_use():
    options = {"game": "tictactoe", "family": "lines", "trials": False}
    result = ps.tune(**options, depth=2, optimum=True)
    optimum, conflict = result.optimum, result.optimum.conflict
    assert (optimum.depth, conflict.depth, optimum.is_proved) == (2, 2, True)
    assert 0 < optimum.least <= result.at_use.after.value
    (found,) = conflicts("null", family="lines", depth=2, count=1, additions=False).conflicts
    assert conflict == found
    lines = [demand.wrong for case in conflict.cases for demand in case.demands]
    assert {len(line.split()) for line in lines} == {2}
    assert "At depth 2, no numbers make every right move" in str(result)
    assert "A move is a line here" in " ".join(str(result).split())


def test_improves_at_two_plies_when_tuned_for_two_plies():
    """What is tuned for one ply is worse there."""
    options = {"game": "tictactoe", "family": "table", "trials": False}
    shares = []
    for depth in (1, 2):
        result = ps.tune(**options, depth=depth)
        assert [each.depth for each in result.errors] == [*range(1, depth + 3)]
        assert result.at_use.depth == depth
        shares.append([each.after.value - each.before.value for each in result.errors])
    assert shares[0][1] > 0
    assert shares[1][1] < 0


def test_tunes_a_sample_for_two_plies():
    result = ps.tune(game="4,3,3", family="lines", samples=250, depth=2, trials=False)
    assert not result.is_whole
    assert result.at_use.depth == 2
    assert result.at_use.choices != result.choices
    assert "positions of quiet random games" in result.labels


@pytest.mark.parametrize("jobs", [1, 2])
def test_reports_increasing_progress_in_every_search(sample, jobs):
    told = []
    with LocalWorkers(jobs, alone=0.0) as executor:
        leaves_of(sample, 2, SKEWED.table, executor, told.append)
    assert told == sorted(set(told))
    assert told[-1] == len(sample)
