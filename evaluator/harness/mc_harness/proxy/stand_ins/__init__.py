"""What stands in the test code's box for the candidate's things: functions, classes, objects and iterators."""
