def choose(board):
    return board.index(0)


name = input("Your name? ")
while True:
    input("Your move? ")
