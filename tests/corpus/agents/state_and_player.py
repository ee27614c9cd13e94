def choose(state, player):
    return [(i, j) for i in range(3) for j in range(3) if state[i][j] == 0][0]
