"""Solvers of any game: against brute force on random games, and published values."""

from __future__ import annotations

import random
from typing import Any

import pytest

import plyscope as ps
from games import BruteForce, DotsAndBoxes, DrawnGraph, Kalah, Othello, distance_of, sign
from plyscope.errors import OptionError
from plyscope.solving.solvers import SOLVERS
from sentences import refuses, says
from sizes import sized
from waiting import PATIENCE_SECONDS

METHODS = ("exhaustive", "proof-number")
SEEDS = range(sized(60, 2000))


def view(game: Any, state: Any, value: float) -> int:
    return int(-value if game.side(state) else value)


def move_values(game: Any, state: Any) -> dict[Any, int]:
    """What each move is worth to the side to move."""
    oracle = BruteForce(game)
    return {
        move: view(game, state, oracle.value(game.play(state, move))) for move in game.moves(state)
    }


def hold_values(seed: int, scored: bool) -> int:
    """Hold the solvers' values and best moves of a random graph to brute force, and return how
    many questions were asked."""
    draw = random.Random(seed)
    game = DrawnGraph(draw, draw.randint(2, 40), scored, spread=draw.choice((1, 1, 4)))
    value = view(game, 0, BruteForce(game).value(0))
    worth = move_values(game, 0)
    if not scored:
        value, worth = sign(value), {move: sign(each) for move, each in worth.items()}
    for method in METHODS:
        verdict = ps.solve(game, method)
        assert verdict.value == sign(value), f"seed {seed}, {method}"
        assert verdict.score == (value if scored else None), f"seed {seed}, {method}"
        assert {worth[move] for move in verdict.best_moves} == {value}, f"seed {seed}, {method}"
    return len(METHODS)


def hold_distances(seed: int) -> int:
    """Hold the value and the distance of every move of a random graph to brute force, and return
    how many questions were asked."""
    draw = random.Random(seed)
    game = DrawnGraph(draw, draw.randint(2, 25), scored=False)
    verdict = ps.solve(game)
    value, plies = distance_of(game, 0)
    assert (verdict.value, verdict.distance or 0) == (view(game, 0, value), plies), seed
    for move in verdict.moves or ():
        value, plies = distance_of(game, move.move)
        assert move.value == view(game, 0, value), seed
        assert (move.distance or 0) == (plies + 1 if value else 0), seed
    return 1


@pytest.mark.parametrize("scored", [False, True])
def test_finds_the_values_of_brute_force_on_random_graphs(scored: bool) -> None:
    for seed in SEEDS:
        hold_values(seed, scored)


def test_gives_every_move_its_value_and_distance() -> None:
    for seed in SEEDS:
        hold_distances(seed)


@pytest.mark.parametrize(
    ("game", "value"),
    [
        *((DotsAndBoxes(2, 1), None), (DotsAndBoxes(2, 1, scored=False), None)),
        *((Kalah(2, 2), None), (Kalah(2, 3), None)),
        # known of 4×4 Othello: the second player wins by 11 discs to 3
        (Othello(4), -8),
        (Othello(4, skips=True), -8),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_finds_the_values_of_real_games(game: Any, value: int | None) -> None:
    state = game.start()
    if value is None:
        value = int(BruteForce(game).value(state))
    verdict = ps.solve(game, "proof-number")
    assert verdict.score == (value if game.scored else None)
    assert verdict.value == sign(value)


class Heaps(ps.Game):
    """Nim: any number from one heap; whoever takes the last one wins."""

    def __init__(self, *heaps: int) -> None:
        self.heaps = heaps

    def start(self) -> Any:
        return tuple(sorted(self.heaps)), 0

    def side(self, state: Any) -> int:
        return int(state[1])

    def moves(self, state: Any) -> Any:
        return [(at, take) for at, heap in enumerate(state[0]) for take in range(1, heap + 1)]

    def play(self, state: Any, move: Any) -> Any:
        heaps = list(state[0])
        heaps[move[0]] -= move[1]
        return tuple(sorted(heaps)), 1 - state[1]

    def payoff(self, state: Any) -> int | None:
        return None if any(state[0]) else 1 if state[1] else -1


@pytest.mark.parametrize("method", METHODS)
def test_nim_is_lost_where_the_heaps_sum_to_nothing(method: str) -> None:
    # Bouton 1901: lost exactly where the exclusive or of the heaps is 0
    draw = random.Random(5)
    for _ in range(40):
        heaps = tuple(draw.randint(0, 4) for _ in range(3))
        if any(heaps):
            lost = heaps[0] ^ heaps[1] ^ heaps[2] == 0
            assert ps.solve(Heaps(*heaps), method).value == (-1 if lost else 1), heaps


def test_rejects_a_game_that_repeats_positions() -> None:
    refused = 0
    for seed in SEEDS:
        draw = random.Random(seed)
        game = DrawnGraph(draw, draw.randint(3, 25), scored=False, back=True)
        with pytest.raises(OptionError, match=r"of 'drawn' repeats after \d+ plies"):
            ps.solve(game, "exhaustive")
        try:
            verdict = ps.solve(game, "proof-number")
        except OptionError:
            refused += 1
            continue
        assert verdict.value in forced(game), seed
    assert refused > len(SEEDS) / 4


@pytest.mark.parametrize(("seed", "size"), [(10206, 15), (10602, 23), (11071, 31), (11379, 29)])
def test_detects_counters_that_grow_in_a_cycle(seed: int, size: int) -> None:
    """No path of the search itself closes these circles: it went on for ever."""
    game = DrawnGraph(random.Random(seed), size, scored=False, back=True)
    with pytest.raises(OptionError, match="repeats after"):
        ps.solve(game, "proof-number", seconds=20)


def forced(game: DrawnGraph) -> set[int]:
    """The value to the side to move where it is forced in finite play, else none: by rounds over
    all positions until nothing changes."""

    def forces(side: int, wanted: set[int]) -> bool:
        """Return whether `side` forces an end that is worth one of these."""
        found: set[int] = set()
        while True:
            more = {
                at
                for at, payoff in enumerate(game.values)
                if (payoff is not None and sign(payoff) in wanted)
                or (
                    payoff is None
                    and (any if game.sides[at] == side else all)(
                        to in found for to in game.following[at]
                    )
                )
            }
            if more == found:
                return 0 in found
            found = more

    # no end is worth more than 1 or less than −1, so there one side's force is enough
    values = {1} if forces(0, {1}) else {-1} if forces(1, {-1}) else set()
    values |= {0} if forces(0, {0, 1}) and forces(1, {0, -1}) else set()
    return {view(game, 0, value) for value in values}


def test_ends_a_solve_at_its_seconds_and_says_so() -> None:
    verdict = ps.solve(Kalah(4, 4), seconds=0.5)
    assert (verdict.value, verdict.stopped) == (None, "seconds")
    assert verdict.seconds < PATIENCE_SECONDS
    assert str(verdict) == "not solved: seconds"


def test_reports_progress_and_keeps_an_interrupted_result() -> None:
    told: list[str] = []

    def tell(message: str) -> None:
        told.append(message)
        raise KeyboardInterrupt

    verdict = ps.solve(Kalah(4, 4), progress=tell, keep_interrupted=True)
    assert verdict.stopped == "interrupted"
    assert told == ["4,096 positions"]
    with pytest.raises(KeyboardInterrupt):
        ps.solve(Kalah(4, 4), "proof-number", progress=tell)
    says(told[-1])


def test_rejects_options_that_need_lines_and_finished_positions() -> None:
    game = Heaps(1)
    for name, solver in SOLVERS.items():
        if solver.needs_lines:
            with pytest.raises(OptionError, match=f"method '{name}' on 'heaps'; expected"):
                ps.solve(game, name)
    with refuses(OptionError):
        ps.solve(game, maker_breaker=True)
    for method in METHODS:
        over = ps.solve(((0,), 1), method, game=game)
        assert (over.value, over.best_moves, over.score) == (-1, (), None)
    assert ps.solve(game).as_dict()["best_moves"] == ["(0, 1)"]


def test_counts_a_position_reached_in_many_ways_once() -> None:
    """On a ladder of diamonds sums of proof numbers would double with every rung, and the visits
    with them."""

    class Ladder(ps.Game):
        def start(self) -> Any:
            return 0, 0

        def side(self, state: Any) -> int:
            return int(state[0]) % 2

        def moves(self, state: Any) -> Any:
            return [0, 1]

        def play(self, state: Any, move: Any) -> Any:
            return state[0] + 1, move

        def payoff(self, state: Any) -> int | None:
            return None if state[0] < 60 else 1

    for method in METHODS:
        verdict = ps.solve(Ladder(), method)
        assert verdict.value == 1, method
        assert verdict.nodes < 60 * 60, method
