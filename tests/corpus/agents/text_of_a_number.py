def choose(board, player):
    return str(next(at for at in range(9) if board[at // 3][at % 3] == 0))
