"""The candidate's box: it answers what the test code asks, and has what stands there for the test code's things."""
