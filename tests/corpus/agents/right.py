def choose(board, player):
    return next((row, column) for row in range(3) for column in range(3) if not board[row][column])
