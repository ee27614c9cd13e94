"""The playing engine: principal variation search with the techniques that make it play line games
well.

It uses iterative deepening with aspiration windows, and a transposition table in which symmetric
positions of the opening share an entry. Moves are ordered by the table move, killers, history and
the lines through the cell. Threats come first: a side that can complete a line does, and one that
must block a line has no other move. Forced moves are searched beyond the horizon. Late moves are
reduced, and searched again if they turn out well. Wins are scored by their distance. MultiPV
searches each variation without the first moves of the ones before it. Several threads search the
same root and share the table.

A score proves the same as in alpha-beta: s ≤ alpha means v ≤ s, s ≥ beta means v ≥ s, between them
v = s; but v is the value of a tree in which late moves are reduced.

Sources: Marsland & Campbell 1982 (principal variation search), Akl & Newborn 1977 (killers),
Schaeffer 1989 (history), Zobrist 1970 (keys), Allis 1994 (threats in line games).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from plyscope.searching.limit import NO_LIMIT
from plyscope.searching.result import Variation
from plyscope.searching.score import HALF_BITS, INFINITY, MAX_EVALUATION, WIN
from plyscope_fast.machine.kernel import inlined, kernel, lowest
from plyscope_fast.machine.threads import ABANDON_SECONDS, ThreadRunner
from plyscope_fast.searching.board import (
    count_root,
    decides,
    enter,
    improve,
    moves_of,
    note_root,
    proves,
    static_evaluation,
    write_pv,
)
from plyscope_fast.searching.buckets import (
    DEEPEST_ENTRY,
    BucketTable,
    EngineEntry,
    probe,
    record,
    value_from_tt,
    value_to_tt,
)
from plyscope_fast.searching.renju import is_foul, makes_straight_four
from plyscope_fast.searching.threats import ThreatBoard, key_of, lift, place, threat

if TYPE_CHECKING:
    from plyscope.searching.walk import Walk
    from plyscope_fast.searching.run import Runner

TABLE_MOVE, KILLER, MAX_HISTORY = 1 << 50, 1 << 40, 1 << 24
"""Scores that order moves: the table move first, then killers, then history and lines."""
UNDECIDED = 1 << 40
"""A value that is no score: the search of the node continues."""
FIRST_MARGIN = 16
"""Half the width of the first aspiration window; an eighth of the last value is added."""

MAX_PATTERN_HISTORY = 40
DANGER = 250
"""The penalty of a leaf where the opponent has a move after which two cells complete a line."""
CANDIDATES, LAST_CANDIDATES = 24, 14
"""The most moves of a node with patterns, and of one just above the horizon."""
LEAF_NODES, LEAF_MOVES, INNER_MOVES = 60, 6, 12
"""Limits of the search for a win by moves that threaten to complete a line."""

NODES_PER_SECOND = 60_000
"""The nodes per second for which a timed search has a table. A faster search fills it more; a
larger table would cost 3 ms per megabyte, because new pages have to be cleared."""
BYTES_PER_NODE = 1 << 10
"""Bytes of the table for each expected node, so that few buckets are ever full. A larger table
would not help, and its first use costs more than a short search."""


@kernel
def engine(
    board: ThreatBoard, table: BucketTable, ply: int, depth: int, done: bool, alpha: int, beta: int
) -> int:
    """Return the score of the node for its side to move, 0 if the search has to stop."""
    # Step 1. Count the node, unless the search has to stop.
    if not enter(board, ply):
        return 0

    # Step 2. Mate distance pruning: no win from here can be faster than one already found.
    if ply > 0:
        alpha, beta = max(alpha, ply - WIN), min(beta, WIN - ply - 1)

    # Step 3. Finished games, threats, an empty window, and the horizon.
    score, forced = score_at_once(board, ply, depth, done, alpha, beta)
    if score != UNDECIDED:
        return score
    depth = max(0, depth)

    # Step 4. Transposition table lookup, and wins by moves that threaten to complete a line.
    key = key_of(board, ply)
    entry = probe(table, key)
    table_move = move_of(board, ply, entry) if ply > 0 else board.first_move
    score = known_score(board, entry, ply, depth, forced, alpha, beta, table_move)
    if score != UNDECIDED:
        return score

    # Step 5. Order the moves: the table's, killers, then by history and lines. With patterns the
    # best of them are enough, and against an open pattern of one stone less those that stop it.
    called_alpha, called_beta, horizon, total = alpha, beta, board.horizon_leaves, board.total
    best, best_cell, searched = -INFINITY, -1, 0
    count = score_moves(board, ply, forced, table_move)
    if count < 0:  # all other moves lose within 4 plies
        best, count = ply + 4 - WIN, -1 - count
    if count == 0:  # Renju forbids the rest: a loss, or a draw if it forbids every move
        return best if best > -INFINITY else 0
    enough = candidates(board, ply, depth, count)
    for index in range(count):
        if searched >= enough and (ply > 0 or best > -MAX_EVALUATION):
            break
        cell = next_best_move(board, ply, index, count)
        if ply == 0 and board.excluded[cell] != 0:
            continue
        searched += 1
        completes = enter_move(board, ply, cell)

        # Step 6. Search the first move with the full window, the others with a null window and
        # late ones to a reduced depth. A forced move costs no depth.
        below = depth - (forced < 0)
        less = reduction(board, ply, depth, searched) if forced < 0 else 0
        high = beta if searched == 1 else alpha + 1
        score = -engine(board, table, ply + 1, below - less, completes, -high, -alpha)

        # Step 7. Search again: to full depth if a reduced move beats alpha, with the full window
        # if the score is within it.
        if less > 0 and score > alpha:
            score = -engine(board, table, ply + 1, below, completes, -high, -alpha)
        if high < beta and alpha < score < beta:
            board.researches += 1
            high = beta
            score = -engine(board, table, ply + 1, below, completes, -high, -alpha)
        leave_move(board, ply, cell, total)
        if board.stopped:
            return 0
        note_root(board, ply, cell, score, alpha, high)

        # Step 8. Raise alpha; update killers and history at a cutoff.
        if score > best:
            best, best_cell = score, cell
        if score > alpha:
            improve(board, ply, cell)
            alpha = score
        if alpha >= beta:
            update_history(board, ply, cell, depth)
            break

    # Step 9. Store the result; not at the root, where moves may have been excluded. A loss is
    # proved only if no move was left out; at the root all are tried before one is.
    if ply == 0:
        board.first_move = best_cell if best > called_alpha else board.first_move
        return best
    if enough < count and alpha < beta:
        best, board.horizon_leaves = max(best, -MAX_EVALUATION), board.horizon_leaves + 1
    bound, is_open = proves(best, called_alpha, called_beta), board.horizon_leaves != horizon
    record(table, key, entry_of(board, table, ply, depth, best, best_cell, bound, int(is_open)))
    return best


@inlined
def enter_move(board: ThreatBoard, ply: int, cell: int) -> bool:
    """Place a stone and return whether it completes a line; at the root, count for its move."""
    if ply == 0:
        count_root(board, cell, -1)
    return place(board, cell, ply & 1)


@inlined
def leave_move(board: ThreatBoard, ply: int, cell: int, total: int) -> None:
    """Lift the stone of `enter_move`."""
    lift(board, cell, ply & 1, total)
    if ply == 0:
        count_root(board, cell, 1)


@inlined
def score_at_once(
    board: ThreatBoard, ply: int, depth: int, done: bool, alpha: int, beta: int
) -> tuple[int, int]:
    """Return the score of a node whose moves are not searched, else UNDECIDED; and the forced move,
    −1 if there is none."""
    score, forced = decide_at_once(board, ply, done)
    if score != UNDECIDED:
        return score, forced
    if ply > 0 and alpha >= beta:
        return alpha, forced
    if depth <= 0 and forced < 0:  # quiescence: not before a forced move
        return horizon_score(board, ply, beta), forced
    return UNDECIDED, forced


@inlined
def decide_at_once(board: ThreatBoard, ply: int, done: bool) -> tuple[int, int]:
    """Return the score if rules or threats decide it, else UNDECIDED; and the forced move, −1 if
    there is none.

    `done` is true if the last move completed a line. The game is a draw as soon as neither side can
    complete a line any more.
    """
    if done or (ply > 0 and (board.live == 0 or board.empty == 0)):
        board.leaves += 1
        loss = WIN - ply if board.misere else ply - WIN
        return loss if done else 0, -1
    if board.misere:
        return UNDECIDED, -1
    won = threat(board, ply & 1, -1)
    if won >= 0 and (ply > 0 or board.excluded[won] == 0):
        note_root(board, ply, won, WIN - 1, -INFINITY, INFINITY)
        write_pv(board, ply, won)
        return WIN - ply - 1, -1
    forced = threat(board, 1 - (ply & 1), -1)
    if ply == 0 or board.caro:
        return UNDECIDED, forced
    if forced < 0:
        opened = opening_of(board, ply & 1)
        if opened >= 0:
            write_pv(board, ply, opened)
            return WIN - ply - 3, -1
    elif threat(board, 1 - (ply & 1), forced) >= 0 or is_forbidden(board, ply & 1, forced):
        write_pv(board, ply, forced)
        return ply + 2 - WIN, forced
    return UNDECIDED, forced


@inlined
def is_forbidden(board: ThreatBoard, mover: int, cell: int) -> bool:
    """Return whether Renju forbids a move."""
    return board.fouls_of == 1 + mover and is_foul(board, cell)


@kernel
def opening_of(board: ThreatBoard, mover: int) -> int:
    """Return a cell after which two cells complete a line of `mover`, −1 if none is known.

    If nobody can complete a line at once, such a move wins. With gravity the two cells may not be
    playable; with Caro's rule a stone beyond them may stop both.
    """
    if board.directions == 0 or board.gravity or board.caro:
        return -1
    words = board.opening.offset(mover * board.word_count)
    for word in range(board.word_count):
        cells = words[word]
        while cells != 0:
            cell = 64 * word + lowest(cells)
            if board.fouls_of != 1 + mover or makes_straight_four(board, cell):
                return cell
            cells &= cells - 1
    return -1


@kernel
def win_by_making(board: ThreatBoard, ply: int, nodes: int, moves: int) -> int:
    """Return the plies of a win in which each move threatens to complete a line, 0 if none is
    found within so many nodes and moves."""
    if board.directions == 0 or board.gravity or board.misere or board.caro:
        return 0
    board.making_nodes = nodes
    return search_making(board, ply & 1, moves)


@kernel
def search_making(board: ThreatBoard, mover: int, moves: int) -> int:
    """Return the plies of a win of `mover`, to move, by moves that threaten to complete a line; 0
    if none is found."""
    board.nodes += 1
    board.making_nodes -= 1
    if threat(board, mover, -1) >= 0:
        return 1
    forced = threat(board, 1 - mover, -1)
    if forced < 0 and opening_of(board, mover) >= 0:
        return 3
    if moves == 0 or (forced >= 0 and threat(board, 1 - mover, forced) >= 0):
        return 0
    making, total = board.making.offset(mover * board.word_count), board.total
    for word in range(board.word_count):
        cells = making[word]
        if forced >= 0:
            cells &= 1 << (forced & 63) if forced >> 6 == word else 0
        while cells != 0 and board.making_nodes > 0:
            cell = 64 * word + lowest(cells)
            cells &= cells - 1
            if is_forbidden(board, mover, cell):
                continue
            place(board, cell, mover)
            answer, plies = threat(board, mover, -1), 0
            if answer < 0:
                pass
            elif threat(board, mover, answer) >= 0 or is_forbidden(board, 1 - mover, answer):
                plies = 3
            else:
                inner = board.total
                place(board, answer, 1 - mover)
                plies = search_making(board, mover, moves - 1)
                plies += 2 if plies > 0 else 0
                lift(board, answer, 1 - mover, inner)
            lift(board, cell, mover, total)
            if plies > 0:
                return plies
    return 0


@inlined
def horizon_score(board: ThreatBoard, ply: int, beta: int) -> int:
    """Count a leaf and return its static evaluation for the side to move, unless it wins by moves
    that threaten to complete a line."""
    board.leaves += 1
    board.horizon_leaves += 1
    value = static_evaluation(board, ply, board.total, board.empty)
    value = value if ply & 1 == 0 else -value
    if board.directions != 0 and opening_of(board, 1 - (ply & 1)) >= 0:
        value -= DANGER
    value = max(-MAX_EVALUATION, min(MAX_EVALUATION, value))
    plies = win_by_making(board, ply, LEAF_NODES, LEAF_MOVES) if value < beta else 0
    return WIN - ply - plies if plies > 0 else value


@inlined
def move_of(board: ThreatBoard, ply: int, entry: EngineEntry) -> int:
    """Return the move of an entry on this board, −1 if it has none."""
    if entry.move == 0:
        return -1
    return board.inverses[board.cells * board.canonical_by[ply] + entry.move - 1]


@inlined
def known_score(
    board: ThreatBoard,
    entry: EngineEntry,
    ply: int,
    depth: int,
    forced: int,
    alpha: int,
    beta: int,
    table_move: int,
) -> int:
    """Return the score of an entry or of a win by threats if it makes the search of the node
    unnecessary, else UNDECIDED."""
    score = score_of(board, entry, ply, depth, alpha, beta, table_move)
    if score == UNDECIDED and ply > 0 and forced < 0:
        plies = win_by_making(board, ply, 200 if depth < 4 else 2000, INNER_MOVES)
        if plies > 0:
            return WIN - ply - plies
    return score


@inlined
def score_of(
    board: ThreatBoard,
    entry: EngineEntry,
    ply: int,
    depth: int,
    alpha: int,
    beta: int,
    table_move: int,
) -> int:
    """Return the score of an entry if it makes the search of the node unnecessary, else UNDECIDED.

    The entry must be deep enough, but wins and losses are valid at any depth.
    """
    if entry.word == 0 or ply == 0:
        return UNDECIDED
    score = value_from_tt(entry.score, ply)
    is_settled = abs(score) > MAX_EVALUATION
    is_deep = is_settled or entry.depth >= min(depth, DEEPEST_ENTRY)
    if not is_deep or not decides(score, entry.bound, alpha, beta):
        return UNDECIDED
    board.table_hits += 1
    if not is_settled:
        board.horizon_leaves += entry.is_open
    write_pv(board, ply, table_move)
    return score


@inlined
def entry_of(
    board: ThreatBoard,
    table: BucketTable,
    ply: int,
    depth: int,
    best: int,
    best_cell: int,
    bound: int,
    is_open: int,
) -> EngineEntry:
    """Return the table entry for the result of a node."""
    image = board.permutations[board.cells * board.canonical_by[ply] + best_cell]
    return EngineEntry(
        bound=bound,
        is_open=is_open,
        depth=min(depth, DEEPEST_ENTRY),
        age=table.age,
        move=image + 1,
        score=value_to_tt(best, ply),
    )


@kernel
def candidates(board: ThreatBoard, ply: int, depth: int, count: int) -> int:
    """Return how many of `count` moves, the best first, are searched."""
    if board.directions == 0 or board.gravity or board.misere or depth >= board.empty:
        return count
    return min(count, CANDIDATES if depth > 1 else LAST_CANDIDATES)


@inlined
def reduction(board: ThreatBoard, ply: int, depth: int, searched: int) -> int:
    """Return the depth reduction of a late move."""
    if searched <= 4 or depth < 3 or depth >= board.empty:
        return 0
    if board.directions != 0:
        return 1 + (searched > 8) + (searched > 14 and depth >= 6)
    return 2 if searched > 12 and depth >= 6 else 1


@kernel
def score_moves(board: ThreatBoard, ply: int, forced: int, table_move: int) -> int:
    """Write the moves of the node and their ordering scores; return their number.

    Below the root a forced move is the only one. If the opponent is about to make two cells that
    complete a line, only moves that stop this, or threaten to complete a line, are written; the
    result is then −1 − their number. So it is with Caro's rule if the opponent is about to complete
    a line, since a stone at its ends may stop it too.
    """
    moves = moves_of(board, ply)
    scores = moves.offset(board.cells)
    if forced >= 0 and ply > 0 and not board.caro:
        moves[0], scores[0] = forced, 0
        return 1
    killers, history = board.killers.offset(2 * ply), board.history.offset((ply & 1) * board.cells)
    opened = opening_of(board, 1 - (ply & 1)) if ply > 0 and not board.misere else -1
    if board.caro and ply > 0:
        opened = forced
    count = 0
    for word in range(board.word_count):
        playable = board.playable[word]
        if opened >= 0:
            playable &= stopping(board, ply & 1, opened, word)
        while playable != 0:
            cell = 64 * word + lowest(playable)
            playable &= playable - 1
            if is_forbidden(board, ply & 1, cell):
                continue
            score = history[cell] + score_lines(board, ply & 1, cell)
            if cell == table_move:
                score += TABLE_MOVE
            elif cell == killers[0] or cell == killers[1]:
                score += KILLER
            moves[count], scores[count] = cell, score
            count += 1
    return -1 - count if opened >= 0 else count


@kernel
def stopping(board: ThreatBoard, mover: int, opened: int, word: int) -> int:
    """Return a word of the bitboard of moves of `mover` that can stop the other side's move at
    `opened`, or that threaten to complete a line.

    Any other move leaves the patterns of `opened` as they are, and loses within 4 plies.
    """
    cells = board.making.offset(mover * board.word_count)[word]
    if opened >> 6 == word:
        cells |= 1 << (opened & 63)
    around = board.around.offset(opened * board.directions * board.places)
    for index in range(board.directions * board.places):
        if around[index] >= 0 and around[index] >> 6 == word:
            cells |= 1 << (around[index] & 63)
    return cells


@inlined
def score_patterns(board: ThreatBoard, mover: int, cell: int) -> int:
    """Return the ordering score of the patterns of a cell: the values for the mover, and three
    quarters of those for the other side."""
    above = 64 - HALF_BITS
    mine = board.pattern_sums[mover * board.cells + cell] << above >> above
    theirs = board.pattern_sums[(1 - mover) * board.cells + cell] << above >> above
    return abs(mine) + 3 * abs(theirs) // 4


@kernel
def score_lines(board: ThreatBoard, mover: int, cell: int) -> int:
    """Return the ordering score of the lines or patterns through a cell."""
    if board.directions != 0:
        return score_patterns(board, mover, cell)
    states, through, scores = board.states, board.through, board.order_scores
    score, entry = 0, board.starts[cell]
    line = through[entry]
    while line >= 0:
        score += scores[states[line]]
        entry += 1
        line = through[entry]
    return score


@kernel
def next_best_move(board: ThreatBoard, ply: int, index: int, count: int) -> int:
    """Return the move with the highest ordering score from `index` on, and swap it to `index`."""
    moves = moves_of(board, ply)
    scores = moves.offset(board.cells)
    best = index
    for other in range(index + 1, count):
        if scores[other] > scores[best]:
            best = other
    cell, score = moves[best], scores[best]
    moves[best], scores[best] = moves[index], scores[index]
    moves[index], scores[index] = cell, score
    return cell


@kernel
def update_history(board: ThreatBoard, ply: int, cell: int, depth: int) -> None:
    """Count a cutoff by `cell`, and update killers and history."""
    board.cutoffs += 1
    killers, history = board.killers.offset(2 * ply), board.history.offset((ply & 1) * board.cells)
    if killers[0] != cell:
        killers[1] = killers[0]
        killers[0] = cell
    if board.directions != 0:  # patterns choose the moves, and history only orders equal ones
        history[cell] = min(history[cell] + depth, MAX_PATTERN_HISTORY)
        return
    history[cell] += depth * depth
    if history[cell] > MAX_HISTORY:
        for other in range(board.cells):
            history[other] >>= 1


ENTRIES = (engine,)


@dataclass
class EngineMemory:
    """The objects that all depths of a search share."""

    table: BucketTable | None = None
    board: ThreatBoard | None = None
    helpers: list[ThreatBoard] = field(default_factory=list)
    values: dict[int, int] = field(default_factory=dict)
    """The values of the variations at the last depth, best first."""


def search(walk: Walk, runner: Runner) -> int:
    """Search the root to the walk's depth, for `multipv` variations with `threads` threads. Return
    the best value."""
    options, memory = walk.options, walk.memory.of(EngineMemory)
    table = _table_of(walk, memory)
    # the boards are those of the previous depth, with their killers and history
    runner.board = board = memory.board = memory.board or runner.new_board(ThreatBoard)
    board.begin(NO_LIMIT if walk.limit.nodes is None else walk.limit.nodes - walk.nodes)
    helpers = memory.helpers
    while len(helpers) < options.threads - 1:
        helpers.append(runner.new_board(ThreatBoard))
    for helper in helpers:
        helper.begin(NO_LIMIT)
    threads = [ThreadRunner(helper.stop) for helper in helpers]
    variations: list[Variation] = []
    try:
        for number, (thread, helper) in enumerate(zip(threads, helpers, strict=True)):
            thread.begin(partial(_help, helper, table, walk.depth + number % 2))
        while len(variations) < min(options.multipv, len(walk.game.moves(walk.root.position))):
            before = memory.values.get(len(variations))
            value = memory.values[len(variations)] = _aspire(walk, runner, table, before)
            variations.append(Variation(value=value, pv=walk.pv))
            board.exclude(walk.pv[0])
    finally:
        try:
            _end(threads, helpers)
        finally:  # Ctrl-C may have interrupted _end
            for helper in helpers:
                helper.stop()
        walk.nodes += sum(helper.nodes for helper in helpers)
    variations.sort(key=lambda variation: -variation.value)
    walk.variations, walk.pv, walk.table_fill = tuple(variations), variations[0].pv, table.fill()
    return variations[0].value


def _table_of(walk: Walk, memory: EngineMemory) -> BucketTable:
    """Return the table of this search: the one in the options, or a new one."""
    if memory.table is None:
        options = walk.options
        nodes = _expected_nodes(walk) * options.threads * options.multipv
        enough = nodes * BYTES_PER_NODE / (1 << 20)
        memory.table = options.table or BucketTable(min(options.megabytes, enough))
        memory.table.prepare((walk.game, walk.heuristic))
    return memory.table


def _expected_nodes(walk: Walk) -> float:
    """Return an estimate of the nodes of a search within its limits."""
    limit, moves = walk.limit, len(walk.game.moves(walk.root.position))
    nodes = inf if limit.nodes is None else limit.nodes
    if limit.seconds is not None:
        nodes = min(nodes, limit.seconds * NODES_PER_SECOND)
    if limit.depth is not None:  # with good order it visits about twice the root of moves**depth
        nodes = min(nodes, moves ** ((2 * min(limit.depth, 40) + 2) // 3))
    return nodes


def _help(helper: ThreatBoard, table: BucketTable, depth: int) -> None:
    engine(helper, table, 0, depth, False, -INFINITY, INFINITY)


def _end(threads: list[ThreadRunner], helpers: list[ThreatBoard]) -> None:
    """Stop the helpers; abandon one whose heuristic does not return."""
    for helper in helpers:
        helper.stop()
    until = perf_counter() + ABANDON_SECONDS
    for thread in threads:
        thread.end(until - perf_counter())


def _aspire(walk: Walk, runner: Runner, table: BucketTable, before: int | None) -> int:
    """Return the value of the root, found with aspiration windows around `before`, the value at the
    previous depth."""
    alpha, beta, margin = -INFINITY, INFINITY, FIRST_MARGIN
    if before is not None and walk.depth > 3 and abs(before) <= MAX_EVALUATION:
        margin += abs(before) // 8
        alpha, beta = before - margin, before + margin
    while True:
        value = int(runner.call(engine, table, 0, walk.depth, False, alpha, beta))
        if alpha < value < beta:
            return value
        margin *= 4
        is_open = abs(value) > MAX_EVALUATION or margin > WIN // 4
        if value <= alpha:
            alpha = -INFINITY if is_open else value - margin
        else:
            beta = INFINITY if is_open else value + margin
