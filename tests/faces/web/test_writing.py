"""A heuristic that is typed into the page: read as a file is, its faults with their places, and
refused where the page has a server."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import plyscope as ps
from plyscope.errors import OptionError, PlyscopeError
from plyscope.evaluation.signatures import OF_CONFIG, SIGNATURES
from plyscope_web.endpoints import answer, read, writing
from plyscope_web.endpoints.inputs import text_reader
from plyscope_web.endpoints.writing import written_heuristic
from plyscope_web.frontend import STATIC
from sentences import refuses

POSITION = "X.O/.X./..O"
ROWS = '''def rows(board, player):
    """My rows without a stone of theirs, less theirs without one of mine."""
    return sum((3 - player not in row) - (player not in row) for row in board)
'''
NAMESPACE: dict[str, Any] = {}
exec(ROWS, NAMESPACE)
rows = NAMESPACE["rows"]


@pytest.fixture(autouse=True)
def in_a_browser() -> Iterator[None]:
    before = text_reader.set(written_heuristic)
    yield
    text_reader.reset(before)


def ask(endpoint: str, **arguments: Any) -> Any:
    found = answer(endpoint, read(endpoint, json.dumps(arguments).encode()), lambda news: None)
    return json.loads(json.dumps(found))


def define(text: str, position: str = POSITION, **more: Any) -> Any:
    return ask("define", text=text, position=position, **more)


def test_gives_an_example_of_each_signature_which_has_values_without_notes() -> None:
    examples = define("")["examples"]
    known = [each.text for each in SIGNATURES if each is not OF_CONFIG]  # it needs NumPy
    assert sorted(each["name"] for each in examples) == sorted([*known, "a table"])
    for each in examples:
        for position in ("tictactoe b2", "4,3,3 a1 b2", "3,3,3,gravity 1"):
            found = define(each["text"], position)
            assert found["fault"] is None
            assert found["explanation"]["notes"] == [] or each["name"] == "a table"
            assert found["reading"].startswith(f"read as {each['name']}")
            assert found["explanation"]["after"]


def test_has_the_values_of_the_same_function() -> None:
    found = define(ROWS)
    assert found["name"] == found["explanation"]["heuristic"] == "mine"
    assert found["explanation"]["total"] == found["explanation"]["sum"]
    assert found["explanation"]["total"] == ps.evaluate(POSITION, rows)
    assert ask("catalogues")["writes"]
    given = f"other:\n{ROWS}"
    explained = ask("explain", position=POSITION, heuristic=given, side="x")
    assert (explained["heuristic"], explained["total"]) == (
        "other",
        ps.evaluate(POSITION, rows, "x"),
    )


def test_searches_plays_and_reports_with_a_text() -> None:
    mine = f"mine:\n{ROWS}"
    found = ask("analyze", position=POSITION, heuristic=mine, algorithm="alphabeta", depth=3)
    result = ps.search(POSITION, "alphabeta", rows, depth=3, root="open")
    assert (found["value"], found["nodes"]) == (result.value, result.nodes)
    traced = ask("trace", position=POSITION, heuristic=mine, depth=2)
    assert len(traced["steps"]) == len(ps.trace(POSITION, heuristic=rows, depth=2))
    report = ask("report", game="tictactoe", heuristic=mine, depths=1)["card"]
    card = ps.report_card(rows, "tictactoe", 1)
    assert report["depths"][0]["mistakes"] == card.depths[0].mistakes
    agents = [{"heuristic": f"{name}:\n{ROWS}", "depth": 1} for name in ("mine", "other")]
    played = ask("match", a=agents[0], b=agents[1], games=4)["match"]
    assert (played["a"], played["b"], played["games"]) == ("mine, 1 ply", "other, 1 ply", 4)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("def f(board:\n    return 1\n", 1, 6),
        ("def f(board):\n    x = 1\n    return (x\n", 3, 12),
        ("def f(board):\n    return 1 / board[0][1]\n", 2, 12),
        ("def f(board):\n    return g(board)\n\n\ndef g(it):\n    return it.size\n", 6, 12),
        ("import no_such_module\n\n\ndef f(board):\n    return 0\n", 1, 1),
        ("def f(board):\n    return 0\n\n\nlimit = int('many')\n", 5, 9),
        ("mine = [0, 1]\nweights = {\n", 2, 12),
        ('{"mine": [0, 1,\n', 2, 1),
    ],
)
def test_names_the_line_and_the_column_of_a_fault(text: str, line: int, column: int) -> None:
    fault = define(text)["fault"]
    assert (fault["line"], fault["column"]) == (line, column), fault
    assert fault["text"].startswith(f"line {line}, column {column}: ")
    assert "/" not in fault["text"].partition(" on '")[0], "a path of this machine"


def test_says_what_is_wrong_where_no_line_is() -> None:
    for text, said in {
        "def f(board, depth):\n    return 0\n": "'depth' is never passed",
        "def f(board):\n    return 'a'\n": "answered 'a'",
        "x = 3\n": "expected keys",
        "def f(board):\n    return 0\n\n\ndef g(board):\n    return 1\n": "2 functions in 'mine.py'",
    }.items():
        fault = define(text)["fault"]
        assert said in fault["text"]
        assert fault["line"] is None
        with pytest.raises(PlyscopeError):
            ask("explain", position=POSITION, heuristic=f"mine:\n{text}")


def test_searches_by_alpha_beta_with_a_function_that_the_engine_cannot_compile() -> None:
    text = "mine:\ndef f(position):\n    return len(position.moves) * (1 - 2 * position.side)\n"
    found = ask("analyze", position=POSITION, heuristic=text, depth=2)
    assert (found["algorithm"], found["depth"]) == ("alphabeta", 2)
    text = "mine:\ndef f(position):\n    return position.nothing\n"
    with pytest.raises(PlyscopeError, match="raised AttributeError"):
        ask("analyze", position=POSITION, heuristic=text, depth=2)


def test_notes_how_a_function_for_other_boards_runs_as_it_stands() -> None:
    text = "def f(board):\n    return sum(row.count('X') - row.count('O') for row in board)\n"
    (note,) = define(text)["explanation"]["notes"]
    assert "write ps.heuristic(f, cells='X,O,None')" in note
    told = f"import plyscope as ps\n\n\n@ps.heuristic(cells='X,O,None')\n{text}"
    found = define(told)
    assert found["explanation"]["notes"] == []
    assert "(cells=X,O,None)" in found["reading"]
    assert found["explanation"]["total"] == 0


def test_reads_a_table_whose_numbers_can_be_changed_and_tuned_and_no_function_as_one() -> None:
    explained = ask("explain", position=POSITION, heuristic="mine:\nmine = [0, 1, 10, 100]\n")
    assert explained["heuristic"] == "mine"
    assert explained["table"]["values"]["2,0"] == 10
    with pytest.raises(OptionError, match="heuristic 'mine' is not a table"):
        ask("tune", game="tictactoe", heuristic=f"mine:\n{ROWS}")


def test_keeps_few_files_and_reads_a_text_again_that_it_has_dropped() -> None:
    first = ROWS + "# 0\n"
    for number in range(writing.MAX_FILES + 2):
        assert define(f"{ROWS}# {number}\n")["fault"] is None
    assert len(writing._files) == writing.MAX_FILES
    assert len(list(Path(writing._folder()).iterdir())) == writing.MAX_FILES
    assert define(first)["explanation"]["total"] == ps.evaluate(POSITION, rows)


def test_a_server_runs_no_text() -> None:
    before = text_reader.set(None)
    try:
        assert not ask("catalogues")["writes"]
        with refuses(OptionError):
            define("raise SystemExit")
        text = "mine:\nraise SystemExit"
        for endpoint, arguments in {
            "explain": {"position": POSITION, "heuristic": text},
            "analyze": {"position": POSITION, "heuristic": text},
            "trace": {"position": POSITION, "heuristic": text},
            "report": {"heuristic": text},
            "wrong": {"heuristic": text},
            "move": {"position": POSITION, "agent": {"heuristic": text, "depth": 1}},
            "explain ": {"position": POSITION, "heuristic": "mine:\nmine = [0, 1]"},
        }.items():
            with pytest.raises(OptionError, match="typed into the page is not run on a server"):
                ask(endpoint.strip(), **arguments)
    finally:
        text_reader.reset(before)


def test_ships_the_editor_with_its_licence_in_at_most_150_kb() -> None:
    script = (STATIC / "vendor" / "codemirror.mjs").read_bytes()
    assert len(gzip.compress(script)) < 150_000
    assert script.startswith(b"/* CodeMirror 6 and Lezer")
    assert "MIT" in (STATIC / "vendor" / "LICENSE").read_text(encoding="utf-8")
