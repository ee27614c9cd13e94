"""One submission, read from its file and folder."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path, PurePosixPath

from plyscope.errors import NotationError
from plyscope.pythonfile import files_of_python
from plyscope_class.assignment import ASSIGNMENT_FILE, SUFFIXES, Assignment
from plyscope_class.contents import is_ignored
from plyscope_class.gate import MAX_BYTES, MAX_FILES
from plyscope_class.notebook import NOTEBOOK, script_of_notebook


def submission_files(path: str, function: str) -> tuple[dict[str, bytes], str]:
    """Return the files of a submission by name, and the name of its main file.

    The files are the file itself, the modules that it imports from its folder, and other files
    there within the size limits. The main file of a notebook is the script of `function`. Raises
    NotationError if the file cannot be read, or is neither Python, a notebook nor a table.
    """
    place = Path(path)
    if place.suffix not in (".py", NOTEBOOK, *SUFFIXES.values()):
        raise NotationError(
            f"{path!r} is not a submission; expected a file that ends in .py, .ipynb, .toml or .csv"
        )
    folder = place.parent
    names = files_of_python(path) if path.endswith(".py") else (path,)
    try:
        files = {os.path.relpath(name, folder): Path(name).read_bytes() for name in names}
    except (OSError, ValueError) as error:  # ValueError: an impossible file name
        why = getattr(error, "strerror", None) or error
        raise NotationError(f"cannot read {path!r}: {why}; expected a submission") from None
    main = place.name
    if place.suffix == NOTEBOOK:
        try:
            script = script_of_notebook(files.pop(main), function)
        except ValueError as error:
            raise NotationError(
                f"{path!r}: {error}; expected a notebook that defines {function}"
            ) from None
        main = place.with_suffix(".py").name
        files = {main: script.encode()}
    left = MAX_BYTES - sum(map(len, files.values()))
    for each in sorted(folder.iterdir()) if main.endswith(".py") else ():
        if (
            each.name in files
            or (each.suffix == ".py" and place.suffix == ".py")
            or not each.is_file()
            or is_ignored(PurePosixPath(each.name))
        ):
            continue
        with suppress(OSError):
            if each.stat().st_size <= left and len(files) < MAX_FILES:
                files[each.name] = each.read_bytes()
                left -= len(files[each.name])
    return files, main


def assignment_for(path: str, assignment: str | None) -> Assignment | None:
    """Return the given assignment, or the one in the folder of a file or in the current folder.

    Return None if there is none."""
    if assignment is not None:
        return Assignment.read(assignment)
    for folder in (Path(path).parent, Path.cwd()):
        if (folder / ASSIGNMENT_FILE).is_file():
            return Assignment.read(folder / ASSIGNMENT_FILE)
    return None
