LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def wins(board, mark):
    flat = [cell for row in board for cell in row]
    return any(all(flat[at] == mark for at in line) for line in LINES)


def choose(board):
    free = [(r, c) for r in range(3) for c in range(3) if board[r][c] == 0]
    for mark in (2, 1):
        for r, c in free:
            board[r][c] = mark
            has_won = wins(board, mark)
            board[r][c] = 0
            if has_won:
                return r, c
    return free[0]
