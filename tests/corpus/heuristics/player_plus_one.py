def evaluate(board, player):
    s = 0
    for row in board:
        for i, cell in enumerate(row):
            if cell == player + 1:
                s += 3 - abs(i - 3)
            elif cell != 0:
                s -= 3 - abs(i - 3)
    return s
