"""Every example in the documents does what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from documents import ROOT, blocks, comparable, doctest_failures, documents, run_console


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_print_what_the_document_shows(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)

    for body in blocks(path, "console"):
        assert comparable(run_console(body)) == comparable(body)
    assert doctest_failures(path) == ""
