def drop(board, column, piece):
    row = 0
    while board[row][column] != 0:
        row += 1
    board[row][column] = piece


def score(board, piece):
    return sum((6 - row) * board[row].count(piece) for row in range(6))
