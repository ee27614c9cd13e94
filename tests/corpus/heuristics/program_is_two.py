HUMAN, AI = 1, 2


def evaluate(board):
    lines = [list(row) for row in board] + [list(column) for column in zip(*board)]
    return sum(line.count(AI) for line in lines if HUMAN not in line) - sum(
        line.count(HUMAN) for line in lines if AI not in line
    )
