"""`plyscope exam`: alpha-beta questions for paper, drawn from a seed, with their key; and answers
marked.

The same seed and the same wishes give the same sheet. The convention that is marked by is printed
on it.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyscope.faces.cli.options import add_json, add_seed, console, print_json, whole, write_file
from plyscope.faces.cli.statuses import DONE

if TYPE_CHECKING:
    from plyscope.lab.quiz import Question

FORMS = (".html", ".md", ".tex", ".svg", ".json")


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "exam",
        help="alpha-beta questions for paper, with their key; answers marked",
        description=__doc__,
    )
    parser.add_argument(
        "tree",
        metavar="TREE",
        nargs="*",
        help="trees such as [[3,5],[6,9]] (default: drawn from the seed)",
    )
    add_seed(parser, "the trees", 1)
    parser.add_argument(
        "--questions", type=whole(1, 100), metavar="N", help="how many (default: 1)"
    )
    wishes = parser.add_argument_group("wishes for the trees")
    for name, type, metavar, help in (
        ("depth", whole(1, 8), "N", "plies to the leaves (default: 3, or 4 with deep cutoffs)"),
        ("branching", _span, "A..B", "children of a node (default: 2..3)"),
        ("values", _span, "A..B", "values of the leaves (default: -9..9)"),
        ("cutoffs", whole(0, 1000), "N", "cutoffs at least (default: 1)"),
        ("deep", whole(0, 1000), "N", "deep cutoffs at least (default: 0)"),
    ):
        wishes.add_argument(f"--{name}", type=type, metavar=metavar, help=help)
    wishes.add_argument("--no-ties", action="store_true", help="no two leaves of equal value")
    wishes.add_argument(
        "--agree", action="store_true", help="windows and cuts the same under every convention"
    )
    parser.add_argument("--ask", metavar="WHAT", help="some of values,windows,cuts (default: all)")
    parser.add_argument(
        "--cut",
        choices=("ge", "gt"),
        help="the convention: cut when alpha >= beta, or only when alpha > beta",
    )
    parser.add_argument(
        "--bound", choices=("soft", "hard"), help="the convention: fail-soft or fail-hard"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help=f"write the sheet and, beside it, FILE-key: {', '.join(FORMS)} (default: print)",
    )
    parser.add_argument("--key", action="store_true", help="print the key too")
    parser.add_argument(
        "--answer",
        metavar="FILE",
        help='mark the answer in a JSON file: {"0.1": {"value": 3, "alpha": 2, "cut": false}, ...}',
    )
    add_json(parser)
    parser.set_defaults(run=run)


def _span(text: str) -> tuple[int, int]:
    """Return the two numbers of `2..3`, or of `3`."""
    match = re.fullmatch(r"(-?\d{1,3})(?:\.\.(-?\d{1,3}))?", text.replace("−", "-"))
    if match is None:
        raise argparse.ArgumentTypeError(f"{text[:40]!r}; expected two numbers such as 2..3")
    return int(match[1]), int(match[2] or match[1])


def run(arguments: argparse.Namespace) -> int:
    """Make the questions, and print or write the sheet, or mark an answer."""
    questions = _questions(arguments)
    if arguments.answer is not None:
        return _mark(questions, arguments.answer, arguments.json)
    if arguments.output is not None:
        _write(questions, arguments.output)
        return DONE
    if arguments.json:
        from plyscope.faces.sheets import question_data

        print_json([question_data(question) for question in questions])
        return DONE
    _print(questions, arguments.key)
    return DONE


def _questions(arguments: argparse.Namespace) -> tuple[Question, ...]:
    from plyscope.errors import OptionError
    from plyscope.lab.exam import DEEP_FROM, Wanted, make_questions
    from plyscope.lab.quiz import ASKED, Question
    from plyscope.rules.tree import parse_tree
    from plyscope.searching.conventions import Conventions

    given = {name: value for name, value in vars(arguments).items() if value is not None}
    conventions = Conventions(**{name: given[name] for name in ("cut", "bound") if name in given})
    asked = ASKED if arguments.ask is None else tuple(arguments.ask.split(","))
    wishes = ("depth", "branching", "values", "cutoffs", "deep")
    wanted = {name: given[name] for name in wishes if name in given}
    if arguments.deep:
        wanted.setdefault("depth", DEEP_FROM)
    wanted |= {"ties": False} if arguments.no_ties else {}
    wanted |= {"agree": True} if arguments.agree else {}
    if arguments.tree:
        if wanted or arguments.questions is not None:
            wish = min(wanted, default="questions")
            raise OptionError(f"{wish!r} with trees of your own; expected one or the other")
        return tuple(Question(parse_tree(text), conventions, asked) for text in arguments.tree)
    return make_questions(
        arguments.seed, arguments.questions or 1, Wanted(**wanted), conventions, asked
    )


def _print(questions: tuple[Question, ...], with_key: bool) -> None:
    from plyscope.faces.diagrams.narration import sentences
    from plyscope.faces.diagrams.text import tree_text
    from plyscope.faces.sheets import key_picture, question_picture, task

    out = console()
    for number, question in enumerate(questions, 1):
        out.print(f"Question {number}", style="bold")
        out.print(task(question), markup=False)
        out.print(tree_text(question_picture(question)))
        if with_key:
            out.print(f"\nKey to question {number}", style="bold")
            out.print(tree_text(key_picture(question)))
            for sentence in sentences(question.trace):
                out.print(sentence, markup=False)
        out.print()


def _write(questions: tuple[Question, ...], name: str) -> None:
    """Write the sheet and its key; SVG has one file for each question, JSON holds all in one."""
    import json

    from plyscope.errors import OptionError
    from plyscope.faces.diagrams.svg import tree_svg
    from plyscope.faces.sheets import key_picture, question_data, question_picture, sheet_text

    path = Path(name)
    if path.suffix not in FORMS:
        raise OptionError(f"output {name!r}; expected a name that ends in {', '.join(FORMS)}")
    key_path = path.with_stem(f"{path.stem}-key")
    files: dict[Path, str] = {}
    if path.suffix == ".json":
        data = [question_data(question) for question in questions]
        files[path] = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    elif path.suffix == ".svg":
        for number, question in enumerate(questions, 1):
            end = f"-{number}" if len(questions) > 1 else ""
            files[path.with_stem(f"{path.stem}{end}")] = tree_svg(question_picture(question))
            files[key_path.with_stem(f"{key_path.stem}{end}")] = tree_svg(key_picture(question))
    else:
        files = {
            file: sheet_text(questions, path.suffix[1:], file == key_path)
            for file in (path, key_path)
        }
    for file, text in files.items():
        write_file("output", file, text)
        print(f"wrote {file}", file=sys.stderr)


def _mark(questions: tuple[Question, ...], name: str, as_json: bool) -> int:
    """Mark the answer to the one question, and print what is wrong and why."""
    import json

    from plyscope.errors import NotationError, OptionError
    from plyscope.lab.quiz import mark, read_answer

    if len(questions) != 1:
        raise OptionError(f"answer {name!r} with {len(questions)} questions; expected one question")
    try:
        data = json.loads(Path(name).read_text(encoding="utf-8"))
    except OSError as error:
        raise NotationError(f"cannot read the answer {name!r}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise NotationError(
            f"cannot read the answer {name!r}: {str(error)[:120]}; expected JSON"
        ) from None
    if not isinstance(data, dict):
        raise NotationError(
            f"answer {str(data)[:40]!r} in {name!r}; expected an object, nodes by path"
        )
    marking = mark(questions[0], read_answer(questions[0], data))
    if as_json:
        print_json(marking.as_dict())
        return DONE
    from plyscope.faces.tables.trees import marking_table

    console().print(marking_table(questions[0], marking))
    return DONE
