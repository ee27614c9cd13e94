"""Libraries of RenLib: another reader plays every branch, and every other reply."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from commands import answer, output
from plyscope import parse
from plyscope.rules.lines import bits
from plyscope.solving.renlib import library
from plyscope_fast.solving.proof import proof_of
from renlib_reader import Rules, read
from sentences import says
from sizes import sized

THREATS = "15,15,5 g8 j9 i8 h8 i7 g7 f6 l7 g6 k6"
WHITE = "15,15,5 a1 h8 a3 i8 a5 j8 c1"
LOSER_TO_MOVE = "15,15,5 h8 a1 i8 a3 j8 a5 k8"
EXACTLY = THREATS.replace(",5", ",5,exactly")
DATA = Path(__file__).resolve().parent.parent / "data"
WINS = [line.split() for line in (DATA / "threat_wins.txt").read_text("ascii").splitlines()]


def written(spec: str) -> bytes:
    """Return the library of a position that is won."""
    position = parse(spec)
    return library(position, proof_of(position).splitlines(keepends=True))


def checked(spec: str) -> int:
    """Return the number of nodes after the start of a library that is checked."""
    position = parse(spec)
    rules = Rules("exactly" in position.game.variants)
    black, white, nodes = rules.check(read(written(spec)))
    assert (black, white) == (set(bits(position.first)), set(bits(position.second)))
    return nodes


@pytest.mark.parametrize("spec", [THREATS, WHITE, LOSER_TO_MOVE, EXACTLY])
def test_writes_only_winning_branches(spec: str) -> None:
    assert checked(spec) > 2


def test_writes_wins_by_fours_as_lines_of_fours() -> None:
    draw = random.Random(1)
    fours = [win for win in WINS if win[0] == "fours"]
    for _, _, *moves in draw.sample(fours, sized(3, 30)):
        spec = f"15,15,5 {' '.join(moves)}"
        node = read(written(spec))
        for _ in range(len(moves) + checked(spec)):
            (node,) = node.after
        assert not node.after


def test_reads_wins_by_threats_back() -> None:
    draw = random.Random(1)
    short = [win for win in WINS if win[0] == "threes" and int(win[1]) <= 9]
    for _, _, *moves in draw.sample(short, sized(1, 20)):
        checked(f"15,15,5 {' '.join(moves)}")


def test_writes_the_bytes_of_renlib() -> None:
    head = b"\xffRenLib\xff\3\4" + 10 * b"\xff"
    #                       root h8   g8   i8   a5   j8   a3   k8   a1, the start
    stones = bytes.fromhex("0000 7800 7700 7900 a100 7a00 c100 7b00 e10c")
    data = written("15,15,5 h8 a1 i8 a3 j8 a5 k8 g8")
    assert data == head + stones + b"black wins\0\0" + bytes.fromhex("7c40")  # l8, no child


def test_detects_missing_replies() -> None:
    root = node = read(written(THREATS))
    while len(node.after) == 1:
        (node,) = node.after
    for number, reply in enumerate(list(node.after)):
        del node.after[number]
        with pytest.raises(AssertionError):
            Rules(exactly=False).check(root)
        node.after.insert(number, reply)
    Rules(exactly=False).check(root)


@pytest.mark.parametrize(
    "spec", ["9,9,4 e5", "15,15,6 h8", "15,15,5,torus h8", f"{'.' * 14}X/" + "15/" * 13 + "XX13 x"]
)
def test_rejects_other_positions(
    spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.lib"
    status, _, err = answer(capsys, "solve", spec, "--proof", str(file))
    assert status == 2
    says(err)
    assert not file.exists()


def test_writes_a_library_by_the_solve_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.lib"
    assert f"wrote {file}" in output(
        capsys, "solve", THREATS, "--value-only", "--proof", str(file)
    ).replace("\n", "")
    Rules(exactly=False).check(read(file.read_bytes()))
    assert parse(str(file)) == parse(THREATS)
