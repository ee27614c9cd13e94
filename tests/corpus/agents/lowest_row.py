def choose(board, piece):
    """A cell (row, column) of the lowest free row, with row 0 at the bottom."""
    for column in (3, 2, 4, 1, 5, 0, 6):
        for row in range(6):
            if board[row][column] == 0:
                return row, column
