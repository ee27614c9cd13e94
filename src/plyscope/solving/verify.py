"""Check a proof of the value of a position, with Python's standard library and nothing else.

Run it from anywhere: `python -I verify.py FILE [--json]`.

A proof file is a strategy. Its first line is JSON: `game` holds the rules, that is the `shape` of
the board; `k`, the length of the straight lines, or a list of `lines`; `torus`, `gravity` and
`misere`; if needed `holes`, and `exactly`, by which a longer row does not win. `root` holds the
stones and the side to move. `claims` says which side can force at least a draw (0) or a win (1).
`symmetries`, if there are any, are permutations of the cells.

After each `claim NUMBER` come answers, one position a line: the stones of X and of O as hexadecimal
words (bit 0 is the top left cell, then row by row), and the play of the claim's side there:

    6 110 4             It plays cell 4.
    1 10 pairs 2-8,5-7  The opponent is to move: see `check_pairs`.
    0 0 zone 4-0,1-4=2-3+5-8
                        The opponent is to move: see `zone_of`.
    1 2 follow          The opponent is to move, with gravity: see `check_follow`.
    7 38 signs 0330020  With gravity: a sign for each empty cell; see `check_signs`.
    3 18 fours 5,7      It takes these cells in order: see `check_fours`. If the opponent is to
                        move, this follows each of the opponent's moves after which the file has
                        no answer.

In a position without an answer the claim's side completes a line if it can, and otherwise blocks a
line that the opponent could complete. After a `zone` it blocks by weights: see `zone_of`. With
symmetries, the least image of a position is played on instead of the position: see `Symmetries`.
Answers about more stones come later, so that only the positions of a few plies are in memory at a
time; but the answers that a zone depends on come before it: see `Answers`.

A claim of a draw at least may be proved by strategy stealing (Nash; see Hales and Jewett 1963)
instead of answers: the first player of an empty board, who lost, could take any cell, and play the
second player's strategy from then on. A further stone does no harm.

The last line is the SHA-256 digest of all lines before it. A claim is proved if its side, playing
this strategy against every reply, always reaches the claimed result, or an answer that is correct
for all that follows. docs/reference/proofs.md specifies the format, so that anybody can write
another checker. You have to trust Python, this file, strategy stealing where a claim names it, and
your own reading of the game that it prints. You need not trust any other part of plyscope.
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
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

MAX_BYTES, MAX_HEAD_BYTES, MAX_ANSWER_BYTES = 1 << 30, 1 << 22, 1 << 16
"""Limits for the file, for its first line, and for each answer."""
PIECE_BYTES, MAX_PACKED_MEMORY, ASCII = 1 << 16, 1 << 28, bytes([10, *range(32, 127)])
"""The bytes that are read at a time, the limit for the memory that unpacking takes, and the
characters of a proof."""
MAX_CELLS, MAX_DIMENSIONS, MAX_LINE_CELLS = 1024, 8, 500_000
"""MAX_LINE_CELLS limits the cells of all listed lines, or the steps that find straight lines: cells
× directions × k."""
MAX_IMAGES, MAX_GENERATORS = 400_000, 8
"""Limits for the cells of the board × its symmetries, and for the symmetries that are listed."""
MAX_POSITIONS, LARGE_BOARD_CELLS = 20_000_000, 64
"""Limit for the positions reached, of all claims together; on a board of more than
LARGE_BOARD_CELLS cells it is smaller in proportion."""
MAX_HELD_ANSWERS, MAX_HELD_BYTES, POSITION_BYTES = 2_000_000, 600_000_000, 240
"""Limits for the answers in memory at a time, where 32 cells count as one more answer, and for the
positions: each takes POSITION_BYTES bytes and one for each cell of the board."""
MAX_LINE_CHECKS = 20_000_000_000
"""Limit for tests of one line, as an upper estimate: about two hours."""

WORD = "(0|[1-9a-f][0-9a-f]{0,255})"
CELL = "(?:0|[1-9][0-9]{0,3})"
STEP = f"{CELL}-{CELL}(?:=(?:{CELL}-{CELL}(?:[+]{CELL}-{CELL})*)?)?"
ANSWER = re.compile(
    f"{WORD} {WORD} (?:({CELL})|(pairs|zone|follow) ({STEP}(?:,{STEP})*)"
    f"|(fours) ({CELL}(?:,{CELL})*)|(signs) ([0-6]+)|follow)"
)
LEAST = ("at least a draw", "a win")
STEALING = "strategy stealing"


class Rejected(ValueError):
    """The reason why a file proves nothing. It never quotes text of the file."""


def check(is_so: bool, text: str) -> None:
    """Reject the proof unless `is_so`."""
    if not is_so:
        raise Rejected(text)


# The rules


def bits(mask: int) -> Iterator[int]:
    """Yield the cells of a mask, from the least."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


Cells = tuple[int, ...]
Line = tuple[int, int]
"""A line as two masks: its cells, and its ends. A side that completes the line must have no stone
on its ends; the mask of ends is 0 if the game has no such rule."""


def straight_lines(shape: list[int], k: int, torus: bool, holes: int, exactly: bool) -> list[Line]:
    """Return all straight lines of k different cells that contain no hole."""
    steps = math.prod(shape) * ((3 ** len(shape) - 1) // 2) * k
    check(steps <= MAX_LINE_CELLS, f"lines that take more than {MAX_LINE_CELLS:,} steps to find")
    found: set[Line] = set()
    for start in itertools.product(*map(range, shape)):
        for step in itertools.product((-1, 0, 1), repeat=len(shape)):
            if step < (0,) * len(shape):
                continue  # the opposite direction has the same lines
            line = sum({cell_at(shape, torus, start, step, at) for at in range(k)})
            if line.bit_count() < k or line & holes:
                continue
            beyond = (-1, k) if exactly and k > 1 else ()
            ends = sum({cell_at(shape, torus, start, step, at) for at in beyond})
            found.add((line, ends & ~line & ~holes))
    return sorted(found)


def cell_at(shape: list[int], torus: bool, start: Cells, step: Cells, at: int) -> int:
    """Return the mask of the cell that is `at` steps from `start`, or 0 if it is off the board."""
    number = 0
    for x, d, size in zip(reversed(start), reversed(step), reversed(shape), strict=True):
        x += at * d
        if not torus and not 0 <= x < size:
            return 0
        number = number * size + x % size
    return 1 << number


def completes(lines: list[Line], own: int) -> bool:
    """Return whether the stones `own` complete one of these lines."""
    return any(own & line == line and not own & ends for line, ends in lines)


class Game:
    """The rules, read from the `game` of a proof's first line."""

    def __init__(self, data: Any) -> None:
        may = {"lines", "holes", "exactly"} & set(data) if type(data) is dict else set()
        listed, self.exactly = "lines" in may, "exactly" in may
        names = {"shape", "torus", "gravity", "misere", "k"} | may
        if listed:
            names ^= {"k", "ends"} if self.exactly else {"k"}
        fields(data, names, "game")
        shape: Any = data["shape"]
        is_list = type(shape) is list and 0 < len(shape) <= MAX_DIMENSIONS
        check(is_list, f"a shape that is no list of 1 to {MAX_DIMENSIONS} numbers")
        self.shape = [number(length, 1, MAX_CELLS, "a length in the shape") for length in shape]
        self.size = math.prod(self.shape)
        check(self.size <= MAX_CELLS, f"a board of more than {MAX_CELLS} cells")
        for name in ("torus", "gravity", "misere"):
            check(type(data[name]) is bool, f"{name} that is neither true nor false")
        check(data.get("exactly", True) is True, "exactly that is not true")
        self.gravity, self.misere = bool(data["gravity"]), bool(data["misere"])
        check(not self.gravity or len(shape) > 1, "gravity on a board that has no height")
        self.holes = mask_of(data["holes"], self.size, "holes") if "holes" in may else 0
        self.board = (1 << self.size) - 1 & ~self.holes
        check(self.board > 0, "holes that leave no cell")
        check(self.holes > 0 or "holes" not in may, "holes that are none")
        if listed:
            check(not data["torus"], "a torus whose lines are listed")
            self.lines = self._listed(data)
        else:
            longest = math.lcm(*shape) if data["torus"] else max(shape)
            k = number(data["k"], 1, longest, "k")
            self.lines = straight_lines(shape, k, data["torus"], self.holes, self.exactly)
        order = ("shape", "torus", "gravity", "misere", "holes", "exactly", "lines", "ends", "k")
        self.data: dict[str, Any] = {name: data[name] for name in order if name in data}
        self.through: list[list[Line]] = [[] for _ in range(self.size)]
        for line in self.lines:
            for cell in bits(line[0]):
                self.through[cell].append(line)
        self.below = [self._below(cell) for cell in range(self.size)]
        self.floor = sum(1 << cell for cell in bits(self.board) if not self.below[cell])
        self.columns = self._columns()
        self.most_met = MAX_POSITIONS * LARGE_BOARD_CELLS // max(LARGE_BOARD_CELLS, self.size)
        self.longest = max((line.bit_count() for line, _ in self.lines), default=0)
        self.crossings, self.busiest = sum(map(len, self.through)), max(map(len, self.through))

    def _listed(self, game: dict[str, Any]) -> list[Line]:
        for name in ("lines", "ends") if self.exactly else ("lines",):
            is_list = type(game[name]) is list and all(type(cells) is list for cells in game[name])
            check(is_list, f"{name} that are no list of lists")
        lines = game["lines"]
        ends = game["ends"] if self.exactly else [[]] * len(lines)
        check(len(ends) == len(lines), "ends that are not as many as the lines")
        told = sum(map(len, (*lines, *ends)))
        check(told <= MAX_LINE_CELLS, f"lines of more than {MAX_LINE_CELLS:,} cells together")
        found = []
        for cells, beyond in zip(lines, ends, strict=True):
            line = mask_of(cells, self.size, "a line")
            end = mask_of(beyond, self.size, "the ends of a line")
            check(line > 0, "a line without a cell")
            check(not line & end, "a line that has its own end")
            check(not (line | end) & self.holes, "a line or an end on a hole")
            found.append((line, end))
        # Compared as text: a file cannot be made so that the hashes of its texts collide.
        check(len(set(map(str, found))) == len(found), "a line that is listed twice")
        return found

    def _below(self, cell: int) -> int:
        """Return the mask of the cell that must be taken before this one, or 0 if there is none."""
        if not self.gravity or cell // self.shape[0] % self.shape[1] == self.shape[1] - 1:
            return 0
        return 1 << cell + self.shape[0] & self.board

    def _columns(self) -> list[list[int]]:
        """Return the cells of each column from the bottom; a column ends at a hole."""
        column_of: dict[int, list[int]] = {}
        for cell in sorted(bits(self.board), reverse=True):
            below = self.below[cell]
            column_of[cell] = column_of[below.bit_length() - 1] if below else []
            column_of[cell].append(cell)
        return [column for cell, column in column_of.items() if column[0] == cell]

    def moves(self, taken: int) -> Iterator[int]:
        """Yield the legal moves: the empty cells, with gravity only those where a stone stays."""
        for cell in bits(self.board & ~taken):
            if not self.below[cell] & ~taken:
                yield cell

    def outcome(self, stones: Cells, mover: int, cell: int) -> int | None:
        """Return how the game ends after `mover` took `cell`: 0 or 1, the side that has won, or 2,
        a full board without a winner. Return None while the game goes on."""
        if completes(self.through[cell], stones[mover]):
            return 1 - mover if self.misere else mover
        return 2 if stones[0] | stones[1] == self.board else None


class Symmetries:
    """The products of the listed permutations, each of which keeps the rules of the game.

    A permutation that maps lines to lines with their ends, holes to holes, and the cell below each
    cell to the cell below its image, maps each game to a game that is won by the same side. So a
    side wins, or draws, from a position if it does from an image of it.
    """

    def __init__(self, game: Game, listed: Any) -> None:
        self.group = [tuple(range(game.size))]
        is_list = type(listed) is list and 0 < len(listed) <= MAX_GENERATORS
        check(is_list or listed is None, f"symmetries that are no list of 1 to {MAX_GENERATORS}")
        known = set(map(str, game.lines))
        for image in listed or ():
            check(type(image) is list and len(image) == game.size, "a symmetry of other cells")
            for cell in image:
                number(cell, 0, game.size - 1, "a cell of a symmetry")
            check(len(set(image)) == game.size, "a symmetry that is no permutation")
            check(mapped(game.holes, image) == game.holes, "a symmetry that moves a hole")
            for line, ends in game.lines:
                is_line = str((mapped(line, image), mapped(ends, image))) in known
                check(is_line, "a symmetry that maps a line to no line")
            for cell in bits(game.board):
                below = mapped(game.below[cell], image)
                check(below == game.below[image[cell]], "a symmetry that moves a bottom")
        seen = set(self.group)
        for one in self.group:
            for image in listed or ():
                product = tuple(image[cell] for cell in one)
                if product not in seen:
                    seen.add(product)
                    self.group.append(product)
            check(len(seen) * game.size <= MAX_IMAGES, f"more than {MAX_IMAGES:,} images of cells")
        # For each side, each few cells and each set of them: the words of all its images, one
        # after the other, as one number. A word is the stones of X before those of O.
        self.half = (game.size + 7) // 8
        self.step = 4 if len(self.group) * game.size**3 < MAX_HELD_BYTES // 4 else 1
        starts = range(0, game.size, self.step)
        self.words = [[self._images(at, shift) for at in starts] for shift in (8 * self.half, 0)]

    def _images(self, first: int, shift: int) -> list[int]:
        """Return for each set of the few cells from `first` the words of all its images."""
        sets = [0]
        for cell in range(first, min(first + self.step, len(self.group[0]))):
            words = [(1 << one[cell] + shift).to_bytes(2 * self.half) for one in self.group]
            sets += [known | int.from_bytes(b"".join(words)) for known in sets]
        return sets

    def images(self, x: int, o: int) -> list[bytes]:
        """Return the word of each image of a position, in the order of the group."""
        images, all_set, size = 0, (1 << self.step) - 1, 2 * self.half
        for side, stones in enumerate((x, o)):
            for words in self.words[side]:
                if stones & all_set:
                    images |= words[stones & all_set]
                stones >>= self.step
        data = images.to_bytes(size * len(self.group))
        return [data[at : at + size] for at in range(0, len(data), size)]

    def stones(self, word: bytes) -> tuple[int, int]:
        """Return the stones of X and of O in a word."""
        return int.from_bytes(word[: self.half]), int.from_bytes(word[self.half :])

    def least(self, x: int, o: int) -> tuple[int, int]:
        """Return the least image of a position: the least stones of X, and of these those of O."""
        return self.stones(min(self.images(x, o)))

    def moved_back(self, images: list[bytes], zone: int) -> int:
        """Return the zone of a position with these images, given that of the least one. If several
        symmetries lead to that image, this is the least of the zones that they give."""
        least = min(images)
        leading = [one for one, image in zip(self.group, images, strict=True) if image == least]
        return min(sum(1 << at for at, to in enumerate(one) if zone >> to & 1) for one in leading)


def mapped(mask: int, image: Any) -> int:
    """Return the mask of the images of these cells."""
    return sum(1 << image[cell] for cell in bits(mask))


def plain_move(game: Game, stones: Cells, side: int) -> int:
    """Return the move of a position without an answer, or −1 if it has none.

    That is the first cell that completes a line of `side`, or else the first that would complete a
    line of the opponent. In misère there is none.
    """
    cells = list(game.moves(stones[0] | stones[1]))
    for own in () if game.misere else (stones[side], stones[1 - side]):
        for cell in cells:
            if completes(game.through[cell], own | 1 << cell):
                return cell
    return -1


# The strategy


Pair = tuple[int, int]


def steps_of(cells: Sequence[int]) -> Iterator[Pair]:
    """Yield the pairs of an answer."""
    return zip(cells[::2], cells[1::2], strict=True)


def check_pairs(game: Game, pairs: Iterable[Pair], own: int) -> set[Pair]:
    """Reject the pairs unless each line without one of the stones `own`, those of the claim's side,
    contains both cells of one. Return those that such a line contains; the opponent is to move.

    When the opponent takes one cell of a pair, the side takes the other, and else any cell. So the
    opponent completes no line.

    In misère `own` are the stones of the opponent, so that the side completes no line. The other
    cells are paired in any way, which leaves at most one single cell. When the opponent takes that,
    the side takes a cell of a pair, whose other cell is then the single one. So the side never
    takes the second cell of a pair after the first.
    """
    met, used = set[int](), set[Pair]()
    for a, b in pairs:
        if on := [line for line, _ in game.through[a] if line >> b & 1 and not line & own]:
            met.update(on)
            used.add((a, b))
    check(all(line & own or line in met for line, _ in game.lines), "a line without a pair")
    return used


def check_step(game: Game, step: Cells, before: set[Pair], own: int) -> set[Pair]:
    """Return the pairs of a step that has pairs, as `check_pairs` does: those that it lists after
    its move and reply, and those of the last such step, `before`, without a cell of this one. `own`
    are the stones before the step."""
    kept = (pair for pair in before if not {*step} & {*pair})
    return check_pairs(game, {*kept, *steps_of(step[2:])}, own | 1 << step[1])


def follow_up(game: Game, empty: list[int], own: int) -> tuple[int, int, bool]:
    """Return what following in a column with these empty cells, the lowest first, gives a side with
    the stones `own`: the upper cells that it takes, the cells that stay empty, and whether it has
    a winning cell, an upper cell that completes a line with the upper cells below it."""
    upper = 0
    for at in range(1, len(empty), 2):
        upper |= 1 << empty[at]
        if not game.exactly and completes(game.through[empty[at]], own | upper):
            return upper, sum(1 << above for above in empty[at + 1 :]), True
    return upper, 0, False


def check_follow(game: Game, cells: Cells, stones: Cells, side: int, least: int) -> None:
    """Reject unless `side` reaches the result by answers in the same column; the opponent moves.

    Each named pair is the lowest empty cells of two columns: when the opponent takes one, `side`
    takes the other. Above them, the empty cells of a column are paired two by two from the bottom:
    the opponent can take only the lower cell, and `side` then takes the upper one. So `side` gets
    the upper cells, and one of each named pair. If in addition each line without a stone of `side`
    contains an upper cell or both cells of a named pair, the opponent completes no line. If `side`
    then holds a whole line when the board is full, it wins.

    If lines need not be exact, a column may have a winning cell: an upper cell that completes a
    line with the stones that are there now and upper cells below it in this column. The game ends
    when `side` takes the lowest such cell, before either side takes a cell above it. So the cells
    above it need no partner, and the opponent gets none of them. Until then `side` has a reply to
    everything, and when all other columns are full the opponent has to continue in such a column,
    so `side` wins. A column without a winning cell must have no cell left over.
    """
    own, taken, named = stones[side], stones[0] | stones[1], set(cells)
    gets, denied, wins = own, 0, False
    for column in game.columns:
        empty = [cell for cell in column if not taken >> cell & 1]
        if empty and empty[0] in named:
            named.remove(empty.pop(0))
        upper, above, is_won = follow_up(game, empty, own)
        check(is_won or len(empty) % 2 == 0, "a cell that is left over")
        gets, denied, wins = gets | upper, denied | above, wins or is_won
    check(not named, "a cell of a pair that is not the lowest of its column")
    check_pairs(game, steps_of(cells), gets | denied)
    may = gets | sum(1 << cell for cell in cells)
    wins = wins or any(not line & ~gets and not ends & may for line, ends in game.lines)
    check(wins or least == 0, "no line that is completed")


def completing(lines: list[Line], own: int, other: int) -> set[int]:
    """Return the cells, each as a mask, with which `own` would complete one of these lines."""
    lefts = (line & ~own for line, ends in lines if not line & other and not own & ends)
    return {left for left in lefts if left.bit_count() == 1}


PAIRED = 2
"""The sign that asks for a cell only where it is the only one of its kind that can be taken."""


def check_signs(work: Work, signs: Cells, stones: Cells, mover: int, side: int, least: int) -> None:
    """Reject unless `side` reaches the result by signs, one for each empty cell.

    A sign is a number; 0 asks for nothing. Where it is to move, `side` completes a line if it can,
    and otherwise takes the cell by which the opponent would complete one. If there is none, it
    takes the cell with the least sign other than 0 among those that can be taken. If several have
    sign 2, it goes on to the greater signs instead. If there is still not exactly one cell to take,
    the signs are rejected, and so are they where the opponent completes a line. A full board is a
    draw.

    All moves of the opponent are played, ply by ply. A position is the stones of the side to move
    and those of the other side, with the cells by which each would complete a line: `wins` and
    `threats`. They grow with the stones, because lines need not be exact.
    """
    game, empty = work.game, bits(work.game.board & ~(stones[0] | stones[1]))
    asked = [0] * 7
    for cell, sign in zip(empty, signs, strict=True):
        asked[sign] |= 1 << cell
    own, other = stones[mover], stones[1 - mover]
    wins, threats = (sum(completing(game.lines, *two)) for two in ((own, other), (other, own)))
    todo = {(own, other): (wins, threats)}
    work.add(positions_at_a_time=2, tests_of_a_line=2 * len(game.lines))
    while todo:
        after: dict[tuple[int, int], tuple[int, int]] = {}
        for (own, other), (wins, threats) in todo.items():
            free = game.board & ~(own | other)
            moves = free & ((own | other) >> game.shape[0] | game.floor)
            if mover != side:
                check(not wins & moves, "signs that let the opponent complete a line")
            elif wins & moves:
                continue
            else:
                found = [threats & moves, *(moves & cells for cells in asked[1:])]
                if found[PAIRED] & found[PAIRED] - 1:
                    found[PAIRED] = 0
                moves = next(filter(None, found), 0)
                check(moves.bit_count() == 1, "signs that ask for no cell, or for several")
            if free.bit_count() == 1:
                check(least == 0, "signs that end in a draw")
                continue
            work.add(tests_of_a_line=moves.bit_count() * (16 + game.busiest))
            for cell in bits(moves):
                now = own | 1 << cell
                if (other, now) not in after:
                    work.add(positions_at_a_time=2)
                    more = completing(game.through[cell], now, other)
                    after[other, now] = threats, wins | sum(more)
        work.add(positions_at_a_time=-2 * len(todo))
        todo, mover = after, 1 - mover


def check_fours(game: Game, fours: Cells, stones: Cells, side: int) -> None:
    """Reject the fours unless they win against every reply; `side` is to move.

    Each cell completes a line or threatens to, and leaves the opponent one reply, until a line is
    complete or two cells are threatened. `answers` are the cells with which the side could complete
    a line now, `threats` those of the opponent.
    """
    own, other = stones[side], stones[1 - side]
    threats, answers = completing(game.lines, other, own), completing(game.lines, own, other)
    for cell in fours:
        check(not (own | other) >> cell & 1, "a four on a cell that is taken")
        own |= 1 << cell
        if 1 << cell in answers:
            return
        check(threats <= {1 << cell}, "fours that come too late")
        if game.exactly:  # the new stone may be at an end of a line that could be completed
            answers = completing(game.lines, own, other)
        answers |= completing(game.through[cell], own, other)
        if len(answers) > 1:
            return
        check(bool(answers), "a four that is none")
        other |= (answer := answers.pop())
        threats = completing(game.through[answer.bit_length() - 1], other, own)
    check(False, "fours that do not win")


class Work:
    """The work done so far in checking a proof: in all, and as far as it takes memory now."""

    def __init__(self, game: Game) -> None:
        held = MAX_HELD_BYTES // (POSITION_BYTES + game.size)
        self.game = game
        self.most = {"answers_at_a_time": MAX_HELD_ANSWERS, "positions_at_a_time": held}
        self.most |= {"positions": game.most_met, "tests_of_a_line": MAX_LINE_CHECKS}
        self.done = dict.fromkeys(self.most, 0)

    def add(self, **more: int) -> None:
        """Add to the counts, and reject the proof when one exceeds its limit."""
        for name, count in more.items():
            self.done[name] += count
            if self.done[name] > self.most[name]:
                raise Rejected(f"more than {self.most[name]:,} {name.replace('_', ' ')}")


Answer = tuple[str, tuple[Any, ...]]
"""The kind of an answer, and its cells; the kind is empty if there is none. Of a zone the steps:
the cells of each, first those of the move and the reply, and whether it has pairs."""
NO_ANSWER: Answer = ("", ())


class Zones:
    """The zones of positions with the opponent of `side` to move, by position as text."""

    def __init__(self, game: Game, symmetries: Symmetries, side: int, work: Work) -> None:
        self.game, self.symmetries, self.side, self.work = game, symmetries, side, work
        self.of: dict[str, int] = {}

    def zone_of(self, stones: Cells, answer: Answer) -> int:
        """Return the zone of a position: the empty cells that matter.

        Reject the claim unless `side` stops every line from there, even if the opponent has any
        more stones outside the zone. Lines of `side` and the ends of lines are ignored.

        - Pairs: the zone is the cells of those that lie on a line without a stone of `side`.
        - Weights (Erdős and Selfridge 1973), if there is no answer: a line without a stone of
          `side` weighs 1 / 2 ** its empty cells. If they weigh less than 1/2 together, `side`
          always takes the cell whose lines weigh most. The zone is all empty cells of these lines.
        - Zone: steps, each a move and the reply. The position after it has a zone that is known, or
          the step has pairs (see `check_step`). To a move outside the zone after another move,
          `side` replies as if the opponent had made that one too, which could only help the
          opponent. A move all of whose lines contain another move is answered like the other move,
          with the two cells exchanged; both belong to the zone.
        """
        game, work, (kind, cells) = self.game, self.work, answer
        own, other = stones[self.side], stones[1 - self.side]
        work.add(tests_of_a_line=2 * len(game.lines))
        lines = [line for line, _ in game.lines if not line & own]
        empty, zone = game.board & ~(own | other), 0
        if kind == "pairs":
            work.add(tests_of_a_line=game.busiest * len(cells))
            used = check_pairs(game, steps_of(cells), other if game.misere else own)
            return sum(1 << cell for pair in used for cell in pair)
        if not kind:
            weight = sum(1 << game.longest - (line & ~other).bit_count() for line in lines)
            check(2 * weight < 1 << game.longest, "a position in a zone that has no answer")
            return sum({1 << cell for line in lines for cell in bits(line & empty)})
        searched, left, pairs = 0, empty, set[Pair]()
        for (move, reply, *told), has_pairs in cells:
            if has_pairs:
                pairs = check_step(game, (move, reply, *told), pairs, own)
                work.add(positions=1, tests_of_a_line=game.busiest * len(pairs) + len(game.lines))
                relevant = sum(1 << cell for pair in pairs for cell in pair)
            else:
                x, o = (move, reply) if self.side else (reply, move)
                relevant = self.known(stones[0] | 1 << x, stones[1] | 1 << o)
            relevant |= 1 << reply
            zone |= relevant
            left &= relevant & ~(1 << move)
            searched |= 1 << move
        for cell in bits(left):
            work.add(tests_of_a_line=len(lines))
            shared = searched
            for line in lines:
                shared &= line if line >> cell & 1 else -1
            check(shared > 0, f"cell {cell} in a zone without a reply")
            zone |= 1 << cell | shared & -shared
        return zone

    def known(self, x: int, o: int) -> int:
        """Return the zone of a position whose least image has an answer that has been read, or
        which needs none."""
        self.work.add(tests_of_a_line=len(self.symmetries.group))
        images = self.symmetries.images(x, o)
        zone = self.of.get("{:x} {:x}".format(*self.symmetries.stones(min(images))))
        if zone is None:
            return self.zone_of((x, o), NO_ANSWER)
        return self.symmetries.moved_back(images, zone)


class Answers:
    """The answers of a claim, read as far as they are needed.

    No answer has fewer stones than an answer before it that is a move, follow or fours. So the
    answers about so many stones are complete when such an answer about more stones has been read.
    Of pairs and zones only the zones are kept.
    """

    def __init__(self, lines: Lines, least: int, zones: Zones) -> None:
        self.lines, self.least, self.zones, self.work = lines, least, zones, zones.work
        self.of: dict[int, dict[str, Answer]] = {}
        """By the number of stones, and by the position as text."""
        self.most, self.end = 0, lines.next()
        """The most stones of a move, follow or fours; the next line."""

    def get(self, at: str, stones: int) -> Answer:
        """Return the answer in a position with so many stones; of pairs and zones, that it has a
        zone."""
        while self.most <= stones and self.read():
            pass
        return self.of.get(stones, {}).get(at, ("zone", ()) if at in self.zones.of else NO_ANSWER)

    def read(self) -> bool:
        """Read one answer; return False at the end of the claim."""
        if self.end == "" or self.end.startswith("claim"):
            return False
        try:
            at, stones, answer = read_answer(self.end, self.zones.game, self.least)
            count = (stones[0] | stones[1]).bit_count()
            check(count >= self.most, "fewer stones than in an answer before it")
            is_new = at not in self.of.setdefault(count, {}) and at not in self.zones.of
            check(is_new, "a position that has two answers")
            if answer[0] in ("pairs", "zone"):
                self.work.add(positions=1, positions_at_a_time=1)
                self.zones.of[at] = self.zones.zone_of(stones, answer)
            else:
                self.work.add(answers_at_a_time=1 + len(answer[1]) // 32)
                self.of[count][at], self.most = answer, count
        except Rejected as error:
            raise Rejected(f"line {self.lines.at}: {error}") from None
        self.end = self.lines.next()
        return True


def check_strategy(root: tuple[int, int, int], answers: Answers) -> None:
    """Reject the claim unless every game in which `side` plays the answers ends as claimed.

    Visit each position that can be reached once, or its least image under the symmetries. Where
    `side` is to move only its answer is followed, where the opponent is to move all legal moves
    are. All positions with one number of stones are visited before those with one more. Sides
    alternate, so the number of stones and the root determine who is to move.
    """
    zones, least, work = answers.zones, answers.least, answers.work
    game, symmetries, side = zones.game, zones.symmetries, zones.side
    x, o = symmetries.least(*root[:2])
    # Positions are keyed by their stones as text, like answers.
    todo, mover, count = {f"{x:x} {o:x}": None}, root[2], (x | o).bit_count()
    work.add(positions_at_a_time=1)
    while todo:
        after: dict[str, None] = {}
        for at in todo:
            stones = x, o = int(at.split()[0], 16), int(at.split()[1], 16)
            kind, cells = answers.get(at, count)
            exact = len(cells) * len(game.lines) * game.exactly
            tests = 2 * game.crossings + 16 * game.size + exact
            work.add(tests_of_a_line=tests, positions=kind != "zone")
            kinds = ("move",) if mover == side else ("zone", "follow")
            check(kind in ("", "fours", "signs", *kinds), f"{kind} of the wrong side at {at}")
            if kind == "signs":
                check_signs(work, cells, stones, mover, side, least)
            elif kind == "follow":
                work.add(tests_of_a_line=len(game.lines) * (2 + len(cells)))
                check_follow(game, cells, stones, side, least)
            elif kind == "fours" and mover == side:
                check_fours(game, cells, stones, side)
            elif kind != "zone":
                moves = list(game.moves(x | o))
                if mover == side:
                    move = cells[0] if kind else plain_move(game, stones, side)
                    moves = [cell for cell in moves if cell == move]
                check(bool(moves), f"no legal move at {at}")
                work.add(tests_of_a_line=len(moves) * len(symmetries.group))
                for cell in moves:
                    played = tuple(stones[who] | (who == mover) << cell for who in (0, 1))
                    outcome = game.outcome(played, mover, cell)
                    if outcome is not None:
                        is_so = outcome == side or (outcome == 2 and least == 0)
                        check(is_so, f"{at} and cell {cell} end otherwise than claimed")
                        continue
                    met = "{:x} {:x}".format(*symmetries.least(*played))
                    if kind == "fours" and not answers.get(met, count + 1)[0]:
                        tests = 2 * (len(game.lines) + len(cells) * game.busiest)
                        work.add(tests_of_a_line=tests + exact)
                        check_fours(game, cells, played, side)
                    elif met not in after:
                        work.add(positions_at_a_time=1)
                        after[met] = None
        held = sum(1 + len(told) // 32 for _, told in answers.of.pop(count, {}).values())
        work.add(answers_at_a_time=-held, positions_at_a_time=-len(todo))
        todo, mover, count = after, 1 - mover, count + 1


# Reading


def fields(value: Any, names: set[str], where: str) -> None:
    """Reject data that is not an object with exactly these names."""
    is_so = type(value) is dict and set(value) == names
    check(is_so, f"{where} without exactly the names {', '.join(sorted(names))}")


def number(value: Any, least: int, most: int, what: str) -> int:
    """Return a whole number from `least` to `most`; `true` and `1.0` are none."""
    is_so = type(value) is int and least <= value <= most
    check(is_so, f"{what} that is no whole number from {least} to {most}")
    return int(value)


def mask_of(value: Any, size: int, what: str) -> int:
    """Return the mask of a list of cells, which must increase."""
    check(type(value) is list, f"{what} that are no list")
    for cell in value:
        number(cell, 0, size - 1, f"a cell of {what}")
    is_so = all(one < other for one, other in itertools.pairwise(value))
    check(is_so, f"{what} whose cells do not increase")
    return sum(1 << cell for cell in value)


def word(value: Any, what: str) -> int:
    """Return the mask that a hexadecimal word stands for."""
    is_so = type(value) is str and re.fullmatch(WORD, value) is not None
    check(is_so, f"{what} that is no hexadecimal word")
    return int(value, 16)


def side_of(value: Any, what: str) -> int:
    """Return 0 for x, 1 for o."""
    check(type(value) is str and value in ("x", "o"), f"{what} that is neither x nor o")
    return int(value == "o")


def read_json(text: str) -> Any:
    """Return the data of the first line.

    Numbers must be whole and without a sign, and no object may have a name twice.
    """

    def whole(digits: str) -> int:
        is_so = re.fullmatch(CELL, digits) is not None
        check(is_so, "a number that is not whole, or has a sign, or more than four digits")
        return int(digits)

    def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        check(len({name for name, _ in pairs}) == len(pairs), "a name that occurs twice")
        return dict(pairs)

    hooks: Any = {"parse_int": whole, "parse_float": whole, "parse_constant": whole}
    try:
        return json.loads(text, object_pairs_hook=object_of, **hooks)
    except (json.JSONDecodeError, RecursionError):
        raise Rejected("a first line that is not JSON") from None


Claim = tuple[int, int, bool]
"""The side, the result that it reaches at least, and whether that is by strategy stealing."""


def read_head(text: str) -> tuple[Any, Game, Symmetries, tuple[int, int, int], list[Claim]]:
    """Return the data of the first line, and what it says."""
    data = read_json(text)
    may = {"name", "symmetries"} & set(data) if type(data) is dict else set()
    fields(data, {"format", "game", "root", "claims"} | may, "a first line")
    check(data["format"] == "plyscope proof 1", "another format than plyscope proof 1")
    check(type(data.get("name", "")) is str, "a name that is no text")
    game = Game(data["game"])
    check("symmetries" not in may or data["symmetries"] is not None, "symmetries that are none")
    symmetries = Symmetries(game, data.get("symmetries"))
    fields(data["root"], {"x", "o", "to_move"}, "a root")
    x, o = (word(data["root"][name], name) for name in ("x", "o"))
    root, taken = (x, o, side_of(data["root"]["to_move"], "to_move")), x | o
    on_board = not x & o and not taken & ~game.board
    check(on_board, "stones of the root that overlap or leave the board")
    standing = not any(game.below[cell] & ~taken for cell in bits(taken))
    check(standing, "a stone of the root that hangs in the air")
    is_over = any(completes(game.lines, own) for own in (x, o)) or taken == game.board
    check(not is_over, "a root where the game is over")
    claims = data["claims"]
    check(type(claims) is list and 1 <= len(claims) <= 2, "claims that are no list of one or two")
    read = []
    for claim in claims:
        is_stolen = type(claim) is dict and "by" in claim
        fields(claim, {"side", "at_least", "by"} if is_stolen else {"side", "at_least"}, "a claim")
        side, least = side_of(claim["side"], "a side"), number(claim["at_least"], 0, 1, "at_least")
        if is_stolen:
            check(claim["by"] == STEALING, f"a claim by something other than {STEALING}")
            is_first = (*root, least) == (0, 0, side, 0)
            check(is_first, f"{STEALING} that is not of a draw for the first player")
            is_harmless = not (game.gravity or game.misere or game.exactly)
            check(is_harmless, f"{STEALING} in a game with gravity, misere or exact lines")
        read.append((side, least, is_stolen))
    check(len({side for side, *_ in read}) == len(read), "two claims of one side")
    return data, game, symmetries, root, read


def read_answer(line: str, game: Game, least: int) -> tuple[str, tuple[int, int], Answer]:
    """Return the position of one line as text, its stones, and the answer."""
    found = ANSWER.fullmatch(line) if len(line) < MAX_ANSWER_BYTES else None
    if found is None:
        raise Rejected("not a position and an answer")
    x, o, move, stepped, steps, fours, cells, signs, told = found.groups()
    stones = int(x, 16), int(o, 16)
    kind = "move" if move else stepped or fours or signs or "follow"
    parts = (move or steps or cells or "").split("," if kind == "zone" else "=")
    named = [tuple(map(int, re.findall("[0-9]+", part))) for part in parts]
    taken = stones[0] | stones[1]
    on_board = not stones[0] & stones[1] and not taken & ~game.board
    check(on_board, "stones that overlap or leave the board")
    is_empty = all((game.board & ~taken) >> cell & 1 for cells in named for cell in cells)
    check(is_empty, "a cell that is taken or off the board")
    differ = all(len(set(cells)) == len(cells) for cells in named)
    check(differ, f"{kind} that names a cell twice")
    no_misere = kind in ("move", "pairs") or not game.misere
    no_gravity = kind == "move" or game.gravity == (kind in ("follow", "signs"))
    no_exactly = kind != "signs" or not game.exactly
    check(no_misere and no_gravity and no_exactly, f"{kind} in a game of this kind")
    check(kind not in ("pairs", "zone") or least == 0, f"{kind} for a claim of a win")
    check(kind == "zone" or len(parts) == 1, f"{kind} with pairs of its own")
    if kind == "signs":
        is_whole = len(told) == (game.board & ~taken).bit_count()
        check(is_whole, "signs that are not as many as the empty cells")
        return f"{x} {o}", stones, (kind, tuple(map(int, told)))
    steps_told = tuple((cells, "=" in part) for cells, part in zip(named, parts, strict=True))
    return f"{x} {o}", stones, (kind, steps_told if kind == "zone" else named[0])


class Lines:
    """The lines of a file, one at a time, but for the last, which holds their digest."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self.hash, self.at, self.is_rejected = hashlib.sha256(), 0, False
        self.rest = self._lines(pieces)

    def next(self) -> str:
        """Return the next line, an empty text at the end."""
        self.at += 1
        line = next(self.rest, None)
        check(line != "", f"line {self.at}: an empty line")
        return line or ""

    def _lines(self, pieces: Iterable[bytes]) -> Iterator[str]:
        size, held = 0, b""  # held: the last line so far, and what follows it
        for piece in pieces:
            size, held = size + len(piece), held + piece
            check(size <= MAX_BYTES, f"more than {MAX_BYTES:,} bytes")
            check(not piece.translate(None, ASCII), "a sign that is not printable ASCII")
            end = held.rfind(b"\n", 0, max(0, held.rfind(b"\n"))) + 1
            whole, held = held[:end], held[end:]
            self.hash.update(whole)
            lines = [] if self.is_rejected else whole.split(b"\n")[:-1]
            is_short = max(map(len, (*lines, *held.split(b"\n")))) < MAX_HEAD_BYTES
            check(is_short, f"a line longer than a first line may be, {MAX_HEAD_BYTES:,} bytes")
            yield from (line.decode("ascii") for line in lines)
        is_so = held == f"digest {self.hash.hexdigest()}\n".encode()
        check(is_so, "the digest is not that of the text")


def verify(proof: str | Iterable[bytes]) -> dict[str, Any]:
    """Return the claims of a proof, its game and root, the positions reached, and its digest.

    The proof is a text, or the pieces of a file. Raise Rejected, a ValueError, if it does not prove
    all its claims.
    """
    lines = Lines([proof.encode("utf-8", "surrogatepass")] if isinstance(proof, str) else proof)
    try:
        return check_file(lines)
    except Rejected:
        lines.is_rejected = True  # the rest is read by pieces, not by lines
        for _ in lines.rest:  # of a damaged file, that is the reason
            pass
        raise


def check_file(lines: Lines) -> dict[str, Any]:
    """Return the result of `verify`."""
    data, game, symmetries, root, claims = read_head(lines.next())
    work, line = Work(game), lines.next()
    for claim, (side, least, is_stolen) in enumerate(claims):
        check(line == f"claim {claim}", f"line {lines.at}: expected 'claim {claim}'")
        answers = Answers(lines, least, Zones(game, symmetries, side, work))
        if not is_stolen:
            check_strategy(root, answers)
        while answers.read():
            check(not is_stolen, f"line {lines.at}: answers to a claim by {STEALING}")
        line = answers.end
    check(line == "", f"line {lines.at}: expected the end of the last claim")
    return {
        "claims": data["claims"],
        "game": game.data,
        "root": data["root"],
        "positions": work.done["positions"],
        "digest": lines.hash.hexdigest(),
    }


# The command


def read(path: str) -> Iterator[bytes]:
    """Yield the bytes of a file in pieces, unpacked if it is packed."""
    try:
        with open(path, "rb") as file:
            yield from unpacked(iter(lambda: file.read(PIECE_BYTES), b""))
    except OSError as error:
        raise Rejected(f"it cannot be read: {error.strerror}") from None


def unpacked(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the pieces of a file, unpacked if it is packed."""
    piece = next(pieces, b"")
    if not piece.startswith(b"\xfd7zXZ\0"):
        yield piece
        yield from pieces
        return
    import lzma

    packed = lzma.LZMADecompressor(lzma.FORMAT_XZ, MAX_PACKED_MEMORY)
    while not packed.eof:
        check(bool(piece) or not packed.needs_input, "a packed file that is cut off")
        try:
            yield packed.decompress(piece, PIECE_BYTES)
        except lzma.LZMAError:
            raise Rejected("a packed file that is damaged, or takes too much memory") from None
        piece = next(pieces, b"") if packed.needs_input else b""
    check(not packed.unused_data and not next(pieces, b""), "something after the packed file")


def in_words(found: dict[str, Any]) -> str:
    """Return the result of `verify` as sentences."""
    root, lines = found["root"], []
    for claim in found["claims"]:
        by = f", by {claim['by']}" if "by" in claim else ""
        lines.append(f"proved: {claim['side'].upper()} can force {LEAST[claim['at_least']]}{by}")
    place = f"from x {root['x']}, o {root['o']}, {root['to_move'].upper()} to move, of "
    lines.append(place + re.sub(r', "\w+": false|[{}":]', "", json.dumps(found["game"])))
    lines.append(f"{found['positions']:,} positions met; digest {found['digest']}")
    return "\n".join(lines)


def main(path: str, as_json: bool = False, **made_by: str) -> int:
    """Print the result for one file. Return 0 if it is a proof and the result was printed, else 1.

    Every file gets an answer: one that is missing, a folder, noise, or one that is too large.
    `made_by` is added to the JSON.
    """
    try:
        found = verify(read(path))
        data = {"proved": True, **found, **made_by}
        print(json.dumps(data) if as_json else in_words(found), flush=True)
        return 0
    except Rejected as error:
        reason = str(error)
    except KeyboardInterrupt:
        reason = "interrupted"
    except MemoryError:
        reason = "not enough memory"
    except OSError:
        reason = "the result cannot be printed"
        with contextlib.suppress(OSError, ValueError):
            # Otherwise Python would write again when it exits, and print an error.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:  # an error in this program proves nothing
        reason = f"{type(error).__name__} in the checker"
    with contextlib.suppress(OSError, ValueError):
        told = {"proved": False, "error": reason, **made_by}
        text = json.dumps(told) if as_json else f"{path!a} proves nothing: {reason}"
        print(text, file=sys.stdout if as_json else sys.stderr, flush=True)
    return 1


def command(words: list[str]) -> int:
    """Run the command line; return 2 if it does not name one file."""
    files = [word for word in words if word != "--json"]
    if len(files) != 1 or files[0].startswith("-"):
        print("expected one file: python -I verify.py FILE [--json]", file=sys.stderr)
        return 2
    return main(files[0], "--json" in words)


if __name__ == "__main__":
    sys.exit(command(sys.argv[1:]))
