"""Experiments: agents, what they do against each other, and what can be proven of them."""
