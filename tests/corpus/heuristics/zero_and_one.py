def evaluate(board):
    s = 0
    for row in board:
        for i, cell in enumerate(row):
            if cell is None:
                continue
            if cell == 0:
                s += 3 - abs(i - 3)
            elif cell == 1:
                s -= 3 - abs(i - 3)
    return s
