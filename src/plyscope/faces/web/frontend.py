"""The files of the front-end, which are served as they are written, and its rooms."""

from __future__ import annotations

from pathlib import Path

STATIC = Path(__file__).with_name("static")


def front_end(kind: str) -> dict[str, str]:
    """Return the texts of the files of a kind, such as `.js`, by their paths in the front-end."""
    return {
        path.relative_to(STATIC).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(STATIC.rglob(f"*{kind}"))
    }


def rooms() -> list[str]:
    """Return the names of the rooms: each has a folder, in which `room.js` puts it together."""
    return sorted(path.parent.name for path in STATIC.glob("rooms/*/room.js"))
