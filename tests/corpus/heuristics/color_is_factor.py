def evaluate(board, color):
    s = 0
    for row in board:
        for i, cell in enumerate(row):
            if cell == 1:
                s += 3 - abs(i - 3)
            elif cell == 2:
                s -= 3 - abs(i - 3)
    return color * s
