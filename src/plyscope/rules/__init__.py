"""What is legal and who has won."""
