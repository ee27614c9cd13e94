def value(board):
    cells = [cell for row in board for cell in row]
    if "" not in cells:
        return 0
    return sum(1 for cell in cells if cell == "X") - sum(1 for cell in cells if cell == "O")
