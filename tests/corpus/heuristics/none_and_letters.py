X, O, EMPTY = "X", "O", None


def winner(board):
    lines = [list(row) for row in board] + [list(column) for column in zip(*board)]
    lines += [[board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    for line in lines:
        if line[0] != EMPTY and line.count(line[0]) == 3:
            return line[0]
    return None


def utility(board):
    found = winner(board)
    return 1 if found == X else -1 if found == O else 0
