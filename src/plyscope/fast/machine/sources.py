"""The digest of the sources of all kernels, which ties machine code to its text."""

from __future__ import annotations

import hashlib
from pathlib import Path


def digest_of_sources(more: str) -> str:
    """Return a digest of the sources of all kernels and of `more`."""
    package = Path(__file__).resolve().parents[2]
    digest = hashlib.sha256()
    for path in sorted(
        [
            package / "randomness.py",
            *(
                path
                for folder in (
                    "fast/machine",
                    "fast/searching",
                    "fast/solving/kernels",
                    "searching",
                )
                for path in (package / folder).rglob("*.py")
            ),
        ]
    ):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    digest.update(more.encode())
    return digest.hexdigest()[:16]
