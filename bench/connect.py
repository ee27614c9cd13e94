"""Connect Four solved, beside BitBully (C++), in one run: seconds for the published positions and
for the empty board.

    python bench/connect.py            positions of each set that take BitBully half a minute
    python bench/connect.py --all      all 6000, and the empty board (BitBully: two hours)
    python bench/connect.py --all --alone    the same without BitBully

The sets are Pascal Pons', six of 1000 positions; every score is checked. Both keep their tables
from one position to the next. Needs the extra `bench`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter
from typing import Any

DATA = Path(__file__).parent.parent / "tests" / "data" / "connect4"
COUNTS = {"L3_R1": 1000, "L2_R1": 1000, "L1_R1": 1000, "L2_R2": 1000, "L1_R2": 100, "L1_R3": 12}


def ours(positions: list[tuple[str, int]]) -> tuple[float, int, float]:
    from plyscope import parse, parse_game
    from plyscope_fast.solving.connect import ConnectSolver

    solver = ConnectSolver(parse_game("connect4"))
    solver.prepare()
    asked = [(parse(f"connect4 {moves}"), score) for moves, score in positions]
    began = perf_counter()
    found = solver.scores([position for position, _ in asked])
    seconds = perf_counter() - began
    assert found == [score for _, score in asked]
    return seconds, solver.nodes, sum(table.megabytes for table in solver.tables)


def bitbully(positions: list[tuple[str, int]]) -> tuple[float, int]:
    from bitbully.bitbully_core import BitBullyCore, BoardCore

    agent: Any = BitBullyCore()
    asked = []
    for moves, score in positions:
        board = BoardCore()
        for move in moves:
            board.play(int(move) - 1)
        asked.append((board, score))
    began = perf_counter()
    assert all(agent.mtdf(board, 0) == score for board, score in asked)
    return perf_counter() - began, agent.getNodeCounter()


def main() -> None:
    is_all, is_alone = "--all" in sys.argv[1:], "--alone" in sys.argv[1:]
    print(
        f"{'set':8}{'positions':>10}{'plyscope':>12}{'BitBully':>12}"
        f"{'ratio':>8}{'our nodes':>14}{'its nodes':>16}",
        flush=True,
    )
    sets = {}
    for name, count in COUNTS.items():
        lines = (DATA / f"Test_{name}").read_text().splitlines()[: None if is_all else count]
        sets[name] = [(moves, int(score)) for moves, score in (line.split() for line in lines)]
    sets["empty"] = [("", 1)]
    for name, positions in sets.items():
        seconds, nodes, _ = ours(positions)
        line = f"{name:8}{len(positions):>10}{seconds:>10.3f} s"
        if is_alone or (name == "empty" and not is_all):
            print(f"{line}{'':>20}{nodes:>14,}", flush=True)
            continue
        theirs, their_nodes = bitbully(positions)
        print(
            f"{line}{theirs:>10.3f} s{theirs / seconds:>8.1f}{nodes:>14,}{their_nodes:>16,}",
            flush=True,
        )


if __name__ == "__main__":
    main()
