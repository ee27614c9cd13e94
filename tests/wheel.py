"""Whether the wheels have everything: installed in an empty environment, and run there; first
that of plyscope alone, then with the machine code of plyscope-fast, then with all houses.

    python tests/wheel.py dist/*.whl

Whatever is missing is said, with status 1.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
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
    ("report-card", "counted-lines"): "5,478",
    ("tune", "counted-lines"): "",  # names the extra
    ("examples",): "nim.py",
    ("verify", "--help"): "usage: plyscope verify",
}
"""Commands and a part of their output; it is empty for a command that needs an extra."""
COMPILED = {
    ("analyze", "connect4", "--depth", "8"): "compiled form",
    ("warm", "--json"): '{\n  "plyscope": "0.1.0"\n}',  # nothing to compile
}
"""What is run with the machine code and without Numba."""
ADDED = {
    ("gomocup", "--json"): '"engine"',
    ("report-card", "open-lines", "--depth", "1", "--why", "--json"): '"why"',
    ("class", "new", "hw", "-a", "trees", "--seed", "1"): "made hw",
}
"""What is run with the houses."""
NODES = """
import json
from signature import FILE, signature
for name, works in signature("compiled").items():
    for text, found in works.items():
        expected = json.loads(FILE.read_text())[name][text]
        assert found == expected, (name, text, found, expected)
"""
"""All compiled searches visit the nodes of the reference form."""
SHIPPED = f"""
import sys
from importlib.util import find_spec
sys.path.insert(0, sys.argv[1])
import plyscope as ps
assert find_spec("numba") is None and find_spec("llvmlite") is None
{NODES}
assert ps.search("15,15,5 h8 i9", "engine", nodes=2000).form == "compiled"
for text, method, value in (
    ("connect4 44455", "connect", None),
    ("6,5,4,gravity 3344", "connect", None),
    ("5,5,4", "lines", 0),
    ("15,15,5 h8 a1 i9 o1 g9 a15", "threats", 1),
    ("9,9,5", "blocking", None),
):
    verdict = ps.solve(text, method=method, with_moves=False)
    assert verdict.method == method, (text, verdict)
    assert value is None or verdict.value == value, (text, verdict)
def mine(board, player):
    return 1 if board[0][0] == player else 0
found = ps.search("tictactoe", heuristic=mine, depth=9)
assert found.form == "reference" and 'pip install "plyscope[jit]"' in found.form_reason, found
try:
    ps.search("tictactoe", heuristic=mine, form="compiled")
    raise SystemExit("compiled without Numba")
except ps.PlyscopeError as error:
    assert 'pip install "plyscope[jit]"' in str(error), error
for text in ("4,4,4,gravity 12", "4,4,3,gravity 3", "5,3,3,gravity", "3,5,2,gravity"):
    solved, known = (ps.solve(text, method=method) for method in ("connect", "tablebase"))
    assert (solved.value, solved.distance) == (known.value, known.distance), (text, solved, known)
"""
"""All compiled searches visit the nodes of the reference form, solvers run, and people's functions
run in the reference form."""
NEEDED = {"calloc", "free", "bzero", "memcpy", "memmove", "memset", "dyld_stub_binder"}
"""The functions of the C library that a library may need."""
GLIBC = {"GLIBC_2.2.5", "GLIBC_2.14", "GLIBC_2.17"}
"""The versions of these functions in the C library of manylinux_2_17."""


def name_of(wheel: Path) -> str:
    return wheel.name.partition("-")[0]


def missing(wheel: Path) -> set[str]:
    """Return the files of the package that the wheel does not have."""
    name = name_of(wheel)
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


def faults_of_library(wheel: Path) -> Iterator[str]:
    """Yield what is wrong with the library of a wheel: a missing function, a needed symbol that the
    platform may not have, or another platform than the wheel's tag says."""
    if "emscripten" in wheel.name:  # `wheel_browser.py` runs it
        return
    import lief

    lief.logging.disable()
    folder = "plyscope_fast/machine/libraries/"
    with ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.startswith(folder)]
        if wheel.name.endswith("-any.whl"):
            yield from (f"{wheel.name} has {name}" for name in names)
            return
        (name,) = {*names} - {f"{folder}kernels.json"}
        note = json.loads(archive.read(f"{folder}kernels.json"))
        library: Any = lief.parse(archive.read(name))
    exported = {each.name.removeprefix("_") for each in library.exported_functions}
    if lacking := {"plyscope_can_run", *note["functions"]} - exported:
        yield f"{name} lacks {sorted(lacking)}"
    if isinstance(library, lief.PE.Binary):
        machine = str(library.header.machine)
        needed = {each.name for each in library.imports} - {"KERNEL32.dll"}
        unknown = {each for each in needed if not each.startswith("api-ms-win-crt-")}
    else:
        is_elf = isinstance(library, lief.ELF.Binary)
        machine = str(library.header.machine_type if is_elf else library.header.cpu_type)
        needed = {each.name.lstrip("_") for each in library.imported_functions}
        unknown = needed - NEEDED
    if unknown:
        yield f"{name} needs {sorted(unknown)}"
    for required in getattr(library, "symbols_version_requirement", ()):
        for each in required.get_auxiliary_symbols():
            if each.name not in GLIBC:
                yield f"{name} needs {each.name}"
    is_arm = re.search("arm64|aarch64", wheel.name) is not None
    if is_arm != (re.search("ARM64|AARCH64", machine) is not None):
        yield f"{name} is for {machine}"


def is_for_this_platform(wheel: Path) -> bool:
    from packaging.tags import sys_tags
    from packaging.utils import parse_wheel_filename

    return bool(parse_wheel_filename(wheel.name)[3] & {*sys_tags()})


class Environment:
    """An empty environment, and what fails in it."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        venv.create(Path(folder, "empty"), with_pip=True)
        place = "Scripts" if sys.platform == "win32" else "bin"
        self.python = Path(folder, "empty", place, "python")
        self.failed: list[str] = []
        self.variables = {"HOME": folder, "PATH": "/usr/bin:/bin"}
        if sys.platform == "win32":
            names = ("PATH", "SYSTEMROOT", "TEMP")
            self.variables = {name: os.environ[name] for name in names}
            self.variables |= {"USERPROFILE": folder, "LOCALAPPDATA": folder, "PYTHONUTF8": "1"}

    def install(self, *wheels: Path) -> None:
        install = [self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        constraints = ["--constraint", ROOT / "constraints.txt"]
        paths = [each.resolve() for each in wheels]
        subprocess.run([*install, *constraints, *paths], check=True)

    def run(self, *words: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(word) for word in (self.python, *words)],
            cwd=self.folder,
            env=self.variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
        )

    def check(self, commands: dict[tuple[str, ...], str]) -> None:
        """Run commands, and compare a part of their output."""
        for words, said in commands.items():
            run = self.run("-m", "plyscope", *words)
            is_right = not run.returncode and said in run.stdout
            if not said:
                is_right = run.returncode == 2 and "plyscope[" in run.stderr
            if not is_right:
                self.failed.append(
                    f"plyscope {' '.join(words)}: {run.returncode} {run.stdout[-300:]} {run.stderr[-500:]}"
                )

    def check_machine_code(self) -> None:
        """Run all searches and solvers without Numba, and a damaged library."""
        self.check(COMPILED)
        run = self.run("-c", SHIPPED, ROOT / "bench")
        if run.returncode or run.stderr:
            self.failed.append(f"machine code: {run.returncode} {run.stderr[-1500:]}")
        made = sorted(path.name for path in Path(self.folder).rglob("kernels-*"))
        if made:
            self.failed.append(f"compiled into {made}")
        (library,) = (
            path
            for path in Path(self.folder).rglob("machine/libraries/*")
            if path.suffix != ".json"
        )
        code = library.read_bytes()
        library.write_bytes(code[: len(code) // 2])
        run = self.run("-m", "plyscope", "analyze", "connect4", "--depth", "4")
        if run.returncode or run.stderr.count("\n") != 1 or "is not used" not in run.stderr:
            self.failed.append(f"a damaged library: {run.returncode} {run.stderr[-500:]}")
        library.write_bytes(code)


def answers(wheels: list[Path]) -> list[str]:
    """Return the commands that fail where nothing but the wheel of plyscope is installed, where
    plyscope-fast is too, and where all houses are."""
    (plain,) = (each for each in wheels if name_of(each) == "plyscope")
    fast = [each for each in wheels if name_of(each) == "plyscope_fast"]
    fitting = [each for each in fast if is_for_this_platform(each)]
    shipped = [each for each in fitting if not each.name.endswith("-any.whl")]
    houses = [each for each in wheels if each != plain and each not in fast]
    with TemporaryDirectory() as folder:
        environment = Environment(folder)
        environment.install(plain)
        environment.check(COMMANDS)
        environment.install(*(shipped or fitting)[:1])
        if shipped:
            environment.check_machine_code()
        else:
            print("no wheel has machine code for this platform: not run")
        if houses:
            environment.install(*houses)
            environment.check(ADDED)
        return environment.failed


def main() -> int:
    wheels = sorted(map(Path, sys.argv[1:]), key=name_of)
    wrong = [f"not in {each.name}: {name}" for each in wheels for name in sorted(missing(each))]
    try:
        wrong += [
            fault
            for each in wheels
            if name_of(each) == "plyscope_fast"
            for fault in faults_of_library(each)
        ]
    except ImportError:
        print("lief is not installed: the libraries of other platforms are not read")
    wrong += answers(wheels)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{len(wheels)} wheels: {'incomplete' if wrong else 'complete, and run by themselves'}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
