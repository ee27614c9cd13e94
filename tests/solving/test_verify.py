"""The checker of proofs trusts nobody: it reads strictly, stops in time, and what it accepts is
true; a second one agrees with it."""

from __future__ import annotations

import ast
import itertools
import json
import lzma
import os
import random
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from math import lcm, prod
from pathlib import Path
from time import process_time
from typing import Any

import pytest

import checker as second
import mutants
import oracles
from mutants import signed
from plyscope import parse
from plyscope.faces.cli import run
from plyscope.rules.cells import coordinates
from plyscope.rules.linegame import Line, LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.rules.symmetry import symmetries as symmetries_of
from plyscope.solving import verify as checker
from plyscope.solving.verify import Rejected, verify
from plyscope_fast.solving.proof import proof_of
from rules_at_random import running_position, some_game
from sentences import refuses
from sizes import sized

ROOT = Path(__file__).parents[2]
DRAW, WIN = [{"side": "x", "at_least": 0}], [{"side": "x", "at_least": 1}]


def head(
    claims: Any = DRAW,
    root: tuple[Any, Any, Any] = ("0", "0", "x"),
    symmetries: Any = (),
    **game: Any,
) -> str:
    """The first line of a proof, of tic-tac-toe unless said otherwise."""
    rules = (
        {"shape": [3, 3], "torus": False, "gravity": False, "misere": False}
        | ({} if "lines" in game else {"k": 3})
        | game
    )
    told = {
        "format": "plyscope proof 1",
        "game": rules,
        "root": dict(zip(("x", "o", "to_move"), root, strict=True)),
        "claims": claims,
    }
    return f"{json.dumps(told | ({} if symmetries == () else {'symmetries': symmetries}))}\n"


def both(body: str) -> tuple[object, object]:
    """What the two checkers say of these lines, signed: the claims and the positions met, or
    None."""
    text = signed(body)
    one: object = None
    other: object = None
    with suppress(Rejected):
        found = verify(text)
        one = (
            [(claim["side"], claim["at_least"]) for claim in found["claims"]],
            found["positions"],
        )
    with suppress(second.NoProof):
        other = tuple(second.check(text.encode("utf-8", "surrogatepass")))
    return one, other


def rejected(body: str, said: str = ".") -> None:
    """Hold both checkers to rejecting these lines, and the first to saying why, in one line of its
    own."""
    with pytest.raises(Rejected, match=said) as raised:
        verify(signed(body))
    assert re.fullmatch("[ -~]+", str(raised.value))
    assert both(body) == (None, None)


# What was believed once


def drawing_moves(o_word: Any) -> Iterator[str]:
    """X's moves of tic-tac-toe that never lose, with O's stones as `o_word` tells them."""
    solved = oracles.Solved(oracles.LINES3)
    todo, seen = [(".",) * 9], set()
    while todo:
        b = todo.pop()
        if b in seen or not oracles.moves(b, oracles.LINES3):
            continue
        seen.add(b)
        cells = oracles.moves(b, oracles.LINES3)
        if oracles.to_move(b) == "X":
            cells = [max(cells, key=lambda cell: -solved.worth(oracles.place(b, cell, "X"))[0])]
            x, o = (sum(1 << cell for cell in range(9) if b[cell] == side) for side in "XO")
            yield f"{x:x} {o_word(o)} {cells[0]}\n"
        todo += [oracles.place(b, cell, oracles.to_move(b)) for cell in cells]


def by_stones(lines: Iterable[str]) -> list[str]:
    """Answers in the order of a file: those with few stones first."""
    return sorted(lines, key=lambda line: sum(int(w, 16).bit_count() for w in line.split()[:2]))


def test_accepts_no_proof_by_stones_below_the_board() -> None:
    honest = "claim 0\n" + "".join(by_stones(drawing_moves(lambda o: f"{o:x}")))
    assert both(head(DRAW) + honest)[0] is not None
    rejected(head(WIN) + honest, "end otherwise than claimed")
    negative = "".join(drawing_moves(lambda o: f"{o - 0x200:x}"))
    rejected(
        head(WIN, ("0", "-200", "x")) + f"claim 0\n{negative}", "o that is no hexadecimal word"
    )
    rejected(head(WIN) + f"claim 0\n{negative}", "line 3: not a position and an answer")


@pytest.mark.parametrize(
    "line",
    [[3, 3], [4, 5, 6, 5], [0, 0, 1], [2, 1], [1, True], [-1, 0], [8, 9], [0.0], [], 3, "01"],
)
def test_rejects_lines_of_repeated_or_foreign_cells(line: object) -> None:
    rejected(head(WIN, lines=[line, [0, 1, 2]]) + "claim 0\n0 0 4\n", "line|number")


def test_rejects_lines_given_twice_or_in_another_form() -> None:
    rejected(head(lines=[[0, 1, 2], [0, 1, 2]]) + "claim 0\n", "a line that is listed twice")
    rejected(head(lines=[[0, 1, 2]], k=3) + "claim 0\n", "game without exactly the names")
    rejected(head(lines=[[0, 1, 2]], torus=True) + "claim 0\n", "a torus whose lines are listed")
    rejected(head(exactly=True, ends=[[]] * 8) + "claim 0\n", "game without exactly the names")
    told = json.loads(head())
    del told["game"]["k"]
    rejected(f"{json.dumps(told)}\nclaim 0\n", "game without exactly the names")


def test_allows_no_pass_in_a_position_without_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker.Game, "moves", lambda game, taken: iter(()))
    with refuses(Rejected):
        verify(signed(head(DRAW, ("0", "0", "o")) + "claim 0\n"))


# Reading


PLAIN = "claim 0\n0 0 0\n1 0 pairs 3-6,4-5,7-8\n"
"""A draw of X's on three rows and the last two columns: what is wrong below is so for one reason
alone."""
ROWS = [[3, 4, 5], [6, 7, 8], [3, 6, 8], [4, 5, 8]]


def test_accepts_a_plain_proof() -> None:
    assert both(head(lines=ROWS) + PLAIN) == (([("x", 0)], 2), ([("x", 0)], 2))


@pytest.mark.parametrize(
    "change",
    [
        {"format": "plyscope proof 2"},
        {"format": ["plyscope proof 1"]},
        {"name": 3},
        {"name": None},
        {"exactly": True},
        {"claims": []},
        {"claims": {}},
        {"claims": [DRAW]},
        {"claims": DRAW * 2},
        {"claims": [*DRAW, *WIN]},
        *({"claims": [{"side": side, "at_least": 0}]} for side in ("xo", "", "X", 0, None, ["x"])),
        *(
            {"claims": [{"side": "x", "at_least": least}]}
            for least in (0.0, False, "0", -1, 2, None)
        ),
        {"claims": [{"side": "x"}]},
        {"claims": [{"side": "x", "at_least": 0, "at_most": 0}]},
        *(
            {"root": {"x": word, "o": "0", "to_move": "x"}}
            for word in (
                *("-0", "-200", "+1", "00", "01", "0x1", "F", "1_0", " 1", "1 ", "1\n", ""),
                *("\u0661", "\uff11", 0, 1, None),
            )
        ),
        *({"root": {"x": "0", "o": "0", "to_move": side}} for side in ("xo", "", "X", 0, None)),
        {"root": {"x": "200", "o": "0", "to_move": "x"}},
        {"root": {"x": "1", "o": "1", "to_move": "x"}},
        {"root": {"x": "38", "o": "0", "to_move": "o"}},
        {"root": {"x": "15a", "o": "a5", "to_move": "x"}},
        {"root": {"x": "0", "o": "0"}},
        {"root": ["0", "0", "x"]},
    ],
)
def test_rejects_an_inexact_head(change: dict[str, Any]) -> None:
    rejected(json.dumps(json.loads(head(lines=ROWS)) | change) + "\n" + PLAIN)


@pytest.mark.parametrize(
    "change",
    [
        *(
            {"shape": shape}
            for shape in (
                [],
                [0, 9],
                [3.0, 3],
                [True, 9],
                ["3", 3],
                [-3, -3],
                [3],
                [1025],
                [32, 33],
                [1] * 9,
                {"0": 3},
                9,
            )
        ),
        *(
            {flag: told}
            for flag in ("torus", "gravity", "misere")
            for told in ("false", 0, 1, None, [])
        ),
        {"shape": [9], "gravity": True},
        {"k": 3},
        {"stones": 2},
        *({"holes": told} for told in ([], [9], [-1], [1, 0], [2, 2], [True], [2.0], {}, "2", 2)),
        {"holes": [4]},
        {"lines": [], "holes": list(range(9))},
        *({"exactly": told, "ends": [[]] * 4} for told in (False, None, 1, "true", [])),
        {"exactly": True},
        *({"ends": told} for told in ([[]] * 4, [], None)),
        *(
            {"exactly": True, "ends": told}
            for told in (
                [],
                {},
                None,
                [[]] * 3,
                [[]] * 5,
                [[], [], [], None],
                [[3], [], [], []],
                [[9], [], [], []],
                [[2, 1], [], [], []],
                [[1, 1], [], [], []],
                [[True], [], [], []],
            )
        ),
        {"exactly": True, "ends": [[2], [], [], []], "holes": [2]},
    ],
)
def test_rejects_an_inexact_game(change: dict[str, Any]) -> None:
    rejected(head(**({"lines": ROWS} | change)) + PLAIN)


@pytest.mark.parametrize(
    ("shape", "k", "torus"),
    [
        ([3, 3], 0, False),
        ([3, 3], 4, False),
        ([3, 3], 4, True),
        ([2, 3], 7, True),
        ([3, 3], 10**9, False),
        ([3, 3], True, False),
        ([3, 3], 3.0, False),
        ([4], -1, True),
    ],
)
def test_limits_k_to_the_length_of_a_line(shape: list[int], k: object, torus: bool) -> None:
    rejected(head(shape=shape, k=k, torus=torus) + PLAIN)


@pytest.mark.parametrize(
    ("shape", "k", "torus"), [([4, 1], 4, False), ([2, 3], 6, True), ([1, 1, 3], 3, True)]
)
def test_reads_the_longest_lines(shape: list[int], k: int, torus: bool) -> None:
    game = checker.Game({"shape": shape, "k": k, "torus": torus, "gravity": False, "misere": False})
    assert (
        sorted(line for line, _ in game.lines)
        == sorted(sum(1 << cell for cell in line) for line in oracles.lines(tuple(shape), k, torus))
        != []
    )


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ('"torus": false', '"torus": false, "torus": false'),
        ('"torus": false', '"torus": false, "\\u0074orus": true'),
        ("[3, 3]", "[3, 03]"),
        ("[3, 3]", "[3, -0, 3]"),
        ("[3, 3]", "[3, 3e0]"),
        ("[3, 3]", "[3, Infinity]"),
        ("[3, 3]", "[3, " + "9" * 5_000 + "]"),
        ("[3, 3]", "[3, 3,]"),
        ("false", "NaN"),
        ("false", "False"),
        ("{", "{ \t"),
        ("}", "}\r"),
        ("{", "\ufeff{"),
        ("{", '{"name": "\u202e", '),
        ("claim 0\n", ""),
        ("claim 0", "claim -1"),
        ("claim 0", "claim 1"),
        ("claim 0", "claim 00"),
        ("claim 0", "claim  0"),
        ("claim 0\n", "claim 0\nclaim 0\n"),
        ("claim 0\n", "claim 0\nclaim 1\n"),
        ("claim 0\n", "claim 0\n\n"),
        ("0 0 0\n", "0 0 0\n0 0 0\n"),
        ("0 0 0\n", "0 0 0\n00 0 0\n"),
        ("0 0 0\n", "0 0 0 \n"),
        ("0 0 0\n", "0 0 00\n"),
        ("0 0 0\n", "0 0 +0\n"),
        ("0 0 0\n", "0 0 -0\n"),
        ("0 0 0\n", "-0 0 0\n"),
        ("0 0 0\n", "0 0 move 0\n"),
        ("0 0 0\n", "0 0 9\n"),
        ("0 0 0\n", "0 0 0\nF 10 5\n"),
        ("0 0 0\n", "0 0 0\n3 1 5\n"),
        ("0 0 0\n", "0 0 0\n200 1 5\n"),
        ("0 0 0\n", "0 0 0\n4 1 2\n"),
        ("0 0 0\n", "0 0 0\n4 1 fours 1,1\n"),
        ("0 0 0\n", "0 0 0\n4 1 fours\n"),
        ("0 0 0\n", "0 0 0\n4 1 fours 1,\n"),
        ("pairs 3-6,", "pairs 3-6,,"),
        ("pairs 3-6,", "pairs 3-6;"),
        ("pairs 3-6,", "pairs 3-6-"),
        ("pairs 3-6,", "pairs 3,6,"),
        ("pairs 3-6,", "pairs 3-6,3-1,"),
        ("pairs 3-6,", "pairs 3-3,"),
        ("pairs 3-6,", "pairs 3-0,"),
        ("pairs 3-6,", "pairs "),
        ("pairs 3-6", "pears 3-6"),
    ],
)
def test_rejects_text_that_is_not_exactly_a_proof(was: str, now: str) -> None:
    body = head(lines=ROWS) + PLAIN
    assert was in body
    rejected(body.replace(was, now, 1))


@pytest.mark.parametrize("end", ["", "\n\n", "\r\n", " \n", "\nx"])
def test_requires_the_digest_as_the_last_line(end: str) -> None:
    text = signed(head(lines=ROWS) + PLAIN)[:-1]
    for changed in (
        text + end,
        (text + "\n").replace("digest ", "digest  "),
        text[:-1] + text[-1].upper() + "g\n",
        "",
        "\n",
        "digest \n",
        signed(""),
    ):
        with pytest.raises(Rejected):
            verify(changed)
        with pytest.raises(second.NoProof):
            second.check(changed.encode())


# The strategy


def test_allows_each_kind_of_answer_only_in_its_games_for_its_side() -> None:
    for flag, told in (
        ("gravity", "pairs 3-6"),
        ("gravity", "zone 3-6"),
        ("gravity", "fours 3,6"),
        ("misere", "zone 3-6"),
        ("misere", "fours 3,6"),
        ("misere", "follow"),
        ("misere", "signs 333333333"),
        ("torus", "signs 333333333"),
        ("torus", "follow"),
        ("torus", "follow 3-6"),
    ):
        game: dict[str, Any] = {"k": 3} if flag == "torus" else {"lines": ROWS}
        rejected(
            head(**game, **{flag: True}) + f"claim 0\n1 0 {told}\n",
            f"{told.split()[0]} in a game of this kind",
        )
    both_flags = head(lines=ROWS, misere=True, gravity=True)
    for told in ("pairs 3-6", "follow"):
        rejected(f"{both_flags}claim 0\n1 0 {told}\n", "in a game of this kind")
    rejected(head(WIN, lines=ROWS) + PLAIN, "pairs for a claim of a win")
    rejected(head(lines=ROWS) + "claim 0\n0 0 pairs 3-6,4-5,7-8\n", "zone of the wrong side at 0 0")
    rejected(
        head(DRAW, ("1", "0", "o"), lines=ROWS) + "claim 0\n1 0 5\n",
        "move of the wrong side at 1 0",
    )
    rejected(
        head(DRAW, ("2", "0", "x"), shape=[3, 1], k=3, gravity=False) + "claim 0\n",
        "no legal move at 2 0",
    )


def test_rejects_floating_stones() -> None:
    rejected(
        head(WIN, ("4", "2", "x"), shape=[2, 2], k=2, gravity=True) + "claim 0\n",
        "a stone of the root that hangs in the air",
    )
    rejected(
        head(WIN, ("0", "0", "x"), shape=[2, 2], k=2, gravity=True) + "claim 0\n0 0 0\n",
        "no legal move at 0 0",
    )


def test_accepts_any_number_of_stones_at_the_root() -> None:
    root = ("3", "180", "x")
    assert both(head(WIN, root) + "claim 0\n")[0] == ([("x", 1)], 1)
    assert both(head([{"side": "o", "at_least": 1}], ("0", "180", "o")) + "claim 0\n")[0] == (
        [("o", 1)],
        1,
    )


def little_proofs(draw: random.Random, exactly: bool = False) -> Iterator[tuple[str, str]]:
    """Proofs at random of games at random, with lines of any lengths, some within others, and with
    `exactly` of exact ones, on boards with holes too: one answer at the root, the rest unsaid."""
    while True:
        width, height = draw.choice([(2, 2), (3, 2), (4, 2), (3, 3), (5, 1), (7, 1)])
        cells = width * height
        game: dict[str, Any] = {
            "shape": [width, height],
            "misere": draw.random() < 0.3,
            "gravity": draw.random() < 0.05,
        }
        if draw.random() < 0.3:
            game |= {"k": draw.randint(1, 3), "torus": draw.random() < 0.7}
        else:
            lengths = draw.choice([(2, 3), (2, 2, 3), (1, 2, 3, 4), (3, 3, 4), (2, 3, 4)])
            game["lines"] = [
                sorted(draw.sample(range(cells), min(cells, draw.choice(lengths))))
                for _ in range(draw.randint(1, 6))
            ]
        if exactly:
            game["exactly"] = True
            if "lines" in game:
                others = [sorted(set(range(cells)) - set(line)) for line in game["lines"]]
                game["ends"] = [
                    sorted(draw.sample(other, min(len(other), draw.randint(0, 2))))
                    for other in others
                ]
            elif draw.random() < 0.5:
                game["holes"] = [draw.randrange(cells)]
        board = [draw.choice("...XO") for _ in range(cells)]
        x, o = (sum(1 << cell for cell in range(cells) if board[cell] == side) for side in "XO")
        for cell in game.get("holes", ()):
            x, o, board[cell] = x & ~(1 << cell), o & ~(1 << cell), "#"
        empty = [cell for cell in range(cells) if board[cell] == "."]
        side, to_move, least = draw.choice("xo"), draw.choice("xo"), draw.randint(0, 1)
        if side != to_move and least == 0 and len(empty) > 1:
            some = draw.sample(empty, 2 * draw.randint(1, len(empty) // 2))
            answer = "pairs " + ",".join(
                f"{one}-{other}" for one, other in zip(some[::2], some[1::2], strict=True)
            )
        elif empty:
            answer = "fours " + ",".join(
                map(str, draw.sample(empty, min(len(empty), draw.randint(1, 4))))
            )
        else:
            continue
        yield (
            answer[:5],
            head([{"side": side, "at_least": least}], (f"{x:x}", f"{o:x}", to_move), **game)
            + f"claim 0\n{x:x} {o:x} {answer}\n",
        )


@pytest.mark.parametrize("exactly", [False, True])
def test_pairs_and_fours_prove_only_what_is_true(exactly: bool) -> None:
    accepted = {"pairs": 0, "fours": 0, "pairs in misere": 0}
    for kind, body in itertools.islice(
        little_proofs(random.Random(11), exactly), sized(2_000, 20_000)
    ):
        one, other = both(body)
        assert one == other, body
        if one is not None:
            told = json.loads(body.partition("\n")[0])
            accepted[kind + " in misere" * told["game"]["misere"]] += 1
            assert mutants.is_true(told, told["claims"][0], 10**6), body
    assert min(accepted.values()) > sized(20, 200), accepted


def follow_proofs(draw: random.Random) -> Iterator[str]:
    """Proofs at random of games at random with gravity: one answer, to follow in the columns."""
    while True:
        width, height = draw.choice([(2, 3), (3, 3), (4, 2), (3, 4), (2, 4), (4, 3), (1, 5)])
        cells = width * height
        game: dict[str, Any] = {"shape": [width, height], "gravity": True}
        share = draw.choice([0, 0.1])
        holes = {cell for cell in range(cells) if draw.random() < share}
        board = ["#" if cell in holes else "." for cell in range(cells)]
        for column in range(width):
            for row in range(height - 1, draw.randint(-1, height - 1), -1):
                if board[row * width + column] == ".":
                    board[row * width + column] = draw.choice("XO")
                elif draw.random() < 0.5:
                    break  # what is above the hole is empty
        free = [cell for cell in range(cells) if cell not in holes]
        lengths = draw.choice([(2, 3), (2, 2, 3), (3,), (2, 3, 4), (1, 2, 3)])
        game["lines"] = [
            sorted(draw.sample(free, min(len(free), draw.choice(lengths))))
            for _ in range(draw.randint(1, 5))
        ]
        if holes:
            game["holes"] = sorted(holes)
        if draw.random() < 0.2:
            game |= {"exactly": True, "ends": []}
            for line in game["lines"]:
                others = [cell for cell in free if cell not in line]
                game["ends"].append(sorted(draw.sample(others, min(len(others), 1))))
        x, o = (sum(1 << cell for cell in range(cells) if board[cell] == side) for side in "XO")
        lowest, odd = [], []
        for cell in free:
            under = cell + width
            if board[cell] == "." and (under >= cells or board[under] != "."):
                lowest.append(cell)
                count = 0
                while cell - count * width >= 0 and board[cell - count * width] == ".":
                    count += 1
                odd += [cell] * (count % 2)
        some = list(odd if draw.random() < 0.8 else lowest)
        draw.shuffle(some)
        some = some[: len(some) // 2 * 2] if draw.random() < 0.9 else some[:2]
        pairs = ",".join(
            f"{one}-{other}" for one, other in zip(some[::2], some[1::2], strict=False)
        )
        side = draw.randrange(2)
        claim = {"side": "xo"[side], "at_least": draw.randint(0, 1)}
        yield head([claim], (f"{x:x}", f"{o:x}", "ox"[side]), **game) + (
            f"claim 0\n{x:x} {o:x} follow {pairs}".rstrip() + "\n"
        )


def test_answers_in_the_same_column_prove_only_what_is_true() -> None:
    accepted = Counter[str]()
    for body in itertools.islice(follow_proofs(random.Random(13)), sized(6_000, 60_000)):
        one, other = both(body)
        assert one == other, body
        if one is None:
            continue
        told = json.loads(body.partition("\n")[0])
        claim = told["claims"][0]
        assert mutants.is_true(told, claim, 10**6), body
        stones = int(told["root"]["x"], 16) | int(told["root"]["o"], 16)
        empty = (
            prod(told["game"]["shape"]) - len(told["game"].get("holes", ())) - stones.bit_count()
        )
        kind = ("draw", "win")[claim["at_least"]] + ", one left over" * (empty % 2)
        accepted[kind] += 1
        accepted["named"] += "follow " in body
        accepted["exactly"] += "exactly" in told["game"]
        accepted["holes"] += "holes" in told["game"]
    assert len(accepted) == 7, accepted
    assert min(accepted.values()) > sized(20, 200), accepted


COLUMNS = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14]]
BOTTOM, TOP = [12, 13, 14, 15], [0, 1, 2, 3]


def with_one_answer(
    board: str, claim: tuple[str, int], answer: str, lines: list[list[int]], said: str | None
) -> None:
    """Require that both checkers accept a proof with one answer on 4×4 with gravity, or that they
    reject it with the words `said`."""
    rows, to_move = board.split()
    x, o = (
        sum(1 << cell for cell, sign in enumerate(rows.replace("/", "")) if sign == side)
        for side in "XO"
    )
    told = [dict(zip(("side", "at_least"), claim, strict=True))]
    game = {"shape": [4, 4], "lines": lines, "gravity": True}
    body = head(told, (f"{x:x}", f"{o:x}", to_move), **game)
    body += f"claim 0\n{x:x} {o:x} {answer}\n"
    if said is None:
        assert both(body)[0] == ([claim], 1)
    else:
        rejected(body, said)


@pytest.mark.parametrize(
    ("board", "claim", "cells", "lines", "said"),
    [
        ("..../..../..../.... x", ("o", 0), "", COLUMNS, None),
        ("..../..../..../.... x", ("o", 0), "", [BOTTOM], "without a pair"),
        ("..../..../..../.... x", ("o", 0), "12-13", [BOTTOM], "left over"),
        ("..../..../..../.... x", ("o", 1), "", COLUMNS, "no line that is completed"),
        ("..../..../..../.... x", ("o", 1), "", [TOP], None),
        ("..../..../..../.... o", ("o", 0), "", COLUMNS, "follow of the wrong side"),
        ("..../..../..../X... o", ("x", 0), "", COLUMNS, "left over"),
        ("..../..../..../XX.. o", ("x", 0), "", COLUMNS, "left over"),
        ("..../..../..../XX.. o", ("x", 0), "8-9", COLUMNS, None),
        ("..../..../..../XX.. o", ("x", 0), "8-9", [[8, 9]], None),
        ("..../..../..../XX.. o", ("x", 0), "8-9", [[8, 10], [5, 8]], "without a pair"),
        ("..../..../..../.... x", ("o", 0), "8-9", COLUMNS, "not the lowest"),
        ("..../..../..../XX.. o", ("x", 0), "8-15", COLUMNS, "left over"),
        ("..../..../..../OO.. o", ("x", 0), "8-9", [BOTTOM], "without a pair"),
        # X wins on the cell above the lowest of the column that is left over
        ("..../..../..../XOOX o", ("x", 1), "8-11", [[4, 9, 13]], "left over"),
        (".OXO/.XXO/.OXX/XOOO o", ("x", 1), "", [[4, 5, 6]], None),
        (".OXO/.XXO/.OXX/XOOO o", ("x", 0), "", [[4, 5, 6]], None),
        (".OXO/.XXO/.OXX/XOOO o", ("x", 1), "", [[4, 5, 6], [8, 9]], "without a pair"),
        (".OXO/.XXO/.OXX/XOOO o", ("x", 1), "", [[4, 5, 6], [0, 7]], None),
        (".OXO/.XXO/.OXX/XOOO o", ("x", 1), "", [[3, 4, 5]], "left over"),
        (".OXO/.XXO/.OXX/XOOO o", ("x", 1), "", [[0, 5, 6]], "left over"),
        # the cell above a winning cell stays empty, whatever the number of empty cells
        (".OXO/.XOX/.OXO/.XOX o", ("x", 1), "", [[8, 13], [4, 12]], None),
        (".OXO/.XOX/.OXO/.XOX o", ("x", 1), "", [[8, 13], [9, 12]], "without a pair"),
        (".OXO/.XOX/.OXO/.XOX o", ("x", 0), "", [[1, 8], [4, 12]], "without a pair"),
        ("..XO/..OX/..XO/XXOX o", ("x", 1), "", [[4, 12], [5, 13], [0, 1]], None),
        ("..XO/..OX/..XO/XXOX o", ("x", 1), "", [[4, 12], [0, 1]], "left over"),
        ("..XO/..OX/..XO/XXOX o", ("x", 1), "", [[4, 12], [5, 13], [8, 9]], "without a pair"),
        ("..XO/..OX/..XO/XXOX o", ("x", 1), "8-9", [[4, 12], [5, 13]], "no line that is"),
        (".OXO/.XXO/XOXX/XOOO o", ("x", 1), "", [[4, 5, 6]], "no line that is completed"),
        ("..XO/.XXO/.OXX/XOOO o", ("x", 1), "1-8", [[4, 5, 6]], "no line that is completed"),
        ("..XO/.XXO/.OXX/XOOO o", ("x", 1), "", [[4, 5, 6]], "left over"),
    ],
)
def test_rejects_false_answers_in_the_same_column(
    board: str, claim: tuple[str, int], cells: str, lines: list[list[int]], said: str | None
) -> None:
    with_one_answer(board, claim, f"follow {cells}".rstrip(), lines, said)


SIGNED = [(4, 4, 4), (5, 4, 4), (4, 5, 4), (5, 5, 4), (6, 4, 4), (4, 4, 3), (3, 5, 3), (5, 3, 3)]
"""The columns, rows and lengths of lines of the boards on which signs are tried."""


def sign_proofs(draw: random.Random) -> Iterator[tuple[str, bool]]:
    """Signs at random in positions at random of games with gravity, some with holes or with lines
    around the board, and whether obeying them holds what is claimed, by playing all games."""
    while True:
        width, height, k = draw.choice(SIGNED)
        cells = width * height
        game: dict[str, Any] = {"shape": [width, height], "k": k, "gravity": True}
        game["torus"] = draw.random() < 0.1
        holes = {draw.randrange(cells)} if draw.random() < 0.15 else set()
        if holes:
            game["holes"] = sorted(holes)
        straight = oracles.lines((width, height), k, game["torus"])
        lines = [line for line in straight if not holes & set(line)]
        board = ["#" if cell in holes else "." for cell in range(cells)]
        for _ in range(cells - len(holes) - draw.randint(3, 11)):
            sides = "XO"[board.count("X") > board.count("O")]
            open_ = [
                cell
                for cell in range(cells)
                if board[cell] == "." and (cell + width >= cells or board[cell + width] != ".")
            ]
            quiet = []
            for cell in open_:
                board[cell] = sides
                if not any(all(board[at] == sides for at in line) for line in lines):
                    quiet.append(cell)
                board[cell] = "."
            if not quiet:
                break
            board[draw.choice(quiet)] = sides
        if not 2 < board.count(".") < 12:
            continue
        x, o = (sum(1 << cell for cell in range(cells) if board[cell] == side) for side in "XO")
        side, mover, least = draw.choice("XO"), draw.choice("XO"), draw.choice([0, 1])
        claim = head(
            [{"side": side.lower(), "at_least": least}], (f"{x:x}", f"{o:x}", mover.lower()), **game
        )
        for _ in range(4):
            odd, share = draw.randrange(2), draw.choice([0.1, 0.3, 0.8])
            signs = "".join(
                draw.choice("0123456")
                if draw.random() < share
                else "03"[(height - cell // width) % 2 == odd]
                for cell in range(cells)
            )
            told = "".join(sign for cell, sign in enumerate(signs) if board[cell] == ".")
            is_held = oracles.signs_hold(list(board), width, lines, side, mover, signs, least)
            yield claim + f"claim 0\n{x:x} {o:x} signs {told}\n", is_held


def test_signs_prove_only_what_is_true() -> None:
    accepted = Counter[str]()
    for body, is_held in itertools.islice(sign_proofs(random.Random(17)), sized(1_200, 40_000)):
        one, other = both(body)
        assert one == other, body
        assert (one is not None) == is_held, body
        if one is None:
            continue
        told = json.loads(body.partition("\n")[0])
        claim = told["claims"][0]
        assert mutants.is_true(told, claim, 10**6), body
        accepted[("draw", "win")[claim["at_least"]]] += 1
        accepted["own move"] += claim["side"] == told["root"]["to_move"]
        accepted["holes"] += "holes" in told["game"]
    assert len(accepted) == 4, accepted
    assert min(accepted.values()) > sized(5, 200), accepted


FIRST = "3333000033330000"
"""Claimeven everywhere."""
NO_CELL = "no cell, or for several"


@pytest.mark.parametrize(
    ("board", "claim", "signs", "lines", "said"),
    [
        ("..../..../..../.... x", ("o", 0), FIRST, COLUMNS, None),
        ("..../..../..../.... x", ("o", 1), FIRST, [TOP], None),
        ("..../..../..../.... x", ("o", 1), FIRST, COLUMNS, "end in a draw"),
        ("..../..../..../.... o", ("o", 0), FIRST, COLUMNS, NO_CELL),
        ("..../..../..../.... x", ("o", 0), f"{FIRST[:-1]}3", COLUMNS, NO_CELL),
        ("..../..../..../.... x", ("o", 0), f"{FIRST[:-1]}1", COLUMNS, NO_CELL),
        ("..../..../..../.... x", ("o", 0), f"{FIRST[:-1]}2", COLUMNS, NO_CELL),
        ("..../..../..../.... x", ("o", 0), FIRST[:-1], COLUMNS, "as many as the empty cells"),
        ("..../..../..../.... x", ("o", 0), f"{FIRST}0", COLUMNS, "as many as the empty cells"),
        ("..../..../..../.... x", ("o", 0), f"{FIRST[:-1]}7", COLUMNS, "not a position and"),
        ("..../..../..../.... x", ("o", 0), f"{FIRST[:-1]}x", COLUMNS, "not a position and"),
        ("..../..../..../.... x", ("o", 0), FIRST, [[15]], "complete a line"),
        ("..../..../..../.... x", ("o", 0), FIRST, [[12, 13], [12, 14]], NO_CELL),
        ("..../..../..../X... x", ("x", 1), "0" * 15, [[12, 13]], None),
        ("..../..../..../O... x", ("x", 1), "0" * 15, [[12, 13]], NO_CELL),
    ],
)
def test_rejects_false_signs(
    board: str, claim: tuple[str, int], signs: str, lines: list[list[int]], said: str | None
) -> None:
    with_one_answer(board, claim, f"signs {signs}", lines, said)


# Symmetries

TURN = [2, 5, 8, 1, 4, 7, 0, 3, 6]
"""Tic-tac-toe's board, turned by a quarter."""
UPSIDE_DOWN = [6, 7, 8, 3, 4, 5, 0, 1, 2]
MIRROR = [2, 1, 0, 5, 4, 3, 8, 7, 6]


@pytest.mark.parametrize(
    ("symmetries", "game", "said"),
    [
        ([TURN], {}, None),
        ([MIRROR], {"gravity": True}, None),
        ([TURN, UPSIDE_DOWN], {"holes": [4]}, None),
        ([[1, 0, 2, 3, 4, 5, 6, 7, 8]], {}, "maps a line to no line"),
        ([TURN, [1, 0, 2, 3, 4, 5, 6, 7, 8]], {}, "maps a line to no line"),
        ([UPSIDE_DOWN], {"gravity": True}, "moves a bottom"),
        ([TURN], {"gravity": True, "lines": []}, "moves a bottom"),
        ([TURN], {"holes": [0]}, "moves a hole"),
        ([MIRROR], {"lines": [[0, 1], [1, 2]], "exactly": True, "ends": [[2], []]}, "to no line"),
        ([MIRROR], {"lines": [[0, 1], [1, 2]], "exactly": True, "ends": [[2], [0]]}, None),
        ([[0] * 9], {"lines": []}, "no permutation"),
        ([[0, 1, 2]], {}, "other cells"),
        ([[*TURN, 9]], {}, "other cells"),
        ([[9, *range(8)]], {}, "a cell of a symmetry"),
        ([[True, 0, *range(2, 9)]], {"lines": []}, "a cell of a symmetry"),
        ([], {}, "no list"),
        ({}, {}, "no list"),
        (None, {}, "none"),
        ([None], {}, "other cells"),
        ([TURN] * 9, {}, "no list"),
    ],
)
def test_symmetries_keep_the_rules(symmetries: Any, game: dict[str, Any], said: str | None) -> None:
    line = head(STOLEN, symmetries=symmetries, **game)
    if game.get("gravity") or game.get("exactly"):  # where nothing is stolen
        line = head(DRAW, symmetries=symmetries, **game)
        said = said or "no legal move"
    if said is None:
        assert both(f"{line}claim 0\n")[0] == ([("x", 0)], 0)
    else:
        rejected(f"{line}claim 0\n", said)


def test_rejects_too_many_symmetries() -> None:
    swap, turn = [1, 0, *range(2, 64)], [*range(1, 64), 0]  # all 64! permutations
    game = {"shape": [8, 8], "lines": []}
    rejected(head(symmetries=[swap, turn], **game) + "claim 0\n", "images of cells")


def test_visits_only_the_least_image() -> None:
    game = {"lines": [[0, 1, 2], [3, 4, 5], [6, 7, 8]]}
    told = [{"side": "o", "at_least": 0}]
    plain = head(told, ("20", "0", "o"), symmetries=[MIRROR], **game)
    assert both(plain + "claim 0\n8 0 4\n8 10 pairs 0-1,6-7\n")[0] == ([("o", 0)], 2)
    rejected(plain + "claim 0\n20 0 4\n20 10 pairs 0-1,6-7\n", "no legal move at 8 0")


def test_finds_the_least_image_of_all_products() -> None:
    draw = random.Random(8)
    for shape, k in (((3, 3), 3), ((2, 2, 2), 2), ((4, 4), 4), ((5, 3), 3)):
        game = LineGame.grid(*shape, k=k)
        group = symmetries_of(game)
        rules = checker.Game(
            {"shape": list(shape), "k": k, "torus": False, "gravity": False, "misere": False}
        )
        some = checker.Symmetries(rules, [list(draw.choice(group)) for _ in range(3)])
        assert set(some.group) <= set(group)
        for _ in range(50):
            board = [draw.choice("..XO") for _ in range(game.size)]
            x, o = (sum(1 << c for c in range(game.size) if board[c] == s) for s in "XO")
            images = [(checker.mapped(x, one), checker.mapped(o, one)) for one in some.group]
            assert some.least(x, o) == min(images)
            # the stones of the least image, moved back, are the stones again
            words = some.images(x, o)
            assert [some.moved_back(words, stones) for stones in min(images)] == [x, o]


# Zones


def add_zones(
    draw: random.Random,
    answers: dict[tuple[int, int], str],
    symmetric: checker.Symmetries,
    stones: tuple[int, int],
    side: int,
    depth: int = 0,
) -> None:
    """Add answers at random for the least image of a position, after those that it depends on."""
    x, o = symmetric.least(*stones)
    empty = [cell for cell in range(len(symmetric.group[0])) if not (x | o) >> cell & 1]
    if len(empty) < 2 or (x, o) in answers or (depth and draw.random() < 0.3):
        return
    kind = draw.choice(["zone", "zone", "pairs"]) if depth < 3 else "pairs"
    some = draw.sample(empty, 2 * draw.randint(1, len(empty) // 2))
    steps = list(zip(some[::2], some[1::2], strict=True))
    if kind == "zone" and draw.random() < 0.4:  # the same reply to all, and another to it
        steps = [(cell, some[0]) for cell in some[1:]] + [(some[0], some[1])]
    told = [f"{one}-{other}" for one, other in steps]
    for at, (move, reply) in enumerate(steps if kind == "zone" else ()):
        if draw.random() < 0.5:  # pairs of its own, perhaps few besides those of an earlier step
            rest = draw.sample(
                [cell for cell in empty if cell not in (move, reply)], len(empty) - 2
            )
            pairs = [f"{one}-{other}" for one, other in zip(rest[::2], rest[1::2], strict=False)]
            told[at] += f"={'+'.join(pairs[: draw.choice([0, 1, 2, 9, 9, 9])])}"
            continue
        mine, theirs = (reply, move) if side == 0 else (move, reply)
        after = x | 1 << mine, o | 1 << theirs
        add_zones(draw, answers, symmetric, after, side, depth + 1)
    if (x, o) not in answers:
        answers[x, o] = f"{kind} {','.join(told)}"


SQUARE = [MIRROR, [6, 3, 0, 7, 4, 1, 8, 5, 2]]
"""The generators of the symmetries of three by three cells."""


def zone_proofs(draw: random.Random) -> Iterator[str]:
    """Proofs at random with zones: few replies, and after them pairs, zones, weights or nothing."""
    while True:
        width, height = draw.choice([(3, 2), (4, 2), (3, 3), (7, 1), (5, 2)])
        cells = range(width * height)
        lengths = draw.choice([(2, 3), (3,), (3, 3, 4), (2, 3, 4)])
        game: dict[str, Any] = {"shape": [width, height]}
        told: list[list[int]] | None = None
        if draw.random() < 0.2:
            game |= {"k": 3, "torus": draw.random() < 0.5}
        else:
            lines = [
                sorted(draw.sample(cells, draw.choice(lengths))) for _ in range(draw.randint(1, 6))
            ]
            if (width, height) == (3, 3) and draw.random() < 0.8:
                told = draw.choice([SQUARE, SQUARE[:1], SQUARE[1:]])
                for line in lines:  # the list grows by the images
                    images = [sorted(one[cell] for cell in line) for one in told]
                    lines += [image for image in images if image not in lines]
            game["lines"] = lines
        board = [draw.choice("......XO") for _ in cells]
        x, o = (sum(1 << cell for cell in cells if board[cell] == sign) for sign in "XO")
        side = draw.randrange(2)
        claim, to_move = {"side": "xo"[side], "at_least": 0}, "ox"[side]
        first = head([claim], (f"{x:x}", f"{o:x}", to_move), **game)
        if told is not None:
            first = head([claim], (f"{x:x}", f"{o:x}", to_move), symmetries=told, **game)
        try:
            symmetric = checker.read_head(first.strip())[2]
        except Rejected:
            continue
        answers: dict[tuple[int, int], str] = {}
        add_zones(draw, answers, symmetric, (x, o), side)
        if answers.get(symmetric.least(x, o), "").startswith("zone"):
            yield first + "".join(
                ["claim 0\n", *(f"{x:x} {o:x} {told}\n" for (x, o), told in answers.items())]
            )


def test_zones_prove_only_what_is_true() -> None:
    accepted, outside, moved, draw = 0, 0, 0, random.Random(12)
    for body in itertools.islice(zone_proofs(random.Random(12)), sized(4_000, 40_000)):
        one, other = both(body)
        assert one == other, body
        if one is None:
            continue
        accepted += 1
        lines_read = checker.Lines([signed(body).encode()])
        _, game, symmetries, root, claims = checker.read_head(lines_read.next())
        assert lines_read.next() == "claim 0"
        zones = checker.Zones(game, symmetries, side := claims[0][0], checker.Work(game))
        answers = checker.Answers(lines_read, 0, zones)
        while answers.read():
            pass
        moved += symmetries.least(*root[:2]) != root[:2]
        zone = zones.known(*root[:2])
        taker, stopper = root[1 - side], root[side]
        lines = tuple(line for line, _ in game.lines)
        assert oracles.stops_all_lines(lines, game.board, taker, stopper), body
        # and with any stones outside the zone
        free = list(checker.bits(game.board & ~(taker | stopper | zone)))
        more = sum(1 << cell for cell in free if draw.random() < 0.7)
        outside += more > 0
        assert oracles.stops_all_lines(lines, game.board, taker | more, stopper), (body, more)
    assert accepted > sized(400, 4_000), accepted
    assert outside > sized(50, 500), outside
    assert moved > sized(10, 100), moved


def test_requires_the_dependencies_of_a_zone_before_it() -> None:
    head_line, *lines, _ = proof_of(parse("6,6,5")).splitlines(keepends=True)
    assert both(head_line + "".join(lines))[0] is not None
    assert " zone " in lines[-1]
    for at in range(2, len(lines) - 1):
        assert both(head_line + "".join([*lines[:at], *lines[at + 1 :], lines[at]]))[0] is None


STOLEN = [{"side": "x", "at_least": 0, "by": "strategy stealing"}]


@pytest.mark.parametrize(
    ("change", "root", "claims"),
    [
        ({"misere": True}, ("0", "0", "x"), STOLEN),
        ({"gravity": True}, ("0", "0", "x"), STOLEN),
        ({"exactly": True}, ("0", "0", "x"), STOLEN),
        ({}, ("1", "0", "x"), STOLEN),
        ({}, ("0", "1", "x"), STOLEN),
        ({}, ("0", "0", "o"), STOLEN),
        ({}, ("0", "0", "x"), [{**STOLEN[0], "at_least": 1}]),
        ({}, ("0", "0", "x"), [{**STOLEN[0], "by": "symmetry"}]),
        ({}, ("0", "0", "x"), [{**STOLEN[0], "by": None}]),
    ],
)
def test_allows_strategy_stealing_only_where_a_stone_does_no_harm(
    change: dict[str, Any], root: tuple[str, str, str], claims: Any
) -> None:
    game = {"shape": [3, 3], "k": 3}
    assert both(head(STOLEN, **game) + "claim 0\n") == (([("x", 0)], 0), ([("x", 0)], 0))
    rejected(head(claims, root, **game, **change) + "claim 0\n")
    rejected(head(STOLEN, **game) + "claim 0\n0 1 2\n", "strategy stealing")


# Holes and exact lines


def test_allows_no_move_to_a_hole() -> None:
    game = {"lines": ROWS, "holes": [2]}
    assert both(head(**game) + PLAIN)[0] == ([("x", 0)], 2)
    rejected(head(root=("4", "0", "x"), **game) + PLAIN, "stones of the root that")
    rejected(head(**game) + "claim 0\n0 0 2\n", "a cell that is taken or off the board")
    rejected(head(**game) + PLAIN + "4 1 5\n", "stones that overlap or leave the board")
    rejected(head(**game) + PLAIN.replace("4-5", "4-5,0-2"), "a cell that is taken or off")
    rejected(head(root=("15b", "a0", "x"), **game) + "claim 0\n", "a root where the game is over")


def test_lets_stones_rest_on_a_hole() -> None:
    game = {"shape": [2, 3], "lines": [[0, 1]], "gravity": True}
    root = ("0", "0", "x")
    rejected(head(WIN, root, **game) + "claim 0\n0 0 0\n", "no legal move")
    game["holes"] = [2, 3]
    assert both(head(DRAW, ("1", "0", "o"), **game) + "claim 0\n1 2 5\n1 30 4\n")[0] is None
    assert both(head(WIN, ("1", "0", "x"), **game) + "claim 0\n")[0] == ([("x", 1)], 1)


@pytest.mark.parametrize(
    ("stones", "fours", "said"),
    [
        ("XX.....", "3", "a four that is none"),  # 2 makes four in a row
        ("X.XX...", "1", "a four that is none"),  # it makes four itself
        ("XX.O.X.", "4", None),
        ("XX...XX", "2", None),
        ("X.X.X..", "1", None),
        ("XX.X...", "2", "a four that is none"),
    ],
)
def test_blocks_an_exact_four_by_a_stone_at_its_end(
    stones: str, fours: str, said: str | None
) -> None:
    x, o = (sum(1 << cell for cell in range(7) if stones[cell] == side) for side in "XO")
    body = (
        head(WIN, (f"{x:x}", f"{o:x}", "x"), shape=[7, 1], exactly=True)
        + f"claim 0\n{x:x} {o:x} fours {fours}\n"
    )
    if said is None:
        assert both(body)[0] == ([("x", 1)], 1)
    else:
        rejected(body, said)


def test_makes_the_same_lines_and_ends_everywhere() -> None:
    draw = random.Random(6)
    for _ in range(150):
        shape = draw.choice([(5,), (2, 3), (4, 3), (3, 3), (5, 4), (2, 2, 2), (3, 2, 3), (2, 5)])
        torus, exactly = draw.random() < 0.5, draw.random() < 0.8
        holes = sorted(draw.sample(range(prod(shape)), draw.randrange(3)))
        k = draw.randint(1, lcm(*shape) if torus else max(shape))
        told = {"shape": list(shape), "k": k, "torus": torus, "gravity": False, "misere": False}
        told |= ({"holes": holes} if holes else {}) | ({"exactly": True} if exactly else {})
        game = LineGame.grid(
            *shape, k=k, torus=torus, holes=sum(1 << cell for cell in holes), exactly=exactly
        )
        expected = oracles.lines_and_ends(shape, k, torus, holes)
        expected = [(line, ends if exactly else []) for line, ends in expected]
        for lines in (
            [(line.mask, line.ends if exactly else 0) for line in game.lines],
            checker.Game(told).lines,
        ):
            assert expected == sorted(
                (list(checker.bits(line)), list(checker.bits(ends))) for line, ends in lines
            )
        assert expected == sorted(
            (sorted(line), sorted(ends)) for line, ends in second.Rules(told).lines
        )


def test_proves_only_true_values_with_holes_and_exact_lines() -> None:
    """Other values are refused, and so is the proof under other rules, unless it proves them."""
    draw, seen = random.Random(31), Counter[str]()
    for _ in range(sized(8, 60)):
        position = None
        while position is None or position.empty.bit_count() > 7:
            game = some_game(draw, 16, alternates=True)
            position = running_position(game, draw)
        proof = mutants.Proof.read(proof_of(position))
        value = value_by_walking(position)
        (claims, _), other = both(proof.body())  # type: ignore[misc]
        assert claims == other[0]  # type: ignore[index]
        assert claims == ([("xo"[value < 0], 1)] if value else [("x", 0), ("o", 0)])
        for section, side, least in itertools.product(proof.sections, "xo", (0, 1)):
            if (value if side == "x" else -value) < least:
                changed = proof.head | {"claims": [{"side": side, "at_least": least}]}
                rejected(mutants.Proof(changed, [section]).body())
        for rules in other_rules(proof.head["game"], draw):
            changed = proof.head | {"game": rules}
            one, other = both(mutants.Proof(changed, proof.sections).body())
            assert one == other
            truths = [mutants.is_true(changed, claim, 10**6) for claim in claims_of(proof)]
            assert one is None or False not in truths, changed
            seen["false" if False in truths else "refused" if one is None else "still proved"] += 1
    assert min(seen[each] for each in ("false", "refused", "still proved")) > sized(6, 50), seen


def claims_of(proof: mutants.Proof) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = proof.head["claims"]
    return found


def value_by_walking(position: Position) -> int:
    """The value in X's view, by rules that know no line."""
    game = position.game
    shape, k = game.shape, game.given

    def places(board: int) -> frozenset[oracles.Place]:
        return frozenset(coordinates(shape, cell)[: len(shape)] for cell in bits(board))

    assert isinstance(k, int)
    rules = oracles.LineRules(
        shape,
        k,
        round=range(len(shape) if game.torus else 0),
        holes=places(game.holes),
        gravity=game.gravity,
        misere=game.misere,
        exactly=game.exactly,
    )
    return rules.value((places(position.first), places(position.second)))


def other_rules(game: dict[str, Any], draw: random.Random) -> Iterator[dict[str, Any]]:
    """The game with exact lines where it has not, or without; with a hole more, or one fewer."""
    plain = {name: told for name, told in game.items() if name != "exactly"}
    yield plain if "exactly" in game else game | {"exactly": True}
    for cell in draw.sample(range(prod(game["shape"])), 5):
        holes = sorted({*game.get("holes", ())} ^ {cell})
        plain = {name: told for name, told in game.items() if name != "holes"}
        yield plain | {"holes": holes} if holes else plain


def test_requires_ends_of_given_exact_lines() -> None:
    ring = LineGame.grid(4, 3, k=3, torus="x", exactly=True, holes=0b01100000)
    text = proof_of(ring.start())
    told = json.loads(text.partition("\n")[0])
    one, other = both(text[: text.rindex("digest")])
    assert one == other
    assert one is not None
    assert all(mutants.is_true(told, claim, 10**6) for claim in told["claims"])
    assert (told["game"]["holes"], told["game"]["exactly"]) == ([5, 6], True)
    at = told["game"]["lines"].index([0, 1, 2])
    assert told["game"]["ends"][at] == [3]


# The two checkers


MUTANTS = {  # of a small size, 893 in all; fewer where a proof takes longer to check
    "tictactoe": 140,
    "4,3,3": 160,
    "4,4,4": 100,
    "misere-tictactoe": 100,
    "torus-tictactoe": 160,
    "5,4,4": 24,
    "4,4,3,gravity": 60,
    "4,4,4,gravity": 6,
    "6,6,4": 2,
    "7,7,4": 1,
    "4,3,3,exactly": 24,
    "4,4,3,exactly,holes=b2": 12,
    "4,4,3,holes=a1+b3": 40,
    "3,4,3,gravity,misere,exactly,holes=b2": 24,
    "3,3,2,torus,exactly,holes=a1": 40,
    "4,4,4,gravity with signs": 40,
    "4,4,3,gravity with signs": 60,
    "4,3,4,gravity,holes=b2 with signs": 40,
}


@pytest.mark.parametrize("name", MUTANTS)
def test_accepts_only_true_changed_proofs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # a smaller graph of these games has nearly no moves
    monkeypatch.setattr("plyscope_fast.solving.signplan.Plan.shorten", lambda plan: None)
    draw, (game, _, signs) = random.Random(name), name.partition(" with ")
    proof = mutants.Proof.read(proof_of(parse(game), with_signs=bool(signs)))
    accepted, decided, count = 0, 0, sized(1, 10) * MUTANTS[name]
    for _ in range(count):
        text = mutants.mutant(proof, draw)
        body = text[: text.rindex("digest")]
        one, other = both(body)
        assert one == other, text
        if one is not None:
            told = json.loads(body.partition("\n")[0])
            truths = [mutants.is_true(told, claim, 40_000) for claim in told["claims"]]
            assert False not in truths, text
            accepted, decided = accepted + 1, decided + (None not in truths)
    assert count < 50 or accepted > count / 10
    assert count < 100 or decided > accepted / 3


@pytest.mark.parametrize(
    "text",
    [
        "2x2x2,2",
        "4,3,3,gravity",
        "2x2x2,2,gravity",
        "3,3,3,torus,misere",
        "X../.O./..X",
        "X.../..../..../.... o",
        "1,1,1",
    ],
)
def test_accepts_written_proofs_in_both_checkers(text: str) -> None:
    proof = proof_of(parse(text))
    one, other = both(proof[: proof.rindex("digest")])
    assert one == other
    assert one is not None


def test_accepts_games_of_any_lines_in_both_checkers() -> None:
    draw = random.Random(4)
    for number in range(40):
        cells = [draw.sample(range(9), draw.randint(2, 4)) for _ in range(draw.randint(0, 7))]
        for image in (MIRROR, TURN)[: number % 3]:  # lines with symmetries
            for _ in range(3):
                cells += [[image[cell] for cell in line] for line in cells]
                cells = [list(line) for line in {tuple(sorted(line)) for line in cells}]
        lines = tuple(Line(sum(1 << cell for cell in line), "line") for line in sorted(cells))
        game = LineGame(
            "lines", (3, 3), lines, gravity=draw.random() < 0.3, misere=draw.random() < 0.3
        )
        proof = proof_of(game.start())
        one, other = both(proof[: proof.rindex("digest")])
        assert one == other
        assert one is not None
        told = json.loads(proof.partition("\n")[0])
        assert all(mutants.is_true(told, claim, 10**6) for claim in told["claims"])


def test_documents_the_format_with_a_proof() -> None:
    page = (ROOT / "docs" / "reference" / "proofs.md").read_text(encoding="utf-8")
    shown = re.search(r"```text\n(.*?)```", page, re.DOTALL)
    assert shown[1] == proof_of(parse("X../.O./..X"))
    assert tuple(second.check(shown[1].encode())) == (
        [("x", 0), ("o", 0)],
        verify(shown[1])["positions"],
    )


def imports(path: Path) -> set[str]:
    tree = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return {name.name for node in tree if isinstance(node, ast.Import) for name in node.names} | {
        node.module or "" for node in tree if isinstance(node, ast.ImportFrom)
    }


def test_keeps_the_checker_short() -> None:
    """At most 650 lines of code, besides the arguments written beside it: 600 for eight kinds of
    answers, and 50 for signs."""
    text = Path(checker.__file__).read_text(encoding="utf-8")
    told = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    code = [
        line
        for number, line in enumerate(text.splitlines(), 1)
        if number not in told and line.strip() and not line.strip().startswith("#")
    ]
    assert len(code) <= 650


def test_imports_nothing_into_the_checkers() -> None:
    assert {name.partition(".")[0] for name in imports(Path(checker.__file__))} <= set(
        sys.stdlib_module_names
    )
    assert imports(ROOT / "tests" / "checker.py") == {
        "__future__",
        "fractions",
        "hashlib",
        "itertools",
        "math",
        "typing",
    }


# Work


@pytest.mark.parametrize(
    "body",
    [
        head(k=10**9),
        head(shape=[1] * 20, k=1),
        head(shape=[2] * 10, k=2),
        head(shape=[2] * 8, k=2),
        head(shape=[1024], k=1024, torus=True),
        head(lines=[[100000000000]]),
        head(lines=[[10**30]]),
        head(shape=[32, 32], lines=[[0, *range(at, at + 600)] for at in range(1, 424)] * 2),
        "[" * 3_000_000 + "\n",
        '{"a":' * 500_000 + "\n",
        "[" + "0," * 2_200_000 + "0]\n",
        head(lines=ROWS) + "claim 0\n0 0 fours " + "1," * 1_000_000 + "1\n",
        head(lines=ROWS) + "claim 0\n" + "f" * 1_000_000 + " 0 1\n",
        head(lines=ROWS) + "claim 0\n" + "\n" * 1_000_000,
    ],
    ids=range(14),
)
def test_rejects_a_bomb_before_making_it(body: str) -> None:
    with pytest.raises(Rejected):
        verify(signed(body if "claim 0" in body else f"{body}claim 0\n"))


@pytest.mark.parametrize(
    ("limit", "least", "said"),
    [
        ("MAX_POSITIONS", 85, "positions"),
        ("MAX_LINE_CHECKS", 10_000, "tests of a line"),
        ("MAX_BYTES", 700, "bytes"),
        ("MAX_IMAGES", 71, "images of cells"),
        ("MAX_HEAD_BYTES", 200, "first line"),
        ("MAX_LINE_CELLS", 107, "steps"),
    ],
)
def test_limits_the_work(
    monkeypatch: pytest.MonkeyPatch, limit: str, least: int, said: str
) -> None:
    proof = proof_of(parse("tictactoe"))
    assert verify(proof)["positions"] == 86
    monkeypatch.setattr(checker, limit, least)
    with pytest.raises(Rejected, match=f"{least:,} {said}|{said}"):
        verify(proof)


def test_requires_answers_in_the_order_of_stones() -> None:
    head_line, *lines, _ = proof_of(parse("tictactoe")).splitlines(keepends=True)
    moves = [at for at, line in enumerate(lines) if line[0].isdigit() and "-" not in line]
    for at, later in itertools.pairwise(moves):
        changed = lines.copy()
        changed[at], changed[later] = changed[later], changed[at]
        counts = [sum(int(w, 16).bit_count() for w in lines[i].split()[:2]) for i in (at, later)]
        is_proof = counts[0] == counts[1]
        assert (both(head_line + "".join(changed))[0] is not None) == is_proof


def test_keeps_only_two_plies(monkeypatch: pytest.MonkeyPatch) -> None:
    proof, most = proof_of(parse("misere-tictactoe")), Counter[str]()

    class Watched(checker.Work):
        def add(self, **more: int) -> None:
            super().add(**more)
            most.update({name: max(0, self.done[name] - most[name]) for name in more})

    monkeypatch.setattr(checker, "Work", Watched)
    positions = verify(proof)["positions"]
    answers = sum(line[0].isdigit() for line in proof.splitlines())
    assert most["positions"] == positions
    assert most["positions_at_a_time"] < 0.5 * positions
    assert most["answers_at_a_time"] < 0.5 * answers


def test_checks_the_largest_proofs_far_below_the_limit_of_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checker, "MAX_LINE_CHECKS", 100_000_000)
    assert verify(proof_of(parse("6,6,4")))["positions"] == 648


def test_counts_more_work_for_positions_of_large_boards() -> None:
    game = {"lines": [], "torus": False, "gravity": False, "misere": False}
    assert [
        checker.Game(game | {"shape": shape}).most_met
        for shape in ([3, 3], [8, 8], [15, 15], [32, 32])
    ] == [20_000_000, 20_000_000, 5_688_888, 1_250_000]


# The command


def alone(*words: str, folder: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a copy of the checker, without anything of plyscope."""
    (folder / "verify.py").write_text(
        Path(checker.__file__).read_text(encoding="utf-8"), encoding="utf-8"
    )
    return subprocess.run(
        [sys.executable, "-I", "verify.py", *words],
        cwd=folder,
        text=True,
        stderr=subprocess.PIPE,
        **({"stdout": subprocess.PIPE} | options),
    )


def one_line(text: str) -> bool:
    return re.fullmatch("[ -~]+\n", text) is not None


def test_answers_any_input_in_one_line(tmp_path: Path) -> None:
    proof = proof_of(parse("4,3,3"))
    (tmp_path / "good").write_text(proof)
    (tmp_path / "folder").mkdir()
    (tmp_path / "bad").write_text(proof.replace("claim 0", "claim 1"))
    (tmp_path / "empty").write_text("")
    (tmp_path / "deep").write_text("[" * 10_000_000)
    (tmp_path / "binary").write_bytes(random.Random(1).randbytes(100_000))
    (tmp_path / "lone").write_text(signed(head(name="\ud800")))
    (tmp_path / "\u202ereversed\n").write_text("")
    done = alone("good", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    said = "proved: X can force a win\nfrom x 0, o 0, X to move, of shape"
    assert done.stdout.startswith(said)
    assert not set("{}") & set(done.stdout)
    for name in (
        *("folder", "bad", "empty", "deep", "binary", "lone", "none", "\u202ereversed\n"),
        "/dev/zero",
    ):
        done = alone(name, folder=tmp_path)
        assert (done.returncode, done.stdout) == (1, ""), name
        assert one_line(done.stderr), done.stderr
    for words in ((), ("good", "bad"), ("--jason", "good"), ("--help",)):
        done = alone(*words, folder=tmp_path)
        assert (done.returncode, done.stdout, one_line(done.stderr)) == (2, "", True)
    with open("/dev/full", "w") as full:
        done = alone("good", folder=tmp_path, stdout=full)
    assert (done.returncode, done.stderr) == (
        1,
        "'good' proves nothing: the result cannot be printed\n",
    )


def test_reads_packed_proofs_and_rejects_bombs(tmp_path: Path) -> None:
    proof, file = proof_of(parse("4,4,4")), tmp_path / "packed"
    packed = lzma.compress(proof.encode())
    file.write_bytes(packed)
    assert verify(checker.read(str(file))) == verify(proof)
    for data, said in (
        (packed[:-1], "cut off"),
        (packed[:20], "cut off"),
        (packed + b"\n", "something after"),
        (packed + packed, "something after"),
        (packed[:40] + b"\0" + packed[41:], "damaged"),
        (lzma.compress(b" " * ((1 << 26) + 10)), "longer than a first line"),
        (lzma.compress(proof.encode(), preset=9 | lzma.PRESET_EXTREME)[:6], "cut off"),
    ):
        file.write_bytes(data)
        with pytest.raises(Rejected, match=said):
            verify(checker.read(str(file)))


def test_reads_the_rest_of_a_rejected_proof_in_pieces() -> None:
    piece, pieces = b"\n" * checker.PIECE_BYTES, 80

    def read() -> Iterator[bytes]:
        yield head(lines=ROWS).encode()
        for _ in range(pieces):
            yield piece

    began = process_time()
    with refuses(Rejected):
        verify(read())
    long = process_time() - began
    began = process_time()
    for _ in range(pieces):
        piece.split(b"\n")
    assert long < process_time() - began


def test_prints_as_json_what_is_proved_or_why_not(tmp_path: Path) -> None:
    (tmp_path / "good").write_text(signed(head(lines=ROWS) + PLAIN))
    done = alone("good", "--json", folder=tmp_path)
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    found = json.loads(done.stdout)
    assert found.pop("digest") in (tmp_path / "good").read_text()
    rules = {"shape": [3, 3], "torus": False, "gravity": False, "misere": False, "lines": ROWS}
    assert found == {
        "proved": True,
        "claims": DRAW,
        "game": rules,
        "root": {"x": "0", "o": "0", "to_move": "x"},
        "positions": 2,
    }
    done = alone("--json", "none", folder=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert json.loads(done.stdout) == {
        "proved": False,
        "error": "it cannot be read: No such file or directory",
    }


def test_escapes_text_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(head(lines=ROWS))
    for name, changed in enumerate(
        (
            told | {"name": "\x1b[2J\u202e gnorw"},
            told | {"\x1b[2J": 1},
            told | {"root": {"x": "0", "o": "-200\r", "to_move": "x"}},
            told | {"claims": [{"side": "\x1b", "at_least": 0}]},
        )
    ):
        (tmp_path / str(name)).write_text(signed(f"{json.dumps(changed)}\n{PLAIN}"))
        for words in ([], ["--json"]):
            assert run(["verify", str(tmp_path / str(name)), *words]) == (name > 0)
            printed = "".join(capsys.readouterr())
            assert re.fullmatch("[ -~\n]+", printed)
            assert not any(raw in printed for raw in ("[2J", "gnorw", "-200"))


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (MemoryError(), "not enough memory"),
        (RecursionError(), "RecursionError in the checker"),
        (KeyboardInterrupt(), "interrupted"),
    ],
)
def test_proves_nothing_after_a_failure(
    raised: BaseException,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object) -> None:
        raise raised

    monkeypatch.setattr(checker, "check_strategy", fail)
    (tmp_path / "p").write_text(signed(head(lines=ROWS) + PLAIN))
    assert checker.main(str(tmp_path / "p")) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert one_line(printed.err)
    assert said in printed.err


def test_obeys_an_interrupt_and_proves_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    process = subprocess.Popen(
        [sys.executable, "-I", checker.__file__, str(tmp_path / "pipe")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=listens,
    )
    with open(tmp_path / "pipe", "w"):  # opens when the checker reads
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, "")
    assert err.endswith(" proves nothing: interrupted\n")
    assert one_line(err)


def listens() -> None:
    """Hear interrupts, also where this process was started so as not to."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
