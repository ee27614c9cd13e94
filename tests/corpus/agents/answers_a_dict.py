def choose(board, player):
    for r in range(3):
        for c in range(3):
            if board[r][c] == 0:
                return {"row": r, "col": c}
