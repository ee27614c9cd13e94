"""What the page can ask, verb by verb: the request, the room that answers it, how long it may take.

A verb is the function of its name in its room: from the request, and from whom to `tell` what is
found on the way, to JSON-ready data. It raises PlyscopeError.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, Literal

import msgspec

from plyscope.errors import OptionError
from plyscope.faces.signs import one_line
from plyscope.faces.web import requests
from plyscope.faces.web.refusal import refusal
from plyscope.faces.web.requests import Request, ReviewRequest
from plyscope.rules.games import GAMES

__all__ = [
    "LANES",
    "VERBS",
    "Lane",
    "Tell",
    "Verb",
    "answer",
    "in_short",
    "lane_of",
    "load_room",
    "read",
]

Tell = Callable[[dict[str, Any]], None]
Lane = Literal["moves", "quick", "short", "long"]
LANES: tuple[Lane, ...] = ("moves", "quick", "short", "long")
MOST_SAID, ENDING = 400, 140
"""Characters of a message, and of its end, which says what was expected."""
REVIEW_FACTOR = 4
"""How many times its seconds a position of a game may take, since a proof is tried first."""


def _twice(request: Any) -> float:
    """Return what a search may take that is left to finish, or one from both sides."""
    return float(2 * request.seconds)


def _review_seconds(request: ReviewRequest) -> float:
    return REVIEW_FACTOR * request.seconds * (len(request.moves) + 1)


@dataclass(frozen=True)
class Verb:
    """A verb: what is asked, who answers, and how long that may take."""

    request: type[Request]
    room: str
    """The module of this package that answers; it is loaded with its first question."""
    lane: Lane
    """The line in which a question waits: `moves` and `quick` take some milliseconds, `short`
    seconds."""
    patience: Callable[[Any], float] | None = None
    """The seconds that a question may take which says how many it wants, None where none does."""

    @property
    def summary(self) -> str:
        """What it is for."""
        return " ".join((self.request.__doc__ or "").split())


VERBS = {
    "catalogues": Verb(requests.CataloguesRequest, "boards", "moves"),
    "show": Verb(requests.ShowRequest, "boards", "quick"),
    "play": Verb(requests.PlayRequest, "boards", "quick"),
    "read": Verb(requests.ReadRequest, "notations", "quick"),
    "copy": Verb(requests.CopyRequest, "notations", "quick"),
    "explain": Verb(requests.ExplainRequest, "boards", "quick"),
    "threats": Verb(requests.ThreatsRequest, "analysis", "quick"),
    "move": Verb(requests.MoveRequest, "analysis", "short"),
    "suggest": Verb(requests.SuggestRequest, "playing", "short", _twice),
    "attempt": Verb(  # a move is judged, and lines follow
        requests.AttemptRequest, "playing", "short", lambda asked: float(20 * asked.seconds)
    ),
    "puzzle": Verb(requests.PuzzleRequest, "playing", "short"),
    "trace": Verb(requests.TraceRequest, "trees", "short"),
    "differ": Verb(requests.DifferRequest, "trees", "short"),
    "question": Verb(requests.QuestionRequest, "quiz", "short"),
    "mark": Verb(requests.MarkRequest, "quiz", "short"),
    "clue": Verb(requests.ClueRequest, "quiz", "short"),
    "sheet": Verb(requests.SheetRequest, "quiz", "short"),
    "pose": Verb(requests.PoseRequest, "quiz", "short"),
    "grade": Verb(requests.GradeRequest, "quiz", "short"),
    "refute": Verb(requests.RefuteRequest, "analysis", "short", _twice),
    "analyze": Verb(requests.AnalyzeRequest, "analysis", "long", _twice),
    "solve": Verb(requests.SolveRequest, "analysis", "long", _twice),
    "write": Verb(requests.WriteRequest, "tabletext", "quick"),
    "paste": Verb(requests.PasteRequest, "tabletext", "quick"),
    "rate": Verb(requests.RateRequest, "lab", "quick"),
    "wrong": Verb(requests.WrongRequest, "wrongmoves", "short"),
    "report": Verb(requests.ReportRequest, "lab", "long", _twice),
    "certify": Verb(requests.CertifyRequest, "lab", "long", _twice),
    "match": Verb(requests.MatchRequest, "lab", "long", _twice),
    "review": Verb(requests.ReviewRequest, "games", "long", _review_seconds),
}


NAMES = "|".join(map(re.escape, GAMES))
KNOWN = re.compile(rf'"position":\s*"(?:(?:{NAMES})(?=[ "])|[.xXoO/]+(?: [xo])?")')
"""A position on a board of the catalogue, by its name, or by its cells."""
MOST_KNOWN_BYTES = 2000


def verb_named(name: str) -> Verb:
    """Return a verb; raise OptionError where there is none of that name."""
    if name not in VERBS:
        raise OptionError(f"verb {name[:40]!r}; expected one of {', '.join(VERBS)}")
    return VERBS[name]


def lane_of(verb: str, arguments: bytes) -> Lane:
    """Return the line of a question; raise OptionError for an unknown verb.

    Moves on known boards have a line of their own: a question about another board may take a
    hundred times as long.
    """
    usual = verb_named(verb).lane
    if (
        verb in ("play", "show")
        and len(arguments) <= MOST_KNOWN_BYTES
        and KNOWN.search(arguments.decode(errors="replace"))
    ):
        return "moves"
    return usual


def read(verb: str, arguments: bytes) -> Request:
    """Return the request that `arguments` are, JSON; raise OptionError that says what is wrong."""
    request = verb_named(verb).request
    try:
        return msgspec.json.decode(arguments, type=request)
    except msgspec.ValidationError as error:
        said = refusal(request, arguments) or str(error)
        raise OptionError(in_short(said)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise OptionError(f"cannot read the question: {str(error)[:120]}; expected JSON") from None


def load_room(verb: str) -> ModuleType:
    """Return the module that answers a verb."""
    return import_module(f"{__name__}.{VERBS[verb].room}")


def answer(verb: str, request: Request, tell: Tell) -> dict[str, Any]:
    """Return what the verb answers; raise PlyscopeError."""
    result: dict[str, Any] = getattr(load_room(verb), verb)(request, tell)
    return result


def in_short(error: object) -> str:
    """Return a message as one line that is not too long, whatever it quotes."""
    text = str(error)
    if len(text) > MOST_SAID:
        text = f"{text[: MOST_SAID - ENDING]}...{text[-ENDING:]}"
    return one_line(text)
