"""The digest of the sources of all kernels, which ties machine code to its text."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from plyscope import randomness


def digest_of_sources(more: str) -> str:
    """Return a digest of the sources of all kernels and of `more`."""
    digest = _sources().copy()
    digest.update(more.encode())
    return digest.hexdigest()[:16]


@cache
def _sources() -> hashlib._Hash:
    fast, plain = Path(__file__).resolve().parents[1], Path(randomness.__file__).resolve().parent
    digest = hashlib.sha256()
    for folder in (
        fast / "machine",
        fast / "searching",
        fast / "solving" / "kernels",
        plain / "searching",
    ):
        for path in sorted(folder.rglob("*.py")):
            name = f"{folder.parent.name}/{folder.name}/{path.relative_to(folder).as_posix()}"
            digest.update(name.encode())
            digest.update(path.read_bytes())
    digest.update(Path(randomness.__file__).read_bytes())
    return digest
