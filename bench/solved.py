"""Solve games, prove them, check the proofs, and write docs/solved.md: one command, `python
bench/solved.py`."""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "solved.md"
GAMES = (
    "tictactoe",
    "misere-tictactoe",
    "torus-tictactoe",
    "3,3,3,torus,misere",
    "4,3,3",
    "4,3,4",
    "5,3,3",
    "4,4,3",
    "4,4,4",
    "4,4,4,misere",
    "5,4,4",
    "6,4,4",
    "5,5,4",
    "6,5,4",
    "7,5,4",
    "6,6,4",
    "7,6,4",
    "7,7,4",
    "8,8,4",
    "5,5,5",
    "6,6,5",
    "7,7,5",
    "8,7,5",
    "7,7,6",
    "9,6,6",
    "8,8,6",
    "2x2x2,2",
    "3x3x3,3",
    "4,4,4,gravity",
    "5,3,3,gravity",
    "4,4,3,gravity",
)
HEAD = """# Solved games

The exact value of each game from its empty board, with its proof. `plyscope verify`, an independent
program that needs only Python, checks proofs. Written by `python bench/solved.py`. To make the
proof of a row, run `plyscope solve GAME --proof FILE`; the digest in its last line is the one shown
here. If FILE ends in `.xz`, the proof is packed.

| game | value | plies | positions in the proof | bytes | packed | digest |
|---|---|---|---|---|---|---|
"""


def row(name: str) -> str:
    from plyscope import parse_game, solve
    from plyscope.solving.proof import proof_of
    from plyscope.solving.verify import verify

    start = parse_game(name).start()
    verdict, proof = solve(start), proof_of(start)
    found = verify(proof)
    value = {1: "X wins", 0: "draw", -1: "O wins"}[verdict.value or 0]
    plies = "" if verdict.distance is None else verdict.distance
    size, packed = len(proof), len(lzma.compress(proof.encode()))
    counts = f"{found['positions']:,} | {size:,} | {packed:,}"
    return f"| {name} | {value} | {plies} | {counts} | `{found['digest']}` |"


def main() -> None:
    rows = []
    for name in GAMES:
        rows.append(row(name))
        print(rows[-1], file=sys.stderr, flush=True)
    PAGE.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
