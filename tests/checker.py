"""A second checker of proofs, written from docs/reference/proofs.md and sharing nothing with
`solving/verify.py`: a reader of its own, sets of cells for words of bits, recursion for a list of
what is left to do. Nothing of plyscope is imported."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import Any, NamedTuple

Cells = frozenset[int]

DIGITS = "0123456789"
HEXADECIMAL = "0123456789abcdef"


class NoProof(Exception):
    """The file proves nothing."""


def require(holds: object, why: str) -> None:
    if not holds:
        raise NoProof(why)


# Reading


class Json:
    """A reader of the JSON that a head may be."""

    def __init__(self, text: str) -> None:
        self.rest = text[::-1]  # the next sign is the last one

    def take(self, signs: str) -> str:
        """Take one of these signs, '' if the next is another."""
        if not self.rest or self.rest[-1] not in signs:
            return ""
        found, self.rest = self.rest[-1], self.rest[:-1]
        return found

    def run(self, signs: str) -> str:
        """Take as many of these signs as there are."""
        count = 0
        while count < len(self.rest) and self.rest[-1 - count] in signs:
            count += 1
        cut = len(self.rest) - count
        found, self.rest = self.rest[cut:][::-1], self.rest[:cut]
        return found

    def demand(self, sign: str) -> None:
        self.run(" ")
        require(self.take(sign), f"no {sign!r}")

    def value(self, depth: int = 0) -> Any:
        require(depth < 6, "too deep")
        self.run(" ")
        if self.take('"'):
            return self.text()
        if self.take("["):
            return self.several("]", lambda: self.value(depth + 1))
        if self.take("{"):
            pairs = self.several("}", lambda: self.pair(depth))
            require(len({name for name, _ in pairs}) == len(pairs), "a name twice")
            return dict(pairs)
        bare = self.run("abcdefghijklmnopqrstuvwxyz" + DIGITS)
        if bare in ("true", "false"):
            return bare == "true"
        return decimal(bare)

    def several(self, end: str, one: Any) -> list[Any]:
        self.run(" ")
        if self.take(end):
            return []
        found = [one()]
        self.run(" ")
        while self.take(","):
            found.append(one())
            self.run(" ")
        require(self.take(end), f"no {end!r}")
        return found

    def pair(self, depth: int) -> tuple[str, Any]:
        self.demand('"')
        name = self.text()
        self.demand(":")
        return name, self.value(depth + 1)

    def text(self) -> str:
        found = []
        while not self.take('"'):
            require(self.rest, "an open text")
            sign, self.rest = self.rest[-1], self.rest[:-1]
            if sign == "\\":
                kind = self.take('"\\/bfnrtu')
                require(kind, "a false escape")
                if kind == "u":
                    code = [self.take("0123456789abcdefABCDEF") for _ in range(4)]
                    require(all(code), "a false escape")
                    sign = chr(int("".join(code), 16))
                else:
                    sign = dict(zip('"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True))[kind]
            found.append(sign)
        return "".join(found)


def decimal(text: str) -> int:
    """Read a whole number of one to four digits."""
    require(
        0 < len(text) < 5 and set(text) <= set(DIGITS) and (text == "0" or text[0] != "0"),
        "no number",
    )
    return int(text)


def cells_of(word: Any, board: Cells) -> Cells:
    """Read a word, nibble by nibble from its end."""
    require(
        isinstance(word, str) and word and len(word) <= 256 and set(word) <= set(HEXADECIMAL),
        "no word",
    )
    require(word == "0" or word[0] != "0", "a leading zero")
    found = {
        4 * at + bit
        for at, sign in enumerate(reversed(word))
        for bit in range(4)
        if HEXADECIMAL.index(sign) // 2**bit % 2
    }
    require(found <= board, "a stone off the board")
    return frozenset(found)


def member(told: Any, allowed: tuple[Any, ...]) -> Any:
    require(any(type(told) is type(one) and told == one for one in allowed), f"none of {allowed}")
    return told


def whole(told: Any, least: int, most: int) -> int:
    require(
        isinstance(told, int) and not isinstance(told, bool) and least <= told <= most,
        f"no number from {least} to {most}",
    )
    return int(told)


def named(told: Any, *names: str) -> list[Any]:
    """The values of an object that has these names and no other."""
    require(isinstance(told, dict) and sorted(told) == sorted(names), f"no object of {names}")
    return [told[name] for name in names]


# The rules


class Line(NamedTuple):
    """What a side completes, unless it has a stone at one of the ends."""

    cells: Cells
    ends: Cells


class Rules:
    """The game of a head."""

    def __init__(self, given: Any) -> None:
        require(isinstance(given, dict), "no game")
        told = dict(given)
        holes, self.exactly = told.pop("holes", None), told.pop("exactly", False)
        require("exactly" not in given or self.exactly is True, "exactly that is not true")
        last = "lines" if "lines" in told else "k"
        ends = told.pop("ends", [])
        require(("ends" in given) == (last == "lines" and self.exactly), "ends of no use, or none")
        shape, torus, self.gravity, self.misere, last_told = named(
            told, "shape", "torus", "gravity", "misere", last
        )
        require(isinstance(shape, list) and 1 <= len(shape) <= 8, "no shape")
        for length in shape:
            whole(length, 1, 1024)
        for flag in (torus, self.gravity, self.misere):
            member(flag, (True, False))
        require(prod(shape) <= 1024, "too many cells")
        require(len(shape) > 1 or not self.gravity, "gravity without height")
        # cell numbers count the first coordinate fastest, which is the last of product's
        grid = [place[::-1] for place in product(*(range(length) for length in reversed(shape)))]
        self.size, missing = len(grid), frozenset[int]()
        if "holes" in given:
            missing = increasing(holes, frozenset(range(self.size)))
            require(0 < len(missing) < self.size, "no hole, or nothing else")
        self.cells = {place: at for at, place in enumerate(grid) if at not in missing}
        self.board = frozenset(self.cells.values())
        self.lines = (
            told_lines(last_told, ends if self.exactly else None, self.board, torus)
            if last == "lines"
            else self.straight(shape, last_told, torus)
        )
        self.under: dict[int, int] = {}  # the cell that has to be taken before, with gravity
        for place, number in self.cells.items() if self.gravity else ():
            below = (place[0], place[1] + 1, *place[2:])
            if below in self.cells:  # else it is the floor, or a hole
                self.under[number] = self.cells[below]
        self.completed_by: list[list[Line]] = [[] for _ in grid]
        for cells, beyond in self.lines:
            for cell in cells:
                self.completed_by[cell].append(Line(cells - {cell}, beyond))
        self.group: list[list[int]] = []
        """All symmetries but the one that leaves every cell where it is."""
        self.lacking: dict[Cells, Cells] = {}
        self.fours: dict[tuple[tuple[int, ...], Cells, Cells], bool] = {}

    def straight(self, shape: list[int], k: Any, torus: bool) -> list[Line]:
        whole(k, 1, lcm(*shape) if torus else max(shape))
        require(self.size * (3 ** len(shape) // 2) * k <= 500_000, "too many steps")
        if k == 1:
            return [Line(frozenset({cell}), frozenset()) for cell in self.board]
        found = set()

        def beside(at: tuple[int, ...], step: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(
                (x + d) % n if torus else x + d for x, d, n in zip(at, step, shape, strict=True)
            )

        for place in self.cells:
            for step in product((1, 0, -1), repeat=len(shape)):
                at, met = place, [place]
                while len(met) < k:
                    at = beside(at, step)
                    if at not in self.cells or at in met:
                        break
                    met.append(at)
                else:
                    back = tuple(-d for d in step)
                    beyond = {beside(at, step), beside(place, back)} if self.exactly else set()
                    found.add(
                        Line(
                            frozenset(self.cells[one] for one in met),
                            frozenset(
                                self.cells[one] for one in beyond if one in self.cells
                            ).difference(self.cells[one] for one in met),
                        )
                    )
        return list(found)

    def add_symmetries(self, told: Any) -> None:
        """Read the symmetries of a head, and find all their products."""
        require(isinstance(told, list) and 1 <= len(told) <= 8, "no symmetries")
        lines = {(line.cells, line.ends) for line in self.lines}
        for one in told:
            require(isinstance(one, list) and len(one) == self.size, "other cells")
            for cell in one:
                whole(cell, 0, self.size - 1)
            require(sorted(one) == list(range(self.size)), "no permutation")
            require({one[cell] for cell in self.board} == self.board, "a hole that moves")
            for cells, ends in lines:
                moved = frozenset(one[cell] for cell in cells), frozenset(one[e] for e in ends)
                require(moved in lines, "a line that becomes none")
            for cell in self.board:
                under, image = self.under.get(cell), self.under.get(one[cell])
                require(image == (None if under is None else one[under]), "another floor")
        same = list(range(self.size))
        found, fresh = {tuple(same)}, [same]
        while fresh:
            last = fresh.pop()
            for one in told:
                longer = [last[cell] for cell in one]
                if tuple(longer) not in found:
                    found.add(tuple(longer))
                    fresh.append(longer)
                    require(len(found) * self.size <= 400_000, "too many symmetries")
        self.group = [list(one) for one in found if list(one) != same]

    def image(self, x: Cells, o: Cells) -> tuple[Cells, Cells]:
        """The position that is met instead of this one."""
        return self.images(x, o)[0][1:]

    def images(self, x: Cells, o: Cells) -> list[tuple[list[int], Cells, Cells]]:
        """The symmetries that lead to the least image of a position, each with that image."""
        found = []
        for one in [list(range(self.size)), *self.group]:
            stones = frozenset(one[cell] for cell in x), frozenset(one[cell] for cell in o)
            found.append(((number_of(stones[0]), number_of(stones[1])), (one, *stones)))
        least = min(key for key, _ in found)
        return [moved for key, moved in found if key == least]

    def follows(self, pairs: tuple[int, ...], mine: Cells, theirs: Cells, least: int) -> None:
        """Require that S, not to move, reaches `least` by following in the same column."""
        above = {under: cell for cell, under in self.under.items()}
        empty = self.board - mine - theirs
        partner: dict[int, int] = {}
        for one, other in zip(pairs[0::2], pairs[1::2], strict=True):
            require(
                all(self.under.get(cell) not in empty for cell in (one, other)), "a higher cell"
            )
            partner[one], partner[other] = other, one
        gains: set[int] = set()  # what S takes
        safe: set[int] = set()  # what T never takes
        ended = False  # whether S wins before the board is full
        for cell in sorted(empty):
            if self.under.get(cell) in empty:
                continue
            column, at = [], cell
            while True:
                column.append(at)
                if at not in above:
                    break
                at = above[at]
            if cell in partner:
                column = column[1:]
            for count in range(2, len(column) + 1, 2):
                held = mine | set(column[1:count:2])
                winning = column[count - 1]
                if not self.exactly and any(winning in line.cells <= held for line in self.lines):
                    ended = True
                    gains |= held - mine
                    safe |= set(column[count:])
                    break
            else:
                require(len(column) % 2 == 0, "a cell left over")
                gains.update(column[1::2])
        for line in self.lines:
            require(
                line.cells & (mine | gains | safe)
                or any(partner.get(cell, -1) in line.cells for cell in line.cells),
                "a line that is open",
            )
        if least == 1 and not ended:
            full = mine | gains
            require(
                any(
                    line.cells <= full and not line.ends & (full | set(pairs))
                    for line in self.lines
                ),
                "no line at the end",
            )

    def signs_hold(
        self,
        signs: dict[int, int],
        mine: Cells,
        theirs: Cells,
        mine_next: bool,
        least: int,
        seen: set[tuple[Cells, Cells]],
    ) -> None:
        """Require that S reaches `least` by these signs, whatever T does."""
        if (mine, theirs) in seen:
            return
        seen.add((mine, theirs))
        empty = self.board - mine - theirs
        if not empty:
            require(least == 0, "a full board")
            return
        front = {cell for cell in empty if self.can_take(cell, mine | theirs)}
        if not mine_next:
            for cell in front:
                require(not self.completes(cell, theirs), "a line of T's")
                self.signs_hold(signs, mine, theirs | {cell}, True, least, seen)
            return
        if any(self.completes(cell, mine) for cell in front):
            return
        wanted = {cell for cell in front if self.completes(cell, theirs)}
        for sign in range(1, 7) if not wanted else ():
            wanted = {cell for cell in front if signs[cell] == sign}
            if sign == 2 and len(wanted) > 1:
                wanted = set()
            if wanted:
                break
        require(len(wanted) == 1, "no cell that is asked for, or several")
        self.signs_hold(signs, mine | wanted, theirs, False, least, seen)

    def can_take(self, cell: int, taken: Cells) -> bool:
        return cell not in taken and (cell not in self.under or self.under[cell] in taken)

    def completes(self, cell: int, stones: Cells) -> bool:
        return any(rest <= stones and not ends & stones for rest, ends in self.completed_by[cell])

    def lacks(self, stones: Cells) -> Cells:
        """The cells, taken or not, by which these stones would complete a line."""
        if stones not in self.lacking:
            self.lacking[stones] = frozenset(
                next(iter(line - stones))
                for line, ends in self.lines
                if len(line - stones) == 1 and not ends & stones
            )
        return self.lacking[stones]

    def fours_win(self, fours: tuple[int, ...], mine: Cells, theirs: Cells) -> bool:
        """Whether S, to move, wins by taking these cells."""
        key = (fours, mine, theirs)
        if key not in self.fours:
            if len(self.fours) > 500_000:
                self.fours.clear()
                self.lacking.clear()
            self.fours[key] = self._fours_win(fours, mine, theirs)
        return self.fours[key]

    def _fours_win(self, fours: tuple[int, ...], mine: Cells, theirs: Cells) -> bool:
        for cell in fours:
            if cell in mine or cell in theirs:
                return False
            if cell in self.lacks(mine):
                return True
            mine = mine | {cell}
            if self.lacks(theirs) - mine:
                return False
            left = self.lacks(mine) - theirs
            if len(left) != 1:
                return len(left) > 1
            theirs = theirs | left
        return False


def number_of(cells: Cells) -> int:
    """The word of these cells as a number."""
    return sum(2**cell for cell in cells)


def told_lines(told: Any, told_ends: Any, board: Cells, torus: bool) -> list[Line]:
    require(not torus, "a torus with lines told")
    require(isinstance(told, list), "no lines")
    told_ends = [[] for _ in told] if told_ends is None else told_ends
    require(isinstance(told_ends, list) and len(told_ends) == len(told), "other ends than lines")
    require(all(isinstance(cells, list) for cells in told + told_ends), "no cells")
    require(sum(map(len, told + told_ends)) <= 500_000, "too many cells")
    found = []
    for cells, beyond in zip(told, told_ends, strict=True):
        found.append(Line(increasing(cells, board), increasing(beyond, board)))
        require(cells and not found[-1].cells & found[-1].ends, "an empty line, or its own end")
    require(len(set(found)) == len(found), "a line twice")
    return found


def increasing(told: Any, allowed: Cells) -> Cells:
    """The cells of a list, which has each once and in their order."""
    require(isinstance(told, list), "no list")
    for cell in told:
        whole(cell, 0, 1023)
    require(told == sorted(set(told)) and allowed.issuperset(told), "cells of no board or order")
    return frozenset(told)


# What is proved


class Answer(NamedTuple):
    kind: str
    cells: tuple[int, ...]
    listed: tuple[tuple[int, ...] | None, ...] = ()
    """Of a zone, for each step the cells of the pairs that it lists; None if it has no pairs."""


def in_halves(texts: list[str]) -> list[str]:
    """The two numbers of each text, one after the other."""
    halves = [text.split("-") for text in texts]
    require(all(len(half) == 2 for half in halves), "no pair")
    return [cell for half in halves for cell in half]


def paired(lines: list[Cells], pairs: set[Cells]) -> set[Cells]:
    """The pairs that are on one of these lines, each of which must have one."""
    for line in lines:
        require(any(pair <= line for pair in pairs), "a line without a pair")
    return {pair for pair in pairs if any(pair <= line for line in lines)}


class Claim:
    """One side's strategy."""

    def __init__(self, rules: Rules, side: str, least: int) -> None:
        self.rules, self.side, self.least = rules, side, least
        self.stolen, self.last = False, 0
        self.answers: dict[tuple[Cells, Cells], Answer] = {}
        self.met: set[tuple[Cells, Cells]] = set()
        self.zones: dict[tuple[Cells, Cells], Cells] = {}
        self.in_steps = 0
        """The steps with pairs."""

    def read(self, line: str) -> None:
        words = line.split(" ")
        require(len(words) in (3, 4) and len(line) < 65_536, "no answer")
        bare = len(words) == 3 and words[2] == "follow"
        x, o = (cells_of(word, self.rules.board) for word in words[:2])
        kind = words[2] if len(words) == 4 or bare else "move"
        listed: list[tuple[int, ...] | None] = []
        if bare:
            texts = []
        elif kind == "signs":
            texts = list(words[3])
            require(texts and set(texts) <= set("0123456"), "no signs")
        elif kind in ("pairs", "zone", "follow"):
            parts = [part.split("=") for part in words[3].split(",")]
            require(all(len(part) == 1 or kind == "zone" for part in parts), "pairs of pairs")
            require(all(len(part) <= 2 for part in parts), "two lists of pairs")
            texts = in_halves([part[0] for part in parts])
            require(self.least == 0 or kind == "follow", f"{kind} for a win")
            for number, (_, *more) in enumerate(parts if kind == "zone" else ()):
                told = in_halves(more[0].split("+")) if more and more[0] else []
                step = [decimal(text) for text in (*texts[2 * number : 2 * number + 2], *told)]
                require(len(set(step)) == len(step), "a cell twice in a step")
                listed.append(tuple(step[2:]) if more else None)
        else:
            require(kind in ("move", "fours"), "no answer")
            texts = words[3].split(",") if kind == "fours" else [words[2]]
        require(
            {
                "move": True,
                "follow": self.rules.gravity and not self.rules.misere,
                "signs": self.rules.gravity and not (self.rules.misere or self.rules.exactly),
                "pairs": not self.rules.gravity,
            }.get(kind, not (self.rules.gravity or self.rules.misere)),
            f"{kind} in such a game",
        )
        cells = tuple(map(decimal, texts))
        require(not x & o, "two stones on a cell")
        if kind == "signs":
            require(len(cells) == len(self.rules.board - x - o), "a sign too many or too few")
            signs, cells = cells, ()
        require(
            all(
                cell in self.rules.board and cell not in x | o
                for told in (cells, *listed)
                for cell in told or ()
            ),
            "no empty cell",
        )
        require(kind == "zone" or len(set(cells)) == len(cells), "a cell twice")
        if kind == "signs":
            cells = signs
        require((x, o) not in self.answers, "two answers")
        require(len(x | o) >= self.last, "fewer stones than before")
        if kind not in ("pairs", "zone"):
            self.last = len(x | o)
        self.answers[x, o] = Answer(kind, cells, tuple(listed))
        if kind in ("pairs", "zone"):
            self.zones[x, o] = self.zone(x, o, self.answers[x, o])

    def meet(self, x: Cells, o: Cells, mover: str) -> None:
        """Play on from a position, in every way that the strategy leaves open."""
        if (x, o) in self.met:
            return
        self.met.add((x, o))
        mine, theirs = (x, o) if self.side == "x" else (o, x)
        answer = self.answers.get((x, o), Answer("", ()))
        if answer.kind == "signs":
            signs = dict(zip(sorted(self.rules.board - x - o), answer.cells, strict=True))
            self.rules.signs_hold(signs, mine, theirs, mover == self.side, self.least, set())
        elif mover == self.side:
            require(
                answer.kind not in ("pairs", "zone", "follow"), "an answer of the side not to move"
            )
            if answer.kind == "fours":
                require(self.rules.fours_win(answer.cells, mine, theirs), "fours that do not win")
            else:
                cell = answer.cells[0] if answer.kind else self.unsaid(mine, theirs)
                require(self.rules.can_take(cell, x | o), "a move that is not allowed")
                self.take(cell, x, o, mover, ())
        else:
            require(answer.kind != "move", "a move of the side not to move")
            if answer.kind == "follow":
                self.rules.follows(answer.cells, mine, theirs, self.least)
            elif answer.kind not in ("pairs", "zone"):
                cells = [
                    cell for cell in self.rules.cells.values() if self.rules.can_take(cell, x | o)
                ]
                require(cells, "nothing to take")
                for cell in cells:
                    self.take(cell, x, o, mover, answer.cells)

    def zone(self, x: Cells, o: Cells, answer: Answer) -> Cells:
        """The zone of a position with T to move and this answer, by the rules for zones."""
        mine, theirs = (x, o) if self.side == "x" else (o, x)
        open_ = [line.cells - theirs for line in self.rules.lines if not line.cells & mine]
        kind, cells, listed = answer
        steps = list(zip(cells[0::2], cells[1::2], strict=True))
        found: set[int] = set()
        if kind == "pairs":
            if self.rules.misere:  # here it is S that must not complete a line
                open_ = [line.cells for line in self.rules.lines if not line.cells & theirs]
            found.update(*paired(open_, {frozenset(step) for step in steps}))
        elif kind == "weights":
            require(
                sum(Fraction(1, 2 ** len(line)) for line in open_) < Fraction(1, 2), "too heavy"
            )
            found.update(*open_)
        else:
            uses = []
            pairs: set[Cells] = set()
            for (move, reply), told in zip(steps, listed, strict=True):
                if told is not None:
                    new = {frozenset(two) for two in zip(told[0::2], told[1::2], strict=True)}
                    fresh = {move, reply, *told}
                    pairs = paired(
                        [line for line in open_ if reply not in line],
                        new | {pair for pair in pairs if not pair & fresh},
                    )
                    uses.append(frozenset({reply}.union(*pairs)))
                    self.in_steps += 1
                    continue
                ours, others = mine | {reply}, theirs | {move}
                after = (ours, others) if self.side == "x" else (others, ours)
                images = self.rules.images(*after)
                known = self.zones.get(images[0][1:])
                used = (
                    self.zone(*after, Answer("weights", ()))
                    if known is None
                    else min(
                        (
                            frozenset(c for c in self.rules.board if one[c] in known)
                            for one, *_ in images
                        ),
                        key=number_of,
                    )
                )
                uses.append(used | {reply})
            found.update(*uses)
            moves = {move for move, _ in steps}
            for cell in self.rules.board - x - o - moves:
                if all(cell in used for used in uses):
                    better = moves.intersection(*(line for line in open_ if cell in line))
                    require(better, "a move without a reply")
                    found |= {cell, min(better)}
        return frozenset(found)

    def unsaid(self, mine: Cells, theirs: Cells) -> int:
        """What S does where nothing is said."""
        require(not self.rules.misere, "nothing said in misère")
        for stones in (mine, theirs):
            for cell in sorted(self.rules.lacks(stones)):
                if self.rules.can_take(cell, mine | theirs):
                    return cell
        raise NoProof("nothing said, and nothing to complete")

    def take(self, cell: int, x: Cells, o: Cells, mover: str, fours: tuple[int, ...]) -> None:
        """Let the side to move take a cell."""
        completed = self.rules.completes(cell, x if mover == "x" else o)
        x, o = (x | {cell}, o) if mover == "x" else (x, o | {cell})
        other = "o" if mover == "x" else "x"
        if completed:
            require((other if self.rules.misere else mover) == self.side, "a loss")
        elif len(x) + len(o) == len(self.rules.cells):
            require(self.least == 0, "a draw")
        elif fours and self.rules.image(x, o) not in self.answers:
            mine, theirs = (x, o) if self.side == "x" else (o, x)
            require(self.rules.fours_win(fours, mine, theirs), "fours that do not win after this")
        else:
            self.meet(*self.rules.image(x, o), other)


KNOWN: dict[str, Rules] = {}
"""The rules of the last few games, with what they know of fours."""


def rules_of(told: Any, symmetries: list[Any]) -> Rules:
    key = repr((told, symmetries))
    if key not in KNOWN:
        if len(KNOWN) > 4:
            KNOWN.clear()
        rules = Rules(told)
        for one in symmetries:
            rules.add_symmetries(one)
        KNOWN[key] = rules
    return KNOWN[key]


class Proved(NamedTuple):
    claims: list[tuple[str, int]]
    met: int


def check(data: bytes) -> Proved:
    """Return what the file proves; raises NoProof."""
    require(len(data) <= 1 << 30, "too long")
    require(all(32 <= byte <= 126 or byte == 10 for byte in data), "foreign bytes")
    require(data[-1:] == b"\n", "no last line")
    *body, last = data[:-1].decode("ascii").split("\n")
    signed = "".join(line + "\n" for line in body).encode("ascii")
    require(last == "digest " + hashlib.sha256(signed).hexdigest(), "a false digest")
    require(body and len(body[0]) < 4_194_304, "no head")
    reader = Json(body[0])
    head = reader.value()
    reader.run(" ")
    require(not reader.rest, "something after the head")
    require(isinstance(head, dict), "no head")
    symmetries = [head.pop("symmetries")] if "symmetries" in head else []
    format_, _, game, root, claims_told = named(
        {"name": "", **head}, "format", "name", "game", "root", "claims"
    )
    member(format_, ("plyscope proof 1",))
    require(isinstance(head.get("name", ""), str), "no name")
    rules = rules_of(game, symmetries)
    x_told, o_told, mover = named(root, "x", "o", "to_move")
    x, o = cells_of(x_told, rules.board), cells_of(o_told, rules.board)
    member(mover, ("x", "o"))
    require(not x & o and len(x) + len(o) < len(rules.cells), "no root")
    require(
        not any(
            line.cells <= own and not line.ends & own for line in rules.lines for own in (x, o)
        ),
        "a root where the game is over",
    )
    require(all(rules.under.get(cell, cell) in x | o for cell in x | o), "a stone in the air")
    require(isinstance(claims_told, list) and len(claims_told) in (1, 2), "no claims")
    claims = []
    for one in claims_told:
        stolen = isinstance(one, dict) and "by" in one
        side, least, *by = named(one, "side", "at_least", *(["by"] if stolen else []))
        claims.append(Claim(rules, member(side, ("x", "o")), whole(least, 0, 1)))
        claims[-1].stolen = stolen
        if stolen:
            member(by[0], ("strategy stealing",))
            require(not x | o and side == mover and least == 0, "nothing to steal from")
            require(not (rules.gravity or rules.misere or rules.exactly), "a stone may do harm")
    require(len({claim.side for claim in claims}) == len(claims), "two claims of a side")
    current = -1
    for line in body[1:]:
        if line == f"claim {current + 1}" and current + 1 < len(claims):
            current += 1
        else:
            require(current >= 0, "an answer before the claims")
            claims[current].read(line)
    require(current + 1 == len(claims), "a claim without its section")
    for claim in claims:
        require(not (claim.stolen and claim.answers), "answers to what is stolen")
        if not claim.stolen:
            claim.meet(*rules.image(x, o), mover)
    met = sum(len(claim.met | set(claim.zones)) + claim.in_steps for claim in claims)
    require(met * max(64, rules.size) <= 1_280_000_000, "too many positions")
    return Proved([(claim.side, claim.least) for claim in claims], met)
