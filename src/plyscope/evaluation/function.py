"""Heuristics that are Python functions, and heuristics that do not count lines."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from math import isinf, isnan
from pathlib import Path
from typing import Any, overload

from plyscope.catalogue import nearest_name
from plyscope.errors import HeuristicError, OptionError, PlyscopeError
from plyscope.evaluation.boardform import KEYS, KEYWORDS, PLAIN, BoardForm, form_of
from plyscope.evaluation.heuristic import Explanation
from plyscope.evaluation.signatures import (
    BOARD_SIGNATURES,
    OF_CONFIG,
    OF_POSITION,
    SIGNATURES,
    Signature,
    how_called,
    signature_of,
    takes_array,
)
from plyscope.identity import Identity
from plyscope.pythonfile import (
    INTERRUPTS,
    OF_PYTHON_2,
    in_one_line,
    options_of,
    path_of,
    text_of,
    versions_of_file,
)
from plyscope.randomness import mix, position_key
from plyscope.rules.game import Game
from plyscope.rules.game import given as given_state
from plyscope.rules.position import Position
from plyscope.rules.tree import TreePosition

MAX_ERROR_CHARS = 200
"""The length at which a quoted error of a function is cut."""
offers_forms = True
"""Whether an error says which form of the board a function seems to expect; not for a judge."""
MAX_VALUE = 1_000_000_000
"""The greatest absolute value of an evaluation."""


class WithoutLines:
    """The base class of heuristics whose explanation is only a total."""

    name: str

    def evaluate(self, position: Any, side: int) -> int:
        """Return the evaluation in the view of `side`."""
        raise NotImplementedError

    def explain(self, position: Any, side: int) -> Explanation:
        """Return an explanation that has only a total, no lines."""
        return Explanation(
            position=position,
            heuristic=self.name,
            side=side,
            lines=None,
            total=self.evaluate(position, side),
        )


@dataclass(frozen=True)
class FunctionHeuristic(WithoutLines):
    """A Python function, called by its signature (`evaluation/signatures.py`).

    On other games than line games it is called as `f(position)` with the state of the game, and
    returns values in FIRST's view.
    """

    name: str
    function: Callable[..., Any]
    summary: str = "a Python function"
    scale: float | None = None
    """The factor for its results, which are then rounded to whole numbers, halves to even. None if
    the function returns whole numbers."""
    form: BoardForm = PLAIN
    """The form in which the function expects the board."""
    of_file: str = ""
    """The text `file.py:name` that it was loaded from, without options."""

    @cached_property
    def signature(self) -> Signature:
        """The signature on line games; raises OptionError if it is none of SIGNATURES."""
        return self.signature_on(None)

    def signature_on(self, game: Game | None) -> Signature:
        """Return the signature on a game; raise OptionError if there is none, or if its form is
        none for such arguments."""
        found = signature_of(self.name, self.function, game, bool(self.form.board))
        form = self.form
        is_of_agents = bool(form.moves or form.answer or form.args)
        if is_of_agents or (form.changes_arguments and found not in BOARD_SIGNATURES):
            expected = "expected a function of the board, or board=rows if its argument is one"
            if is_of_agents:
                expected = "expected an agent, since moves, answer and args are for agents"
            raise OptionError(
                f"{self.form} of the heuristic {self.name!r}, {found.text}; {expected}"
            )
        return found

    @cached_property
    def takes_array(self) -> bool:
        """Whether the board is given as a NumPy array."""
        if self.form.board:
            return self.form.board == "array"
        if self.signature is OF_CONFIG:  # Kaggle's programs make an array of the list
            return True
        return self.signature in BOARD_SIGNATURES and takes_array(self.function)

    @cached_property
    def is_of_x(self) -> bool:
        """Whether the result is always in X's view, or, with `for=o`, in O's."""
        return bool(self.form.view) or self.signature.is_of_x

    def with_form(self, form: BoardForm) -> str:
        """Return what to write for this heuristic with another form."""
        if not self.of_file:
            options = form.keywords
            options += [] if self.scale is None else [f"scale={self.scale:g}"]
            called = getattr(self.function, "__name__", "")
            named = called if called.isidentifier() else self.name
            return f"ps.heuristic({', '.join([named, *options])})"
        scale_text = "" if self.scale is None else f"scale={self.scale:g}"
        return repr(" ".join(filter(None, (self.of_file, scale_text, str(form)))))

    def evaluate(self, position: Any, side: int) -> int:
        """Return the evaluation for `side`; raise HeuristicError unless it is a number within
        ±10⁹."""
        is_of_x = True
        try:
            if isinstance(position, Position):
                is_of_x = self.is_of_x
                answer = self.function(*self.arguments(position, side))
            else:
                answer = self.function(given_state(position))
        except (PlyscopeError, *INTERRUPTS):
            raise
        except BaseException as error:  # user code: reported by name, with the position
            how = "it was called as f(position) with a state of the game"
            if isinstance(position, Position):
                how = how_called(self.signature, self.function)
                how += self._offered(position) or self._cause(error, position)
            if isinstance(error, NameError) and error.name in OF_PYTHON_2:
                how = f"{error.name!r} is of Python 2, and this is Python 3"
            raise HeuristicError(
                f"heuristic {self.name!r} raised {in_one_line(error)[:MAX_ERROR_CHARS]} "
                f"on '{position}'; expected a whole number ({how})"
            ) from error
        value = self.value_of(answer, lambda: f"on '{position}'")
        return -value if is_of_x and side != (self.form.view == "o") else value

    def arguments(self, position: Position, side: int) -> tuple[Any, ...]:
        """Return the arguments for a position of a line game."""
        return self.form.arguments(self.signature.arguments(position, side), self.takes_array)

    def _offered(self, position: Position) -> str:
        """Return the clause on the form of the board that the function seems to expect."""
        if not offers_forms:
            return ""
        from plyscope.evaluation.diagnosis import offer_of  # late: it imports this module

        asked, seen = self, ""
        if self.signature is OF_POSITION:
            asked, seen = replace(self, form=replace(self.form, board="rows")), "expects rows"
        found = offer_of(asked, position.game)
        if found is None and asked is self:
            return ""
        form = asked.form if found is None else found.form
        if asked is not self:
            try:
                self.function(*replace(self, form=form).arguments(position, 0))
            except INTERRUPTS:
                raise
            except BaseException:  # user code
                return ""
        seen = ", and it ".join(filter(None, (seen, found.seen if found else "")))
        other = f" ({found.other})" if found is not None and found.other else ""
        return f"; it {seen}: to run it as it stands, write {self.with_form(form)}{other}"

    def _cause(self, error: BaseException, position: Position) -> str:
        """Return the clause on the likely cause of an error, for a function of the board."""
        if self.signature not in BOARD_SIGNATURES:
            return ""
        if isinstance(error, AttributeError) and isinstance(error.obj, list):
            return f"; it uses an object with {error.name!r}, not rows"
        size = "×".join(map(str, position.game.shape))
        is_index = isinstance(error, IndexError)
        return f"; is its board larger than {size} cells?" if is_index else ""

    def value_of(self, answer: Any, where: Callable[[], str]) -> int:
        """Return the result of the function as a whole number, ±MAX_VALUE if it is infinite.

        Raises HeuristicError, which contains `where()`, if it is no number.
        """
        number: float | None = None
        try:
            if not isinstance(answer, int):
                number = _fraction(answer)
            if number is not None and isinf(number):
                return MAX_VALUE if number > 0 else -MAX_VALUE
            if self.scale is None:
                value = whole_number(answer)
            else:
                value = round(float(+answer) * self.scale)  # unary + rejects a text
        except INTERRUPTS:
            raise
        except BaseException:  # not only TypeError: the object is made by user code
            text, expected = text_of(answer)[:40], "a whole number"
            if number is not None and isnan(number):
                expected = f"a number within ±{MAX_VALUE:,}"
            elif self.scale is not None:
                expected = "a number"
            elif number is not None:
                scaled = replace(self, scale=100.0).with_form(self.form)
                expected += f", or a scale for fractions such as scale=100: {scaled}"
            raise HeuristicError(
                f"heuristic {self.name!r} answered {text!r} {where()}; expected {expected}"
            ) from None
        if abs(value) > MAX_VALUE:
            raise HeuristicError(
                f"heuristic {self.name!r} answered {str(value)[:40]} {where()}; "
                f"expected a whole number within ±{MAX_VALUE:,}"
            )
        return value


def whole_number(answer: Any) -> int:
    """Return a number that is whole, such as 3, 3.0 or NumPy's, as an int.

    Raises TypeError or ValueError for any other object."""
    try:
        return int(operator.index(answer))
    except TypeError:
        number = _fraction(answer)
        if number is None or not number.is_integer() or answer != int(number):
            raise
        return int(number)


def _fraction(answer: Any) -> float | None:
    """Return a real number that is no int as a float; None for any other object."""
    if isinstance(answer, int | str | bytes) or getattr(answer, "shape", ()) != ():
        return None
    try:
        return float(answer)
    except (TypeError, ValueError, OverflowError):
        return None


@dataclass(frozen=True)
class Declared:
    """A Python function with its declared name and scale."""

    function: Callable[..., Any]
    scale: float | None = None
    name: str = ""
    form: BoardForm = PLAIN

    def __str__(self) -> str:
        name = self.name or getattr(self.function, "__name__", "a function")
        scaled = f", times {self.scale:g}" if self.scale else ""
        return f"{name}: a function{scaled}{f', {self.form}' if self.form else ''}"

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        return self.function(*arguments)


@overload
def heuristic(
    function: Callable[..., Any], /, *, scale: float | None = None, name: str = "", **form: Any
) -> Declared: ...


@overload
def heuristic(
    *, scale: float | None = None, name: str = "", **form: Any
) -> Callable[[Callable[..., Any]], Declared]: ...


def heuristic(
    function: Callable[..., Any] | None = None,
    /,
    *,
    scale: float | None = None,
    name: str = "",
    **form: Any,
) -> Declared | Callable[[Callable[..., Any]], Declared]:
    """Declare a function to be a heuristic, with a factor for its results and a name.

    Results times `scale` are rounded to whole numbers, halves to even. `cells`, `players`, `rows`,
    `board` and `for_` say in which form the function expects the board, with the values of
    `evaluation/boardform.py`; cells and players may also be tuples, such as ("X", "O", None).
    Without a function this returns a decorator. Raises OptionError for something that cannot be
    called, if the scale is no positive number, and for an unknown form.

    >>> import plyscope as ps
    >>> ps.evaluate("X../.../...", ps.heuristic(lambda board, player: board[0][0] / 3, scale=100))
    33
    >>> letters = ps.heuristic(lambda board: board[0].count("X"), cells="XO_")
    >>> ps.evaluate("X../.../...", letters, side="x")
    1
    """
    check_scale(scale)
    for key in form:
        if key not in KEYWORDS:
            raise nearest_name("option", key, ["scale", "name", *KEYWORDS])
    made = form_of({KEYWORDS[key]: value for key, value in form.items()}, " of a heuristic")
    if function is None:
        return partial(Declared, scale=scale, name=name, form=made)
    if not callable(function):
        raise OptionError(f"heuristic of {repr(function)[:40]}; expected a function")
    return Declared(function, scale, name, made)


def version_of_function(heuristic: object) -> str:
    """Return a text that changes when a heuristic that is a function does, "" if that cannot be
    known; other heuristics never change."""
    function, form = getattr(heuristic, "function", heuristic), getattr(heuristic, "form", PLAIN)
    if not callable(function):
        return "fixed"
    digest = Identity([function]).digest
    return f"{digest} {form}" if digest and form else digest


def check_scale(scale: object) -> None:
    """Raise OptionError unless `scale` is None or a positive number."""
    if scale is None or (isinstance(scale, int | float) and 0 < scale < float("inf")):
        return
    raise OptionError(f"scale {str(scale)[:40]!r} of a heuristic; expected a number above 0")


def check_signature(heuristic: object, name: str = "") -> None:
    """Raise OptionError for a function whose signature is none of SIGNATURES."""
    if callable(heuristic):
        made = of_function(heuristic)
        replace(made, name=name or made.name).signature_on(None)


def of_function(function: Callable[..., Any], scale: float | None = None) -> FunctionHeuristic:
    """Return the heuristic of a function, with its declared name, scale and form.

    The scale is the argument, the declared one, or the attribute `scale` of the function.
    """
    declared = function if isinstance(function, Declared) else Declared(function)
    inner = declared.function
    named = getattr(inner, "func", inner)  # the function inside a partial
    name = declared.name or str(getattr(named, "__name__", type(inner).__name__))
    given = (scale, declared.scale, getattr(inner, "scale", None))
    found = next((each for each in given if each is not None), None)
    check_scale(found)
    return FunctionHeuristic(name, inner, scale=found, form=declared.form)


@dataclass(frozen=True)
class RandomHeuristic(WithoutLines):
    """A pseudorandom value from −100 to 100, made from the stones and a seed: the baseline to beat.

    A position always has the same value, negated for the other side.
    """

    seed: int = 0
    name: str = "random"
    summary: str = "a pseudorandom value of each position"

    def evaluate(self, position: Position, side: int) -> int:
        """Return the value for `side`."""
        value = (mix(position_key(position.first, position.second) ^ self.salt) >> 33) % 201 - 100
        return -value if side else value

    @property
    def salt(self) -> int:
        """The number that is combined with every position's key."""
        return mix(self.seed)


@dataclass(frozen=True)
class EstimateHeuristic(WithoutLines):
    """The estimate written on a node of an explicit tree, 0 if there is none."""

    name: str = "estimate"
    summary: str = "the value written on an inner node of a tree"

    def evaluate(self, position: TreePosition, side: int) -> int:
        """Return the node's value in the view of `side`; in the tree it is in MAX's view."""
        value = position.game.units(position.node)
        return -value if side else value


def load_function(text: str) -> FunctionHeuristic:
    """Return the heuristic of `file.py:name`; of `file.py` its only function.

    `file.py:name scale=100` declares a scale. The file is run again only if it has changed. Raises
    NotationError if the file cannot be used, OptionError for a bad scale.
    """
    path = path_of(text)
    return _loaded(text, Path(path).name, versions_of_file(path))


@lru_cache(maxsize=64)
def _loaded(text: str, file: str, version: object) -> FunctionHeuristic:
    options = options_of(text)
    scale_text = options.pop("scale", None)
    for key in options:
        if key not in KEYS:
            raise nearest_name("option", key, ["scale", *KEYS])
    form = form_of(options, f" in {text[:80]!r}")
    try:
        scale = None if scale_text is None else float(scale_text)
    except ValueError:
        check_scale(scale_text)
        raise
    check_scale(scale)
    from plyscope.pythonrun import load_named  # late: few commands run a file

    expected = "a function " + " or ".join(each.text for each in SIGNATURES)
    name, function = load_named(text, "heuristic", expected)
    made = of_function(function, scale)
    named = f"{path_of(text)}:{name}"
    found = replace(made, name=name, summary=f"{name} of {file}", of_file=named)
    found = replace(found, form=form or made.form)
    found.signature_on(None)
    return found
