"""What one student has handed in, as its files lie before us."""

from __future__ import annotations

import os
from pathlib import Path

from plyscope.errors import NotationError
from plyscope.lab.classroom.assignment import NAME, Assignment
from plyscope.lab.files import files_of_python


def files_beside(path: str) -> tuple[dict[str, bytes], str]:
    """Return a file, and what it imports from its folder, by their names there; and its own name.

    Raises NotationError where it cannot be read.
    """
    folder = Path(path).parent
    names = files_of_python(path) if path.endswith(".py") else (path,)
    try:
        files = {os.path.relpath(name, folder): Path(name).read_bytes() for name in names}
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        why = getattr(error, "strerror", None) or error
        raise NotationError(f"cannot read {path!r}: {why}; expected a submission") from None
    return files, Path(path).name


def assignment_for(path: str, given: str | None) -> Assignment | None:
    """Return the assignment that is given, or lies beside a file or in the current folder; None
    where there is none."""
    if given is not None:
        return Assignment.read(given)
    for folder in (Path(path).parent, Path.cwd()):
        if (folder / NAME).is_file():
            return Assignment.read(folder / NAME)
    return None
