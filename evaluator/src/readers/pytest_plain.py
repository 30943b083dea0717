class _PlainTest:
    """One that needs nothing but to be called."""

    def __init__(self, name):
        self.function = globals()[name]

    def run(self):
        import warnings

        with warnings.catch_warnings():
            with _judging.closing():
                # Called by a name, so that what it cannot do is known for its own doing.
                self.function()


def _tests():
    """The names of all tests, as pytest collects them."""
    for name, value in list(globals().items()):
        if name.startswith("test") and _is_function(value):
            yield name


def _found(name):
    test = _PlainTest(name) if name in _tests() and name not in _ran else _Nothing()
    _ran.add(name)
    return test


def _leave_all():
    pass
