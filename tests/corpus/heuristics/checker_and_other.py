def evaluate(chessboard, checker, opp_checker):
    weights = (0, 1, 2, 3, 2, 1, 0)
    s = 0
    for row in chessboard:
        for j, cell in enumerate(row):
            if cell == checker:
                s += weights[j]
            if cell == opp_checker:
                s -= weights[j]
    return s
