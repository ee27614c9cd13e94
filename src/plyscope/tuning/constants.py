"""The constants of a function's module as parameters: the same function with other numbers.

Parameters are numbers in variables of the module with names in CAPITALS, alone or in lists, tuples
and dicts. The function must read them itself, or through other functions of its module:

    VALUES = [0, 1, 3, 8]                    VALUES[0], VALUES[1], VALUES[2], VALUES[3]
    CENTRE = 2.5                             CENTRE
    BY_KIND = {"row": 1, "diagonal": 2}      BY_KIND['row'], BY_KIND['diagonal']

In a file they must be written as literal numbers, which are replaced in a copy of the file. A
constant that is read while the file is run is not a parameter, because results computed from it
would keep the old number. The user's module is not changed: the function, and the functions of its
module that it calls, are created again with other globals.
"""

from __future__ import annotations

import ast
import codecs
import dis
import io
import re
import tokenize
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from types import CellType, FunctionType, ModuleType
from typing import Any, NamedTuple

from plyscope.catalogue import nearest_name
from plyscope.datafile import write_file
from plyscope.errors import HeuristicError, OptionError
from plyscope.evaluation.function import (
    MAX_VALUE,
    Declared,
    FunctionHeuristic,
    load_function,
    of_function,
)
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.evaluation.signatures import OF_BITBOARDS
from plyscope.identity import closure_of, codes_in, read_names
from plyscope.pythonfile import INTERRUPTS, in_one_line, is_of_file, path_of
from plyscope.rules.game import Game
from plyscope.rules.linegame import LineGame
from plyscope.searching.timeout import time_limited

FRACTION_DIGITS = 4
"""Significant digits to which a fraction is rounded."""
EXAMPLE = "such as VALUES = [0, 1, 3, 8]"


class NoConstants(OptionError):
    """Raised for a function that reads no constants of its module."""


class Constant(NamedTuple):
    """A number in a variable of a module."""

    name: str
    """The name as in code: `CENTRE`, `VALUES[2]`, `BY_KIND['row']`."""
    variable: str
    keys: tuple[Any, ...]
    """The indices and keys that lead to it in the variable's value; () for a number alone."""
    value: int | float

    @property
    def is_whole(self) -> bool:
        """Whether the number must stay whole."""
        return isinstance(self.value, int)

    def rounded(self, value: float) -> int | float:
        """Return a number that can replace it: whole, or rounded to FRACTION_DIGITS digits."""
        value = max(-MAX_VALUE, min(MAX_VALUE, value))
        return round(value) if self.is_whole else float(f"{value:.{FRACTION_DIGITS}g}")


@dataclass(frozen=True)
class Constants:
    """A function, and the constants of its module that are parameters."""

    game: Game
    start: FunctionHeuristic
    """The function with its original constants."""
    constants: tuple[Constant, ...]
    file: str | None = None
    """The text `file.py:name` by which it was loaded, None for a function of this process."""
    source: Source | None = None
    """The source of its file, None for a function of this process."""
    name: str = "constants"

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the constants."""
        return tuple(constant.name for constant in self.constants)

    @property
    def weights_of_start(self) -> tuple[int | float, ...]:
        """The constants in START."""
        return tuple(constant.value for constant in self.constants)

    def rounded(self, weights: Sequence[float]) -> tuple[int | float, ...]:
        """Return numbers that can replace the constants: whole numbers stay whole."""
        pairs = zip(self.constants, weights, strict=True)
        return tuple(constant.rounded(weight) for constant, weight in pairs)

    def heuristic(
        self, weights: Sequence[float], name: str | None = None, summary: str = ""
    ) -> Heuristic:
        """Return the heuristic of the function with these numbers, as a table if possible."""
        found = self._named(self.function(weights), name)
        if not isinstance(found, FunctionHeuristic):
            return found
        origin: tuple[Any, ...] = ()
        if self.source is not None:
            origin = self.file, self.source.text, self.game, self.parameters, (*weights,)
        named = found.name, found.function, summary or self.start.summary, found.scale
        return _TunedFunction(*named, origin)

    @cached_property
    def is_table(self) -> bool:
        """Whether the function is equal to a table, with START's numbers and with others."""
        return all(
            isinstance(self.heuristic(weights), LineTable)
            for weights in (self.weights_of_start, self.shifted)
        )

    def draft(self, weights: Sequence[float]) -> Heuristic:
        """Return the heuristic with these numbers, faster if the function takes bitboards and is a
        table.

        It is then called only once for each line and each number of stones of either side.
        """
        if not self.is_table or self.start.signature is not OF_BITBOARDS:
            return self.heuristic(weights)
        assert isinstance(self.game, LineGame)
        function, values = self.function(weights), dict[tuple[int, int], int]()
        try:
            for mine, theirs, mask, stones in _states(self.game):
                value = function(mine, theirs, (mask,))
                if not isinstance(value, int) or values.setdefault(stones, value) != value:
                    return self.heuristic(weights)
            return LineTable(self.start.name, values)
        except INTERRUPTS:
            raise
        except BaseException:  # raised by the user's code: `heuristic` reports it
            return self.heuristic(weights)

    @property
    def shifted(self) -> tuple[int | float, ...]:
        """Other numbers, each different from START's."""
        return self.rounded([each.value + max(1, abs(each.value)) for each in self.constants])

    def function(self, weights: Sequence[float]) -> Callable[..., Any]:
        """Return the function with these numbers in place of its constants."""
        by_variable: dict[str, Any] = {}
        scope = _globals_of(self.start.function)
        for constant, weight in zip(self.constants, weights, strict=True):
            before = by_variable.get(constant.variable, scope[constant.variable])
            by_variable[constant.variable] = _replaced(before, constant.keys, weight)
        made: Callable[..., Any] = _Remaking(scope, by_variable).function(self.start.function)
        return made

    def written(self, weights: Sequence[float]) -> str:
        """Return the text of the file with these numbers and otherwise unchanged.

        For a function of this process, return only the assignments of its constants.
        """
        if self.source is not None:
            return self.source.written(dict(zip(self.parameters, weights, strict=True)))
        made = _globals_of(self.function(weights))
        variables = dict.fromkeys(constant.variable for constant in self.constants)
        return "".join(f"{name} = {made[name]!r}\n" for name in variables)

    def check(self, positions: Sequence[Any]) -> None:
        """Raise OptionError unless the edited file and the created function agree on `positions`.

        Both have other numbers than START. They differ if a class reads a constant, or if the file
        computes something from one while it is run.
        """
        if self.source is None:
            return
        other = self.shifted
        path, name = path_of(self.file or ""), self.start.name
        run = self._named(_run_text(self.written(other), path, name))
        if _answers(self.heuristic(other), positions) != _answers(run, positions):
            raise OptionError(
                f"function {name!r} of {path!r} returns other values if its numbers are changed in "
                "the file than if they are changed while it runs; expected constants that only "
                "functions read, and the same values in every call"
            )

    def _named(self, function: Callable[..., Any], name: str | None = None) -> Heuristic:
        """Return the heuristic of a function that replaces START."""
        return find_heuristic(
            Declared(function, self.start.scale, name or self.start.name), self.game
        )


@lru_cache(maxsize=8)
def _states(game: LineGame) -> list[tuple[int, int, int, tuple[int, int]]]:
    """Return one state for each line and each number of stones of either side on it.

    A state has the stones of both sides and the line, as bitboards, and the numbers of stones.
    """
    states = []
    for mask in game.masks:
        cells = [1 << cell for cell in range(game.size) if mask >> cell & 1]
        for mine in range(len(cells) + 1):
            for theirs in range(len(cells) + 1 - mine):
                own, other = cells[:mine], cells[mine : mine + theirs]
                states.append((sum(own), sum(other), mask, (mine, theirs)))
    return states


def find_constants(
    start: str | Callable[..., Any], game: Game, free: Sequence[str] | None = None
) -> Constants:
    """Return the constants of a function, given itself or as `file.py:name`, as parameters.

    `free` selects some by name: `VALUES[2]`, or `VALUES` for all numbers in it. Raises NoConstants
    if the function reads none, UnknownNameError for a name that it does not read, OptionError for
    one that is read while the file is run, and the errors of `find_heuristic`.
    """
    find_heuristic(start, game)  # raises if it is not a heuristic for the game
    if isinstance(start, str):
        loaded, text = load_function(start), start
        source: Source | None = read_source(path_of(start))
        where = f"function {loaded.name!r} of {path_of(start)!r}"
    else:
        loaded, text, source = of_function(start), None, None
        where = f"function {loaded.name!r}"
    found = tuple(_constants_of(loaded.function))
    if source is not None:
        found = tuple(each for each in found if source.holds(each))
    if not found:
        raise NoConstants(
            f"{where} reads no constants of its module; "
            f"expected numbers under names in capitals, {EXAMPLE}"
        )
    return Constants(game, loaded, _chosen(found, free, source), text, source)


def is_of_constants(start: object) -> bool:
    """Return whether START is a function, so that its parameters are constants."""
    if isinstance(start, str):
        return is_of_file(start)
    return callable(start) and not isinstance(start, Heuristic)


def _chosen(
    found: tuple[Constant, ...], free: Sequence[str] | None, source: Source | None
) -> tuple[Constant, ...]:
    if free is None:
        return found
    known = {each.name for each in found} | {each.variable for each in found}
    for name in free:
        if name not in known:
            if source is not None and name.partition("[")[0] in source.read_on_import:
                raise OptionError(
                    f"constant {name!r} is read while the file {source.path!r} is imported; "
                    "expected a constant that only functions read"
                )
            raise nearest_name("constant", name, sorted(known))
    chosen = {*free}
    return tuple(each for each in found if chosen & {each.name, each.variable})


# The constants that a function reads


def _constants_of(function: Callable[..., Any]) -> Iterator[Constant]:
    """Yield the constants that a function reads, in the order of its module's variables."""
    scope = _globals_of(function)
    read, written = set[str](), set[str]()
    for each in _functions_of(function, scope):
        for code in codes_in(each.__code__):
            for step in dis.get_instructions(code):
                if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                    read.add(str(step.argval))
                elif step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
                    written.add(str(step.argval))
    for variable, value in list(scope.items()):
        if variable in read - written and variable.isupper():
            for keys, number in _numbers(value):
                name = variable + "".join(f"[{key!r}]" for key in keys)
                yield Constant(name, variable, keys, number)


def _numbers(value: Any) -> list[tuple[tuple[Any, ...], int | float]]:
    """Return the numbers in a value with their keys; none if the value contains anything else."""
    if type(value) in (int, float):
        return [((), value)] if abs(value) <= MAX_VALUE else []
    found = []
    for key, part in _parts(value):
        if type(part) not in (int, float, list, tuple, dict):
            return []
        found += [((key, *keys), number) for keys, number in _numbers(part)]
    return found


def _parts(value: Any) -> Iterator[tuple[Any, Any]]:
    if type(value) is dict:
        yield from value.items()
    elif type(value) in (list, tuple):
        yield from enumerate(value)


def _replaced(value: Any, keys: tuple[Any, ...], number: int | float) -> Any:
    """Return a copy of a variable's value with another number at `keys`."""
    if not keys:
        return number
    parts = dict(_parts(value))
    parts[keys[0]] = _replaced(parts[keys[0]], keys[1:], number)
    return parts if type(value) is dict else type(value)(parts.values())


def _inner(thing: Any) -> Any:
    """Return the function under a `functools` cache, or the thing itself."""
    return thing.__wrapped__ if hasattr(thing, "cache_parameters") else thing


def _globals_of(function: Any) -> dict[str, Any]:
    inner = _inner(function)
    return inner.__globals__ if isinstance(inner, FunctionType) else {}


def _functions_of(function: Any, scope: dict[str, Any]) -> Iterator[FunctionType]:
    """Yield the function, and the functions of its module that it names, directly or indirectly."""
    waiting, seen = [function], set[int]()
    while waiting:
        inner = _inner(waiting.pop())
        if not isinstance(inner, FunctionType) or inner.__globals__ is not scope:
            continue
        if id(inner) in seen:
            continue
        seen.add(id(inner))
        yield inner
        names = sorted(read_names(inner.__code__))
        waiting += [scope[name] for name in names if name in scope]
        waiting += closure_of(inner).values()


class _Remaking:
    """Creates copies of a module's functions with other globals."""

    def __init__(self, scope: dict[str, Any], values: Mapping[str, Any]) -> None:
        self.scope, self.new = scope, {**scope, **values}
        self.made: dict[int, Any] = {}
        for name, thing in scope.items():
            if name not in values:
                self.new[name] = self.function(thing)

    def function(self, function: Any) -> Any:
        """Return a copy of a function with the new globals; anything else is returned as it is."""
        inner = _inner(function)
        if not isinstance(inner, FunctionType) or inner.__globals__ is not self.scope:
            return function
        if id(function) not in self.made:
            # the cells are empty at first, as a nested function may be in its own closure
            cells = tuple(CellType() for _ in inner.__closure__ or ())
            made = FunctionType(inner.__code__, self.new, inner.__name__, inner.__defaults__, cells)
            made.__kwdefaults__, made.__annotations__ = inner.__kwdefaults__, inner.__annotations__
            made.__module__, made.__qualname__ = inner.__module__, inner.__qualname__
            made.__dict__.update(inner.__dict__)
            self.made[id(function)] = made
            if inner is not function:
                self.made[id(function)] = lru_cache(**function.cache_parameters())(made)
            for name, content in closure_of(inner).items():
                place = inner.__code__.co_freevars.index(name)
                cells[place].cell_contents = self.function(content)
        return self.made[id(function)]


# The numbers in a file


class Source:
    """The text of a file, with the places of the numbers of its constants."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text

    @cached_property
    def _tree(self) -> ast.Module:
        return ast.parse(self.text.removeprefix(BYTE_ORDER_MARK))

    @cached_property
    def read_on_import(self) -> set[str]:
        """The names that are read while the file is run, rather than later in a function."""
        reader = _ImportReads()
        reader.visit(self._tree)
        return reader.names

    @cached_property
    def _literals(self) -> dict[str, dict[tuple[Any, ...], ast.expr]]:
        """The nodes of literal numbers, by variable and keys, for variables assigned only once."""
        found: dict[str, dict[tuple[Any, ...], ast.expr]] = {}
        bound: list[str] = [
            node.id
            for node in ast.walk(self._tree)
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        ]
        for statement in self._tree.body:
            match statement:
                case ast.Assign([ast.Name(name)], ast.expr() as value) | ast.AnnAssign(
                    ast.Name(name), _, ast.expr() as value
                ) if bound.count(name) == 1:
                    found[name] = dict(_literals_in(value))
        return found

    def holds(self, constant: Constant) -> bool:
        """Return whether the file has the constant as a literal number, and does not read it while
        it is run."""
        node = self._literals.get(constant.variable, {}).get(constant.keys)
        if node is None or constant.variable in self.read_on_import:
            return False
        return (type(constant.value), constant.value) == _number(node)

    def written(self, numbers: Mapping[str, int | float]) -> str:
        """Return the text with other numbers, given by the names of their constants."""
        lines = _lines(self.text.removeprefix(BYTE_ORDER_MARK))
        places = [
            (node, numbers[name])
            for variable, literals in self._literals.items()
            for keys, node in literals.items()
            if (name := variable + "".join(f"[{key!r}]" for key in keys)) in numbers
        ]
        places.sort(key=lambda each: (-each[0].lineno, -each[0].col_offset))
        for node, number in places:
            first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
            before = lines[first].encode()[: node.col_offset].decode()
            after = lines[last].encode()[node.end_col_offset :].decode()
            lines[first : last + 1] = [f"{before}{number!r}{after}"]
        return (BYTE_ORDER_MARK if self.text.startswith(BYTE_ORDER_MARK) else "") + "".join(lines)


BYTE_ORDER_MARK = codecs.BOM_UTF8.decode()
"""The character that some editors write at the start of a UTF-8 file."""
_MUST_BE_FIRST = re.compile(r"#!|\s*#.*coding[:=]")
"""Lines that must stay among the first two of a file: its interpreter, and its encoding."""


def read_source(path: str) -> Source:
    """Return the source of a Python file; raise OptionError if it cannot be read or parsed."""
    try:
        data = Path(path).read_bytes()
        encoding = _encoding(data)
        mark = BYTE_ORDER_MARK if encoding == "utf-8-sig" else ""
        source = Source(path, mark + data.decode(encoding))
        source.read_on_import  # noqa: B018  parses the text now, so that errors are raised here
    except (OSError, SyntaxError, ValueError, LookupError, RecursionError) as error:
        raise OptionError(
            f"cannot read {path!r}: {in_one_line(error)}; expected the file that was run"
        ) from None
    return source


def write_source(path: str | Path, text: str, head: Sequence[str] = ()) -> None:
    """Write a Python file in the encoding that its text declares.

    The lines of `head` become a comment at the top. Raises OptionError if it cannot be written.
    """
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    lines = _lines(text.removeprefix(BYTE_ORDER_MARK))
    kept = 0
    while kept < min(2, len(lines)) and _MUST_BE_FIRST.match(lines[kept]):
        kept += 1
    newline = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    try:
        encoding = _encoding("".join(lines[:2]).encode("ascii", "replace"))
        comment = "".join(f"# {' '.join(line.split())}{newline}" for line in head)
        comment = comment.encode(encoding, "replace").decode(encoding)
        written = "".join((mark, *lines[:kept], comment, *lines[kept:])).encode(encoding)
    except ValueError as error:  # the encoding cannot represent the text
        raise OptionError(f"file {str(path)!r}: {error}; expected another encoding") from None
    write_file("file", path, written)


def _encoding(data: bytes) -> str:
    """Return the encoding of a Python file, with any line endings."""
    lines = io.BytesIO(data.replace(b"\r", b"\n"))
    return tokenize.detect_encoding(lines.readline)[0]


def _lines(text: str) -> list[str]:
    """Return the lines as Python counts them, including line endings."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text)


def _literals_in(
    node: ast.expr, keys: tuple[Any, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], ast.expr]]:
    """Yield the keys and the node of each literal number in an expression."""
    match node:
        case ast.List(parts) | ast.Tuple(parts):
            if not any(isinstance(part, ast.Starred) for part in parts):
                for at, part in enumerate(parts):
                    yield from _literals_in(part, (*keys, at))
        case ast.Dict(names, parts):
            for name, part in zip(names, parts, strict=True):
                try:
                    key = None if name is None else ast.literal_eval(name)
                except ValueError:
                    continue
                yield from _literals_in(part, (*keys, key))
        case _ if _number(node) is not None:
            yield keys, node


def _number(node: ast.expr) -> tuple[type, int | float] | None:
    """Return the type and value of a literal number with an optional sign, None for others."""
    sign = 1
    match node:
        case ast.UnaryOp(ast.USub(), operand):
            sign, node = -1, operand
        case ast.UnaryOp(ast.UAdd(), operand):
            node = operand
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return type(value), sign * value
    return None


class _ImportReads(ast.NodeVisitor):
    """Collects the names that are read outside functions, while a file is run."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_Name(self, node: ast.Name) -> None:
        """Add the name if it is read."""
        if isinstance(node.ctx, ast.Load):
            self.names.add(node.id)

    def visit_If(self, node: ast.If) -> None:
        """Skip code that runs only if the file is the main program."""
        match node.test:
            case ast.Compare(ast.Name("__name__"), [ast.Eq()], [ast.Constant("__main__")]):
                for statement in node.orelse:
                    self.visit(statement)
            case _:
                self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.Lambda) -> None:
        """Visit a function's decorators and default values, but not its body."""
        for part in (*getattr(node, "decorator_list", ()), node.args):
            self.visit(part)

    visit_Lambda = visit_FunctionDef

    def visit_arg(self, node: ast.arg) -> None:
        """Skip annotations, which do not compute with numbers."""


def _run_text(text: str, path: str, name: str) -> Any:
    """Run a text as the module of a file, and return its function `name`."""
    module = ModuleType("plyscope_tuned")
    module.__file__ = path
    try:
        exec(compile(text, path, "exec"), module.__dict__)
        found = of_function(vars(module)[name])
    except INTERRUPTS:
        raise
    except BaseException as error:  # raised by the user's code: reported with its name
        raise OptionError(
            f"running {path!r} with other constants raised {in_one_line(error)[:200]}; "
            "expected a file that can be run with any numbers in it"
        ) from None
    return found.function


def _answers(heuristic: Heuristic, positions: Sequence[Any]) -> list[Any]:
    """Return a heuristic's values of positions, or the text of its error."""
    answers: list[Any] = []
    with time_limited(heuristic, None) as limited:
        for position in positions:
            try:
                answers.append(limited.evaluate(position, 0))
            except HeuristicError as error:
                answers.append(str(error))
    return answers


# Sending a function to another process


@dataclass(frozen=True)
class _TunedFunction(FunctionHeuristic):
    """A function with other constants, which another process creates again from its file."""

    origin: tuple[Any, ...] = field(default=(), repr=False)
    """The file, its text, the game, the names of the constants, and the numbers; () for none."""

    def __reduce__(self) -> Any:
        if not self.origin:
            return super().__reduce__()
        return _made_again, (*self.origin, self.name, self.summary)


def _made_again(
    file: str, text: str, game: Game, names: Sequence[str], weights: Sequence[float], *named: str
) -> Heuristic:
    constants = find_constants(file, game, names)
    if constants.source is None or constants.source.text != text:
        raise OptionError(f"{path_of(file)!r} was changed meanwhile; expected it as it was")
    return constants.heuristic(weights, *named)
