def choose(board, player):
    yield from (at for at in range(9) if board[at // 3][at % 3] == 0)
