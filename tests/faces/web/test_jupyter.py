"""The widget in a real JupyterLab."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from jupyter import JupyterLab, Notebook, serving_lab

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


def test_the_notebooks_keys_change_no_cell_from_inside_the_widget(alive: Notebook) -> None:
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
            assert alive.page.evaluate("document.activeElement.closest('.plyscope') !== null"), keys
            alive.page.keyboard.press("Escape")  # the list of keys, where one opens it


def test_the_notebook_is_saved_from_inside_the_widget(alive: Notebook) -> None:
    alive.widget.locator("[data-cell]").first.focus()
    alive.page.evaluate("jupyterapp.shell.currentWidget.content.model.setMetadata('at', 1)")
    dirty = "jupyterapp.shell.currentWidget.content.model.dirty"
    alive.page.wait_for_function(dirty)
    alive.page.keyboard.press("Control+s")
    alive.page.wait_for_function(f"!{dirty}")


def test_the_campaign_of_keys_finds_no_fault(alive: Notebook) -> None:
    from bench.jupyter_keys import press

    assert press(alive, 40, random.Random(3)) == []


def test_a_notebook_that_was_closed_is_opened_and_run_again(browser: Any, lab: JupyterLab) -> None:
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
