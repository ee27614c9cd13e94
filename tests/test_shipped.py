"""The machine code that comes with plyscope: when it is used, and what is said if it is not.

`tests/wheel.py` runs the libraries themselves.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from documents import ROOT
from plyscope import OptionError, search
from plyscope.extras import JIT_PACKAGES, lacking_for_kernels, missing
from plyscope.faces.cli import run
from plyscope_fast.machine import shipped, store


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file that no system loads, with a note that agrees with it."""
    file = tmp_path / f"{shipped.platform_name()}.so"
    file.write_bytes(b"not a library")
    note(tmp_path, file.read_bytes())
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    shipped.addresses.cache_clear()
    yield file
    shipped.addresses.cache_clear()


def note(folder: Path, code: bytes, **more: Any) -> None:
    name = f"{shipped.platform_name()}.so"
    digests = {name: sha256(code).hexdigest()}
    found = {"sources": shipped.sources_digest(), "functions": [], "libraries": digests, **more}
    (folder / shipped.NOTE).write_text(json.dumps(found))


def logged(caplog: pytest.LogCaptureFixture) -> str:
    assert shipped.addresses() == {}
    assert shipped.addresses() == {}  # says it once
    (line,) = caplog.messages
    assert "\n" not in line
    return line


def test_a_library_that_the_system_cannot_load_is_named_in_one_line(
    library: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert repr(str(library)) in logged(caplog)


def test_a_damaged_library_is_not_loaded(library: Path, caplog: pytest.LogCaptureFixture) -> None:
    library.write_bytes(b"not a librarz")
    assert "damaged" in logged(caplog)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"sources": 1'])
def test_a_damaged_note_is_named_in_one_line(
    text: str, library: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (library.parent / shipped.NOTE).write_text(text)
    assert repr(str(library)) in logged(caplog)


def test_a_library_of_other_sources_is_passed_over(
    library: Path, caplog: pytest.LogCaptureFixture
) -> None:
    note(library.parent, library.read_bytes(), sources="0" * 16)
    assert shipped.addresses() == {}
    library.unlink()  # a wheel of another platform
    note(library.parent, b"")
    shipped.addresses.cache_clear()
    assert shipped.addresses() == {}
    assert not caplog.messages


@pytest.fixture
def without_numba(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    missing.cache_clear()
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "none")  # a clone may have a library
    forget = shipped.addresses.cache_clear
    forget()
    monkeypatch.setattr("plyscope.extras._is_there", lambda name: name not in JIT_PACKAGES)
    yield
    missing.cache_clear()
    forget()


def test_without_numba_and_without_a_library_the_extra_is_named(without_numba: None) -> None:
    assert lacking_for_kernels() == ("numba and llvmlite", "jit")
    with pytest.raises(OptionError, match=r"plyscope\[jit\]"):
        search("connect4", depth=2, form="compiled")
    assert search("connect4", depth=2).form == "reference"


def test_without_numba_functions_run_in_the_reference_form(
    without_numba: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first(board: Any, player: Any) -> int:
        return 1 if board[0][0] == player else 0

    monkeypatch.setattr(shipped, "addresses", lambda: {"as if": 1})
    found = search("connect4 44", heuristic=first, depth=2)
    assert found.form == "reference"
    with pytest.raises(
        OptionError, match=r"'first' cannot be compiled: compiling needs .*plyscope\[jit\]"
    ):
        search("connect4 44", heuristic=first, depth=2, form="compiled")


def test_analyze_says_which_package_compiles_a_function(
    without_numba: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(shipped, "addresses", lambda: {"as if": 1})
    file = tmp_path / "mine.py"
    file.write_text("def first(board, player):\n    return int(board[0][0] == player)\n")
    assert run(["analyze", "4,4,4", "--depth", "2", "--heuristic", f"{file}:first"]) == 0
    assert 'pip install "plyscope[jit]"' in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("name", ["NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_OPT"])
def test_code_on_disk_is_kept_apart_by_the_settings_of_numba(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = store.cache_folder()
    monkeypatch.setenv(name, "generic")
    assert store.cache_folder() != before


def test_every_platform_has_a_library_a_tag_and_a_wheel() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    names = re.findall(r"^PLATFORMS \?= (.*)$", makefile, re.MULTILINE)[0].split()
    for file in ("wheels/library.py", "packages/plyscope-fast/hatch_build.py"):
        text = (ROOT / file).read_text(encoding="utf-8")
        assert re.findall(r'^    "(\w+-\w+)":', text, re.MULTILINE) == names, file
    assert "linux-x86_64" in names


def test_a_broken_package_leaves_the_reference_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "plyscope_fast.searching.accelerator", None)
    found = search("connect4", depth=4)
    assert found.form == "reference"
    assert "plyscope-fast" in found.form_reason
    with pytest.raises(OptionError, match="plyscope-fast"):
        search("connect4", depth=2, form="compiled")
