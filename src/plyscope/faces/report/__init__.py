"""Reports of what a file of records tells: one self-contained page, or Markdown."""
