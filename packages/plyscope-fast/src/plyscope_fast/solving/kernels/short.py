"""The kernel that finds short proofs of wins: depth-first search for a cheap strategy, whose leaves
are wins by fours.

`shorten` takes longer than `wins.prove` to find a win, but its strategy needs fewer positions. It
takes the same moves and replies. A node has one number, its cost; ANSWER is the cost of an answer
that a proof lists, and the estimate for a position not searched yet:

    cost(attacker to move) = minimum of cost(child), plus ANSWER unless the move is forced
    cost(defender to move) = maximum of cost(child), 1 at least, plus ANSWER for each child
                             without fours

The maximum replaces the sum since positions are reached by many paths, as in `wins`. But the cost
of what is proved stays in the numbers, so a cheaper proof replaces the first one that is found. A
node is searched until it is proved, or until its cost reaches its limit.
"""

from __future__ import annotations

from typing import Any

from plyscope_fast.machine.kernel import clock, kernel
from plyscope_fast.solving.kernels import threats, wins
from plyscope_fast.solving.kernels.threats import ATTACKER, NONE, zobrist_of
from plyscope_fast.solving.kernels.wins import FAILS, INFINITE, OPEN, SUCCEEDS, Numbers, Tree

ANSWER = 8
"""The cost of an answer."""
UNTRIED_INCREASE = 32
"""The increase of the estimate from one untried move of the attacker to the next."""
SHORT = 0x5A5A5A5A12345678
"""The exclusive or that marks keys of this search: the `own` of their numbers is the cost, and
their `other` is not 0 if the win is proved."""


@kernel
def _best_move(tree: Tree, ply: int, count: int) -> tuple[int, int, int, int]:
    """Return the cheapest move, its cost, whether it is proved, and the least cost of the others,
    of a node with the attacker to move."""
    keys = tree.keys.offset(ply * tree.cells)
    best, cost, is_proved, next_ = 0, INFINITE + 1, 0, INFINITE
    for index in range(count):
        numbers = wins.probe(tree, keys[index])
        one, done = numbers.own, numbers.other
        if numbers.word == 0:
            one, done = ANSWER + UNTRIED_INCREASE * index, 0
        if one < cost or (one == cost and done > is_proved):
            next_ = min(next_, cost)
            best, cost, is_proved = index, one, done
        else:
            next_ = min(next_, one)
    return best, cost, is_proved, next_


@kernel
def _hardest_reply(tree: Tree, ply: int, count: int) -> tuple[int, int, int, int]:
    """Return the most costly reply that is not proved, the greatest cost, whether all replies are
    proved, and the cost of the answers to them, of a node with the defender to move."""
    keys = tree.keys.offset(ply * tree.cells)
    best, hardest, greatest, is_proved, answers = 0, -1, 1, 1, 0
    for index in range(count):
        numbers = wins.probe(tree, keys[index])
        one = ANSWER if numbers.word == 0 else numbers.own
        if numbers.word == 0 or numbers.other == 0:
            is_proved = 0
            if one > hardest:
                best, hardest = index, one
        greatest = max(greatest, one)
        answers += ANSWER if one > 0 else 0
    return best, greatest, is_proved, answers


@kernel
def _search(
    tree: Tree, ply: int, key: int, stored_as: int, stones: int, side: int, limit: int
) -> None:
    """Search a node until it is proved or its cost reaches `limit`; store it under `stored_as`."""
    clock()
    tree.expanded += 1
    expanded = tree.expanded
    if expanded > tree.most:
        tree.spent = 1
    if tree.stop | tree.spent != 0:
        return
    known, forced = wins.judge(tree, key, side)
    count = 0
    if known == OPEN:
        is_zoned = wins.is_threat(tree, key, known, forced, side)
        count = wins.list_children(tree, ply, key, forced, side, stones, is_zoned, False)
    if count == 0:
        is_win = known == (SUCCEEDS if side == ATTACKER else FAILS)
        wins.store(tree, stored_as, 0 if is_win else INFINITE, 1 if is_win else 0, 1)
        if ply == 0 and is_win and side == ATTACKER:
            tree.best = tree.pv[0]
        return
    while True:
        if side == ATTACKER:
            index, cost, is_proved, next_ = _best_move(tree, ply, count)
            more = ANSWER if forced == NONE else 0
            child_limit = min(limit - more, next_ + next_ // 4 + 1)
        else:
            index, cost, is_proved, more = _hardest_reply(tree, ply, count)
            child_limit = limit - more
        cost = min(INFINITE, cost + more)
        cell = tree.moves[ply * tree.cells + index]
        if is_proved != 0 or cost >= limit:
            wins.store(tree, stored_as, cost, is_proved, tree.expanded - expanded + 1)
            if ply == 0 and is_proved != 0:
                tree.best = cell
            return
        threats.place(tree, cell, side)
        wins.update_hashes(tree, ply, cell, side, stones + 1)
        after = key ^ zobrist_of(tree, cell, side)
        child_key = tree.keys[ply * tree.cells + index]
        _search(tree, ply + 1, after, child_key, stones + 1, 1 - side, child_limit)
        threats.lift(tree, cell, side)
        if tree.stop | tree.spent != 0:
            return


@kernel
def shorten(tree: Tree, side: int, most: int) -> int:
    """Search the board given by `owners`, with `side` to move, for at most `most` nodes.

    Return the word of its `Numbers` as `wins.prove` does, 0 if no win of the attacker was found.
    """
    key, stored_as, stones = wins.begin(tree, side, most, SHORT)
    _search(tree, 0, key, stored_as, stones, side, INFINITE)
    if wins.probe(tree, stored_as).other == 0:
        return 0
    is_own = side == ATTACKER
    own, other = 0 if is_own else INFINITE, INFINITE if is_own else 0
    return Numbers(own=own, other=other, work=1).word


ENTRIES: tuple[Any, ...] = (shorten,)
"""The kernels called from Python."""
