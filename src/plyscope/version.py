"""The version, in a module that imports no other part of plyscope."""

from functools import cache
from pathlib import Path

__version__ = "0.1.0"


@cache
def version_and_commit() -> str:
    """Return the version, such as `0.1.0+358b771abcde`: with the git commit in a checkout, and
    `.dirty` where files of it were changed."""
    root = Path(__file__).resolve().parents[2]
    if not (root / ".git").exists():
        return __version__
    import subprocess

    command = ["git", "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=.dirty"]
    try:
        found = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return __version__
    commit = found.stdout.strip()
    return f"{__version__}+{commit}" if commit else __version__
