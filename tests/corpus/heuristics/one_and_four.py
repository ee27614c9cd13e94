def evaluate(board):
    s = 0
    for i in range(6):
        for j in range(7):
            if board[i][j] == 1:
                s += 3 - abs(j - 3)
            elif board[i][j] == 4:
                s -= 3 - abs(j - 3)
    return s
