"""Games of one's own beside other people's: how many lines each takes, and how many nodes a second
its searches visit.

    python bench/worked_games.py

The games are those in `examples`. A line counts where it holds code: none that is blank, a comment
or a docstring, and nothing under `if __name__ == "__main__"`; of OpenSpiel the header and the
source. All searches are alpha-beta to the same depth, by the result alone. Other people's nodes are
the positions they make (easyAI's moves, OpenSpiel's clones), and their order of moves is their own,
so that node counts differ. Seconds are the processor's. Needs the extra `bench`.
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
REPEATS = 3
LONG = 3.0
"""Seconds beyond which a search is not repeated."""


@dataclass(frozen=True)
class Peers:
    """A game in `examples`, and what the others call it, where they have it."""

    file: str
    name: str
    arguments: tuple[int, ...]
    depth: int
    easyai: str = ""
    """The name of its module and its class."""
    easyai_options: dict[str, Any] = field(default_factory=dict)
    spiel: str = ""


GAMES = {
    "Nim": Peers(
        "nim",
        "Nim",
        (3, 4, 5),
        depth=8,
        easyai="Nim",
        easyai_options={"piles": (3, 4, 5)},
        spiel="nim(is_misere=false,pile_sizes=3;4;5)",
    ),
    "Hexapawn": Peers(
        "hexapawn",
        "Hexapawn",
        (4, 4),
        depth=12,
        easyai="Hexapawn",
        easyai_options={"size": (4, 4)},
    ),
    "Isolation": Peers(
        "isolation",
        "Isolation",
        (5, 5),
        depth=16,
        easyai="Knights",
        easyai_options={"board_size": (5, 5)},
    ),
    "Dots and boxes": Peers(
        "dots_and_boxes",
        "DotsAndBoxes",
        (2, 2),
        depth=8,
        spiel="dots_and_boxes(num_rows=2,num_cols=2)",
    ),
    "Kalah": Peers("kalah", "Kalah", (6, 4), depth=9, spiel="mancala"),
    "Othello": Peers("othello", "Othello", (8,), depth=6, easyai="Reversi", spiel="othello"),
    "Ultimate tic-tac-toe": Peers(
        "ultimate", "Ultimate", (), depth=5, spiel="ultimate_tic_tac_toe"
    ),
}


# Lines of code


def lines_of_python(path: Path) -> int:
    """Return how many lines of a Python file hold code."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    left_out = {
        node for node in tree.body if isinstance(node, ast.If) and "__name__" in ast.dump(node.test)
    }
    held: set[int] = set()
    for node in tree.body:
        if node not in left_out:
            held |= set(range(node.lineno, (node.end_lineno or 0) + 1))
            held |= {line for each in getattr(node, "decorator_list", ()) for line in [each.lineno]}
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            held -= set(range(node.lineno, (node.end_lineno or 0) + 1))
    lines = dict(enumerate(source.splitlines(), 1))
    return sum(bool(lines[number].partition("#")[0].strip()) for number in held)


def lines_of_cpp(path: Path) -> int:
    """Return how many lines of a C++ file hold code."""
    source = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return sum(bool(line.partition("//")[0].strip()) for line in source.splitlines())


def folder_of(package: str) -> Path:
    """Return the folder of an installed package."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{package} is not installed; expected the extra 'bench'")
    return Path(spec.origin).parent


def lines_of_spiel(spec: str) -> int:
    """Return the lines of OpenSpiel's game, header and source."""
    name = spec.partition("(")[0]
    folder = folder_of("open_spiel") / "games" / name
    return sum(lines_of_cpp(folder / f"{name}.{ending}") for ending in ("h", "cc"))


# Nodes per second


def ours(peers: Peers) -> Any:
    """Return our game."""
    return getattr(import_module(f"examples.{peers.file}"), peers.name)(*peers.arguments)


def by_plyscope(game: Any, depth: int, form: str) -> Callable[[], int]:
    """Return a search of ours."""
    from plyscope import search

    return lambda: search(game, "alphabeta", "null", depth=depth, form=form).nodes  # type: ignore[arg-type]


def by_easyai(peers: Peers) -> Callable[[], int]:
    """Return easyAI's."""
    from easyAI import AI_Player, Negamax

    theirs = getattr(import_module(f"easyAI.games.{peers.easyai}"), peers.easyai)

    class Counted(theirs):  # type: ignore[misc,valid-type]
        made = 1

        def make_move(self, move: Any) -> Any:
            Counted.made += 1
            return super().make_move(move)

        def scoring(self) -> int:
            return -100 if self.is_over() else 0

    def run() -> int:
        Counted.made = 1
        players = [AI_Player(None), AI_Player(None)]
        with contextlib.redirect_stdout(io.StringIO()):
            Negamax(peers.depth)(Counted(players, **peers.easyai_options))
        return Counted.made

    return run


class CountedState:
    """A state of OpenSpiel that counts how many are made."""

    made = 0

    def __init__(self, state: Any) -> None:
        self.state = state

    def clone(self) -> CountedState:
        CountedState.made += 1
        return CountedState(self.state.clone())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)


def by_spiel(peers: Peers) -> Callable[[], int]:
    """Return OpenSpiel's."""
    import pyspiel
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    game = pyspiel.load_game(peers.spiel)

    def run(kind: Any = lambda state: state) -> int:
        state = kind(game.new_initial_state())
        alpha_beta_search(game, state, lambda leaf: 0, peers.depth, 0)
        return CountedState.made

    CountedState.made = 0
    run(CountedState)
    return run


def rate(run: Callable[[], int]) -> tuple[int, float]:
    """Return the nodes of a search, and the most per second of some runs."""
    best = 0.0
    for _ in range(REPEATS):
        began = process_time()
        nodes = run()
        seconds = process_time() - began
        best = max(best, nodes / seconds)
        if seconds > LONG:
            break
    return nodes, best


def contestants(peers: Peers) -> Iterable[tuple[str, Callable[[], int]]]:
    """Yield who searches the game."""
    from plyscope_worlds import from_openspiel

    if peers.easyai:
        yield "easyAI", by_easyai(peers)
    if peers.spiel:
        yield "OpenSpiel", by_spiel(peers)
        game = from_openspiel(peers.spiel)
        yield "plyscope, OpenSpiel's game", by_plyscope(game, peers.depth, "reference")
    yield "plyscope, reference", by_plyscope(ours(peers), peers.depth, "reference")
    with contextlib.suppress(ValueError):
        run = by_plyscope(ours(peers), peers.depth, "compiled")
        run()
        yield "plyscope, compiled", run


def main() -> None:
    """Print the tables."""
    sys.path.insert(0, str(ROOT))
    print("| game | here | easyAI | OpenSpiel |\n|---|---|---|---|")
    for name, peers in GAMES.items():
        here = lines_of_python(ROOT / "examples" / f"{peers.file}.py")
        easyai = folder_of("easyAI") / "games" / f"{peers.easyai}.py"
        theirs = lines_of_python(easyai) if peers.easyai else "–"
        spiel = lines_of_spiel(peers.spiel) if peers.spiel else "–"
        print(f"| {name} | {here} | {theirs} | {spiel} |")
    print("\n| game, depth | by | nodes | nodes per second |\n|---|---|---|---|")
    for name, peers in GAMES.items():
        for who, run in contestants(peers):
            nodes, per_second = rate(run)
            print(f"| {name}, {peers.depth} | {who} | {nodes:,} | {per_second:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
