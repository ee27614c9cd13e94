"""What kernels do with the board of `layout`: take cells and give them back, evaluate, generate
moves, count."""

from __future__ import annotations

from plyscope.evaluation.function import MAX_VALUE
from plyscope.machine.block import signed
from plyscope.machine.kernel import ask, get, inlined, kernel, prefetch, put, shifted
from plyscope.randomness import GOLDEN, MIX_FIRST, MIX_SECOND
from plyscope.searching.compiled import layout
from plyscope.searching.score import INFINITY, MAX_EVALUATION, WIN

__all__ = [
    "EXACT",
    "LOWER",
    "UPPER",
    "advanced",
    "below",
    "count_root",
    "enter",
    "frontier",
    "generate",
    "has_room",
    "improve",
    "is_closed",
    "is_leaf",
    "leaf",
    "lift",
    "list_moves",
    "look",
    "move_at",
    "move_up",
    "note_root",
    "opinion",
    "place",
    "proves",
    "seeded",
    "toggle",
    "within",
    "write_line",
]

EXACT, LOWER, UPPER = range(3)
SEED_FACTOR, PLY_FACTOR, MOVE_FACTOR = (
    signed(GOLDEN),
    signed(MIX_FIRST),
    signed(MIX_SECOND),
)
TOP_BIT = -(1 << 63)


@inlined
def line_at(base: int, ply: int) -> int:
    """Return where the principal variation of `ply` begins: its length, then its moves."""
    return get(base, layout.PV) + ply * get(base, layout.LINE_LENGTH)


@kernel
def enter(base: int, ply: int) -> bool:
    """Count a call at `ply`; return False when the search has to stop."""
    if get(base, layout.STOP) != 0:
        return False
    nodes = get(base, layout.NODES) + 1
    if nodes > get(base, layout.LIMIT):
        put(base, layout.STOP, layout.NODES_SPENT)
        return False
    put(base, layout.NODES, nodes)
    if ply > get(base, layout.DEEPEST):
        put(base, layout.DEEPEST, ply)
    put(base, line_at(base, ply), 0)
    return True


@inlined
def toggle(base: int, cell: int, mover: int) -> None:
    """Put a stone of `mover` (0: the root's side) at `cell` in the bitboards and the key, or take
    it away."""
    stones = layout.MINE + mover
    put(base, stones, get(base, stones) ^ (1 << (cell & 63)))
    put(
        base,
        layout.KEY,
        get(base, layout.KEY) ^ get(base, get(base, layout.KEYS) + 2 * cell + mover),
    )


@kernel
def makes_whole(base: int, cell: int, stones: int) -> bool:
    """Return whether `stones`, a word, hold all of a line through `cell`."""
    entry = get(base, get(base, layout.MASKS) + cell)
    whole = False
    mask = get(base, entry)
    while mask != 0:
        whole |= stones & mask == mask
        entry += 1
        mask = get(base, entry)
    return whole


@kernel
def place(base: int, cell: int, mover: int) -> bool:
    """Let `mover` (0: the root's side) take `cell`, modified in place; return whether that made a
    line whole."""
    toggle(base, cell, mover)
    put(base, get(base, layout.OWNER) + cell, 1)
    put(base, layout.EMPTY, get(base, layout.EMPTY) - 1)
    column = get(base, get(base, layout.COLUMN_OF) + cell)
    put(base, column, get(base, column) + 1)
    if get(base, layout.MASKS) != 0:
        return makes_whole(base, cell, get(base, layout.MINE + mover))
    step = 1 if mover == 0 else get(base, layout.STRIDE)
    change, whole = 0, 0
    entry = get(base, get(base, layout.STARTS) + cell)
    line = get(base, entry)
    while line != 0:
        at = get(base, line)
        put(base, line, at + step)
        after = get(base, at + step)
        change += (after >> 1) - (get(base, at) >> 1)
        whole |= after & 1
        entry += 1
        line = get(base, entry)
    put(base, layout.TOTAL, get(base, layout.TOTAL) + change)
    return whole != 0


@kernel
def lift(base: int, cell: int, mover: int, total: int) -> None:
    """Take back what `place` did; `total` is the sum of the lines before it."""
    toggle(base, cell, mover)
    put(base, get(base, layout.OWNER) + cell, 0)
    put(base, layout.EMPTY, get(base, layout.EMPTY) + 1)
    column = get(base, get(base, layout.COLUMN_OF) + cell)
    put(base, column, get(base, column) - 1)
    if get(base, layout.MASKS) != 0:
        return
    step = 1 if mover == 0 else get(base, layout.STRIDE)
    entry = get(base, get(base, layout.STARTS) + cell)
    line = get(base, entry)
    while line != 0:
        put(base, line, get(base, line) - step)
        entry += 1
        line = get(base, entry)
    put(base, layout.TOTAL, total)


@inlined
def answer_at(base: int, key: int) -> int:
    """Return where the function's answer about the board of this key is kept."""
    return get(base, layout.ANSWERS) + layout.ANSWER_FIELDS * shifted(
        key, get(base, layout.ANSWERS_SHIFT)
    )


@kernel
def opinion(base: int, total: int) -> int:
    """Return what the heuristic says of the board, whose lines sum to `total`, in the root's view;
    stop the search when it fails."""
    evaluator = get(base, layout.EVALUATOR)
    if evaluator == layout.TABLE_SUM:
        clamp = get(base, layout.CLAMP)
        return max(-clamp, min(clamp, total)) if clamp >= 0 else total
    if evaluator == layout.NO_OPINION:
        return 0
    if evaluator == layout.RANDOM_DRAW:
        drawn = shifted(_mix(get(base, layout.KEY) ^ get(base, layout.SALT)), 33)
        return get(base, layout.SIGN) * (drawn % 201 - 100)
    mine, theirs = get(base, layout.MINE), get(base, layout.THEIRS)
    at = answer_at(base, get(base, layout.KEY))
    kept = get(base, at + layout.ANSWER_VALUE)
    if (
        kept & 1
        and get(base, at + layout.ANSWER_MINE) == mine
        and get(base, at + layout.ANSWER_THEIRS) == theirs
    ):
        return kept >> 1
    put(base, layout.CALLS, get(base, layout.CALLS) + 1)
    put(base, layout.IS_ASKING, 1)
    value = ask(get(base, layout.FUNCTION), mine, theirs)
    put(base, layout.IS_ASKING, 0)
    if -MAX_VALUE <= value <= MAX_VALUE:
        put(base, at + layout.ANSWER_MINE, mine)
        put(base, at + layout.ANSWER_THEIRS, theirs)
        put(base, at + layout.ANSWER_VALUE, 2 * value + 1)
        return value
    if get(base, layout.STOP) != layout.HEURISTIC_FAILED:
        put(base, layout.STOP, layout.HEURISTIC_FAILED)
        put(base, layout.FAILED_MINE, get(base, layout.MINE))
        put(base, layout.FAILED_THEIRS, get(base, layout.THEIRS))
    return 0


@kernel
def static(base: int, ply: int, is_whole: bool, total: int, empty: int) -> int:
    """Return the score, in the root's view, of a board whose lines sum to `total` and that has
    `empty` cells left, without looking further.

    `is_whole` tells that the last move made a line whole.
    """
    scoring = get(base, layout.SCORING)
    if scoring != 0 and is_whole:
        win = WIN - ply if scoring == 2 else WIN
        is_mine = (ply & 1) != get(base, layout.MISERE)
        return win if is_mine else -win
    if scoring != 0 and empty == 0:
        return 0
    value = opinion(base, total)
    return max(-MAX_EVALUATION, min(MAX_EVALUATION, value)) if scoring != 0 else value


@kernel
def is_leaf(base: int, depth: int, is_whole: bool) -> bool:
    """Return whether the node is not searched further."""
    return depth <= 0 or is_whole or get(base, layout.EMPTY) == 0


@kernel
def leaf(base: int, ply: int, is_whole: bool, total: int, empty: int) -> int:
    """Count a leaf and return its score in the root's view."""
    put(base, layout.LEAVES, get(base, layout.LEAVES) + 1)
    at = get(base, layout.PLIES) + layout.PLY_FIELDS * ply + layout.LEAVES_AT
    put(base, at, get(base, at) + 1)
    if not is_whole and empty != 0:
        put(base, layout.HORIZON, get(base, layout.HORIZON) + 1)
    return static(base, ply, is_whole, total, empty)


@kernel
def look(base: int, ply: int, cell: int) -> int:
    """Return the score, in the root's view, of the board after the stone at `cell` that leads to
    `ply`, doubled, plus 1 when the game is over there: as by placing it, but the board is only
    read."""
    if get(base, layout.MASKS) != 0:
        toggle(base, cell, 1 - (ply & 1))
        made, left = (
            makes_whole(base, cell, get(base, layout.MINE + 1 - (ply & 1))),
            get(base, layout.EMPTY) - 1,
        )
        score = static(base, ply, made, 0, left)
        toggle(base, cell, 1 - (ply & 1))
        return 2 * score + (made or left == 0)
    step = 1 if ply & 1 else get(base, layout.STRIDE)
    total, whole = get(base, layout.TOTAL), 0
    entry = get(base, get(base, layout.STARTS) + cell)
    line = get(base, entry)
    while line != 0:
        at = get(base, line)
        after = get(base, at + step)
        total += (after >> 1) - (get(base, at) >> 1)
        whole |= after & 1
        entry += 1
        line = get(base, entry)
    empty = get(base, layout.EMPTY) - 1
    if get(base, layout.EVALUATOR) == layout.TABLE_SUM:
        return 2 * static(base, ply, whole != 0, total, empty) + (whole != 0 or empty == 0)
    toggle(base, cell, 1 - (ply & 1))
    score = static(base, ply, whole != 0, total, empty)
    toggle(base, cell, 1 - (ply & 1))
    return 2 * score + (whole != 0 or empty == 0)


@inlined
def has_room(base: int, count: int) -> bool:
    """Return whether so many more nodes are within the limit, twice over."""
    return get(base, layout.NODES) + 2 * count <= get(base, layout.LIMIT)


@kernel
def frontier(base: int, ply: int, count: int, alpha: int, beta: int, again: bool) -> int:
    """Search the node at `ply`, all whose `count` moves lead to leaves, and return its score within
    the window for its side to move.

    With `again` a move but the first whose score lies within the window is searched twice, as by a
    null window and then by an open one. The limit has room for that: `has_room`.
    """
    sign = 1 - 2 * (ply & 1)
    moves = get(base, layout.MOVES) + 2 * get(base, layout.CELLS) * ply
    keys = get(base, layout.KEYS) + (ply & 1)
    has_opinion = get(base, layout.EVALUATOR) != layout.NO_OPINION
    stones, is_last = get(base, layout.MINE + (ply & 1)), get(base, layout.EMPTY) == 1
    win = 0 if has_opinion else sign * static(base, ply + 1, True, 0, 1)
    strict = get(base, layout.STRICT)
    best, best_cell = -INFINITY, -1
    horizon, repeated, index = 0, 0, 0
    if get(base, layout.EVALUATOR) == layout.FUNCTION_CALL:
        for number in range(count):
            prefetch(
                base,
                answer_at(
                    base, get(base, layout.KEY) ^ get(base, keys + 2 * get(base, moves + number))
                ),
            )
    while index < count:
        cell = get(base, moves + index)
        index += 1
        if has_opinion:
            found = look(base, ply + 1, cell)
            score, is_over = sign * (found >> 1), found & 1
        else:
            made = makes_whole(base, cell, stones | 1 << (cell & 63))
            score, is_over = win if made else 0, 1 if made or is_last else 0
        horizon += 1 - is_over
        if again and index > 1 and alpha < score < beta and alpha + 1 < beta:
            repeated += 1
            horizon += 1 - is_over
        best = max(best, score)
        if score > alpha:
            alpha, best_cell = score, cell
        if alpha > beta or (alpha == beta and strict == 0):
            put(base, layout.CUTOFFS, get(base, layout.CUTOFFS) + 1)
            break
    put(base, layout.RESEARCHES, get(base, layout.RESEARCHES) + repeated)
    index += repeated
    put(base, layout.NODES, get(base, layout.NODES) + index)
    put(base, layout.LEAVES, get(base, layout.LEAVES) + index)
    put(base, layout.HORIZON, get(base, layout.HORIZON) + horizon)
    at = get(base, layout.PLIES) + layout.PLY_FIELDS * (ply + 1) + layout.LEAVES_AT
    put(base, at, get(base, at) + index)
    if ply >= get(base, layout.DEEPEST):
        put(base, layout.DEEPEST, ply + 1)
    if best_cell >= 0:
        write_line(base, ply, best_cell)
    return best


@kernel
def list_moves(base: int, ply: int) -> int:
    """Write the moves of the node at `ply` as the game generates them and return their number;
    `move_at` reads them."""
    at = get(base, layout.MOVES) + 2 * get(base, layout.CELLS) * ply
    count = 0
    if get(base, layout.GRAVITY) != 0:
        for column in range(get(base, layout.COLUMNS)):
            filled = get(base, get(base, layout.FILLED) + column)
            if filled < get(base, layout.HEIGHT):
                put(
                    base,
                    at + count,
                    get(
                        base,
                        get(base, layout.COLUMN_CELLS) + column * get(base, layout.HEIGHT) + filled,
                    ),
                )
                count += 1
    else:
        owner = get(base, layout.OWNER)
        for cell in range(get(base, layout.CELLS)):
            if get(base, owner + cell) == 0:
                put(base, at + count, cell)
                count += 1
    return count


@kernel
def generate(base: int, ply: int) -> int:
    """Write the moves of the node at `ply` in the order of the conventions and return their number;
    `move_at` reads them."""
    count = list_moves(base, ply)
    widths = get(base, layout.PLIES) + layout.PLY_FIELDS * ply
    put(base, widths + layout.LEAST_WIDTH, min(count, get(base, widths + layout.LEAST_WIDTH)))
    put(base, widths + layout.GREATEST_WIDTH, max(count, get(base, widths + layout.GREATEST_WIDTH)))
    if get(base, layout.ORDER) != 0:
        _sort(base, ply, get(base, layout.MOVES) + 2 * get(base, layout.CELLS) * ply, count)
    return count


@kernel
def _sort(base: int, ply: int, at: int, count: int) -> None:
    """Sort the moves by the conventions' keys, least first; equal ones stay as they were."""
    keys = at + get(base, layout.CELLS)
    for index in range(count):
        cell = get(base, at + index)
        key = _key(base, ply, cell)
        place_at = index
        while place_at > 0 and get(base, keys + place_at - 1) > key:
            put(base, at + place_at, get(base, at + place_at - 1))
            put(base, keys + place_at, get(base, keys + place_at - 1))
            place_at -= 1
        put(base, at + place_at, cell)
        put(base, keys + place_at, key)


@kernel
def _key(base: int, ply: int, cell: int) -> int:
    order = get(base, layout.ORDER)
    if order == 3:
        return _draw(get(base, layout.SEED), ply, cell)
    score = look(base, ply + 1, cell) >> 1
    return -score if (ply & 1 == 0) == (order == 1) else score


@kernel
def _draw(seed: int, ply: int, move: int) -> int:
    """Return the draw of the reference, brought from unsigned to signed order."""
    return _mix(seed * SEED_FACTOR + ply * PLY_FACTOR + move * MOVE_FACTOR) ^ TOP_BIT


@kernel
def _mix(number: int) -> int:
    """Do what `plyscope.randomness.mix` does."""
    mixed = (number ^ shifted(number, 30)) * PLY_FACTOR
    mixed = (mixed ^ shifted(mixed, 27)) * MOVE_FACTOR
    return mixed ^ shifted(mixed, 31)


@kernel
def seeded(seed: int) -> int:
    """Return the state of `plyscope.randomness.Stream` before its first number."""
    return _mix(seed)


@inlined
def advanced(state: int) -> int:
    """Return the state of the stream at its next number."""
    return state + SEED_FACTOR


@inlined
def below(state: int, count: int) -> int:
    """Return the number from 0 to `count` − 1 that the state stands for."""
    return shifted(_mix(state), 33) % count


@inlined
def move_at(base: int, ply: int, index: int) -> int:
    """Return a move that `generate` wrote."""
    return get(base, get(base, layout.MOVES) + 2 * get(base, layout.CELLS) * ply + index)


@kernel
def write_line(base: int, ply: int, cell: int) -> None:
    """Make `cell` alone the principal variation of `ply`."""
    line = line_at(base, ply)
    put(base, line, 1)
    put(base, line + 1, cell)


@kernel
def improve(base: int, ply: int, cell: int) -> None:
    """Make `cell` and the line below it the principal variation of `ply`."""
    here, below = line_at(base, ply), line_at(base, ply + 1)
    length = get(base, below)
    put(base, here, length + 1)
    put(base, here + 1, cell)
    for index in range(length):
        put(base, here + 2 + index, get(base, below + 1 + index))


@kernel
def note_root(base: int, cell: int, score: int, alpha: int, beta: int) -> None:
    """Keep what the root's move was worth within (alpha, beta)."""
    at = get(base, layout.ROOT) + layout.ROOT_FIELDS * cell
    put(base, at + layout.ROOT_VALUE, score)
    put(base, at + layout.ROOT_ALPHA, alpha)
    put(base, at + layout.ROOT_BETA, beta)
    put(base, at + layout.ROOT_SEARCHED, 1)


@kernel
def count_root(base: int, cell: int, sign: int) -> None:
    """Add to what the root's move cost, with `sign` −1 before it is searched and +1 after."""
    at = get(base, layout.ROOT) + layout.ROOT_FIELDS * cell
    put(
        base,
        at + layout.ROOT_NODES,
        get(base, at + layout.ROOT_NODES) + sign * get(base, layout.NODES),
    )
    put(
        base,
        at + layout.ROOT_LEAVES,
        get(base, at + layout.ROOT_LEAVES) + sign * get(base, layout.LEAVES),
    )
    put(
        base,
        at + layout.ROOT_CUTOFFS,
        get(base, at + layout.ROOT_CUTOFFS) + sign * get(base, layout.CUTOFFS),
    )


@kernel
def move_up(base: int, ply: int, cell: int) -> None:
    """Bring the move `cell` of `ply` to the front; the others keep their order."""
    moves = get(base, layout.MOVES) + 2 * get(base, layout.CELLS) * ply
    at = moves
    while get(base, at) != cell:
        at += 1
    while at > moves:
        put(base, at, get(base, at - 1))
        at -= 1
    put(base, moves, cell)


@inlined
def proves(score: int, alpha: int, beta: int) -> int:
    """Return what `score` proves, searched within (alpha, beta)."""
    if score < alpha or (score == alpha and alpha > -INFINITY):
        return UPPER
    if score > beta or (score == beta and beta < INFINITY):
        return LOWER
    return EXACT


@inlined
def is_closed(base: int, alpha: int, beta: int) -> bool:
    """Return whether the window leaves nothing to find."""
    return alpha > beta or (alpha == beta and get(base, layout.STRICT) == 0)


@inlined
def within(base: int, score: int, alpha: int, beta: int) -> int:
    """Return `score`, brought within the window when fail-hard."""
    return max(alpha, min(beta, score)) if get(base, layout.HARD) != 0 else score
