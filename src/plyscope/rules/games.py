"""The catalogue of games, and the text of any other: `7,7,5`, `4x4x4,4`, `5,4,4,gravity,misere`.

`m,n,k` is m columns and n rows, k in a line. A board of more dimensions is its sizes joined by `x`,
then k. Words of `rules.words` may follow, also after a name: `9,9,5,exactly`, `19,19,6,stones=2`,
`6,5,4,torus=x`, `connect4,torus=x`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import prod
from typing import Any
from unicodedata import combining, normalize

import plyscope.houses as houses
from plyscope.catalogue import Catalogue, nearest_name
from plyscope.errors import NotationError, OptionError, UnknownNameError
from plyscope.pythonfile import is_of_file, options_of, path_of, version_of_file, versions_of_file
from plyscope.rules.game import REQUIRED_METHODS, Game, GameLike, as_game, has_methods
from plyscope.rules.gamefile import is_game_file, read_game
from plyscope.rules.linegame import DEFAULTS, MAX_CELLS, LineGame
from plyscope.rules.words import Variants, format_spec, read_word

MAX_TEXT_CHARS = 200
_SPEC = re.compile(r"(\d+,\d+|\d+(?:x\d+)+),(\d+)((?:,[^,]*)*)")


def _of_spec(text: str, name: str = "", summary: str = "", given: str = "") -> LineGame:
    """Return the game of an `m,n,k` text; raise NotationError, which quotes `given`."""
    given = given or text
    match = _SPEC.fullmatch(text)
    if match is None:
        raise NotationError(
            f"cannot read the game {given[:64]!r}; "
            "expected m,n,k such as '7,7,5', or sizes and k such as '4x4x4,4,torus'"
        )
    if len(text) > MAX_TEXT_CHARS:
        raise NotationError(
            f"game {given[:64]!r}... is too long; expected at most {MAX_TEXT_CHARS} characters"
        )
    board, k_text, words = match.groups()
    shape, k = tuple(map(int, re.split("[x,]", board))), int(k_text)
    if not 0 < prod(shape) <= MAX_CELLS or not 1 <= k <= MAX_CELLS:
        raise NotationError(
            f"game {given!r} is out of range; expected at most {MAX_CELLS} cells and k from 1"
        )
    variants: Any = {}
    for word in words.split(",")[1:]:
        key, has_value, value = word.partition("=")
        field, read = read_word(key, value if has_value else True, shape, f"the game {given!r}")
        if field in variants:
            raise NotationError(
                f"{key!r} occurs twice in the game {given!r}; expected each word once"
            )
        variants[field] = read
    summary = summary or f"{k} in a line on {'×'.join(map(str, shape))}"
    try:
        return LineGame.grid(*shape, k=k, name=name, summary=summary, **variants)
    except OptionError as error:
        raise NotationError(str(error)) from None


GAMES = Catalogue(
    "game",
    (
        _of_spec("3,3,3", "tictactoe", "three in a line on 3×3: a draw"),
        _of_spec(
            "3,3,3,misere", "misere-tictactoe", "whoever completes a line on 3×3 loses: a draw"
        ),
        _of_spec(
            "3,3,3,torus",
            "torus-tictactoe",
            "3×3 whose edges meet, 12 lines: the first player wins",
        ),
        _of_spec(
            "4,3,3", "4,3,3", "three in a line on 4 columns and 3 rows: the first player wins"
        ),
        _of_spec("4,4,4", "4,4,4", "four in a line on 4×4: a draw"),
        _of_spec("5,5,4", "5,5,4", "four in a line on 5×5: a draw"),
        _of_spec(
            "3x3x3,3",
            "cube",
            "three in a line in a cube of 27 cells: the first player wins from the centre",
        ),
        _of_spec(
            "4x4x4,4",
            "qubic",
            "four in a line in a cube of 64 cells: the first player wins (Patashnik 1980)",
        ),
        _of_spec("5,4,4,gravity", "connect4-5x4", "Connect Four on 5 columns and 4 rows: a draw"),
        _of_spec(
            "7,6,4,gravity", "connect4", "stones fall, four in a line on 7×6: the first player wins"
        ),
        _of_spec("9,9,5", "gomoku9", "five or more in a line on 9×9"),
        _of_spec(
            "15,15,5",
            "gomoku15",
            "five or more in a line on 15×15: the first player wins (Allis 1994)",
        ),
        _of_spec(
            "15,15,5,exactly",
            "gomoku15-exactly",
            "exactly five in a line on 15×15: the first player wins (Allis 1994)",
        ),
        _of_spec(
            "19,19,6,stones=2",
            "connect6",
            "six in a line on 19×19, one stone, then two a turn (Wu and Huang 2005): open",
        ),
    ),
)


def parse_game(source: GameLike | type | str) -> Game:
    """Return the game of a text, or of an object with the five methods or its class.

    A text is a name of the catalogue or `m,n,k`, with words after either (`tictactoe,misere`); a
    file `mygame.toml`; `file.py:Name`, a class that takes no arguments or an object; or
    the prefix of a house, such as `openspiel:`, and the text of a game.

    The lines of a line game are generated on first use, so that a caller with its own limits can
    call `count_lines` first. Raises UnknownNameError, NotationError or OptionError.

    >>> parse_game("3,3,3,torus").name, parse_game("tictactoe,misère").name
    ('torus-tictactoe', 'misere-tictactoe')
    """
    if not isinstance(source, str):
        return as_game(source)
    text = source.strip()
    if is_game_file(text):
        return read_game(text, version_of_file(text))
    if is_of_file(text):
        return load_game(text)
    if called := re.match(r"(.+\.py:\w+)\s*\(", text):
        raise NotationError(
            f"game {text[:64]!r} is called with arguments; expected the name of a class without "
            f"arguments, or of an object made in the file, such as {called[1]!r}"
        )
    prefix, _, rest = text.partition(":")
    if rest and (make := houses.find("GAMES", prefix, "game")) is not None:
        return as_game(make(rest))
    return _line_game(re.sub(r"\s*,\s*", ",", text.lower()))


ALIASES = {"gomoku": "gomoku15", "five-in-a-row": "gomoku15", "four-in-a-row": "connect4"}
"""Other names of games in the catalogue; an error suggests the right one."""


@lru_cache(maxsize=256)
def _line_game(given: str) -> LineGame:
    text = "".join(sign for sign in normalize("NFKD", given) if not combining(sign))  # misère
    if text in GAMES:
        return GAMES[text]
    head, _, words = text.partition(",")
    if not text[:1].isdigit() and head not in GAMES:
        if head in ALIASES:
            raise UnknownNameError(f"unknown game {head!r}; expected perhaps {ALIASES[head]}")
        forms = ("m,n,k", "file.toml", "file.py:Name")
        raise nearest_name("game", given.partition(",")[0], list(GAMES), forms)
    found = _of_spec(text if head not in GAMES else _with_words(GAMES[head], words), given=given)
    return next((game for game in GAMES.values() if game.rules == found.rules), found)


def _with_words(game: LineGame, words: str) -> str:
    """Return the text of a named game with `words` added.

    A word replaces the game's own word of the same key.
    """
    names = {word.partition("=")[0] for word in words.split(",")}
    own = [word for word in spec_of(game).split(",") if word.partition("=")[0] not in names]
    return ",".join([*own, words])


def spec_of(game: LineGame) -> str:
    """Return the m,n,k text of a game on a grid, such as `7,6,4,gravity` for Connect Four.

    It is empty for a game whose lines are listed.
    """
    if game.of_file or not isinstance(game.given, int):
        return game.name if re.match(r"\d+[,x]\d", game.name) else ""
    variants = {name: getattr(game, name, DEFAULTS.get(name)) for name in Variants.__annotations__}
    return format_spec(game.shape, game.given, variants)


def line_game(game: Game | str) -> LineGame:
    """Return `game`, or the game of its text, if it is a line game.

    Raises OptionError for a game of another kind, and the errors of `parse_game`.
    """
    found = parse_game(game) if isinstance(game, str) else game
    if not isinstance(found, LineGame):
        name = getattr(found, "name", type(found).__name__)
        raise OptionError(f"{str(name)[:40]!r} is not a line game; expected one, such as '4,4,4'")
    return found


def load_game(text: str) -> Game:
    """Return the game of `file.py:Name`; run the file again only if it has changed.

    Until then the result is the same object. Raises NotationError or OptionError.
    """
    return _loaded(text, versions_of_file(path_of(text)))


@lru_cache(maxsize=64)
def _loaded(text: str, version: object) -> Game:
    if options := options_of(text):
        given = " ".join(f"{key}={value}" for key, value in options.items())
        alone = text.removesuffix(f" {given}")
        raise OptionError(f"{given!r} after the game {alone!r}; expected the game alone")
    from plyscope.pythonrun import load_named  # late: few commands run a file

    name = text.rpartition(":")[2] if not text.endswith(".py") else ""

    def fits(thing: Any) -> bool:  # a class that was named is refused by `as_game`, with the reason
        is_named = isinstance(thing, type) and thing.__name__ == name
        return thing is not Game and (is_named or has_methods(thing))

    expected = f"a class with the methods {', '.join(REQUIRED_METHODS)} (docs/your-game.md)"
    _, found = load_named(text, "game", expected, fits)
    game = as_game(found)
    vars(game).update(of_file=text, _load=load_game)  # works for a frozen dataclass too
    return game


@lru_cache(maxsize=64)
def default_game(shape: tuple[int, ...]) -> LineGame | None:
    """Return the game assumed for a board whose text names none; None if there is no such game.

    It is the first game of the catalogue with this shape and one stone a turn.
    """
    found = (game for game in GAMES.values() if game.shape == shape and game.alternates)
    return next(found, None)
