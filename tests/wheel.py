"""Whether the wheels have everything: installed in an empty environment, and run there; first
that of plyscope alone, then with its houses.

    python tests/wheel.py dist/*.whl

Whatever is missing is said, with status 1.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = {
    ("solve", "connect4"): "X wins in 41 plies",  # by the opening book, a file of data
    ("analyze", ".X./O../X.O"): "c3 ←",
    ("analyze", ".X./O../X.O", "--json"): '"nodes"',
    ("tree", ".X./O../X.O", "--depth", "1"): "▲ root = 6",
    ("eval", ".X./O../X.O"): "counted-lines",
    ("play", "--level", "1"): "X to move: \ngoodbye",
    ("certify", "two-ply"): "never loses",
    ("exam", "-n", "1", "--key"): "Key to question 1",
    ("report-card", "counted-lines"): "",  # names the extra
    ("examples",): "nim.py",
    ("verify", "--help"): "usage: plyscope verify",
}
"""Commands and a part of their output; it is empty for a command that needs an extra."""
ADDED = {
    ("gomocup", "--json"): '"engine"',
    ("report-card", "open-lines", "--depth", "1", "--why", "--json"): '"why"',
    ("class", "new", "hw", "-a", "trees", "--seed", "1"): "made hw",
}
"""What is run with the houses."""


def missing(wheel: Path) -> set[str]:
    """Return the files of the package that the wheel does not have."""
    name = wheel.name.partition("-")[0]
    folder = "src" if name == "plyscope" else f"packages/{name.replace('_', '-')}/src"
    tracked = subprocess.run(
        ["git", "ls-files", f"{folder}/{name}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert tracked, name
    with ZipFile(wheel) as archive:
        return {line.removeprefix(f"{folder}/") for line in tracked} - {*archive.namelist()}


def answers(wheel: Path, *houses: Path) -> list[str]:
    """Return the commands that fail where nothing but the wheel is installed, and those that fail
    where its houses are too."""
    with TemporaryDirectory() as folder:
        venv.create(Path(folder, "empty"), with_pip=True)
        python = Path(folder, "empty", "bin", "python")
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        constraints = ["--constraint", ROOT / "constraints.txt"]
        failed = []
        for wheels, commands in (([wheel], COMMANDS), (houses, ADDED)):
            paths = [each.resolve() for each in wheels]
            subprocess.run([*install, *constraints, *paths], check=True)
            for words, said in commands.items():
                run = subprocess.run(
                    [python.with_name("plyscope"), *words],
                    cwd=folder,
                    env={"HOME": folder, "PATH": "/usr/bin:/bin"},
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    text=True,
                )
                is_right = not run.returncode and said in run.stdout
                if not said:
                    is_right = run.returncode == 2 and "plyscope[" in run.stderr
                if not is_right:
                    failed.append(
                        f"plyscope {' '.join(words)}: {run.returncode} {run.stderr[-500:]}"
                    )
        return failed


def main() -> int:
    wheels = sorted(map(Path, sys.argv[1:]), key=lambda path: path.name.partition("-")[0])
    wrong = [f"not in {each.name}: {name}" for each in wheels for name in sorted(missing(each))]
    wrong += answers(*wheels)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    names = " and ".join(each.name for each in wheels)
    print(f"{names}: {'incomplete' if wrong else 'complete, and run by themselves'}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
