"""The model solution of the assignment on an evaluation. Keep it from students."""

WEIGHTS = (0, 1, 3, 8, 10_000)
"""The value of a line that only one side can still complete, by its stones."""
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def heuristic(board, player):
    """Return the difference of both sides' open lines, weighted by their stones."""
    total = 0
    for cells in lines_of(board):
        mine, theirs = cells.count(player), cells.count(3 - player)
        if not theirs:
            total += WEIGHTS[mine]
        elif not mine:
            total -= WEIGHTS[theirs]
    return total


def lines_of(board):
    """Yield the four cells of each line."""
    height, width = len(board), len(board[0])
    for row in range(height):
        for column in range(width):
            for down, right in DIRECTIONS:
                if row + 3 * down < height and 0 <= column + 3 * right < width:
                    yield [board[row + at * down][column + at * right] for at in range(4)]
