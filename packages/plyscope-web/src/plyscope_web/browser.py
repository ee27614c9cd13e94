"""The worker of a browser's tab: answers one request after the other in Pyodide.

`static/worker.js` loads Pyodide and this module, and calls `hear` with each request. A response
is posted as the text that a server sends: `{"id": 7, ...}` with `told` any number of times, then
`found` or `error`. Before them comes `{"id": 7, "seconds": ...}`, after which the page ends this
worker. The page keeps the queue, since a worker that computes hears nothing.

To stop a request, the page writes into the interrupt buffer, if it shares memory with this worker;
otherwise, and after STOP_SECONDS, it ends the worker and starts another.
"""

from __future__ import annotations

import random
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any

import msgspec

from plyscope.extras import MissingPackageError, explained
from plyscope_web.endpoints import ENDPOINTS, answer, endpoint_named, read
from plyscope_web.endpoints.inputs import text_reader
from plyscope_web.endpoints.writing import written_heuristic
from plyscope_web.examples import Examples
from plyscope_web.outcome import (
    DEFAULT_SECONDS,
    LATE,
    STOP_SECONDS,
    STOPPED,
    may_interrupt,
    outcome,
)

FOLDER = "/documents"
"""The current folder of examples, in Pyodide's files."""
GRACE_SECONDS = 10.0
"""Added to a timeout, except for quick requests: a phone is slower than a server, and nothing is
compiled."""


class BrowserWorker:
    """Answers requests with texts that it hands to `post`."""

    def __init__(self, post: Callable[[str], object]) -> None:
        self.post = post
        random.seed()  # a kept memory has a state
        text_reader.set(written_heuristic)
        self.number = 0
        """The number of the current request."""
        self.examples: Examples | None = None
        signal.signal(signal.SIGINT, self.handle_interrupt)

    def handle_interrupt(self, number: int, frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt if `frame` is inside a request. The page repeats its interrupt
        until the request has ended."""
        if may_interrupt(frame, BrowserWorker.found.__code__, BrowserWorker.say.__code__):
            raise KeyboardInterrupt

    def hear(self, number: int, endpoint: str, arguments: str) -> None:
        """Answer a request, whose arguments are JSON."""
        self.number = number
        kind, said = outcome(endpoint, lambda: self.found(endpoint, arguments.encode()))
        if kind == "failed":
            name = msgspec.json.decode(said)
            text = (
                f"{endpoint} failed ({name}); see the browser's console; expected another request"
            )
            said = msgspec.json.encode(text)
        self.say("found" if kind == "found" else "error", said)

    def found(self, endpoint: str, arguments: bytes) -> bytes:
        """Return the response as JSON; raise KeyboardInterrupt when the request is stopped."""
        request: Any = read(endpoint, arguments)
        known = endpoint_named(endpoint)
        if known.timeout is not None:
            seconds = known.timeout(request) + GRACE_SECONDS * (not known.is_quick)
            self.say("seconds", msgspec.json.encode(seconds))
        try:
            found = answer(endpoint, request, lambda news: self.say("told", encoded(news)))
        except ImportError as error:
            raise _elsewhere(explained(error, repr(endpoint))) from None
        except MissingPackageError as error:
            raise _elsewhere(error) from None
        return encoded(found)

    def show(self, number: int, kind: str, example: str) -> None:
        """Run an example of the documents, and post what it shows."""
        if self.examples is None:
            self.examples = Examples(FOLDER)
        self.post(f'{{"id":{number},"shown":{self.examples.run(kind, example)}}}')

    def say(self, kind: str, said: bytes) -> None:
        """Post a message about the current request."""
        self.post(f'{{"id":{self.number},"{kind}":{said.decode()}}}')


encoded = msgspec.json.encode


def _elsewhere(error: Exception) -> Exception:
    """Return the error for a package that is missing in a browser, where nothing is installed."""
    need, _, command = str(error).partition("; expected ")
    if not command:
        return error
    return MissingPackageError(
        f"{need}, which this site does not have; expected plyscope on a computer: {command}"
    )


def ready() -> str:
    """Return what the page needs to know about the endpoints, as JSON: for each the time in seconds
    after which the page ends the worker, the names of those that take long and of those whose
    partial results are responses, and the words for a request that was ended."""
    return encoded(
        {
            "seconds": {
                name: DEFAULT_SECONDS[known.queue] + GRACE_SECONDS * (not known.is_quick)
                for name, known in ENDPOINTS.items()
            },
            "long": [name for name, known in ENDPOINTS.items() if known.queue == "long"],
            "whole": [name for name, known in ENDPOINTS.items() if known.tells_whole],
            "stop_seconds": STOP_SECONDS,
            "stopped": msgspec.json.decode(STOPPED),
            "late": msgspec.json.decode(LATE),
        }
    ).decode()
