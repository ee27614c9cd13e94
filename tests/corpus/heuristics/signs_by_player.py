def evaluate(board, player):
    signs = " XO"
    s = 0
    for row in board:
        for i, cell in enumerate(row):
            if cell == signs[player]:
                s += 3 - abs(i - 3)
            elif cell != " ":
                s -= 3 - abs(i - 3)
    return s
