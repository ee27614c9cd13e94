class Player:
    def __init__(self, mark):
        self.mark = mark

    def evaluate(self, board):
        return sum(row.count(self.mark) for row in board)
