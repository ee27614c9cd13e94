"""The kernel that satisfies clauses over truth values, and takes more clauses between two answers.

Conflict-driven clause learning (Marques-Silva & Sakallah 1999): a conflict is followed back to the
first single literal of the last decision that implies it, and the clause so found is kept. Each
clause watches two of its literals (Moskewicz et al. 2001). The variable that took part most in late
conflicts is decided next, and gets the value that it had last (Pipatsrisawat & Darwiche 2007), but
for the first variables, whose value to decide is fixed. After conflicts that join many decisions,
all are taken back, and learned clauses that join many are removed (Audemard & Simon 2009).

A literal is twice its variable, plus one if it is negated. A clause is its number of literals, the
next clauses that watch the first and the second of them, its glue, and the literals.
"""

from __future__ import annotations

from typing import Annotated

from plyscope_fast.machine.block import Block, Words
from plyscope_fast.machine.kernel import clock, kernel

VARIABLES = 1 << 17
WORDS = 1 << 22
"""The room for variables, and for clauses; when one is full, the search gives up."""
HEAD = 4
"""The words of a clause before its literals."""
GREATEST = 1 << 52
"""The activity at which all are divided."""
RESTART = 10
"""The least number of conflicts after which all decisions are taken back."""
LEARNED = 2_000
"""The number of clauses that are learned before the worse half of them is removed; it grows."""
GOOD = 2
"""The glue of learned clauses that are always kept."""
MAX_GLUE = 64
SATISFIED, CONTRADICTORY, STOPPED = 1, 0, -1


class Logic(Block):
    """Clauses, and values of their variables."""

    steps: int  # literals followed since the beginning
    stop: int  # not 0: stop
    limit: int  # the value of `steps` at which the search stops
    variables: int  # the number in use, with the unused variable 0
    fixed: int  # the first variables, which are always decided as they were at first
    used: int  # the words of clauses in use
    is_contradictory: int
    depth: int  # the number of decisions
    count: int  # the number of literals that are true
    done: int  # the number of them that were followed
    bump: int  # what a variable of a conflict gains
    heap_count: int
    length: int  # of `clause`
    marked: int
    conflicts: int  # since all decisions were taken back
    learned: int  # since learned clauses were removed
    most_learned: int
    recent: int  # the mean glue of late conflicts, times 1 << 16
    sum: int  # the sum of all glues, times 1 << 16
    all: int  # the number of conflicts
    stamp: int
    stamps: Words  # [VARIABLES]  the last stamp of a level
    glues: Annotated[Words, MAX_GLUE + 1]  # the number of learned clauses with a glue
    clauses: Words  # [WORDS]
    heads: Words  # [2 * VARIABLES]  the first clause that watches a literal, 0 for none
    value: Words  # [2 * VARIABLES]  1 for a true literal, -1 for a false one
    level: Words  # [VARIABLES]  the decisions before the value
    reason: Words  # [VARIABLES]  the clause that implied the value, 0 for none
    trail: Words  # [VARIABLES]  the true literals in their order
    begins: Words  # [VARIABLES]  the length of the trail before each decision
    activity: Words  # [VARIABLES]
    heap: Words  # [VARIABLES]  variables, none less active than those at 2i + 1 and 2i + 2
    place: Words  # [VARIABLES]  the index in the heap plus one, 0 if not there
    last: Words  # [VARIABLES]  the value to decide: 0 for true, 1 for false
    seen: Words  # [VARIABLES]
    marks: Words  # [VARIABLES]  the variables seen in the analysis of a conflict
    clause: Words  # [VARIABLES]  a clause under way


@kernel
def clear(logic: Logic) -> None:
    """Remove all clauses and variables."""
    for variable in range(logic.variables):
        logic.heads[2 * variable] = logic.heads[2 * variable + 1] = 0
        logic.value[2 * variable] = logic.value[2 * variable + 1] = 0
    logic.variables = logic.used = 1
    logic.is_contradictory = logic.depth = logic.count = logic.done = 0
    logic.heap_count = logic.length = logic.steps = logic.fixed = 0
    logic.bump = 1024
    logic.conflicts = logic.learned = logic.recent = logic.sum = logic.all = 0
    logic.most_learned = LEARNED


@kernel
def _set(logic: Logic, index: int, variable: int) -> None:
    """Put a variable into the heap."""
    logic.heap[index] = variable
    logic.place[variable] = index + 1


@kernel
def _rise(logic: Logic, index: int) -> None:
    """Move a variable of the heap up to its place."""
    variable = logic.heap[index]
    while index > 0:
        above = (index - 1) // 2
        if logic.activity[logic.heap[above]] >= logic.activity[variable]:
            break
        _set(logic, index, logic.heap[above])
        index = above
    _set(logic, index, variable)


@kernel
def _insert(logic: Logic, variable: int) -> None:
    """Put a variable into the heap if it is not there."""
    if logic.place[variable] == 0:
        _set(logic, logic.heap_count, variable)
        logic.heap_count += 1
        _rise(logic, logic.heap_count - 1)


@kernel
def _most_active(logic: Logic) -> int:
    """Take the most active variable from the heap."""
    best = logic.heap[0]
    logic.place[best] = 0
    logic.heap_count -= 1
    variable = logic.heap[logic.heap_count]
    index, below = 0, 1
    while below < logic.heap_count:
        if (
            below + 1 < logic.heap_count
            and logic.activity[logic.heap[below + 1]] > logic.activity[logic.heap[below]]
        ):
            below += 1
        if logic.activity[logic.heap[below]] <= logic.activity[variable]:
            break
        _set(logic, index, logic.heap[below])
        index = below
        below = 2 * index + 1
    if logic.heap_count > 0:
        _set(logic, index, variable)
    return best


@kernel
def new_variable(logic: Logic, last: int) -> int:
    """Return a new variable, which is decided true if `last` is 0 and false if it is 1."""
    variable = logic.variables
    if variable + 1 < VARIABLES:
        logic.variables += 1
    logic.activity[variable] = logic.place[variable] = logic.seen[variable] = 0
    logic.last[variable] = last
    _insert(logic, variable)
    return variable


@kernel
def _assign(logic: Logic, literal: int, reason: int) -> None:
    """Make a literal true."""
    variable = literal >> 1
    logic.value[literal], logic.value[literal ^ 1] = 1, -1
    logic.level[variable], logic.reason[variable] = logic.depth, reason
    logic.trail[logic.count] = literal
    logic.count += 1


@kernel
def _watch(logic: Logic, glue: int) -> int:
    """Keep the clause under way, of two literals at least, and return where it is.

    The glue of a learned clause is the number of decisions that it joins (Audemard & Simon 2009);
    0 for a given one.
    """
    at, length = logic.used, logic.length
    place = logic.clauses.offset(at)
    place[0], place[3] = length, glue
    for index in range(length):
        place[HEAD + index] = logic.clause[index]
    for index in range(2):
        place[1 + index] = logic.heads[logic.clause[index]]
        logic.heads[logic.clause[index]] = at
    logic.used += HEAD + length
    return at


@kernel
def is_full(logic: Logic) -> bool:
    """Return whether little room is left."""
    return logic.used + 2 * VARIABLES > WORDS or logic.variables + 8192 > VARIABLES


@kernel
def say(logic: Logic, literal: int) -> None:
    """Add a literal to the clause under way, unless it is known to be false."""
    if logic.value[literal] >= 0:
        logic.clause[logic.length] = literal
        logic.length += 1


@kernel
def end(logic: Logic) -> None:
    """Add the clause under way; no decision may stand."""
    length, is_true = logic.length, False
    for index in range(length):
        is_true = is_true or logic.value[logic.clause[index]] == 1
    if not is_true:
        if length == 0:
            logic.is_contradictory = 1
        elif length == 1:
            _assign(logic, logic.clause[0], 0)
        else:
            _watch(logic, 0)
    logic.length = 0


@kernel
def _follow(logic: Logic) -> int:
    """Make true what the true literals imply; return a clause that is false, 0 if there is none."""
    found = 0
    while found == 0 and logic.done < logic.count:
        false = logic.trail[logic.done] ^ 1
        logic.done += 1
        logic.steps += 1
        at = logic.heads[false]
        logic.heads[false] = 0
        while at != 0:
            place = logic.clauses.offset(at)
            if place[HEAD] == false:
                place[HEAD], place[HEAD + 1] = place[HEAD + 1], false
                place[1], place[2] = place[2], place[1]
            following, other, watched = place[2], place[HEAD], false
            if found == 0 and logic.value[other] != 1:
                index = HEAD + 2
                last = HEAD + place[0]
                while index < last and logic.value[place[index]] < 0:
                    index += 1
                if index < last:
                    watched = place[index]
                    place[index], place[HEAD + 1] = false, watched
                elif logic.value[other] < 0:
                    found = at
                else:
                    _assign(logic, other, at)
            place[2] = logic.heads[watched]
            logic.heads[watched] = at
            at = following
    return found


@kernel
def back(logic: Logic, depth: int) -> None:
    """Take back the decisions after the first `depth`."""
    if logic.depth <= depth:
        return
    while logic.count > logic.begins[depth]:
        logic.count -= 1
        literal = logic.trail[logic.count]
        logic.value[literal] = logic.value[literal ^ 1] = 0
        if literal >> 1 > logic.fixed:
            logic.last[literal >> 1] = literal & 1
        _insert(logic, literal >> 1)
    logic.done, logic.depth = logic.count, depth


@kernel
def _gain(logic: Logic, variable: int) -> None:
    """Note that a variable took part in a conflict."""
    logic.activity[variable] += logic.bump
    if logic.activity[variable] > GREATEST:
        for each in range(logic.variables):
            logic.activity[each] >>= 40
        logic.bump = max(1024, logic.bump >> 40)
    if logic.place[variable] != 0:
        _rise(logic, logic.place[variable] - 1)


@kernel
def _is_implied(logic: Logic, literal: int) -> bool:
    """Return whether other literals of the clause under way imply that one is false."""
    at = logic.reason[literal >> 1]
    if at == 0:
        return False
    place = logic.clauses.offset(at)
    for index in range(HEAD, HEAD + place[0]):
        variable = place[index] >> 1
        if logic.seen[variable] == 0 and logic.level[variable] > 0:
            return False
    return True


@kernel
def _learn(logic: Logic, conflict: int) -> None:
    """Keep the clause that a conflict implies, and go back to where it decides a variable."""
    at, index, open_count = conflict, logic.count, 0
    literal = -1
    logic.length, logic.marked = 1, 0
    while True:
        place = logic.clauses.offset(at)
        for each in range(HEAD, HEAD + place[0]):
            variable = place[each] >> 1
            if place[each] != literal and logic.seen[variable] == 0 and logic.level[variable] > 0:
                logic.seen[variable] = 1
                logic.marks[logic.marked] = variable
                logic.marked += 1
                _gain(logic, variable)
                if logic.level[variable] == logic.depth:
                    open_count += 1
                else:
                    logic.clause[logic.length] = place[each]
                    logic.length += 1
        index -= 1
        while logic.seen[logic.trail[index] >> 1] == 0:
            index -= 1
        literal = logic.trail[index]
        open_count -= 1
        if open_count == 0:
            break
        at = logic.reason[literal >> 1]
    logic.clause[0] = literal ^ 1
    length, depth = 1, 0
    for each in range(1, logic.length):
        kept = logic.clause[each]
        if not _is_implied(logic, kept):
            logic.clause[length] = kept
            if logic.level[kept >> 1] > depth:
                depth = logic.level[kept >> 1]
                logic.clause[length], logic.clause[1] = logic.clause[1], kept
            length += 1
    logic.length = length
    for each in range(logic.marked):
        logic.seen[logic.marks[each]] = 0
    glue = _glue(logic)
    back(logic, depth)
    _assign(logic, logic.clause[0], 0 if length == 1 else _watch(logic, glue))
    logic.length = 0
    logic.bump += logic.bump >> 4
    logic.conflicts += 1
    logic.learned += 1
    logic.recent += ((glue << 16) - logic.recent) >> 5
    logic.sum += glue << 16
    logic.all += 1


@kernel
def _glue(logic: Logic) -> int:
    """Return the glue of the clause under way."""
    logic.stamp += 1
    glue = 0
    for each in range(logic.length):
        level = logic.level[logic.clause[each] >> 1]
        if logic.stamps[level] != logic.stamp:
            logic.stamps[level] = logic.stamp
            glue += 1
    return min(glue, MAX_GLUE)


@kernel
def _remove(logic: Logic) -> None:
    """Remove the worse half of the learned clauses, and what is known to be true or false; no
    decision may stand."""
    for glue in range(MAX_GLUE + 1):
        logic.glues[glue] = 0
    at, count, end = 1, 0, logic.used
    while at < end:
        place = logic.clauses.offset(at)
        if place[3] > GOOD:
            logic.glues[place[3]] += 1
            count += 1
        at += HEAD + place[0]
    worst, kept = GOOD, 0
    while worst < MAX_GLUE and kept + logic.glues[worst + 1] <= count // 2:
        worst += 1
        kept += logic.glues[worst]
    for literal in range(2 * logic.variables):
        logic.heads[literal] = 0
    at, logic.used = 1, 1
    while at < end:
        place = logic.clauses.offset(at)
        size, glue, is_true = place[0], place[3], False
        logic.length = 0
        for index in range(HEAD, HEAD + size):
            is_true = is_true or logic.value[place[index]] == 1
            say(logic, place[index])
        if not is_true and glue <= worst:
            _watch(logic, glue)
        at += HEAD + size
    logic.length = logic.learned = 0
    logic.most_learned += LEARNED // 8


@kernel
def satisfy(logic: Logic) -> int:
    """Return SATISFIED if the values satisfy all clauses, CONTRADICTORY if none do, or STOPPED."""
    while logic.is_contradictory == 0:
        clock()
        if logic.stop != 0 or logic.steps > logic.limit or is_full(logic):
            return STOPPED
        conflict = _follow(logic)
        if conflict != 0:
            if logic.depth == 0:
                logic.is_contradictory = 1
            else:
                _learn(logic, conflict)
        elif logic.conflicts >= RESTART and 10 * logic.recent * logic.all > 11 * logic.sum:
            back(logic, 0)
            logic.conflicts = 0
            if logic.learned > logic.most_learned:
                _remove(logic)
        else:
            variable = 0
            while variable == 0 and logic.heap_count > 0:
                variable = _most_active(logic)
                if logic.value[2 * variable] != 0:
                    variable = 0
            if variable == 0:
                return SATISFIED
            logic.begins[logic.depth] = logic.count
            logic.depth += 1
            _assign(logic, 2 * variable + logic.last[variable], 0)
    return CONTRADICTORY
