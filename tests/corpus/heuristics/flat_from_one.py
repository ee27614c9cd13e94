def evaluate(board, letter):
    other = "O" if letter == "X" else "X"
    total = 0
    for a, b, c in ((7, 8, 9), (4, 5, 6), (1, 2, 3), (7, 5, 3), (9, 5, 1)):
        line = [board[a], board[b], board[c]]
        if other not in line:
            total += line.count(letter)
    return total
