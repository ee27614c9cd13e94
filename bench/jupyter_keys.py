"""Presses keys inside the widget in a real JupyterLab, whose own keys cut, add and merge cells.

    python bench/jupyter_keys.py [--keys N] [--seed S]

Between the keys, boards, buttons and rooms are clicked. Prints the keys after which a cell had
changed or the focus had left the widget. The status is 1 where there are any.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

from jupyter import serving_lab
from looking import CHROMIUM

CELLS = ("1 + 1", "import plyscope as ps\nw = ps.widget('tictactoe')\nw", "2 + 2", "'last'")
NAMED = ("Enter", "Escape", "Space", "Backspace", "Delete", "Home", "End", "PageUp", "PageDown")
ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
KEYS = (*"abcdefghijklmnopqrstuvwxyz0123456789.-,[]", *NAMED, *ARROWS)
HELD = ("", "", "", "", "Shift+", "Control+", "Control+Shift+", "Alt+")
WINDOW = ("Control+s", "Control+p", "Control+w", "Control+t", "Control+n")
"""For the window: saving, printing, tabs."""
CLICKS = "[data-cell]:visible, .tabs button:visible, .room button:visible:enabled"
CLICK_MILLISECONDS = 3000
CLICK_EVERY = 12
INSIDE = "document.activeElement?.closest('.plyscope') !== null"


def a_key(draw):
    """Return a key with what is held; letters and digits are the window's under Alt."""
    held = draw.choice(HELD)
    keys = (*NAMED, *ARROWS) if held in ("Alt+", "Control+Shift+") else KEYS
    return draw.choice([held + key for key in keys if held + key not in WINDOW])


def press(notebook, count, draw):
    """Return the keys after which something was not as it has to be, with what it was."""
    page, widget, before = notebook.page, notebook.widget, notebook.cells()
    faults: list[str] = []
    pressed: list[str] = []
    for number in range(count):
        if number % CLICK_EVERY == 0:
            page.keyboard.press("Escape")  # a dialog
            with suppress(PlaywrightError):  # gone meanwhile, as a room changes
                chosen = draw.choice(widget.locator(CLICKS).all())
                name = chosen.evaluate("item => item.ariaLabel ?? item.textContent")
                pressed = [f"click on {name!r}"]
                chosen.click(timeout=CLICK_MILLISECONDS)
        key = a_key(draw)
        page.keyboard.press(key)
        pressed.append(key)
        cells = notebook.cells()
        if cells != before:
            faults.append(f"{' '.join(pressed)}: {len(cells)} cells")
            return faults
        if not page.evaluate(INSIDE):
            focus = page.evaluate("document.activeElement?.outerHTML.slice(0, 90)")
            faults.append(f"{' '.join(pressed)}: focus at {focus}")
            widget.locator("h1 button").focus()
    return faults


def main(words=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--keys", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(words)
    draw = Random(asked.seed)
    with tempfile.TemporaryDirectory() as folder, serving_lab(Path(folder)) as lab:
        lab.write("keys.ipynb", CELLS)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            notebook = lab.open(browser.new_page(), "keys.ipynb")
            notebook.run()
            notebook.widget.locator("[data-cell]").first.wait_for()
            faults = press(notebook, asked.keys, draw)
            browser.close()
    for fault in faults:
        print(fault)
    print(f"{asked.keys} keys, seed {asked.seed}: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
