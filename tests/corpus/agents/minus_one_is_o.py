def choose(board):
    free = [(r, c) for r in range(3) for c in range(3) if board[r][c] == 0]
    for row, column in free:
        for side in (1, -1):
            line = [side if c == column else board[row][c] for c in range(3)]
            if line.count(side) == 3:
                return row, column
    return free[0]
