"""Kernels and their machine code, calls in other threads, and the cache folder."""
