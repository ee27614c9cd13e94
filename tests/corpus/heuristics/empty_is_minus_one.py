def evaluate(board, player):
    s = 0
    for row in board:
        for i, cell in enumerate(row):
            if cell == -1:
                continue
            if cell == player:
                s += 3 - abs(i - 3)
            elif cell == 1 - player:
                s -= 3 - abs(i - 3)
    return s
