def choose(board, player):
    rows = sorted(range(3), key=lambda row: -board[row].count("X"))
    return next((r, c) for r in rows for c in range(3) if board[r][c] not in ("X", "O", 1, 2))
