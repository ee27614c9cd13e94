"""Heuristics that are Python functions: the compiled search runs them as the reference does, or
says why it cannot."""

from __future__ import annotations

import random
import re
import textwrap
from time import perf_counter, sleep, thread_time, time_ns
from typing import Any

import pytest

from commands import python
from plyscope import evaluate, heuristic, parse, parse_game, search
from plyscope.errors import HeuristicError, OptionError
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.pythonfile import Overdue, interrupting
from plyscope.searching.choice import choose_form
from plyscope.searching.request import make_request
from plyscope.searching.timeout import time_limited
from plyscope_fast.searching import accelerator
from sentences import refuses
from sizes import sized
from twins import assert_twins, some_position


def ones(word: int) -> int:
    """Count the stones of a word: a helper that is no heuristic itself."""
    return word.bit_count()


def by_lines(mine: int, theirs: int, lines: Any) -> int:
    """A heuristic as people write it."""
    total = 0
    for line in lines:
        own, other = ones(mine & line), ones(theirs & line)
        if other == 0:
            total += own * own
        elif own == 0:
            total -= 2 * other * other
    return total


LOOKED_AT = FunctionHeuristic("by_lines", by_lines)
"""The same, kept from being seen as a table."""


def by_bits(mine: int, theirs: int, lines: Any) -> int:
    """Shifts, complements, signs and division as Python has them."""
    return (~mine & 0xFF0F).bit_count() - (theirs >> 3) % 7 + (-mine) // 5 % 11 + (mine > theirs)


def by_text(mine: int, theirs: int, lines: Any) -> int:
    """What Numba cannot compile."""
    return len(hex(mine)) - len(hex(theirs))


def raises_late(mine: int, theirs: int, lines: Any) -> int:
    """Fails from the sixth stone on."""
    return 10 // (5 - mine.bit_count() - theirs.bit_count())


def too_great(mine: int, theirs: int, lines: Any) -> int:
    """Leaves the range once four stones are placed."""
    return 1 if (mine | theirs).bit_count() < 4 else 2_000_000_000


def overflows(mine: int, theirs: int, lines: Any) -> int:
    """Whole numbers have no limit in Python, and 64 bits in machine code."""
    return (mine + 3) ** 40 % 1009


def halves(mine: int, theirs: int, lines: Any) -> Any:
    """No whole number."""
    return mine.bit_count() / 2


def loops(mine: int, theirs: int, lines: Any) -> int:
    """Never comes back once five stones are placed."""
    while (mine | theirs).bit_count() >= 5:
        mine = mine | theirs
    return 0


def by_counts(mine: int, theirs: int) -> int:
    """A function over the stones on one line."""
    return mine * 3 - theirs if not (mine and theirs) else 0


@pytest.mark.parametrize("function", [by_lines, LOOKED_AT, by_bits, "random", "random:9"])
@pytest.mark.parametrize(
    "spec", ["tictactoe", "connect4", "qubic", "5,4,4", "4,3,3,torus", "8,8,4"]
)
def test_compiled_functions_search_like_the_reference(spec: str, function: Any) -> None:
    draw = random.Random(f"{spec} {function}")
    for _ in range(4):
        position = some_position(parse_game(spec), draw)
        for name in ("minimax", "alphabeta", "pvs"):
            options = {
                "depth": draw.choice([1, 2, 3 if name != "minimax" else 2]),
                "scoring": draw.choice(["heuristic", "result", "distance"]),
            }
            options["order"] = draw.choice(["generated", "best", "random"])
            if position.game.size == 64 and function is by_bits:
                with pytest.raises(
                    OptionError, match="the compiled function returns"
                ):  # unsigned words, and it takes −mine
                    search(position, name, function, form="compiled", depth=1)
                continue
            assert_twins(position, name, heuristic=function, **options)


@pytest.mark.parametrize("bits", [1, 5, 18])
def test_searches_alike_however_few_answers_are_cached(
    bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from plyscope_fast.searching import layout

    monkeypatch.setattr(layout, "MAX_ANSWER_BITS", bits)
    for spec in ("connect4", "5,4,4", "4,3,3,torus"):
        assert_twins(parse_game(spec).start(), "alphabeta", heuristic=LOOKED_AT, depth=5)


def test_calls_a_function_less_often_than_there_are_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from plyscope_fast.searching.run import Runner

    asked: list[int] = []
    take_over = Runner._take_over
    monkeypatch.setattr(
        Runner,
        "_take_over",
        lambda runner: (asked.append(runner.board.calls), take_over(runner))[1],
    )
    assert search("connect4", "minimax", LOOKED_AT, depth=5, form="compiled").leaves == 16807
    assert (
        4263 <= asked[0] < 16807 / 2
    )  # as many as there are positions after five moves, and some that had lost their place


def test_compiles_random_on_boards_beyond_64_cells() -> None:
    one, other = (
        search("15,15,5 h8 i9", heuristic="random", depth=2, form=form)
        for form in ("reference", "compiled")
    )
    assert (one.nodes, one.value, one.moves) == (other.nodes, other.value, other.moves)


@pytest.mark.parametrize(
    ("function", "reason"), [(by_text, "hex"), (halves, "float64"), (overflows, "and not")]
)
def test_runs_uncompilable_functions_in_the_reference_with_the_reason(
    function: Any, reason: str
) -> None:
    if function is halves:
        with pytest.raises(HeuristicError, match=r"'halves' answered '.*' on '.*'"):
            search("connect4", heuristic=function, depth=3)
    else:
        found = search("connect4", heuristic=function, depth=6, nodes=20_000)
        assert found.form == "reference"
        assert reason in found.form_reason
        assert "\n" not in found.form_reason
    with pytest.raises(OptionError, match=reason):
        search("connect4", heuristic=function, depth=3, form="compiled")


def test_runs_functions_beyond_64_cells_in_the_reference() -> None:
    found = search("9,9,5", heuristic=LOOKED_AT, depth=2)
    assert found.form == "reference"
    assert "64 cells" in search("9,9,5", heuristic=LOOKED_AT, depth=3, nodes=16_000).form_reason
    with pytest.raises(OptionError, match="64 cells"):
        search("9,9,5", heuristic=LOOKED_AT, depth=2, form="compiled")
    summed = search("9,9,5", heuristic=by_lines, depth=2, form="compiled")
    assert (summed.value, summed.nodes, summed.pv) == (found.value, found.nodes, found.pv)


@pytest.mark.parametrize("form", ["reference", "compiled"])
@pytest.mark.parametrize("function", [raises_late, too_great])
def test_reports_a_failing_function_with_its_position(form: str, function: Any) -> None:
    with refuses(HeuristicError) as failure:
        search("connect4", "minimax", function, depth=5, form=form)
    position = parse(str(failure.value).split(" on '")[1].split("'")[0], "connect4")
    with pytest.raises(HeuristicError):
        evaluate(position, function, side="x")


@pytest.mark.parametrize("form", ["reference", "compiled"])
def test_reports_a_looping_function_at_the_deadline(form: str) -> None:
    with pytest.raises(HeuristicError, match=r"'loops' gave no answer within .* s on '[^']*'"):
        search(
            "4,4,4", "alphabeta", loops, depth=6, seconds=1.5, form=form
        )  # time to begin on a busy machine


def test_limits_the_time_of_functions_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyscope.searching.timeout.CALL_SECONDS", 0.05)

    def hangs(mine: int, theirs: int, lines: Any) -> int:
        end = thread_time() + 2.0
        while thread_time() < end:
            pass
        return 0

    position = parse("tictactoe")
    with (
        pytest.raises(HeuristicError, match="'hangs' gave no answer within"),
        time_limited(find_heuristic(hangs, position.game), None) as watched,
    ):
        watched.evaluate(position, 0)
    table = find_heuristic("open-lines", position.game)
    with time_limited(table, None) as same:
        assert same is table


def test_times_a_hanging_function_from_its_own_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("plyscope.searching.timeout.CALL_SECONDS", 0.2)
    began = perf_counter()

    def hangs_late(mine: int, theirs: int, lines: Any) -> int:
        while perf_counter() > began + 1.0:
            pass
        return 0

    with pytest.raises(HeuristicError, match=r"gave no answer within (0\.\d+) s on") as caught:
        search("connect4", "alphabeta", hangs_late, form="reference")
    assert 0.2 <= float(str(caught.value).split("within ")[1].split()[0]) < 0.9


def test_compiles_no_function_where_the_seconds_cannot_repay_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    number = time_ns()  # so that no earlier process has left its code on disk

    def f(mine: int, theirs: int, lines: Any) -> int:
        return mine % 3 - theirs % 5 + number % 2

    search("4,4,4", "alphabeta", depth=2, form="compiled")  # so that the kernels are there
    monkeypatch.setattr(
        accelerator, "FUNCTION_COMPILE_TIME", accelerator.CompileTime(1000.0, 1000.0)
    )
    found = search("4,4,4", "alphabeta", f, seconds=0.3)
    assert found.form == "reference"
    assert found.form_reason.startswith("compiling takes up to ")
    timed = make_request(parse("4,4,4"), "alphabeta", f, seconds=0.3)
    assert choose_form(timed, is_prepared=True).name == "compiled"
    assert choose_form(timed).name == "compiled"  # as it is there


def test_does_not_blame_a_slow_function_at_the_deadline() -> None:
    def slow(position: Any) -> int:
        sleep(0.15)
        return 0

    found = search("tictactoe", "alphabeta", slow, seconds=0.4)
    assert found.stopped == "seconds"


def test_compiles_a_function_of_two_counts_as_a_table() -> None:
    found = search("connect4", heuristic=by_counts, depth=6, form="compiled")
    assert (
        found.value
        == search(
            "connect4",
            heuristic=lambda m, t, lines: sum(
                by_counts((m & x).bit_count(), (t & x).bit_count()) for x in lines
            ),
            depth=6,
            form="reference",
        ).value
    )
    with pytest.raises(
        HeuristicError, match=r"raised ZeroDivisionError.*\(mine, theirs\) = \(0, 0\)"
    ):
        evaluate("tictactoe", lambda mine, theirs: 1 // mine)


def until(is_over: Any) -> None:
    """Loop in a function of its own, as people's functions do: Python 3.13 gives an exception that
    interrupts a loop's last jump to none of the handlers around it in the same function."""
    while not is_over():
        pass


def test_leaves_no_late_interrupt_after_a_function_that_ends_in_time() -> None:
    came = 0
    for turn in range(60):
        deadline = perf_counter() + 0.03
        try:
            with interrupting(lambda deadline=deadline: perf_counter() > deadline):
                until(lambda end=deadline + turn % 30 * 0.001: perf_counter() > end)
        except Overdue:
            came += 1
        for _ in range(1000):  # where a late one would come
            pass
    assert came < 60


def test_lets_a_tracer_end_after_a_watched_function() -> None:
    code = """
        import sys
        from plyscope.pythonfile import Overdue, interrupting
        def wait():
            while is_overdue:
                pass
        for is_overdue in (False, True):
            try:
                with interrupting(lambda: is_overdue):
                    wait()
            except Overdue:
                print("came")
            sys.settrace(lambda frame, event, argument: None)
            (lambda: None)()
            sys.settrace(None)
        print("done")
    """
    found = python("-c", textwrap.dedent(code))
    assert found.stdout.split() == ["came", "done"]


WORTH = [0, 1, 3, 8, 30]
BY_STONES = {(1, 0): 1, (2, 0): 3, (0, 1): -1, (0, 2): -3, (3, 0): 8}


def by_generators(mine: int, theirs: int, lines: Any) -> int:
    """Sums, any, all, min and max over generators, one within another, beside a loop."""
    total = sum(WORTH[(mine & line).bit_count()] for line in lines if not theirs & line)
    for number, line in enumerate(lines):
        if any(theirs >> cell & line >> cell & 1 for cell in range(4)):
            total -= number % 3
    corners = max((mine >> cell & 1) + sum(cell for _ in range(2)) for cell in (0, 3))
    fullest = max([(mine & line).bit_count() for line in lines])
    return total + corners - fullest + all(mine & line != line for line in lines)


def by_dict(mine: int, theirs: int, lines: Any) -> int:
    """A dict of the module, asked in both ways."""
    total = 0
    for line in lines:
        own, other = ones(mine & line), ones(theirs & line)
        total += BY_STONES.get((own, other), 0)
        if own == 1 and not other:
            total += BY_STONES[own, 0]
    return total ^ mine & 1


def by_rows(board: Any, player: int, opponent: int) -> int:
    """A board as people write it."""
    total = 0
    for row in board:
        if not any(cell == opponent for cell in row):
            total += WORTH[sum(1 for cell in row if cell == player)]
    for column in range(len(board[0])):
        total -= sum(board[row][column] == opponent for row in range(len(board)))
    return total


def by_array(array: Any, player: int) -> int:
    """The same of NumPy."""
    return int((array == player).sum() * 2 - (array[1:, :-1] == 3 - player).sum())


def of_x(board: Any) -> int:
    """Who is evaluated for does not matter: an answer in X's view."""
    return board[0][0] + 3 * (board[-1][-1] == 1) - 2 * (board[-1][0] == 2)


@pytest.mark.parametrize("function", [by_generators, by_dict, by_rows, by_array, of_x])
@pytest.mark.parametrize("spec", ["connect4", "4,3,3,torus", "5,4,4", "tictactoe"][: sized(2, 4)])
def test_compiles_plain_python_to_the_same_results(spec: str, function: Any) -> None:
    draw = random.Random(f"{spec} {function.__name__}")
    for _ in range(3):
        position = some_position(parse_game(spec), draw)
        assert_twins(position, "alphabeta", heuristic=function, depth=3)


def test_compiles_empty_generators_to_the_same_results() -> None:
    offset = 7

    def f(mine: int, theirs: int, lines: Any) -> int:
        nothing = sum(line for line in lines if line < 0) + offset
        return nothing + 2 * any(line < 0 for line in lines) + all(line < 0 for line in lines[:0])

    found = search("4,4,4", heuristic=f, depth=3, form="compiled")
    assert (found.value, found.form) == (8, "compiled")


def test_compiles_fractions_with_their_scale() -> None:
    def f(mine: int, theirs: int, lines: Any) -> float:
        return (mine.bit_count() - 0.5 * theirs.bit_count()) / (1 + (mine | theirs).bit_count() % 7)

    scaled = heuristic(f, scale=1000)
    assert_twins(parse_game("connect4").start(), "alphabeta", heuristic=scaled, depth=5)
    with pytest.raises(HeuristicError, match="scale=100"):
        search("tictactoe", heuristic=f, depth=2)


def test_leaves_wrongly_compiled_functions_to_the_reference() -> None:
    def f(board: Any, player: int) -> int:
        return 1 if board[0] == [0, 0, 0, 0] else 2  # of an array that is four answers

    found = search("4,4,4", heuristic=f, depth=4, nodes=20_000)
    assert (found.form, found.value in (1, 2)) == ("reference", True)
    with pytest.raises(OptionError, match="cannot be compiled"):
        search("4,4,4", heuristic=f, depth=2, form="compiled")


def test_runs_a_function_of_the_position_in_the_reference_with_the_reason() -> None:
    def f(position: Any) -> int:
        return len(position.moves)

    with refuses(OptionError):
        search("4,4,4", heuristic=f, depth=2, form="compiled")
    assert search("4,4,4", heuristic=f, depth=2).form == "reference"


def test_rejects_a_stored_generator_with_advice() -> None:
    def f(mine: int, theirs: int, lines: Any) -> int:
        numbers = (line for line in lines)
        return next(numbers) & mine

    with pytest.raises(OptionError, match=r"generator expression .*; expected|a for loop"):
        search("4,4,4", heuristic=f, depth=2, form="compiled")


LONG = [number * 7 % 23 for number in range(3**7)]
SQUARE = [[row * column for column in range(9)] for row in range(9)]
BY_NUMBER = {number: number % 5 for number in range(0, 300, 2)}


def by_lookup(mine: int, theirs: int, lines: Any) -> int:
    """Long lists, lists of lists, and a dict by number."""
    own, other = ones(mine), ones(theirs)
    return LONG[mine % len(LONG)] + SQUARE[own % 9][other % 9] - BY_NUMBER.get(theirs % 300, own)


def test_compiles_long_lists_and_dicts_to_the_same_results() -> None:
    assert_twins(parse_game("5,4,4").start(), "alphabeta", heuristic=by_lookup, depth=4)


def counts(board: Any) -> int:
    return sum(row.count(1) - row.count(2) for row in board)


def grows(board: Any, player: Any, weight: int = 3) -> int:
    own, other = [], []
    for row in board:
        own += [column for column, stone in enumerate(row) if stone == player]
        other.extend([column for column, stone in enumerate(row) if stone == 3 - player])
    return weight * (len(own) - len(other)) + sum(own)


def by_default(mine: int, theirs: int, lines: Any, weight: int = 3) -> int:
    return weight * (ones(mine) - ones(theirs))


@pytest.mark.parametrize("function", [counts, grows, by_default])
def test_compiles_growing_lists_counts_and_defaults(function: Any) -> None:
    assert_twins(parse_game("4,4,3").start(), "alphabeta", heuristic=function, depth=3)


CORNERS = {0, 3}
BESIDE = [[1], [0, 2], [1, 3], [2]]


def _each(cell: int) -> int:
    """A function of the module whose name the rewriter might have taken."""
    return 3 * cell


def by_tuples(mine: int, theirs: int, lines: Any) -> int:
    """What methods of games have been compiled with: tuples, slices, any of a list, a set and rows
    of any length of the module, bits as text, and functions within."""

    def own(cell: int) -> int:
        return mine >> cell & 1

    cells = tuple(theirs >> cell & 1 for cell in range(4))
    size = 1 + sum(own(cell) for cell in CORNERS)
    found = sum(cells[:size]) + sum((*cells, size)) + _each(bin(mine).count("1"))
    for cell in range(len(BESIDE)):
        near = [own(other) for other in BESIDE[cell]]
        if own(cell) and any(near):
            found += max(own(other) + other for other in BESIDE[cell])
    empty = [own(cell) == 0 for cell in range(4)]
    return found - all(empty)


def test_compiles_in_heuristics_all_that_games_may_use() -> None:
    assert_twins(parse_game("4,4,3").start(), "alphabeta", heuristic=by_tuples, depth=4)


def test_names_the_uncompilable_line_and_what_to_write() -> None:
    def fills(board: Any) -> int:
        seen: dict[int, int] = {}
        for row in board:
            for stone in row:
                seen[stone] = seen.get(stone, 0) + 1
        return seen.get(1, 0)

    line = fills.__code__.co_firstlineno
    with pytest.raises(OptionError) as caught:
        search("4,4,3", heuristic=fills, depth=2, form="compiled")
    said = re.search(
        r"expected a list, .* \(fills, line (\d+) of test_functions.py\)", str(caught.value)
    )
    assert said is not None, caught.value
    assert line < int(said[1]) < line + 6


def test_keeps_the_qualified_name_of_a_rewritten_function() -> None:
    def made(weight: int, cells: tuple[int, ...]) -> Any:
        def answer(mine: int, theirs: int, lines: Any) -> int:
            own = sum(weight for cell in cells if mine >> cell & 1)
            return own - sum(1 for a in cells for b in cells if theirs >> a & 1 and theirs >> b & 1)

        return answer

    position = parse_game("4,4,4").start()
    for weight, cells in ((2, (0, 3)), (5, (5, 6, 9))):
        assert_twins(position, "alphabeta", heuristic=made(weight, cells), depth=3)


@pytest.mark.parametrize(
    "function",
    [
        lambda mine, theirs, lines: sum(x for x in {1: mine, 2: theirs}.values()) % 9,
        lambda mine, theirs, lines: len({line & mine for line in lines}),
        lambda mine, theirs, lines: max((line & mine for line in lines), default=0) % 5,
        # the newest Numba compiles these, for seconds
        lambda mine, theirs, lines: sum(x & mine for x in sorted(lines, key=lambda x: -x)[:2]) % 7,
        lambda mine, theirs, lines: {"a": 1}.get("a", 0) + len(f"{mine}"),
    ][: sized(3, 5)],
)
def test_searches_uncompilable_functions_to_the_same_value(function: Any) -> None:
    found = search("4,3,3", heuristic=function, depth=4)
    assert found.value == search("4,3,3", heuristic=function, depth=4, form="reference").value
    try:
        compiled = search("4,3,3", heuristic=function, depth=4, form="compiled")
    except OptionError as error:
        assert "cannot be compiled: " in str(error)
        assert "\n" not in str(error)
    else:
        assert compiled.value == found.value
