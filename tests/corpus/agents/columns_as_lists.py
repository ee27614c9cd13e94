def choose(board, player):
    """The board is a list of seven columns."""
    for column in (3, 2, 4, 1, 5, 0, 6):
        if 0 in board[column]:
            return column
