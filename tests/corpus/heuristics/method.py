class Player:
    @staticmethod
    def heuristic1(board, player):
        return sum(row.count(player) for row in board)
