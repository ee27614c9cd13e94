"""Static evaluation: what a position that is not searched further is worth."""
