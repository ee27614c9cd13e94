"""Houses: packages beside plyscope that add commands, games and agents."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import plyscope as ps
from commands import answer, python, refusal
from documents import ROOT
from plyscope import houses
from plyscope.errors import OptionError, UnknownNameError
from plyscope.houses import House
from sentences import refuses, says

PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8").partition("## A house of")[2]
PYPROJECT = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0]
HOUSE, BOT = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def install(folder: Path, pyproject: str, module: str) -> None:
    """Write a package of one module as pip would install it, its metadata included."""
    project = tomllib.loads(pyproject)["project"]
    ((name, target),) = project["entry-points"]["plyscope"].items()
    (folder / f"{target}.py").write_text(module)
    metadata = folder / f"{target}-{project['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    (metadata / "entry_points.txt").write_text(f"[plyscope]\n{name} = {target}\n")


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command where the packages in `folder` are installed."""
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    return python(
        "-m", "plyscope", *words, cwd=folder, env={**os.environ, "PYTHONPATH": path}, check=False
    )


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("house")
    install(folder, PYPROJECT, HOUSE)
    (folder / "bot.py").write_text(BOT)
    return folder


def test_the_house_of_the_page_adds_a_command(nim: Path) -> None:
    assert run(nim, "nim-sum", "345").stdout == "2\n"
    assert "plyscope-nim" in run(nim, "--help").stdout


def test_the_house_of_the_page_adds_a_game(nim: Path) -> None:
    found = run(nim, "solve", "nim:123 0", "--json")
    assert json.loads(found.stdout)["value"] == 1, found.stderr
    assert json.loads(run(nim, "solve", "nim:123", "--json").stdout)["value"] == -1


@pytest.mark.parametrize("agent", ["nim:bot.py", "bot.py:bot"])
def test_the_house_of_the_page_adds_agents(nim: Path, agent: str) -> None:
    found = run(nim, "match", agent, "random", "-g", "nim:345", "-n", "4", "-j", "1", "--json")
    result = json.loads(found.stdout)
    assert (result["games"], result["a_forfeits"]) == (4, 0)
    assert result["a_wins"] >= 2  # as the first player it never loses


def test_a_broken_house_gives_one_line_and_no_traceback(tmp_path: Path) -> None:
    install(tmp_path, PYPROJECT, "import no_such_module\n")
    found = run(tmp_path, "solve", "nim:345")
    (line,) = found.stderr.splitlines()
    assert (found.returncode, found.stdout) == (2, "")
    assert "plyscope-nim cannot be imported (ModuleNotFoundError: No module named 'no_s" in line


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House("nim", "plyscope-nim", None, "ModuleNotFoundError: no_such_module")
    monkeypatch.setattr(houses, "houses", lambda: (house,))


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("words", ["nim-sum 345", "solve nim:345", "certify nim:bot.py"])
def test_an_error_for_an_unknown_name_tells_of_a_broken_house(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = answer(capsys, *words.split())
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    says(err)


@pytest.mark.usefixtures("broken")
def test_help_tells_of_a_broken_house(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = answer(capsys, "--help")
    assert (status, err) == (0, "")
    assert "plyscope-nim cannot be imported" in out


def test_a_house_whose_part_cannot_be_imported_gives_one_line(tmp_path: Path) -> None:
    install(tmp_path, PYPROJECT, 'GAMES = {"nim": "no_such_module:Nim"}\n')
    found = run(tmp_path, "solve", "nim:345")
    (line,) = found.stderr.splitlines()
    assert (found.returncode, found.stdout) == (2, "")
    assert "'no_such_module:Nim' of a house cannot be imported (ModuleNotFoundError" in line


# Without a house


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(houses, "houses", tuple)


@pytest.mark.usefixtures("without")
def test_names_the_package_of_a_prefix_that_is_not_installed() -> None:
    with refuses(UnknownNameError):
        ps.parse_game("openspiel:tic_tac_toe")
    with refuses(UnknownNameError):
        ps.parse_agent("connectx:submission.py")
    with refuses(UnknownNameError):
        ps.parse_game("hive:base")


@pytest.mark.usefixtures("without")
def test_names_the_package_of_a_command_that_is_not_installed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    says(refusal(capsys, "gomocup"))


@pytest.mark.usefixtures("without")
def test_names_the_package_of_a_proof_that_is_not_installed() -> None:
    with refuses(UnknownNameError):
        ps.tune("counted-lines", family="lines", trials=False, optimum=True)


PUBLIC = [(name, house) for name, house in ps._HOUSE_OF.items()]


@pytest.mark.parametrize(("name", "house"), PUBLIC)
def test_takes_a_public_name_from_the_house_that_has_it(name: str, house: str) -> None:
    assert getattr(ps, name) is getattr(houses.load(house), name)


@pytest.mark.parametrize(("name", "house"), PUBLIC)
def test_names_the_house_of_a_public_name_that_is_not_installed(
    name: str, house: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(vars(ps), name, raising=False)
    monkeypatch.setitem(sys.modules, house, None)
    with refuses(AttributeError):
        getattr(ps, name)
    assert not hasattr(ps, name)


# What plyscope asks


@pytest.mark.parametrize(
    "words", ["list games", "eval tictactoe", "analyze .X./O../X.O", "tree [[3,5],[6,9]]"]
)
def test_asks_no_house_for_a_name_of_its_own(words: str) -> None:
    code = f"from plyscope import houses\nfrom plyscope.faces.cli import run\nassert run({words.split()}) == 0\nassert houses.houses.cache_info().misses == 0"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0


def test_the_first_house_by_name_has_a_name_that_two_declare(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = []
    for name, target in (("a", "json:loads"), ("b", "json:dumps")):
        module = ModuleType(name)
        module.GAMES = {"text": target, name: "json"}  # type: ignore[attr-defined]
        made.append(House(name, name, module))
    monkeypatch.setattr(houses, "houses", lambda: made)
    assert houses.offered("GAMES") == {"text": "json:loads", "a": "json", "b": "json"}
    assert houses.find("GAMES", "text", "game") is json.loads
    assert houses.find("AGENTS", "text", "agent") is None


def test_asks_no_house_in_a_process_that_closed_them() -> None:
    code = "from plyscope import houses\nhouses.close()\nprint(houses.houses())"
    found = python("-c", code, check=False)
    assert found.stdout == "()\n"


# The houses of this repository

PACKAGES = sorted(
    path.name for path in (ROOT / "packages").iterdir() if path.name not in ("plyscope-fast",)
)
"""The packages that declare something."""


def imported(node: ast.AST) -> Iterator[str]:
    """Yield the modules that a file imports, but for those that only type checkers read."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.ImportFrom):
            yield each.module or ""
        elif isinstance(each, ast.Import):
            yield from (alias.name for alias in each.names)
        elif isinstance(each, ast.If) and ast.unparse(each.test) == "TYPE_CHECKING":
            yield from (name for part in each.orelse for name in imported(part))
        else:
            yield from imported(each)


def test_no_module_of_plyscope_imports_a_house() -> None:
    sources = [*(ROOT / "src" / "plyscope").rglob("*.py")]
    assert len(sources) > 200
    for path in sources:
        found = {each.partition(".")[0] for each in imported(ast.parse(path.read_text("utf-8")))}
        found = {name for name in found if name.startswith("plyscope_")}
        may = {"plyscope_fast"} if path.stem in ("family", "progress", "warming") else set()
        assert found <= may, path


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_that_a_house_declares_can_be_imported(package: str) -> None:
    project = tomllib.loads((ROOT / "packages" / package / "pyproject.toml").read_text())["project"]
    assert project["version"] == ps.__version__
    (needed,) = project["dependencies"]
    assert re.fullmatch(rf"plyscope\[[a-z,]+\]=={re.escape(ps.__version__)}", needed)
    (module,) = project["entry-points"]["plyscope"].values()
    house = houses.load(module)
    for hook in ("COMMANDS", "GAMES", "AGENTS", "PROOFS"):
        for name, target in getattr(house, hook, {}).items():
            assert houses.load(target) is not None
            assert houses.OURS[name] == package
    for name in getattr(house, "__all__", ()):
        assert getattr(house, name) is not None


def test_asking_the_houses_imports_no_other_library_and_no_floor() -> None:
    code = "import sys\nfrom plyscope import houses\nassert len(houses.houses()) >= 3\nprint(sorted(name for name in sys.modules if name.startswith(('plyscope', 'rich', 'numpy', 'numba'))))"
    found = python("-c", code)
    loaded = {*ast.literal_eval(found.stdout)}
    top = {name for name in loaded if re.fullmatch(r"plyscope_\w+(\.\w+)?", name)}
    assert top == {package.replace("-", "_") for package in PACKAGES}
    assert {name.partition(".")[0] for name in loaded - top} == {"plyscope"}
    assert not {f"plyscope.{name}" for name in ("rules", "lab", "faces", "searching")} & loaded


@pytest.mark.parametrize("package", PACKAGES)
def test_only_the_commands_of_a_house_know_the_terminal(package: str) -> None:
    (folder,) = (ROOT / "packages" / package / "src").glob("plyscope_*")
    commands = getattr(houses.load(folder.name), "COMMANDS", {}).values()
    imports = re.compile(r"^\s*(from|import) (rich|argparse)\b", re.MULTILINE)
    found = {path.stem for path in folder.glob("*.py") if imports.search(path.read_text("utf-8"))}
    assert len([*folder.glob("*.py")]) > 5
    assert found <= {command.rpartition(".")[2] for command in commands}


def test_reports_another_package_as_an_option_error() -> None:
    with refuses(OptionError):
        houses.load("json:nothing")
