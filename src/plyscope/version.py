"""The version, by itself, so that what asks for it knows no floor."""

__all__ = ["__version__"]

__version__ = "0.1.0"
