"""The model solution of the assignment on an agent. Keep it from students."""

values = {}


def choose(position):
    """Return the move of the greatest value; of equal ones the first."""
    return max(position.moves, key=lambda move: -value(position.play(move)))


def value(position):
    """Return the value for the side to move: 1 plus the empty cells if it wins, so that an early
    win is worth more; 0 for a draw; negative if it loses."""
    if position in values:
        return values[position]
    if position.is_over:
        left = sum(row.count(".") for row in str(position).split("/"))
        result = 0 if position.winner is None else -1 - left
    else:
        result = max(-value(position.play(move)) for move in position.moves)
    values[position] = result
    return result
