"""Diagrams: a search as a picture, and the picture as text, SVG, DOT and TikZ."""
