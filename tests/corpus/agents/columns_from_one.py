def choose(board, player):
    for column in (7, 6, 5, 4, 3, 2, 1):
        if board[0][column - 1] == 0:
            return column
