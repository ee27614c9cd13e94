FIRST, SECOND, FREE = "R", "Y", " "


def line_of(board, c):
    text = ""
    for row in board:
        text += row[c]
    return text


def evaluate(board):
    s = 0
    for c in range(7):
        text = line_of(board, c)
        s += (text.count(FIRST) - text.count(SECOND)) * (3 - abs(c - 3))
    return s
