"""How long a command takes as a whole process, beside Python doing nothing, and on its first run,
before plyscope's bytecode is cached.

Run with `python bench/startup.py`; each figure is the least of several runs, all taken in turn so
that a busy machine slows them alike.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

ROUNDS = 9
PACKAGE = Path(__file__).resolve().parent.parent / "src" / "plyscope"
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "plyscope --help": ["-m", "plyscope", "--help"],
    "plyscope list games": ["-m", "plyscope", "list", "games"],
    "plyscope eval": ["-m", "plyscope", "eval", "X../.X./..."],
    "plyscope analyze": ["-m", "plyscope", "analyze", ".X./O../X.O"],
}


def seconds(words: list[str], environment: dict[str, str]) -> float:
    """Return the wall time of one run."""
    began = perf_counter()
    subprocess.run([sys.executable, *words], env=environment, stdout=subprocess.DEVNULL, check=True)
    return perf_counter() - began


def main() -> None:
    """Measure and print the table."""
    least: dict[tuple[str, bool], float] = {}
    for _ in range(ROUNDS):
        for name, words in COMMANDS.items():
            for is_cached in (True, False):
                with tempfile.TemporaryDirectory() as fresh:
                    environment = {
                        name: value
                        for name, value in os.environ.items()
                        if name != "PYTHONDONTWRITEBYTECODE"
                    }
                    if not is_cached:
                        shutil.copytree(
                            PACKAGE,
                            Path(fresh) / PACKAGE.name,
                            ignore=shutil.ignore_patterns("__pycache__"),
                        )
                        environment["PYTHONPATH"] = fresh
                    spent = seconds(words, environment)
                least[name, is_cached] = min(spent, least.get((name, is_cached), spent))
    bare = least["python -c pass", True]
    print(f"{'command':20} {'seconds':>8} {'÷ python':>9} {'first run':>15}")
    for name in COMMANDS:
        print(
            f"{name:20} {least[name, True]:8.3f} {least[name, True] / bare:9.1f} "
            f"{least[name, False]:15.3f}"
        )


if __name__ == "__main__":
    main()
