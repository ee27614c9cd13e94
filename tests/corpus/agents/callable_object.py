class Bot:
    def __init__(self, depth=2):
        self.depth = depth

    def __call__(self, board, player):
        return next(at for at in range(9) if board[at // 3][at % 3] == 0)


choose = Bot(3)
