def win(board):
    rows = [row[at : at + 4] for row in board for at in range(4)]
    for four in rows:
        if sum(four) == -4:
            return -1
        if sum(four) == 4:
            return 1
    return 0
