def choose(board, level, me, opponent):
    free = [(r, c) for r in range(3) for c in range(3) if board[r][c] not in (me, opponent)]
    return free[level % len(free)]
