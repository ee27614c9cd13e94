def evaluate(board):
    s = "".join(c for r in board for c in r)
    return s.count("X") - s.count("O")
