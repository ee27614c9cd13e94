"""Conventions: the choices on which textbooks differ, explicit and printed with every result.

Each is declared once, below. The options of `search`, of the commands, of agents and of the page
follow from the declaration.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args, get_type_hints

from plyscope.errors import OptionError
from plyscope.jsonable import by_name
from plyscope.searching.score import INFINITY, format_score

Scoring = Literal["heuristic", "result", "distance"]
Order = Literal["generated", "best", "worst", "random"]
Root = Literal["shared", "open"]
BoundStyle = Literal["soft", "hard"]
Cut = Literal["ge", "gt"]
Cutoffs = Literal["deep", "shallow"]
Window = tuple[int, int]
OPEN_WINDOW = (-INFINITY, INFINITY)


def _said(help: str, words: str | dict[str, str]) -> dict[str, Any]:
    """Return what is said of a convention: `help` on the command line, and `words` for its value,
    one text for all values or one for each."""
    return {"help": help, "words": words}


@dataclass(frozen=True, kw_only=True)
class Conventions:
    """How a search is carried out, where more than one way is right."""

    scoring: Scoring = field(
        default="heuristic",
        metadata=_said("what a finished game is worth (default: heuristic)", "scoring {}"),
    )
    """What a finished game is worth: the `heuristic`'s own value, its `result` (win, draw, loss;
    the payoff itself where the game is `scored`), or its result with quicker wins better
    (`distance`)."""
    order: Order = field(
        default="generated", metadata=_said("the order of moves (default: generated)", "order {}")
    )
    """Moves as `generated`, `best` or `worst` first by the heuristic (stable), or at `random`: a
    priority drawn from `seed` for each ply and move."""
    seed: int = field(
        default=0, metadata=_said("the seed of whatever is random (default: 0)", "seed {}")
    )
    """The seed of whatever is random."""
    cut: Cut = field(
        default="ge",
        metadata=_said(
            "cut when alpha >= beta, or only when alpha > beta",
            {"ge": "cut at α ≥ β", "gt": "cut at α > β"},
        ),
    )
    """Stop a node when alpha ≥ beta (`ge`), or only when alpha > beta (`gt`), which keeps scores
    equal to a bound exact."""
    cutoffs: Cutoffs = field(
        default="deep",
        metadata=_said(
            "cut by bounds of any ancestor, or of the parent alone",
            {"deep": "", "shallow": "shallow cutoffs only"},
        ),
    )
    """`deep` cutoffs, by bounds of any ancestor, or `shallow` ones alone: the other side is handed
    the bound that a side's own moves gave in this turn and not those the turn was called with (the
    procedure F1 of Knuth & Moore 1975)."""
    bound: BoundStyle = field(default="soft", metadata=_said("fail-soft or fail-hard", "fail-{}"))
    """Fail-`soft` returns the best score found even outside the window, fail-`hard` never leaves
    it."""
    root: Root = field(
        default="shared",
        metadata=_said("one window for all root moves, or an open one for each", "{} root window"),
    )
    """One window `shared` by the root's moves, or an `open` one for each, which makes every root
    move's value exact."""
    window: Window = field(
        default=OPEN_WINDOW, metadata=_said("the window at the root", "window {}")
    )
    """(alpha, beta) at the root."""

    def as_dict(self) -> dict[str, Any]:
        """Return the conventions as JSON-ready data; an infinite end of the window is None."""
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
        if not is_pair or not all(isinstance(end, int) for end in window):
            raise OptionError(
                f"window {str(window)[:40]!r}; expected two whole numbers (alpha, beta)"
            )
        if window[0] >= window[1]:
            raise OptionError(f"window {window}; expected alpha below beta")
        if self.root == "open" and window != OPEN_WINDOW:
            raise OptionError(f"window {window} with root 'open'; expected root 'shared'")

    @property
    def closed(self) -> bool:
        """Whether a score equal to a bound of its window is exact: with cut `gt`, unless fail-hard
        blurs it."""
        return self.cut == "gt" and self.bound == "soft"

    def describe(self, takes: frozenset[str] | None = None) -> str:
        """Return the conventions that an algorithm `takes` in a line, by default all choices."""
        shown = set(CHOICES if takes is None else takes) - {"window"}
        if self.order == "random":
            shown.add("seed")
        if self.window != OPEN_WINDOW:
            shown.add("window")
        words = [self._words(name) for name in CONVENTIONS if name in shown]
        return ", ".join(filter(None, words)) or "as published"

    def _words(self, name: str) -> str:
        """Return the words for the value of one convention."""
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
"""The values of each convention that is a choice among names."""
HELP: dict[str, str] = {name: metadata["help"] for name, metadata in _DECLARED.items()}
"""What the command line says of each."""


def make_conventions(
    algorithm: str, takes: frozenset[str], given: dict[str, Any], scoring: Scoring = "heuristic"
) -> Conventions:
    """Return the conventions `given`; raise OptionError for one that `algorithm` does not take.

    `scoring` is the algorithm's own where nothing else is given.
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
