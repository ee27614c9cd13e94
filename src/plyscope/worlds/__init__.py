"""Other libraries: our agents in their worlds. Their packages are imported where they are used."""
