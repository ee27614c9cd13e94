def choose(grid, mark, config):
    free = [column for column in range(config.columns) if grid[0, column] == 0]
    middle = config.columns // 2
    return min(free, key=lambda column: abs(column - middle))
