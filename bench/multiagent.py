"""Berkeley's multi-agent tests: every tree of a folder against the solution next to it.

`python bench/multiagent.py FOLDER` searches each `*.test` of the folder and of its folders by its
algorithm, alpha-beta with cuts at > only, and compares the visited states and the chosen action
with `generated` and `action` of its `.solution`. The files belong to a copy of the project
(ai.berkeley.edu); a test that plays Pacman itself has no tree and is counted as left out.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

from plyscope import trace
from plyscope.errors import NotationError


def compare(path: Path) -> str:
    """Return `same`, `left out`, or what differs from the published solution."""
    text = path.read_text(encoding="utf-8")
    solution = path.with_suffix(".solution").read_text(encoding="utf-8")
    is_alphabeta = "AlphaBetaAgent" in text
    try:
        traced = trace(text, "alphabeta", cut="gt") if is_alphabeta else trace(text, "minimax")
    except NotationError as error:
        return "left out" if "PacmanGameTreeTest" in str(error) else str(error)
    generated = sorted(field(solution, "generated").split())
    start = field(text, "start_state")
    actions = [
        line.split()[1]
        for line in field(text, "successors").splitlines()
        if line.split()[:1] == [start]
    ]
    if sorted(set(traced.visited)) != generated:
        return f"visits {' '.join(sorted(set(traced.visited)))}; expected {' '.join(generated)}"
    chosen = actions[traced.result.best_move]
    wanted = field(solution, "action")
    return "same" if chosen == wanted else f"chooses {chosen}; expected {wanted}"


def field(text: str, name: str) -> str:
    """Return the text of a field."""
    found = re.search(rf'^{name}:\s*(?:"""(.*?)"""|"([^"]*)")', text, re.MULTILINE | re.DOTALL)
    return (found[1] or found[2] or "").strip() if found else ""


def main() -> int:
    """Print what differs and the counts by folder; return 1 if anything differs."""
    counts: Counter[tuple[str, str]] = Counter()
    for path in sorted(Path(sys.argv[1]).rglob("*.test")):
        said = compare(path)
        counts[path.parent.name, said if said in ("same", "left out") else "different"] += 1
        if said not in ("same", "left out"):
            print(f"{path}: {said}")
    for (folder, kind), count in sorted(counts.items()):
        print(f"{folder}: {count} {kind}")
    return int(any(kind == "different" for _, kind in counts))


if __name__ == "__main__":
    raise SystemExit(main())
