def length(grille, r, c, joueur):
    n = 0
    while r < 6 and grille[r][c] == joueur:
        n += 1
        r += 1
    return n


def evaluate(grille, joueur):
    s = 0
    for c in range(7):
        for r in range(6):
            s += length(grille, r, c, joueur) - length(grille, r, c, 3 - joueur)
    return s
