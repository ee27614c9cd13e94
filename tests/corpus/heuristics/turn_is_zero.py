def evaluate(board, turn):
    me = 1 if turn == 0 else 2
    s = 0
    for row in board:
        for i, cell in enumerate(row):
            if cell == me:
                s += 3 - abs(i - 3)
            elif cell != 0:
                s -= 3 - abs(i - 3)
    return s
