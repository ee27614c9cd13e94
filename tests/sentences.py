"""The golden file of sentences that people read: `data/sentences.json`, by name.

A test compares numbers and names itself, and whole sentences by `says`. Whoever improves a sentence
writes it anew with `pytest --write-sentences`, and sees in the difference of the file what has
changed. A name is what leads to the sentence, such as the words of the command.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "data" / "sentences.json"
written: dict[str, str] | None = None
"""The sentences of this run if it writes them, by name; None if it compares them."""


@cache
def golden() -> dict[str, str]:
    """Return the sentences of the file by name."""
    found: dict[str, str] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def says(name: str, text: str) -> None:
    """Compare `text`, without space at its ends, with the sentence `name` of the golden file."""
    text = text.strip()
    if written is None:
        assert text == golden().get(name, "(not in sentences.json: pytest --write-sentences)")
        return
    assert written.setdefault(name, text) == text, f"two sentences have the name {name!r}"


def write(sentences: dict[str, str]) -> None:
    """Replace these sentences in the file; the others stay."""
    text = json.dumps(golden() | sentences, indent=1, ensure_ascii=False, sort_keys=True)
    FILE.write_text(text + "\n", encoding="utf-8")
