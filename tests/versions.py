"""Run the tests that Python's version may decide, under every other Python that is installed.

`python tests/versions.py`: for each of the supported versions but this one's own, look for it on
the path and among pyenv's, make a virtual environment of its own in `.venv-3.x`, and run PART there.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("3.11", "3.12", "3.13")
PART = (
    "tests/evaluation",
    "tests/faces/test_cli.py",
    "tests/faces/web/test_desk.py",
    "tests/faces/web/test_lab.py",
    "tests/lab/test_constants.py",
    "tests/lab/test_reportcard.py",
    "tests/searching/test_functions.py",
    "tests/test_machine.py",
    "tests/test_public.py",
    "tests/test_run_beside.py",
)
"""Tests of what differs between versions: sums of floats, exceptions that interrupt, warnings,
nested JSON, data classes, Numba's reading of byte code."""


def interpreter_of(version: str) -> str | None:
    """Return the path of a Python of this version that runs, or None."""
    found = [shutil.which(f"python{version}")]
    found += sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    for path in filter(None, found):
        asked = [str(path), "-c", "import sys, venv; print('%d.%d' % sys.version_info[:2])"]
        answer = subprocess.run(asked, capture_output=True, text=True, check=False)
        if answer.stdout.strip() == version:
            return str(path)
    return None


def environment(version: str, interpreter: str) -> Path:
    """Return the Python of the version's environment, which has the plain tests' packages."""
    python = ROOT / f".venv-{version}" / "bin" / "python"
    if not python.exists():
        subprocess.run([interpreter, "-m", "venv", str(python.parent.parent)], check=True)
    install = "-m pip --disable-pip-version-check install --quiet --constraint constraints.txt"
    subprocess.run([python, *install.split(), "--editable", ".[test]"], check=True, cwd=ROOT)
    return python


def main() -> int:
    """Return 1 where a test fails under some version, else 0."""
    failed = []
    for version in VERSIONS:
        if version == "{}.{}".format(*sys.version_info):
            continue
        interpreter = interpreter_of(version)
        if interpreter is None:
            print(f"no Python {version} here: its tests are skipped")
            continue
        print(f"Python {version}, {interpreter}", flush=True)
        python = environment(version, interpreter)
        tests = [python, "-m", "pytest", "-n", "2", "-p", "no:cacheprovider", *PART]
        if subprocess.run(tests, cwd=ROOT, check=False).returncode:
            failed.append(version)
    print(f"failed under Python {', '.join(failed)}" if failed else "no failure")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
