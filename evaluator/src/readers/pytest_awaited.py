class _Raised:
    """What is known of an exception that was awaited."""

    type = value = tb = None

    @property
    def typename(self):
        return self.type.__name__

    def match(self, pattern):
        import re

        assert re.search(pattern, str(self.value)), "%s is not in %s" % (pattern, self.value)
        return True

    def errisinstance(self, kinds):
        return isinstance(self.value, kinds)

    def exconly(self, tryshort=False):
        said = str(self.value)
        return "%s: %s" % (self.typename, said) if said else self.typename

    def group_contains(self, expected_exception, match=None, depth=None):
        return _has_member(self.value, expected_exception, match, depth)

    def __repr__(self):
        return "<ExceptionInfo %r tblen=2>" % (self.value,)

    def __getattr__(self, name):
        _lacking("ExceptionInfo.%s" % name)


def _has_member(group, kinds, match, depth):
    """Whether a group has an exception of a kind that says something, at a depth if one is asked for."""
    import re

    for one in group.exceptions:
        if hasattr(one, "exceptions"):
            if depth != 1 and _has_member(one, kinds, match, depth and depth - 1):
                return True
        elif depth in (None, 1) and isinstance(one, kinds) and (match is None or re.search(match, str(one))):
            return True
    return False


class _Raises:
    def __init__(self, kinds, match=None):
        self.kinds, self.pattern = kinds, match
        self.raised = _Raised()

    def __enter__(self):
        return self.raised

    def __exit__(self, kind, value, trace):
        if kind is None:
            _end(_Failed, "DID NOT RAISE")
        if not issubclass(kind, self.kinds):
            return False
        self.raised.type, self.raised.value, self.raised.tb = kind, value, trace
        return self.pattern is None or self.raised.match(self.pattern)


class _Warns:
    """Warnings that were heard, of which one must be of a kind and match."""

    def __init__(self, kinds=Warning, match=None):
        import warnings

        self.kinds, self.pattern = kinds, match
        self.catching = warnings.catch_warnings(record=True)

    def __enter__(self):
        import warnings

        self.list = self.catching.__enter__()
        warnings.simplefilter("always")
        return _Recorded(self.list)

    def __exit__(self, kind, value, trace):
        import re

        self.catching.__exit__(kind, value, trace)
        if kind is None:
            heard = [one for one in self.list if issubclass(one.category, self.kinds)]
            assert heard, "DID NOT WARN"
            pattern = self.pattern or ""
            assert any(re.search(pattern, str(one.message)) for one in heard), "no warning matches %s" % pattern


class _Recorded:
    """What `pytest.warns` gives."""

    def __init__(self, heard):
        self.list = heard

    def __getitem__(self, place):
        return self.list[place]

    def __iter__(self):
        return iter(self.list)

    def __len__(self):
        return len(self.list)

    def pop(self, kind=Warning):
        found = [place for place, one in enumerate(self.list) if issubclass(one.category, kind)]
        assert found, "%s not found in warning list" % kind
        return self.list.pop(found[0])

    def clear(self):
        self.list[:] = []


def _deprecated_call(*called, match=None, **named):
    return _warns((DeprecationWarning, PendingDeprecationWarning, FutureWarning), *called, match=match, **named)


def _warns(expected_warning=Warning, *called, match=None, **named):
    awaiting = _Warns(expected_warning, match)
    if not called:
        return awaiting
    with awaiting:
        return called[0](*called[1:], **named)


def _raises(expected_exception, *called, match=None, **named):
    awaiting = _Raises(expected_exception, match)
    if not called:
        return awaiting
    with awaiting as raised:
        called[0](*called[1:], **named)
    return raised


class _Approx:
    def __init__(self, expected, rel=None, abs=None, nan_ok=False):
        self.expected, self.nan_ok = expected, nan_ok
        # An absolute tolerance alone is meant alone.
        self.rel = 1e-6 if rel is None and abs is None else rel or 0.0
        self.abs = 1e-12 if abs is None else abs

    def __repr__(self):
        return "approx(%r)" % (self.expected,)

    def __eq__(self, actual):
        return self._near(actual, self.expected)

    __hash__ = None

    def _near(self, actual, expected):
        if isinstance(expected, dict):
            return (
                isinstance(actual, dict)
                and actual.keys() == expected.keys()
                and all(self._near(actual[key], expected[key]) for key in expected)
            )
        if isinstance(expected, (list, tuple)):
            return (
                isinstance(actual, (list, tuple))
                and len(actual) == len(expected)
                and all(self._near(one, other) for one, other in zip(actual, expected))
            )
        if isinstance(expected, bool) or not isinstance(expected, (int, float, complex)):
            return actual == expected
        if not isinstance(actual, (int, float, complex)):
            return False
        if expected != expected:
            return self.nan_ok and actual != actual
        if actual == expected:
            return True
        if abs(expected) == float("inf"):
            return False
        return abs(actual - expected) <= max(self.abs, self.rel * abs(expected))


_Pytest.raises, _Pytest.warns, _Pytest.approx = staticmethod(_raises), staticmethod(_warns), _Approx
_Pytest.deprecated_call = staticmethod(_deprecated_call)
