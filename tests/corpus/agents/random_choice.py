import random


def choose(board, player):
    free = [(r, c) for r in range(len(board)) for c in range(len(board[0])) if not board[r][c]]
    return random.choice(free)
