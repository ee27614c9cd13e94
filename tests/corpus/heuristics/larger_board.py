SIZE = 5


def evaluate(board):
    return sum(board[i][i] == 1 for i in range(SIZE)) - sum(board[i][i] == 2 for i in range(SIZE))
