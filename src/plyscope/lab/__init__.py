"""Experiments with agents and heuristics: matches, certificates, report cards, quizzes, records."""
