def evaluate(board):
    scores = {"X": 1, "O": -1}
    return sum(scores.get(c, 0) for row in board for c in row)
