def evaluate(state, player):
    return sum(row.count(player) for row in state)
