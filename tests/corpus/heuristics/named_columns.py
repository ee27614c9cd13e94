def evaluate(board):
    s = 0
    for col in range(len(board)):
        for row in range(len(board[0])):
            if board[col][row] == "X":
                s += 3 - abs(col - 3)
            if board[col][row] == "O":
                s -= 3 - abs(col - 3)
    return s
