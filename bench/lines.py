"""m,n,k-games solved, strong and weak, beside the published times: `python bench/lines.py`, `--long` for those of minutes."""

from __future__ import annotations

import sys
from time import perf_counter

GAMES = (
    # game, whether weak, value to X, what is published
    ("5,5,4", False, 0, ""),
    ("6,5,4", False, 1, ""),
    ("3x3x3,3", False, 1, ""),
    ("7,4,4", False, 0, ""),
    ("7,7,5", False, 0, "2.5 s (Hsu, Ko et al. 2020)"),
    ("7,7,5", True, -1, ""),
    ("8,4,4", False, 0, ""),
    ("8,7,5", True, -1, ""),
    ("7,6,4", False, 1, ""),
)
LONG = (("8,8,4", False, 1, ""), ("7,7,4", False, 1, ""), ("9,4,4", False, 1, ""))


def main() -> None:
    from plyscope import parse_game
    from plyscope.solving.lines import LinesSolver

    print(f"{'game':10}{'':8}{'value':>6}{'seconds':>10}{'nodes':>14}   published")
    for name, weak, value, published in GAMES + (LONG if "--long" in sys.argv[1:] else ()):
        solver = LinesSolver(parse_game(name), weak)
        solver.prepare()
        began = perf_counter()
        verdict = solver.solve(parse_game(name).start(), with_moves=False)
        assert verdict.value == value, verdict
        seconds = perf_counter() - began
        print(f"{name:10}{'weak' if weak else 'strong':8}{value:>6}{seconds:>10.3f}{verdict.nodes:>14,}   {published}", flush=True)


if __name__ == "__main__":
    main()
