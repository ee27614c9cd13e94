"""The solver of games too large for retrograde analysis: df-pn, depth-first proof-number search.

A question is whether the value is at least some number. The proof number of a position estimates
the work left to prove a yes, the disproof number the work left to prove a no; 0 means proved. The
search visits the position with the least work left first (Nagai 2002). If all children are needed,
their numbers are not added up: the sum is replaced by the maximum plus one for each other open
child, so that a position is not counted once for every path to it (weak proof-number search: Ueda,
Hashimoto, Hashimoto & Iida 2008).

A position to which play from it can return is an error. Proofs found before are valid, since every
proof ends in finished games. Numbers that depend on each other in a cycle could grow for ever
before the search meets the repetition, so it also checks all unanswered positions for cycles at
increasing intervals.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import perf_counter
from typing import Any, NamedTuple

from plyscope.rules.game import FIRST, Game, payoff_at, repetition_error, side_at, state_of
from plyscope.rules.tree import value_in
from plyscope.searching.limit import SearchStopped
from plyscope.searching.search import deep_recursion
from plyscope.solving.ask import Ask, Solver
from plyscope.solving.exhaustive import children_of, why_not_repeating
from plyscope.solving.verdict import Verdict

MAX_POSITIONS = 5_000_000
"""The limit of stored positions."""
POLL_VISITS = 256
"""Visits between two checks of the clock."""
FIRST_CHECK_VISITS, CHECK_FACTOR = 10_000, 4
"""Visits before the first check for cycles, and the factor from one check to the next."""
Number = int | float
"""A proof or disproof number; `inf` means that the opposite is proved."""


class Numbers(NamedTuple):
    """Proof and disproof number of a position, and the value on which an answer rests."""

    proof: Number = 1
    disproof: Number = 1
    score: int = 0

    @property
    def is_answered(self) -> bool:
        """Whether the node is proved or disproved."""
        return not (self.proof and self.disproof)


UNKNOWN = Numbers()
ANSWERED = Numbers(0, inf)


class Question:
    """The question whether the value of a position is at least `test`, in FIRST's view.

    `pause` is called at every visit with the number of visits.
    """

    def __init__(
        self, game: Game, test: int, pause: Callable[[int], None] = lambda visits: None
    ) -> None:
        self.game, self.test, self.pause = game, test, pause
        self.table: dict[Any, Numbers] = {}
        self.path: dict[Any, None] = {}
        self.visits = 0
        self.next_check = FIRST_CHECK_VISITS

    def ask(self, root: Any) -> Numbers:
        """Return the answer with a score.

        If the answer is yes, the score is at least `test` and a lower bound of the value. If it is
        no, the score is below `test` and an upper bound.
        """
        self.root = root
        with deep_recursion():
            while not self.table.get(root, UNKNOWN).is_answered:
                self._visit(root, inf, inf)
        return self.table[root]

    def _visit(self, state: Any, most_proof: Number, most_disproof: Number) -> None:
        """Search `state` until it is answered, or one of its numbers reaches its limit; store
        both."""
        self._count()
        if self.visits >= self.next_check:
            self.next_check *= CHECK_FACTOR
            self._require_no_cycles()
        payoff = payoff_at(self.game, state)
        if payoff is not None:
            value = payoff if self.game.scored else (payoff > 0) - (payoff < 0)
            numbers = Numbers(0, inf, value) if value >= self.test else Numbers(inf, 0, value)
            self.table[state] = numbers
            return
        is_first, children = side_at(self.game, state) == FIRST, children_of(self.game, state)
        self.path[state] = None
        for child in children:
            if child in self.path:
                raise repetition_error(
                    self.game, child, len(self.path) - list(self.path).index(child)
                )
        while True:
            known = [self.table.get(child, UNKNOWN) for child in children]
            numbers = _combined(is_first, known)
            if (
                numbers.is_answered
                or numbers.proof >= most_proof
                or numbers.disproof >= most_disproof
            ):
                break
            at, limits = _most_proving(is_first, known, most_proof, most_disproof)
            self._visit(children[at], *limits)
        self.table[state] = numbers
        del self.path[state]

    def _count(self) -> None:
        self.visits += 1
        self.pause(self.visits)
        if len(self.table) > MAX_POSITIONS:
            raise SearchStopped("memory")

    def _require_no_cycles(self) -> None:
        """Raise OptionError if play from an unanswered position can return to it."""
        game, done, path = self.game, set[Any](), dict[Any, None]()
        stack = [[self.root]]
        while stack:
            if not stack[-1]:
                stack.pop()
                if path:
                    done.add(path.popitem()[0])
                continue
            state = stack[-1].pop()
            if state in path:
                raise repetition_error(game, state, len(path) - list(path).index(state))
            is_open = state in self.path or not self.table.get(state, ANSWERED).is_answered
            if state in done or not is_open:
                continue
            self._count()
            path[state] = None
            stack.append(children_of(game, state))


def _combined(is_first: bool, children: list[Numbers]) -> Numbers:
    """Return the numbers of a position from those of its children."""
    proofs, disproofs = [each.proof for each in children], [each.disproof for each in children]
    if is_first:
        numbers = Numbers(min(proofs), _of_all(disproofs))
    else:
        numbers = Numbers(_of_all(proofs), min(disproofs))
    if not numbers.is_answered:
        return numbers
    scores = [each.score for each in children if each[:2] == numbers[:2]]
    return numbers._replace(score=max(scores) if is_first else min(scores))


def _of_all(numbers: list[Number]) -> Number:
    """Return the weak number of a position that needs all its children: the maximum plus the
    number of other open children."""
    return max(numbers) + max(0, _open(numbers) - 1)


def _open(numbers: list[Number]) -> int:
    return sum(number != 0 for number in numbers)


def _most_proving(
    is_first: bool, children: list[Numbers], most_proof: Number, most_disproof: Number
) -> tuple[int, tuple[Number, Number]]:
    """Return the child to visit and its limits.

    The visit ends when a sibling becomes better, or at the limits of the position itself.
    """
    wanted = [each.proof if is_first else each.disproof for each in children]
    others = [each.disproof if is_first else each.proof for each in children]
    at, beside = wanted.index(min(wanted)), _open(others) - 1
    sibling = min([inf, *wanted[:at], *wanted[at + 1 :]]) + 1
    if is_first:
        return at, (min(most_proof, sibling), most_disproof - beside)
    return at, (most_proof - beside, min(most_disproof, sibling))


class ProofNumberSearch:
    """The value of a position in FIRST's view, found by questions."""

    def __init__(self, game: Game, pause: Callable[[int], None] = lambda visits: None) -> None:
        self.game, self.pause = game, pause
        self.questions: dict[int, Question] = {}

    @property
    def visits(self) -> int:
        """The visits of all questions so far."""
        return sum(question.visits for question in self.questions.values())

    def value(self, root: Any) -> int:
        """Return the value; each question narrows its bounds."""
        low, high = (-inf, inf) if self.game.scored else (-1, 1)
        test = 1
        while low < high:
            answer = self.question(test).ask(root)
            if answer.score >= test:
                low = answer.score
            else:
                high = answer.score
            test = int(low) + 1 if low > -inf else int(high)
        return int(low)

    def question(self, test: int) -> Question:
        """Return the question about `test`, with its table from earlier calls."""
        if test not in self.questions:
            before = self.visits
            self.questions[test] = Question(
                self.game, test, lambda visits: self.pause(before + visits)
            )
        return self.questions[test]

    def best_move(self, root: Any, value: int) -> Any:
        """Return a move that keeps the value of `root`, which is `value`."""
        moves, is_first = self.game.moves(root), side_at(self.game, root) == FIRST
        for question in self.questions.values():
            answer = question.table[root]
            if answer.score == value and (answer.proof == 0) == is_first:
                for move in moves:
                    if question.table.get(self.game.play(root, move)) == answer:
                        return move
        return moves[0]  # the value is the least possible one, which every move keeps


def _solve(ask: Ask) -> Verdict:
    """Return the verdict with one best move."""
    position = ask.position
    game: Game = position.game

    def pause(visits: int) -> None:
        if visits > ask.limit:
            raise SearchStopped("nodes")
        if visits % POLL_VISITS == 0:
            ask.pause(visits, POLL_VISITS, "visits of proof-number search")

    search, root = ProofNumberSearch(game, pause), state_of(position)
    value = search.value(root)
    own = value if position.side == FIRST else -value
    return Verdict(
        position=position,
        value=(own > 0) - (own < 0),
        score=value_in(game, own) if game.scored else None,
        best_moves=() if position.is_over else (search.best_move(root, value),),
        method=PROOF_NUMBER.name,
        proof="df-pn, by questions whether the value is at least a number",
        nodes=search.visits,
        seconds=perf_counter() - ask.began,
    )


PROOF_NUMBER = Solver(
    name="proof-number",
    summary="df-pn on any game, for games too large for `exhaustive`: the value and a best move",
    why_not=why_not_repeating,
    solve=_solve,
    needs_lines=False,
)
