"""The page's scripts by themselves: Node runs the tests of what needs no page."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

NODE = shutil.which("node")
OLDEST = 20


def node_version() -> int:
    """Return the major version of Node, 0 where there is none."""
    if NODE is None:
        return 0
    said = subprocess.run([NODE, "--version"], capture_output=True, text=True).stdout
    return int(said.removeprefix("v").partition(".")[0])


@pytest.mark.skipif(node_version() < OLDEST, reason=f"needs Node {OLDEST} or later")
def test_passes_the_script_tests_that_need_no_page() -> None:
    assert NODE is not None
    folder = Path(__file__).with_name("static")
    done = subprocess.run([NODE, "--test"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "fail 0" in done.stdout
    assert "pass 0" not in done.stdout
