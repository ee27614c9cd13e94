"""Conventions: the choices on which textbooks differ, explicit and printed with every result.

Each is declared once, below. The options of `search`, of the commands, of agents and of the page
follow from the declaration.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args, get_type_hints

from plyscope.errors import OptionError
from plyscope.jsonable import by_name
from plyscope.rules.treetext import Exact
from plyscope.searching.score import INFINITY, format_score

Scoring = Literal["heuristic", "result", "distance"]
Order = Literal["generated", "best", "worst", "random"]
Root = Literal["shared", "open"]
BoundStyle = Literal["soft", "hard"]
Cut = Literal["ge", "gt"]
Cutoffs = Literal["deep", "shallow"]
Window = tuple[int, int]
OPEN_WINDOW = (-INFINITY, INFINITY)


def _metadata(help: str, words: str | dict[str, str]) -> dict[str, Any]:
    """Return the metadata of a convention: `help` for the command line, and `words`, the
    description of its value: one text for all values, or a text for each."""
    return {"help": help, "words": words}


@dataclass(frozen=True, kw_only=True)
class Conventions:
    """The conventions of a search, on which correct implementations differ.

    >>> from plyscope import search
    >>> [search(".X./O../X.O", heuristic="counted-lines", cut=cut).nodes for cut in ("ge", "gt")]
    [98, 117]
    """

    scoring: Scoring = field(
        default="heuristic",
        metadata=_metadata("the score of a finished game (default: heuristic)", "scoring {}"),
    )
    """The score of a finished game: the value of the `heuristic`, the `result` (win, draw, loss, or
    the payoff if the game is `scored`), or the result with faster wins better (`distance`)."""
    order: Order = field(
        default="generated",
        metadata=_metadata("the order of moves (default: generated)", "order {}"),
    )
    """The order of moves: as `generated`, `best` or `worst` first by the heuristic (stable; in a
    tree without estimates of inner nodes by their values), or at
    `random`, by a priority made from `seed` for each ply and move."""
    seed: int = field(
        default=0, metadata=_metadata("the seed of random choices (default: 0)", "seed {}")
    )
    """The seed of random choices."""
    cut: Cut = field(
        default="ge",
        metadata=_metadata(
            "cut when alpha >= beta, or only when alpha > beta",
            {"ge": "cut at α ≥ β", "gt": "cut at α > β"},
        ),
    )
    """Cut when alpha ≥ beta (`ge`), or only when alpha > beta (`gt`); with `gt`, scores equal to a
    bound are exact."""
    cutoffs: Cutoffs = field(
        default="deep",
        metadata=_metadata(
            "cut by bounds of any ancestor, or only of the parent",
            {"deep": "", "shallow": "shallow cutoffs only"},
        ),
    )
    """`deep` cutoffs, by bounds of any ancestor, or only `shallow` ones, by the bound that moves of
    the parent have set (the procedure F1 of Knuth & Moore 1975)."""
    bound: BoundStyle = field(
        default="soft", metadata=_metadata("fail-soft or fail-hard", "fail-{}")
    )
    """Fail-`soft` may return a score outside the window; fail-`hard` limits it to the window."""
    root: Root = field(
        default="shared",
        metadata=_metadata(
            "one window for all root moves, or an open one for each", "{} root window"
        ),
    )
    """One window `shared` by the root moves, or an `open` window for each, which makes the values
    of all root moves exact."""
    window: Window = field(
        default=OPEN_WINDOW, metadata=_metadata("the window at the root", "window {}")
    )
    """(alpha, beta) at the root: whole numbers, for explicit trees any numbers."""

    def as_dict(self) -> dict[str, Any]:
        """Return the conventions as JSON-ready data, with infinite bounds as None."""
        return by_name(self, window=[None if abs(end) >= INFINITY else end for end in self.window])

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise OptionError(f"{name} {getattr(self, name)!r}; expected {', '.join(choices)}")
        if not isinstance(self.seed, int) or isinstance(self.seed, bool):
            raise OptionError(f"seed {str(self.seed)[:40]!r}; expected a whole number")
        window = self.window
        if window is OPEN_WINDOW:
            return
        is_pair = isinstance(window, tuple) and len(window) == 2
        if not is_pair or not all(isinstance(end, int | Exact) for end in window):
            raise OptionError(
                f"window {str(window)[:40]!r}; expected two whole numbers (alpha, beta)"
            )
        if window[0] >= window[1]:
            raise OptionError(f"window {window}; expected alpha below beta")
        if self.root == "open" and window != OPEN_WINDOW:
            raise OptionError(f"window {window} with root 'open'; expected root 'shared'")

    @property
    def closed(self) -> bool:
        """Whether a score equal to a bound of its window is exact: with cut `gt` and fail-soft."""
        return self.cut == "gt" and self.bound == "soft"

    def __str__(self) -> str:
        return self.describe()

    def describe(self, takes: frozenset[str] | None = None) -> str:
        """Return a line with the conventions that an algorithm `takes`, by default all choices."""
        shown = set(CHOICES if takes is None else takes) - {"window"}
        if self.order == "random":
            shown.add("seed")
        if self.window != OPEN_WINDOW:
            shown.add("window")
        words = [self._words(name) for name in CONVENTIONS if name in shown]
        return ", ".join(filter(None, words)) or "as published"

    def _words(self, name: str) -> str:
        """Return the description of the value of one convention."""
        value, words = getattr(self, name), _DECLARED[name]["words"]
        if name == "window":
            value = f"({', '.join(map(format_score, value))})"
        return str(words[value] if isinstance(words, dict) else words.format(value))


_DECLARED = {item.name: item.metadata for item in fields(Conventions)}
CONVENTIONS = tuple(_DECLARED)
"""The names of the conventions."""
CHOICES: dict[str, tuple[str, ...]] = {
    name: get_args(kind)
    for name, kind in get_type_hints(Conventions).items()
    if name not in ("window", "seed")
}
"""The possible values of each convention that has names as values."""
HELP: dict[str, str] = {name: metadata["help"] for name, metadata in _DECLARED.items()}
"""The help of each convention on the command line."""


def make_conventions(
    algorithm: str, takes: frozenset[str], given: dict[str, Any], scoring: Scoring = "heuristic"
) -> Conventions:
    """Return the conventions `given`; raise OptionError for one that `algorithm` does not take.

    `scoring` is the default scoring of the algorithm.
    """
    default = Conventions(scoring=scoring)
    if not given:
        return default
    for name, value in given.items():
        if name not in takes and name != "seed" and value != getattr(default, name):
            known = ", ".join(name for name in CONVENTIONS if name in takes)
            raise OptionError(
                f"{algorithm!r} takes no option {name!r}; "
                f"expected {known or 'none of the conventions'}"
            )
    return Conventions(**{"scoring": scoring, **given})
