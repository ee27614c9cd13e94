"""Holds the printed keys of exams against searches written independently: `python bench/exams.py
[--questions 4000] [--seed 0]`.

Sheets are made by the command `exam --json` under random wishes: minimax, alpha-beta under four
conventions and PVS under two, on trees of two to five plies, and questions on boards of
tic-tac-toe. Every value, window, cut and second search of every node is compared with
`tests/oracles.py`, and so are the worth and the order of every move.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from contextlib import redirect_stdout
from io import StringIO
from math import inf
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))  # whose searches these are

import oracles

A_SHEET = 10
"""Questions of a sheet."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    done, compared, wrong = check(given.questions, given.seed)
    print("| asked | questions | compared | wrong |\n|---|--:|--:|--:|")
    for name in sorted(done):
        print(f"| {name} | {done[name]:,} | {compared[name]:,} | {len(wrong.get(name, []))} |")
    for name, cases in wrong.items():
        for case in cases[:3]:
            print(f"{name}: {case}")
    return 1 if wrong else 0


def check(questions: int, seed: int) -> tuple[Counter[str], Counter[str], dict[str, list[str]]]:
    """Make `questions` questions and return, by what is asked, how many there were, how many items
    of their keys were compared, and the commands and items that were wrong."""
    draw = random.Random(seed)
    done: Counter[str] = Counter()
    compared: Counter[str] = Counter()
    wrong: dict[str, list[str]] = {}
    while done.total() < questions:
        words = wishes(draw)
        for question in sheet(words):
            name = kind(question)
            done[name] += 1
            items = board_items(question) if "position" in question else tree_items(question)
            for item, told, true in items:
                compared[name] += 1
                if told != true:
                    said = f"exam {' '.join(words)}: {item}: {told!r} for {true!r}"
                    wrong.setdefault(name, []).append(said)
    return done, compared, wrong


def wishes(draw: random.Random) -> list[str]:
    """Return the words of a random sheet."""
    words = ["-s", str(draw.randrange(10**6)), "-n", str(A_SHEET)]
    asked = draw.choice(("minimax", "alphabeta", "alphabeta", "alphabeta", "pvs", "pvs", "boards"))
    if asked == "boards":
        return [*words, "--ask", "evaluation,choice,order", "-g", "tictactoe"]
    words += ["-A", asked, "-d", str(draw.choice((2, 3, 3, 4, 5)))]
    words.append(f"--values={draw.choice(('-9..9', '0..3', '-99..99'))}")
    words += ["--cuts", "0", *(["--again", "0"] if asked == "pvs" else [])]
    if asked != "minimax":
        words += ["--bound", draw.choice(("soft", "hard"))]
    if asked == "alphabeta":
        words += ["--cut", draw.choice(("ge", "gt"))]
    return words


def sheet(words: list[str]) -> list[dict[str, Any]]:
    """Return the questions that `exam` prints as JSON."""
    from plyscope.faces.cli import run

    out = StringIO()
    with redirect_stdout(out):
        status = run(["exam", *words, "--json"])
    if status:
        raise SystemExit(f"exam {' '.join(words)} --json ended with {status}")
    return json.loads(out.getvalue())


def kind(question: dict[str, Any]) -> str:
    """Return what a question asks, with the conventions on which its key depends."""
    if "position" in question:
        return f"boards: {question['item']}"
    held = question["conventions"]
    return {
        "minimax": "minimax",
        "alphabeta": f"alpha-beta, cut {held['cut']}, {held['bound']}",
        "pvs": f"PVS, {held['bound']}",
    }[question["algorithm"]]


def tree_items(question: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """Return each item of a tree's key: its name, what the key says and what is true."""
    tree = json.loads(question["tree"])
    held = question["conventions"]
    again: set[tuple[int, ...]] = set()
    if question["algorithm"] == "minimax":
        found = {path: (-inf, inf, tree_at(tree, path)) for path in every_path(tree)}
    elif question["algorithm"] == "alphabeta":
        found = oracles.alphabeta_by_node(tree, held["cut"] == "gt", held["bound"] == "hard")
    else:
        found, again = oracles.pvs_by_node(tree, held["bound"] == "hard")
    items: list[tuple[str, Any, Any]] = []
    for at, node in question["key"].items():
        path = tuple(int(number) for number in at.split(".")) if at else ()
        is_found = path in found
        low, high, value = found.get(path, (None, None, None))
        items.append((f"value at {at!r}", node["value"], value))
        if "windows" in question["asked"] and node["window"] is not None:
            ends = node["window"]
            window = (-inf if ends[0] is None else ends[0], inf if ends[1] is None else ends[1])
            items.append((f"window at {at!r}", window, (low, high)))
        items.append((f"cut at {at!r}", node["cut"], not is_found and path[:-1] in found))
        items.append((f"again at {at!r}", node["again"], path in again))
    return items


def board_items(question: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """Return each item of a board's key: its name, what the key says and what is true."""
    board = oracles.board(question["position"])
    side = oracles.to_move(board)
    sign = 1 if side == "X" else -1
    key = question["key"]

    def worth(after: oracles.Board) -> int:
        """In the view of the side that asks."""
        return sign * oracles.counted_lines(after)

    if question["item"] == "evaluation":
        return [("value", key["value"], worth(board))]
    items: list[tuple[str, Any, Any]] = []
    true: dict[str, int] = {}
    other = "O" if side == "X" else "X"
    for cell in oracles.moves(board, oracles.LINES3):
        after = oracles.place(board, cell, side)
        replies = oracles.moves(after, oracles.LINES3) if question["item"] == "choice" else []
        name = f"{'abc'[cell % 3]}{3 - cell // 3}"
        true[name] = min(
            (worth(oracles.place(after, reply, other)) for reply in replies), default=worth(after)
        )
    items += [(f"worth of {move}", value, true[move]) for move, value in key["move_values"].items()]
    if question["item"] == "choice":
        best = max(true.values())
        items.append(("value", key["value"], best))
        moves = sorted(move for move, value in true.items() if value == best)
        items.append(("best moves", sorted(key["move"]), moves))
    else:
        values = [true[move] for move in key["order"]]
        items.append(("order", values, sorted(values, reverse=True)))
    return items


def every_path(tree: Any) -> list[tuple[int, ...]]:
    """Return the paths of all nodes of nested lists."""
    if isinstance(tree, int):
        return [()]
    below = [(number, *path) for number, child in enumerate(tree) for path in every_path(child)]
    return [(), *below]


def tree_at(tree: Any, path: tuple[int, ...]) -> int:
    """Return the minimax value of a node."""
    node = tree
    for number in path:
        node = node[number]
    return oracles.tree_value(node, len(path) % 2 == 0)


if __name__ == "__main__":
    sys.exit(main())
