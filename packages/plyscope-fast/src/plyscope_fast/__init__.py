"""Machine code: the searches and solvers that NumPy and Numba run, behind one interface."""
