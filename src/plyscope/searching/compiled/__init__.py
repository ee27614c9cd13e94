"""The algorithms at the speed of C: for each file of `reference` its twin, with the same value,
counts and principal variation."""
