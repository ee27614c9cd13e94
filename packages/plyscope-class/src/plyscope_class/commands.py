"""`plyscope class`: hand out an assignment, check submissions, and grade a class.

`new` creates the folder of an assignment. Students run `check` on their own file. `run` grades all
submissions of a folder by the assignment's rubric, at a fixed depth or number of nodes, so that a
grade is the same on every machine.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from plyscope.datafile import csv_text, write_file
from plyscope.errors import OptionError
from plyscope.faces.cli.options import JSON, console, print_json, say, seed_row, whole
from plyscope.faces.cli.rows import Command, Commands, Option
from plyscope.faces.cli.statuses import DONE, status_of
from plyscope.faces.progress import telling, thinking

STUDENTS_FOLDER = "students"
"""The folder with a sheet for each student."""
MAX_NAMED = 10
"""The greatest number of submissions that a line names."""

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from plyscope_class.assignment import Assignment
    from plyscope_class.check import Check
    from plyscope_class.grade import Grade
    from plyscope_class.league import League
    from plyscope_class.submission_process import Budget


# new


NEW = (
    Option("folder FOLDER", "a new folder"),
    Option(
        "-a --assignment",
        "a ready-made assignment: hand-out, tests, notebook, model solution and typical mistakes",
        ("trees", "minimax", "alphabeta", "evaluation", "agent"),
    ),
    Option("-g --game GAME", "the game (default: connect4 with `-a evaluation`, else tictactoe)"),
    Option(
        "--interface",
        "the kind of submission without -a (default: heuristic); `-a trees` asks for answers, "
        "`-a minimax` and `-a alphabeta` for an algorithm",
        ("heuristic", "agent", "table"),
        "heuristic",
    ),
    Option(
        "--students FILE",
        "with `-a trees`: a different sheet for each name in a list or the first column of a CSV",
    ),
    Option("--due TIME", "the due date, such as '2026-12-04 23:59'"),
    seed_row(default=None),
    JSON,
)


def new(arguments: argparse.Namespace) -> int:
    """Write the folder of the assignment, and print the next steps."""
    from dataclasses import replace
    from secrets import randbits

    from plyscope_class.assignment import DueOptions
    from plyscope_class.handout import PRACTICE, make_class, ready_assignment, usual_assignment
    from plyscope_class.judge import check_measurable

    seed = randbits(63) if arguments.seed is None else arguments.seed
    with thinking("solving the game"):
        if arguments.assignment is None:
            assignment = usual_assignment(arguments.game or "tictactoe", arguments.interface, seed)
        elif arguments.interface != "heuristic":
            raise OptionError("--assignment with --interface; expected one of them")
        else:
            assignment = ready_assignment(arguments.assignment, arguments.game, seed)
            check_measurable(assignment)
    if arguments.students is not None:
        if assignment.interface != "answers":
            raise OptionError("--students without --assignment trees; expected both")
        from plyscope_class.sheet import names_in

        options = replace(assignment.algorithm, students=tuple(names_in(arguments.students)))
        assignment = replace(assignment, algorithm=options).checked()
    if arguments.due is not None:
        assignment = replace(assignment, due=DueOptions(at=arguments.due)).checked()
    written = make_class(arguments.folder, assignment, arguments.assignment or "")
    if assignment.interface == "answers":
        written += _write_sheets(arguments.folder, assignment)
    if arguments.json:
        print_json({"folder": arguments.folder, "seed": seed, "files": list(map(str, written))})
        return DONE
    folder = arguments.folder
    checked = PRACTICE if assignment.interface == "answers" else assignment.file
    for line in (
        f"made {folder}: {assignment.title}, {assignment.rubric.total:g} points",
        f"1. look at {folder}/assignment.toml: the points, the due date, the limits",
        f"2. give {folder}/handout to students; they run: plyscope class check {checked}"
        + f"; give {folder}/{STUDENTS_FOLDER}/NAME to each" * bool(assignment.algorithm.students),
        f"3. put the submissions into {folder}/submissions: files, folders, or the zip that "
        "Canvas, Moodle or Gradescope exports",
        f"4. plyscope class run {folder}",
    ):
        print(line)
    if arguments.assignment is not None:
        print(f"keep {folder}/teacher from students: it has the solution and typical mistakes")
    return DONE


def _write_sheets(folder: str, assignment: Assignment) -> list[Path]:
    """Write the sheet of an assignment on trees by hand, or that of each student with a table to
    fill in, the keys, and the practice sheet with its key; return the files.

    A sheet is a page, and a PDF where typst is installed.
    """
    from importlib.util import find_spec
    from pathlib import Path

    from plyscope.faces.sheets.paper import sheet_pdf, sheet_text
    from plyscope.lab.questions.quiz.table import blank_table
    from plyscope_class.assignment import HANDOUT_FOLDER, TEACHER_FOLDER
    from plyscope_class.handout import for_students, with_students
    from plyscope_class.sheet import file_name, sheet_of

    handout, teacher = Path(folder, HANDOUT_FOLDER), Path(folder, TEACHER_FOLDER)
    students = assignment.algorithm.students
    practice = sheet_of(for_students(assignment))
    places = [("", practice, handout / "practice", handout / "practice-key")]
    written = []
    for student in students or ("",):
        own, place, key = sheet_of(assignment, student), handout / "sheet", teacher / "sheet-key"
        if student:
            folder_name = file_name(student)
            place = Path(folder, STUDENTS_FOLDER, folder_name, "sheet")
            key = teacher / "keys" / folder_name
            written.append(place.with_name(assignment.file))
            table = csv_text(with_students({student: blank_table(own)}))
            text = f"{chr(0xFEFF)}{table}"  # a byte order mark, so that Excel reads UTF-8
            write_file("file", written[-1], text, makes_folder=True)
        places.append((student, own, place, key))
    with telling() as tell:
        for number, (student, questions, *files) in enumerate(places, 1):
            if students:
                tell(f"{number:,} of {len(places):,} sheets")
            for file, is_key in zip(files, (False, True), strict=True):
                name = student or None
                forms: dict[str, str | bytes] = {
                    "html": sheet_text(questions, "html", is_key, name)
                }
                if find_spec("typst") is not None:
                    forms["pdf"] = sheet_pdf(questions, is_key, name)
                for suffix, content in forms.items():
                    written.append(file.with_name(f"{file.name}.{suffix}"))
                    write_file("file", written[-1], content, makes_folder=True)
    return written


# check


CHECK = (
    Option("file FILE", "the submission: a .py, .ipynb, .toml or .csv file"),
    Option(
        "-a --assignment FILE",
        "the assignment (default: assignment.toml next to FILE, or in this folder)",
    ),
    Option("-g --game GAME", "the game, if there is no assignment"),
    Option("--agent", "FILE has an agent choose(position); only without an assignment"),
    Option("--quick", "only check, without an estimate of the grade"),
    JSON,
)


def check(arguments: argparse.Namespace) -> int:
    """Check a file, and print the result."""
    from pathlib import Path

    from plyscope_class.check import check_submission
    from plyscope_class.local_submission import submission_files
    from plyscope_class.submission_process import Budget

    assignment = _assignment_of(arguments)
    files, main = submission_files(arguments.file, assignment.function)
    if assignment.interface == "answers" and main != assignment.file:
        raise OptionError(
            f"{arguments.file!r} is for your teacher, who has its key; expected {assignment.file}"
        )
    if (suffix := Path(assignment.file).suffix) != Path(main).suffix:
        raise OptionError(f"{arguments.file!r}; expected a file that ends in {suffix}")
    budget = Budget(assignment)
    with thinking("checking"):
        found = check_submission(files, main, assignment, budget)
    grade = None
    if not arguments.quick and arguments.game is None:
        grade = _estimate(files, main, assignment, found, budget)
    if arguments.json:
        used = {"seconds": budget.spent, "answers": budget.answers, "most": budget.seconds}
        told = {"file": arguments.file, "assignment": assignment.title, **found.as_dict()}
        print_json(told | {"estimate": grade and grade.as_dict(), "used": used})
    else:
        from plyscope_class.findings import check_lines, estimate_lines

        estimated = () if grade is None else estimate_lines(grade, budget)
        _say_lines((*check_lines(arguments.file, assignment, found), *estimated))
    return status_of(found.is_sound)


def _say_lines(lines: Iterable[str]) -> None:
    """Print lines. On a terminal they are wrapped below their beginning, except commands, which
    can be pasted."""
    from textwrap import fill

    out = console()
    for line in lines:
        begin = len(line) - len(line.lstrip())
        is_command = line.lstrip().startswith("plyscope ")
        if out.is_terminal and not is_command:
            indent = " " * (len(ITEM) if line.startswith(("  ok ", "  FINDING ")) else begin + 2)
            line = fill(
                line, out.width, subsequent_indent=indent, break_long_words=False,
                break_on_hyphens=False,
            )  # fmt: skip
        out.print(line, soft_wrap=True)


ITEM = "  FINDING  "
"""The beginning of an item with a finding, as wide as that of one without."""


def _estimate(
    files: Mapping[str, bytes], main: str, assignment: Assignment, found: Check, budget: Budget
) -> Grade | None:
    """Return the grade by the students' copy of the assignment.

    On Ctrl-C, or if the assignment allows no estimate, print the reason and return None.
    """
    from plyscope_class.grade import grade_of
    from plyscope_class.judge import check_measurable, judge_checked

    try:
        with thinking("estimating the grade (Ctrl-C skips this)"):
            check_measurable(assignment)
            judgement = judge_checked(files, main, assignment, found, budget)
    except KeyboardInterrupt:
        say(["interrupted: the grade is not estimated"])
        return None
    except OptionError as error:
        say([f"the grade cannot be estimated: {error}"])
        return None
    return grade_of(judgement.as_dict(), "", assignment)


def _assignment_of(arguments: argparse.Namespace) -> Assignment:
    """Return the assignment for checking a file; raise OptionError if there is none."""
    from plyscope_class.assignment import Assignment
    from plyscope_class.local_submission import assignment_for, submission_files

    if arguments.game is None:
        found = assignment_for(arguments.file, arguments.assignment)
        if found is None:
            submission_files(arguments.file, "heuristic")  # a missing file is reported first
            raise OptionError(
                f"no assignment.toml beside {arguments.file!r}; "
                "expected --assignment FILE, or --game GAME"
            )
        return found
    if arguments.assignment is not None:
        raise OptionError("--game with --assignment; expected one of them")
    is_table = arguments.file.endswith(".toml")
    interface = "table" if is_table else "agent" if arguments.agent else "heuristic"
    return Assignment(title="no assignment", game=arguments.game, interface=interface).checked()


# run


RUN = (
    Option("folder FOLDER", "the folder made by `class new`"),
    Option("-j --jobs N", "run N processes (default: one per core)", whole(1, 1024)),
    Option("--pseudonyms", "use pseudonyms on the leaderboard; the feedback tells students theirs"),
    Option("--gradescope FILE", "only write the zip of an autograder for Gradescope"),
    Option(
        "--export NAME",
        "believe the names in NAME, an export of a platform beside other entries in submissions",
        is_list=True,
    ),
    Option("--submission PATH", "grade only this file or folder"),
    Option("--regrade ID", "judge this submission again; needs --because"),
    Option("--because TEXT", "the reason, for the student and regrades.csv"),
    Option("--results FILE", "with --submission: write Gradescope's results.json"),
    JSON,
)


def grade(arguments: argparse.Namespace) -> int:
    """Grade a class or one submission, or write the autograder."""
    from plyscope_class.assignment import Assignment

    if arguments.results is not None and arguments.submission is None:
        raise OptionError("--results without --submission; expected both")
    if (arguments.regrade is None) != (not (arguments.because or "").strip()):
        raise OptionError("--regrade ID with --because TEXT; expected both or neither")
    if arguments.regrade is not None and (arguments.submission or arguments.gradescope):
        raise OptionError("--regrade with --submission or --gradescope; expected one of them")
    assignment = Assignment.read(arguments.folder)
    if arguments.gradescope is not None:
        return _autograder(arguments, assignment)
    note, is_whole = _sandbox(assignment)
    say([note])
    if arguments.submission is not None:
        return _grade_one(arguments, assignment, () if is_whole else (note,))
    return _grade_all(arguments, assignment)


def _sandbox(assignment: Assignment) -> tuple[str, bool]:
    """Return which parts of the sandbox this kernel enforces, with advice about the others, and
    whether these are all that are needed."""
    from plyscope.lab.people.sandbox import SANDBOX_PARTS
    from plyscope_class.assignment import SUFFIXES
    from plyscope_class.run import sandbox_of

    if assignment.interface in SUFFIXES:
        return "tables are data: no code of students is run", True
    held = sandbox_of(assignment)
    if held == SANDBOX_PARTS:
        return (
            f"submissions run in a sandbox: this kernel restricts {' and '.join(held)}; "
            "to be safe from faults of the kernel too, run this in a container"
        ), True
    what = " and ".join(held) or "nothing"
    return (
        f"submissions run in an incomplete sandbox: this kernel restricts {what}; "
        "to be safe from malicious code, run this in a container"
    ), False


def _autograder(arguments: argparse.Namespace, assignment: Assignment) -> int:
    from pathlib import Path

    from plyscope_class.gradescope import autograder_zip

    content = autograder_zip(Path(arguments.folder), assignment)
    write_file("file", arguments.gradescope, content, makes_folder=True)
    if arguments.json:
        print_json({"file": arguments.gradescope, "bytes": len(content)})
    else:
        print(f"wrote {arguments.gradescope} ({len(content):,} bytes): setup.sh, run_autograder")
    return DONE


def _grade_one(
    arguments: argparse.Namespace, assignment: Assignment, notes: tuple[str, ...]
) -> int:
    import json
    from pathlib import Path

    from plyscope_class.findings import grade_lines
    from plyscope_class.gradescope import results_of
    from plyscope_class.run import grade_one, with_relative_names, write_text
    from plyscope_class.submissions import one_submission

    if not Path(arguments.submission).exists():
        raise OptionError(f"no submission {arguments.submission!r}; expected a file or a folder")
    if notes and arguments.results is not None and assignment.gradescope.require_sandbox:
        raise OptionError(f"{notes[0]}; expected all of the sandbox, by require_sandbox")
    submission = one_submission(arguments.submission, assignment)
    with thinking("judging"):
        graded = grade_one(submission, assignment, arguments.folder)
    if arguments.results is not None:
        told = (*notes, *graded.notes)
        results = results_of(graded.grade, graded.judgement, assignment, told)
        text = f"{json.dumps(results, indent=2)}\n"
        write_text(Path(arguments.results), with_relative_names(text, assignment))
    if arguments.json:
        print_json(graded.as_dict())
    else:
        _say_lines(grade_lines(graded.grade))
    is_told = arguments.results is not None  # by the file: Gradescope takes 1 for a crash
    return status_of(is_told or graded.judgement is not None)


class _Live:
    """The leaderboard while the league is played: a page that reloads itself."""

    def __init__(self, folder: Path, assignment: Assignment, is_anonymous: bool) -> None:
        self.folder, self.assignment, self.is_anonymous = folder, assignment, is_anonymous
        self.written = 0.0

    def write(self, league: League) -> None:
        """Write the standings so far, at most once in LIVE_SECONDS."""
        from time import monotonic

        from plyscope.faces.report.write import report_html
        from plyscope_class.findings import leaderboard
        from plyscope_class.run import pseudonyms, write_text

        if monotonic() - self.written < LIVE_SECONDS:
            return
        players = [each.player for each in league.standings]
        names = pseudonyms(self.assignment, players) if self.is_anonymous else {}
        title = f"{self.assignment.title}: the league, being played"
        page = report_html(title, [leaderboard(league, names)], reload_seconds=LIVE_SECONDS)
        write_text(self.folder / "leaderboard.html", page)
        self.written = monotonic()


LIVE_SECONDS = 2
"""How often the leaderboard is written and reloaded while the league is played."""


def _grade_all(arguments: argparse.Namespace, assignment: Assignment) -> int:
    from pathlib import Path

    from plyscope.display import times
    from plyscope.faces.report.write import report_html
    from plyscope.faces.texts import finding
    from plyscope_class.findings import class_page, feedback, grades_section, leaderboard
    from plyscope_class.run import (
        pseudonyms,
        run_class,
        with_relative_names,
        write_results,
        write_text,
    )

    folder = Path(arguments.folder)
    regrade = arguments.regrade and (arguments.regrade, arguments.because.strip())
    shown = _Live(folder, assignment, arguments.pseudonyms)
    try:
        with telling() as tell:
            result = run_class(
                folder,
                assignment,
                jobs=arguments.jobs,
                regrade=regrade,
                exports=arguments.export or (),
                on_league=shown.write,
                progress=lambda what, done, of: tell(f"{done:,} of {of:,} {what} (Ctrl-C stops)"),
            )
    except KeyboardInterrupt:
        say(["judged submissions are cached: the same command continues"])
        raise
    keys = [each.submission.key for each in result.graded]
    names = pseudonyms(assignment, keys) if arguments.pseudonyms else {}
    write_results(folder, result)
    for each in result.graded:
        if each.submission.is_open:  # whose page would it be
            continue
        key = each.submission.key
        title = f"{assignment.title}: {each.submission.name or key}"
        text = report_html(title, feedback(each, assignment, names.get(key, "")))
        write_text(folder / "feedback" / f"{key}.html", with_relative_names(text, assignment))
    page = report_html(f"{assignment.title}: the class", class_page(result))
    write_text(folder / "class.html", with_relative_names(page, assignment))
    if result.league is not None:
        page = report_html(f"{assignment.title}: the league", [leaderboard(result.league, names)])
        write_text(folder / "leaderboard.html", page)
    if arguments.json:
        print_json(result.as_dict())
    else:
        out = console()
        out.print(finding(grades_section(result, out.width)))
        board = "" if result.league is None else ", leaderboard.html"
        print(f"wrote grades.csv, class.html, feedback, results{board} in {folder}")
    for each in result.questions:
        say([f"question: {each.submission.key}: {each.submission.problem}; no points until then"])
    if missing := [each for each in result.not_judged if not each.submission.is_open]:
        listed = ", ".join(each.submission.key for each in missing[:MAX_NAMED])
        more = f" and {len(missing) - MAX_NAMED} more" if len(missing) > MAX_NAMED else ""
        told = f"{len(missing)} of {times(len(result.graded), 'submission')} not judged"
        say([f"{told}: {listed}{more}; grades.csv has the reasons"])
    return status_of(not result.not_judged)


HELP = "assignments: hand out, check, and grade a class"
OPTIONS = (
    Commands(
        Command(
            "new",
            "make the folder of an assignment, with the hand-out for students",
            "Make a folder with assignment.toml, a working hand-out (a stub and a page for "
            "students) and a folder for submissions. The rubric has the parts that can be measured "
            "on the game.",
            NEW,
            new,
        ),
        Command(
            "check",
            "report the faults of a submission in sentences",
            "Check a submission as the grader will, and estimate its grade with the hand-out's "
            "assignment, which has another seed. Each finding is a sentence with a position that "
            "other commands can show. The exit status is 0 without findings, else 1.",
            CHECK,
            check,
        ),
        Command(
            "run",
            "grade the submissions of a folder",
            "Judge FOLDER/submissions by FOLDER/assignment.toml, and write grades.csv, "
            "class.html for you, feedback/NAME.html, results/NAME/results.json and "
            "leaderboard.html. Judgements are cached: the same command continues a stopped run, "
            "with the same results.",
            RUN,
            grade,
        ),
    ),
)
