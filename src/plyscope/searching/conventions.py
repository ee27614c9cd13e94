"""Conventions: the choices on which textbooks differ, as explicit options printed with every
result."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from plyscope.errors import OptionError
from plyscope.jsonable import by_name
from plyscope.searching.score import INFINITY, format_score

__all__ = ["Conventions", "make_conventions"]

Scoring = Literal["heuristic", "result", "distance"]
Order = Literal["generated", "best", "worst", "random"]
Root = Literal["shared", "open"]
BoundStyle = Literal["soft", "hard"]
Cut = Literal["ge", "gt"]
Cutoffs = Literal["deep", "shallow"]
CHOICES: dict[str, tuple[str, ...]] = {
    "scoring": get_args(Scoring),
    "order": get_args(Order),
    "root": get_args(Root),
    "bound": get_args(BoundStyle),
    "cut": get_args(Cut),
    "cutoffs": get_args(Cutoffs),
}


@dataclass(frozen=True, kw_only=True)
class Conventions:
    """How a search is carried out, where more than one way is right.

    scoring: what a finished game is worth: the `heuristic`'s own value, its `result` (win, draw, loss; its payoff itself where the game
        is `scored`), or its result with quicker wins better (`distance`).
    order: moves as `generated`, `best` or `worst` first by the heuristic (stable), or at `random`: a priority drawn from `seed` for each
        ply and move.
    root: one window `shared` by the root's moves, or an `open` one for each, which makes every root move's value exact.
    bound: fail-`soft` returns the best score found even outside the window, fail-`hard` never leaves it.
    cut: stop a node when alpha ≥ beta (`ge`) or only when alpha > beta (`gt`), which keeps scores equal to a bound exact.
    cutoffs: `deep` ones, by bounds of any ancestor, or `shallow` ones alone: the other side is handed the bound that a side's own moves
        gave in this turn and not those the turn was called with (the procedure F1 of Knuth & Moore 1975).
    window: (alpha, beta) at the root.
    """

    scoring: Scoring = "heuristic"
    order: Order = "generated"
    root: Root = "shared"
    bound: BoundStyle = "soft"
    cut: Cut = "ge"
    cutoffs: Cutoffs = "deep"
    window: tuple[int, int] = (-INFINITY, INFINITY)
    seed: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Return the conventions as JSON-ready data; an infinite end of the window is None."""
        return by_name(self, window=[None if abs(end) >= INFINITY else end for end in self.window])

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise OptionError(f"{name} {getattr(self, name)!r}; expected {', '.join(choices)}")
        if not isinstance(self.seed, int) or isinstance(self.seed, bool):
            raise OptionError(f"seed {str(self.seed)[:40]!r}; expected a whole number")
        if (
            not isinstance(self.window, tuple)
            or len(self.window) != 2
            or not all(isinstance(end, int) for end in self.window)
        ):
            raise OptionError(
                f"window {str(self.window)[:40]!r}; expected two whole numbers (alpha, beta)"
            )
        if self.window[0] >= self.window[1]:
            raise OptionError(f"window {self.window}; expected alpha below beta")
        if self.root == "open" and self.window != (-INFINITY, INFINITY):
            raise OptionError(f"window {self.window} with root 'open'; expected root 'shared'")

    @property
    def closed(self) -> bool:
        """Whether a score equal to a bound of its window is exact: with cut `gt`, unless fail-hard
        blurs it."""
        return self.cut == "gt" and self.bound == "soft"

    def describe(self, takes: frozenset[str] = frozenset(CHOICES)) -> str:
        """Return one line for people about the conventions that an algorithm `takes`."""
        words = [f"{name} {getattr(self, name)}" for name in ("scoring", "order") if name in takes]
        if "seed" in takes or self.order == "random":
            words.append(f"seed {self.seed}")
        if "cut" in takes:
            words.append("cut at α ≥ β" if self.cut == "ge" else "cut at α > β")
        if self.cutoffs == "shallow":
            words.append("shallow cutoffs only")
        if "bound" in takes:
            words.append(f"fail-{self.bound}")
        if "root" in takes:
            words.append(f"{self.root} root window")
        if self.window != (-INFINITY, INFINITY):
            words.append(f"window ({', '.join(map(format_score, self.window))})")
        return ", ".join(words) or "as published"


def make_conventions(
    algorithm: str, takes: frozenset[str], options: dict[str, Any], scoring: Scoring = "heuristic"
) -> Conventions:
    """Return the conventions of `options` that are not None; raise OptionError for one that
    `algorithm` does not take.

    `scoring` is the algorithm's own where nothing else is given.
    """
    given = {name: value for name, value in options.items() if value is not None}
    default = Conventions(scoring=scoring)
    for name, value in given.items():
        if name not in takes and name != "seed" and value != getattr(default, name, None):
            known = ", ".join(item.name for item in fields(Conventions) if item.name in takes)
            raise OptionError(
                f"{algorithm!r} takes no option {name!r}; expected {known or 'none of the conventions'}"
            )
    return Conventions(**{"scoring": scoring, **given})
