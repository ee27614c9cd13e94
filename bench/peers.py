"""The same searches by plyscope and by its peers, in one run: nodes per second, and seconds of a
whole process.

    python bench/peers.py              the tables
    python bench/peers.py NAME WORK    one search, for the seconds of a whole process

The works are the full minimax and alpha-beta of 3×3, alpha-beta to depth 6 of empty Connect Four
with 1, 10, 100 for windows of one, two, three stones of one colour (16,630 nodes, value −5), and to
depth 2 of an opened 15×15 board with the same windows of five. The peers are easyAI's Negamax,
OpenSpiel's `alpha_beta_search` (its games are C++, its search is Python) and the search as
textbooks print it, over positions that are copied; all get the same moves in the same order and the
same evaluation, so the trees are the same where the peer's conventions allow. Needs the extra
`bench`.
"""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

REPEATS = 3
LONG = 3.0
"""Seconds beyond which a search is not repeated."""
WEIGHTS = (0, 1, 10, 100, 1000, 0)
OPENING = "15,15,5 h8 i9 h9 g8"


# What is searched: for each work the game, how deep, and what a leaf is worth


def game_of(work: str) -> Any:
    from plyscope import parse, parse_game

    return (
        parse(OPENING)
        if work == "gomoku"
        else parse_game("connect4" if work == "connect4" else "tictactoe").start()
    )


DEPTHS = {"minimax 3×3": 9, "alphabeta 3×3": 9, "connect4": 6, "gomoku": 2}


def window(board: Any, lines: Any, me: int) -> int:
    """Return the windows of `me` less those of the other side; `board` holds 0, 1 or 2 for each
    cell."""
    total = 0
    for line in lines:
        stones = [board[cell] for cell in line]
        mine, theirs = stones.count(me), stones.count(3 - me)
        if not (mine and theirs):
            total += WEIGHTS[mine % len(line)] - WEIGHTS[theirs % len(line)]
    return total


# plyscope


def ours(work: str, form: str) -> int:
    from plyscope import LineTable, search

    if work.endswith("3×3"):
        return search("tictactoe", work.split()[0], "result", form=form).nodes
    length = 5 if work == "gomoku" else 4
    table = LineTable.one_sided("window", (*WEIGHTS[:length], 0))
    return search(game_of(work), "alphabeta", table, depth=DEPTHS[work], form=form).nodes


# The textbook's search: a state is a tuple of cells and the side to move, and every move makes a
# new one


class Textbook:
    def __init__(self, work: str) -> None:
        position = game_of(work)
        self.game, self.work, self.nodes = position.game, work, 0
        self.lines = [line.cells() for line in self.game.lines]
        cells = tuple(
            (position.first >> cell & 1) + 2 * (position.second >> cell & 1)
            for cell in range(self.game.size)
        )
        self.start = (cells, 1 + position.side)

    def actions(self, state: Any) -> list[int]:
        cells, _ = state
        if not self.game.gravity:
            return [cell for cell in range(len(cells)) if not cells[cell]]
        return [
            next(cell for cell in column if not cells[cell])
            for column in self.game.columns
            if not all(cells[c] for c in column)
        ]

    def result(self, state: Any, action: int) -> Any:
        cells, side = state
        return (*cells[:action], side, *cells[action + 1 :]), 3 - side

    def is_won(self, state: Any) -> bool:
        cells, side = state
        return any(all(cells[cell] == 3 - side for cell in line) for line in self.lines)

    def utility(self, state: Any) -> int:
        if self.work.endswith("3×3"):
            return (10 if state[1] != self.start[1] else -10) if self.is_won(state) else 0
        return window(state[0], self.lines, self.start[1])

    def value(self, state: Any, depth: int, alpha: float, beta: float, is_pruning: bool) -> float:
        self.nodes += 1
        if depth == 0 or self.is_won(state) or all(state[0]):
            return self.utility(state)
        best = -1e9 if state[1] == self.start[1] else 1e9
        for action in self.actions(state):
            found = self.value(self.result(state, action), depth - 1, alpha, beta, is_pruning)
            if state[1] == self.start[1]:
                best = max(best, found)
                alpha = max(alpha, best)
            else:
                best = min(best, found)
                beta = min(beta, best)
            if is_pruning and alpha >= beta:
                break
        return best


def textbook(work: str) -> int:
    search = Textbook(work)
    search.value(search.start, DEPTHS[work], -1e9, 1e9, not work.startswith("minimax"))
    return search.nodes


# easyAI


def easyai(work: str) -> int:
    from easyAI import AI_Player, Negamax, TwoPlayerGame

    source = Textbook(work)

    class Peer(TwoPlayerGame):  # type: ignore[misc]
        def __init__(self) -> None:
            self.players = [AI_Player(None), AI_Player(None)]
            self.board, self.current_player, self.nodes = list(source.start[0]), source.start[1], 1

        def possible_moves(self) -> list[int]:
            return source.actions((self.board, self.current_player))

        def make_move(self, cell: int) -> None:
            self.nodes += 1
            self.board[cell] = self.current_player

        def unmake_move(self, cell: int) -> None:
            self.board[cell] = 0

        def is_over(self) -> bool:
            return source.is_won((self.board, self.current_player)) or all(self.board)

        def scoring(self) -> int:
            if work.endswith("3×3"):
                return -10 if source.is_won((self.board, self.current_player)) else 0
            return window(self.board, source.lines, self.current_player)

        def show(self) -> None:
            """Nothing to show."""

    game = Peer()
    with contextlib.redirect_stdout(io.StringIO()):
        Negamax(DEPTHS[work])(game)
    return game.nodes


# OpenSpiel


class Counted:
    """A state that counts how many are made."""

    made = 0

    def __init__(self, state: Any) -> None:
        self.state = state

    def clone(self) -> Counted:
        Counted.made += 1
        return Counted(self.state.clone())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)

    def __str__(self) -> str:
        return str(self.state)


def open_spiel(work: str, is_counting: bool = False) -> int:
    import pyspiel
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    game = pyspiel.load_game(
        {"connect4": "connect_four", "gomoku": "mnk(m=15,n=15,k=5)"}.get(work, "tic_tac_toe")
    )
    state = game.new_initial_state()
    source, position = Textbook(work), game_of(work)
    if work == "gomoku":
        firsts, seconds = (
            [cell for cell in range(225) if stones >> cell & 1]
            for stones in (position.first, position.second)
        )
        for pair in zip(firsts, seconds, strict=True):
            for cell in pair:
                state.apply_action(cell)
    signs = {".": 0, "x": 1, "o": 2}

    def value(leaf: Any) -> int:
        return window(
            [signs[sign] for sign in str(leaf) if sign in signs], source.lines, source.start[1]
        )

    Counted.made = 0
    alpha_beta_search(
        game,
        Counted(state) if is_counting else state,
        value_function=None if work.endswith("3×3") else value,
        maximum_depth=DEPTHS[work],
        maximizing_player_id=state.current_player(),
    )
    return Counted.made


# The tables

CONTESTANTS: dict[str, Callable[[str], int]] = {
    "easyAI": easyai,
    "OpenSpiel": open_spiel,
    "textbook Python": textbook,
    "plyscope, reference": lambda work: ours(work, "reference"),
    "plyscope, compiled": lambda work: ours(work, "compiled"),
}
LACKING = {("easyAI", "minimax 3×3"), ("OpenSpiel", "minimax 3×3")}


def speed(name: str, work: str) -> tuple[int, float]:
    """Return the nodes of the work and the best nodes per second of some runs."""
    run, best = CONTESTANTS[name], 0.0
    counted = open_spiel(work, is_counting=True) if name == "OpenSpiel" else 0
    for _ in range(REPEATS):
        began = perf_counter()
        nodes = run(work) or counted
        seconds = perf_counter() - began
        best = max(best, nodes / seconds)
        if seconds > LONG:
            break
    return nodes, best


BY_ONE_COUNT = (*WEIGHTS[:4], 0)


def with_branches(mine: int, theirs: int, lines: Any) -> int:
    """The windows of Connect Four as people write them."""
    total = 0
    for line in lines:
        own, other = (mine & line).bit_count(), (theirs & line).bit_count()
        if other == 0:
            total += BY_ONE_COUNT[own]
        elif own == 0:
            total -= BY_ONE_COUNT[other]
    return total


BY_COUNTS = tuple(
    (own == 0 or other == 0) * (10**own // 10 % 1000 - 10**other // 10 % 1000)
    for own in range(5)
    for other in range(5)
)


def without_branches(mine: int, theirs: int, lines: Any) -> int:
    """The same, in a form that a processor need not guess at."""
    total = 0
    for line in lines:
        total += BY_COUNTS[5 * (mine & line).bit_count() + (theirs & line).bit_count()]
    return total


def deeper() -> Iterator[tuple[str, int, float]]:
    """Yield what the heuristic of a longer search of Connect Four is, its nodes, and the best nodes
    per second of some runs."""
    from plyscope import LineTable, search
    from plyscope.evaluation.function import FunctionHeuristic

    for name, depth, heuristic, scoring in (
        ("", 11, LineTable.one_sided("window", BY_ONE_COUNT), "heuristic"),
        (", a function that is seen to be a table", 11, with_branches, "heuristic"),
        (
            ", a function that is called",
            11,
            FunctionHeuristic("called", with_branches),
            "heuristic",
        ),
        (", one without branches", 11, FunctionHeuristic("called", without_branches), "heuristic"),
        (", `null`", 14, "null", "result"),
    ):
        options: Any = {"scoring": scoring, "form": "compiled"}
        search("connect4", "alphabeta", heuristic, depth=2, **options)
        found = [
            search("connect4", "alphabeta", heuristic, depth=depth, **options)
            for _ in range(REPEATS)
        ]
        yield (
            f"to depth {depth}{name}",
            found[0].nodes,
            max(result.nodes / result.seconds for result in found),
        )


def process_seconds(name: str, work: str) -> float:
    """Return the least seconds of a whole process that does the work."""
    times = []
    for _ in range(REPEATS):
        began = perf_counter()
        subprocess.run([sys.executable, __file__, name, work], check=True)
        times.append(perf_counter() - began)
    return min(times)


def main() -> None:
    """Print the tables, or do one piece of work."""
    if len(sys.argv) == 3:
        CONTESTANTS[sys.argv[1]](sys.argv[2])
        return
    for work in DEPTHS:
        ours(work, "compiled")
    for work in DEPTHS:
        print(f"| {work} | nodes | nodes per second | plyscope compiled is |\n|---|---|---|---|")
        found = {name: speed(name, work) for name in CONTESTANTS if (name, work) not in LACKING}
        fastest = found["plyscope, compiled"][1]
        for name, (nodes, nodes_per_second) in found.items():
            print(
                f"| {name} | {nodes:,} | {nodes_per_second:,.0f} "
                f"| {fastest / nodes_per_second:,.1f} × |"
            )
        if work == "connect4":
            for name, nodes, nodes_per_second in deeper():
                print(f"| plyscope, compiled, {name} | {nodes:,} | {nodes_per_second:,.0f} | |")
        print(flush=True)
    print("| Connect Four to depth 6, the whole process | seconds |\n|---|---|")
    for name in CONTESTANTS:
        print(f"| {name} | {process_seconds(name, 'connect4'):.2f} |", flush=True)


if __name__ == "__main__":
    main()
