"""A new class: the assignment, and the hand-out for students."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from html import escape
from pathlib import Path
from string import Template
from textwrap import fill
from typing import Any

from plyscope.datafile import csv_text, read_data
from plyscope.display import times
from plyscope.errors import OptionError
from plyscope.evaluation.heuristics import HEURISTICS
from plyscope.lab.agents.searches import SearchAgent
from plyscope.lab.judging.whole import WholeGame
from plyscope.lab.people.files import files_of_game
from plyscope.lab.questions.quiz.table import blank_table
from plyscope.rules.linegame import LineGame
from plyscope.rules.source import game_of
from plyscope.solving.solvers import plan_of
from plyscope_class.assignment import (
    ASSIGNMENT_FILE,
    FURTHER,
    HANDOUT_FOLDER,
    KINDS,
    PARTS_OF,
    TEACHER_FOLDER,
    AlgorithmOptions,
    Assignment,
    CardOptions,
    CheckOptions,
    LadderOptions,
    LeagueOptions,
    Rubric,
    baseline,
)
from plyscope_class.grade import PARTS, TITLES
from plyscope_class.judge import MAX_CERTIFIED, SMALL_CELLS
from plyscope_class.ladder import FULL_SCORE, MIN_SCORE
from plyscope_class.run import SUBMISSIONS, write_text
from plyscope_class.sheet import answers_with, sheet_of
from plyscope_class.submission_process import Budget

BASELINES = (
    "random",
    "level-2",
    "level-4",
    "alphabeta heuristic=counted-lines depth=2 ties=random",
)
"""The baselines, from weak to strong. Perfect play beats each of them, and so does a search with
counted lines that is one ply deeper."""
LARGE_PAIRS = 24
"""Pairs of games on larger boards, where games take longer."""


def usual_assignment(game: str, interface: str, seed: int) -> Assignment:
    """Return a default assignment, with the parts of the rubric that can be measured on the
    game."""
    rules = game_of(game)
    card = CardOptions() if isinstance(rules, LineGame) else CardOptions(full="")
    plain = Assignment(game=game, interface=interface, seed=seed, report_card=card).checked()
    what = {"heuristic": "A heuristic", "agent": "An agent", "table": "A table"}[interface]
    titled = replace(plain, title=f"{what} for {rules.name}")
    if not isinstance(rules, LineGame):
        return _of_any_game(titled)
    ladder = LadderOptions(baselines=BASELINES, opening_plies=2)
    if rules.size <= SMALL_CELLS:
        return replace(titled, ladder=ladder).checked()
    ladder = replace(ladder, pairs=LARGE_PAIRS)
    if plan_of(rules).has_distances:
        card, rubric = (
            CardOptions(samples=500),
            Rubric(report_card=40.0, certificate=0.0, ladder=40.0),
        )
    else:
        card, rubric = CardOptions(), Rubric(report_card=0.0, certificate=0.0, ladder=80.0)
    check = CheckOptions(colours=not rules.gravity)
    return replace(titled, ladder=ladder, report_card=card, rubric=rubric, check=check).checked()


def _of_any_game(plain: Assignment) -> Assignment:
    ladder = LadderOptions(baselines=("random", "level-2", "level-4"), opening_plies=1)
    try:
        positions = len(WholeGame(plain.rules).positions)
    except OptionError:
        rubric = Rubric(report_card=0.0, certificate=0.0, ladder=80.0)
        return replace(plain, ladder=ladder, rubric=rubric)
    is_small = positions <= MAX_CERTIFIED
    rubric = Rubric() if is_small else Rubric(report_card=40.0, certificate=0.0, ladder=40.0)
    return replace(plain, ladder=ladder, rubric=rubric)


def make_class(folder: str | Path, assignment: Assignment, name: str = "") -> list[Path]:
    """Write the folder of a class, of the ready-made assignment `name` if given; return its files.

    Raises OptionError if the folder has an assignment.
    """
    folder = Path(folder)
    if (folder / ASSIGNMENT_FILE).exists():
        raise OptionError(
            f"{str(folder / ASSIGNMENT_FILE)!r} exists already; expected a new folder"
        )
    students = for_students(assignment)
    if students.seed == assignment.seed:
        raise OptionError(f"seed {assignment.seed} is that of the hand-out; expected another one")
    games = {Path(name).name: Path(name) for name in files_of_game(assignment.rules)}
    if assignment.interface == "answers":
        students = replace(students, file=PRACTICE)
    files = {
        folder / ASSIGNMENT_FILE: assignment_text(assignment),
        folder / HANDOUT_FOLDER / ASSIGNMENT_FILE: assignment_text(students),
    }
    if name:
        files |= {folder / path: text for path, text in _files_of(name, assignment)}
    else:
        files |= {
            folder / HANDOUT_FOLDER / assignment.file: stub(assignment),
            folder / HANDOUT_FOLDER / "README.md": page(assignment),
        }
    for file, game in games.items():
        text = game.read_text(encoding="utf-8")
        files |= {folder / file: text, folder / HANDOUT_FOLDER / file: text}
    for path, text in files.items():
        write_text(path, text)
    (folder / SUBMISSIONS).mkdir(exist_ok=True)
    return list(files)


def for_students(assignment: Assignment) -> Assignment:
    """Return the assignment that students get, with another seed.

    Their seed depends on public words alone, so that nobody can find the grader's seed by trying
    out which one it comes from.
    """
    words = f"hand-out {assignment.title} {Path(assignment.game).name} {assignment.interface}"
    digest = sha256(words.encode()).digest()
    return replace(assignment.for_all, seed=int.from_bytes(digest[:8], "big") >> 1)


def ready_assignment(name: str, game: str | None, seed: int) -> Assignment:
    """Return the assignment `name`, one of those that come with all files, by default on its usual
    game."""
    if name == "trees":
        if game is not None:
            raise OptionError(f"trees on {game[:40]!r}; expected no game")
        options = AlgorithmOptions(kind="alphabeta", trees=4, tree_depth=3)
        return Assignment(
            title="Trees by hand", interface="answers", seed=seed, algorithm=options
        ).checked()
    if name in KINDS:
        rules = game_of(game or "tictactoe")
        options = AlgorithmOptions(kind=name)
        if name == "alphabeta":
            options = replace(options, boards=8, further=FURTHER)
        title = {"minimax": "Minimax", "alphabeta": "Alpha-beta"}[name]
        return Assignment(
            title=f"{title}, on trees and {rules.name}",
            game=game or "tictactoe",
            interface="algorithm",
            seed=seed,
            algorithm=options,
        ).checked()
    wanted = {"evaluation": "connect4", "agent": "tictactoe"}[name]
    if game not in (None, wanted):
        raise OptionError(f"{name} on {str(game)[:40]!r}; expected {wanted}")
    if name == "agent":
        usual = usual_assignment(wanted, "agent", seed)
        title = f"An agent for {usual.rules.name}, and its league"
        return replace(usual, title=title, league=LeagueOptions(extra=5.0)).checked()
    usual = usual_assignment("connect4", "heuristic", seed)
    return replace(
        usual,
        title=f"An evaluation for {usual.rules.name}",
        rubric=Rubric(check=30.0, report_card=70.0, certificate=0.0, ladder=0.0),
        report_card=CardOptions(depths=2, samples=1_000),
        league=LeagueOptions(pairs=0),
    ).checked()


def _files_of(name: str, assignment: Assignment) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of the hand-out and of the teacher's folder of an assignment."""
    folders = (name, *LOOKED_IN.get(name, ()), "common")
    mistakes = read_data(TEMPLATES / name / "mistakes.toml", "mistakes")
    words = {
        "title": assignment.title,
        "file": assignment.file,
        "function": assignment.function,
        "game": _game_name(assignment),
        "name": name,
        "task": _template("task.md", name),
        "total": f"{assignment.rubric.total:g}",
        "rows": _rubric_rows(assignment),
        "page": PAGE_ADDRESS,
        "steps": _steps(name),
        "explained": "\n".join(map(_filled, _words(assignment))),
        "limits": _filled(_limits(assignment)),
        "due": due_words(assignment),
        "own": f"\n\n{OWN_SHEET}" if assignment.algorithm.students else "",
        "mistakes": "\n".join(
            f"| {each['name']} | {each['says']} |" for each in mistakes["mistakes"]
        ),
    }
    for key, text in tomllib.loads(_template("words.toml", *folders)).items():
        words[key] = Template(text.lstrip("\n")).substitute(words)
    given_stub = _stub_of(name, assignment)
    notebook = json.loads(_template("notebook.json", *folders))
    for cell in notebook["cells"]:
        text = Template("".join(cell["source"])).substitute(words)
        text = text.replace("@@STUB@@", f"%%writefile {assignment.file}\n{given_stub}")
        cell["source"] = text.rstrip("\n").splitlines(keepends=True)
    tests = {file.name for each in folders for file in (TEMPLATES / each).glob("test_*.txt")}
    texts = {f"{HANDOUT_FOLDER}/{file[:-4]}.py": file for file in sorted(tests)}
    texts |= {
        f"{HANDOUT_FOLDER}/README.md": "README.md",
        f"{TEACHER_FOLDER}/README.md": "teacher.md",
        f"{TEACHER_FOLDER}/lecture.html": "lecture.html",
    }
    for path, file in texts.items():
        yield path, Template(_template(file, *folders)).substitute(words)
    if not assignment.algorithm.students:
        yield f"{HANDOUT_FOLDER}/{assignment.file}", given_stub
    text = json.dumps(notebook, indent=1, ensure_ascii=False)
    yield f"{HANDOUT_FOLDER}/{name}.ipynb", f"{text}\n"
    yield f"{TEACHER_FOLDER}/{assignment.file}", _solution_of(name, assignment)
    if assignment.interface == "answers":
        practice = sheet_of(for_students(assignment))
        yield f"{HANDOUT_FOLDER}/{PRACTICE}", csv_text(blank_table(practice))
    yield f"{TEACHER_FOLDER}/mistakes/{ASSIGNMENT_FILE}", assignment_text(assignment.for_all)
    parts = [part for part in PARTS if part in mistakes["mistakes"][0]]
    expected = [["id", *(f"{end}_{part}" for part in parts for end in ("least", "most"))]]
    suffix = Path(assignment.file).suffix
    for key, text, shares in _typical(mistakes, assignment.for_all):
        yield f"{TEACHER_FOLDER}/mistakes/{SUBMISSIONS}/{key}{suffix}", text
        expected.append([key, *(str(share) for part in parts for share in shares[part])])
    yield f"{TEACHER_FOLDER}/mistakes/expected.csv", csv_text(expected)


def _typical(
    mistakes: dict[str, Any], assignment: Assignment
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the id and the text of each submission with a typical mistake, and, by part, the least
    and the greatest share of points that it should get."""
    for base, variant in mistakes["bases"].items():
        for each in mistakes["mistakes"]:
            key = f"{each['name']}-{base}"
            if assignment.interface == "answers":
                rows = answers_with(each["name"], sheet_of(assignment), variant)
                is_whole = variant == mistakes["bases"]["all"]
                most = each["answers"][1] if is_whole else 1.0
                yield key, csv_text(rows), {"answers": [each["answers"][0], most]}
                continue
            own = {slot: each[slot] for slot in mistakes["slots"] if slot in each}
            slots = mistakes["slots"] | own
            yield key, Template(variant).substitute(slots).lstrip("\n"), each


def _steps(name: str) -> str:
    """Return the steps of the lecture as list items, each with a link to a place on the page."""
    steps = read_data(TEMPLATES / name / "lecture.toml", "lecture")["steps"]
    items = []
    for number, step in enumerate(steps, 1):
        href = escape(f"{PAGE_ADDRESS}/#{step['place']}")
        items.append(
            f'<li><input type="checkbox" id="step-{number}" aria-label="done: '
            f'{escape(step["name"])}"><a target="_blank" data-box="step-{number}" href="{href}">'
            f"{escape(step['name'])}</a><p>{escape(step['says'])}</p></li>"
        )
    return "\n".join(items)


PAGE_ADDRESS = "http://127.0.0.1:8765"
"""Where `plyscope web` serves the page."""


def _stub_of(name: str, assignment: Assignment) -> str:
    """Return the file that students complete."""
    if assignment.interface == "answers":
        return csv_text(blank_table(sheet_of(assignment)))
    own = TEMPLATES / name / "stub.py"
    return own.read_text(encoding="utf-8") if own.exists() else stub(assignment)


def _solution_of(name: str, assignment: Assignment) -> str:
    """Return the model solution."""
    if assignment.interface == "answers":
        tables = {
            student: answers_with("right", sheet_of(assignment, student), ())
            for student in assignment.algorithm.students or ("",)
        }
        return csv_text(with_students(tables))
    return _template(f"solution{Path(assignment.file).suffix}", name)


def with_students(tables: Mapping[str, list[list[str]]]) -> list[list[str]]:
    """Return one table of the tables of students, with their names in the first column; without
    it, the table of `""`, which is for all."""
    if list(tables) == [""]:
        return tables[""]
    head = next(iter(tables.values()))[0]
    rows = [[name, *row] for name, table in tables.items() for row in table[1:]]
    return [["student", *head], *rows]


OWN_SHEET = """Your teacher gives you a sheet and an `answers.csv` with your name; other students
have other trees. Put both into this folder."""
READY = ("trees", "minimax", "alphabeta", "evaluation", "agent")
"""The names of the whole assignments, in the order of a course."""
PRACTICE = "practice.csv"
"""The table of the students' practice sheet."""
LOOKED_IN = {
    "minimax": ("algorithm",),
    "alphabeta": ("algorithm",),
    "evaluation": ("judged",),
    "agent": ("judged",),
}
"""Folders of templates that several assignments share, by assignment."""
TEMPLATES = Path(__file__).parent / "assignments"
"""The files of the ready-made assignments: a folder for each, `algorithm` and `judged` with the
files of each kind, and `common` with those of all."""


def _template(file: str, *folders: str) -> str:
    """Return the text of a file in the first of the folders that has it."""
    paths = (TEMPLATES / folder / file for folder in folders)
    return next(path for path in paths if path.exists()).read_text(encoding="utf-8")


Row = tuple[str, Any, str]
"""A line of `assignment.toml`: the key, its value (None for the head of a table), a comment."""


def assignment_text(assignment: Assignment) -> str:
    """Return the text of `assignment.toml`, with a comment on each line."""
    due = assignment.due
    rows = [
        ("title", assignment.title, ""),
        *_game_rows(assignment),
        ("[rubric]", None, "points; a part with 0 is not judged"),
        *_points_rows(assignment),
        ("[due]", None, ""),
        ("at", due.at, '2026-12-04 23:59, or with an offset such as +01:00; "": none'),
        ("grace_minutes", due.grace_minutes, "after the due date, in which nothing is late"),
        ("points_a_day", due.points_a_day, "taken away for each day begun; 0 only marks late ones"),
        ("days", due.days, "begun, after which all points are taken away; 0: no limit"),
        ("[gradescope]", None, "parts of the rubric that students do not see there, or see later"),
        ("hidden", list(assignment.gradescope.hidden), ""),
        ("after_due_date", list(assignment.gradescope.after_due_date), ""),
        ("after_published", list(assignment.gradescope.after_published), ""),
        ("require_sandbox", assignment.gradescope.require_sandbox, "grade only in a whole sandbox"),
        *_measured_rows(assignment),
    ]
    lines = [f"# {assignment.title}"]
    for key, value, words in rows:
        text = key if value is None else f"{key} = {_toml(value)}"
        lines.append(f"{text:<30} # {words}" if words else text)
    return "\n".join(lines) + "\n"


def _game_rows(assignment: Assignment) -> list[Row]:
    """Return the lines of the game, the submitted file, the limits and the check."""
    limits, check, interface = assignment.limits, assignment.check, assignment.interface
    kinds = "heuristic, agent (a function choose), table, algorithm, answers"
    file = ("file", assignment.file, "the submitted file")
    seed = ("seed", assignment.seed, "of all random numbers")
    if interface == "answers":
        return [("interface", interface, kinds), file, seed]
    depth = ("nodes", assignment.nodes) if assignment.nodes else ("depth", assignment.depth)
    rows: list[Row] = [
        ("game", _game_name(assignment), "a name, m,n,k, or the file of a game beside this one"),
        ("interface", interface, kinds),
        file,
        ("function", assignment.function, "its function"),
        (*depth, "limit of a search with a submission: depth in plies, or nodes"),
        seed,
        ("[limits]", None, "reaching one is a finding"),
        ("import_seconds", limits.import_seconds, "to run the file"),
        ("call_seconds", limits.call_seconds, "for one value or move; five times for an algorithm"),
        (
            "total_seconds",
            limits.total_seconds,
            "for all answers; 0: 600 times call_seconds, of an agent 1800",
        ),
        ("megabytes", limits.megabytes, ""),
        ("[check]", None, ""),
    ]
    if interface != "algorithm":
        rows += [
            ("positions", check.positions, "of random games"),
            ("symmetry", check.symmetry, "a mirrored position has the same value"),
            ("colours", check.colours, "both sides are valued by the same rule"),
        ]
    return [*rows, ("forbidden", list(check.forbidden), "modules that must not be imported")]


def _points_rows(assignment: Assignment) -> Iterator[Row]:
    """Yield the lines of the rubric: the parts of the interface, and the others that are not 0
    unless it is written."""
    rubric, usual = assignment.rubric, Rubric()
    words = {
        "check": "points for the share of items that hold",
        "report_card": "few wrong moves, between no heuristic and `full`",
        "certificate": "never loses, on each side for which this is possible",
        "ladder": "the score against the baselines",
        "values": "right values and moves",
        "visits": "right nodes in the right order",
        "nodes": "few nodes in the functions of `further`",
        "answers": "right answers on the sheet",
        "manual": "points that you give by hand, in manual.csv",
    }
    own = PARTS_OF.get(assignment.interface, ())
    for name, text in words.items():
        points = getattr(rubric, name)
        if points or name in own or name == "manual" or getattr(usual, name):
            yield name, points, text


def _measured_rows(assignment: Assignment) -> list[Row]:
    """Return the lines on what is measured."""
    asked, card, ladder = assignment.algorithm, assignment.report_card, assignment.ladder
    kind: Row = ("kind", asked.kind, "minimax or alphabeta")
    given: Row = ("given", list(asked.given), "your own trees, as texts")
    if assignment.interface == "answers":
        return [
            ("[algorithm]", None, "the trees"),
            kind,
            ("cut", asked.cut, "cut at alpha >= beta (ge), or alpha > beta (gt)"),
            ("bound", asked.bound, "fail-soft, or fail-hard (hard)"),
            ("trees", asked.trees, "drawn trees; the first is for minimax"),
            ("tree_depth", asked.tree_depth, ""),
            given,
            ("students", list(asked.students), "names; each has a sheet of their own"),
        ]
    if assignment.interface == "algorithm":
        return [
            ("[algorithm]", None, "the questions"),
            kind,
            ("cut", asked.cut, "cut at alpha >= beta (ge), alpha > beta (gt), or any"),
            ("bound", asked.bound, "fail-soft, fail-hard (hard), or any"),
            ("trees", asked.trees, "drawn trees, with some special ones"),
            ("tree_depth", asked.tree_depth, ""),
            ("windows", asked.windows, "more trees, called with other windows (alphabeta)"),
            ("boards", asked.boards, "positions of the game, searched to `depth`"),
            ("heuristic", asked.heuristic, 'of the game; "" is the usual one'),
            given,
            ("further", list(asked.further), "some of ordered, table, deepening"),
            ("further_boards", asked.further_boards, "positions for each of them"),
            ("further_depth", asked.further_depth, ""),
        ]
    return [
        ("[report_card]", None, ""),
        ("depths", card.depths, "searches of 1 to this many plies"),
        ("samples", card.samples, "positions of random games; 0: all positions"),
        ("full", card.full, "full points for no more wrong moves than this heuristic"),
        ("[ladder]", None, ""),
        ("baselines", list(ladder.baselines), ""),
        ("pairs", ladder.pairs, "openings, each played from both sides"),
        ("opening_plies", ladder.opening_plies, ""),
        ("[league]", None, "of all submissions"),
        ("pairs", assignment.league.pairs, "of games in each match; 0: no league"),
        ("extra", assignment.league.extra, "extra points of the first place; the last has none"),
    ]


def _game_name(assignment: Assignment) -> str:
    """Return the name of the game; for a game in a file, relative to the file's folder."""
    has_file = bool(files_of_game(assignment.rules))
    return Path(assignment.game).name if has_file else assignment.game


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return f"{value:g}" if isinstance(value, float) else str(value)


# The stubs for students

STUB_HEAD = '''"""{title}. Hand in this file.

    plyscope class check {file}     checks it and estimates its grade
    {look}

The grader uses it in a search of {limit}, never by the clock.
"""


'''
BOARD_STUB = '''def {function}(board, player):
    """Return how good the position is for `player`, as a whole number: more is better.

    `board` is a list of rows from the top; 0 is an empty cell, 1 is X, 2 is O. `player` is 1 or 2,
    not always the side to move. Evaluate the position itself: the search looks ahead.
    """
    opponent = 3 - player
    return central_stones(board, player) - central_stones(board, opponent)


def central_stones(board, player):
    """Return the number of a player's stones, weighted towards the centre. Change this first."""
    height, width = len(board), len(board[0])
    total = 0
    for row in range(height):
        for column in range(width):
            if board[row][column] == player:
                total += min(row + 1, height - row) + min(column + 1, width - column)
    return total
'''
BITBOARDS_STUB = '''def {function}(mine, theirs, lines):
    """Return how good the position is for me, as a whole number: more is better.

    `mine` and `theirs` are whole numbers with a bit for each stone; `lines` has such a number for
    each winning line. Evaluate the position itself: the search looks ahead.
    """
    total = 0
    for line in lines:
        if not line & theirs:
            total += (line & mine).bit_count()
        if not line & mine:
            total -= (line & theirs).bit_count()
    return total
'''
STATE_STUB = '''def {function}(state):
    """Return how good a state of the game is for the player who moves first, as a whole number.

    `state` is a state of the game, as its methods take it. Evaluate the state itself: the search
    looks ahead.
    """
    return 0
'''
AGENT_STUB = '''def {function}(position):
    """Return the move to play: one of `position.moves`.

    `position.side` is 0 for X and 1 for O. `position.play(move)` returns the position after a move,
    which has `is_over` and `winner` (None for a draw). print(position) shows a position.
    """
    for move in position.moves:
        after = position.play(move)
        if after.is_over and after.winner == position.side:
            return move
    return position.moves[len(position.moves) // 2]
'''
TABLE_STUB = """# {title}. Hand in this file.
#
#     plyscope class check {file}     checks it and estimates its grade
#     {look}
#
# The grader uses it in a search of {limit}, never by the clock. The page "Your heuristic" of
# plyscope's documents explains more keys.

name = "mine"
mine = {mine}    # value of a line with 0, 1, 2, ... stones of mine and none of the other side
"""


def stub(assignment: Assignment) -> str:
    """Return the stub for students: it runs, but gets full points for no part of the rubric."""
    rules = assignment.rules
    searched = _searched(assignment)
    game = _game_name(assignment)
    look = f"plyscope report-card {assignment.file} -g {game}"
    if assignment.report_card.samples:
        look += f" --samples {assignment.report_card.samples}"
    if assignment.interface == "agent":
        look = f"plyscope match {assignment.file}:{assignment.function} random -g {game}"
    words = {
        "title": assignment.title,
        "file": assignment.file,
        "function": assignment.function,
        "look": look,
        "limit": searched,
    }
    if isinstance(rules, LineGame) and assignment.interface == "table":
        mine = [0, *(2 * count - 1 for count in range(1, rules.longest_line)), 100]
        return TABLE_STUB.format(**words, mine=mine)
    if assignment.interface == "agent":
        about = STUB_HEAD.replace("uses it in a search of {limit}", "judges its moves")
        return about.format(**words) + AGENT_STUB.format(**words)
    text = STATE_STUB
    if isinstance(rules, LineGame):
        text = BOARD_STUB if len(rules.shape) == 2 else BITBOARDS_STUB
    return STUB_HEAD.format(**words) + text.format(**words)


PAGE = """# {title}

Hand in one file, `{file}`{function}. The stub in this folder already works; make it better.{due}

## Try it

You need Python 3.11 or later, and the two files `plyscope….whl` that come with this page.

```sh
pip install plyscope*.whl
plyscope class check {file}
```

The second command runs the grader's checks on your file and estimates your grade. Every finding is
a sentence with a position. The grader draws other positions and openings, so expect a few points
more or less. Run it before you hand in.

## How it is graded

{how} Your grade does not depend on other submissions. A file that does not run, or gives no answer,
gets no points.

| part | points | for |
|---|---|---|
{rows}
| | {total:g} | |

{words}

## Limits

{limits}
"""


def page(assignment: Assignment) -> str:
    """Return the page that explains the assignment to students, as Markdown."""
    is_agent, is_table = assignment.interface == "agent", assignment.interface == "table"
    how = f"A search of {_searched(assignment)} plays with your file, never by the clock."
    text = PAGE.format(
        title=assignment.title,
        file=assignment.file,
        function="" if is_table else f", with a function `{assignment.function}`",
        how="Your function chooses the moves." if is_agent else how,
        rows=_rubric_rows(assignment),
        words="\n".join(_words(assignment)),
        total=assignment.rubric.total,
        due=due_words(assignment),
        limits=_limits(assignment),
    )
    return "\n\n".join(map(_filled, text.split("\n\n")))


def due_words(assignment: Assignment) -> str:
    """Return a paragraph with the due date and what being late costs; empty without a due date."""
    due = assignment.due
    if not due.at:
        return ""
    words = f"\n\nIt is due on {due.at}."
    if due.points_a_day:
        words += f" Each day begun after that costs {due.points_a_day:g} points."
    if due.days:
        words += f" After {times(due.days, 'day')} there are no points."
    return words


def _searched(assignment: Assignment) -> str:
    """Return the limit of a search in words."""
    return f"{assignment.nodes:,} nodes" if assignment.nodes else f"{assignment.depth} plies"


def _rubric_rows(assignment: Assignment) -> str:
    """Return the rows of the table of points."""
    card, rubric = assignment.report_card, assignment.rubric
    of = f"the positions of {assignment.rules.name}"
    if card.samples:
        of = f"{card.samples:,} positions of random games"
    target = f"no more wrong moves than `{card.full}`" if card.full else "no wrong move"
    checked = (
        "" if assignment.interface == "algorithm" else f" on {assignment.check.positions} positions"
    )
    wanted = {
        "check": f"passing `class check`{checked}",
        "report_card": f"few wrong moves in {of}: full points for {target}",
        "certificate": "never losing, on each side for which this is possible",
        "ladder": "the score in games against baselines",
        "values": "right values, and right moves if you return them",
        "visits": "visiting the right nodes in the right order",
        "nodes": "fewer nodes than alpha-beta in `ordered`, `table` and `deepening`",
        "answers": "right answers; a value that follows from wrong ones below counts half",
    }
    rows = [
        f"| {TITLES[name]} | {getattr(rubric, name):g} | {words} |"
        for name, words in wanted.items()
        if getattr(rubric, name)
    ]
    if assignment.league.extra:
        more = "for the place among all agents of the class; the last place has none"
        rows.append(f"| {TITLES['league']} | up to {assignment.league.extra:g} more | {more} |")
    return "\n".join(rows)


LIMITS = """Running the file may take {limits.import_seconds:g} seconds, {answer}
{seconds:g}{together}. It may use {limits.megabytes:,} megabytes of memory. `class check` reports
how long your answers take. Your code runs in a sandbox: it cannot read other files, start programs
or use the network. You may import any installed module{banned}. Take random numbers from `random`,
which is seeded."""


def _limits(assignment: Assignment) -> str:
    """Return the limits of a submission in words."""
    limits = assignment.limits
    names = ", ".join(f"`{name}`" for name in assignment.check.forbidden)
    return LIMITS.format(
        limits=limits,
        answer="a call" if assignment.interface == "algorithm" else "an answer",
        seconds=assignment.answer_seconds,
        together=f", all answers together {Budget(assignment).seconds:g}",
        banned=f", but not {names}, which costs all points" if names else "",
    )


def _words(assignment: Assignment) -> Iterator[str]:
    """Yield an explanation, as a list item, of each term of the rubric that students may not
    know."""
    rubric, card = assignment.rubric, assignment.report_card
    if rubric.report_card:
        yield (
            "* A *wrong move* gives away a win or a draw. In a *critical position* some moves are "
            "wrong and others are not; the game is solved, so all of them are known. As many "
            "wrong moves as with no heuristic give no points."
        )
    if rubric.report_card and card.full:
        known = HEURISTICS.get(card.full)
        yield f"* `{card.full}` is a simple heuristic: {known.summary if known else 'a file'}."
    if rubric.certificate:
        yield (
            "* *Never loses* is proved by playing every possible game against it, as X and as O."
        )
    if not rubric.ladder:
        return
    yield (
        "* The *baselines* are the rungs of a ladder, with equal points. Each opening is played "
        "from both sides, and a draw is half a point. A rung gives all its points from a score of "
        f"{100 * FULL_SCORE:.0f}\xa0%, none below {100 * MIN_SCORE:.0f}\xa0%, and half at 50\xa0%. "
        "It also gives all points if you made no wrong move, since no player could force more."
    )
    for text in assignment.ladder.baselines:
        agent = baseline(text)
        is_typed = isinstance(agent, SearchAgent) and " " in text
        yield f"* `{text}`: {'a search with these options' if is_typed else agent.summary}."


def _filled(paragraph: str) -> str:
    """Return a paragraph with its lines wrapped, except code and tables."""
    if paragraph.startswith(("#", "```", "|")):
        return paragraph
    if paragraph.startswith("* "):
        lines = paragraph.splitlines()
        return "\n".join(fill(line, 100, subsequent_indent="  ") for line in lines)
    return fill(paragraph, 100, break_long_words=False, break_on_hyphens=False)
