"""The submissions of a class, found by the file and folder names that people and platforms use.

    ann.py, ann.toml                                        a file named after its author
    ann/heuristic.py, ann.zip                               a folder, or a zip of one
    lovelaceada_LATE_417_90210_heuristic.py                 Canvas: name, user, attachment, file
    Ada Lovelace_417_assignsubmission_file_/heuristic.py    Moodle: name, participant, file
    submission_90210/heuristic.py                           Gradescope, with submission_metadata.yml
    hw3-submissions/hw3-ann/heuristic.py                    GitHub Classroom
    submitted/ann/hw3/heuristic.py                          nbgrader

An export may be unpacked into the folder of submissions, or be there as a folder or a zip, alone or
named by the caller. Files with the same person's name or number form one submission. Every entry of
the folder belongs to a submission; one that cannot be judged has a `problem`. A person who is
claimed by two entries has no points until the teacher has decided (`is_open`).

All files are read in a process with limits (`gate.py`).
"""

from __future__ import annotations

import json
import os
import pickle
import re
from base64 import b64decode
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import Any

from plyscope.errors import OptionError
from plyscope.processes import Child, Failed, module_command
from plyscope_class.assignment import SUFFIXES, Assignment
from plyscope_class.contents import composed, is_ignored
from plyscope_class.gate import (
    AN_EXPORT,
    MAX_EXPORT_BYTES,
    METADATA,
    Answer,
    Contents,
    OwnedFile,
    People,
    Picked,
    Wanted,
)
from plyscope_class.times import parse_time

MAX_KEY_CHARS = 50
"""The length limit of keys; a character may take up four bytes of a file name."""
RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
"""Reserved file names on Windows."""
READ_SECONDS, READ_MEGABYTES = 60.0, 1_000
"""The limits of reading one entry, and one submission."""
BATCH_QUESTIONS = 100
"""The questions that the gate is asked together."""


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
    is_open: bool = False
    """Whether the problem is a question to the teacher, so that it has no points, and not 0."""
    known_by: str = ""
    """How the author is known."""


def find_submissions(
    folder: str | Path, assignment: Assignment, exports: Collection[str] = ()
) -> tuple[Submission, ...]:
    """Return all submissions below a folder, sorted by key.

    An entry that is an export of a platform is believed if it is the only one, or is in `exports`.
    Raises OptionError.
    """
    entries = _entries(folder)
    for name in exports:
        if name not in map(str, map(composed, entries)):
            raise OptionError(
                f"no export {name[:60]!r} in {str(folder)!r}; expected an entry of it"
            )
    with _lock:
        _gate.ask_all([("forget",)])
        place = os.path.abspath(folder)  # the process may have been started in another folder
        groups = _groups(place, entries, exports)
        if not groups:
            raise OptionError(
                f"no submissions in {str(folder)!r}; expected files such as {assignment.file}, "
                "or an export of Canvas, Moodle or Gradescope"
            )
        _ask_who(groups)
        groups.sort(key=_Group.order)
        found = _read(groups, place, assignment)
    return tuple(sorted(found, key=lambda each: each.key))


def _read(groups: list[_Group], folder: str, assignment: Assignment) -> list[Submission]:
    """Return the submissions of groups, as many together as an export may have bytes left."""
    left = dict.fromkeys({each.owned.export for each in groups}, MAX_EXPORT_BYTES)
    keys: set[str] = set()
    found = list[Submission]()
    while len(found) < len(groups):
        some = groups[len(found) : len(found) + BATCH_QUESTIONS]
        questions = [
            ("contents", folder, each.picked, left[each.owned.export], _wanted(assignment))
            for each in some
            if not each.problem and not each.question
        ]
        answers = iter(_gate.ask_all(questions))
        for group in some:
            key = next(name for name in _keys(group.owned) if name.casefold() not in keys)
            keys.add(key.casefold())
            is_read = not group.problem and not group.question
            found.append(group.submission(key, next(answers) if is_read else (None, group.problem)))
            used = sum(map(len, found[-1].files.values()))
            left[group.owned.export] = max(0, left[group.owned.export] - used)
    return found


def one_submission(path: str | Path, assignment: Assignment) -> Submission:
    """Return one student's submission, a file or a folder."""
    group = _Group(OwnedFile("submission", ""))
    with _lock:
        _gate.ask_all([("forget",)])
        question = "alone", os.path.abspath(path), _wanted(assignment)
        submission = group.submission("submission", *_gate.ask_all([question]))
    beside = Path(path).with_name("submission_metadata.json")  # Gradescope's, of its autograders
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        text = json.loads(beside.read_text(encoding="utf-8"))["created_at"]
        submission = replace(submission, handed_in=parse_time(text))
    return submission


def _entries(folder: str | Path) -> list[str]:
    """Return the names in a folder, without those of by-products."""
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(name for name in names if not is_ignored(composed(name)))


def _wanted(assignment: Assignment) -> Wanted:
    is_program = assignment.interface not in SUFFIXES
    return Wanted(assignment.file, assignment.function, is_program)


class _Gate:
    """The process that reads files, started when it is needed, and again after it was ended."""

    def __init__(self) -> None:
        self.child: Child | None = None

    def ask(self, *question: Any) -> Any:
        """Return the answer to a question (`gate.py`). Raises ValueError with the reason, a phrase
        such as `cannot be read: gave no answer within 60 s`."""
        ((answer, reason),) = self.ask_all([question])
        if reason:
            raise ValueError(reason)
        return answer

    def ask_all(self, questions: Sequence[tuple[Any, ...]]) -> list[Answer]:
        """Return the answers to some questions, each with a reason if there is none."""
        answers, size = list[Answer](), BATCH_QUESTIONS
        while len(answers) < len(questions):
            try:
                answers += self._answers(questions[len(answers) : len(answers) + size])
            except Failed as failure:
                if size == 1:
                    answers.append((None, f"cannot be read: {failure.reason}"))
                size = BATCH_QUESTIONS if size == 1 else 1  # one by one, to find the cause
        return answers

    def _answers(self, questions: Sequence[tuple[Any, ...]]) -> list[Answer]:
        """Return the answers to the first questions. Raises Failed if the process ends."""
        if self.child is None or not self.child.is_running:
            command = module_command("plyscope_class.gate")
            self.child = Child(command, READ_MEGABYTES)
        data = pickle.dumps(list(questions))
        lines, chunks = self.child.converse(data, READ_SECONDS), list[bytes]()
        try:
            while line := next(lines):
                chunks.append(b64decode(line))
        except BaseException:  # Ctrl-C too: the rest of the answer is not for the next request
            self.child.end()
            raise
        found: list[Answer] = pickle.loads(b"".join(chunks))
        return found


_gate, _lock = _Gate(), Lock()


@dataclass
class _Group:
    """The files of one person."""

    owned: OwnedFile
    picked: list[Picked] = field(default_factory=list)
    problem: str = ""
    question: str = ""
    """A question to the teacher, if it has to be answered before it can be judged."""
    sources: dict[str, None] = field(default_factory=dict)
    """The entries of the folder that claim to be of this person, in order."""

    def order(self) -> tuple[str, str, str]:
        """Return the sort key for assigning keys to groups: plain names first."""
        key = _key(self.owned)
        return key.casefold(), self.owned.identity, key

    def submission(self, key: str, answer: Answer) -> Submission:
        """Return the submission that the gate has read, or its problem."""
        contents, reason = answer
        if contents is None:
            contents = Contents({}, "", None, self.question or reason, bool(self.question))
        return Submission(
            key=key,
            name=self.owned.name,
            identity=self.owned.identity,
            platform=self.owned.platform,
            files=contents.files,
            main=contents.main,
            is_late=any(each.owned.is_late for each in self.picked),
            handed_in=contents.handed_in or self.owned.handed_in,
            problem=contents.problem,
            is_open=contents.is_claimed_twice,
            known_by=self.owned.known_by,
        )


def _groups(folder: str, entries: list[str], exports: Collection[str]) -> list[_Group]:
    """Return the files of each person, and an entry that cannot be listed by its own name."""
    people: People = {}
    with suppress(ValueError):
        people = _gate.ask("people", folder) if METADATA in entries else {}
    names = {entry: str(composed(entry)) for entry in entries if entry != METADATA}
    questions = [
        ("owners", folder, entry, len(entries) == 1 or name in exports, people)
        for entry, name in names.items()
    ]
    groups: dict[tuple[str, str], _Group] = {}
    for (entry, name), (owners, reason) in zip(
        names.items(), _gate.ask_all(questions), strict=True
    ):
        if reason:
            known_by = f"the name {name!r}"
            owned = OwnedFile(PurePosixPath(name).stem, "", entry=name, known_by=known_by)
            group = groups.setdefault((owned.identity, owned.name), _Group(owned))
            group.sources[name] = None
            group.problem, group.question = reason, reason if AN_EXPORT in reason else ""
            continue
        for number, owned in enumerate(owners):
            if owned is not None:
                group = groups.setdefault((owned.identity, owned.name), _Group(owned))
                group.picked.append(Picked(entry, number, owned))
                group.sources[owned.entry or owned.export or name] = None
    return list(groups.values())


def _ask_who(groups: list[_Group]) -> None:
    """Ask about each person whom two entries claim, and each number that two names claim."""
    by_number: dict[tuple[str, str], list[_Group]] = {}
    for group in groups:
        entries, exports = sorted(group.sources), {each.owned.export for each in group.picked}
        is_packed = any(entry.endswith(("/", ".zip")) for entry in entries)
        if len(exports) > 1 or (len(entries) > 1 and is_packed):
            known = " and as ".join(map(repr, entries))
            group.question = f"handed in as {known}; keep the one that counts"
        if group.owned.platform and group.owned.identity:
            platform_number = group.owned.platform, group.owned.identity
            by_number.setdefault(platform_number, []).append(group)
    for (_, number), claims in by_number.items():
        if len(claims) > 1:
            files = " and ".join(repr(next(iter(each.sources))) for each in claims)
            for each in claims:
                each.question = (
                    f"number {number} has two names, in {files}; keep the one that counts"
                )


def _key(owned: OwnedFile) -> str:
    """Return the key of a person as a valid file name."""
    name = _file_name(owned.name)
    name += "-" if RESERVED.fullmatch(name) else ""
    return name or _file_name(owned.identity) or "unnamed"


def _keys(owned: OwnedFile) -> Iterator[str]:
    """Yield the key of a person, followed by alternatives in case it is taken."""
    key = _key(owned)
    yield key
    if number := _file_name(owned.identity):
        yield f"{key}-{number}"
    yield from (f"{key}-{again}" for again in count(2))


def _file_name(text: str) -> str:
    """Return a text as part of a file name: letters, digits, dots, and - for the rest."""
    return re.sub(r"[^\w.-]+", "-", text)[:MAX_KEY_CHARS].strip("-.")
