"""Asks every solver about random small games and holds the answers against brute force: `python
bench/small_games.py [--games 300] [--seed 0] [--seconds S] [--misere] [--solver NAME]`.

A game has at most twelve cells in one to three dimensions, now and then on a torus, with gravity or
misère, and lines that are straight or drawn at random. Each position, of at most ten empty cells
but in small games, is put to every solver that plays the game, by itself, in jobs and as the weak
game, and to the engine; the value, the distance where one is told, every move and the best moves
must be true.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from math import prod
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))  # whose brute force this is

import oracles
from plyscope import search, solve
from plyscope.rules.linegame import Line, LineGame
from plyscope.searching.score import MAX_EVALUATION, WIN
from plyscope.solving.accelerated import CONNECT, JOBS, LINES, THREATS
from plyscope.solving.ask import Ask
from plyscope_fast.evaluation import tablebase
from plyscope_fast.solving.jobs import solve_in_jobs

MOST_CELLS = 12
MOST_EMPTY = 10
WHOLE = 9
"""Games of so many cells are asked about from the empty board."""
POSITIONS = 4
SHAPES = [
    shape
    for shape in [
        *((n,) for n in range(1, 13)),
        *((m, n) for m in range(1, 13) for n in range(1, 13)),
        (2, 2, 2),
        (3, 2, 2),
        (2, 3, 2),
        (2, 2, 3),
    ]
    if prod(shape) <= MOST_CELLS and (len(shape) == 1 or prod(shape) > 3)
]


class Here(Executor):
    """Does every job at once."""

    def submit(self, function: Any, /, *words: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(function(*words, **options))
        return future


@dataclass
class Row:
    """What came of a solver."""

    questions: int = 0
    moves: int = 0
    wrong: int = 0


def some_game(draw: random.Random, is_misere: bool = False) -> tuple[LineGame, oracles.Lines]:
    """Return a random game, of misère if asked, and its lines as the oracle has them."""
    shape = draw.choice(
        draw.choices([[s for s in SHAPES if len(s) == n] for n in (1, 2, 3)], (1, 5, 2))[0]
    )
    gravity, misere = draw.random() < 0.3, draw.random() < 0.25 or is_misere
    size = prod(shape)
    if draw.random() < 0.35:
        sets = {
            frozenset(draw.sample(range(size), draw.randint(min(2, size), min(4, size))))
            for _ in range(draw.randint(1, 10))
        }
        lines = sorted(sets, key=sorted)
        drawn = tuple(Line(sum(1 << cell for cell in line), "line") for line in lines)
        return LineGame("drawn", shape, drawn, gravity=gravity, misere=misere), lines
    k, torus = (
        draw.randint(
            1 if draw.random() < 0.1 else 2,
            max(shape) + 1 if draw.random() < 0.1 else max(2, max(shape)),
        ),
        draw.random() < 0.3,
    )
    return LineGame.grid(*shape, k=k, torus=torus, gravity=gravity, misere=misere), oracles.lines(
        shape, k, torus
    )


def some_boards(
    game: LineGame, all_lines: oracles.Lines, draw: random.Random
) -> Iterator[oracles.Board]:
    """Yield boards that play reaches, the empty one of small games first."""
    columns, rows = (game.width, game.height) if game.gravity else (0, 0)
    if game.size <= WHOLE:
        yield (".",) * game.size
    for _ in range(POSITIONS):
        plies = draw.randint(max(0, game.size - MOST_EMPTY), game.size)
        yield oracles.random_board(draw, game.size, all_lines, columns, plies, rows)


class Judge:
    """Brute force on one game."""

    def __init__(self, game: LineGame, all_lines: oracles.Lines) -> None:
        self.game = game
        columns, rows = (game.width, game.height) if game.gravity else (0, 0)
        self.strong = oracles.Solved(all_lines, columns, game.misere, rows)
        self.weak = oracles.MakerSolved(all_lines)

    def after(self, b: oracles.Board, move: int) -> tuple[int, int | None]:
        """Return what a move is worth to who plays it, and the plies to the end."""
        value, plies = self.strong.worth(oracles.place(b, move, oracles.to_move(b)))
        return -value, None if plies is None else plies + 1

    def faults(self, b: oracles.Board, verdict: Any) -> Iterator[str]:
        """Yield what is wrong with a verdict."""
        value, plies = self.strong.worth(b)
        legal = oracles.moves(b, self.strong.lines, self.strong.columns, self.strong.rows)
        if verdict.value != value or (verdict.distance is not None and verdict.distance != plies):
            yield f"value {verdict.value} in {verdict.distance}, truth {value} in {plies}"
        for item in verdict.moves or ():
            worth, distance = self.after(b, item.move)
            if item.value != worth or (item.distance is not None and item.distance != distance):
                said = f"{item.value} in {item.distance}"
                yield f"move {item.move}: {said}, truth {worth} in {distance}"
        if verdict.moves is not None and sorted(item.move for item in verdict.moves) != sorted(
            legal
        ):
            yield f"moves {[item.move for item in verdict.moves]}, truth {legal}"
        if any(self.after(b, move)[0] != value for move in verdict.best_moves):
            yield f"best moves {verdict.best_moves} do not keep {value}"
        if (
            verdict.distance
            and verdict.moves is not None
            and set(verdict.best_moves) != {m for m in legal if self.after(b, m) == (value, plies)}
        ):
            yield f"best moves {verdict.best_moves} are not those that win in {plies}"
        if legal and verdict.value is not None and verdict.value > 0 and not verdict.best_moves:
            yield "a win without a move"

    def weak_faults(self, b: oracles.Board, verdict: Any) -> Iterator[str]:
        """Yield what is wrong with a verdict on the weak game."""
        sign = 1 if oracles.to_move(b) == "X" else -1
        value = sign if self.weak.maker_wins(b) else -sign
        if verdict.value != value:
            yield f"value {verdict.value}, truth {value}"
        for move in verdict.best_moves:
            if value != (
                sign if self.weak.maker_wins(oracles.place(b, move, oracles.to_move(b))) else -sign
            ):
                yield f"best move {move} does not keep {value}"

    def engine_faults(self, b: oracles.Board, found: Any) -> Iterator[str]:
        """Yield what is wrong with what the engine claims: a win or a loss within so many plies, or
        all when its search is complete."""
        value, plies = self.strong.worth(b)
        if abs(found.value) > MAX_EVALUATION:
            claimed = 1 if found.value > 0 else -1
            if claimed != value or plies is None or WIN - abs(found.value) < plies:
                said = f"{'win' if claimed > 0 else 'loss'} in {WIN - abs(found.value)}"
                yield f"{said}, truth {value} in {plies}"
            if claimed > 0 and any(self.after(b, move)[0] != 1 for move in found.best_moves[:1]):
                yield f"best move {found.best_moves[0]} does not win"
        elif found.complete and value:
            yield f"a complete search without an end, truth {value} in {plies}"


def questions(game: LineGame, is_over: bool, draw: random.Random) -> Iterator[tuple[str, Any]]:
    """Yield the solvers that play a game, each as a function of a position."""
    yield "tablebase", lambda position: solve(position, "tablebase")
    yield "search", lambda position: solve(position, "search")
    if CONNECT.plays(game.start()):
        yield "connect", lambda position: solve(position, "connect")
        yield "connect, best alone", lambda position: solve(position, "connect", with_moves=False)
    if LINES.plays(game.start()):
        yield "lines", lambda position: solve(position, "lines")
        if not is_over and JOBS.plays(game.start()):
            yield "lines, weak", lambda position: solve(position, "lines", maker_breaker=True)
            yield (
                "lines, in jobs",
                lambda position: solve_in_jobs(
                    Ask(position, executor=Here(), jobs=3), nodes=draw.choice((2, 20, 2000))
                ),
            )
    if THREATS.plays(game.start()) and not is_over:
        yield "threats", lambda position: solve(position, "threats")
    if not is_over:
        heuristic, depth = (
            draw.choice(("null", "counted-lines", "random")),
            draw.choice((1, 2, 4, None)),
        )
        yield "engine", lambda position: search(position, "engine", heuristic, depth=depth)


def ask_all(
    games: int, seed: int, seconds: float, solver: str = "", is_misere: bool = False
) -> dict[str, Row]:
    """Ask about `games` random games, or as many as there is time for, and return what came of each
    solver, or of the one named."""
    draw, rows, began, told = (
        random.Random(seed),
        {"lines of the board": Row()},
        perf_counter(),
        perf_counter(),
    )
    for number in range(games):
        game, all_lines = some_game(draw, is_misere)
        judge = Judge(game, all_lines)
        rows["lines of the board"].questions += 1
        if sorted(map(tuple, map(sorted, all_lines))) != sorted(
            line.cells() for line in game.lines
        ):
            rows["lines of the board"].wrong += 1
            print(f"lines of {game}", flush=True)
        for b in some_boards(game, all_lines, draw):
            first, second = (
                sum(1 << cell for cell, stone in enumerate(b) if stone == side) for side in "XO"
            )
            position = game.position(first, second)
            for name, question in questions(game, position.is_over, draw):
                if solver not in ("", name):
                    continue
                row = rows.setdefault(name, Row())
                row.questions += 1
                try:
                    found = question(position)
                    row.moves += len(found.moves or ())
                    of = {"engine": judge.engine_faults, "lines, weak": judge.weak_faults}.get(
                        name, judge.faults
                    )
                    faults = list(of(b, found))
                except Exception as error:  # whatever is raised is no answer
                    faults = [f"{type(error).__name__}: {error}"]
                row.wrong += bool(faults)
                for fault in faults:
                    told_game = game.given if game.name == "drawn" else game.name
                    print(
                        f"{name} on {''.join(b)} of {game.shape} {told_game} "
                        f"gravity {game.gravity} misere {game.misere}: {fault}",
                        flush=True,
                    )
        if perf_counter() - told > 30:
            told = perf_counter()
            print(
                f"{number + 1} of {games} games, {told - began:.0f} seconds",
                file=sys.stderr,
                flush=True,
            )
        if perf_counter() - began > seconds:
            break
    return rows


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--seconds", type=float, default=3600.0, help="end after so many seconds with what there is"
    )
    parser.add_argument("--misere", action="store_true", help="only games of misère")
    parser.add_argument("--solver", default="", help="only the solver with this name in the table")
    asked = parser.parse_args(words)
    kept = tablebase.home
    with tempfile.TemporaryDirectory() as folder:
        tablebase.home = lambda: Path(folder)  # nobody wants the tables of these games
        try:
            rows = ask_all(asked.games, asked.seed, asked.seconds, asked.solver, asked.misere)
        finally:
            tablebase.home = kept
    print(f"{'solver':22}{'questions':>11}{'moves':>9}{'wrong':>8}")
    for name, row in rows.items():
        print(f"{name:22}{row.questions:11,}{row.moves:9,}{row.wrong:8,}")
    return 1 if any(row.wrong for row in rows.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
