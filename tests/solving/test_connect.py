"""The solver of gravity games: published scores, independent solvers, and brute force."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import oracles
from plyscope import parse, parse_game, solve
from plyscope.errors import OptionError
from plyscope.rules.linegame import Position
from plyscope.searching.limit import Late
from plyscope.solving.accelerated import CONNECT
from plyscope.solving.ask import Ask
from plyscope_fast.solving.connect import ConnectSolver, connect_solver, solver_of
from plyscope_fast.solving.kernels.connect import FOR_ANY
from sentences import refuses
from sizes import sized
from waiting import PATIENCE_SECONDS

DATA = Path(__file__).parent.parent / "data" / "connect4"
SETS = {"L3_R1": 1000, "L2_R1": 1000, "L1_R1": 1000, "L2_R2": 400, "L1_R2": 12, "L1_R3": 1}
"""The published sets, and how many positions of each are solved here; the benchmark solves them
all."""


def published(name: str) -> list[tuple[str, int]]:
    lines = (DATA / f"Test_{name}").read_text().splitlines()
    return [(moves, int(score)) for moves, score in (line.split() for line in lines)]


@pytest.mark.parametrize(("name", "count"), SETS.items())
def test_finds_published_scores(name: str, count: int) -> None:
    solver = connect_solver(parse_game("connect4"))
    chosen = random.Random(name).sample(published(name), count)
    positions = [parse(f"connect4 {moves}") for moves, _ in chosen]
    assert solver.scores(positions) == [score for _, score in chosen]
    for position, (_, score) in zip(positions[:50], chosen, strict=False):
        assert solver.score(Ask(position)) == score, position


@pytest.mark.parametrize("game", ["connect4", "connect4-5x4", "3,5,2,gravity", "4,2,4,gravity"])
def test_the_kernel_for_all_boards_visits_the_nodes_of_the_boards_own(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = parse_game(game)
    draw, positions = random.Random(game), []
    for _ in range(sized(40, 400)):
        position = rules.start()
        for _ in range(draw.randint(0 if rules.size < 30 else 18, rules.size)):
            position = position if position.is_over else position.play(draw.choice(position.moves))
        positions.append(position)
    own, general = ConnectSolver(rules), ConnectSolver(rules)
    monkeypatch.setattr(general, "entries", FOR_ANY)
    general.prepare()
    assert own.scores(positions) == general.scores(positions)
    assert own.nodes == general.nodes


@pytest.mark.parametrize(
    ("width", "height", "k", "fewest"),
    [
        (4, 4, 4, 0),
        (5, 4, 3, 4),
        (3, 6, 4, 0),
        (6, 2, 2, 0),
        (2, 2, 3, 0),
        (4, 4, 3, 0),
        (5, 5, 5, 12),
        (6, 5, 4, 18),
        (5, 6, 4, 18),
        (7, 6, 4, 31),
        (8, 7, 4, 46),
    ],
)
def test_small_boards_agree_with_brute_force(width: int, height: int, k: int, fewest: int) -> None:
    game = parse_game(f"{width},{height},{k},gravity")
    solver, oracle = ConnectSolver(game), oracles.Solved(oracles.lines((width, height), k), width)
    draw = random.Random(width * 100 + height * 10 + k)
    for _ in range(sized(80, 600)):
        b = oracles.random_board(
            draw, width * height, oracle.lines, width, draw.randrange(fewest, width * height + 1)
        )
        if b.count(".") > 12:
            b = oracles.random_board(draw, width * height, oracle.lines, width, width * height - 8)
        if b.count(".") > 14:
            continue
        position = as_position(b, width, game)
        verdict = solver.solve(Ask(position))
        value, distance = oracle.worth(b)
        assert (verdict.value, verdict.distance) == (value, distance), str(position)
        for item in verdict.moves or ():
            worth, plies = oracle.worth(oracles.place(b, item.move, oracles.to_move(b)))
            assert (item.value, item.distance) == (-worth, None if plies is None else plies + 1)


def as_position(b: oracles.Board, width: int, game: object) -> Position:
    return parse("/".join("".join(b[at : at + width]) for at in range(0, len(b), width)), game)  # type: ignore[arg-type]


def test_agrees_with_an_independent_solver() -> None:
    core = pytest.importorskip("bitbully.bitbully_core")
    solver, agent = connect_solver(parse_game("connect4")), core.BitBullyCore()
    draw = random.Random(8)
    for _ in range(60):
        b = oracles.random_board(draw, 42, oracles.lines((7, 6), 4), 7, draw.randrange(16, 40))
        position = as_position(b, 7, parse_game("connect4"))
        if position.is_over:
            continue
        board = core.BoardCore()
        assert board.setBoard(
            [
                [{"X": 1, "O": 2, ".": 0}[b[(5 - row) * 7 + column]] for row in range(6)]
                for column in range(7)
            ]
        )
        assert solver.score(Ask(position)) == agent.mtdf(board, 0), str(position)


def test_scores_mirror_images_and_swapped_colours_alike_with_any_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = parse_game("connect4")
    usual = connect_solver(game)
    monkeypatch.setattr("plyscope_fast.solving.connect.SMALL_TABLES", ())
    tiny = ConnectSolver(game, megabytes=1)
    for moves, score in random.Random(3).sample(published("L2_R2"), 60):
        mirrored = parse(f"connect4 {''.join(str(8 - int(move)) for move in moves)}")
        assert usual.score(Ask(mirrored)) == score
        position = parse(f"connect4 {moves}")
        swapped = Position(game, position.second, position.first, 1 - position.side, None)
        assert usual.score(Ask(swapped)) == score
        assert tiny.score(Ask(position)) == score


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_with_one_table_give_the_same(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyscope_fast.solving.connect.SMALL_TABLES", ())
    connect4 = ConnectSolver(parse_game("connect4"), megabytes=2)
    for moves, score in random.Random(4).sample(published("L2_R2"), sized(40, 400)):
        assert connect4.score(Ask(parse(f"connect4 {moves}"), threads=threads)) == score
    assert all(block.nodes for block in connect4.tables[0].shared(threads - 1))


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize(
    "spec", ["5,4,4,gravity", "4,5,4,gravity", "5,5,4,gravity", "6,5,4,gravity", "5,4,3,gravity"]
)
def test_threads_with_one_table_give_the_same_on_small_boards(spec: str, threads: int) -> None:
    game, draw = parse_game(spec), random.Random(spec)
    one, together = ConnectSolver(game), ConnectSolver(game, megabytes=1)
    for _ in range(sized(12, 120)):
        position = game.start()
        for _ in range(draw.randrange(8)):
            if not position.is_over:
                position = position.play(draw.choice(position.moves))
        together.forget()
        assert together.score(Ask(position, threads=threads)) == one.score(Ask(position))


def test_threads_stop_at_the_deadline_and_go_on_afterwards() -> None:
    solver = ConnectSolver(parse_game("connect4"))
    for seconds in (0.2, 0.3, 0.4):
        with pytest.raises(Late):
            solver.score(Ask(parse("connect4"), seconds=seconds, threads=3))
    assert solver.score(Ask(parse("connect4 44444"), threads=3)) == -1
    verdict = solve("connect4", "connect", seconds=0.3, threads=2)
    assert (verdict.value, verdict.stopped) == (None, "seconds")
    with refuses(OptionError):
        solve("connect4", threads=0)


@pytest.mark.parametrize(
    "spec", ["4,5,4,gravity", "5,4,4,gravity", "5,5,4,gravity", "6,5,4,gravity"]
)
def test_finds_published_values_of_boards(spec: str) -> None:
    verdict = solve(parse_game(spec), with_moves=False)
    assert (verdict.value, verdict.distance, verdict.method) == (0, None, "connect")


def test_derives_distances_from_scores() -> None:
    assert solve("connect4 44444").as_dict()["score"] is not None
    verdict = solve("connect4 32164625")
    assert (verdict.score, verdict.value, verdict.distance) == (11, 1, 13)
    over = solve("connect4 1212121")
    assert (over.value, over.score, over.distance, over.best_moves) == (-1, -18, 0, ())


def test_scores_many_positions_as_each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyscope_fast.solving.connect.SMALL_TABLES", ((4, 40),))
    game = parse_game("5,5,4,gravity")
    solver, draw = ConnectSolver(game), random.Random(6)
    positions = [game.start()]
    for _ in range(600):
        position = positions[-1]
        positions.append(
            game.start() if position.is_over else position.play(draw.choice(position.moves))
        )
    late = [position for position in positions if len(position.moves) < 5 or position.is_over]
    assert len(late) > 100
    assert solver.scores(late) == [connect_solver(game).score(Ask(position)) for position in late]
    assert solver.scores([]) == []
    assert (
        sum(table.block.nodes > 0 for table in solver.tables) > 1
    )  # some were too hard for the first table


def test_returns_a_best_move_without_the_values_of_all() -> None:
    solver = connect_solver(parse_game("connect4"))
    chosen = [
        line
        for name, count in (("L3_R1", 100), ("L2_R1", 100), ("L2_R2", 40))
        for line in random.Random(6).sample(published(name), count)
    ]
    for moves, score in chosen:
        position = parse(f"connect4 {moves}")
        (best,) = solver.solve(Ask(position, with_moves=False)).best_moves
        assert solver.score(Ask(position.play(best))) == -score, moves
    assert solver.solve(Ask(parse("connect4 4141414"))).best_moves == ()  # the game is over


@pytest.mark.parametrize("raised", [Late(), KeyboardInterrupt()])
def test_returns_the_partial_result_when_stopped(
    raised: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*arguments: object) -> int:
        raise raised

    solver = connect_solver(parse_game("connect4"))
    assert solver_of(Ask(parse("connect4"))) is solver
    monkeypatch.setattr(solver, "score", stopped)
    verdict = solve("connect4 32164625", keep_interrupted=True)
    assert (verdict.value, verdict.score, verdict.moves, len(verdict.best_moves)) == (
        1,
        11,
        None,
        1,
    )
    assert verdict.stopped == (
        "interrupted" if isinstance(raised, KeyboardInterrupt) else "seconds"
    )
    assert str(verdict).endswith(f"stopped before every move was solved: {verdict.stopped}")
    if isinstance(raised, KeyboardInterrupt):
        with pytest.raises(KeyboardInterrupt):
            solve("connect4 32164625")


def test_gives_its_table_the_requested_size() -> None:
    verdict = solve("connect4 32164625", megabytes=1)
    assert (verdict.method, verdict.score) == ("connect", 11)
    assert verdict.megabytes <= 1.5
    assert solve("5,4,4,gravity", megabytes=2, with_moves=False).method == "connect"
    with refuses(OptionError):
        solve("connect4", "search", megabytes=4)
    with refuses(OptionError):
        solve("connect4", megabytes=4, maker_breaker=True)


def test_rejects_other_games() -> None:
    for spec in ("tictactoe", "9,7,4,gravity", "4,4,4,gravity,misere"):
        assert not CONNECT.plays(parse_game(spec).start())
        with pytest.raises(OptionError, match="expected k in a row with gravity"):
            ConnectSolver(parse_game(spec))


def test_stops_at_a_deadline_without_a_claim() -> None:
    verdict = solve("connect4", "connect", seconds=0.3)
    assert (verdict.value, verdict.stopped) == (None, "seconds")
    assert verdict.seconds < PATIENCE_SECONDS
    with pytest.raises(Late):
        connect_solver(parse_game("connect4")).score(Ask(parse("connect4"), seconds=0.0))
    assert solve("connect4 4444445").value is not None  # and it goes on working
