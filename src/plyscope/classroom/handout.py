"""What a teacher begins with: the assignment, and what students are given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import fill
from typing import Any

from plyscope.classroom.assignment import (
    ASSIGNMENT_FILE,
    Assignment,
    CardOptions,
    CheckOptions,
    LadderOptions,
    Rubric,
    baseline,
)
from plyscope.classroom.grade import TITLES
from plyscope.classroom.judge import MAX_CERTIFIED, SMALL_CELLS
from plyscope.classroom.ladder import ALL, NONE
from plyscope.classroom.run import SUBMISSIONS, write_text
from plyscope.classroom.submission_process import MEAN_VALUE_SHARE
from plyscope.errors import OptionError
from plyscope.evaluation.heuristics import HEURISTICS
from plyscope.lab.agents.searches import SearchAgent
from plyscope.lab.files import files_of_game
from plyscope.lab.judging.whole import WholeGame
from plyscope.rules.linegame import LineGame
from plyscope.rules.source import game_of
from plyscope.solving.solvers import plan_of

HANDOUT_FOLDER = "handout"
"""The folder for students."""
STUDENTS_SEED = 0
"""Of the assignment that students get: not the one they are graded with."""
BASELINES = (
    "random",
    "level-2",
    "level-4",
    "alphabeta heuristic=counted-lines depth=2 ties=random",
)
"""From weak to strong: perfect play, or counted lines a ply deeper, score more than each."""
LARGE_PAIRS = 24
"""Of the ladder on larger boards, where games take longer."""


def usual_assignment(game: str, interface: str, seed: int) -> Assignment:
    """Return an assignment that fits a game: what can be measured of it."""
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


def make_class(folder: str | Path, assignment: Assignment) -> list[Path]:
    """Write the folder of a class; return its files. Raises OptionError where there is one."""
    folder = Path(folder)
    if (folder / ASSIGNMENT_FILE).exists():
        raise OptionError(
            f"{str(folder / ASSIGNMENT_FILE)!r} is there already; expected a new folder"
        )
    games = {Path(name).name: Path(name) for name in files_of_game(assignment.rules)}
    students = replace(assignment, seed=STUDENTS_SEED)
    files = {
        folder / ASSIGNMENT_FILE: assignment_text(assignment),
        folder / HANDOUT_FOLDER / ASSIGNMENT_FILE: assignment_text(students),
        folder / HANDOUT_FOLDER / assignment.file: stub(assignment),
        folder / HANDOUT_FOLDER / "README.md": page(assignment),
    }
    for name, game in games.items():
        text = game.read_text(encoding="utf-8")
        files |= {folder / name: text, folder / HANDOUT_FOLDER / name: text}
    for path, text in files.items():
        write_text(path, text)
    (folder / SUBMISSIONS).mkdir(exist_ok=True)
    return list(files)


def assignment_text(assignment: Assignment) -> str:
    """Return the text of `assignment.toml`, each line with what it means."""
    limits, check, rubric = assignment.limits, assignment.check, assignment.rubric
    card, ladder, league = assignment.report_card, assignment.ladder, assignment.league
    depth = ("nodes", assignment.nodes) if assignment.nodes else ("depth", assignment.depth)
    rows: list[tuple[str, Any, str]] = [
        ("title", assignment.title, ""),
        ("game", _game_beside(assignment), "a name, m,n,k, or the file of a game beside this one"),
        ("interface", assignment.interface, "heuristic, agent (a function choose), or table"),
        ("file", assignment.file, "what is handed in"),
        ("function", assignment.function, "its function"),
        (*depth, "of the search with a submission: depth = plies, or nodes"),
        ("seed", assignment.seed, "of all chance"),
        ("[limits]", None, "they stop what does not end"),
        ("import_seconds", limits.import_seconds, "to run the file"),
        ("call_seconds", limits.call_seconds, "for one value or move"),
        (
            "total_seconds",
            limits.total_seconds,
            "for all of them; 0: what each may take, a value on average a tenth",
        ),
        ("megabytes", limits.megabytes, ""),
        ("[check]", None, ""),
        ("positions", check.positions, "of random games"),
        ("symmetry", check.symmetry, "a mirrored position has the same value"),
        ("colours", check.colours, "both sides are valued by the same rule"),
        ("forbidden", list(check.forbidden), "modules that are not to be imported"),
        ("[rubric]", None, "points; a part with 0 is not judged"),
        ("check", rubric.check, "the share of its items that hold"),
        ("report_card", rubric.report_card, "wrong moves, beside no opinion and `full`"),
        ("certificate", rubric.certificate, "never loses, on each side that can be held"),
        ("ladder", rubric.ladder, "the score against the baselines"),
        ("[report_card]", None, ""),
        ("depths", card.depths, "searches of 1 to so many plies"),
        ("samples", card.samples, "positions of random games; 0 is all of the game"),
        ("full", card.full, "full points for no more wrong moves than it has"),
        ("[ladder]", None, ""),
        ("baselines", list(ladder.baselines), ""),
        ("pairs", ladder.pairs, "openings, each played from both sides"),
        ("opening_plies", ladder.opening_plies, ""),
        ("[league]", None, "for honour, not for points"),
        ("pairs", league.pairs, "of a match between two submissions; 0 is no league"),
    ]
    lines = [f"# {assignment.title}"]
    for key, value, words in rows:
        text = key if value is None else f"{key} = {_toml(value)}"
        lines.append(f"{text:<31}# {words}" if words else text)
    return "\n".join(lines) + "\n"


def _game_beside(assignment: Assignment) -> str:
    """Return the game as it is called where its file, if it has one, lies beside."""
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


# What students begin with

STUB_HEAD = '''"""{title}. Hand in this file.

    plyscope class check {file}     says what is wrong with it, and estimates its grade
    {look}

It is judged by a search of {limit} with it, never by the clock.
"""


'''
BOARD_STUB = '''def {function}(board, player):
    """Return how good the position is for `player`, as a whole number: more is better.

    `board` is a list of rows from the top; 0 is an empty cell, 1 is X, 2 is O. `player` is 1 or 2,
    and need not be the one to move. Look at the position as it stands: looking ahead is what the
    search does.
    """
    opponent = 3 - player
    return central_stones(board, player) - central_stones(board, opponent)


def central_stones(board, player):
    """Return the stones of a player, those near the middle counted more: begin by changing this."""
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

    `mine` and `theirs` are whole numbers with a bit for each stone, `lines` those of all lines that
    can be completed. Look at the position as it stands: looking ahead is what the search does.
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

    `state` is what the game's own methods take. Look at it as it stands: looking ahead is what the
    search does.
    """
    return 0
'''
AGENT_STUB = '''def {function}(position):
    """Return the move to play: one of `position.moves`.

    `position.side` is 0 for X and 1 for O; `position.play(move)` is the position after a move, with
    `is_over` and `winner` (None for a draw). print(position) shows it.
    """
    for move in position.moves:
        after = position.play(move)
        if after.is_over and after.winner == position.side:
            return move
    return position.moves[len(position.moves) // 2]
'''
TABLE_STUB = """# {title}. Hand in this file.
#
#     plyscope class check {file}     says what is wrong with it, and estimates its grade
#     {look}
#
# It is judged by a search of {limit} with it, never by the clock. More keys are in plyscope's
# documents, "Your heuristic".

name = "mine"
mine = {mine}    # by stones on a line that the other side has none on, from 0
"""


def stub(assignment: Assignment) -> str:
    """Return the file that students begin with: it works, and has full points nowhere."""
    rules = assignment.rules
    searched = f"{assignment.nodes:,} nodes" if assignment.nodes else f"{assignment.depth} plies"
    game = _game_beside(assignment)
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
        about = STUB_HEAD.replace("a search of {limit} with it", "its moves")
        return about.format(**words) + AGENT_STUB.format(**words)
    text = STATE_STUB
    if isinstance(rules, LineGame):
        text = BOARD_STUB if len(rules.shape) == 2 else BITBOARDS_STUB
    return STUB_HEAD.format(**words) + text.format(**words)


PAGE = """# {title}

Hand in one file, `{file}`{function}. The file that you have been given works already; make it
better.

## Try it

You need Python 3.11 or later, and the file `plyscope-….whl` that comes with this page.

```sh
pip install plyscope-*.whl
plyscope class check {file}
```

The second line says what is wrong with your file, as the grader will, and estimates your grade:
every finding is a sentence with a position. The grader draws other positions and openings, so
expect a few points more or less. Run it before you hand in.

## How it is graded

{how} The grade does not depend on what the others hand in. A file that does not run, or gives no
answer, has no points.

| part | points | for |
|---|---|---|
{rows}
| | {total:g} | |

{words}

## What stops it

Running the file may take {limits.import_seconds:g} seconds, an answer
{limits.call_seconds:g}{together}. It may use {limits.megabytes:,} megabytes of memory. `class
check` says how long your answers take. It runs in a process of its own that reads no files but what
you hand in, starts no programs and has no network. Import what you like of Python{forbidden}. If it
uses random numbers, take them from `random`: they are seeded.
"""


def page(assignment: Assignment) -> str:
    """Return the page for students."""
    rubric, check, limits = assignment.rubric, assignment.check, assignment.limits
    searched = f"{assignment.nodes:,} nodes" if assignment.nodes else f"{assignment.depth} plies"
    of = f"the positions of {assignment.rules.name}"
    if assignment.report_card.samples:
        of = f"{assignment.report_card.samples:,} positions of random games"
    full = assignment.report_card.full
    beside = f"no more wrong moves than `{full}` has" if full else "no wrong move"
    wanted = {
        "check": (rubric.check, f"what `class check` finds on {check.positions} positions"),
        "report_card": (rubric.report_card, f"few wrong moves in {of}: full points for {beside}"),
        "certificate": (rubric.certificate, "never losing, on each side that can be held"),
        "ladder": (rubric.ladder, "the score in games against baselines"),
    }
    rows = [
        f"| {TITLES[name]} | {points:g} | {words} |"
        for name, (points, words) in wanted.items()
        if points
    ]
    is_agent, is_table = assignment.interface == "agent", assignment.interface == "table"
    how = f"A search of {searched} plays with it, never by the clock."
    names = ", ".join(f"`{name}`" for name in check.forbidden)
    banned = f", but not {names}: whoever uses that has no points" if check.forbidden else ""
    together = "" if is_agent else f", on average {limits.call_seconds * MEAN_VALUE_SHARE:g}"
    if limits.total_seconds:
        together = f", all answers together {limits.total_seconds:g}"
    text = PAGE.format(
        title=assignment.title,
        file=assignment.file,
        function="" if is_table else f", with a function `{assignment.function}`",
        how="It plays by its own moves." if is_agent else how,
        rows="\n".join(rows),
        words="\n".join(_words(assignment)),
        total=rubric.total,
        limits=limits,
        together=together,
        forbidden=banned,
    )
    return "\n\n".join(map(_filled, text.split("\n\n")))


def _words(assignment: Assignment) -> Iterator[str]:
    """Yield a line of a list for each word of the rubric that students cannot know."""
    rubric, card = assignment.rubric, assignment.report_card
    if rubric.report_card:
        yield (
            "* A *wrong move* gives away a win or a draw; which do is known, as the game is solved."
            " No points for as many as are made with no heuristic, in between by the share."
        )
    if rubric.report_card and card.full:
        known = HEURISTICS.get(card.full)
        yield f"* `{card.full}` is a simple heuristic: {known.summary if known else 'a file'}."
    if rubric.certificate:
        yield (
            "* *Never loses* is decided by playing every possible game against it, as X and as O: "
            "a certificate."
        )
    if not rubric.ladder:
        return
    yield (
        "* The *baselines* are the rungs of a ladder, with equal points. Each opening is played "
        "from both sides, a draw is half a point. A rung has all its points from "
        f"{100 * ALL:.0f}\xa0% of the score on, none below {100 * NONE:.0f}\xa0%, half for equals; "
        "and all if none of your moves lost value, as nobody can force more."
    )
    for text in assignment.ladder.baselines:
        agent = baseline(text)
        is_typed = isinstance(agent, SearchAgent) and " " in text
        yield f"* `{text}`: {'a search with these options' if is_typed else agent.summary}."


def _filled(paragraph: str) -> str:
    """Return a paragraph with its lines filled; code and tables as they are."""
    if paragraph.startswith(("#", "```", "|")):
        return paragraph
    if paragraph.startswith("* "):
        lines = paragraph.splitlines()
        return "\n".join(fill(line, 100, subsequent_indent="  ") for line in lines)
    return fill(paragraph, 100, break_long_words=False, break_on_hyphens=False)
