def score_position(board, piece):
    centre = [int(cell) for cell in board[:, 3]]
    return 3 * centre.count(piece)
