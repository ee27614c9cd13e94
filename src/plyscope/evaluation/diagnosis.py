"""Diagnosis of a heuristic that is a Python function: likely mistakes and their reasons.

The function is called on positions of random games. Its source suggests the reason.

    kind        observation
    raises      it raised, or did not return a number, on some positions
    chance      it returned different values for the same position
    constant    it has one value for all positions
    sides       the values for both players are the same, or always have the same sign
    stones      every stone raises the value, or every stone lowers it, whichever side it is of
    signs       it is never negative, and its source has negative numbers for a player
    form        it expects another form of the board, as its use of the board and its source show
    view        it rises with stones of O and falls with stones of X

Each of them may be intended; a sound heuristic shows none. `findings` judges given answers;
`diagnose` calls a function in this process.
"""

from __future__ import annotations

import ast
import random
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any, NamedTuple

from plyscope.errors import PlyscopeError
from plyscope.evaluation.boardform import BoardForm
from plyscope.evaluation.function import FunctionHeuristic, version_of_function
from plyscope.evaluation.habits import Offer, offer, reached, trees_of, unparsed
from plyscope.evaluation.signatures import BOARD_SIGNATURES, OF_BOARD, OF_POSITION, Signature
from plyscope.identity import cached_while
from plyscope.owntime import OwnTime, thread_time
from plyscope.pythonfile import Overdue, interrupting
from plyscope.rules.game import Game, one_line, random_game, state_of, version_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position

SAMPLED_GAMES = 20
"""Random games from which positions are sampled."""
PAIRS_PER_GAME = 5
"""Pairs of a position and its successor sampled from each game, including the game's last pair."""
MIN_POSITIONS = 20
"""Distinct positions needed for a conclusion."""
MIN_PAIRS = 10
"""The number of observations that must agree before a relation is reported."""
MIN_CHANGES, CLEAR_SHARE = 3, 0.9
"""Changes of a value by stones of each side, and the share that must agree, to find its view."""
MAX_PLIES = 400
"""The length at which a random game is cut off."""
BUDGET_SECONDS = 0.5
"""Own time for sampling, and for calling the function; scheduling delay does not count."""
QUICK_SECONDS = 0.05
"""Processor time after which the function is called on no more than MIN_POSITIONS."""
REPEATED_POSITIONS = 10
"""Positions on which the function is called a second time."""
SIGNED = "not 1 and -1"
"""The end of the reason that a function expects 1 and −1 for the players."""
PLAYER_NAMES = ("color", "colour", "sign", "turn")
"""Usual names of an argument that is 1 or −1 for a player."""
MAX_PARSED_CHARS = 100_000
"""The longest source that is parsed: a syntax tree takes about 600 bytes a character."""
MAX_QUOTE_CHARS = 80
"""The longest position that a note quotes."""
MAX_NAMED = 3
"""The number of symbols that a reason lists."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Something odd about a heuristic."""

    kind: str
    """raises, chance, constant, sides, stones, signs, form or view."""
    text: str
    """The observation and its likely reason; the heuristic's name goes before it."""
    positions: tuple[Any, ...] = ()
    """Example positions."""
    reason: str = ""
    """The likely reason in the text, as the source suggests it."""


class Sample(NamedTuple):
    """Positions of random games."""

    positions: tuple[Any, ...]
    """Each a Position, TreePosition or GamePosition."""
    steps: tuple[tuple[int, int, int], ...]
    """Moves: the indices in `positions` before and after the move, and the side that moved."""


Answer = int | PlyscopeError | None
"""A value, the error raised instead, or None if the function was not called."""


@dataclass(frozen=True)
class Source:
    """The source of a function and of the functions that it calls, if it is available."""

    name: str
    """The name of the function."""
    trees: tuple[ast.AST, ...] = ()
    """The syntax trees of the functions, the heuristic first."""
    constants: Mapping[str, Any] = field(default_factory=dict)
    """Global names whose values are texts, numbers or None."""
    signature: Signature | None = None
    """The signature of the heuristic, None if unknown."""

    @classmethod
    def of_text(cls, text: str, name: str, signature: Signature | None = None) -> Source:
        """Return the source of the function `name` in the text of a file, without running it.

        It has no trees if the file has more than MAX_PARSED_CHARS characters or a syntax error.
        """
        if len(text) > MAX_PARSED_CHARS:
            return cls(name, signature=signature)
        try:
            module = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return cls(name, signature=signature)
        functions = {each.name: each for each in module.body if isinstance(each, ast.FunctionDef)}
        constants = {
            target.id: node.value.value
            for node in module.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        return cls(name, reached(name, functions.get), constants, signature)

    @classmethod
    def of_function(cls, name: str, function: Any, signature: Signature | None = None) -> Source:
        """Return the source of a function, without trees if it is not available."""
        function = getattr(function, "__func__", function)
        if not isinstance(function, FunctionType):
            return cls(name, signature=signature)
        kinds = (str, int, float, type(None))
        known = list(function.__globals__.items())
        constants = {key: value for key, value in known if isinstance(value, kinds)}
        return cls(name, trees_of(function), constants, signature)

    @property
    def parameters(self) -> list[str]:
        """The names of the heuristic's arguments."""
        for node in ast.walk(self.trees[0]) if self.trees else ():
            if isinstance(node, ast.FunctionDef | ast.Lambda):
                return [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
        return []

    @property
    def board(self) -> str:
        """The name of the first argument, or `the board`."""
        return next(iter(self.parameters), "the board")

    @property
    def symbols(self) -> list[str]:
        """The texts, and None, that the function compares with, as Python writes them."""
        found: dict[str, None] = {}
        for value in self._compared():
            if isinstance(value, str) or value is None:
                found[repr(value)] = None
        texts = [each for each in found if each != "None"]
        return texts + ["None"] * ("None" in found)

    @property
    def has_negative_player(self) -> bool:
        """Whether the source code of the function compares a value with a negative number, or
        negates the second parameter: signs that it uses negative numbers for a player."""
        negated = "".join(rf"|-{name}\b" for name in self.parameters[1:2])
        compared = r"([=!<>]=|[<>]|\bin) [(\[{]?-\d|(?<![\[(])-\d[\d.]* ([=!<>]|in |not in )"
        return any(re.search(compared + negated, unparsed(each)) for each in self.trees)

    def _compared(self) -> Iterator[Any]:
        """Yield the constants beside ==, != and `in`, and the arguments of `count` and `index`."""
        for node in (each for tree in self.trees for each in ast.walk(tree)):
            parts: list[ast.expr] = []
            if isinstance(node, ast.Compare):
                is_equal = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)
                if isinstance(node.ops[0], is_equal):
                    parts = [node.left, *node.comparators]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                parts = node.args if node.func.attr in ("count", "index") else []
            for part in parts:
                inner = part.elts if isinstance(part, ast.Tuple | ast.List | ast.Set) else [part]
                for each in inner:
                    if isinstance(each, ast.Constant):
                        yield each.value
                    elif isinstance(each, ast.Name) and each.id in self.constants:
                        yield self.constants[each.id]


def _signed(name: str) -> str:
    """Return the reason of a function whose player, an argument of this name, is 1 or −1."""
    return f"{name!r} is 1 for X and 2 for O, {SIGNED}"


# The positions


@cached_while(version_of, maxsize=16)
def sample_of(game: Game) -> Sample:
    """Return the sample of a game, the same each time; fewer positions if they take long.

    An error of a user-defined game ends it."""
    draw = random.Random("diagnosis")
    places: dict[str, int] = {}
    positions: list[Any] = []
    steps: dict[tuple[int, int, int], None] = {}

    def place(position: Any) -> int:
        key = str(position) if isinstance(game, LineGame) else repr(state_of(position))
        if places.setdefault(key, len(positions)) == len(positions):
            positions.append(position)
        return places[key]

    with suppress(Exception, Overdue), _within_budget():
        for _ in range(SAMPLED_GAMES):
            line = list(random_game(game, draw, MAX_PLIES + 1))
            last = len(line) - 2
            if last < 0:  # the game is over at its start
                continue
            chosen = {last, *(draw.randrange(last + 1) for _ in range(PAIRS_PER_GAME - 1))}
            for at in sorted(chosen):
                mover = game.side(state_of(line[at]))
                steps[place(line[at]), place(line[at + 1]), mover] = None
    return Sample(tuple(positions), tuple(steps))


# Findings


def findings(
    sample: Sample,
    answers: Sequence[tuple[Answer, Answer]],
    source: Source,
    again: Sequence[Answer] = (),
) -> tuple[Finding, ...]:
    """Return the likely mistakes of a heuristic.

    `answers` are its values for X and for O of the sample's positions, or of the first of them.
    `again` are its values for X of the first positions, from a second call.
    """
    seen = _Seen(sample, answers, source)
    kinds = [seen.raises(), seen.chance(again)]
    if len(seen.values) >= MIN_POSITIONS:
        kinds.append(seen.constant() or seen.sides() or seen.stones() or seen.signs())
    return tuple(each for each in kinds if each is not None)


def first_difference(answers: Sequence[Any], again: Sequence[Any]) -> int | None:
    """Return the first place where a second call gave another answer; None if there is none.

    None stands for no answer, and is not compared.
    """
    pairs = enumerate(zip(answers, again, strict=True))
    return next((at for at, pair in pairs if None not in pair and pair[0] != pair[1]), None)


class _Seen:
    """The answers for a sample, and one test for each kind of finding."""

    def __init__(
        self, sample: Sample, answers: Sequence[tuple[Answer, Answer]], source: Source
    ) -> None:
        self.sample, self.source, self.answers = sample, source, answers
        self.values = {
            at: (x, o)
            for at, (x, o) in enumerate(answers)
            if isinstance(x, int) and isinstance(o, int)
        }
        self.of = f"{len(self.values)} positions of random games"

    def raises(self) -> Finding | None:
        """Return a finding with the first error that the function raised; else None."""
        failed = [
            (at, error)
            for at, pair in enumerate(self.answers)
            if (error := next((each for each in pair if isinstance(each, Exception)), None))
        ]
        if not failed:
            return None
        prefix = f"heuristic {self.source.name!r} "
        text = str(failed[0][1]).removeprefix(prefix)
        asked = f"{len(failed)} of {len(self.answers)} positions of random games"
        examples = tuple(self.sample.positions[at] for at, _ in failed[:MAX_NAMED])
        return Finding(kind="raises", text=f"{text} ({asked})", positions=examples)

    def chance(self, again: Sequence[Answer]) -> Finding | None:
        """Return a finding if two calls returned different values for a position; else None."""
        firsts = [self.values.get(at, (None,))[0] for at in range(len(again))]
        values = [answer if isinstance(answer, int) else None for answer in again]
        at = first_difference(firsts, values)
        if at is None:
            return None
        position = self.sample.positions[at]
        return Finding(
            kind="chance",
            text=f"answered {firsts[at]:,} and then {values[at]:,} on '{one_line(position)}'; "
            "expected the same value each time",
            positions=(position,),
        )

    def constant(self) -> Finding | None:
        """Return a finding if all positions have the same value; else None."""
        found = set(self.values.values())
        if len(found) > 1:
            return None
        ((value, _),) = found
        return self._finding("constant", f"is {value:,} on all {self.of}")

    def sides(self) -> Finding | None:
        """Return a finding if the values for both players never differ in sign; else None."""
        pairs = self.values
        is_same = all(x == o for x, o in pairs.values())
        both = [at for at, (x, o) in pairs.items() if x and o]
        agree = all((pairs[at][0] > 0) == (pairs[at][1] > 0) for at in both)
        for_x = [at for at in both if pairs[at][0] > 0]
        is_clear = min(len(for_x), len(both) - len(for_x)) >= MIN_PAIRS
        if len(both) < MIN_PAIRS or not (is_same or (agree and (is_clear or self._is_multiplied))):
            return None
        at = min(for_x or both, key=self._length)
        x, o = pairs[at]
        says = "the same value" if is_same else "values of the same sign"
        return self._finding(
            "sides",
            f"gives X and O {says} on all {self.of}, such as {x:,} and {o:,}{self._on(at)}",
            "a function with a player argument returns values in that player's view",
            (self.sample.positions[at],),
        )

    def stones(self) -> Finding | None:
        """Return a finding if stones of both sides change the value in the same direction."""
        if not self._is_of_lines:
            return None
        signs: set[tuple[int, bool]] = set()
        changed = [0, 0]
        examples: list[int] = []
        for before, after, mover in self.sample.steps:
            if before not in self.values or after not in self.values:
                continue
            change = self.values[after][0] - self.values[before][0]
            if change:
                signs.add((mover, change > 0))
                changed[mover] += 1
                if mover == 1:
                    examples.append(after)
        if min(changed) < MIN_PAIRS or len({is_up for _, is_up in signs}) > 1:
            return None
        at = min(examples, key=self._length)
        effect = "raises" if next(iter(signs))[1] else "lowers"
        return self._finding(
            "stones",
            f"{effect} its value for X with every stone that changes it, whether X's or O's, in "
            f"{sum(changed)} moves of random games, such as O's last move{self._on(at)}",
            positions=(self.sample.positions[at],),
        )

    def signs(self) -> Finding | None:
        """Return a finding if no value is negative although the source code uses negative numbers
        for a player; else None."""
        if not self._is_of_lines or not self.source.has_negative_player:
            return None
        signature = self.source.signature
        views = [0] if signature is None or signature.is_of_x else [0, 1]
        found = [pair[view] for pair in self.values.values() for view in views]
        if min(found) < 0 or sum(value > 0 for value in found) < MIN_PAIRS:
            return None
        return self._finding("signs", f"is never negative on {self.of}, whoever is ahead")

    def _length(self, at: int) -> int:
        """Return the number of stones, or the length of the text of another kind of state."""
        position = self.sample.positions[at]
        if isinstance(position, Position):
            return (position.first | position.second).bit_count()
        return len(str(position))

    def _on(self, at: int) -> str:
        """Return ` on` and the quoted position; an empty text if the position is long."""
        text = one_line(self.sample.positions[at])
        return f" on {text!r}" if len(text) <= MAX_QUOTE_CHARS else ""

    @property
    def _is_multiplied(self) -> bool:
        """Whether the values for O are twice those for X: the player, 1 or 2, is a factor."""
        pairs = self.values.values()
        return any(x for x, _ in pairs) and all(o == 2 * x for x, o in pairs)

    @property
    def _is_of_lines(self) -> bool:
        return isinstance(self.sample.positions[0].game, LineGame)

    def _finding(
        self, kind: str, seen: str, expected: str = "", positions: tuple[Any, ...] = ()
    ) -> Finding:
        """Return the finding with the reason that the source suggests, or with `expected`."""
        reason = self._reason() or expected
        positions = positions or self.sample.positions[:1]
        signature = self.source.signature
        called = "" if signature is None else f"it was called as {signature.text}"
        text = "; ".join(filter(None, (seen, reason, called)))
        return Finding(kind=kind, text=text, positions=positions, reason=reason)

    def _reason(self) -> str:
        """Return the likely reason: symbols that no cell has, or players that are 1 and −1."""
        source = self.source
        if not self._is_of_lines or source.signature is OF_POSITION:
            return ""
        if symbols := source.symbols:
            listed = ", ".join(symbols[:MAX_NAMED])
            return f"it compares with {listed}; the cells of {source.board!r} are 0, 1 and 2"
        for name in source.parameters[1:2]:
            if name in PLAYER_NAMES or self._is_multiplied:
                return _signed(name)
        if source.has_negative_player:
            return f"X is 1 and O is 2 in the cells, {SIGNED}"
        return ""


# A function of this process


def diagnose(heuristic: Any, game: Game) -> tuple[Finding, ...]:
    """Return the findings on a user's Python function; () for any other heuristic.

    The function is called on about 200 positions once for each game, a slow one on at least
    MIN_POSITIONS within half a second, and again for each form of the board that it may expect.
    """
    if not isinstance(heuristic, FunctionHeuristic):
        return ()
    if str(getattr(heuristic.function, "__module__", "")).startswith("plyscope."):
        return ()
    return _diagnose(heuristic, game)


def _versions(heuristic: FunctionHeuristic, game: Game) -> str:
    versions = version_of_function(heuristic), version_of(game)
    return " ".join(versions) if all(versions) else ""


@cached_while(_versions, maxsize=64)
def _diagnose(heuristic: FunctionHeuristic, game: Game) -> tuple[Finding, ...]:
    """Call the function on the sample of the game, and return the findings."""
    sample = sample_of(game)
    if not sample.positions:
        return ()
    signature = heuristic.signature if isinstance(game, LineGame) else OF_POSITION
    source = Source.of_function(heuristic.name, heuristic.function, signature)
    answers, again = _answers(heuristic, sample, signature)
    found = findings(sample, answers, source, again)
    if signature not in BOARD_SIGNATURES:
        return found
    return _with_form(heuristic, sample, answers, source, found)


Answers = Sequence[tuple[Answer, Answer]]
"""The values for X and for O of the positions of a sample, or of the first of them."""


def _answers(
    heuristic: FunctionHeuristic, sample: Sample, signature: Signature
) -> tuple[Answers, Sequence[Answer]]:
    """Call a function on a sample, and return its answers, and those for X of a second call."""
    answers: list[tuple[Answer, Answer]] = []
    again: list[Answer] = []

    def ask(position: Any, side: int) -> Answer:
        try:
            return heuristic.evaluate(state_of(position), side)
        except PlyscopeError as error:
            return error

    end = thread_time() + QUICK_SECONDS
    with _same_chance(), suppress(Overdue), _within_budget():
        for position in sample.positions:
            if len(answers) >= MIN_POSITIONS and thread_time() > end:
                break
            of_x = ask(position, 0)
            if signature.is_of_x:
                answers.append((of_x, -of_x if isinstance(of_x, int) else of_x))
            else:
                answers.append((of_x, ask(position, 1)))
        again = [ask(position, 0) for position in sample.positions[:REPEATED_POSITIONS]]
    return answers, again


def _with_form(
    heuristic: FunctionHeuristic,
    sample: Sample,
    answers: Answers,
    source: Source,
    found: tuple[Finding, ...],
) -> tuple[Finding, ...]:
    """Return the findings with the form of the board that the heuristic expects: in the finding
    that it explains, or in one of its own."""
    offered = offer_of(heuristic, sample.positions[0].game)
    made, known, seen = heuristic, answers, found
    if offered is not None:
        made = replace(heuristic, form=offered.form)
        known, _ = _answers(made, sample, heuristic.signature)
        seen = findings(sample, known, source)
    is_failing = offered is not None and not any(isinstance(x, int) for x, _ in known)
    signed = next((each.reason for each in seen if SIGNED in each.reason), "")
    if is_failing and source.parameters[1:]:
        signed = _signed(source.parameters[1])
    if signed:
        for trial in _with_signs(made):
            tried, _ = _answers(trial, sample, heuristic.signature)
            if not findings(sample, tried, source):
                made, known, is_failing = trial, tried, False
                break
    if is_failing:
        return found
    reasons = [] if offered is None else [offered.seen]
    if view := _view(made, sample, known):
        made = replace(made, form=replace(made.form, view=view))
        if view == "o":
            reasons.append("rises with stones of O and falls with stones of X: it is in O's view")
        else:
            reasons.append("is in X's view, whichever player it is given")
    subject = "it " if reasons else ""
    if signed and (offered is None or made.form != offered.form):
        reasons.append(signed)
    written = heuristic.with_form(made.form)
    if made is heuristic or any(written in each.text for each in found):
        return found
    told = f"{', and '.join(reasons)}; to run it as it stands, write {written}"
    if offered is not None and offered.other:
        told += f" ({offered.other})"
    odd = next((each for each in found if each.kind not in ("raises", "chance")), None)
    if odd is None:
        kind = "form" if offered else "view"
        return (*found, Finding(kind=kind, text=told, positions=sample.positions[:1]))
    first = odd.text.split("; ")[0]
    merged = Finding(kind=odd.kind, text=f"{first}; {subject}{told}", positions=odd.positions)
    return tuple(merged if each is odd else each for each in found)


def _with_signs(heuristic: FunctionHeuristic) -> Iterator[FunctionHeuristic]:
    """Yield a heuristic with 1 and −1 for the players as arguments only, and also in the cells."""
    form = heuristic.form
    if not form.players and heuristic.signature is not OF_BOARD:
        yield replace(heuristic, form=replace(form, players="1,-1"))
    if not form.cells:
        yield replace(heuristic, form=replace(form, cells="1,-1,0"))


@cached_while(_versions, maxsize=64)
def offer_of(heuristic: FunctionHeuristic, game: Game) -> Offer | None:
    """Return the form of the board that a user's function expects on a game; None if it seems to
    have it, or if the form is not known."""
    if not isinstance(game, LineGame) or heuristic.signature not in BOARD_SIGNATURES:
        return None
    form, is_array = heuristic.form, heuristic.takes_array
    return _offered(
        heuristic.function, form, heuristic.signature, sample_of(game).positions, is_array
    )


def offered_form(
    player: Any, form: BoardForm, called: Signature, game: Game, is_array: bool
) -> Offer | None:
    """Return the form of the board that an agent's function expects, as `offer_of` does.

    It is asked on late positions of random games, where a search is short, of either side."""
    found = sorted(sample_of(game).positions, key=lambda each: len(each.moves))
    sides = [[each for each in found if each.moves and each.side == side] for side in (0, 1)]
    late = [each for pair in zip(*sides, strict=False) for each in pair][:MIN_POSITIONS]
    return _offered(player, form, called, late, is_array, is_agent=True)


def _offered(
    function: Any,
    form: BoardForm,
    called: Signature,
    positions: Sequence[Any],
    is_array: bool,
    is_agent: bool = False,
) -> Offer | None:
    count, found = BOARD_SIGNATURES.index(called) + 1, None
    if positions:
        with _same_chance(), suppress(Overdue), _within_budget():
            found = offer(function, form, count, positions, is_array, is_agent)
    return found


def _view(heuristic: FunctionHeuristic, sample: Sample, answers: Answers) -> str:
    """Return `o` if a heuristic of the board is in O's view, `x` if it has a player and is always
    in X's view; "" if neither is clear. `answers` are its values."""
    if heuristic.form.view or sample.positions[0].game.value_of_line <= 0:
        return ""
    is_of_x = heuristic.signature.is_of_x
    values = {at: x for at, (x, _) in enumerate(answers) if isinstance(x, int)}
    if not is_of_x and any(answers[at][1] != x for at, x in values.items()):
        return ""
    pairs = [
        (mover, values[after] - values[before])
        for before, after, mover in sample.steps
        if before in values and after in values
    ]

    def risen(side: int) -> float:
        """Return the share of a side's moves that raise the value, 0.5 if it is not clear."""
        changes = [change > 0 for mover, change in pairs if mover == side and change]
        share = sum(changes) / max(len(changes), 1)
        is_clear = len(changes) >= (MIN_CHANGES if share in (0, 1) else MIN_PAIRS)
        return share if is_clear else 0.5

    x, o = risen(0), risen(1)
    if x <= 1 - CLEAR_SHARE and o >= CLEAR_SHARE:
        return "o"
    return "x" if not is_of_x and x >= CLEAR_SHARE and o <= 1 - CLEAR_SHARE else ""


def _within_budget() -> AbstractContextManager[None]:
    """Raise Overdue in this thread once it has used BUDGET_SECONDS of its own time."""
    spent = OwnTime.of_this_thread()
    return interrupting(lambda: spent.seconds() > BUDGET_SECONDS)


@contextmanager
def _same_chance() -> Iterator[None]:
    """Restore the state of Python's and NumPy's global random numbers."""
    state, numpy = random.getstate(), sys.modules.get("numpy")
    drawing = getattr(numpy, "random", None)
    drawn = None if drawing is None else drawing.get_state()
    try:
        yield
    finally:
        random.setstate(state)
        if drawing is not None:
            drawing.set_state(drawn)
