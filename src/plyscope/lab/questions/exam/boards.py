"""Exam questions on boards: random positions are drawn until one suits the question."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from plyscope.errors import OptionError
from plyscope.lab.questions.exam.strategies import strategy_of
from plyscope.lab.questions.quiz.boards import BOARD_ITEMS, BoardQuestion
from plyscope.lab.questions.quiz.strategy import Strategy
from plyscope.rules.game import random_position
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position

MAX_DRAWS = 2_000
"""The number of positions drawn for a question before an error is raised."""
MAX_EMPTY = 24
"""The usual limit of empty cells in a question on signs; half of a board of more than 48 cells."""
MIN_MOVES, MAX_MOVES = 3, 5
"""The least and greatest number of moves to choose from or to put in order on paper."""


def make_board_questions(
    seed: int | str,
    number: int,
    game: LineGame,
    heuristic: Any,
    items: tuple[str, ...] = BOARD_ITEMS,
    depth: int = 2,
    missing: int = 2,
) -> tuple[BoardQuestion, ...]:
    """Return `number` questions on different positions; their kinds are those of `items`, in turn.

    The same seed gives the same questions. If a move is to be chosen, not all moves are equally
    good. Moves to put in order have at least three different values, or two if there are three
    moves. In a question on signs, `missing` of them are missing. Raises OptionError if no such
    position is found.
    """
    if not 1 <= number <= 100:
        raise OptionError(f"{number} questions; expected 1 to 100")
    questions: list[BoardQuestion] = []
    for place in range(number):
        draw = Random(f"exam {seed} {place}")
        item = items[place % len(items)]
        for _ in range(MAX_DRAWS):
            late = max(2, min(game.size - MAX_EMPTY, game.size // 2))
            plies = draw.randrange(late if item == "signs" else 2, max(3, game.size))
            position: Position = random_position(game.start(), draw, plies)
            if position.is_over or any(position == other.position for other in questions):
                continue
            if item == "signs":
                strategy = strategy_of(position, missing, draw)
                if strategy is not None:
                    questions.append(signs_question(position, strategy))
                    break
                continue
            question = BoardQuestion(position=position, heuristic=heuristic, item=item, depth=depth)
            if item == "order":
                moves = position.moves
                drawn = sorted(draw.sample(moves, min(MAX_MOVES, len(moves))))
                question = replace(question, moves=tuple(drawn))
            if _has_answer(question):
                questions.append(question)
                break
        else:
            raise OptionError(
                f"no position of '{game.name}' among {MAX_DRAWS:,} has a question on its {item}; "
                "expected another game, heuristic or seed"
            )
    return tuple(questions)


def signs_question(position: Position, strategy: Strategy) -> BoardQuestion:
    """Return the question that asks for the missing signs of a strategy."""
    return BoardQuestion(position=position, heuristic=None, item="signs", strategy=strategy)


def _has_answer(question: BoardQuestion) -> bool:
    moves = len(question.position.moves)
    if question.item == "evaluation":
        return question.value != 0
    if question.item == "choice":
        is_small = MIN_MOVES <= moves <= MAX_MOVES
        return is_small and len(question.best) < len(question.move_values)
    return moves >= MIN_MOVES and len({*question.move_values.values()}) >= min(
        MIN_MOVES, len(question.move_values) - 1
    )
