def choose(board, player):
    """It makes its move on the board and answers the board."""
    for row in board:
        for c, cell in enumerate(row):
            if cell == 0:
                row[c] = player
                return board
