def evaluate(board, player):
    w = [0, 1, 2, 3, 2, 1, 0]
    return player * sum(w[c] * row[c] for row in board for c in range(7))
