def evaluate(board, player):
    return float(sum(row.count(player) for row in board))
