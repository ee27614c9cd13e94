"""What an agent is, and how it is asked for a move."""

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


@dataclass(frozen=True)
class Choice:
    """The move that an agent has chosen, and what its search says of it, None if it has none."""

    move: Any
    value: float | None = None
    """The score, in the agent's view."""
    depth: int | None = None
    nodes: int | None = None
    output: str = ""
    """What a user's code has printed meanwhile."""


class AllChoices(NamedTuple):
    """What an agent may play in a position, as far as it tells."""

    moves: Sequence[Any]
    doubt: str | None = None
    """Why these need not be all, as one says it of the agent; None where they are."""
    asked: int | None = None
    """How often it was asked, None for an agent whose answer is no sample."""


def all_choices(agent: Agent, position: Any) -> AllChoices:
    """Return what `agent` may play; one that is no `Agent` is taken at its word."""
    asked = getattr(agent, "all_choices", None)
    return AllChoices(agent.choices(position)) if asked is None else asked(position)


class AgentType(type):
    """Calling `Agent` makes whichever agent is described; calling one that extends it is as ever.

    Whatever has the methods of an agent is one.
    """

    make: Callable[..., Any]
    """`catalogue.make_agent`, which the catalogue sets: the base knows none of its agents."""

    if not TYPE_CHECKING:  # for type checkers an agent is made by `__init__`

        def __call__(cls, *given: Any, **options: Any) -> Any:
            """Make the agent that is described."""
            if cls is not Agent:
                return super().__call__(*given, **options)
            return AgentType.make(*given, **options)

    def __instancecheck__(cls, thing: object) -> bool:
        has_all = cls is Agent and all(hasattr(thing, name) for name in ("name", *_METHODS))
        return has_all or super().__instancecheck__(thing)


_METHODS = ("choices", "choose")


@dataclass(frozen=True, init=False)
class Agent(metaclass=AgentType):
    """What plays: of the `choices` that it has in a position it `choose`s one.

    `Agent(...)` makes one: of a search (`heuristic=` and the options of `search`, an `algorithm`,
    `ties="random"`), of a function that returns a move (`f(position)`, `f(board)` or
    `f(board, player)`), or of what `parse_agent` reads; `name` is what tables call it.

    >>> import plyscope as ps
    >>> def centre(board, player):
    ...     return board[1][1] == player
    >>> ps.Agent(heuristic=centre, depth=2, name="centre").choices(ps.parse("tictactoe"))
    (4,)
    """

    typed: str = field(default="", kw_only=True)
    """What makes it, where its name does not say it: `mine=alphabeta depth=3`."""

    if TYPE_CHECKING:

        @property
        def name(self) -> str:
            """What tables call it: what people type, or the name that they gave."""

        @property
        def summary(self) -> str:
            """How it plays, in a line."""

    def __init__(
        self,
        agent: str | Agent | Callable[..., Any] | None = None,
        /,
        *,
        name: str | None = None,
        **options: Any,
    ) -> None:
        """Do nothing: whoever calls `Agent` gets an agent of another class."""

    def start(self) -> None:
        """Have the file or program that it needs run, so that errors come before the first game."""

    def choices(self, position: Any) -> Sequence[Any]:
        """Return every move that it may play in `position`, ties included: at least one."""
        if type(self).all_choices is Agent.all_choices:
            raise NotImplementedError(f"{type(self).__name__} defines neither of its two choices")
        return self.all_choices(position).moves

    def all_choices(self, position: Any) -> AllChoices:
        """Return the `choices`, and why it might play another move some other time.

        A class of agents defines one of the two.
        """
        return AllChoices(self.choices(position))

    def repeats(self, game: Any) -> bool:
        """Return whether it declares that it plays the same move in the same position each time. A
        function or a program is not known to."""
        return False

    def choose(self, position: Any, random: Random) -> Choice:
        """Return the move it plays, one of its `choices` by chance from `random`; raise AgentError
        where it has none."""
        return Choice(random.choice(tuple(self.choices(position))))

    def again(self, position: Any) -> Any:
        """Return the move that it gives when it is asked once more, after other positions than
        before; None from an agent whose `all_choices` are no sample."""
        return None


AgentLike = Agent | str | Callable[..., object]
"""What people give for an agent: itself, a text, a function that returns a move."""


def asks_a_function(agent: Agent) -> bool:
    """Return whether an agent's search asks somebody's function, which is only taken to repeat."""
    return bool(getattr(agent, "asks_a_function", False))


def do_repeat(agents: Sequence[Agent], game: Any) -> bool:
    """Return whether all agents declare that they repeat their games on `game`."""
    return all(hasattr(agent, "repeats") and agent.repeats(game) for agent in agents)


def typed(agent: Agent) -> str:
    """Return what people type for an agent; its name alone may be that of another one."""
    return getattr(agent, "typed", "") or agent.name


def ask(agent: Agent, position: Any, random: Random) -> tuple[Choice, float]:
    """Return the agent's choice and the seconds it took; AgentError for an illegal one too."""
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
    """Return why an agent was stopped, and which."""
    return str(error) if isinstance(error, AgentError) else f"agent {agent.name!r}: {error}"


def legal_move(position: Any, answer: Any) -> Any:
    """Return the legal move that an `answer` means: its number, its text, or the move itself.

    NumPy's whole numbers are numbers. Raises AgentError without saying whose answer it was;
    whatever an odd object raises when it is looked at passes through.
    """
    legal, kinds = tuple(position.moves), set(map(type, position.moves))
    move = answer if type(answer) in kinds else None
    if int in kinds and not isinstance(answer, bool):
        with suppress(TypeError):  # a float, None, an object: no whole number
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
