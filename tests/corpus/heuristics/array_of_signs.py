import numpy as np


def evaluate(board, player):
    w = np.array([0, 1, 2, 3, 2, 1, 0])
    return int(((board == player) * w).sum() - ((board == -player) * w).sum())
