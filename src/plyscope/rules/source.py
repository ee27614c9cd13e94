"""Reading positions: from a text, a file, lists, an array, a position, a game, a state, or a tree.

`read` is the one reader. What may be read in two ways is asked about, with the spelling of each.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from os.path import isdir, isfile
from pathlib import Path
from typing import Any

from plyscope.errors import IllegalMoveError, NotationError, OptionError, PlyscopeError
from plyscope.pythonfile import in_one_line
from plyscope.rules import gamefiles, notation
from plyscope.rules.drawings import ARRAY, OWN, lists_of, plain_lists
from plyscope.rules.game import (
    Game,
    GameLike,
    GamePosition,
    as_game,
    has_methods,
    is_game,
    parse_moves,
    position_of,
    state_of,
)
from plyscope.rules.gamefile import is_game_file, other_text
from plyscope.rules.gamefiles import CHOICE, MAX_FILE_CHARS, PAIRS, SHEET
from plyscope.rules.games import line_game, parse_game
from plyscope.rules.linegame import LineGame
from plyscope.rules.notation import Reading
from plyscope.rules.position import Position
from plyscope.rules.tree import ExplicitTree, TreePosition, parse_tree
from plyscope.rules.treetext import looks_like_tree

_NAMED = re.compile(r"(.+?\.py(?::\w+)?|\w+:[^\s,(]+(?:\([^)]*\))?)(?:[\s,]+(.*))?", re.DOTALL)
"""A text that begins with the name of a user-defined game or of a house's."""
_OWN = re.compile(rf"(?:[\w,-]+ )?{OWN.pattern}|{notation.MOVES.pattern}")
"""A board or moves in plyscope's own notation, perhaps after the name of a line game."""
_BRACKET = re.compile(r"[\[({]")
_BOARD_KEYS = ("board", "squares", "grid", "cells")
_BOARD_KEY = re.compile(rf"\{{(?=[^{{}}]*['\"](?:{'|'.join(_BOARD_KEYS)})['\"]\s*:\s*[\[(])")
"""The beginning of an object with a board, such as an observation of Kaggle's ConnectX."""
_NUMBERED = re.compile(r"\s*\{\s*[01]\s*:\s*(?!\s|[\[{(])")
"""The beginning of a dict of cells by their numbers."""
_FENCE = re.compile(r"\A\s*```\w*[^\S\n]*\n|\n[^\S\n]*```\s*\Z")
"""The lines around a text of code in Markdown."""
MIN_MOVES = 3
"""The least number of pairs that may be moves of tic-tac-toe, and are asked about."""
_FILE = re.compile(r"[^\n]{0,1000}\.(?!py\b)\w{1,8}(\s*#\d{1,9})?")
"""A text that may be the name of a file of a game; one of Python has the rules of a game."""
_FOLDER = re.compile(r"(?=.*/)(?=.*[a-np-wyzA-NP-WYZ_])[^\s,;|]{1,1000}")
"""A word that may be the path of a folder, and is no board of x, o, digits, dots and slashes."""
GAME_FILES = (".sgf", ".psq", ".rif", ".lib", ".pos", ".txt")
"""Endings of files that can be named in place of a position. A file with another ending is read
too, if it exists."""


def parse(source: Any, game: GameLike | str | None = None, rows: str = "top") -> Position:
    """Return the position that a text or a Python object describes.

        source  a board such as `X../.O./...`, a drawing of one, a game and moves such as
                `connect4 44455` or `game.py:Nim 3 2`, a tree such as `[[3,5],[6,9]]`, a file
                such as `a.sgf`; or a board as lists or an array, `[[1,1,2],[2,1,0],[2,0,0]]`,
                with its game
        game    the game, where the text does not name it
        rows    the end from which the rows of a board are written, `top` or `bottom`

    For a tree it is a TreePosition, for a user-defined game a GamePosition; both have the methods
    of a Position. Raises NotationError for a text that cannot be read, or that can be read in two
    ways, UnknownNameError for an unknown game, IllegalMoveError for an illegal move, and
    NotationError or OptionError for a text of another game.

    >>> parse("connect4 44455").moves
    (35, 36, 37, 17, 25, 40, 41)
    >>> parse([[1, 1, 2], [2, 1, 0], [2, 0, 0]], game="tictactoe")
    <tictactoe: XXO/OX./O..>
    """
    position: Position = read(source, game, rows).end
    return position


def as_position(source: Any, game: GameLike | str | None = None) -> Any:
    """Return the position meant by `source`: a Position, TreePosition or GamePosition.

    `source` is one of these, anything that `parse` reads, a game or its class for the start, nested
    lists for a tree, or a state of `game`. Pass a state that is itself a text as
    `GamePosition(game, state)`.

    >>> as_position("connect4 44").side
    0

    Raises OptionError, and what `parse`, `parse_tree`, `parse_game` and `parse_moves` raise.
    """
    return read(source, game).end


def read(source: Any, game: GameLike | str | None = None, rows: str = "top") -> Reading:
    """Return the position, the game or the tree meant by `source`, and how it was read.

    Raises the errors of `as_position`.
    """
    rules = parse_game(game) if isinstance(game, str) else None if game is None else as_game(game)
    if isinstance(source, str):
        return read_text(source if _OWN.fullmatch(source) else text_of(source), rules, rows)
    if isinstance(source, Position | TreePosition | GamePosition):
        return _whole(_of_state(source, rules))
    if is_game(source) or (isinstance(source, type) and has_methods(source)):
        rules = as_game(source)
        return _whole(_of_state(rules.start(), rules))
    data = plain_lists(source)
    if rules is None and isinstance(data, tuple) and _game_of_board(data) is None:
        return _whole(_of_state(source, rules))  # perhaps a state of somebody's own game
    if isinstance(data, list | tuple) and (rules is None or isinstance(rules, LineGame)):
        return _of_lists(data, rules, rows, "")
    for key in _BOARD_KEYS if isinstance(data, dict) else ():
        if isinstance(board := data.get(key), list | tuple):
            rules = rules or notation.boards_of(board, None, rows)[0].end.game
            return _of_key(read(board, rules, rows), data, key)
    if isinstance(data, dict) and set(map(type, data)) == {int}:
        numbers = sorted(data)  # of cells
        if numbers in ([*range(len(data))], [*range(1, len(data) + 1)]):
            return read([data[number] for number in numbers], rules, rows)
    if isinstance(data, dict) and rules is None:
        return _whole(parse_tree(data).start())
    return _whole(_of_state(source, rules))


def read_text(text: str, game: Game | None = None, rows: str = "top") -> Reading:
    """Return what a text of any kind describes, without opening a file for it.

    `game` is the game if the text names none. Raises the errors of `as_position`.
    """
    text = _FENCE.sub("", text) if "```" in text else text
    lines = game if isinstance(game, LineGame) else None
    is_of_lines = game is lines
    if is_of_lines and _OWN.fullmatch(text):
        return notation.read(text, lines, rows)
    is_file = gamefiles.file_reader(text) is not None
    if not (is_of_lines and is_file) and (own := own_game_in(text, game)):
        return _whole(parse_moves(*own))
    game = lines
    if is_file or SHEET.search(text) or PAIRS.fullmatch(text):
        return notation.read(text, game, rows)
    if said := other_text(text):
        raise NotationError(said)
    named, rest = game_before_lists(text)
    if named is not None and game not in (None, named):
        raise OptionError(f"game {named.name!r} before {text[:80]!r}; expected one game")
    game = game if named is None else named
    rest, rows = notation.without_rows(rest, rows)
    if (found := _BOARD_KEY.search(rest) or _NUMBERED.match(rest)) is not None:
        words = re.sub(r"\b(null|true|false)\b", "None", rest[found.start() :].strip())
        with_board = _literal(words)
        if isinstance(with_board, dict):
            return read(with_board, game, rows)
    data = lists_of(rest) if _BRACKET.search(rest) else None
    if data is not None:
        return _of_lists(data, game, rows, rest.strip())
    if game is None and "\n" in text and looks_like_tree(rest):
        try:
            return notation.read(text, None, rows)
        except notation.Ambiguous:
            raise
        except PlyscopeError as error:
            of_board = error
        try:
            return _whole(parse_tree(rest).start())
        except notation.Ambiguous:
            raise
        except NotationError as error:
            raise _neither(text, error, of_board) from None
    if "\n" in text or not looks_like_tree(rest):
        return notation.read(text, game, rows)
    tree = parse_tree(rest)
    if game is not None:
        raise OptionError(
            f"tree {rest.strip()[:60]!r} with the game {game.name!r}; "
            "expected a board of it, or no game"
        )
    return _whole(tree.start())


def game_before_lists(text: str) -> tuple[LineGame | None, str]:
    """Return the game named before lists, None if none is, and the lists: `tictactoe [[1,2,0],...`.

    Its lines are not generated.
    """
    found = re.match(r"\s*([^\s\[\](){}]+)\s+(?=[\[({])", text)
    if found is None or not notation.is_game(found[1]):
        return None, text
    return line_game(found[1]), text[found.end() :]


def _whole(position: Any) -> Reading:
    """Return the reading of a text or object that is nothing but this position."""
    return Reading(position, (), position, "")


def _game_of_board(data: Sequence[Any]) -> LineGame | None:
    """Return the game that the shape of a board implies, None if it implies none."""
    try:
        found: LineGame = notation.boards_of(data, None)[0].end.game
    except PlyscopeError:
        return None
    return found


def _literal(text: str) -> Any:
    """Return the value of a literal of Python, None if the text is none."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _of_key(reading: Reading, data: dict[str, Any], board: str) -> Reading:
    """Return the reading of an object's board, which says that its other keys are not read."""
    others = ", ".join(str(key) for key in data if key != board)
    left_out = f", without {others[:80]}" if others else ""
    return reading._replace(said=f"{reading.said}, from the key {board!r}{left_out}")


def _neither(text: str, of_tree: PlyscopeError, of_board: PlyscopeError) -> NotationError:
    """Return the error for a text that is no tree and no board."""
    reasons = [str(error).partition("; expected")[0] for error in (of_tree, of_board)]
    return NotationError(
        f"{' '.join(text.split())[:60]!r} is neither a tree ({reasons[0][:160]}) nor a board "
        f"({reasons[1][:160]}); expected such as [[3,5],[2,9]] or '.X./O../X.O'"
    )


def _of_lists(data: Sequence[Any], game: LineGame | None, rows: str, text: str) -> Reading:
    """Return the board, the moves or the tree of lists; raise NotationError if they may be two.

    `text` is the text that was read, empty for Python's lists.
    """
    shown = text or str(data)
    of_board: Any = None
    try:
        boards = notation.boards_of(data, game, rows)
    except PlyscopeError as error:
        of_board, boards = error, []
    if game is not None:
        found = [*boards, *notation.moves_of_lists(data, game, rows)]
        if found:
            return notation.one_of(found, shown)
        raise of_board
    is_printed = ARRAY.match(text) or ("\n" in text and "[" in text and "," not in text)
    if boards and (is_printed or {"x", "o"} <= set(re.findall(r"\w+", shown.lower()))):
        return notation.one_of(boards, shown)
    if is_printed and isinstance(of_board, notation.Misfit):
        raise of_board
    moves = [] if boards else notation.moves_of_lists(data, line_game("tictactoe"), rows)
    try:
        tree = parse_tree(text or list(data)).start()
        if not text:
            from plyscope.rules.treeforms.reading import refuse_flat  # late, for a first search

            refuse_flat(tree.game.root)
    except NotationError as error:
        if boards:
            return notation.one_of(boards, shown)
        if isinstance(error, notation.Ambiguous):
            raise
        raise _neither(shown, error, of_board) from None
    short = re.sub(r"\s+", " ", re.sub(r"^[^\[({]*", "", shown))  # without a name before the lists
    short, compact = (
        each if len(each) <= 60 else f"{each[:60]}..."
        for each in (short, "max" + str(tree.game).removeprefix("max"))
    )
    of_tree = repr(compact) if text else "ps.parse_tree(rows)"
    if isinstance(of_board, IllegalMoveError):
        about, _, expected = str(of_board).partition("; expected ")
        raise notation.Ambiguous(
            f"{short} can be read as a tree or as a board, where {about}; expected {of_tree} for "
            f"the tree, or {expected}"
        )
    are_pairs = all(isinstance(each, list | tuple) and len(each) == 2 for each in data)
    if not boards and (not moves or len(data) < MIN_MOVES or not are_pairs):
        return _whole(tree)
    first = (boards or moves)[0]
    name = first.end.game.name
    kind = first.said if boards else f"{len(data)} moves of {name}"
    is_flat = not any(isinstance(each, list | tuple) for each in data)
    children = f"{len(data)} {'leaves' if is_flat else 'MIN nodes'}"
    way = f"-g {name}, or '{name} {short}'" if text else f"game={name!r}"
    raise notation.Ambiguous(
        f"{short} can be read as {kind} or as a tree of {children}; "
        f"expected {way} for the {'board' if boards else 'moves'}, {of_tree} for the tree"
    )


def text_of(text: str) -> str:
    """Return the content of a file that `text` names, such as `a.sgf`; `a.rif#3` for its third
    game.

    Any other text is returned unchanged, and so are the names of files with the rules of a game.
    Binary files have one character for each byte. Raises NotationError for a file that cannot be
    read, for a folder, and for a missing file with one of the endings in GAME_FILES.
    """
    name, chosen = text.strip(), ""
    if _FOLDER.fullmatch(name) and isdir(name):
        raise NotationError(f"{name[-80:]!r} is a folder; expected a file in it, or a position")
    if not _FILE.fullmatch(name) or is_game_file(name) or SHEET.search(name):
        return text
    try:
        is_file = isfile(name)
        if not is_file and (found := CHOICE.search(name)):
            name, chosen = name[: found.start()], found[0]
            is_file = isfile(name)
        if not is_file and not name.lower().endswith(GAME_FILES):
            return text
        with Path(name).open("rb") as file:
            data = file.read(MAX_FILE_CHARS + 1)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        why = getattr(error, "strerror", None) or error
        raise NotationError(
            f"cannot read the game file {name[-80:]!r}: {why}; expected {', '.join(GAME_FILES)} or "
            "a text with a position"
        ) from None
    if data.startswith(b"SQLite format 3\0"):
        raise NotationError(
            f"{name[:80]!r} is a file of records; expected a position or the text of a game: "
            f"`plyscope records {name} --text` prints its games"
        )
    content = data.decode("latin-1")
    if gamefiles.is_binary(content):
        return content + chosen
    try:
        content = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        content = data.decode("latin-1")  # only names of players contain such letters
    content = content.replace("\r\n", "\n").replace("\r", "\n")
    is_of_games = gamefiles.file_reader(content) is not None or is_of_records(content)
    if not is_of_games and (chosen or name.lower().endswith(GAME_FILES[:-1])):
        raise NotationError(
            f"game file {name[-80:]!r} begins with {content.strip()[:20]!r}; expected SGF, '(;', "
            "PSQ, 'Piskvorky 15x15, 11:11, 0', RIF, '<database', RenLib, POS, or 'START 15'"
        )
    return content + chosen


def is_of_records(text: str) -> bool:
    """Return whether a text holds games that plyscope wrote (`lab.matches.gametext`)."""
    return text.lstrip().startswith('[Game "')


def game_of(source: Any) -> Game:
    """Return the game of `source`: a game, its class, its text, or a position of it.

    Raises OptionError for the text or the lists of a board with stones, and what `parse` raises.
    """
    if isinstance(source, str) and "[" not in source and "{" not in source:
        return parse_game(source)
    is_position = isinstance(source, str | list | dict | Position | TreePosition | GamePosition)
    if not is_position:
        return as_game(source)
    position = as_position(source)
    found: Game = position.game
    if isinstance(source, str | list | dict) and state_of(position) != found.start():
        shown = " ".join(str(source).split())[:60]
        raise OptionError(f"board {shown!r} in place of a game; expected {found.name!r}")
    return found


def own_game_in(text: str, game: Game | None) -> tuple[Game, str] | None:
    """Return the user-defined game that a text names, or `game`, and the text of the moves; None
    for a line game."""
    found = _NAMED.fullmatch(text.strip())
    if found is None:
        return None if game is None or isinstance(game, LineGame) else (game, text)
    named = parse_game(found[1])
    if game not in (None, named):
        raise OptionError(f"game {found[1]!r} in {text[:80]!r}; expected one game")
    return named, found[2] or ""


def _of_state(state: Any, game: Game | None) -> Any:
    """Return the position of a state of `game`, or a position as it is; raise OptionError for
    anything else."""
    own = getattr(state, "game", None)
    if game is None and own is None:
        raise OptionError(
            f"{type(state).__name__} {str(state)[:40]!r} is no position; "
            "expected a position, its text, a game, or a state and game="
        )
    rules = as_game(own) if game is None else game
    if isinstance(state, Position | TreePosition | GamePosition):
        if state.game != rules:
            raise OptionError(
                f"position {str(state)[:40]!r} of {state.game.name!r} with game={rules.name!r}; "
                "expected one game"
            )
        return state
    if isinstance(rules, LineGame | ExplicitTree):
        raise OptionError(
            f"{type(state).__name__} {str(state)[:40]!r} is no position of {rules.name!r}; "
            "expected one, or its text"
        )
    try:
        state = getattr(rules, "hold", lambda same: same)(state)  # mutable ones of other libraries
        rules.payoff(state)
        rules.side(state)
        hash(state)
    except Exception as error:  # user code
        if type(state).__hash__ is None:
            raise OptionError(
                f"{type(state).__name__} {str(state)[:40]!r} is not hashable; "
                f"expected an immutable state of {rules.name!r}, such as a text or a tuple"
            ) from None
        raise OptionError(
            f"{type(state).__name__} {str(state)[:40]!r} is no state of {rules.name!r}, "
            f"which raised {in_one_line(error)}; expected a state that its start or play returns"
        ) from error
    return position_of(rules, state)
