def minimax(board, player, depth):
    free = [(r, c) for r in range(3) for c in range(3) if board[r][c] == 0]
    if not free or depth == 0:
        return 0, None
    best = None
    for r, c in free:
        board[r][c] = player
        score = -minimax(board, 3 - player, depth - 1)[0]
        board[r][c] = 0
        if best is None or score > best[0]:
            best = (score, (r, c))
    return best


def choose(board, player):
    return minimax(board, player, 2)
