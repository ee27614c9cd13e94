"""What five people do first, and how long it takes: each task's commands in an empty folder, by the
plyscope that is given, such as one in an environment with nothing but the wheel.

    python bench/tasks.py [PLYSCOPE] [--only STUDENT] [--show]

Prints a table: the steps of a task (commands and files to write), its seconds, and what failed.
`--show` prints what the commands print, at 80 columns.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

LIMIT = 600
MINE = """
def heuristic(board, player):
    rows = [*board, *zip(*board)]
    return sum((3 - player not in row) - (player not in row) for row in rows)
"""
NIM = """
import plyscope as ps


class Nim(ps.Game):
    def start(self): return (7, 0)
    def side(self, position): return position[1]
    def moves(self, position): return [n for n in (1, 2, 3) if n <= position[0]]
    def play(self, position, move): return (position[0] - move, 1 - position[1])
    def payoff(self, position): return None if position[0] else (1 if position[1] else -1)
"""
BOT = """
import numpy as np


def bot(position):
    return np.random.choice(position.moves)
"""
HEXAGON = """
name = "hexagon"
k = 3
directions = ["row", "column", "diagonal"]
board = \"\"\"
# . .
. . .
. . #
\"\"\"
"""
TWELVE = {f"h{n}.py": MINE.replace("- (", f"* {n} - (") for n in range(1, 13)}
VARIANTS = {f"v{n}.toml": f"mine = [0, 1, {2 + n}, {20 + 10 * n}, 1000]\n" for n in range(10)}
NOTEBOOK = """
import plyscope as ps
def mine(position): return len(position.moves)
agent = ps.Agent(heuristic=mine, depth=2, name="mine")
print(ps.play_match(agent, "random", games=20, seed=1).a_wins)
"""
PLACES = """
import asyncio, pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
import plyscope as ps


def main():
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2) as processes:
        for pool in (threads, processes):
            print([each.value for each in pool.map(ps.search, ["X../.O./..X", ".X./O../X.O"])])
    async def ask(): return await asyncio.to_thread(ps.search, "X../.O./..X")
    result = asyncio.run(ask())
    print(pickle.loads(pickle.dumps(result)) == result, len(str(result.as_dict())))


if __name__ == "__main__":
    main()
"""


class Task(NamedTuple):
    """What somebody wants, with the files that are written for it and the commands."""

    who: str
    what: str
    commands: tuple[str, ...]
    files: dict[str, str] = {}  # noqa: RUF012
    fails: bool = False
    """Whether the last command is meant to be refused."""


TASKS = (
    Task(
        "student",
        "the numbers of the sources C, E and A",
        (
            "analyze .X./O../X.O",
            "perft tictactoe",
            "eval XO./.X./..O --all",
            "tree '[[[3,5],[6,9]],[[1,2],[0,-1]]]'",
        ),
    ),
    Task(
        "student",
        "her function in Python",
        ("eval XO./.X./..O -H mine.py", "analyze .X./O../X.O -H mine.py"),
        {"mine.py": MINE},
    ),
    Task(
        "student",
        "as a table, on 4×4 and Connect Four",
        (
            "eval '4,4,4 XXX./OOO./..../....' -H mine.toml",
            "analyze 'connect4 44' -d 4 -H mine.toml",
        ),
        {"mine.toml": "mine = [0, 1, 10, 100, 1000]\n"},
    ),
    Task("student", "where it is wrong", ("report-card mine.py",), {"mine.py": MINE}),
    Task(
        "student",
        "is it better? in games",
        ("match mine.py open-lines --opening-plies 2",),
        {"mine.py": MINE},
    ),
    Task("student", "in a notebook: games of a function of a cell", (), {"notebook.py": NOTEBOOK}),
    Task(
        "student",
        "a report with charts",
        ("match level-3 level-5 -n 100 --record m.db", "records m.db -o report.html"),
    ),
    Task("teacher", "an exam and its key", ("exam --ask values,cuts -n 5 -s 7 --key -o exam.tex",)),
    Task(
        "teacher",
        "a sheet for each student",
        ("class new trees --assignment trees --students names.txt",),
        {"names.txt": "Ada\nBob\n"},
    ),
    Task(
        "teacher",
        "a tournament of 12 heuristics, one of them broken",
        (f"tournament {' '.join(TWELVE)} broken.py -n 4",),
        TWELVE | {"broken.py": "def broken(mine, theirs, lines):\n    raise ValueError('x')\n"},
    ),
    Task(
        "teacher",
        "grades of a class as CSV",
        ("class new hw --seed 7", "class check hw/handout/heuristic.py", "class run hw"),
        {f"hw/submissions/{name}": text for name, text in list(TWELVE.items())[:3]},
    ),
    Task("teacher", "figures, boards in the nodes", ("tree .X./O../X.O -d 2 -o tree.svg",)),
    Task(
        "designer", "a report card on Connect Four", ("report-card open-lines -g connect4 -n 100",)
    ),
    Task("designer", "a report card on 5,5,4", ("report-card open-lines -g 5,5,4 -n 50 -d 2",)),
    Task(
        "designer",
        "ten variants on Connect Four at depth 3, 980 games",
        (f"tournament {' '.join(VARIANTS)} -g connect4 -d 3 -n 22 --opening-plies 1",),
        VARIANTS,
    ),
    Task("designer", "better numbers by themselves", ("tune v1.toml --no-games -t 20",), VARIANTS),
    Task(
        "designer",
        "a sequential test, kept and resumed",
        tuple(2 * ["match level-3 level-4 -g connect4 -n 200 --sprt 0 100 --record s.db"]),
    ),
    Task(
        "researcher",
        "solve 5,5,4, 6,5,4, a torus and a cube",
        tuple(
            f"solve {game} --value-only" for game in ("5,5,4", "6,5,4", "4,4,4,torus", "3x3x3,3")
        ),
    ),
    Task(
        "researcher",
        "a proof, checked by itself",
        ("solve 5,5,4 --value-only --proof p.json", "verify p.json"),
    ),
    Task("researcher", "count positions", ("perft 4,4,3",)),
    Task(
        "researcher",
        "a board of one's own",
        ("solve -g hexagon.toml", "certify perfect -g hexagon.toml"),
        {"hexagon.toml": HEXAGON},
    ),
    Task(
        "developer",
        "Nim in ten lines: checked, solved, played",
        ("check nim.py:Nim", "solve -g nim.py:Nim", "match level-5 random -g nim.py:Nim -n 20"),
        {"nim.py": NIM},
    ),
    Task("developer", "threads, processes, asyncio, pickle", (), {"places.py": PLACES}),
    Task(
        "developer",
        "a bot that answers with NumPy's numbers",
        ("match bot.py random -n 20",),
        {"bot.py": BOT},
    ),
    Task("developer", "a word mistyped", ("analyze .X./O../X.O --dept 2",), fails=True),
)


def seconds_of(task: Task, plyscope: str, is_shown: bool) -> tuple[float, str]:
    """Do a task in an empty folder; return its seconds and the first failure."""
    python = Path(plyscope).with_name("python")
    with TemporaryDirectory() as folder:
        for name, text in task.files.items():
            if "/" not in name:
                Path(folder, name).write_text(text, encoding="utf-8")
        words = [[plyscope, *shlex.split(command)] for command in task.commands]
        words += [[str(python), name] for name in task.files if not words]
        total, failure = 0.0, ""
        for each in words:
            began = perf_counter()
            done = subprocess.run(
                each,
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=LIMIT,
                env=os.environ | {"COLUMNS": "80"},
            )
            total += perf_counter() - began
            if is_shown:
                print(f"$ {shlex.join(each)}\n{done.stdout}{done.stderr}", flush=True)
            if bool(done.returncode) != (task.fails and each is words[-1]):
                failure = failure or f"{each[1]}: {done.returncode} {done.stderr[-200:]}"
            for name, text in task.files.items():
                if "/" in name and not Path(folder, name).exists():
                    Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
                    Path(folder, name).write_text(text, encoding="utf-8")
    return total, failure


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "plyscope", nargs="?", default=str(Path(sys.executable).with_name("plyscope"))
    )
    parser.add_argument("--only", default="")
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    failures = 0
    print("| who | what | steps | seconds |\n|---|---|--:|--:|")
    for task in TASKS:
        if arguments.only not in task.who:
            continue
        seconds, failure = seconds_of(task, arguments.plyscope, arguments.show)
        steps = len(task.commands) + bool(task.files)
        print(f"| {task.who} | {task.what} | {steps} | {seconds:.1f} | {failure}", flush=True)
        failures += bool(failure)
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
