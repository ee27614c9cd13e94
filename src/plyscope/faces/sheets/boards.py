"""Printable questions about boards, and their keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plyscope.evaluation.evaluate import explain
from plyscope.faces.boards import draw_board
from plyscope.faces.diagrams.board import board_svg
from plyscope.faces.diagrams.tikz import tex_text
from plyscope.faces.sheets.plain import ask_board, board_rules
from plyscope.faces.sheets.sheet import Sheet
from plyscope.faces.wording import side_name
from plyscope.lab.questions.quiz.boards import BoardQuestion
from plyscope.rules.game import SIDES
from plyscope.searching.score import format_score


def board_sheet(question: BoardQuestion, with_key: bool) -> Sheet:
    """Return a printable question, or its key."""
    position = question.position
    marks = _marks(question, with_key)
    drawn = draw_board(position, is_numbered=False, marks=marks)
    rows = tuple(_rows(question)) if with_key else ()
    return Sheet(
        words=(answer(question) if with_key else task(question),),
        head=_head(question) if rows else (),
        rows=rows,
        svg=board_svg(position, signs=marks),
        text=drawn,
        tex="\n".join(
            [r"\begin{tabular}{l}", *map(_tex_line, drawn.plain.splitlines()), r"\end{tabular}"]
        ),
        rules=() if with_key else tuple(board_rules(question)),
    )


def _tex_line(line: str) -> str:
    words = tex_text(line.replace("·", ".")).replace(" ", "~")
    return rf"\texttt{{{words}}} \\"


def task(question: BoardQuestion) -> str:
    """Return the task of a question."""
    mover = side_name(question.position.side)
    if question.strategy is not None:
        blanks = "  ".join(f"{letter} ____" for letter in question.strategy.letters.values())
        return f"{ask_board(question)} {blanks}"
    by = question.heuristic_name
    if question.item == "evaluation":
        return f"{mover} to move. What value does {by} give this position, in {mover}'s view? ____"
    if question.item == "choice":
        plies = "one ply" if question.depth == 1 else f"{question.depth} plies"
        return (
            f"{mover} to move. Which move does minimax to {plies} with {by} choose, ____ , "
            "and what is its value? ____"
        )
    moves = ", ".join(question.move_values)
    blanks = "  ".join("____" for _ in question.move_values)
    return (
        f"{mover} to move. Put these moves in order, the best one first, by the value that "
        f"{by} gives the position after each, in {mover}'s view: {moves}. {blanks}"
    )


def answer(question: BoardQuestion) -> str:
    """Return the answer in a sentence."""
    if question.strategy is not None:
        key = question.strategy.format(question.strategy.key)
        return f"{key}; so is every other answer that holds against all replies."
    if question.item == "evaluation":
        return f"{question.heuristic_name}: {format_score(question.value)}."
    if question.item == "choice":
        moves = " or ".join(question.best)
        return f"{moves}, of value {format_score(question.value)}."
    return " ".join(question.order) + "; moves of equal value may be in any order."


def _marks(question: BoardQuestion, with_key: bool) -> dict[int, str]:
    """Return the signs on the cells, with the letters of the missing ones, or with the answer."""
    strategy = question.strategy
    if strategy is None:
        return {}
    return strategy.marks(strategy.key if with_key else None)


def _head(question: BoardQuestion) -> tuple[str, ...]:
    if question.item == "evaluation":
        return "line", "mine", "theirs", "value"
    return "move", "value"


def _rows(question: BoardQuestion) -> Iterator[tuple[str, ...]]:
    """Yield the parts of the answer: the lines with a value other than 0, or each move's value."""
    if question.strategy is not None:
        return
    if question.item == "evaluation":
        for line in explain(question.position, question.heuristic).lines or ():
            if line.value:
                cells = "–".join(line.cells)
                yield cells, str(line.mine), str(line.theirs), format_score(line.value)
    else:
        ordered = sorted(question.move_values.items(), key=lambda item: -item[1])
        yield from ((move, format_score(value)) for move, value in ordered)


def question_data(question: BoardQuestion) -> dict[str, Any]:
    """Return a question with its key as JSON-ready data."""
    asked = {
        "position": str(question.position),
        "game": question.position.game.name,
        "task": task(question),
        "rules": board_rules(question),
        "item": question.item,
    }
    if (strategy := question.strategy) is not None:
        name = question.position.game.format_cell
        return asked | {
            "side": SIDES[strategy.side],
            "at_least": strategy.least,
            "signs": {
                name(cell): sign for cell, sign in strategy.signs if cell not in strategy.missing
            },
            "missing": {letter: name(cell) for cell, letter in strategy.letters.items()},
            "key": {"signs": strategy.format(strategy.key)},
        }
    keys: dict[str, dict[str, Any]] = {
        "evaluation": {"value": question.value},
        "choice": {"move": list(question.best), "value": question.value},
        "order": {"order": list(question.order)},
    }
    return asked | {
        "heuristic": question.heuristic_name,
        "depth": question.depth if question.item == "choice" else None,
        "key": keys[question.item]
        | {"move_values": question.move_values if question.item != "evaluation" else None},
    }
