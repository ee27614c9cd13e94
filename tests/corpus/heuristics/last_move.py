def evaluate(board, last_move):
    return board[0][0] + last_move
