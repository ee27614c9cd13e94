"""Kernels for the board: placing and lifting stones, evaluation, move generation, counts."""

from __future__ import annotations

from typing import Annotated

from plyscope.evaluation.function import MAX_VALUE
from plyscope.randomness import GOLDEN, MIX_FIRST, MIX_SECOND
from plyscope.searching.score import INFINITY, MAX_EVALUATION, WIN
from plyscope_fast.machine.block import Bits, Packed, Words, signed
from plyscope_fast.machine.kernel import ask, clock, inlined, kernel, prefetch, shifted
from plyscope_fast.searching.layout import (
    BEST_FIRST,
    BY_DISTANCE,
    BY_HEURISTIC,
    FUNCTION_CALL,
    GENERATED,
    HEURISTIC_FAILED,
    NO_EVALUATION,
    NODES_SPENT,
    RANDOM,
    RANDOM_DRAW,
    TERM_SUM,
    Answer,
    Board,
    KnownValue,
    LineValue,
)
from plyscope_fast.searching.terms import change_terms, restore_ends, sum_of_terms

EXACT, LOWER, UPPER = range(3)
SEED_FACTOR, PLY_FACTOR, MOVE_FACTOR = signed(GOLDEN), signed(MIX_FIRST), signed(MIX_SECOND)
TOP_BIT = -(1 << 63)


class MoveScore(Packed):
    """The score after a move, in the root's view, and whether the game is over there."""

    is_over: Annotated[int, Bits(1)]
    score: Annotated[int, Bits(63, is_signed=True)]


# Nodes


@inlined
def pv_of(board: Board, ply: int) -> Words:
    """Return the memory of the principal variation from `ply` on: its length, then its moves."""
    return board.pv.offset(ply * board.ply_count)


@inlined
def moves_of(board: Board, ply: int) -> Words:
    """Return the moves of `ply`; their sort keys begin `board.cells` words later."""
    return board.move_words.offset(2 * board.cells * ply)


@inlined
def mover_at(board: Board, ply: int) -> int:
    """Return the side to move at `ply`."""
    return board.movers[ply]


@inlined
def is_max_at(board: Board, ply: int) -> bool:
    """Return whether the root's side is to move at `ply`."""
    return mover_at(board, ply) == 0


@kernel
def enter(board: Board, ply: int) -> bool:
    """Count a node at `ply`; return False if the search has to stop."""
    clock()
    if board.stopped:
        return False
    if board.nodes >= board.node_limit:
        board.stopped = NODES_SPENT
        return False
    board.nodes += 1
    board.deepest = max(board.deepest, ply)
    pv_of(board, ply)[0] = 0
    return True


@inlined
def has_room(board: Board, count: int) -> bool:
    """Return whether the node limit allows twice `count` more nodes."""
    return board.nodes + 2 * count <= board.node_limit


# Moves


@inlined
def toggle(board: Board, cell: int, mover: int) -> None:
    """Add or remove a stone of `mover` at `cell` in the bitboards and the key."""
    board.stones[mover] ^= 1 << (cell & 63)
    board.key ^= board.keys[2 * cell + mover]


@kernel
def completes_line(board: Board, cell: int, stones: int) -> bool:
    """Return whether the bitboard `stones` contains a line through `cell`."""
    if board.exactly:
        return completes_exactly(board, cell, stones)
    masks, entry = board.masks, board.starts[cell]
    has_line = False
    mask = masks[entry]
    while mask != 0:
        has_line |= stones & mask == mask
        entry += 1
        mask = masks[entry]
    return has_line


@kernel
def completes_exactly(board: Board, cell: int, stones: int) -> bool:
    """Return whether the bitboard `stones` contains a line through `cell` and none of its ends."""
    masks, end_masks, entry = board.masks, board.end_masks, board.starts[cell]
    has_line = False
    mask = masks[entry]
    while mask != 0:
        has_line |= stones & (mask | end_masks[entry]) == mask
        entry += 1
        mask = masks[entry]
    return has_line


@kernel
def ends_are_free(board: Board, cell: int, mover: int, step: int) -> bool:
    """Return whether some complete line through `cell` has no stone of `mover` at its ends.

    A line counts as complete if its state on the board plus `step` is that of a complete line.
    """
    states, values, through, ends = board.states, board.values, board.through, board.ends
    is_free = False
    entry = board.starts[cell]
    line = through[entry]
    while line >= 0:
        if values[states[line] + step].is_complete:
            is_held, at = False, board.end_starts[line]
            while ends[at] >= 0:
                is_held |= board.taken_by[ends[at]] == 1 + mover
                at += 1
            is_free |= not is_held
        entry += 1
        line = through[entry]
    return is_free


@kernel
def place(board: Board, cell: int, mover: int) -> bool:
    """Place a stone of `mover` at `cell`, modifying the board; return whether it completes a
    line."""
    toggle(board, cell, mover)
    board.taken_by[cell] = 1 + mover
    board.empty -= 1
    board.filled[board.column_of[cell]] += 1
    if board.by_masks:
        return completes_line(board, cell, board.stones[mover])
    step = 1 if mover == 0 else board.stride
    states, values, through = board.states, board.values, board.through
    change, found = 0, 0
    entry = board.starts[cell]
    line = through[entry]
    while line >= 0:  # a sentinel ends this short loop, so that it is not vectorised
        state = states[line]
        states[line] = state + step
        after = values[state + step]
        change += after.value - values[state].value
        found |= after.word
        entry += 1
        line = through[entry]
    if board.has_terms:
        change += change_terms(board, cell, mover, found, board.empty, 0, board.plane)
    board.total += change
    has_line = LineValue.of(found).is_complete != 0
    if has_line and board.exactly:
        return ends_are_free(board, cell, mover, 0)
    return has_line


@kernel
def lift(board: Board, cell: int, mover: int, total: int) -> None:
    """Undo `place`; `total` is the value of `board.total` before it."""
    toggle(board, cell, mover)
    board.taken_by[cell] = 0
    board.empty += 1
    board.filled[board.column_of[cell]] -= 1
    if board.by_masks:
        return
    step = 1 if mover == 0 else board.stride
    states, through = board.states, board.through
    entry = board.starts[cell]
    line = through[entry]
    while line >= 0:
        states[line] -= step
        entry += 1
        line = through[entry]
    if board.has_terms:
        restore_ends(board, cell)
    board.total = total


@kernel
def count_root(board: Board, cell: int, sign: int) -> None:
    """Add `sign` times the counters to a root move: −1 before its search and +1 after it."""
    move = board.root_moves[cell]
    move.nodes += sign * board.nodes
    move.leaves += sign * board.leaves
    move.cutoffs += sign * board.cutoffs


@inlined
def note_root(board: Board, ply: int, cell: int, score: int, alpha: int, beta: int) -> None:
    """Store the score of a move that was searched within (alpha, beta), if this is the root."""
    if ply == 0:
        move = board.root_moves[cell]
        move.value, move.alpha, move.beta, move.turn = score, alpha, beta, 1


# Scores


@inlined
def answer_of(board: Board, key: int) -> Answer:
    """Return the cache slot for the function's value of the board with this key."""
    return board.answers[shifted(key, board.answers_shift)]


@kernel
def static_evaluation(board: Board, ply: int, total: int, empty: int) -> int:
    """Return the heuristic's value of a board at `ply`, in the root's view.

    `total` is the board's `total`, `empty` the number of empty cells. If a function fails, return 0
    and set `stopped`.
    """
    if board.evaluator <= TERM_SUM:
        clamp = board.clamp
        if board.evaluator == TERM_SUM:
            total = sum_of_terms(board, mover_at(board, ply), total, empty)
        return max(-clamp, min(clamp, total)) if clamp >= 0 else total
    if board.evaluator == NO_EVALUATION:
        return 0
    if board.evaluator == RANDOM_DRAW:
        return board.sign * (shifted(_mix(board.key ^ board.salt), 33) % 201 - 100)
    answer = answer_of(board, board.key)
    known, mine, theirs = answer.known, board.stones[0], board.stones[1]
    if known.is_known and answer.mine == mine and answer.theirs == theirs:
        return known.value
    board.calls += 1
    board.is_asking = True
    value = ask(board.function, mine, theirs)
    board.is_asking = False
    if -MAX_VALUE <= value <= MAX_VALUE:
        answer.mine, answer.theirs = mine, theirs
        answer.known = KnownValue(is_known=1, value=value)
        return value
    if board.stopped != HEURISTIC_FAILED:
        board.stopped = HEURISTIC_FAILED
        board.failed[0], board.failed[1] = mine, theirs
    return 0


@kernel
def static_score(board: Board, ply: int, has_line: bool, total: int, empty: int) -> int:
    """Return the score of a leaf, in the root's view.

    `total` is the `total` of its board, `empty` the number of empty cells; `has_line` is true if
    the last move completed a line.
    """
    scoring = board.scoring
    if scoring != BY_HEURISTIC and has_line:
        win = WIN - ply if scoring == BY_DISTANCE else WIN
        is_mine = (mover_at(board, ply - 1) == 0) != board.misere
        return win if is_mine else -win
    if scoring != BY_HEURISTIC and empty == 0:
        return 0
    value = static_evaluation(board, ply, total, empty)
    if scoring == BY_HEURISTIC:
        return value
    return max(-MAX_EVALUATION, min(MAX_EVALUATION, value))


@inlined
def win_score(board: Board, ply: int) -> int:
    """Return the score of a move at `ply` that completes a line, in the mover's view, for searches
    without a heuristic."""
    return (1 - 2 * mover_at(board, ply)) * static_score(board, ply + 1, True, 0, 1)


@kernel
def leaf(board: Board, ply: int, has_line: bool) -> int:
    """Count a leaf and return its score in the root's view."""
    board.leaves += 1
    board.plies[ply].leaves += 1
    if not has_line and board.empty != 0:
        board.horizon_leaves += 1
    return static_score(board, ply, has_line, board.total, board.empty)


@kernel
def evaluate_move(board: Board, ply: int, cell: int) -> MoveScore:
    """Return the score after a move at `cell` that leads to `ply`; the board is unchanged."""
    mover, empty = mover_at(board, ply - 1), board.empty - 1
    total, has_line = board.total, False
    if board.by_masks:
        has_line = completes_line(board, cell, board.stones[mover] | 1 << (cell & 63))
    else:
        step = 1 if mover == 0 else board.stride
        states, values, through = board.states, board.values, board.through
        entry, found = board.starts[cell], 0
        line = through[entry]
        while line >= 0:
            state = states[line]
            after = values[state + step]
            total += after.value - values[state].value
            found |= after.word
            entry += 1
            line = through[entry]
        has_line = LineValue.of(found).is_complete != 0
        if board.has_terms:
            total += change_terms(board, cell, mover, found, empty, step, 0)
        if has_line and board.exactly:
            has_line = ends_are_free(board, cell, mover, step)
    is_over = int(has_line or empty == 0)
    if board.evaluator <= TERM_SUM:
        return MoveScore(is_over=is_over, score=static_score(board, ply, has_line, total, empty))
    toggle(board, cell, mover)
    score = static_score(board, ply, has_line, total, empty)
    toggle(board, cell, mover)
    return MoveScore(is_over=is_over, score=score)


@kernel
def frontier(board: Board, ply: int, count: int, alpha: int, beta: int, again: bool) -> int:
    """Return the score, for its side to move, of a node whose moves all lead to leaves.

    With `again`, every move but the first counts as two nodes if its score is within the window: a
    null window search and a re-search. Callers check with `has_room` that the limit allows this.
    """
    mover, moves = mover_at(board, ply), moves_of(board, ply)
    has_evaluation = board.evaluator != NO_EVALUATION
    sign, stones, is_last = 1 - 2 * mover, board.stones[mover], board.empty == 1
    win = 0 if has_evaluation else win_score(board, ply)
    best, best_cell = -INFINITY, -1
    horizon, repeated, index = 0, 0, 0
    if board.evaluator == FUNCTION_CALL:
        for number in range(count):
            key = board.key ^ board.keys[2 * moves[number] + mover]
            prefetch(answer_of(board, key).address, 0)
    while index < count:
        cell = moves[index]
        index += 1
        if has_evaluation:
            found = evaluate_move(board, ply + 1, cell)
            score, is_over = sign * found.score, found.is_over
        else:
            has_line = completes_line(board, cell, stones | 1 << (cell & 63))
            score, is_over = win if has_line else 0, 1 if has_line or is_last else 0
        horizon += 1 - is_over
        if again and index > 1 and alpha < score < beta and alpha + 1 < beta:
            repeated += 1
            horizon += 1 - is_over
        best = max(best, score)
        if score > alpha:
            alpha, best_cell = score, cell
        if is_closed(board, alpha, beta):
            board.cutoffs += 1
            break
    board.researches += repeated
    count_leaves(board, ply + 1, index + repeated, horizon)
    if best_cell >= 0:
        write_pv(board, ply, best_cell)
    return best


@inlined
def count_leaves(board: Board, ply: int, count: int, horizon: int) -> None:
    """Count `count` leaves at `ply`, `horizon` of them at the horizon."""
    board.nodes += count
    board.leaves += count
    board.horizon_leaves += horizon
    board.plies[ply].leaves += count
    board.deepest = max(board.deepest, ply)


# Order


@kernel
def list_moves(board: Board, ply: int) -> int:
    """Write the moves of the node in the game's order, for `moves_of`; return their number."""
    moves, count = moves_of(board, ply), 0
    if board.gravity:
        filled, cells, height = board.filled, board.column_cells, board.height
        for column in range(board.columns):
            if filled[column] < height:
                moves[count] = cells[column * height + filled[column]]
                count += 1
    else:
        taken_by = board.taken_by
        for cell in range(board.cells):
            if taken_by[cell] == 0:
                moves[count] = cell
                count += 1
    return count


@kernel
def generate(board: Board, ply: int) -> int:
    """Write the moves of the node in the conventions' order; return their number."""
    count = list_moves(board, ply)
    count_width(board, ply, count)
    if board.order != GENERATED:
        _sort(board, ply, count)
    return count


@inlined
def count_width(board: Board, ply: int, width: int) -> None:
    """Update the least and the greatest number of moves of the nodes at `ply`."""
    widths = board.plies[ply]
    widths.least_width = min(width, widths.least_width)
    widths.greatest_width = max(width, widths.greatest_width)


@kernel
def move_up(board: Board, ply: int, cell: int) -> None:
    """Move `cell` to the front of the moves of `ply`; the others keep their order."""
    moves, index = moves_of(board, ply), 0
    while moves[index] != cell:
        index += 1
    while index > 0:
        moves[index] = moves[index - 1]
        index -= 1
    moves[0] = cell


@kernel
def _sort(board: Board, ply: int, count: int) -> None:
    """Sort the moves by the keys of the conventions, least first; the sort is stable."""
    moves = moves_of(board, ply)
    keys = moves.offset(board.cells)
    for index in range(count):
        cell = moves[index]
        key = _key(board, ply, cell)
        at = index
        while at > 0 and keys[at - 1] > key:
            moves[at], keys[at] = moves[at - 1], keys[at - 1]
            at -= 1
        moves[at], keys[at] = cell, key


@kernel
def _key(board: Board, ply: int, cell: int) -> int:
    if board.order == RANDOM:
        return draw_priority(board.seed, ply, cell)
    score = evaluate_move(board, ply + 1, cell).score
    return -score if is_max_at(board, ply) == (board.order == BEST_FIRST) else score


# Draws


@kernel
def draw_priority(seed: int, ply: int, move: int) -> int:
    """Return the random priority of a move, the same as in the reference form but mapped from
    unsigned to signed order."""
    return _mix(seed * SEED_FACTOR + ply * PLY_FACTOR + move * MOVE_FACTOR) ^ TOP_BIT


@kernel
def _mix(number: int) -> int:
    """Return the same as `plyscope.randomness.mix`."""
    mixed = (number ^ shifted(number, 30)) * PLY_FACTOR
    mixed = (mixed ^ shifted(mixed, 27)) * MOVE_FACTOR
    return mixed ^ shifted(mixed, 31)


# Principal variations and windows


@kernel
def write_pv(board: Board, ply: int, cell: int) -> None:
    """Set the principal variation of `ply` to the single move `cell`."""
    pv = pv_of(board, ply)
    pv[0], pv[1] = 1, cell


@kernel
def improve(board: Board, ply: int, cell: int) -> None:
    """Make `cell` and the variation below it the principal variation of `ply`."""
    here, after = pv_of(board, ply), pv_of(board, ply + 1)
    length = after[0]
    here[0], here[1] = length + 1, cell
    for index in range(length):
        here[2 + index] = after[1 + index]


@inlined
def proves(score: int, alpha: int, beta: int) -> int:
    """Return the bound that `score` proves after a search within (alpha, beta)."""
    if score < alpha or (score == alpha and alpha > -INFINITY):
        return UPPER
    if score > beta or (score == beta and beta < INFINITY):
        return LOWER
    return EXACT


@inlined
def decides(score: int, bound: int, alpha: int, beta: int) -> bool:
    """Return whether a score with this bound makes a search within (alpha, beta) unnecessary."""
    if bound == EXACT:
        return True
    return score >= beta if bound == LOWER else score <= alpha


@inlined
def is_closed(board: Board, alpha: int, beta: int) -> bool:
    """Return whether the window (alpha, beta) causes a cutoff, by the convention `cut`."""
    return alpha > beta or (alpha == beta and not board.cuts_above)


@inlined
def within(board: Board, score: int, alpha: int, beta: int) -> int:
    """Return `score`; if the search is fail-hard, limited to the window."""
    return max(alpha, min(beta, score)) if board.is_hard else score
