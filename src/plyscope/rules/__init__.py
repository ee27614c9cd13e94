"""The rules of games: positions, legal moves, results, and their notation."""
