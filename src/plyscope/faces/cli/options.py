"""The words that commands share: option groups, value types, and the parser that answers bad input
in one line."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from math import isfinite
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, NoReturn

from plyscope.catalogue import nearest_name
from plyscope.datafile import csv_text
from plyscope.faces.cli.statuses import BAD_INPUT
from plyscope.faces.signs import one_line

if TYPE_CHECKING:
    from plyscope.faces.terminal import Terminal


Options = argparse._ActionsContainer
"""A parser, or a group of its options."""


class HelpFormatter(argparse.HelpFormatter):
    """Help that reads alike under every version of Python: 100 columns, fewer in a narrower window,
    and `-H, --heuristic NAME` for an option with two names."""

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
        # A word such as -9..9 or -1,5 is a value: no option here begins with a digit.
        self._negative_number_matcher = re.compile(r"-\.?\d")

    def add_later(self, add: Callable[[], None]) -> None:
        """Add options when the command is used, since what they follow from has to be imported."""
        self._awaited.append(add)

    def complete(self) -> None:
        """Add what was to be added later."""
        while self._awaited:
            self._awaited.pop(0)()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does, with all options there; words too many are an error here."""
        self.complete()
        given, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(self._too_many(rest))
        return given, rest

    def _too_many(self, words: list[str]) -> str:
        """Return what is wrong with words that are no option and no argument here."""
        option = next((word for word in words if word.startswith("-")), None)
        if option is not None:
            name = option.partition("=")[0]
            known = [each for each in self._option_string_actions if each.startswith("--")]
            said = str(nearest_name("option", name, known))
            return said if "perhaps" in said else said.partition(";")[0]
        said = f"unexpected {words[0]!r}"
        if "POSITION" in (action.metavar for action in self._actions):
            said += (
                "; expected one POSITION: quotes keep its words together, as in 'connect4 44455'"
            )
        return said

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise ArgumentError for a value that is no choice, with the nearest that are."""
        if action.choices is not None and value not in action.choices:
            name = [str(action.metavar or action.dest).lower(), *action.option_strings][-1]
            name = "command" if "|" in name else name
            known = [str(choice) for choice in action.choices]
            raise argparse.ArgumentError(None, str(nearest_name(name, str(value), known)))

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help, usage or version; what cannot be written is an error, which argparse would
        hide."""
        (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        """Print `message` on one line and exit with status 2."""
        print(one_line(f"{self.prog}: {message}; see '{self.prog} --help'"), file=sys.stderr)
        sys.exit(BAD_INPUT)


def whole(least: int, most: int = 10**12) -> Callable[[str], int]:
    """Return the reader of a whole number from `least` to `most`."""

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


def seconds(text: str) -> float:
    """Read a number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r}; expected a number of seconds from 0")
    return value


def number(text: str) -> float:
    """Read a number."""
    with suppress(ValueError):
        if isfinite(value := float(text)):
            return value
    raise argparse.ArgumentTypeError(f"{text!r}; expected a number")


def add_json(parser: argparse.ArgumentParser, help: str = "print JSON instead of a table") -> None:
    """Add --json."""
    parser.add_argument("--json", action="store_true", help=help)


def add_seed(
    parser: argparse.ArgumentParser, of: str = "whatever is random", default: int | None = 0
) -> None:
    """Add --seed, `of` something; without a default it is a new one each time."""
    usual = "a new one each time" if default is None else default
    parser.add_argument(
        "-s",
        "--seed",
        type=whole(0),
        default=default,
        metavar="N",
        help=f"the seed of {of} (default: {usual})",
    )


def add_game(parser: Options, default: str | None, help: str) -> None:
    """Add --game."""
    parser.add_argument("-g", "--game", default=default, metavar="GAME", help=help)


def add_number(
    parser: Options,
    of: str,
    help: str,
    default: int | None = None,
    most: int = 10**12,
) -> None:
    """Add -n, how many `of` something."""
    parser.add_argument(
        "-n", f"--{of}", type=whole(1, most), default=default, metavar="N", help=help
    )


def add_depth(
    parser: Options,
    help: str,
    default: int | None = None,
    least: int = 1,
    most: int = 10_000,
) -> None:
    """Add --depth, in plies."""
    parser.add_argument(
        "-d", "--depth", type=whole(least, most), default=default, metavar="N", help=help
    )


def add_seconds(parser: Options, help: str, default: float | None = None) -> None:
    """Add --seconds."""
    parser.add_argument("-t", "--seconds", type=seconds, default=default, metavar="S", help=help)


def add_jobs(parser: Options, help: str, least: int = 1) -> None:
    """Add --jobs, in processes."""
    parser.add_argument("-j", "--jobs", type=whole(least, 1024), metavar="N", help=help)


def add_output(parser: Options, help: str) -> None:
    """Add --output."""
    parser.add_argument("-o", "--output", metavar="FILE", help=help)


def add_position(
    parser: argparse.ArgumentParser, help: str = "a board, or a game and moves"
) -> None:
    """Add POSITION and --game."""
    parser.add_argument(
        "position", metavar="POSITION", nargs="?", help=f"{help} (default: the start of --game)"
    )
    add_game(
        parser,
        None,
        "the game of a board or moves that do not say it: a name, m,n,k or file.py:Name",
    )


def given_position(arguments: argparse.Namespace) -> Any:
    """Return the position that `add_position` read; raise OptionError without any."""
    from plyscope.errors import OptionError
    from plyscope.rules.source import as_position

    if arguments.position is None and arguments.game is None:
        raise OptionError("no position; expected a board, a game and moves, or --game")
    position = as_position(arguments.position or "", arguments.game)
    if not arguments.json and arguments.command != "eval":  # which takes any arrangement
        say_doubt(position)
    return position


def say_doubt(position: Any) -> None:
    """Say of a position that no game leads to why that is so."""
    from plyscope.faces.wording import doubt
    from plyscope.rules.position import Position

    if isinstance(position, Position) and (said := doubt(position)):
        say([said[0].lower() + said[1:]])


def add_heuristic(parser: argparse.ArgumentParser) -> None:
    """Add --heuristic."""
    parser.add_argument(
        "-H",
        "--heuristic",
        metavar="NAME",
        help="a name, tablebase, table.toml, or file.py:name (default: counted-lines)",
    )


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add --depth, --nodes and --seconds."""
    add_depth(parser, "search at most N plies")
    parser.add_argument(
        "--nodes", type=whole(1), metavar="N", help="visit at most N nodes, deepening"
    )
    add_seconds(parser, "search at most S seconds, deepening")


def add_search(parser: Parser, algorithm: bool = True, form: bool = True) -> None:
    """Add everything that says how to search."""
    add_heuristic(parser)
    if algorithm:
        parser.add_argument(
            "-A",
            "--algorithm",
            default="alphabeta",
            metavar="NAME",
            help="the algorithm (default: alphabeta)",
        )
    add_limits(parser)
    if form:
        parser.add_argument(
            "--form",
            choices=("auto", "reference", "compiled"),
            help="the form of the search (default: auto)",
        )
        _add_engine(parser)
    group = parser.add_argument_group("conventions")
    parser.add_later(lambda: _add_conventions(group))


def _add_engine(parser: Parser) -> None:
    """Add the playing engine's own options."""
    playing = parser.add_argument_group("the playing engine (--algorithm engine)")
    for name, most, what in (
        ("multipv", 1000, "the N best variations (default: 1)"),
        ("threads", 256, "threads that search beside each other (default: 1)"),
        ("megabytes", 1 << 16, "the size of its table (default: 64)"),
    ):
        playing.add_argument(f"--{name}", type=whole(1, most), metavar="N", help=what)
    playing.add_argument(
        "--clock",
        type=seconds,
        metavar="S",
        help="seconds left for the whole game, of which it takes its share",
    )


def _add_conventions(group: Any) -> None:
    """Add an option for each convention, as it is declared."""
    from plyscope.searching.conventions import CHOICES, HELP

    for name, choices in CHOICES.items():
        group.add_argument(f"--{name}", choices=choices, help=HELP[name])
    ends = ("ALPHA", "BETA")
    anything = whole(-(10**12))
    group.add_argument("--window", nargs=2, type=anything, metavar=ends, help=HELP["window"])
    group.add_argument("-s", "--seed", type=whole(0), metavar="N", help=HELP["seed"])


def search_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what `add_search` read, by the names that `search` takes, less what was not given."""
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
    """Print each note once, on a line of its own, beside what is printed."""
    for note in dict.fromkeys(notes):
        print(one_line(f"plyscope: note: {note}"), file=sys.stderr)


def print_csv(rows: Sequence[dict[str, Any]], columns: Iterable[str] = ()) -> None:
    """Print rows as CSV under the names of their keys, or of `columns` where there are none."""
    cells = (["" if value is None else str(value) for value in row.values()] for row in rows)
    sys.stdout.write(csv_text([list(rows[0] if rows else columns), *cells]))


_printed: list[bool] = []


def times_json_was_printed() -> int:
    """Return how often `print_json` has been called in this process."""
    return len(_printed)


def print_json(data: Any) -> None:
    """Print `data` as JSON: in UTF-8, in ASCII alone where the output has another encoding."""
    import json

    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    is_unicode = encoding.lower().replace("-", "") == "utf8"
    text = json.dumps(data, indent=2, ensure_ascii=not is_unicode)
    _printed.append(True)
    # Half a surrogate pair, which no encoding has, as JSON writes it.
    print(text.encode(errors="backslashreplace").decode())
