"""Reading positions: from a text, a position, a game, a state, or a tree."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from plyscope.errors import NotationError, OptionError
from plyscope.pythonfile import in_one_line
from plyscope.rules import foreign, notation
from plyscope.rules.foreign import CHOICE, MAX_FILE_CHARS
from plyscope.rules.game import (
    Game,
    GameLike,
    GamePosition,
    as_game,
    has_methods,
    is_game,
    parse_moves,
    position_of,
)
from plyscope.rules.gamefile import is_game_file, other_text
from plyscope.rules.gamefiles import SHEET
from plyscope.rules.games import line_game, parse_game
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.rules.tree import ExplicitTree, TreePosition, parse_tree
from plyscope.rules.treetext import looks_like_tree

_NAMED = re.compile(r"(.+?\.py(?::\w+)?|\w+:[^\s,(]+(?:\([^)]*\))?)(?:[\s,]+(.*))?", re.DOTALL)
"""A text that begins with the name of a user-defined game or of a house's."""


_FILE = re.compile(r"[^\n]{0,1000}\.(?!py\b)\w{1,8}(\s*#\d{1,9})?")
"""A text that may be the name of a file of a game; one of Python has the rules of a game."""
GAME_FILES = (".sgf", ".psq", ".rif", ".lib", ".pos", ".txt")
"""Endings of files that can be named in place of a position. A file with another ending is read
too, if it exists."""


def parse(text: str, game: GameLike | str | None = None) -> Position:
    """Return the position that a text describes.

        text   a board such as `X../.O./...`, a game and moves such as `connect4 44455` or
               `game.py:Nim 3 2`, a tree such as `[[3,5],[6,9]]`, or a file such as `a.sgf`
        game   the game, where the text does not name it

    For a tree it is a TreePosition, for a user-defined game a GamePosition; both have the methods
    of a Position. Raises NotationError for a text that cannot be read, UnknownNameError for an
    unknown game, IllegalMoveError for an illegal move, and NotationError or OptionError for a text
    of another game.

    >>> parse("connect4 44455").moves
    (35, 36, 37, 17, 25, 40, 41)
    """
    position: Position = as_position(text, game)
    return position


def as_position(source: Any, game: GameLike | str | None = None) -> Any:
    """Return the position meant by `source`: a Position, TreePosition or GamePosition.

    `source` is one of these, a text (of a board, of a game and moves, of a tree, or the name of a
    file such as `a.sgf`), a game or its class for the start, nested lists for a tree,
    or a state of `game`. Pass a state that is itself a text as `GamePosition(game, state)`.

    >>> as_position("connect4 44").side
    0

    Raises OptionError, and what `parse`, `parse_tree`, `parse_game` and `parse_moves` raise.
    """
    rules = parse_game(game) if isinstance(game, str) else None if game is None else as_game(game)
    if isinstance(source, str):
        return _of_text(source, rules)
    if isinstance(source, list | dict) and rules is None:
        return parse_tree(source).start()
    if isinstance(source, Position | TreePosition | GamePosition):
        return _of_state(source, rules)
    if is_game(source) or (isinstance(source, type) and has_methods(source)):
        rules = as_game(source)
        return _of_state(rules.start(), rules)
    return _of_state(source, rules)


def text_of(text: str) -> str:
    """Return the content of a file that `text` names, such as `a.sgf`; `a.rif#3` for its third
    game.

    Any other text is returned unchanged, and so are the names of files with the rules of a game.
    Binary files have one character for each byte. Raises NotationError for a file that cannot be
    read, and for a missing file with one of the endings in GAME_FILES.
    """
    name, chosen = text.strip(), ""
    if not _FILE.fullmatch(name) or is_game_file(name) or SHEET.search(name):
        return text
    try:
        if not Path(name).is_file() and (found := CHOICE.search(name)):
            name, chosen = name[: found.start()], found[0]
        if not name.lower().endswith(GAME_FILES) and not Path(name).is_file():
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
    if foreign.is_binary(content):
        return content + chosen
    try:
        content = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        content = data.decode("latin-1")  # only names of players contain such letters
    content = content.replace("\r\n", "\n").replace("\r", "\n")
    is_of_games = foreign.file_reader(content) is not None or is_of_records(content)
    if not is_of_games and (chosen or name.lower().endswith(GAME_FILES[:-1])):
        raise NotationError(
            f"game file {name[-80:]!r} begins with {content.strip()[:20]!r}; expected SGF, '(;', "
            "PSQ, 'Piskvorky 15x15, 11:11, 0', RIF, '<database', RenLib, POS, or 'START 15'"
        )
    return content + chosen


def is_of_records(text: str) -> bool:
    """Return whether a text holds games that plyscope wrote (`lab.matches.gametext`)."""
    return text.lstrip().startswith('[Game "')


def reading_of(text: str, game: GameLike | str | None = None) -> notation.Reading:
    """Return the start, the moves and the end of a line game's text or of a game file.

    Raises the errors of `as_position`.
    """
    rules = parse_game(game) if isinstance(game, str) else None if game is None else as_game(game)
    return notation.read(text_of(text), None if rules is None else line_game(rules))


def game_of(source: Any) -> Game:
    """Return the game of `source`: a game, its class, its text, or a position of it."""
    if isinstance(source, str) and "[" not in source and "{" not in source:
        return parse_game(source)
    is_position = isinstance(source, str | list | dict | Position | TreePosition | GamePosition)
    found: Game = as_position(source).game if is_position else as_game(source)
    return found


def _of_text(text: str, game: Game | None) -> Any:
    """Return the position of a text of any kind; `game` is the game if the text names none."""
    text = text_of(text)
    if foreign.file_reader(text) is not None and (game is None or isinstance(game, LineGame)):
        return notation.parse(text, game)
    if (own := own_game_in(text, game)) is not None:
        return parse_moves(*own)
    is_tree = looks_like_tree(text) and not SHEET.search(text)
    if said := other_text(text):
        raise NotationError(said)
    lines = game if isinstance(game, LineGame) else None
    return parse_tree(text).start() if is_tree else notation.parse(text, lines)


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
