"""Reviews of moves: against the values of a minimax written here, and what faces say of them."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from functools import cache
from random import Random

import pytest

import plyscope as ps
from commands import output
from documents import ROOT
from plyscope.faces.reviews import review_text
from plyscope.lab.judging import review as lab_review
from plyscope.lab.judging.review import (
    Assessment,
    MoveReview,
    assess_move,
    review_game,
    review_move,
)
from plyscope.searching.score import WIN
from plyscope.solving import known
from sentences import says


def reviews(start: ps.Position, moves: list[int]) -> list[MoveReview]:
    """The final reviews of all moves."""
    *_, game = review_game(start, moves)
    return [at.review for at in game if at.review is not None]


@cache
def value(position: ps.Position) -> int:
    """The value for the side to move, by minimax to the end."""
    if position.is_over:
        return 0 if position.winner is None else 1 if position.winner == position.side else -1
    return max(-value(position.play(move)) for move in position.moves)


@pytest.mark.parametrize("game", ["tictactoe", "3,3,3,misere", "4,3,3,gravity"])
def test_counts_what_a_move_gives_away_as_minimax(game: str) -> None:
    draw = Random(1)
    for _ in range(12):
        start = position = ps.parse_game(game).start()
        moves = []
        while not position.is_over:
            moves.append(draw.choice(position.moves))
            position = position.play(moves[-1])
        for item in reviews(start, moves):
            at = item.position
            assert item.is_proved
            after = {at.game.format_move(at, move): -value(at.play(move)) for move in at.moves}
            assert (item.before, item.after) == (value(at), after[item.move])
            better = [
                name for name, worth in after.items() if worth > item.after and worth == item.before
            ]
            assert list(item.better) == better
            assert item.is_blunder == bool(better)
            assert not item.is_blunder or follows(at.play(item.move), item.line, -item.after)


def follows(position: ps.Position, line: tuple[str, ...], worth: float) -> bool:
    """Whether a line keeps the value of a position at each of its moves."""
    for number, name in enumerate(line):
        expected = worth if number % 2 == 0 else -worth
        if value(position) != expected:
            return False
        position = position.play(name)
    return bool(line) or position.is_over


def test_judges_connect_four_by_its_solver_from_the_first_move() -> None:
    start = ps.parse("connect4")
    item = review_move(start, start.moves[0])
    assert (item.is_proved, item.before, item.after, item.better, item.plies) == (
        True,
        1,
        -1,
        ("d1",),
        41,
    )
    says(review_text(item))


THROWN_AWAY = "d1,d2,d3,d4,d5,c1,c2,e1,f1,c3,c4,e2,e3,c5,b1"
"""A game of Connect Four: its last move gives a win away, the one before it gives nothing."""


def judged(name: str, text: str) -> list[MoveReview]:
    position, moves = ps.parse(name), []
    for word in text.split(","):
        moves.append(position.game.parse_move(position, word))
        position = position.play(moves[-1])
    return reviews(ps.parse(name), moves)


def test_finds_the_lost_win_in_connect_four_and_blames_nothing_else() -> None:
    items = judged("connect4", THROWN_AWAY)
    assert [item.ply + 1 for item in items if item.is_blunder and item.is_proved] == [15]
    last = items[-1]
    assert (last.before, last.after, last.plies, last.plies_after) == (1, -1, 25, 24)
    assert set(last.better) == {"a1", "e4", "f2"}  # columns 1, 5 and 6
    says(review_text(items[13]))
    for item in items:
        assert item.is_proved or "nothing is better" not in review_text(item)
        assert item.is_proved or "not proved" in review_text(item)


def test_reviews_alike_whatever_was_solved_before() -> None:
    first = [review_text(item) for item in judged("connect4", THROWN_AWAY)]
    for text in ("connect4 44444335633", "connect4 444443356335"):
        ps.solve(text, seconds=0.3)
    known._short_proof.cache_clear()
    assert [review_text(item) for item in judged("connect4", THROWN_AWAY)] == first


def test_a_winning_move_proves_the_position_before_it_won() -> None:
    start = ps.parse("gomoku15 h8 a1 i8 a2 j8 a3 k8 a4")
    before, after = assess_move(start, start.game.parse_move(start, "l8"))
    assert (before.is_proved, after.is_proved) == (True, True)
    unknown = Assessment(position=start)
    inferred, _ = lab_review._inferred(unknown, start.game.parse_move(start, "l8"), after)
    assert inferred.verdict.value == 1


def test_gives_plies_only_for_the_quickest_better_moves() -> None:
    position = ps.parse("connect4 44444335633553")
    item = review_move(position, position.game.parse_move(position, "2"))
    values = {
        each.text: each.distance for each in ps.solve(position).moves or () if each.value == 1
    }
    assert set(item.better) == set(values)
    assert all(values[move] == item.plies for move in item.quickest)
    assert all(values[move] > (item.plies or 0) for move in set(item.better) - set(item.quickest))


def test_calls_lost_what_a_search_has_seen_to_the_end() -> None:
    item = MoveReview(
        ply=6,
        position=ps.parse("connect4 242314"),
        move="f1",
        better=("c2",),
        is_proved=False,
        before=-19,
        after=-(WIN - 11),
        plies=None,
        line=(),
    )
    text = (
        "move 7, X 6 loses in 11 plies; 3 is estimated at −19, according to a search; not proved."
    )
    assert review_text(item) == text


def test_marks_a_judgement_without_proof_as_an_opinion() -> None:
    position = ps.parse("gomoku15 h8 a1 i8 a2 j8 a3")
    far = position.game.parse_move(position, "o15")
    item = review_move(position, far)
    assert item.is_proved or "not proved" in review_text(item)


def test_counts_the_move_in_the_plies_to_an_end() -> None:
    position = ps.parse("4,4,4,stones=2,first=2 ..OO/.XOX/..OX/X..X")
    for name in ("b4", "a2"):  # O, then, needs one stone of its two
        move = position.game.parse_move(position, name)
        item = review_move(position, move)
        assert item.is_proved or item.half == "after"
        assert item.after == -1


def test_reviews_a_user_defined_game() -> None:
    game = ps.parse_game(f"{ROOT / 'examples' / 'nim.py'}:Nim")
    position = ps.GamePosition(game, game.start())
    reviews = [review_move(position, move) for move in position.moves]
    assert all(item.is_proved for item in reviews)
    assert {item.is_blunder for item in reviews} == {True, False}


Play = Callable[[str], str]
TWO = "--x", "human", "--o", "human"


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Play two sides with what is entered, and return what is printed."""

    def play(entered: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(entered))
        return output(capsys, "play", *TWO)

    return play


def test_tells_the_person_what_was_given_away_after_a_game(play: Play) -> None:
    out = play("a3\na2\nb3\nc1\nc3\n")
    end = out[out.index("X wins with") :]
    assert re.search("move 2, O a2 loses, answered by .*; b2 draws\\.", end)
    assert "move 1," not in end
    perfect = play("b2\na3\nc1\na1\na2\nc2\nb1\nb3\nc3\n")
    assert "9 moves reviewed: no value lost" in perfect


def test_explains_the_last_move_and_any_other(play: Play) -> None:
    out = play("why\nwhy a3\nb2\nb3\nwhy\nwhy nonsense\nquit\n")
    assert "no move has been played; expected a move after why" in out
    assert "move 1, X a3 draws, and nothing is better." in out
    assert re.search("move 2, O b3 loses, answered by .*; a3 or c3 or a1 or c1 draw\\.", out)
    assert "'nonsense'" in out


def test_never_calls_a_mistake_the_best_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = ps.parse("X../.../...")
    corner = start.play("b3")  # which loses

    def value_alone(position: ps.Position, *_: object) -> ps.Verdict:
        """The value without any move's, as a solver tells it that was stopped."""
        return ps.Verdict(position=position, value=value(position), method="", proof="")

    monkeypatch.setattr("plyscope.lab.judging.review.proof_of", value_alone)
    item = review_move(start, start.game.parse_move(start, "b3"))
    assert (value(start), -value(corner)) == (0, -1)
    assert "nothing is better" not in review_text(item)
    assert not item.is_proved
