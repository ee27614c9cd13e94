def score(board, player):
    opponent = 1 - player
    total = 0
    for column in range(7):
        for row in range(3):
            window = [board[row + i][column] for i in range(4)]
            total += window.count(None) == 1 and window.count(player) == 3
            total -= window.count(None) == 1 and window.count(opponent) == 3
    return total
