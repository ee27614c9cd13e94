"""Whether a wheel has everything: built, installed in an empty environment, and run there.

    python tests/wheel.py dist/plyscope-*.whl

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
    ("analyze", ".X./O../X.O", "--json"): '"nodes"',
    ("examples",): "nim.py",
    ("verify", "--help"): "usage: plyscope verify",
}
"""What is run, and what its answer says."""


def missing(wheel: Path) -> set[str]:
    """Return the files of the package that the wheel does not have."""
    tracked = subprocess.run(
        ["git", "ls-files", "src/plyscope"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    with ZipFile(wheel) as archive:
        return {line.removeprefix("src/") for line in tracked.stdout.split()} - {
            *archive.namelist()
        }


def answers(wheel: Path) -> list[str]:
    """Return the commands that fail where nothing but the wheel is installed."""
    with TemporaryDirectory() as folder:
        venv.create(Path(folder, "empty"), with_pip=True)
        python = Path(folder, "empty", "bin", "python")
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        constraints = ["--constraint", ROOT / "constraints.txt"]
        subprocess.run([*install, *constraints, wheel.resolve()], check=True)
        failed = []
        for words, said in COMMANDS.items():
            run = subprocess.run(
                [python.with_name("plyscope"), *words],
                cwd=folder,
                env={"HOME": folder, "PATH": "/usr/bin:/bin"},
                capture_output=True,
                text=True,
            )
            if run.returncode or said not in run.stdout:
                failed.append(f"plyscope {' '.join(words)}: {run.returncode} {run.stderr[-500:]}")
        return failed


def main() -> int:
    wheel = Path(sys.argv[1])
    wrong = [f"not in the wheel: {name}" for name in sorted(missing(wheel))] + answers(wheel)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{wheel.name}: {'incomplete' if wrong else 'complete, and runs by itself'}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
