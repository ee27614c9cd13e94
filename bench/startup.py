"""How long a command takes as a whole process, beside Python doing nothing, and on its first run,
before plyscope's bytecode is cached; and the same for `import plyscope` and a first search.

Run with `python bench/startup.py`; each figure is the least of several runs, all taken in turn so
that a busy machine slows them alike. With cached bytecode the processor time is measured too; it
depends less on what else runs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter

ROUNDS = 9
PACKAGE = Path(__file__).resolve().parent.parent / "src" / "plyscope"
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import plyscope": ["-c", "import plyscope"],
    "a first search": ["-c", "import plyscope as ps; ps.search('.X./O../X.O')"],
    "plyscope --help": ["-m", "plyscope", "--help"],
    "plyscope list games": ["-m", "plyscope", "list", "games"],
    "plyscope eval": ["-m", "plyscope", "eval", "X../.X./..."],
    "plyscope analyze": ["-m", "plyscope", "analyze", ".X./O../X.O"],
}


def seconds(words: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Return the wall time and the processor time of one run."""
    began, before = perf_counter(), getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], env=environment, stdout=subprocess.DEVNULL, check=True)
    wall, after = perf_counter() - began, getrusage(RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure and print the table."""
    cached, first = {}, {}
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    for _ in range(ROUNDS):
        for name, words in COMMANDS.items():
            spent = seconds(words, {"PYTHONPATH": str(PACKAGE.parent), **environment})
            cached[name] = [*map(min, cached.get(name, spent), spent)]
            with tempfile.TemporaryDirectory() as fresh:
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(PACKAGE, Path(fresh) / PACKAGE.name, ignore=ignored)
                spent = seconds(words, {**environment, "PYTHONPATH": fresh})
            first[name] = min(first.get(name, spent[0]), spent[0])
    bare = cached["python -c pass"][0]
    print(f"{'command':20} {'seconds':>8} {'÷ python':>9} {'processor':>10} {'first run':>10}")
    for name, (wall, processor) in cached.items():
        print(f"{name:20} {wall:8.3f} {wall / bare:9.1f} {processor:10.3f} {first[name]:10.3f}")


if __name__ == "__main__":
    main()
