"""Commands of the command line, as tests give them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.faces.cli import run


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run the command line in this process and return status, output and errors."""
    try:
        status = run(words)
    except SystemExit as stop:
        status = int(stop.code or 0)
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def data(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> Any:
    """Return what the command prints with `--json`; it says nothing else."""
    found, out, err = answer(capsys, *words, "--json")
    assert (found, err) == (status, "")
    return json.loads(out)
