"""Commands of the command line, as tests give them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from plyscope.faces.cli import run
from plyscope.version import __version__


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run the command line in this process and return status, output and errors."""
    try:
        status = run(words)
    except SystemExit as stop:
        status = int(stop.code or 0)
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def output(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return what a command prints that succeeds."""
    status, out, err = answer(capsys, *words)
    assert status == 0, err
    return out


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the one line of error of a command that is refused, which prints nothing else."""
    status, out, err = answer(capsys, *words)
    assert (status, out, err.count("\n")) == (2, "", 1), err
    return err


def python(*words: str, check: bool = True, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run Python with these words in a process of its own, which succeeds unless `check` is False."""
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, timeout=600, **options
    )
    assert not check or done.returncode == 0, done.stderr
    return done


def data(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> Any:
    """Return what the command prints with `--json`, without the version; it says nothing else."""
    found, out, err = answer(capsys, *words, "--json")
    assert (found, err) == (status, "")
    answered = json.loads(out)
    for item in answered if isinstance(answered, list) else [answered]:
        if isinstance(item, dict):
            assert item.pop("plyscope").startswith(__version__)
    return answered
