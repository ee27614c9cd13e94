"""The command line as data, as completion for shells, and as the manual page."""
