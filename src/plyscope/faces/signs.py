"""Signs on terminals that cannot show them: `−` is printed as `-`, `≥` as `>=`.

What is printed through a `Console` is put in plain signs before it is laid out, so that columns
stay straight; all else as it is written. Files are UTF-8 and keep every sign.
"""

from __future__ import annotations

import codecs
import os
import sys
from typing import Any, TextIO
from unicodedata import normalize

STAND_INS = {
    "−": "-", "–": "-", "—": "-", "×": "x", "÷": "/", "±": "+-", "≈": "~", "≤": "<=", "≥": ">=",
    "∞": "inf", "½": "1/2", "µ": "u",
    "α": "alpha", "β": "beta", "τ": "tau", "Γ": "Gamma",
    "…": "~", "·": ".", "¦": "|", "‘": "'", "’": "'", "“": '"', "”": '"', "\N{NO-BREAK SPACE}": " ",
    "←": "<", "→": ">", "↑": "^", "↓": "v", "▲": "^", "▼": "v", "★": "*", "☆": "+", "✂": "%",
    "─": "-", "━": "-", "│": "|", "└": "`", "├": "|", "┼": "+", "╵": "|", "╷": "|",
    "⌈": "", "⌉": "", "⌊": "", "⌋": "",
}  # fmt: skip
"""What stands for a sign; letters with accents lose them, all else is printed as `?`."""
HANDLER = "plyscope.signs"


def _stand_in(letter: str) -> str:
    """Return the ASCII that stands for a letter that cannot be printed."""
    if letter in STAND_INS:
        return STAND_INS[letter]
    return normalize("NFKD", letter).encode("ascii", "ignore").decode() or "?"


def _handle(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_stand_in, error.object[error.start : error.end])), error.end


codecs.register_error(HANDLER, _handle)


def plain(text: str, encoding: str) -> str:
    """Return the text as `encoding` can carry it."""
    return text if text.isascii() else text.encode(encoding, HANDLER).decode(encoding)


def shown(text: str) -> str:
    """Return the text with escapes for control characters and whatever else moves the cursor."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def one_line(text: str) -> str:
    """Return a message on one line, without a character that a terminal would obey."""
    return shown(" ".join(line.strip() for line in text.splitlines()))


def prepare_streams() -> None:
    """Make the standard streams print and read every text, with plain signs where need be.

    A stream that was closed at the start is opened: a file would else take its number later, and
    what is printed would be written into it.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream: Any = getattr(sys, name)
        if stream is None:
            stream = _nowhere(number)
            setattr(sys, name, stream)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=HANDLER if number else "surrogateescape")


def _nowhere(number: int) -> TextIO:
    """Return the empty file at the descriptor of a stream that is closed."""
    mode = os.O_WRONLY if number else os.O_RDONLY
    descriptor = os.open(os.devnull, mode)
    if descriptor != number:
        os.dup2(descriptor, number)
        os.close(descriptor)
    return open(number, "w" if number else "r", encoding="utf-8", closefd=False)
