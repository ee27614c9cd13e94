"""Search: the algorithms, their requests and their results."""
