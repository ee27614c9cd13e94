"""A JupyterLab of one's own, with nobody's settings, and notebooks in it: for tests in a browser."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from waiting import until

START_SECONDS = 120.0
PATIENCE_MILLISECONDS = 120_000
"""What a kernel, its workers and a notebook may take on a machine with much else to do."""
WIDGET = ".jp-OutputArea .plyscope"


def _data_folder() -> Path:
    """Return the folder of JupyterLab's own files and of the extensions installed with it."""
    import jupyterlab

    return Path(jupyterlab.__file__).parents[4] / "share" / "jupyter"


@contextmanager
def serving_lab(folder: Path) -> Iterator[JupyterLab]:
    """Start JupyterLab on a free port of this machine; end it, its kernels and their workers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    notebooks = folder / "notebooks"
    notebooks.mkdir()
    data = _data_folder()
    places = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    own = {f"JUPYTER_{place}": str(folder / place.lower()) for place in places}
    own |= {f"JUPYTERLAB_{name}_DIR": str(folder / name) for name in ("SETTINGS", "WORKSPACES")}
    own |= {"JUPYTER_PATH": str(data), "IPYTHONDIR": str(folder / "ipython")}
    options = {
        "ServerApp.root_dir": notebooks,
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "IdentityProvider.token": "",
        "ServerApp.open_browser": False,
        "ServerApp.allow_root": True,
        "LabApp.app_dir": data / "lab",
        "LabApp.expose_app_in_browser": True,
        "LabApp.news_url": "",
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
        "LabApp.extension_manager": "readonly",
    }
    words = [sys.executable, "-m", "jupyterlab", *(f"--{key}={to}" for key, to in options.items())]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            words, env=os.environ | own, stdout=log, stderr=log, start_new_session=True
        )
    lab = JupyterLab(f"http://127.0.0.1:{port}", notebooks, process)
    try:
        lab.wait()
        yield lab
    finally:
        process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


class JupyterLab:
    """A server, and the folder of its notebooks."""

    def __init__(self, url: str, folder: Path, process: subprocess.Popen[bytes]) -> None:
        self.url, self.folder, self.process = url, folder, process

    def wait(self) -> None:
        """Wait until it answers."""

        def answers() -> bool:
            assert self.process.poll() is None, (self.folder.parent / "log").read_text()
            with suppress(OSError):
                urlopen(f"{self.url}/api").close()
                return True
            return False

        until(answers, seconds=START_SECONDS)

    def write(self, name: str, cells: Sequence[str]) -> None:
        """Write a notebook of code cells."""
        listed = [
            {
                "cell_type": "code",
                "id": f"cell{number}",
                "metadata": {},
                "execution_count": None,
                "outputs": [],
                "source": source,
            }
            for number, source in enumerate(cells)
        ]
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        whole = {
            "cells": listed,
            "metadata": {"kernelspec": kernel},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        (self.folder / name).write_text(json.dumps(whole))

    def open(self, page: Any, name: str) -> Notebook:
        """Open a notebook alone and wait for its kernel."""
        page.set_default_timeout(PATIENCE_MILLISECONDS)
        page.goto(f"{self.url}/lab/tree/{name}?reset")
        page.wait_for_function(
            "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
        )
        return Notebook(page)


class Notebook:
    """An open notebook."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.widget = page.locator(WIDGET)

    def command(self, name: str, arguments: dict[str, Any] | None = None) -> None:
        """Carry out one of JupyterLab's commands."""
        run = "([name, given]) => { jupyterapp.commands.execute(name, given); }"
        self.page.evaluate(run, [name, arguments or {}])

    def run(self) -> None:
        """Run all cells."""
        self.command("notebook:run-all-cells")

    def cells(self) -> list[str]:
        """Return the kind and the text of each cell."""
        found: list[str] = self.page.evaluate(
            """[...jupyterapp.shell.currentWidget.content.model.cells].map(
                ({ type, sharedModel }) => `${type}: ${sharedModel.getSource()}`)"""
        )
        return found

    def text(self, what: str) -> str:
        """Return what a Python expression is in the kernel, as its repr."""
        found: str = self.page.evaluate(
            """async (code) => {
                const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
                const { content } = await kernel.requestExecute({
                    code: '', user_expressions: { it: code }, silent: true }).done;
                return content.user_expressions.it.data["text/plain"];
            }""",
            what,
        )
        return found

    def wait_for(self, what: str) -> None:
        """Wait until a Python expression is true in the kernel."""
        until(lambda: self.text(f"bool({what})"), "True", PATIENCE_MILLISECONDS / 1000)
