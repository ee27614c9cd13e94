def evaluate(board):
    best = 0
    for line in [*board, *zip(*board)]:
        if sum(line) == 3:
            return 10
        if sum(line) == -3:
            return -10
        if sum(line) > 0:
            best += 1
        if sum(line) < 0:
            best -= 1
    return best
