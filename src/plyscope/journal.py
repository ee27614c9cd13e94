"""`Journal`: a file of finished results, from which an interrupted computation is resumed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from plyscope.errors import OptionError


class Journal:
    """The results of one question by key, and the file to which new ones are added.

    The first line holds the format and the question. Every other line is a checksum and a JSON
    array: `key_length` items of a key, then the result. The checksum covers the first line and the
    array. Lines whose checksum is wrong are ignored and counted as `damaged`. Without a path
    nothing is written. Raises OptionError for a file of another format or question, and if it
    cannot be written.
    """

    def __init__(
        self, path: Path | None, form: str, question: dict[str, Any], key_length: int = 1
    ) -> None:
        self.path, self.known, self.damaged = path, dict[tuple[Any, ...], list[Any]](), 0
        self._question = question
        self._head = json.dumps([form, *question.values()]).encode() + b"\n"
        if path is None:
            return
        try:
            lines = self._read(path)
        except OptionError:
            raise
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have
            raise _unwritable(path, error) from None
        for line in lines:
            checksum, _, text = line.partition(b" ")
            if checksum == self._checksum(text):
                entry = json.loads(text)
                self.known[tuple(entry[:key_length])] = entry[key_length:]
            else:
                self.damaged += 1

    def keep(self, key: tuple[Any, ...], *result: Any) -> None:
        """Add a result; raise OptionError if it cannot be written."""
        self.known[key] = list(result)
        if self.path is None:
            return
        text = json.dumps([*key, *result]).encode()
        try:
            with self.path.open("ab") as file:
                file.write(self._checksum(text) + b" " + text + b"\n")
        except OSError as error:
            raise _unwritable(self.path, error) from None

    def _read(self, path: Path) -> list[bytes]:
        """Return the lines after the first; cut off an incomplete last line."""
        with path.open("a+b") as file:
            file.seek(0)
            text = file.read()
            if self._head.startswith(text):  # a new file, or one with an incomplete first line
                file.truncate(0)
                file.write(self._head)
                return []
            if not text.startswith(self._head):
                raise OptionError(f"journal {str(path)!r} {self._difference(text)}")
            end = text.rfind(b"\n") + 1
            if end < len(text):  # otherwise the next line would continue an incomplete one
                file.truncate(end)
        return text[len(self._head) : end].split(b"\n")[:-1]

    def _difference(self, text: bytes) -> str:
        """Return the end of an error: how the first line of the file differs from the expected."""
        form, *wanted = json.loads(self._head)
        try:
            read, *values = json.loads(text.partition(b"\n")[0])
        except (ValueError, TypeError, RecursionError):
            read, values = None, []
        if read == form and len(values) == len(wanted):
            for name, value, expected in zip(self._question, values, wanted, strict=True):
                if value != expected:
                    return (
                        f"was written for {name} {str(value)[:60]!r}; "
                        f"expected {str(expected)[:60]!r}, or a new file"
                    )
        return f"does not begin with {form!r} of this version; expected such a file or a new one"

    def _checksum(self, text: bytes) -> bytes:
        return hashlib.sha256(self._head + text).hexdigest()[:16].encode()


def _unwritable(path: Path, error: Exception) -> OptionError:
    reason = getattr(error, "strerror", None) or error
    return OptionError(f"journal {str(path)!r}: {reason}; expected a file that can be written")
