"""Pictures of the page.

    python tests/screenshots.py                       those in the documents, anew
    python tests/screenshots.py --all FOLDER [NAME …] every room at every size and in every colour

The second writes FOLDER/NAME.png, a sheet of all pictures of a place, beside each of them, for the
places of `looking.places()` whose names begin with one of those given.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from looking import CHROMIUM, SCHEMES, SCRIPT, SIZES, places, settle
from plyscope_web.site import write_site

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"


def analysis(page: Any) -> None:
    """A position of Connect Four, proved and searched: moves that win, draw and lose."""
    page.get_by_role("img", name="O wins · proved").wait_for(timeout=60_000)
    page.get_by_text(re.compile("^engine: depth")).wait_for(state="attached", timeout=60_000)
    page.wait_for_timeout(1500)


def tree(page: Any) -> None:
    """A search at its first cutoff."""
    page.get_by_role("treeitem").first.wait_for()
    page.get_by_role("button", name="Next cutoff").click()
    page.wait_for_timeout(1000)


def quiz(page: Any) -> None:
    """An answer by somebody who has cut nothing, marked."""
    page.get_by_label("value of A").wait_for()
    for name, value in {
        "A": 13,
        "B": 13,
        "B D": 16,
        "B E": 13,
        "C": 9,
        "C F": 13,
        "C G": 9,
    }.items():
        page.get_by_label(f"value of {name}", exact=True).fill(str(value))
    page.get_by_role("button", name="Mark").click()
    page.get_by_text("It looks as if").wait_for()


def writing(page: Any) -> None:
    """A heuristic that is being written, compared with one of the catalogue, on each move."""
    page.get_by_role("combobox", name="Heuristic").select_option("write")
    page.get_by_text("read as f(mine, theirs)").wait_for()
    page.get_by_label("mine: begin with").select_option(label="f(board, player, opponent)")
    page.get_by_text("read as f(board, player, opponent)").wait_for()
    page.get_by_label("Compare with").select_option("open-lines")
    page.locator("table.number-board").nth(2).wait_for()
    page.wait_for_timeout(6000)


PICTURES = {
    "page-analyze": ("room=analyze&position=connect4&moves=d1,c1,e1,c2,b1,f1,a1,g1,c3", analysis),
    "page-trees": ("room=trees", tree),
    "page-quiz": ("room=quiz&ask=values,windows,cuts", quiz),
}
SITE_PICTURES = {
    "page-write": ("room=analyze&position=tictactoe b2 a1 c3&shelf=heuristic", writing),
}
"""Those of the page that runs in the browser."""


SHEET = """<!doctype html><style>
body { font: 20px sans-serif; background: #777; color: #fff; margin: 16px }
div { display: flex; gap: 16px; align-items: start; margin-bottom: 16px }
img { height: 620px }
</style><h1>NAME</h1>"""


@contextmanager
def serving() -> Iterator[str]:
    """Serve the page, and return its address."""
    server = subprocess.Popen(
        [sys.executable, "-m", "plyscope", "web", "--port", "0", "--no-browser"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        yield server.stdout.readline().split()[3]
    finally:
        server.terminate()
        server.wait()


@contextmanager
def serving_site() -> Iterator[str]:
    """Serve the page that runs in the browser, and return its address."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    with TemporaryDirectory() as folder:
        write_site(Path(folder), None, print)
        server = subprocess.Popen(
            [*command, "--directory", folder], stdout=subprocess.PIPE, text=True
        )
        assert server.stdout is not None
        try:
            yield f"http://127.0.0.1:{server.stdout.readline().split()[5]}/"
        finally:
            server.terminate()
            server.wait()


def take_documents(browser: Any, url: str, pictures: dict[str, Any]) -> None:
    """Take pictures of the documents."""
    for name, (place, prepare) in pictures.items():
        page = browser.new_page(viewport=SIZES["laptop"])
        page.goto(f"{url}#{place}")
        page.locator(".inside").wait_for()
        prepare(page)
        page.mouse.move(0, 0)
        page.screenshot(path=IMAGES / f"{name}.png")
        page.close()


def take_all(browser: Any, url: str, folder: Path, wanted: list[str]) -> None:
    """Take each place at each size and in each colour, and a sheet of them."""
    folder.mkdir(parents=True, exist_ok=True)
    context = browser.new_context(reduced_motion="reduce")
    context.add_init_script(path=SCRIPT)
    page, sheet = context.new_page(), browser.new_page(viewport={"width": 2400, "height": 800})
    for name, place in places().items():
        if wanted and not name.startswith(tuple(wanted)):
            continue
        rows = []
        for scheme, colours in SCHEMES.items():
            row = []
            for size, viewport in SIZES.items():
                page.set_viewport_size(viewport)
                page.emulate_media(**({"forced_colors": "none"} | colours))
                if (scheme, size) == ("light", "laptop"):
                    page.goto("about:blank")
                    page.goto(f"{url}#{place}")
                settle(page, 600, 4000)
                picture = folder / f"{name}-{size}-{scheme}.png"
                page.screenshot(path=picture)
                row.append(f'<img src="{picture.name}">')
            rows.append(f"<div>{''.join(row)}</div>")
        held = folder / f"{name}.html"
        held.write_text(SHEET.replace("NAME", name) + "".join(rows), encoding="utf-8")
        sheet.goto(held.resolve().as_uri())
        sheet.screenshot(path=folder / f"{name}.png", full_page=True)
        held.unlink()
        print(folder / f"{name}.png", flush=True)


def main() -> None:
    """Take the pictures that are asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--all", type=Path, metavar="FOLDER", dest="folder")
    parser.add_argument("names", nargs="*", metavar="NAME")
    asked = parser.parse_args()
    with serving() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        if asked.folder:
            take_all(browser, url, asked.folder, asked.names)
        else:
            take_documents(browser, url, PICTURES)
            with serving_site() as site:
                take_documents(browser, site, SITE_PICTURES)
        browser.close()


if __name__ == "__main__":
    main()
