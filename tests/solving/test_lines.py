"""The solver of lines without gravity: published values, brute force, and what must not matter."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import oracles
from commands import output, refusal
from plyscope import LineGame, parse, parse_game, solve
from plyscope.errors import OptionError
from plyscope.faces.cli import run
from plyscope.rules.linegame import Line, Position
from plyscope.rules.lines import bits
from plyscope.rules.symmetry import symmetries
from plyscope.searching.limit import NO_LIMIT, SearchStopped
from plyscope.solving.accelerated import LINES, settle
from plyscope.solving.ask import Ask
from plyscope.solving.verify import verify
from plyscope_fast.solving import lines
from plyscope_fast.solving.kernels import lines as kernels
from plyscope_fast.solving.lines import LinesSolver, lines_solver
from plyscope_fast.solving.proof import proof_lines
from plyscope_fast.solving.threats import threat_solver
from sentences import refuses, says
from sizes import sized
from waiting import PATIENCE_SECONDS

STRONG = {
    "1,1,1": 1,
    "3,3,3": 0,
    "4,3,3": 1,
    "3x3,3,torus": 1,
    "3x3x3,3": 1,
    "4,4,4": 0,
    "5,4,4": 0,
    "6,4,4": 0,
    "5,5,4": 0,
    "6,5,4": 1,
    "5,5,5": 0,
    "6,6,5": 0,
    "7,7,5": 0,
    "9,6,6": 0,
    "8,8,6": 0,
}
"""What the first player makes of the empty board (Hsu, Ko et al. 2020, and older)."""
WEAK = {
    "3,3,3": 1,
    "4,3,3": 1,
    "5,5,4": 1,
    "4,4,4": -1,
    "5,4,4": -1,
    "6,4,4": -1,
    "5,5,5": -1,
    "7,7,5": -1,
    "7,7,6": -1,
    "9,6,6": -1,
}


@pytest.mark.parametrize(("name", "value"), STRONG.items())
def test_finds_published_values_of_the_strong_game(name: str, value: int) -> None:
    verdict = solve(name, "lines", with_moves=False)
    assert verdict.value == value
    if value:
        (best,) = verdict.best_moves
        after = verdict.position.play(best)
        assert after.is_over or solve(after, "lines", with_moves=False).value == -value


@pytest.mark.parametrize(("name", "value"), WEAK.items())
def test_finds_published_values_of_the_weak_game(name: str, value: int) -> None:
    verdict = solve(name, maker_breaker=True, with_moves=False)
    assert verdict.value == value
    assert str(verdict).startswith("X, the Maker, wins" if value > 0 else "O, the Breaker, wins")


def random_lines(draw: random.Random, cells: int) -> LineGame:
    """Return a game of any lines on a row of cells."""
    found = {
        tuple(sorted(draw.sample(range(cells), draw.randint(2, 4))))
        for _ in range(draw.randint(4, 9))
    }
    return LineGame(
        "any lines",
        (cells, 1),
        tuple(Line(sum(1 << cell for cell in line), "any") for line in sorted(found)),
    )


GAMES = [
    (parse_game(name), 60)
    for name in ("4,3,3", "4,3,4", "3,3,3,torus", "4,3,3,torus", "3,2,2", "5,2,2", "2x2x3,2")
]
DRAWN = random.Random(5)
GAMES += [(random_lines(DRAWN, DRAWN.randint(7, 11)), 60) for _ in range(40)]


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_random_positions_agree_with_brute_force(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, count = GAMES[number]
    all_lines = tuple(line.cells() for line in game.lines)
    strong, weak = oracles.Solved(all_lines), oracles.MakerSolved(all_lines)
    ours, our_weak = LinesSolver(game), LinesSolver(game, weak=True)
    monkeypatch.setattr(lines, "ROUND_NODES", 2)
    in_rounds = LinesSolver(game, weak=True)
    draw = random.Random(number)
    for _ in range(count):
        b = oracles.random_board(draw, game.size, all_lines, 0, draw.randrange(game.size))
        position = as_position(b, game)
        verdict = ours.solve(Ask(position))
        value = strong.worth(b)[0]
        assert verdict.value == value, str(position)
        for item in verdict.moves or ():
            assert -item.value == strong.worth(oracles.place(b, item.move, oracles.to_move(b)))[0]
        lone = ours.solve(Ask(position, with_moves=False)).best_moves
        if not position.is_over and value >= 0:
            assert -strong.worth(oracles.place(b, lone[0], oracles.to_move(b)))[0] == value
        if position.winner != 1:
            found = our_weak.solve(Ask(position, with_moves=False)).value
            assert found == (1 if weak.maker_wins(b) == (position.side == 0) else -1), str(position)
            assert in_rounds.solve(Ask(position, with_moves=False)).value == found


MISERE = ("4,3,3", "4,3,4", "3,3,3,torus", "5,2,2", "4,2,3,torus=x", "2x2x2,2")


@pytest.mark.parametrize("number", range(20))
def test_misere_agrees_with_brute_force(number: int) -> None:
    draw = random.Random(f"misere {number}")
    plain = parse_game(MISERE[number]) if number < len(MISERE) else random_lines(draw, 9)
    game = replace(plain, misere=True)
    all_lines = tuple(line.cells() for line in game.lines)
    solved, ours = oracles.Solved(all_lines, misere=True), LinesSolver(game)
    for _ in range(15):
        b = oracles.random_board(
            draw, game.size, all_lines, 0, draw.randrange(game.size // 3, game.size)
        )
        position = as_position(b, game)
        if position.is_over:
            continue
        verdict, value = ours.solve(Ask(position)), solved.worth(b)[0]
        assert verdict.value == value, str(position)
        after = [oracles.place(b, move, oracles.to_move(b)) for move in position.moves]
        values = [-solved.worth(each)[0] for each in after]
        good = [move for move, each in zip(position.moves, values, strict=True) if each == value]
        assert sorted(verdict.best_moves) == sorted(good)
        lone = ours.solve(Ask(position, with_moves=False)).best_moves
        assert lone
        assert set(lone) <= set(good)
        assert settle([position]) == [(value, tuple(values))]


def test_prunes_misere_by_pairs_and_weights() -> None:
    for name, most in (("4,4,4,misere", 1_000), ("6,5,5,misere", 10_000)):
        game = parse_game(name)
        solver = LinesSolver(game)
        assert solver.solve(Ask(game.start(), with_moves=False)).value == 0
        assert solver.nodes < most


EXACT = (
    *("4,4,3,exactly", "5,4,4,exactly", "5,5,4,exactly", "6,3,3,exactly", "6,4,4,exactly"),
    *("8,2,3,exactly", "12,1,3,exactly", "3x3x2,3,exactly", "5,4,3,exactly,holes=b2"),
    *("4,4,3,torus,exactly", "5,4,4,torus=x,exactly", "8,1,3,torus,exactly,holes=a1"),
)


class ByForce:
    """Plain recursion from any stones: it tells whether a side completes an exact line first."""

    def __init__(self, game: LineGame) -> None:
        cells = [frozenset(line.cells()) for line in game.lines]
        ends = [tuple(bits(line.ends)) for line in game.lines]
        self.known = {
            (side, odd): oracles.Forced(
                *(game.size, cells, side, 1, {}, False), holes=bits(game.holes), ends=ends
            )
            for side in "XO"
            for odd in (0, 1)  # whose turn it is does not follow from the stones
        }
        self.lines = [(line.mask, line.ends) for line in game.lines]
        self.board = game.board

    def wins(self, x: int, o: int, side: int, attacker: int) -> bool:
        odd = (x.bit_count() + o.bit_count() + side) % 2
        return x | o != self.board and self.known["XO"[attacker], odd].holds(x, o, "XO"[side])

    def has_line(self, own: int) -> bool:
        return any(own & line == line and not own & ends for line, ends in self.lines)


def stones_at_random(draw: random.Random, cells: list[int], truth: ByForce) -> list[int]:
    """Draw stones of both sides, of which neither has a line; their numbers may differ."""
    while True:
        count = len(cells) - draw.randint(1, 6)
        taken = draw.sample(cells, count)
        first = count // 2 if draw.random() < 0.5 else draw.randint(0, count)
        stones = [sum(1 << cell for cell in each) for each in (taken[:first], taken[first:])]
        if not any(map(truth.has_line, stones)):
            return stones


@pytest.mark.parametrize("effort", [lines.EFFORT, (0, 0)])
def test_exact_lines_agree_with_brute_force(
    effort: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "EFFORT", effort)
    draw, seen = random.Random(f"exact {effort}"), Counter[str]()
    for name in EXACT:
        game = parse_game(name)
        truth, ours = ByForce(game), LinesSolver(game, megabytes=1)
        for _ in range(sized(15, 900)):
            stones, side = stones_at_random(draw, list(bits(game.board)), truth), draw.randrange(2)
            position = game.position(stones[0], stones[1], side)
            wins = [truth.wins(*stones, side, attacker) for attacker in (0, 1)]
            verdict = ours.solve(Ask(position))
            assert verdict.value == wins[side] - wins[1 - side], str(position)
            for item in verdict.moves or ():
                assert item.value == move_value(truth, position, item.move), (str(position), item)
            lone = ours.solve(Ask(position, with_moves=False)).best_moves
            if verdict.value >= 0:
                assert move_value(truth, position, lone[0]) == verdict.value, str(position)
            for attacker in (0, 1):
                seen.update(zone_of_exact_lines(draw, truth, ours, position, attacker))
    assert min(seen["anchors"], seen["added"], seen["removed"]) > sized(20, 1_000), seen


def zone_of_exact_lines(
    draw: random.Random, truth: ByForce, ours: LinesSolver, position: Position, attacker: int
) -> Iterator[str]:
    """Check that an answer holds if stones of the loser outside the zone are added and removed.

    Yield which kinds of change there were."""
    stones, side = [position.first, position.second], position.side
    answer = ours.wins(Ask(position), attacker)
    assert answer.wins == truth.wins(*stones, side, attacker), (str(position), attacker)
    loser = 1 - attacker if answer.wins else attacker
    own, other, zone = stones[loser], stones[1 - loser], answer.zone
    changed, fewer, more = own & zone, draw.random(), draw.random()
    for cell in bits(ours.game.board & ~(zone | other)):
        changed |= (draw.random() < (fewer if own >> cell & 1 else more)) << cell
    if (ours.game.board & ~(changed | other)).bit_count() > 7:
        return
    yield from ["anchors"] * bool(own & zone)
    yield from ["added"] * bool(changed & ~own)
    yield from ["removed"] * bool(own & ~changed)
    stones[loser] = changed
    assert not truth.has_line(changed), (str(position), attacker, stones)
    assert truth.wins(*stones, side, attacker) == answer.wins, (str(position), attacker, stones)


def move_value(truth: ByForce, position: Position, move: int) -> int:
    """The value of a move for the side that moves."""
    side, stones = position.side, [position.first, position.second]
    stones[side] |= 1 << move
    if truth.has_line(stones[side]):
        return 1
    after = [truth.wins(*stones, 1 - side, attacker) for attacker in (side, 1 - side)]
    return after[0] - after[1]


@pytest.mark.parametrize(
    ("weak", "nodes"), [(False, lines.ROUND_NODES), (True, lines.ROUND_NODES), (True, 2)]
)
def test_stones_of_the_loser_outside_the_zone_change_nothing(
    weak: bool, nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "ROUND_NODES", nodes)
    draw, asked = random.Random(f"zones {weak}"), 0
    for game, _ in GAMES[7:]:
        all_lines = tuple(line.cells() for line in game.lines)
        solver = LinesSolver(game, weak)
        for _ in range(20):
            position = as_position(
                oracles.random_board(draw, game.size, all_lines, 0, draw.randrange(game.size)), game
            )
            attacker = 0 if weak else draw.randrange(2)
            if position.is_over or (weak and position.winner is not None):
                continue
            answer = solver.wins(Ask(position), attacker)
            outside = game.board & ~(answer.zone | position.first | position.second)
            extra = sum(
                1 << cell
                for cell in range(game.size)
                if outside >> cell & 1 and draw.random() < 0.6
            )
            loser = 1 - attacker if answer.wins else attacker
            stones = [position.first, position.second]
            stones[loser] |= extra
            after = game.position(*stones, position.side)
            if loser == attacker or not weak:
                assert after.winner != loser, str(position)
            if extra and not after.is_over:
                assert solver.wins(Ask(after), attacker).wins == answer.wins, (
                    f"{position} with {extra:b}"
                )
                asked += 1
    assert asked > 200


def as_position(b: oracles.Board, game: LineGame) -> Position:
    words = [sum(1 << cell for cell, stone in enumerate(b) if stone == side) for side in "XO"]
    return game.position(words[0], words[1])


@pytest.mark.parametrize("name", ["5,5,4", "4,4,3,misere", "5,5,4,exactly"])
def test_symmetry_colours_and_tables_change_no_value(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, draw = parse_game(name), random.Random(3)
    usual = LinesSolver(game)
    monkeypatch.setattr(lines, "SMALL_TABLE", (1, NO_LIMIT))
    tiny = LinesSolver(game)
    monkeypatch.setattr(lines, "MAX_SHARED_CLOSED_CELLS", 0)
    monkeypatch.setattr(lines, "EFFORT", (0, 0))
    plain = LinesSolver(game)
    all_lines = tuple(line.cells() for line in game.lines)
    for _ in range(150):
        b = oracles.random_board(draw, game.size, all_lines, 0, draw.randrange(5, game.size - 5))
        position = as_position(b, game)
        value = usual.solve(Ask(position, with_moves=False)).value
        assert tiny.solve(Ask(position, with_moves=False)).value == value
        assert plain.solve(Ask(position, with_moves=False)).value == value
        image = draw.choice(symmetries(game))
        turned = as_position(tuple(b[image[cell]] for cell in range(game.size)), game)
        assert usual.solve(Ask(turned, with_moves=False)).value == value
        swapped = game.position(position.second, position.first, 1 - position.side)
        assert usual.solve(Ask(swapped, with_moves=False)).value == value


def test_agrees_with_the_engine() -> None:
    game, draw = parse_game("6,4,4"), random.Random(8)
    all_lines = tuple(line.cells() for line in game.lines)
    for _ in range(20):
        position = as_position(
            oracles.random_board(draw, 24, all_lines, 0, draw.randrange(10, 20)), game
        )
        assert solve(position, "lines").value == solve(position, "search").value


def test_resumes_from_a_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "744.table"
    game = parse_game("7,4,4")
    first = LinesSolver(game, megabytes=8, checkpoint=file)
    with pytest.raises(SearchStopped):
        first.wins(Ask(game.start(), limit=20_000), 0)
    second = LinesSolver(game, megabytes=8, checkpoint=file)
    assert second.wins(Ask(game.start()), 0)[:2] == (False, None)
    third = LinesSolver(game, megabytes=8, checkpoint=file)
    assert third.wins(Ask(game.start()), 0)[:2] == (False, None)
    fresh = LinesSolver(game)
    fresh.wins(Ask(game.start()), 0)
    assert third.nodes < second.nodes < fresh.nodes
    with refuses(OptionError):
        LinesSolver(game, weak=True, checkpoint=file)
    (tmp_path / "text").write_text("hello")
    with pytest.raises(OptionError, match="no checkpoint"):
        LinesSolver(game, checkpoint=tmp_path / "text")
    with refuses(OptionError):
        LinesSolver(game, checkpoint=tmp_path)


def test_resumes_misere_from_a_checkpoint(tmp_path: Path) -> None:
    start, file = parse_game("4,4,3,misere").start(), tmp_path / "misere.table"
    words = {"with_moves": False, "megabytes": 8, "checkpoint": file}
    with pytest.raises(SearchStopped):
        lines.solve(Ask(start, limit=3_000, **words))
    second, third = (lines.solve(Ask(start, **words)) for _ in range(2))
    fresh = lines.solve(Ask(start, with_moves=False, is_fresh=True))
    assert second.value == third.value == fresh.value == -1
    assert third.nodes < second.nodes < fresh.nodes


def solved(file: Path, name: str = "7,4,4", weak: bool = False) -> LinesSolver:
    """Return the solver of a game that has answered all there is to ask, with its checkpoint."""
    game = parse_game(name)
    solver = LinesSolver(game, weak, megabytes=1, checkpoint=file)
    wins = [solver.wins(Ask(game.start()), side).wins for side in ((0,) if weak else (0, 1))]
    assert wins == {"7,4,4": [False] if weak else [False, False], "6,5,4": [True, False]}[name]
    return solver


def entries(file: Path, solver: LinesSolver) -> tuple[int, int]:
    """Return how many entries of a checkpoint are where their key belongs, and how many are not."""
    block = solver.tables[-1].block
    words = np.fromfile(file, dtype=np.uint64, offset=4096).reshape(-1, 2)
    seal, factors = (
        np.uint64(block.seal % (1 << 64)),
        [np.uint64(factor % (1 << 64)) for factor in kernels.FACTORS],
    )
    opened = words[:, 0] ^ words[:, 1] * factors[0] ^ seal
    answers = opened & np.uint64(63)
    keys = (opened ^ answers * factors[1] << np.uint64(6)) & ~np.uint64(63)
    places = keys * factors[0] >> np.uint64(block.shift)
    is_right = places == np.arange(len(words), dtype=np.uint64) >> np.uint64(1)
    return int((is_right & (answers > 0)).sum()), int((~is_right & (answers > 0)).sum())


def test_detects_incomplete_entries_of_a_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint"
    solver = solved(file)
    whole = file.read_bytes()
    right, wrong = entries(file, solver)
    assert (right > 10_000, wrong) == (True, 0)
    for bit in (0, 1, 5, 6, 31, 63, 64, 65, 70, 127):  # of an entry, the answer first
        words = np.frombuffer(whole, dtype=np.uint64, offset=4096).copy()
        words[bit // 64 :: 2] ^= np.uint64(1 << bit % 64)
        file.write_bytes(whole[:4096] + words.tobytes())
        by_chance, wrong = entries(file, solver)
        assert (
            by_chance < 20 < 10_000 < wrong
        )  # of a key that is no position's, one in 32,768 belongs where it is
        assert solved(file).nodes > 0.9 * solver.nodes
    file.write_bytes(whole[:4096] + bytes(byte ^ 0xFF for byte in whole[4096:]))
    assert solved(file).nodes > 0.9 * solver.nodes


def test_ignores_entries_of_another_game_in_a_checkpoint(tmp_path: Path) -> None:
    solver = solved(tmp_path / "own")
    own = (tmp_path / "own").read_bytes()
    for name, weak in (("7,4,4", True), ("6,5,4", False)):
        solved(tmp_path / f"{name}{weak}", name, weak)
        (tmp_path / "both").write_bytes(
            own[:4096] + (tmp_path / f"{name}{weak}").read_bytes()[4096:]
        )
        by_chance, wrong = entries(tmp_path / "both", solver)
        assert by_chance < 20 < 1000 < wrong
        assert solved(tmp_path / "both").nodes > 0.9 * solver.nodes


def test_resumes_from_shortened_or_lengthened_checkpoints(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint"
    nodes = solved(file).nodes
    whole = file.read_bytes()
    for size in (4096, 4097, 4127, 4128, 4159, 4160, 300_000, len(whole) - 1):
        file.write_bytes(whole[:size])
        assert solved(file).nodes <= nodes
        assert file.stat().st_size == len(whole)
    for more in (b"x", whole):
        file.write_bytes(whole + more)
        assert solved(file).nodes < nodes / 100
    for head in (
        whole[:100],
        whole[:4095],
        whole[:60] + b"9" + whole[61:],
        whole.replace(b"\n15\n", b"\n47\n", 1),
    ):
        file.write_bytes(head)
        with pytest.raises(OptionError, match="no checkpoint of the usual game of 7,4,4"):
            LinesSolver(parse_game("7,4,4"), checkpoint=file)
        assert file.read_bytes() == head
    file.write_bytes(
        f"plyscope checkpoint 1\nstrong {parse_game('7,4,4').digest}\n".encode().ljust(5120, b"\n")
    )
    with refuses(OptionError):
        LinesSolver(parse_game("7,4,4"), checkpoint=file)


def test_rejects_a_checkpoint_too_large_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_full(*words: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.posix_fallocate", is_full, raising=False)
    with refuses(OptionError):
        LinesSolver(parse_game("7,4,4"), megabytes=1, checkpoint=tmp_path / "checkpoint")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.delattr("os.posix_fallocate")  # as where there is none
    assert solved(tmp_path / "checkpoint").nodes > 0
    assert (tmp_path / "checkpoint").stat().st_size == 4096 + (1 << 20)
    assert solved(tmp_path / "checkpoint").nodes < 1000


def test_keeps_only_true_entries_when_killed(tmp_path: Path) -> None:
    file, draw = tmp_path / "checkpoint", random.Random(5)
    solver = LinesSolver(parse_game("8,4,4"), megabytes=1, checkpoint=file)
    solver.prepare()
    words = "solve", "8,4,4", "--checkpoint", str(file), "--value-only"
    command = [sys.executable, "-m", "plyscope", *words]
    found = 0
    for _ in range(3):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while process.poll() is None and entries(file, solver)[0] <= found:
            time.sleep(0.02)
        time.sleep(draw.random() / 3)
        process.kill()
        process.wait()
        found, wrong = entries(file, solver)
        assert wrong <= 3  # of which half was written, one a kill
    assert found > 0
    assert solver.solve(Ask(parse_game("8,4,4").start(), with_moves=False)).value == 0


def test_stops_at_its_time() -> None:
    for solver in (lines_solver, threat_solver):  # whose compiling is not part of the time
        solver(parse_game("8,8,5")).prepare()
    verdict = solve("8,8,5", seconds=0.3)
    assert verdict.value is None
    assert verdict.stopped == "seconds"
    assert verdict.seconds < PATIENCE_SECONDS


def test_plays_its_kinds_of_games() -> None:
    assert LINES.plays(parse_game("qubic").start())
    assert not LINES.plays(parse_game("9,9,5").start())
    assert not LINES.plays(parse_game("connect4").start())
    misere = parse_game("4,3,3,misere")
    assert LINES.plays(misere.start())
    assert not LINES.plays(parse_game("5,4,3,misere,gravity").start())
    exact = parse_game("5,5,4,exactly")
    assert LINES.plays(exact.start())
    assert not LINES.plays(replace(exact, misere=True).start())
    assert lines_solver(misere).wins(Ask(misere.start()), 1).zone == misere.board
    for game in (misere, exact):
        for options in ({"maker_breaker": True}, {"executor": ThreadPoolExecutor()}):
            with pytest.raises(OptionError, match=rf"'{game.name}'; expected lines that win"):
                solve(game.start(), **options)
        with pytest.raises(OptionError, match="expected lines that win"):
            LinesSolver(game, weak=True)
    with pytest.raises(OptionError, match="without gravity"):
        LinesSolver(parse_game("connect4"))
    assert lines_solver(parse_game("5,5,4")) is lines_solver(parse_game("5,5,4"))
    position = parse_game("5,5,4").start()
    assert lines.solver_of(Ask(position)) is lines_solver(parse_game("5,5,4"), False)


def test_replies_that_hold_at_once_stop_every_line() -> None:
    draw, found, paired = random.Random(36), 0, 0
    for _ in range(sized(300, 3_000)):
        size = draw.randint(6, 12)
        told = {tuple(sorted(draw.sample(range(size), draw.randint(2, 4)))) for _ in range(size)}
        masks = tuple(sum(1 << cell for cell in cells) for cells in sorted(told))
        game = LineGame("some", (size,), tuple(Line(mask, "row") for mask in masks))
        solver = LinesSolver(game, weak=True, megabytes=1)
        for _ in range(4):
            signs = [draw.choice("....XO") for _ in range(size)]
            attack, defence = (sum(1 << c for c in range(size) if signs[c] == s) for s in "XO")
            if any(mask & attack == mask for mask in masks):
                continue
            reply = solver.holding_reply(attack, defence)
            if reply is None:
                continue
            cell, pairs = reply
            found, paired = found + 1, paired + bool(pairs)
            named = [cell, *(one for pair in pairs for one in pair)]
            assert len(set(named)) == len(named)
            assert not any((attack | defence) >> one & 1 for one in named)
            assert oracles.stops_all_lines(masks, game.board, attack, defence | 1 << cell)
            left = [mask for mask in masks if not mask & (defence | 1 << cell)]
            if pairs:
                assert all(any(m >> a & m >> b & 1 for a, b in pairs) for m in left)
            else:
                assert sum(0.5 ** (mask & ~attack).bit_count() for mask in left) < 0.5
    assert found > sized(300, 3_000)
    assert paired > sized(50, 500)


def test_command_solves_with_lines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "X wins; best: " in output(capsys, "solve", "6,5,4", "--value-only")
    file = str(tmp_path / "table")
    asked = ["solve", "5,5,4", "--maker-breaker", "--checkpoint", file]
    data = json.loads(output(capsys, *asked, "--megabytes", "2", "--json"))
    found = [data[key] for key in ("value", "maker_breaker", "method", "megabytes")]
    assert found == [1, True, "lines", 2.0]
    proof = tmp_path / "proof"
    assert run([*asked, "--megabytes", "2", "--proof", str(proof)]) == 1
    says(capsys.readouterr().err)
    assert not proof.exists()
    asked = ["solve", "7,7,5", "--maker-breaker", "--value-only", "--checkpoint", file + "2"]
    asked += ["--megabytes", "2", "--proof", str(proof)]
    for _ in range(2):  # the second time with the table of the first
        assert "O, the Breaker, wins" in output(capsys, *asked)
        found = verify(proof.read_text(encoding="ascii"))
        x_draws = {"side": "x", "at_least": 0, "by": "strategy stealing"}
        assert found["claims"] == [x_draws, {"side": "o", "at_least": 0}]
    position = parse("7,7,5 a1")
    ask = replace(Ask(position), maker_breaker=True)
    found = verify("".join(proof_lines(ask, solve(position, maker_breaker=True).value)))
    assert found["claims"] == [{"side": "o", "at_least": 0}]
    says(refusal(capsys, "solve", "6,6,4", "--maker-breaker", "--checkpoint", file))
    says(refusal(capsys, "solve", "connect4", "--maker-breaker"))
