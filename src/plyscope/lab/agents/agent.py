"""`Agent`, the base class of agents; `ask` gets an agent's move and checks it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from plyscope.errors import AgentError, PlyscopeError
from plyscope.rules.game import one_line, read_move
from plyscope.rules.position import Position


@dataclass(frozen=True)
class Choice:
    """An agent's move, with the value, depth and nodes of its search if there was one."""

    move: Any
    value: float | None = None
    """The score, from the agent's view."""
    depth: int | None = None
    nodes: int | None = None
    output: str = ""
    """The output that user code printed."""

    def __str__(self) -> str:
        facts = {"value": self.value, "depth": self.depth, "nodes": self.nodes}
        known = [f"{name} {fact:,}" for name, fact in facts.items() if fact is not None]
        return ", ".join([f"move {self.move}", *known]).replace("-", "−")


class AllChoices(NamedTuple):
    """The moves that an agent may play in a position, as far as known."""

    moves: Sequence[Any]
    doubt: str | None = None
    """The reason why there may be other moves, as a phrase about the agent; None if these are
    all."""
    asked: int | None = None
    """The number of calls if the moves are only a sample; None if they are known."""
    version: str = ""
    """The digest of a function that was read, which changes when the function does."""

    def __str__(self) -> str:
        doubt = f"; perhaps others: it {self.doubt}" if self.doubt else ""
        return f"moves {', '.join(map(str, self.moves))}{doubt}"


def all_choices(agent: Agent, position: Any) -> AllChoices:
    """Return the moves that `agent` may play; for an object that is not an `Agent`, its
    `choices`."""
    asked = getattr(agent, "all_choices", None)
    return AllChoices(agent.choices(position)) if asked is None else asked(position)


class AgentType(type):
    """The metaclass of `Agent`: calling `Agent` returns the agent that the arguments describe.

    Subclasses are called as usual. Any object with the methods of an agent is an instance.
    """

    make: Callable[..., Any]
    """`catalogue.make_agent`, set by the catalogue."""

    if not TYPE_CHECKING:  # for type checkers an agent is made by `__init__`

        def __call__(cls, *given: Any, **options: Any) -> Any:
            """Return the agent described by the arguments."""
            if cls is not Agent:
                return super().__call__(*given, **options)
            return AgentType.make(*given, **options)

    def __instancecheck__(cls, thing: object) -> bool:
        has_all = cls is Agent and all(hasattr(thing, name) for name in ("name", *_METHODS))
        return has_all or super().__instancecheck__(thing)


_METHODS = ("choices", "choose")


@dataclass(frozen=True, init=False)
class Agent(metaclass=AgentType):
    """A player: `choices` returns the moves that it may play in a position, `choose` picks one.

    `Agent(...)` makes one from a search (`heuristic=`, `algorithm=`, `ties="random"` and the
    options of `search`), from a function that returns a move (`f(position)`, `f(board)` or
    `f(board, player)`), or from a text for `parse_agent`. `name` is its name in tables.

    >>> import plyscope as ps
    >>> def centre(board, player):
    ...     return board[1][1] == player
    >>> ps.Agent(heuristic=centre, depth=2, name="centre").choices(ps.parse("tictactoe"))
    (4,)
    """

    spec: str = field(default="", kw_only=True)
    """The text from which the agent was made if this is not its name, such as `mine=alphabeta
    depth=3`."""

    if TYPE_CHECKING:

        @property
        def name(self) -> str:
            """The name in tables: a given name, or else the text that describes the agent."""

        @property
        def summary(self) -> str:
            """One line on how it plays."""

    def __init__(
        self,
        agent: str | Agent | Callable[..., Any] | None = None,
        /,
        *,
        name: str | None = None,
        **options: Any,
    ) -> None:
        """Do nothing: calling `Agent` returns an agent of another class."""

    def __str__(self) -> str:
        return f"{self.name}: {self.summary}"

    def start(self) -> None:
        """Run the file or program of the agent, so that errors appear before the first game."""

    def choices(self, position: Any) -> Sequence[Any]:
        """Return every move that it may play in `position`, at least one."""
        if type(self).all_choices is Agent.all_choices:
            raise NotImplementedError(
                f"{type(self).__name__} defines neither choices nor all_choices"
            )
        return self.all_choices(position).moves

    def all_choices(self, position: Any) -> AllChoices:
        """Return the `choices`, and why there may be others.

        Subclasses define one of the two methods.
        """
        return AllChoices(self.choices(position))

    def repeats(self, game: Any) -> bool:
        """Return whether it always plays the same move in the same position; False if unknown, as
        for a function or a program."""
        return False

    def choose(self, position: Any, random: Random) -> Choice:
        """Return its move, drawn from its `choices` with `random`. Raises AgentError if it has
        none."""
        return Choice(random.choice(tuple(self.choices(position))))

    def again(self, position: Any) -> Any:
        """Return its move in a second call, which follows calls for other positions; None unless
        `all_choices` is a sample."""
        return None


AgentLike = Agent | str | Callable[..., object]
"""An agent, the text of one, or a function that returns a move."""


def calls_user_function(agent: Agent) -> bool:
    """Return whether an agent's search calls a user's function, which is assumed to be
    deterministic."""
    return bool(getattr(agent, "calls_user_function", False))


def do_repeat(agents: Sequence[Agent], game: Any) -> bool:
    """Return whether all agents always play the same move in the same position of `game`."""
    return all(hasattr(agent, "repeats") and agent.repeats(game) for agent in agents)


def spec_of(agent: Agent) -> str:
    """Return the text that describes an agent. Unlike a name, it identifies the agent."""
    return getattr(agent, "spec", "") or agent.name


def ask(agent: Agent, position: Any, random: Random) -> tuple[Choice, float]:
    """Return the agent's choice and the seconds it took. Raises AgentError, also for an illegal
    move."""
    began = perf_counter()
    choice = agent.choose(position, random)
    seconds = perf_counter() - began
    if choice.move not in position.moves:
        raise AgentError(
            f"agent {agent.name!r} answered {str(choice.move)[:40]!r} on '{one_line(position)}'; "
            "expected a legal move"
        )
    return choice, seconds


def reason_of(agent: Agent, error: PlyscopeError) -> str:
    """Return the reason why an agent was stopped, with its name."""
    return str(error) if isinstance(error, AgentError) else f"agent {agent.name!r}: {error}"


def _cell_at(position: Position, place: Sequence[Any]) -> int:
    """Return the cell at a (row, column), or at a (level, row, column) in three dimensions."""
    shape = position.game.shape if len(position.game.shape) > 1 else (*position.game.shape, 1)
    cell = 0
    try:
        for at, size in zip(map(operator.index, place), reversed(shape), strict=True):
            if not 0 <= at < size:
                raise ValueError
            cell = cell * size + at
    except (TypeError, ValueError):
        raise AgentError(
            f"answered {repr(place)[:40]} on '{one_line(position)}'; "
            "expected (row, column) counted from 0 at the top left, a cell's number or its name"
        ) from None
    return cell


def legal_move(position: Any, answer: Any) -> Any:
    """Return the legal move that `answer` means: a move, its number (NumPy's too) or its text, and
    on a board of a line game also the cell's (row, column), counted from 0 at the top left.

    Raises AgentError without the agent's name. Exceptions of the answer's own methods pass through.
    """
    legal, kinds = tuple(position.moves), set(map(type, position.moves))
    move = answer if type(answer) in kinds else None
    is_place = isinstance(answer, tuple | list) or type(answer).__name__ == "ndarray"
    if move is None and is_place and isinstance(position, Position):
        move = _cell_at(position, answer)
    elif int in kinds and not isinstance(answer, bool):
        with suppress(TypeError):  # a float, None, another object
            move = operator.index(answer)
    if move is not None and move in legal:
        return legal[legal.index(move)]
    if isinstance(answer, str):
        try:
            return read_move(position, answer)
        except PlyscopeError as error:
            place = one_line(position)
            raise AgentError(f"answered {answer[:40]!r} on '{place}': {error}") from None
    raise AgentError(
        f"answered {repr(answer)[:40]} on '{one_line(position)}'; "
        "expected a legal move, its number or its name"
    )
