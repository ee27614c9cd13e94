def evaluate(board, player):
    return sum(row.count(2) for row in board if 1 not in row) - sum(
        row.count(1) for row in board if 2 not in row
    )
