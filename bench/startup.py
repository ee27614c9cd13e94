"""Processor time of first commands: what a newcomer types, each on an empty cache, and once more.

Run with `python bench/startup.py`, or with the folder of another version of plyscope; `--only`
takes words of the commands. A time is that of the whole process and its children, with the
imports; it depends less on what else runs than the time on a clock. A command of less than a second
is run three times on each cache, and the least time counts. Every command has a cache of its own;
its bytecode is cached. The first line states whether plyscope-fast has its machine code.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from urllib.request import urlopen

HERE = Path(__file__).resolve().parent.parent
SHORT_SECONDS, ROUNDS = 1.0, 3
PARTNERS = "open=alphabeta heuristic=open-lines depth=2"
COMMANDS: dict[str, tuple[list[str], str]] = {
    "python -c pass": (["-c", "pass"], ""),
    "import plyscope": (["-c", "import plyscope"], ""),
    "ps.search('.X./O../X.O')": (["-c", "import plyscope as ps; ps.search('.X./O../X.O')"], ""),
    "ps.search('connect4 444', depth=8)": (
        ["-c", "import plyscope as ps; ps.search('connect4 444', depth=8)"],
        "",
    ),
}
"""The words for Python and the input of each."""
TYPED: dict[str, str] = {
    "": "",
    "--help": "",
    "list": "",
    "eval .X./O../X.O": "",
    "eval 'connect4 444'": "",
    "tree '[[3,5],[2,9]]'": "",
    "analyze .X./O../X.O": "",
    "analyze connect4 --depth 8": "",
    "analyze connect4 --depth 8 --form compiled": "",
    "analyze gomoku15 --depth 2": "",
    "analyze connect4 -A engine -t 1": "",
    "compare connect4 --depth 6": "",
    "solve connect4": "",
    "solve 'connect4 44455'": "",
    "solve 4,4,4 --value-only": "",
    "report-card counted-lines": "",
    "report-card counted-lines -g connect4 --samples 300 --depth 3": "",
    "match one-ply two-ply": "",
    "match one-ply greedy -g connect4 --opening-plies 3 -n 200": "",
    f"match 'mine=alphabeta heuristic=mine.py depth=2' '{PARTNERS}' -g connect4 -n 200": "",
    "tournament random one-ply two-ply -n 10": "",
    "tune counted-lines --no-games": "",
    "tune counted-lines -g connect4 --samples 300 --no-games": "",
    "certify two-ply": "",
    "certify 'alphabeta depth=1 heuristic=five-numbers ties=random'": "",
    "puzzles connect4 -n 1": "",
    "play": "quit\n",
    "play --level 5": "5\nquit\n",
    "play gomoku15": "h8\nquit\n",
    "play connect4 --o level-9": "4\nquit\n",
    "review b2 -g tictactoe": "",
    "gomocup": "START 15\nTURN 7,7\nEND\n",
    "web": "",
    "analyze nim.py:Nim": "",
    "check nim.py:Nim": "",
    "perft tictactoe": "",
    "exam -n 2": "",
    "examples": "",
    "warm": "",
}
"""The words after `plyscope`, and the input."""
COMMANDS |= {
    f"plyscope {typed}".strip(): (["-m", "plyscope", *shlex.split(typed)], entered)
    for typed, entered in TYPED.items()
}


def spent(words: list[str], entered: str, environment: dict[str, str], folder: str) -> float:
    """Return the processor time of one run."""
    before = getrusage(RUSAGE_CHILDREN)
    command = [sys.executable, *words]
    if words[-1] == "web":
        _open(command, environment, folder)
    else:
        run = subprocess.run(
            command, input=entered, env=environment, cwd=folder, capture_output=True, text=True
        )
        if run.returncode not in (0, 1):
            print(" ".join(words), run.stderr.strip()[-200:], file=sys.stderr)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _open(command: list[str], environment: dict[str, str], folder: str) -> None:
    """Start the page, load it once, and stop it."""
    command += ["--port", "0", "--no-browser"]
    with subprocess.Popen(
        command, env=environment, cwd=folder, stdout=subprocess.PIPE, text=True
    ) as page:
        assert page.stdout is not None
        urlopen(page.stdout.readline().split()[3]).read()
        page.send_signal(signal.SIGINT)


def least(words: list[str], entered: str, environment: dict[str, str]) -> tuple[float, float]:
    """Return the processor time on an empty cache, and with what that run has stored."""
    times: list[tuple[float, float]] = []
    while not times or (len(times) < ROUNDS and times[-1][0] < SHORT_SECONDS):
        with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as folder:
            for file in ("mine.py", "nim.py"):
                shutil.copy(HERE / "examples" / file, folder)
            own = {**environment, "PLYSCOPE_CACHE": cache}
            first, second = (spent(words, entered, own, folder) for _ in range(2))
            times.append((first, second))
    return min(first for first, _ in times), min(second for _, second in times)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "tree", nargs="?", default=str(HERE), help="the folder of plyscope's source"
    )
    parser.add_argument("--only", default="", help="only commands that contain these words")
    arguments = parser.parse_args()
    tree = Path(arguments.tree).resolve()
    sources = [tree / "src", *sorted(tree.glob("packages/*/src"))]
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    environment["PYTHONPATH"] = os.pathsep.join(map(str, sources))
    subprocess.run([sys.executable, "-m", "compileall", "-q", *map(str, sources)], check=False)
    libraries = tree / "packages/plyscope-fast/src/plyscope_fast/machine/libraries/kernels.json"
    print(f"plyscope-fast has {'its' if libraries.exists() else 'no'} machine code")
    print(f"| {'command':100} | {'empty cache':>11} | {'again':>6} |\n|---|--:|--:|")
    for name, (words, entered) in COMMANDS.items():
        if arguments.only in name:
            first, second = least(words, entered, environment)
            print(f"| {f'`{name}`':100} | {first:11.2f} | {second:6.2f} |", flush=True)


if __name__ == "__main__":
    main()
