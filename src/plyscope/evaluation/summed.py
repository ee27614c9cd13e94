"""Functions that add up lines, recognised by their text: such a function is a table, and as fast.

`f(mine, theirs, lines)` is recognised where it gives every line a number that depends on nothing
but that line's stones, and answers with sums of these numbers: by `+=` and `-=` in loops over
`lines`, or by `sum(... for line in lines)`. What a loop says may branch, name parts, read constants
and call short functions that do no more than that; it has no loops within, no state from one line
to the next, and takes `mine` and `theirs` only together with the line, as `mine & line`. Then the
function is asked about every state of every line, one at a time; if the number of stones alone
decides, their table is what the function adds up. Everything else stays a function.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from inspect import getsource
from textwrap import dedent
from types import CodeType, FunctionType
from typing import Any

from plyscope.evaluation.function import OURS
from plyscope.evaluation.linetable import MAX_VALUE, LineTable
from plyscope.rules.linegame import LineGame

__all__ = ["table_of_sum"]

MOST_STATES = 300_000
"""States of lines that a function is asked about at most, which takes half a second."""
PLAIN = (
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
SAFE = frozenset({"abs", "bin", "bool", "divmod", "int", "len", "max", "min", "pow", "sum"})
CONSTANTS = (int, float, str, type(None))
NESTED = (tuple, list, dict)
Statements = Iterable[ast.stmt]


class NotSeen(Exception):
    """The text of a function does not show that it is a sum over lines."""


def table_of_sum(
    name: str, function: Callable[..., int], game: LineGame, summary: str
) -> LineTable | None:
    """Return the table that `function` adds up on `game`, None where it is not seen to add up a
    table."""
    try:
        return _table(name, function, game, summary, _meaning(function, ()))
    except NotSeen:
        return None


@lru_cache(maxsize=64)
def _table(
    name: str, function: Callable[..., int], game: LineGame, summary: str, meaning: object
) -> LineTable | None:
    """Return the table of a function whose names have this `meaning`, None where it is none."""
    if sum(3 ** mask.bit_count() for mask in game.masks) > MOST_STATES:
        return None
    values: dict[tuple[int, int], int] = {}
    states = (
        (mine, theirs, mask)
        for mask in game.masks
        for mine in _parts(mask)
        for theirs in _parts(mask & ~mine)
    )
    try:
        if function(0, 0, ()) != 0:
            return None
        for mine, theirs, mask in states:
            value = function(mine, theirs, (mask,))
            if (
                not isinstance(value, int)
                or values.setdefault((mine.bit_count(), theirs.bit_count()), int(value)) != value
            ):
                return None
    except OURS:
        raise
    except (
        BaseException
    ):  # whatever a stranger's function raises is reported where a search comes to such a position
        return None
    is_small = max(map(abs, values.values()), default=0) * len(game.masks) <= MAX_VALUE
    return LineTable(name, values, summary=summary) if is_small else None


def _parts(mask: int) -> Iterator[int]:
    """Yield every set of cells of `mask`."""
    part = mask
    while part:
        yield part
        part = (part - 1) & mask
    yield 0


def _meaning(function: Any, callers: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what the names that a function reads stand for, so that it can be told whether they
    have changed; raise NotSeen where they are not constants, or the function is not one that can be
    read."""
    if not isinstance(function, FunctionType) or function in callers or function.__defaults__:
        raise NotSeen
    names = _names(function, is_called=bool(callers))
    if names is None:
        raise NotSeen
    closure = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))

    def known(name: str) -> Any:
        try:
            if name in closure:
                return closure[name].cell_contents
            return (
                function.__globals__[name]
                if name in function.__globals__
                else getattr(builtins, name)
            )
        except (AttributeError, ValueError):
            raise NotSeen from None

    read, called = names
    meant: list[Any] = [_frozen(known(name)) for name in read]
    for name in called:
        is_safe = name in SAFE and known(name) is getattr(builtins, name)
        meant.append(name if is_safe else _meaning(known(name), (*callers, function)))
    return (function.__code__, *meant)


def _frozen(value: Any) -> Any:
    """Return a constant, with the constants in it, as something that can be compared and kept;
    raise NotSeen for anything else."""
    if type(value) in CONSTANTS or type(value) is bool:
        return type(value).__name__, value
    if type(value) not in NESTED:
        raise NotSeen
    parts = (part for pair in value.items() for part in pair) if isinstance(value, dict) else value
    return type(value).__name__, *map(_frozen, parts)


@lru_cache(maxsize=256)
def _names(function: FunctionType, is_called: bool) -> tuple[list[str], list[str]] | None:
    """Return the names from outside that a function reads, and those that it calls; None where its
    text is not that of a sum over lines, or, of a function that `is_called`, does more than to
    answer."""
    try:
        return _read(function, is_called)
    except NotSeen:
        return None


def _read(function: FunctionType, is_called: bool) -> tuple[list[str], list[str]]:
    node = _text(function)
    reader = _Reader(function.__code__, [argument.arg for argument in node.args.args])
    body: Statements = node.body if isinstance(node, ast.FunctionDef) else [ast.Return(node.body)]
    if is_called:
        reader.body(body, set(reader.parameters), may_return=True)
    else:
        reader.sums(body)
    return sorted(reader.read), sorted(reader.called)


def _text(function: FunctionType) -> ast.FunctionDef | ast.Lambda:
    """Return the syntax of a function; raise NotSeen where it is not to be had, or is not what the
    function runs."""
    try:
        tree = ast.parse(dedent(getsource(function)))
    except (OSError, TypeError, SyntaxError):
        raise NotSeen from None
    code = function.__code__
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.FunctionDef | ast.Lambda)
            and getattr(node, "name", "<lambda>") == function.__name__
        ):
            around = ast.parse(f"def around({', '.join(code.co_freevars)}): pass")
            held = around.body[0]
            assert isinstance(held, ast.FunctionDef)
            if isinstance(node, ast.FunctionDef):
                node.decorator_list = []
                held.body = [node]
            else:
                held.body = [ast.Expr(node)]
            outer = next(
                part
                for part in compile(ast.fix_missing_locations(around), "text", "exec").co_consts
                if isinstance(part, CodeType)
            )
            if any(
                _runs(part) == _runs(code) for part in outer.co_consts if isinstance(part, CodeType)
            ):
                return node
    raise NotSeen


def _runs(code: CodeType) -> tuple[Any, ...]:
    """Return what a code does, wherever it stands."""
    consts = tuple(
        _runs(part) if isinstance(part, CodeType) else (type(part), part) for part in code.co_consts
    )
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, consts


class _Reader:
    """Reads the text of a function, and notes the names from outside; raises NotSeen at what it
    does not know."""

    def __init__(self, code: CodeType, parameters: list[str]) -> None:
        self.parameters = parameters
        self.own = {*code.co_varnames, *code.co_cellvars}
        self.read: set[str] = set()
        self.called: set[str] = set()
        self.words: set[str] = set()
        """Names of sets of stones: `mine`, `theirs`, and what is made of them."""
        self.constants: set[str] = set()
        self.totals: set[str] = set()

    def sums(self, statements: Statements) -> None:
        """Read the function itself."""
        if len(self.parameters) != 3:
            raise NotSeen
        self.words |= set(self.parameters[:2])
        statements = list(statements)
        added = {node.target.id for node in ast.walk(ast.Module(statements, [])) if _adds(node)}  # type: ignore[attr-defined]
        for number, statement in enumerate(statements):
            match statement:
                case ast.Expr(ast.Constant()):
                    pass
                case ast.AnnAssign(annotated, _, value) if value is not None:
                    self._assign(annotated, value, added)
                case ast.Assign(targets, value):
                    for target in targets:
                        self._assign(target, value, added)
                case ast.AugAssign(ast.Name(name), ast.Add() | ast.Sub(), value) if (
                    name in self.totals
                ):
                    self._total(value)
                case ast.For(ast.Name(line), over, body, []) if (
                    self._is_lines(over) and line not in self._known
                ):
                    self.body(body, {line}, line)
                case ast.Return(value) if value is not None and number == len(statements) - 1:
                    self._total(value)
                    return
                case _:
                    raise NotSeen
        raise NotSeen

    def body(
        self,
        statements: Statements,
        defined: set[str],
        line: str | None = None,
        may_return: bool = False,
    ) -> set[str]:
        """Read what is done with a line, or in a function that `may_return`; return the names that
        are defined after it."""
        for statement in statements:
            match statement:
                case ast.Expr(ast.Constant()) | ast.Pass():
                    pass
                case ast.Continue() if line is not None:
                    return {*self.own}
                case ast.Return(value) if may_return and value is not None:
                    self._part(value, defined, line)
                    return {*self.own}
                case ast.Assign([target], value):
                    self._part(value, defined, line)
                    names = target.elts if isinstance(target, ast.Tuple) else [target]
                    for name in names:
                        if (
                            not isinstance(name, ast.Name)
                            or name.id in self._known
                            or name.id == line
                        ):
                            raise NotSeen
                        defined.add(name.id)
                case ast.AugAssign(ast.Name(name), _, value):
                    self._part(value, defined, line)
                    if not (
                        _adds(statement)
                        if name in self.totals
                        else name in defined and name != line
                    ):
                        raise NotSeen
                case ast.If(test, body, other):
                    self._part(test, defined, line)
                    defined = self.body(body, {*defined}, line, may_return) & self.body(
                        other, {*defined}, line, may_return
                    )
                case _:
                    raise NotSeen
        return defined

    @property
    def _known(self) -> set[str]:
        return {*self.parameters, *self.words, *self.constants, *self.totals}

    def _is_lines(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == self.parameters[2]

    def _assign(self, target: ast.expr, value: ast.expr, added: set[str]) -> None:
        """Read an assignment outside loops; `added` are the names that are added to somewhere."""
        if (
            isinstance(target, ast.Tuple)
            and isinstance(value, ast.Tuple)
            and len(target.elts) == len(value.elts)
        ):
            for one, its in zip(target.elts, value.elts, strict=True):
                self._assign(one, its, added)
            return
        if not isinstance(target, ast.Name) or target.id in self._known:
            raise NotSeen
        name = target.id
        if self._is_words(value):
            self.words.add(name)
        elif any(_is_among(node, {*self.totals, "sum"}) for node in ast.walk(value)):
            self._total(value)
            self.totals.add(name)
        else:
            self._part(value, set(), None)
            (self.totals if name in added else self.constants).add(name)

    def _is_words(self, node: ast.expr) -> bool:
        """Whether the expression is a set of stones, whatever the line."""
        match node:
            case ast.Name(name):
                return name in self.words
            case ast.BinOp(left, ast.BitAnd() | ast.BitOr() | ast.BitXor(), right):
                return self._is_words(left) and self._is_words(right)
            case ast.UnaryOp(ast.Invert(), operand):
                return self._is_words(operand)
        return False

    def _total(self, node: ast.expr) -> None:
        """Read an expression that adds up totals."""
        match node:
            case ast.Name(name) if name in self.totals:
                pass
            case ast.BinOp(left, ast.Add() | ast.Sub(), right):
                self._total(left)
                self._total(right)
            case ast.BinOp(factor, ast.Mult(), total) if isinstance(
                factor, ast.Constant
            ) or _is_among(factor, self.constants):
                self._part(factor, set(), None)
                self._total(total)
            case ast.BinOp(total, ast.Mult(), factor):
                self._total(total)
                self._part(factor, set(), None)
            case ast.UnaryOp(ast.USub() | ast.UAdd(), operand):
                self._total(operand)
            case ast.Call(
                ast.Name("sum"), [ast.GeneratorExp(value, [made]) | ast.ListComp(value, [made])], []
            ) if (
                "sum" not in self.own
                and self._is_lines(made.iter)
                and isinstance(made.target, ast.Name)
            ):
                line = made.target.id
                if line in self._known:
                    raise NotSeen
                self.called.add("sum")
                for part in (value, *made.ifs):
                    self._part(part, {line}, line)
            case _:
                raise NotSeen

    def _part(self, node: ast.expr, defined: set[str], line: str | None) -> None:
        """Read an expression that depends on what is `defined` and on constants alone, or on the
        stones of the `line`."""
        match node:
            case ast.Constant():
                pass
            case ast.Name(name):
                if name in self.own or name in defined:
                    if name not in defined and name not in self.constants:
                        raise NotSeen
                else:
                    self.read.add(name)
            case ast.BinOp(one, ast.BitAnd(), other) if line is not None and (
                (_is_among(one, {line}) and self._is_words(other))
                or (_is_among(other, {line}) and self._is_words(one))
            ):
                pass
            case ast.Call(ast.Attribute(operand, "bit_count"), [], []):
                self._part(operand, defined, line)
            case ast.Call(
                ast.Attribute(ast.Call(ast.Name("bin")) as digits, "count"), [ast.Constant()], []
            ):
                self._part(digits, defined, line)
            case ast.Call(ast.Name(name), arguments, []) if (
                name not in self.own and name not in defined
            ):
                self.called.add(name)
                for argument in arguments:
                    self._part(argument, defined, line)
            case _ if isinstance(node, PLAIN):
                for part in ast.iter_child_nodes(node):
                    if isinstance(part, ast.expr):
                        self._part(part, defined, line)
            case _:
                raise NotSeen


def _adds(node: ast.AST) -> bool:
    """Whether the statement adds to a name, or takes from it."""
    return (
        isinstance(node, ast.AugAssign)
        and isinstance(node.op, ast.Add | ast.Sub)
        and isinstance(node.target, ast.Name)
    )


def _is_among(node: ast.AST, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names
