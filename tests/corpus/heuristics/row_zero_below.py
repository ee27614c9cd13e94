def next_open_row(board, column):
    for row in range(6):
        if board[row][column] == 0:
            return row


def score(board, piece):
    return sum((6 - row) * board[row].count(piece) for row in range(6))
