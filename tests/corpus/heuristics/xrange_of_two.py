def evaluate(board, player):
    total = 0
    for row in xrange(3):  # noqa: F821
        total += board[row].count(player)
    return total
