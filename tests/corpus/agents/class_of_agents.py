class Player:
    def choose(self, board, player):
        return next(at for at in range(9) if board[at // 3][at % 3] == 0)
