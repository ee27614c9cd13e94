"""Files that were damaged are refused, made anew, or believed only where they are right; nobody
else's are used."""

from __future__ import annotations

import logging
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from commands import answer
from damaged import KINDS, campaign
from plyscope import cache, parse_game
from plyscope.cache import NotOurs, open_own, own_folder
from plyscope.errors import OptionError
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.tablefile import write_table
from plyscope.tuning.constants import write_source
from plyscope.wholefile import write_whole
from plyscope_fast.evaluation.tablebase import tablebase
from plyscope_fast.machine import compile, kernel, store
from plyscope_fast.searching import table
from sentences import says
from sizes import sized


@pytest.mark.parametrize("kind", list(KINDS))
def test_rejects_damaged_files_of_each_kind(kind: str) -> None:
    times = sized(30, 1000)
    found = campaign(kind, times)
    assert found.total() == times
    assert found["not changed"] < 0.3 * times


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a file belong to somebody else."""
    if os.getuid() == 0:
        os.chown(path, 12345, -1)
    else:
        monkeypatch.setattr("os.getuid", lambda: 12345)


@pytest.fixture
def loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """Give a function that loads a kernel from a cache of its own, and tells whether it had to be
    compiled."""
    made, compiled = compile.compile_kernel(table.find), list[Any]()  # type: ignore[arg-type]

    def compile_kernel(kernel: Any) -> bytes:
        compiled.append(kernel)
        return made

    monkeypatch.setattr("plyscope_fast.machine.compile.compile_kernel", compile_kernel)
    monkeypatch.setattr("plyscope_fast.machine.store._folder", [tmp_path / "cache" / "kernels-0"])
    monkeypatch.setattr("plyscope.cache._logged", [])

    def load() -> bool:
        compiled.clear()
        kernel.load(table.find)  # type: ignore[arg-type]
        return bool(compiled)

    assert load()
    assert not load()
    return load


def the_file(tmp_path: Path) -> Path:
    (file,) = (tmp_path / "cache").rglob("*.o")
    return file


needs_owners = pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")


def test_calls_a_damaged_file_not_ready(tmp_path: Path, loads: Callable[[], bool]) -> None:
    # a search on a clock asks before it begins, and what it compiles would count as its time
    fresh = kernel.Kernel(table.find.function)  # type: ignore[attr-defined]
    assert fresh.is_ready
    whole = the_file(tmp_path).read_bytes()
    the_file(tmp_path).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert not fresh.is_ready
    assert loads()
    assert fresh.is_ready


@needs_owners
def test_makes_the_cache_for_the_user_alone(
    tmp_path: Path, loads: Callable[[], bool], caplog: pytest.LogCaptureFixture
) -> None:
    folder, file = the_file(tmp_path).parent, the_file(tmp_path)
    assert (stat.S_IMODE(folder.stat().st_mode), stat.S_IMODE(file.stat().st_mode)) == (
        0o700,
        0o600,
    )
    folder.chmod(0o755)  # as earlier versions made it
    assert not loads()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not caplog.records


@needs_owners
@pytest.mark.parametrize("mode", [0o777, 0o720, 0o1777])
def test_reports_once_a_folder_that_others_can_write_to(
    tmp_path: Path, loads: Callable[[], bool], caplog: pytest.LogCaptureFixture, mode: int
) -> None:
    the_file(tmp_path).parent.chmod(mode)
    before = the_file(tmp_path).stat().st_mtime_ns
    assert loads()
    assert loads()
    assert the_file(tmp_path).stat().st_mtime_ns == before  # nothing is kept there either
    (told,) = caplog.messages
    assert (
        f"can be written by others, mode {mode:o}; expected 700, or another $PLYSCOPE_CACHE" in told
    )
    assert "\n" not in told


@needs_owners
def test_ignores_the_folder_of_another_user(
    tmp_path: Path,
    loads: Callable[[], bool],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    give_away(the_file(tmp_path).parent, monkeypatch)
    with pytest.raises(NotOurs):
        open_own(the_file(tmp_path))
    assert loads()
    assert loads()
    (told,) = caplog.messages
    assert "belongs to user" in told


@needs_owners
def test_replaces_a_file_that_others_own_or_can_write(
    tmp_path: Path, loads: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    the_file(tmp_path).chmod(0o622)
    assert loads()
    assert not loads()
    if os.getuid() == 0:
        give_away(the_file(tmp_path), monkeypatch)
        assert loads()
        assert not loads()


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        b"[]",
        b"",
        b"null\n",
        b'{"name": "x"}\n',
        b'{"name": "x", "needs": [null]}\ncode',
        b"\xff\xfe",
    ],
)
def test_replaces_a_cached_kernel_without_metadata(
    tmp_path: Path, loads: Callable[[], bool], data: bytes
) -> None:
    file = the_file(tmp_path)
    file.write_bytes(store._digest(file, data) + data)
    assert loads()
    assert not loads()


def test_replaces_the_file_of_another_kernel(tmp_path: Path, loads: Callable[[], bool]) -> None:
    kernel.load(table.store)  # type: ignore[arg-type]
    other, one = sorted((tmp_path / "cache").rglob("*.o"))
    other.write_bytes(one.read_bytes())
    assert loads()


def test_leaves_no_partial_file_on_a_full_disk(tmp_path: Path) -> None:
    def parts() -> Iterator[bytes]:
        yield b"half"
        raise OSError(28, "No space left on device")

    (tmp_path / "table").write_bytes(b"before")
    with pytest.raises(OSError, match="No space left"):
        write_whole(tmp_path / "table", parts())
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("table", b"before")]
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path / "folder", [b"whole"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "table"]


@contextmanager
def full_disk(room: int = 64) -> Iterator[None]:
    """Let no file grow beyond `room` bytes; Python then raises OSError, as on a full disk."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


WRITERS = {
    "proof.bin": "solve tictactoe --proof FILE",
    "tree.svg": "tree .X./O../X.O -d 1 -o FILE",
    "agent.py": "export connectx counted-lines -o FILE",
    "exam.html": "exam -o FILE",
}


@pytest.mark.parametrize("name", WRITERS)
def test_keeps_the_old_file_on_a_full_disk(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / name
    file.write_bytes(b"before")
    words = [str(file) if word == "FILE" else word for word in WRITERS[name].split()]
    with full_disk():
        status, _, err = answer(capsys, *words)
    assert status == 2
    assert repr(str(file)) in err
    assert file.read_bytes() == b"before"
    assert answer(capsys, *words)[0] == 0
    assert len(file.read_bytes()) > 64
    assert not list(tmp_path.glob(".*"))


def test_keeps_the_old_table_and_source_on_a_full_disk(tmp_path: Path) -> None:
    table_file, source_file = tmp_path / "table.toml", tmp_path / "heuristic.py"
    for file in (table_file, source_file):
        file.write_bytes(b"before")
    with full_disk():
        with pytest.raises(OptionError, match=r"table\.toml"):
            write_table(find_heuristic("counted-lines", parse_game("connect4")), table_file)  # type: ignore[arg-type]
        with pytest.raises(OptionError, match=r"heuristic\.py"):
            write_source(source_file, "x = 1\n" * 100)
    assert table_file.read_bytes() == source_file.read_bytes() == b"before"


def test_keeps_permissions_and_link_of_a_written_file(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"before")
    file.chmod(0o640)
    link.symlink_to(file)
    write_whole(link, [b"after"])
    assert link.is_symlink()
    assert file.read_bytes() == b"after"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_does_not_replace_a_read_only_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"before")
    file.chmod(0o444)
    # the superuser may write to any file
    monkeypatch.setattr(os, "access", lambda path, mode: bool(os.stat(path).st_mode & 0o200))
    with pytest.raises(PermissionError):
        write_whole(file, [b"after"])
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"before")]


def test_writes_a_whole_file_in_a_folder_called_dev(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parts() -> Iterator[bytes]:
        yield b"half"
        raise OSError(28, "No space left on device")

    (tmp_path / "x" / "dev").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    file = Path("x", "dev", "file")
    file.write_bytes(b"before")
    with pytest.raises(OSError, match="No space left"):
        write_whole(file, parts())
    assert file.read_bytes() == b"before"


def test_gives_a_new_file_the_permissions_of_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "file", [b"new"])
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640


@needs_owners
def test_rejects_a_tablebase_that_others_could_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PLYSCOPE_CACHE", str(tmp_path))
    game = parse_game("3,3,2")
    for _ in range(2):
        monkeypatch.setattr("plyscope_fast.evaluation.tablebase._in_memory", {})
        tablebase(game)
    assert not caplog.records
    (file,) = (tmp_path / "tablebases").iterdir()
    monkeypatch.setattr(
        "plyscope_fast.evaluation.tablebase.Tablebase.load",
        lambda *words: pytest.fail("it was believed"),
    )
    for path, mode in ((file, 0o602), (file.parent, 0o770)):
        path.chmod(mode)
        monkeypatch.setattr("plyscope_fast.evaluation.tablebase._in_memory", {})
        assert tablebase(game).probe(game.start()) == (1, 3)
    assert len(caplog.messages) == 2


@needs_owners
def test_ignores_a_link_to_the_file_of_another_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_folder(tmp_path / "cache")
    (tmp_path / "theirs").write_bytes(b"x")
    (tmp_path / "theirs").chmod(0o666)
    (tmp_path / "cache" / "file").symlink_to(tmp_path / "theirs")
    with pytest.raises(NotOurs, match="mode 666"):
        open_own(tmp_path / "cache" / "file")


def test_reports_an_ignored_file_in_one_line_on_stderr(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_logged", [])
    monkeypatch.setattr(logging.getLogger("plyscope"), "propagate", False)
    cache.distrust(NotOurs("'x' can be written by others"))
    cache.distrust(NotOurs("'x' can be written by others"))
    sys.stderr.flush()
    says(capfd.readouterr().err)
