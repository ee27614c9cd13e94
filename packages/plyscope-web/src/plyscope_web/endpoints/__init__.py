"""The endpoints of the page: the request of each, the module that answers it, and its timeout.

The function of an endpoint has the endpoint's name. It takes the request and a callback `tell` for
partial results, and returns JSON-ready data. It raises PlyscopeError if it cannot respond.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from time import perf_counter
from types import ModuleType
from typing import Any, Literal

import msgspec

from plyscope.errors import OptionError
from plyscope.faces.signs import one_line
from plyscope.rules.games import GAMES
from plyscope_web import requests
from plyscope_web.refusal import refusal
from plyscope_web.requests import Request, ReviewRequest

__all__ = [
    "ENDPOINTS",
    "QUEUES",
    "Endpoint",
    "QueueName",
    "Tell",
    "answer",
    "in_short",
    "load_module",
    "queue_of",
    "read",
    "sparingly",
]

Tell = Callable[[dict[str, Any]], None]
QueueName = Literal["moves", "quick", "short", "long"]
QUEUES: tuple[QueueName, ...] = ("moves", "quick", "short", "long")
MAX_MESSAGE_CHARS, END_CHARS = 400, 140
"""The length of the longest error message, and of its end, which is always shown since it has the
expectation."""
PROGRESS_SECONDS = 0.15
"""Seconds between two messages of progress."""
REVIEW_FACTOR = 4
"""The timeout per reviewed position, in units of the request's `seconds`. A proof is tried before
the search."""


def _twice(request: Any) -> float:
    """Return the timeout of a search that runs twice or may finish its last iteration."""
    return float(2 * request.seconds)


def _review_seconds(request: ReviewRequest) -> float:
    proving = 2 * request.proving  # the last solve may end late
    return REVIEW_FACTOR * request.seconds * (len(request.moves) + 1) + proving


@dataclass(frozen=True)
class Endpoint:
    """An endpoint: its request, the module that answers it, its queue and its timeout."""

    request: type[Request]
    room: str
    """The module of this package with its function; it is imported on the first request."""
    queue: QueueName
    """The queue of its requests: `moves` and `quick` take milliseconds, `short` takes seconds."""
    timeout: Callable[[Any], float] | None = None
    """The timeout in seconds of a request with a field `seconds`, None without such a field."""
    tells_whole: bool = False
    """Whether each partial result without a text is a response: the last one stands for the
    response where a worker has to be ended to stop it."""

    @property
    def is_quick(self) -> bool:
        """Whether its requests take milliseconds."""
        return self.queue in ("moves", "quick")

    @property
    def summary(self) -> str:
        """The docstring of its request."""
        return " ".join((self.request.__doc__ or "").split())


ENDPOINTS = {
    "catalogues": Endpoint(requests.CataloguesRequest, "boards", "moves"),
    "show": Endpoint(requests.ShowRequest, "boards", "quick"),
    "play": Endpoint(requests.PlayRequest, "boards", "quick"),
    "read": Endpoint(requests.ReadRequest, "notations", "quick"),
    "copy": Endpoint(requests.CopyRequest, "notations", "quick"),
    "explain": Endpoint(requests.ExplainRequest, "boards", "quick"),
    "define": Endpoint(
        requests.DefineRequest, "writing", "quick", lambda asked: float(asked.seconds)
    ),
    "threats": Endpoint(requests.ThreatsRequest, "analysis", "quick"),
    "move": Endpoint(requests.MoveRequest, "analysis", "short"),
    "suggest": Endpoint(requests.SuggestRequest, "playing", "short", _twice),
    "attempt": Endpoint(  # a move is judged, and lines follow
        requests.AttemptRequest, "playing", "short", lambda asked: float(20 * asked.seconds)
    ),
    "puzzle": Endpoint(requests.PuzzleRequest, "playing", "short"),
    "trace": Endpoint(requests.TraceRequest, "trees", "short"),
    "differ": Endpoint(requests.DifferRequest, "trees", "short"),
    "question": Endpoint(requests.QuestionRequest, "quiz", "short"),
    "mark": Endpoint(requests.MarkRequest, "quiz", "short"),
    "clue": Endpoint(requests.ClueRequest, "quiz", "short"),
    "sheet": Endpoint(requests.SheetRequest, "quiz", "short"),
    "pose": Endpoint(requests.PoseRequest, "quiz", "short"),
    "grade": Endpoint(requests.GradeRequest, "quiz", "short"),
    "refute": Endpoint(requests.RefuteRequest, "analysis", "short", _twice),
    "analyze": Endpoint(requests.AnalyzeRequest, "analysis", "long", _twice, tells_whole=True),
    "follow": Endpoint(requests.FollowRequest, "analysis", "short"),
    "solve": Endpoint(requests.SolveRequest, "analysis", "long", _twice),
    "write": Endpoint(requests.WriteRequest, "tabletext", "quick"),
    "paste": Endpoint(requests.PasteRequest, "tabletext", "quick"),
    "wrong": Endpoint(requests.WrongRequest, "wrongmoves", "short"),
    "report": Endpoint(requests.ReportRequest, "lab", "long", _twice, tells_whole=True),
    "tune": Endpoint(requests.TuneRequest, "lab", "long", _twice),
    "why": Endpoint(requests.WhyRequest, "lab", "long", lambda asked: float(20 * asked.seconds)),
    "certify": Endpoint(requests.CertifyRequest, "lab", "long", _twice),
    "match": Endpoint(requests.MatchRequest, "lab", "long", _twice, tells_whole=True),
    "review": Endpoint(requests.ReviewRequest, "games", "long", _review_seconds),
}


NAMES = "|".join(map(re.escape, GAMES))
KNOWN = re.compile(rf'"position":\s*"(?:(?:{NAMES})(?=[ "])|[.xXoO/]+(?: [xo])?")')
"""A position of a game of the catalogue in a request, by name or as a diagram of its cells."""
MAX_KNOWN_BYTES = 2000


def endpoint_named(name: str) -> Endpoint:
    """Return the endpoint of a name; raise OptionError for an unknown name."""
    if name not in ENDPOINTS:
        raise OptionError(f"endpoint {name[:40]!r}; expected one of {', '.join(ENDPOINTS)}")
    return ENDPOINTS[name]


def queue_of(endpoint: str, arguments: bytes) -> QueueName:
    """Return the queue of a request; raise OptionError for an unknown endpoint.

    Moves on known boards have their own queue: other boards may take a hundred times as long.
    """
    usual = endpoint_named(endpoint).queue
    if (
        endpoint in ("play", "show")
        and len(arguments) <= MAX_KNOWN_BYTES
        and KNOWN.search(arguments.decode(errors="replace"))
    ):
        return "moves"
    return usual


def read(endpoint: str, arguments: bytes) -> Request:
    """Return the request parsed from JSON; raise OptionError if it is invalid."""
    request = endpoint_named(endpoint).request
    try:
        return msgspec.json.decode(arguments, type=request)
    except msgspec.ValidationError as error:
        said = refusal(request, arguments) or str(error)
        raise OptionError(in_short(said)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise OptionError(f"cannot read the request: {str(error)[:120]}; expected JSON") from None


def load_module(endpoint: str) -> ModuleType:
    """Return the module of an endpoint, importing it if necessary."""
    return import_module(f"{__name__}.{ENDPOINTS[endpoint].room}")


def answer(endpoint: str, request: Request, tell: Tell) -> dict[str, Any]:
    """Return the response of an endpoint; raise PlyscopeError if the endpoint cannot respond."""
    result: dict[str, Any] = getattr(load_module(endpoint), endpoint)(request, tell)
    return result


def sparingly(tell: Tell) -> Callable[[Callable[[], dict[str, Any]]], None]:
    """Return a function that sends what its argument returns, at most once in PROGRESS_SECONDS."""
    due = 0.0

    def say(news: Callable[[], dict[str, Any]]) -> None:
        nonlocal due
        if perf_counter() >= due:
            due = perf_counter() + PROGRESS_SECONDS
            tell(news())

    return say


def in_short(error: object) -> str:
    """Return a message as one line of at most MAX_MESSAGE_CHARS characters."""
    text = str(error)
    if len(text) > MAX_MESSAGE_CHARS:
        text = f"{text[: MAX_MESSAGE_CHARS - END_CHARS]}...{text[-END_CHARS:]}"
    return one_line(text)
