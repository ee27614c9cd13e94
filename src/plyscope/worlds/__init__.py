"""Adapters that let plyscope's agents play in other libraries, which are imported only when
used."""
