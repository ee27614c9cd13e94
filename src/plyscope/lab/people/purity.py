"""`not_pure`: whether a function always gives the same answer to the same question, by its source.

A function is *pure* here if its whole code was read, and consists of nothing but listed operations,
builtins and functions of Python's library, and of functions of the user that are pure themselves.
Whatever is not on the lists makes it not pure, so the lists can miss no source of chance. The
values that it reads must have an `Identity`, and must not change. Then it can depend on nothing but
its arguments, which are numbers, texts, lists of them, or a position.

Not on the lists are, for instance, clocks, random numbers, files, sets in an order, texts of
objects (which contain addresses), attributes that are set, and handlers of every exception (which
catch the end of the stack).
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, NamedTuple

from plyscope.identity import BUILTINS, Identity, cached_while, closure_of
from plyscope.pythonfile import files_of_python
from plyscope.rules.linegame import LineGame
from plyscope.syntax import NoSyntax, syntax_of

MAX_REASON_CHARS = 300
PURE_BUILTINS = {
    *("abs", "all", "any", "bin", "bool", "callable", "complex", "dict", "divmod"),
    *("enumerate", "filter", "float", "hex", "int", "isinstance", "iter", "len", "list", "map"),
    *("max", "min", "next", "oct", "ord", "pow", "print", "range", "reversed", "round", "slice"),
    *("sorted", "sum", "tuple", "zip", "NotImplemented", "Ellipsis"),
}
SETS = ("set", "frozenset")
EXCEPTIONS = {
    *("ArithmeticError", "AssertionError", "AttributeError", "IndexError", "KeyError"),
    *("LookupError", "NotImplementedError", "OverflowError", "StopIteration", "TypeError"),
    *("UnboundLocalError", "ValueError", "ZeroDivisionError"),
}
"""Exceptions that a function may handle: none of them depends on the stack or the memory."""
WITH_TEXTS = EXCEPTIONS - {"StopIteration"}
"""Exceptions whose texts no function on the lists can read: `yield from` has the value of a
StopIteration."""
LIBRARY = {
    "math": None,
    "cmath": None,
    "bisect": None,
    "heapq": None,
    "copy": {"copy", "deepcopy"},
    "collections": {"Counter", "OrderedDict", "defaultdict", "deque"},
    "functools": {"reduce"},
    "itertools": {
        *("accumulate", "chain", "combinations", "combinations_with_replacement", "compress"),
        *("count", "cycle", "dropwhile", "filterfalse", "groupby", "islice", "pairwise"),
        *("permutations", "product", "repeat", "starmap", "takewhile", "zip_longest"),
    },
    "operator": {
        *("add", "and_", "eq", "floordiv", "ge", "getitem", "gt", "index", "inv", "invert"),
        *("itemgetter", "le", "lshift", "lt", "mul", "ne", "neg", "not_", "or_", "pos", "pow"),
        *("rshift", "sub", "truediv", "truth", "xor"),
    },
}
"""The pure functions, types and numbers of Python's library by module; None for all of a module."""
ATTRIBUTES = {
    # of lists, dicts, tuples, deques and counters
    *("append", "appendleft", "clear", "copy", "count", "elements", "extend", "extendleft"),
    *("fromkeys", "get", "index", "insert", "items", "keys", "most_common", "pop", "popitem"),
    *("popleft", "remove", "reverse", "rotate", "setdefault", "sort", "subtract", "update"),
    "values",
    # of numbers and texts
    *("bit_count", "bit_length", "conjugate", "denominator", "imag", "is_integer", "numerator"),
    *("real", "endswith", "find", "isdigit", "isspace", "islower", "isupper", "join", "lower"),
    *("lstrip", "partition", "replace", "rfind", "rindex", "rpartition", "rsplit", "rstrip"),
    *("split", "splitlines", "startswith", "strip", "swapcase", "upper"),
    # of positions of line games, and of boards and settings that an adapter passes
    *("board", "columns", "first", "game", "height", "inarow", "is_over", "lines", "mark", "mask"),
    *("masks", "moves", "owner", "payoff", "play", "rows", "second", "shape", "side", "size"),
    *("stones", "width", "winner"),
}
"""The attributes of arguments and of values made from them."""
STATEMENTS = (
    *(ast.Assert, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Break, ast.Continue, ast.Delete),
    *(ast.Expr, ast.For, ast.FunctionDef, ast.Global, ast.If, ast.Nonlocal, ast.Pass, ast.Raise),
    *(ast.Return, ast.Try, ast.While),
)
EXPRESSIONS = (
    *(ast.Attribute, ast.BinOp, ast.BoolOp, ast.Call, ast.Compare, ast.Constant, ast.Dict),
    *(ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.Lambda, ast.List, ast.ListComp, ast.Name),
    *(ast.NamedExpr, ast.Set, ast.SetComp, ast.Slice, ast.Starred, ast.Subscript, ast.Tuple),
    *(ast.UnaryOp, ast.Yield, ast.YieldFrom),
)
FUNCTIONS = (ast.FunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Purity(NamedTuple):
    """What reading the code of a function has shown."""

    unread: str
    """The reason why it is not known to be pure, with the function as subject; "" if it is."""
    version: str
    """The digest of its `Identity`, "" if it has none."""


NO_CLAIM = Purity("", "")
"""The purity of an agent of which nothing is claimed."""


def purity_of(function: Any, game: Any, path: str = "") -> Purity:
    """Return whether a function is pure on a game. A function that gets positions of a user's game
    calls the methods of that game, which are not read. `path` is that of `not_pure`."""
    version = Identity([function]).digest
    if not isinstance(game, LineGame):
        return Purity(f"plays {game.name!r}, whose own code was not read", version)
    return Purity(not_pure(function, path), version)


def read_purity(answer: Mapping[str, Any]) -> Purity:
    """Return the purity in the answer of another process."""
    unread, version = answer.get("unread"), answer.get("version")
    if isinstance(unread, str) and isinstance(version, str):
        return Purity(unread[:MAX_REASON_CHARS], version)
    return Purity("gave an answer that cannot be read", "")


def _version(function: Any, path: str = "") -> str:
    return Identity([function]).digest


class NotPure(Exception):
    """Raised at code that is not on the lists; the text is a phrase whose subject is the code."""


@cached_while(_version, maxsize=64)
def not_pure(function: Any, path: str = "") -> str:
    """Return the reason why a function is not known to be pure, "" if it is.

    With `path`, all other code of this file, and of the files that it imports from its folder, must
    be pure too: it ran before, and might have changed what the function finds.
    """
    try:
        if type(function) is not FunctionType:
            raise NotPure(f"is an object of type {type(function).__name__!r}, and no function")
        identity = Identity([function])
        if identity.unknown:
            raise NotPure(identity.unknown)
        reader = _Reader()
        for each in identity.functions:
            reader.read_function(each)
        for file in files_of_python(path) if path else ():
            reader.read_file(file)
    except NotPure as reason:
        return str(reason)
    except RecursionError:
        return "has code nested too deeply to read"
    return ""


class _Reader:
    """Reads the source of functions and files; raises NotPure."""

    def __init__(self) -> None:
        self.scope: dict[str, Any] = {}
        """The global names and the closure of the code that is read."""
        self.bound: list[_Bound] = []
        """The names of the functions and comprehensions around it, from the outermost."""
        self.read: set[FunctionType] = set()

    def read_function(self, function: FunctionType) -> None:
        """Read a function, and those that it calls."""
        if function in self.read:
            return
        self.read.add(function)
        try:
            node = syntax_of(function)
        except NoSyntax:
            raise NotPure(f"has no readable source of {function.__name__!r}") from None
        outer = self.scope, self.bound
        builtin = getattr(function, "__builtins__", {})
        self.scope = {**builtin, **function.__globals__, **closure_of(function)}
        self.bound = []
        for value in (function.__defaults__, function.__kwdefaults__, vars(function)):
            self._check_value("a default", value)
        self._visit_body(node)
        self.scope, self.bound = outer

    def read_file(self, path: str) -> None:
        """Read the statements of a file that run when it is imported."""
        place = os.path.abspath(path)
        loaded = {
            os.path.abspath(str(getattr(each, "__file__", None) or "")): each
            for each in tuple(sys.modules.values())
        }
        module = loaded.get(place)
        if module is None:  # an import that did not run
            return
        tree = ast.parse(Path(path).read_bytes())
        self.scope, self.bound = {**vars(module).get("__builtins__", {}), **vars(module)}, []
        for statement in tree.body:
            self._read_of_module(statement)

    def _read_of_module(self, node: ast.stmt) -> None:
        """Read a statement of a file outside functions."""
        match node:
            case ast.Import() | ast.ImportFrom():
                pass
            case ast.FunctionDef():
                self._visit_head(node)
                for decorator in node.decorator_list:
                    self.visit(decorator)
            case ast.ClassDef():
                parts = [*node.decorator_list, *node.bases, *(each.value for each in node.keywords)]
                if not all(isinstance(each, ast.Name | ast.Attribute) for each in parts):
                    raise NotPure(f"has a class {node.name!r} made by a call")
                for statement in node.body:
                    self._read_of_module(statement)
            case ast.If(ast.Compare(ast.Name("__name__"), [ast.Eq()], [ast.Constant("__main__")])):
                for statement in node.orelse:
                    self._read_of_module(statement)
            case ast.If() | ast.Try():
                for field in ("body", "orelse", "finalbody"):
                    for statement in getattr(node, field, ()):
                        self._read_of_module(statement)
                if isinstance(node, ast.If):
                    self.visit(node.test)
                else:
                    for handler in node.handlers:
                        for statement in handler.body:
                            self._read_of_module(statement)
            case _:
                self.visit(node)

    def visit(self, node: ast.AST) -> None:
        """Read a statement or an expression; raise NotPure."""
        match node:
            case ast.FunctionDef() | ast.Lambda():
                if decorators := getattr(node, "decorator_list", ()):
                    raise NotPure(f"decorates a function by {ast.unparse(decorators[0])!r}")
                self._visit_head(node)
                self._visit_body(node)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._visit_comprehension(node)
            case ast.Name(name, ast.Load()):
                self._check_name(name)
            case ast.Attribute():
                self._visit_attribute(node)
            case ast.Compare():
                self._visit_comparison(node)
            case ast.Call(ast.Name(name)) if name in SETS and self._is_builtin(name):
                raise NotPure(f"makes a {name}, whose order may differ in another process")
            case ast.Call(ast.Name("len"), [made], []) if self._is_set(made) and self._is_builtin(
                "len"
            ):
                self._visit_set(made)
            case ast.Call(ast.Name("isinstance"), [value, ast.Name(kind)]) if self._is_builtin(
                "isinstance"
            ) and self._is_builtin(kind):
                self.visit(value)
            case ast.Call(ast.Name("print"), arguments) if self._is_builtin("print"):
                self._visit_texts(arguments)
                for keyword in node.keywords:
                    self.visit(keyword.value)
            case ast.Raise(ast.Call(ast.Name(name), arguments, []), cause) if (
                name in WITH_TEXTS and self._is_builtin(name)
            ):
                self._visit_texts(arguments)
                if cause is not None:
                    self.visit(cause)
            case ast.AnnAssign(target, annotation, value):
                self._check_annotation(annotation)
                for part in (target, value):
                    if part is not None:
                        self.visit(part)
            case ast.Set(items) if not all(
                isinstance(each, ast.Constant) and type(each.value) is int for each in items
            ):
                raise NotPure("makes a set, whose order may differ in another process")
            case ast.Try(handlers=handlers, finalbody=last):
                if last:
                    raise NotPure("has a block 'finally', which may end any exception")
                for handler in handlers:
                    self._check_handler(handler)
                self._visit_parts(node)
            case ast.Expr(ast.Constant()):  # a docstring
                pass
            case ast.Constant(str() | bytes() as text) if "%" in repr(text):
                raise NotPure("formats a text with '%'")
            case _:
                if isinstance(node, ast.stmt | ast.expr) and not isinstance(
                    node, (*STATEMENTS, *EXPRESSIONS)
                ):
                    raise NotPure(f"has {_of_syntax(node)} in line {node.lineno}")
                self._visit_parts(node)

    def _visit_parts(self, node: ast.AST) -> None:
        for each in ast.iter_child_nodes(node):
            self.visit(each)

    @contextmanager
    def _inside(self, bound: _Bound) -> Iterator[None]:
        self.bound.append(bound)
        yield
        self.bound.pop()

    def _visit_texts(self, nodes: Iterable[ast.expr]) -> None:
        """Check what is printed, or is the text of an exception, which no function on the lists can
        read: it may be the text of any value."""
        for node in nodes:
            match node:
                case ast.JoinedStr(parts):
                    self._visit_texts(parts)
                case ast.FormattedValue(value, _, form):
                    self.visit(value)
                    self._visit_texts([] if form is None else [form])
                case ast.Constant(str()):
                    pass
                case _:
                    self.visit(node)

    def _visit_head(self, node: ast.FunctionDef | ast.Lambda) -> None:
        """Check what runs when a function is defined: its defaults and annotations."""
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        for each in ast.walk(node.args):
            if isinstance(each, ast.arg) and each.annotation is not None:
                self._check_annotation(each.annotation)
        if isinstance(node, ast.FunctionDef) and node.returns is not None:
            self._check_annotation(node.returns)

    def _check_annotation(self, node: ast.expr) -> None:
        if any(isinstance(each, ast.Call) for each in ast.walk(node)):
            raise NotPure("calls a function in an annotation")

    def _visit_body(self, node: ast.FunctionDef | ast.Lambda) -> None:
        """Check what runs when a function is called."""
        with self._inside(_bound_in(node)):
            for part in node.body if isinstance(node.body, list) else [node.body]:
                self.visit(part)

    def _visit_comprehension(self, node: Any) -> None:
        if isinstance(node, ast.SetComp):
            raise NotPure("makes a set, whose order may differ in another process")
        self.visit(node.generators[0].iter)
        names = {name for loop in node.generators for name in _names_stored(loop.target)}
        with self._inside(_Bound(names)):
            for at, loop in enumerate(node.generators):
                for part in (loop.target, *([loop.iter] if at else []), *loop.ifs):
                    self.visit(part)
                if loop.is_async:
                    raise NotPure("has an asynchronous loop")
            for part in [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]:
                self.visit(part)

    def _is_local(self, name: str) -> bool:
        for bound in reversed(self.bound):
            if name in bound.others:
                return False
            if name in bound.names:
                return True
        return False

    def _is_builtin(self, name: str) -> bool:
        return not self._is_local(name) and self.scope.get(name) is BUILTINS.get(name, self)

    def _check_name(self, name: str) -> None:
        """Check what a name means that is not local."""
        if self._is_local(name):
            return
        if name not in self.scope:  # a NameError, or a global that it sets itself
            return
        self._check_value(name, self.scope[name])

    def _check_value(self, name: str, value: Any) -> None:
        """Check a value that the code reads."""
        if isinstance(value, FunctionType) and not _is_library(value):
            self.read_function(value)
        elif isinstance(value, list | tuple) and type(value) in (list, tuple):
            for item in value:
                self._check_value(name, item)
        elif type(value) is dict:
            for item in (*value, *value.values()):
                self._check_value(name, item)
        elif type(value) in (set, frozenset):
            if not set(map(type, value)) <= {int, bool}:
                raise NotPure(f"reads {name!r}, a set, whose order may differ in another process")
        elif type(value) in (str, bytes):
            if "%" in repr(value):
                raise NotPure(f"reads {name!r}, a text with '%'")
        elif type(value) not in (int, float, bool, complex, range, type(None), type(...)):
            self._check_library(name, value)

    def _check_library(self, name: str, value: Any) -> None:
        """Check an object that is neither data nor a function of the user."""
        known = getattr(value, "__name__", "")
        if value is BUILTINS.get(known, self) and known in PURE_BUILTINS | EXCEPTIONS:
            return
        module = value.__name__ if isinstance(value, ModuleType) else None
        if module in LIBRARY:
            return
        if module is None and any(
            value is getattr(sys.modules.get(home), known, self)
            and (known in names if names else _is_plain_of(home, value))
            for home, names in LIBRARY.items()
        ):
            return
        raise NotPure(f"uses {name!r}, which is not on the list of pure operations")

    def _visit_attribute(self, node: ast.Attribute) -> None:
        """Check an attribute of a module, or one of ATTRIBUTES."""
        if not isinstance(node.ctx, ast.Load):
            raise NotPure(f"changes an attribute {node.attr!r}")
        match node.value:
            case ast.Name(name) if not self._is_local(name):
                value = self.scope.get(name)
                if isinstance(value, ModuleType) and hasattr(value, node.attr):
                    is_user = value.__name__ not in LIBRARY and not _is_library(value)
                    found = getattr(value, node.attr)
                    if value.__name__ in LIBRARY or is_user:
                        self._check_value(f"{name}.{node.attr}", found)
                        return
                    raise NotPure(
                        f"uses '{name}.{node.attr}', which is not on the list of pure operations"
                    )
        if node.attr not in ATTRIBUTES:
            raise NotPure(
                f"reads an attribute {node.attr!r}, which is not on the list of pure operations"
            )
        self.visit(node.value)

    def _visit_comparison(self, node: ast.Compare) -> None:
        """Check a comparison: objects are the same, or not, only beside None, True and False."""
        parts = [node.left, *node.comparators]
        for at, operator in enumerate(node.ops):
            beside = parts[at : at + 2]
            if isinstance(operator, ast.Is | ast.IsNot) and not any(
                isinstance(each, ast.Constant) and type(each.value) in (bool, type(None))
                for each in beside
            ):
                raise NotPure("compares objects with 'is'")
        for each in parts:
            if self._is_set(each):
                self._visit_set(each)
            else:
                self.visit(each)

    def _is_set(self, node: ast.expr) -> bool:
        """Return whether an expression makes a set."""
        match node:
            case ast.Call(ast.Name(name), _, []) if name in SETS:
                return self._is_builtin(name)
        return isinstance(node, ast.Set | ast.SetComp)

    def _visit_set(self, node: Any) -> None:
        """Check the items of a set whose order does not matter: it is compared, or counted."""
        if isinstance(node, ast.SetComp):
            self.visit(ast.ListComp(node.elt, node.generators))
        else:
            for each in node.args if isinstance(node, ast.Call) else node.elts:
                self.visit(each)

    def _check_handler(self, handler: ast.ExceptHandler) -> None:
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        for kind in kinds:
            name = kind.id if isinstance(kind, ast.Name) else ""
            if name not in EXCEPTIONS or not self._is_builtin(name):
                raise NotPure("handles exceptions of every kind")


class _Bound(NamedTuple):
    """The names that a function or a comprehension binds itself, and those that it declares to be
    global."""

    names: set[str]
    others: frozenset[str] = frozenset()


def _bound_in(node: ast.FunctionDef | ast.Lambda) -> _Bound:
    """Return the names of a function, without those of functions inside it."""
    given = node.args
    found = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    names = {each.arg for each in found if each is not None}
    inner, others = set[str](), set[str]()
    for each in _own_parts(node.body if isinstance(node.body, list) else [node.body]):
        match each:
            case ast.FunctionDef(name) | ast.ExceptHandler(name=str() as name):
                names.add(name)
            case ast.Name(name, ast.Store() | ast.Del()):
                names.add(name)
            case ast.Global(found_names):
                others.update(found_names)
            case ast.Nonlocal(found_names):
                inner.update(found_names)
    return _Bound(names - inner - others, frozenset(others))


def _own_parts(nodes: Iterable[ast.AST], is_inner: bool = False) -> Iterator[ast.AST]:
    """Yield the syntax of a function's own scope: of functions inside it only the heads, and of
    comprehensions (`is_inner`) only what `:=` binds outside them."""
    for node in nodes:
        if isinstance(node, FUNCTIONS):
            if isinstance(node, ast.FunctionDef) and not is_inner:
                yield node
            continue
        if is_inner and isinstance(node, ast.NamedExpr):
            yield node.target
        elif not is_inner:
            yield node
        below = is_inner or isinstance(node, COMPREHENSIONS)
        yield from _own_parts(ast.iter_child_nodes(node), below)


def _names_stored(target: ast.expr) -> set[str]:
    return {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}


def _is_library(value: Any) -> bool:
    """Return whether a module, or the module of a function, belongs to Python or to plyscope."""
    module = value.__name__ if isinstance(value, ModuleType) else value.__module__ or ""
    head = module.partition(".")[0]
    return head in sys.stdlib_module_names or head == "plyscope"


def _is_plain_of(home: str, value: Any) -> bool:
    """Return whether a value is a function or a number of a module."""
    if isinstance(value, BuiltinFunctionType):
        return value.__module__ in (home, f"_{home}")
    return type(value) in (int, float, complex)


def _of_syntax(node: ast.AST) -> str:
    """Return the name of a form of syntax in words."""
    kind = type(node).__name__
    return {"JoinedStr": "a text with values in braces", "ClassDef": "a class"}.get(
        kind, f"the syntax {kind!r}"
    )
