"""Rewrites the source of users' functions into Python that Numba can compile.

    plain Python                     for Numba                           because Numba
    sum(... for ...), any, all       a new function with a loop          has no generators
    max(... for ...), sorted, tuple  max([... for ...])                  the same
    tuple(x), (*x, y), x + y[i:]     _tuple_(x), _joined_(...)           has tuples of fixed length
    x[i:j]                           _slice_(x, i, j)                    the same
    for x in self.lines              for x in _each_(self.lines)         needs rows of equal length
    return []  (in `moves`)          return _no_moves_()                 has no lists without a type
    out = [] ... out += items        for item in items: out.append(item) gets the type from `append`
    out = [] ... out.extend(items)   the same
    cells.count(1)                   sum(1 for x in cells if x == 1)     counts only in lists
    bin(x).count("1")                x.bit_count()                       cannot format numbers
    TABLE[key], TABLE.get(key, 0)    a new function with a loop          has no global dicts

The functions with underscores are `compiler.HELPERS`. Nothing else is changed, and statements keep
their line numbers. Callers test whether the compiled function returns the same values as Python's.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from types import FunctionType
from typing import Any

from plyscope.identity import closure_of
from plyscope.syntax import NoSyntax, syntax_of

NO_MOVES = "_no_moves_"
LOOPS = {
    "sum": ("total = 0", "total += {value}", "return total"),
    "any": ("pass", "if {value}: return True", "return False"),
    "all": ("pass", "if not ({value}): return False", "return True"),
}
"""Functions whose call on a generator becomes a loop: the lines before, in and after the loop."""
SLICE_END = 1 << 31
"""The upper bound for a slice without one; no list is as long."""
MAX_ENTRIES = 200
"""The most entries of a global dict whose look-ups are rewritten as a linear search."""


# The rewritten source


@dataclass(frozen=True)
class Rewritten:
    """A function with its own global scope, and the names that the rewriter added to the scope."""

    function: FunctionType
    loops: tuple[str, ...] = ()
    """The names of the new functions."""
    tables: tuple[str, ...] = ()
    """The names of the global dicts whose entries were copied into arrays."""


def rewritten(function: FunctionType, names: dict[str, Any], is_moves: bool = False) -> Rewritten:
    """Return the function rewritten, in a scope with its own global names and `names`. If its
    source is not available, only the scope changes. `is_moves`: it returns a list of moves."""
    scope = {**function.__globals__, **closure_of(function), **names}
    keywords = function.__kwdefaults__ or {}
    try:
        node = syntax_of(function)
        ast.increment_lineno(node, function.__code__.co_firstlineno - 1)
        rewriter = _Rewriter(function, scope, node, is_moves)
        module = ast.parse(f"def {getattr(node, 'name', '_answer_')}(): pass")
        outer = module.body[0]
        assert isinstance(outer, ast.FunctionDef)
        # keyword parameters, which are not passed, become constants
        node.args.kwonlyargs = [each for each in node.args.kwonlyargs if each.arg not in keywords]
        node.args.defaults, node.args.kw_defaults = [], [None] * len(node.args.kwonlyargs)
        scope |= keywords
        outer.args = rewriter.visit(node.args)
        body = [ast.Return(node.body)] if isinstance(node, ast.Lambda) else node.body
        outer.body = [rewriter.visit(statement) for statement in body]
        module.body = [*rewriter.loops, ast.copy_location(outer, node)]
        made: dict[str, Any] = {}
        file = function.__code__.co_filename  # with its lines, for Numba's errors
        exec(compile(ast.fix_missing_locations(module), file, "exec"), made)
    except (NoSyntax, SyntaxError):
        code, closure = function.__code__, function.__closure__
        return Rewritten(
            FunctionType(code, scope, function.__name__, function.__defaults__, closure)
        )
    loops = [each.name for each in rewriter.loops]
    scope |= {name: FunctionType(made[name].__code__, scope, name) for name in loops}
    code = made[outer.name].__code__
    plain = FunctionType(code, scope, function.__name__, function.__defaults__)
    return Rewritten(plain, tuple(loops), tuple(sorted(rewriter.tables)))


def array_of(values: Any) -> Any:
    """Return numbers, or rows of numbers, as a NumPy array; None if `values` is neither, or
    empty."""
    import numpy

    try:
        array = numpy.array(values)
    except (ValueError, OverflowError):  # rows of different lengths
        return None
    return array if array.dtype.kind in "ifb" and array.size else None


class _Rewriter(ast.NodeTransformer):
    """Rewrites the statements of one function."""

    def __init__(
        self, function: FunctionType, scope: dict[str, Any], node: ast.AST, is_moves: bool
    ) -> None:
        code = function.__code__
        self.local = {*code.co_varnames, *code.co_cellvars}
        """The local names."""
        self.scope, self.is_moves = scope, is_moves
        self.loops: list[ast.FunctionDef] = []
        self.tables: set[str] = set()
        self.items = 0
        self.empty = {name for each in ast.walk(node) for name in _emptied(each)}
        """The variables that some statement sets to an empty list."""
        self.functions = {name for each in ast.walk(node) for name in _functions(each)}
        """The nested functions, which cannot be passed as arguments."""

    # Scopes

    @contextmanager
    def _within(self, names: Iterable[str]) -> Iterator[None]:
        outer = self.local, self.is_moves
        self.local = self.local.union(names)
        yield
        self.local, self.is_moves = outer

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """Remove the annotation."""
        node.annotation = None
        return node

    def visit_ListComp(self, node: Any) -> Any:
        """Rewrite a comprehension, in which the loop variables are local."""
        with self._within(_bound(node)):
            return self.generic_visit(node)

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp

    def visit_FunctionDef(self, node: Any) -> Any:
        """Rewrite a nested function, which has its own local names."""
        node.returns = None
        with self._within(_assigned(node)):
            self.is_moves = False
            return self.generic_visit(node)

    visit_Lambda = visit_FunctionDef

    # Lists

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Rewrite `out += items`."""
        match node:
            case ast.AugAssign(ast.Name(name), ast.Add(), items) if self._grows(name, items):
                return self._appended(name, items, node)
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        """Rewrite `out.extend(items)`."""
        match node:
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "extend"), [items], [])) if (
                self._grows(name, items)
            ):
                return self._appended(name, items, node)
        return self.generic_visit(node)

    def _grows(self, name: str, items: ast.expr) -> bool:
        return name in self.empty and name not in _names_in(items)

    def _appended(self, name: str, items: ast.expr, node: ast.stmt) -> Any:
        item = self._new_item()
        append = ast.Expr(_call(ast.Attribute(_name(name), "append", ast.Load()), _name(item)))
        loop = ast.For(ast.Name(item, ast.Store()), items, [append], [])
        return self.visit(_placed(loop, node))

    def _new_item(self) -> str:
        self.items += 1
        return f"_item_{self.items}"

    def visit_Return(self, node: ast.Return) -> Any:
        """Replace a returned empty list of moves by one with a type."""
        self.generic_visit(node)
        if self.is_moves and node.value is not None:
            node.value = _not_empty(node.value)
        return node

    def visit_For(self, node: Any) -> Any:
        """Call `_each_` on the iterable of a loop or a comprehension if it is a name or an
        attribute, which may be a table."""
        self.generic_visit(node)
        if isinstance(node.iter, ast.Attribute | ast.Name):
            node.iter = _call("_each_", node.iter)
        return node

    visit_comprehension = visit_For

    # Tuples

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """Rewrite `TABLE[key]`, and slices whose bounds are known only at run time."""
        match node:
            case ast.Subscript(ast.Name(name), key, ast.Load()) if self._is_table(name):
                return self._lookup(name, [key], node)
        self.generic_visit(node)
        match node:
            case ast.Subscript(value, ast.Slice(lower, upper, None), ast.Load()) if not (
                _is_fixed(lower) and _is_fixed(upper)
            ):
                return _call(
                    "_slice_", value, lower or ast.Constant(0), upper or ast.Constant(SLICE_END)
                )
        return node

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """Rewrite `+` where an operand is a tuple or a slice."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Add) and (_is_several(node.left) or _is_several(node.right)):
            return _call("_joined_", node.left, node.right)
        return node

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        """Rewrite tuples with starred items."""
        self.generic_visit(node)
        has_stars = any(isinstance(item, ast.Starred) for item in node.elts)
        if not (has_stars and isinstance(node.ctx, ast.Load)):
            return node
        parts: list[ast.expr] = []
        for is_starred, items in groupby(node.elts, lambda item: isinstance(item, ast.Starred)):
            made = list(items)
            stars = [item.value for item in made if isinstance(item, ast.Starred)]
            parts += stars if is_starred else [ast.Tuple(made, ast.Load())]
        if len(parts) == 1:
            return _call("_tuple_", parts[0])
        return reduce(lambda left, right: _call("_joined_", left, right), parts)

    # Calls

    def visit_Call(self, node: ast.Call) -> Any:
        """Rewrite calls of generators, `tuple`, `count`, and `TABLE.get(key, default)`."""
        match node:
            case ast.Call(ast.Name(name), [ast.GeneratorExp() as made], []) if (
                name in LOOPS and self._is_builtin(name) and not _assigns(made)
            ):
                return self._loop(name, made)
            case ast.Call(ast.Attribute(ast.Name(name), "get"), [key, default], []) if (
                self._is_table(name)
            ):
                return self._lookup(name, [key, default], node)
            case ast.Call(
                ast.Attribute(ast.Call(ast.Name("bin"), [number], []), "count"),
                [ast.Constant("1")],
                [],
            ) if self._is_builtin("bin"):
                counted = _call(ast.Attribute(number, "bit_count", ast.Load()))
                return self.visit(_placed(counted, node))
            case ast.Call(ast.Attribute(cells, "count"), [item], []) if (
                _is_simple(item) and ast.unparse(cells) != "self"
            ):
                name = self._new_item()
                test = ast.Compare(_name(name), [ast.Eq()], [item])
                each = ast.comprehension(ast.Name(name, ast.Store()), cells, [test], 0)
                ones = ast.GeneratorExp(ast.Constant(1), [each])
                return self._loop("sum", _placed(ones, node))
        if not (isinstance(node.func, ast.Name) and node.func.id == "next"):
            node.args = [
                ast.ListComp(each.elt, each.generators)
                if isinstance(each, ast.GeneratorExp) and not _assigns(each)
                else each
                for each in node.args
            ]
        self.generic_visit(node)
        match node:
            case ast.Call(ast.Name("tuple"), [argument], []) if self._is_builtin("tuple"):
                return _call("_tuple_", argument)
        return node

    def _is_builtin(self, name: str) -> bool:
        builtin = getattr(builtins, name)
        return name not in self.local and self.scope.get(name, builtin) is builtin

    def _is_table(self, name: str) -> bool:
        """Return whether the name is a global dict whose values are numbers, and whose keys are
        whole numbers or tuples of them; it has at most MAX_ENTRIES entries."""
        table = None if name in self.local else self.scope.get(name)
        if not isinstance(table, dict) or not table or len(table) > MAX_ENTRIES:
            return False
        keys, values = array_of(list(table)), array_of(list(table.values()))
        return (
            keys is not None
            and values is not None
            and (keys.dtype.kind, values.ndim) == ("i", 1)
            and keys.ndim == (2 if isinstance(next(iter(table)), tuple) else 1)
        )

    def _lookup(self, table: str, given: list[ast.expr], node: ast.expr) -> ast.expr:
        """Return a call of a new function that looks up a key in a global dict."""
        self.tables.add(table)
        entries = self.scope[table]
        keys, values = f"_{table}_keys", f"_{table}_values"
        self.scope |= {keys: array_of(list(entries)), values: array_of(list(entries.values()))}
        same = f"{keys}[at] == key"
        if isinstance(first := next(iter(entries)), tuple):
            parts = (f"{keys}[at, {at}] == key[{at}]" for at in range(len(first)))
            same = " and ".join([f"len(key) == {len(first)}", *parts])
        lines = (
            f"    for at in range({len(entries)}):",
            f"        if {same}:",
            f"            return {values}[at]",
            "    return default" if len(given) > 1 else f"    raise KeyError({table!r})",
        )
        name = self._new_loop(table, ("key", "default")[: len(given)], lines, node)
        return _call(name, *map(self.visit, given))

    def _loop(self, kind: str, node: ast.GeneratorExp) -> ast.expr:
        """Return a call of a new function that loops over the generator as `kind` (sum, any or all)
        does."""
        read = _free_names(node) & self.local
        if read & self.functions:
            made = ast.ListComp(node.elt, node.generators)
            return _call(kind, self.visit(_placed(made, node)))
        given = sorted(read)
        inner = self.visit(node)
        before, within, after = LOOPS[kind]
        lines, indent = [f"    {before}"], "    "
        for loop in inner.generators:
            over = f"{ast.unparse(loop.target)} in {ast.unparse(loop.iter)}"
            lines.append(f"{indent}for {over}:")
            indent += "    "
            for test in loop.ifs:
                lines.append(f"{indent}if {ast.unparse(test)}:")
                indent += "    "
        lines += [indent + within.format(value=f"({ast.unparse(inner.elt)})"), f"    {after}"]
        return _call(self._new_loop(kind, given, lines, node), *map(_name, given))

    def _new_loop(self, of: str, given: Iterable[str], lines: Iterable[str], node: ast.expr) -> str:
        """Make a function of these lines, with the line number of `node`, and return its name."""
        name = f"_{of}_{len(self.loops)}"
        (made,) = ast.parse("\n".join([f"def {name}({', '.join(given)}):", *lines])).body
        assert isinstance(made, ast.FunctionDef)
        for each in ast.walk(made):
            if hasattr(each, "lineno"):
                each.lineno = each.end_lineno = node.lineno  # type: ignore[attr-defined]
        self.loops.append(made)
        return name


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _call(function: str | ast.expr, *arguments: ast.expr) -> ast.Call:
    called = _name(function) if isinstance(function, str) else function
    return ast.Call(called, list(arguments), [])


def _placed(node: Any, where: ast.AST) -> Any:
    """Return new syntax with the line numbers of `where`."""
    return ast.fix_missing_locations(ast.copy_location(node, where))


def _names_in(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _free_names(node: ast.AST) -> set[str]:
    """Return the names that an expression reads, without those that it binds itself."""
    match node:
        case ast.Name(name):
            return {name}
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            first = node.generators[0].iter
            inside = (each for each in _inside(node) if each is not first)
            return _free_names(first) | (set().union(*map(_free_names, inside)) - _bound(node))
        case ast.Lambda():
            given = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
            return _free_names(node.args) | (_free_names(node.body) - given)
    return set().union(*map(_free_names, ast.iter_child_nodes(node)))


def _inside(node: Any) -> Iterator[ast.AST]:
    """Yield the iterables, conditions and results of a comprehension."""
    for loop in node.generators:
        yield from (loop.iter, *loop.ifs)
    yield from ([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt])


def _assigns(node: ast.AST) -> bool:
    """Return whether an expression contains an assignment, `(y := x)`."""
    return any(isinstance(each, ast.NamedExpr) for each in ast.walk(node))


def _bound(node: Any) -> set[str]:
    """Return the names that the loops of a comprehension bind."""
    return set().union(*(_names_in(loop.target) for loop in node.generators))


def _assigned(node: ast.AST) -> set[str]:
    """Return the parameters of a function and the variables that it assigns."""
    stored = {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    return stored | {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}


def _functions(node: ast.AST) -> list[str]:
    """Return the names that a statement binds to functions."""
    match node:
        case ast.FunctionDef(name):
            return [name]
        case ast.Assign(targets, ast.Lambda()):
            return [each.id for each in targets if isinstance(each, ast.Name)]
    return []


def _emptied(node: ast.AST) -> list[str]:
    """Return the variables that an assignment sets to an empty list."""
    match node:
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
            pairs = list(zip(targets, values, strict=False))
        case ast.Assign(targets, value):
            pairs = [(target, value) for target in targets]
        case ast.AnnAssign(target, _, ast.expr() as value):
            pairs = [(target, value)]
        case _:
            return []
    return [
        to.id
        for to, value in pairs
        if isinstance(to, ast.Name) and ast.unparse(value) in ("[]", "list()")
    ]


def _is_simple(item: ast.expr) -> bool:
    """Return whether an item is a number, a name or an attribute: cheap to evaluate repeatedly."""
    item = getattr(item, "operand", item)
    is_number = isinstance(item, ast.Constant) and isinstance(item.value, int | float)
    return is_number or isinstance(item, ast.Name | ast.Attribute)


def _is_fixed(number: ast.expr | None) -> bool:
    """Return whether a bound of a slice is a literal, or missing."""
    return number is None or isinstance(getattr(number, "operand", number), ast.Constant)


def _is_several(node: ast.expr) -> bool:
    """Return whether the syntax of an expression shows that its value is a tuple or a list."""
    match node:
        case ast.Call(ast.Name("_slice_" | "_tuple_" | "_joined_")):
            return True
        case ast.Tuple() | ast.Subscript(_, ast.Slice()):
            return True
    return False


def _not_empty(node: ast.expr) -> ast.expr:
    match node:
        case ast.List([]) | ast.Tuple([]):
            return _call(NO_MOVES)
        case ast.IfExp():
            node.body, node.orelse = _not_empty(node.body), _not_empty(node.orelse)
    return node
