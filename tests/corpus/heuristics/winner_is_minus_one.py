def winner(board):
    for row in board:
        for j in range(4):
            total = row[j] + row[j + 1] + row[j + 2] + row[j + 3]
            if total in (4, -4):
                return total // 4
    return 0


def evaluate(board, player, opponent):
    if winner(board) == player:
        return 50
    if winner(board) == opponent:
        return -50
    s = 0
    for row in board:
        for j in range(7):
            if row[j] == player:
                s += 3 - abs(j - 3)
            elif row[j] == opponent:
                s -= 3 - abs(j - 3)
    if opponent == -1:
        s += 1
    return s
