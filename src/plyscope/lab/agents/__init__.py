"""Agents: the players, and their description by text."""
