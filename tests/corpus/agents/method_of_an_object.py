class Bot:
    def __init__(self, symbol, depth):
        self.symbol, self.depth = symbol, depth

    def choose(self, board):
        return next(at for at in range(9) if board[at // 3][at % 3] == 0)
