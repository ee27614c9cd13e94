"""Atomic writing of files: to a temporary file first, which is then renamed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from errno import EACCES
from pathlib import Path

BINARY_FLAG = getattr(os, "O_BINARY", 0)
"""The flag that keeps line ends unchanged on Windows; 0 on other systems."""
SYSTEM_FOLDERS = (("/", "dev"), ("/", "proc"))
"""Folders of special files, which are written in place: /dev/stdout may be a regular file."""


def write_whole(path: Path, parts: Iterable[bytes], is_private: bool = False) -> None:
    """Write a file in an existing folder atomically: if the disk is full, the old file stays.

    If `path` is a link, its target is replaced. A replaced file keeps its permissions. Devices,
    pipes, and files in a read-only folder are written in place. A private file replaces any file or
    link of its name, and only its owner may read it. Raises OSError if the file cannot be written,
    for instance because it is read-only.
    """
    before = None
    if not is_private:
        with suppress(FileNotFoundError):
            before = path.stat()
            if not stat.S_ISREG(before.st_mode) or path.parts[:2] in SYSTEM_FOLDERS:
                return _write(path, parts)  # such as /dev/stdout
            if not os.access(path, os.W_OK):
                raise PermissionError(EACCES, os.strerror(EACCES), str(path))
        path = Path(os.path.realpath(path))
    beside = path.with_name(f".plyscope-{os.getpid()}-{os.urandom(6).hex()}")
    try:
        number = os.open(
            beside,
            os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY_FLAG,
            0o600 if is_private else 0o666,
        )
    except PermissionError:
        if before is None:
            raise
        return _write(path, parts)
    try:
        with open(number, "wb") as file:
            file.writelines(parts)
        if before is not None:
            beside.chmod(stat.S_IMODE(before.st_mode))
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def _write(path: Path, parts: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(parts)
