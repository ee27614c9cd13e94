"""The result of `tune`: the heuristic, its provenance, and the tests of its improvement."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from plyscope.datafile import DataFrame, frame
from plyscope.display import drawn, printed
from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.evaluation.tablefile import content_of, with_provenance
from plyscope.jsonable import by_name
from plyscope.lab.judging.share import Share
from plyscope.lab.matches.tally import MatchResult
from plyscope.rules.game import one_line
from plyscope.rules.tree import AnyPosition
from plyscope.tuning.constants import write_source

Outcome = Literal["improved", "no improvement", "interrupted"]


@dataclass(frozen=True, kw_only=True)
class Weight:
    """A number that was tuned."""

    name: str
    """The name, such as `to_move[2]`, `cells.b2` or `threats.odd`, or that of a constant."""
    before: float
    """The number before tuning; whole in a table."""
    after: float
    low: float
    """The bounds of its 95 % interval, in the unit of `after`."""
    high: float
    may_be_dropped: bool
    """Whether 0 is in its interval, and dropping it adds wrong moves by at most one standard
    error."""

    def __str__(self) -> str:
        interval = f"{self.low:.4g} to {self.high:.4g}"
        text = f"{self.name}: {self.before:g} before, {self.after:g} after ({interval})"
        return text.replace("-", "−")


@dataclass(frozen=True, kw_only=True)
class ErrorsOfClass:
    """The wrong moves with START and with the tuned heuristic in the positions of one class."""

    name: str
    """The class (`judging.tactics`), the number of stones, or how often the heuristic reaches the
    positions."""
    choices: int
    """Critical positions tested."""
    before: Share
    after: Share
    fixed: int
    regressed: int

    def __str__(self) -> str:
        return f"{self.name}, {self.choices:,} positions: {_changes(self)}"


@dataclass(frozen=True, kw_only=True)
class ErrorsAtDepth:
    """The wrong moves of a search of `depth` plies before and after tuning."""

    depth: int
    choices: int
    """Critical positions tested."""
    before: Share
    after: Share
    fixed: int
    """Number of positions where only the move before tuning is wrong."""
    regressed: int
    """Number of positions where only the move after tuning is wrong."""
    p: float
    """The p-value: how likely at least `fixed` of the changed positions would be fixed if there
    were no difference (McNemar 1947, one-sided, exact)."""
    by_tactic: tuple[ErrorsOfClass, ...] = ()
    """The errors by class of position; empty in results of earlier versions."""
    by_ply: tuple[ErrorsOfClass, ...] = ()
    """The errors by the number of stones on the board."""
    by_reach: tuple[ErrorsOfClass, ...] = ()
    """The errors by how often the tuned heuristic reaches the position at the depth of use, against
    random moves; empty for a sample and at other depths."""

    def __str__(self) -> str:
        return f"depth {self.depth}: {_changes(self)}"


@dataclass(frozen=True, kw_only=True)
class Changed:
    """A fixed or regressed position at the depth of use, with moves by name."""

    position: AnyPosition
    before: str
    """The move of the heuristic before tuning."""
    after: str
    """The move of the tuned heuristic."""
    right: tuple[str, ...]
    lost: int
    """The loss of the wrong move: 1, or 2 if a win becomes a loss."""
    asks: str = ""
    """The class of the position (`judging.tactics`)."""
    stones: str = ""
    """The number of stones of its class, such as `4–5`."""
    reached: str = ""
    """How often the tuned heuristic reaches it; empty for a sample."""

    def __str__(self) -> str:
        right = ", ".join(self.right)
        return f"{one_line(self.position)}: {self.before} before, {self.after} now, right {right}"


@dataclass(frozen=True, kw_only=True)
class LearningPoint:
    """A point of the learning curve: the wrong moves after learning from part of the positions."""

    choices: int
    """Number of positions learned from."""
    training: Share
    """The share of wrong moves in these positions."""
    validation: Share
    """The share of wrong moves in the held-out positions of five folds."""

    def __str__(self) -> str:
        shares = f"{self.training.value:.1%} wrong moves in them, {self.validation.value:.1%}"
        return f"learned from {self.choices:,} positions: {shares} in held-out ones"


@dataclass(frozen=True, kw_only=True)
class Trial:
    """Games of the tuned heuristic (`a`) against the one before tuning (`b`), from balanced
    openings."""

    condition: str
    """The limits: `depth 4`, `20,000 nodes` or `equal time, 20,000 nodes against 36,000`."""
    match: MatchResult
    """The match, with a sequential test; its `verdict` is None if undecided."""
    nodes: tuple[int, int] | None = None
    """Nodes per move of the heuristic after and before tuning; None at equal depth."""

    def __str__(self) -> str:
        return f"{self.condition}: {self.match.elo} Elo in {self.match.games:,} games"


@dataclass(frozen=True, kw_only=True)
class NodeCost:
    """The processor time per node of the tuned heuristic, divided by that before tuning."""

    compiled: float | None
    """In compiled searches; None for a Python function."""
    reference: float | None

    def __str__(self) -> str:
        factors = {"compiled": self.compiled, "in Python": self.reference}
        known = (f"{factor:.2f} times {form}" for form, factor in factors.items() if factor)
        return f"the cost of a node: {', '.join(known) or 'not measured'}"

    @property
    def of_games(self) -> float:
        """The factor between the nodes of both players at equal time; the compiled one if known."""
        return self.compiled or self.reference or 1.0


@dataclass(frozen=True, kw_only=True)
class Optimum:
    """The least share of wrong moves in a family, over all positions of a game."""

    family: str
    choices: int
    """Critical positions of the game."""
    least: float
    """The share of wrong moves of `weights`, the best ones found."""
    bound: float
    """A proven lower bound of that share; equal to `least` if the optimum is proved."""
    weights: tuple[int, ...]
    """The weights found, in the order of the family's parameters."""
    nodes: int
    """Nodes of the branch and bound."""
    seconds: float
    lost: tuple[tuple[str, ...] | None, tuple[str, ...] | None] | None = None
    """The shortest games that `weights` lose at the depth, as X and as O; None for a side that
    never loses. None instead of both if `certify` found no answer."""
    conflict: Any | None = None
    """A `Conflict` that shows why no numbers make every right move; None if none was found."""
    depth: int = 1
    """Plies of the search."""

    def __str__(self) -> str:
        proof = "proved least" if self.is_proved else f"at least {self.bound:.2%}"
        wrong = f"{self.least:.2%} wrong moves by {', '.join(map(str, self.weights))}"
        return f"{self.family}: {wrong}; {proof}".replace("-", "−")

    @property
    def is_proved(self) -> bool:
        """Whether no better weights exist."""
        return self.least - self.bound < 1e-12

    def as_dict(self) -> dict[str, Any]:
        """Return the optimum as JSON-ready data."""
        return by_name(self) | {"is_proved": self.is_proved}


@dataclass(frozen=True, kw_only=True)
class TuningResult:
    """A tuned heuristic, its provenance, and the evidence."""

    outcome: Outcome
    game: str
    start: str
    """The name of START."""
    family: str
    labels: str
    """The source of the values that were learned from, in a few words."""
    depth: int
    """The depth of use: the search depth for which the heuristic is tuned."""
    seed: int
    test_seed: int
    """The seed of the held-out positions and openings."""
    positions: int
    """Number of positions with known values."""
    choices: int
    """Number of critical positions among them, which were learned from."""
    ridge: float | None
    """The ridge penalty chosen by cross-validation; None if nothing was fitted by likelihood."""
    heuristic: Heuristic
    """The tuned heuristic, or the one before tuning if no improvement was shown."""
    candidate: Heuristic
    """The tuned heuristic, improved or not."""
    weights: tuple[Weight, ...]
    learning: tuple[LearningPoint, ...]
    errors: tuple[ErrorsAtDepth, ...]
    """The wrong moves by depth from 1, on held-out positions or on all positions of the game."""
    is_whole: bool
    """Whether `errors` are counted over all positions of the game, with exact values."""
    fixed: tuple[Changed, ...]
    """Fixed positions: one of each class that has any, by what positions ask, by stones, and by how
    often the tuned heuristic reaches them. A position stands for all of its classes."""
    regressed: tuple[Changed, ...]
    trials: tuple[Trial, ...]
    node_cost: NodeCost | None = None
    """The cost of a node of `candidate`; None if no games were played."""
    optimum: Optimum | None
    """The proven optimum of the family; None unless requested."""
    objective: str = "moves"
    """The name of the objective (`question.OBJECTIVES`)."""
    unbeaten: Any | None = None
    """The answer (`Unbeaten`) to an objective that never loses."""
    lost_games: tuple[Any, Any] | None = None
    """For such an objective, the shortest games that START and the tuned heuristic lose at the
    depth of use: a pair for X and O each, with None for a side that no line of play beats; None
    for an unknown answer."""
    seconds: float
    digest: str
    """SHA-256 of the training data: positions, values and options."""
    version: str
    """The version of plyscope."""
    source: str | None = None
    """The text of the Python file, with a last line that sets the tuned numbers, or only this line;
    None for a table."""
    may_drop_all: bool | None = None
    """Whether all weights with `may_be_dropped` may be dropped together; None if fewer than two
    may, and for constants."""
    is_held_out: bool = False
    """Whether `errors` are counted on held-out parts of the game, because the labels are not exact;
    symmetric positions then count once."""

    @property
    def is_better(self) -> bool:
        """Whether an improvement was shown."""
        return self.outcome == "improved"

    @property
    def at_use(self) -> ErrorsAtDepth | None:
        """The errors at `depth`, the depth of the tuning; None if they were not counted."""
        return next((each for each in self.errors if each.depth == self.depth), None)

    @property
    def provenance(self) -> dict[str, Any]:
        """The provenance of the table, as written to its file; it is the same for the same seed."""
        entries: dict[str, Any] = {
            "game": self.game,
            "start": self.start,
            "family": self.family,
            "labels": self.labels,
            "depth": self.depth,
            "seed": self.seed,
            "test_seed": self.test_seed,
            "positions": self.positions,
            "choices": self.choices,
            "ridge": self.ridge,
            "outcome": self.outcome,
        }
        if self.objective != "moves":
            entries["objective"] = self.objective
        if self.at_use is not None:
            entries |= {
                "tested": self.at_use.choices,
                "wrong_before": [round(number, 6) for number in self.at_use.before],
                "wrong_after": [round(number, 6) for number in self.at_use.after],
            }
        if self.is_held_out:
            entries["held_out"] = True
        if self.node_cost is not None:
            entries["node_cost"] = self.node_cost.of_games
        entries |= {"plyscope": self.version, "digest": self.digest}
        return {key: value for key, value in entries.items() if value is not None}

    def write(self, path: str | Path) -> None:
        """Write the tuned table, improved or not, to a TOML or JSON file with its provenance.

        A tuned function is written as its Python file with the new numbers. Raises OptionError
        for other heuristics, and if the file cannot be written.
        """
        if Path(path).suffix == ".py":
            if self.source is None:
                raise OptionError(
                    f"cannot write the table of {self.start!r} to {str(path)!r}; "
                    "expected a name that ends in .toml or .json"
                )
            write_source(path, self.source, self._head)
            return
        if not isinstance(self.candidate, LineTable):
            name = getattr(self.candidate, "name", self.start)
            raise OptionError(f"{name!r} is no table; expected one to write to {str(path)!r}")
        with_provenance(self.candidate, self.provenance).write(path)

    @property
    def _head(self) -> list[str]:
        told = {**self.provenance, "numbers": {each.name: each.after for each in self.weights}}
        return ["Tuned by plyscope.", *(f"{key} = {value}" for key, value in told.items())]

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON-ready data; a table is the content of its file."""
        content = by_name(
            self,
            heuristic=_content(self.heuristic),
            candidate=_content(self.candidate),
        )
        return content

    def to_frame(self) -> DataFrame:
        """Return the numbers before and after as a pandas DataFrame, a row for each."""
        return frame(self.weights)

    __str__ = printed
    _repr_html_ = drawn


def _changes(errors: ErrorsOfClass | ErrorsAtDepth) -> str:
    wrong = f"{errors.before.value:.2%} wrong moves before, {errors.after.value:.2%} after"
    return f"{wrong}; {errors.fixed:,} fixed, {errors.regressed:,} regressed"


def _content(heuristic: Any) -> dict[str, Any]:
    if isinstance(heuristic, LineTable):
        return content_of(heuristic)
    return {"name": getattr(heuristic, "name", str(heuristic))}
