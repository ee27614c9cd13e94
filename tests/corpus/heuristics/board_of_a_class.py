def evaluate(board, checker):
    return sum(board.col_height(c) for c in range(board.width) if checker)
