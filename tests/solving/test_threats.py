"""Wins by threats: whatever is claimed is true, and the fours are found that there are."""

from __future__ import annotations

from random import Random

import pytest

import oracles
import plyscope as ps
from plyscope.errors import OptionError
from plyscope.rules.cells import parse_cell
from plyscope.rules.games import parse_game
from plyscope.rules.linegame import Position, bits
from plyscope.rules.symmetry import symmetries
from plyscope.searching.limit import Late
from plyscope.solving.ask import Ask
from plyscope_fast.solving import threats
from plyscope_fast.solving.kernels import threats as kernel
from plyscope_fast.solving.kernels import wins
from plyscope_fast.solving.lines import lines_solver
from plyscope_fast.solving.threats import ThreatSolver, threat_solver
from sentences import refuses
from sizes import sized

GAMES = {
    "5,5,4": ((5, 5), 4),
    "4,4,3": ((4, 4), 3),
    "6,6,4": ((6, 6), 4),
    "3x3x3,3": ((3, 3, 3), 3),
    "7,7,5": ((7, 7), 5),
}


def random_position(draw: Random, name: str) -> Position:
    position = parse_game(name).start()
    for _ in range(draw.randint(2, position.game.size // 2)):
        if not position.is_over:
            position = position.play(draw.choice(position.moves))
    return position


def board_of(position: Position, extra: int | None = None) -> oracles.Board:
    """The oracle's board, with one more stone of the side that is not to move."""
    other = "XO"[1 - position.side]
    stones = [
        "X" if position.first >> cell & 1 else "O" if position.second >> cell & 1 else "."
        for cell in range(position.game.size)
    ]
    if extra is not None:
        stones[extra] = other
    return tuple(stones)


@pytest.mark.parametrize("name", GAMES)
def test_finds_winning_fours_with_a_sound_zone(name: str) -> None:
    shape, k = GAMES[name]
    lines = oracles.lines(shape, k)
    draw, solver, won = Random(7), ThreatSolver(parse_game(name)), 0
    for _ in range(sized(60, 400)):
        position = random_position(draw, name)
        if position.is_over:
            continue
        side = "XO"[position.side]
        found = solver.by_fours(position, position.side)
        assert (found is not None) == oracles.wins_by_fours(board_of(position), side, lines), (
            position
        )
        if found is None:
            continue
        won += 1
        assert position.play(*found.line).winner == position.side or len(found.line) % 2
        for cell in position.moves:
            if not found.zone >> cell & 1:
                assert oracles.wins_by_fours(board_of(position, cell), side, lines), (
                    position,
                    cell,
                )
    assert won > 8


@pytest.mark.parametrize("is_large", [False, True])
@pytest.mark.parametrize(
    "name", ["5,5,4", "6,5,4", "6,6,4", "7,7,5", "4x3x3,3", "4,4,4", "5,3,4,torus"]
)
def test_claims_only_true_wins(name: str, is_large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if is_large:
        monkeypatch.setattr(threats, "MAX_SMALL_CELLS", 0)
    draw, solver, truth = Random(3), ThreatSolver(parse_game(name)), lines_solver(parse_game(name))
    values = {1: 0, 0: 0, -1: 0}
    for _ in range(sized(25 if name in ("6,6,4", "7,7,5") else 80, 120)):
        position = random_position(draw, name)
        if position.is_over:
            continue
        verdict = solver.solve(Ask(position, limit=20_000))
        if verdict is None:
            continue
        assert verdict.value is not None
        values[verdict.value] += 1
        try:
            assert truth.solve(Ask(position, with_moves=False, seconds=5)).value == verdict.value, (
                position
            )
        except Late:
            continue
        for move in verdict.best_moves[:3]:
            after = position.play(move)
            assert (
                after.winner == position.side
                or truth.solve(Ask(after, with_moves=False)).value == -verdict.value
            ), position
    assert values[1] > (2 if is_large else 4)
    assert values[0] + values[-1] > (2 if is_large else 3)


@pytest.mark.parametrize("name", ["7,7,5", "8,8,5"])
def test_a_stone_outside_the_zone_of_a_win_by_threes_changes_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw, game, truth = Random(13), parse_game(name), ThreatSolver(parse_game(name))
    monkeypatch.setattr(threats, "MAX_SMALL_CELLS", 0)
    solver = ThreatSolver(game)
    board, outside = solver._board, 0
    for _ in range(sized(40, 1_000)):
        cells, own = draw.sample(range(game.size), draw.randint(5, 17)), draw.randint(3, 8)
        first, second = (sum(1 << cell for cell in part) for part in (cells[:own], cells[own:]))
        if game.position(first, second, 0).is_over:
            continue
        solver.emptied()._board.place(first, second)
        if kernel.fours(board.block, threats.FOURS_NODES):
            continue
        wins.prove(board.block, kernel.DEFENDER, 1)  # searches by threes first
        stored_as = kernel.fill(board.block) ^ wins.THREES
        numbers = wins.Numbers.of(wins.probe(board.block, stored_as))
        if not numbers.word or numbers.own:
            continue
        assert wins._load_zone(board.block, stored_as)
        for cell in bits(game.board & ~(first | second)):
            if not board.block.zone[cell]:
                outside += 1
                asked = Ask(game.position(first, second | 1 << cell, 0))
                assert truth.wins(asked, 0).wins, (first, second, cell)
    assert outside > 20


@pytest.mark.parametrize("name", ["5,5,4", "6,5,4", "4x3x3,3", "4,4,4", "5,4,3", "5,3,4,torus"])
def test_the_search_for_short_proofs_finds_every_win_and_no_other(name: str) -> None:
    draw, game = Random(5), parse_game(name)
    solver, truth, won = ThreatSolver(game), lines_solver(game), 0
    for _ in range(sized(40, 200)):
        position = random_position(draw, name)
        if position.is_over:
            continue
        value = truth.solve(Ask(position, with_moves=False)).value
        for attacker in (0, 1):
            known = solver.wins(Ask(position, limit=20_000), attacker, is_short=True)
            assert known.wins in (None, True)
            is_won = value == (1 if attacker == position.side else -1)
            assert is_won or not known.wins, position
            assert known.wins or not solver.wins(Ask(position, limit=500), attacker).wins, position
            won += bool(known.wins)
            if known.wins and attacker == position.side:
                assert known.move is not None
                after = position.play(known.move)
                assert (
                    after.winner == attacker
                    or truth.solve(Ask(after, with_moves=False)).value == -1
                ), position
    assert won > 4


@pytest.mark.parametrize("name", ["4,4,4", "5,4,4", "3x3x3,3", "4,3,3", "3,3,3,torus"])
def test_solves_a_whole_game_as_brute_force(name: str) -> None:
    game = parse_game(name)
    solver = ThreatSolver(game)
    verdict = solver.solve(Ask(game.start()))
    assert verdict.value == ps.solve(game, with_moves=False).value


def test_a_table_of_few_entries_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        threats, "BUCKET_BYTES", threats.BUCKET_BYTES << 6
    )  # so that 1 MB has 256 buckets
    for text in ("6,6,4 c4 a1", "7,7,4 d4 a1 d5 a7"):
        position = ps.parse(text)
        verdict = ThreatSolver(position.game, 1).solve(Ask(position))
        assert (
            verdict.value
            == lines_solver(position.game).solve(Ask(position, with_moves=False)).value
        )


def test_agrees_on_symmetric_positions_and_swapped_colours() -> None:
    draw, game = Random(11), parse_game("6,6,4")
    for _ in range(sized(5, 40)):
        position = random_position(draw, "6,6,4")
        if position.is_over:
            continue
        image = draw.choice(symmetries(game))
        first, second = (
            sum(1 << image[cell] for cell in bits(stones))
            for stones in (position.first, position.second)
        )
        others = (
            game.position(first, second, position.side),
            game.position(position.second, position.first, 1 - position.side),
        )
        found = [ThreatSolver(game).solve(Ask(each, limit=50_000)) for each in (position, *others)]
        assert len({verdict.value for verdict in found if verdict is not None}) < 2
        assert None in found or len(found) == 3


def test_finds_a_long_win_on_a_large_board() -> None:
    for _ in range(2):  # what is known tells the same
        verdict = ps.solve("gomoku15 h8 o1 i7 a15 g7 o15")
        assert (verdict.value, verdict.method) == (1, "threats")
    assert verdict.proof.endswith("h7 e7 j7 f7 k7")
    lost = ps.solve("gomoku15 h8 o1 i7 a15 g7 o15 h7", seconds=60)
    assert (lost.value, len(lost.best_moves)) == (-1, 225 - 7)


def test_refutes_replies_far_from_a_quiet_move_in_few_nodes() -> None:
    verdict = ps.solve("15,15,5 h8 a1 i9 a15", "threats", with_moves=False)
    assert verdict.value == 1
    assert verdict.nodes < 1_500_000  # 5,670,432 if each of them is searched


def test_finds_large_wins_that_the_lines_solver_finds_slowly() -> None:
    for name in ("7,7,4", "8,8,4"):
        verdict = ps.solve(name)
        assert (verdict.value, verdict.method) == (1, "threats")
        assert verdict.nodes < 500_000


def test_claims_nothing_that_it_did_not_find() -> None:
    verdict = ps.solve("gomoku15 h8", "threats", seconds=1)
    assert (verdict.value, verdict.stopped) == (None, "seconds")
    assert (
        threat_solver(parse_game("gomoku15")).solve(Ask(ps.parse("gomoku15 h8"), limit=100)) is None
    )


def test_gives_the_engine_half_of_the_time() -> None:
    threat_solver(parse_game("gomoku15")).prepare()
    said: list[str] = []
    ps.solve("gomoku15 h8 h9 i9 g7 i7", seconds=2, progress=said.append)
    assert any("can X win?" in text for text in said)
    assert any(text.startswith("depth ") for text in said)


def test_obeys_the_defenders_four_first() -> None:
    position = ps.parse(
        "gomoku15 h8 a1 i8 b1 j8 c1 a15 d1"
    )  # O has four in a row with one end open
    assert position.side == 0
    assert threat_solver(position.game).by_fours(position, 0) is None
    verdict = threat_solver(position.game).solve(Ask(position, limit=20_000))
    assert verdict is None or verdict.best_moves == (parse_cell(position.game.shape, "e1"),)


def test_rejects_games_without_threats() -> None:
    with refuses(OptionError):
        ps.solve("connect4", "threats")
