def choose(grid, depth, pruning):
    free = [(r, c) for r in range(3) for c in range(3) if grid[r][c] == 0]
    return free[-1] if pruning and depth > 2 else free[0]
