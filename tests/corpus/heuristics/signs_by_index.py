def evaluate(board, player):
    signs = ["X", "O"]
    s = 0
    for row in board:
        for i, cell in enumerate(row):
            if cell == signs[player]:
                s += 3 - abs(i - 3)
            elif cell == signs[1 - player]:
                s -= 3 - abs(i - 3)
    return s
