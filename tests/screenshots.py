"""The pictures of the page in the documents: `python tests/screenshots.py` takes them anew."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"


def analysis(page: Any) -> None:
    """A position of Connect Four, proved and searched, with the game's mistakes."""
    page.get_by_text("proved: X wins").wait_for(timeout=60_000)
    page.get_by_role("button", name="Look at every position").click()
    page.get_by_role("button", name=re.compile("^after c2")).wait_for(timeout=60_000)
    page.wait_for_timeout(1500)


def tree(page: Any) -> None:
    """A search at its first cutoff."""
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Next cutoff").click()


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


PICTURES = {
    "page-analyze": ("room=analyze&position=connect4&moves=d1,d2,d3,d4,d5,c1,c2", analysis),
    "page-trees": ("room=trees", tree),
    "page-quiz": ("room=quiz", quiz),
}


def main() -> None:
    """Take the pictures."""
    server = subprocess.Popen(
        [sys.executable, "-m", "plyscope", "web", "--port", "0", "--no-browser"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    url = server.stdout.readline().split()[3]
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            for name, (place, prepare) in PICTURES.items():
                page = browser.new_page(viewport={"width": 1200, "height": 800})
                page.goto(f"{url}#{place}")
                page.locator(".inside").wait_for()
                prepare(page)
                page.mouse.move(0, 0)
                page.screenshot(path=IMAGES / f"{name}.png")
                page.close()
            browser.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
