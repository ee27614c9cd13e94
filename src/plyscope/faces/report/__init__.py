"""Reports about a file of records, as one self-contained page or as Markdown."""
