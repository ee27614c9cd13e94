"""Frames of the page while a tree of 10,000 nodes is moved and zoomed: `python bench/frames.py`.

Each is a hundred frames of a browser without a screen or a graphics card, at 1280×800: the
milliseconds of script in each, and those between two frames.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import Any

from playwright.sync_api import sync_playwright

NODES = 10_000
MOTION = """async ([kind, frames]) => {
    const drawing = document.querySelector('.tree .scene');
    const { left, top, width, height } = drawing.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const point = (type, dx) => drawing.dispatchEvent(new PointerEvent(type,
        { clientX: x + dx, clientY: y, pointerId: 1, buttons: 1, bubbles: true }));
    drawing.setPointerCapture = () => {};
    const scripts = [], gaps = [];
    if (kind === 'move') point('pointerdown', 0);
    let before = await new Promise(requestAnimationFrame);
    for (let frame = 1; frame <= frames; frame++) {
        const began = performance.now();
        if (kind === 'move') point('pointermove', 7 * frame);
        else drawing.dispatchEvent(new WheelEvent('wheel', { clientX: x, clientY: y,
            deltaY: kind === 'closer' ? -25 : 25, bubbles: true, cancelable: true }));
        scripts.push(performance.now() - began);
        const now = await new Promise(requestAnimationFrame);
        gaps.push(now - before);
        before = now;
    }
    if (kind === 'move') point('pointerup', 0);
    return [scripts, gaps];
}"""


def of_hundred(numbers: list[float], share: int) -> float:
    """Return what so many of a hundred numbers are below."""
    return sorted(numbers)[len(numbers) * share // 100]


def show(page: Any, name: str, kind: str) -> None:
    """Print the times of one motion."""
    scripts, gaps = page.evaluate(MOTION, [kind, 100])
    print(
        f"{name:28} script {of_hundred(scripts, 50):5.1f} ms ({of_hundred(scripts, 95):5.1f}), "
        f"frame {of_hundred(gaps, 50):5.1f} ms ({of_hundred(gaps, 95):5.1f})"
    )


def main() -> None:
    """Print the medians, and the 95th percentiles in brackets."""
    server = subprocess.Popen(
        [sys.executable, "-m", "plyscope", "web", "--port", "0", "--no-browser", "--jobs", "1"],
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
            page = browser.new_page(
                viewport={"width": 1280, "height": 800}, reduced_motion="reduce"
            )
            page.goto(f"{url}#room=trees&tree=connect4&algorithm=minimax&depth=5")
            page.get_by_role("button", name=f"Show up to {NODES:,} nodes").click()
            page.get_by_text(f"{NODES:,} of ").wait_for(timeout=60_000)
            page.keyboard.press("G")
            show(page, "moved, nodes as boards", "move")
            show(page, "zoomed out from there", "farther")
            page.keyboard.press("0")
            show(page, "zoomed in from the whole", "closer")
            page.keyboard.press("0")
            for _ in range(8):
                page.keyboard.press("+")
            show(page, "moved, nodes as dots", "move")
            browser.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
