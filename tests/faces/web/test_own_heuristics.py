"""Heuristics of one's own on the page: those of files given at its start, in every list."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import plyscope as ps
from commands import refusal
from examples.nim import Nim
from plyscope.errors import OptionError, PlyscopeError
from plyscope.rules.source import as_position
from plyscope_web.app import app
from plyscope_web.endpoints import answer, read
from plyscope_web.endpoints.inputs import OwnHeuristic, own_heuristics, own_start
from sentences import refuses

from .conftest import a_listener, opened, serving

ROWS = '''"""Two heuristics."""


def rows(board, player):
    """My rows without a stone of theirs, less theirs without one of mine."""
    return sum((3 - player not in row) - (player not in row) for row in board)


def pairs(mine, theirs):
    return 5 * (mine == 2 and theirs == 0) - 7 * (theirs == 2 and mine == 0)
'''


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    """Two functions of a file, and a table."""
    (tmp_path / "mine.py").write_text(ROWS)
    (tmp_path / "few.toml").write_text("mine = [0, 1, 5, 50]\n")
    path = tmp_path / "mine.py"
    return f"{path}:rows", f"{path}:pairs", str(tmp_path / "few.toml")


@pytest.fixture
def named(files: tuple[str, str, str]) -> Iterator[tuple[str, str, str]]:
    before = own_heuristics.set(OwnHeuristic.named(files))
    yield files
    own_heuristics.reset(before)


def ask(endpoint: str, **arguments: Any) -> Any:
    found = answer(endpoint, read(endpoint, json.dumps(arguments).encode()), lambda news: None)
    return json.loads(json.dumps(found))


POSITION = "X.O/.X./..O"


def test_lists_them_after_those_of_the_catalogue(named: Any) -> None:
    found = ask("catalogues")
    assert found["own_heuristics"] == ["rows", "pairs", "few"]
    assert [each["name"] for each in found["heuristics"][-3:]] == found["own_heuristics"]
    assert found["heuristics"][-3]["summary"] == "rows of mine.py"


def test_answers_as_the_same_function_of_the_library(named: tuple[str, str, str]) -> None:
    for name, given in zip(("rows", "pairs", "few"), named, strict=True):
        explained = ask("explain", position=POSITION, heuristic=name)
        assert explained["total"] == ps.evaluate(POSITION, given)
        found = ask("analyze", position=POSITION, heuristic=name, algorithm="alphabeta", depth=3)
        result = ps.search(POSITION, "alphabeta", given, depth=3, root="open")
        assert (found["depth"], found["value"]) == (3, result.value)
        traced = ask("trace", position=POSITION, heuristic=name, depth=2)
        assert len(traced["steps"]) == len(ps.trace(POSITION, heuristic=given, depth=2))
        judged = ask("wrong", game="tictactoe", heuristic=name)
        report = ask("report", game="tictactoe", heuristic=name, depths=1)
        card = ps.report_card(given, "tictactoe", 1)
        assert report["card"]["depths"][0]["mistakes"] == card.depths[0].mistakes
        assert judged["faulty"] > 0


def test_plays_with_them(named: Any) -> None:
    for name in ("rows", "pairs"):
        agent = {"heuristic": name, "depth": 2}
        assert ask("move", position="tictactoe b2", agent=agent)["depth"] == 2
    found = ask(
        "match",
        a={"heuristic": "rows", "depth": 2},
        b={"heuristic": "pairs", "depth": 2},
        game="tictactoe",
        games=4,
    )
    assert (found["match"]["a"], found["match"]["b"]) == ("rows, 2 plies", "pairs, 2 plies")
    assert found["match"]["games"] == 4
    certified = ask("certify", agent={"heuristic": "rows", "depth": 1}, game="tictactoe")
    assert certified["never_loses"] in (True, False)


def test_reads_a_changed_file_again(named: tuple[str, str, str]) -> None:
    path = Path(named[0].removesuffix(":rows"))
    path.write_text(ROWS.replace("return sum(", "return 3 + sum("))
    assert ask("explain", position=POSITION, heuristic="rows")["total"] == ps.evaluate(
        POSITION, named[0]
    )
    path.write_text("def rows(board, player): return (\n")
    with pytest.raises(PlyscopeError, match="SyntaxError"):
        ask("explain", position=POSITION, heuristic="rows")


def test_searches_a_game_of_ones_own_with_them() -> None:
    before = own_start.set(as_position(Nim()))
    own = own_heuristics.set(OwnHeuristic.named([lambda state: sum(state[0])]))
    try:
        traced = ask("trace", position="nim", heuristic="<lambda>", depth=1)
        assert len(traced["steps"]) == len(
            ps.trace(Nim(), heuristic=lambda state: sum(state[0]), depth=1)
        )
        agent = {"heuristic": "<lambda>", "depth": 2}
        assert ask("move", position="nim", agent=agent)["depth"] == 2
        with pytest.raises(OptionError, match="on 'nim'; expected a line game"):
            ask("move", position="nim", agent={"heuristic": "counted-lines", "depth": 2})
    finally:
        own_start.reset(before)
        own_heuristics.reset(own)


def test_gives_each_a_name_of_its_own(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("def null(board):\n    return 0\n")
    texts = [str(tmp_path / name) for name in ("a.py", "b.py")]
    assert [each.name for each in OwnHeuristic.named(texts)] == ["a.py:null", "b.py:null"]
    with pytest.raises(OptionError, match="two heuristics named 'null'"):
        OwnHeuristic.named([texts[0], texts[0]])


def test_refuses_what_is_no_heuristic() -> None:
    for given in ("counted-lines", 3, lambda: 0):
        with refuses(OptionError):
            OwnHeuristic.named([given])  # type: ignore[list-item]
    with pytest.raises(PlyscopeError, match="unknown heuristic 'rows'"):
        ask("explain", position=POSITION, heuristic="rows")


def test_says_before_it_serves_that_a_file_cannot_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("def rows(board, depth):\n    return 0\n")
    given = {f"{bad}:rows": "'depth' is never passed", str(tmp_path / "none.py"): "no file"}
    for text, why in given.items():
        assert why in refusal(capsys, "web", "--no-browser", "--heuristic", text)


# In a browser, and in a notebook


def test_offers_them_in_every_room(browser: Any, files: tuple[str, str, str]) -> None:
    listener = a_listener()
    host = f"127.0.0.1:{listener.getsockname()[1]}"
    heuristics = OwnHeuristic.named(files)
    with (
        serving(app(frozenset({host}), 1, heuristics=heuristics), listener),
        opened(browser) as page,
    ):
        page.goto(f"http://{host}/#room=analyze&position={POSITION}&heuristic=rows&shelf=heuristic")
        page.locator(".evaluation", has_text="rows").wait_for()
        for room in ("analyze", "trees", "lab"):
            page.goto(f"http://{host}/#room={room}&position={POSITION}&heuristic=rows")
            listed = page.locator(f".inside.{room} select option[value=rows]").first
            listed.wait_for(state="attached")
        page.goto(f"http://{host}/#room=play&position=tictactoe&x=rows@2")
        page.get_by_text("rows, 2 plies").first.wait_for()


def test_takes_functions_of_a_notebook() -> None:
    pytest.importorskip("anywidget")

    def corner(board: Any) -> int:
        return int(board[0][0] == 1)

    widget: Any = ps.widget("tictactoe a3", heuristics=[corner])
    from plyscope_web.kernelscheduler import KernelScheduler

    async def talk() -> bytes:
        scheduler: KernelScheduler = widget.conversation.scheduler
        heard: list[tuple[str, bytes]] = []
        arguments = b'{"position": "tictactoe a3", "heuristic": "corner", "side": "x"}'
        job = await scheduler.take("explain", arguments, lambda *news: heard.append(news))
        await job.done.wait()
        await scheduler.stop()
        return heard[-1][1]

    with ThreadPoolExecutor(1) as thread:  # a browser's tests leave a loop running in this one
        said = thread.submit(lambda: asyncio.run(talk())).result()
    assert json.loads(said)["total"] == 1
