"""Samples and splits: drawn as they are said to be, and with nothing on both sides."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from plyscope import Position, parse_game
from plyscope.errors import OptionError
from plyscope.lab.reportcard.orbits import orbit_keys
from plyscope.lab.reportcard.population import Population
from plyscope.lab.reportcard.sample import Sample
from plyscope.lab.reportcard.whole import WholeGame
from plyscope.lab.tuning.split import folds, groups_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.symmetry import canonical, orbit
from plyscope.solving.quiet import quiet_position

GAMES = (
    "tictactoe",
    "3,3,3,misere",
    "connect4",
    "5,5,4,torus",
    "6,5,4,exactly",
    "6,6,4,stones=2,first=1",
    "5,5,4,holes=c3",
    "7,5,4,gravity,holes=c3",
    "4,4,4,gravity,torus",
    "3,3,2",
    "2,2,1",
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
def test_quiet_positions_are_those_of_the_definition(name: str) -> None:
    game, one, other = parse_game(name), Random(5), Random(5)
    for _ in range(8 if game.size > 25 else 40):
        assert quiet_position(game, one) == quiet_by_definition(game, other)


@pytest.mark.parametrize("name", ["4,3,3", "connect4", "qubic", "gomoku15", "5,4,4,hexagonal"])
def test_positions_share_a_key_with_their_mirror_images_alone(name: str) -> None:
    game, random = parse_game(name), Random(1)
    positions = [quiet_position(game, random) for _ in range(60)]
    positions += [image for position in positions[:4] for image in orbit(position)]
    keys = orbit_keys(game, positions).tolist()
    classes = [canonical(position) for position in positions]
    for one, other in combinations(range(len(positions)), 2):
        assert (keys[one] == keys[other]) == (classes[one] == classes[other])


def classes_of(population: Population) -> list[set[Position]]:
    """The classes of each deciding position and of its children."""
    positions = population.positions
    return [
        {canonical(positions[each]) for each in (at, *population.children[at])}
        for at in population.deciding()
    ]


@pytest.mark.parametrize(
    "population",
    [Sample(parse_game("4,4,4"), 120, 3), Sample(parse_game("connect4"), 400, 3)],
    ids=["4,4,4", "connect4"],
)
def test_groups_are_those_of_a_quadratic_search(population: Population) -> None:
    classes, groups = classes_of(population), groups_of(population)
    expected = list(range(len(classes)))
    for one, other in combinations(range(len(classes)), 2):
        if classes[one] & classes[other] and expected[one] != expected[other]:
            kept, gone = expected[one], expected[other]
            expected = [kept if each == gone else each for each in expected]
    assert len(set(groups)) == max(groups) + 1
    for one, other in combinations(range(len(classes)), 2):
        assert (groups[one] == groups[other]) == (expected[one] == expected[other])


def test_a_whole_game_is_one_group() -> None:
    assert set(groups_of(WholeGame(parse_game("tictactoe")))) == {0}


def test_folds_keep_groups_whole_and_are_of_one_size() -> None:
    draw = Random(2)
    groups = [draw.randrange(40) for _ in range(500)]
    dealt = folds(groups, 5, 1)
    assert dealt == folds(groups, 5, 1) != folds(groups, 5, 2)
    assert len(set(zip(groups, dealt, strict=True))) == len(set(groups))
    sizes = [dealt.count(fold) for fold in range(5)]
    assert max(sizes) - min(sizes) <= max(groups.count(group) for group in groups)
    with pytest.raises(OptionError, match="5 folds of 2 groups of positions; expected at least as"):
        folds([0, 1, 1], 5, 0)


def test_samples_share_nothing_with_what_they_avoid() -> None:
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
    with pytest.raises(OptionError, match=r"60 samples of 'tictactoe': only \d+ were found"):
        Sample(small, 60, 1, avoid=all_of_it)
