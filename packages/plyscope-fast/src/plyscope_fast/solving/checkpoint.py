"""Checkpoints: files in which the solver of lines stores its table.

A file begins with a header of HEADER_BYTES bytes: the question, the size of the table, and a
digest. The table follows. Every entry is checked by itself, so a truncated file loses only the
entries that are missing; bytes after the table are cut off.
"""

from __future__ import annotations

import hashlib
import os
from mmap import mmap
from os import SEEK_END
from pathlib import Path
from typing import BinaryIO

from plyscope.errors import OptionError
from plyscope.rules.linegame import LineGame

HEADER_BYTES = 4096
"""Bytes before the table."""
FORMAT, EARLIER_FORMAT = "plyscope checkpoint 2", "plyscope checkpoint 1\n{}\n"
MAX_BITS = 48
"""An upper bound of the bits of a bucket's number."""
BLOCK_BYTES = 1 << 20
"""The size of the blocks written if the system cannot reserve disk space."""


def kind_of(game: LineGame, weak: bool) -> str:
    """Return the text that identifies a table: strong or weak, and the digest of the rules."""
    return f"{'weak' if weak else 'strong'} {game.digest}"


def open_checkpoint(path: Path, game: LineGame, weak: bool, bucket: int, bits: int) -> mmap:
    """Return a checkpoint mapped into memory; make the file if it does not exist.

    A new one has 2 to the `bits` buckets, each of `bucket` bytes. Raises OptionError.
    """
    name = f"checkpoint {str(path)!r}"
    try:
        was_there = path.exists()
        with path.open("a+b") as file:
            file.seek(0)
            if head := file.read(HEADER_BYTES):
                bits = _bits_of(head, game, weak, name)
            try:
                if not head:
                    file.write(_head(game, weak, bits))
                    file.flush()
                _reserve(file, HEADER_BYTES + (bucket << bits))
            except OSError:
                if not was_there:
                    path.unlink()
                raise
            return mmap(file.fileno(), 0)
    except OptionError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = getattr(error, "strerror", None) or error
        raise OptionError(f"{name}: {reason}; expected a file that can be written") from None


def _head(game: LineGame, weak: bool, bits: int) -> bytes:
    text = f"{FORMAT}\n{kind_of(game, weak)}\n{bits}\n".encode()
    return (text + hashlib.sha256(text).hexdigest().encode()).ljust(HEADER_BYTES, b"\n")


def _bits_of(head: bytes, game: LineGame, weak: bool, name: str) -> int:
    """Return the bits of a bucket's number: those whose header would equal `head`.

    Raises OptionError if the header is of another game, or damaged.
    """
    for bits in range(MAX_BITS):
        if head == _head(game, weak, bits):
            return bits
    which = f"the {'Maker–Breaker' if weak else 'usual'} game of {game.name}"
    if head == EARLIER_FORMAT.format(kind_of(game, weak)).encode().ljust(HEADER_BYTES, b"\n"):
        raise OptionError(
            f"{name} is of {which}, but of an earlier version without checksums;"
            " expected a new file"
        )
    raise OptionError(
        f"{name} is no checkpoint of {which}, or its header is damaged;"
        " expected a checkpoint of this game, or a new file"
    )


def _reserve(file: BinaryIO, size: int) -> None:
    """Set the size of the file and reserve its disk space.

    Otherwise the process would be killed when it writes to a page for which the disk has no space.
    """
    there = file.seek(0, SEEK_END)
    try:
        file.truncate(min(there, size))
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, size)
        else:
            for at in range(there, size, BLOCK_BYTES):
                file.write(bytes(min(BLOCK_BYTES, size - at)))
            file.flush()
    except OSError:
        file.truncate(there)
        raise
