"""Typed memory, which kernels and Python read and write by the names of fields.

    Words      64-bit integers that start at an address: words[index]
    Rows[T]    an array of blocks or packed words of one class: rows[index].field
    Block      declared fields of 64 bits each; the class that declares them *is* the layout
    Packed     one word of 64 bits with named fields of a few bits, the lowest first
    Constants  numbers that a kernel is compiled with

Kernels and Python use the same classes. In a kernel a block is its address, an attribute is a load
or a store, a packed word is an integer and a constant costs nothing. Python reads and writes the
same memory, slowly. A type checker sees plain classes.

    class Root(Block):
        value: int
        nodes: int

    class Board(Block):
        nodes: int                       # calls of `enter`
        stones: Annotated[Words, 2]      # [side]  in place: two words of the block itself
        keys: Words                      # [cells, 2]  elsewhere: the address of its first word
        root: Rows[Root]                 # [cells]

    @kernel
    def count(board: Board, cell: int) -> None:
        board.nodes += 1
        board.root[cell].nodes += 1
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, MutableSequence, Sequence
from ctypes import c_int64
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    NamedTuple,
    Self,
    TypeVar,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

T = TypeVar("T", bound="Block | Packed")
WORD_BYTES = 8
"""Bytes of a word."""


def signed(number: int) -> int:
    """Return the signed number whose 64 bits are those of `number` modulo 2⁶⁴."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


class Typed(type):
    """The metaclass of the classes that kernels accept as types."""


class Words(metaclass=Typed):
    """64-bit integers that start at `address`; their number is not stored."""

    __slots__ = ("_as_parameter_", "address")

    def __init__(self, address: int) -> None:
        self.address = self._as_parameter_ = address

    @classmethod
    def of(cls, address: int) -> Words:
        """Return the words that begin at an address."""
        return cls(address)

    def __getitem__(self, index: int) -> int:
        return c_int64.from_address(self.address + WORD_BYTES * index).value

    def __setitem__(self, index: int, number: int) -> None:
        c_int64.from_address(self.address + WORD_BYTES * index).value = number

    def offset(self, count: int) -> Words:
        """Return the words that begin `count` words later."""
        return Words(self.address + WORD_BYTES * count)


class Rows(Generic[T], metaclass=Typed):
    """An array of blocks, or of packed words, of one class, which starts at `address`."""

    def __init__(self, address: int, item: type[T]) -> None:
        self.address, self.item = address, item
        self._as_parameter_ = address

    def __getitem__(self, index: int) -> T:
        if issubclass(self.item, Block):
            return self.item.of(self.address + WORD_BYTES * self.item.size() * index)
        return self.item.of(Words(self.address)[index])

    def __setitem__(self, index: int, packed: T) -> None:
        """Store a packed word; blocks are written field by field instead."""
        assert isinstance(packed, Packed)
        Words(self.address)[index] = packed.word


class Field(NamedTuple):
    """The place and the type of a field of a block."""

    place: int
    """The index of its first word in the block."""
    kind: Any
    """int, bool, Words, Rows, or a class of blocks or packed words."""
    hint: Any
    """The declared type, with the items of Rows."""
    item: Any
    """The class of the items of Rows."""
    words: int
    """The number of words or rows in place; 0 if the field is one word."""


@cache
def fields_of(declared: type[Block]) -> dict[str, Field]:
    """Return the fields of a class of blocks by name, those of its base classes first."""
    fields: dict[str, Field] = {}
    place = 0
    for name, hint in get_type_hints(declared, include_extras=True).items():
        if get_origin(hint) is ClassVar or name in vars(Block).get("__annotations__", ()):
            continue
        words = 0
        if get_origin(hint) is Annotated:
            hint, words = get_args(hint)
        item = get_args(hint)[0] if get_origin(hint) is Rows else None
        fields[name] = Field(place, get_origin(hint) or hint, hint, item, words)
        place += _width(item, words)
    return fields


class _Access:
    """A descriptor of a block's field, which replaces itself by a property on first use."""

    def __init__(self, name: str, declaring: type[Block]) -> None:
        self.name, self.declaring = name, declaring

    def _settle(self) -> Any:
        settled = _property(self.name, fields_of(self.declaring)[self.name])
        setattr(self.declaring, self.name, settled)
        return settled

    def __get__(self, block: Block | None, owner: type[Block]) -> Any:
        return self._settle().__get__(block, owner)

    def __set__(self, block: Block, value: Any) -> None:
        self._settle().__set__(block, value)


def _property(name: str, field: Field) -> property:
    """Return the property by which Python reads and writes a field."""
    place, kind, item = field.place, field.kind, field.item

    def number_of(block: Block) -> int:
        return block.words[place]

    def made_of(block: Block) -> Any:
        word = block.address + WORD_BYTES * place if field.words else block.words[place]
        return Rows(word, item) if kind is Rows else kind(word) if kind is bool else kind.of(word)

    def write(block: Block, value: Any) -> None:
        if field.words:
            raise AttributeError(f"{name!r} is an array in place; expected {name}[index] =")
        block.words[place] = getattr(value, "word", getattr(value, "address", value))

    return property(number_of if kind is int else made_of, write)


class Block(metaclass=Typed):
    """Memory with declared fields, which starts at `address`.

    A subclass declares its fields by annotations, in order, after those of its base classes. `int`
    and `bool` are stored as a word; `Words`, `Rows[T]` and other blocks as an address;
    `Annotated[Words, n]` and `Annotated[Rows[T], n]` in place.
    """

    address: int
    _as_parameter_: int
    words: MutableSequence[int]
    """The memory as a sequence of words; for a block from `of`, only the words of its fields."""

    def __init_subclass__(cls) -> None:
        for name, hint in vars(cls).get("__annotations__", {}).items():
            if not str(hint).startswith(("ClassVar", "typing.ClassVar")):
                setattr(cls, name, _Access(name, cls))

    def __init__(self, more: Sequence[int] = (), **fields: int | Sequence[int]) -> None:
        """Make a block of zeros that owns its memory, with `more` words after its fields.

        `fields` are numbers or sequences. A sequence is copied into a field that is in place;
        otherwise it is stored after the fields, and the field holds its address.
        """
        words = self.words = array("q", bytes(WORD_BYTES * self.size()))
        declared, laid = fields_of(type(self)), []
        for name, value in fields.items():
            place = declared[name].place
            if isinstance(value, int):
                words[place] = value
            elif declared[name].words:
                words[place : place + len(value)] = array("q", value)
            else:
                laid.append((place, len(words)))
                words.extend(value)
        words.extend(more)
        self.address = self._as_parameter_ = words.buffer_info()[0]
        for place, begin in laid:
            words[place] = self.address + WORD_BYTES * begin

    @classmethod
    def of(cls, address: int) -> Self:
        """Return the block at an address, without owning its memory."""
        block = cls.__new__(cls)
        block.address = block._as_parameter_ = address
        block.words = cast(Any, (c_int64 * cls.size()).from_address(address))
        return block

    @classmethod
    @cache
    def size(cls) -> int:
        """Return the number of words of its fields."""
        return sum(_width(field.item, field.words) for field in fields_of(cls).values())

    def index_of(self, field: str) -> int:
        """Return the index in `words` of the memory of a field, which the block owns."""
        return (self.words[fields_of(type(self))[field].place] - self.address) // WORD_BYTES

    def rows(self, field: str, count: int) -> list[tuple[int, ...]]:
        """Return the words of the first `count` blocks of a field, which the block owns. One read
        of all is faster than a read of each."""
        begin, size = self.index_of(field), fields_of(type(self))[field].item.size()
        words = iter(self.words[begin : begin + size * count])
        return list(zip(*[words] * size, strict=True))


def _width(item: Any, count: int) -> int:
    """Return the number of words of a field with `count` items in place, 0 for a single word."""
    is_block = isinstance(item, type) and issubclass(item, Block)
    return max(1, count * (item.size() if is_block else 1))


class Record:
    """Named values, with methods and properties. A subclass annotates the names. Only compiled code
    creates records."""

    def __init__(self, *values: Any) -> None:
        raise NotImplementedError


class Listed:
    """The first `count` of `words`, for a loop in compiled code."""

    def __init__(self, words: Words, count: int) -> None:
        raise NotImplementedError

    def __iter__(self) -> Iterator[int]:
        raise NotImplementedError


@dataclass(frozen=True)
class Bits:
    """The number of bits of a field of a packed word, and whether the field is signed."""

    count: int
    is_signed: bool = False


class Place(NamedTuple):
    """The place of a field in a packed word: `width` bits, the lowest of which is bit `shift`."""

    shift: int
    width: int
    is_signed: bool


@dataclass_transform(kw_only_default=True)
class Packed(metaclass=Typed):
    """One word of 64 bits. A subclass declares its fields, the lowest bits first:

        class Entry(Packed):
            bound: Annotated[int, Bits(2)]
            depth: Annotated[int, Bits(14)]
            move: Annotated[int, Bits(16)]
            score: Annotated[int, Bits(32, is_signed=True)]

    `Entry(bound=…, depth=…, move=…, score=…)` packs the fields: all must be given, and fit.
    `Entry.of(word)` makes an entry from an integer; `entry.word` is the integer.
    """

    word: ClassVar[int]

    def __init__(self, **numbers: int) -> None:
        self.__dict__["word"] = _packer(type(self))(**numbers)

    @classmethod
    def of(cls, word: int) -> Self:
        """Return the packed word with the bits of the integer `word`."""
        packed = cls.__new__(cls)
        packed.__dict__["word"] = word
        return packed

    def __getattr__(self, name: str) -> Any:
        """Define the properties of all fields when one is first read."""
        places = places_of(type(self))
        if name not in places:
            raise AttributeError(f"{type(self).__name__!r} has no field {name!r}")
        for each, place in places.items():
            setattr(type(self), each, _bits(place))
        return getattr(self, name)


@cache
def places_of(declared: type[Packed]) -> dict[str, Place]:
    """Return the places of the fields of a packed word; raise TypeError if they do not fit."""
    places: dict[str, Place] = {}
    shift = 0
    for name, hint in get_type_hints(declared, include_extras=True).items():
        if get_origin(hint) is not ClassVar:
            bits = get_args(hint)[1]
            places[name] = Place(shift, bits.count, bits.is_signed)
            shift += bits.count
    if shift > 64:
        raise TypeError(
            f"the fields of {declared.__name__!r} have {shift} bits; expected at most 64"
        )
    return places


def _bits(place: Place) -> property:
    """Return the property by which Python reads a field of a packed word."""
    shift, mask = place.shift, (1 << place.width) - 1
    sign = 1 << place.width - 1 if place.is_signed else 0

    def number_of(packed: Packed) -> int:
        return ((packed.word >> shift & mask) ^ sign) - sign

    return property(number_of)


@cache
def packer_source(declared: type[Packed]) -> str:
    """Return the source of a function `pack` that has the fields as parameters and returns the
    word."""
    terms = []
    for name, (shift, count, is_signed) in places_of(declared).items():
        is_cut = is_signed and shift + count < 64
        terms.append(
            f"({name} & {(1 << count) - 1}) << {shift}" if is_cut else f"{name} << {shift}"
        )
    return f"def pack({', '.join(places_of(declared))}):\n    return {' | '.join(terms)}\n"


@cache
def _packer(declared: type[Packed]) -> Any:
    scope: dict[str, Any] = {}
    exec(packer_source(declared), scope)
    return lambda **numbers: signed(scope["pack"](**numbers))


class Constants:
    """Numbers that a kernel is compiled with, as its first argument.

    A subclass is a frozen dataclass of integers, booleans and tuples of integers. A kernel is
    compiled separately for each value, as if the numbers were literals in its source.
    """

    @property
    def digest(self) -> str:
        """A digest of the values, used in the file name of the machine code."""
        return sha256(repr(self).encode()).hexdigest()[:12]
