def _lacking(what):
    # Not raised on purpose: that the tests cannot run is the tests' own doing, whatever the candidate is.
    __import__("pytest's %s, which is not supported" % what)


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

    def __getattr__(self, name):
        _lacking("ExceptionInfo.%s" % name)


class _Raises:
    def __init__(self, kinds, match=None):
        self.kinds, self.pattern = kinds, match
        self.raised = _Raised()

    def __enter__(self):
        return self.raised

    def __exit__(self, kind, value, trace):
        assert kind is not None, "nothing was raised"
        if not issubclass(kind, self.kinds):
            return False
        self.raised.type, self.raised.value, self.raised.tb = kind, value, trace
        return self.pattern is None or self.raised.match(self.pattern)


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


class _Param:
    def __init__(self, values):
        self.values = values


class _Mark:
    def parametrize(self, argnames, argvalues, indirect=False, ids=None, scope=None):
        if indirect:
            _lacking("parametrize(indirect)")
        names = [name.strip() for name in argnames.split(",")] if isinstance(argnames, str) else list(argnames)

        def row(value):
            values = value.values if isinstance(value, _Param) else value
            is_row = isinstance(value, _Param) or len(names) > 1
            return dict(zip(names, values if is_row else (values,)))

        rows = [row(value) for value in argvalues]

        def decorate(test):
            test._rows = [rows, *getattr(test, "_rows", ())]
            return test

        return decorate

    def skip(self, *given, **named):
        return self._skipped(True, given)

    def xfail(self, *given, **named):
        return self._skipped(True, given)

    def skipif(self, condition=True, *, reason=""):
        return self._skipped(bool(condition), ())

    def _skipped(self, is_skipped, given):
        def decorate(test):
            test._is_skipped = is_skipped or getattr(test, "_is_skipped", False)
            return test

        return decorate(given[0]) if given and callable(given[0]) else decorate

    def usefixtures(self, *names):
        def decorate(test):
            test._uses = [*getattr(test, "_uses", ()), *names]
            return test

        return decorate

    def __getattr__(self, name):
        def mark(*given, **named):
            alone = len(given) == 1 and callable(given[0]) and not named
            return given[0] if alone else lambda test: test

        return mark


class _Pytest:
    raises, approx = staticmethod(_raises), _Approx
    mark = _Mark()

    def fixture(self, *given, name=None, autouse=False, params=None, ids=None, scope="function"):
        def register(function):
            function._fixture = name or function.__name__, autouse, params
            return function

        return register(given[0]) if given and callable(given[0]) else register

    def param(self, *values, **named):
        return _Param(values)

    def fail(self, reason="", **named):
        raise AssertionError(reason)

    def main(self, *given, **named):
        return 0

    def __getattr__(self, name):
        _lacking(name)


pytest = _Pytest()


def _needs(function):
    import inspect

    parameters = inspect.signature(function).parameters.values()
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [one.name for one in parameters if one.default is one.empty and one.kind not in kinds]


class _Request:
    def __init__(self, test):
        self._test = test

    def getfixturevalue(self, name):
        return self._test.value_of(name)

    def __getattr__(self, name):
        _lacking("request.%s" % name)


class _Captured:
    """For `capsys`."""

    def __init__(self):
        self.out, self.err = self._streams()

    def _streams(self):
        import io
        import sys

        sys.stdout, sys.stderr = io.StringIO(), io.StringIO()
        return sys.stdout, sys.stderr

    def readouterr(self):
        from collections import namedtuple

        out, err = self.out.getvalue(), self.err.getvalue()
        self.out, self.err = self._streams()
        return namedtuple("CaptureResult", "out err")(out, err)


def _is_own(value):
    """Whether a function or class is one of the tests', which says nothing of the candidate's."""
    return getattr(value, "__module__", None) == __name__


def _is_function(value):
    return _is_own(value) and type(value) is type(_is_own)


def _is_fixture(value):
    return _is_function(value) and hasattr(value, "_fixture")


class _Test:
    """One run of a test, with fixtures of its own."""

    def __init__(self, function, instance, row):
        self.function, self.instance = function, instance
        self.values, self.begun = dict(row), []
        self.fixtures = {}
        for value in list(globals().values()):
            if _is_fixture(value):
                self.fixtures[value._fixture[0]] = value
        kind = type(instance)
        for name in dir(kind) if instance is not None else ():
            if _is_fixture(getattr(kind, name)):
                self.fixtures[getattr(kind, name)._fixture[0]] = getattr(instance, name)

    def value_of(self, name):
        if name not in self.values:
            self.values[name] = self.made(name)
        return self.values[name]

    def made(self, name):
        if name == "request":
            return _Request(self)
        if name == "capsys":
            return _Captured()
        if name not in self.fixtures:
            _lacking("fixture %s" % name)
        fixture = self.fixtures[name]
        if fixture._fixture[2] is not None:
            _lacking("fixture(params)")
        value = _awaited(fixture(**self.given(fixture)))
        if not hasattr(value, "__next__"):
            return value
        self.begun.append(value)
        return next(value)

    def given(self, function):
        return {name: self.value_of(name) for name in _needs(function)}

    def run(self):
        for name, fixture in self.fixtures.items():
            if fixture._fixture[1]:
                self.value_of(name)
        for name in getattr(self.function, "_uses", ()):
            self.value_of(name)
        _awaited(self.function(**self.given(self.function)))
        for generator in reversed(self.begun):
            next(generator, None)


def _awaited(value):
    if not hasattr(type(value), "__await__"):
        return value
    import asyncio

    return asyncio.run(value)


def _rows(*marked):
    """What the parameters of a test are in each of its runs."""
    rows = [{}]
    for one in marked:
        for more in getattr(one, "_rows", ()):
            rows = [{**row, **other} for row in rows for other in more]
    return rows


def _prepare(holder, names, *about):
    for name in names:
        function = getattr(holder, name, None)
        if function is not None and not hasattr(function, "_fixture"):
            _awaited(function(*about[: len(_needs(function))]))


def _is_test_class(name, value):
    if not _is_own(value) or not isinstance(value, type):
        return False
    return hasattr(value, "assertEqual") or name.startswith("Test") and value.__init__ is object.__init__


def _tests():
    """The names of all tests, as pytest collects them."""
    for name, value in list(globals().items()):
        if name.startswith("test") and _is_function(value):
            yield name
        elif _is_test_class(name, value):
            yield from (name + "." + method for method in dir(value) if method.startswith("test"))


def _is_skipped(*marked):
    return any(getattr(one, mark, False) for one in marked for mark in ("_is_skipped", "__unittest_skip__"))


def _run(name):
    kind, _, function = name.rpartition(".")
    holder = globals()[kind] if kind else _Module
    test = getattr(holder, function)
    marked = (holder, test) if kind else (test,)
    if _is_skipped(*marked):
        return
    _prepare(_Module, ("setup_module", "setUpModule"), None)
    if kind:
        _prepare(holder, ("setup_class", "setUpClass"), holder)
    for row in _rows(*marked):
        if not kind:
            _prepare(holder, ("setup_function",), test)
            _Test(test, None, row).run()
            _prepare(holder, ("teardown_function",), test)
            continue
        instance = holder(function) if hasattr(holder, "assertEqual") else holder()
        _prepare(instance, ("setup_method", "setUp", "asyncSetUp"), None)
        _Test(getattr(instance, function), instance, row).run()
        _prepare(instance, ("teardown_method", "tearDown", "asyncTearDown", "doCleanups"), None)


class _Names:
    """The names of the tests' module as attributes."""

    def __getattr__(self, name):
        try:
            return globals()[name]
        except KeyError:
            raise AttributeError(name) from None


_Module = _Names()


def _run_listed(name):
    """Run a test, if what looks like one is one."""
    if name in _tests():
        _run(name)


def _run_others(*known):
    """Run the tests that are not among these."""
    for name in list(_tests()):
        if name not in known:
            _run(name)
