"""Hints in words: each claim is checked against play alone, or an independent solver."""

from __future__ import annotations

import random
from dataclasses import replace

import plyscope as ps
from plyscope.faces.reviews import answer_text, hint_text
from plyscope.lab.judging.hint import hint
from plyscope.lab.judging.review import review_move
from sentences import says


def value_of(position: ps.Position) -> int:
    """Return what a position is worth to the side to move, by playing all that can be played."""
    if position.is_over:
        return 0 if position.winner is None else 1 if position.winner == position.side else -1
    return max(-value_of(position.play(move)) for move in position.moves)


def some_positions(name: str, seed: int, count: int, plies: int) -> list[ps.Position]:
    draw, found = random.Random(seed), []
    while len(found) < count:
        position = ps.parse(name)
        for _ in range(draw.randrange(2, plies)):
            if not position.is_over:
                position = position.play(draw.choice(position.moves))
        if not position.is_over:
            found.append(position)
    return found


def test_keeps_the_promise_of_a_hint() -> None:
    for position in some_positions("tictactoe", 5, 60, 8):
        found = hint(position)
        assert found is not None
        values = {move: -value_of(position.play(move)) for move in position.moves}
        assert found.is_proved
        assert values[found.move] == found.value == max(values.values())
        keeping = [move for move, value in values.items() if value == found.value]
        assert found.is_only == (len(keeping) == 1 < len(values))


def test_gives_a_hint_as_a_sentence() -> None:
    first = hint(ps.parse("tictactoe b2 a2"))
    assert first is not None
    says(hint_text(first))
    only = hint(ps.parse("connect4 44"))
    assert only is not None
    says(hint_text(only))
    lost = hint(ps.parse("tictactoe b2 a2 a3"))
    assert lost is not None
    says(hint_text(lost))
    even = hint(ps.parse("tictactoe"))
    assert even is not None
    says(hint_text(even))
    value = replace(first.reason, kind="value")
    won = replace(first, is_any=True, reason=value, line=())
    says(hint_text(won))
    says(hint_text(replace(won, plies=None)))
    open_game = hint(ps.parse("gomoku9 e5 d4"), 3.0)
    assert "looks best" in hint_text(open_game)
    assert not open_game.is_proved


def test_says_longest_only_of_proved_losses() -> None:
    drawn = hint(ps.parse("4,4,4,stones=2 .OXX/OOX./...X/.XOO"))
    assert drawn.is_proved
    assert hint_text(drawn).startswith(f"{drawn.text} holds the draw")
    lost = hint(ps.parse("tictactoe a3 b3 c3 a2 c1"))
    assert lost is not None
    unmeasured = replace(
        lost, plies=None, reason=replace(lost.reason, kind="value", reply=None), line=()
    )
    says(hint_text(unmeasured))


def test_answers_a_try_without_naming_a_better_move() -> None:
    for position in some_positions("tictactoe", 8, 25, 7):
        best = max(-value_of(position.play(move)) for move in position.moves)
        for move in position.moves:
            item = review_move(position, move)
            assert item.is_blunder == (-value_of(position.play(move)) < best)
            said = answer_text(item)
            assert ("gives" in said) == item.is_blunder
            if item.is_blunder:
                names = said.partition(", answered by")[0].split()
                assert not set(item.better) & set(names)
