"""The test code's end of the channel: what it asks, what it hands over, and what comes of that."""
