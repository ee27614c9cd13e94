"""`plyscope class`: hand out an assignment, check what is handed in, and grade a class.

`new` makes the folder of an assignment, `check` is what students run on their own file, `run`
judges all submissions of a folder by the assignment's rubric: at a fixed depth or number of nodes,
so that a grade is the same on every machine.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from plyscope.faces.cli.options import add_json, console, print_json
from plyscope.faces.cli.statuses import status_of

if TYPE_CHECKING:
    from plyscope.lab.classroom.assignment import Assignment


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "class", help="assignments: hand out, check, and grade a class", description=__doc__
    )
    actions = parser.add_subparsers(metavar="new|check|run", required=True)
    _add_check(actions)


def _add_assignment(parser: argparse.ArgumentParser, where: str) -> None:
    parser.add_argument(
        "-a",
        "--assignment",
        metavar="FILE",
        help=f"the assignment (default: assignment.toml {where})",
    )


# check


def _add_check(actions: Any) -> None:
    parser = actions.add_parser(
        "check",
        help="say what is wrong with a submission, in sentences",
        description="Check a submission as the teacher will. Each finding is a sentence with a "
        "position that can be played. The exit status is 0 where there is none, else 1.",
    )
    parser.add_argument("file", metavar="FILE", help="what is handed in: a .py or .toml file")
    _add_assignment(parser, "beside FILE, or here")
    parser.add_argument(
        "-g", "--game", metavar="GAME", help="the game, where there is no assignment"
    )
    parser.add_argument(
        "--agent",
        action="store_true",
        help="FILE has an agent choose(position), where there is no assignment",
    )
    add_json(parser)
    parser.set_defaults(run=check)


def check(arguments: argparse.Namespace) -> int:
    """Check a file, and print what was seen."""
    from plyscope.faces.progress import thinking
    from plyscope.lab.classroom.check import check_submission
    from plyscope.lab.classroom.given import files_beside

    assignment = _assignment_of(arguments)
    files, main = files_beside(arguments.file)
    with thinking("checking"):
        found = check_submission(files, main, assignment)
    if arguments.json:
        told = {"file": arguments.file, "assignment": assignment.title, **found.as_dict()}
        print_json(told)
    else:
        from plyscope.faces.tables.classroom import check_text

        console().print(check_text(arguments.file, assignment, found), soft_wrap=True)
    return status_of(found.is_sound)


def _assignment_of(arguments: argparse.Namespace) -> Assignment:
    """Return the assignment that a file is checked by; raise OptionError without one."""
    from plyscope.errors import OptionError
    from plyscope.lab.classroom.assignment import Assignment
    from plyscope.lab.classroom.given import assignment_for

    if arguments.game is None:
        found = assignment_for(arguments.file, arguments.assignment)
        if found is None:
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
