"""The public names."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints, is_typeddict

import pytest

import plyscope
import plyscope_optima
from commands import python
from documents import ROOT, blocks
from plyscope.searching.algorithm import Deepening
from plyscope.searching.walk import Walk
from plyscope_fast.searching.buckets import BucketTable
from sentences import refuses
from sources import sources

SOURCES = Path(plyscope.__file__).parent
DOCS = ROOT / "docs"
WITH_EXAMPLES = [
    path.relative_to(folder.parent).with_suffix("")
    for folder in (SOURCES, *ROOT.glob("packages/*/src/plyscope_*"))
    for path in sorted(folder.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


def test_all_names_resolve_and_are_listed() -> None:
    for name in plyscope.__all__:
        assert getattr(plyscope, name) is not None
    assert set(plyscope.__all__) <= set(dir(plyscope))


def test_type_checkers_see_the_names_that_are_loaded() -> None:
    block = next(
        node
        for node in ast.parse(Path(plyscope.__file__).read_text(encoding="utf-8")).body
        if isinstance(node, ast.If)
    )
    seen = {
        alias.asname: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    ours = {name: f"plyscope.{module}" for name, module in plyscope._MODULE_OF.items()}
    assert seen == ours | plyscope._HOUSE_OF


def test_importing_plyscope_loads_no_other_library_and_no_floor() -> None:
    code = "import sys, plyscope\nprint(sorted(name for name in sys.modules if name.startswith(('plyscope.', 'rich', 'numpy', 'numba'))))"
    assert python("-c", code).stdout == "['plyscope.display', 'plyscope.version']\n"


def test_a_first_search_loads_few_modules_and_none_that_it_does_not_need() -> None:
    code = "import sys, plyscope\nplyscope.search('.X./O../X.O')\nprint(*sys.modules)"
    printed = python("-c", code).stdout
    loaded = {*printed.split()}
    needless = {
        "subprocess",
        "sqlite3",
        "multiprocessing",
        "tempfile",
        "json",
        "hashlib",
        "difflib",
    }
    assert loaded & {*needless, "traceback", "datetime", "numpy", "numba", "rich"} == set()
    assert len([name for name in loaded if name.partition(".")[0] == "plyscope"]) <= 80


def test_no_public_name_is_hidden_by_a_package_of_the_same_name() -> None:
    code = "import plyscope.faces.texts, plyscope.searching.search, plyscope.lab.matches.match, plyscope as ps\n"
    code += "assert all(type(getattr(ps, name)).__name__ != 'module' for name in ps.__all__)"
    assert python("-c", code, check=False).stderr == ""


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=str)
def test_runs_the_examples_in_docstrings(path: Path) -> None:
    module = import_module(".".join(path.parts).removesuffix(".__init__"))
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


@pytest.mark.parametrize("name", plyscope.__all__)
def test_documents_every_public_name_with_an_example(name: str) -> None:
    page = (DOCS / "reference" / "api.md").read_text(encoding="utf-8")
    others = (DOCS / "other-libraries.md").read_text(encoding="utf-8")
    shown = "".join(blocks(DOCS / "reference" / "api.md", "pycon")) + others
    used = re.search(rf"\bps\.{name}\b", shown)
    assert f"::: plyscope.{name}\n" in page or used
    assert used or ">>> " in (inspect.getdoc(getattr(plyscope, name)) or "") or name == "widget"


def hints(of: Any) -> dict[str, Any]:
    """Return the annotations of a class or function, also those imported for type checkers only."""
    missing: dict[str, Any] = {}
    while True:
        try:
            return get_type_hints(of, localns=missing)
        except NameError as error:
            loaded = (
                vars(module) for name, module in [*sys.modules.items()] if "plyscope." in name
            )
            named = (names[error.name] for names in loaded if error.name in names)
            missing[error.name] = next(filter(inspect.isclass, named), object)


def classes_of(annotation: Any) -> Iterator[type]:
    """Yield the classes of plyscope in an annotation."""
    if inspect.isclass(annotation) and annotation.__module__.startswith("plyscope"):
        yield annotation
    for part in annotation if isinstance(annotation, list) else get_args(annotation):
        yield from classes_of(part)


def reached() -> dict[type, str]:
    """Return the classes that public functions, methods and fields return, each with its place.

    Three classes are left out: what only the text of an algorithm meets, its deepening and its walk,
    and the memory of the engine's table.
    """
    public = {name: getattr(plyscope, name) for name in plyscope.__all__}
    todo = [
        (name, thing if inspect.isclass(thing) else hints(thing).get("return"))
        for name, thing in public.items()
        if inspect.isclass(thing) or inspect.isfunction(thing)
    ]
    found: dict[type, str] = {}
    while todo:
        place, annotation = todo.pop()
        for each in classes_of(annotation):
            if (
                each in found
                or issubclass(each, Exception)
                or each in (Deepening, Walk, BucketTable)
            ):
                continue
            found[each] = place
            fields = hints(each) if is_dataclass(each) or hasattr(each, "_fields") else {}
            todo += [(f"{each.__name__}.{name}", kind) for name, kind in fields.items()]
            for name, member in vars(each).items():
                member = getattr(member, "fget", None) or getattr(member, "func", member)
                if inspect.isfunction(member) and not name.startswith("_"):
                    todo.append((f"{each.__name__}.{name}", hints(member).get("return")))
    return found


def has_own_text(kind: type) -> bool:
    """Return whether `print` shows more than the fields of an object."""
    if kind.__str__ is not object.__str__:
        return True
    is_plain = kind.__repr__ is object.__repr__ or is_dataclass(kind) or hasattr(kind, "_fields")
    return not is_plain or is_typeddict(kind) or getattr(kind, "_is_protocol", False)


def test_documents_every_returned_type_and_prints_it_as_text() -> None:
    page = (DOCS / "reference" / "api.md").read_text(encoding="utf-8")
    public = [name for name in plyscope.__all__ if inspect.isclass(getattr(plyscope, name))]
    names = {getattr(plyscope, name): name for name in public}
    kinds = reached()
    assert len(kinds) > 70
    for kind, place in kinds.items():
        name = f"{kind.__module__}.{kind.__qualname__}"
        told = f"::: {name}\n" in page or re.search(
            rf"(::: plyscope|`ps)\.{names.get(kind, '-')}\b", page
        )
        assert told, f"{name}, of {place}, is not in the reference"
        assert has_own_text(kind), f"{name}, of {place}, prints as a list of fields"


def test_documents_rows_of_results_and_prints_them_as_sentences() -> None:
    page = (DOCS / "reference" / "api.md").read_text(encoding="utf-8")
    card = plyscope.report_card("open-lines", depth=1)
    tuned = plyscope.tune("counted-lines", family="table", trials=False)
    rows = {
        "b3: value ≤ −6, 2 nodes": plyscope.search("tictactoe b2", depth=2).moves[1],
        "b3: a loss in 6 plies": plyscope.solve("tictactoe b2").moves[1],  # type: ignore[index]
        "of theirs": plyscope.explain("tictactoe b2").lines[0],  # type: ignore[index]
        "17.1% wrong moves": card.depths[0],
        "which costs": card.worst[0],
        "as O: 688 wins": plyscope.certify("two-ply").sides[1],
        "mine[1]: 1 before, −82 after": tuned.weights[0],
        "78 fixed, 21 regressed": tuned.errors[0],
        "to ∞": plyscope.play_match("random", "random", games=1).elo,
    }
    for said, row in rows.items():
        kind = type(row)
        assert said in str(row)
        assert f"::: {kind.__module__}.{kind.__name__}\n" in page
    for entry in (plyscope.ALGORITHMS["pvs"], plyscope.AGENTS["two-ply"]):
        assert str(entry).startswith(f"{entry.name}: {entry.summary}")


def test_dir_lists_the_public_names_alone() -> None:
    assert dir(plyscope) == sorted([*plyscope.__all__, *plyscope._HOUSE_OF, "__version__"])


RESULTS: dict[str, tuple[Callable[[], Any], str]] = {
    "perft": (lambda: plyscope.perft("tictactoe", 2), "72"),
    "explanation": (lambda: plyscope.explain("tictactoe b2", "open-lines"), "a2–b2–c2"),
    "certificate": (lambda: plyscope.certify("two-ply"), "never loses"),
    "search": (lambda: plyscope.search(".X./O../X.O"), "c3"),
    "trace": (lambda: plyscope.trace([[3, 5], [6, 9]]), "18 events"),
    "comparison": (lambda: plyscope.compare("tictactoe", depth=2), "mtdf"),
    "match": (lambda: plyscope.play_match("random", "two-ply", games=2), "2 games, seed 0"),
    "card": (lambda: plyscope.report_card("open-lines", depth=1), "3,191"),
    "games": (lambda: plyscope.GAMES, "connect4 "),
}


@pytest.mark.parametrize("name", RESULTS)
def test_prints_results_as_readable_lines(name: str) -> None:
    make, said = RESULTS[name]
    text = str(make())
    assert said in text
    assert max(map(len, text.splitlines())) <= 100
    assert len(text.splitlines()) > 3
    assert "=None" not in text
    assert " object at " not in text


@pytest.mark.parametrize(
    ("make", "rows"),
    [
        (lambda: plyscope.search("tictactoe", depth=1), 9),
        (lambda: plyscope.compare("tictactoe", ["minimax", "pvs"], depth=1), 2),
        (lambda: plyscope.solve("tictactoe"), 9),
        (lambda: plyscope.perft("tictactoe", 2), 3),
        (lambda: plyscope.explain("X../.../...", "open-lines"), 8),
        (lambda: plyscope.report_card("null", depth=2), 2),
        (lambda: plyscope.certify("two-ply"), 2),
        (lambda: plyscope.tournament(["two-ply", "random"], 2), 2),
        (lambda: plyscope.play_match("two-ply", "random", games=2), 2),
        (lambda: plyscope.trace([3, 5]), 8),
        (lambda: plyscope.check_game("tictactoe", games=5), 0),
        (lambda: plyscope_optima.conflicts("counted-lines", count=1, additions=False), 1),
        (lambda: plyscope.open_records(":memory:"), 0),
    ],
    ids=[
        *("search", "compare", "solve", "perft", "explain", "report-card", "certify"),
        *("tournament", "match", "trace", "check", "conflicts", "records"),
    ],
)
def test_tables_become_data_frames(
    make: Callable[[], Any], rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pandas = SimpleNamespace(DataFrame=list)
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    made = make()
    with closing(made) if hasattr(made, "close") else nullcontext():
        found = made.to_frame()
        assert len(found) == rows
        assert len({tuple(row)[:2] for row in found}) == min(rows, 1)
        monkeypatch.setitem(sys.modules, "pandas", None)
        with refuses(plyscope.OptionError):
            made.to_frame()


def test_the_docstring_of_search_lists_every_option() -> None:
    text = inspect.getdoc(plyscope.search) or ""
    options = plyscope.SearchOptions.__annotations__
    assert [name for name in options if not re.search(rf"(^ +|`){name}\b", text, re.M)] == []


SCRIPT = sources("public")["script"]


def test_type_checkers_know_a_users_script(tmp_path: Path) -> None:
    assert get_type_hints(plyscope.parse)["return"] is plyscope.Position
    file = tmp_path / "script.py"
    file.write_text(SCRIPT, encoding="utf-8")
    mypy = pytest.importorskip("mypy.api")
    options = ["--strict", "--config-file=", "--cache-dir", str(ROOT / ".mypy_cache")]
    out, _, status = mypy.run([str(file), *options])
    assert status == 0, out
    assert "position.Position" in out
    assert 'is "plyscope.lab.agents.agent.Agent"' in out
    assert '"Any"' not in out


def test_answers_an_unknown_name_with_the_nearest() -> None:
    for name, meant in {"analyze": "search", "play_matches": "play_match"}.items():
        with pytest.raises(AttributeError, match=f"{name!r}; expected perhaps {meant}"):
            getattr(plyscope, name)
    with pytest.raises(AttributeError, match="expected perhaps moves"):
        _ = plyscope.parse_game("tictactoe").legal_moves  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "call",
    [
        lambda ps: ps.play_match("random", "random", "x"),
        lambda ps: ps.play_match("random", "random", games=2.5),
        lambda ps: ps.tournament(["random", "greedy"], max_plies="x"),
        lambda ps: ps.certify("two-ply", max_positions="x"),
        lambda ps: ps.report_card("null", samples="x"),
        lambda ps: ps.exam("XO./.X./..O"),
        lambda ps: ps.trace([3, 5], max_events=None),
        lambda ps: ps.compare("tictactoe", [1]),
        lambda ps: ps.heuristic(3),
    ],
)
def test_rejects_arguments_of_another_type_in_one_line(call: Callable[[Any], Any]) -> None:
    with refuses(plyscope.PlyscopeError):
        call(plyscope)


MISTAKEN = [
    (lambda name: plyscope.parse(name), "level-5"),
    (lambda name: plyscope.parse_game(name), "counted-lines"),
    (lambda name: plyscope.evaluate("connect4", name), "AlphaBeta"),
    (lambda name: plyscope.search("tictactoe", name), "perfect"),
    (lambda name: plyscope.parse_agent(name), "tictactoe"),
]


@pytest.mark.parametrize(("use", "name"), MISTAKEN)
def test_says_what_a_name_of_another_catalogue_is(use: Any, name: str) -> None:
    with refuses(plyscope.UnknownNameError):
        use(name)
