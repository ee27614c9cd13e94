def evaluate(board, player):
    total = 0
    for row in board:
        if -player not in row:
            total += row.count(player)
        if player not in row:
            total -= row.count(-player)
    return total
