"""Other people's programs find the same values."""

from __future__ import annotations

import random
import warnings

import pytest

from plyscope import parse_game, search

easyAI = pytest.importorskip("easyAI")


class Tictactoe(easyAI.TwoPlayerGame):  # type: ignore[misc]
    """3×3 tic-tac-toe as easyAI's users write it; a lost game scores −100 for the side to move."""

    def __init__(self, board: list[int], current: int) -> None:
        self.players = [easyAI.AI_Player(None), easyAI.AI_Player(None)]
        self.board = board
        self.current_player = current

    def possible_moves(self) -> list[int]:
        return [cell for cell in range(9) if not self.board[cell]]

    def make_move(self, move: int) -> None:
        self.board[move] = self.current_player

    def unmake_move(self, move: int) -> None:
        self.board[move] = 0

    def lose(self) -> bool:
        lines = (
            (0, 1, 2),
            (3, 4, 5),
            (6, 7, 8),
            (0, 3, 6),
            (1, 4, 7),
            (2, 5, 8),
            (0, 4, 8),
            (2, 4, 6),
        )
        return any(all(self.board[cell] == self.opponent_index for cell in line) for line in lines)

    def is_over(self) -> bool:
        return not self.possible_moves() or self.lose()

    def scoring(self) -> int:
        return -100 if self.lose() else 0

    def show(self) -> None: ...


def test_easyai_finds_the_same_results() -> None:
    draw = random.Random(6)
    for _ in range(25):
        position = parse_game("tictactoe").start()
        for _ in range(draw.randint(3, 6)):
            if not position.is_over:
                position = position.play(draw.choice(position.moves))
        if position.is_over:
            continue
        board = [
            1 if position.first >> cell & 1 else 2 if position.second >> cell & 1 else 0
            for cell in range(9)
        ]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            algorithm = easyAI.Negamax(9)
            algorithm(Tictactoe(board, position.side + 1))
        ours = search(position, scoring="result").value
        assert (algorithm.alpha > 0) - (algorithm.alpha < 0) == (ours > 0) - (ours < 0), str(
            position
        )
