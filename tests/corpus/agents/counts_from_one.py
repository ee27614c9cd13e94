def choose(board, player):
    free = [
        3 * row + column + 1 for row in range(3) for column in range(3) if not board[row][column]
    ]
    return free[-1]
