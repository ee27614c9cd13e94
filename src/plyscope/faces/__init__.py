"""Faces: the interfaces to people. Only these modules print and draw."""
