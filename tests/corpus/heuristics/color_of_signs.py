def evaluate(board, color):
    s = 0
    for row in board:
        for i, cell in enumerate(row):
            if cell == "X":
                s += 3 - abs(i - 3)
            elif cell == "O":
                s -= 3 - abs(i - 3)
    return color * s
