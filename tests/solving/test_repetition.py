"""Games with `draw_by_repetition`: their values against value iteration on random graphs, Dudeney's
for three men's morris, and that searches and games of them end and claim nothing wrong."""

from __future__ import annotations

import random
from typing import Any

import pytest

import plyscope as ps
from commands import output
from examples.morris import Morris
from games import BruteForce, DrawnCycles, sign
from oracles import endless_values, value_with_repetition
from plyscope.errors import OptionError
from plyscope.lab.judging.whole import WholeGame
from plyscope.lab.matches.game import REPETITION, play_game
from plyscope.rules.game import GamePosition, is_repeated
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.limit import SearchStopped
from plyscope.solving.retrograde import RepeatingValues
from plyscope_web.endpoints.inputs import asked_of, own_start
from sentences import refuses
from sizes import sized

SEEDS = range(sized(300, 10_000))


def drawn(seed: int, scored: bool, most: int = 30) -> tuple[DrawnCycles, list[tuple[int, int]]]:
    """A random game, and the true values of all positions in FIRST's view."""
    draw = random.Random(f"{seed} {scored}")
    game = DrawnCycles(draw, draw.randint(1, most), scored, spread=draw.choice((1, 3)))
    ends = [value if scored or value is None else sign(value) for value in game.values]
    return game, endless_values(ends, game.sides, game.following)


@pytest.mark.parametrize("scored", [False, True])
def test_finds_the_values_and_distances_of_value_iteration(scored: bool) -> None:
    counts = {-1: 0, 0: 0, 1: 0}
    for seed in SEEDS:
        game, true = drawn(seed, scored)
        solver = RepeatingValues(game)  # type: ignore[arg-type]
        for root in random.Random(seed).sample(range(len(true)), min(3, len(true))):
            solver.find(root)  # a later root may lead to positions that an earlier one has valued
        for state, value in solver.known.items():
            payoff, plies = true[state]
            distance = plies if payoff else None
            for side, own in enumerate((payoff, -payoff)):
                expected = sign(own), distance, own if scored else None
                assert solver.in_view(value, side) == expected, seed
            counts[sign(payoff)] += game.values[state] is None
    assert min(counts.values()) > len(SEEDS)


@pytest.mark.parametrize("scored", [False, True])
def test_gives_every_moves_value_and_the_best_moves(scored: bool) -> None:
    for seed in SEEDS:
        game, true = drawn(seed, scored)
        view = -1 if game.sides[0] else 1
        verdict = ps.solve(game)
        payoff, plies = true[0]
        assert (verdict.method, verdict.value) == ("retrograde", view * sign(payoff)), seed
        assert (verdict.distance or 0, verdict.score) == (plies, view * payoff if scored else None)
        best = []
        for item in verdict.moves or ():
            after, more = true[game.play(0, item.move)]
            assert item.value == view * sign(after), seed
            assert item.distance == (more + 1 if after else None), seed
            if (after, more + 1 if after else 0) == (payoff, plies):
                best.append(item.move)
        assert list(verdict.best_moves) == best, seed
        assert (best != []) == (game.values[0] is None)


@pytest.mark.parametrize("scored", [False, True])
def test_finds_the_value_of_the_game_that_ends_at_a_repetition(scored: bool) -> None:
    for seed in SEEDS:
        game, true = drawn(seed, scored, most=7)
        ends = [value if scored or value is None else sign(value) for value in game.values]
        for at, (payoff, _) in enumerate(true):
            assert payoff == value_with_repetition(ends, game.sides, game.following, at), seed


def test_the_winner_never_repeats_a_position_whatever_the_loser_plays() -> None:
    played = 0
    for seed in SEEDS:
        game, true = drawn(seed, scored=seed % 2 == 0)
        draw, at, seen = random.Random(seed), 0, {0}
        payoff = true[0][0]
        while payoff and game.values[at] is None:
            moves = game.moves(at)
            if (payoff > 0) == (game.sides[at] == 0):
                moves = list(ps.solve(at, game=game).best_moves)
            at = game.play(at, draw.choice(moves))
            assert at not in seen, seed
            seen.add(at)
        assert payoff == 0 or sign(game.values[at] or 0) == sign(payoff), seed
        played += payoff != 0
    assert played > len(SEEDS) / 4


def test_solves_three_mens_morris_as_dudeney() -> None:
    """Amusements in Mathematics, 1917, "Ovid's Game": "The first player can always win, provided he
    plays to the centre on his first move." Without it the game is a draw, in which the first player
    must play to two adjoining corners, and the second should take the centre at once."""
    verdict = ps.solve(Morris())
    assert (verdict.value, verdict.distance) == (1, 9)
    assert [item.text for item in verdict.moves or () if item.value > 0] == ["b2"]
    barred = ps.solve(Morris(centre=False))
    assert barred.value == 0
    assert [item.text for item in barred.moves or () if item.value == 0] == ["a1", "c1", "a3", "c3"]
    corner = GamePosition(Morris(centre=False)).play("a1")
    assert "b2" in [item.text for item in ps.solve(corner).moves or () if item.value == 0]
    second = ps.solve(corner.play("b2"))
    assert [item.text for item in second.moves or () if item.value == 0] == ["c1", "a3"]


def test_rejects_a_cyclic_game_without_a_repetition_rule_and_says_how_to_add_it() -> None:
    class Silent(Morris):
        draw_by_repetition = False

    class Plain:
        """Not a subclass of Game, which says it too."""

        draw_by_repetition = True

        def __init__(self) -> None:
            for name in ("start", "side", "moves", "play", "payoff"):
                setattr(self, name, getattr(Silent(), name))

    for method in ("auto", "exhaustive", "proof-number"):
        with pytest.raises(OptionError, match="repeats after .* draw_by_repetition = True"):
            ps.solve(Silent(), method)
    fault = ps.check_game(Silent()).faults[0]
    assert (fault.kind, "draw_by_repetition = True" in fault.text) == ("cycle", True)
    assert ps.solve(Plain()).distance == 9
    for method in ("exhaustive", "proof-number"):
        with pytest.raises(OptionError, match="'morris'; expected a game without"):
            ps.solve(Morris(), method)
    with refuses(OptionError):
        ps.solve(Silent(), "retrograde")


def test_a_solve_stops_at_its_limits_and_at_an_interrupt() -> None:
    told: list[str] = []

    def tell(message: str) -> None:
        told.append(message)
        raise KeyboardInterrupt

    stopped = ps.solve(Morris(), progress=tell, keep_interrupted=True)
    assert (stopped.value, stopped.stopped, stopped.nodes) == (None, "interrupted", 4096)
    assert told == ["4,096 visits of retrograde analysis"]
    with pytest.raises(KeyboardInterrupt):
        ps.solve(Morris(), progress=tell)
    assert ps.solve(Morris(), seconds=0).stopped == "seconds"
    visits: list[str] = []
    ps.solve(Morris(), progress=visits.append)
    assert visits == [f"{count} visits of retrograde analysis" for count in ("4,096", "8,192")]
    for most in (1, 100, 5389):
        with pytest.raises(SearchStopped, match="nodes"):
            RepeatingValues(Morris(), most).find(Morris().start())
    solver = RepeatingValues(Morris(), 5390)
    solver.find(Morris().start())
    assert len(solver.known) == 5390


def searched(game: Any, name: str, draw: random.Random) -> Any:
    """A search to some depth, perhaps stopped earlier."""
    options: dict[str, Any] = {"depth": draw.randint(1, 5 if name in SLOW else 8)}
    if draw.random() < 0.3:
        options["nodes"] = draw.randint(50, 2000)
    if not game.scored:
        options["scoring"] = draw.choice(("result", "distance"))
    return ps.search(game, name, **options)


SLOW = ("minimax", "negamax", "pn", "dfpn", "sss")
EXACT = [
    name
    for name, algorithm in ALGORITHMS.items()
    if not (algorithm.needs_lines or algorithm.counts_playouts or algorithm.needs_chance)
]


@pytest.mark.parametrize("name", EXACT)
def test_searches_exactly_and_completes_with_the_true_value(name: str) -> None:
    """No entry of a table may depend on the way to its position."""
    complete = 0
    for seed in SEEDS[:60]:
        game, true = drawn(seed, scored=seed % 3 == 0, most=16)
        if game.values[0] is not None:
            continue
        found = searched(game, name, random.Random(f"{seed} {name}"))
        view, depth = -1 if game.sides[0] else 1, found.depth
        score = (lambda value: value) if game.scored else sign
        brute = BruteForce(game, lambda state: 0).value(0, depth)
        assert score(found.value) == view * score(brute), (seed, found)
        if found.complete:
            complete += 1
            assert score(found.value) == view * true[0][0], (seed, found)
    assert complete > 5


def test_limits_a_search_of_an_endless_game() -> None:
    with refuses(OptionError):
        ps.search(Morris())
    assert ps.search(Morris(), nodes=500).stopped == "nodes"
    with refuses(OptionError):
        ps.certify("random", Morris())


class Treadmill(ps.Game):
    """Every move leads back, except that X may win at the first move."""

    draw_by_repetition = True

    def start(self) -> Any:
        return 0, 0

    def side(self, state: Any) -> int:
        return int(state[1])

    def moves(self, state: Any) -> Any:
        return [1, 2] if state == (0, 0) else [1]

    def play(self, state: Any, move: int) -> Any:
        return (9, 1) if move == 2 else (1 + state[0] % 4, 1 - state[1])

    def payoff(self, state: Any) -> int | None:
        return 1 if state[0] == 9 else None


def test_ends_playouts_of_endless_games() -> None:
    found = ps.search(Treadmill(), "uct", nodes=30)
    assert found.best_moves == (2,)
    assert ps.search((1, 1), "uct", game=Treadmill(), nodes=5).value == 0
    assert ps.solve((1, 1), game=Treadmill()).value == 0
    assert ps.check_game(Treadmill(), games=20).faults == ()


def test_draws_a_game_at_the_third_occurrence_of_a_position() -> None:
    agent = ps.parse_agent("alphabeta depth=1")
    start = GamePosition(Treadmill(), (1, 1))
    record = play_game((agent, agent), start, random.Random(1))
    assert (record.winner, record.ending, record.is_forfeit) == (None, REPETITION, False)
    assert len(record.moves) == 8
    positions = [start]
    for move in record.moves:
        assert not is_repeated(positions)
        positions.append(positions[-1].play(move))
    assert positions.count(record.end) == 3
    assert is_repeated(positions)


def test_plays_matches_to_their_end() -> None:
    found = ps.play_match("perfect", "random", game=Morris(centre=False), games=6, seed=2)
    assert (found.games, found.b_wins, found.at_limit) == (6, 0, 0)
    walkers = ps.play_match("random", "random", game=Treadmill(), games=30)
    assert walkers.draws == 30 - walkers.a_wins - walkers.b_wins > 0


def test_gives_true_values_in_a_report_card_of_every_position() -> None:
    game = Morris()
    population = WholeGame(game)
    ends = [game.payoff(state) for state in population.positions]
    true = endless_values(ends, population.sides, population.children)
    values = [
        sign(payoff) * (-1 if side else 1)
        for side, (payoff, _) in zip(population.sides, true, strict=True)
    ]
    assert population.exact_values == values
    assert population.distances == [plies if payoff else None for payoff, plies in true]
    assert len(values) == 5390


def test_ends_a_game_on_the_page_at_the_third_occurrence() -> None:
    before = own_start.set(GamePosition(Treadmill()))
    try:
        over = [asked_of(f"treadmill {', '.join('1' * plies)}").is_over for plies in range(11)]
    finally:
        own_start.reset(before)
    assert over == [False] * 9 + [True] * 2


def test_ends_a_game_at_the_terminal_with_a_draw(capsys: pytest.CaptureFixture[str]) -> None:
    assert "a draw by repetition" in output(
        capsys, "play", f"{__file__}:Treadmill 1", "--x", "random", "--o", "random"
    )
