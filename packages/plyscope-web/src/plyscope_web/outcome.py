"""The outcome of a request: what it found, or the words for the exception that ended it.

The worker processes of a server and the worker of a browser both answer with it.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Literal

import msgspec

from plyscope.errors import PlyscopeError
from plyscope.pythonfile import blamed
from plyscope_web.endpoints import QueueName, in_short

Kind = Literal["found", "error", "failed"]
DEFAULT_SECONDS: dict[QueueName, float] = {
    "moves": 10.0,
    "quick": 10.0,
    "short": 15.0,
    "long": 30.0,
}
"""The timeout of requests without a field `seconds`, by queue."""
GRACE_SECONDS = 60.0
"""Added to a timeout for compilation, except for quick requests."""
STOP_SECONDS = 1.0
"""The time limit for an interrupted worker to respond."""
STOPPED = b'"stopped"'
LATE = b'"no answer in time; expected a smaller request"'
"""The responses, as JSON, to a request that was cancelled, and to one that exceeded its timeout."""
UNINTERRUPTIBLE_MODULES = ("numba.", "llvmlite.", "importlib._bootstrap", "_frozen_importlib")
"""Modules in which no KeyboardInterrupt is raised: Numba could not compile again, LLVM would
swallow it, and an import would remain incomplete."""


def outcome(endpoint: str, found: Callable[[], bytes]) -> tuple[Kind, bytes]:
    """Return the kind of a response and its JSON, which `found` returns; every exception becomes a
    response. The traceback of an unexpected one goes to stderr."""
    kind: Kind = "error"
    try:
        return "found", found()
    except KeyboardInterrupt:
        return kind, STOPPED
    except PlyscopeError as error:
        message = in_short(error)
    except (MemoryError, RecursionError) as error:
        message = f"{type(error).__name__} in {endpoint!r}; expected a smaller request"
    except Exception as error:
        message = in_short(blamed(error))  # on the user's game, empty if it is not involved
        if not message:
            traceback.print_exc()
            kind, message = "failed", type(error).__name__
    return kind, msgspec.json.encode(message)


def may_interrupt(frame: FrameType | None, within: CodeType, but: CodeType) -> bool | None:
    """Return whether KeyboardInterrupt may be raised at `frame`, which the function of the code
    `within` called; None outside of it. It may not in what the code `but` calls, in an import, and
    where the exception would be swallowed."""
    inside, may_be_cut = set(), True
    while frame is not None:
        inside.add(frame.f_code)
        is_whole = frame.f_globals.get("__name__", "").startswith(UNINTERRUPTIBLE_MODULES)
        may_be_cut &= frame.f_code.co_name != "__del__" and not is_whole
        frame = frame.f_back
    return None if within not in inside else may_be_cut and but not in inside
