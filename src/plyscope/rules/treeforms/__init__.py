"""The forms in which people write trees."""
