"""What is looked at on the page, at which sizes and in which colours: by tests and for pictures."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from plyscope_web.frontend import rooms
from waiting import PATIENCE_SECONDS

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
SCRIPT = Path(__file__).with_name("looking.js")
"""To be loaded into each page: `looking`, an object of functions that measure it."""

SIZES = {
    "laptop": {"width": 1280, "height": 800},
    "large": {"width": 1920, "height": 1080},
    "phone": {"width": 390, "height": 844},
}
SCHEMES = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "forced": {"color_scheme": "dark", "forced_colors": "active"},
}

GAMES = {
    "tictactoe": "position=tictactoe&moves=a1,b2",
    "connect4": "position=connect4&moves=d1,d2,d3,d4,d5,c1,c2",
    "gomoku15": "position=gomoku15&moves=h8,i9,h9,h10,i8,g8,j9,g9",
    "qubic": "position=qubic&moves=b2b,c3c,b2c,c2b,a1a",
}
"""Positions of the games that people open most."""
_KNOWN = {
    "home": {"home": ""},
    "play": {
        "play": "room=play",
        **{f"play-{name}": f"room=play&o=human&{place}" for name, place in GAMES.items()},
    },
    "analyze": {
        "analyze": f"room=analyze&{GAMES['connect4']}",
        **{f"analyze-{name}": f"room=analyze&{place}" for name, place in GAMES.items()},
        "analyze-bench": f"room=analyze&shelf=heuristic&{GAMES['tictactoe']}",
    },
    "lab": {"lab": "room=lab", "lab-connect4": "room=lab&position=connect4"},
    "trees": {
        "trees": "room=trees",
        "trees-boards": "room=trees&tree=.X./O../X.O",
    },
}


def first_places() -> dict[str, str]:
    """Return the address of one place in each room, by name."""
    return {room: _KNOWN.get(room, {}).get(room, f"room={room}") for room in rooms()}


def places() -> dict[str, str]:
    """Return all addresses to look at, by name."""
    found = first_places()
    for room in rooms():
        found |= _KNOWN.get(room, {})
    return found


def settle(page: Any, quiet: int = 250, patience: int = 1500) -> None:
    """Wait until a room is there and nothing on the page has changed for so many milliseconds."""
    page.locator(".plyscope .room > *").first.wait_for()
    page.evaluate(f"looking.settle({quiet}, {patience})")


def expect(what: Any) -> Any:
    """Return Playwright's assertions about a page or a locator, which wait until they hold."""
    from playwright.sync_api import expect

    expect.set_options(timeout=1000 * PATIENCE_SECONDS)
    return expect(what)


def hold(page: Any, endpoint: str) -> None:
    """Keep back what a page opened from now on asks an endpoint, until `release`."""
    page.add_init_script(
        f"""(() => {{
          const [send, held] = [WebSocket.prototype.send, (window.held = [])];
          let isHeld = true;
          WebSocket.prototype.send = function (text) {{
            if (isHeld && JSON.parse(text).endpoint === "{endpoint}") held.push([this, text]);
            else send.call(this, text);
          }};
          window.release = () => {{
            isHeld = false;
            const answers = held.map(([socket, text]) => new Promise((resolve) => {{
              const {{ id }} = JSON.parse(text);
              socket.addEventListener("message", ({{ data }}) => {{
                if (JSON.parse(data).id === id) resolve();
              }});
              send.call(socket, text);
            }}));
            return Promise.all(answers);
          }};
        }})()"""
    )


def release(page: Any) -> None:
    """Send what `hold` has kept back and wait for the answers; keep back nothing more."""
    page.evaluate("release().then(() => null)")


IN_A_WORKER = """async (text) => {
  const files = JSON.parse(document.getElementById("files").textContent);
  const worker = new Worker(files.worker, { type: "module" });
  const send = (message) => new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(JSON.parse(data));
    worker.postMessage(message);
  });
  await send({ ...files.python, interrupt: null });
  const found = await send({ id: 1, kind: "python", example: text });
  worker.terminate();
  return found;
}"""
"""Returns what a new worker of a static site answers to a text of Python."""


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Serve a site from a sub-path, its folder's name, by `python -m http.server`; yield its address
    and the process."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    with subprocess.Popen(
        [*command, "--directory", str(folder.parent)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            found = re.search(r"port (\d+)", process.stdout.readline())
            assert found is not None
            yield f"http://127.0.0.1:{found[1]}/{folder.name}/", process
        finally:
            process.kill()
