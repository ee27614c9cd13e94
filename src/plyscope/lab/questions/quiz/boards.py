"""Questions on a board, without a tree.

evaluation  the heuristic's evaluation of the position, for the side to move
choice      the best move of a search of some plies, and its value
order       the moves from best to worst, by the evaluation after each
signs       the missing ones of the signs by which a side reaches a result
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from plyscope.errors import NotationError, OptionError, PlyscopeError
from plyscope.evaluation.evaluate import evaluate
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.lab.questions.quiz.answer import noted, read_answer, read_items, read_number
from plyscope.lab.questions.quiz.marking import Mark, Marking, Refuted, mark
from plyscope.lab.questions.quiz.question import Question
from plyscope.lab.questions.quiz.strategy import Strategy, end_of, failure_of
from plyscope.rules.position import Position
from plyscope.searching.score import format_score
from plyscope.searching.search import search

BOARD_ITEMS = ("evaluation", "choice", "order")
"""The questions asked by default, on a heuristic."""
BOARD_ANSWERS = {
    "evaluation": ("value",),
    "choice": ("move", "value"),
    "order": ("order",),
    "signs": ("signs",),
}
"""The keys of an answer to each kind of question."""
POINTS = {"order": 3, "signs": 3}
"""The points for all moves in the right order, and for signs that hold; other items have one."""


@dataclass(frozen=True, kw_only=True)
class BoardQuestion:
    """A question on a position."""

    position: Position
    heuristic: Any
    """The heuristic: an object, a name or a file."""
    item: str
    """The kind of question, one of BOARD_ANSWERS."""
    depth: int = 2
    """The depth of the search in a question on a choice."""
    moves: tuple[int, ...] = ()
    """The moves to put in order; all legal moves if empty."""
    strategy: Strategy | None = None
    """The signs to be completed; only in a question on signs."""

    def __str__(self) -> str:
        by = "" if self.strategy else f", by {self.heuristic_name}"
        return f"{self.item} on {self.position}{by}"

    def __post_init__(self) -> None:
        if self.item not in BOARD_ANSWERS or (self.item == "signs") != (self.strategy is not None):
            raise OptionError(
                f"asked for {self.item[:40]!r}; expected one of {', '.join(BOARD_ITEMS)}, or signs "
                "with a strategy"
            )
        if self.position.is_over:
            raise OptionError(f"a question on {str(self.position)!r}: the game is over")

    @property
    def heuristic_name(self) -> str:
        """The name of the heuristic."""
        return find_heuristic(self.heuristic, self.position.game).name

    @cached_property
    def move_values(self) -> dict[str, int]:
        """The value of each move, by the heuristic; in a question on a choice, by the search."""
        position, game = self.position, self.position.game
        side = "xo"[position.side]
        if self.item == "choice":
            found = search(position, "minimax", self.heuristic, depth=self.depth)
            return {move.text: int(move.value or 0) for move in found.moves}
        return {
            game.format_move(position, move): evaluate(
                position.play(move), self.heuristic, side=side
            )
            for move in self.moves or position.moves
        }

    @cached_property
    def value(self) -> int:
        """The value of the position, by the heuristic; in a question on a choice, by the search."""
        if self.item == "choice":
            return max(self.move_values.values())
        return evaluate(self.position, self.heuristic)

    @property
    def best(self) -> tuple[str, ...]:
        """The moves of the greatest value."""
        most = max(self.move_values.values())
        return tuple(move for move, value in self.move_values.items() if value == most)

    @property
    def order(self) -> tuple[str, ...]:
        """The moves from best to worst; equal moves in board order."""
        return tuple(sorted(self.move_values, key=lambda move: -self.move_values[move]))


AnyQuestion = Question | BoardQuestion


def mark_written(
    question: AnyQuestion, written: Mapping[str, Any], notes: list[str] | None = None
) -> Marking:
    """Return the marks of an answer as it is written.

    What cannot be read counts as not answered, with a sentence in `notes`. Raises NotationError
    without `notes`.
    """
    if not isinstance(question, BoardQuestion):
        return mark(question, read_answer(question, written, notes))
    if "value" in written:
        written = {**written, **read_items({"value": written["value"]}, "the board", notes)}
    if question.strategy is not None and written.get("signs"):
        signs, written = written["signs"], {**written, "signs": ""}
        with noted(notes):
            written["signs"] = question.strategy.format(question.strategy.read(signs))
    return mark_board(question, written)


def mark_board(question: BoardQuestion, data: Mapping[str, Any]) -> Marking:
    """Return the marks of an answer: `value`, `move`, or `order`, a list of moves.

    Moves have the names on the sheet. Any best move is right, and equal moves may be in any order.
    Raises NotationError for unexpected keys and for values that are not numbers.
    """
    known = BOARD_ANSWERS[question.item]
    if unknown := set(data) - {*known}:
        raise NotationError(f"{min(unknown)[:40]!r} in the answer; expected {', '.join(known)}")
    if question.strategy is not None:
        return _mark_signs(question, question.strategy, data.get("signs"))
    marks = []
    if question.item == "choice":
        move = data.get("move")
        given = "" if move is None else _move(question, move)
        expected = given if given in question.best else " or ".join(question.best)
        marks.append(_mark("move", given, expected))
    if question.item == "order":
        marks.append(_order_mark(question, data.get("order")))
    else:
        value = read_number(data.get("value"), "value")
        given = "" if value is None else format_score(value)
        marks.append(_mark("value", given, format_score(question.value)))
    points = sum(item.points for item in marks)
    possible = sum(item.possible for item in marks)
    return Marking(marks=tuple(marks), points=points, possible=possible, diagnosis=None)


def _mark_signs(question: BoardQuestion, strategy: Strategy, written: Any) -> Marking:
    """Return the mark of missing signs, all or nothing: they hold against every reply or not."""
    answer = None if written in (None, "") else strategy.read(written)
    given = "" if answer is None else strategy.format(answer)
    failure = None if answer is None else failure_of(strategy, question.position, answer)
    is_right = answer is not None and failure is None
    expected = given if is_right else strategy.format(strategy.key)
    item = _mark("signs", given, expected, float(is_right and POINTS["signs"]))
    refuted = None
    if failure is not None:
        name = question.position.game.format_cell
        refuted = Refuted(
            moves=tuple(map(name, failure.moves)), end=end_of(strategy, failure, name)
        )
    return Marking(
        marks=(item,), points=item.points, possible=item.possible, diagnosis=None, refuted=refuted
    )


def _mark(item: str, given: str, expected: str, points: float | None = None) -> Mark:
    is_right = given == expected
    return Mark(
        path=(),
        item=item,
        verdict="right" if is_right else "wrong" if given else "missing",
        given=given,
        expected=expected,
        points=float(is_right) if points is None else points,
        possible=POINTS.get(item, 1),
    )


def _move(question: BoardQuestion, written: Any) -> str:
    """Return the name of a move as on the sheet; an illegal move is returned unchanged."""
    position, game = question.position, question.position.game
    try:
        return game.format_move(position, game.parse_move(position, str(written)))
    except PlyscopeError:
        return str(written)[:40]


def _order_mark(question: BoardQuestion, written: Any) -> Mark:
    """Return the mark of an order: the share of pairs of different value that are in the right
    order."""
    expected = " ".join(question.order)
    if written is None:
        return _mark("order", "", expected, 0.0)
    listed = written.split() if isinstance(written, str) else written
    if not isinstance(listed, list | tuple):
        raise NotationError(f"order {str(written)[:40]!r} in the answer; expected a list of moves")
    moves = [_move(question, move) for move in listed]
    values = question.move_values
    if sorted(moves) != sorted(values):  # a move is missing, repeated or illegal
        return _mark("order", " ".join(moves), expected, 0.0)
    pairs = [(values[one], values[two]) for one, two in combinations(moves, 2)]
    differing = [one > two for one, two in pairs if one != two]
    if all(differing):
        expected = " ".join(moves)
    share = sum(differing) / max(1, len(differing))
    return _mark(
        "order", " ".join(moves), expected, POINTS["order"] * (share if differing else 1.0)
    )
