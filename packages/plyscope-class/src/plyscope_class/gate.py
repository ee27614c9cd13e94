"""The gate of a class: reads what was handed in, in a process with limits (`submissions.py`).

A request is a pickle of a list of questions `(word, *arguments)`, each with the name of a method of
`_Gate`. The response is a pickle of the answers to the first of them, at least one, in lines of
base64 that end with an empty line. An answer is a result and an empty text, or None and the reason
why there is none. So whatever a file makes this process do is the problem of its owner alone.

Whose a file is follows from names that its author has not chosen: that of the entry of the
submissions folder, or those in an export of a platform. Any zip may look like an export, so one is
believed only if the caller says so.
"""

from __future__ import annotations

import pickle
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from io import BytesIO
from pathlib import Path, PurePosixPath
from time import perf_counter
from typing import Any, NamedTuple

from plyscope.processes import channel
from plyscope.pythonfile import in_one_line
from plyscope_class.contents import Item, composed, items_of, items_of_file, opened_zip
from plyscope_class.notebook import NOTEBOOK, script_of_notebook
from plyscope_class.times import parse_time

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
MAX_BYTES, MAX_FILES = 5_000_000, 200
"""Size limits of one submission, unpacked."""
MAX_EXPORT_BYTES = 1_000_000_000
"""Total bytes read from one export."""
ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz")
AN_EXPORT = "an export of a platform"
MAX_LISTED = 8
"""The entries whose zips stay open."""
MAX_REASON_CHARS = 200
BATCH_SECONDS = 0.2
"""After this time no further question of a request is answered."""
LINE_BYTES = 30_000
"""Bytes of an answer on one line, before they are encoded."""


class Wanted(NamedTuple):
    """What the gate has to know of an assignment."""

    file: str
    function: str
    is_program: bool
    """Whether the file is a program, and not a table."""


@dataclass(frozen=True)
class OwnedFile:
    """A file's owner, and its name among the owner's files."""

    name: str
    identity: str
    file: str = ""
    is_late: bool = False
    attachment: int = 0
    """The number that Canvas gives the file or its zip; 0 on other platforms."""
    entry: str = ""
    """The entry of the submissions folder that gave the name; empty for a platform's names."""
    platform: str = ""
    handed_in: datetime | None = None
    export: str = ""
    """The export that the file is in; empty without one."""
    known_by: str = ""
    """How the owner is known."""


class Picked(NamedTuple):
    """A file that belongs to a submission: its place among the files of an entry."""

    entry: str
    number: int
    owned: OwnedFile


class Contents(NamedTuple):
    """What was read of one submission."""

    files: dict[str, bytes]
    main: str
    handed_in: datetime | None
    problem: str
    is_claimed_twice: bool
    """Whether the problem is that two different files of one name were handed in."""


Answer = tuple[Any, str]
People = Mapping[str, tuple[str, str, datetime | None]]
"""A name, a number, and when the submission was handed in, by the name of Gradescope's folder."""


class _Gate:
    """The state of the process: the files of the last entries, whose zips stay open."""

    def __init__(self) -> None:
        self.listed: dict[tuple[str, str], tuple[ExitStack, list[Item]]] = {}

    def forget(self, most: int = 0) -> None:
        """Close the zips of all entries but the last `most`, before they are read again."""
        while len(self.listed) > most:
            stack, _ = self.listed.pop(next(iter(self.listed)))
            stack.close()

    def people(self, folder: str) -> People:
        """Return the people in the metadata of an export of Gradescope, unpacked into a folder."""
        return _people(Item.of(Path(folder, METADATA), PurePosixPath(METADATA)))

    def owners(
        self, folder: str, entry: str, is_believed: bool, people: People
    ) -> list[OwnedFile | None]:
        """Return the owner of each file of an entry, None for a file of the platform.

        Raises ValueError for an export that is not believed.
        """
        items = self._items(folder, entry)
        export = _export_of([item.path for item in items])
        if export is None:
            return [_owned_file(item.path, people) for item in items]
        top = items[0].path.parts[0]
        if not is_believed:
            raise ValueError(
                f"{top!r} looks like {AN_EXPORT}, with the submissions of several people; "
                f"expected it alone in the folder, or --export {top!r}"
            )
        paths = [_path_in_export(item.path, *export) for item in items]
        for item in (items[at] for at, path in enumerate(paths) if str(path) == METADATA):
            people = {**people, **_people(item)}
        return [
            None if path is None or str(path) == METADATA else _of_export(path, people, top)
            for path in paths
        ]

    def contents(
        self, folder: str, picked: Iterable[Picked], most: int, wanted: Wanted
    ) -> Contents:
        """Return the files of a submission, at most `most` bytes, and its main file."""
        items = [(each.owned, self._items(folder, each.entry)[each.number]) for each in picked]
        return _Group(items, most).contents(wanted)

    def alone(self, path: str, wanted: Wanted) -> Contents:
        """Return the submission of a file or a folder."""
        place = Path(path)
        with ExitStack() as stack:
            found = items_of(place, stack)
            if not place.is_dir():
                found = items_of_file(place, composed(place.name), stack)
            items = [(OwnedFile("submission", "", str(item.path)), item) for item in found]
            return _Group(items, MAX_BYTES).contents(wanted)

    def _items(self, folder: str, entry: str) -> list[Item]:
        if (folder, entry) not in self.listed:
            self.forget(MAX_LISTED - 1)
            stack = ExitStack()
            self.listed[folder, entry] = stack, list(items_of(Path(folder), stack, entry))
        return self.listed[folder, entry][1]


class _Group:
    """The files of one submission."""

    def __init__(self, items: list[tuple[OwnedFile, Item]], most: int) -> None:
        self.items = items
        self.most = self.left = min(most, MAX_BYTES)
        """The bytes that may be read, and that may still be read."""
        self.files: dict[str, bytes] = {}
        self.faults: list[str] = []
        """Reasons why files could not be read."""
        self.problem = ""
        """The reason why the submission cannot be judged although its files could be read; else
        empty."""
        self.is_claimed_twice = False

    def _read_all(self) -> None:
        """Read the files within the limits."""
        names = _names_of_attachments(owned for owned, _ in self.items)
        with ExitStack() as stack:
            for owned, item in self.items:
                first, slash, rest = owned.file.partition("/")
                name = names[owned.attachment, first]
                if name is not None and not self.problem:
                    self._read(f"{name}{slash}{rest}", item, stack)
        for (_, first), name in names.items():  # the -1 may be part of the student's own name
            if name in self.files and not first.endswith((".py", ".toml")):
                self.files.setdefault(first, self.files[name])

    def _read(self, name: str, item: Item, stack: ExitStack, is_inner: bool = False) -> None:
        """Read a file, or the files of a zip; zips inside a zip stay packed."""
        is_zip = name.lower().endswith(".zip") and not is_inner
        try:
            content = item.read((MAX_BYTES if is_zip else self.left) + 1)
        except ValueError as error:
            self.faults.append(str(error))
            if item.opened is not None and item.is_zipped:
                self.problem = str(error)
            return
        if is_zip and len(content) <= MAX_BYTES:
            zipped = replace(item, path=PurePosixPath(name))
            for each in opened_zip(zipped, BytesIO(content), stack):
                if not self.problem:
                    self._read(str(each.path), each, stack, is_inner=True)
            return
        if self.files.get(name, content) != content:
            self.problem = f"handed in twice with different contents: {name!r}"
            self.is_claimed_twice = True
        self.left -= len(content)
        self.files[name] = content
        if self.left < 0 and self.most < MAX_BYTES:
            self.problem = f"not read: its export is larger than {MAX_EXPORT_BYTES:,} bytes"
        elif self.left < 0:
            unpacked = " when unpacked" if item.is_zipped else ""
            self.problem = f"larger than {MAX_BYTES // 10**6} MB{unpacked}{self._library()}"
        elif len(self.files) > MAX_FILES:
            self.problem = f"more than {MAX_FILES} files{self._library()}"

    def _library(self) -> str:
        """Return a phrase that names a virtual environment among the files; empty if there is
        none."""
        for owned, _ in self.items:
            parts = PurePosixPath(owned.file).parts
            if parts[-1] == "pyvenv.cfg":
                return f", with a virtual environment, {'/'.join(parts[:-1]) or '.'!r}"
        return ""

    def contents(self, wanted: Wanted) -> Contents:
        """Read the files, and return them with the main one."""
        self._read_all()
        files, main, problem, handed_in = {}, "", self.problem, None
        if not problem:
            files = _without_common_folder({name: self.files[name] for name in sorted(self.files)})
            if any(owned.platform == NBGRADER for owned, _ in self.items):
                handed_in = _stamped(files)
            files = files | _scripts(files, self.faults, wanted)
            main, problem = _main(files, self.faults, wanted)
        return Contents(files, main, handed_in, problem, self.is_claimed_twice)


def _stamped(files: Mapping[str, bytes]) -> datetime | None:
    """Return the time that nbgrader has written next to the files of a submission."""
    stamps = [files[name] for name in files if PurePosixPath(name).name == "timestamp.txt"]
    with suppress(ValueError):
        return parse_time(stamps[0].decode()) if len(stamps) == 1 else None
    return None


def _scripts(files: Mapping[str, bytes], faults: list[str], wanted: Wanted) -> dict[str, bytes]:
    """Return the scripts of the notebooks that define the function, if no file is named as in the
    assignment or defines it; add the reasons for the other notebooks to `faults`."""
    scripts: dict[str, bytes] = {}
    if any(
        PurePosixPath(name).name == wanted.file or _defines(wanted, files[name])
        for name in files
        if name.endswith(".py")
    ):
        return scripts
    for name in (name for name in files if name.endswith(NOTEBOOK)):
        try:
            if not wanted.is_program:
                raise ValueError(f"no file {PurePosixPath(wanted.file).suffix}")
            script = script_of_notebook(files[name], wanted.function)
            scripts[f"{name.removesuffix(NOTEBOOK)}.py"] = script.encode()
        except ValueError as error:
            faults.append(f"a notebook, {name!r}: {error}")
    return scripts


def _main(files: Mapping[str, bytes], faults: Iterable[str], wanted: Wanted) -> tuple[str, str]:
    """Return the main file, and the problem if there is none."""
    suffix = Path(wanted.file).suffix
    known = [name for name in files if name.endswith(suffix)]
    called = [name for name in known if PurePosixPath(name).name == wanted.file]
    if len(called) == 1 or len(known) == 1:
        return (called or known)[0], ""
    here = [name for name in known if "/" not in name]
    if suffix == ".py":
        here = [name for name in here if _defines(wanted, files[name])]
    if len(here) == 1:
        return here[0], ""
    if not known:
        others = (_kind(name) for name in files if not name.endswith(NOTEBOOK))
        found = "; ".join([*faults, *others][:3]) or "nothing"
        return "", f"{found}; expected {wanted.file}"
    return "", f"{len(known)} files {suffix}; expected one called {wanted.file}"


def _defines(wanted: Wanted, content: bytes) -> bool:
    """Return whether a file of Python defines the function of the assignment."""
    pattern = rf"^(def|class) {wanted.function}\b"
    return re.search(pattern, content.decode(errors="replace"), re.MULTILINE) is not None


def _kind(name: str) -> str:
    """Return a phrase that describes a file of a type that cannot be judged."""
    is_archive = PurePosixPath(name).suffix.lower() in ARCHIVES
    return f"{'an archive that is not opened, ' if is_archive else ''}{name!r}"


# Names


def _owned_file(path: PurePosixPath, people: People) -> OwnedFile:
    """Return the owner of a file, read from the name of its top folder, or from its own name
    without one."""
    parts = path.parts
    top, rest = parts[0], "/".join(parts[1:])
    if match := MOODLE.fullmatch(top):
        file = rest or _inner_name(match["file"]) or top
        return OwnedFile(
            match["name"], match["id"], file, platform="moodle", known_by="Moodle's file names"
        )
    if rest and (match := GRADESCOPE.fullmatch(top)):
        name, identity, handed_in = people.get(top, ("", "", None))
        return OwnedFile(
            name or top,
            identity or match["id"],
            rest,
            platform="gradescope",
            handed_in=handed_in,
            known_by="Gradescope's metadata" if name else "Gradescope's file names",
        )
    if match := _canvas(top):
        file = "/".join(filter(None, (_inner_name(match["file"]) or "file", rest)))
        return OwnedFile(
            match["name"] or match["id"],
            match["id"].removeprefix("anon_"),
            file,
            bool(match["late"]),
            int(match["attachment"]),
            platform="canvas",
            known_by="Canvas's file names",
        )
    if rest and not top.lower().endswith(".zip"):
        return OwnedFile(top, "", rest, entry=f"{top}/", known_by=f"the name of the folder {top!r}")
    known_by = f"the name of the file {top!r}"
    return OwnedFile(_stem(top), "", rest or top, entry=top, known_by=known_by)


def _inner_name(name: str) -> str:
    """Return the name that a student gave a file, empty for one that is no name, such as `..`."""
    return name if name.strip(".") else ""


def _canvas(name: str) -> re.Match[str] | None:
    match = CANVAS.fullmatch(name)
    return match if match and (match["name"] or match["id"][0] == "a") else None


def _stem(name: str) -> str:
    """Return a file's name without its suffix; `.tar.gz` is one suffix."""
    return PurePosixPath(name).stem.removesuffix(".tar")


def _names_of_attachments(files: Iterable[OwnedFile]) -> dict[tuple[int, str], str | None]:
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


def _people(item: Item) -> People:
    """Return the authors' names and numbers by submission, from Gradescope's metadata, and when it
    was handed in; a group's are joined."""
    people: dict[str, tuple[str, str, datetime | None]] = {}
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


def _export_of(paths: Iterable[PurePosixPath]) -> tuple[int, str] | None:
    """Return what `_export` returns of the top folder of some paths."""
    below: dict[tuple[str, ...], dict[str, bool]] = {}
    top = ""
    for parts in (path.parts for path in paths):
        top = parts[0]
        for at in range(1, len(parts)):
            names = below.setdefault(parts[:at], {})
            names[parts[at]] = names.get(parts[at], False) or at + 1 < len(parts)
    return _export((top,), below) if (top,) in below else None


def _of_export(path: PurePosixPath, people: People, top: str) -> OwnedFile:
    """Return the owner of a file of an export, with its path there."""
    owned = _owned_file(path, people)
    platform = NBGRADER if top.removesuffix(".zip") == NBGRADER else owned.platform
    known_by = f"{owned.known_by} in {top!r}"
    return replace(owned, export=top, entry="", platform=platform, known_by=known_by)


def _path_in_export(path: PurePosixPath, depth: int, prefix: str) -> PurePosixPath | None:
    """Return the path of a file from the folder of its owner on; None for a file outside."""
    rest = list(path.parts[depth:])
    if not rest:
        return None
    if len(rest) > 1:
        rest[0] = rest[0][len(prefix) :]
    return PurePosixPath(*rest)


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


def main() -> None:
    """Answer requests until the end of the input."""
    questions, answers = channel()
    gate = _Gate()
    while True:
        try:
            found = _answers(gate, pickle.load(questions))
        except EOFError:
            return
        data = pickle.dumps(found)
        for at in range(0, len(data), LINE_BYTES):
            answers.write(b64encode(data[at : at + LINE_BYTES]) + b"\n")
        answers.write(b"\n")
        answers.flush()


def _answers(gate: _Gate, questions: list[tuple[Any, ...]]) -> list[Answer]:
    """Return the answers to the first questions: to one, or to as many as the time allows."""
    end, found = perf_counter() + BATCH_SECONDS, list[Answer]()
    for word, *given in questions:
        try:
            found.append((getattr(gate, word)(*given), ""))
        except ValueError as error:
            found.append((None, str(error)))
        except MemoryError:
            found.append((None, "cannot be read: it needs too much memory"))
        except Exception as error:  # any fault of a reader is the problem of what it reads
            reason = in_one_line(error)[:MAX_REASON_CHARS]
            found.append((None, f"cannot be read: {reason}"))
        if perf_counter() > end:
            break
    return found


if __name__ == "__main__":
    from plyscope_class import gate  # whose classes have names that the caller can unpickle

    gate.main()
