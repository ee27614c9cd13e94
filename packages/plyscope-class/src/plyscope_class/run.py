"""Grading of a class: each submission is judged in processes of its own, and judgements are cached.

The key of a judgement is a digest of the files, the assignment without points, the game and the
version. A second run only judges new submissions, so a killed run can be continued, with the same
results.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plyscope.datafile import csv_text, write_file
from plyscope.errors import OptionError
from plyscope.jsonable import by_name
from plyscope.lab.people.files import AgentFiles, files_of_game, files_of_heuristic
from plyscope.lab.people.workers import LocalWorkers
from plyscope.processes import Failed
from plyscope.progress import Progress, silent
from plyscope.pythonfile import in_one_line
from plyscope.version import __version__
from plyscope_class.alike import Similar, given_texts, others_of, same_as, similar
from plyscope_class.assignment import PARTS_OF, SUFFIXES, Assignment, baseline
from plyscope_class.byhand import manual_points, note_regrade, regraded, with_points
from plyscope_class.due import Dates, Late, dates_of, late_of, with_penalty
from plyscope_class.grade import Grade, grade_of, with_league
from plyscope_class.gradescope import results_of
from plyscope_class.judge import check_measurable, judge
from plyscope_class.league import (
    League,
    Outcomes,
    extra_points,
    pairings,
    play_match_of,
    rounds_of,
    standings,
)
from plyscope_class.model import model_marks
from plyscope_class.submission_process import SubmissionProcess
from plyscope_class.submissions import Submission, find_submissions
from plyscope_class.worksheet import WORKSHEET, filled_worksheet

SUBMISSIONS, JUDGED = "submissions", "judged"
"""Subfolders of a class's folder."""
CACHE_VERSION = 7
"""The version of cached judgements; others are judged again."""
NOT_JUDGED = (
    "not judged: the judging process ended or was stopped twice, "
    "the second time with no other submission running"
)


@dataclass(frozen=True, kw_only=True)
class Graded:
    """A submission with its judgement and its grade."""

    submission: Submission
    judgement: dict[str, Any] | None
    """The judgement; None if nothing could be judged."""
    grade: Grade
    same_as: tuple[str, ...] = ()
    """Keys of other submissions that are the same program, or by the same student's sheet; only for
    the teacher."""
    regraded: tuple[str, ...] = ()
    """The reasons for which it was judged again."""
    notes: tuple[str, ...] = ()
    """Remarks for the teacher, such as that it is the model solution."""
    late: Late | None = None
    """How late it is; None if it is in time, or not known to be late."""

    def points(self, names: Iterable[str]) -> list[str]:
        """Return the points of some parts and the total; empty texts if a question is open."""
        points = {part.name: f"{part.points:g}" for part in self.grade.parts}
        found = [*(points[name] for name in names), f"{self.grade.total:g}"]
        return [""] * len(found) if self.submission.is_open else found

    def as_dict(self) -> dict[str, Any]:
        """Return the data for JSON."""
        own = self.submission
        return {
            "id": own.key,
            "name": own.name,
            "identity": own.identity,
            "is_late": self.late is not None,
            "days_late": 0 if self.late is None else self.late.days,
            "is_judged": self.judgement is not None,
            "same_as": list(self.same_as),
            "regraded": list(self.regraded),
            "notes": list(self.notes),
            "known_by": own.known_by,
            **self.grade.as_dict(),
            **({"total": None} if own.is_open else {}),
        }


@dataclass(frozen=True, kw_only=True)
class ClassResult:
    """The grades of a class."""

    assignment: Assignment
    graded: tuple[Graded, ...]
    league: League | None
    similar: tuple[Similar, ...] = ()
    """Pairs of similar programs; only for the teacher. Of identical programs the first stands for
    all."""

    @property
    def questions(self) -> tuple[Graded, ...]:
        """The submissions that wait for a decision of the teacher."""
        return tuple(each for each in self.graded if each.submission.is_open)

    @property
    def not_judged(self) -> tuple[Graded, ...]:
        """The submissions that have no points because they could not be judged."""
        return tuple(each for each in self.graded if each.judgement is None)

    def as_dict(self) -> dict[str, Any]:
        """Return the class as JSON-ready data."""
        return by_name(
            self, "title", "game", "graded", "league", "similar",
            title=self.assignment.title, game=self.assignment.game,
            similar=[by_name(each, "one", "other", "share") for each in self.similar],
        )  # fmt: skip


def run_class(
    folder: str | Path,
    assignment: Assignment | None = None,
    *,
    jobs: int | None = None,
    regrade: tuple[str, str] | None = None,
    exports: Collection[str] = (),
    progress: Progress = silent,
    on_league: Callable[[League], None] = lambda league: None,
) -> ClassResult:
    """Grade the submissions in a class's folder. Raises OptionError, NotationError.

    Judgements are cached below the folder. Ctrl-C raises KeyboardInterrupt; the next run continues.
    `regrade` is the key of a submission to judge again although its judgement is cached, and the
    reason, which is added to the class's `regrades.csv`. `exports` are the names of entries that
    are exports of a platform beside other entries. `on_league` is called with the standings after
    each match that is played now.
    """
    folder = Path(folder)
    wanted = assignment or Assignment.read(folder)
    found = find_submissions(folder / SUBMISSIONS, wanted, exports)
    by_key = {each.key: each for each in found}
    points, reasons = manual_points(folder, by_key), regraded(folder)
    dates = dates_of(folder, by_key)
    check_measurable(wanted)
    cache = _Cache(folder / JUDGED, wanted)
    before = ""
    if regrade is not None:
        again = by_key.get(regrade[0])
        if again is None:
            raise OptionError(f"no submission {regrade[0][:60]!r}; expected an id of grades.csv")
        digest = cache.digest("judgement", again)
        known = None if again.problem else cache.read(digest)
        before = "" if known is None else f"{_graded(again, known, wanted).grade.total:g}"
        cache.forget(digest)
    with LocalWorkers(jobs, alone=0.0) as executor:
        judged = _judged(found, wanted, cache, executor, progress)
        if regrade is not None:
            key, reason = regrade
            after = _graded(by_key[key], judged.get(key), wanted).grade.total
            note_regrade(folder, key, reason, before, f"{after:g}")
            reasons.setdefault(key, []).append(reason)
        league = _league(found, judged, wanted, cache, executor, progress, on_league)
    marks = model_marks(found, wanted, folder)
    alike, of = same_as(found) | _same_sheet(judged), wanted.rubric.manual
    extra = extra_points(league, wanted.league.extra)
    graded = []
    for each in found:
        own = _graded(each, judged.get(each.key), wanted)
        if points is not None or of:
            own = replace(own, grade=with_points(own.grade, (points or {}).get(each.key, []), of))
        own = _dated(own, wanted, dates.get(each.key, (None, None)))
        if wanted.league.extra:
            own = replace(own, grade=with_league(own.grade, extra.get(each.key)))
        told = tuple(reasons.get(each.key, ()))
        notes = (marks[each.key],) if each.key in marks else ()
        graded.append(replace(own, same_as=alike.get(each.key, ()), regraded=told, notes=notes))
    firsts = [each for each in found if all(each.key < key for key in alike.get(each.key, ()))]
    return ClassResult(
        assignment=wanted,
        graded=tuple(graded),
        league=league,
        similar=similar(firsts, given_texts(folder, wanted)),
    )


def grade_one(submission: Submission, assignment: Assignment, folder: str | Path) -> Graded:
    """Judge one submission of the class in `folder` in this process."""
    check_measurable(assignment)
    judgement = None
    if not submission.problem:
        judgement = _judge(submission.files, submission.main, assignment)
    notes = tuple(model_marks([submission], assignment, folder).values())
    return replace(_dated(_graded(submission, judgement, assignment), assignment), notes=notes)


def sandbox_of(assignment: Assignment) -> tuple[str, ...]:
    """Return the parts of the sandbox that this machine's kernel enforces: files, processes."""
    if assignment.interface in SUFFIXES:
        return ()
    text = f"def {assignment.function}(board): return 0".encode()
    with SubmissionProcess({assignment.file: text}, assignment.file, assignment) as submission:
        try:
            submission.start()
        except Failed:
            return ()
        return submission.held


def _graded(
    submission: Submission, judgement: dict[str, Any] | None, assignment: Assignment
) -> Graded:
    problem = submission.problem
    if judgement is not None and "problem" in judgement:
        problem, judgement = str(judgement["problem"]), None
    grade = grade_of(judgement, problem, assignment)
    return Graded(submission=submission, judgement=judgement, grade=grade)


def _same_sheet(judged: Mapping[str, dict[str, Any]]) -> dict[str, tuple[str, ...]]:
    """Return, by key, the other submissions that name the same student."""
    by_student: dict[str, list[str]] = {}
    for key, judgement in judged.items():
        if student := (judgement.get("answers") or {}).get("student"):
            by_student.setdefault(student, []).append(key)
    return others_of(by_student.values())


def _dated(graded: Graded, assignment: Assignment, dates: Dates = (None, None)) -> Graded:
    """Return a graded submission with how late it is, and what that costs."""
    own, options = graded.submission, assignment.due
    late = late_of(options, own.handed_in, own.is_late, dates)
    grade = graded.grade
    if options.has_penalty:
        grade = with_penalty(grade, late, options)
    return replace(graded, late=late, grade=grade)


# The cache


class _Cache:
    """Judgements and matches in files, named by the digest of their inputs."""

    def __init__(self, folder: Path, assignment: Assignment) -> None:
        self.folder, self.assignment = folder, assignment
        full = assignment.report_card.full or None
        others = (*files_of_game(assignment.rules), *files_of_heuristic(full))
        agents = [baseline(text) for text in assignment.ladder.baselines]
        digests = AgentFiles(agents, others).digests
        self.base = {
            "version": f"{__version__} {CACHE_VERSION}",
            "assignment": assignment.judging,
            "files": sorted(digests.values()),
        }

    def digest(self, what: str, *submissions: Submission) -> str:
        """Return the digest of the inputs of a judgement or a match."""
        inputs = {
            **self.base,
            "what": what,
            "submissions": [
                [each.main, sorted((name, _sha(text)) for name, text in each.files.items())]
                for each in submissions
            ],
        }
        return _sha(json.dumps(inputs, sort_keys=True).encode())[:32]

    def read(self, digest: str) -> Any:
        """Return the cached data, None if there is none."""
        try:
            return json.loads((self.folder / f"{digest}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def forget(self, digest: str) -> None:
        """Remove data from the cache."""
        (self.folder / f"{digest}.json").unlink(missing_ok=True)

    def write(self, digest: str, what: Any) -> None:
        """Write data to the cache atomically."""
        write_text(self.folder / f"{digest}.json", json.dumps(what, indent=1))


def write_text(path: Path, text: str) -> None:
    """Write a text file and its folder; lone surrogates are escaped. Raises OptionError."""
    write_file("file", path, text.encode("utf-8", "backslashreplace"), makes_folder=True)


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


# Judging


def _judge(files: Mapping[str, bytes], main: str, assignment: Assignment) -> dict[str, Any]:
    """Judge a submission in a worker process."""
    return judge(files, main, assignment).as_dict()


def _judged(
    found: Sequence[Submission],
    assignment: Assignment,
    cache: _Cache,
    executor: Executor,
    progress: Progress,
) -> dict[str, dict[str, Any]]:
    """Return the judgements by key; judge identical submissions once."""
    digests = {each.key: cache.digest("judgement", each) for each in found if not each.problem}
    by_digest = {digests[each.key]: each for each in found if each.key in digests}
    judged = {digest: cache.read(digest) for digest in by_digest}
    missing = [digest for digest, known in judged.items() if known is None]
    done = len(judged) - len(missing)
    progress("submissions judged", done, len(judged))
    tasks = {
        digest: (_judge, by_digest[digest].files, by_digest[digest].main, assignment)
        for digest in missing
    }
    for digest, judgement in _as_they_end(tasks, executor):
        if "problem" not in judgement:
            cache.write(digest, judgement)
        judged[digest] = judgement
        done += 1
        progress("submissions judged", done, len(judged))
    return {key: judged[digest] for key, digest in digests.items()}


def _as_they_end(
    tasks: Mapping[Any, tuple[Any, ...]], executor: Executor
) -> Iterator[tuple[Any, Any]]:
    """Yield the results of tasks as they end, by key; a task is a function and its arguments.

    If a task raises or its process dies, it is repeated while no other task runs, since another
    task may have been the cause. If it fails again, its result has a `problem`.
    """
    waiting: dict[Future[Any], Any] = {}
    left, again, lost = list(tasks), list[Any](), set[Any]()
    jobs = executor.jobs if isinstance(executor, LocalWorkers) else 1
    try:
        while left or again or waiting:
            if again and not waiting:
                key = again.pop(0)
                waiting[executor.submit(*tasks[key])] = key
            is_alone = bool(again) or not lost.isdisjoint(waiting.values())
            while left and len(waiting) < jobs and not is_alone:
                key = left.pop(0)
                waiting[executor.submit(*tasks[key])] = key
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                key = waiting.pop(future)
                try:
                    yield key, future.result()
                except Exception as error:  # a fault must not stop the class
                    is_lost = isinstance(error, BrokenExecutor)
                    reason = NOT_JUDGED if is_lost else f"cannot be judged: {in_one_line(error)}"
                    if key in lost:
                        yield key, {"problem": reason}
                    else:
                        again.append(key)
                        lost.add(key)
    finally:
        if waiting and isinstance(executor, LocalWorkers):
            executor.abandon()


def _league(
    found: Sequence[Submission],
    judged: Mapping[str, dict[str, Any]],
    assignment: Assignment,
    cache: _Cache,
    executor: Executor,
    progress: Progress,
    on_league: Callable[[League], None],
) -> League | None:
    """Play the league among the submissions that never exceeded a limit."""
    playing = {
        each.key: each for each in found if judged.get(each.key, {}).get("is_stopped") is False
    }
    is_played = assignment.league.pairs and assignment.interface not in PARTS_OF
    if not is_played or len(playing) < 2:
        return None
    played: dict[tuple[str, str], Outcomes] = {}
    names, rounds = list(playing), rounds_of(list(playing))
    what = f"match {assignment.league.pairs}"
    for number in range(rounds):
        pairs = pairings(names, played, assignment.seed)
        digests = {pair: cache.digest(what, playing[pair[0]], playing[pair[1]]) for pair in pairs}
        known = {pair: cache.read(digest) for pair, digest in digests.items()}
        tasks = {
            (one, other): (
                play_match_of,
                *(
                    (playing[key].files, playing[key].main, judged[key]["check"]["scale"])
                    for key in (one, other)
                ),
                assignment,
            )
            for one, other in pairs
            if known[one, other] is None
        }
        done = len(pairs) - len(tasks)
        for pair, outcomes in _as_they_end(tasks, executor):
            if "problem" in outcomes:
                continue
            cache.write(digests[pair], outcomes)
            known[pair] = outcomes
            done += 1
            so_far = {each: result for each, result in known.items() if result is not None}
            on_league(standings(names, played | so_far, rounds))
            progress(f"matches of round {number + 1} of {rounds}", done, len(pairs))
        played |= {pair: outcomes for pair, outcomes in known.items() if outcomes is not None}
    return standings(names, played, rounds)


# Results


def pseudonyms(assignment: Assignment, keys: Iterable[str]) -> dict[str, str]:
    """Return an anonymous name for each submission, by key."""
    seed = assignment.seed
    return {key: f"player {_sha(f'{seed} {key}'.encode())[:6]}" for key in keys}


def write_results(folder: Path, result: ClassResult) -> list[Path]:
    """Write grades.csv, the tables for Canvas and Moodle if submissions come from there, and
    results.json for each submission; return the files. Raises NotationError for a `moodle.csv` that
    is no worksheet."""
    written = [folder / "grades.csv"]
    assignment = result.assignment
    table = with_relative_names(grades_csv(result.graded), assignment)
    write_text(written[0], f"{chr(0xFEFF)}{table}")  # a byte order mark, so that Excel reads UTF-8
    tables = _tables_for_platforms(result)
    if (folder / WORKSHEET).exists():
        tables["moodle"] = filled_worksheet(folder / WORKSHEET, _grades_of_moodle(result))
    for platform, text in tables.items():
        written.append(folder / f"grades-{platform}.csv")
        write_text(written[-1], with_relative_names(text, assignment))
    for each in result.graded:
        if each.submission.is_open:
            continue
        written.append(folder / "results" / each.submission.key / "results.json")
        results = results_of(each.grade, each.judgement, assignment, each.notes)
        text = json.dumps(results, indent=2, ensure_ascii=False)
        write_text(written[-1], with_relative_names(f"{text}\n", assignment))
    return written


def _tables_for_platforms(result: ClassResult) -> dict[str, str]:
    """Return the tables that Canvas's gradebook and Moodle's assignments import, by platform.

    A submission that was not judged has an empty cell, which changes no grade there. The columns
    are those that the importers ask for: `lib/gradebook_importer.rb` of Canvas, and
    `mod/assign/feedback/offline/importgradeslib.php` of Moodle.
    """
    title, of = result.assignment.title, f"{result.graded[0].grade.of:g}"
    tables = {
        "canvas": [
            ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", title],
            ["Points Possible", "", "", "", "", of],
        ],
        "moodle": [
            ["Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)",
             "Feedback comments"],
        ],
    }  # fmt: skip
    heads = {platform: len(rows) for platform, rows in tables.items()}
    for each in result.graded:
        own = each.submission
        points = "" if each.judgement is None else f"{each.grade.total:g}"
        reason = "" if own.is_open else each.grade.reason
        if own.platform == "canvas":
            tables["canvas"].append([own.name, own.identity, "", "", "", points])
        elif own.platform == "moodle":
            person = f"Participant {own.identity}"
            tables["moodle"].append([person, own.name, points, of, "", reason])
    return {
        platform: csv_text(rows) for platform, rows in tables.items() if len(rows) > heads[platform]
    }


def _grades_of_moodle(result: ClassResult) -> dict[str, tuple[str, str]]:
    """Return the points and the reason of each submission from Moodle, by its participant."""
    return {
        each.submission.identity: (f"{each.grade.total:g}", each.grade.reason)
        for each in result.graded
        if each.submission.platform == "moodle" and each.judgement is not None
    }


def with_relative_names(text: str, assignment: Assignment) -> str:
    """Return a text with the game's path replaced by its path relative to the assignment.

    So results do not depend on the class's folder, and students can run the commands in them."""
    return text.replace(assignment.game, os.path.basename(assignment.game))


def grades_csv(graded: Sequence[Graded]) -> str:
    """Return the grades as CSV, one row per submission."""
    names = [part.name for part in graded[0].grade.parts]
    rows = [
        [
            "id",
            "name",
            "identity",
            "late",
            *names,
            "total",
            "of",
            "reason",
            "same_as",
            "notes",
            "known_by",
        ]
    ]
    for each in graded:
        own = each.submission
        late = "" if each.late is None else "late"
        same, notes = " ".join(each.same_as), "; ".join(each.notes)
        row = [own.key, own.name, own.identity, late, *each.points(names), f"{each.grade.of:g}"]
        rows.append([*row, each.grade.reason, same, notes, own.known_by])
    return csv_text(rows)
