"""The cache folder: its location, and the check of its owner.

Machine code in the cache is executed, and other files there are trusted. So a file is used only if
no other user can have written it: the user must own the file and its folder, and no other user may
have permission to write to them. On systems without file owners nothing is checked.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

OTHERS_WRITE_BITS = stat.S_IWGRP | stat.S_IWOTH


class NotOurs(OSError):
    """A file or folder that another user owns or may write to; the message names it."""


def home() -> Path:
    """Return the cache folder: $PLYSCOPE_CACHE, or plyscope in $XDG_CACHE_HOME or ~/.cache."""
    if said := os.environ.get("PLYSCOPE_CACHE"):
        return Path(said)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "plyscope"


def own_folder(path: Path) -> None:
    """Make a folder of the cache, readable only by its owner.

    Raises NotOurs if another user can have written to it, OSError if it cannot be made.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = path.stat()
    _check(path, found)
    if hasattr(os, "getuid") and stat.S_IMODE(found.st_mode) & 0o077:
        with suppress(OSError):
            path.chmod(0o700)


def open_own(path: Path) -> BinaryIO:
    """Open a file of the cache for reading.

    Raises NotOurs if another user can have written it, OSError if it cannot be read.
    """
    _check(path.parent, path.parent.stat())
    file = path.open("rb")
    try:
        # Check the opened file too: its name may have been given to another file.
        _check(path, os.fstat(file.fileno()))
    except BaseException:
        file.close()
        raise
    return file


def distrust(error: NotOurs) -> None:
    """Log once that a part of the cache is not used."""
    if str(error) not in _logged:
        import logging  # late, since few processes need it

        _logged.append(str(error))
        logging.getLogger("plyscope").warning("plyscope: the cache is not used: %s", error)


_logged: list[str] = []


def _check(path: Path, found: os.stat_result) -> None:
    if not hasattr(os, "getuid"):
        return
    if found.st_uid != os.getuid():
        raise NotOurs(
            f"{str(path)!r} belongs to user {found.st_uid}; "
            f"expected user {os.getuid()}, or another $PLYSCOPE_CACHE"
        )
    if found.st_mode & OTHERS_WRITE_BITS:
        mode = stat.S_IMODE(found.st_mode)
        raise NotOurs(
            f"{str(path)!r} can be written by others, mode {mode:o}; "
            "expected 700, or another $PLYSCOPE_CACHE"
        )
