"""Functions that are sums over lines, recognised by their source and replaced by a faster table.

A function `f(mine, theirs, lines)` is recognised if its source consists of these forms:

    form                         example                                  why it is a sum over lines
    a loop that adds             for line in lines: total += 3            a number for each line
    a sum                        sum(f(mine & line) for line in lines)    the same
    sums of totals, times a      return 2 * own - theirs                  a linear combination of
    constant                                                              sums is a sum
    a name for stones            both = mine | theirs                     used only with a line
    a line's stones              (both & line).bit_count()                depends on this line only
    a branch, a name, `continue` if mine & line: own = 1                  steps within one line
    constants, also of keywords  VALUES[own]                              the same for all lines
    a short function             value(own, other)                        depends on its arguments

The function has no inner loops, keeps no state from one line to the next, and does not read a
total. So the source shows that each line counts by itself. The values come from calls of the
function with every state of every line, one line at a time. If the value depends only on the
numbers of stones, these values are the table. Any function that is not recognised is called as it
is.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from types import CodeType, FunctionType
from typing import Any

from plyscope.evaluation.function import MAX_VALUE
from plyscope.evaluation.linetable import LineTable
from plyscope.identity import Identity, cached_while
from plyscope.pythonfile import INTERRUPTS
from plyscope.rules.linegame import LineGame
from plyscope.syntax import NoSyntax, syntax_of

MAX_STATES = 300_000
"""The limit of states of lines for which a function is called; they take half a second."""
PURE_NODES = (
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.IfExp,
    ast.Subscript,
    ast.Slice,
    ast.Tuple,
    ast.List,
    ast.Dict,
)
"""Expressions that depend only on their parts."""
PURE_BUILTINS = frozenset(
    {"abs", "bin", "bool", "divmod", "int", "len", "max", "min", "pow", "sum"}
)
CONSTANTS = (int, float, str, bool, type(None))
CONTAINERS = (tuple, list, dict)


class NotASum(Exception):
    """Raised if the source of a function does not show that it is a sum over lines."""


def table_of_sum(
    name: str, function: Callable[..., int], game: LineGame, summary: str
) -> LineTable | None:
    """Return the table of `function` on `game`, None if it is not recognised as a sum."""
    try:
        _check(function, ())
    except NotASum:
        return None
    return _tabulated(name, function, game, summary)


def _version(name: str, function: Callable[..., int], game: LineGame, summary: str) -> str:
    return Identity([function]).digest


@cached_while(_version, maxsize=64)
def _tabulated(
    name: str, function: Callable[..., int], game: LineGame, summary: str
) -> LineTable | None:
    """Call a sum for each state of each line and return its table, None if it has none."""
    if sum(3 ** mask.bit_count() for mask in game.masks) > MAX_STATES:
        return None
    values: dict[tuple[int, int], int] = {}
    states = (
        (mine, theirs, mask)
        for mask in game.masks
        for mine in _subsets(mask)
        for theirs in _subsets(mask & ~mine)
    )
    try:
        if function(0, 0, ()) != 0:
            return None
        for mine, theirs, mask in states:
            value, stones = function(mine, theirs, (mask,)), (mine.bit_count(), theirs.bit_count())
            if not isinstance(value, int) or values.setdefault(stones, int(value)) != value:
                return None
    except INTERRUPTS:
        raise
    except BaseException:  # user code: reported when a search evaluates such a position
        return None
    is_small = max(map(abs, values.values()), default=0) * len(game.masks) <= MAX_VALUE
    return LineTable(name, values, summary=summary) if is_small else None


def _subsets(mask: int) -> Iterator[int]:
    """Yield every subset of `mask`."""
    subset = mask
    while subset:
        yield subset
        subset = (subset - 1) & mask
    yield 0


def _check(function: Any, callers: tuple[Any, ...]) -> None:
    """Raise NotASum if a function is no sum, or reads values that are not constants."""
    if not isinstance(function, FunctionType) or function in callers or function.__defaults__:
        raise NotASum
    names = _names(function, function.__code__, is_called=bool(callers))
    if names is None:
        raise NotASum
    closure = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    keywords = function.__kwdefaults__ or {}

    def value_of(name: str) -> Any:
        try:
            if name in keywords:
                return keywords[name]
            if name in closure:
                return closure[name].cell_contents
            if name in function.__globals__:
                return function.__globals__[name]
            return getattr(builtins, name)
        except (AttributeError, ValueError):
            raise NotASum from None

    read, called = names
    for name in read:
        _check_constant(value_of(name))
    for name in called:
        if name not in PURE_BUILTINS or value_of(name) is not getattr(builtins, name):
            _check(value_of(name), (*callers, function))


def _check_constant(value: Any) -> None:
    """Raise NotASum unless a value is a constant or a container of constants."""
    if type(value) in CONSTANTS:
        return
    if type(value) not in CONTAINERS:
        raise NotASum
    for part in chain(*value.items()) if isinstance(value, dict) else value:
        _check_constant(part)


@lru_cache(maxsize=256)
def _names(
    function: FunctionType, code: CodeType, is_called: bool
) -> tuple[list[str], list[str]] | None:
    """Return the global names that a function reads and those that it calls; None if it is no sum.

    A function that `is_called` by a sum need not be a sum: it may depend on its arguments in any
    way. `code` is the function's, which can be replaced.
    """
    try:
        node = syntax_of(function)
        keywords = {argument.arg for argument in node.args.kwonlyargs}
        if any(
            isinstance(each, ast.Name) and _is_assigned(each, keywords) for each in ast.walk(node)
        ):
            raise NotASum
        parameters = [argument.arg for argument in node.args.args]
        reader = _Reader(function.__code__, parameters, keywords)
        body: list[ast.stmt] = (
            node.body if isinstance(node, ast.FunctionDef) else [ast.Return(node.body)]
        )
        if is_called:
            reader.read_steps(body, set(reader.parameters), may_return=True)
        else:
            reader.read_sum(body)
    except (NotASum, NoSyntax):
        return None
    return sorted(reader.reads), sorted(reader.calls)


class _Reader:
    """A reader of a function's source. It raises NotASum at any form that the docstring of this
    module does not list.

    Every local name has one role: a parameter, stones, a constant, or a total. A loop over lines
    may assign further names (`defined`), whose values are used for the same line only.
    """

    def __init__(self, code: CodeType, parameters: list[str], keywords: set[str]) -> None:
        self.parameters = parameters
        """The names of the parameters; of a sum those for mine, theirs and lines."""
        self.own = {*code.co_varnames, *code.co_cellvars} - keywords
        """All local names but keyword parameters, whose defaults are constants."""
        self.stones: set[str] = set()
        """Names of sets of stones: `mine`, `theirs`, and sets made from them."""
        self.constants: set[str] = set()
        """Names that are assigned outside loops and never added to."""
        self.totals: set[str] = set()
        """Names of totals, to which lines add."""
        self.reads: set[str] = set()
        """Global names whose values are read."""
        self.calls: set[str] = set()
        """Global names that are called."""

    def read_sum(self, statements: list[ast.stmt]) -> None:
        """Read the statements of the function itself."""
        if len(self.parameters) != 3:
            raise NotASum
        self.stones |= set(self.parameters[:2])
        added = {_added_to(node) for node in ast.walk(ast.Module(statements, []))}
        for number, statement in enumerate(statements):
            match statement:
                case ast.Expr(ast.Constant()):
                    pass
                case ast.AnnAssign(annotated, _, value) if value is not None:
                    self._read_assignment(annotated, value, added)
                case ast.Assign(targets, value):
                    for target in targets:
                        self._read_assignment(target, value, added)
                case ast.AugAssign(ast.Name(name), ast.Add() | ast.Sub(), value) if (
                    name in self.totals
                ):
                    self._read_total(value)
                case ast.For(ast.Name(line), over, body, []) if (
                    self._is_lines(over) and line not in self._taken
                ):
                    self.read_steps(body, {line}, line)
                case ast.Return(value) if value is not None and number == len(statements) - 1:
                    self._read_total(value)
                    return
                case _:
                    raise NotASum
        raise NotASum

    def read_steps(
        self,
        statements: Iterable[ast.stmt],
        defined: set[str],
        line: str | None = None,
        may_return: bool = False,
    ) -> set[str]:
        """Read the body of a loop over lines, or of a function that `may_return`.

        `defined` are the names that have a value before these statements. Return the names that
        have one after them, or all names if the statements always return or continue.
        """
        for statement in statements:
            match statement:
                case ast.Expr(ast.Constant()) | ast.Pass():
                    pass
                case ast.Continue() if line is not None:
                    return {*self.own}
                case ast.Return(value) if may_return and value is not None:
                    self._read_value(value, defined, line)
                    return {*self.own}
                case ast.Assign([target], value):
                    self._read_value(value, defined, line)
                    for name in target.elts if isinstance(target, ast.Tuple) else [target]:
                        if not isinstance(name, ast.Name) or name.id in {*self._taken, line}:
                            raise NotASum
                        defined.add(name.id)
                case ast.AugAssign(ast.Name(name), _, value):
                    self._read_value(value, defined, line)
                    is_total = name in self.totals
                    if _added_to(statement) is None if is_total else name not in defined - {line}:
                        raise NotASum
                case ast.If(test, body, other):
                    self._read_value(test, defined, line)
                    defined = self.read_steps(body, {*defined}, line, may_return) & self.read_steps(
                        other, {*defined}, line, may_return
                    )
                case _:
                    raise NotASum
        return defined

    @property
    def _taken(self) -> set[str]:
        return {*self.parameters, *self.stones, *self.constants, *self.totals}

    def _is_lines(self, node: ast.expr) -> bool:
        return _is_among(node, {self.parameters[2]})

    def _read_assignment(self, target: ast.expr, value: ast.expr, added: set[str | None]) -> None:
        """Read an assignment outside loops; `added` are the names to which something is added."""
        match target, value:
            case ast.Tuple(targets), ast.Tuple(values) if len(targets) == len(values):
                for one, its in zip(targets, values, strict=True):
                    self._read_assignment(one, its, added)
            case ast.Name(name), _ if name not in self._taken:
                if self._is_stones(value):
                    self.stones.add(name)
                elif any(_is_among(node, {*self.totals, "sum"}) for node in ast.walk(value)):
                    self._read_total(value)
                    self.totals.add(name)
                else:
                    self._read_value(value, set(), None)
                    (self.totals if name in added else self.constants).add(name)
            case _:
                raise NotASum

    def _is_stones(self, node: ast.expr) -> bool:
        """Return whether an expression is a set of stones that does not depend on the line."""
        match node:
            case ast.Name(name):
                return name in self.stones
            case ast.BinOp(left, ast.BitAnd() | ast.BitOr() | ast.BitXor(), right):
                return self._is_stones(left) and self._is_stones(right)
            case ast.UnaryOp(ast.Invert(), operand):
                return self._is_stones(operand)
        return False

    def _read_total(self, node: ast.expr) -> None:
        """Read a linear combination of totals and sums over lines; raise NotASum for any other
        expression."""
        match node:
            case ast.Name(name) if name in self.totals:
                pass
            case ast.BinOp(left, ast.Add() | ast.Sub(), right):
                self._read_total(left)
                self._read_total(right)
            case ast.BinOp(factor, ast.Mult(), total) if isinstance(
                factor, ast.Constant
            ) or _is_among(factor, self.constants):
                self._read_value(factor, set(), None)
                self._read_total(total)
            case ast.BinOp(total, ast.Mult(), factor):
                self._read_total(total)
                self._read_value(factor, set(), None)
            case ast.UnaryOp(ast.USub() | ast.UAdd(), operand):
                self._read_total(operand)
            case ast.Call(
                ast.Name("sum"), [ast.GeneratorExp(value, [loop]) | ast.ListComp(value, [loop])], []
            ) if "sum" not in self.own and self._is_lines(loop.iter):
                if not isinstance(loop.target, ast.Name) or loop.target.id in self._taken:
                    raise NotASum
                self.calls.add("sum")
                for part in (value, *loop.ifs):
                    self._read_value(part, {loop.target.id}, loop.target.id)
            case _:
                raise NotASum

    def _read_value(self, node: ast.expr, defined: set[str], line: str | None) -> None:
        """Read an expression of constants, `defined` names, and a line's stones."""
        match node:
            case ast.Constant():
                pass
            case ast.Name(name) if name in defined or name in self.constants:
                pass
            case ast.Name(name) if name not in self.own:
                self.reads.add(name)
            case ast.BinOp(one, ast.BitAnd(), other) if line is not None and (
                (_is_among(one, {line}) and self._is_stones(other))
                or (_is_among(other, {line}) and self._is_stones(one))
            ):
                pass
            case ast.Call(ast.Attribute(operand, "bit_count"), [], []):
                self._read_value(operand, defined, line)
            case ast.Call(
                ast.Attribute(ast.Call(ast.Name("bin")) as digits, "count"), [ast.Constant()], []
            ):
                self._read_value(digits, defined, line)
            case ast.Call(ast.Name(name), arguments, []) if name not in self.own | defined:
                self.calls.add(name)
                for argument in arguments:
                    self._read_value(argument, defined, line)
            case _ if isinstance(node, PURE_NODES):
                for part in ast.iter_child_nodes(node):
                    if isinstance(part, ast.expr):
                        self._read_value(part, defined, line)
            case _:
                raise NotASum


def _added_to(node: ast.AST) -> str | None:
    """Return the name that a statement adds to or subtracts from, None for any other."""
    match node:
        case ast.AugAssign(ast.Name(name), ast.Add() | ast.Sub()):
            return name
    return None


def _is_assigned(node: ast.Name, names: set[str]) -> bool:
    return node.id in names and not isinstance(node.ctx, ast.Load)


def _is_among(node: ast.AST, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names
