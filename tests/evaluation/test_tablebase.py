"""Tablebases: published counts, brute force on every position, and files that keep their word."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import oracles
from plyscope import evaluate, parse, parse_game, search, solve
from plyscope.errors import HeuristicError, NotationError, OptionError
from plyscope.rules.symmetry import orbit
from plyscope_fast.evaluation.tablebase import Tablebase, generate, tablebase
from sentences import refuses


def quiet(phase: str, done: int, total: int) -> None:
    assert done > 0


@pytest.mark.parametrize(
    ("spec", "positions", "classes", "value"),
    [
        ("tictactoe", 5478, 765, 0),
        ("4,3,3", 111973, 28275, 1),
        ("4,3,4", 142231, 35957, 0),
        ("4,4,3", 6036001, 756387, 1),
        ("4,4,4", 9722011, 1217977, 0),
    ],
)
def test_published_counts_and_values(spec: str, positions: int, classes: int, value: int) -> None:
    game = parse_game(spec)
    table = generate(game, quiet)
    assert (table.positions, table.classes) == (positions, classes)
    probed = table.probe(game.start())
    assert probed[0] == value


@pytest.mark.parametrize(
    ("spec", "sizes", "k", "columns", "torus", "misere"),
    [
        ("tictactoe", (3, 3), 3, 0, False, False),
        ("misere-tictactoe", (3, 3), 3, 0, False, True),
        ("torus-tictactoe", (3, 3), 3, 0, True, False),
        ("3,3,3,torus,misere", (3, 3), 3, 0, True, True),
        ("4,3,3,gravity", (4, 3), 3, 4, False, False),
        ("4,3,3,gravity,misere", (4, 3), 3, 4, False, True),
        ("5,2,2", (5, 2), 2, 0, False, False),
        ("4,3,3", (4, 3), 3, 0, False, False),
        ("2,2,2x2", (2, 2, 2), 2, 0, False, False),
    ],
)
def test_every_position_agrees_with_brute_force(
    spec: str, sizes: tuple[int, ...], k: int, columns: int, torus: bool, misere: bool
) -> None:
    game = parse_game(spec if spec != "2,2,2x2" else "2x2x2,2")
    table, oracle = (
        generate(game, quiet),
        oracles.Solved(oracles.lines(sizes, k, torus), columns, misere),
    )
    oracle.worth((".",) * game.size)
    draw = random.Random(spec)
    boards = [
        oracles.random_board(draw, game.size, oracle.lines, columns, draw.randrange(game.size + 1))
        for _ in range(3000)
    ]
    for b in set(boards):
        position = game.position(
            *(sum(1 << cell for cell, stone in enumerate(b) if stone == side) for side in "XO")
        )
        assert table.probe(position) == oracle.worth(b), str(position)


def test_agrees_on_moves_and_symmetric_positions() -> None:
    position = parse("4,3,3 b2 a1")
    verdict, table = solve(position, "tablebase"), tablebase(position.game)
    assert {item.move for item in verdict.moves or ()} == set(position.moves)
    assert len({table.probe(image) for image in orbit(position)}) == 1
    best = max(item.value for item in verdict.moves or ())
    assert table.probe(position) == (
        best,
        min(item.distance or 0 for item in verdict.moves or () if item.value == best),
    )


def test_writes_whole_files_and_rejects_damaged_ones(tmp_path: Path) -> None:
    game = parse_game("tictactoe")
    made = generate(game, quiet)
    made.save(tmp_path / "t.tb")
    read = Tablebase.load(game, tmp_path / "t.tb")
    assert (read.positions, read.classes) == (5478, 765)
    for text in ("X../.O./..X", "tictactoe", "XOX/OXO/XO.", "XXX/OO./..."):
        assert read.probe(parse(text, game)) == made.probe(parse(text, game))
    (tmp_path / "short.tb").write_bytes((tmp_path / "t.tb").read_bytes()[:-40])
    (tmp_path / "other.tb").write_bytes(b"x" * 9000)
    for name in ("short.tb", "other.tb", "none.tb"):
        with pytest.raises(NotationError, match="no tablebase of 'tictactoe'"):
            Tablebase.load(game, tmp_path / name)
    with pytest.raises(NotationError):
        Tablebase.load(parse_game("4,3,3"), tmp_path / "t.tb")


def test_rejects_a_table_with_one_changed_byte(tmp_path: Path) -> None:
    game = parse_game("4,3,3")
    made = generate(game, quiet)
    made.save(tmp_path / "t.tb")
    whole = (tmp_path / "t.tb").read_bytes()
    root = 4096 + 8 * made.classes
    assert made.probe(game.start()) == (1, whole[root])
    for value in (0, 251):  # a draw, a loss
        (tmp_path / "t.tb").write_bytes(whole[:root] + bytes([value]) + whole[root + 1 :])
        with pytest.raises(
            NotationError,
            match="no tablebase of '4,3,3': it is damaged; expected",
        ):
            Tablebase.load(game, tmp_path / "t.tb")
    (tmp_path / "t.tb").write_bytes(
        whole[:root] + bytes(made.classes) + whole[root + made.classes :]
    )
    with pytest.raises(NotationError):
        Tablebase.load(game, tmp_path / "t.tb")


def test_leaves_a_full_cache_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYSCOPE_CACHE", str(tmp_path))
    monkeypatch.setattr("plyscope_fast.evaluation.tablebase._in_memory", {})

    def is_full(*words: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", is_full)
    assert tablebase(parse_game("3,3,2"), quiet).probe(parse("3,3,2")) == (1, 3)
    assert list((tmp_path / "tablebases").iterdir()) == []


def test_makes_a_broken_cache_file_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYSCOPE_CACHE", str(tmp_path))
    monkeypatch.setattr("plyscope_fast.evaluation.tablebase._in_memory", {})
    game = parse_game("3,3,2")
    tablebase(game, quiet)
    (file,) = (tmp_path / "tablebases").iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:100])
    monkeypatch.setattr("plyscope_fast.evaluation.tablebase._in_memory", {})
    assert tablebase(game, quiet).probe(game.start()) == (1, 3)
    assert file.read_bytes() == whole


def test_has_no_entry_for_positions_that_play_does_not_reach() -> None:
    table = tablebase(parse_game("tictactoe"))
    assert table.probe(parse("XXX/.../... o")) is None
    assert table.probe(parse("4,3,3")) is None
    with refuses(OptionError):
        solve("XX./.../... x", "tablebase")
    assert solve("XX./.../... x").value == 1  # searched instead
    assert solve(".../.../... o").value == 0  # the same with the colours exchanged
    assert solve("X../.../... x", "search").value == 1


def test_rejects_games_that_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match="expected at most 32"):
        generate(parse_game("6,6,4"), quiet)
    monkeypatch.setattr("plyscope_fast.evaluation.retrograde.MAX_CLASSES", 1000)
    with pytest.raises(OptionError, match="more than 1,000 positions"):
        generate(parse_game("4,3,3"), quiet)


def test_reads_a_table_once_for_all_games_of_equal_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYSCOPE_CACHE", str(tmp_path))
    monkeypatch.setattr("plyscope_fast.evaluation.tablebase._in_memory", {})
    made = tablebase(parse_game("tictactoe"), quiet)
    assert tablebase(parse_game("tictactoe")) is made
    (file,) = (tmp_path / "tablebases").iterdir()
    before = file.stat().st_mtime_ns, file.stat().st_ino
    assert tablebase(parse_game("3,3,3"), quiet).probe(parse("3,3,3")) == (0, None)
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == before


@pytest.mark.parametrize(
    "text",
    ["tictactoe", "4,3,3 b2", "misere-tictactoe b2 a1", "3,3,3,torus,misere", "4,4,3,gravity 2"],
)
@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "pvs", "mtdf"])
def test_finds_the_moves_of_the_tablebase_by_search(text: str, algorithm: str) -> None:
    verdict = solve(text)
    for depth in (1, 2, 3):
        found = search(
            text,
            algorithm,
            "tablebase",
            depth=depth,
            scoring="result" if algorithm == "pvs" else None,
        )
        assert set(found.best_moves) <= set(verdict.best_moves), f"{text} to depth {depth}"
    assert evaluate(text, "tablebase") == (verdict.value or 0) * (1000 - (verdict.distance or 0))


def test_rejects_unknown_positions_as_a_heuristic() -> None:
    with refuses(HeuristicError):
        evaluate("XX./.../...", "tablebase")
    with refuses(OptionError):
        evaluate("connect4", "tablebase")
    swapped = parse("O../.../...").game.position(0, 1, 0)
    assert evaluate(swapped, "tablebase") == 0
