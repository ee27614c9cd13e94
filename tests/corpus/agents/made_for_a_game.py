class Walker:
    def __init__(self, game):
        self.game = game

    def choose(self, board):
        return self.game.free(board)[0]
