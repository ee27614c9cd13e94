"""What positions, results and trees look like in a notebook; `repr` gives their plain text."""

from plyscope.faces.notebook import findings, searches

__all__ = ["findings", "searches"]
