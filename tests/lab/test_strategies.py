"""Strategies to be completed: an answer is right if and only if it holds against every reply."""

from __future__ import annotations

import csv
import io
import json
from itertools import product
from pathlib import Path
from random import Random

import pytest

import checker
import mutants
import oracles
from plyscope.errors import NotationError
from plyscope.faces.cli import run
from plyscope.lab.questions.exam.boards import make_board_questions
from plyscope.lab.questions.exam.exam import exam
from plyscope.lab.questions.quiz.boards import BoardQuestion, mark_board
from plyscope.lab.questions.quiz.strategy import Strategy, failure_of
from plyscope.lab.questions.quiz.table import blank_table
from plyscope.rules.lines import bits
from plyscope.rules.notation import parse
from plyscope.solving.verify import verify
from plyscope_fast.solving.proof import proof_of
from sizes import sized

BOARDS = ("4,4,4,gravity", "5,4,4,gravity", "4,4,3,gravity", "6,5,4,gravity")


def drawn(seed: int, text: str, missing: int) -> tuple[BoardQuestion, Strategy]:
    (question,) = make_board_questions(seed, 1, parse(text).game, None, ("signs",), 2, missing)
    assert question.strategy is not None
    return question, question.strategy


def completed(strategy: Strategy, answer: tuple[int, ...]) -> dict[int, int]:
    return dict(strategy.signs) | dict(zip(strategy.missing, answer, strict=True))


def board_of(question: BoardQuestion) -> list[str]:
    position = question.position
    owners = map(position.owner, range(position.game.size))
    return ["." if owner is None else "XO"[owner] for owner in owners]


def holds(question: BoardQuestion, signs: dict[int, int]) -> bool:
    """Return whether the signs hold, by play that knows nothing of the project's."""
    game, strategy = question.position.game, question.strategy
    assert strategy is not None
    assert isinstance(game.given, int)
    every = "".join(str(signs.get(cell, 0)) for cell in range(game.size))
    lines = oracles.lines(game.shape, game.given)
    side, mover = "XO"[strategy.side], "XO"[question.position.side]
    return oracles.signs_hold(
        board_of(question), game.width, lines, side, mover, every, strategy.least
    )


def proof(question: BoardQuestion, signs: dict[int, int]) -> str:
    """Return a proof whose only answer are the signs."""
    strategy, position = question.strategy, question.position
    assert strategy is not None
    head = json.loads(proof_of(position).partition("\n")[0])
    side = "xo"[strategy.side]
    head["claims"] = [{"side": side, "at_least": strategy.least}]
    given = "".join(f"{signs[cell]}" for cell in bits(position.empty))
    head.pop("symmetries", None)
    stones = f"{position.first:x} {position.second:x}"
    return mutants.signed(f"{json.dumps(head)}\nclaim 0\n{stones} signs {given}\n")


def replay(question: BoardQuestion, signs: dict[int, int], moves: tuple[str, ...]) -> None:
    """Play a refutation on a list of cells: the side obeys the signs in each of its moves, and at
    the end it has failed."""
    game, strategy = question.position.game, question.strategy
    assert strategy is not None
    assert isinstance(game.given, int)
    lines, board, width = oracles.lines(game.shape, game.given), board_of(question), game.width
    side, other = "XO"[strategy.side], "XO"[1 - strategy.side]
    mover = "XO"[question.position.side]

    def front() -> list[int]:
        return [
            cell
            for cell, sign in enumerate(board)
            if sign == "." and not (cell + width < len(board) and board[cell + width] == ".")
        ]

    def makes(cell: int, who: str) -> bool:
        return any(
            all(at == cell or board[at] == who for at in line) for line in lines if cell in line
        )

    def asked() -> list[int]:
        if won := [cell for cell in front() if makes(cell, side)]:
            return won
        if threats := [cell for cell in front() if makes(cell, other)]:
            return threats
        for rank in range(1, 7):
            found = [cell for cell in front() if signs[cell] == rank]
            if found and not (rank == 2 and len(found) > 1):
                return found
        return []

    for number, move in enumerate(moves, 1):
        cell = cell_at(move, game.width, game.height)
        assert cell in front()
        assert mover != side or asked() == [cell]
        done = makes(cell, mover)
        board[cell] = mover
        assert not done or (mover == other and number == len(moves))
        if done:
            return
        mover = other if mover == side else side
    if "." not in board:
        assert strategy.least == 1
        return
    assert mover == side
    assert not any(makes(cell, side) for cell in front())
    assert len(asked()) != 1


def cell_at(name: str, width: int, height: int) -> int:
    """Return the number of a cell by its name, such as b2."""
    return (height - int(name[1:])) * width + "abcdefghi".index(name[0])


def test_the_key_holds_and_wrong_answers_are_refuted_by_a_game() -> None:
    draw, wrong, reasons = Random(8), 0, set()
    for seed in range(sized(12, 300)):
        question, strategy = drawn(seed, BOARDS[seed % len(BOARDS)], 1 + seed // 4 % 3)
        assert mark_board(question, {"signs": strategy.format(strategy.key)}).points == 3
        text = proof(question, completed(strategy, strategy.key))
        verify(text)
        checker.check(text.encode("ascii"))
        assert holds(question, completed(strategy, strategy.key))
        for _ in range(8):
            answer = tuple(draw.randrange(7) for _ in strategy.missing)
            marking = mark_board(question, {"signs": answer_text(answer)})
            signs = completed(strategy, answer)
            is_right = holds(question, signs)
            assert (marking.points, marking.possible) == (3 * is_right, 3)
            assert (marking.refuted is None) == is_right
            assert marking.marks[0].verdict == ("right" if is_right else "wrong")
            if marking.refuted is None:
                verify(proof(question, signs))
                continue
            wrong += 1
            failure = failure_of(strategy, question.position, answer)
            assert failure is not None
            reasons.add(failure.reason)
            with pytest.raises(checker.NoProof):
                checker.check(proof(question, signs).encode("ascii"))
            replay(question, signs, marking.refuted.moves)
    assert wrong > sized(40, 1_000)
    assert reasons >= {"line", "none", "several"}, reasons


def answer_text(answer: tuple[int, ...]) -> str:
    return "".join(map(str, answer))


def test_marks_all_completions_as_brute_force_does() -> None:
    for seed in range(sized(3, 60)):
        question, strategy = drawn(seed, BOARDS[seed % 3], 1 + seed % 2)
        right = 0
        for answer in product(range(7), repeat=len(strategy.missing)):
            is_right = holds(question, completed(strategy, answer))
            assert mark_board(question, {"signs": answer_text(answer)}).points == 3 * is_right
            right += is_right
        assert 1 <= right < 7 ** len(strategy.missing)


def test_a_missing_sign_decides_the_result() -> None:
    for seed in range(6):
        question, strategy = drawn(seed, BOARDS[seed % 4], 2)
        signs = dict(strategy.signs)
        for cell in strategy.missing:
            wrong = [sign for sign in range(7) if not holds(question, signs | {cell: sign})]
            assert len(wrong) >= 4
        assert any(strategy.key)


def test_reads_signs_as_people_write_them() -> None:
    strategy = Strategy(side=0, least=1, signs=((3, 1), (5, 0), (8, 3)), missing=(3, 5))
    for written in ("A1 B0", "b0,a1", "A=1; B = 0", "10", "1 0", {"A": 1, "B": 0}):
        assert strategy.read(written) == (1, 0)
    for written in ("", "1", "A1", "A1 A1", "A1 B7", "A1 B0 C3", "100", "A1B", {"A": 1}):
        with pytest.raises(NotationError):
            strategy.read(written)
    assert strategy.marks() == {3: "A", 5: "B", 8: "3"}
    assert strategy.marks((1, 0)) == {3: "1", 5: "0", 8: "3"}


def test_draws_the_same_questions_only_for_the_same_seed() -> None:
    made = [exam(3, seed=seed, ask="signs", game="5,4,4,gravity").questions for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]
    assert len({question.position for question in made[0]}) == 3  # type: ignore[union-attr]


def test_prints_the_signs_with_letters_on_every_sheet_and_marks_the_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["exam", "--ask", "signs", "-n", "2", "-s", "4", "--missing", "2"]
    asked = exam(2, seed=4, ask="signs", game="5,4,4,gravity").questions
    for form in ("html", "md", "tex", "svg"):
        assert run([*words, "-o", str(tmp_path / f"e.{form}")]) == 0
    capsys.readouterr()
    for name in ("e.html", "e.md", "e.tex"):
        sheet, key = ((tmp_path / each).read_text() for each in (name, f"e-key{name[1:]}"))
        for question in asked:
            assert isinstance(question, BoardQuestion)
            assert question.strategy is not None
            right = question.strategy.format(question.strategy.key)
            assert right not in sheet
            assert right in key
    assert ">A</text>" in (tmp_path / "e-1.svg").read_text()
    assert ">A</text>" not in (tmp_path / "e-key-1.svg").read_text()
    head, *rows = blank_table(asked)
    assert head == ["question", "node", "signs"]
    for row, question in zip(rows, asked, strict=True):
        assert isinstance(question, BoardQuestion)
        assert question.strategy is not None
        row[2] = question.strategy.format(question.strategy.key)
    rows[1][2] = "?!"
    written = io.StringIO()
    csv.writer(written).writerows([head, *rows])
    (tmp_path / "a.csv").write_text(written.getvalue())
    assert run([*words, "--answer", str(tmp_path / "a.csv"), "--json"]) == 0
    printed = capsys.readouterr()
    assert [each["points"] for each in json.loads(printed.out)] == [3, 0]
    assert "'?!'" in printed.err


@pytest.mark.parametrize(
    "words",
    [
        ["-g", "tictactoe", "--ask", "signs"],
        ["--ask", "choice", "--missing", "2"],
        ["connect4 1", "--ask", "signs", "--missing", "6"],
    ],
)
def test_names_what_is_wrong_with_a_question_on_signs(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["exam", *words]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "signs" in error
