"""The node-count signature: what every algorithm visits on fixed work, so that no change of a
search goes unseen.

`python bench/signature.py` prints what differs from signature.json, `--write` writes it anew.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from plyscope import ALGORITHMS, search
from plyscope.searching.algorithms import TEXTBOOK

FILE = Path(__file__).with_name("signature.json")
WORK: tuple[tuple[str, dict[str, Any]], ...] = (
    (".X./O../X.O", {}),
    ("[[[3,5],[6,9]],[[1,2],[0,-1]]]", {}),
    ("tictactoe", {"depth": 5, "heuristic": "open-lines"}),
    ("connect4 44", {"depth": 4, "heuristic": "weighted-lines"}),
    (
        "4,3,3 b2",
        {"depth": 4, "heuristic": "counted-lines", "scoring": "distance", "order": "best"},
    ),
    ("cube b2b", {"depth": 2, "heuristic": "diagonal-lines", "order": "random", "seed": 3}),
)
"""Positions with the options of their search; an algorithm gets those that it takes."""


def signature(form: str = "reference") -> dict[str, dict[str, list[Any]]]:
    """Return [value, nodes, leaves, cutoffs] by algorithm and work."""
    found: dict[str, dict[str, list[Any]]] = {}
    for name in TEXTBOOK:
        algorithm = ALGORITHMS[name]
        if form == "compiled" and algorithm.compiled is None:
            continue
        for text, options in WORK:
            if "[" in text and (form == "compiled" or algorithm.needs_lines):
                continue
            taken = {
                key: value
                for key, value in options.items()
                if key in algorithm.takes | {"depth", "heuristic", "seed"}
            }
            result = search(text, name, form=form, **taken)
            found.setdefault(name, {})[text] = [
                result.value,
                result.nodes,
                result.leaves,
                result.cutoffs,
            ]
    return found


def main() -> int:
    """Compare, or write."""
    now = signature()
    if "--write" in sys.argv:
        FILE.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        return 0
    before = json.loads(FILE.read_text(encoding="utf-8"))
    changes = [
        f"{name} on {text}: {before.get(name, {}).get(text)} -> {row}"
        for name, rows in now.items()
        for text, row in rows.items()
        if before.get(name, {}).get(text) != row
    ]
    print("\n".join(changes) or "Nodes: unchanged")
    return int(bool(changes))


if __name__ == "__main__":
    sys.exit(main())
