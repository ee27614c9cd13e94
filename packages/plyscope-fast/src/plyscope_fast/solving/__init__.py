"""Solvers whose work is done by kernels."""
