"""OpenSpiel's tic-tac-toe in the shape of its package, for machines that do not have it.

What it answers was taken down from open_spiel 2.0.2; where that is installed, a test holds this to
it.
"""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import Any

LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


class State:
    def __init__(self, actions: tuple[int, ...] = ()) -> None:
        self.actions = actions

    def get_game(self) -> Game:
        return Game()

    def history(self) -> list[int]:
        return list(self.actions)

    def clone(self) -> State:
        return State(self.actions)

    def child(self, action: int) -> State:
        return State((*self.actions, action))

    def current_player(self) -> int:
        return -4 if self.is_terminal() else len(self.actions) % 2

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else sorted(set(range(9)) - set(self.actions))

    def has_line(self, player: int) -> bool:
        cells = set(map(str, self.actions[player::2]))
        return any(cells >= set(line) for line in LINES)

    def is_terminal(self) -> bool:
        return self.has_line(0) or self.has_line(1) or len(self.actions) == 9

    def returns(self) -> list[float]:
        first = float(self.has_line(0) - self.has_line(1))
        return [first, -first]

    def action_to_string(self, player: int, action: int) -> str:
        return f"{'xo'[player]}({action // 3},{action % 3})"

    def __str__(self) -> str:
        cells = {action: "xo"[ply % 2] for ply, action in enumerate(self.actions)}
        rows = ["".join(cells.get(3 * row + at, ".") for at in range(3)) for row in range(3)]
        return "\n".join(rows)


class Game:
    def get_type(self) -> Any:
        return SimpleNamespace(
            short_name="tic_tac_toe",
            long_name="Tic Tac Toe",
            dynamics="sequential",
            chance_mode="deterministic",
            information="perfect",
            utility="zero-sum",
            parameter_specification={},
        )

    def get_parameters(self) -> dict[str, Any]:
        return {}

    def num_players(self) -> int:
        return 2

    def max_utility(self) -> float:
        return 1.0

    def new_initial_state(self) -> State:
        return State()

    def __str__(self) -> str:
        return "tic_tac_toe()"


class Bot:
    """OpenSpiel's base class of bots."""


class SpielError(Exception):
    """What OpenSpiel raises."""


def load_game(text: str) -> Game:
    if text != "tic_tac_toe":
        raise SpielError(f"Unknown game '{text}'.")
    return Game()


def module() -> ModuleType:
    """Return what stands in for `pyspiel`."""
    made = ModuleType("pyspiel")
    vars(made).update(
        Bot=Bot,
        SpielError=SpielError,
        load_game=load_game,
        registered_names=lambda: ["tic_tac_toe"],
        GameType=SimpleNamespace(
            Dynamics=SimpleNamespace(SEQUENTIAL="sequential"),
            ChanceMode=SimpleNamespace(DETERMINISTIC="deterministic"),
            Information=SimpleNamespace(PERFECT_INFORMATION="perfect"),
            Utility=SimpleNamespace(ZERO_SUM="zero-sum"),
        ),
    )
    return made
