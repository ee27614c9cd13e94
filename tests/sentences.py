"""The golden file of sentences that people read: `data/sentences.json`, by name.

A test compares numbers and names itself, and whole sentences by `says` or `refuses`. Whoever
improves a sentence writes it anew with `pytest --write-sentences`, and sees in the difference of
the file what has changed. A name is that of the case of a test, or what leads to the sentence,
such as the words of the command.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

Raised = TypeVar("Raised", bound=BaseException)

FILE = Path(__file__).parent / "data" / "sentences.json"
written: dict[str, str] | None = None
"""The sentences of this run if it writes them, by name; None if it compares them."""
folder: Path | None = None
"""Where pytest makes the folders of tests; None before the first test."""
_in_case: Counter[str] = Counter()


@cache
def golden() -> dict[str, str]:
    """Return the sentences of the file by name."""
    found: dict[str, str] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def says(name: str, text: str | None = None) -> None:
    """Compare a text, without space at its ends, with the sentence `name` of the golden file.

    `says(text)` names the sentence after the case of the test and its place among the sentences of
    the case. Folders such as `tmp_path` are left out of the text.
    """
    if text is None:
        name, text = _case(), name
    text = re.sub(re.escape(str(folder)) + "/[^/\\s':]+(/?)", _without_folder, text.strip())
    if written is None:
        assert text == golden().get(name, "(not in sentences.json: pytest --write-sentences)")
        return
    assert written.setdefault(name, text) == text, f"two sentences have the name {name!r}"


@contextmanager
def refuses(*errors: type[Raised]) -> Iterator[pytest.ExceptionInfo[Raised]]:
    """Expect that one of these errors is raised, with the sentence of the golden file."""
    with pytest.raises(errors) as caught:
        yield caught
    says(str(caught.value))


def _without_folder(found: re.Match[str]) -> str:
    return "" if found[1] else "…"


def _case() -> str:
    """Return the name of the case that runs, as in `rules/test_words rejects_a_side[x] 2`."""
    case = os.environ["PYTEST_CURRENT_TEST"].removeprefix("tests/").rpartition(" (")[0]
    _in_case[case] += 1
    file, _, test = case.partition(".py::test_")
    return f"{file} {test}" + (f" {_in_case[case]}" if _in_case[case] > 1 else "")


def write(sentences: dict[str, str]) -> None:
    """Replace these sentences in the file; the others stay, but for those of tests that are gone."""
    kept = {name: text for name, text in golden().items() if not _is_gone(name)}
    text = json.dumps(kept | sentences, indent=1, ensure_ascii=False, sort_keys=True)
    FILE.write_text(text + "\n", encoding="utf-8")


def _is_gone(name: str) -> bool:
    """Return whether the sentence has the name of a test that is no longer there."""
    file, _, case = name.partition(" ")
    if not file.rpartition("/")[2].startswith("test_"):
        return False
    path = Path(__file__).parent / f"{file}.py"
    test = case.partition("[")[0].partition(" ")[0]
    return not (path.is_file() and f"def test_{test}(" in path.read_text(encoding="utf-8"))
