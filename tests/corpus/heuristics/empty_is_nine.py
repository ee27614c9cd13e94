def evaluate(board, player):
    s = 0
    for row in board:
        for i, cell in enumerate(row):
            if cell == 9:
                continue
            if cell == player:
                s += 3 - abs(i - 3)
            else:
                s -= 3 - abs(i - 3)
    return s
