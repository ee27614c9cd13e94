def score(board):
    total = 0
    for row in board:
        for column in range(len(row) - 3):
            window = row[column : column + 4]
            if window.count("R") and not window.count("Y"):
                total += window.count("R")
            if window.count("Y") and not window.count("R"):
                total -= window.count("Y")
    return total
