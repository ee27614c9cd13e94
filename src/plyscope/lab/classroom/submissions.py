"""The submissions of a class, as files and folders are named that people and platforms make.

    ann.py, ann.toml                                        a file of one's own name
    ann/heuristic.py, ann.zip                               a folder, or a zip of one
    lovelaceada_LATE_417_90210_heuristic.py                 Canvas: name, user, attachment, file
    Ada Lovelace_417_assignsubmission_file_/heuristic.py    Moodle: name, participant, file
    submission_90210/heuristic.py                           Gradescope, with submission_metadata.yml

An export may be unpacked into the folder of submissions, or lie there as the zip that it is.
Whatever has the name or the number of the same person is one submission.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from itertools import count
from lzma import LZMAError
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError

from plyscope.errors import OptionError
from plyscope.lab.classroom.assignment import Assignment

CANVAS = re.compile(
    r"(?:(?P<name>[^\W_]+)_)?(?P<late>LATE_)?(?P<id>\d+|anon_\w+?)_(?P<attachment>\d+)_(?P<file>.+)"
)
MOODLE = re.compile(
    r"(?P<name>[^/]+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)"
)
GRADESCOPE = re.compile(r"submission_(?P<id>\w+)")
METADATA = "submission_metadata.yml"
AGAIN = re.compile(r"-\d+(?=\.\w+$)")
"""What Canvas adds to the name of a file that was handed in again."""
LONGEST_KEY = 50
"""Letters, of which one may be four bytes of a file's name."""
IGNORED = ("__MACOSX", "__pycache__", ".git", ".ipynb_checkpoints", ".DS_Store", "node_modules")
MOST_BYTES, MOST_FILES = 5_000_000, 200
"""Of one submission."""
MOST_IN_ALL = 500_000_000
"""Bytes of everything: a zip may hold more than it seems."""

Paths = dict[PurePosixPath, bytes]


@dataclass(frozen=True, kw_only=True)
class Submission:
    """What one student, or a group, has handed in."""

    key: str
    """What it is called in grades and files: no other one has it."""
    name: str
    """Whose it is, as far as the names of its files say so."""
    identity: str
    """The number of that person where it came from; empty where none is known."""
    files: Mapping[str, bytes] = field(repr=False)
    main: str
    """The file that is judged; empty where there is a problem."""
    is_late: bool = False
    problem: str = ""
    """Why there is nothing to judge."""


def find_submissions(folder: str | Path, assignment: Assignment) -> tuple[Submission, ...]:
    """Return all submissions below a folder, by their keys in alphabetical order.

    Raises OptionError where there is none.
    """
    paths = _unpacked(_read(Path(folder)))
    people = _metadata(paths)
    groups: dict[tuple[str, str], _Group] = {}
    for path, content in paths.items():
        whose = _whose(path, people)
        if whose is not None:
            group = groups.setdefault((whose.identity, whose.name), _Group(whose))
            group.is_late |= whose.is_late
            group.files[whose.file] = content
    if not groups:
        raise OptionError(
            f"no submissions in {str(folder)!r}; expected files such as {assignment.file}, "
            "or what Canvas, Moodle or Gradescope export"
        )
    keys: set[str] = set()
    found = []
    for group in sorted(groups.values(), key=lambda each: (each.whose.key, each.whose.identity)):
        key = next(name for name in group.whose.keys if name.lower() not in keys)
        keys.add(key.lower())
        found.append(group.submission(key, assignment))
    return tuple(sorted(found, key=lambda each: each.key))


def one_submission(path: str | Path, assignment: Assignment) -> Submission:
    """Return what lies in a folder, all of it of one student; or is a file."""
    place = Path(path)
    paths = _read(place) if place.is_dir() else {PurePosixPath(place.name): place.read_bytes()}
    group = _Group(_Whose("submission", ""))
    group.files = {str(name): content for name, content in _zips_opened(paths).items()}
    return group.submission("submission", assignment)


@dataclass(frozen=True)
class _Whose:
    """Whose a file is, and what it is called among the files of that person."""

    name: str
    identity: str
    file: str = ""
    is_late: bool = False

    @property
    def key(self) -> str:
        """A name that files can have."""
        name = re.sub(r"[^\w.-]+", "-", self.name)[:LONGEST_KEY].strip("-.")
        return name or self.identity[:LONGEST_KEY] or "unnamed"

    @property
    def keys(self) -> Iterator[str]:
        """That name, then others for where it is taken."""
        yield self.key
        if self.identity:
            yield f"{self.key}-{self.identity[:LONGEST_KEY]}"
        yield from (f"{self.key}-{number}" for number in count(2))


@dataclass
class _Group:
    """The files of one person."""

    whose: _Whose
    files: dict[str, bytes] = field(default_factory=dict)
    is_late: bool = False

    def submission(self, key: str, assignment: Assignment) -> Submission:
        """Return them as a submission."""
        files = _without_common_folder(_plain(self.files))
        main, problem = "", ""
        size = sum(map(len, files.values()))
        if len(files) > MOST_FILES or size > MOST_BYTES:
            problem = (
                f"{len(files):,} files of {size:,} bytes; "
                f"expected at most {MOST_FILES} of {MOST_BYTES:,}"
            )
            files = {}
        else:
            main, problem = _main(files, assignment)
        return Submission(
            key=key,
            name=self.whose.name,
            identity=self.whose.identity,
            files=files,
            main=main,
            is_late=self.is_late,
            problem=problem,
        )


def _main(files: Mapping[str, bytes], assignment: Assignment) -> tuple[str, str]:
    """Return the file that is judged, or why there is none."""
    suffix = Path(assignment.file).suffix
    known = [name for name in files if name.endswith(suffix)]
    called = [name for name in known if PurePosixPath(name).name == assignment.file]
    if len(called) == 1 or len(known) == 1:
        return (called or known)[0], ""
    here = [name for name in known if "/" not in name]
    if suffix == ".py":
        defines = re.compile(rf"^def {assignment.function}\b", re.MULTILINE)
        here = [name for name in here if defines.search(files[name].decode(errors="replace"))]
    if len(here) == 1:
        return here[0], ""
    if not known:
        others = ", ".join(map(repr, list(files)[:3])) or "nothing"
        return "", f"{others}; expected {assignment.file}"
    return "", f"{len(known)} files {suffix}; expected one called {assignment.file}"


# Names


def _whose(path: PurePosixPath, people: Mapping[str, tuple[str, str]]) -> _Whose | None:
    """Return whose the file at a path is; None for one that is nobody's."""
    parts = path.parts
    for at, part in enumerate(parts):
        rest = "/".join(parts[at + 1 :])
        if match := MOODLE.fullmatch(part):
            file = rest or match["file"]
            return _Whose(match["name"], match["id"], file) if file else None
        if rest and (match := GRADESCOPE.fullmatch(part)):
            name, identity = people.get(part, ("", ""))
            return _Whose(name or part, identity or match["id"], rest)
        if (match := CANVAS.fullmatch(part)) and (match["name"] or match["id"][0] == "a"):
            file = f"{match['file']}/{rest}" if rest else match["file"]
            name = match["name"] or match["id"]
            return _Whose(name, match["id"].removeprefix("anon_"), file, bool(match["late"]))
    if path.name == METADATA:
        return None
    if len(parts) == 1:
        is_handed_in = path.suffix in (".py", ".toml")
        return _Whose(path.stem, "", path.name) if is_handed_in else None
    return _Whose(parts[0], "", "/".join(parts[1:]))


def _metadata(paths: Paths) -> dict[str, tuple[str, str]]:
    """Return the names and numbers that Gradescope's metadata tell of each submission; those of a
    group together."""
    people: dict[str, tuple[str, str]] = {}
    for path, content in paths.items():
        if path.name != METADATA:
            continue
        folder, names, numbers = "", list[str](), list[str]()
        for line in content.decode(errors="replace").splitlines():
            if match := re.match(r"(submission_\w+):\s*$", line):
                folder, names, numbers = match[1], [], []
            elif match := re.match(r"\s+(?:- )?:(name|sid):\s*['\"]?(.*?)['\"]?\s*$", line):
                (names if match[1] == "name" else numbers).append(match[2])
                people[folder] = (" and ".join(names), "-".join(filter(None, numbers)))
    return people


# Files


def _read(folder: Path) -> Paths:
    """Return all files below a folder; links and what nobody hands in are left out."""
    paths: Paths = {}
    size = 0
    for place in sorted(folder.rglob("*")) if folder.is_dir() else ():
        path = PurePosixPath(place.relative_to(folder).as_posix())
        if _is_ignored(path) or place.is_symlink() or not place.is_file():
            continue
        size += place.stat().st_size
        if size > MOST_IN_ALL:
            raise OptionError(
                f"more than {MOST_IN_ALL:,} bytes in {str(folder)!r}; expected submissions"
            )
        paths[path] = place.read_bytes()
    return paths


def _is_ignored(path: PurePosixPath) -> bool:
    return path.suffix == ".pyc" or any(part in IGNORED or part[0] == "." for part in path.parts)


def _unpacked(paths: Paths) -> Paths:
    """Return the files, with what lies in exports: folders and zips of everybody's files."""
    opened = _zips_opened(paths)
    tops = {path.parts[0] for path in opened if len(path.parts) > 1}
    exports = {top for top in tops if _is_export(top, opened)}
    return {
        PurePosixPath(*path.parts[1:]) if path.parts[0] in exports else path: content
        for path, content in opened.items()
    }


def _is_export(top: str, paths: Paths) -> bool:
    """Whether a folder holds the files of many people, by their names."""
    if any(pattern.fullmatch(top) for pattern in (CANVAS, MOODLE, GRADESCOPE)):
        return False
    below = {path.parts[1] for path in paths if path.parts[0] == top and len(path.parts) > 1}
    named = (
        MOODLE.fullmatch(name)
        or GRADESCOPE.fullmatch(name)
        or ((match := CANVAS.fullmatch(name)) and (match["name"] or match["id"][0] == "a"))
        for name in below
    )
    return METADATA in below or any(named)


def _zips_opened(paths: Paths, room: list[int] | None = None, deeper: int = 1) -> Paths:
    """Return the files, those of zips in a folder of the zip's name; of zips in a zip too, as an
    export has them."""
    room = [MOST_IN_ALL] if room is None else room
    opened: Paths = {}
    for path, content in paths.items():
        inside = dict(_of_zip(content, room)) if path.suffix.lower() == ".zip" else {}
        if deeper:
            inside = _zips_opened(inside, room, deeper - 1)
        opened |= {path.with_suffix("") / name: each for name, each in inside.items()}
        if not inside:
            opened[path] = content
    return opened


def _of_zip(content: bytes, room: list[int]) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield the files of a zip; nothing for one that cannot be read."""
    try:
        with ZipFile(BytesIO(content)) as archive:
            for info in sorted(archive.infolist(), key=lambda each: each.filename):
                path = PurePosixPath(info.filename)
                is_out = path.is_absolute() or ".." in path.parts or not path.parts
                if info.is_dir() or is_out or _is_ignored(path):
                    continue
                room[0] -= info.file_size
                if room[0] < 0:
                    return
                with archive.open(info) as file:
                    yield path, file.read(info.file_size)
    except (BadZipFile, OSError, RuntimeError, ValueError, EOFError, ZlibError, LZMAError):
        return


def _plain(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return files by their names as students know them, the latest of those handed in again."""
    plain: dict[str, bytes] = {}
    for name in sorted(files, key=_times_again):
        plain[AGAIN.sub("", name)] = files[name]
    return {name: plain[name] for name in sorted(plain)}


def _times_again(name: str) -> tuple[int, str]:
    match = AGAIN.search(name)
    return (int(match[0][1:]) if match else 0), name


def _without_common_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return files without the folder that they all are in."""
    tops: set[Any] = {PurePosixPath(name).parts[0] for name in files}
    if len(tops) == 1 and all("/" in name for name in files):
        return _without_common_folder(
            {name.partition("/")[2]: content for name, content in files.items()}
        )
    return files
