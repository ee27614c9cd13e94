"""Shared options, value types, and the parser, whose errors are one line."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from math import isfinite
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, NoReturn

from plyscope.catalogue import nearest_name
from plyscope.datafile import csv_text
from plyscope.errors import OptionError
from plyscope.faces.cli.rows import Group, Later, Option
from plyscope.faces.cli.statuses import BAD_INPUT
from plyscope.faces.signs import one_line
from plyscope.version import version_and_commit

if TYPE_CHECKING:
    from plyscope.faces.terminal import Terminal
    from plyscope.rules.notation import Reading


class HelpFormatter(argparse.HelpFormatter):
    """Help that looks the same under every version of Python: at most 100 columns, and
    `-H, --heuristic NAME` for an option with two names."""

    def __init__(self, prog: str, **options: Any) -> None:
        width = min(100, get_terminal_size((100, 24)).columns)
        super().__init__(prog, **{**options, "width": width, "max_help_position": 26})

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if len(action.option_strings) < 2 or action.nargs == 0:
            return super()._format_action_invocation(action)
        metavar = action.metavar or self._get_default_metavar_for_optional(action)
        return f"{', '.join(action.option_strings)} {metavar}"


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line and exit status 2; options are not abbreviated."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"allow_abbrev": False, "formatter_class": HelpFormatter, **options})
        self._awaited: list[Callable[[], None]] = []
        self.given: set[argparse.Action] = set()
        """The options of these words so far that may be given once."""
        # A word such as -9..9 or -1,5 is a value: no option begins with a digit.
        self._negative_number_matcher = re.compile(r"-\.?\d")

    def add_later(self, add: Callable[[], None]) -> None:
        """Add options only when the command is used, since they need slow imports."""
        self._awaited.append(add)

    def complete(self) -> None:
        """Add the options of `add_later`."""
        while self._awaited:
            self._awaited.pop(0)()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does, with all options; extra words are an error."""
        self.complete()
        self.given.clear()
        given, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(self._too_many(rest))
        return given, rest

    def _parse_optional(self, arg_string: str) -> Any:
        """Return None, which means no option, for the rows of a board that begin with a dash."""
        is_board = "\n" in arg_string or re.fullmatch(r"-[-xoXO._#|/\s\d]*", arg_string)
        is_option = arg_string in self._option_string_actions or arg_string in ("-", "--")
        if is_board and not is_option and len(arg_string) > 3:
            return None
        return super()._parse_optional(arg_string)

    def _too_many(self, words: list[str]) -> str:
        option = next((word for word in words if word.startswith("-")), None)
        if option is not None:
            name = option.partition("=")[0]
            known = [each for each in self._option_string_actions if each.startswith("--")]
            said = str(nearest_name("option", name, known))
            return said if "perhaps" in said else said.partition(";")[0]
        said = f"unexpected {words[0]!r}"
        if "POSITION" in (action.metavar for action in self._actions):
            said += "; expected one POSITION: put quotes around its words, as in 'connect4 44455'"
        return said

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise ArgumentError with the nearest choices if a value is not a choice."""
        if action.choices is not None and value not in action.choices:
            name = [str(action.metavar or action.dest).lower(), *action.option_strings][-1]
            name = "command" if "|" in name else name
            known = [str(choice) for choice in action.choices]
            raise argparse.ArgumentError(None, str(nearest_name(name, str(value), known)))

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help, usage or version; raise write errors, which argparse would hide."""
        (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        """Print `message` on one line and exit with status 2."""
        print(one_line(f"{self.prog}: {message}; see '{self.prog} --help'"), file=sys.stderr)
        sys.exit(BAD_INPUT)


def whole(least: int, most: int = 10**12) -> Callable[[str], int]:
    """Return a parser of whole numbers from `least` to `most`."""

    def read(text: str) -> int:
        try:
            value = int(text) if len(text) < 20 else least - 1
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            least_said = f" from {least}" if least > -(10**12) else ""
            most_said = f" to {most}" if most < 10**12 else ""
            raise argparse.ArgumentTypeError(
                f"{text!r}; expected a whole number{least_said}{most_said}"
            )
        return value

    return read


def window_end(text: str) -> float:
    """Parse an end of a window: a whole number, or for trees a decimal number."""
    if re.fullmatch(r"[+-]?\d{1,12}", text):
        return int(text)
    if re.fullmatch(r"[+-]?\d{1,9}\.\d{1,9}", text):
        return float(text)
    raise argparse.ArgumentTypeError(f"{text!r}; expected a number")


def seconds(text: str) -> float:
    """Parse a number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r}; expected a number of seconds from 0")
    return value


def number(text: str) -> float:
    """Parse a finite number."""
    with suppress(ValueError):
        if isfinite(value := float(text)):
            return value
    raise argparse.ArgumentTypeError(f"{text!r}; expected a number")


ROWS = ("top", "bottom")
JSON = Option("--json", "print JSON instead of a table")
HEURISTIC = Option(
    "-H --heuristic NAME", "a name, tablebase, table.toml, or file.py:name (default: counted-lines)"
)

SEVERAL_HEURISTICS = HEURISTIC._replace(
    help=f"{HEURISTIC.help}; several are compared", is_list=True
)


def seed_row(of: str = "all random choices", default: int | None = 0) -> Option:
    """Return the row of --seed; without a default, every run has a new seed."""
    usual = "a new seed each time" if default is None else default
    return Option("-s --seed N", f"the random seed of {of} (default: {usual})", whole(0), default)


def worker_rows(jobs: str, least: int = 1) -> tuple[Option, Option]:
    """Return the rows of --jobs, with its help, and --cluster."""
    return (
        Option("-j --jobs N", jobs, whole(least, 1024)),
        Option(
            "--cluster ADDRESS",
            "run on a dask cluster: the address of its scheduler, such as tcp://10.0.0.1:8786",
        ),
    )


def position_rows(help: str = "a board, or a game and moves") -> tuple[Option, ...]:
    """Return the rows of POSITION, --game and --rows."""
    return (
        Option("position POSITION?", f"{help} (default: the start of --game)"),
        Option(
            "-g --game GAME",
            "the game, if POSITION does not name it: a name, m,n,k or file.py:Name",
        ),
        Option("--rows END", "the end from which a board is written (default: top)", ROWS),
    )


def said_reading(text: str, game: str | None, rows: str = "top") -> Reading:
    """Return the reading of a position that the user named, and say how it was read."""
    from plyscope.rules.source import read

    reading = read(text, game, rows)
    if reading.said:
        say([f"read as {reading.said}"])
    say_game(reading.end.game)
    return reading


def say_game(game: Any) -> None:
    """Say how a game of another library's form, or the text of one, was read."""
    if isinstance(game, str):
        from plyscope.pythonfile import is_of_file
        from plyscope.rules.games import parse_game

        game = parse_game(game) if is_of_file(game) else None
    if said := getattr(game, "read_as", ""):
        say([f"{game.name!r} is {said}"])


def given_position(arguments: argparse.Namespace) -> Any:
    """Return the position given by POSITION, --game and --rows; say how it was read.

    Raises OptionError without POSITION and --game.
    """
    from plyscope.faces.wording import doubt
    from plyscope.rules.position import Position

    if arguments.position is None and arguments.game is None:
        raise OptionError("no position; expected a board, a game and moves, or --game")
    rows = arguments.rows or "top"
    position = said_reading(arguments.position or "", arguments.game, rows).end
    is_asked = not arguments.json and arguments.command != "eval"  # eval accepts any arrangement
    if is_asked and isinstance(position, Position) and (said := doubt(position)):
        say([said[0].lower() + said[1:]])
    return position


LIMITS = (
    Option("-d --depth N", "search at most N plies", whole(1, 10_000)),
    Option("--nodes N", "deepen until N nodes are visited", whole(1)),
    Option("-t --seconds S", "deepen for S seconds", seconds),
)
FORM = (
    Option(
        "--form",
        "run readable Python (reference) or fast code (compiled); the results are the same "
        "(default: auto)",
        ("auto", "reference", "compiled"),
    ),
    Group(
        "the playing engine (--algorithm engine)",
        Option("--multipv N", "show the N best variations (default: 1)", whole(1, 1000)),
        Option("--threads N", "search with N threads (default: 1)", whole(1, 256)),
        Option(
            "--megabytes N",
            "the size of its transposition table (default: 64)",
            whole(1, 1 << 16),
        ),
        Option(
            "--clock S",
            "seconds left for the rest of the game; it uses a share of them",
            seconds,
        ),
    ),
)


def search_rows(
    algorithm: str = "the algorithm", form: bool = True, heuristic: Option = HEURISTIC
) -> tuple[Any, ...]:
    """Return the rows of the search options; `algorithm` is the help of -A, empty for no -A."""
    name = Option("-A --algorithm NAME = alphabeta", f"{algorithm} (default: alphabeta)")
    conventions = Later("conventions", _conventions)
    return (heuristic, *[name] * bool(algorithm), *LIMITS, *(FORM if form else ()), conventions)


def _conventions() -> Iterator[Option]:
    from plyscope.searching.conventions import CHOICES, HELP

    for name, choices in CHOICES.items():
        yield Option(f"--{name}", HELP[name], choices)
    yield Option("--window ALPHA BETA", HELP["window"], window_end)
    yield Option("-s --seed N", HELP["seed"], whole(0))


def search_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the given options as keyword arguments of `search`."""
    from plyscope.searching.request import OPTIONS

    names = {"algorithm", "heuristic", *OPTIONS} - {"game"}
    given = {
        name: value
        for name, value in vars(arguments).items()
        if name in names and value is not None
    }
    if "window" in given:
        given["window"] = tuple(given["window"])
    return given


def console(stderr: bool = False) -> Terminal:
    """Return the console to print on."""
    from plyscope.faces.terminal import terminal

    return terminal(stderr)


def say(notes: Iterable[str]) -> None:
    """Print each note once, on its own line of standard error."""
    for note in dict.fromkeys(notes):
        print(one_line(f"plyscope: note: {note}"), file=sys.stderr)


def print_csv(rows: Sequence[dict[str, Any]], columns: Iterable[str] = ()) -> None:
    """Print rows as CSV, with their keys as the header, or `columns` if there are no rows."""
    cells = (["" if value is None else str(value) for value in row.values()] for row in rows)
    sys.stdout.write(csv_text([list(rows[0] if rows else columns), *cells]))


def print_result(result: Any, as_json: bool) -> None:
    """Print a single result as JSON or as text."""
    if as_json:
        print_json(result.as_dict())
        return
    from plyscope.faces.texts import result_text

    console().print(result_text(result))


_printed: list[bool] = []


def times_json_was_printed() -> int:
    """Return the number of calls of `print_json` in this process."""
    return len(_printed)


def print_json(data: Any) -> None:
    """Print `data` as JSON: in UTF-8, or in ASCII if the output has another encoding.

    Each object on the top level, or in a list there, gets the version of plyscope at its end.
    """
    import json

    made_by = {"plyscope": version_and_commit()}
    if isinstance(data, dict):
        data = data | made_by
    elif all(isinstance(item, dict) for item in data):
        data = [item | made_by for item in data]

    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    is_unicode = encoding.lower().replace("-", "") == "utf8"
    text = json.dumps(data, indent=2, ensure_ascii=not is_unicode)
    _printed.append(True)
    # A lone surrogate, which no encoding can represent, is escaped as in JSON.
    print(text.encode(errors="backslashreplace").decode())
