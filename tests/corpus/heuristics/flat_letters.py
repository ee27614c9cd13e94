def evaluate(board):
    for a in (0, 3, 6):
        if board[a] == board[a + 1] == board[a + 2] != " ":
            return 10 if board[a] == "X" else -10
    return 1 if board[4] == "X" else -1 if board[4] == "O" else 0
