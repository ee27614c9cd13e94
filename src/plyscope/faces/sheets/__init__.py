"""Exam sheets: questions for paper, and their keys, as pages, LaTeX, SVG, text and data."""
