"""A game of one's own on the page: played and searched there, with no way to any other file."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import plyscope as ps
from games import DotsAndBoxes
from looking import expect
from plyscope.rules.game import GamePosition, as_game
from plyscope_web.app import app
from plyscope_web.endpoints import answer, read
from plyscope_web.endpoints.inputs import own_start
from sentences import refuses
from waiting import reached

from .conftest import a_listener, opened, serving

NIM = f"{Path(__file__).parents[3] / 'examples' / 'nim.py'}:Nim"


class Dots(DotsAndBoxes):
    name = "dots"

    def __init__(self) -> None:
        super().__init__(2, 1)

    def format_move(self, position: Any, move: Any) -> str:
        return f"edge {move}, drawn"  # a name with a space and a comma

    def parse_move(self, position: Any, text: str) -> Any:
        return int(text.split()[1].rstrip(","))

    def format(self, position: Any) -> str:
        return f"drawn: {sorted(position.drawn)}\nmargin: {position.margin}"


@pytest.fixture
def dots() -> Iterator[Any]:
    game = as_game(Dots())
    before = own_start.set(GamePosition(game, game.start()))
    yield game
    own_start.reset(before)


def ask(endpoint: str, **arguments: Any) -> Any:
    found = answer(endpoint, read(endpoint, json.dumps(arguments).encode()), lambda news: None)
    return json.loads(json.dumps(found))


def test_moves_agents_and_gives_a_hint_by_search(dots: Any) -> None:
    for agent in ("random", "level-3", "uct"):
        found = ask("move", position="dots", agent=agent, seed=1)
        assert found["move"] == dots.format_move(
            dots.start(), dots.moves(dots.start())[found["cell"]]
        )
    best = ps.search(dots, "minimax").best_moves
    hint = ask("analyze", position="dots", seconds=5)
    assert hint["complete"]
    assert hint["lines"][0]["cells"][0] in [dots.moves(dots.start()).index(move) for move in best]


def test_shows_the_games_text_at_each_node_of_a_search(dots: Any) -> None:
    found = ask("trace", position="dots", algorithm="alphabeta", depth=2)
    traced = ps.trace(dots, depth=2)
    assert len(found["steps"]) == len(traced)
    root, *others = found["nodes"]
    assert root["board"] == {
        "rows": dots.format(dots.start()).splitlines(),
        "grid": False,
        "last": None,
    }
    assert all(node["board"]["rows"] != root["board"]["rows"] for node in others)


def test_knows_only_line_games_without_a_user_defined_game() -> None:
    assert ask("catalogues")["own"] is None
    with pytest.raises(ps.PlyscopeError, match="unknown game 'nim'"):
        ask("show", position="nim")


def test_serves_a_line_game_of_a_file_as_user_defined() -> None:
    path = str(Path(__file__).parents[3] / "examples" / "hexagon.toml")
    for text in (path, f"{path} c3"):
        with pytest.raises(ps.PlyscopeError, match="unknown game .*; expected a position"):
            ask("show", position=text)
    before = own_start.set(ps.parse_game(path).start())  # type: ignore[arg-type]
    try:
        assert ask("catalogues")["own"] == "hexagon"
        shown = ask("show", position="hexagon")
        assert shown["cells"].count("#") == 6
        assert not any(shown["cells"][cell] == "#" for cell in shown["moves"])
        after = ask("play", position=shown["position"], move="c3")
        assert after["moves"] == [cell for cell in shown["moves"] if cell != after["cell"]]
        assert ask("show", position="hexagon c3") == {
            name: value for name, value in after.items() if name not in ("move", "cell")
        }
        solved = ask("solve", position="hexagon c3 d3 b3")
        assert solved["value"] == ps.solve(ps.parse(f"{path} c3 d3 b3")).value
    finally:
        own_start.reset(before)


def test_lists_the_sides_of_the_next_stones() -> None:
    assert ask("show", position="4,4,3,stones=2 a1")["upcoming"] == "ooxxooxxooxxoox"
    assert ask("show", position="tictactoe a1 b1")["upcoming"] == "xoxoxox"


def test_limits_user_defined_lines_too() -> None:
    with refuses(ps.PlyscopeError):
        ask("show", position="20,20,9,directions=row+column+diagonal,torus")


# In a browser


@pytest.fixture(scope="module")
def nim_server() -> Iterator[str]:
    listener = a_listener()
    name = f"127.0.0.1:{listener.getsockname()[1]}"
    with serving(app(frozenset({name}), 1, game=NIM), listener):
        yield f"http://{name}"


@pytest.fixture
def page(browser: Any, nim_server: str) -> Iterator[Any]:
    with opened(browser) as page:
        page.goto(nim_server)
        page.locator(".inside").wait_for()
        yield page


def test_plays_a_game_by_buttons_for_its_moves(page: Any) -> None:
    page.get_by_text("3 4 5", exact=True).wait_for()
    page.get_by_role("button", name="a3", exact=True).click()
    page.get_by_text(re.compile(r"O played \w\d\. X to move")).wait_for()
    expect(page.locator("pre.position")).not_to_have_text("3 4 5")
    page.reload()
    page.get_by_text(re.compile(r"O played \w\d\. X to move")).wait_for()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("3 4 5", exact=True).wait_for()
    page.get_by_role("button", name="Hint").click()
    page.get_by_text(re.compile(r"^Hint: a2 wins in \d+ plies")).wait_for()
    expect(page.locator(".choices .best")).to_have_text("a2")


def test_still_plays_a_line_game_on_that_page(page: Any) -> None:
    page.get_by_label("Game or position").fill("tictactoe")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("gridcell", name="b2, empty").wait_for()
    expect(page.locator("pre.position")).to_be_hidden()


def test_opens_the_rooms_of_a_user_defined_game(page: Any) -> None:
    page.get_by_role("tab", name="Analyse").click()
    page.get_by_text("nim is not a line game; expected one, such as tictactoe").wait_for()
    page.get_by_role("tab", name="Trees").click()
    page.get_by_role("treeitem", name=re.compile("^root,.* MAX")).wait_for()
    texts = page.get_by_role("treeitem").evaluate_all(
        "nodes => nodes.map((node) => node.querySelector('.letters')?.textContent)"
    )
    assert all(texts)
    assert texts[0].replace("\u00a0", " ") == "3 4 5"


# In a notebook


def test_answers_for_a_game_made_in_the_notebook() -> None:
    pytest.importorskip("anywidget")

    async def talk() -> dict[int, Any]:
        widget = ps.widget(Dots())
        assert widget.place == {"room": "play", "position": "dots"}
        said: list[dict[str, Any]] = []
        widget.send = said.append
        for number, (endpoint, arguments) in enumerate(
            [
                ("show", {"position": "dots"}),
                ("move", {"position": "dots", "agent": "random"}),
                ("solve", {"position": "dots"}),
            ]
        ):
            widget._heard(widget, {"id": number, "endpoint": endpoint, "arguments": arguments}, [])
        await reached(lambda: len(said) >= 3)
        await widget.conversation.scheduler.stop()
        return {item["id"]: item for item in said}

    with ThreadPoolExecutor(1) as thread:  # a browser's tests leave a loop running in this one
        said = thread.submit(lambda: asyncio.run(talk())).result()
    assert said[0]["found"]["names"][0] == "edge 0, drawn"
    assert said[1]["found"]["move"].startswith("edge ")
    assert "'dots' is not a line game" in said[2]["error"]
