"""Games and positions without gravity solved, strong and weak: `python bench/lines.py`, `--long`
for those of minutes."""

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
    ("7,7,4", False, 1, ""),
    ("8,8,4", False, 1, ""),
    ("15,15,5 h8 a1 i9 a15", False, 1, ""),
    ("15,15,5 h8 a1 i9 o1 g9 a15", False, 1, ""),
    ("15,15,5 h8 h9 i9 g7 i7 i8 j8 g9", False, 1, ""),
)
LONG = (("9,4,4", False, 1, ""), ("qubic", False, 1, ""))


def main() -> None:
    from plyscope import parse, solve
    from plyscope_fast.solving.lines import lines_solver
    from plyscope_fast.solving.threats import threat_solver

    for solver in (lines_solver, threat_solver):
        solver(parse("5,5,4").game).prepare()
    print(f"{'position':32}{'':8}{'value':>6} {'method':8}{'seconds':>10}{'nodes':>14}   published")
    for text, weak, value, published in GAMES + (LONG if "--long" in sys.argv[1:] else ()):
        position = parse(text)
        began = perf_counter()
        verdict = solve(position, with_moves=False, maker_breaker=weak)
        seconds = perf_counter() - began
        assert verdict.value == value, verdict
        told = f"{text:32}{'weak' if weak else 'strong':8}{value:>6} {verdict.method:8}"
        print(f"{told}{seconds:>10.3f}{verdict.nodes:>14,}   {published}", flush=True)


if __name__ == "__main__":
    main()
