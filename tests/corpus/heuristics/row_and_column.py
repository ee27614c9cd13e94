def evaluate(board, row, col):
    return board[row - 1][col - 1]
