def evaluate(board, player):
    opponent = 3 - player
    return sum((opponent not in row) - (player not in row) for row in board)
