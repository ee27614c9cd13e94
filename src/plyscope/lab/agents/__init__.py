"""Agents: what plays, and how people type it."""
