"""Matches, tournaments and their records."""
