"""Connect Four on boards of every size, as far as SECONDS a board reach: `python bench/sizes.py
[SECONDS]` writes docs/sizes.md.

An empty cell is a board of more than 64 bits, which the solver does not play.
"""

from __future__ import annotations

import sys
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "sizes.md"
WIDTHS, HEIGHTS = range(4, 9), range(4, 9)
MEGABYTES = 256
HEAD = """# Connect Four by board size

The winner from the empty board, and the [distance](solving.md) of the win in plies. = is a draw; –
was not solved within {seconds:g} seconds on one core with a table of {megabytes} MB.
Written by `python bench/sizes.py {seconds:g}`.

| height | {widths} |
|---|{bars}|
"""


def cell(width: int, height: int, seconds: float) -> str:
    from plyscope import parse_game
    from plyscope.searching.limit import Late
    from plyscope.solving.accelerated import CONNECT
    from plyscope.solving.ask import Ask
    from plyscope_fast.solving.connect import ConnectSolver

    game = parse_game(f"{width},{height},4,gravity")
    if not CONNECT.plays(game.start()):
        return ""
    solver = ConnectSolver(game, MEGABYTES)
    solver.prepare()
    try:
        verdict = solver.solve(Ask(game.start(), with_moves=False, seconds=seconds))
    except Late:
        return "–"
    return (
        "="
        if verdict.value == 0
        else f"{'first' if verdict.value == 1 else 'second'}, {verdict.distance}"
    )


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    rows = []
    for height in HEIGHTS:
        rows.append(
            f"| {height} | " + " | ".join(cell(width, height, seconds) for width in WIDTHS) + " |"
        )
        print(rows[-1], file=sys.stderr, flush=True)
    widths = " | ".join(f"width {width}" for width in WIDTHS)
    head = HEAD.format(
        seconds=seconds, megabytes=MEGABYTES, widths=widths, bars="---|" * (len(WIDTHS) - 1) + "---"
    )
    PAGE.write_text(head + "\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
