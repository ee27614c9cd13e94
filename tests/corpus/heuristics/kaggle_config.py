def get_heuristic(grid, mark, config):
    def weight(column):
        return config.columns // 2 - abs(column - config.columns // 2)

    score = 0
    for row in range(config.rows):
        for column in range(config.columns):
            if grid[row, column] == mark:
                score += weight(column)
            elif grid[row, column] == mark % 2 + 1:
                score -= weight(column)
    return score if config.inarow > 2 else 0
