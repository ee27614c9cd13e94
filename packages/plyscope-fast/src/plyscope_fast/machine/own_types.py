"""User-defined games for Numba: the types of games, positions, moves and walks, and their methods.
Imported only when a game is compiled."""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

import numba
from llvmlite import ir
from numba.core import types
from numba.core.imputils import lower_constant
from numba.extending import (
    intrinsic,
    models,
    overload,
    overload_attribute,
    register_model,
    typeof_impl,
)

from plyscope_fast.machine.block import Block
from plyscope_fast.machine.numba_types import (
    PRIMITIVES,
    WORD_TYPE,
    WORDS,
    BlockType,
    WordModel,
    _cast,
    _pointer,
)
from plyscope_fast.machine.own import OwnGame, constants_of
from plyscope_fast.machine.python.compiler import (
    INT,
    NAMED,
    OPTIONS,
    TUPLE,
    Scope,
    classes_in,
    constant_of,
    explained,
    type_of,
)
from plyscope_fast.machine.python.source import NO_MOVES
from plyscope_fast.machine.texts import FunctionSet, define_method, define_property, define_record

GAME_FUNCTIONS = FunctionSet(OPTIONS)
"""The functions of plyscope that are compiled together with a game."""

# Types


class GameType(types.Type):
    """The Numba type of a game, which has no data at run time. Each game has its own subclass,
    since Numba looks methods up by the class of a type."""

    def __init__(self, own: OwnGame) -> None:
        self.own, self.position, self.move = own, type_of(own.position), type_of(own.move)
        self.value, self.scope = Token(self), Scope({})
        super().__init__(f"{type(own.game).__name__}#{id(own):x}")


class Token:
    """A value that represents the game in compiled code."""

    def __init__(self, kind: GameType) -> None:
        self.kind = kind


class WalkType(BlockType):
    """The Numba type of a walk through a game; the walk is represented by its address."""

    def __init__(self, declared: type[Block], game: GameType) -> None:
        super().__init__(declared)
        self.game, self.name = game, f"{self.name} of {game.name}"


register_model(WalkType)(WordModel)


@typeof_impl.register(Token)
def _typeof_token(token: Token, _: Any) -> Any:
    return token.kind


@lower_constant(GameType)
def _token(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.get_dummy_value()


# Methods


def game_type(own: OwnGame) -> GameType:
    """Return the Numba type of a game, with its methods and attributes. Raises CannotCompile."""
    kind: type[GameType] = type("GameType", (GameType,), {})
    register_model(kind)(models.OpaqueModel)
    made = kind(own)
    names: dict[str, Any] = {NO_MOVES: _none_of(made.move)}
    names |= {owner.__name__: made.value for owner in type(own.game).__mro__[:-1]}
    scope = made.scope = Scope(names)
    forms = {"evaluate": scope.form(own.evaluate)}
    for name in dir(own.game):
        found = inspect.getattr_static(own.game, name)
        if name.startswith("__"):
            continue
        if isinstance(found, property) and found.fget is not None:
            define_property(kind, name, scope.form(found.fget))
        elif isinstance(found, staticmethod):
            define_method(kind, name, _method(scope.form(found.__func__), found.__func__, "self, "))
        elif isinstance(found, FunctionType):
            forms[name] = scope.form(found, name == "moves")
            define_method(
                kind, name, _settled(name, forms[name], made) or _method(forms[name], found)
            )
    define_method(kind, "evaluate", _settled("evaluate", forms["evaluate"], made))
    for name, value in constants_of(own.game).items():
        _define_constant(kind, name, value)
    for name in ("side", "payoff", "moves", "play"):
        with explained(name):
            more = (made.move,) if name == "play" else ()
            forms[name].compile((made, made.position, *more))
    with explained("the heuristic"):
        forms["evaluate"].compile((made.position,))
    return made


def _settled(name: str, form: Any, kind: GameType) -> Any:
    """Return the method with its result converted to the game's type of positions, moves or
    numbers; None for a method whose result needs no conversion."""
    if name == "play":
        settle = _settler(kind.position, "play answers", "position")
        return GAME_FUNCTIONS.plain(lambda self, position, move: settle(form(self, position, move)))
    if name == "side":
        settle = _settler(INT, "side answers", "0 or 1")
        return GAME_FUNCTIONS.plain(lambda self, position: settle(form(self, position)))
    if name == "moves":
        settle = _settler(kind.move, "moves answers", "list of moves")
        return GAME_FUNCTIONS.plain(
            lambda self, position: [settle(move) for move in form(self, position)]
        )
    if name == "evaluate":
        settle = _settler(INT, "the heuristic answers", "whole number")
        return GAME_FUNCTIONS.plain(lambda self, position: settle(form(position)))
    return None


def _method(form: Any, function: Any, first: str = "") -> Any:
    """Return a function with the parameters of `function`, after `first`, that calls its form."""
    made: dict[str, Any] = {"form": form}
    names = ", ".join(inspect.signature(function).parameters)
    exec(f"def method({first}{names}): return form({names})", made)
    made["method"].__defaults__ = function.__defaults__
    return made["method"]


def _define_constant(kind: Any, name: str, value: Any) -> None:
    constant = constant_of(value)
    overload_attribute(kind, name)(lambda value: lambda value: constant)


@overload_attribute(WalkType, "game")
def _game_of(walk):
    value = walk.game.value
    return lambda walk: value


# Compilation


def compile_entry(
    own: OwnGame, function: Any, walk: type[Block], records: tuple[Any, ...]
) -> tuple[Any, tuple[Any, ...]]:
    """Return `function(walk, ...)` compiled for walks of the class `walk` and these `records`, and
    the arguments that `stored.save` needs after the digest."""
    GAME_FUNCTIONS.define_methods(WalkType, walk)
    for record in records:
        define_record(record)
    if "type" not in own.forms:
        own.forms["type"] = game_type(own)
    kind = own.forms["type"]
    names = ", ".join(list(inspect.signature(function).parameters)[1:])
    scope = {"form": GAME_FUNCTIONS.form(function), "cast": _cast(WalkType(walk, kind))}
    exec(f"def entry(address, {names}): return form(cast(address), {names})", scope)
    entry: Any = numba.njit(**{**OPTIONS, "no_cpython_wrapper": False})(scope["entry"])
    with explained("its methods"):
        entry.compile((INT,) * len(inspect.signature(scope["entry"]).parameters))
    (compiled,) = entry.overloads.values()
    forms = [*GAME_FUNCTIONS.forms.values(), *kind.scope.forms.values()]
    return entry, (compiled.library, compiled.fndesc.llvm_cpython_wrapper_name, forms)


# Conversion of results


def _settler(kind: Any, said: str, expected: str) -> Any:
    """Return a compiled function that converts a value to the type `kind`. The messages of its
    errors begin with `said`."""

    def settle(value: Any) -> Any:
        raise NotImplementedError

    @overload(settle, strict=False)
    def _settle(value):
        lines: list[str] = []
        result = _conversion(kind, value, "value", lines)
        if result is None:
            raise numba.core.errors.TypingError(f"{said} {value}; expected a {expected}")
        scope = {"exactly": exactly, "int64": types.int64, **classes_in(kind)}
        exec(
            "def settled(value):\n"
            + "".join(f"    {line}\n" for line in lines)
            + f"    return {result}\n",
            scope,
        )
        return scope["settled"]

    return numba.njit(**OPTIONS)(lambda value: settle(value))


def _conversion(kind: Any, given: Any, text: str, lines: list[str]) -> str | None:
    """Return an expression that converts the expression `text`, of type `given`, to the type
    `kind`; None if that is impossible. Append to `lines` the statements that must run before."""
    given = types.unliteral(given)
    if not isinstance(kind, TUPLE):
        return f"int64({text})" if isinstance(given, types.Integer | types.Boolean) else None
    if isinstance(given, types.List):
        given = types.UniTuple(given.dtype, len(kind))
        text, listed = f"v{len(lines)}", text
        lines.append(f"{text} = exactly({listed}, {len(kind)})")
    if not isinstance(given, TUPLE) or len(given) != len(kind):
        return None
    parts = [
        _conversion(of, item, f"{text}[{index}]", lines)
        for index, (of, item) in enumerate(zip(kind, given, strict=True))
    ]
    if None in parts:
        return None
    made = f"({', '.join(map(str, parts))},)"
    if isinstance(kind, NAMED):
        return f"{kind.instance_class.__name__}(*{made})"
    return made


def _exactly(values: Any, count: int) -> Any:
    if len(values) != count:
        raise ValueError("a position or move has another number of items than the first one")
    return values


exactly = numba.njit(**OPTIONS)(_exactly)


def _none_of(kind: Any) -> Any:
    """Return a compiled function that makes an empty list of items of this type."""

    @intrinsic
    def nothing(typing_context: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return context.get_constant_null(kind)

        return kind(), generate

    def none() -> Any:
        found = [nothing()]
        found.pop()
        return found

    return numba.njit(**OPTIONS)(none)


# Primitives


def _leaves(context: Any, builder: Any, kind: Any, value: Any) -> list[Any]:
    """Return the words of a value: the numbers in its nested tuples."""
    if not isinstance(kind, TUPLE):
        return [value]
    return [
        leaf
        for index, item in enumerate(kind)
        for leaf in _leaves(context, builder, item, builder.extract_value(value, index))
    ]


def _build(context: Any, builder: Any, kind: Any, words: list[Any]) -> Any:
    """Return the value made of the first words in the list; remove these words from the list."""
    if not isinstance(kind, TUPLE):
        return words.pop(0)
    items = [_build(context, builder, item, words) for item in kind]
    return context.make_tuple(builder, kind, items)


def _count(kind: Any) -> int:
    return sum(map(_count, kind)) if isinstance(kind, TUPLE) else 1


@intrinsic
def _write(typing_context: Any, words: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        for index, leaf in enumerate(_leaves(context, builder, value, arguments[1])):
            place = ir.Constant(WORD_TYPE, index)
            builder.store(leaf, _pointer(context, builder, arguments[0], place))
        return context.get_dummy_value()

    return types.void(WORDS, value), generate


def _reader(field: str) -> Any:
    """Return an intrinsic that reads a value from words; `field` is `position` or `move`."""

    @intrinsic
    def read(typing_context: Any, game: Any, words: Any) -> Any:
        kind = getattr(game, field)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            places = [ir.Constant(WORD_TYPE, index) for index in range(_count(kind))]
            found = [
                builder.load(_pointer(context, builder, arguments[1], place)) for place in places
            ]
            return _build(context, builder, kind, found)

        return kind(game, WORDS), generate

    return read


@intrinsic
def _width_of(typing_context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return ir.Constant(WORD_TYPE, _count(value))

    return INT(value), generate


@intrinsic
def _number_or(typing_context: Any, value: Any, other: Any) -> Any:
    place = 1 if isinstance(value, TUPLE) else 0
    return INT(value, INT), lambda context, builder, signature, arguments: arguments[place]


PRIMITIVES.update(
    write=_write,
    read_position=_reader("position"),
    read_move=_reader("move"),
    width_of=_width_of,
    number_or=_number_or,
)
