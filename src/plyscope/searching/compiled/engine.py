"""The playing engine: principal variation search made to play line games as well as it can in its
time.

Iterative deepening by the driver; aspiration windows; a transposition table of buckets, in which
positions of the opening that mirror each other are one; the table's move first, then killers, then
by history and by the lines through the cell; threats before anything else: a side that can complete
a line does, one that must prevent it has no other move, and two such duties at once are lost; at
the horizon duties are played out before the heuristic is asked; late moves are searched less deep
and again when they turn out well; wins are scored by their distance. With more than one line each
is searched with the first moves of those before it left out; with more than one thread all search
the same root and share the table.

Sources: Marsland & Campbell 1982 (principal variation search), Akl & Newborn 1977 (killers),
Schaeffer 1989 (history), Zobrist 1970 (keys), Allis 1994 (threats in line games).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from plyscope.machine.kernel import get, kernel, lowest, put
from plyscope.machine.run import LEFT, Beside
from plyscope.searching.compiled import board, layout
from plyscope.searching.compiled.buckets import (
    DEEPEST_ENTRY,
    BucketTable,
    clear,
    from_here,
    from_root,
    probe,
    record,
)
from plyscope.searching.compiled.table import NOTHING
from plyscope.searching.compiled.threats import (
    EXCLUDED,
    FOLDED_BY,
    HISTORY,
    INVERSES,
    KILLERS,
    LIVE,
    PERMUTATIONS,
    PLAYABLE,
    WORDS,
    WORTH,
    ThreatBoard,
    key_of,
    lift,
    place,
    threat,
)
from plyscope.searching.limit import NO_LIMIT
from plyscope.searching.result import Variation
from plyscope.searching.score import INFINITY, MAX_EVALUATION, WIN

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk

__all__ = ["ENTRIES", "search"]

FROM_TABLE, FROM_KILLERS, MOST_HISTORY = 1 << 50, 1 << 40, 1 << 24
FIRST_MARGIN = 16
"""Half the width of the first aspiration window, beside an eighth of the last value."""


@kernel
def engine(
    base: int,
    table: int,
    mask: int,
    age: int,
    ply: int,
    depth: int,
    is_whole: bool,
    alpha: int,
    beta: int,
) -> int:
    """Return the score of the node within the window for its side to move, 0 when the search has to
    stop."""
    if not board.enter(base, ply):
        return 0
    mover = ply & 1
    if is_whole:
        put(base, layout.LEAVES, get(base, layout.LEAVES) + 1)
        return ply - WIN if get(base, layout.MISERE) == 0 else WIN - ply
    if ply > 0 and (get(base, LIVE) == 0 or get(base, layout.EMPTY) == 0):
        put(base, layout.LEAVES, get(base, layout.LEAVES) + 1)
        return 0
    duty = -1
    if get(base, layout.MISERE) == 0:
        won = threat(base, mover, -1)
        if won >= 0 and (ply > 0 or get(base, get(base, EXCLUDED) + won) == 0):
            if ply == 0:
                board.note_root(base, won, WIN - 1, -INFINITY, INFINITY)
            board.write_line(base, ply, won)
            return WIN - ply - 1
        duty = threat(base, 1 - mover, -1)
        if duty >= 0 and ply > 0 and threat(base, 1 - mover, duty) >= 0:
            board.write_line(base, ply, duty)
            return ply + 2 - WIN
    if ply > 0:
        alpha, beta = max(alpha, ply - WIN), min(beta, WIN - ply - 1)
        if alpha >= beta:
            return alpha
    if depth <= 0 and duty < 0:
        put(base, layout.LEAVES, get(base, layout.LEAVES) + 1)
        put(base, layout.HORIZON, get(base, layout.HORIZON) + 1)
        value = max(
            -MAX_EVALUATION, min(MAX_EVALUATION, board.opinion(base, get(base, layout.TOTAL)))
        )
        return value if mover == 0 else -value
    depth = max(0, depth)
    key = key_of(base, ply)
    turned = get(base, layout.CELLS) * get(base, get(base, FOLDED_BY) + ply)
    entry = probe(table, mask, key)
    first = -1
    if entry != NOTHING:
        first = (entry >> 16 & 0xFFFF) - 1
        if first >= 0:
            first = get(base, get(base, INVERSES) + turned + first)
        score, bound = from_root(entry >> 32, ply), entry & 3
        is_settled = abs(score) > MAX_EVALUATION
        is_enough = is_settled or entry >> 3 & DEEPEST_ENTRY >= min(depth, DEEPEST_ENTRY)
        is_asked = (
            bound == board.EXACT
            or (bound == board.LOWER and score >= beta)
            or (bound == board.UPPER and score <= alpha)
        )
        if ply > 0 and is_enough and is_asked:
            put(base, layout.HITS, get(base, layout.HITS) + 1)
            if not is_settled:
                put(base, layout.HORIZON, get(base, layout.HORIZON) + (entry >> 2 & 1))
            if first >= 0:
                board.write_line(base, ply, first)
            return score
    total, horizon = get(base, layout.TOTAL), get(base, layout.HORIZON)
    called_alpha, called_beta = alpha, beta
    count = list_ordered(base, ply, mover, duty, first)
    best, best_cell, searched = -INFINITY, -1, 0
    for index in range(count):
        cell = pick(base, ply, index, count)
        if ply == 0:
            if get(base, get(base, EXCLUDED) + cell) != 0:
                continue
            board.count_root(base, cell, -1)
        searched += 1
        whole = place(base, cell, mover)
        below = depth - (duty < 0)
        high = beta
        if searched > 1:
            less = 0
            if 3 <= depth < get(base, layout.EMPTY) and searched > 4 and duty < 0:
                less = 1 + (searched > 12 and depth >= 6)
            high = alpha + 1
            score = -engine(base, table, mask, age, ply + 1, below - less, whole, -high, -alpha)
            if less > 0 and score > alpha:
                score = -engine(base, table, mask, age, ply + 1, below, whole, -high, -alpha)
            if alpha < score < beta and high < beta:
                put(base, layout.RESEARCHES, get(base, layout.RESEARCHES) + 1)
                high = beta
                score = -engine(base, table, mask, age, ply + 1, below, whole, -high, -alpha)
        else:
            score = -engine(base, table, mask, age, ply + 1, below, whole, -high, -alpha)
        lift(base, cell, mover, total)
        if ply == 0:
            board.count_root(base, cell, 1)
        if get(base, layout.STOP) != 0:
            return 0
        if ply == 0:
            board.note_root(base, cell, score, alpha, high)
        if score > best:
            best, best_cell = score, cell
        if score > alpha:
            board.improve(base, ply, cell)
            alpha = score
        if alpha >= beta:
            put(base, layout.CUTOFFS, get(base, layout.CUTOFFS) + 1)
            praise(base, ply, mover, cell, depth)
            break
    if ply > 0:
        is_open = get(base, layout.HORIZON) != horizon
        bound = board.proves(best, called_alpha, called_beta)
        move = get(base, get(base, PERMUTATIONS) + turned + best_cell) + 1
        said = move << 16 | age << 11 | min(depth, DEEPEST_ENTRY) << 3 | is_open << 2 | bound
        record(table, mask, key, from_here(best, ply) << 32 | said)
    return best


@kernel
def list_ordered(base: int, ply: int, mover: int, duty: int, first: int) -> int:
    """Write the moves of the node and what they promise, and return their number; with a `duty`
    there is only one."""
    at = get(base, layout.MOVES) + 2 * get(base, layout.CELLS) * ply
    keys = at + get(base, layout.CELLS)
    if duty >= 0 and ply > 0:
        put(base, at, duty)
        put(base, keys, 0)
        return 1
    killers, history = (
        get(base, KILLERS) + 2 * ply,
        get(base, HISTORY) + mover * get(base, layout.CELLS),
    )
    worths = get(base, WORTH)
    count = 0
    for word in range(get(base, WORDS)):
        playable = get(base, get(base, PLAYABLE) + word)
        while playable != 0:
            cell = 64 * word + lowest(playable)
            playable &= playable - 1
            promise = get(base, history + cell)
            entry = get(base, get(base, layout.STARTS) + cell)
            line = get(base, entry)
            while line != 0:
                promise += get(base, get(base, line) + worths)
                entry += 1
                line = get(base, entry)
            if cell == first:
                promise += FROM_TABLE
            elif cell == get(base, killers) or cell == get(base, killers + 1):
                promise += FROM_KILLERS
            put(base, at + count, cell)
            put(base, keys + count, promise)
            count += 1
    return count


@kernel
def pick(base: int, ply: int, index: int, count: int) -> int:
    """Bring the most promising of the moves from `index` on there, and return it."""
    at = get(base, layout.MOVES) + 2 * get(base, layout.CELLS) * ply
    keys = at + get(base, layout.CELLS)
    best = index
    for other in range(index + 1, count):
        if get(base, keys + other) > get(base, keys + best):
            best = other
    cell, promise = get(base, at + best), get(base, keys + best)
    put(base, at + best, get(base, at + index))
    put(base, keys + best, get(base, keys + index))
    put(base, at + index, cell)
    put(base, keys + index, promise)
    return cell


@kernel
def praise(base: int, ply: int, mover: int, cell: int, depth: int) -> None:
    """Remember that `cell` made a cutoff."""
    killers = get(base, KILLERS) + 2 * ply
    if get(base, killers) != cell:
        put(base, killers + 1, get(base, killers))
        put(base, killers, cell)
    history = get(base, HISTORY) + mover * get(base, layout.CELLS)
    put(base, history + cell, get(base, history + cell) + depth * depth)
    if get(base, history + cell) > MOST_HISTORY:
        for other in range(get(base, layout.CELLS)):
            put(base, history + other, get(base, history + other) >> 1)


ENTRIES = (
    engine,
    clear,
)


@dataclass
class EngineMemory:
    """What the engine keeps from depth to depth."""

    table: BucketTable | None = None
    board: ThreatBoard | None = None
    helpers: list[ThreatBoard] = field(default_factory=list)
    values: dict[int, int] = field(default_factory=dict)
    """By variation, best first, its value at the depth before."""


def search(walk: Walk, runner: Runner) -> int:
    """Search the root to the walk's depth: as many variations as wanted, with as many threads."""
    options, memory = walk.options, walk.memory.of(EngineMemory)
    table = _table_of(walk, memory)
    board_ = _board_of(walk, runner, memory)
    helpers = _helpers_of(runner, memory, options.threads - 1)
    threads = [Beside(helper.stop) for helper in helpers]
    variations: list[Variation] = []
    try:
        for number, (thread, helper) in enumerate(zip(threads, helpers, strict=True)):
            thread.begin(partial(_help, helper, table, walk.depth + number % 2))
        while len(variations) < min(options.multipv, len(walk.game.moves(walk.root.position))):
            before = memory.values.get(len(variations))
            value = memory.values[len(variations)] = _aspire(walk, runner, table, before)
            variations.append(Variation(value=value, pv=walk.pv))
            board_.exclude(walk.pv[0])
    finally:
        try:
            _end(threads, helpers)
        finally:  # Ctrl-C may have come in the midst of it
            for helper in helpers:
                helper.stop()
        walk.nodes += sum(helper[layout.NODES] for helper in helpers)
    variations.sort(key=lambda variation: -variation.value)
    walk.variations, walk.pv, walk.table_fill = tuple(variations), variations[0].pv, table.fill()
    return variations[0].value


def _table_of(walk: Walk, memory: EngineMemory) -> BucketTable:
    """Return the table of this search: the one given, or its own."""
    if memory.table is None:
        memory.table = walk.options.table or BucketTable(walk.options.megabytes)
        memory.table.prepare((walk.game, walk.heuristic))
    return memory.table


def _board_of(walk: Walk, runner: Runner, memory: EngineMemory) -> ThreatBoard:
    """Let the runner go on with the board of the depth before, which remembers what made
    cutoffs."""
    board_ = memory.board = memory.board or runner.new_board(ThreatBoard)
    runner.board = board_
    board_.begin(NO_LIMIT if walk.limit.nodes is None else walk.limit.nodes - walk.nodes)
    return board_


def _helpers_of(runner: Runner, memory: EngineMemory, count: int) -> list[ThreatBoard]:
    """Return the boards of the other threads, kept from depth to depth."""
    while len(memory.helpers) < count:
        memory.helpers.append(runner.new_board(ThreatBoard))
    for helper in memory.helpers:
        helper.begin(NO_LIMIT)
    return memory.helpers


def _help(helper: ThreatBoard, table: BucketTable, depth: int) -> None:
    engine(helper.base, table.address, table.mask, table.age, 0, depth, False, -INFINITY, INFINITY)


def _end(threads: list[Beside], helpers: list[ThreatBoard]) -> None:
    """Stop the helpers; one in a heuristic that does not come back is left to itself."""
    for helper in helpers:
        helper.stop()
    until = perf_counter() + LEFT
    for thread in threads:
        thread.end(until - perf_counter())


def _aspire(walk: Walk, runner: Runner, table: BucketTable, before: int | None) -> int:
    """Return the value of the root, by windows around the value of the depth before, opened until
    it lies within."""
    alpha, beta, margin = -INFINITY, INFINITY, FIRST_MARGIN
    if before is not None and walk.depth > 3 and abs(before) <= MAX_EVALUATION:
        margin += abs(before) // 8
        alpha, beta = before - margin, before + margin
    while True:
        value = int(
            runner.call(engine, table, table.mask, table.age, 0, walk.depth, False, alpha, beta)
        )
        if alpha < value < beta:
            return value
        margin *= 4
        is_open = abs(value) > MAX_EVALUATION or margin > WIN // 4
        if value <= alpha:
            alpha = -INFINITY if is_open else value - margin
        else:
            beta = INFINITY if is_open else value + margin
