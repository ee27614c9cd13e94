"""Slow, obvious programs to check plyscope against. Nothing of plyscope is imported, and nothing
here is clever.

A board is a tuple of 'X', 'O' and '.', row by row from the top left; a line is a set of cell
numbers. Values are in X's view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf, prod
from typing import Any

Board = tuple[str, ...]
Lines = list[frozenset[int]]


def board(text: str) -> Board:
    """Read rows joined by '/'."""
    return tuple(text.replace("/", ""))


def lines(sizes: tuple[int, ...], k: int, torus: bool = False) -> Lines:
    """All straight lines of k cells: k steps from every cell in every direction. Sizes are (width,
    height, ...)."""
    found = set()
    for start in product(*(range(size) for size in sizes)):
        for step in product((-1, 0, 1), repeat=len(sizes)):
            cells = []
            for count in range(k):
                place = [x + count * d for x, d in zip(start, step, strict=True)]
                if torus:
                    place = [x % size for x, size in zip(place, sizes, strict=True)]
                if all(0 <= x < size for x, size in zip(place, sizes, strict=True)):
                    number, factor = 0, 1
                    for x, size in zip(place, sizes, strict=True):
                        number, factor = number + x * factor, factor * size
                    cells.append(number)
            if len(set(cells)) == k:
                found.add(frozenset(cells))
    return sorted(found, key=sorted)


LINES3 = lines((3, 3), 3)
ROWS3 = [frozenset({0, 1, 2}), frozenset({3, 4, 5}), frozenset({6, 7, 8})]
COLUMNS3 = [frozenset({0, 3, 6}), frozenset({1, 4, 7}), frozenset({2, 5, 8})]
DIAGONALS3 = [frozenset({0, 4, 8}), frozenset({2, 4, 6})]


def has_line(b: Board, side: str, all_lines: Lines) -> bool:
    """Whether `side` has a full line."""
    return any(all(b[cell] == side for cell in line) for line in all_lines)


def to_move(b: Board) -> str:
    """X moves first."""
    return "X" if b.count("X") <= b.count("O") else "O"


def place(b: Board, cell: int, side: str) -> Board:
    """Put a stone."""
    return (*b[:cell], side, *b[cell + 1 :])


def moves(b: Board, all_lines: Lines, columns: int = 0, rows: int = 0) -> list[int]:
    """Legal cells, row by row; with `columns` stones fall, and columns come left to right, of
    boards in levels those of `rows` rows."""
    if has_line(b, "X", all_lines) or has_line(b, "O", all_lines):
        return []
    if not columns:
        return [cell for cell in range(len(b)) if b[cell] == "."]
    found, level = [], columns * rows or len(b)
    for bottom in range(0, len(b), level):
        for column in range(bottom, bottom + columns):
            empty = [cell for cell in range(column, bottom + level, columns) if b[cell] == "."]
            if empty:
                found.append(max(empty))
    return found


def count(b: Board, line: Iterable[int], side: str) -> int:
    """Stones of `side` on `line`."""
    return sum(b[cell] == side for cell in line)


def open_lines(b: Board, side: str, all_lines: Lines = LINES3) -> int:
    """System A: lines with no opponent stone less lines with no stone of mine."""
    other = "O" if side == "X" else "X"
    return sum(count(b, line, other) == 0 for line in all_lines) - sum(
        count(b, line, side) == 0 for line in all_lines
    )


def weighted_lines(b: Board, side: str) -> int:
    """System B: the published table, written out."""
    table = {
        (0, 0): 0,
        (1, 0): 10,
        (2, 0): 100,
        (3, 0): 1000,
        (0, 1): -10,
        (0, 2): -100,
        (0, 3): -1000,
    }
    other = "O" if side == "X" else "X"
    return sum(table.get((count(b, line, side), count(b, line, other)), 0) for line in LINES3)


def counted_lines(b: Board) -> int:
    """System C: 8·X3 + 3·X2 + X1 − (8·O3 + 3·O2 + O1)."""
    total = 0
    for mine, theirs, sign in (("X", "O", 1), ("O", "X", -1)):
        for stones, weight in ((3, 8), (2, 3), (1, 1)):
            total += (
                sign
                * weight
                * sum(
                    count(b, line, mine) == stones and count(b, line, theirs) == 0
                    for line in LINES3
                )
            )
    return total


def diagonal_lines(b: Board) -> int:
    """System D: 3 for two and an empty cell, 1 for one and two empty ones, diagonals twice; X's sum
    less O's."""
    total = 0
    for group, factor in ((ROWS3, 1), (COLUMNS3, 1), (DIAGONALS3, 2)):
        for line in group:
            for side, sign in (("X", 1), ("O", -1)):
                empty = count(b, line, ".")
                if count(b, line, side) == 2 and empty == 1:
                    total += sign * 3 * factor
                if count(b, line, side) == 1 and empty == 2:
                    total += sign * factor
    return total


class Terms:
    """A heuristic of terms by its definition, on a plain board of (width, height, ...), for `side`.

    What a term counts is listed stone by stone and line by line; `data` is what a table's file
    says.
    """

    def __init__(
        self, sizes: tuple[int, ...], k: int, data: dict[str, Any], gravity: bool, misere: bool
    ) -> None:
        self.sizes, self.k, self.data = sizes, k, data
        self.gravity, self.misere = gravity, misere
        self.places = [place[::-1] for place in product(*(range(size) for size in sizes[::-1]))]
        self.number = {place: number for number, place in enumerate(self.places)}
        self.lines = list(self._lines())

    def _lines(self) -> Iterable[tuple[list[int], str, list[int]]]:
        """Each line: its cells, its kind, and the cells beyond its ends."""
        for start in self.places:
            for step in product((-1, 0, 1), repeat=len(self.sizes)):
                if step <= tuple(0 for _ in step):
                    continue  # the same line from its other end
                run = [
                    tuple(x + count * d for x, d in zip(start, step, strict=True))
                    for count in range(-1, self.k + 1)
                ]
                if all(place in self.number for place in run[1:-1]):
                    beyond = [
                        self.number[place] for place in (run[0], run[-1]) if place in self.number
                    ]
                    moving = [axis for axis, d in enumerate(step) if d]
                    kind = ["row", "column", "pillar"][moving[0]]
                    if len(moving) > 1:
                        kind = "diagonal" if len(moving) == 2 else "space-diagonal"
                    yield [self.number[place] for place in run[1:-1]], kind, beyond

    def value(self, b: Board, side: str, mover: str) -> int:
        """The sum of all terms for `side` while `mover` is to move."""
        other = "O" if side == "X" else "X"
        waiting = "O" if mover == "X" else "X"
        turn = 1 if side == mover else -1
        total = 0
        for cells, kind, beyond in self.lines:
            weight = self.data["weights"].get(kind, 1)
            mine, theirs = count(b, cells, side), count(b, cells, other)
            total += weight * self.data["lines"].get((mine, theirs), 0)
            pair = count(b, cells, mover), count(b, cells, waiting)
            total += turn * weight * self.data["tempo"].get(pair, 0)
            own = self.data["kinds"].get(kind, {"lines": {}, "tempo": {}})
            total += weight * own["lines"].get((mine, theirs), 0)
            total += turn * weight * own["tempo"].get(pair, 0)
            empty = count(b, beyond, ".")
            if mine > 0 and theirs == 0:
                total += weight * self.data["ends"].get((mine, empty), 0)
            if theirs > 0 and mine == 0:
                total -= weight * self.data["ends"].get((theirs, empty), 0)
        for cell, stone in enumerate(b):
            if stone != ".":
                total += (1 if stone == side else -1) * self.data["cells"].get(cell, 0)
        for owner, sign in ((side, 1), (other, -1)):
            for cell in self.threats(b, owner):
                row = self.sizes[1] - self.places[cell][1]
                key = owner, "odd" if row % 2 else "even"
                total += sign * self.data["threats"].get(key, 0)
            total += sign * self.data["mobility"] * len(self.safe(b, owner))
        return total

    def threats(self, b: Board, side: str) -> list[int]:
        """The empty cells on which a stone of `side` completes a line."""
        return [
            cell
            for cell, stone in enumerate(b)
            if stone == "."
            and any(
                cell in cells and all(at == cell or b[at] == side for at in cells)
                for cells, _, _ in self.lines
            )
        ]

    def safe(self, b: Board, side: str) -> list[int]:
        """The moves of `side` after which the other has not won at once, if only on top of it."""
        other = "O" if side == "X" else "X"
        found = []
        for cell, stone in enumerate(b):
            under, above = self.beside(cell, 1), self.beside(cell, -1)
            if stone != "." or (self.gravity and under is not None and b[under] == "."):
                continue
            if self.misere:
                if cell not in self.threats(b, side):
                    found.append(cell)
            elif not self.gravity or above is None or above not in self.threats(b, other):
                found.append(cell)
        return found

    def beside(self, cell: int, rows: int) -> int | None:
        """The cell so many rows further down, None outside the board."""
        x, y, *rest = self.places[cell]
        return self.number.get((x, y + rows, *rest))

    def number_of(self, name: str, b: Board, side: str, mover: str) -> int:
        """What a tuned number of this name multiplies, counted for `side`, on a flat board.

        Where the board turns into itself, `row` is of columns too; cells have their numbers.
        """
        other = "O" if side == "X" else "X"
        waiting = "O" if mover == "X" else "X"
        turn = 1 if side == mover else -1
        turns = turns_and_mirrors(*self.sizes)
        if self.gravity:  # what is at the bottom stays there
            bottom = range(len(b) - self.sizes[0], len(b))
            turns = [image for image in turns if {image[cell] for cell in bottom} == {*bottom}]
        if name == "mobility":
            return len(self.safe(b, side)) - len(self.safe(b, other))
        *first, last = name.split(".")
        if first == ["cells"]:
            alike = {image[int(last)] for image in turns}
            return sum((b[cell] == side) - (b[cell] == other) for cell in alike)
        if first == ["threats"]:
            owner, _, parity = last.partition("_")
            rows = [self.sizes[1] - self.places[c][1] for c in self.threats(b, owner.upper())]
            counted = [row for row in rows if parity in ("", "odd" if row % 2 else "even")]
            return len(counted) if owner.upper() == side else -len(counted)
        word, stones = last[:-1].split("[")
        if first in (["patterns"], ["pattern_tempo"]):
            counts = [
                [made[1:] for made in patterns(b, self.sizes, self.k, owner)].count(
                    (int(stones), word == "open")
                )
                if first == ["patterns"] or owner == mover
                else 0
                for owner in (side, other)
            ]
            return counts[0] - counts[1]
        kinds = first if first != ["ends"] else []
        if kinds == ["row"] and any(image[1] == self.sizes[0] for image in turns):
            kinds = ["row", "column"]
        total = 0
        for cells, kind, beyond in self.lines:
            if kinds and kind not in kinds:
                continue
            own, their = count(b, cells, side), count(b, cells, other)
            to_move, waits = count(b, cells, mover), count(b, cells, waiting)
            empty = ("none", "one", "both")[count(b, beyond, ".")]
            n = int(stones)
            total += {
                "mine": (own, their) == (n, 0),
                "theirs": (own, their) == (0, n),
                "to_move": turn * ((to_move, waits) == (n, 0)),
                "not_to_move": turn * ((to_move, waits) == (0, n)),
                empty: ((own, their) == (n, 0)) - ((own, their) == (0, n)),
            }.get(word, 0)
        return total


def minimax(
    b: Board,
    side: str,
    all_lines: Lines,
    leaf: Callable[[Board], float],
    depth: float = inf,
    columns: int = 0,
) -> tuple[float, int]:
    """The minimax value in X's view, X being MAX, and the nodes, this one included."""
    options = moves(b, all_lines, columns)
    if not options or depth == 0:
        return leaf(b), 1
    other = "O" if side == "X" else "X"
    below = [
        minimax(place(b, cell, side), other, all_lines, leaf, depth - 1, columns)
        for cell in options
    ]
    best = max if side == "X" else min
    return best(value for value, _ in below), 1 + sum(nodes for _, nodes in below)


class AlphaBeta:
    """The naive alpha-beta over any tree: `children(node)` and `leaf(node)`, MAX at the root."""

    def __init__(
        self,
        children: Callable[[Any], list[Any]],
        leaf: Callable[[Any], float],
        strict: bool,
        hard: bool,
    ) -> None:
        self.children, self.leaf, self.strict, self.hard = children, leaf, strict, hard
        self.nodes = self.cutoffs = 0

    def value(self, node: Any, is_max: bool, alpha: float, beta: float, depth: float) -> float:
        """The returned score; a cutoff is counted whenever the window closes, also after the last
        child."""
        self.nodes += 1
        below = self.children(node)
        if not below or depth == 0:
            return self.leaf(node)
        low, high = alpha, beta
        best = -inf if is_max else inf
        for child in below:
            score = self.value(child, not is_max, alpha, beta, depth - 1)
            if is_max:
                best = max(best, score)
                alpha = max(alpha, score)
            else:
                best = min(best, score)
                beta = min(beta, score)
            if alpha > beta or (alpha == beta and not self.strict):
                self.cutoffs += 1
                break
        if self.hard:
            best = max(low, min(high, best))
        return best


def alphabeta_by_node(
    tree: Any,
    strict: bool,
    hard: bool,
    is_max: Callable[[tuple[int, ...]], bool] = lambda path: len(path) % 2 == 0,
    *,
    window: tuple[float, float] = (-inf, inf),
    open_root: bool = False,
    shallow: bool = False,
) -> dict[tuple[int, ...], tuple[float, float, float]]:
    """For every node of nested lists that alpha-beta visits, by path: (alpha, beta) as it is
    called, and what it returns. With an `open_root` its children are called as it was; `shallow`
    keeps from the other side what one was told by it."""
    found: dict[tuple[int, ...], tuple[float, float, float]] = {}

    def visit(node: Any, path: tuple[int, ...], alpha: float, beta: float) -> float:
        a, b = alpha, beta
        if isinstance(node, int):
            found[path] = (a, b, node)
            return node
        scores = []
        for number, child in enumerate(node):
            below = (*path, number)
            low, high = (a, b) if open_root and not path else (alpha, beta)
            if shallow and is_max(below) != is_max(path):
                low, high = (low, inf) if is_max(path) else (-inf, high)
            scores.append(visit(child, below, low, high))
            if is_max(path):
                alpha = max(alpha, scores[-1])
            else:
                beta = min(beta, scores[-1])
            if alpha > beta or (alpha == beta and not strict):
                break
        score = max(scores) if is_max(path) else min(scores)
        if hard:
            score = min(max(score, a), b)
        found[path] = (a, b, score)
        return score

    visit(tree, (), *window)
    return found


def pvs_by_node(
    tree: Any, hard: bool = False
) -> tuple[dict[tuple[int, ...], tuple[float, float, float]], set[tuple[int, ...]]]:
    """For every node of nested lists that PVS visits, by path: (alpha, beta) and what it returns,
    both of its last visit; and the nodes whose null window is repeated. MAX and MIN are apart."""
    found: dict[tuple[int, ...], tuple[float, float, float]] = {}
    again: set[tuple[int, ...]] = set()

    def visit(node: Any, path: tuple[int, ...], alpha: float, beta: float) -> float:
        a, b, is_max = alpha, beta, len(path) % 2 == 0
        if isinstance(node, int):
            found[path] = (a, b, node)
            return node
        scores: list[float] = []
        for number, child in enumerate(node):
            below = (*path, number)
            if not scores:
                score = visit(child, below, alpha, beta)
            else:
                low, high = (alpha, alpha + 1) if is_max else (beta - 1, beta)
                score = visit(child, below, low, high)
                if alpha < score < beta and (low > alpha or high < beta):
                    again.add(below)
                    score = visit(child, below, alpha, beta)
            scores.append(score)
            if is_max:
                alpha = max(alpha, score)
            else:
                beta = min(beta, score)
            if alpha >= beta:
                break
        score = max(scores) if is_max else min(scores)
        if hard:
            score = min(max(score, a), b)
        found[path] = (a, b, score)
        return score

    visit(tree, (), -inf, inf)
    return found, again


def tree_value(node: Any, is_max: bool = True) -> int:
    """The minimax value of nested lists."""
    if isinstance(node, int):
        return node
    values = [tree_value(child, not is_max) for child in node]
    return max(values) if is_max else min(values)


Leaf = int | float | Fraction | str
Tree = tuple[str, list["Tree"], list[Fraction]] | Leaf
"""A node of a tree with sides: ("max", "min" or "chance", children, their probabilities), or a
leaf: a number, or the name of an unknown one."""


def tree_with_chance(node: Any, of: Callable[[str], Any] = Fraction) -> Any:
    """The value of a tree with sides, in MAX's view: the best child, or the exact average. `of`
    gives the values of unknown leaves."""
    if not isinstance(node, tuple):
        return of(node) if isinstance(node, str) else Fraction(str(node))
    word, children, shares = node
    values = [tree_with_chance(child, of) for child in children]
    if word != "chance":
        return max(values) if word == "max" else min(values)
    return sum(
        (share * value for share, value in zip(shares, values, strict=True) if share), Fraction(0)
    )


def alphabeta_with_sides(
    node: Any, strict: bool, hard: bool, window: tuple[Any, Any] = (-inf, inf)
) -> tuple[Any, list[tuple[int, ...]], int]:
    """The score of a tree with sides by the textbook's alpha-beta, the paths of the nodes that it
    visits in order, and its cutoffs."""
    visited: list[tuple[int, ...]] = []
    cutoffs = 0

    def visit(node: Any, path: tuple[int, ...], alpha: Any, beta: Any) -> Any:
        nonlocal cutoffs
        visited.append(path)
        if not isinstance(node, tuple):
            return Fraction(str(node))
        called, best = (alpha, beta), None
        for number, child in enumerate(node[1]):
            score = visit(child, (*path, number), alpha, beta)
            if node[0] == "max":
                best = score if best is None else max(best, score)
                alpha = max(alpha, score)
            else:
                best = score if best is None else min(best, score)
                beta = min(beta, score)
            if alpha > beta or (alpha == beta and not strict):
                cutoffs += 1
                break
        return min(max(best, called[0]), called[1]) if hard else best

    return visit(node, (), *window), visited, cutoffs


def accumulated(b: Board, side: str, plies: int, alpha: float, beta: float) -> float:
    """System D's search, as published: X is MAX, scores 10 − plies, −10 + plies, 0, and the
    heuristic added on the way up."""
    if has_line(b, "X", LINES3):
        return 10 - plies
    if has_line(b, "O", LINES3):
        return -10 + plies
    empty = [cell for cell in range(9) if b[cell] == "."]
    if not empty:
        return 0
    h = diagonal_lines(b)
    if side == "X":
        max_value: float = h
        for cell in empty:
            value = accumulated(place(b, cell, "X"), "O", plies + 1, alpha, beta)
            max_value = max(max_value, value + h)
            alpha = max(alpha, value)
            if beta <= alpha:
                return max_value
        return max_value
    min_value: float = h
    for cell in empty:
        value = accumulated(place(b, cell, "O"), "X", plies + 1, alpha, beta)
        min_value = min(min_value, value - h)
        beta = min(beta, value)
        if beta <= alpha:
            return min_value
    return min_value


def accumulating_choice(b: Board) -> int:
    """System D's move for X: block first, else the greatest (search value, heuristic), first in
    row-major order."""
    empty = [cell for cell in range(9) if b[cell] == "."]
    for cell in empty:
        if any(
            cell in line and all(place(b, cell, "O")[c] == "O" for c in line) for line in LINES3
        ):
            return cell
    scored = [
        (
            accumulated(place(b, cell, "X"), "O", 0, -inf, inf),
            diagonal_lines(place(b, cell, "X")),
            cell,
        )
        for cell in empty
    ]
    scored.sort(key=lambda item: (item[0], item[1]), reverse=True)
    return scored[0][2]


def two_ply_choices(b: Board, side: str) -> list[int]:
    """System B's moves of the largest score."""
    other = "O" if side == "X" else "X"
    scores = {}
    for cell in moves(b, LINES3):
        after = place(b, cell, side)
        replies = [
            weighted_lines(place(after, reply, other), other) for reply in moves(after, LINES3)
        ]
        scores[cell] = weighted_lines(after, side) - (max(replies) if replies else 0)
    return [cell for cell, score in scores.items() if score == max(scores.values())]


def play_all(
    choose: Callable[[Board], list[int]], side: str, b: Board = (".",) * 9
) -> tuple[int, int, int]:
    """Wins, draws and losses of `side`, which plays all of `choose`, over every line of play of its
    opponent."""
    if has_line(b, "X", LINES3) or has_line(b, "O", LINES3) or "." not in b:
        won, lost = has_line(b, side, LINES3), has_line(b, "O" if side == "X" else "X", LINES3)
        return int(won), int(not won and not lost), int(lost)
    mover = to_move(b)
    totals = [0, 0, 0]
    for cell in choose(b) if mover == side else moves(b, LINES3):
        for index, number in enumerate(play_all(choose, side, place(b, cell, mover))):
            totals[index] += number
    return totals[0], totals[1], totals[2]


def turns_and_mirrors(width: int, height: int) -> list[list[int]]:
    """The symmetries of a rectangle by coordinates: where each cell goes."""
    found = []
    for flip_x, flip_y, swap in product((False, True), repeat=3):
        if swap and width != height:
            continue
        image = []
        for y in range(height):
            for x in range(width):
                new_x, new_y = (width - 1 - x if flip_x else x), (height - 1 - y if flip_y else y)
                if swap:
                    new_x, new_y = new_y, new_x
                image.append(new_y * width + new_x)
        found.append(image)
    return found


@cache
def reachable3() -> tuple[Board, ...]:
    """Every position of 3×3 tic-tac-toe."""
    seen = {(".",) * 9}
    queue = [(".",) * 9]
    while queue:
        b = queue.pop()
        for cell in moves(b, LINES3):
            after = place(b, cell, to_move(b))
            if after not in seen:
                seen.add(after)
                queue.append(after)
    return tuple(sorted(seen))


class Solved:
    """Every position of a game by plain recursion: for the side to move the value (1, 0, −1) and
    the plies to the end, where the winner hurries and the loser delays; 0 plies where the game is
    over, None for a draw that goes on."""

    def __init__(
        self, all_lines: Lines, columns: int = 0, misere: bool = False, rows: int = 0
    ) -> None:
        self.lines, self.columns, self.misere, self.rows = all_lines, columns, misere, rows
        self.known: dict[Board, tuple[int, int | None]] = {}

    def worth(self, b: Board) -> tuple[int, int | None]:
        """Return the value and the distance."""
        if b not in self.known:
            self.known[b] = self._worth(b)
        return self.known[b]

    def _worth(self, b: Board) -> tuple[int, int | None]:
        mover = to_move(b)
        if has_line(b, "O" if mover == "X" else "X", self.lines):
            return (1 if self.misere else -1), 0
        cells = moves(b, self.lines, self.columns, self.rows)
        if not cells:
            return 0, None
        after = [self.worth(place(b, cell, mover)) for cell in cells]
        wins = [plies + 1 for value, plies in after if value == -1 and plies is not None]
        losses = [plies + 1 for value, plies in after if value == 1 and plies is not None]
        if wins:
            return 1, min(wins)
        return (0, None) if len(losses) < len(after) else (-1, max(losses))


class Reasons:
    """What each kind of reason for a move claims, in a game where the first line wins: said again
    by plain recursion. `S` has moved last, `T` is to move."""

    def __init__(self, solved: Solved) -> None:
        self.solved, self.lines, self.columns = solved, solved.lines, solved.columns

    def legal(self, b: Board) -> list[int]:
        """Return the cells on which a stone can be placed."""
        return moves(b, self.lines, self.columns)

    def wins(self, b: Board, who: str) -> set[int]:
        """Return the cells on which a stone of `who` ends the game."""
        return {at for at in self.legal(b) if has_line(place(b, at, who), who, self.lines)}

    def chain(self, b: Board, s: str, t: str) -> bool:
        """Whether S, to move, wins by threats that leave T one reply."""
        if self.wins(b, s):
            return True
        return any(self.forces(place(b, move, s), s, t) for move in self.legal(b))

    def forces(self, b: Board, s: str, t: str) -> bool:
        """Whether S wins by threats, and has made the first one of them; T is to move."""
        if self.wins(b, t) or not self.wins(b, s):
            return False
        stops = [r for r in self.legal(b) if not self.wins(place(b, r, t), s)]
        return not stops or (len(stops) == 1 and self.chain(place(b, stops[0], t), s, t))

    def by_threats(self, b: Board, s: str, t: str) -> bool:
        """Whether S wins by threats after each reply of T, having taken the cell of a threat of
        T's first."""
        if self.wins(b, t) or not self.legal(b):
            return False
        for reply in self.legal(b):
            after = place(b, reply, t)
            blocks = self.wins(after, t)
            if not self.chain(after, s, t) and not (
                len(blocks) == 1 and self.by_threats(place(after, min(blocks), s), s, t)
            ):
                return False
        return True

    def ends_in_line(self, b: Board, s: str, t: str, line: Sequence[int]) -> bool:
        """Whether S, who has to move, completes a line at the end of `line`, T's moves in it being
        the only ones that prevent it, or none being."""
        for at, cell in enumerate(line):
            mover = (s, t)[at % 2]
            if cell not in self.legal(b):
                return False
            if at % 2:
                stops = [r for r in self.legal(b) if not self.wins(place(b, r, t), s)]
                if self.wins(b, t) or stops not in ([cell], []):
                    return False
            b = place(b, cell, mover)
        return has_line(b, s, self.lines)

    def follows(self, b: Board, s: str, t: str, named: dict[int, int], least: int) -> bool:
        """Whether S, who answers each stone of T by the partner of its cell or in its column,
        completes a line, or (`least` 0) T none."""
        replies = self.legal(b)
        for reply in replies:
            then = place(b, reply, t)
            if has_line(then, t, self.lines):
                return False
            cell = named.get(reply, reply - self.columns)
            if cell not in self.legal(then):
                return False
            then = place(then, cell, s)
            if not has_line(then, s, self.lines) and not self.follows(then, s, t, named, least):
                return False
        return bool(replies) or least == 0

    def is_best_play(self, b: Board, line: Sequence[int]) -> bool:
        """Whether each move of a line is a best one by plies, and the line ends the game."""
        for cell in line:
            value, plies = self.solved.worth(b)
            b = place(b, cell, to_move(b))
            if plies is None or self.solved.worth(b) != (-value, plies - 1):
                return False
        return self.legal(b) == []

    def others(self, b: Board, move: int) -> list[int]:
        """Return the values of the other moves."""
        after = (place(b, at, to_move(b)) for at in self.legal(b) if at != move)
        return [-self.solved.worth(each)[0] for each in after]

    def is_true(
        self,
        kind: str,
        b: Board,
        line: Sequence[int],
        cells: Sequence[int],
        named: dict[int, int],
    ) -> bool:
        """Whether the claim of a kind holds of the first move of `line` in `b`."""
        s = to_move(b)
        t = "XO"[s == "X"]
        move = line[0]
        after = place(b, move, s)
        own, value = self.wins(after, s), -self.solved.worth(after)[0]
        every = all(self.wins(place(after, r, t), s) for r in self.legal(after))
        quiet = not self.wins(after, t) and not has_line(after, s, self.lines)
        others = [place(b, at, s) for at in self.legal(b) if at != move]
        lose = all(self.wins(each, t) and not has_line(each, s, self.lines) for each in others)
        if kind == "line":
            return has_line(after, s, [frozenset(cells)]) and frozenset(cells) in self.lines
        if kind == "double":
            return quiet and every and own == set(cells) and len(own) > 1
        if kind == "stack":
            low, high = cells
            above = high in self.wins(place(after, low, t), s) and high == low - self.columns
            return quiet and every and own == {low} and above
        if kind == "squeeze":
            lets = [self.wins(place(after, r, t), s) for r in self.legal(after)]
            return quiet and every and not own and set(cells) <= set().union(*lets)
        if kind == "fours":
            return self.ends_in_line(b, s, t, line)
        if kind in ("three", "quiet"):
            is_met = kind == "three" and not self.forces(place(after, cells[0], s), s, t)
            return quiet and not is_met and self.by_threats(after, s, t)
        if kind == "follow":
            return self.follows(after, s, t, named, value)
        if kind in ("column", "ending"):
            return self.is_best_play(after, line[1:]) and self._ends(kind, b, line, cells)
        if kind in ("block", "safe"):
            return quiet and lose and (kind == "safe" or self.wins(b, t) == {move} == set(cells))
        if kind == "pairs":
            pairs = list(zip(cells[::2], cells[1::2], strict=True))
            open_ = [each for each in self.lines if all(after[at] != s for at in each)]
            is_empty = len(set(cells)) == len(cells) and all(after[at] == "." for at in cells)
            return is_empty and all(any({*pair} <= each for pair in pairs) for each in open_)
        if kind == "only":
            return max(self.others(b, move), default=-2) < value
        if kind in ("refuted", "lost"):
            return max([value, *self.others(b, move)]) == (-1 if kind == "lost" else 1) or (
                kind == "refuted" and value < max(self.others(b, move))
            )
        return kind == "value"

    def _ends(self, kind: str, b: Board, line: Sequence[int], cells: Sequence[int]) -> bool:
        """Whether a line ends with two threats, or below a threat without a safe move."""
        s = to_move(b)
        t = "XO"[s == "X"]
        for at, cell in enumerate(line[:-2]):
            b = place(b, cell, (s, t)[at % 2])
        own = self.wins(b, s)
        if kind == "ending":
            return bool(own) and set(cells) <= own | self.wins(place(b, min(own), t), s)
        lets = [self.wins(place(b, r, t), s) for r in self.legal(b)]
        return not own and all(lets) and [line[-1]] == list(cells) == [line[-2] - self.columns]


class MakerSolved:
    """The weak game by plain recursion: whether X, the Maker, gets a line; O's lines count for
    nothing."""

    def __init__(self, all_lines: Lines) -> None:
        self.lines = all_lines
        self.known: dict[Board, bool] = {}

    def maker_wins(self, b: Board) -> bool:
        """Return whether X gets a line."""
        if b not in self.known:
            mover, empty = to_move(b), [cell for cell, stone in enumerate(b) if stone == "."]
            after = (self.maker_wins(place(b, cell, mover)) for cell in empty)
            self.known[b] = has_line(b, "X", self.lines) or (
                bool(empty) and (any if mover == "X" else all)(after)
            )
        return self.known[b]


def wins_by_fours(b: Board, side: str, all_lines: Lines) -> bool:
    """Whether the side to move wins by moves each of which leaves one cell to complete a line,
    until two are left or one is free."""
    other = "O" if side == "X" else "X"

    def lacking(board_: Board, who: str) -> set[int]:
        found = set()
        for line in all_lines:
            empty = [cell for cell in line if board_[cell] == "."]
            if len(empty) == 1 and count(board_, line, who) == len(line) - 1:
                found.add(empty[0])
        return found

    if lacking(b, side):
        return True
    threats = lacking(b, other)
    for move in threats if threats else [cell for cell, stone in enumerate(b) if stone == "."]:
        if len(threats) > 1:
            return False
        after = place(b, move, side)
        made = lacking(after, side)
        if len(made) > 1 or (
            len(made) == 1 and wins_by_fours(place(after, min(made), other), side, all_lines)
        ):
            return True
    return False


def random_board(
    draw: Any, cells: int, all_lines: Lines, columns: int, plies: int, rows: int = 0
) -> Board:
    """Return the board after so many random moves, fewer where the game is over before."""
    b: Board = (".",) * cells
    for _ in range(plies):
        open_ = moves(b, all_lines, columns, rows)
        if not open_:
            break
        b = place(b, draw.choice(open_), to_move(b))
    return b


class TooLarge(Exception):
    """More positions than were allowed."""


class Forced:
    """Whether a side can bring about a win, or a draw (`least` 1 or 0), by plain recursion: with
    any stones, whoever is to move, and lines of any kind. `under` names for a cell the one that has
    to be taken before; `ends`, of each line, cells on which who completes it has no stone. Cells on which a line ends come first, and those on many lines: that changes
    nothing but the time."""

    def __init__(
        self,
        cells: int,
        all_lines: Lines,
        side: str,
        least: int,
        under: dict[int, int],
        misere: bool,
        most: int = 10**9,
        holes: Iterable[int] = (),
        ends: Sequence[Iterable[int]] = (),
    ) -> None:
        self.cells = [cell for cell in range(cells) if cell not in set(holes)]
        self.side, self.least, self.misere, self.most = side, least, misere, most
        self.under = under
        self.through: list[list[tuple[int, int]]] = [[] for _ in range(cells)]
        for line, beyond in zip(all_lines, ends or [()] * len(all_lines), strict=True):
            for at in line:
                self.through[at].append(
                    (sum(1 << cell for cell in line), sum(1 << cell for cell in beyond))
                )
        self.order = sorted(self.cells, key=lambda cell: -len(self.through[cell]))
        self.known: dict[tuple[int, int], bool] = {}

    def holds(self, x: int, o: int, mover: str) -> bool:
        """Return whether it can; who is to move follows from the numbers of stones, but for the
        first call."""
        if (x, o) not in self.known:
            if len(self.known) >= self.most:
                raise TooLarge
            cells = [cell for cell in self.order if self._can_take(cell, x | o)]
            urgent = [
                cell for cell in cells if self._completes(cell, x) or self._completes(cell, o)
            ]
            after = (
                self._after(cell, x, o, mover)
                for cell in urgent + [cell for cell in cells if cell not in urgent]
            )
            self.known[x, o] = any(after) if mover == self.side else all(after)
        return self.known[x, o]

    def _can_take(self, cell: int, taken: int) -> bool:
        return not taken >> cell & 1 and (
            cell not in self.under or taken >> self.under[cell] & 1 == 1
        )

    def _completes(self, cell: int, own: int) -> bool:
        own |= 1 << cell
        return any(own & line == line and own & ends == 0 for line, ends in self.through[cell])

    def _after(self, cell: int, x: int, o: int, mover: str) -> bool:
        x, o = (x | 1 << cell, o) if mover == "X" else (x, o | 1 << cell)
        own, other = (x, "O") if mover == "X" else (o, "X")
        if self._completes(cell, own):
            return (other if self.misere else mover) == self.side
        if (x | o).bit_count() == len(self.cells):
            return self.least == 0
        return self.holds(x, o, other)


def asked_by_signs(
    board: list[str], width: int, all_lines: Lines, side: str, signs: str
) -> list[int]:
    """Return the cells that a side which obeys signs, to move, has to take: those that complete a
    line, else those that block one, else those of the first sign; exactly one may be asked for.

    `board` has X, O, # for a hole and . for an empty cell, rows from the top; `signs` has a sign for
    each cell, of which those of the empty ones count.
    """
    cells = _landings(board, width)
    for who in (side, "O" if side == "X" else "X"):
        if found := [cell for cell in cells if _makes(board, cell, who, all_lines)]:
            return found
    urgent, one_of_a_pair, claim, *preferred = (
        [cell for cell in cells if signs[cell] == sign] for sign in "123456"
    )
    ranks = [urgent, one_of_a_pair if len(one_of_a_pair) == 1 else [], claim, *preferred]
    return next((rank for rank in ranks if rank), [])


def _landings(board: list[str], width: int) -> list[int]:
    return [
        cell
        for cell, sign in enumerate(board)
        if sign == "." and not (cell + width < len(board) and board[cell + width] == ".")
    ]


def _makes(board: list[str], cell: int, who: str, all_lines: Lines) -> bool:
    return any(
        all(at == cell or board[at] == who for at in line) for line in all_lines if cell in line
    )


def signs_hold(
    board: list[str], width: int, all_lines: Lines, side: str, mover: str, signs: str, least: int
) -> bool:
    """Return whether a side that obeys signs never does worse than `least` (1 a win, 0 a draw):
    every game is played out on one list of cells, and nothing is kept."""
    cells = _landings(board, width)
    if not cells:
        return least == 0
    other = "O" if side == "X" else "X"
    if mover == side:
        if any(_makes(board, cell, side, all_lines) for cell in cells):
            return True
        cells = asked_by_signs(board, width, all_lines, side, signs)
        if len(cells) != 1:
            return False
    for cell in cells:
        if mover != side and _makes(board, cell, mover, all_lines):
            return False
        board[cell] = mover
        then = side if mover != side else other
        held = signs_hold(board, width, all_lines, side, then, signs, least)
        board[cell] = "."
        if not held:
            return False
    return True


Place = tuple[int, ...]
Stones = tuple[frozenset[Place], frozenset[Place]]


class LineRules:
    """A line game whose rules are data, played on places (x, y, ...), y counted from the top: walks
    from place to place, and nothing kept but what has been met.

    `steps` are the directions of lines, all neighbours unless given; `round` the axes that go
    round; `goals` further sets of places that win. Values are in X's view.
    """

    def __init__(
        self,
        sizes: tuple[int, ...],
        k: int,
        *,
        steps: Iterable[Place] | None = None,
        round: Iterable[int] = (),
        holes: Iterable[Place] = (),
        goals: Iterable[Iterable[Place]] = (),
        gravity: bool = False,
        misere: bool = False,
        exactly: bool = False,
        stones: int = 1,
        first: int = 1,
    ) -> None:
        self.sizes, self.k, self.round = sizes, k, set(round)
        self.steps = [
            step for step in (steps or product((-1, 0, 1), repeat=len(sizes))) if any(step)
        ]
        self.places = set(product(*map(range, sizes))) - set(holes)
        self.goals = [set(goal) for goal in goals]
        self.gravity, self.misere, self.exactly = gravity, misere, exactly
        self.stones, self.first = stones, first
        self.known: dict[Stones, tuple[int, int | None]] = {}

    def beside(self, place: Place, step: Place, times: int) -> Place | None:
        """The place so many steps on, None off the board and in a hole."""
        there = []
        for axis, (x, along) in enumerate(zip(place, step, strict=True)):
            x += times * along
            there.append(x % self.sizes[axis] if axis in self.round else x)
        return tuple(there) if tuple(there) in self.places else None

    def is_made(self, own: frozenset[Place]) -> bool:
        """Whether one side's stones are a line."""
        if any(goal <= own for goal in self.goals):
            return True
        for place in own:
            for step in self.steps if self.k > 1 else ():
                run = [self.beside(place, step, times) for times in range(self.k)]
                if not own.issuperset(run) or len(set(run)) < self.k:  # type: ignore[arg-type]
                    continue
                ends = {self.beside(place, step, -1), self.beside(place, step, self.k)} - set(run)
                if not (self.exactly and ends & own):
                    return True
        return self.k == 1 and bool(own)

    def mover(self, played: int) -> int:
        """Whose turn it is after so many stones: counted off, turn by turn."""
        side, left = 0, self.first
        for _ in range(played):
            left -= 1
            if not left:
                side, left = 1 - side, self.stones
        return side

    def moves(self, stones: Stones) -> list[Place]:
        """The places where a stone can be put; with gravity it rests on the edge, on a stone or on
        a hole."""
        if self.worth(stones) is not None:
            return []
        free = self.places - stones[0] - stones[1]
        below = {place: (place[0], place[1] + 1, *place[2:]) for place in free if self.gravity}
        return [place for place in free if below.get(place) not in free]

    def play(self, stones: Stones, place: Place) -> Stones:
        """Put a stone."""
        first, second = stones
        if self.mover(len(first) + len(second)):
            return first, second | {place}
        return first | {place}, second

    def worth(self, stones: Stones) -> int | None:
        """1, 0 or −1 where the game is over."""
        for side in (0, 1):
            if self.is_made(stones[side]):
                return 1 if (side == 0) != self.misere else -1
        return None if stones[0] | stones[1] != self.places else 0

    def value(self, stones: Stones) -> int:
        """The value with best play."""
        return self.outcome(stones)[0]

    def outcome(self, stones: Stones) -> tuple[int, int | None]:
        """The value, and the plies to the end where the winner hurries and the loser delays; None
        for a draw."""
        if stones not in self.known:
            over = self.worth(stones)
            if over is not None:
                self.known[stones] = over, 0 if over else None
            else:
                own = -1 if self.mover(sum(map(len, stones))) else 1
                after = [self.outcome(self.play(stones, place)) for place in self.moves(stones)]
                by_value = {
                    value: [
                        1 + plies for each, plies in after if each == value and plies is not None
                    ]
                    for value in (own, -own)
                }
                if by_value[own]:
                    self.known[stones] = own, min(by_value[own])
                elif len(by_value[-own]) < len(after):
                    self.known[stones] = 0, None
                else:
                    self.known[stones] = -own, max(by_value[-own])
        return self.known[stones]

    def perft(self, depth: int) -> list[tuple[int, int, int, int, int]]:
        """By ply: sequences, positions, and sequences that X has won, O has won, nobody has."""
        layer: dict[Stones, int] = {(frozenset(), frozenset()): 1}
        found = []
        for _ in range(depth + 1):
            if not layer:
                break
            ends = {1: 0, -1: 0, 0: 0}
            following: dict[Stones, int] = {}
            for stones, count in layer.items():
                over = self.worth(stones)
                if over is not None:
                    ends[over] += count
                for place in self.moves(stones):
                    after = self.play(stones, place)
                    following[after] = following.get(after, 0) + count
            found.append((sum(layer.values()), len(layer), ends[1], ends[-1], ends[0]))
            layer = following
        return found


def lines_and_ends(
    sizes: tuple[int, ...], k: int, torus: bool, holes: Iterable[int]
) -> list[tuple[list[int], list[int]]]:
    """The cells of each straight line of k cells, and those beyond its ends, numbered row by row."""

    def number(place: Place) -> int:
        return sum(x * prod(sizes[:axis]) for axis, x in enumerate(place))

    places = {number(place): place for place in product(*map(range, sizes))}
    rules = LineRules(
        sizes, k, holes=[places[cell] for cell in holes], round=range(len(sizes) if torus else 0)
    )
    if k == 1:
        return sorted(([number(place)], []) for place in rules.places)
    found = set()
    for place in rules.places:
        for step in rules.steps:
            run = {rules.beside(place, step, times) for times in range(k)}
            if None not in run and len(run) == k:
                beyond = {rules.beside(place, step, times) for times in (-1, k)} - run - {None}
                found.add(tuple(tuple(sorted(map(number, each))) for each in (run, beyond)))
    return sorted((list(line), list(ends)) for line, ends in found)


def threats(
    sizes: tuple[int, ...],
    k: int,
    stones: tuple[set[int], set[int]],
    *,
    torus: bool = False,
    gravity: bool = False,
    exactly: bool = False,
    holes: Iterable[int] = (),
) -> set[tuple[int, str, int]]:
    """What each side threatens, (side, kind, cell), by putting stones and looking for lines: `line`
    and, where no stone can lie yet, `odd` or `even`, by the row counted from the bottom; `double`
    where two cells win after the stone, one of which did not before."""
    spans = [(set(line), set(ends)) for line, ends in lines_and_ends(sizes, k, torus, holes)]
    free = set(range(prod(sizes))) - set(holes) - stones[0] - stones[1]
    width, plane = sizes[0], prod(sizes[:2])

    def wins(own: set[int], among: set[int]) -> set[int]:
        made = [
            cells - own
            for cells, ends in near
            if len(cells - own) == 1 and not (exactly and own & ends)
        ]
        return {cell for cell in among if {cell} in made}

    def rests(cell: int, empty: set[int]) -> bool:
        on_the_floor = cell % plane + width >= plane
        return not gravity or on_the_floor or cell + width not in empty

    found: set[tuple[int, str, int]] = set()
    for side in (0, 1):
        near = [(cells, ends) for cells, ends in spans if len(cells - stones[side]) <= 2]
        now = wins(stones[side], free)
        for cell in now:
            row = sizes[1] - cell % plane // width
            later = "odd" if row % 2 else "even"
            found.add((side, "line" if rests(cell, free) else later, cell))
        for cell in {cell for cell in free - now if rests(cell, free)}:
            left = free - {cell}
            then = {each for each in wins(stones[side] | {cell}, left) if rests(each, left)}
            if len(then) > 1 and then - now:
                found.add((side, "double", cell))
    return found


class Asked:
    """What a position asks for, by playing out the definitions of `tactic_of` word for word.

    `moves(state)`, `play(state, move)`, `mover(state)` and `worth(state)` (in the first side's
    view, None while the game goes on) are the rules; `passed(state)` gives the turn to the other
    side, where the rules know what that is.
    """

    def __init__(
        self,
        moves: Callable[[Any], Iterable[Any]],
        play: Callable[[Any, Any], Any],
        mover: Callable[[Any], int],
        worth: Callable[[Any], int | None],
        passed: Callable[[Any], Any] | None = None,
    ) -> None:
        self.moves, self.play, self.mover, self.worth = moves, play, mover, worth
        self.passed = passed
        self.values: dict[Any, int] = {}

    def result(self, state: Any, side: int) -> int | None:
        """The result for a side."""
        worth = self.worth(state)
        return None if worth is None else -worth if side else worth

    def winning(self, state: Any) -> list[Any]:
        """The moves of the side to move that win, at the latest by another of the same turn."""
        side, found = self.mover(state), []
        for move in self.moves(state):
            after = self.play(state, move)
            result = self.result(after, side)
            if result == 1 or (
                result is None and self.mover(after) == side and self.winning(after) != []
            ):
                found.append(move)
        return found

    def has_threat(self, state: Any) -> bool:
        """Whether the side that is not to move would win at once after a pass; without passes,
        whether one answer wins after two moves."""
        if self.passed is not None:
            return self.winning(self.passed(state)) != []
        side = self.mover(state)
        answers: list[Any] = []
        for move in self.moves(state):
            after = self.play(state, move)
            if self.worth(after) is None and self.mover(after) != side:
                answers += self.winning(after)
        return any(answers.count(answer) >= 2 for answer in answers)

    def is_given_away(self, state: Any, side: int) -> bool:
        """Whether the other side has won, or wins at once however `side` ends its turn."""
        result = self.result(state, side)
        if result is not None:
            return result == -1
        if self.mover(state) != side:
            return self.winning(state) != []
        return all(self.is_given_away(self.play(state, move), side) for move in self.moves(state))

    def doubles(self, state: Any) -> bool:
        """Whether the side to move has a move that threatens, and wins after any answer."""
        side = self.mover(state)
        for move in self.moves(state):
            after = self.play(state, move)
            if self.worth(after) is not None or self.mover(after) == side:
                continue
            if self.winning(after) != [] or not self.has_threat(after):
                continue
            answers = [self.play(after, answer) for answer in self.moves(after)]
            if all(
                self.worth(each) is None and self.mover(each) == side and self.winning(each) != []
                for each in answers
            ):
                return True
        return False

    def value(self, state: Any) -> int:
        """The value in the first side's view, with best play."""
        if state not in self.values:
            worth = self.worth(state)
            if worth is None:
                after = [self.value(self.play(state, move)) for move in self.moves(state)]
                worth = min(after) if self.mover(state) else max(after)
            self.values[state] = worth
        return self.values[state]

    def of(self, state: Any, with_zugzwang: bool = True) -> str:
        """The name of the first class that fits."""
        side = self.mover(state)
        after = [self.play(state, move) for move in self.moves(state)]
        handed = [each for each in after if self.worth(each) is None and self.mover(each) != side]
        if self.winning(state):
            return "win at hand"
        if self.has_threat(state):
            return "forced block"
        if any(self.is_given_away(each, side) for each in after):
            return "lets the opponent win"
        if self.doubles(state):
            return "makes a double threat"
        if any(self.doubles(each) for each in handed):
            return "prevents a double threat"
        if with_zugzwang and self.passed is not None:
            gain = self.value(self.passed(state)) - self.value(state)
            if (-gain if side else gain) > 0:
                return "zugzwang"
        return "none of these"


def asked_of_lines(rules: LineRules) -> Asked:
    """The same of a line game; a state is (stones, side to move). A side may pass where each turn
    is one stone."""

    def play(state: tuple[Stones, int], place: Place) -> tuple[Stones, int]:
        (first, second), side = state
        stones = (first, second | {place}) if side else (first | {place}, second)
        turns = rules.stones == rules.first == 1
        return stones, 1 - side if turns else rules.mover(len(first) + len(second) + 1)

    return Asked(
        moves=lambda state: sorted(rules.moves(state[0])),
        play=play,
        mover=lambda state: state[1],
        worth=lambda state: rules.worth(state[0]),
        passed=(lambda state: (state[0], 1 - state[1]))
        if rules.stones == rules.first == 1
        else None,
    )


@cache
def features3(b: Board, side: str) -> tuple[int, ...]:
    """Count the open lines of rows and columns by stones, mine then theirs, then of diagonals; then
    the stones on the edges and in the centre, mine minus theirs."""
    other = "O" if side == "X" else "X"
    found = []
    for some in (ROWS3 + COLUMNS3, DIAGONALS3):
        for own, their in ((side, other), (other, side)):
            for stones in (1, 2):
                found.append(
                    sum(
                        count(b, line, own) == stones and not count(b, line, their) for line in some
                    )
                )
    for cells in ((1, 3, 5, 7), (4,)):
        found.append(sum((b[cell] == side) - (b[cell] == other) for cell in cells))
    return tuple(found)


Option = tuple[tuple[int, ...], bool, str]
"""A move: its features, whether it is right, and its name."""


def proves_conflict(positions: Sequence[Sequence[Option]], cases: Sequence[Any]) -> bool:
    """Whether whole numbers prove that no weights rate, in each of `positions`, a right move above
    all wrong ones. A demand of a case is (position, right moves, wrong move, difference, times):
    right moves of the same features, and their features minus the wrong move's.

    A last feature has the weight 1. The other entries of each sum are zero, and the last one is
    zero or less. Every choice of right features, one for each position, is in some case.
    """
    choices = [{features for features, is_right, _ in options if is_right} for options in positions]
    covered = []
    for case in cases:
        chosen: dict[int, tuple[int, ...]] = {}
        total = [0] * len(positions[0][0][0])
        for at, right, wrong, difference, times in case:
            of_name = {name: (features, is_right) for features, is_right, name in positions[at]}
            if not right or {*right, wrong} - set(of_name) or len({of_name[n] for n in right}) > 1:
                return False
            (better, is_right), (worse, is_also_right) = of_name[right[0]], of_name[wrong]
            if not is_right or is_also_right or chosen.setdefault(at, better) != better:
                return False
            if tuple(a - b for a, b in zip(better, worse, strict=True)) != tuple(difference):
                return False
            if not isinstance(times, int) or times < 1:
                return False
            total = [a + times * b for a, b in zip(total, difference, strict=True)]
        if not case or any(total[:-1]) or total[-1] > 0:
            return False
        covered.append(chosen)
    return all(
        any(all(choice[at] == features for at, features in case.items()) for case in covered)
        for choice in product(*choices)
    )


@cache
def pattern(
    window: str, k: int, exactly: bool = False, caro: bool = False
) -> tuple[int, bool] | None:
    """What a stone in the middle of a run of cells makes: the number of stones, and whether it is
    open; None if no line through the middle can be completed any more.

    `window` has X for own stones, . for empty cells and any other letter for the rest: with `caro`,
    by which a row between two of the opponent's stones is none, O for these. Each answer is
    searched by adding stones: nothing is looked up.
    """
    middle = len(window) // 2
    run = window[:middle] + "X" + window[middle + 1 :]
    length = 1 + len(run[middle + 1 :]) - len(run[middle + 1 :].lstrip("X"))
    length += len(run[:middle]) - len(run[:middle].rstrip("X"))
    behind, ahead = run[:middle].rstrip("X")[-1:], run[middle:].lstrip("X")[:1]
    if length > k and not exactly:
        return k, False
    if length == k and not (caro and behind == ahead == "O"):
        return k, False
    after = [
        pattern(run[:at] + "X" + run[at + 1 :], k, exactly, caro)
        for at, stone in enumerate(run)
        if stone == "."
    ]
    completing = after.count((k, False))
    if completing:
        return k - 1, completing > 1
    stones, is_open = max((made for made in after if made), default=(0, False))
    return (stones - 1, is_open) if stones > 1 else None


def patterns(
    b: Board,
    sizes: tuple[int, ...],
    k: int,
    side: str,
    exactly: bool = False,
    torus: bool = False,
    caro: bool = False,
) -> list[tuple[int, int, bool]]:
    """The patterns of the empty cells, one for each direction: cell, stones, open."""
    places = [place[::-1] for place in product(*(range(size) for size in sizes[::-1]))]
    number = {place: at for at, place in enumerate(places)}
    reach = k if exactly or caro else k - 1
    found = []
    for cell, place in enumerate(places):
        for step in product((-1, 0, 1), repeat=len(sizes)):
            if b[cell] != "." or step <= tuple(0 for _ in step):
                continue
            run = ""
            for times in range(-reach, reach + 1):
                there = tuple(x + times * d for x, d in zip(place, step, strict=True))
                if torus:
                    there = tuple(x % size for x, size in zip(there, sizes, strict=True))
                stone = b[number[there]] if there in number else "#"
                run += stone if stone in ".#" else "X" if stone == side else "O"
            made = pattern(run, k, exactly, caro)
            if made is not None:
                found.append((cell, *made))
    return found


@cache
def stops_all_lines(lines: tuple[int, ...], board: int, taker: int, stopper: int) -> bool:
    """Whether the second of two sides, with the first to move, keeps it from every line: whatever
    lines it has itself, and to the last cell. Lines and stones are masks."""
    if any(line & taker == line for line in lines):
        return False
    free = board & ~(taker | stopper)
    empty = [1 << cell for cell in range(board.bit_length()) if free >> cell & 1]
    for move in empty:
        after = taker | move
        if any(line & after == line for line in lines):
            return False
        replies = [reply for reply in empty if reply != move]
        if replies and not any(
            stops_all_lines(lines, board, after, stopper | reply) for reply in replies
        ):
            return False
    return True


def renju_fouls(b: Board, width: int, k: int = 5) -> dict[int, str]:
    """The empty cells that X must not take in Renju, and why, from the wording of the federation's
    rules over sets of stones: a four is a set of stones to which one stone makes a row of exactly
    k, a straight four one to which two different stones do, and a three a set to which one stone,
    which is allowed and makes no row of k, makes a straight four."""
    places = {(at % width, at // width): stone for at, stone in enumerate(b)}
    taken = frozenset(place for place, stone in places.items() if stone == "X")
    empty = frozenset(place for place, stone in places.items() if stone == ".")
    found = {place: renju_foul(taken, empty, place, k) for place in empty}
    return {y * width + x: why for (x, y), why in found.items() if why}


Places = frozenset[tuple[int, int]]
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))


def renju_foul(taken: Places, empty: Places, at: tuple[int, int], k: int) -> str:
    """Why X must not take an empty place, "" if it may."""
    taken, empty = taken | {at}, empty - {at}
    rows = [row_of(taken, at, step) for step in STEPS]
    if any(len(row) == k for row in rows):
        return ""
    if any(len(row) > k for row in rows):
        return "overline"
    if len({four for step in STEPS for four in fours_of(taken, empty, at, step, k)}) > 1:
        return "double four"
    threes = 0
    for step in STEPS:
        extending = []
        for more in empty & line_of(at, step, k):
            then = taken | {more}
            fours = fours_of(then, empty - {more}, at, step, k)
            if any(more in four and fours.count(four) == 2 for four in fours):
                extending.append(more)
        threes += any(
            all(len(row_of(taken | {more}, more, other)) != k for other in STEPS)
            and not renju_foul(taken, empty, more, k)
            for more in extending
        )
    return "double three" if threes > 1 else ""


def row_of(taken: Places, at: tuple[int, int], step: tuple[int, int]) -> Places:
    """The unbroken row through a stone in one direction."""
    row = {at}
    for sign in (1, -1):
        x, y = at
        while (x + sign * step[0], y + sign * step[1]) in taken:
            x, y = x + sign * step[0], y + sign * step[1]
            row.add((x, y))
    return frozenset(row)


def line_of(at: tuple[int, int], step: tuple[int, int], k: int) -> Places:
    """The places that a row of k can share with another one."""
    return frozenset((at[0] + n * step[0], at[1] + n * step[1]) for n in range(1 - k, k) if n)


def fours_of(
    taken: Places, empty: Places, at: tuple[int, int], step: tuple[int, int], k: int
) -> list[Places]:
    """The fours with the stone `at` in one direction, once for each stone that completes them."""
    found = []
    for more in empty & line_of(at, step, k):
        row = row_of(taken | {more}, more, step)
        if len(row) == k and at in row:
            found.append(row - {more})
    return found


def rows_that_count(b: Board, width: int, k: int, side: str, exactly: bool) -> list[Places]:
    """The rows of a side that win by Caro's rule: longer than k unless lines must be exact, or of k
    without the other side's stones at both ends."""
    places = {(at % width, at // width): stone for at, stone in enumerate(b)}
    taken = frozenset(place for place, stone in places.items() if stone == side)
    rows = {(row_of(taken, at, step), step) for at in taken for step in STEPS}
    found = []
    for row, (dx, dy) in rows:
        (x, y), (u, v) = min(row), max(row)  # a step goes from lower places to higher ones
        ends = [places.get((x - dx, y - dy)), places.get((u + dx, v + dy))]
        is_blocked = all(end not in (None, ".", side) for end in ends)
        if (len(row) > k and not exactly) or (len(row) == k and not is_blocked):
            found.append(row)
    return [frozenset(y * width + x for x, y in row) for row in found]


def value_with_repetition(
    ends: Sequence[int | None],
    sides: Sequence[int],
    following: Sequence[Sequence[int]],
    at: int,
    before: frozenset[int] = frozenset(),
) -> int:
    """The payoff in FIRST's view from position `at` on, where the game is a draw as soon as a
    position occurs for the second time: by recursion over all lines of play."""
    end = ends[at]
    if end is not None or at in before:
        return end or 0
    path = before | {at}
    below = [value_with_repetition(ends, sides, following, to, path) for to in following[at]]
    return min(below) if sides[at] else max(below)


def endless_values(
    ends: Sequence[int | None], sides: Sequence[int], following: Sequence[Sequence[int]]
) -> list[tuple[int, int]]:
    """The payoff of each numbered position in FIRST's view, and the plies to the end, where the
    winner hurries and the loser delays; endless play is worth 0.

    One round looks one ply further ahead and counts what is unfinished as 0. A forced end needs
    fewer plies than there are positions, so there are as many rounds as positions, or fewer if a
    round changes nothing.
    """
    found = [(end or 0, 0) for end in ends]

    def wish(value: tuple[int, int]) -> tuple[int, int]:
        payoff, plies = value
        return payoff, -plies if payoff > 0 else plies

    for _ in ends:
        before = found
        found = []
        for end, side, after in zip(ends, sides, following, strict=True):
            if end is not None:
                found.append((end, 0))
                continue
            payoff, plies = (min if side else max)((before[at] for at in after), key=wish)
            found.append((payoff, plies + 1 if payoff else 0))
        if found == before:
            break
    return found


@cache
def hurried3(b: Board) -> int:
    """The value of a tic-tac-toe board for the side to move: 100 − n if it wins in n plies, n − 100
    if it loses in n, else 0; the winner hurries and the loser waits."""
    side = to_move(b)
    if has_line(b, "O" if side == "X" else "X", LINES3):
        return -100
    cells = [cell for cell in range(9) if b[cell] == "."]
    return max((hurried_move3(b, cell) for cell in cells), default=0)


def worth3(b: Board) -> int:
    """The sign of that value."""
    return (hurried3(b) > 0) - (hurried3(b) < 0)


def hurried_move3(b: Board, cell: int) -> int:
    """The value of a move, as `hurried3` counts it."""
    after = -hurried3(place(b, cell, to_move(b)))
    return after - 1 if after > 0 else after + 1 if after < 0 else 0


def slower_wins3(choose: Callable[[Board], Sequence[int]]) -> tuple[int, int, int, int, int]:
    """Play every game of tic-tac-toe against a player on each side. Of the different boards in
    which it moves, count those with a win at hand; of these those in which the worst of its moves
    wins later, or no longer wins; those with a win in one move; and of these those in which it does
    not win at once."""
    wins = slower = lost = in_one = passed = 0
    seen: set[tuple[str, Board]] = set()
    boards = [(side, (".",) * 9) for side in "XO"]
    while boards:
        own, b = boards.pop()
        is_over = any(has_line(b, each, LINES3) for each in "XO") or "." not in b
        if is_over or (own, b) in seen:
            continue
        seen.add((own, b))
        cells: Sequence[int] = [cell for cell in range(9) if b[cell] == "."]
        if to_move(b) == own:
            cells = choose(b)
            best, worst = hurried3(b), min(hurried_move3(b, cell) for cell in cells)
            wins += best > 0
            slower += 0 < worst < best
            lost += worst <= 0 < best
            in_one += best == 99
            passed += worst < best == 99
        boards += [(own, place(b, cell, to_move(b))) for cell in cells]
    return wins, slower, lost, in_one, passed
