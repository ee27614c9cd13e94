def choose(board, player):
    for at in range(9):
        if board[at // 3][at % 3] == 0:
            return float(at)
