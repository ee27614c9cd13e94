def evaluate(b: list):
    for row in b:
        if row[0] == row[1] == row[2]:
            if row[0] == "x":
                return 10
            if row[0] == "o":
                return -10
    return sum(cell != "_" for cell in b[1]) * 0
