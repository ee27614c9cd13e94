"""Games written for other libraries, read as games of plyscope.

`form_of` finds the form of a class, an object or a module by its methods, and `foreign_game`
returns the game. There are three forms:

* *rules*, whose methods take a state: `actions`, `result`, `terminal_test` and `utility` of the
  code for Russell and Norvig's book (AIMA), also as functions of a module, as in CS50's course
* *boards*, whose methods take a board and a player, 1 or -1: AlphaZero General's `getNextState`
* *objects* that are a position themselves: easyAI's `possible_moves` and `make_move`, OpenSpiel's
  `legal_actions` and `apply_action`, Pacman's `getLegalActions` and `generateSuccessor`, and others

States are kept as they are if they are immutable, else as `Held`. An object is copied before each
move, so that its own methods may change it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout, suppress
from copy import deepcopy
from dis import get_instructions
from functools import cached_property, partial
from io import StringIO
from pathlib import Path
from random import Random
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, ClassVar

from plyscope.errors import OptionError
from plyscope.identity import ATOMS, Identity, identity_of
from plyscope.rules.game import FIRST, SECOND, Game, Held, given

SAMPLE_GAMES = 8
"""Random games that decide whether payoffs are points."""
SAMPLE_PLIES = 200
MISSING = object()


def held(value: Any) -> Any:
    """Return a value itself if it is immutable, else inside `Held`."""
    if type(value) is Held:
        return value
    key = frozen(value)
    return value if key is value else Held(value, key)


def frozen(value: Any, outer: tuple[int, ...] = ()) -> Any:
    """Return an immutable value that is equal for equal contents; `value` itself if it is one.

    An object that defines both `__eq__` and `__hash__` counts as immutable. `outer` has the ids of
    the values around it.
    """
    kind = type(value)
    if kind in ATOMS or isinstance(value, type | FunctionType | ModuleType):
        return value
    if id(value) in outer:
        return "again", outer.index(id(value))
    outer = (*outer, id(value))
    if isinstance(value, tuple | frozenset):
        parts = [frozen(each, outer) for each in value]
        is_same = all(part is each for part, each in zip(parts, value, strict=True))
        return value if is_same else (kind, kind is frozenset or tuple(parts), frozenset(parts))
    if kind.__hash__ is not None and _defines(kind, "__eq__"):
        return value
    if kind is list:
        return list, tuple(frozen(each, outer) for each in value)
    if kind is set:
        return set, frozenset(frozen(each, outer) for each in value)
    if kind is dict:
        return dict, _frozen_pairs(value.items(), outer)
    try:
        made = value.__reduce_ex__(2)
    except TypeError:  # such as a generator; it is equal to itself alone
        return value
    if isinstance(made, str):
        return value
    _, arguments, state, items, pairs = (*made, None, None, None)[:5]
    inner = frozen(arguments, outer), frozen(state, outer), frozen(tuple(items or ()), outer)
    return kind, *inner, _frozen_pairs(pairs or (), outer)


def _defines(kind: type, name: str) -> bool:
    return getattr(kind, name) is not getattr(object, name)


def _frozen_pairs(pairs: Iterable[Any], outer: tuple[int, ...]) -> frozenset[Any]:
    return frozenset((frozen(key, outer), frozen(value, outer)) for key, value in pairs)


def text_of_value(value: Any) -> str:
    """Return the text of a state: rows of cells line by line, the attributes of an object."""
    if isinstance(value, list | tuple) and value and all(type(row) is list for row in value):
        return "\n".join(" ".join("." if c is None else str(c) for c in row) for row in value)
    kind = type(value)
    if not (_defines(kind, "__str__") or _defines(kind, "__repr__")) and vars(value):
        return " ".join(f"{name}={each}" for name, each in vars(value).items() if name != "players")
    return str(value)


def _printed(show: Callable[[], Any]) -> str:
    """Return what a method of a game prints, or the text that it returns."""
    with redirect_stdout(StringIO()) as out:
        answer = show()
    drawn = out.getvalue() or (answer if isinstance(answer, str) else "")
    return "\n".join(line.rstrip() for line in drawn.strip("\n").splitlines())


def _number(value: Any) -> Any:
    """Return a number that equals a whole number as an int; anything else as it is."""
    try:
        return int(value) if value == int(value) else value
    except (TypeError, ValueError, OverflowError):
        return value


def _opposite(name: str, one: Any, other: Any, sides: tuple[Any, Any]) -> Any:
    """Return the payoff `one` of the first of two `sides`; raise OptionError unless it is the
    negative of the other's."""
    if one != -other:
        raise OptionError(
            f"{name} is {one} for {sides[0]!r} and {other} for {sides[1]!r}; "
            "expected two numbers whose sum is 0"
        )
    return _number(one)


class ForeignGame(Game):
    """A game of another library's form; `given` is the user's object and `names` its methods."""

    library = ""
    """Whose form it is, for messages."""
    roles: ClassVar[dict[str, tuple[str, ...]]] = {}
    """The names of each method that the form has."""
    of_class: tuple[str, ...] = ("moves", "play", "over", "payoff")
    """The roles whose methods decide whether a class has the form."""
    view = ""
    """In whose view payoffs are given."""
    read_as = ""
    """How the game was read; `reading` when it was made."""
    sides: tuple[Any, ...] = ()
    """What the library calls X and O, if it is always the same."""

    def __init__(self, given: Any) -> None:
        self.given = given
        self.names = names_of(given, type(self))
        is_module = isinstance(given, ModuleType)
        home = Path(given.__file__ or "").stem if is_module else type(given).__name__
        vars(self)["name"] = str(getattr(given, "name", home.lower()))
        doc = ((given if is_module else type(given)).__doc__ or "").strip().partition("\n")[0]
        vars(self)["summary"] = str(getattr(given, "summary", None) or doc)
        self.draw_by_repetition = bool(getattr(given, "draw_by_repetition", False))
        self._first = self.hold(deepcopy(self._initial()))
        self._labels = list(self.sides) or [self._label(self._first)]
        """What the library calls X, who moves first, and O, once it has moved."""

    def __getattr__(self, name: str) -> Any:
        if name == "given":  # unpickling looks it up before it is set
            raise AttributeError(name)
        return getattr(self.given, name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ForeignGame):
            return False
        return self.given is other.given and self._first == other._first

    def __hash__(self) -> int:
        return id(self.given)

    def __reduce__(self) -> Any:
        return foreign_game, (self.given,)

    def _name(self, role: str) -> str:
        """Return the name of a method or an attribute; raise OptionError if the game has none."""
        if role in self.names:
            return self.names[role]
        methods = ", ".join(self.names[each] for each in self.of_class)
        raise OptionError(
            f"the game {self.name!r} has {methods} of {self.library}'s form, and no "
            f"{' or '.join(self.roles[role])}; expected it too"
        )

    @abstractmethod
    def _initial(self) -> Any:
        """Return the first state in the library's own form."""

    @abstractmethod
    def _label(self, state: Any) -> Any:
        """Return what the library calls the side to move."""

    def hold(self, state: Any) -> Any:
        """Return a state of the library's own form as a state of this game."""
        return held(state)

    def start(self) -> Any:
        """Return the first state."""
        return self._first

    def side(self, state: Any) -> Any:
        """Return FIRST for the label of the side that begins, SECOND for the other label; a third
        label as it is."""
        label = self._label(state)
        if label not in self._labels and len(self._labels) == 1:
            self._labels.append(label)
        return self._labels.index(label) if label in self._labels else label

    def format(self, state: Any) -> str:
        """Return the drawing that the game prints, else the state's text."""
        drawn = _printed(self._show(state)) if "show" in self.names else ""
        return drawn or text_of_value(given(state))

    def _show(self, state: Any) -> Callable[[], Any]:
        """Return the method that prints a state."""
        return partial(getattr(self.given, self.names["show"]), given(state))

    @cached_property
    def scored(self) -> bool:  # type: ignore[override]
        """Whether payoffs count as points: they have more than one size in a few random games, or
        the given game has `scored`."""
        own = getattr(self.given, "scored", None)
        return len(self._sample[0]) > 1 if own is None else bool(own)

    @cached_property
    def _sample(self) -> tuple[set[Any], list[Any]]:
        """The sizes of payoffs other than 0 in a few random games, and the sides that moved."""
        random, sizes, movers = Random(0), set[Any](), list[Any]()
        with suppress(Exception):  # of user code; `check` reports it
            for _ in range(SAMPLE_GAMES):
                state = self.start()
                for _ in range(SAMPLE_PLIES):
                    if (payoff := self.payoff(state)) is not None:
                        sizes.add(abs(payoff))
                        break
                    movers.append(self.side(state))
                    state = self.play(state, random.choice(self.moves(state)))
        return sizes - {0}, movers

    @property
    def reading(self) -> str:
        """How the game was read, in one line: its methods, and whose view payoffs are in."""
        movers = self._sample[1]
        if len(movers) > 2 * SAMPLE_GAMES and len(set(movers)) == 1:
            raise OptionError(
                f"{self.names['play']} of {self.name!r} never passes the turn from "
                f"{self._labels[movers[0]]!r}; expected another {self._name('side')} after a move"
            )
        methods = ", ".join(self.names[role] for role in self.of_class)
        points = "its numbers are points" if self.scored else "only its sign counts"
        return (
            f"read as a game of {self.library}'s form: {methods}; "
            f"X is {self._labels[0]!r}; {self.view.format(**self.names)}; {points}"
        )

    def identity(self) -> Identity:
        """Return what the game is now: all functions of its class or its module."""
        is_module = isinstance(self.given, ModuleType)
        places = (self.given,) if is_module else type(self.given).__mro__
        functions = [each for place in places for each in vars(place).values()]
        written = [each for each in functions if isinstance(each, FunctionType)]
        return identity_of(None if is_module else self.given, *written)


class RulesGame(ForeignGame):
    """A game whose methods take a state, as in the code for Russell and Norvig's book.

    `utility(state, player)` is in the view of the player, `utility(state)` in that of the side that
    begins. Source: github.com/aimacode/aima-python, games.py and games4e.py.
    """

    library = "AIMA"
    roles: ClassVar = {
        "moves": ("actions",),
        "play": ("result",),
        "over": ("terminal_test", "is_terminal", "terminal"),
        "payoff": ("utility",),
        "start": ("initial", "initial_state", "start_state"),
        "side": ("to_move", "player"),
        "show": ("display",),
    }

    def _initial(self) -> Any:
        start = self._of("start")
        return start() if callable(start) else start

    def _of(self, role: str) -> Any:
        return getattr(self.given, self._name(role))

    def _label(self, state: Any) -> Any:
        name = self.names.get("side")
        if name and callable(side := getattr(self.given, name)):
            return side(given(state))
        for name in self.roles["side"]:
            if (label := getattr(given(state), name, MISSING)) is not MISSING:
                return label
        return getattr(given(state), self._name("side"))

    def moves(self, state: Any) -> tuple[Any, ...]:
        """Return the library's moves; those of a set in sorted order."""
        return _moves_of(self._of("moves")(given(state)))

    def play(self, state: Any, move: Any) -> Any:
        """Return the state after a move; raise OptionError if the given state is changed."""
        after = held(self._of("play")(given(state), given(move)))
        if type(state) is Held and frozen(state.given) != state.key:
            raise OptionError(
                f"{self.names['play']} of {self.name!r} changes the state that it is given, at the "
                f"move {str(move)[:40]!r}; expected a new state, and the old one unchanged"
            )
        return after

    def payoff(self, state: Any) -> Any:
        """Return the utility of a terminal state for the side that begins."""
        if not self._of("over")(given(state)):
            return None
        utility = self._of("payoff")
        if _takes(utility) == 1:
            return _number(utility(given(state)))
        one = utility(given(state), self._labels[FIRST])
        if len(self._labels) == 1:
            self.side(state)
        if len(self._labels) == 1:  # O has not moved yet
            return _number(one)
        other = utility(given(state), self._labels[SECOND])
        return _opposite(self.names["payoff"], one, other, tuple(self._labels))

    @property
    def view(self) -> str:  # type: ignore[override]
        """In whose view utilities are given."""
        is_of_x = _takes(self._of("payoff")) == 1
        return "utility is in X's view" if is_of_x else "utility is in the view of its player"


class SeatsGame(ForeignGame):
    """A game whose states are pairs of the side to move and the library's state."""

    def _label(self, state: Any) -> Any:
        return given(state)[0]

    def format(self, state: Any) -> str:
        """Return the text of the library's state."""
        return text_of_value(given(state)[1])


class BoardGame(SeatsGame):
    """A game over a board and a player, 1 or -1, as in AlphaZero General.

    `getGameEnded` is 0 while the game goes on, else 1 if the player has won, -1 if he has lost, and
    a small number for a draw. Source: github.com/suragnair/alpha-zero-general, Game.py.
    """

    library = "AlphaZero General"
    view = "getGameEnded is in the view of its player, a small number is a draw"
    sides = (1, -1)
    roles: ClassVar = {
        "start": ("getInitBoard",),
        "moves": ("getValidMoves",),
        "play": ("getNextState",),
        "payoff": ("getGameEnded",),
    }
    of_class = tuple(roles)

    def _initial(self) -> Any:
        return 1, self.given.getInitBoard()

    def moves(self, state: Any) -> tuple[int, ...]:
        """Return the numbers of the moves that are valid."""
        player, board = given(state)
        return tuple(at for at, ok in enumerate(self.given.getValidMoves(board, player)) if ok)

    def play(self, state: Any, move: int) -> Any:
        """Return the state after a move of the player."""
        player, board = deepcopy(given(state))
        after, next_player = self.given.getNextState(board, player, move)
        return held((next_player, after))

    def payoff(self, state: Any) -> Any:
        """Return the result for player 1."""
        one, other = (self.given.getGameEnded(given(state)[1], player) for player in (1, -1))
        if not one:
            return None
        if abs(one) == 1 or abs(other) == 1:
            return _opposite("getGameEnded", one, other, (1, -1))
        return 0


SIDE_NAMES = (
    *("current_player", "nplayer", "get_current_player", "getCurrentPlayer", "to_move"),
    *("next_to_move", "player_to_move", "turn"),
)


class ObjectGame(ForeignGame):
    """A game whose object is a position itself; a move changes it, or returns another one.

    Subclasses say what its results mean.
    """

    def _initial(self) -> Any:
        return self.given

    def _ask(self, state: Any, role: str, *arguments: Any) -> Any:
        """Return an attribute of the position, or the answer of its method."""
        found = getattr(given(state), self._name(role))
        return found(*arguments) if callable(found) else found

    def _label(self, state: Any) -> Any:
        return self._ask(state, "side")

    def moves(self, state: Any) -> tuple[Any, ...]:
        """Return the library's moves; those of a set in sorted order."""
        return _moves_of(self._ask(state, "moves"))

    def play(self, state: Any, move: Any) -> Any:
        """Return the position after a move, made on a copy."""
        copy = deepcopy(given(state))
        answer = self._ask(copy, "play", given(move))
        return self.hold(answer if isinstance(answer, type(copy)) else copy)

    def payoff(self, state: Any) -> Any:
        """Return the result of a position that is over, for the side that begins."""
        return self._result(state) if self._ask(state, "over") else None

    @abstractmethod
    def _result(self, state: Any) -> Any:
        """Return the result for the side that begins."""

    def _show(self, state: Any) -> Callable[[], Any]:
        return getattr(given(state), self.names["show"])  # type: ignore[no-any-return]


NOBODY = {"0", "-1", "", "draw", "tie", "d", "none", "false", "nobody", "stalemate"}
SHOW = ("show", "display", "print_board")
MOVE_NAMES = (
    *("legal_actions", "get_legal_actions", "get_possible_actions", "getPossibleActions"),
    *("legal_moves", "get_legal_moves", "get_moves", "available_moves", "get_possible_moves"),
    *("get_available_moves", "possible_moves"),
)
PLAY_NAMES = (
    *("apply_action", "take_action", "takeAction", "make_move", "push", "do_move", "move", "play"),
    *("play_move", "apply_move"),
)
OVER_NAMES = ("is_terminal", "isTerminal", "is_game_over", "game_over", "is_over", "is_finished")


class EasyGame(ObjectGame):
    """A game of easyAI: an object with the number of the current player, 1 or 2.

    The library's loop passes the turn after each move. `scoring`, `win` and `lose` are in the view
    of the current player. Source: github.com/Zulko/easyAI, TwoPlayerGame.py and AI/Negamax.py.
    """

    library = "easyAI"
    roles: ClassVar = {
        "moves": ("possible_moves",),
        "play": ("make_move",),
        "over": ("is_over",),
        "payoff": ("scoring", "win", "lose"),
        "side": ("current_player", "nplayer"),
        "key": ("ttentry",),
        "show": ("show",),
    }

    @cached_property
    def switches(self) -> bool:
        """Whether the turn passes after each move, as in the library's loop, because `make_move`
        does not set the current player itself."""
        code = getattr(type(self.given).make_move, "__code__", None)
        steps = get_instructions(code) if code else ()
        sets = any(s.opname == "STORE_ATTR" and s.argval == self.names["side"] for s in steps)
        return hasattr(self.given, "switch_player") or not sets

    def play(self, state: Any, move: Any) -> Any:
        """Return the position after a move, made on a copy, with the other player to move."""
        copy = deepcopy(given(state))
        copy.make_move(given(move))
        if self.switches:
            setattr(copy, self.names["side"], 3 - self._label(copy))
        return self.hold(copy)

    def hold(self, position: Any) -> Any:
        """Return a position that equals those with its `ttentry`, if any, and player."""
        if "key" not in self.names or type(position) is Held:
            return held(position)
        return Held(position, (frozen(position.ttentry()), self._label(position)))

    def _result(self, state: Any) -> Any:
        position = given(state)
        names = {name for name in self.roles["payoff"] if callable(getattr(position, name, None))}
        won = bool("win" in names and position.win())
        lost = bool("lose" in names and position.lose())
        score = _number(position.scoring()) if "scoring" in names else won - lost
        if (won and lost) or (won and score <= 0) or (lost and score >= 0):
            said = ", ".join(f"{name} {getattr(position, name)()}" for name in sorted(names))
            raise OptionError(f"the game ends with {said}; expected one result")
        return score if self._label(state) == self._labels[FIRST] else -score

    @property
    def view(self) -> str:  # type: ignore[override]
        """In whose view results are given, and who passes the turn."""
        turn = "the turn passes after each move" if self.switches else "make_move passes the turn"
        return f"{{payoff}} is in the view of the side to move, {turn}"


class ReturnsGame(ObjectGame):
    """A state of OpenSpiel: `returns` lists the payoffs of players 0 and 1.

    Source: github.com/google-deepmind/open_spiel, spiel.h and the Python games.
    """

    library = "OpenSpiel"
    view = "returns lists the payoffs of players 0 and 1, and 0 is X"
    sides = (0, 1)
    roles: ClassVar = {
        "moves": MOVE_NAMES,
        "play": PLAY_NAMES,
        "over": OVER_NAMES,
        "payoff": ("returns",),
        "side": SIDE_NAMES,
        "show": SHOW,
    }

    def _result(self, state: Any) -> Any:
        one, other = self._ask(state, "payoff")
        return _opposite(self.names["payoff"], one, other, (0, 1))


class RewardGame(ObjectGame):
    """A state of the package mcts: the reward is in the view of player 1, the maximizer.

    Source: github.com/pbsinclair42/MCTS, README.md and mcts.py.
    """

    library = "mcts"
    view = "{payoff} is in the view of player 1"
    sides = (1, -1)
    roles: ClassVar = {**ReturnsGame.roles, "payoff": ("getReward", "get_reward")}

    def _result(self, state: Any) -> Any:
        return _number(self._ask(state, "payoff"))


class WinnerGame(ObjectGame):
    """An object that says when the game is over and who has won."""

    library = "a position"
    view = "{payoff} names the side that has won, or nobody"
    roles: ClassVar = {
        **ReturnsGame.roles,
        "payoff": ("winner", "get_winner", "getWinner", "check_winner", "game_result"),
    }

    def _result(self, state: Any) -> int:
        label = self._ask(state, "payoff")
        if label in self._labels:
            return 1 - 2 * self._labels.index(label)
        if label is None or str(label).lower() in NOBODY:
            return 0
        known = " or ".join(map(repr, self._labels))
        raise OptionError(f"{self.names['payoff']} is {label!r}; expected {known}, or None")


class AgentsGame(SeatsGame):
    """A state of Berkeley's Pacman projects, of two agents that move in turn; agent 0 begins.

    Agent 0 has won by `isWin` and lost by `isLose`. Source: ai.berkeley.edu, pacman.py.
    """

    library = "Pacman"
    view = "isWin and isLose are in agent 0's view"
    sides = (0, 1)
    roles: ClassVar = {
        "moves": ("getLegalActions",),
        "play": ("generateSuccessor",),
        "over": ("isWin",),
        "payoff": ("isLose",),
    }

    def _initial(self) -> Any:
        count = getattr(self.given, "getNumAgents", lambda: 2)()
        if count != 2:
            raise OptionError(f"getNumAgents() of {self.name!r} is {count}; expected 2")
        return 0, self.given

    def moves(self, state: Any) -> tuple[Any, ...]:
        """Return the legal actions of the agent to move."""
        agent, position = given(state)
        return _moves_of(position.getLegalActions(agent))

    def play(self, state: Any, move: Any) -> Any:
        """Return the successor, with the other agent to move."""
        agent, position = given(state)
        return held((1 - agent, position.generateSuccessor(agent, given(move))))

    def payoff(self, state: Any) -> int | None:
        """Return 1 if agent 0 has won, -1 if it has lost."""
        position = given(state)[1]
        won, lost = bool(position.isWin()), bool(position.isLose())
        if won and lost:
            raise OptionError("isWin and isLose are both true; expected one result")
        return won - lost if won or lost else None


FORMS: tuple[type[ForeignGame], ...] = (
    *(RulesGame, BoardGame, EasyGame, AgentsGame, ReturnsGame, RewardGame, WinnerGame),
)


def names_of(thing: Any, form: type[ForeignGame]) -> dict[str, str]:
    """Return by role the names of a form's methods and attributes that an object has."""
    found = {}
    for role, names in form.roles.items():
        if name := next((name for name in names if hasattr(thing, name)), ""):
            found[role] = name
    return found


def form_of(thing: Any) -> type[ForeignGame] | None:
    """Return the first form all of whose methods a class, an object or a module has, if any."""
    return next((form for form in FORMS if not lacking(thing, form)), None)


def lacking(thing: Any, form: type[ForeignGame]) -> list[str]:
    """Return the roles of a form's methods that a class, an object or a module does not have."""
    names = names_of(thing, form)
    return [role for role in form.of_class if role not in names]


def nearest_form(thing: Any) -> str:
    """Return what lacks for the form of which a class has most methods; empty if it has none."""
    form = min(FORMS, key=lambda form: len(lacking(thing, form)) / len(form.of_class))
    names, missing = names_of(thing, form), lacking(thing, form)
    if not set(names) & set(form.of_class) or not missing:
        return ""
    has = ", ".join(names[role] for role in form.of_class if role in names)
    needed = ", ".join(" or ".join(form.roles[role][:4]) for role in missing)
    return f"for {form.library}'s form it has {has} and lacks {needed}"


def seats() -> list[SimpleNamespace]:
    """Return the two players that a constructor may want, on which it may set attributes."""
    return [SimpleNamespace(name="player 1"), SimpleNamespace(name="player 2")]


def foreign_game(thing: Any) -> ForeignGame:
    """Return the game of an object or a module with the methods of a form; raise OptionError."""
    form = form_of(thing)
    assert form is not None
    found = form(thing)
    found.read_as = found.reading
    return found


def _moves_of(answer: Any) -> tuple[Any, ...]:
    """Return moves as a tuple; those of a set sorted, so that their order is always the same."""
    if isinstance(answer, set | frozenset):
        try:
            answer = sorted(answer)
        except TypeError:
            answer = sorted(answer, key=repr)
    if not isinstance(answer, Iterable):
        raise OptionError(f"the moves are {str(answer)[:40]!r}; expected a list of moves")
    return tuple(map(held, answer))


def _takes(function: Any) -> int:
    """Return the number of arguments that a function or a bound method takes."""
    code = getattr(function, "__code__", None)
    return 2 if code is None else int(code.co_argcount) - hasattr(function, "__self__")
