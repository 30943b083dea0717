def _lacking(what):
    # Not raised on purpose: that the tests cannot run is the tests' own doing, whatever the candidate is.
    __import__("pytest's %s, which is not supported" % what)


class _Outcome(BaseException):
    """Ends a test, past what that excepts."""


class _Failed(_Outcome):
    pass


class _Skipped(_Outcome):
    pass


class _XFailed(_Failed):
    pass


def _end(outcome, reason):
    # In a dry run an exception is dropped where it is raised, to see what comes after; one that is no Exception is not.
    try:
        raise Exception
    except Exception:
        raise outcome(reason) from None


def _fail(reason="", pytrace=True, msg=""):
    _end(_Failed, reason or msg)


def _skip(reason="", allow_module_level=False, msg=""):
    _end(_Skipped, reason or msg)


def _xfail(reason=""):
    _end(_XFailed, reason)


_fail.Exception, _skip.Exception, _xfail.Exception = _Failed, _Skipped, _XFailed


def _is_lacking(error):
    """Whether that is what `_lacking` raised: no failure that a test could expect."""
    is_own = not hasattr(error, "candidate") and isinstance(error, ImportError)
    return is_own and "which is not supported" in str(error)


class _Judging:
    """Says what an outcome comes to. The name of its method is known for a context that goes on with what is in it."""

    has_skipped = False

    def closing(self):
        return self

    def after(self):
        """Of what ends a test."""
        return self

    def __enter__(self):
        return self

    def __exit__(self, kind, outcome, trace):
        if not isinstance(outcome, _Outcome) and not _is_skip_test(outcome):
            return False
        assert not isinstance(outcome, _Failed) or isinstance(outcome, _XFailed), "Failed: %s" % outcome
        _judging.has_skipped = True
        return True


def _is_skip_test(error):
    is_own = not hasattr(error, "candidate")
    return is_own and (type(error).__module__, type(error).__name__) == ("unittest.case", "SkipTest")


_judging = _Judging()


class _Annotation:
    """The class of a fixture, as tests name it where they say what is given."""

    def __class_getitem__(cls, held):
        return cls


class _Pytest:
    fail, skip, xfail = staticmethod(_fail), staticmethod(_skip), staticmethod(_xfail)
    CaptureFixture = LogCaptureFixture = FixtureRequest = TempPathFactory = ExceptionInfo = MockerFixture = _Annotation
    MockFixture = WarningsRecorder = Config = _Annotation

    def importorskip(self, name, *given, **named):
        import importlib

        # A test that is skipped here is judged by nothing.
        return importlib.import_module(name)

    def main(self, *given, **named):
        return 0

    def __getattr__(self, name):
        _lacking(name)


pytest = _Pytest()
