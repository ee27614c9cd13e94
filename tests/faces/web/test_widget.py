"""The widget of the notebook: the same front-end, the same endpoints."""

from __future__ import annotations

import asyncio
import posixpath
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import pytest

import plyscope as ps
from commands import python
from examples.nim import Nim
from looking import expect
from plyscope.errors import OptionError
from plyscope_web.frontend import front_end, rooms, scripts, style_sheet
from plyscope_web.widgets import _loop
from sentences import refuses, says
from waiting import until

from .conftest import opened

pytest.importorskip("anywidget")


def test_opens_a_widget_at_the_given_place() -> None:
    assert ps.widget().place == {"room": "analyze", "position": ".../.../..."}
    assert ps.widget("connect4 44", room="play").place["room"] == "play"
    assert ps.widget(ps.parse_tree("[[3,5],[6,9]]")).place == {
        "room": "trees",
        "tree": "[[3,5],[6,9]]",
    }
    with refuses(OptionError):
        ps.widget(room="kitchen")


@pytest.fixture
def asked() -> Iterator[Callable[[Any], dict[int, dict[str, Any]]]]:
    """Ask a widget, each question in a thread of its own, as JupyterLab's messages come."""

    def ask(widget: Any, questions: Sequence[dict[str, Any]]) -> dict[int, dict[str, Any]]:
        said: SimpleQueue[dict[str, Any]] = SimpleQueue()
        widget.send = said.put
        for question in questions:
            thread = Thread(target=widget._heard, args=(widget, question, []))
            thread.start()
            thread.join()
        answers: dict[int, dict[str, Any]] = {}
        while len(answers) < len(questions):
            item = said.get(timeout=60)
            if "found" in item or "error" in item:
                answers[item["id"]] = item
        schedulers.append(widget.conversation.scheduler)
        return answers

    schedulers: list[Any] = []
    yield ask
    for scheduler in schedulers:
        asyncio.run_coroutine_threadsafe(scheduler.stop(), _loop()).result()


def test_answers_questions_from_any_thread(asked: Any) -> None:
    place = {"position": "tictactoe b2"}
    said = asked(
        ps.widget(),
        [
            {"id": 1, "endpoint": "show", "arguments": place},
            {"id": 2, "endpoint": "move", "arguments": place | {"agent": "perfect"}},
            {"id": 3, "endpoint": "nothing"},
        ],
    )
    assert said[1]["found"]["cells"] == "....x...."
    assert said[2]["found"]["move"] in ("a1", "a3", "c1", "c3")
    assert said[3]["error"].startswith("endpoint 'nothing'; expected one of")


def test_answers_questions_about_a_user_defined_game_in_the_kernel(asked: Any) -> None:
    widget = ps.widget(Nim(1, 2))
    assert widget.place == {"room": "play", "position": "nim"}
    said = asked(widget, [{"id": 1, "endpoint": "show", "arguments": {"position": "nim"}}])
    assert said[1]["found"]["names"] == ["a1", "b1", "b2"]


@pytest.mark.parametrize(("entry", "other"), [("main.js", "tab.js"), ("tab.js", "main.js")])
def test_joins_all_scripts_of_the_page_into_one_module(entry: str, other: str) -> None:
    text, sources = scripts(entry), front_end(".js")
    names = re.findall(r'^modules\["(.+)"\] = \(\(\) => \{$', text, re.MULTILINE)
    apart = {other, "worker.js", "service.js"}  # each a script of its own
    assert {*sources} - {*names} == apart | ({"shell/tabmodel.js"} if other == "tab.js" else set())
    sources = {name: sources[name] for name in names}
    assert not re.search(r"^(import|export) ", text, re.MULTILINE)
    for name, source in sources.items():
        paths = re.findall(r'from "(\.[^"]+)"', source)
        wanted = {
            posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) for path in paths
        }
        assert wanted <= set(names[: names.index(name)])
    assert scripts("widget.js").endswith('export default modules["widget.js"].standard;\n')


def test_has_a_tab_for_each_folder_of_a_room() -> None:
    tabs = re.findall(r'name: "(\w+)", label: "', front_end(".js")["widget.js"])
    assert sorted(tabs) == rooms() == ["analyze", "home", "lab", "play", "quiz", "trees"]


NOTEBOOK = """([text, style]) => {
    document.head.replaceChildren();
    document.body.innerHTML = `<h1>a notebook</h1><table><tr><td>1</td></tr></table>
        <p class="drawing board help">text</p><button>run</button>`;
    const theirs = [document.documentElement, document.body, ...document.body.querySelectorAll("*")];
    const looks = () => theirs.map((element) => {
        const style = getComputedStyle(element);
        return [...style].map((name) => `${name}: ${style.getPropertyValue(name)}`);
    });
    const before = looks();
    document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
    const after = looks();
    window.touched = before.flatMap((look, number) =>
        look.filter((each, line) => each !== after[number][line]));
    window.keys = [];
    addEventListener("keydown", ({ key }) => window.keys.push(key));
    window.models = {};
    window.show = async (name, place, lose = () => false) => {
        const socket = new WebSocket(location.href.replace('http', 'ws').split('#')[0] + 'socket');
        await new Promise((resolve) => (socket.onopen = resolve));
        const heard = {};
        socket.onmessage = ({ data }) => heard["msg:custom"]?.(JSON.parse(data));
        window.models[name] = {
            get: () => place, set: (_, to) => (place = to), save_changes() {}, lose,
            send(message) { if (!this.lose(message)) socket.send(JSON.stringify(message)); },
            on: (name, listener) => (heard[name] = listener), off: (name) => delete heard[name],
            moveTo: (to) => { place = to; heard["change:place"](); },
            heard,
        };
        await window.render(name);
    };
    window.render = async (name) => {
        const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
        const { render } = (await import(url)).default;
        const el = document.body.appendChild(document.createElement("div"));
        el.className = name;
        const end = await render({ model: window.models[name], el });
        window.models[name].end = () => { end(); el.remove(); };
    };
}"""
"""A page on which widgets are shown as in a notebook: each with scripts of its own, and a kernel."""


@pytest.fixture
def notebook(browser: Any, server: str) -> Iterator[Any]:
    with opened(browser, bypass_csp=True) as page:
        page.goto(server)
        page.evaluate(NOTEBOOK, [scripts("widget.js"), style_sheet()])
        yield page


def test_runs_the_scripts_in_a_browser_as_a_notebook_does(notebook: Any) -> None:
    notebook.evaluate("show('one', { room: 'trees', tree: '[[5,3],[3,9],[4,2]]' })")
    notebook.get_by_role("treeitem").nth(9).wait_for()
    expect(notebook.get_by_role("treeitem")).to_have_count(10)
    moved = "{ room: 'play', position: 'connect4', moves: 'd1', o: 'human' }"
    notebook.evaluate(f"models.one.moveTo({moved})")
    notebook.get_by_role("gridcell", name="d2, empty").click()
    notebook.wait_for_function("models.one.get().moves === 'd1,d2'")


def test_keeps_two_widgets_in_one_notebook_apart(notebook: Any) -> None:
    until(lambda: notebook.evaluate("touched"), [])
    place = "{ room: 'play', position: 'tictactoe', o: 'human' }"
    analysis = "{ room: 'analyze', position: 'connect4', moves: 'd1' }"
    for name, where in {"one": place, "two": place, "three": analysis, "four": analysis}.items():
        notebook.evaluate(f"show('{name}', {where})")
        notebook.locator(f".{name} [data-cell]").first.wait_for()
    ids = notebook.locator("[id]").evaluate_all("found => found.map(({ id }) => id)")
    assert len(set(ids)) == len(ids) > 20
    layers = notebook.locator(".three, .four").get_by_role("radio", name="heuristic", exact=True)
    for layer in layers.all():
        layer.check()
    until(lambda: [layer.is_checked() for layer in layers.all()], [True, True])
    notebook.locator(".one").get_by_role("gridcell", name="b2, empty").click()
    notebook.wait_for_function("models.one.get().moves === 'b2'")
    notebook.keyboard.press("u")
    notebook.wait_for_function("!models.one.get().moves")
    until(lambda: notebook.evaluate("[models.two.get().moves ?? '', keys.join()]"), ["", ""])
    expect(notebook.locator("[data-lm-suppress-shortcuts] .board")).to_have_count(4)


def test_restores_a_removed_widget_where_it_was(notebook: Any) -> None:
    notebook.evaluate("show('one', { room: 'play', position: 'tictactoe', o: 'human' })")
    notebook.get_by_role("gridcell", name="b2, empty").click()
    notebook.wait_for_function("models.one.get().moves === 'b2'")
    notebook.evaluate("models.one.end()")
    until(lambda: notebook.evaluate("Object.keys(models.one.heard)"), [])
    notebook.evaluate("render('one')")
    notebook.get_by_role("gridcell", name="b2, X, last move").wait_for()
    notebook.get_by_role("gridcell", name="a1, empty").click()
    notebook.wait_for_function("models.one.get().moves === 'b2,a1'")


def test_repeats_a_lost_question(notebook: Any) -> None:
    notebook.clock.install()
    notebook.evaluate("""show('one', { room: 'play', position: 'tictactoe' }, (message) =>
        ['catalogues', 'show'].includes(message.endpoint))""")
    for _ in range(2):
        notebook.clock.fast_forward(10_000)
        notebook.get_by_text("plyscope does not answer").wait_for()
    notebook.evaluate("void (models.one.lose = () => false)")
    notebook.clock.fast_forward(10_000)
    notebook.get_by_role("gridcell", name="b2, empty").wait_for()


def test_says_that_the_kernel_has_gone(notebook: Any) -> None:
    notebook.evaluate("show('one', { room: 'play', position: 'tictactoe', o: 'human' })")
    notebook.get_by_role("gridcell", name="b2, empty").wait_for()
    notebook.evaluate("void (models.one.send = () => { throw new Error('Cannot send'); })")
    notebook.get_by_role("gridcell", name="b2, empty").dispatch_event("click")
    notebook.get_by_text("run this cell again").wait_for()
    until(lambda: notebook.locator(".room").evaluate("room => room.inert"))


def test_runs_a_widget_in_a_real_kernel(tmp_path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    if shutil.which("python3") is None:
        pytest.skip("no python3 on the path")
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell("import plyscope as ps\nps.widget('connect4 444')")]
    )
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    still, live = [output["data"] for output in notebook.cells[0].outputs]
    assert "Run this cell to play." in still["text/html"]
    assert "<img" in still["text/html"]
    assert list(live) == ["application/vnd.jupyter.widget-view+json"]


def test_says_what_to_install_without_anywidget() -> None:

    code = "import sys; sys.modules['anywidget'] = None\nimport plyscope as ps\ntry: ps.widget()\nexcept ValueError as error: print(error)"
    done = python("-c", code, check=False)
    says(done.stdout)
