def evaluate(board):
    lines = [list(row) for row in board] + [list(column) for column in zip(*board)]
    return sum(3 ** line.count(1) for line in lines if -1 not in line) - sum(
        3 ** line.count(-1) for line in lines if 1 not in line
    )
