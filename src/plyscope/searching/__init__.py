"""Looking ahead: the algorithms, what they are asked and what they answer."""
