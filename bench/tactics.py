"""Finds positions of Gomoku that are won by threats, and asks the engine for its moves in them.

    python bench/tactics.py find [--each 300] [--seed 0] [--seconds S]
    python bench/tactics.py ask [--sample 600] [--move-seconds 1 | --nodes N] [--seed 0]

`find` draws positions on 15×15 by random moves near other stones, and adds those in which the
solver of threats, and nothing else, finds a win of 5 to 21 plies for the side to move to
`tests/data/threat_wins.txt`: by fours alone, or by threes too, where no win by fours is found. The
plies are those of the line that the solver found, not of the shortest win. Positions with a line
to complete, or with an open four at hand, are left out.

`ask` counts the wins in which the engine, with `patterns`, chooses a first move after which the
solver still finds the win.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from random import Random
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))  # where the wins are

from plyscope.lab.agents.catalogue import parse_agent
from plyscope.rules.games import line_game
from plyscope.rules.position import Position
from plyscope.solving.ask import Ask
from plyscope_fast.solving.threats import ThreatSolver, threat_solver
from plyscope_web.threats import threats
from threat_wins import DATA, GAME, KINDS, Win, is_still_won, wins

PLIES = range(5, 22)
PROVING_NODES = 3_000
"""The nodes of a search for a win."""


def drawn(draw: Random) -> Position:
    """Return a position after random moves, each near a stone."""
    game = line_game(GAME)
    position, width = game.start(), game.width
    x, y = draw.randint(5, 9), draw.randint(5, 9)
    for _ in range(draw.randint(8, 36)):
        cell = y * width + x
        if position.empty >> cell & 1 and not position.is_over:
            position = position.play(cell)
        near = draw.choice([at for at in range(game.size) if not position.empty >> at & 1])
        x = min(max(near % width + draw.randint(-2, 2), 0), width - 1)
        y = min(max(near // width + draw.randint(-2, 2), 0), width - 1)
    return position


def kind_of(
    position: Position, kinds: Collection[str], solver: ThreatSolver
) -> tuple[str, int] | None:
    """Return which of `kinds` the win of the side to move is and its plies, None if none is found
    or it is too short or long."""
    side = position.side
    if position.is_over or any(
        found.kind == "line" or found.side == side for found in threats(position)
    ):
        return None
    fours = solver.by_fours(position, side)
    if fours is not None:
        is_wanted = "fours" in kinds and len(fours.line) in PLIES
        return ("fours", len(fours.line)) if is_wanted else None
    if "threes" not in kinds:
        return None
    ask = Ask(position, limit=PROVING_NODES)
    known = solver.wins(ask, side, in_place=True)
    if not known.wins or known.move is None:
        return None
    line: list[int] = []
    solver._follow(line, ask, side, known.move)
    after = position
    for move in line:
        after = after.play(move)
    return ("threes", len(line)) if after.winner == side and len(line) in PLIES else None


def find(known: Sequence[Win], each: int, seed: int, seconds: float) -> Iterator[Win]:
    """Yield more wins until there are `each` of both kinds, or the time is over."""
    solver, count = threat_solver(line_game(GAME)), Counter(win.kind for win in known)
    began, draw = perf_counter(), 0
    solver.prepare()
    while perf_counter() - began < seconds:
        kinds = [kind for kind in KINDS if count[kind] < each]
        if not kinds:
            return
        position = drawn(Random(f"{seed}/{draw}"))
        draw += 1
        if draw % 500 == 0:
            solver.forget()
            print(f"{draw:,} positions, {dict(count)}", file=sys.stderr, flush=True)
        found = kind_of(position, kinds, solver)
        if found is not None:
            count[found[0]] += 1
            yield Win(*found, _moves(position))


def _moves(position: Position) -> str:
    """Return moves that lead to a position, in the order of the cells."""
    game = position.game
    stones: list[list[str]] = [[], []]
    for cell in range(game.size):
        owner = position.owner(cell)
        if owner is not None:
            stones[owner].append(game.format_cell(cell))
    first, second = stones
    return " ".join(stones[number % 2][number // 2] for number in range(len(first) + len(second)))


def ask(sample: Sequence[Win], seconds: float, nodes: int | None) -> Counter[str]:
    """Return how many wins of each kind there are, and in how many the win is kept."""
    solver, count = threat_solver(line_game(GAME)), Counter[str]()
    solver.prepare()
    name = "engine heuristic=patterns"
    limit = f"seconds={seconds}" if nodes is None else f"nodes={nodes} seconds=3600"
    agent, draw = parse_agent(f"{name} {limit}"), Random(0)
    parse_agent(f"{name} nodes=1").choose(line_game(GAME).start(), draw)  # compiles
    for number, win in enumerate(sample):
        move = agent.choose(win.position, draw).move
        is_won = is_still_won(win.position, move, solver)
        count.update({win.kind: 1, f"{win.kind} kept": is_won})
        if not is_won:
            text = win.position.game.format_cell(move)
            print(f"{win.kind} of {win.plies} plies: {text} in {GAME} {win.moves}", flush=True)
        if number % 20 == 19:
            print(f"{number + 1} of {len(sample)}", file=sys.stderr, flush=True)
    return count


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=("find", "ask"))
    parser.add_argument("--each", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--sample", type=int, default=600)
    parser.add_argument("--move-seconds", type=float, default=1.0)
    parser.add_argument("--nodes", type=int)
    asked = parser.parse_args(words)
    known = wins()
    if asked.task == "find":
        found = find(known, asked.each, asked.seed, asked.seconds)
        rows = sorted({*known, *found})
        DATA.write_text("".join(f"{kind} {n} {moves}\n" for kind, n, moves in rows))
        print(dict(Counter(row.kind for row in rows)))
        return 0
    sample = Random(asked.seed).sample(known, min(asked.sample, len(known)))
    count = ask(sample, asked.move_seconds, asked.nodes)
    for kind in KINDS:
        print(f"{kind}: {count[f'{kind} kept']} of {count[kind]} kept")
    return 0


if __name__ == "__main__":
    sys.exit(main())
