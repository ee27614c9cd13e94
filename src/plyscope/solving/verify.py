"""Checks a proof of what a position is worth. Needs nothing but Python: `python -I verify.py FILE
[--json]`, wherever this file lies.

A proof is a strategy in text. Its first line is JSON: the game (the board's `shape`, the length `k`
of its straight lines or the `lines` themselves, whether it is a `torus`, has `gravity`, is
`misere`; its `holes`, and whether lines have to be `exactly` so long), the stones and the side to
move of its `root`, and its `claims`: which side can bring about at least a draw (0) or a win (1).
Under `claim NUMBER` follow positions, a line each: the stones of X and of O as hexadecimal words
(bit 0 is the top left cell, then row by row), and what the claim's side does there:

    6 110 4             it plays cell 4
    1 10 pairs 2-8,5-7  the other side to move, it answers each of two cells with the other: each
                        line that it has no stone on holds such a pair, so that the other side
                        completes none
    3 18 fours 5,7      it takes one of these cells after the other, each of which leaves the other
                        side one answer, until it completes a line or can do so in two cells; where
                        the other side is to move, after whatever that does, unless the file tells
                        what is done then

Where nothing is said, the claim's side completes a line if it can, and else takes a cell that
completes a line of the other's.

The last line is the SHA-256 digest of all lines before it. A claim is proved when every game in
which its side plays so, whatever the other does, ends as claimed, or in pairs or fours.
docs/reference/proofs.md has the whole format, so that others can write a checker of their own.

To be trusted: Python, this file, and your eyes, that the game it tells is the one you mean. Nothing
else of plyscope is.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import math
import os
import re
import sys
from collections.abc import Iterator
from typing import Any, NoReturn

MOST_BYTES, MOST_HEAD, MOST_ANSWER = 1 << 26, 1 << 22, 1 << 13
"""The length of a file, of its first line, and of any other line."""
MOST_CELLS, MOST_DIMENSIONS, MOST_LINE_CELLS = 1024, 8, 500_000
"""The last for the cells of all lines together, or for the steps that find them: cells × directions
× k."""
MOST_POSITIONS, LARGE = 2_000_000, 64
"""Positions told, and positions met, in all claims together; of boards of more than LARGE cells as
many fewer are met."""
MOST_LOOKS = 2_000_000_000
"""Looks at a line, rounded up: some ten minutes at the most, on the largest boards."""

WORD = "(0|[1-9a-f][0-9a-f]{0,255})"
CELL = "(?:0|[1-9][0-9]{0,3})"
ANSWER = re.compile(
    f"{WORD} {WORD} (?:({CELL})|pairs ({CELL}-{CELL}(?:,{CELL}-{CELL})*)"
    f"|fours ({CELL}(?:,{CELL})*))"
)
LEAST = ("at least a draw", "a win")


class Rejected(ValueError):
    """Why a file proves nothing, in words and numbers of our own: never in the file's."""


def check(is_so: bool, text: str) -> None:
    """Reject the proof unless `is_so`."""
    if not is_so:
        raise Rejected(text)


# The rules


def bits(mask: int) -> Iterator[int]:
    """Yield the cells of a mask."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


Line = tuple[int, int]
"""A line as masks: its cells, and those at its ends, on which who completes it has no stone; 0
where that does not matter."""


def straight_lines(shape: list[int], k: int, torus: bool, holes: int, exactly: bool) -> list[Line]:
    """Return all straight lines of k cells."""
    directions = (3 ** len(shape) - 1) // 2
    check(
        math.prod(shape) * directions * k <= MOST_LINE_CELLS,
        f"lines that take more than {MOST_LINE_CELLS:,} steps to find",
    )
    found: set[Line] = set()
    for start in itertools.product(*map(range, shape)):
        for step in itertools.product((-1, 0, 1), repeat=len(shape)):
            if step < (0,) * len(shape):
                continue  # its opposite has the same lines
            line, ends = 0, 0
            for at in range(k):
                line |= cell_at(shape, torus, start, step, at)
            if line.bit_count() < k or line & holes:
                continue
            for at in (-1, k) if exactly and k > 1 else ():
                ends |= cell_at(shape, torus, start, step, at)
            found.add((line, ends & ~line & ~holes))
    return sorted(found)


def cell_at(
    shape: list[int], torus: bool, start: tuple[int, ...], step: tuple[int, ...], at: int
) -> int:
    """Return the mask of the cell so many steps from another, 0 off the board."""
    number = 0
    for x, d, size in zip(reversed(start), reversed(step), reversed(shape), strict=True):
        x += at * d
        if not torus and not 0 <= x < size:
            return 0
        number = number * size + x % size
    return 1 << number


def completes(lines: list[Line], own: int) -> bool:
    """Return whether stones have one of these lines."""
    return any(own & line == line and not own & ends for line, ends in lines)


class Game:
    """The rules, made from what the first line of a proof says of the game."""

    def __init__(self, told: Any) -> None:
        may = {"lines", "holes", "exactly"} & set(told) if type(told) is dict else set()
        listed, self.exactly = "lines" in may, "exactly" in may
        names = {"shape", "torus", "gravity", "misere", "k"} | may
        if listed:
            names ^= {"k", "ends"} if self.exactly else {"k"}
        fields(told, names, "game")
        shape: Any = told["shape"]
        check(
            type(shape) is list and 0 < len(shape) <= MOST_DIMENSIONS,
            f"a shape that is no list of 1 to {MOST_DIMENSIONS} numbers",
        )
        self.shape: list[int] = [
            number(length, 1, MOST_CELLS, "a length in the shape") for length in shape
        ]
        self.size = math.prod(self.shape)
        check(self.size <= MOST_CELLS, f"a board of more than {MOST_CELLS} cells")
        for name in ("torus", "gravity", "misere"):
            check(type(told[name]) is bool, f"{name} that is neither true nor false")
        check(told.get("exactly", True) is True, "exactly that is not true")
        self.gravity, self.misere = bool(told["gravity"]), bool(told["misere"])
        check(not self.gravity or len(shape) > 1, "gravity on a board that has no height")
        self.holes = 0
        if "holes" in may:
            self.holes = mask_of(told["holes"], self.size, "holes")
        self.board = (1 << self.size) - 1 & ~self.holes
        check(self.board > 0, "holes that leave no cell")
        check(self.holes > 0 or "holes" not in may, "holes that are none")
        self.told: dict[str, Any] = {
            "shape": self.shape,
            "torus": told["torus"],
            "gravity": self.gravity,
            "misere": self.misere,
            **{name: told[name] for name in ("holes", "exactly") if name in may},
        }
        if listed:
            check(not told["torus"], "a torus whose lines are told")
            self.lines = self._listed(told)
            self.told |= {name: told[name] for name in ("lines", "ends") if name in told}
        else:
            longest = math.lcm(*self.shape) if told["torus"] else max(self.shape)
            self.told["k"] = number(told["k"], 1, longest, "k")
            self.lines = straight_lines(
                self.shape, told["k"], told["torus"], self.holes, self.exactly
            )
        self.through: list[list[Line]] = [[] for _ in range(self.size)]
        for line in self.lines:
            for cell in bits(line[0]):
                self.through[cell].append(line)
        self.most_met = MOST_POSITIONS * LARGE // max(LARGE, self.size)
        self.crossings, self.busiest = sum(map(len, self.through)), max(map(len, self.through))

    def _listed(self, game: dict[str, Any]) -> list[Line]:
        for name in ("lines", "ends") if self.exactly else ("lines",):
            check(
                type(game[name]) is list and all(type(cells) is list for cells in game[name]),
                f"{name} that are no list of lists",
            )
        lines = game["lines"]
        ends = game["ends"] if self.exactly else [[]] * len(lines)
        check(len(ends) == len(lines), "ends that are not as many as the lines")
        check(
            sum(map(len, (*lines, *ends))) <= MOST_LINE_CELLS,
            f"lines of more than {MOST_LINE_CELLS:,} cells together",
        )
        told = list(zip(lines, ends, strict=True))
        found = []
        for cells, beyond in told:
            line = mask_of(cells, self.size, "a line")
            check(line > 0, "a line without a cell")
            end = mask_of(beyond, self.size, "the ends of a line")
            check(not line & end, "a line that has its own end")
            check(not (line | end) & self.holes, "a line or an end on a hole")
            found.append((line, end))
        # As text, whose hashes nobody can make alike.
        check(len(set(map(str, told))) == len(told), "a line that is told twice")
        return found

    def stands(self, cell: int, taken: int) -> bool:
        """Return whether a stone on `cell` would lie on the floor, on a hole or on a taken cell."""
        width, height = self.shape[:2]
        return cell // width % height == height - 1 or bool(
            (taken | self.holes) >> cell + width & 1
        )

    def moves(self, taken: int) -> Iterator[int]:
        """Yield the cells that can be taken; with gravity those that lie on the floor, on a
        hole or on a taken one."""
        for cell in bits(self.board & ~taken):
            if not self.gravity or self.stands(cell, taken):
                yield cell

    def outcome(self, stones: tuple[int, ...], mover: int, cell: int) -> int | None:
        """Return the side (0 or 1) that has won by `mover` taking `cell`, 2 for a full board, None
        while the game goes on."""
        if completes(self.through[cell], stones[mover]):
            return 1 - mover if self.misere else mover
        return 2 if stones[0] | stones[1] == self.board else None


def plain_move(game: Game, stones: tuple[int, ...], side: int) -> int:
    """Return the cell that completes a line, else one that keeps the other side from it, the first
    such cell; −1 where there is none."""
    cells = list(game.moves(stones[0] | stones[1]))
    for own in () if game.misere else (stones[side], stones[1 - side]):
        for cell in cells:
            if completes(game.through[cell], own | 1 << cell):
                return cell
    return -1


# The strategy


def check_pairs(game: Game, cells: tuple[int, ...], own: int) -> None:
    """Reject pairs that do not keep the other side from completing a line."""
    masks = [1 << one | 1 << other for one, other in zip(cells[::2], cells[1::2], strict=True)]
    for line, _ in game.lines:
        check(
            bool(line & own) or any(line & mask == mask for mask in masks), "a line without a pair"
        )


def completing(lines: list[Line], own: int, other: int) -> set[int]:
    """Return the cells, each as a mask, that complete one of these lines."""
    lefts = (line & ~own for line, ends in lines if not line & other and not own & ends)
    return {left for left in lefts if left.bit_count() == 1}


def check_fours(game: Game, fours: tuple[int, ...], stones: tuple[int, ...], side: int) -> None:
    """Reject moves by which the side, which is to move, does not win for certain."""
    own, other = stones[side], stones[1 - side]
    threats, answers = completing(game.lines, other, own), completing(game.lines, own, other)
    for cell in fours:
        check(not (own | other) >> cell & 1, "a four on a cell that is taken")
        own |= 1 << cell
        if 1 << cell in answers:
            return
        check(threats <= {1 << cell}, "fours that come too late")
        if game.exactly:  # the stone may be at the end of what could be completed
            answers = {
                left
                for left in answers
                if completes(game.through[left.bit_length() - 1], own | left)
            }
        answers |= completing(game.through[cell], own, other)
        if len(answers) > 1:
            return
        check(bool(answers), "a four that is none")
        other |= (answer := answers.pop())
        threats = completing(game.through[answer.bit_length() - 1], other, own)
    check(False, "fours that do not win")


Told = dict[str, tuple[str, tuple[int, ...]]]


class Work:
    """What the check of a proof has taken so far."""

    def __init__(self, game: Game) -> None:
        self.most_met = game.most_met
        self.told = self.met = self.looks = 0

    def add(self, told: int = 0, met: int = 0, looks: int = 0) -> None:
        """Count it, and give up where it is too much."""
        self.told, self.met, self.looks = self.told + told, self.met + met, self.looks + looks
        check(self.told <= MOST_POSITIONS, f"more than {MOST_POSITIONS:,} answers")
        check(self.met <= self.most_met, f"more than {self.most_met:,} positions")
        check(self.looks <= MOST_LOOKS, f"more than {MOST_LOOKS:,} looks at a line")


def check_claim(
    game: Game, root: tuple[int, int, int], side: int, least: int, told: Told, work: Work
) -> None:
    """Reject the claim unless every game that follows what is told ends as it says."""
    # Positions as text, as they are told: the mover follows from the root's.
    todo, seen = [root], {f"{root[0]:x} {root[1]:x}"}
    work.add(met=1)
    while todo:
        x, o, mover = todo.pop()
        stones, at = (x, o), f"{x:x} {o:x}"
        work.add(looks=2 * game.crossings + 16 * game.size)
        kind, cells = told.get(at, ("", ()))
        check(
            kind in ("", "fours", "move" if mover == side else "pairs"),
            f"{kind} of the wrong side at {at}",
        )
        if kind == "pairs":
            work.add(looks=len(game.lines) * len(cells))
            check_pairs(game, cells, stones[side])
            continue
        if mover != side:
            moves = list(game.moves(x | o))
        elif kind == "fours":
            check_fours(game, cells, stones, side)
            continue
        else:
            move = cells[0] if kind else plain_move(game, stones, side)
            moves = [cell for cell in game.moves(x | o) if cell == move]
        check(bool(moves), f"no legal move at {at}")
        for cell in moves:
            after = tuple(stones[who] | (who == mover) << cell for who in (0, 1))
            outcome, at_after = game.outcome(after, mover, cell), f"{after[0]:x} {after[1]:x}"
            if outcome is not None:
                check(
                    outcome == side or (outcome == 2 and least == 0),
                    f"{at} and cell {cell} end otherwise than claimed",
                )
            elif kind == "fours" and at_after not in told:
                work.add(looks=2 * (len(game.lines) + len(cells) * game.busiest))
                work.add(looks=game.crossings if game.exactly else 0)
                check_fours(game, cells, after, side)
            elif at_after not in seen:
                work.add(met=1)
                seen.add(at_after)
                todo.append((after[0], after[1], 1 - mover))


# Reading


def fields(told: Any, names: set[str], where: str) -> None:
    """Reject what is no object with exactly these names."""
    check(
        type(told) is dict and set(told) == names,
        f"{where} without exactly the names {', '.join(sorted(names))}",
    )


def number(told: Any, least: int, most: int, what: str) -> int:
    """Return a whole number in range, written as one."""
    check(
        type(told) is int and least <= told <= most,
        f"{what} that is no whole number from {least} to {most}",
    )
    return int(told)


def mask_of(told: Any, size: int, what: str) -> int:
    """Return the cells that a list tells in increasing order."""
    check(type(told) is list, f"{what} that are no list")
    for cell in told:
        number(cell, 0, size - 1, f"a cell of {what}")
    check(
        all(one < other for one, other in itertools.pairwise(told)),
        f"{what} whose cells do not increase",
    )
    return sum(1 << cell for cell in told)


def word(told: Any, what: str) -> int:
    """Return the stones that a hexadecimal word tells."""
    check(
        type(told) is str and re.fullmatch(WORD, told) is not None,
        f"{what} that is no hexadecimal word",
    )
    return int(told, 16)


def side_of(told: Any, what: str) -> int:
    """Return 0 for x, 1 for o."""
    check(type(told) is str and told in ("x", "o"), f"{what} that is neither x nor o")
    return int(told == "o")


def read_json(text: str) -> Any:
    """Return the first line's data: whole numbers without sign, no name twice."""

    def whole(digits: str) -> int:
        check(
            re.fullmatch(CELL, digits) is not None,
            "a number that is not whole, or has a sign, or more than four digits",
        )
        return int(digits)

    def no_number(text: str) -> NoReturn:
        raise Rejected("a number that is not whole")

    def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        check(len({name for name, _ in pairs}) == len(pairs), "a name that is told twice")
        return dict(pairs)

    try:
        return json.loads(
            text,
            parse_int=whole,
            parse_float=no_number,
            parse_constant=no_number,
            object_pairs_hook=object_of,
        )
    except (json.JSONDecodeError, RecursionError):
        raise Rejected("a first line that is not JSON") from None


def read_head(text: str) -> tuple[Game, tuple[int, int, int], list[tuple[int, int]]]:
    """Return the game, the root and the claims of the first line."""
    told = read_json(text)
    names = {"format", "game", "root", "claims"}
    fields(
        told, names | {"name"} if type(told) is dict and "name" in told else names, "a first line"
    )
    check(told["format"] == "plyscope proof 1", "another format than plyscope proof 1")
    check(type(told.get("name", "")) is str, "a name that is no text")
    game = Game(told["game"])
    fields(told["root"], {"x", "o", "to_move"}, "a root")
    root = (
        word(told["root"]["x"], "x"),
        word(told["root"]["o"], "o"),
        side_of(told["root"]["to_move"], "to_move"),
    )
    taken = root[0] | root[1]
    check(
        not root[0] & root[1] and not taken & ~game.board,
        "stones of the root that overlap or leave the board",
    )
    standing = not game.gravity or all(
        game.stands(cell, taken) for cell in range(game.size) if taken >> cell & 1
    )
    check(standing, "a stone of the root that hangs in the air")
    full = any(completes(game.lines, own) for own in root[:2]) or taken == game.board
    check(not full, "a root where the game is over")
    claims = told["claims"]
    check(type(claims) is list and 1 <= len(claims) <= 2, "claims that are no list of one or two")
    for claim in claims:
        fields(claim, {"side", "at_least"}, "a claim")
    read = [
        (side_of(claim["side"], "a side"), number(claim["at_least"], 0, 1, "at_least"))
        for claim in claims
    ]
    check(len({side for side, _ in read}) == len(read), "two claims of one side")
    return game, root, read


def read_answer(line: str, game: Game, least: int, told: Told) -> None:
    """Add what one line tells of one position."""
    found = ANSWER.fullmatch(line) if len(line) <= MOST_ANSWER else None
    if found is None:
        raise Rejected("not a position and an answer")
    x, o, move, pairs, fours = found.groups()
    stones, kind = (int(x, 16), int(o, 16)), "move" if move else "pairs" if pairs else "fours"
    cells = tuple(map(int, re.findall("[0-9]+", move or pairs or fours)))
    taken = stones[0] | stones[1]
    check(
        not stones[0] & stones[1] and not taken & ~game.board,
        "stones that overlap or leave the board",
    )
    check(
        all((game.board & ~taken) >> cell & 1 for cell in cells),
        "a cell that is taken or off the board",
    )
    check(len(set(cells)) == len(cells), f"{kind} that share a cell")
    check(
        kind == "move" or not (game.gravity or game.misere),
        f"{kind} in a game with gravity or misere",
    )
    check(kind != "pairs" or least == 0, "pairs for a claim of a win")
    check(f"{x} {o}" not in told, "a position that is told twice")
    told[f"{x} {o}"] = (kind, cells)


def lines_of(text: str, start: int, end: int) -> Iterator[str]:
    """Yield the lines of a part of the text, one at a time."""
    while start < end:
        stop = text.index("\n", start)
        yield text[start:stop]
        start = stop + 1


def verify(text: str) -> dict[str, Any]:
    """Return what a proof proves: claims, game and root as they were read, the positions met, the
    digest. Raises Rejected, a ValueError, for what proves nothing."""
    check(len(text) <= MOST_BYTES, f"more than {MOST_BYTES:,} bytes")
    check(
        re.search(r"[^ -~\n]", text) is None,
        "a sign that is neither printable ASCII nor the end of a line",
    )
    end = text.rfind("\n", 0, max(len(text) - 1, 0)) + 1
    digest = hashlib.sha256(text[:end].encode()).hexdigest()
    check(text[end:] == f"digest {digest}\n", "the digest is not that of the text")
    start = text.index("\n") + 1 if end else 0
    check(0 < start <= MOST_HEAD, f"no first line of at most {MOST_HEAD:,} bytes")
    game, root, claims = read_head(text[: start - 1])
    lines, work, at = lines_of(text, start, end), Work(game), 2
    line = next(lines, "")
    for claim, (side, least) in enumerate(claims):
        check(line == f"claim {claim}", f"line {at}: expected 'claim {claim}'")
        told: Told = {}
        for line in lines:
            at += 1
            if line.startswith("claim"):
                break
            try:
                read_answer(line, game, least, told)
            except Rejected as error:
                raise Rejected(f"line {at}: {error}") from None
            work.add(told=1)
        else:
            line = ""
        check_claim(game, root, side, least, told, work)
    check(line == "", f"line {at}: expected the end of the last claim")
    return {
        "claims": [{"side": "xo"[side], "at_least": least} for side, least in claims],
        "game": game.told,
        "root": {"x": f"{root[0]:x}", "o": f"{root[1]:x}", "to_move": "xo"[root[2]]},
        "positions": work.met,
        "digest": digest,
    }


# The command


def read(path: str) -> str:
    """Return the text of a file of at most one byte more than is read."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise Rejected(
            f"it cannot be read: {getattr(error, 'strerror', None) or 'no name of a file'}"
        ) from None
    check(data.isascii(), "a byte that is not ASCII")
    return data.decode("ascii")


def in_words(found: dict[str, Any]) -> str:
    """Return what was proved, in words."""
    root = found["root"]
    return "\n".join(
        [
            *(
                f"proved: {claim['side'].upper()} can bring about {LEAST[claim['at_least']]}"
                for claim in found["claims"]
            ),
            f"from x {root['x']}, o {root['o']}, {root['to_move'].upper()} to move,"
            f" of {json.dumps(found['game'])}",
            f"{found['positions']:,} positions met; digest {found['digest']}",
        ]
    )


def main(path: str, as_json: bool = False) -> int:
    """Say whether the file is a proof, and of what. Return 0 when something was proved and said, 1
    otherwise, whatever the file is."""
    try:
        found = verify(read(path))
        print(json.dumps({"proved": True, **found}) if as_json else in_words(found), flush=True)
        return 0
    except Rejected as error:
        reason = str(error)
    except KeyboardInterrupt:
        reason = "interrupted"
    except MemoryError:
        reason = "it takes more memory than there is"
    except OSError:
        reason = "what it proves cannot be written"
        with contextlib.suppress(OSError, ValueError):
            # Or Python would try again at its end, and complain.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:  # a fault of this program's: nothing is proved by it
        reason = f"{type(error).__name__} in the checker"
    with contextlib.suppress(OSError, ValueError):
        if as_json:
            print(json.dumps({"proved": False, "error": reason}), flush=True)
        else:
            print(f"{path!a} proves nothing: {reason}", file=sys.stderr, flush=True)
    return 1


def command(words: list[str]) -> int:
    """Run the command line; return 2 where it is none."""
    files = [word for word in words if word != "--json"]
    if len(files) != 1 or files[0].startswith("-"):
        print("expected one file: python -I verify.py FILE [--json]", file=sys.stderr)
        return 2
    return main(files[0], "--json" in words)


if __name__ == "__main__":
    sys.exit(command(sys.argv[1:]))
