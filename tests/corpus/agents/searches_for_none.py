LINES = [[(i, j) for j in range(3)] for i in range(3)]
LINES += [[(i, j) for i in range(3)] for j in range(3)]
LINES += [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]


def side(board):
    xs = sum(row.count("X") for row in board)
    os = sum(row.count("O") for row in board)
    return "X" if xs == os else "O"


def winner(board):
    for line in LINES:
        signs = {board[i][j] for i, j in line}
        if len(signs) == 1 and None not in signs:
            return signs.pop()
    return None


def free(board):
    return [(i, j) for i in range(3) for j in range(3) if board[i][j] == None]  # noqa: E711


def value(board, depth):
    if winner(board) or not free(board) or not depth:
        return {"X": 1, "O": -1}.get(winner(board), 0)
    best = max if side(board) == "X" else min
    return best(value(after(board, move), depth - 1) for move in free(board))


def after(board, move):
    rows = [row[:] for row in board]
    rows[move[0]][move[1]] = side(board)
    return rows


def choose(board):
    if winner(board) or not free(board):
        return None
    best = max if side(board) == "X" else min
    return best(free(board), key=lambda move: value(after(board, move), 1))
