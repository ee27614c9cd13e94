class Walker:
    def __init__(self, mark, look_ahead=1):
        self.mark = mark
        self.other = "O" if mark == "X" else "X"

    def choose(self, board):
        free = [(r, c) for r, row in enumerate(board) for c, sign in enumerate(row) if sign == "."]
        for sign in (self.mark, self.other):
            for r, c in free:
                board[r][c] = sign
                found = any(set(row) == {sign} for row in (*board, *zip(*board)))
                board[r][c] = "."
                if found:
                    return r, c
        return free[0]
