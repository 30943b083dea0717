def _needs(function):
    import inspect

    parameters = inspect.signature(function).parameters.values()
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    names = [one.name for one in parameters if one.default is one.empty and one.kind not in kinds]
    # What a decorator of `unittest.mock` gives comes first.
    mocked = [one for one in getattr(function, "patchings", ()) if type(one.new).__name__ == "_SentinelObject"]
    return names[sum(not one.attribute_name for one in mocked) :]


def _is_fixture(value):
    return _is_function(value) and hasattr(value, "_fixture")


def _is_made_by(function, flag):
    """Whether a call of a function makes a generator or the like, by a flag of its code."""
    code = getattr(function, "__code__", None)
    return code is not None and bool(code.co_flags & flag)


_GENERATOR, _ASYNC_GENERATOR = 0x20, 0x200


def _awaited(value):
    if not hasattr(type(value), "__await__"):
        return value
    import asyncio

    return asyncio.run(value)


class _Names:
    """The names of the tests' module as attributes."""

    def __getattr__(self, name):
        try:
            return globals()[name]
        except KeyError:
            raise AttributeError(name) from None


_Module = _Names()


class _Scope:
    """One run of a test, or what several are in, with what was begun for it."""

    def __init__(self, holder=None):
        self.holder, self.kept, self.endings = holder, {}, []

    def end(self):
        """End all of it, the last first, whatever one raises."""
        while self.endings:
            try:
                self.endings.pop()()
            finally:
                self.end()


# Those that are open, from the widest to the innermost class.
_scopes = [_Scope("session"), _Scope("package"), _Scope(_Module)]


def _leave(classes):
    """End the classes that a test is in none of."""
    while len(_scopes) > 3 and _scopes[-1].holder not in classes:
        with _judging.closing():
            _scopes.pop().end()


def _leave_all():
    _leave(())
    while _scopes:
        with _judging.closing():
            _scopes.pop().end()


class _Fixture:
    """A fixture that a module or class has."""

    is_automatic, params, scope = True, None, _FUNCTION

    def needs(self):
        return []


class _OwnFixture(_Fixture):
    """One that the tests define. `bound` is the module, or an instance of the class for all its tests."""

    def __init__(self, bound, attribute):
        self.bound, self.attribute = bound, attribute
        self.name, self.is_automatic, self.params, self.scope = getattr(bound, attribute)._fixture

    def needs(self):
        return _needs(getattr(self.bound, self.attribute))

    def lacks(self):
        """What it would need that there is not."""
        function = getattr(self.bound, self.attribute)
        return "async generator" if _is_made_by(function, _ASYNC_GENERATOR) else None

    def begin(self, test, scope, given):
        is_of_instance = self.scope == _FUNCTION and isinstance(test.instance, type(self.bound))
        function = getattr(test.instance if is_of_instance else self.bound, self.attribute)
        value = function(**given)
        if not _is_made_by(function, _GENERATOR):
            return _awaited(value)
        given = next(value)
        scope.endings.append(lambda: _finish(value))
        return given


def _finish(generator):
    assert next(generator, _finish) is _finish, "fixture function has more than one 'yield'"


class _XUnitFixture(_Fixture):
    """Functions of certain names, which stand for a fixture: one that begins, and one that ends."""

    def __init__(self, name, scope, begins, ends):
        self.name, self.scope, self.begins, self.ends = name, scope, begins, ends

    def lacks(self):
        return None

    def begin(self, test, scope, given):
        _called_first(*self.begins, test)
        scope.endings.append(lambda: _called_first(*self.ends, test))


class _FunctionFixture(_XUnitFixture):
    """That of the module's functions alone."""

    def begin(self, test, scope, given):
        if test.instance is None:
            super().begin(test, scope, given)


class _MethodFixture(_XUnitFixture):
    """That of the methods of a class: of each instance its own."""

    def begin(self, test, scope, given):
        _called_first(test.instance, *self.begins[1:], test)
        scope.endings.append(lambda: _called_first(test.instance, *self.ends[1:], test))


class _ClassFixture(_XUnitFixture):
    """That of a class: it is given the class of the test that comes first."""

    def begin(self, test, scope, given):
        kind = type(test.instance)
        _called_of_class(*self.begins, kind)
        scope.endings.append(lambda: _called_of_class(*self.ends, kind))


class _CaseFixture(_XUnitFixture):
    """That of a class of unittest's."""

    def begin(self, test, scope, given):
        kind = type(test.instance)
        try:
            kind.setUpClass()
        except Exception:
            _clean_up(kind)
            raise
        scope.endings.append(lambda: self.end(kind))

    def end(self, kind):
        try:
            kind.tearDownClass()
        finally:
            _clean_up(kind)


def _clean_up(kind):
    kind.doClassCleanups()
    for _, error, _ in kind.tearDown_exceptions:
        raise error


def _called_first(holder, names, about, test):
    """Call the first function of these names, with what it is `about` if it takes anything."""
    found = [getattr(holder, name, None) for name in names]
    for function in [one for one in found if one is not None and not hasattr(one, "_fixture")][:1]:
        _awaited(function(*(getattr(test, one) for one in about[: len(_needs(function))])))


def _called_of_class(kind, name, of):
    function = getattr(kind, name, None)
    if function is not None and not hasattr(function, "_fixture"):
        function = getattr(function, "__func__", function)
        function(*(of,)[: len(_needs(function))])


def _fixtures_of_module():
    yield _XUnitFixture(
        (None, "module"), _SCOPES["module"], (_Module, ("setUpModule", "setup_module"), ("module",)),
        (_Module, ("tearDownModule", "teardown_module"), ("module",)))
    yield _FunctionFixture(
        (None, "function"), _FUNCTION, (_Module, ("setup_function",), ("function",)),
        (_Module, ("teardown_function",), ("function",)))
    for name in sorted(globals()):
        if _is_fixture(globals()[name]):
            yield _OwnFixture(_Module, name)


def _fixtures_of_class(kind):
    yield _ClassFixture((kind, "class"), _SCOPES["class"], (kind, "setup_class"), (kind, "teardown_class"))
    if _is_test_case(kind):
        yield _CaseFixture((kind, "case"), _SCOPES["class"], (), ())
    yield _MethodFixture(
        (kind, "method"), _FUNCTION, (None, ("setup_method",), ("function",)),
        (None, ("teardown_method",), ("function",)))
    names = [name for name in dir(kind) if _is_fixture(getattr(kind, name, None))]
    # Those of a wider scope than a test's have an instance of their own.
    bound = kind() if names and not _is_test_case(kind) else kind("runTest") if names else None
    for name in names:
        yield _OwnFixture(bound, name)


def _is_test_case(kind):
    return hasattr(kind, "assertEqual")


_known = {}


def _fixtures_in(kind):
    """The fixtures of a class, or of the module."""
    if kind not in _known:
        _known[kind] = list(_fixtures_of_module() if kind is None else _fixtures_of_class(kind))
    return _known[kind]


class _Request:
    def __init__(self, test, fixture):
        self._test, self._fixture = test, fixture
        self.scope = ("session", "package", "module", "class", "function")[getattr(fixture, "scope", _FUNCTION)]
        self.fixturename = getattr(fixture, "name", None)
        self.cls = type(test.instance) if test.instance is not None else None
        self.module, self.node = _Module, _Node(test)

    @property
    def instance(self):
        return self._test.instance if self.scope == "function" else None

    @property
    def function(self):
        return self._test.function

    @property
    def fixturenames(self):
        return [name for name in self._test.closure() if isinstance(name, str)]

    def getfixturevalue(self, name):
        return self._test.value_of(name)

    def addfinalizer(self, ending):
        self._test.scope_of(self._fixture).endings.append(ending)

    def __getattr__(self, name):
        if name == "param":
            raise AttributeError(name)
        _lacking("request.%s" % name)


class _RequestOfParam(_Request):
    def __init__(self, test, fixture, param):
        super().__init__(test, fixture)
        self.param = param


class _Node:
    """For `request.node`."""

    def __init__(self, test):
        self._marks, self.originalname = test.marks, test.collected.name
        self.cls = type(test.instance) if test.instance is not None else None

    def iter_markers(self, name=None):
        return iter([mark for mark in self._marks if name in (None, mark.name)])

    def get_closest_marker(self, name, default=None):
        return next(self.iter_markers(name), default)

    def __getattr__(self, name):
        _lacking("request.node.%s" % name)


class _Captured:
    """For `capsys`, and `capfd`: no program writes past the streams."""

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

    def disabled(self):
        import contextlib
        import sys

        @contextlib.contextmanager
        def during():
            held = sys.stdout, sys.stderr
            sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
            try:
                yield
            finally:
                sys.stdout, sys.stderr = held

        return during()


# The fixtures that need no code of the tests'.
_PROVIDED = {
    "request": lambda test: _Request(test, None),
    "capsys": lambda test: _Captured(),
    "capfd": lambda test: _Captured(),
}
