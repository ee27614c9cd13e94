def evaluate(board, win_length):
    return sum(row.count(1) for row in board) - win_length
