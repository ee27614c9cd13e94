"""Run the tests that the version of Python or of Numba may decide, under each other version.

`python tests/versions.py [VERSION ...]`: for each supported Python but this one's own, look for it
on the path and among pyenv's, make a virtual environment of its own in `.venv-3.x`, and run PART
there. Version `oldest` is Python 3.11 with the oldest Numba, llvmlite and NumPy that
`pyproject.toml` and that of plyscope-fast admit; `newest` is this Python with the newest that the registry has.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("3.11", "3.12", "3.13", "oldest", "newest")
OWN = "{}.{}".format(*sys.version_info)
PART = (
    *("tests/evaluation", "tests/faces/test_cli.py", "tests/faces/web/test_scheduler.py"),
    *("tests/faces/web/test_lab.py", "tests/tuning/test_constants.py"),
    *("tests/lab/test_purity.py", "tests/lab/test_reportcard.py"),
    *("tests/searching/test_functions.py", "tests/test_machine.py", "tests/test_public.py"),
    "tests/test_run_beside.py",
)
"""Tests of what differs between versions: sums of floats, exceptions that interrupt, warnings,
nested JSON, data classes, Numba's reading of byte code."""


NUMERIC = ("llvmlite", "numba", "numpy")
NUMERIC_PART = (
    "tests/searching/test_functions.py",
    "tests/searching/test_own_forms.py",
    "tests/solving/test_connect.py",
    "tests/test_machine.py",
)
"""Tests of what Numba's version may decide: kernels of both machines, people's functions and games
compiled, and what is refused."""


def constraints(version: str) -> str:
    """Return the constraints of pip for an environment."""
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    if version not in ("oldest", "newest"):
        return text
    kept = [line for line in text.splitlines() if line.partition("==")[0] not in NUMERIC]
    if version == "oldest":
        files = ROOT / "pyproject.toml", ROOT / "packages/plyscope-fast/pyproject.toml"
        plain, fast = (tomllib.loads(each.read_text(encoding="utf-8")) for each in files)
        needed = plain["project"]["optional-dependencies"]["jit"] + fast["project"]["dependencies"]
        declared = dict(each.split(">=") for each in needed if ">=" in each)
        kept += [f"{name}=={declared[name]}.*" for name in NUMERIC]
    return "\n".join(kept)


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
    folder = ROOT / f".venv-{version}"
    python, pins = folder / "bin" / "python", folder / "constraints.txt"
    if not python.exists():
        subprocess.run([interpreter, "-m", "venv", str(folder)], check=True)
    pins.write_text(constraints(version), encoding="utf-8")
    install = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    install += ["--upgrade", "--upgrade-strategy", "eager"] if version == "newest" else []
    install += ["--constraint", str(pins), "--editable", ".[test]"]
    for house in sorted((ROOT / "packages").iterdir()):
        install += ["--editable", str(house)]
    subprocess.run([python, *install], check=True, cwd=ROOT)
    return python


def main() -> int:
    """Return 1 where a test fails under some version, else 0."""
    failed = []
    if unknown := set(sys.argv[1:]) - set(VERSIONS):
        sys.exit(f"version {unknown.pop()!r}; expected some of {', '.join(VERSIONS)}")
    for version in sys.argv[1:] or VERSIONS:
        if version == OWN:
            continue
        interpreter = interpreter_of({"oldest": "3.11", "newest": OWN}.get(version, version))
        if interpreter is None:
            print(f"no Python for {version} here: its tests are skipped")
            continue
        print(f"{version}: {interpreter}", flush=True)
        python = environment(version, interpreter)
        asked = "import sys, numba, numpy; print(sys.version, numba.__version__, numpy.__version__)"
        subprocess.run([python, "-c", asked], check=True)
        part = PART if version in VERSIONS[:3] else NUMERIC_PART
        tests = [python, "-m", "pytest", "-n", "2", "-p", "no:cacheprovider", *part]
        if subprocess.run(tests, cwd=ROOT, check=False).returncode:
            failed.append(version)
    print(f"failed under {', '.join(failed)}" if failed else "no failure")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
