LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def evaluate(board, player):
    opponent = 3 - player
    total = 0
    for a, b, c in LINES:
        line = [board[a], board[b], board[c]]
        if opponent not in line:
            total += line.count(player)
    return total
