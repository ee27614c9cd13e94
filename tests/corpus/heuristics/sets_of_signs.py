def evaluate(board):
    for row in board:
        if set(row) == {"X"}:
            return 10
        if set(row) == {"O"}:
            return -10
    return 0
