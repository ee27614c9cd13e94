"""What `fuzz.py` makes of valid texts, files and data: the same with characters, words and numbers
changed, repeated, cut and spliced."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

__all__ = ["mutated", "mutated_bytes", "mutated_data", "odd_text"]

MOST = 20_000
"""Characters of a text, at most."""
CONTROLS = (
    "\0",
    "\n",
    "\r",
    "\t",
    "\v",
    "\f",
    "\b",
    "\x1b[2J",
    "\x1c",
    "\x7f",
    "\x85",
    "\u2028",
    "\u2029",
    "\u202e",
    "\u200b",
    "\ufeff",
)
ODD = (
    *CONTROLS,
    "\ud800",
    "\udcff",
    "٣",
    "९",
    "²",
    "Ⅷ",
    "½",
    "ß",
    "İ",
    "ſ",
    "\u212a",
    "é",
    "−",
    "∞",
    "×",
    "🂡",
    "\u00a0",
    "\u3000",
    "'",
    '"',
    "\\",
)
NUMBERS = (
    "0",
    "-1",
    "-0",
    "00",
    "1",
    "2",
    "7",
    "32",
    "33",
    "200",
    "256",
    "1024",
    "1025",
    "65536",
    "2147483648",
    "9223372036854775808",
)
NUMBERS = (
    *NUMBERS,
    "9" * 30,
    "1" * 5000,
    "٣",
    "٣٣",
    "²",
    "1e3",
    "1e999",
    "-1e999",
    "NaN",
    "Infinity",
    "1.5",
    "1_0",
    "0x10",
    "+1",
    " 1",
    "1 ",
)
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    1.5,
    float("inf"),
    float("nan"),
    1 << 63,
    10**30,
    "",
    "x",
    [],
    {},
    [[]],
    {"": 0},
    "\0",
)


def mutated(draw: Random, text: str, corpus: Sequence[str]) -> str:
    """Return a text like `text`, now and then the same."""
    for _ in range(draw.choice((0, 1, 1, 1, 1, 1, 1, 2, 2, 4))):
        text = draw.choice(MUTATIONS)(draw, text, corpus)[:MOST]
    return text


def odd_text(draw: Random, most: int = 40) -> str:
    """Return characters of which nobody thinks."""
    return "".join(
        draw.choice(ODD)
        if draw.random() < 0.3
        else chr(draw.choice((draw.randrange(32, 127), draw.randrange(0x3000))))
        for _ in range(draw.randrange(most))
    )


def _place(draw: Random, text: str) -> tuple[int, int]:
    """Return the ends of a part, mostly a short one."""
    start = draw.randint(0, len(text))
    return start, min(len(text), start + draw.choice((1, 1, 1, 2, 2, 5, 20, len(text))))


def _put(draw: Random, text: str, corpus: Sequence[str]) -> str:
    at = draw.randint(0, len(text))
    return text[:at] + _character(draw, corpus) + text[at:]


def _change(draw: Random, text: str, corpus: Sequence[str]) -> str:
    at = draw.randint(0, len(text))
    return text[:at] + _character(draw, corpus) + text[at + 1 :]


def _character(draw: Random, corpus: Sequence[str]) -> str:
    if draw.random() < 0.25:
        return draw.choice(ODD)
    return (
        draw.choice(draw.choice(corpus) or " ")
        if draw.random() < 0.6
        else chr(draw.randrange(32, 127))
    )


def _cut(draw: Random, text: str, corpus: Sequence[str]) -> str:
    start, end = _place(draw, text)
    return text[:start] + text[end:]


def _repeat(draw: Random, text: str, corpus: Sequence[str]) -> str:
    start, end = _place(draw, text)
    return text[:start] + text[start:end] * draw.choice((2, 2, 3, 10, 300)) + text[end:]


def _splice(draw: Random, text: str, corpus: Sequence[str]) -> str:
    other = draw.choice(corpus)
    return text[: draw.randint(0, len(text))] + other[draw.randint(0, len(other)) :]


def _number(draw: Random, text: str, corpus: Sequence[str]) -> str:
    found = list(re.finditer(r"\d+", text))
    if not found:
        return _put(draw, text, corpus)
    chosen = draw.choice(found)
    return text[: chosen.start()] + draw.choice(NUMBERS) + text[chosen.end() :]


def _exchange(draw: Random, text: str, corpus: Sequence[str]) -> str:
    words = re.findall(r"\w+|\W", text)
    if len(words) < 2:
        return text + draw.choice(corpus)
    one, other = draw.randrange(len(words)), draw.randrange(len(words))
    words[one], words[other] = words[other], words[one]
    return "".join(words)


def _borrow(draw: Random, text: str, corpus: Sequence[str]) -> str:
    words, others = re.findall(r"\w+|\W", text), re.findall(r"\w+|\W", draw.choice(corpus))
    if words and others:
        words[draw.randrange(len(words))] = draw.choice(others)
    return "".join(words)


def _other_case(draw: Random, text: str, corpus: Sequence[str]) -> str:
    start, end = _place(draw, text)
    return text[:start] + text[start:end].swapcase() + text[end:]


def _anything(draw: Random, text: str, corpus: Sequence[str]) -> str:
    at = draw.randint(0, len(text))
    return text[:at] + odd_text(draw) + text[at:]


MUTATIONS: tuple[Callable[[Random, str, Sequence[str]], str], ...] = (
    _put,
    _change,
    _cut,
    _repeat,
    _splice,
    _number,
    _number,
    _exchange,
    _borrow,
    _borrow,
    _other_case,
    _anything,
)


def mutated_bytes(draw: Random, data: bytes) -> bytes:
    """Return a file like this one: bits flipped, cut short, lengthened, parts zeroed, repeated or
    made of anything."""
    found = bytearray(data)
    for _ in range(draw.choice((0, 1, 1, 1, 2, 4, 30))):
        at = draw.choice((draw.randint(0, len(found)), draw.randint(0, min(len(found), 128))))
        size = draw.choice((1, 1, 4, 16, 300, 4096))
        kind = draw.randrange(6)
        if kind == 0 and at < len(found):
            found[at] ^= 1 << draw.randrange(8)
        elif kind == 1:
            found[at : at + size] = bytes(len(found[at : at + size]))
        elif kind == 2:
            found[at : at + size] = draw.randbytes(len(found[at : at + size]))
        elif kind == 3:
            del found[at : at + size]
        elif kind == 4:
            found[at:at] = found[at : at + size]
        elif kind == 5 and draw.random() < 0.3:
            del found[at:]
    return bytes(found) if draw.random() < 0.97 else draw.randbytes(draw.randrange(5000))


def mutated_data(draw: Random, data: Any, corpus: Sequence[str]) -> Any:
    """Return JSON data like these: the text changed as long as it is JSON, or a part of them."""
    if draw.random() < 0.4:
        for _ in range(4):
            try:
                return json.loads(mutated(draw, json.dumps(data), [json.dumps(data)]))
            except (ValueError, RecursionError):
                continue
    found = json.loads(json.dumps(data))
    for _ in range(draw.choice((1, 1, 2, 3))):
        found = _changed_part(draw, found, corpus)
    return found


def _changed_part(draw: Random, data: Any, corpus: Sequence[str]) -> Any:
    if isinstance(data, dict) and data and draw.random() < 0.9:
        key = draw.choice(list(data))
        if draw.random() < 0.1:
            return {
                (mutated(draw, name, corpus) if name == key else name): value
                for name, value in data.items()
            }
        if draw.random() < 0.05:
            return {name: value for name, value in data.items() if name != key}
        return {**data, key: _changed_part(draw, data[key], corpus)}
    if isinstance(data, list) and data and draw.random() < 0.9:
        at = draw.randrange(len(data))
        return [
            *data[:at],
            *[_changed_part(draw, data[at], corpus)]
            * draw.choice((0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 3, 500)),
            *data[at + 1 :],
        ]
    if isinstance(data, str) and draw.random() < 0.8:
        return mutated(draw, data, corpus)
    if isinstance(data, int) and draw.random() < 0.5:
        return data + draw.choice((-2, -1, 1, 2, 7, 100, -(10**6), 1 << 40))
    return draw.choice((*VALUES, draw.choice(corpus)))
