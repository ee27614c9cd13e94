"""Samples and splits: drawn as they are said to be, and with nothing on both sides."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from plyscope import Position, parse_game, play_match, report_card, search, solve
from plyscope.errors import OptionError
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.lab.judging.orbits import orbit_keys
from plyscope.lab.judging.population import Population
from plyscope.lab.judging.sample import Sample
from plyscope.lab.judging.sources import source_of
from plyscope.lab.judging.whole import WholeGame
from plyscope.lab.matches.records import Records
from plyscope.lab.people.workers import LocalWorkers
from plyscope.rules.linegame import LineGame
from plyscope.rules.symmetry import canonical, orbit
from plyscope.searching.limit import SearchStopped
from plyscope.solving.accelerated import settle
from plyscope.solving.quiet import quiet_position
from plyscope.tuning.split import folds, groups_of
from plyscope_fast.solving.lines import LinesSolver
from sentences import refuses

GAMES = (
    *("tictactoe", "3,3,3,misere", "connect4", "5,5,4,torus", "6,5,4,exactly"),
    *("6,6,4,stones=2,first=1", "5,5,4,holes=c3", "7,5,4,gravity,holes=c3"),
    *("4,4,4,gravity,torus", "3,3,2", "2,2,1"),
)


def quiet_by_definition(game: LineGame, random: Random) -> Position:
    """A quiet game whose every move is played out, with every reply."""
    position = game.start()
    for _ in range(random.randrange(game.size)):
        quiet = []
        for move in position.moves:
            after = position.play(move)
            replies = [after.play(reply) for reply in after.moves]
            if not after.is_over and all(reply.winner is None for reply in replies):
                quiet.append(move)
        if not quiet:
            break
        position = position.play(random.choice(quiet))
    return position


@pytest.mark.parametrize("name", GAMES)
def test_finds_quiet_positions_by_definition(name: str) -> None:
    game, one, other = parse_game(name), Random(5), Random(5)
    for _ in range(8 if game.size > 25 else 40):
        assert quiet_position(game, one) == quiet_by_definition(game, other)


@pytest.mark.parametrize("name", ["4,3,3", "connect4", "qubic", "gomoku15", "5,4,4,hexagonal"])
def test_gives_only_mirror_images_the_same_key(name: str) -> None:
    game, random = parse_game(name), Random(1)
    positions = [quiet_position(game, random) for _ in range(60)]
    positions += [image for position in positions[:4] for image in orbit(position)]
    keys = orbit_keys(game, positions).tolist()
    classes = [canonical(position) for position in positions]
    for one, other in combinations(range(len(positions)), 2):
        assert (keys[one] == keys[other]) == (classes[one] == classes[other])


def quiet_positions(name: str, count: int, seed: int) -> list[Position]:
    game, random = parse_game(name), Random(seed)
    return [quiet_position(game, random) for _ in range(count)]


@pytest.mark.parametrize("name", ["4,4,4", "4,3,3,torus", "4,4,3,holes=b2"])
def test_calls_settled_what_the_tablebase_confirms(name: str) -> None:
    positions = quiet_positions(name, 60, 1)
    answers = settle(positions)
    assert sum(answer is not None for answer in answers) > 30
    for position, answer in zip(positions, answers, strict=True):
        if answer is not None:
            told = solve(position, "tablebase")
            values = [item.value for item in told.moves or ()]
            assert (answer.value, list(answer.moves)) == (told.value, values)


def test_calls_settled_by_threats_what_the_lines_solver_confirms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    positions = quiet_positions("7,7,5", 60, 2)
    both = settle(positions)
    with monkeypatch.context() as patch:
        patch.setattr(LinesSolver, "wins", never)
        alone = settle(positions)
    compared = [
        (one, other) for one, other in zip(both, alone, strict=True) if None not in (one, other)
    ]
    assert len(compared) > 15
    assert all(one == other for one, other in compared)
    assert None in both


def never(*_: object) -> None:
    raise SearchStopped("nodes")


@pytest.mark.parametrize("name", ["5,5,4", "gomoku9"])
def test_settles_each_position_independently(name: str) -> None:
    positions = quiet_positions(name, 60, 3)
    expected = dict(zip(positions, settle(positions), strict=True))
    Random(1).shuffle(positions)
    assert [expected[position] for position in positions] == settle(positions)
    assert len(set(map(type, expected.values()))) == 2


@pytest.mark.parametrize("name", ["5,5,4", "qubic", "gomoku15"])
def test_labels_samples_by_any_solver(name: str) -> None:
    game = parse_game(name)
    sample = Sample(game, 12, 2)
    assert sample.drawn.looked_at > 12
    for at in sample.critical.at:
        assert sample.exact_values[at] == max(sample.after(at, sample.exact_values))
    for at in (*sample.asked, *sample.children[sample.critical.at[0]][:8]):
        assert solve(sample.positions[at], with_moves=False).value == sample.exact_values[at]
    for at in sample.asked:
        assert len(sample.children[at]) in (0, len(sample.positions[at].moves))


def test_draws_the_same_samples_with_any_number_of_workers() -> None:
    game = parse_game("5,5,4")
    alone = Sample(game, 40, 5)
    with LocalWorkers(2, alone=0) as executor:
        seen: list[int] = []
        shared = Sample(game, 40, 5, seen.append, executor=executor)
    assert (shared.positions, shared.children) == (alone.positions, alone.children)
    assert (shared.exact_values, shared.drawn) == (alone.exact_values, alone.drawn)
    assert seen == list(range(1, 41))


def test_rejects_games_that_no_solver_knows() -> None:
    with refuses(OptionError):
        Sample(parse_game("5,5,4,gravity,misere"), 5, 0)


def test_replaces_values_by_given_labels() -> None:
    whole = WholeGame(parse_game("tictactoe"))
    same = whole.relabelled(
        lambda positions: [whole.exact_values[whole.number[each]] for each in positions]
    )
    assert (same.exact_values, same.critical.at) == (whole.exact_values, whole.critical.at)
    draw = Random(1)
    values = {each: draw.choice([-1, -0.5, 0, 0.25, 1]) for each in whole.positions}
    other = whole.relabelled(lambda positions: [values[each] for each in positions])
    opinion = find_heuristic("counted-lines", whole.game)
    lost_by = other.critical.lost_by(other.critical.played(opinion, 1))
    for at, loss in zip(other.critical.at, lost_by, strict=True):
        position = whole.positions[at]
        best = search(position, depth=1, heuristic=opinion, scoring="result", root="open")
        after = {move: position.play(move) for move in position.moves}
        worth = {move: worth_of(child, values[child]) for move, child in after.items()}
        lost = [max(worth.values()) - worth[move] for move in best.best_moves]
        assert loss == pytest.approx(sum(lost) / len(lost))
    with refuses(OptionError):
        whole.relabelled(lambda positions: [1, 2, 3])
    for wrong in (None, "a", float("nan")):
        with pytest.raises(OptionError, match="label"):
            whole.relabelled(lambda positions, wrong=wrong: [wrong] * len(positions))


def worth_of(child: Position, label: float) -> float:
    """What a move is worth that leads here: a win where it wins, the label where play goes on."""
    if child.is_over:
        return 0 if child.winner is None else 1
    return -label


def classes_of(population: Population) -> list[set[Position]]:
    """The classes of each critical position and of its children."""
    positions = population.positions
    return [
        {canonical(positions[each]) for each in (at, *population.children[at])}
        for at in population.critical.at
    ]


@pytest.mark.parametrize(
    "population",
    [Sample(parse_game("4,4,4"), 120, 3), Sample(parse_game("connect4"), 400, 3)],
    ids=["4,4,4", "connect4"],
)
def test_forms_the_groups_of_a_quadratic_search(population: Population) -> None:
    classes, groups = classes_of(population), groups_of(population)
    expected = list(range(len(classes)))
    for one, other in combinations(range(len(classes)), 2):
        if classes[one] & classes[other] and expected[one] != expected[other]:
            kept, gone = expected[one], expected[other]
            expected = [kept if each == gone else each for each in expected]
    assert len(set(groups)) == max(groups) + 1
    for one, other in combinations(range(len(classes)), 2):
        assert (groups[one] == groups[other]) == (expected[one] == expected[other])


def test_puts_a_whole_game_into_one_group() -> None:
    assert set(groups_of(WholeGame(parse_game("tictactoe")))) == {0}


def test_keeps_groups_whole_in_folds_of_equal_size() -> None:
    draw = Random(2)
    groups = [draw.randrange(40) for _ in range(500)]
    dealt = folds(groups, 5, 1)
    assert dealt == folds(groups, 5, 1) != folds(groups, 5, 2)
    assert len(set(zip(groups, dealt, strict=True))) == len(set(groups))
    sizes = [dealt.count(fold) for fold in range(5)]
    assert max(sizes) - min(sizes) <= max(groups.count(group) for group in groups)
    with refuses(OptionError):
        folds([0, 1, 1], 5, 0)


def test_draws_samples_disjoint_from_avoided_positions() -> None:
    game = parse_game("4,4,4")
    one, alone = Sample(game, 100, 0), Sample(game, 60, 1)
    other = Sample(game, 60, 1, avoid=one.orbits.tolist())

    def classes(sample: Sample) -> set[Position]:
        return set(map(canonical, sample.positions))

    assert classes(one) & classes(alone)
    assert not classes(one) & classes(other)
    assert len([at for at in other.children if at]) == 60
    assert other.positions == Sample(game, 60, 1, avoid=one.orbits.tolist()).positions
    small = parse_game("tictactoe")
    all_of_it = WholeGame(small).orbits.tolist()
    with refuses(OptionError):
        Sample(small, 60, 1, avoid=all_of_it)


@pytest.mark.parametrize("source", ["quiet", "random", "own-play"])
def test_draws_the_same_unfinished_positions_by_seed(source: str) -> None:
    game = parse_game("4,4,3,gravity")
    heuristic = find_heuristic("counted-lines", game)
    drawn = source_of(source, game, heuristic).draw
    ones, others = ([drawn(game, random) for _ in range(40)] for random in (Random(1), Random(1)))
    assert ones == others
    assert not any(position.is_over for position in ones)


def test_only_random_games_let_the_side_to_move_win_at_once() -> None:
    cards = {
        source: report_card("counted-lines", "connect4", 1, samples=60, positions=source)
        for source in ("quiet", "random")
    }
    classes = {source: {group.name for group in card.by_tactic} for source, card in cards.items()}
    assert "win at hand" in classes["random"] - classes["quiet"]
    assert {card.population for card in cards.values()} == {"quiet", "random"}


def test_own_play_takes_the_move_that_the_heuristic_prefers() -> None:
    game, random = parse_game("tictactoe"), Random(3)
    heuristic = find_heuristic("counted-lines", game)
    drawn = source_of("own-play", game, heuristic).draw
    met = [position for position in (drawn(game, random) for _ in range(300)) if position.first]
    assert sum(position.owner(4) == 0 for position in met) > 0.75 * len(met)


def test_draws_positions_of_recorded_games(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    with Records(file) as records:
        play_match("random", "greedy", 4, "tictactoe", 1, records=records)
    game = parse_game("tictactoe")
    heuristic = find_heuristic("counted-lines", game)
    drawn = source_of(f"games:{file}", game, heuristic).draw
    assert len({drawn(game, Random(seed)) for seed in range(200)}) > 8
    with refuses(OptionError):
        source_of(f"games:{file}", parse_game("connect4"), heuristic)
    with refuses(OptionError):
        report_card("counted-lines", positions="late")
    with pytest.raises(OptionError, match="expected no samples"):
        report_card("counted-lines", positions="all", samples=9)
