"""The widget in a real JupyterLab."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from commands import python
from jupyter import WIDGET as WIDGETS
from jupyter import JupyterLab, Notebook, serving_lab
from looking import expect
from waiting import until

STILL = "Run this cell to play."
WIDGET = "import plyscope as ps\nw = ps.widget('tictactoe')\nw"


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterLab]:
    pytest.importorskip("anywidget")
    pytest.importorskip("jupyterlab", reason="needs the extra test-page")
    with serving_lab(tmp_path_factory.mktemp("jupyter")) as found:
        yield found


@pytest.fixture(scope="session")
def alive(browser: Any, lab: JupyterLab) -> Iterator[Notebook]:
    """A notebook with a widget between other cells, for tests that leave it as it was."""
    page = browser.new_page()
    lab.write("alive.ipynb", ["1 + 1", WIDGET, "2 + 2", "'last'"])
    notebook = lab.open(page, "alive.ipynb")
    notebook.run()
    notebook.widget.locator("[data-cell]").first.wait_for()
    yield notebook
    page.close()


def names_of_keys(binding: list[str]) -> list[str]:
    """Return JupyterLab's `Ctrl Shift M` as the browser's `Control+Shift+M`."""
    found = []
    for stroke in binding:
        *held, key = stroke.replace("Accel", "Control").replace("Ctrl", "Control").split(" ")
        found.append("+".join([*held, key if held or len(key) > 1 else key.lower()]))
    return found


def test_keys_in_the_widget_change_no_cell(alive: Notebook) -> None:
    bindings = alive.page.evaluate(
        """jupyterapp.commands.keyBindings
            .filter(({ selector }) => selector.includes("jp-mod-commandMode"))
            .map(({ keys }) => keys)"""
    )
    names = [names_of_keys(binding) for binding in bindings]
    assert all(keys in names for keys in (["x"], ["b"], ["d", "d"], ["Shift+M"]))
    before = alive.cells()
    for place in ("[data-cell]", ".tabs button[aria-selected=true]"):
        for keys in names:
            alive.widget.locator(place).first.focus()
            for key in keys:
                alive.page.keyboard.press(key)
            assert alive.cells() == before, (place, keys)
            until(
                lambda: alive.page.evaluate("document.activeElement.closest('.plyscope') !== null")
            )
            alive.page.keyboard.press("Escape")  # the list of keys, where one opens it


def test_saves_the_notebook_from_inside_the_widget(alive: Notebook) -> None:
    alive.widget.locator("[data-cell]").first.focus()
    alive.page.evaluate("jupyterapp.shell.currentWidget.content.model.setMetadata('at', 1)")
    dirty = "jupyterapp.shell.currentWidget.content.model.dirty"
    alive.page.wait_for_function(dirty)
    alive.page.keyboard.press("Control+s")
    alive.page.wait_for_function(f"!{dirty}")


def test_finds_no_fault_with_random_keys(alive: Notebook) -> None:
    from bench.jupyter_keys import press

    assert press(alive, 40, random.Random(3)) == []


def test_reopens_and_runs_a_closed_notebook(browser: Any, lab: JupyterLab) -> None:
    lab.write("again.ipynb", [WIDGET])
    for _ in range(2):
        page = browser.new_page()
        notebook = lab.open(page, "again.ipynb")
        notebook.run()
        notebook.widget.locator("[data-cell]").first.wait_for()
        page.close()
    page = browser.new_page()
    notebook = lab.open(page, "again.ipynb")
    notebook.run()
    notebook.widget.get_by_role("gridcell", name="b2, empty").click()
    notebook.wait_for("w.place.get('moves') == 'b2'")
    page.close()


@pytest.mark.parametrize("system", ["light", "dark"])
def test_gives_the_widget_the_theme_of_the_notebook(alive: Notebook, system: str) -> None:
    page, root = alive.page, alive.widget
    page.emulate_media(color_scheme=system)
    grounds = {}
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        alive.command("apputils:change-theme", {"theme": theme})
        page.wait_for_function(f"document.body.dataset.jpThemeName === {theme!r}")
        shade = theme.removeprefix("JupyterLab ").lower()
        alive.page.locator(f"{WIDGETS}[data-theme={shade}]").wait_for()
        grounds[shade] = root.evaluate("root => getComputedStyle(root).backgroundColor")
    assert grounds == {"light": "rgb(255, 255, 255)", "dark": "rgb(13, 17, 23)"}


def test_asks_to_run_the_cell_after_a_restart_and_saves_the_position(
    browser: Any, lab: JupyterLab
) -> None:
    lab.write("saved.ipynb", [WIDGET])
    page = browser.new_page()
    notebook = lab.open(page, "saved.ipynb")
    notebook.run()
    cell = notebook.widget.get_by_role("gridcell", name="b2, empty")
    cell.wait_for()
    still = page.get_by_text(STILL)
    still.wait_for(state="hidden")
    page.evaluate("jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    notebook.widget.get_by_text("run this cell again").wait_for()
    until(lambda: notebook.widget.locator(".room").evaluate("room => room.inert"))
    notebook.run()
    cell.wait_for()
    expect(notebook.widget.get_by_text("run this cell again")).to_be_hidden()
    page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    page.close()

    page = browser.new_page()
    lab.open(page, "saved.ipynb")
    page.evaluate("jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    page.goto(f"{lab.url}/lab/tree/saved.ipynb?reset")
    page.get_by_text(STILL).wait_for()
    until(lambda: page.locator(".plyscope-still img").evaluate("image => image.naturalWidth") > 100)
    missing = page.get_by_text("model not found")
    missing.wait_for(state="attached")
    expect(missing).to_be_hidden()
    page.close()

    words = ["nbconvert", "--to", "html", "--stdout", str(lab.folder / "saved.ipynb")]
    done = python("-m", *words, check=False)
    assert STILL in done.stdout, done.stderr
    assert "data:image/svg" in done.stdout.split('class="plyscope-still"')[1]
