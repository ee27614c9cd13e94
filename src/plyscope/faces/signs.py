"""ASCII substitutes on terminals that cannot show a sign: `-` for `−`, `>=` for `≥`.

A `Console` substitutes signs before the layout, so that columns stay aligned; other output is
substituted when it is written. Files are UTF-8 and keep every sign.
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
    "▸": ">", "─": "-", "━": "-", "│": "|", "└": "`", "├": "|", "┼": "+", "╵": "|", "╷": "|",
    "⌈": "", "⌉": "", "⌊": "", "⌋": "",
}  # fmt: skip
"""The substitutes by sign. Letters lose their accents; any other character is printed as `?`."""
HANDLER = "plyscope.signs"


def _stand_in(letter: str) -> str:
    """Return the ASCII substitute for a character that cannot be printed."""
    if letter in STAND_INS:
        return STAND_INS[letter]
    return normalize("NFKD", letter).encode("ascii", "ignore").decode() or "?"


def _handle(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_stand_in, error.object[error.start : error.end])), error.end


codecs.register_error(HANDLER, _handle)


def plain(text: str, encoding: str) -> str:
    """Return the text with substitutes for the characters that `encoding` lacks."""
    return text if text.isascii() else text.encode(encoding, HANDLER).decode(encoding)


def shown(text: str) -> str:
    """Return the text with escapes for control characters and others that move the cursor."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def one_line(text: str) -> str:
    """Return a message on one line, with control characters escaped."""
    return shown(" ".join(line.strip() for line in text.splitlines()))


def prepare_streams() -> None:
    """Make the standard streams print and read any text, with substitutes if necessary.

    A stream that was closed at the start is opened on the null device. Otherwise a file could get
    its descriptor later, and output would be written into the file.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream: Any = getattr(sys, name)
        if stream is None:
            stream = _null_device(number)
            setattr(sys, name, stream)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=HANDLER if number else "surrogateescape")


def _null_device(number: int) -> TextIO:
    """Open the null device at the descriptor of a closed stream, and return it."""
    mode = os.O_WRONLY if number else os.O_RDONLY
    descriptor = os.open(os.devnull, mode)
    if descriptor != number:
        os.dup2(descriptor, number)
        os.close(descriptor)
    return open(number, "w" if number else "r", encoding="utf-8", closefd=False)
