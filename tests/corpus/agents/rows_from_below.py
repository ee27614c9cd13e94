def choose(board, player):
    """It plays in the highest free row, which it stores last."""
    for row in (2, 1, 0):
        for column in range(3):
            if board[row][column] == 0:
                return row, column
