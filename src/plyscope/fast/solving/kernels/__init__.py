"""The solvers' kernels."""
