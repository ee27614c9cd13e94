def choose(board, player):
    return board.available_moves()[0]
