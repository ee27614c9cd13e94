def choose(board, player):
    return max((c, 5 * c) for c in range(7) if board[0][c] == 0)
