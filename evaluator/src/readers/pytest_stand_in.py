def _lacking(what):
    # Not raised on purpose: that the tests cannot run is the tests' own doing, whatever the candidate is.
    __import__("pytest's %s, which is not supported" % what)


class _Raises:
    def __init__(self, kinds, match=None):
        self.kinds, self.match = kinds, match
        self.type = self.value = None

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        import re

        assert kind is not None, "nothing was raised"
        if not issubclass(kind, self.kinds):
            return False
        self.type, self.value = kind, value
        assert self.match is None or re.search(self.match, str(value)), "%s is not in %s" % (self.match, value)
        return True


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


class _Param:
    def __init__(self, *values):
        self.values = values


def _needs(function):
    import inspect

    own = getattr(function, "needs", None)
    return list(inspect.signature(function).parameters) if own is None else own


class _Mark:
    def parametrize(self, names, values, ids=None):
        names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
        values = list(values)

        def decorate(test):
            def each(*given, **named):
                for value in values:
                    several = value.values if isinstance(value, _Param) else value
                    row = several if isinstance(value, _Param) or len(names) > 1 else (several,)
                    test(*given, **named, **dict(zip(names, row)))

            each.needs = [name for name in _needs(test) if name not in names]
            return each

        return decorate

    def __getattr__(self, name):
        if name in ("skip", "skipif", "xfail", "usefixtures"):
            _lacking("mark.%s" % name)

        def mark(*given, **named):
            alone = len(given) == 1 and callable(given[0]) and not named
            return given[0] if alone else lambda test: test

        return mark


class _Pytest:
    raises, approx = _Raises, _Approx
    mark = _Mark()

    def __init__(self):
        self.fixtures = {}

    def fixture(self, *given, **named):
        def register(function):
            self.fixtures[named.get("name") or function.__name__] = function
            return function

        return register(given[0]) if given and callable(given[0]) else register

    def param(self, *values, **named):
        return _Param(*values)

    def fail(self, reason="", **named):
        raise AssertionError(reason)

    def main(self, *given, **named):
        return 0

    def value_of(self, name):
        if name not in self.fixtures:
            _lacking("fixture %s" % name)
        made = _given(self.fixtures[name])
        return next(made) if hasattr(made, "__next__") else made

    def __getattr__(self, name):
        _lacking(name)


pytest = _Pytest()


def _given(function):
    return function(**{name: pytest.value_of(name) for name in _needs(function)})


def _run(test):
    _given(test)


def _run_method(kind, name):
    test = kind(name) if hasattr(kind, "assertEqual") else kind()
    for setup in ("setup_method", "setUp"):
        if hasattr(test, setup):
            prepare = getattr(test, setup)
            prepare(*[None] * len(_needs(prepare)))
    _run(getattr(test, name))
