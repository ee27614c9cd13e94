"""`certify` says "never loses" of a function only if its whole code was read and is pure."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import pytest

import plyscope as ps
from games import Nim
from plyscope.faces.cli import run
from plyscope.lab.people.purity import not_pure
from plyscope.pythonrun import load_named
from sentences import says
from sources import sources

GAME = "3,2,2"
"""On which every line of play is short."""
DRAWN = "3,1,3"
"""On which nobody can win."""

SOURCES = sources("purity")
PURE = SOURCES["pure"]
NAMES = ("first", "minimax", "sorted_by_key", "with_local_memory", "counted", "prints")

HEAD = SOURCES["head"]
LUCKY = SOURCES["lucky"]
OF_FILES = SOURCES["of_files"]


def loaded(folder: Path, source: str, name: str = "f") -> Any:
    file = folder / "bot.py"
    file.write_text(source)
    return load_named(f"{file}:{name}", "agent", "a function")[1]


@pytest.mark.parametrize("name", NAMES)
def test_reads_a_pure_function(tmp_path: Path, name: str) -> None:
    function = loaded(tmp_path, PURE, name)
    assert not_pure(function, str(tmp_path / "bot.py")) == ""


@pytest.mark.parametrize("name", LUCKY)
def test_certifies_no_function_with_chance_or_state(tmp_path: Path, name: str) -> None:
    found = ps.certify(ps.Agent(loaded(tmp_path, HEAD + LUCKY[name])), DRAWN)
    assert found.never_loses is not True
    assert found.doubt or found.losing_line
    assert "never loses" not in found.answer


@pytest.mark.parametrize("name", OF_FILES)
def test_certifies_no_file_whose_other_code_has_chance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(math, "floor", math.floor)  # these three change the process that reads them
    trace = sys.gettrace()
    function = loaded(tmp_path, HEAD + OF_FILES[name])
    reason = not_pure(function, str(tmp_path / "bot.py"))
    sys.settrace(trace)
    function.__globals__.get("GOES_ON", []).clear()
    assert reason != ""


def test_a_pure_function_never_loses_in_this_process_and_in_another(tmp_path: Path) -> None:
    function = loaded(tmp_path, PURE, "sorted_by_key")
    for agent in (ps.Agent(function), f"agent:{tmp_path / 'bot.py'}:sorted_by_key"):
        found = ps.certify(agent, DRAWN)
        assert (found.never_loses, found.doubt) == (True, None)
        says(found.answer)
    assert ps.certify(ps.Agent(function)).never_loses is False


def test_gives_the_number_of_calls_of_a_function_that_was_not_read(
    tmp_path: Path, capsys: Any
) -> None:
    loaded(tmp_path, HEAD + LUCKY["clock"])
    agent = f"agent:{tmp_path / 'bot.py'}:f"
    found = ps.certify(agent, DRAWN)
    assert (found.never_loses, found.asked, found.asked_positions) == (None, 3, 6)
    assert found.calls == 18
    says(found.answer)
    assert run(["certify", agent, "-g", DRAWN, "--json"]) == 1
    assert '"never_loses": null' in capsys.readouterr().out
    sure = ps.certify("two-ply")
    assert (sure.answer, sure.asked, sure.as_dict()["calls"]) == ("never loses", None, None)


def test_certifies_a_search_with_a_pure_heuristic_and_no_other() -> None:
    def pure(board: Any, player: Any) -> int:
        return sum(cell == player for row in board for cell in row)

    def lucky(board: Any) -> int:
        return hash("a") % 2

    found = ps.certify(ps.Agent(heuristic=pure, depth=2), DRAWN)
    assert (found.never_loses, found.asked) == (True, None)
    found = ps.certify(ps.Agent(heuristic=lucky, depth=2), DRAWN)
    assert (found.never_loses, found.asked) == (None, 1)
    assert "hash" in found.answer


def test_certifies_no_function_on_a_user_defined_game() -> None:
    def first(position: Any) -> Any:
        return position.moves[0]

    class Drawn(Nim):
        def payoff(self, position: Any) -> int | None:
            return None if position[0] else 0

    found = ps.certify(first, Drawn(2))
    assert found.never_loses is None
    says(found.answer)


def test_asks_in_another_order_a_function_that_answers_by_the_order() -> None:
    seen: set[Any] = set()

    def by_order(position: Any) -> Any:
        """Answer by whether a position of more stones was seen."""
        seen.add(position)
        later = any(len(each.moves) < len(position.moves) for each in seen)
        return position.moves[-1] if later else position.moves[0]

    found = ps.certify(by_order, GAME)
    assert found.never_loses is not True
    says(str(found.doubt))
