def choose(board, depth, is_maximizing):
    return 0
