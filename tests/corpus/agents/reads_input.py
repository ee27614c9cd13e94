name = input("name? ")


def choose(board, player):
    return 0
