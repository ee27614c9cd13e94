"""`exam`: printable questions with their key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from plyscope.catalogue import checks_keywords, nearest_name, unknown_keyword
from plyscope.display import printed
from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import HeuristicLike
from plyscope.lab.questions.exam.boards import make_board_questions
from plyscope.lab.questions.exam.trees import Constraints, default_constraints, make_questions
from plyscope.lab.questions.quiz.boards import BOARD_ANSWERS, BOARD_ITEMS, BoardQuestion
from plyscope.lab.questions.quiz.question import ITEMS_OF, Question
from plyscope.rules.game import GameLike
from plyscope.rules.linegame import LineGame
from plyscope.rules.source import game_of
from plyscope.searching.conventions import BoundStyle, Conventions, Cut


@dataclass(frozen=True, kw_only=True)
class Exam:
    """Printable questions; `print(exam)` shows the sheet, and `print(exam.key)` the key, as
    Markdown."""

    questions: tuple[Question | BoardQuestion, ...]
    has_key: bool = False
    """Whether the answers are printed."""

    @property
    def key(self) -> Exam:
        """The same questions, printed with the answers."""
        return replace(self, has_key=True)

    __str__ = printed


@checks_keywords
def exam(
    questions: int = 1,
    *,
    seed: int | str = 1,
    ask: str | Sequence[str] = (),
    algorithm: str = "alphabeta",
    cut: Cut = "ge",
    bound: BoundStyle = "soft",
    game: GameLike | str | None = None,
    heuristic: HeuristicLike | None = None,
    plies: int = 2,
    missing: int = 2,
    **constraints: Any,
) -> Exam:
    """Draw random questions to be printed; the same seed gives the same questions.

        questions     the number of questions
        seed          the seed
        ask           on trees some of `values`, `windows`, `cuts` and `again`; on boards some of
                      `evaluation`, `choice` and `order`, in turn; by default all; `signs`
                      asks for the missing signs of a strategy
        algorithm     `minimax`, `alphabeta` or `pvs`, for questions on trees
        cut, bound    the conventions for them, as in `search`
        constraints   properties of the trees: `depth`, `branching`, `values`, `cutoffs`, `deep`,
                      `again`, `ties` and `agree`, as in `plyscope exam`
        game          ask about boards of this line game instead
        heuristic     the heuristic asked about; by default the game's usual one
        plies         the search depth of the questions on a move's choice
        missing       the number of missing signs in a question on signs

    Raises OptionError if no such question is found or options exclude each other, and
    UnknownNameError for an unknown name.

    >>> len(exam(2, seed=7, algorithm="minimax").questions)
    2
    >>> [question.item for question in exam(2, game="tictactoe").questions]
    ['evaluation', 'choice']
    """
    known = tuple(BOARD_ANSWERS) if game is not None else ITEMS_OF.get(algorithm, ())
    ask = ask.split(",") if isinstance(ask, str) else ask
    for each in ask:
        if each not in known:
            raise nearest_name("question", each, [*known])
    if game is not None:
        if constraints:
            name = min(constraints)
            raise OptionError(f"{name}={constraints[name]!r} with a game; expected it for trees")
        rules = game_of(game)
        if not isinstance(rules, LineGame):
            raise OptionError(f"questions on boards of {rules.name!r}; expected a line game")
        items = tuple(ask) or BOARD_ITEMS
        made = make_board_questions(seed, questions, rules, heuristic, items, plies, missing)
        return Exam(questions=made)
    for name in constraints:
        if name not in Constraints.__dataclass_fields__:
            raise unknown_keyword(name, [*Constraints.__dataclass_fields__])
    wanted = default_constraints(algorithm, **constraints)
    conventions = Conventions(cut=cut, bound=bound)
    return Exam(
        questions=make_questions(seed, questions, wanted, conventions, tuple(ask), algorithm)
    )
