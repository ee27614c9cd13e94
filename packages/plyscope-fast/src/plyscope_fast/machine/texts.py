"""Numba definitions to compile the source of a reference algorithm: the methods of its walk, the
records that these create, and the moves that it loops over."""

from __future__ import annotations

import inspect
import operator
from functools import cache
from types import FunctionType
from typing import Any

import numba
from numba.core import cgutils, types
from numba.core.imputils import RefType, iternext_impl, lower_builtin
from numba.core.types.common import SimpleIterableType, SimpleIteratorType
from numba.extending import (
    intrinsic,
    make_attribute_wrapper,
    models,
    overload,
    overload_attribute,
    overload_method,
    register_model,
)

from plyscope_fast.machine.block import Block, Listed, fields_of
from plyscope_fast.machine.numba_types import (
    OPTIONS,
    WORD_TYPE,
    WORDS,
    BlockType,
    WordModel,
    _forget_literals,
    _pointer,
)

# Functions and methods


class FunctionSet:
    """A set of functions of plyscope, each compiled once, all with the same options."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.forms: dict[Any, Any] = {}

    def form(self, function: Any) -> Any:
        """Return the compiled form of a function, which calls compiled forms of other functions."""
        if function not in self.forms:
            plain = self.plain(function)
            self.forms[function] = form = numba.njit(**self.options)(plain)
            _forget_literals(form)
            if plain.__globals__.get(function.__name__) is function:
                plain.__globals__[function.__name__] = form
        return self.forms[function]

    def plain(self, function: Any) -> Any:
        """Return a copy of a function that calls the compiled forms of the functions it names."""
        scope = dict(function.__globals__)
        plain = FunctionType(
            function.__code__, scope, function.__name__, function.__defaults__, function.__closure__
        )
        for name in function.__code__.co_names:
            if isinstance(value := scope.get(name), FunctionType) and value is not function:
                scope[name] = self.form(value)
        return plain

    @cache  # noqa: B019 # there are only two sets
    def define_methods(self, kind: Any, declared: type) -> None:
        """Define the public methods and properties of the class `declared` for Numba values of type
        `kind`."""
        fields: Any = fields_of(declared) if issubclass(declared, Block) else ()
        for name, found in vars(declared).items():
            is_inherited = any(name in vars(base) for base in declared.__mro__[1:])
            if name.startswith("_") or name in fields or is_inherited:
                continue  # used by Python only, a field in memory, or defined by a base class
            if isinstance(found, FunctionType):
                define_method(kind, name, self.plain(found), self.options)
            elif isinstance(found, property):
                define_property(kind, name, self.form(found.fget))


KERNEL_FUNCTIONS = FunctionSet(OPTIONS)
"""The functions compiled with the options of kernels."""


def define_method(
    kind: Any, name: str, function: Any, options: dict[str, Any] | None = None
) -> None:
    """Define `function` as the method `name` of Numba values of type `kind`."""
    parameters = inspect.signature(function).parameters.values()
    names = ", ".join(map(str, (each.replace(annotation=each.empty) for each in parameters)))
    made: dict[str, Any] = {"function": function}
    exec(f"def typed({names}): return function", made)
    chosen: Any = {} if options is None else {"jit_options": {**options, "forceinline": True}}
    overload_method(kind, name, **chosen)(made["typed"])


def define_property(kind: Any, name: str, form: Any) -> None:
    """Define the compiled `form` as the property `name` of Numba values of type `kind`."""
    # Numba calls the outer function with the type of the value, and compiles the inner one
    overload_attribute(kind, name)(lambda value: lambda value: form(value))


@cache
def walk_type(declared: Any, constants: tuple[tuple[str, int], ...]) -> BlockType:
    """Return the Numba type of a class of walks, with its methods, its records, and `constants`
    (names and values) as attributes."""
    kind: type[BlockType] = type(declared.__name__, (BlockType,), {})
    register_model(kind)(WordModel)
    for record in declared.records:
        define_record(record)
    KERNEL_FUNCTIONS.define_methods(kind, declared)
    for name, value in constants:
        define_property(kind, name, KERNEL_FUNCTIONS.form(_constantly(value)))
    return kind(declared)


def _constantly(value: int) -> Any:
    return lambda walk: value


# Records


class RecordType(types.Type):
    """The Numba type of a record, made of the types of its fields. Each class of records has its
    own subclass."""

    def __init__(self, declared: Any, items: tuple[Any, ...]) -> None:
        self.declared, self.items = declared, tuple(map(types.unliteral, items))
        super().__init__(f"{declared.__name__}{self.items}")


@cache
def define_record(declared: Any) -> None:
    """Define a class of records for Numba: its constructor, fields and methods."""
    kind: type[RecordType] = type(declared.__name__, (RecordType,), {})
    names = list(declared.__annotations__)

    @register_model(kind)
    class Model(models.StructModel):
        def __init__(self, manager: Any, made: Any) -> None:
            super().__init__(manager, made, list(zip(names, made.items, strict=True)))

    @intrinsic
    def pack(typing_context: Any, values: Any) -> Any:
        made = kind(declared, tuple(values))

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            record = cgutils.create_struct_proxy(made)(context, builder)
            for index, (name, of, to) in enumerate(zip(names, values, made.items, strict=True)):
                value = builder.extract_value(arguments[0], index)
                setattr(record, name, context.cast(builder, value, of, to))
            if context.enable_nrt:
                context.nrt.incref(builder, made, record._getvalue())
            return record._getvalue()

        return made(values), generate

    parameters = ", ".join(names)
    made: dict[str, Any] = {"pack": pack}
    exec(f"def typed({parameters}): return lambda {parameters}: pack(({parameters},))", made)
    overload(declared, strict=False)(made["typed"])
    for name in names:
        make_attribute_wrapper(kind, name, name)
    KERNEL_FUNCTIONS.define_methods(kind, declared)


@overload(operator.eq)
def _is_word(choice, word):
    if isinstance(choice, RecordType) and isinstance(word, types.StringLiteral):
        number = choice.declared.words.index(word.literal_value)
        return lambda choice, word: choice.number == number
    return None


# Moves


class ListedType(SimpleIterableType):
    """The Numba type of `Listed`."""

    def __init__(self) -> None:
        super().__init__("Listed", LoopType())


class LoopType(SimpleIteratorType):
    """The Numba type of an iterator over a `Listed`."""

    def __init__(self) -> None:
        super().__init__("Loop", types.int64)


LISTED: Any = ListedType()


@register_model(ListedType)
class _ListedModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("words", types.int64), ("count", types.int64)])


@register_model(LoopType)
class _LoopModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        fields = [("words", types.int64), ("count", types.int64)]
        super().__init__(manager, kind, [*fields, ("at", types.EphemeralPointer(types.int64))])


@intrinsic
def _listed(typing_context: Any, words: Any, count: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = cgutils.create_struct_proxy(LISTED)(context, builder)
        made.words, made.count = arguments
        return made._getvalue()

    return LISTED(WORDS, types.int64), generate


@overload(Listed)
def _make_listed(words, count):
    return lambda words, count: _listed(words, count)


@lower_builtin("getiter", ListedType)
def _begin(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    listed = cgutils.create_struct_proxy(LISTED)(context, builder, arguments[0])
    loop = cgutils.create_struct_proxy(LISTED.iterator_type)(context, builder)
    loop.words, loop.count = listed.words, listed.count
    loop.at = cgutils.alloca_once_value(builder, WORD_TYPE(0))
    return loop._getvalue()


@lower_builtin("iternext", LoopType)
@iternext_impl(RefType.UNTRACKED)
def _next(context: Any, builder: Any, signature: Any, arguments: Any, result: Any) -> None:
    loop = cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0])
    at = builder.load(loop.at)
    is_valid = builder.icmp_signed("<", at, loop.count)
    result.set_valid(is_valid)
    with builder.if_then(is_valid):
        result.yield_(builder.load(_pointer(context, builder, loop.words, at)))
        builder.store(builder.add(at, WORD_TYPE(1)), loop.at)
