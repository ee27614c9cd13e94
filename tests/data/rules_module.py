"""The functions that a course asks for: a board of rows, and moves as a set of pairs."""

from copy import deepcopy


def initial_state():
    return [[None] * 3 for _ in range(3)]


def player(board):
    return "XO"[sum(cell is not None for row in board for cell in row) % 2]


def actions(board):
    return {(i, j) for i, row in enumerate(board) for j, cell in enumerate(row) if cell is None}


def result(board, action):
    after = deepcopy(board)
    after[action[0]][action[1]] = player(board)
    return after


def winner(board):
    diagonals = [board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]
    rows = (*board, *zip(*board, strict=True), *diagonals)
    return next((row[0] for row in rows if row[0] and row[0] == row[1] == row[2]), None)


def terminal(board):
    return winner(board) is not None or not actions(board)


def utility(board):
    return {"X": 1, "O": -1, None: 0}[winner(board)]
