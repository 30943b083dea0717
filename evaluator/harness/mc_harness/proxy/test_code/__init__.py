"""The run of test code: what it is given before, what the library tells it meanwhile, and a dry run."""
