"""Games: the base class `Game`, its protocol `GameLike`, and positions of user-defined games.

A game has two sides and is zero-sum, of perfect information and without chance. `FIRST` is called
X, `SECOND` is called O. The sides need not alternate: `side(state)` returns the side to move.
"""

from __future__ import annotations

import operator
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from plyscope.display import drawn
from plyscope.errors import IllegalMoveError, NotationError, OptionError, PlyscopeError
from plyscope.identity import identity_of, is_plyscopes
from plyscope.pythonfile import in_one_line
from plyscope.rules.cells import parse_cell

Class = TypeVar("Class", bound=type)
FIRST = 0
SECOND = 1
SIDES = "xo"
"""The sides' names, indexed by side."""
MAX_REPETITIONS = 3
"""A position that occurs so often in a game with `draw_by_repetition` ends it as a draw."""


def parse_side(side: str | int) -> int:
    """Return the side named by `x` or `o`, in either case, or by FIRST or SECOND.

    Raises NotationError for anything else.
    """
    if isinstance(side, str):
        found = SIDES.find(side.strip().lower()) if len(side.strip()) == 1 else -1
    else:
        found = int(side) if side in (FIRST, SECOND) else -1
    if found < 0:
        raise NotationError(f"unknown side {side!r}; expected x or o, or FIRST or SECOND")
    return found


def side_text(side: int | None) -> str | None:
    """Return `x` or `o`; None for no side."""
    return None if side is None else SIDES[side]


FOREIGN_NAMES = {
    **dict.fromkeys(("legal_moves", "legal_actions", "actions", "possible_moves"), "moves"),
    **dict.fromkeys(("turn", "to_move", "player", "current_player", "side_to_move"), "side"),
    **dict.fromkeys(("push", "apply_action", "make_move", "move", "child", "next"), "play"),
    **dict.fromkeys(("is_terminal", "is_game_over", "game_over", "terminal"), "is_over"),
    **dict.fromkeys(("returns", "outcome", "result", "reward", "rewards"), "payoff"),
    **dict.fromkeys(
        ("pop", "undo", "undo_move", "copy", "clone"), "play, which leaves it as it is"
    ),
    **dict.fromkeys(("lose", "win", "is_won"), "winner"),
    **dict.fromkeys(("board", "fen", "grid", "rows"), "owner, stones, or str(position)"),
}
"""Attribute names of other libraries, with the names that positions and games have here."""


class _ForeignName:
    """An attribute that other libraries have: reading it raises AttributeError, which suggests the
    name of plyscope. A `__getattr__` would slow all attributes in Python 3.11."""

    def __init__(self, name: str, meant: str) -> None:
        self.name, self.meant = name, meant

    def __get__(self, position: object, owner: type) -> Any:
        raise AttributeError(
            f"{owner.__name__!r} object has no attribute {self.name!r}; "
            f"expected perhaps {self.meant}",
            name=self.name,
            obj=position,
        )


def suggests_names(owner: Class) -> Class:
    """Return a class whose objects answer FOREIGN_NAMES with the attributes that they have."""
    for name, meant in FOREIGN_NAMES.items():
        if hasattr(owner, meant.partition(",")[0]) and not hasattr(owner, name):
            setattr(owner, name, _ForeignName(name, meant))
    owner.__dir__ = _own_names  # type: ignore[method-assign, assignment]
    return owner


def _own_names(position: object) -> list[str]:
    """Return what `dir` lists: the attributes without FOREIGN_NAMES."""
    from inspect import getattr_static

    names = object.__dir__(position)
    return [name for name in names if not isinstance(getattr_static(position, name), _ForeignName)]


class _OfClass:
    """The default of an attribute, computed from the class of the object."""

    def __init__(self, of: Callable[[type], str]) -> None:
        self.of = of

    def __get__(self, game: object, owner: type) -> str:
        if game is None:  # otherwise a dataclass would use it as the default of a field
            raise AttributeError("an attribute of objects, not of the class")
        return self.of(owner)


PositionLike = Hashable | list[Any] | dict[str, Any]
"""A position, its text, nested lists for a tree, or a state of a user-defined game."""


class GameLike(Protocol):
    """The five methods that a game must have; `as_game` adds the optional ones."""

    def start(self) -> Any:
        """Return the first state of the game."""

    def side(self, state: Any, /) -> int:
        """Return the side to move."""

    def moves(self, state: Any, /) -> Sequence[Any]:
        """Return the legal moves."""

    def play(self, state: Any, move: Any, /) -> Any:
        """Return the state after `move`."""

    def payoff(self, state: Any, /) -> int | None:
        """Return the result of a finished game in FIRST's view, None while it goes on."""


@suggests_names
class Game(ABC):
    """The base class of your own games: write five methods, and all of plyscope works with it.

    >>> class Nim(Game):
    ...     "Take one to three of ten; whoever takes the last one wins."
    ...
    ...     def start(self):
    ...         return 10, FIRST  # a state: what is left, and who is to move
    ...
    ...     def side(self, state):
    ...         return state[1]
    ...
    ...     def moves(self, state):
    ...         return [take for take in (1, 2, 3) if take <= state[0]]
    ...
    ...     def play(self, state, move):
    ...         return state[0] - move, 1 - state[1]
    ...
    ...     def payoff(self, state):
    ...         return None if state[0] else 1 if state[1] == SECOND else -1
    >>> from plyscope import search
    >>> search(Nim()).best_moves
    (2,)

    *States* and *moves* may be any immutable, hashable values: numbers, texts, tuples, named
    tuples, frozen dataclasses, frozensets. A state must hold everything that the rules depend on,
    such as the side to move if the rest does not determine it. Transposition tables treat equal
    states as one position, so equal states must have the same future.

    *Whose view*: a payoff is always in FIRST's view: positive when FIRST has won, negative when
    SECOND has, 0 for a draw. Only its sign counts, unless `scored` is true: then the number is the
    value of the game, such as a margin of points.

    *Repetition*: play must end, unless `draw_by_repetition` is true. Then play may return to an
    earlier state, endless play is a draw (0), and a game that is played ends as a draw when a
    position occurs for the third time.

    The rest has defaults: `name` is the name of the class in lower case, `summary` the first line
    of its docstring, and the text of a move or a state is its `str()`.
    """

    scored: bool = False
    """Whether payoffs count as values, such as points, and not only as won, drawn or lost."""
    draw_by_repetition: bool = False
    """Whether play may return to an earlier position, and endless play is a draw."""
    of_file: str = ""
    """`file.py:Name`, from which records and other processes load the game; empty for none."""
    if TYPE_CHECKING:

        @property
        def name(self) -> str:
            """The name that identifies the game on the command line."""

        @property
        def summary(self) -> str:
            """The rules in one line."""
    else:
        name = _OfClass(lambda owner: owner.__name__.lower())
        summary = _OfClass(lambda owner: (owner.__doc__ or "").strip().partition("\n")[0])

    @abstractmethod
    def start(self) -> Any:
        """Return the first state of the game, the same each time."""

    @abstractmethod
    def side(self, state: Any) -> int:
        """Return the side to move, FIRST or SECOND.

        A side may make several moves in a row. The result is ignored when the game is over.
        """

    @abstractmethod
    def moves(self, state: Any) -> Sequence[Any]:
        """Return the legal moves in the order in which they are generated, each once.

        While the game goes on there must be at least one; a pass is a move too. The method is not
        called when the game is over.
        """

    @abstractmethod
    def play(self, state: Any, move: Any) -> Any:
        """Return the state after `move`, one of `moves(state)`; leave `state` unchanged."""

    @abstractmethod
    def payoff(self, state: Any) -> int | None:
        """Return the result of a finished game in FIRST's view, a whole number; None while it goes
        on."""

    def format_move(self, state: Any, move: Any) -> str:
        """Return the text of `move`, different for each legal move."""
        return str(move)

    def parse_move(self, state: Any, text: str) -> Any:
        """Return the legal move that `text` names.

        Raises IllegalMoveError, which lists the legal moves.
        """
        named = {self.format_move(state, move): move for move in reversed(self.moves(state))}
        wanted = " ".join(text.split())
        if wanted in named:
            return named[wanted]
        folded = {name.casefold(): move for name, move in named.items()}
        if len(folded) == len(named) and wanted.casefold() in folded:
            return folded[wanted.casefold()]
        raise IllegalMoveError(f"no move {text[:40]!r} on {quoted(self, state)}; {_known(named)}")

    def format(self, state: Any) -> str:
        """Return the text of `state`: one line, or a drawing of several lines."""
        return str(state)

    def __repr__(self) -> str:
        return f"<game {self.name}>"

    def __str__(self) -> str:
        return f"{self.name}: {self.summary}"

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickle a game of a file by its text: another process has no module for that file."""
        load: Callable[[str], Game] | None = vars(self).get("_load")
        if load is not None:
            return load, (self.of_file,)
        return super().__reduce_ex__(protocol)


REQUIRED_METHODS = ("start", "side", "moves", "play", "payoff")
"""The methods that every game must have."""


class _Start:
    """A sentinel: the start of the game."""


_START = _Start()


class Held:
    """A mutable value of another library as a state or a move, equal and hashed by a `key` that is
    made of its content."""

    __slots__ = ("given", "key")

    def __init__(self, given: Any, key: Any) -> None:
        self.given, self.key = given, key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        from plyscope.rules.foreigngames import text_of_value

        return text_of_value(self.given)


def given(value: Any) -> Any:
    """Return the value inside `Held`; any other value itself."""
    return value.given if type(value) is Held else value


class _GameState(NamedTuple):
    game: Game
    state: Any


@suggests_names
class GamePosition(_GameState):
    """A position of a user-defined game: a state together with its game.

    It has the attributes of `Position`. Heuristics and the methods of the game receive the state.
    `GamePosition(game)` is the start.

    >>> import plyscope as ps
    >>> game = ps.parse_game("connect4")
    >>> ps.GamePosition(game).play("4").side
    1
    """

    __slots__ = ()

    def __new__(cls, game: Game, state: Any = _START) -> GamePosition:
        """Return the position of a state, by default of the start."""
        if state is _START:
            game = as_game(game)
            state = game.start()
        return super().__new__(cls, game, state)

    @property
    def payoff(self) -> int | None:
        """The result of the finished game in FIRST's view, None while it goes on."""
        return self.game.payoff(self.state)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.payoff is not None

    @property
    def side(self) -> int:
        """The side to move; FIRST if the game is over and names no side."""
        side = self.game.side(self.state)
        return int(side) if side in (FIRST, SECOND) or not self.is_over else FIRST

    @property
    def winner(self) -> int | None:
        """The side that has won, None if none has."""
        return winner_of(self.payoff)

    @property
    def moves(self) -> Sequence[Any]:
        """The legal moves, none when the game is over."""
        return () if self.is_over else self.game.moves(self.state)

    def play(self, *moves: Any) -> GamePosition:
        """Return the position after `moves`, each a legal move or its text.

        Raises IllegalMoveError or NotationError at the first illegal move.
        """
        position = self
        for move in moves:
            legal = _legal_move(position, move)
            position = position._replace(state=self.game.play(position.state, legal))
        return position

    def __str__(self) -> str:
        return self.game.format(self.state)

    def __repr__(self) -> str:
        return f"<{self.game.name}: {' / '.join(str(self).splitlines())}>"

    def _repr_html_(self) -> str:
        return drawn(self)


def winner_of(payoff: int | None) -> int | None:
    """Return the side that has won by this payoff; None for a draw or an unfinished game."""
    return None if not payoff else FIRST if payoff > 0 else SECOND


def result_for(side: int, game: GameLike, state: Any) -> int | None:
    """Return 1, 0 or −1 if `side` has won, drawn or lost; None while the game goes on."""
    payoff = game.payoff(state)
    if payoff is None:
        return None
    result = (payoff > 0) - (payoff < 0)
    return -result if side else result


def payoff_at(game: Game, state: Any) -> int | None:
    """Return the payoff as a whole number, None while the game goes on.

    Raises OptionError for any other value.
    """
    payoff = game.payoff(state)
    if payoff is None:
        return None
    try:
        return operator.index(payoff)
    except TypeError:
        raise bad_payoff(game, state, payoff, "a whole number") from None


def bad_payoff(game: Game, state: Any, payoff: Any, expected: str) -> OptionError:
    """Return the error for a payoff other than `expected`."""
    return OptionError(
        f"payoff {str(payoff)[:40]!r} of {game.name!r} on {quoted(game, state)}; "
        f"expected {expected}"
    )


def side_at(game: Game, state: Any) -> int:
    """Return the side to move of an unfinished game; raise OptionError if the game returns neither
    FIRST nor SECOND."""
    side = game.side(state)
    if side in (FIRST, SECOND):
        return int(side)
    raise OptionError(
        f"side {str(side)[:40]!r} of {game.name!r} on {quoted(game, state)}; "
        f"expected {FIRST} or {SECOND}"
    )


def moves_at(game: Game, state: Any) -> Sequence[Any]:
    """Return the legal moves of an unfinished game; raise OptionError if there are none."""
    moves = game.moves(state)
    if moves:
        return moves
    raise OptionError(
        f"{game.name!r} goes on without a move on {quoted(game, state)}; "
        "expected a payoff there, or a move that passes"
    )


def require_no_return(game: Game, state: Any, moves: Sequence[Any]) -> None:
    """Raise OptionError if a state repeats while `moves` are played."""
    seen = {state: 0}
    for ply, move in enumerate(moves, 1):
        state = game.play(state, move)
        if state in seen:
            raise repetition_error(game, state, ply - seen[state])
        seen[state] = ply


def repetition_error(game: Game, state: Any, plies: int) -> OptionError:
    """Return the error for a state that repeats after some plies."""
    return OptionError(
        f"{quoted(game, state)} of {game.name!r} repeats after {plies} plies; "
        "expected a game that ends, a game with draw_by_repetition = True, or a depth"
    )


def is_repeated(positions: Sequence[Any]) -> bool:
    """Return whether a game with these positions is a draw by repetition: it has
    `draw_by_repetition`, and the last position occurs for the third time."""
    last = positions[-1]
    return last.game.draw_by_repetition and positions.count(last) >= MAX_REPETITIONS


def quoted(game: Game, state: Any) -> str:
    """Return the text of a state as messages quote it: on one line, at most 80 characters."""
    text = game.format(state) if isinstance(game, Game) else str(state)
    return repr(text[:80])


def _known(names: Any) -> str:
    """Return the end of an error message: the names of the legal moves, at most 16."""
    known = [str(name)[:24] for name in names]
    if not known:
        return "expected none: the game is over"
    many = f", ... ({len(known)} in all)" if len(known) > 16 else ""
    return f"expected one of {', '.join(sorted(known)[:16])}{many}"


def _legal_move(position: GamePosition, move: Any) -> Any:
    """Return the legal move for a move or its text."""
    game, state = position
    legal = position.moves
    if move in legal:
        return move
    names = (game.format_move(state, each) for each in legal)
    try:
        found = game.parse_move(state, move) if isinstance(move, str) and legal else move
    except PlyscopeError:
        raise
    except Exception as error:  # user code may raise anything if it cannot read the text
        raise NotationError(
            f"cannot read the move {move[:40]!r} on {quoted(game, state)}: "
            f"{in_one_line(error)}; {_known(names)}"
        ) from error
    if found not in legal:
        raise IllegalMoveError(
            f"no move {str(move)[:40]!r} on {quoted(game, state)}; {_known(names)}"
        )
    return found


# Any object as a game


class _Completed(Game):
    """An adapter for a game of any class, with the defaults of `Game`.

    The methods of the object are copied as attributes, so calls have no overhead.
    """

    def __init__(self, given: Any) -> None:
        own = {
            name: getattr(given, name)
            for name in (*REQUIRED_METHODS, *_OPTIONAL_ATTRIBUTES)
            if hasattr(given, name)
        }
        own.setdefault("name", type(given).__name__.lower())
        vars(self).update(own, given=given)

    def __getattr__(self, name: str) -> Any:
        if name == "given":  # unpickling looks it up before it is set
            raise AttributeError(name)
        return getattr(self.given, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Completed) and self.given is other.given

    def __hash__(self) -> int:
        return id(self.given)

    def __reduce__(self) -> Any:
        return as_game, (self.given,)

    start = side = moves = play = payoff = None  # type: ignore[assignment]  # set in __init__


_OPTIONAL_ATTRIBUTES = (
    "name",
    "summary",
    "scored",
    "draw_by_repetition",
    "format",
    "format_move",
    "parse_move",
    "parse_position",
)


def is_game(thing: Any) -> bool:
    """Return whether `thing` is an object or a module with the methods of a game, in plyscope's
    form or in that of another library."""
    return not isinstance(thing, type) and (isinstance(thing, Game) or has_methods(thing))


def has_methods(thing: Any) -> bool:
    """Return whether a class, an object or a module has the methods of a game, in any form."""
    from plyscope.rules import foreigngames  # late: it imports this module, and is rarely needed

    return not _missing(thing) or foreigngames.form_of(thing) is not None


def _missing(thing: Any) -> list[str]:
    return [name for name in REQUIRED_METHODS if not callable(getattr(thing, name, None))]


def as_game(source: Any) -> Game:
    """Return the game of an object with the five methods, or of its class.

    An object, class or module in the form of another library (`foreigngames`) is adapted. Raises
    OptionError, which names the missing methods.
    """
    if isinstance(source, Game):
        return source
    missing = _missing(source)
    if missing:
        from plyscope.rules import foreigngames

        if foreigngames.form_of(source) is not None:
            made = _instance(source) if isinstance(source, type) else source
            return foreigngames.foreign_game(made)
        name = source.__name__ if isinstance(source, type) else type(source).__name__
        what = "a text" if isinstance(source, str) else f"an object of {name!r}"
        near = foreigngames.nearest_form(source)
        raise OptionError(
            f"{what} is no game: it has no method {', '.join(missing)}; "
            f"expected {', '.join(REQUIRED_METHODS[:-1])} and {REQUIRED_METHODS[-1]}"
            + (f"; {near}" if near else "")
        )
    made = _instance(source) if isinstance(source, type) else source
    return made if isinstance(made, Game) else _Completed(made)


def given_of(game: Any) -> Any:
    """Return the user's object inside the adapter of `as_game`; any other game itself."""
    return game.given if isinstance(game, _Completed) else game


def version_of(game: Any) -> str:
    """Return a text that changes when a user-defined game does, "" if that cannot be known; games
    of plyscope never change."""
    if (identity := getattr(type(game), "identity", None)) is not None:  # of another library's form
        return str(identity(game).digest)
    given = given_of(game)
    if is_plyscopes(type(given).__module__):
        return "plyscope"
    return identity_of(given).digest


def _instance(source: type) -> Any:
    """Return an object of the class of a game; a constructor's `players` get two."""
    code = getattr(source.__init__, "__code__", None)  # type: ignore[misc]
    given = {}
    if code is not None and "players" in code.co_varnames[: code.co_argcount]:
        from plyscope.rules.foreigngames import seats

        given["players"] = seats()
    try:
        return source(**given)
    except Exception as error:  # user code, or a class with abstract methods
        raise OptionError(
            f"the game {source.__name__!r} cannot be made: {in_one_line(error)}; "
            "expected a class that takes no arguments and has the methods of plyscope.Game, "
            "or an object of it that the file makes"
        ) from error


def position_of(game: Game, state: Any) -> Any:
    """Return the position of a state; for games whose states are positions, the state itself."""
    is_position = getattr(state, "game", None) is not None and hasattr(type(state), "is_over")
    return state if is_position else GamePosition(game, state)


def state_of(position: Any) -> Any:
    """Return the state of a position, which the methods of its game take."""
    return position.state if isinstance(position, GamePosition) else position


def position_after(position: Any, move: Any) -> Any:
    """Return the position after `move`, a legal move, which is not checked."""
    if isinstance(position, GamePosition):
        return position._replace(state=position.game.play(position.state, move))
    return position.game.play(position, move)


def random_game(game: Game, random: Random, most: int) -> Iterator[Any]:
    """Yield the positions of a game of random moves, at most `most` of them."""
    position = position_of(game, game.start())
    for _ in range(most):
        yield position
        if position.is_over:
            return
        position = position_after(position, random.choice(tuple(position.moves)))


def random_position(position: Any, random: Random, plies: int) -> Any:
    """Return the position after `plies` random moves, or the end of the game if that is earlier."""
    for _ in range(plies):
        if position.is_over:
            break
        position = position_after(position, random.choice(tuple(position.moves)))
    return position


def move_text(position: Any, move: Any) -> str:
    """Return the text of a move in a position of any game."""
    return str(position.game.format_move(state_of(position), move))


def spoken(game: Any, name: str) -> str:
    """Return the name that players use for a move: the number of its column if the game names moves
    by columns, else `name`."""
    if not getattr(game, "speaks_of_columns", False):
        return name
    return str(parse_cell(game.shape, name) % game.width + 1)


def read_move(position: Any, text: str) -> Any:
    """Return the legal move that a text names; raise IllegalMoveError or NotationError."""
    if isinstance(position, GamePosition):
        return _legal_move(position, text)
    return position.game.parse_move(position, text)


def one_line(position: Any) -> str:
    """Return the text of a position on one line, for messages."""
    return " / ".join(str(position).splitlines())


# Texts


def parse_moves(game: Game, text: str) -> GamePosition:
    """Return the position of a user-defined game that a text describes.

    The game's `parse_position` reads the text if it has that method. Otherwise the text holds the
    moves from the start, separated by spaces or commas; a move may contain spaces. An empty text is
    the start. Raises NotationError or IllegalMoveError, which give the number of the wrong move.
    """
    start = GamePosition(game, game.start())
    if not text.strip(" \t\r\n,"):
        return start
    own = getattr(game, "parse_position", None)
    if own is not None:
        return GamePosition(game, _read(own, game, text))
    return list(read_moves(start, text))[-1][1]


def at_move(error: PlyscopeError, number: int, text: str) -> PlyscopeError:
    """Return the error of a move, with the number of the move in `text` added."""
    said, _, expected = str(error).partition("; ")
    return type(error)(f"{said} at move {number} of {text.strip()[:80]!r}; {expected}")


def read_moves(position: GamePosition, text: str) -> Iterator[tuple[str, GamePosition]]:
    """Yield the text of each move in `text`, and the position after it.

    Raises NotationError or IllegalMoveError, which give the number of the wrong move.
    """
    rest, number = text.strip(" \t\r\n,"), 0
    while rest:
        number += 1
        word = _next_move(position, rest)
        try:
            position = position.play(word)
        except PlyscopeError as error:
            raise at_move(error, number, text) from None
        yield word, position
        rest = rest[len(word) :].lstrip(" \t\r\n,")


def _read(own: Callable[[str], Any], game: Game, text: str) -> Any:
    try:
        state = own(text)
    except PlyscopeError:
        raise
    except Exception as error:  # user code
        raise NotationError(
            f"cannot read the position {text[:80]!r} of {game.name!r}: {in_one_line(error)}; "
            "expected a text for its parse_position"
        ) from error
    return state_of(state)


def _next_move(position: GamePosition, rest: str) -> str:
    """Return the longest move text at the beginning of `rest`, else its first word."""
    game, state = position
    texts = [game.format_move(state, move) for move in position.moves]
    found = [text for text in texts if text and re.match(re.escape(text) + r"(?=[\s,]|$)", rest)]
    return max(found, key=len) if found else re.split(r"[\s,]", rest, maxsplit=1)[0]
