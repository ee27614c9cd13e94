def score(board, player):
    opponent = "O" if player == "X" else "X"
    total = 0
    for row in [*board, *zip(*board)]:
        if opponent not in row and " " in row:
            total += list(row).count(player)
    return total
