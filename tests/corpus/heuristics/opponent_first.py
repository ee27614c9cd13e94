def evaluate(board, opponent, player):
    return sum(row.count(player) - row.count(opponent) for row in board)
