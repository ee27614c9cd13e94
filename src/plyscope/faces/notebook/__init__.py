"""HTML of positions, results and trees for notebooks."""
