"""Checks a proof of what a position is worth. Needs nothing but Python: `python verify.py FILE`, wherever this file lies.

A proof is text. Its first line is JSON: the game (the board's `shape`, the length `k` of its straight lines, or the `lines` themselves;
whether it is a `torus`, has `gravity`, is `misere`), the stones and the side to move of its `root`, and its `claims`: which side can bring
about at least a draw (0) or a win (1). Under `claim NUMBER` follow positions, a line each: the stones of X and of O as hexadecimal words
(bit 0 is the top left cell, then row by row), and what the claim's side does there:

    6 110 4             it plays cell 4
    1 10 pairs 2-8,5-7  the other side to move, it answers each of two cells with the other: each line that it has no stone on holds such
                        a pair, so that the other side completes none (without gravity, where lines win, for claims of a draw alone)
    3 18 fours 5,7      it takes one of these cells after the other, each of which leaves the other side one answer, until it completes a
                        line or can do so in two cells; where the other side is to move, after whatever that does, unless the file tells
                        what is done then (without gravity, where lines win)

Where nothing is said, the claim's side completes a line if it can, and else takes the one cell that completes a line of the other's.

The last line is the SHA-256 digest of all lines before it. A claim is proved when every game in which its side plays so, whatever the other
does, ends as claimed, or in pairs.

To be trusted: Python, this file, and your eyes, that the game it tells is the one you mean. Nothing else of plyscope is.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import sys
from collections.abc import Iterator
from typing import Any

__all__ = ["main", "verify"]

MOST_CELLS = 1024


def straight_lines(shape: list[int], k: int, torus: bool) -> list[int]:
    """Return the masks of all straight lines of k cells."""
    found: set[int] = set()
    for start in itertools.product(*map(range, shape)):
        for step in itertools.product((-1, 0, 1), repeat=len(shape)):
            places = [[x + at * d for x, d in zip(start, step, strict=True)] for at in range(k)]
            if torus:
                places = [[x % size for x, size in zip(place, shape, strict=True)] for place in places]
            if all(0 <= x < size for place in places for x, size in zip(place, shape, strict=True)):
                cells = set()
                for place in places:
                    number = 0
                    for x, size in zip(reversed(place), reversed(shape), strict=True):
                        number = number * size + x
                    cells.add(number)
                if len(cells) == k:
                    found.add(sum(1 << cell for cell in cells))
    return sorted(found)


def size_of(shape: list[int]) -> int:
    """Return the number of cells."""
    size = 1
    for length in shape:
        size *= length
    return size


class Game:
    """The rules, made from the first line of a proof."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.shape, self.gravity, self.misere = told["shape"], told["gravity"], told["misere"]
        self.size = size_of(self.shape)
        self.lines = [sum(1 << cell for cell in line) for line in told["lines"]] if "lines" in told else []
        self.lines = self.lines or straight_lines(self.shape, told["k"], told["torus"])
        self.through = [[line for line in self.lines if line >> cell & 1] for cell in range(self.size)]

    def moves(self, taken: int) -> Iterator[int]:
        """Return the cells that can be taken; with gravity those that lie on the floor or on a taken one."""
        width, height = (*self.shape, 1)[:2]
        for cell in range(self.size):
            on_floor = cell // width % height == height - 1
            if not taken >> cell & 1 and (not self.gravity or on_floor or taken >> cell + width & 1):
                yield cell

    def outcome(self, stones: tuple[int, ...], mover: int, cell: int) -> int | None:
        """Return the side (0 or 1) that has won by `mover` taking `cell`, 2 for a full board, None while the game goes on."""
        if any(stones[mover] & line == line for line in self.through[cell]):
            return 1 - mover if self.misere else mover
        return 2 if stones[0] | stones[1] == (1 << self.size) - 1 else None


def plain_move(game: Game, stones: tuple[int, ...], side: int) -> int:
    """Return the cell that completes a line, else the one that keeps the other side from it, else −1."""
    cells = list(game.moves(stones[0] | stones[1]))
    for own in () if game.misere else (stones[side], stones[1 - side]):
        for cell in cells:
            if any((own | 1 << cell) & line == line for line in game.through[cell]):
                return cell
    return -1


def check(is_so: bool, text: str) -> None:
    """Reject the proof unless `is_so`."""
    if not is_so:
        raise ValueError(text)


def check_pairs(game: Game, pairs: list[tuple[int, ...]], stones: tuple[int, ...], side: int, least: int) -> None:
    """Reject pairs that do not keep the other side from completing a line."""
    check(not game.gravity and not game.misere and least == 0, "pairs do not prove this claim")
    cells = [cell for pair in pairs for cell in pair]
    check(len(set(cells)) == len(cells) == 2 * len(pairs), "pairs that share a cell")
    check(all(0 <= cell < game.size and not (stones[0] | stones[1]) >> cell & 1 for cell in cells), "a pair on a cell that is taken")
    masks = [1 << one | 1 << other for one, other in pairs]
    for line in game.lines:
        check(line & stones[side] or any(line & mask == mask for mask in masks), "a line without a pair")


def completing(lines: list[int], own: int, other: int) -> set[int]:
    """Return the cells, each as a mask, that complete one of these lines."""
    lefts = (line & ~own for line in lines if not line & other)
    return {left for left in lefts if not left & (left - 1)}


def check_fours(game: Game, fours: list[int], stones: tuple[int, ...], side: int) -> None:
    """Reject moves by which the side, which is to move, does not win for certain."""
    check(not game.gravity and not game.misere, "fours do not prove this claim")
    own, other = stones[side], stones[1 - side]
    threats = completing(game.lines, other, own)
    for cell in fours:
        check(0 <= cell < game.size and not (own | other) >> cell & 1, "a four on a cell that is taken")
        own |= 1 << cell
        if any(own & line == line for line in game.through[cell]):
            return
        check(threats <= {1 << cell}, "fours that come too late")
        answers = completing(game.through[cell], own, other)
        if len(answers) > 1:
            return
        check(bool(answers), "a four that is none")
        other |= (answer := answers.pop())
        threats = completing(game.through[answer.bit_length() - 1], other, own)
    check(False, "fours that do not win")


def check_claim(game: Game, root: tuple[int, int, int], side: int, least: int, told: dict[tuple[int, int], tuple[str, Any]]) -> int:
    """Reject the claim unless every game that follows what is told ends as it says; return the number of positions met."""
    todo, seen = [root], {root}
    while todo:
        x, o, mover = todo.pop()
        stones, at = (x, o), f"{x:x} {o:x}"
        kind, answer = told.get((x, o), ("", None))
        check(kind in (("move", "fours", "") if mover == side else ("pairs", "fours", "")), f"a {kind} of the wrong side at {at}")
        if kind == "pairs":
            check_pairs(game, answer, stones, side, least)
            continue
        if mover != side:
            moves = game.moves(x | o)
        elif kind == "fours":
            check_fours(game, answer, stones, side)
            continue
        else:
            move: int = answer if kind == "move" else plain_move(game, stones, side)
            check(move in game.moves(x | o), f"no legal move for {at}: {answer}")
            moves = iter([move])
        for cell in moves:
            after = tuple(stones[who] | (who == mover) << cell for who in (0, 1))
            outcome = game.outcome(after, mover, cell)
            if outcome is not None:
                check(outcome == side or (outcome == 2 and least == 0), f"{at} and cell {cell} end otherwise than claimed")
            elif kind == "fours" and after not in told:
                check_fours(game, answer, after, side)
            elif (next_ := (after[0], after[1], 1 - mover)) not in seen:
                seen.add(next_)
                todo.append(next_)
    return len(seen)


def verify(text: str) -> dict[str, Any]:
    """Return what a proof proves: its first line, the positions met, and its digest. Raises ValueError for what proves nothing."""
    body, _, last = text.rstrip("\n").rpartition("\n")
    digest = hashlib.sha256(f"{body}\n".encode()).hexdigest()
    check(text == f"{body}\n{last}\n" and last == f"digest {digest}", "the digest is not that of the text")
    first, *lines = body.split("\n")
    told = json.loads(first)
    check(told.get("format") == "plyscope proof 1", "no proof of this format")
    check(0 < size_of(told["game"]["shape"]) <= MOST_CELLS and min(told["game"]["shape"]) > 0, f"no board of at most {MOST_CELLS} cells")
    game = Game(told["game"])
    root = (int(told["root"]["x"], 16), int(told["root"]["o"], 16), "xo".index(told["root"]["to_move"]))
    stones, board = root[:2], (1 << game.size) - 1
    check(not stones[0] & stones[1] and (stones[0] | stones[1]) <= board, "the stones overlap or leave the board")
    check(not any(own & line == line for own in stones for line in game.lines) and stones[0] | stones[1] != board, "the game is over")
    answers: list[dict[tuple[int, int], Any]] = [{} for _ in told["claims"]]
    for line in lines:
        words = line.split(" ")
        if words[0] == "claim":
            here = answers[int(words[1])]
            continue
        position = (int(words[0], 16), int(words[1], 16))
        if words[2] == "pairs":
            here[position] = ("pairs", [tuple(map(int, pair.split("-"))) for pair in words[3].split(",")])
        elif words[2] == "fours":
            here[position] = ("fours", list(map(int, words[3].split(","))))
        else:
            here[position] = ("move", int(words[2]))
    met = 0
    for claim, found in zip(told["claims"], answers, strict=True):
        check(claim["at_least"] in (0, 1), "a claim of neither a draw nor a win")
        met += check_claim(game, root, "xo".index(claim["side"]), claim["at_least"], found)
    return {**told, "positions": met, "digest": digest}


def main(path: str) -> int:
    """Say whether the file is a proof, and of what; return the exit status."""
    try:
        with open(path, encoding="utf-8") as file:
            found = verify(file.read())
    except OSError as error:
        print(f"cannot read {path!r}: {error.strerror}", file=sys.stderr)
        return 2
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, UnboundLocalError, RecursionError) as error:
        print(f"{path!r} proves nothing: {error}", file=sys.stderr)
        return 1
    for claim in found["claims"]:
        print(f"proved: {claim['side'].upper()} can bring about {('at least a draw', 'a win')[claim['at_least']]}")
    print(
        f"from x {found['root']['x']}, o {found['root']['o']}, {found['root']['to_move'].upper()} to move, of {json.dumps(found['game'])}"
    )
    print(f"{found['positions']:,} positions met; digest {found['digest']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else "expected one file")
