"""`Checkpoint`: what a tuning has found out so far, in a file, so that the same call goes on.

The values of positions are the dearest part of a tuning, and all else follows from them again, to
the last byte. They are kept block by block, a line of JSON each with a digest of its own; a line
that was cut off or damaged is found out anew.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from plyscope.errors import OptionError
from plyscope.machine.wholefile import write_whole

HEAD = "plyscope tuning"


class Checkpoint:
    """Named data of one question, in a file or, without a path, nowhere.

    Raises OptionError for a file that is not one, or belongs to another question.
    """

    def __init__(self, path: str | Path | None, question: dict[str, Any]) -> None:
        self.path = None if path is None else Path(path)
        self.known: dict[str, Any] = {}
        head = _line(HEAD, question)
        if self.path is None:
            return
        try:
            text = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
            first, *rest = text.splitlines() or [head]
            self._check(first, head)
            self.known = dict(each for line in rest if (each := _read(line)) is not None)
            if not text.endswith("\n"):  # new, or cut off
                lines = [head, *(_line(*item) for item in self.known.items())]
                write_whole(self.path, [("\n".join(lines) + "\n").encode()])
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "no text"
            raise OptionError(
                f"cannot resume from {str(path)!r}: {reason}; expected a file to write to"
            ) from None

    def _check(self, first: str, head: str) -> None:
        read = _read(first)
        if read is None or read[0] != HEAD:
            raise OptionError(
                f"{str(self.path)!r} is no checkpoint of a tuning; "
                "expected one, or a file that is not there yet"
            )
        if first != head:
            wanted = json.loads(head)["data"]
            other = next(key for key in wanted if read[1].get(key) != wanted[key])
            raise OptionError(
                f"{str(self.path)!r} is of a tuning with {other} "
                f"{str(read[1].get(other))[:60]!r}; expected {str(wanted[other])[:60]!r}"
            )

    def keep(self, name: str, data: Any) -> None:
        """Keep what was found; raise OptionError where it cannot be written."""
        self.known[name] = data
        if self.path is None:
            return
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(_line(name, data) + "\n")
        except OSError as error:
            raise OptionError(
                f"cannot write {str(self.path)!r}: {error.strerror}; expected room for it"
            ) from None


def _line(name: str, data: Any) -> str:
    """Return a line with its digest."""
    text = json.dumps(data, separators=(",", ":"))
    return json.dumps({"name": name, "digest": _digest(name, text), "data": data})


def _read(line: str) -> tuple[str, Any] | None:
    """Return what a line holds, None for one that was damaged."""
    try:
        read = json.loads(line)
        name, data = read["name"], read["data"]
        text = json.dumps(data, separators=(",", ":"))
        return (name, data) if read["digest"] == _digest(name, text) else None
    except (ValueError, KeyError, TypeError):
        return None


def _digest(name: str, text: str) -> str:
    return hashlib.sha256(f"{name}\n{text}".encode()).hexdigest()
