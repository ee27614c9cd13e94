"""The endpoints of the quiz: questions, marks, hints and printable sheets."""

from __future__ import annotations

from functools import lru_cache
from time import perf_counter
from typing import Any

import msgspec

from plyscope.errors import OptionError
from plyscope.faces.diagrams.layout import place
from plyscope.faces.sheets import boards, plain
from plyscope.faces.sheets import trees as sheets
from plyscope.faces.sheets.paper import sheet_of, title_of
from plyscope.faces.wording import dotted
from plyscope.lab.questions import quiz
from plyscope.lab.questions.exam.boards import make_board_questions
from plyscope.lab.questions.exam.trees import MIN_DEEP_DEPTH, Constraints, make_questions
from plyscope.lab.questions.quiz.boards import BOARD_ITEMS, BoardQuestion, mark_board
from plyscope.progress import Count
from plyscope.rules.cells import parse_cell
from plyscope.rules.games import GAMES
from plyscope.rules.tree import parse_tree
from plyscope.searching.conventions import Conventions
from plyscope_web.endpoints import Tell
from plyscope_web.endpoints.inputs import asked_of, check_tree, game_of
from plyscope_web.endpoints.present import marks_data, position_data
from plyscope_web.requests import (
    CluePlace,
    ClueRequest,
    GradeRequest,
    MarkRequest,
    NodeInput,
    PoseRequest,
    QuestionRequest,
    SheetRequest,
)

MAX_NODES = 1_000
VALUES = (-20, 20)
"""The range of random leaf values."""
SIGNS_GAME = "5,4,4,gravity"
"""The game of questions on signs, that of `plyscope exam --ask signs`."""
MAX_SECONDS = 12.0
"""The time limit for generating questions."""
PRINTED = ("words", "head", "rows", "svg")
"""The fields of a sheet that the page prints."""


def question(request: QuestionRequest, tell: Tell) -> dict[str, Any]:
    """Return the question without its answers."""
    shown = _question(request)
    picture = sheets.question_picture(shown)
    places = place(picture.root)
    nodes = [
        {
            **{"name": node.name, "max": node.is_max, "leaf": node.is_leaf},
            **dict(zip(("x", "ply"), places[node.path], strict=True)),
            "path": dotted(node.path),
            "parent": dotted(node.path[:-1]) if node.path else None,
        }
        for node in picture.root.walk()
    ]
    return {
        "task": plain.ask(shown),
        "rules": plain.rules(shown),
        "convention": shown.convention,
        "asked": list(shown.asked),
        "tree": str(shown.tree.start()),
        "nodes": nodes,
    }


def mark(request: MarkRequest, tell: Tell) -> dict[str, Any]:
    """Return the marks of an answer, and the key if the request asks for it."""
    shown = _question(request.question)
    marking = quiz.mark(shown, _read(shown, request.answer))
    key = sheets.question_data(shown)["key"] if request.with_key else None
    return {**marking.as_dict(), "key": key}


def clue(request: ClueRequest, tell: Tell) -> dict[str, Any]:
    """Return a hint about the next open item, one step further than the last hint about it.

    The last step contains the answer for the node. If the whole answer is right, place and answer
    are None.
    """
    shown = _question(request.question)
    due = quiz.next_due(shown, _read(shown, request.answer))
    if due is None:
        return {"place": None, "text": "All is right.", "answer": None}
    step = _next_step(request.after, dotted(due.path), due.item)
    return {
        "place": {"node": dotted(due.path), "item": due.item, "step": step},
        "text": plain.hint(shown, due, step),
        "answer": plain.answer(shown, due) if step == plain.STEPS[-1] else None,
    }


def _next_step(after: CluePlace | None, node: str, item: str) -> str:
    if after is None or (after.node, after.item) != (node, item):
        return plain.STEPS[0]
    return plain.STEPS[min(plain.STEPS.index(after.step) + 1, len(plain.STEPS) - 1)]


def sheet(request: SheetRequest, tell: Tell) -> dict[str, Any]:
    """Return printable questions and keys."""
    first = request.question
    seeds = range(first.seed, first.seed + (1 if first.tree is not None else request.number))
    in_time = _in_time()
    questions = [_question(msgspec.structs.replace(first, seed=seed), in_time) for seed in seeds]
    return {
        name: {
            "title": title_of(questions, with_key),
            "sheets": [
                {name: getattr(drawn, name) for name in PRINTED}
                | {"words": (*drawn.words, *drawn.rules)}
                for drawn in (sheet_of(question, with_key) for question in questions)
            ],
        }
        for name, with_key in (("questions", False), ("keys", True))
    }


def pose(request: PoseRequest, tell: Tell) -> dict[str, Any]:
    """Return a question about a board without its answer; `moves` are the moves to put in order."""
    posed = _board_question(request.seed, request.ask)
    letters = posed.strategy.letters if posed.strategy else {}
    given = {
        cell: sign
        for cell, sign in (posed.strategy.marks() if posed.strategy else {}).items()
        if cell not in letters
    }
    return {
        "marks": marks_data(given, {cell: f"sign {sign}" for cell, sign in given.items()}),
        "missing": {letter: cell for cell, letter in letters.items()},
        "task": plain.ask_board(posed),
        "rules": plain.board_rules(posed),
        "item": posed.item,
        "moves": list(posed.move_values) if posed.item == "order" else [],
        "shown": position_data(asked_of(str(posed.position))),
    }


def grade(request: GradeRequest, tell: Tell) -> dict[str, Any]:
    """Return the marks of an answer about a board, and the key if the request asks for it."""
    posed = _board_question(request.question.seed, request.question.ask)
    written = msgspec.to_builtins(request.answer)
    given = {name: value for name, value in written.items() if value is not None}
    key = boards.question_data(posed)["key"] if request.with_key else None
    marking, refuted = mark_board(posed, given), None
    if (failure := marking.refuted) is not None:
        moves = " ".join(failure.moves) or "No move"
        refuted = {
            "cells": [parse_cell(posed.position.game.shape, name) for name in failure.moves],
            "sentence": f"Refuted by this game: {moves}. {failure.end}",
        }
    return {**marking.as_dict(), "refuted": refuted, "key": key}


@lru_cache(maxsize=16)
def _board_question(seed: int, ask: str) -> BoardQuestion:
    item = ask if ask == "signs" else BOARD_ITEMS[seed % len(BOARD_ITEMS)]
    game = game_of(SIGNS_GAME) if item == "signs" else GAMES["tictactoe"]
    return make_board_questions(seed, 1, game, None, (item,))[0]


def _read(shown: quiz.Question, written: dict[str, NodeInput]) -> quiz.Answer:
    return quiz.read_answer(shown, msgspec.to_builtins(written))


def _in_time() -> Count:
    """Return a progress callback that raises OptionError after MAX_SECONDS."""
    began = perf_counter()

    def progress(tried: int) -> None:
        if perf_counter() - began > MAX_SECONDS:
            raise OptionError(
                f"no such question in {MAX_SECONDS:.0f} seconds; "
                "expected fewer deep cutoffs, a smaller tree, or no agreement"
            )

    return progress


def _question(request: QuestionRequest, in_time: Count | None = None) -> quiz.Question:
    """Return the question about the request's tree, or one drawn from its seed."""
    conventions = Conventions(cut=request.cut, bound=request.bound)
    asked = tuple(request.asked)
    if request.tree is not None:
        tree = parse_tree(request.tree)
        check_tree(tree, MAX_NODES)
        return quiz.Question(tree, conventions, asked, request.algorithm)
    most = request.branching[1]
    if most**request.depth > MAX_NODES:
        raise OptionError(f"depth {request.depth} with {most} children; expected a smaller tree")
    wishes = Constraints(
        depth=max(request.depth, MIN_DEEP_DEPTH) if request.deep else request.depth,
        branching=request.branching,
        deep=request.deep,
        ties=request.ties,
        agree=request.agree,
        values=VALUES,
        cutoffs=0 if request.algorithm == "minimax" else 1,
    )
    in_time = in_time or _in_time()
    (found,) = make_questions(
        request.seed, 1, wishes, conventions, asked, request.algorithm, in_time
    )
    return found
