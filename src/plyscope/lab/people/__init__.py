"""Programs of other people, run in processes of their own."""
