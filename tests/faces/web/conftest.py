"""A server for the tests of the page, on a free port of this machine, and a browser to look at it
with."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.responses import PlainTextResponse

from looking import CHROMIUM
from plyscope_web.app import app
from plyscope_web.server import server as server_of
from waiting import until


@contextmanager
def serving(application: Any, listener: socket.socket) -> Iterator[None]:
    """Serve in a thread of its own."""
    running = server_of(application, log_level="error")
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    until(lambda: running.started)
    yield
    running.should_exit = True
    thread.join(10)
    listener.close()


def a_listener() -> socket.socket:
    """Return a socket at a free port of this machine."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    return listener


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    listener = a_listener()
    name = f"127.0.0.1:{listener.getsockname()[1]}"
    with serving(app(frozenset({name}), 2), listener):
        yield f"http://{name}"


@pytest.fixture
def plain_server() -> Iterator[tuple[str, int]]:
    """The address of a server that says hello to everybody, and has no scheduler."""

    async def hello(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await PlainTextResponse("hello")(scope, receive, send)

    listener = a_listener()
    address: tuple[str, int] = listener.getsockname()
    with serving(hello, listener):
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("no Chromium here")
    playwright_api = pytest.importorskip("playwright.sync_api", reason="needs the extra test-page")
    with playwright_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


LAPTOP = {"width": 1280, "height": 800}


@contextmanager
def opened(browser: Any, hears_console: bool = False, **options: Any) -> Iterator[Any]:
    """Open a page in a context of its own; at the end no error was raised there, nor, with
    `hears_console`, written to its console."""
    context = browser.new_context(**{"viewport": LAPTOP, **options})
    context.set_default_timeout(60_000)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    if hears_console:
        page.on(
            "console", lambda said: complaints.append(said.text) if said.type == "error" else None
        )
    yield page
    assert complaints == []
    context.close()
