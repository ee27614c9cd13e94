"""Values of whole boards and games by NumPy: patterns, features and tablebases."""
