def evaluate(board, player):
    """Rows without the opponent, where an empty cell is None."""
    total = 0
    for row in board:
        taken = [cell for cell in row if cell is not None]
        total += len(taken) if all(cell == player for cell in taken) else 0
    return total
