EMPTY = "."


def heuristic(board, mark):
    return sum(row.count(mark) for row in board if EMPTY in row)
