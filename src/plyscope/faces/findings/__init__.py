"""Results as sections, a file for each subject, for every printer."""
