"""The version, by itself, so that what asks for it knows no floor."""

__version__ = "0.1.0"
