"""What both boxes have: the channel between them, and values of every kind as they cross it."""
