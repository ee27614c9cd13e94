def choose(board, player):
    """It answers (column, row), both counted from 1."""
    free = [(c + 1, r + 1) for r in range(3) for c in range(3) if board[r][c] == 0]
    return free[-2] if len(free) > 1 else free[0]
