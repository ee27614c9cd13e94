"""Signs: what the finder finds is what it claims, by play that knows nothing of it."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

import checker
import mutants
import oracles
from plyscope.errors import OptionError
from plyscope.faces.cli import run
from plyscope.journal import Journal
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.notation import parse
from plyscope.rules.position import Position
from plyscope.searching.limit import Late
from plyscope.solving.ask import Ask
from plyscope.solving.verify import verify
from plyscope_fast.solving.proof import proof_lines, proof_of
from plyscope_fast.solving.signplan import Node, Plan
from plyscope_fast.solving.signplay import NUMBER, refutation
from plyscope_fast.solving.signs import SignFinder, has_signs, sign_finder, signs_for
from sentences import says
from sizes import sized

BOARDS = ("4,4,4,gravity", "5,4,4,gravity", "4,5,4,gravity", "6,4,4,gravity", "4,4,3,gravity")


def holds(position: Position, signs: tuple[int, ...], side: int, least: int) -> bool:
    """Return whether the signs hold, by playing every game."""
    game = position.game
    assert isinstance(game.given, int)
    board = [
        "XO"[owner] if (owner := position.owner(cell)) is not None else "."
        for cell in range(game.size)
    ]
    told = iter(map(str, signs))
    every = "".join(next(told) if sign == "." else "0" for sign in board)
    lines = oracles.lines(game.shape, game.given)
    mover = "XO"[position.side]
    return oracles.signs_hold(board, game.width, lines, "XO"[side], mover, every, least)


def late(draw: random.Random, game: LineGame) -> Position:
    """Return a position with four to ten empty cells in which nobody has won."""
    while True:
        position = game.start()
        while position.empty.bit_count() > 4 and not position.is_over:
            position = position.play(draw.choice(position.moves))
            if position.empty.bit_count() <= 10 and draw.random() < 0.3:
                break
        if not position.is_over:
            return position


def test_finds_only_signs_that_hold() -> None:
    draw, found = random.Random(5), {0: 0, 1: 0}
    for number in range(sized(50, 3_000)):
        position = late(draw, parse(BOARDS[number % len(BOARDS)]).game)
        side, least = draw.randrange(2), draw.randrange(2)
        signs = sign_finder(position.game).find(Ask(position, limit=20_000), side, least)
        if signs is None:
            continue
        found[least] += 1
        assert holds(position, signs, side, least), (str(position), side, least, signs)
        head = json.loads(proof_of(position).partition("\n")[0])
        claim = {"side": "xo"[side], "at_least": least}
        assert mutants.is_true(head, claim, 10**6)
    assert min(found.values()) > sized(5, 400), found


@pytest.mark.parametrize(
    ("text", "side", "least"),
    [
        ("connect4 4365515731", 0, 1),
        ("connect4 444444533232", 0, 1),
        ("connect4 444664422736652461", 0, 1),
        ("connect4 43655747", 0, 1),
        ("4,3,4,gravity", 1, 0),
    ],
)
def test_finds_signs_early_in_the_game(text: str, side: int, least: int) -> None:
    position = parse(text)
    assert isinstance(position, Position)
    finder = sign_finder(position.game)
    signs = finder.find(Ask(position, limit=5_000_000), side, least)
    assert signs is not None
    assert finder.find(Ask(position, limit=5_000_000), side, least) == signs
    other = 1 - least if side == position.side else 1
    assert finder.find(Ask(position, limit=50_000), 1 - side, other) is None


def test_clauses_find_signs_just_where_there_are_some() -> None:
    """All signs of up to four cells are tried; there are some about as often as there are none."""
    boards = (*BOARDS, "4,4,3,gravity,torus", "4,4,3,gravity,holes=b2")
    draw, found = random.Random(7), {True: 0, False: 0}
    while sum(found.values()) < sized(15, 1_000):
        position = parse(draw.choice(boards)).game.start()
        while not position.is_over and position.empty.bit_count() > draw.randrange(3, 6):
            position = position.play(draw.choice(position.moves))
        cells = [*bits(position.empty)]
        if position.is_over or len(cells) > 4:
            continue
        side, least = draw.randrange(2), draw.randrange(2)
        exist = any(
            refutation(position, side, least, dict(zip(cells, signs, strict=True))) is None
            for signs in product(range(NUMBER), repeat=len(cells))
        )
        finder = sign_finder(position.game)
        signs = finder.find(Ask(position, limit=0), side, least, deduced=1_000_000)
        assert (signs is not None) is exist, (str(position), side, least)
        found[exist] += 1
    assert min(found.values()) > sized(3, 300), found


def test_clauses_find_signs_that_annealing_does_not() -> None:
    position = parse("connect4 444664415466322672")
    assert isinstance(position, Position)
    finder = sign_finder(position.game)
    assert finder.find(Ask(position, limit=1_000_000), 0, 1) is None
    signs = finder.find(Ask(position, limit=0), 0, 1, deduced=10_000_000)
    assert signs is not None
    assert finder.find(Ask(position, limit=0), 0, 1, deduced=10_000_000) == signs
    hard = parse("connect4 452121221616")
    assert isinstance(hard, Position)
    with pytest.raises(Late):
        finder.find(Ask(hard, limit=0, seconds=0.05), 0, 1, deduced=10**9)


def test_finds_signs_only_where_the_rules_allow_them() -> None:
    allowed = {
        "4,4,3,gravity": True,
        "8,8,4,gravity": True,
        "2x2x2,2,gravity": True,
        "9,8,4,gravity": False,
        "4,4,3": False,
        "4,4,3,gravity,misere": False,
        "4,4,3,gravity,exactly": False,
        "4,4,3,gravity,holes=b2": True,
    }
    found = {text: has_signs(parse(text).game) for text in allowed}
    assert found == allowed


def test_writes_shorter_proofs_with_signs() -> None:
    for text in ("4,4,4,gravity", "connect4 4365574736"):
        position = parse(text)
        assert isinstance(position, Position)
        plain, signed = proof_of(position), proof_of(position, with_signs=True)
        one, other = verify(plain), verify(signed)
        assert one["claims"] == other["claims"]
        assert one["root"] == other["root"]
        assert 20 * other["positions"] < one["positions"]
        assert " signs " in signed


def test_a_search_for_a_smaller_graph_has_a_proof_at_any_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C ends the search, and the proof is written; the same journal goes on with its moves."""
    position = parse("4,4,4,gravity")
    assert isinstance(position, Position)
    shorten, count = Plan._shorten, [0, 0]

    def interrupted(plan: Plan, node: Node, deduced: int) -> None:
        count[0] += 1
        if count[0] == count[1]:
            raise KeyboardInterrupt
        shorten(plan, node, deduced)

    monkeypatch.setattr(Plan, "_shorten", interrupted)
    sizes, ask = list[int](), Ask(position, checkpoint=tmp_path / "signs.journal")
    for stop in (1, 0):
        count[:] = 0, stop
        proof = "".join(proof_lines(ask, 0, with_signs=True))
        sizes.append(verify(proof)["positions"])
        checker.check(proof.encode())
    assert sizes[0] > sizes[1]


@pytest.mark.parametrize(
    ("text", "first"), [("444664422736652461", "After 2:"), ("44466442273665246", "After 3 2:")]
)
def test_names_the_moves_before_the_signs(
    text: str, first: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The signs stand on the board after the best move, or after a lost move and its reply."""
    assert run(["solve", f"connect4 {text}", "--value-only"]) == 0
    lines = capsys.readouterr().out.splitlines()
    at = lines.index(first)
    assert lines[at + 1].startswith("X wins by these signs")


def test_shows_signs_on_the_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "connect4 43655747", "--value-only", "--signs", "--json"]) == 0
    [told] = json.loads(capsys.readouterr().out)["signs"]
    assert (told["side"], told["at_least"], len(told["signs"])) == ("x", 1, 34)
    file = str(tmp_path / "signs.proof")
    assert run(["solve", "connect4 43655747", "--value-only", "--signs", "--proof", file]) == 0
    shown = capsys.readouterr().out
    assert [line.split() for line in shown.splitlines() if line.startswith("2 ")][1] == [
        "2",
        *(sign if sign != "0" else "·" for sign in told["signs"][28:31]),
        "X",
        "X",
        told["signs"][31].replace("0", "·"),
        "O",
    ]
    assert run(["verify", file]) == 0
    assert "1 positions met" in capsys.readouterr().out
    assert run(["solve", "4,3,4,gravity", "--value-only", "--signs"]) == 0
    says("signs of a draw", capsys.readouterr().out.partition("MB\n")[2])


@pytest.mark.parametrize("stop", [KeyboardInterrupt, Late])
def test_shows_the_signs_found_before_a_stop(
    stop: type[BaseException], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    find, asked = SignFinder.find, []

    def once(
        finder: SignFinder, ask: Ask, side: int, least: int, *, deduced: int
    ) -> tuple[int, ...] | None:
        asked.append(side)
        if len(asked) > 1:
            raise stop
        return find(finder, ask, side, least, deduced=deduced)

    monkeypatch.setattr(SignFinder, "find", once)
    words = ["solve", "4,3,4,gravity", "--value-only", "--signs", "--seconds", "60"]
    assert run(words) == 1
    shown = capsys.readouterr()
    assert "X can draw by these signs" in shown.out
    assert "O can draw" not in shown.out
    says(f"signs stopped by {stop.__name__}", shown.err)


def test_replies_by_signs_reach_the_result() -> None:
    draw = random.Random(9)
    for text, side in (("connect4 43655747", 0), ("4,3,4,gravity", 0), ("4,3,4,gravity", 1)):
        position = parse(text)
        assert isinstance(position, Position)
        signs = signs_for(position, side, int(text.startswith("connect4")))
        assert signs is not None
        for _ in range(20):
            now = position
            while not now.is_over:
                mine = now.side == side
                now = now.play(signs.reply(now)[0] if mine else draw.choice(now.moves))
            assert now.winner == side if signs.at_least else now.winner in (None, side)


@pytest.mark.parametrize(
    "words",
    [
        ["5,5,4"],
        ["9,8,4,gravity"],
        ["connect4", "--csv"],
        ["connect4", "--proof", "win.lib"],
    ],
)
def test_names_why_there_are_no_signs(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", *words, "--signs"]) == 2
    says(f"no signs: {' '.join(words)}", capsys.readouterr().err)


def test_continues_a_proof_with_signs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    position = parse("4,4,4,gravity")
    assert isinstance(position, Position)
    ask = Ask(position, checkpoint=tmp_path / "signs.journal")
    keep, kept = Journal.keep, list[tuple[object, ...]]()

    def keep_some(journal: Journal, key: tuple[object, ...], *result: object) -> None:
        keep(journal, key, *result)
        kept.append(key)
        if len(kept) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(Journal, "keep", keep_some)
    with pytest.raises(KeyboardInterrupt):
        list(proof_lines(ask, 0, with_signs=True))
    proof = "".join(proof_lines(ask, 0, with_signs=True))
    assert len(kept) == len(set(kept)) > 3
    assert [claim["at_least"] for claim in verify(proof)["claims"]] == [0, 0]
    checker.check(proof.encode())
    assert "".join(proof_lines(ask, 0, with_signs=True)) == proof
    assert len(kept) == len(set(kept))
    other = parse("4,3,4,gravity")
    assert isinstance(other, Position)
    with pytest.raises(OptionError) as caught:
        list(proof_lines(replace(ask, position=other), 0, with_signs=True))
    says("a journal of signs of another game", str(caught.value).replace(str(tmp_path), "folder"))


def test_a_proof_with_signs_takes_a_checkpoint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, file = tmp_path / "signs.journal", tmp_path / "win.proof"
    words = ["solve", "connect4 4365574736", "--value-only", "--signs", "--proof", str(file)]
    assert run([*words, "--checkpoint", str(journal)]) == 0
    size = journal.stat().st_size
    first = file.read_text()
    assert run([*words, "--checkpoint", str(journal)]) == 0
    assert journal.stat().st_size == size > 0
    assert file.read_text() == first
    capsys.readouterr()
    assert run(["verify", str(file)]) == 0
