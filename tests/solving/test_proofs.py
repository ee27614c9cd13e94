"""Proofs: they hold, an independent program says so, and whatever is tampered with is rejected."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

import pytest

import checker as second_checker
import oracles
import plyscope
from commands import output, refusal
from plyscope import parse, parse_game
from plyscope.errors import OptionError
from plyscope.faces.cli import run
from plyscope.rules.linegame import Line, LineGame
from plyscope.solving import verify as checker
from plyscope.solving.ask import Ask
from plyscope.solving.verify import verify
from plyscope_fast.solving import proof as writer
from plyscope_fast.solving.connect import connect_solver
from plyscope_fast.solving.lines import solver_of
from plyscope_fast.solving.proof import find_pairs, proof_lines, proof_of
from plyscope_fast.solving.threats import ThreatSolver
from sentences import refuses, says
from sizes import sized

GAMES = [
    *("tictactoe", "misere-tictactoe", "torus-tictactoe", "4,3,3", "4,3,4", "4,3,3,gravity"),
    *("2x2x2,2", "4,4,3", "connect4 4444443265657", "1,1,1"),
]


CHECKPOINTED = "5,5,4 d5 b5 a3 b2 e3 e2 a1 b1"
"""A position that the solver of lines solves and no zones prove."""
WITH_FOURS = ["6,5,4", "7,7,4", "gomoku15 h8 o1 i7 a15 g7 o15", "6,6,4 c4 a1 c3"]
"""Whose proofs have wins by fours in them."""


def signed(body: str) -> str:
    """Return the lines with their digest."""
    return f"{body}digest {hashlib.sha256(body.encode()).hexdigest()}\n"


@pytest.mark.parametrize(
    "text", [*GAMES, "X../.O./..X", "4,3,3,gravity,misere", "X.../..../..../.... o", *WITH_FOURS]
)
def test_writes_proofs_that_hold(text: str) -> None:
    position = parse(text)
    found = verify(proof_of(position))
    claims = [(claim["side"], claim["at_least"]) for claim in found["claims"]]
    assert claims in ([("x", 0), ("o", 0)], [("x", 1)], [("o", 1)])


def test_proves_the_values_of_brute_force() -> None:
    draw, oracle = random.Random(3), oracles.Solved(oracles.LINES3)
    for _ in range(60):
        b = oracles.random_board(draw, 9, oracles.LINES3, 0, draw.randrange(8))
        position = parse("/".join("".join(b[at : at + 3]) for at in (0, 3, 6)), "tictactoe")
        if position.is_over:
            continue
        claims = verify(proof_of(position))["claims"]
        value = oracle.worth(b)[0]
        side = oracles.to_move(b).lower()
        expected = (
            [("x", 0), ("o", 0)] if value == 0 else [(side if value > 0 else "xo"[side == "x"], 1)]
        )
        assert [(claim["side"], claim["at_least"]) for claim in claims] == expected


@pytest.mark.parametrize("text", ["tictactoe", "4,3,4", "torus-tictactoe"])
def test_rejects_any_changed_letter(text: str) -> None:
    proof = proof_of(parse(text))
    draw = random.Random(text)
    for _ in range(200):
        at = draw.randrange(len(proof))
        letter = draw.choice('0123456789abcdef-,{}[]" \nxo')
        if proof[at] != letter:
            with pytest.raises(ValueError, match="digest"):
                verify(proof[:at] + letter + proof[at + 1 :])


def test_rejects_false_proofs_with_a_true_digest() -> None:
    proof = proof_of(parse("tictactoe"))
    body = proof[: proof.rindex("digest")]
    head, *lines = body.splitlines(keepends=True)
    told = json.loads(head)
    draw = random.Random(5)
    answers = [
        at for at, line in enumerate(lines) if not line.startswith("claim") and "pairs" not in line
    ]
    for at in draw.sample(answers, min(60, len(answers))):  # a move left out
        with pytest.raises(ValueError, match="no legal move at"):
            verify(signed(head + "".join(lines[:at] + lines[at + 1 :])))
    for claims in (
        [{"side": "x", "at_least": 1}, told["claims"][1]],
        [told["claims"][0], {"side": "o", "at_least": 1}],
        [{"side": "x", "at_least": -1}, told["claims"][1]],
    ):
        with pytest.raises(ValueError, match=r"."):
            verify(signed(json.dumps({**told, "claims": claims}) + "\n" + "".join(lines)))
    for change in (
        {"misere": True},
        {"gravity": True},
        {"k": 2},
        {"torus": True},
        {"shape": [3, 4]},
        {"shape": [10**6, 10**6]},
        {"shape": [0]},
    ):
        with pytest.raises(ValueError, match=r"."):
            verify(
                signed(
                    json.dumps({**told, "game": {**told["game"], **change}}) + "\n" + "".join(lines)
                )
            )


@pytest.mark.parametrize("pairs", ["0-1,2-3", "0-1,1-2", "4-5,0-1", "0-99"])
def test_rejects_false_pairs(pairs: str) -> None:
    head = {
        "format": "plyscope proof 1",
        "game": {"shape": [3, 3], "k": 3, "torus": False, "gravity": False, "misere": False},
    }
    head |= {
        "root": {"x": "10", "o": "0", "to_move": "o"},
        "claims": [{"side": "x", "at_least": 0}],
    }
    with refuses(ValueError):
        verify(signed(f"{json.dumps(head)}\nclaim 0\n10 0 pairs {pairs}\n"))


@pytest.mark.parametrize(
    ("board", "fours"),
    [
        ("X...X/...../...../...../.OO.. x", "0"),
        ("X...X/...../...../...../.OO.. x", "25"),
        ("X.X../...../...../...../.OO.. x", "6"),
        ("X.X../...../...../...../.OO.. x", "1"),
        ("X.X../...../...../O..../.OOO. x", "1"),
        ("X.X../...../...../...../.OO.. o", "1"),
    ],
)
def test_rejects_false_fours(board: str, fours: str) -> None:
    stones, to_move = board.split()
    x, o = (
        sum(1 << cell for cell, sign in enumerate(stones.replace("/", "")) if sign == side)
        for side in "XO"
    )
    head = {
        "format": "plyscope proof 1",
        "game": {"shape": [5, 5], "k": 4, "torus": False, "gravity": False, "misere": False},
    }
    head |= {
        "root": {"x": f"{x:x}", "o": f"{o:x}", "to_move": to_move},
        "claims": [{"side": "x", "at_least": 1}],
    }
    with refuses(ValueError):
        verify(signed(f"{json.dumps(head)}\nclaim 0\n{x:x} {o:x} fours {fours}\n"))


def test_accepts_only_winning_fours() -> None:
    game, lines = parse_game("5,5,4"), oracles.lines((5, 5), 4)
    rules = checker.Game(
        {"shape": [5, 5], "k": 4, "torus": False, "gravity": False, "misere": False}
    )
    draw, accepted = random.Random(2), 0
    for _ in range(2_000):
        position = game.start()
        for _ in range(draw.randint(4, 14)):
            if not position.is_over:
                position = position.play(draw.choice(position.moves))
        if position.is_over:
            continue
        board = tuple(
            "X" if position.first >> cell & 1 else "O" if position.second >> cell & 1 else "."
            for cell in range(25)
        )
        found = ThreatSolver(game).by_fours(position, position.side) if accepted < 10 else None
        fours = (
            list(found.line[::2])
            if found
            else draw.sample(position.moves, min(4, len(position.moves)))
        )
        try:
            checker.check_fours(
                rules, tuple(fours), (position.first, position.second), position.side
            )
        except ValueError:
            assert found is None
            continue
        accepted += 1
        assert oracles.wins_by_fours(board, "XO"[position.side], lines)
    assert accepted > 30


def test_writes_short_reproducible_proofs_with_fours() -> None:
    proof = proof_of(parse("7,7,4"))
    assert proof == proof_of(parse("7,7,4"))
    assert verify(proof)["positions"] < 10_000
    with pytest.raises(ValueError, match=r"."):  # the same moves on a smaller board
        verify(
            signed(proof[: proof.rindex("digest")].replace('"shape": [7, 7]', '"shape": [7, 6]'))
        )


def test_shortens_the_proof_of_a_hard_win(monkeypatch: pytest.MonkeyPatch) -> None:
    position = parse_game("qubic").start()
    for cell in (0, 21, 63, 42, 3, 1):
        position = position.play(cell)
    found = {}
    for nodes in (1_000_000, 0):  # up to so many nodes, a win is easy to find
        monkeypatch.setattr(writer, "QUICK_WIN_NODES", nodes)
        proof = proof_of(position)
        assert verify(proof)["claims"] == [{"side": "x", "at_least": 1}]
        second_checker.check(proof.encode())
        found[nodes] = len(proof)
    assert found[0] < 0.8 * found[1_000_000]


def test_the_tables_of_a_solve_do_not_change_a_proof_with_gravity() -> None:
    position = parse("connect4 4444443265657")
    connect_solver(position.game).forget()
    proof = proof_of(position)
    verdict = plyscope.solve(position)
    assert verdict.value is not None
    assert proof_of(position) == proof
    for megabytes in (None, 1):
        lines = list(proof_lines(Ask(position, megabytes=megabytes), verdict.value))
        assert "".join(lines) == proof
        assert all(line.endswith("\n") and line.count("\n") == 1 for line in lines)


def test_proofs_use_the_table_of_a_checkpoint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["solve", CHECKPOINTED, "--value-only", "--checkpoint", str(tmp_path / "table")]
    assert run([*words, "--proof", str(tmp_path / "a")]) == 0
    asked: list[Ask] = []
    monkeypatch.setattr(
        "plyscope_fast.solving.lines.solver_of", lambda ask: asked.append(ask) or solver_of(ask)
    )
    assert run([*words, "--proof", str(tmp_path / "b.xz")]) == 0
    assert {ask.checkpoint for ask in asked} == {tmp_path / "table"}
    assert run(["verify", str(tmp_path / "a")]) == run(["verify", str(tmp_path / "b.xz")]) == 0
    capsys.readouterr()


def test_pairs_cover_every_open_line() -> None:
    draw, found = random.Random(1), 0
    for _ in range(300):
        position = parse_game("4,4,4").start()
        for _ in range(draw.randrange(3, 12)):
            if not position.is_over:
                position = position.play(draw.choice(position.moves))
        pairs = find_pairs(position, position.side)
        if pairs:
            found += 1
            for line in position.game.masks:
                assert line & position.stones(position.side) or any(
                    line >> one & line >> other & 1 for one, other in pairs
                )
    assert found > 50


DRAW = [{"side": "x", "at_least": 0, "by": "strategy stealing"}, {"side": "o", "at_least": 0}]
CORNERS = (Line(0b101, "corner"), Line(0b101000000, "corner"))


@pytest.mark.parametrize(
    ("game", "lines"),
    [
        (LineGame("corners", (3, 3), CORNERS), [[0, 2], [6, 8]]),
        (LineGame("twice", (3, 3), (*CORNERS, Line(0b101, "other")), torus=True), [[0, 2], [6, 8]]),
        (LineGame("none", (3, 2), ()), []),
        (parse_game("3,3,4"), []),
        (parse_game("3,2,7,torus"), []),
    ],
)
def test_proves_games_of_given_lines_and_of_none(game: LineGame, lines: list[list[int]]) -> None:
    found = verify(proof_of(game.start()))
    assert found["claims"] == DRAW
    assert found["game"]["lines"] == lines
    assert not found["game"]["torus"]


def test_writes_nothing_that_the_checker_would_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with refuses(OptionError):
        proof_of(LineGame("row", (5,), 3, gravity=True).start())
    with refuses(OptionError):
        proof_of(LineGame("many", (1,) * 8 + (3,), 3).start())
    monkeypatch.setattr("plyscope_fast.solving.proof.MAX_BYTES", 700)
    with pytest.raises(OptionError, match="more than 700 bytes"):
        proof_of(parse("tictactoe"))


def test_commands_prove_and_verify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.proof"
    assert run(["solve", "tictactoe", "--proof", str(file)]) == 0
    capsys.readouterr()
    assert "O can force at least a draw" in output(capsys, "verify", str(file))
    found = json.loads(output(capsys, "verify", str(file), "--json"))
    assert (found["proved"], found["claims"]) == (True, DRAW)
    assert run(["verify", str(tmp_path), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["proved"], found["error"]) == (False, "it cannot be read: Is a directory")
    assert found["plyscope"].startswith(plyscope.__version__)
    says(refusal(capsys, "solve", "tictactoe", "--proof", "/no/such/place"))
    assert run(["solve", "8,8,5", "--seconds", "0.2", "--proof", str(tmp_path / "none")]) == 1
    says(capsys.readouterr().err)
    assert not (tmp_path / "none").exists()


def test_prints_no_traceback_whatever_is_typed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof, draw = proof_of(parse("4,3,4")), random.Random(9)
    for _ in range(150):
        body = list(proof[: proof.rindex("digest")])
        for _ in range(draw.randrange(1, 6)):
            body[draw.randrange(len(body))] = draw.choice('0123456789[]{}":,- xo')
        (tmp_path / "p").write_text(signed("".join(body)))
        assert run(["verify", str(tmp_path / "p")]) in (0, 1)
        capsys.readouterr()


def test_rejects_what_cannot_be_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    with refuses(OptionError):
        proof_of(parse("XXX/OO./..."))
    monkeypatch.setattr("plyscope.solving.verify.MAX_POSITIONS", 20)
    with pytest.raises(OptionError, match="more than 20 positions"):
        proof_of(parse("misere-tictactoe"))


DOCS = Path(__file__).parents[2] / "docs"


def rows_of(page: str) -> dict[str, list[str]]:
    """The cells of the tables of a page, by the first of their row."""
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    rows = [line[2:-2].split(" | ") for line in lines if line.startswith("| ")]
    return {name: cells for name, *cells in rows[1:]}


@pytest.mark.parametrize(
    "spec", ["tictactoe", "torus-tictactoe", "4,3,4", "4,4,4", "4,4,3,gravity"]
)
def test_documents_solved_games_truly(spec: str) -> None:
    _, _, positions, size, _, _, _, digest = rows_of("solved.md")[spec]
    proof = proof_of(parse_game(spec).start())
    found = verify(proof)
    assert positions == f"{found['positions']:,}"
    assert (size, digest) == (f"{len(proof):,}", f"`{found['digest']}`")


def test_lists_only_true_values_in_the_atlas() -> None:
    rows = rows_of("atlas.md")
    assert len(rows) >= 300
    small = [
        name
        for name, (size, _, _, positions, *_) in rows.items()
        if positions == "1" or (len(positions) < 3 and int(size) <= 12)
    ]
    for name in random.Random(1).sample(small, sized(15, 150)):
        size, value, plies, positions, _, digest, _ = rows[name]
        start = parse_game(name).start()
        proof = proof_of(start)
        found = verify(proof)
        claims = [(claim["side"], claim["at_least"]) for claim in found["claims"]]
        expected = {"draw": [("x", 0), ("o", 0)], "X wins": [("x", 1)], "O wins": [("o", 1)]}
        assert claims == expected[value], name
        assert (positions, digest) == (f"{found['positions']:,}", f"`{found['digest']}`"), name
        assert int(size) == start.game.size
        assert plies == "" or int(plies) <= start.game.size
