def evaluate(board, n):
    return sum(row[i] for i, row in enumerate(board) if i < n)
