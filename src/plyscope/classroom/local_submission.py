"""What one student has handed in, as its files lie before us."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path, PurePosixPath

from plyscope.classroom.assignment import ASSIGNMENT_FILE, Assignment
from plyscope.classroom.contents import is_ignored
from plyscope.classroom.submissions import MAX_BYTES, MAX_FILES
from plyscope.errors import NotationError
from plyscope.lab.files import files_of_python


def submission_files(path: str) -> tuple[dict[str, bytes], str]:
    """Return a file, what it imports from its folder and the data that lies there, by their names
    there; and its own name.

    Data is every other file of the folder, as far as a submission may hold them. Raises
    NotationError where the file cannot be read, or is neither Python nor a table.
    """
    place = Path(path)
    if place.suffix not in (".py", ".toml"):
        kind = "a notebook" if place.suffix == ".ipynb" else "no submission"
        raise NotationError(f"{path!r} is {kind}; expected a file that ends in .py or .toml")
    folder = place.parent
    names = files_of_python(path) if path.endswith(".py") else (path,)
    try:
        files = {os.path.relpath(name, folder): Path(name).read_bytes() for name in names}
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        why = getattr(error, "strerror", None) or error
        raise NotationError(f"cannot read {path!r}: {why}; expected a submission") from None
    left = MAX_BYTES - sum(map(len, files.values()))
    for each in sorted(folder.iterdir()) if place.suffix == ".py" else ():
        if each.suffix == ".py" or not each.is_file() or is_ignored(PurePosixPath(each.name)):
            continue
        with suppress(OSError):
            if each.stat().st_size <= left and len(files) < MAX_FILES:
                files[each.name] = each.read_bytes()
                left -= len(files[each.name])
    return files, place.name


def assignment_for(path: str, given: str | None) -> Assignment | None:
    """Return the assignment that is given, or lies beside a file or in the current folder; None
    where there is none."""
    if given is not None:
        return Assignment.read(given)
    for folder in (Path(path).parent, Path.cwd()):
        if (folder / ASSIGNMENT_FILE).is_file():
            return Assignment.read(folder / ASSIGNMENT_FILE)
    return None
