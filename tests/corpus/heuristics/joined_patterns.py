def runs(text):
    weights = {"xxx": 3, "xx_": 1, "_xx": 1, "ooo": -3, "oo_": -1, "_oo": -1}
    return sum(value for pattern, value in weights.items() if pattern in text)


def evaluate(table):
    s = 0
    for i in range(3):
        if table[i][0] != "_" or table[i][1] != "_":
            s += runs("".join(table[i]))
            s += runs("".join(row[i] for row in table))
    return s
