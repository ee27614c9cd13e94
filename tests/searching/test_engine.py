"""The playing engine: right where the truth is known, sound in what it claims, and obedient to its
limits."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, cast

import pytest

from commands import python
from plyscope import parse, parse_game, search
from plyscope.errors import OptionError
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.searching.conventions import Conventions
from plyscope.searching.limit import NO_LIMIT
from plyscope.searching.score import MAX_EVALUATION, WIN
from plyscope_fast.searching import engine
from plyscope_fast.searching.buckets import BucketTable
from plyscope_fast.searching.renju import is_foul
from plyscope_fast.searching.threats import ThreatBoard, lift, place
from rules_at_random import running_position, some_game
from sentences import refuses, says
from sizes import sized
from twins import some_position
from waiting import PATIENCE_SECONDS

GAMES = [
    *("tictactoe", "4,3,3", "4,4,3", "4,4,4", "4,4,4,gravity", "connect4-5x4", "3,3,3,misere"),
    *("4,3,3,misere", "4,3,3,torus", "3x2x2,2"),
]
NAMES = ["counted-lines", "null", "random", "diagonal-lines", "patterns"]


def truth(position: Any) -> int:
    """What the position is worth to its side to move when both play on without a fault: the sooner
    won the better."""
    if position.is_over:
        return 0 if position.winner is None else WIN if position.winner == position.side else -WIN
    return int(search(position, "mtdf", "null", scoring="distance").value)


def late_positions(spec: str, count: int, most_empty: int = 13) -> Iterator[Any]:
    """Running positions of which the truth is soon found."""
    draw, game = random.Random(spec), parse_game(spec)
    while count:
        position = some_position(game, draw)
        if game.size - (position.first | position.second).bit_count() <= most_empty:
            count -= 1
            yield position


@pytest.mark.parametrize("spec", GAMES)
def test_finds_and_keeps_the_true_value_when_played_out(spec: str) -> None:
    draw = random.Random(spec)
    for position in late_positions(spec, 25):
        found = search(position, "engine", draw.choice(NAMES))
        expected = truth(position)
        if expected == 0:
            assert (found.value, found.complete) == (0, True), str(position)
        else:  # a win or loss is never claimed too early, nor of the wrong side
            assert abs(expected) >= abs(found.value) > MAX_EVALUATION, str(position)
            assert (found.value > 0) == (expected > 0), str(position)
        after = truth(position.play(found.best_move))
        assert (after > 0) - (after < 0) == (expected < 0) - (expected > 0), str(position)


def test_finds_the_true_value_under_exact_lines_and_holes() -> None:
    draw, asked = random.Random(1), 0
    while asked < sized(40, 400):
        position = running_position(some_game(draw, 30, alternates=True), draw)
        if position is None or position.empty.bit_count() > 12:
            continue
        asked += 1
        found, expected = search(position, "engine", draw.choice(NAMES)), truth(position)
        assert found.complete or expected, str(position)
        assert abs(expected) >= abs(found.value), str(position)
        assert (abs(found.value) > MAX_EVALUATION) == (expected != 0), str(position)
        for value in (found.value, -truth(position.play(found.best_move))):
            assert (value > 0) - (value < 0) == (expected > 0) - (expected < 0), str(position)


@pytest.mark.parametrize(
    "spec",
    [
        *("4,4,3,renju", "5,4,3,renju", "5,5,4,renju", "6,3,3,renju"),
        *("4,4,3,caro", "5,4,3,caro", "7,2,3,caro", "5,5,4,caro", "5,4,3,caro,exactly"),
    ],
)
def test_finds_the_true_value_under_renju_and_caro(spec: str) -> None:
    for position in late_positions(spec, sized(12, 200), 9):
        if not position.moves:
            continue
        found, expected = search(position, "engine", "patterns"), truth(position)
        assert found.complete or expected, str(position)
        assert abs(expected) >= abs(found.value), str(position)
        assert (abs(found.value) > MAX_EVALUATION) == (expected != 0), str(position)
        for value in (found.value, -truth(position.play(found.best_move))):
            assert (value > 0) - (value < 0) == (expected > 0) - (expected < 0), str(position)


@pytest.mark.parametrize("spec", ["8,8,5,renju", "6,6,4,renju", "5,5,3,renju"])
def test_knows_the_moves_that_renju_forbids(spec: str) -> None:
    draw, game = random.Random(spec), cast(LineGame, parse_game(spec))
    fouls = 0
    for number in range(sized(60, 2000)):
        count = draw.randint(game.size // 5, game.size // 2)
        cells = draw.sample(range(game.size), count)
        first = sum(1 << cell for cell in cells[: count * 2 // 3])
        second = sum(1 << cell for cell in cells[count * 2 // 3 :])
        position = game.position(first, second, number % 2)
        table = find_heuristic("patterns", game)
        board = ThreatBoard(position, table, Conventions(), 9, NO_LIMIT)
        before = bytes(memoryview(cast(Any, board.words)))
        for cell in bits(position.empty):
            is_forbidden = bool(game.foul(position, cell))
            assert is_foul(board, cell) == is_forbidden, (str(position), cell)
            fouls += is_forbidden
        assert bytes(memoryview(cast(Any, board.words))) == before
    assert fouls > 20


def test_rejects_heuristics_without_patterns_under_renju() -> None:
    with refuses(OptionError):
        search("9,9,5,renju", "engine", "counted-lines", depth=2)
    assert search("4,4,3,caro", "alphabeta", "counted-lines", depth=2).form == "reference"


def test_finds_as_threats_the_cells_that_complete_a_line() -> None:
    """Under exact lines a cell beside a line of one's own is none, whoever came first."""
    draw = random.Random(5)
    for number in range(sized(20, 200)):
        size, k = draw.randint(5, 9), draw.randint(3, 5)
        wide = LineGame.grid(size, 6, k=k, exactly=True, torus=draw.random() < 0.3)
        game = some_game(draw, alternates=True) if number % 2 else wide
        position, made = game.start(), list[tuple[int, int, int]]()
        board = ThreatBoard(
            position, find_heuristic("counted-lines", game), Conventions(), 9, NO_LIMIT
        )
        start = bytes(memoryview(cast(Any, board.words)))
        while not position.is_over:
            for side in (0, 1) if not game.misere else ():
                begin = side * board.word_count
                words = [board.winning[begin + at] for at in range(board.word_count)]
                found = sum(word % (1 << 64) << 64 * at for at, word in enumerate(words))
                assert found & position.empty == sum(
                    1 << cell
                    for cell in bits(position.empty)
                    if game.completes(position.stones(side) | 1 << cell, cell)
                ), str(position)
            move, mover, total = draw.choice(position.moves), position.side, board.total
            position = position.play(move)
            assert place(board, move, mover) == (position.winner is not None), str(position)
            made.append((move, mover, total))
        while made:
            lift(board, *made.pop())
        assert bytes(memoryview(cast(Any, board.words))) == start


@pytest.mark.parametrize(
    "spec", ["connect4", "5,5,4", "6,6,5", "7,7,5", "qubic", "9,9,5", "15,15,5"]
)
@pytest.mark.parametrize("heuristic", ["counted-lines", "patterns"])
def test_claims_only_wins_that_can_be_played(spec: str, heuristic: str) -> None:
    play_claims(spec, heuristic)


@pytest.mark.parametrize("spec", ["9,9,5,renju", "9,9,5,caro", "6,6,4,renju", "6,6,4,caro,exactly"])
def test_claims_only_playable_wins_under_renju_and_caro(spec: str) -> None:
    play_claims(spec, "patterns")


def play_claims(spec: str, heuristic: str) -> None:
    """Play the wins that the engine claims in random positions against random replies."""
    draw, game = random.Random(spec + "?"), parse_game(spec)
    claimed = 0
    for _ in range(sized(30, 120)):
        position = some_position(game, draw)
        found = search(position, "engine", heuristic, depth=4)
        if abs(found.value) <= MAX_EVALUATION:
            continue
        claimed += 1
        plies = WIN - abs(int(found.value))
        assert plies % 2 == (1 if found.value > 0 else 0)
        if found.value > 0:  # the claim holds against every reply
            after = game.play(position, found.best_move)
            while not after.is_over:
                reply = draw.choice(after.moves)
                after = game.play(after, reply)
                assert not after.is_over
                after = game.play(after, search(after, "engine", heuristic, depth=6).best_move)
            assert after.winner == position.side
    assert claimed >= 3


def test_searches_threats_first() -> None:
    assert search("connect4 4151", "engine", depth=1).value == WIN - 3
    win = search("15,15,5 h8 a1 i8 a2 j8 a3 k8 b1", "engine", depth=1)
    assert (win.value, win.moves[win.best_moves[0]].text in ("g8", "l8")) == (WIN - 1, True)
    forced = search("15,15,5 h8 g8 i8 a2 j8 a3 k8", "engine", depth=1)
    assert [item.text for item in forced.moves if item.move == forced.best_move] == ["l8"]


def test_folding_changes_nodes_and_no_value() -> None:
    folded = search("connect4-5x4", "engine", "counted-lines")
    plain = search("connect4-5x4", "engine", lambda mine, theirs, lines: 0)
    assert (folded.value, folded.complete) == (plain.value, plain.complete) == (0, True)


def test_table_sizes_change_no_value() -> None:
    values = {search("4,4,4 b2 c3", "engine", megabytes=size).value for size in (1, 4, 64)}
    assert values == {0}


@pytest.mark.parametrize("limit", [{"nodes": 200}, {"nodes": 3_000}, {"depth": 5}])
@pytest.mark.parametrize("text", ["connect4 444", "7,7,4 d4", "15,15,5 h8 i9"])
def test_a_short_search_has_a_small_table_and_finds_the_same(
    text: str, limit: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = list[float]()

    class Noted(BucketTable):
        def __init__(self, megabytes: float) -> None:
            sizes.append(megabytes)
            super().__init__(megabytes)

    monkeypatch.setattr(engine, "BucketTable", Noted)
    small = search(text, "engine", **limit)
    large = search(text, "engine", **limit, table=BucketTable(64))
    assert sizes[0] <= (limit.get("nodes", 64 << 10)) / 1024
    assert (small.value, small.nodes, small.pv) == (large.value, large.nodes, large.pv)


def test_a_kept_table_resumes_where_the_search_was_stopped() -> None:
    table = BucketTable(16)
    stopped = search("connect4 44", "engine", nodes=200_000, table=table)
    assert stopped.stopped == "nodes"
    again = search("connect4 44", "engine", depth=stopped.depth, table=table)
    assert again.nodes < sum(item.nodes for item in stopped.depths) / 2
    assert search(
        "connect4 44", "engine", "open-lines", depth=4, table=table
    ).depths  # another heuristic finds it empty
    assert table.owner is not None


def test_returns_several_distinct_lines_in_order() -> None:
    found = search("connect4 44", "engine", depth=6, multipv=3)
    firsts = [line.pv[0] for line in found.variations]
    assert len(set(firsts)) == 3
    assert [line.value for line in found.variations] == sorted(
        (line.value for line in found.variations), reverse=True
    )
    assert found.value == found.variations[0].value
    assert len(search(".X./O../X.O", "engine", multipv=100).variations) == 5


def test_threads_share_the_work_and_agree_on_what_is_proven() -> None:
    assert search("4,4,4 b2", "engine", threads=2).value == search("4,4,4 b2", "engine").value == 0


def test_reports_every_depth_as_progress() -> None:
    seen: list[Any] = []
    found = search("connect4", "engine", depth=7, megabytes=1, progress=seen.append)
    assert [item.depth for item in seen] == list(range(1, 8))
    assert seen[-1].pv == found.pv
    assert 0 < seen[-1].table < 1
    assert seen[-1].speed > 0


def test_keeps_its_limits() -> None:
    search("connect4", "engine", depth=2)
    found = search("connect4", "engine", seconds=0.5)
    assert found.stopped == "seconds"
    assert found.seconds < PATIENCE_SECONDS
    assert search("connect4", "engine", nodes=5_000).nodes <= 5_000
    assert search("connect4", "engine", clock=4).request.limit.seconds < 4


@pytest.mark.parametrize(
    "given",
    [
        {"threads": 0},
        {"multipv": "two"},
        {"form": "reference"},
        {"algorithm": "pvs", "threads": 2},
        {"scoring": "result"},
        {"position": "[1,2]"},
        {"position": "7,7,5,stones=2"},
        {"clock": -1},
    ],
)
def test_rejects_bad_options_in_one_line(given: dict[str, Any]) -> None:
    options = {"position": "connect4", "algorithm": "engine", "depth": 2, **given}
    with pytest.raises(OptionError) as caught:
        search(options.pop("position"), options.pop("algorithm"), **options)
    says(f"engine {given}", str(caught.value))
    assert "\n" not in str(caught.value)


def test_ctrl_c_keeps_the_last_depth() -> None:
    code = (
        "import threading, _thread\nfrom plyscope import search\n"
        "def interrupt(done):\n"
        "    if done.depth == 6: threading.Timer(0.1, _thread.interrupt_main).start()\n"
        "found = search('connect4', 'engine', threads=2, keep_interrupted=True, progress=interrupt)\n"
        "print(found.stopped, found.depth > 5, found.best_move is not None, found.complete)"
    )
    printed = python("-c", code).stdout
    assert printed == "interrupted True True False\n"


DRAWS = ["connect4-5x4", "4,4,4", "5,5,4"]


@pytest.mark.parametrize("spec", DRAWS[: sized(2, 3)])
def test_draws_small_boards_as_published(spec: str) -> None:
    """Source: tables of small boards, Uiterwijk & van den Herik 2000."""
    found = search(spec, "engine", "counted-lines", megabytes=256, seconds=60)
    assert (found.value, found.complete) == (0, True)


def test_the_first_player_wins_4x3() -> None:
    assert search("4,3,3", "engine").value > MAX_EVALUATION
    assert parse("4,3,3").game.size == 12
