"""The positions, trees and heuristics of requests, within the size limits of the page.

A request cannot name a file. The only user-defined game of a page is the one it was opened with.
Requests call it by its name, and its positions are lists of moves from its start position. In the
same way the heuristics that a page was opened with have names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from plyscope.catalogue import nearest_name
from plyscope.errors import NotationError, OptionError
from plyscope.evaluation.function import FunctionHeuristic, load_function, of_function
from plyscope.evaluation.heuristic import HeuristicLike
from plyscope.evaluation.heuristics import HEURISTICS, find_heuristic
from plyscope.evaluation.linetable import KindTable, LineTable
from plyscope.evaluation.tablefile import read_table
from plyscope.pythonfile import is_of_file, path_of
from plyscope.rules.game import (
    GamePosition,
    is_repeated,
    move_text,
    one_line,
    position_after,
    read_move,
    read_moves,
)
from plyscope.rules.gamefiles import SHEET
from plyscope.rules.games import GAMES
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import count_lines
from plyscope.rules.notation import Reading, named_game, parse
from plyscope.rules.position import Position
from plyscope.rules.source import game_before_lists, read_text
from plyscope.rules.tree import ExplicitTree
from plyscope.rules.treetext import looks_like_tree
from plyscope.solving.known import Proofs
from plyscope.solving.verdict import MoveVerdict, Verdict
from plyscope_web.requests import MAX_CELLS, KnownPosition, LineTableInput
from plyscope_web.spoken import spoken_game

PLAIN = GAMES["tictactoe"]
own_start: ContextVar[GamePosition | Position | None] = ContextVar("own_start", default=None)
"""The start position of the user-defined game that this page was opened with, None without one."""
own_heuristics: ContextVar[tuple[OwnHeuristic, ...]] = ContextVar("own_heuristics", default=())
"""The heuristics that this page was opened with, besides those of the catalogue."""
text_reader: ContextVar[Callable[[str, str, Any], Any] | None] = ContextVar(
    "text_reader", default=None
)
"""The function that runs the text of a heuristic in a request, given its name, the text and a game:
only in the user's own browser, elsewhere None."""
REFUSED = (
    "a heuristic typed into the page is not run on a server; "
    "expected a file given at its start: plyscope web --heuristic FILE.py:NAME"
)
WRITTEN = re.compile(r"(\w{1,40}):\n(.*)", re.DOTALL)
"""The text of a heuristic in a request, with its name on the first line."""
FILES = re.compile(r"(?<!\w)(?=\w*?[a-z])\w+:|:[a-z_]|\.(py|toml|json|sgf|psq)\b", re.IGNORECASE)
"""The parts of a text that look like a file name; texts with one are refused."""
KIND_TABLES = ("values", "tempo")
"""The fields of a `KindTable`."""
MAX_DIMENSIONS = 4
MAX_LINE_CELLS = 10_000
"""The greatest sum of the lengths of a board's lines. They are generated in some 20 ms."""


class Asked(NamedTuple):
    """A position, and the text that names it in requests."""

    position: Any
    text: str
    past: tuple[Any, ...] = ()
    """The earlier positions of a game that can be drawn by repetition."""

    @property
    def is_over(self) -> bool:
        """Whether the game is over, by its rules or by repetition."""
        return self.position.is_over or is_repeated([*self.past, self.position])

    def after(self, move: Any) -> Asked:
        """Return the position after a legal move."""
        after = position_after(self.position, move)
        if not isinstance(after, GamePosition):
            return Asked(after, str(after))
        is_first = self.text == after.game.name
        text = f"{self.text}{' ' if is_first else ', '}{move_text(self.position, move)}"
        return Asked(after, text, (*self.past, self.position))


class OwnHeuristic(NamedTuple):
    """A heuristic that a page was opened with, under the name that requests use."""

    name: str
    summary: str
    given: HeuristicLike
    """What it was given as. A file is read again after a change."""

    @classmethod
    def named(cls, given: Iterable[HeuristicLike]) -> tuple[OwnHeuristic, ...]:
        """Return heuristics with their names, all different and none of the catalogue.

        A function is called by its name, or by that of its file too, `mine.py:f`, if the name is
        taken. Raises NotationError or OptionError for a heuristic that cannot be used.
        """
        found: dict[str, OwnHeuristic] = {}
        for each in given:
            if not isinstance(each, str):
                made: Any = of_function(each) if callable(each) else find_heuristic(each, PLAIN)
                if isinstance(made, FunctionHeuristic):
                    made.signature_on(None)
                file = ""
            elif is_of_file(each):
                made, file = load_function(each), Path(path_of(each)).name
            elif each.endswith((".toml", ".json")):
                made, file = read_table(each), Path(each).name
            else:
                raise OptionError(
                    f"heuristic {each[:60]!r} to add to the page; "
                    "expected file.py:name or table.toml"
                )
            names = made.name, f"{file}:{made.name}"
            free = [name for name in names[: 1 + bool(file)] if name not in (*found, *HEURISTICS)]
            if not free:
                raise OptionError(f"two heuristics named {names[0]!r}; expected different names")
            found[free[0]] = cls(free[0], getattr(made, "summary", ""), each)
        return tuple(found.values())


def asked_of(text: str) -> Asked:
    """Return the position of a text, in a line game or in the page's user-defined game."""
    asked = own_of(text)
    if asked is not None:
        return asked
    position = position_of(text)
    return Asked(position, str(position))


def own_of(text: str) -> Asked | None:
    """Return the position of a text in the page's user-defined game, None for another game."""
    start = own_start.get()
    if isinstance(start, Position):
        return _of_line_game(start, text.strip())
    name, rest = ("", "") if start is None else (start.game.name, text.strip())
    if start is None or not f"{rest} ".startswith(f"{name} "):
        return None
    asked = Asked(start, name)
    for word, _ in read_moves(start, rest[len(name) :]):
        asked = asked.after(read_move(asked.position, word))
    return asked


def _of_line_game(start: Position, text: str) -> Asked | None:
    """Return the position of a text in a line game from a file, None for another game.

    The text begins with the name of the game or with that of its file.
    """
    game = start.game
    if not any(f"{text} ".startswith(f"{name} ") for name in (game.name, game.of_file)):
        return None
    position = start if text in (game.name, game.of_file) else parse(text, game)
    return Asked(position, str(position))


def position_of(text: str) -> Position:
    """Return the position of a text in a line game; raise OptionError if the board is too large."""
    position = subject_of(text)
    if isinstance(position, GamePosition):
        raise OptionError(
            f"{position.game.name!r} is not a line game; expected a position such as 'connect4 444'"
        )
    if not isinstance(position, Position):
        raise OptionError(f"{text[:60]!r} is a tree; expected a position such as 'connect4 444'")
    return position


def game_of(text: str) -> LineGame:
    """Return the game of a text; raise OptionError if the text is a position after its start."""
    position = beginning_of(text)
    if position != position.game.start():
        raise OptionError(
            f"'{one_line(position)}' has stones on it, but the request is about a whole game; "
            f"expected {position.game.name!r}"
        )
    return position.game


def beginning_of(text: str) -> Position:
    """Return the position of a text; for the name of a game, the start position of the game."""
    position = position_of(text)
    game = position.game  # a page may have been opened at a position with stones
    return game.start() if text.strip() in (game.name, game.of_file) else position


def proofs_of(known: list[KnownPosition]) -> Proofs:
    """Return the proofs from earlier responses about positions of line games.

    Raise OptionError if a move is not legal, or if all moves have values and the best of them is
    not the position's value.
    """
    found = {}
    for item in known:
        position = asked_of(item.position).position
        if not isinstance(position, Position) or position.is_over:
            continue
        legal = set(position.moves)
        values = {each.move: each.value for each in item.moves}
        if not legal.issuperset([*item.best, *values]):
            raise OptionError(
                f"an illegal move in '{one_line(position)[:60]}'; "
                "expected cells of its legal moves in 'known'"
            )
        is_whole = len(values) == len(item.moves) == len(legal)
        best = max(values.values()) if is_whole else item.value
        if best != item.value:
            raise OptionError(
                f"value {item.value} of '{one_line(position)[:60]}', but its best move has {best}; "
                "expected equal values in 'known'"
            )
        found[position] = Verdict(
            position=position,
            value=item.value,
            distance=item.distance,
            best_moves=tuple(item.best),
            moves=tuple(
                MoveVerdict(
                    move=each.move,
                    text=move_text(position, each.move),
                    value=each.value,
                    distance=each.distance,
                )
                for each in item.moves
            )
            if is_whole
            else None,
            method="known",
            proof="proved in an earlier response",
        )
    return found


def running_position_of(text: str) -> Any:
    """Return the position of a text; raise OptionError if its game is over."""
    position = asked_of(text).position
    if position.is_over:
        shown = one_line(position)
        raise OptionError(f"'{shown}' is over; expected an unfinished position")
    return position


def subject_of(text: str) -> Any:
    """Return the position or tree of a text; check the board's size before generating its lines."""
    asked = own_of(text)
    if asked is not None:
        return asked.position
    return reading_of(text).end


def check_tree(game: Any, most: int) -> None:
    """Raise NotationError for an explicit tree of more than `most` nodes."""
    nodes = [game.root] if isinstance(game, ExplicitTree) else []
    for node in nodes:
        nodes.extend(node.children)
    if len(nodes) > most:
        raise NotationError(f"tree of {len(nodes):,} nodes; expected at most {most:,}")


def reading_of(text: str) -> Reading:
    """Return the position, the tree or the played game of a text in any notation.

    The size of the board is checked before its lines are generated.
    """
    text = spoken_game(text) or text
    sheet = SHEET.search(text)
    if FILES.search(text[: sheet.start()] if sheet is not None else text):
        raise OptionError(
            f"unknown game {text[:60]!r}; expected a position such as 'connect4 444', or your own "
            "game, with which the page is opened: plyscope web --game nim.py:Nim"
        )
    is_of_lists = looks_like_tree(text) and sheet is None
    game = game_before_lists(text)[0] if is_of_lists else named_game(text)
    if game is not None:
        _check_size(game)
    return read_text(text)


def _check_size(game: LineGame) -> None:
    """Raise OptionError for a board that is too large for the page or has too many lines."""
    size = "×".join(map(str, game.shape))
    if game.size > MAX_CELLS or len(game.shape) > MAX_DIMENSIONS:
        raise OptionError(
            f"board of {size} is too large for the page; "
            f"expected at most {MAX_CELLS} cells in {MAX_DIMENSIONS} dimensions"
        )
    if isinstance(game.given, int) and game.given > game.size:
        raise OptionError(
            f"{game.given} in a line on a board of {size}; expected at most its {game.size} cells"
        )
    if isinstance(game.given, int):
        cells = game.given * count_lines(game.shape, game.given, game.torus)
    else:
        cells = sum(line.mask.bit_count() for line in game.given)
    if cells > MAX_LINE_CELLS:
        raise OptionError(
            f"the lines of {game.name!r} have {cells:,} cells; "
            f"expected at most {MAX_LINE_CELLS:,} for the page"
        )


def heuristic_of(given: str | LineTableInput | None, game: Any) -> Any:
    """Return the heuristic of the catalogue or of the page with this name, that of a text, or the
    line table.

    Return None, which means the default heuristic, if none is given, or if the game is not a line
    game and the heuristic is not one that the page was opened with.
    """
    own = {each.name: each for each in own_heuristics.get()}
    if isinstance(given, str) and given in own:
        return _named(find_heuristic(own[given].given, game), given)
    if isinstance(given, str) and (text := WRITTEN.fullmatch(given)):
        return reader_of_texts()(text[1], text[2], game)
    if given is None or not isinstance(game, LineGame):
        return None
    if isinstance(given, LineTableInput):
        return table_of_input(given)
    if given not in HEURISTICS:
        raise nearest_name("heuristic", given, [*own, *HEURISTICS])
    entry = HEURISTICS[given]
    if entry.quick_cells is not None and game.size > entry.quick_cells:
        raise OptionError(
            f"heuristic {given!r} on {game.name!r}, which has {game.size} cells; "
            f"expected at most {entry.quick_cells} on the page"
        )
    return entry.build(game)


def reader_of_texts() -> Callable[[str, str, Any], Any]:
    """Return the `text_reader`; raise OptionError where no text is run."""
    reader = text_reader.get()
    if reader is None:
        raise OptionError(REFUSED)
    return reader


def _named(heuristic: Any, name: str) -> Any:
    """Return a function or a table under another name, any other heuristic unchanged."""
    if isinstance(heuristic, FunctionHeuristic | LineTable):
        return replace(heuristic, name=name)
    return heuristic


def table_of_input(given: LineTableInput) -> LineTable:
    """Return the line table of a request, without terms of value 0."""
    table = LineTable(
        given.name,
        _pairs(given.values),
        dict(given.weights),
        given.clamp,
        tempo=_pairs(given.tempo),
        ends={key: value for key, value in _pairs(given.ends).items() if value},
        cells={name: value for name, value in given.cells.items() if value},
        threats=_pairs(given.threats),
        mobility=given.mobility.get("safe", 0),
        kinds=_kinds(given.kinds),
        patterns=_pairs(given.patterns),
        pattern_tempo=_pairs(given.pattern_tempo),
    )
    return table if table.kinds or not table.is_of_lines else table.table


def _kinds(given: Mapping[str, int]) -> dict[str, KindTable]:
    """Return the tables by kind of line, from keys such as `"row values 2,0"`; values of 0 are
    dropped."""
    by_place: dict[tuple[str, str], dict[str, int]] = {}
    for text, value in given.items():
        kind, table, stones = text.split()
        if value:
            by_place.setdefault((kind, table), {})[stones] = value
    return {
        kind: KindTable(*(_pairs(by_place.get((kind, table), {})) for table in KIND_TABLES))
        for kind in dict.fromkeys(kind for kind, _ in by_place)
    }


def _pairs(given: Mapping[str, int]) -> dict[tuple[int, int], int]:
    pairs = {}
    for text, value in given.items():
        one, other = text.split(",")
        pairs[int(one), int(other)] = value
    return pairs
