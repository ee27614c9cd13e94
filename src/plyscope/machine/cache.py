"""The cache: where plyscope keeps what it has made, whose that has to be, and how it is written.

What lies in the cache is run, or believed. So a file is used only where nobody but the user can
have written it: the file and its folder are the user's, and no one else may write to them. Systems
without owners are taken at their word.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class NotOurs(OSError):
    """A file or folder that somebody else owns or may write to; the text says which in one line."""


def home() -> Path:
    """Return the folder of all that is kept: $PLYSCOPE_CACHE, or plyscope below $XDG_CACHE_HOME or
    ~/.cache."""
    if said := os.environ.get("PLYSCOPE_CACHE"):
        return Path(said)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "plyscope"


def own_folder(path: Path) -> None:
    """Make a folder of the cache where it is not there, and let nobody else look into it.

    Raises NotOurs where somebody else can have written to it, OSError.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = path.stat()
    _check(path, found)
    if hasattr(os, "getuid") and stat.S_IMODE(found.st_mode) & 0o077:
        with suppress(OSError):
            path.chmod(0o700)


def open_own(path: Path) -> BinaryIO:
    """Open a file of the cache to be read. Raises NotOurs where somebody else can have written it,
    OSError."""
    _check(path.parent, path.parent.stat())
    file = path.open("rb")
    try:
        # Of what was opened, whatever the name stands for by now.
        _check(path, os.fstat(file.fileno()))
    except BaseException:
        file.close()
        raise
    return file


def is_own(path: Path) -> bool:
    """Return whether `open_own` would open it."""
    try:
        open_own(path).close()
    except OSError:
        return False
    return True


def distrust(error: NotOurs) -> None:
    """Tell, once, what of the cache is not used."""
    if str(error) not in _told:
        import logging  # which few processes need

        _told.append(str(error))
        logging.getLogger("plyscope").warning("plyscope: the cache is not used: %s", error)


_told: list[str] = []


def _check(path: Path, found: os.stat_result) -> None:
    if not hasattr(os, "getuid"):
        return
    if found.st_uid != os.getuid():
        raise NotOurs(
            f"{str(path)!r} belongs to user {found.st_uid}; "
            f"expected user {os.getuid()}, or another $PLYSCOPE_CACHE"
        )
    if found.st_mode & OTHERS_WRITE:
        mode = stat.S_IMODE(found.st_mode)
        raise NotOurs(
            f"{str(path)!r} can be written by others, mode {mode:o}; "
            "expected 700, or another $PLYSCOPE_CACHE"
        )
