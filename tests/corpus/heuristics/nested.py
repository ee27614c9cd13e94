def make(weight):
    def evaluate(board, player):
        return weight * sum(row.count(player) for row in board)

    return evaluate
