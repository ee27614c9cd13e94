"""`plyscope exam`: generate question sheets with their keys from a seed, and mark answers.

Tree questions ask for a search by hand with minimax, alpha-beta or PVS (--ask
values,windows,cuts,again). Board questions ask for a heuristic's evaluation, the move that a search
of two plies chooses, or an order of moves (--ask evaluation,choice,order), or for the missing signs
of a strategy (--ask signs). The same seed and
options give the same sheet. The sheet states all rules of marking. `plyscope class new --assignment
trees` makes sheets for a class, and marks them.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from plyscope.datafile import read_table, write_file
from plyscope.errors import NotationError, OptionError, PlyscopeError
from plyscope.faces.cli.options import JSON, console, print_json, said_reading, say, seed_row, whole
from plyscope.faces.cli.rows import Group, Option
from plyscope.faces.cli.statuses import DONE
from plyscope.faces.progress import counting, thinking

if TYPE_CHECKING:
    from plyscope.lab.questions.quiz import Question
    from plyscope.lab.questions.quiz.boards import AnyQuestion
    from plyscope.rules.tree import ExplicitTree

CONSTRAINTS = ("depth", "branching", "values", "cutoffs", "deep", "again")
"""The constraints on a generated tree."""
TREE_SECONDS = 20
"""The time limit for generating one tree."""
MAX_GIVEN_POSITIONS = 3_000_000
"""The limit of the positions met in the search for signs in a given position."""
FORMS = (".html", ".pdf", ".md", ".tex", ".svg", ".json")


def _span(text: str) -> tuple[int, int]:
    """Return the numbers (2, 3) for `2..3`, and (3, 3) for `3`."""
    match = re.fullmatch(r"(-?\d{1,3})(?:\.\.(-?\d{1,3}))?", text.replace("−", "-"))
    if match is None:
        raise argparse.ArgumentTypeError(f"{text[:40]!r}; expected two numbers such as 2..3")
    return int(match[1]), int(match[2] or match[1])


TREES = Group(
    "constraints on the trees",
    Option("-d --depth N", "plies to the leaves (default: 3, or 4 with deep cutoffs)", whole(1, 8)),
    Option("--cuts N", "at least N cutoffs (default: 1)", whole(0, 1000), dest="cutoffs"),
    Option("--branching A..B", "children per node (default: 2..3)", _span),
    Option("--values A..B", "values of the leaves (default: -9..9)", _span),
    Option("--deep N", "at least N deep cutoffs (default: 0)", whole(0, 1000)),
    Option("--again N", "at least N re-searches of PVS (default: 1)", whole(0, 1000)),
    Option("--no-ties", "no two leaves of equal value"),
    Option("--agree", "the same windows and cuts under every convention"),
)
SHEETS = (
    Option(
        "-o --output FILE",
        f"write the sheet and, beside it, FILE-key: {', '.join(FORMS)} (default: print)",
    ),
    Option("--key", "also print the key"),
    Option(
        "--answer FILE",
        "mark the answer in a JSON file (- for standard input). Nodes have the letters of the "
        'sheet: {"B": {"value": 3, "window": [null, 5]}, "D2": {"cut": true}}, where D2 is the '
        'second child of D, and null is infinity. On boards: {"move": "b2", "value": 5}, '
        '{"order": "b2 a1"}, {"signs": "A3 B0"}. Several questions have numbers: '
        '{"1": {...}, ...}. A CSV file has a row for each node',
    ),
)
HELP = "generate question sheets with keys, and mark answers"
OPTIONS = (
    Option(
        "tree TREE*",
        "trees such as [[3,5],[6,9]], or positions such as XO./.X./..O (default: generated "
        "from the seed)",
    ),
    seed_row("the questions", 1),
    Option("-n --questions N", "generate N questions (default: 1)", whole(1, 100)),
    TREES,
    Option(
        "-A --algorithm NAME",
        "the algorithm to search by: minimax, alphabeta or pvs (default: alphabeta)",
        ("minimax", "alphabeta", "pvs"),
    ),
    Option(
        "--ask WHAT",
        "for trees, some of values,windows,cuts,again (default: all that the algorithm has); for "
        "boards, some of evaluation,choice,order, in turn (default: these), or signs",
    ),
    Group(
        "boards",
        Option("-g --game GAME", "a line game (default: tictactoe; for signs 5,4,4,gravity)"),
        Option("-H --heuristic NAME", "the heuristic in the questions (default: the game's usual)"),
        Option("--plies N", "the search depth of `choice` (default: 2)", whole(1, 4)),
        Option("--missing N", "the number of missing signs (default: 2)", whole(1, 6)),
    ),
    Option(
        "--cut",
        "the convention of alphabeta: cut when alpha >= beta (ge), or only when alpha > beta (gt)",
        ("ge", "gt"),
    ),
    Option("--bound", "the convention: fail-soft or fail-hard", ("soft", "hard")),
    *SHEETS,
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Make the questions, and print or write the sheets, or mark answers."""
    questions = _questions(arguments)
    if arguments.answer is not None:
        return _mark(questions, arguments.answer, arguments.json)
    if arguments.output is not None:
        _write(questions, _output(arguments.output), arguments.json)
        return DONE
    if arguments.json:
        from plyscope.faces.sheets.paper import question_data

        print_json([question_data(question) for question in questions])
        return DONE
    _print(questions, arguments.key)
    return DONE


def _questions(arguments: argparse.Namespace) -> tuple[AnyQuestion, ...]:
    from plyscope.lab.questions.quiz.boards import BOARD_ANSWERS, BOARD_ITEMS

    asked = () if arguments.ask is None else tuple(arguments.ask.split(","))
    of_boards = _given(arguments, "game", "heuristic", "plies", "missing")
    if not asked and of_boards and not arguments.tree:
        asked = BOARD_ITEMS
    if not asked or not set(asked) <= set(BOARD_ANSWERS):
        for name in of_boards:
            expected = f"--ask {','.join(BOARD_ANSWERS)}, or some of them"
            raise OptionError(f"--{name} with a question on a tree; expected {expected}")
        return _on_trees(arguments, asked)
    if constraints := _given(arguments, *CONSTRAINTS, "algorithm", "cut", "bound"):
        raise OptionError(f"--{min(constraints)} with a question on a board; expected a tree")
    if "missing" in of_boards and "signs" not in asked:
        raise OptionError(f"--missing with --ask {','.join(asked)}; expected --ask signs")
    return _on_boards(arguments, asked)


def _given(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Return those of the options `names` that the user gave, by name."""
    return {name: value for name in names if (value := getattr(arguments, name)) is not None}


def _on_trees(arguments: argparse.Namespace, asked: tuple[str, ...]) -> tuple[Question, ...]:
    from plyscope.lab.questions.exam.trees import default_constraints, make_questions
    from plyscope.lab.questions.quiz import Question
    from plyscope.lab.questions.quiz.boards import BOARD_ANSWERS
    from plyscope.lab.questions.quiz.question import ITEMS_OF
    from plyscope.searching.algorithms import ALGORITHMS
    from plyscope.searching.conventions import Conventions

    conventions = Conventions(**_given(arguments, "cut", "bound"))
    algorithm = arguments.algorithm or "alphabeta"
    if set(asked) - set(known := ITEMS_OF[algorithm]):
        raise OptionError(
            f"asked for {', '.join(asked)!r}; expected some of {', '.join(known)}, "
            f"or on boards of {', '.join(BOARD_ANSWERS)}"
        )
    for name, value in _given(arguments, "cut", "bound").items():
        if name not in ALGORITHMS[algorithm].takes and value != getattr(Conventions(), name):
            raise OptionError(
                f"--{name} {value} with {algorithm}; expected alphabeta, or no --{name}"
            )
    constraints = _given(arguments, *CONSTRAINTS)
    constraints |= {"ties": False} if arguments.no_ties else {}
    constraints |= {"agree": True} if arguments.agree else {}
    if arguments.tree:
        if constraints or arguments.questions is not None:
            wish = min(constraints, default="questions")
            raise OptionError(f"{wish!r} with trees of your own; expected one or the other")
        return tuple(
            Question(_tree(text), conventions, asked, algorithm) for text in arguments.tree
        )
    number, wanted = arguments.questions or 1, default_constraints(algorithm, **constraints)
    most, began = TREE_SECONDS * number, perf_counter()
    with counting("trees tried") as tell:

        def progress(tried: int) -> None:
            tell(tried)
            if perf_counter() - began > most:
                expected = "fewer cutoffs, more depth, or no agreement"
                raise OptionError(f"no such tree found in {most} seconds; expected {expected}")

        return make_questions(
            arguments.seed, number, wanted, conventions, asked, algorithm, progress
        )


def _tree(text: str) -> ExplicitTree:
    """Return the tree of a text; raise OptionError for a board, which needs `--ask`."""
    from contextlib import suppress

    from plyscope.lab.questions.quiz.boards import BOARD_ANSWERS
    from plyscope.rules.source import as_position
    from plyscope.rules.tree import parse_tree

    try:
        tree = parse_tree(text)
        say([tree.said] * bool(tree.said))
        return tree
    except NotationError:
        board = None
        with suppress(PlyscopeError):
            board = as_position(text)
        if board is None:
            raise
    raise OptionError(
        f"board {text[:40]!r} without --ask; expected --ask with some of {','.join(BOARD_ANSWERS)}"
    )


def _on_boards(arguments: argparse.Namespace, asked: tuple[str, ...]) -> tuple[AnyQuestion, ...]:
    from random import Random

    from plyscope.lab.questions.exam.boards import signs_question
    from plyscope.lab.questions.exam.exam import exam
    from plyscope.lab.questions.exam.strategies import strategy_of
    from plyscope.lab.questions.quiz.boards import BoardQuestion
    from plyscope.rules.position import Position

    heuristic, depth, missing = arguments.heuristic, arguments.plies or 2, arguments.missing or 2

    def question(position: Position, item: str) -> AnyQuestion:
        if item != "signs":
            return BoardQuestion(position=position, heuristic=heuristic, item=item, depth=depth)
        strategy = strategy_of(
            position, missing, Random(f"exam {arguments.seed}"), MAX_GIVEN_POSITIONS
        )
        if strategy is None:
            raise OptionError(
                f"no signs to ask for were found in {str(position)!r}; expected a position that "
                "has them, fewer missing signs, or another seed"
            )
        return signs_question(position, strategy)

    if arguments.tree:
        positions = [said_reading(text, arguments.game).end for text in arguments.tree]
        for position, text in zip(positions, arguments.tree, strict=True):
            if not isinstance(position, Position):
                raise OptionError(f"a question on {text[:40]!r}; expected a board of a line game")
        return tuple(question(position, item) for position in positions for item in asked)
    usual = "5,4,4,gravity" if "signs" in asked else "tictactoe"
    game, number = arguments.game or usual, arguments.questions or len(asked)
    with thinking(lambda: "drawing questions (Ctrl-C stops)"):
        return exam(
            number,
            seed=arguments.seed,
            ask=asked,
            game=game,
            heuristic=heuristic,
            plies=depth,
            missing=missing,
        ).questions


def _print(questions: tuple[AnyQuestion, ...], with_key: bool) -> None:
    from plyscope.faces.sheets.paper import heading, sheet_of, sheets_of

    out = console()
    common, sheets = sheets_of(questions, with_key=False)
    for number, (question, sheet) in enumerate(zip(questions, sheets, strict=True), 1):
        out.print(heading(number, question, with_key=False), style="bold")
        for sentence in sheet.words:
            out.print(sentence)
        out.print(sheet.text)
        if with_key:
            key = sheet_of(question, with_key=True)
            out.print(f"\nKey to question {number}", style="bold")
            out.print(key.text)
            for sentence in key.words:
                out.print(sentence)
        out.print()
    out.print("Rules", style="bold")
    for sentence in common:
        out.print(sentence)


def _output(name: str) -> Path:
    path = Path(name)
    if path.suffix == ".png":
        raise OptionError(
            f"output {name!r}: a sheet has pages; expected .pdf, or .svg for one picture a question"
        )
    if path.suffix not in FORMS:
        raise OptionError(f"output {name!r}; expected a name that ends in {', '.join(FORMS)}")
    return path


def _write(questions: tuple[AnyQuestion, ...], path: Path, as_json: bool) -> None:
    """Write the sheet and its key, and print the names of the files.

    SVG has one file for each question and each key. JSON is one file with questions and keys.
    """
    import json

    from plyscope.faces.sheets.paper import question_data, sheet_of, sheet_pdf, sheet_text

    sheet_and_key = ((path, False), (path.with_stem(f"{path.stem}-key"), True))
    files: dict[Path, str | bytes] = {}
    if path.suffix == ".json":
        data = [question_data(question) for question in questions]
        files[path] = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    elif path.suffix == ".svg":
        for number, question in enumerate(questions, 1):
            end = f"-{number}" if len(questions) > 1 else ""
            for file, is_key in sheet_and_key:
                files[file.with_stem(f"{file.stem}{end}")] = sheet_of(question, is_key).svg
    else:
        for file, is_key in sheet_and_key:
            if path.suffix == ".pdf":
                files[file] = sheet_pdf(questions, is_key)
            else:
                files[file] = sheet_text(questions, path.suffix[1:], is_key)
    for file, content in files.items():
        write_file("output", file, content)
    if as_json:
        print_json({"files": list(map(str, files))})
        return
    names = list(map(str, files))
    if len(names) > 2:
        names = [f"{len(questions)} sheets and keys: {names[0]} to {names[-1]}"]
    for name in names:
        print(f"wrote {name}", file=sys.stderr)


def _mark(questions: tuple[AnyQuestion, ...], name: str, as_json: bool) -> int:
    """Mark the answers to the questions, and print the mistakes with reasons."""
    from plyscope.lab.questions.quiz.boards import mark_written

    notes: list[str] = []
    answers = _answers_in(Path(name), questions, notes)
    markings = [mark_written(*pair, notes) for pair in zip(questions, answers, strict=True)]
    say(f"not read: {note}" for note in notes)
    if as_json:
        marked = [marking.as_dict() for marking in markings]
        print_json(marked[0] if len(marked) == 1 else marked)
        return DONE
    from plyscope.faces.findings.quiz import marking_section
    from plyscope.faces.texts import finding

    for number, (question, marking) in enumerate(zip(questions, markings, strict=True), 1):
        if len(questions) > 1:
            console().print(f"Question {number}", style="bold")
        console().print(finding(marking_section(question, marking)))
    return DONE


def _answers_in(
    file: Path, questions: tuple[AnyQuestion, ...], notes: list[str]
) -> list[dict[str, Any]]:
    """Return the answers to the questions in a JSON or CSV file. Raises NotationError; what cannot
    be read in a CSV file is added to the notes."""
    import json

    from plyscope.lab.questions.quiz.table import answers_of, columns_of

    if file.suffix == ".csv":
        return answers_of(questions, read_table(file, "answers", columns_of(questions)), notes)
    name, number = str(file), len(questions)
    try:
        text = sys.stdin.read() if name == "-" else file.read_text(encoding="utf-8-sig")
        data = json.loads(text)
    except OSError as error:
        raise NotationError(f"cannot read the answer {name!r}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise NotationError(
            f"cannot read the answer {name!r}: {str(error)[:120]}; expected JSON"
        ) from None
    if not isinstance(data, dict):
        raise NotationError(
            f"answer {str(data)[:40]!r} in {name!r}; expected an object, nodes by their letters"
        )
    numbers = [str(each) for each in range(1, number + 1)]
    if number == 1:
        data = {"1": data}
    if unknown := set(data) - {*numbers}:
        raise NotationError(
            f"answer to {min(unknown)[:40]!r} in {name!r}; "
            f"expected the numbers of questions, 1 to {number}"
        )
    answers = [data.get(each, {}) for each in numbers]
    if wrong := [each for each in answers if not isinstance(each, dict)]:
        raise NotationError(f"answer {str(wrong[0])[:40]!r} in {name!r}; expected an object")
    return answers
