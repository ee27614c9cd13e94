def choose(board, player):
    for row in range(3):
        for column in range(3):
            if board[row][column] == 0:
                return "abc"[column] + str(3 - row)
