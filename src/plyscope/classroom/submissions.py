"""The submissions of a class, found by the file and folder names that people and platforms use.

    ann.py, ann.toml                                        a file named after its author
    ann/heuristic.py, ann.zip                               a folder, or a zip of one
    lovelaceada_LATE_417_90210_heuristic.py                 Canvas: name, user, attachment, file
    Ada Lovelace_417_assignsubmission_file_/heuristic.py    Moodle: name, participant, file
    submission_90210/heuristic.py                           Gradescope, with submission_metadata.yml
    hw3-submissions/hw3-ann/heuristic.py                    GitHub Classroom
    submitted/ann/hw3/heuristic.py                          nbgrader

An export may be unpacked into the folder of submissions, or be there as a zip. Files with the same
person's name or number form one submission. Every entry of the folder belongs to a submission; one
that cannot be judged has a `problem`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from io import BytesIO
from itertools import count
from pathlib import Path, PurePosixPath
from sys import maxsize
from typing import Any

from plyscope.classroom.assignment import SUFFIXES, Assignment
from plyscope.classroom.contents import (
    Item,
    composed,
    items_of,
    items_of_file,
    opened_zip,
)
from plyscope.classroom.notebook import NOTEBOOK, script_of_notebook
from plyscope.datafile import parse_time
from plyscope.errors import OptionError

CANVAS = re.compile(
    r"(?:(?P<name>[^\W_]+)_)?(?P<late>LATE_)?(?P<id>\d+|anon_\w+?)_(?P<attachment>\d+)_(?P<file>.+)"
)
FROM_CANVAS = re.compile(r"[^\W_]+_\w+_.+")
"""The file names in an export of Canvas, including those of typed answers."""
MOODLE = re.compile(
    r"(?P<name>[^/]+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)"
)
GRADESCOPE = re.compile(r"submission_(?P<id>\w+)")
METADATA = "submission_metadata.yml"
GITHUB = re.compile(r"(?P<assignment>.+)-submissions")
NBGRADER = "submitted"
RESUBMITTED = re.compile(r"-(\d+)(?=\.\w+$)")
"""The suffix that Canvas adds to the name of a resubmitted file."""
MAX_KEY_CHARS = 50
"""The length limit of keys; a character may take up four bytes of a file name."""
RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
"""Reserved file names on Windows."""
MAX_BYTES, MAX_FILES = 5_000_000, 200
"""Size limits of one submission, unpacked."""
MAX_EXPORT_BYTES = 1_000_000_000
"""Total bytes read from one export."""
ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz")


@dataclass(frozen=True, kw_only=True)
class Submission:
    """The submission of a student or a group."""

    key: str
    """Its unique name in grades and file names."""
    name: str
    """The author's name as found in the file names."""
    identity: str
    """The author's number on the platform; empty if unknown."""
    platform: str = ""
    """The platform that named the files: canvas, moodle, gradescope or nbgrader's `submitted`; else
    empty."""
    files: Mapping[str, bytes] = field(repr=False)
    main: str
    """The name of the file to judge; empty if there is a `problem`."""
    is_late: bool = False
    """Whether the platform marks it as late."""
    handed_in: datetime | None = None
    """When it was handed in, if the platform says so."""
    problem: str = ""
    """The reason why the submission cannot be judged; empty if it can."""


def find_submissions(folder: str | Path, assignment: Assignment) -> tuple[Submission, ...]:
    """Return all submissions below a folder, sorted by key. Raises OptionError."""
    groups: dict[tuple[str, str], _Group] = {}
    with ExitStack() as stack:
        listed = list(_out_of_exports(items_of(Path(folder), stack)))
        budgets, people = {"": _ByteBudget(maxsize)}, _metadata(listed)
        for item, export in listed:
            if str(item.path) == METADATA:
                continue
            owned = _owned_file(item.path, people)
            if export.removesuffix(".zip") == NBGRADER:
                owned = replace(owned, platform=NBGRADER)
            group = groups.setdefault((owned.identity, owned.name), _Group(owned))
            group.add(owned, item, budgets.setdefault(export, _ByteBudget(MAX_EXPORT_BYTES)))
        for group in groups.values():
            group.read(stack)
    if not groups:
        raise OptionError(
            f"no submissions in {str(folder)!r}; expected files such as {assignment.file}, "
            "or an export of Canvas, Moodle or Gradescope"
        )
    keys: set[str] = set()
    found = []
    for group in sorted(groups.values(), key=_Group.order):
        key = next(name for name in group.owned.keys if name.casefold() not in keys)
        keys.add(key.casefold())
        found.append(group.submission(key, assignment))
    return tuple(sorted(found, key=lambda each: each.key))


def one_submission(path: str | Path, assignment: Assignment) -> Submission:
    """Return one student's submission, a file or a folder."""
    place = Path(path)
    group = _Group(_OwnedFile("submission", ""))
    with ExitStack() as stack:
        is_folder = place.is_dir()
        name = composed(place.name)
        for item in items_of(place, stack) if is_folder else items_of_file(place, name, stack):
            group.add(
                _OwnedFile("submission", "", str(item.path)), item, _ByteBudget(MAX_EXPORT_BYTES)
            )
        group.read(stack)
    submission = group.submission("submission", assignment)
    beside = place.with_name("submission_metadata.json")  # Gradescope's, of its autograders
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        text = json.loads(beside.read_text(encoding="utf-8"))["created_at"]
        submission = replace(submission, handed_in=parse_time(text))
    return submission


@dataclass(frozen=True)
class _OwnedFile:
    """A file's owner, and its name among the owner's files."""

    name: str
    identity: str
    file: str = ""
    is_late: bool = False
    attachment: int = 0
    """The number that Canvas gives the file or its zip; 0 on other platforms."""
    entry: str = ""
    """The entry of the submissions folder that gave the name; empty in an export."""
    platform: str = ""
    handed_in: datetime | None = None

    @property
    def key(self) -> str:
        """The key as a valid file name."""
        name = _file_name(self.name)
        name += "-" if RESERVED.fullmatch(name) else ""
        return name or _file_name(self.identity) or "unnamed"

    @property
    def keys(self) -> Iterator[str]:
        """The key, followed by alternatives in case it is taken."""
        yield self.key
        if number := _file_name(self.identity):
            yield f"{self.key}-{number}"
        yield from (f"{self.key}-{again}" for again in count(2))


def _file_name(text: str) -> str:
    """Return a text as part of a file name: letters, digits, dots, and - for the rest."""
    return re.sub(r"[^\w.-]+", "-", text)[:MAX_KEY_CHARS].strip("-.")


@dataclass
class _ByteBudget:
    """The number of bytes that may still be read."""

    left: int


@dataclass
class _Group:
    owned: _OwnedFile
    files: dict[str, bytes] = field(default_factory=dict)
    is_late: bool = False
    items: list[tuple[_OwnedFile, Item, _ByteBudget]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """Reasons why files could not be read."""
    problem: str = ""
    """The reason why the submission cannot be judged although its files could be read; else
    empty."""

    def order(self) -> tuple[str, str, str]:
        """Return the sort key for assigning keys to groups: plain names first."""
        return self.owned.key.casefold(), self.owned.identity, self.owned.key

    def add(self, owned: _OwnedFile, item: Item, export: _ByteBudget) -> None:
        """Add a file, to be read later within the limit of its export."""
        self.is_late |= owned.is_late
        self.items.append((owned, item, export))

    def read(self, stack: ExitStack) -> None:
        """Read the files within the limits."""
        entries = sorted({owned.entry for owned, _, _ in self.items if owned.entry})
        if len(entries) > 1 and any(entry.endswith(("/", ".zip")) for entry in entries):
            self.problem = (
                f"handed in as {' and as '.join(map(repr, entries))}; expected one of them"
            )
            return
        budget = _ByteBudget(MAX_BYTES)
        names = _names_of_attachments(owned for owned, _, _ in self.items)
        for owned, item, export in self.items:
            first, slash, rest = owned.file.partition("/")
            name = names[owned.attachment, first]
            if name is not None and not self.problem:
                self._read(f"{name}{slash}{rest}", item, budget, export, stack)
        for (_, first), name in names.items():  # the -1 may be part of the student's own name
            if name in self.files and not first.endswith((".py", ".toml")):
                self.files.setdefault(first, self.files[name])

    def _read(
        self,
        name: str,
        item: Item,
        budget: _ByteBudget,
        export: _ByteBudget,
        stack: ExitStack,
        is_inner: bool = False,
    ) -> None:
        """Read a file, or the files of a zip; zips inside a zip stay packed."""
        is_zip = name.lower().endswith(".zip") and not is_inner
        most = MAX_BYTES if is_zip else min(budget.left, export.left)
        try:
            content = item.read(most + 1)
        except ValueError as error:
            self.faults.append(str(error))
            if item.opened is not None and item.is_zipped:
                self.problem = str(error)
            return
        if is_zip and len(content) <= MAX_BYTES:
            zipped = replace(item, path=PurePosixPath(name))
            for each in opened_zip(zipped, BytesIO(content), stack):
                if not self.problem:
                    self._read(str(each.path), each, budget, export, stack, is_inner=True)
            return
        if self.files.get(name, content) != content:
            self.problem = f"handed in twice with different contents: {name!r}"
        budget.left -= len(content)
        export.left -= len(content)
        self.files[name] = content
        if budget.left < 0:
            unpacked = " when unpacked" if item.is_zipped else ""
            self.problem = f"larger than {MAX_BYTES // 10**6} MB{unpacked}{self._library()}"
        elif export.left < 0:
            self.problem = f"not read: its export is larger than {MAX_EXPORT_BYTES:,} bytes"
        elif len(self.files) > MAX_FILES:
            self.problem = f"more than {MAX_FILES} files{self._library()}"

    def _library(self) -> str:
        """Return a phrase that names a virtual environment among the files; empty if there is
        none."""
        for owned, _, _ in self.items:
            parts = PurePosixPath(owned.file).parts
            if parts[-1] == "pyvenv.cfg":
                return f", with a virtual environment, {'/'.join(parts[:-1]) or '.'!r}"
        return ""

    def submission(self, key: str, assignment: Assignment) -> Submission:
        """Return the group's submission."""
        files, main, problem = {}, "", self.problem
        handed_in = self.owned.handed_in
        if not problem:
            files = _without_common_folder({name: self.files[name] for name in sorted(self.files)})
            if self.owned.platform == NBGRADER:
                handed_in = _stamped(files)
            files = files | _scripts(files, self.faults, assignment)
            main, problem = _main(files, self.faults, assignment)
        return Submission(
            key=key,
            name=self.owned.name,
            identity=self.owned.identity,
            platform=self.owned.platform,
            files=files,
            main=main,
            is_late=self.is_late,
            handed_in=handed_in,
            problem=problem,
        )


def _stamped(files: Mapping[str, bytes]) -> datetime | None:
    """Return the time that nbgrader has written next to the files of a submission."""
    stamps = [files[name] for name in files if PurePosixPath(name).name == "timestamp.txt"]
    with suppress(ValueError):
        return parse_time(stamps[0].decode()) if len(stamps) == 1 else None
    return None


def _scripts(
    files: Mapping[str, bytes], faults: list[str], assignment: Assignment
) -> dict[str, bytes]:
    """Return the scripts of the notebooks that define the function, if no file is named as in the
    assignment or defines it; add the reasons for the other notebooks to `faults`."""
    scripts: dict[str, bytes] = {}
    if any(
        PurePosixPath(name).name == assignment.file or _defines(assignment, files[name])
        for name in files
        if name.endswith(".py")
    ):
        return scripts
    for name in (name for name in files if name.endswith(NOTEBOOK)):
        try:
            if assignment.interface in SUFFIXES:
                raise ValueError(f"no file {SUFFIXES[assignment.interface]}")
            script = script_of_notebook(files[name], assignment.function)
            scripts[f"{name.removesuffix(NOTEBOOK)}.py"] = script.encode()
        except ValueError as error:
            faults.append(f"a notebook, {name!r}: {error}")
    return scripts


def _main(
    files: Mapping[str, bytes], faults: Iterable[str], assignment: Assignment
) -> tuple[str, str]:
    """Return the main file, and the problem if there is none."""
    suffix = Path(assignment.file).suffix
    known = [name for name in files if name.endswith(suffix)]
    called = [name for name in known if PurePosixPath(name).name == assignment.file]
    if len(called) == 1 or len(known) == 1:
        return (called or known)[0], ""
    here = [name for name in known if "/" not in name]
    if suffix == ".py":
        here = [name for name in here if _defines(assignment, files[name])]
    if len(here) == 1:
        return here[0], ""
    if not known:
        others = (_kind(name) for name in files if not name.endswith(NOTEBOOK))
        found = "; ".join([*faults, *others][:3]) or "nothing"
        return "", f"{found}; expected {assignment.file}"
    return "", f"{len(known)} files {suffix}; expected one called {assignment.file}"


def _defines(assignment: Assignment, content: bytes) -> bool:
    """Return whether a file of Python defines the function of the assignment."""
    pattern = rf"^(def|class) {assignment.function}\b"
    return re.search(pattern, content.decode(errors="replace"), re.MULTILINE) is not None


def _kind(name: str) -> str:
    """Return a phrase that describes a file of a type that cannot be judged."""
    is_archive = PurePosixPath(name).suffix.lower() in ARCHIVES
    return f"{'an archive that is not opened, ' if is_archive else ''}{name!r}"


# Names


def _owned_file(path: PurePosixPath, people: Mapping[str, _Person]) -> _OwnedFile:
    """Return the owner of a file, read from the name of its top folder, or from its own name
    without one."""
    parts = path.parts
    top, rest = parts[0], "/".join(parts[1:])
    if match := MOODLE.fullmatch(top):
        file = rest or match["file"] or top
        return _OwnedFile(match["name"], match["id"], file, platform="moodle")
    if rest and (match := GRADESCOPE.fullmatch(top)):
        name, identity, handed_in = people.get(top, ("", "", None))
        identity = identity or match["id"]
        return _OwnedFile(name or top, identity, rest, platform="gradescope", handed_in=handed_in)
    if match := _canvas(top):
        file = f"{match['file']}/{rest}" if rest else match["file"]
        identity, number = match["id"].removeprefix("anon_"), int(match["attachment"])
        name, late = match["name"] or match["id"], bool(match["late"])
        return _OwnedFile(name, identity, file, late, number, platform="canvas")
    if not rest:
        return _OwnedFile(_stem(top), "", top, entry=top)
    if top.lower().endswith(".zip"):
        return _OwnedFile(_stem(top), "", rest, entry=top)
    return _OwnedFile(top, "", rest, entry=f"{top}/")


def _canvas(name: str) -> re.Match[str] | None:
    match = CANVAS.fullmatch(name)
    return match if match and (match["name"] or match["id"][0] == "a") else None


def _stem(name: str) -> str:
    """Return a file's name without its suffix; `.tar.gz` is one suffix."""
    return PurePosixPath(name).stem.removesuffix(".tar")


def _names_of_attachments(files: Iterable[_OwnedFile]) -> dict[tuple[int, str], str | None]:
    """Return the original names of one person's files and zips, by Canvas's number and name.

    The name is None for a file that was resubmitted.

    Canvas writes `work-1.py` for a resubmitted `work.py`. If `work-1.py` and `work-2.py` exist
    without `work.py`, these are the original names.
    """
    alike: dict[str, set[tuple[int, int, str]]] = {}
    for owned in files:
        first = owned.file.partition("/")[0]
        match = RESUBMITTED.search(first) if owned.attachment else None
        base = RESUBMITTED.sub("", first) if match else first
        again = int(match[1]) if match else 0
        alike.setdefault(base, set()).add((again, owned.attachment, first))
    names: dict[tuple[int, str], str | None] = {}
    for base, versions in alike.items():
        is_renamed = len(versions) == 1 or any(again == 0 for again, _, _ in versions)
        for version in versions:
            _, attachment, first = version
            latest = base if version == max(versions) else None
            names[attachment, first] = latest if is_renamed else first
    return names


_Person = tuple[str, str, datetime | None]
"""A name, a number, and when the submission was handed in."""


def _metadata(items: Iterable[tuple[Item, str]]) -> dict[str, _Person]:
    """Return the authors' names and numbers by submission, from Gradescope's metadata, and when it
    was handed in; a group's are joined."""
    people: dict[str, _Person] = {}
    for item, _ in items:
        if str(item.path) != METADATA:
            continue
        folder, names, numbers, handed_in = "", list[str](), list[str](), None
        for line in _text(item).splitlines():
            if match := re.match(r"(submission_\w+):\s*$", line):
                folder, names, numbers, handed_in = match[1], [], [], None
            elif match := re.match(r"  :created_at: *['\"]?([^'\"]+)", line):
                with suppress(ValueError):
                    handed_in = parse_time(match[1])
            elif match := re.match(r"\s+(?:- )?:(name|sid):\s*['\"]?(.*?)['\"]?\s*$", line):
                (names if match[1] == "name" else numbers).append(match[2])
            people[folder] = " and ".join(names), "-".join(filter(None, numbers)), handed_in
    return people


def _text(item: Item) -> str:
    try:
        return item.read(MAX_BYTES).decode(errors="replace")
    except ValueError:
        return ""


# Exports


def _out_of_exports(items: Iterable[Item]) -> Iterator[tuple[Item, str]]:
    """Yield each item with the name of its export, or with an empty text.

    Exports are folders or zips with everybody's files; their items have paths within the export."""
    items = list(items)
    below: dict[tuple[str, ...], dict[str, bool]] = {}
    for parts in (item.path.parts for item in items):
        for at in range(1, len(parts)):
            names = below.setdefault(parts[:at], {})
            names[parts[at]] = names.get(parts[at], False) or at + 1 < len(parts)
    exports = {path[0]: _export(path, below) for path in below if len(path) == 1}
    for item in items:
        top, *rest = item.path.parts
        depth, before = exports.get(top) or (0, "")
        if not depth or len(rest) < depth:
            yield item, ""
            continue
        rest = rest[depth - 1 :]
        if len(rest) > 1:
            rest[0] = rest[0][len(before) :]
        yield replace(item, path=PurePosixPath(*rest)), top


def _export(
    path: tuple[str, ...], below: Mapping[tuple[str, ...], Mapping[str, bool]]
) -> tuple[int, str] | None:
    """Return the depth of the students' files in an export, and the prefix of each student's name.

    Return None if the folder belongs to one person. `below` lists the entries of each folder, and
    whether they are folders."""
    names, name = below[path], path[-1].removesuffix(".zip")
    if _canvas(path[-1]) or MOODLE.fullmatch(path[-1]) or GRADESCOPE.fullmatch(path[-1]):
        return None
    is_canvas = any(map(_canvas, names)) and all(map(FROM_CANVAS.fullmatch, names))
    is_moodle = 2 * sum(bool(MOODLE.fullmatch(name)) for name in names) > len(names)
    is_gradescope = METADATA in names and any(map(GRADESCOPE.fullmatch, names))
    if is_gradescope or is_canvas or is_moodle:
        return len(path), ""
    folders = [name for name, is_folder in names.items() if is_folder]
    is_at_top = name not in names and path[:-1] in ((), (f"{name}.zip",))
    if is_at_top and folders and name == NBGRADER:
        return len(path), ""
    if is_at_top and folders and (match := GITHUB.fullmatch(name)):
        words = match["assignment"].split("-")
        for number in range(len(words), 0, -1):
            before = f"{'-'.join(words[:number])}-"
            if all(folder.startswith(before) and folder != before for folder in folders):
                return len(path), before
    return _export((*path, *names), below) if len(names) == len(folders) == 1 else None


def _without_common_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    tops: set[Any] = {PurePosixPath(name).parts[0] for name in files}
    if len(tops) == 1 and all("/" in name for name in files):
        return _without_common_folder(
            {name.partition("/")[2]: content for name, content in files.items()}
        )
    return files
