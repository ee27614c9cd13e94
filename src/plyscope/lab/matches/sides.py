"""Opening rules in which players choose their sides, which removes the first-move advantage.

*pie*: the opener makes the first turn, and the other player chooses a side (Hex, Kalah). *swap2*:
the opener places three stones, X O X. The other player takes a side, or places two more, O X, and
leaves the choice to the opener (Gomoku tournaments, Gomocup).

An agent that searches places the most balanced of some random openings, and takes the side that its
search prefers. If the value is equal, it places two more stones if allowed, or takes the side to
move. Other agents choose at random.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple, Protocol

from plyscope.errors import AgentError, HeuristicError, OptionError
from plyscope.lab.agents.agent import Agent, ask, reason_of
from plyscope.rules.game import SIDES, random_position
from plyscope.rules.linegame import LineGame

RULES = ("pie", "swap2")
OPENER_STONES, EXTRA_STONES = 3, 2
"""The number of stones that the opener places in swap2, and that the other player may place."""
PUT_TWO = "two"
"""The answer of a player who places two more stones."""
WEIGHED_OPENINGS = 8
"""The number of openings that an agent compares before it places one."""
MAX_DRAWS = 100
"""Drawing an opening fails after this number of consecutive random openings that end the game."""


class Seats(NamedTuple):
    """The result of an opening rule."""

    position: Any
    """The position from which the game continues."""
    is_swapped: bool
    """Whether the opener has the other side now."""


class Player(Protocol):
    """A player in an opening rule."""

    def put(self, position: Any, stones: int) -> Any:
        """Place `stones` more stones and return the position, which is unfinished."""

    def take(self, position: Any, words: tuple[str, ...]) -> str:
        """Choose one of `words`: a side, x or o, or PUT_TWO."""


def choose_sides(rule: str, start: Any, opener: Player, other: Player) -> Seats:
    """Carry out the opening rule from `start`, with `opener` to move."""
    opened = SIDES[start.side]
    if rule == "pie":
        position = opener.put(start, _turn(start))
        return Seats(position, other.take(position, tuple(SIDES)) == opened)
    position = opener.put(start, OPENER_STONES)
    taken = other.take(position, (*SIDES, PUT_TWO))
    if taken != PUT_TWO:
        return Seats(position, taken == opened)
    position = other.put(position, EXTRA_STONES)
    return Seats(position, opener.take(position, tuple(SIDES)) != opened)


def check_rule(rule: str | None, start: Any) -> None:
    """Raise OptionError for an unknown rule, or one that does not fit the start position."""
    if rule is None:
        return
    if rule not in RULES:
        raise OptionError(f"opening {rule[:40]!r}; expected {' or '.join(RULES)}")
    game = start.game
    if not isinstance(game, LineGame):
        raise OptionError(f"opening {rule!r} on {game.name!r}; expected a line game")
    if start.first | start.second:
        raise OptionError(f"opening {rule!r} from '{start}'; expected the empty board")
    if rule == "swap2" and not game.alternates:
        raise OptionError(f"opening 'swap2' on {game.name!r}; expected turns of one stone")
    _drawn(start, _turn(start) if rule == "pie" else OPENER_STONES + EXTRA_STONES, Random(0))


def _turn(start: Any) -> int:
    """Return the number of stones that the first player places in the first turn."""
    stones, position = 0, start
    while position.side == start.side and not position.is_over:
        position, stones = position.play(position.moves[0]), stones + 1
    return stones


def _drawn(position: Any, stones: int, random: Random) -> Any:
    """Return an unfinished position after `stones` random stones.

    Raises OptionError if there is none.
    """
    for _ in range(MAX_DRAWS):
        after = random_position(position, random, stones)
        if not after.is_over:
            return after
    raise OptionError(
        f"an opening of {stones} stones on {position.game.name!r}; expected a larger board"
    )


class Stopped(AgentError):
    """Raised if an agent fails while the players choose their sides."""

    def __init__(self, player: AgentPlayer, error: AgentError | HeuristicError) -> None:
        super().__init__(reason_of(player.agent, error))
        self.player = player


class AgentPlayer:
    """An agent as a player in an opening rule. Raises Stopped if the agent fails."""

    def __init__(self, agent: Agent, random: Random) -> None:
        self.agent, self.random = agent, random

    def put(self, position: Any, stones: int) -> Any:
        """Return the most balanced of some random openings."""
        openings = [_drawn(position, stones, self.random) for _ in range(WEIGHED_OPENINGS)]
        chosen, least = openings[0], self._value(openings[0])
        for opening in openings[1:] if least is not None else ():
            value = self._value(opening)
            if value is not None and least is not None and abs(value) < abs(least):
                chosen, least = opening, value
        return chosen

    def take(self, position: Any, words: tuple[str, ...]) -> str:
        """Return the side that the agent's search prefers."""
        value = self._value(position)
        if value is None:
            return self.random.choice(words)
        if value == 0 and PUT_TWO in words:
            return PUT_TWO
        return SIDES[position.side if value >= 0 else 1 - position.side]

    def _value(self, position: Any) -> float | None:
        """Return the agent's value for the side to move, None if it does not search."""
        try:
            return ask(self.agent, position, self.random)[0].value
        except (AgentError, HeuristicError) as error:
            raise Stopped(self, error) from None


def seating(rule: str, is_swapped: bool) -> str:
    """Return the text of an opening in records: `pie kept`, `swap2 swapped`."""
    return f"{rule} {'swapped' if is_swapped else 'kept'}"


SEATINGS = frozenset(seating(rule, is_swapped) for rule in RULES for is_swapped in (False, True))
