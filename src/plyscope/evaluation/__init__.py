"""Static evaluation: heuristics, which value positions without search."""
