def weight(board, row, column):
    return row + column


def choose(board, player, valued):
    free = [(r, c) for r in range(3) for c in range(3) if board[r][c] == 0]
    return max(free, key=lambda cell: valued(board, *cell))
