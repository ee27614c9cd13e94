def evaluate(board):
    """It reads the first three cells only, so that no index is out of range."""
    if board[0] == board[1] == board[2]:
        return 10 if board[0] == "X" else -10 if board[0] == "O" else 0
    return 0
