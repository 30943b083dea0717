def _is_own(value):
    """Whether a function or class is one of the tests', which says nothing of the candidate's."""
    return getattr(value, "__module__", None) == __name__


def _is_function(value):
    return _is_own(value) and type(value) is type(_is_own)


class _Nothing:
    """In place of a test that is none."""

    def run(self):
        _judging.has_skipped = True


# What tests have been run: in one process, each is once.
_ran = set()


def _run_listed(name):
    """Run a test, if what looks like one is one."""
    _found(name).run()
    # Test code that asks nothing would say nothing of the candidate.
    if _judging.has_skipped:
        _run_others(name)


def _run_others(*known):
    """Run the tests that are not among these."""
    for name in list(_tests()):
        if name not in known:
            _found(name).run()


def _run_the_rest(*known):
    """Run the tests that are not among these, and end what was there for several."""
    _run_others(*known)
    _leave_all()
