"""The assignment of a class: the submitted file, limits and points, in `assignment.toml`.

title = "A heuristic for tic-tac-toe"
game = "tictactoe"             # a name, m,n,k, or the file of a game beside this one
interface = "heuristic"        # or "agent", a function that returns a move; "table", a file;
                               # "algorithm", a search of trees; "answers", trees by hand
file = "heuristic.py"          # the submitted file
function = "heuristic"         # its function
depth = 2                      # plies that a search with a submission looks ahead; or nodes = 500
seed = 1                       # of all random numbers
[limits]                       # reaching one is a finding
import_seconds = 2.0           # to run the file
call_seconds = 1.0             # for one value or move
total_seconds = 0.0            # for all answers; 0: 600 times call_seconds, of an agent 1800
megabytes = 1000
[check]
positions = 200
symmetry = true                # a mirrored position has the same value
colours = true                 # both sides are valued by the same rule
forbidden = ["plyscope"]       # modules that must not be imported
[rubric]                       # points; a part with 0 is not judged
check = 20
report_card = 30
certificate = 20
ladder = 30
values = 0                     # of an algorithm: right values and moves
visits = 0                     # right nodes in the right order
nodes = 0                      # few nodes in the functions of `further`
answers = 0                    # right answers on a sheet of trees
manual = 0                     # points that you give by hand, in manual.csv
[due]
at = ""                        # 2026-12-04 23:59, the time of this machine; "" for no due date
grace_minutes = 0
points_a_day = 0               # taken away for each day begun after it; 0 only marks late ones
days = 0                       # days begun after which all points are taken away; 0: no limit
[gradescope]                   # parts of the rubric that students do not see, or see later
hidden = []
after_due_date = []
after_published = []
require_sandbox = false        # refuse to grade where the kernel cannot enforce the sandbox
[algorithm]                    # the questions of the interfaces "algorithm" and "answers"
kind = "minimax"               # or "alphabeta"
cut = "ge"                     # cut at alpha >= beta; or "gt", or "any"
bound = "soft"                 # fail-soft; or "hard", or "any"
trees = 12                     # drawn trees, with some special ones
tree_depth = 3
windows = 6                    # more trees, called with other windows (alphabeta)
boards = 4                     # positions of the game, searched to `depth`
heuristic = ""                 # of the game; "" is the usual one
given = []                     # trees as texts
students = []                  # names; each has a sheet of their own ("answers")
further = []                   # some of "ordered", "table", "deepening", functions of a node and
                               # a depth: fewer nodes give more points
further_boards = 3
further_depth = 4
[report_card]
depths = 3
samples = 0                    # positions of random games; 0 is all positions of the game
full = "counted-lines"         # full points for no more wrong moves than this; "": for none
[ladder]
baselines = ["random", "greedy"]
pairs = 40                     # openings, each played from both sides
opening_plies = 1
[league]
pairs = 4                      # of a match between two submissions; 0 is no league
extra = 0                      # extra points of the first place; the last place has none
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from plyscope.datafile import read_data
from plyscope.errors import NotationError, OptionError
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.lab.agents.agent import Agent
from plyscope.lab.agents.catalogue import MIN_MEGABYTES, parse_agent
from plyscope.lab.agents.players import LevelAgent, PerfectAgent
from plyscope.lab.agents.searches import SearchAgent
from plyscope.rules.game import Game
from plyscope.rules.linegame import LineGame
from plyscope.rules.source import game_of
from plyscope.rules.tree import parse_tree
from plyscope.searching.score import MAX_PLY
from plyscope_class.times import TIME_FORM, parse_time

ASSIGNMENT_FILE = "assignment.toml"
HANDOUT_FOLDER, TEACHER_FOLDER = "handout", "teacher"
"""The folders of a class for students, and with the model solution and the typical mistakes."""
INTERFACES = ("heuristic", "agent", "table", "algorithm", "answers")
KINDS = ("minimax", "alphabeta")
FURTHER = ("ordered", "table", "deepening")
"""Functions of an algorithm's further questions: move ordering, a transposition table, iterative
deepening."""
SUFFIXES = {"table": ".toml", "answers": ".csv"}
"""The suffixes of submitted files that are not Python, by interface."""
PARTS_OF = {"algorithm": ("values", "visits", "nodes"), "answers": ("answers",)}
"""The parts of the rubric that only one interface has."""
RUN_FACTOR = 5
"""The time limit of a run of an algorithm, in limits of a call."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits of a submission. Seconds count CPU and sleep time, not scheduling delay."""

    import_seconds: float = 2.0
    call_seconds: float = 1.0
    total_seconds: float = 0.0
    """The limit of all answers together; 0 for the default (`submission_process.Budget`)."""
    megabytes: int = 1_000


@dataclass(frozen=True, kw_only=True)
class CheckOptions:
    """The options of the check."""

    positions: int = 200
    symmetry: bool = True
    colours: bool = True
    forbidden: tuple[str, ...] = ("plyscope",)


@dataclass(frozen=True, kw_only=True)
class Rubric:
    """The points of each part."""

    check: float = 20.0
    report_card: float = 30.0
    certificate: float = 20.0
    ladder: float = 30.0
    values: float = 0.0
    visits: float = 0.0
    nodes: float = 0.0
    answers: float = 0.0
    manual: float = 0.0

    @property
    def total(self) -> float:
        """The sum of all points."""
        return float(sum(asdict(self).values()))

    def or_usual(self, **points: float) -> Rubric:
        """Return the rubric; if none was given, one with these points and no others."""
        if replace(self, manual=0.0) != Rubric():
            return self
        return Rubric(**(dict.fromkeys(asdict(self), 0.0) | points | {"manual": self.manual}))


@dataclass(frozen=True, kw_only=True)
class GradescopeOptions:
    """The parts of the rubric that students do not see on Gradescope, or see later."""

    hidden: tuple[str, ...] = ()
    after_due_date: tuple[str, ...] = ()
    after_published: tuple[str, ...] = ()
    require_sandbox: bool = False
    """Whether the autograder refuses to grade where the kernel cannot enforce the sandbox."""

    @property
    def parts(self) -> dict[str, tuple[str, ...]]:
        """The names of parts, by when students see them."""
        return {
            "hidden": self.hidden,
            "after_due_date": self.after_due_date,
            "after_published": self.after_published,
        }


@dataclass(frozen=True, kw_only=True)
class DueOptions:
    """The due date of an assignment, and what being late costs."""

    at: str = ""
    """The due date; empty for none."""
    grace_minutes: float = 0.0
    """The minutes after the due date in which nothing is late."""
    points_a_day: float = 0.0
    """The points taken away for each day begun; with 0, late submissions are only marked."""
    days: int = 0
    """The days begun after which a submission has no points; 0 for no limit."""

    @property
    def has_penalty(self) -> bool:
        """Whether being late costs points."""
        return bool(self.points_a_day or self.days)


@dataclass(frozen=True, kw_only=True)
class AlgorithmOptions:
    """The options of the questions to an algorithm, or of a sheet of trees."""

    kind: str = "minimax"
    cut: str = "ge"
    bound: str = "soft"
    trees: int = 12
    tree_depth: int = 3
    windows: int = 6
    boards: int = 4
    heuristic: str = ""
    given: tuple[str, ...] = ()
    further: tuple[str, ...] = ()
    further_boards: int = 3
    further_depth: int = 4
    students: tuple[str, ...] = ()
    """The names of the students, who each have a sheet of their own; empty if all have the same."""

    def check_search(self, *more: str) -> None:
        """Check the search and the given trees; `more` are further conventions that may be
        chosen."""
        conventions = (("cut", ("ge", "gt", *more)), ("bound", ("soft", "hard", *more)))
        for key, known in (("kind", KINDS), *conventions):
            if (value := getattr(self, key)) not in known:
                raise OptionError(f"{key} {value[:40]!r}; expected {', '.join(known)}")
        for text in self.given:
            parse_tree(text)


@dataclass(frozen=True, kw_only=True)
class CardOptions:
    """The options of the report card."""

    depths: int = 3
    samples: int = 0
    full: str = "counted-lines"


@dataclass(frozen=True, kw_only=True)
class LadderOptions:
    """The options of the games against baselines."""

    baselines: tuple[str, ...] = ("random", "greedy")
    pairs: int = 40
    opening_plies: int = 1


@dataclass(frozen=True, kw_only=True)
class LeagueOptions:
    """The options of the matches between submissions."""

    pairs: int = 4
    extra: float = 0.0
    """The extra points of the first place; the last place has none."""


@dataclass(frozen=True, kw_only=True)
class Assignment:
    """The assignment of a class. `read` raises NotationError or OptionError for a bad file."""

    title: str = "A heuristic"
    game: str = "tictactoe"
    interface: str = "heuristic"
    file: str = ""
    function: str = ""
    depth: int = 0
    """Search depth in plies; 0 if `nodes` is the limit."""
    nodes: int = 0
    seed: int = 1
    limits: Limits = field(default_factory=Limits)
    check: CheckOptions = field(default_factory=CheckOptions)
    rubric: Rubric = field(default_factory=Rubric)
    due: DueOptions = field(default_factory=DueOptions)
    gradescope: GradescopeOptions = field(default_factory=GradescopeOptions)
    algorithm: AlgorithmOptions = field(default_factory=AlgorithmOptions)
    report_card: CardOptions = field(default_factory=CardOptions)
    ladder: LadderOptions = field(default_factory=LadderOptions)
    league: LeagueOptions = field(default_factory=LeagueOptions)

    @classmethod
    def read(cls, path: str | Path) -> Assignment:
        """Return the assignment in a file, or in a folder's `assignment.toml`."""
        path = Path(path)
        path = path / ASSIGNMENT_FILE if path.is_dir() else path
        assignment: Assignment = _read(cls, read_data(path, "assignment"), str(path))
        beside = path.parent / assignment.game.partition(":")[0]
        if assignment.game.partition(":")[0].endswith((".py", ".toml")) and beside.is_file():
            assignment = replace(assignment, game=str(path.parent / assignment.game))
        return assignment.checked()

    def checked(self) -> Assignment:
        """Return the assignment with defaults filled in, after checking all its names."""
        if self.interface not in INTERFACES:
            raise OptionError(
                f"interface {self.interface[:40]!r}; expected {', '.join(INTERFACES)}"
            )
        if self.depth and self.nodes:
            raise OptionError(f"depth {self.depth} with nodes {self.nodes}; expected one of them")
        depth = 0 if self.nodes else self.depth or 2
        suffix = SUFFIXES.get(self.interface, ".py")
        stem = function = "heuristic"
        if self.interface == "agent":
            stem, function = "agent", "choose"
        elif self.interface == "answers":
            stem = "answers"
        elif self.interface == "algorithm":
            stem = function = self.algorithm.kind
        function = self.function or function
        file = self.file or f"{stem}{suffix}"
        full = replace(self, depth=depth, file=file, function=function)
        if not full.function.isidentifier():
            raise OptionError(f"function {full.function[:40]!r}; expected a name of Python")
        if not full.file.endswith(suffix) or Path(full.file).name != full.file:
            raise OptionError(f"file {full.file[:60]!r}; expected a name such as {stem}{suffix}")
        try:
            parse_time(full.due.at or "2000-01-01")
        except ValueError:
            raise OptionError(f"due date {full.due.at[:40]!r}; {TIME_FORM}") from None
        rules, shown = full.rules, full.gradescope.parts.values()
        for name in (name for names in shown for name in names):
            if name not in asdict(Rubric()):
                raise OptionError(
                    f"part {name[:40]!r} in [gradescope]; expected {', '.join(asdict(Rubric()))}"
                )
            if sum(name in names for names in shown) > 1:
                raise OptionError(f"part {name!r} twice in [gradescope]; expected it once")
        if self.interface == "table" and not isinstance(rules, LineGame):
            raise OptionError(f"interface 'table' on {rules.name!r}; expected a line game")
        if self.interface == "algorithm":
            return full._with_algorithm()
        if self.interface == "answers":
            return full._with_sheet()
        for interface, names in PARTS_OF.items():
            for name in names:
                if getattr(full.rubric, name):
                    raise OptionError(
                        f"points for {name!r} with interface {self.interface!r}; "
                        f"expected interface {interface!r}, or no points"
                    )
        if full.rubric.report_card and full.report_card.full:
            find_heuristic(full.report_card.full, rules)
        for text in full.ladder.baselines:
            baseline(text)
        return full

    def _with_sheet(self) -> Assignment:
        """Return the assignment with points for a sheet, after checking its options."""
        options = self.algorithm
        options.check_search()
        if not options.trees + len(options.given):
            raise OptionError("0 trees; expected at least one")
        if len(set(options.students)) < len(options.students):
            raise OptionError("a name twice in 'students'; expected each once")
        rubric = self.rubric.or_usual(answers=100.0)
        if wrong := [
            name for name, points in asdict(rubric).items()
            if points and name not in ("check", "answers", "manual")
        ]:  # fmt: skip
            raise OptionError(f"points for {wrong[0]!r}; expected none for interface 'answers'")
        return replace(self, rubric=rubric)

    @property
    def for_all(self) -> Assignment:
        """The assignment with one sheet for all students."""
        return replace(self, algorithm=replace(self.algorithm, students=()))

    def _with_algorithm(self) -> Assignment:
        """Return the assignment with points for an algorithm, after checking its options."""
        options = self.algorithm
        options.check_search("any")
        for name in options.further:
            if name not in FURTHER:
                raise OptionError(f"further {name[:40]!r}; expected {', '.join(FURTHER)}")
        if options.boards + len(options.further) and not self.is_of_lines:
            raise OptionError(f"boards of {self.rules.name!r}; expected a line game, or boards = 0")
        find_heuristic(options.heuristic or None, self.rules)
        nodes = 15.0 if options.further else 0.0
        rubric = self.rubric.or_usual(check=10.0, values=50.0 - nodes, visits=40.0, nodes=nodes)
        others = ("report_card", "certificate", "ladder", "answers")
        if wrong := [name for name in others if getattr(rubric, name)]:
            raise OptionError(
                f"points for {wrong[0]!r} with interface 'algorithm'; expected no points for it"
            )
        if bool(rubric.nodes) != bool(options.further):
            raise OptionError(
                f"{rubric.nodes:g} points for 'nodes' with {len(options.further)} functions in "
                "'further'; expected both or neither"
            )
        return replace(self, rubric=rubric)

    @cached_property
    def rules(self) -> Game:
        """The game."""
        return game_of(self.game)

    @property
    def is_of_lines(self) -> bool:
        """Whether the game is a line game, whose symmetries are known."""
        return isinstance(self.rules, LineGame)

    @property
    def searches(self) -> tuple[tuple[str, int], ...]:
        """The limit of a search that uses a submission, as search options."""
        return (("nodes", self.nodes),) if self.nodes else (("depth", self.depth),)

    @property
    def answer_seconds(self) -> float:
        """The time limit of an answer. An algorithm asks the judge for each node and has longer."""
        return self.limits.call_seconds * (RUN_FACTOR if self.interface == "algorithm" else 1)

    @property
    def judging(self) -> dict[str, Any]:
        """The parts of the assignment that affect a judgement: all but the points, title, due date,
        league and visibility."""
        data = asdict(self)
        parts = data.pop("rubric")
        data["parts"] = sorted(
            name for name, points in parts.items() if points and name != "manual"
        )
        for name in ("title", "due", "league", "gradescope"):
            del data[name]
        data["game"] = os.path.basename(self.game)
        return data


def baseline(text: str) -> Agent:
    """Return an agent of the ladder without a clock. Raises OptionError if it needs one."""
    agent = parse_agent(text)
    if isinstance(agent, LevelAgent):
        if int(dict(agent.plain.options).get("depth", MAX_PLY)) < MAX_PLY:
            return replace(
                agent,
                plain=_untimed(agent.plain),
                engine=_untimed(agent.engine),
                patterns=_untimed(agent.patterns),
                playouts=_untimed(agent.playouts),
            )
    elif isinstance(agent, SearchAgent):
        if "seconds" not in dict(agent.options):
            return agent
    elif not isinstance(agent, PerfectAgent) and not hasattr(agent, "seconds"):
        return agent
    raise OptionError(
        f"baseline {text[:60]!r} plays by the clock; "
        "expected one of a fixed depth or nodes, such as 'alphabeta depth=2' or level-4"
    )


def _untimed(agent: SearchAgent) -> SearchAgent:
    kept = tuple((key, value) for key, value in agent.options if key != "seconds")
    return replace(agent, options=kept)


# The file, key by key

MAX_OF = {
    "depth": 8,
    "nodes": 1_000_000,
    "seed": 2**63 - 1,
    "import_seconds": 600,
    "call_seconds": 600,
    "total_seconds": 86_400,
    "megabytes": 1_000_000,
    "positions": 10_000,
    "depths": 12,
    "samples": 100_000,
    "pairs": 10_000,
    "opening_plies": 20,
    "trees": 100,
    "tree_depth": 6,
    "windows": 100,
    "boards": 100,
    "further_boards": 20,
    "further_depth": 8,
    "days": 365,
}
MIN_OF = {
    "megabytes": MIN_MEGABYTES,
    "positions": 1,
    "depths": 1,
    "tree_depth": 2,
    "further_depth": 1,
}


def _read(kind: type[Any], data: Any, where: str) -> Any:
    """Return the dataclass `kind` from a TOML table. Raises NotationError."""
    if not isinstance(data, dict):
        raise NotationError(f"{str(data)[:40]!r} in {where}; expected a table of keys")
    known = {each.name: each for each in fields(kind)}
    given = {}
    for key, value in data.items():
        if key not in known:
            expected = ", ".join(known)
            raise NotationError(f"unknown key {key[:40]!r} in {where}; expected {expected}")
        usual = getattr(kind(), key)
        if hasattr(usual, "__dataclass_fields__"):
            given[key] = _read(type(usual), value, f"{where}, [{key}]")
        else:
            given[key] = _value(key, value, usual, where)
    return kind(**given)


def _value(key: str, value: Any, usual: Any, where: str) -> Any:
    """Return a value after checking that it has the type of the default."""
    wanted, fits = _kind_of(usual)
    if isinstance(value, date):  # an unquoted time in TOML
        value = str(value)
    if not fits(value):
        raise NotationError(f"{key} {str(value)[:40]!r} in {where}; expected {wanted}")
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        least, most = MIN_OF.get(key, 0), MAX_OF.get(key, 10**6)
        if not least <= value <= most:
            raise NotationError(f"{key} {value!r} in {where}; expected {least:,} to {most:,}")
    return value


def _kind_of(usual: Any) -> tuple[str, Callable[[Any], bool]]:
    if isinstance(usual, bool):
        return "true or false", lambda value: isinstance(value, bool)
    if isinstance(usual, tuple):
        return (
            "a list of texts",
            lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value),
        )
    if isinstance(usual, str):
        return "a text", lambda value: isinstance(value, str)
    if isinstance(usual, float):
        return (
            "a number",
            lambda value: isinstance(value, int | float) and not isinstance(value, bool),
        )
    return "a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool)
