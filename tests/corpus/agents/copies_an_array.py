def score(board, piece):
    middle = list(board[:, 1])
    return middle.count(piece) + sum(list(board[r, :]).count(piece) > 1 for r in range(3))


def choose(board, piece):
    best, chosen = -1, None
    for r in range(3):
        for c in range(3):
            if board[r][c] == 0:
                tried = board.copy()
                tried[r][c] = piece
                if score(tried, piece) > best:
                    best, chosen = score(tried, piece), (r, c)
    return chosen
