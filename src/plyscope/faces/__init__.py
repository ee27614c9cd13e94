"""Faces: where people meet plyscope. Only here is anything printed or drawn."""
