"""Numba types for kernels, primitives and typed memory, and the code generated for them.

A block, words and rows are represented by their address, a 64-bit integer; a packed word by the
word; constants need no data. Attributes of blocks become loads and stores, attributes of packed
words become shifts and masks. Numba finds these definitions by the types of values in kernels; no
Python code calls them.
"""

from __future__ import annotations

import operator
from functools import cache
from typing import Any, cast, get_args, get_origin

import numba
from llvmlite import ir
from numba.core import types
from numba.core.imputils import (
    lower_constant,
    lower_getattr_generic,
    lower_setattr_generic,
)
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    intrinsic,
    models,
    overload,
    overload_method,
    register_model,
    typeof_impl,
)

from plyscope.searching.accelerator import CannotCompile
from plyscope_fast.machine.block import (
    Block,
    Constants,
    Packed,
    Rows,
    Typed,
    Words,
    fields_of,
    packer_source,
    places_of,
    signed,
)
from plyscope_fast.machine.kernel import Kernel, Primitive

WORD_TYPE: Any = ir.IntType(64)
OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
}


@intrinsic
def _get(typing_context: Any, base: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_pointer(context, builder, *arguments))

    return types.int64(base, types.int64), generate


@intrinsic
def _put(typing_context: Any, base: Any, index: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _pointer(context, builder, *arguments[:2]))
        return context.get_dummy_value()

    return types.void(base, types.int64, types.int64), generate


def _pointer(context: Any, builder: Any, base: Any, index: Any) -> Any:
    memory = builder.inttoptr(base, ir.IntType(64).as_pointer())
    return builder.gep(memory, [index])


@intrinsic
def _shifted(typing_context: Any, number: Any, count: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.lshr(*arguments)

    return types.int64(types.int64, types.int64), generate


@intrinsic
def _lowest(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), generate


@intrinsic
def _ones(typing_context: Any, number: Any) -> Any:
    """Count the set bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.cast(builder, builder.ctpop(arguments[0]), number, types.int64)

    return types.int64(number), generate


@intrinsic
def _highest(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], context.get_constant(types.boolean, True))
        return builder.sub(context.get_constant(types.int64, 63), zeros)

    return types.int64(types.int64), generate


@intrinsic
def _prefetch(typing_context: Any, base: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        flag, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        declared = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
        call = builder.module.globals.get("llvm.prefetch.p0i8") or ir.Function(
            builder.module, declared, "llvm.prefetch.p0i8"
        )
        place = builder.bitcast(_pointer(context, builder, *arguments), byte)
        builder.call(call, [place, flag(0), flag(3), flag(1)])  # to read; high locality; data
        return context.get_dummy_value()

    return types.void(base, types.int64), generate


@intrinsic
def _ask(typing_context: Any, function: Any, mine: Any, theirs: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        called = builder.inttoptr(arguments[0], ir.FunctionType(word, [word, word]).as_pointer())
        return builder.call(called, arguments[1:])

    return types.int64(types.int64, types.int64, types.int64), generate


@intrinsic
def _clock(typing_context: Any) -> Any:
    """Mark the place by a call for which processors have no code; `wheels/library.py` replaces it
    in the library for a browser."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        name, declared = "llvm.sideeffect", ir.FunctionType(ir.VoidType(), [])
        mark = builder.module.globals.get(name) or ir.Function(builder.module, declared, name)
        builder.call(mark, [])
        return context.get_dummy_value()

    return types.void(), generate


PRIMITIVES: dict[str, Any] = {
    "shifted": _shifted,
    "lowest": _lowest,
    "highest": _highest,
    "ones": _ones,
    "prefetch": _prefetch,
    "ask": _ask,
    "clock": _clock,
    "allocate": types.ExternalFunction("calloc", types.int64(types.int64, types.int64)),
    "release": types.ExternalFunction("free", types.void(types.int64)),
}


class WordsType(types.Type):
    """The Numba type of Words, which are represented by their address."""


class RowsType(types.Type):
    """The Numba type of Rows, which are represented by their address."""

    def __init__(self, item: Any) -> None:
        self.item = item
        super().__init__(f"Rows[{item}]")


class BlockType(types.Type):
    """The Numba type of a class of blocks, which are represented by their address."""

    def __init__(self, declared: type[Block]) -> None:
        self.declared = declared
        super().__init__(f"{declared.__module__}.{declared.__qualname__}")


class PackedType(types.Type):
    """The Numba type of a class of packed words, which are represented by the word."""

    def __init__(self, declared: type[Packed]) -> None:
        self.declared = declared
        super().__init__(f"{declared.__module__}.{declared.__qualname__}")


class ConstantsType(types.Type):
    """The Numba type of one value of a class of Constants; it has no data at run time."""

    def __init__(self, constants: Constants) -> None:
        self.constants = constants
        super().__init__(repr(constants))


class ClassType(types.Dispatcher):
    """The Numba type of a class of typed memory itself. A call packs fields; `of` makes an object
    from a word; `size` returns the number of words."""

    def __init__(self, declared: Typed) -> None:
        self.declared = declared
        super().__init__(_packer_of(declared))


WORDS = WordsType("Words")


class WordModel(models.PrimitiveModel):
    """The data model of values that are represented by one 64-bit word."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD_TYPE)


for _kind in (WordsType, RowsType, BlockType, PackedType):
    register_model(_kind)(WordModel)


@register_model(ConstantsType)
class _NothingModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [])


register_model(ClassType)(models.OpaqueModel)


@cache
def type_of(kind: Any) -> Any:
    """Return the Numba type for an annotation of a kernel or a field."""
    if kind in PLAIN_TYPES:
        return PLAIN_TYPES[kind]
    if kind is Words:
        return WORDS
    if get_origin(kind) is Rows:
        return RowsType(type_of(get_args(kind)[0]))
    if issubclass(kind, Packed):
        return PackedType(kind)
    if issubclass(kind, Block):
        return BlockType(kind)
    raise CannotCompile(f"{kind!r} in the annotation of a kernel or a field")


PLAIN_TYPES = {int: types.int64, bool: types.boolean, type(None): types.void}


@typeof_impl.register(Kernel)
def _typeof_kernel(kernel: Kernel, _: Any) -> Any:
    return types.Dispatcher(form_of(kernel))


@typeof_impl.register(Primitive)
def _typeof_primitive(primitive: Primitive, _: Any) -> Any:
    return numba.core.registry.cpu_target.typing_context.resolve_value_type(
        PRIMITIVES[primitive.name]
    )


@typeof_impl.register(Constants)
def _typeof_constants(constants: Constants, _: Any) -> Any:
    return ConstantsType(constants)


@typeof_impl.register(Typed)
def _typeof_class(declared: Typed, _: Any) -> Any:
    return ClassType(declared)


@lower_constant(ConstantsType)
@lower_constant(ClassType)
def _nothing(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.get_value_type(kind)(ir.Undefined)


def _cast(kind: Any) -> Any:
    """Return an intrinsic that makes a value of type `kind` from a word."""

    @intrinsic
    def cast(typing_context: Any, word: Any) -> Any:
        return kind(types.int64), lambda context, builder, signature, arguments: arguments[0]

    return cast


@cache
def _caster(kind: Any) -> Any:
    cast = _cast(kind)
    return numba.njit(forceinline=True, **OPTIONS)(lambda word: cast(word))


@cache
def _packer_of(declared: Typed) -> Any:
    """Return the compiled function that packs the fields of a class of packed words; for other
    classes, which kernels do not call, return one that does nothing."""
    if not issubclass(declared, Packed):
        return numba.njit(lambda: None)
    scope: dict[str, Any] = {}
    exec(packer_source(declared), scope)
    pack, cast = numba.njit(forceinline=True, **OPTIONS)(scope["pack"]), _cast(type_of(declared))
    _forget_literals(pack)
    names = ", ".join(places_of(declared))
    scope = {"pack": pack, "cast": cast}
    exec(f"def packed({names}): return cast(pack({names}))", scope)
    form = numba.njit(forceinline=True, **OPTIONS)(scope["packed"])
    _forget_literals(form)
    return form


@cache
def _size_of(declared: Any) -> Any:
    size = declared.size()
    return numba.njit(forceinline=True, **OPTIONS)(lambda: size)


@infer_getattr
class _AttributesOfClass(AttributeTemplate):
    key = ClassType

    def generic_resolve(self, kind: ClassType, name: str) -> Any:
        if name == "of":
            declared: Any = kind.declared
            return types.Dispatcher(_caster(type_of(declared)))
        if name == "size":
            return types.Dispatcher(_size_of(kind.declared))
        return None


@lower_getattr_generic(ClassType)
def _attribute_of_class(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    return context.get_dummy_value()


@infer_getattr
class _Fields(AttributeTemplate):
    key = BlockType

    def generic_resolve(self, kind: BlockType, name: str) -> Any:
        if name == "address":
            return types.int64
        field = fields_of(kind.declared).get(name)
        return None if field is None else type_of(field.hint)


@lower_getattr_generic(BlockType)
def _load(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    if name == "address":
        return value
    field = fields_of(kind.declared)[name]
    if field.words:
        return builder.add(value, WORD_TYPE(8 * field.place))
    word = builder.load(_pointer(context, builder, value, WORD_TYPE(field.place)))
    return builder.icmp_signed("!=", word, WORD_TYPE(0)) if field.kind is bool else word


@lower_setattr_generic(BlockType)
def _store(context: Any, builder: Any, signature: Any, arguments: Any, name: str) -> None:
    field = fields_of(signature.args[0].declared)[name]
    word = builder.zext(arguments[1], WORD_TYPE) if field.kind is bool else arguments[1]
    builder.store(word, _pointer(context, builder, arguments[0], WORD_TYPE(field.place)))


@infer_getattr
class _Bits(AttributeTemplate):
    key = PackedType

    def generic_resolve(self, kind: PackedType, name: str) -> Any:
        return types.int64 if name == "word" or name in places_of(kind.declared) else None


@lower_getattr_generic(PackedType)
def _bits(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    if name == "word":
        return value
    shift, count, is_signed = places_of(kind.declared)[name]
    if is_signed:
        value = builder.shl(value, WORD_TYPE(64 - shift - count))
        return builder.ashr(value, WORD_TYPE(64 - count))
    value = builder.lshr(value, WORD_TYPE(shift))
    return value if shift + count == 64 else builder.and_(value, WORD_TYPE((1 << count) - 1))


@infer_getattr
class _Numbers(AttributeTemplate):
    key = ConstantsType

    def generic_resolve(self, kind: ConstantsType, name: str) -> Any:
        value = getattr(kind.constants, name)
        if isinstance(value, tuple):
            return types.UniTuple(types.int64, len(value))
        return types.boolean if isinstance(value, bool) else types.int64


@lower_getattr_generic(ConstantsType)
def _number(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    number = getattr(kind.constants, name)
    if isinstance(number, tuple):
        shape = types.UniTuple(types.int64, len(number))
        return context.get_constant_generic(builder, shape, tuple(map(signed, number)))
    if isinstance(number, bool):
        return context.get_constant(types.boolean, number)
    return context.get_constant(types.int64, signed(number))


@infer_getattr
class _OfWords(AttributeTemplate):
    key = WordsType

    def resolve_address(self, kind: Any) -> Any:
        return types.int64


@infer_getattr
class _OfRows(_OfWords):
    key = RowsType


@lower_getattr_generic(WordsType)
@lower_getattr_generic(RowsType)
def _address(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    return value


@intrinsic
def _offset(typing_context: Any, words: Any, count: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.add(arguments[0], builder.shl(arguments[1], WORD_TYPE(3)))

    return WORDS(WORDS, types.int64), generate


@intrinsic
def _row(typing_context: Any, rows: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if isinstance(rows.item, BlockType):
            size = WORD_TYPE(8 * rows.item.declared.size())
            return builder.add(arguments[0], builder.mul(arguments[1], size))
        return builder.load(_pointer(context, builder, *arguments))

    return rows.item(rows, types.int64), generate


@overload(operator.getitem)
def _get_item(words, index):
    if isinstance(words, WordsType):
        return lambda words, index: _get(words, index)
    if isinstance(words, RowsType):
        return lambda words, index: _row(words, index)
    return None


@overload(operator.setitem)
def _set_item(words, index, value):
    if isinstance(words, WordsType):
        return lambda words, index, value: _put(words, index, value)
    if isinstance(words, RowsType) and isinstance(words.item, PackedType):
        return lambda words, index, value: _put(words, index, value.word)
    return None


@overload_method(WordsType, "offset")
def _offset_of(words, count):
    return lambda words, count: _offset(words, count)


def form_of(kernel: Kernel) -> Any:
    """Return the Numba function of the kernel, which is made once."""
    if kernel.compiled is None:
        kernel.compiled = numba.njit(forceinline=kernel.is_inlined, **OPTIONS)(kernel.function)
        _forget_literals(kernel.compiled)
    return kernel.compiled


def _forget_literals(form: Any) -> None:
    """Prevent Numba from compiling a function again for each constant argument. That would break
    functions that call themselves."""
    fold, unliteral = form._compiler.fold_argument_types, cast(Any, types.unliteral)

    def folded(positional: Any, named: Any) -> Any:
        signature, found = fold(positional, named)
        return signature, tuple(unliteral(each) for each in found)

    form._compiler.fold_argument_types = folded
