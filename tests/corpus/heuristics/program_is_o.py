def evaluate(board):
    """The program has O, and a cell is None when empty."""
    for line in [*board, *map(list, zip(*board))]:
        if line.count("O") == 3:
            return 100
        if line.count("X") == 3:
            return -100
    return sum(row.count("O") - row.count("X") for row in board)
