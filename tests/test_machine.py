"""Typed memory: kernels and Python read and write the same words by the same names."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import pytest

from plyscope_fast.machine.block import (
    Bits,
    Block,
    Constants,
    Listed,
    Packed,
    Record,
    Rows,
    Words,
    signed,
)
from plyscope_fast.machine.kernel import kernel, text


class Entry(Packed):
    bound: Annotated[int, Bits(2)]
    change: Annotated[int, Bits(9, is_signed=True)]
    depth: Annotated[int, Bits(14)]
    score: Annotated[int, Bits(39, is_signed=True)]


class Root(Block):
    value: int
    nodes: int


class Board(Block):
    nodes: int
    is_won: bool
    stones: Annotated[Words, 2]
    keys: Words
    root: Rows[Root]
    entries: Rows[Entry]
    best: Root


class Wider(Board):
    more: int


@dataclass(frozen=True)
class Shape(Constants):
    width: int
    is_high: bool
    columns: tuple[int, ...]


@kernel
def visit(board: Board, cell: int, mover: int) -> bool:
    board.nodes += 1
    board.stones[mover] |= 1 << cell
    board.root[cell].nodes += 1
    board.best.value = board.keys[cell] + board.keys.offset(cell)[1]
    board.is_won = board.nodes > 2
    return board.is_won


@kernel
def widen(board: Wider) -> int:
    board.more = 7
    visit(board, 1, 1)
    return Wider.of(board.address).more + board.nodes + 100 * Wider.size()


@kernel
def total(words: Words, roots: Rows[Root], count: int) -> int:
    nodes = 0
    for index in range(count):
        nodes += words[index] + roots[index].nodes
    return nodes


@kernel
def pack(board: Board, bound: int, change: int, depth: int, score: int) -> int:
    board.entries[1] = Entry(bound=bound, change=change, depth=depth, score=score)
    return board.entries[1].word


@kernel
def unpack(word: int, field: int) -> int:
    entry = Entry.of(word)
    if field == 0:
        return entry.bound
    if field == 1:
        return entry.change
    return entry.depth if field == 2 else entry.score


@kernel
def of_shape(shape: Shape, column: int) -> int:
    total = 0
    for at in range(shape.width):
        total += shape.columns[at]
    return total + column if shape.is_high else -column


def board_of(declared: type[Board] = Board) -> tuple[Board, list[Block]]:
    board, keys, roots, best = declared(), Block([10, 20, 30, 40]), Block([0] * 12), Root()
    board.keys, board.root = Words(keys.address), Rows(roots.address, Root)
    board.entries, board.best = Rows(roots.address + 64, Entry), best
    return board, [keys, roots, best]


def test_python_reads_what_a_kernel_has_written() -> None:
    board, kept = board_of()
    assert [visit(board, 2, 0), visit(board, 0, 1), visit(board, 2, 1)] == [False, False, True]
    assert (board.nodes, board.is_won, board.stones[0], board.stones[1]) == (3, True, 4, 5)
    assert [board.root[cell].nodes for cell in range(3)] == [1, 0, 2]
    assert board.best.value == 70
    assert list(kept[1].words)[:6] == [0, 1, 0, 0, 0, 2]


def test_a_kernel_reads_what_python_has_written() -> None:
    board, _kept = board_of()
    board.nodes, board.root[1].nodes, board.keys[3] = 9, 5, -1
    assert visit(board, 1, 0)
    assert board.root[1].nodes == 6
    assert visit(board, 2, 0)
    assert board.best.value == 29


def test_passes_words_and_rows_to_kernels() -> None:
    numbers, roots = Block([1, 20]), Block([0, 300, 0, 4000])
    assert total(Words(numbers.address), Rows(roots.address, Root), 2) == 4321


def test_a_block_begins_with_the_fields_of_its_base() -> None:
    board, _kept = board_of(Wider)
    assert Wider.size() == Board.size() + 1
    assert widen(board) == 8 + 100 * Wider.size()  # type: ignore[arg-type]
    assert board.words[Board.size()] == 7


def test_makes_a_block_with_the_contents_of_its_fields() -> None:
    board = Board(nodes=2, stones=(4, 8), keys=[10, 20, 30], root=[0] * 6, best=[0, 0])
    assert visit(board, 1, 1)
    assert (board.nodes, board.stones[0], board.stones[1]) == (3, 4, 10)
    assert (board.root[1].nodes, board.keys[2]) == (1, 30)
    assert board.best.value == 50


def test_python_and_kernels_pack_the_same_words() -> None:
    board, _kept = board_of()
    draw = random.Random(7)
    for _ in range(300):
        numbers = (
            draw.randrange(4),
            draw.randrange(-256, 256),
            draw.randrange(1 << 14),
            draw.randrange(-(1 << 38), 1 << 38),
        )
        word = pack(board, *numbers)
        packed = Entry(bound=numbers[0], change=numbers[1], depth=numbers[2], score=numbers[3])
        assert packed.word == word == board.entries[1].word
        assert tuple(unpack(word, field) for field in range(4)) == numbers
        assert (packed.bound, packed.change, packed.depth, packed.score) == numbers


def test_compiles_a_kernel_for_its_constants() -> None:
    low, high = Shape(2, False, (3, 4)), Shape(3, True, (1, 2, signed(1 << 63)))
    assert of_shape(low, 5) == -5
    assert of_shape(high, 5) == signed(3 + (1 << 63) + 5)
    assert low.digest != high.digest


def test_rejects_undeclared_fields() -> None:
    class Overfull(Packed):
        first: Annotated[int, Bits(60)]
        second: Annotated[int, Bits(5)]

    board, _kept = board_of()
    with pytest.raises(AttributeError, match="'lies'"):
        _ = Entry.of(3).lies
    with pytest.raises(AttributeError, match="in place"):
        board.stones = Words(0)
    with pytest.raises(TypeError, match="65 bits"):
        _ = Overfull.of(0).first


class Step(Record):
    number: int

    @property
    def doubled(self) -> int:
        return 2 * self.number


class Path(Block):
    records: ClassVar[Any] = (Step,)
    factor: ClassVar[int]
    numbers: Annotated[Words, 3]
    most: int
    added: int

    def steps(self) -> Any:
        return Listed(self.numbers, 3)

    def step(self, number: int) -> Any:
        if number > self.most:
            raise ValueError("too much")
        self.added += 1
        return Step(number)


def sum_of_steps(walk: Any) -> int:
    found = 0
    for number in walk.steps():
        found += walk.factor * walk.step(number).doubled
    return found


def test_compiles_a_text_over_a_block_with_methods() -> None:
    path = Path(numbers=[1, 2, 3], most=9)
    path.most = 5  # used by Python before it is compiled
    assert text(sum_of_steps, Path, factor=10)(path) == 120
    assert path.added == 3


def test_returns_0_from_a_text_that_raises() -> None:
    path = Path(numbers=[1, 7, 3], most=5)
    assert (text(sum_of_steps, Path, factor=10)(path), path.added) == (0, 1)
