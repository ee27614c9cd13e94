"""Files that are damaged, and what becomes of them.

Bits are flipped, bytes changed, parts cut off, put behind, exchanged, taken from another file, or
overwritten. A file may be refused in one line or made anew, and what was damaged in it may be
forgotten; an answer that is not the right one ends the run.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

PAGE = 4096


def flip(draw: random.Random, data: bytearray, other: bytes) -> None:
    for _ in range(draw.choice((1, 1, 2, 20))):
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)


def flip_many(draw: random.Random, data: bytearray, other: bytes) -> None:
    for at in range(draw.randrange(10), len(data), draw.choice((3, 10, 100))):
        data[at] ^= 1 << draw.randrange(8)


def change(draw: random.Random, data: bytearray, other: bytes) -> None:
    data[draw.randrange(len(data))] = draw.choice(
        (0, 0xFF, ord("\n"), ord("1"), draw.randrange(256))
    )


def cut(draw: random.Random, data: bytearray, other: bytes) -> None:
    del data[draw.randrange(len(data)) :]


def cut_little(draw: random.Random, data: bytearray, other: bytes) -> None:
    del data[-draw.randrange(1, 40) :]


def lengthen(draw: random.Random, data: bytearray, other: bytes) -> None:
    data += draw.choice((draw.randbytes(draw.randrange(1, 5000)), bytes(PAGE), b"garbage\n", other))


def exchange(draw: random.Random, data: bytearray, other: bytes) -> None:
    size = min(draw.choice((1, 8, 16, 32, 512, PAGE)), len(data) // 2)
    one, two = (draw.randrange(len(data) - size + 1) // size * size for _ in range(2))
    data[one : one + size], data[two : two + size] = data[two : two + size], data[one : one + size]


def overwrite(draw: random.Random, data: bytearray, other: bytes) -> None:
    size = min(draw.choice((16, 512, PAGE)), len(data))
    at = draw.randrange(len(data) - size + 1) // size * size
    data[at : at + size] = draw.choice((bytes(size), b"\xff" * size, draw.randbytes(size)))


def invert(draw: random.Random, data: bytearray, other: bytes) -> None:
    at = draw.randrange(len(data))
    data[at:] = bytes(byte ^ 0xFF for byte in data[at : at + 2 * PAGE]) + data[at + 2 * PAGE :]


def half_the_pages(draw: random.Random, data: bytearray, other: bytes) -> None:
    for at in range(0, len(data), PAGE):
        if draw.random() < 0.5:
            data[at : at + PAGE] = draw.randbytes(len(data[at : at + PAGE]))


def graft(draw: random.Random, data: bytearray, other: bytes) -> None:
    at = draw.choice((PAGE, draw.randrange(len(data))))
    data[at:] = other[at:]


WAYS = (
    *(flip, flip_many, change, cut, cut_little, lengthen, exchange, overwrite, invert),
    *(half_the_pages, graft),
)


def damaged(draw: random.Random, whole: bytes, other: bytes) -> bytes:
    """Return the file damaged in one way, with a part of `other` perhaps."""
    data = bytearray(whole)
    draw.choice(WAYS)(draw, data, other)
    return bytes(data)


def assert_one_line(error: Exception) -> None:
    assert "\n" not in str(error), error


class Here(Executor):
    """Does jobs at once."""

    def submit(self, function: Callable[..., Any], /, *words: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(function(*words, **options))
        return future


Trial = Callable[[random.Random], str]
"""Damages a file, uses it, and says what became of it; raises AssertionError where something wrong
was believed."""


def tablebases(folder: Path) -> Trial:
    from plyscope import parse_game
    from plyscope.errors import NotationError
    from plyscope_fast.evaluation.tablebase import Tablebase, generate, tablebase

    game, file = parse_game("3,3,2"), folder / "table"
    for name, path in (("4,3,3", folder / "other"), ("3,3,2", file)):
        generate(parse_game(name)).save(path)
    whole, other = file.read_bytes(), (folder / "other").read_bytes()
    kept = folder / "cache" / "tablebases" / f"{game.digest[:16]}.tb"

    def trial(draw: random.Random) -> str:
        data = damaged(draw, whole, other)
        file.write_bytes(data)
        if data == whole:
            return "not changed"
        try:
            Tablebase.load(game, file)
        except NotationError:
            kept.parent.mkdir(0o700, parents=True, exist_ok=True)
            kept.write_bytes(data)
            with (
                patch.dict("os.environ", PLYSCOPE_CACHE=str(folder / "cache")),
                patch("plyscope_fast.evaluation.tablebase._in_memory", {}),
            ):
                assert tablebase(game).probe(game.start()) == (1, 3)
            assert kept.read_bytes() == whole
            return "refused, in the cache made anew"
        raise AssertionError("a damaged table was loaded")

    return trial


def checkpoints(folder: Path) -> Trial:
    from plyscope import parse_game
    from plyscope.errors import OptionError
    from plyscope.solving.ask import Ask
    from plyscope_fast.solving.lines import LinesSolver

    game, file = parse_game("7,4,4"), folder / "checkpoint"
    for name, path in (("6,5,4", folder / "other"), ("7,4,4", file)):
        solver = LinesSolver(parse_game(name), megabytes=1, checkpoint=path)
        for side in (0, 1):
            solver.wins(Ask(solver.game.start()), side)
    spent = solver.nodes
    whole, other = file.read_bytes(), (folder / "other").read_bytes()

    def trial(draw: random.Random) -> str:
        data = damaged(draw, whole, other)
        file.write_bytes(data)
        try:
            solver = LinesSolver(game, megabytes=1, checkpoint=file)
        except OptionError:
            return "refused"
        assert [solver.wins(Ask(game.start()), side).wins for side in (0, 1)] == [False, False]
        assert file.stat().st_size == len(whole)
        if data == whole:
            return "not changed"
        return "some of it searched again" if solver.nodes < spent else "all searched again"

    return trial


def journals(folder: Path) -> Trial:
    from plyscope import parse_game
    from plyscope.errors import OptionError
    from plyscope.solving.ask import Ask
    from plyscope_fast.solving.jobs import solve_in_jobs

    game, file = parse_game("5,5,4"), folder / "journal"
    for name, path in (("6,5,4", folder / "other"), ("5,5,4", file)):
        solve_in_jobs(Ask(parse_game(name).start(), executor=Here(), checkpoint=path), nodes=300)
    whole, other = file.read_bytes(), (folder / "other").read_bytes()

    def trial(draw: random.Random) -> str:
        data = damaged(draw, whole, other)
        file.write_bytes(data)
        try:
            for _ in range(2):
                verdict = solve_in_jobs(
                    Ask(game.start(), executor=Here(), checkpoint=file), nodes=300
                )
                assert verdict.value == 0
        except OptionError:
            assert file.read_bytes() == data
            return "refused"
        return (
            "damaged lines forgotten"
            if "damaged" in verdict.proof
            else "not changed"
            if data == whole
            else "cut back"
        )

    return trial


def kernels(folder: Path) -> Trial:
    from plyscope_fast.machine import compile, kernel, store
    from plyscope_fast.searching import table

    made = {each: compile.compile_kernel(each) for each in (table.store, table.find)}
    with (
        patch("plyscope_fast.machine.store._folder", [folder / "kernels-test"]),
        patch("plyscope_fast.machine.compile.compile_kernel", made.get),
    ):
        for each in made:
            kernel.load(each)
        file, another = (store.file_of(each.file_name) for each in (table.find, table.store))
    whole, other = file.read_bytes(), another.read_bytes()

    def trial(draw: random.Random) -> str:
        data = damaged(draw, whole, other) if draw.random() < 0.95 else other
        file.write_bytes(data)
        with (
            patch("plyscope_fast.machine.store._folder", [file.parent]),
            patch("plyscope_fast.machine.compile.compile_kernel", side_effect=made.get) as compiled,
        ):
            kernel.load(table.find)
        assert (data == whole) != compiled.called
        assert file.read_bytes() == whole
        return "made anew" if compiled.called else "not changed"

    return trial


def records(folder: Path) -> Trial:
    from plyscope import play_match
    from plyscope.errors import NotationError
    from plyscope.lab.judging.reportcard import report_card
    from plyscope.lab.matches.records import Records

    file = folder / "lab.db"
    for path, seed in ((folder / "other", 2), (file, 1)):
        with Records(path) as base:
            play_match("random", "greedy", 60, "4,3,3", seed, records=base)
            play_match("random", "random", 60, "tictactoe", seed, records=base)
            base.keep_card(report_card("open-lines", "3,3,2", 2))
            games = base.pairs(1)[0]
    whole, other = file.read_bytes(), (folder / "other").read_bytes()

    def told() -> Any:
        with Records(file, reading=True) as base:
            experiments = base.experiments()
            pairs = [base.pairs(each.number) for each in experiments]
            return experiments, pairs, list(base.games()), list(base.plies()), base.cards()

    right = told()

    def trial(draw: random.Random) -> str:
        data = damaged(draw, whole, other)
        for left in folder.glob("lab.db*"):
            left.unlink()
        file.write_bytes(data)
        try:
            found = told()
        except NotationError as error:
            assert_one_line(error)
            found = None
        assert found in (None, right) or data == other, "damaged records were believed"
        try:
            with Records(file) as base:
                base.keep(1, 1000, games)
        except NotationError as error:
            assert_one_line(error)
        return (
            "refused"
            if found is None
            else "not changed"
            if data in (whole, other)
            else "all still right"
        )

    return trial


KINDS = {
    "tablebase": tablebases,
    "checkpoint": checkpoints,
    "journal": journals,
    "machine code": kernels,
    "records": records,
}


@contextmanager
def prepared(kind: str) -> Iterator[Trial]:
    """Give the trial of a kind of file, in a folder that is then removed."""
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp())
        stack.callback(shutil.rmtree, folder)
        yield KINDS[kind](folder)


def campaign(kind: str, times: int) -> Counter[str]:
    """Return how often what became of a damaged file."""
    with prepared(kind) as trial:
        return Counter(trial(random.Random(f"{kind} {number}")) for number in range(times))
