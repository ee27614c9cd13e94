def choose(board, player):
    row, column = map(int, input("row column? ").split())
    return row, column
