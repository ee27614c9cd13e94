"""Attack the checker of proofs: `python bench/proofs.py [MUTANTS] [SEED] [GAME ...]`.

Changes what eleven proofs mean, signs them anew, and asks both checkers. They have to agree on
each, and what they accept has to be true: by brute force where that is possible, else by the
solvers. Prints a line for each proof, and exits with 1 if a false claim was accepted or the
checkers differ.
100,000 mutants, as many as there are unless said, take about an hour.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import checker
import mutants

# Of 1,000 mutants: fewer where a proof takes longer to check.
SHARES = {
    "tictactoe": 230,
    "4,3,3": 300,
    "4,4,4": 60,
    "misere-tictactoe": 90,
    "torus-tictactoe": 200,
    "4,4,3,gravity": 60,
    "5,4,4": 20,
    "4,4,4,gravity": 20,
    "4,4,4,misere": 14,
    "6,6,4": 4,
    "7,7,4": 2,
}
MOST_POSITIONS, SECONDS = 100_000, 20.0
SOLVED: dict[str, int | None] = {}


def by_solvers(head: dict[str, Any], claim: dict[str, Any]) -> bool | None:
    """Whether a claim is true as the solvers say, None where they do not finish."""
    from plyscope import solve
    from plyscope.rules.linegame import LineGame
    from plyscope.rules.lines import Line, grid_lines

    told, root = head["game"], head["root"]
    key = json.dumps([told, root], sort_keys=True)
    if key not in SOLVED:
        if "lines" in told:
            lines = tuple(Line(sum(1 << cell for cell in line), "line") for line in told["lines"])
        else:
            lines = grid_lines(tuple(told["shape"]), told["k"], told["torus"])
        game = LineGame(
            "mutant", tuple(told["shape"]), lines, gravity=told["gravity"], misere=told["misere"]
        )
        position = game.position(
            int(root["x"], 16), int(root["o"], 16), "xo".index(root["to_move"])
        )
        SOLVED[key] = solve(position, with_moves=False, seconds=SECONDS).value
    value = SOLVED[key]
    if value is None:
        return None
    return (value if claim["side"] == root["to_move"] else -value) >= claim["at_least"]


def asked(text: str) -> tuple[object, object]:
    """What each checker says: the claims and the number of positions met, or None."""
    from plyscope.solving.verify import verify

    one: object = None
    other: object = None
    try:
        found = verify(text)
        one = (
            [(claim["side"], claim["at_least"]) for claim in found["claims"]],
            found["positions"],
        )
    except ValueError:
        pass
    try:
        proved = checker.check(text.encode("utf-8", "surrogatepass"))
        other = (proved.claims, proved.met)
    except checker.NoProof:
        pass
    return one, other


def attack(name: str, count: int, seed: int) -> Counter[str]:
    """Try so many mutants of one proof and count what came of it."""
    from plyscope import parse
    from plyscope_fast.solving.proof import proof_of

    whole, draw, counts = proof_of(parse(name)), random.Random(f"{seed} {name}"), Counter[str]()
    proof = mutants.Proof.read(whole)
    for _ in range(count):
        text = mutants.mutant(proof, draw)
        one, other = asked(text)
        if one != other:
            counts["differ"] += 1
            print(f"the checkers differ, {one} and {other}:\n{text}", file=sys.stderr)
        if one is None:
            counts["rejected"] += 1
            continue
        counts["accepted"] += 1
        counts["unchanged"] += text == whole
        head = json.loads(text.partition("\n")[0])
        for claim in head["claims"]:
            truth, by = mutants.is_true(head, claim, MOST_POSITIONS), "by brute force"
            if truth is None:
                truth, by = by_solvers(head, claim), "by solvers"
            counts["undecided" if truth is None else by] += 1
            if truth is False:
                counts["false"] += 1
                print(f"a false claim is accepted, {claim}:\n{text}", file=sys.stderr)
    return counts


def main() -> int:
    words = sys.argv[1:]
    count, seed = int(words[0]) if words else 100_000, int(words[1]) if len(words) > 1 else 1
    columns = (
        "accepted",
        "unchanged",
        "rejected",
        "by brute force",
        "by solvers",
        "undecided",
        "false",
        "differ",
    )
    print(
        f"{'proof':18} {'mutants':>8} "
        + " ".join(f"{column:>{max(len(column), 7)}}" for column in columns)
        + f" {'seconds':>8}"
    )
    total = Counter[str]()
    for name in words[2:] or SHARES:
        share = SHARES[name]
        began = perf_counter()
        counts = attack(name, count * share // 1000, seed)
        total += counts
        cells = " ".join(f"{counts[column]:{max(len(column), 7)},}" for column in columns)
        print(
            f"{name:18} {count * share // 1000:8,} {cells} {perf_counter() - began:8.0f}",
            flush=True,
        )
    cells = " ".join(f"{total[column]:{max(len(column), 7)},}" for column in columns)
    print(f"{'all':18} {total['accepted'] + total['rejected']:8,} {cells}")
    return int(bool(total["false"] or total["differ"]))


if __name__ == "__main__":
    sys.exit(main())
