"""A worker: a process that answers one question after the other, a line of JSON each, until its input ends.

First goes out `{"ready": true}`. In comes `{"verb": ..., "arguments": {...}}`; out go any number of `{"told": ...}`, then
`{"found": ...}` or `{"error": ...}`. SIGINT ends the question that is being answered, which then answers with what it has, and no other.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from typing import Any, TextIO

from plyscope.errors import PlyscopeError
from plyscope.faces.web.verbs import answer, read

__all__ = ["main"]

MOST_BYTES = 6 << 30
"""Of address space; tables are of fixed sizes, but trees of arbitrary questions are not."""

busy = False


def main() -> None:
    """Answer until there is nothing more to read."""
    with suppress(ImportError):  # a system without such limits
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    signal.signal(signal.SIGINT, _interrupt)
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    sys.stdout = sys.stderr  # nothing but answers goes to whoever asks
    _say(out, ready=True)
    for line in sys.stdin:
        _say(out, **_answer(out, json.loads(line)))


def _interrupt(number: int, frame: Any) -> None:
    if busy:
        raise KeyboardInterrupt


def _answer(out: TextIO, asked: dict[str, Any]) -> dict[str, Any]:
    global busy
    try:
        question = read(asked["verb"], asked["arguments"])
        busy = True
        return {"found": answer(asked["verb"], question, lambda told: _say(out, told=told))}
    except PlyscopeError as error:
        return {"error": str(error)}
    except KeyboardInterrupt:
        return {"error": "stopped"}
    except (MemoryError, RecursionError) as error:
        return {"error": f"{type(error).__name__} in {asked['verb']!r}; expected a smaller question"}
    finally:
        busy = False


def _say(out: TextIO, **said: Any) -> None:
    out.write(json.dumps(said, ensure_ascii=False) + "\n")
    out.flush()


if __name__ == "__main__":
    main()
