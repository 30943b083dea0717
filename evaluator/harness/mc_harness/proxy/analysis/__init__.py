"""What is read off the text of test code: what of it is its own, what it compares, and what it makes of its data."""
