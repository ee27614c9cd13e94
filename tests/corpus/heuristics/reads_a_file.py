with open("weights_of_cells.txt") as file:
    weights = [int(line) for line in file]


def evaluate(board):
    return sum(weights[i] * row.count(1) for i, row in enumerate(board))
