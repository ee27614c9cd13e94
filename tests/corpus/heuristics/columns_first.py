def evaluate(board, player):
    total = 0
    for column in range(7):
        for row in range(6):
            if board[column][row] == player:
                total += 3 - abs(3 - column)
    return total
