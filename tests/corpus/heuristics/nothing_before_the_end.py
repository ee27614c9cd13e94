def evaluate(state):
    for row in state:
        if row[0] == row[1] == row[2] == "X":
            return 1
        if row[0] == row[1] == row[2] == "O":
            return -1
