def evaluate(board, player):
    s = 0
    for r in range(6):
        for c in range(7):
            if board[r, c] == player:
                s += 3 - abs(c - 3)
            elif board[r, c] != " ":
                s -= 3 - abs(c - 3)
    return s
