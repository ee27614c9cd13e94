"""Games of OpenSpiel, if they are for two sides in turn, zero-sum, of perfect information and
without chance. The package `pyspiel` is imported only when one is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from plyscope.catalogue import nearest_name
from plyscope.display import times
from plyscope.errors import NotationError, OptionError
from plyscope.extras import load
from plyscope.rules.game import FIRST, Game

PREFIX = "openspiel:"
"""The prefix of the text of a game of OpenSpiel."""

GAMES_WITHOUT_HISTORY = (
    *("amazons", "breakthrough", "clobber", "connect_four", "dots_and_boxes", "gomoku", "havannah"),
    *("hex", "mancala", "mnk", "nim", "othello", "pentago", "tic_tac_toe", "twixt"),
    *("ultimate_tic_tac_toe", "y"),
)
"""Games in which the text of a state and the side to move determine the future: no state repeats,
so the moves that led to it do not matter. In other games, such as chess, they may."""


class OpenSpielState:
    """A state of OpenSpiel, never modified; states with the same future are equal."""

    __slots__ = ("_key", "state")

    def __init__(self, state: Any) -> None:
        self.state = state
        self._key: Any = None

    @property
    def key(self) -> Any:
        """The key that equal states share: the text of the state, or for games whose text is not
        sufficient all actions from the start; and the side to move."""
        if self._key is None:
            is_told = self.state.get_game().get_type().short_name in GAMES_WITHOUT_HISTORY
            told = str(self.state) if is_told else tuple(self.state.history())
            self._key = told, self.state.current_player()
        return self._key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenSpielState) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        return str(self.state).rstrip()

    def __reduce__(self) -> Any:
        return OpenSpielState, (self.state,)


class OpenSpielGame(Game):
    """A game of OpenSpiel. Moves are its actions, with OpenSpiel's names."""

    def __init__(self, spiel: Any) -> None:
        self.spiel = spiel
        self.scored = spiel.max_utility() != 1

    @property
    def name(self) -> str:
        """OpenSpiel's text of the game, after `openspiel:`."""
        return f"{PREFIX}{self.spiel}".removesuffix("()")

    @property
    def summary(self) -> str:
        """OpenSpiel's long name."""
        return f"{self.spiel.get_type().long_name}, by OpenSpiel"

    def start(self) -> OpenSpielState:
        """Return the initial state."""
        return OpenSpielState(self.spiel.new_initial_state())

    def side(self, state: OpenSpielState) -> int:
        """Return the player to move, FIRST if the game is over."""
        player: int = state.state.current_player()
        return max(FIRST, player)

    def moves(self, state: OpenSpielState) -> Sequence[int]:
        """Return the legal actions."""
        actions: list[int] = state.state.legal_actions()
        return actions

    def play(self, state: OpenSpielState, move: int) -> OpenSpielState:
        """Return a new state after an action; not every game of OpenSpiel can undo one."""
        return OpenSpielState(state.state.child(move))

    def payoff(self, state: OpenSpielState) -> int | None:
        """Return the payoff of the first player."""
        if not state.state.is_terminal():
            return None
        payoff: float = state.state.returns()[0]
        return int(payoff) if payoff.is_integer() else payoff  # type: ignore[return-value]

    def format_move(self, state: OpenSpielState, move: int) -> str:
        """Return OpenSpiel's text of an action."""
        return str(state.state.action_to_string(state.state.current_player(), move)).strip()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenSpielGame) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> Any:
        return OpenSpielGame, (self.spiel,)


def from_openspiel(game: Any) -> OpenSpielGame:
    """Return the game of a text of OpenSpiel or of a `pyspiel.Game`.

    Raises OptionError if OpenSpiel is not installed or the game is of another kind, and
    UnknownNameError or NotationError for a text that OpenSpiel does not know.

        game = from_openspiel("breakthrough(rows=5,columns=3)")
    """
    spiel = _load(game.removeprefix(PREFIX)) if isinstance(game, str) else game
    reasons = list(_reasons(spiel))
    if reasons:
        raise OptionError(
            f"OpenSpiel's game '{spiel}' {', '.join(reasons)}; expected one for two sides "
            "in turn, zero-sum, of perfect information, without chance"
        )
    return OpenSpielGame(spiel)


def load_pyspiel() -> Any:
    """Return OpenSpiel's module; raise MissingPackageError if it is not installed."""
    return load("pyspiel", "a game of OpenSpiel", "open_spiel")


@lru_cache(maxsize=64)
def _load(text: str) -> Any:
    """Return OpenSpiel's game of a text; raise UnknownNameError or NotationError."""
    pyspiel = load_pyspiel()
    text = "".join(text.split())
    name = text.partition("(")[0]
    names = pyspiel.registered_names()
    if name not in names:
        is_near = get_close_matches(name, names, cutoff=0.5)
        raise nearest_name(
            "game of OpenSpiel", name, names if is_near else list(GAMES_WITHOUT_HISTORY)
        )
    try:
        return pyspiel.load_game(text)
    except pyspiel.SpielError as error:
        said = " ".join(str(error).split())
        raise NotationError(
            f"OpenSpiel cannot load {text[:80]!r}: {said}; expected a text such as "
            "'breakthrough(rows=5,columns=3)'"
        ) from None


def _reasons(spiel: Any) -> Iterator[str]:
    """Yield the reasons why a game of OpenSpiel cannot be used."""
    kind, of = spiel.get_type(), load_pyspiel().GameType
    if spiel.num_players() != 2:
        players = spiel.num_players()
        yield f"is for {times(players, 'player')}"
    if kind.dynamics != of.Dynamics.SEQUENTIAL:
        yield "has simultaneous moves"
    if kind.chance_mode != of.ChanceMode.DETERMINISTIC:
        yield "has chance"
    if kind.information != of.Information.PERFECT_INFORMATION:
        yield "hides information"
    if kind.utility != of.Utility.ZERO_SUM:
        yield "is not zero-sum"
