def choose(board, player):
    """The last row that is free is filled from the left, and the answer is (column, row)."""
    for row in (2, 1, 0):
        for column in range(3):
            if board[row][column] == 0:
                return column, row
