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


class _Judging:
    """Says what an outcome comes to. The name of its method is known for a context that goes on with what is in it."""

    has_skipped = False

    def closing(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, kind, outcome, trace):
        if not isinstance(outcome, _Outcome) and not _is_skip_test(outcome):
            return False
        assert not isinstance(outcome, _Failed) or isinstance(outcome, _XFailed), "Failed: %s" % outcome
        self.has_skipped = True
        return True


def _is_skip_test(error):
    is_own = not hasattr(error, "candidate")
    return is_own and (type(error).__module__, type(error).__name__) == ("unittest.case", "SkipTest")


_judging = _Judging()


class _Param:
    def __init__(self, values, marks=()):
        self.values = values
        self.marks = marks if isinstance(marks, (list, tuple)) else (marks,)

    def is_skipped(self):
        def marked():
            pass

        for mark in self.marks:
            mark(marked)
        return _is_skipped(marked)


def _params(values, are_rows=False):
    """The parameters with which tests are run; the values are those or, if they `are_rows`, hold them."""
    params = [value if isinstance(value, _Param) else _Param(value if are_rows else (value,)) for value in values]
    return [param for param in params if not param.is_skipped()]


class _Mark:
    def parametrize(self, argnames, argvalues, indirect=False, ids=None, scope=None):
        names = argnames.split(",") if isinstance(argnames, str) else argnames
        names = [name.strip() for name in names if name.strip()]
        fixtures = (names if indirect else ()) if isinstance(indirect, bool) else indirect

        def row(param):
            values = dict(zip(names, param.values))
            return values, {name: values.pop(name) for name in fixtures}

        are_rows = len(names) > 1 or not isinstance(argnames, str)
        rows = [row(param) for param in _params(argvalues, are_rows)]

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
    fail, skip, xfail = staticmethod(_fail), staticmethod(_skip), staticmethod(_xfail)
    mark = _Mark()

    def fixture(self, *given, name=None, autouse=False, params=None, ids=None, scope="function"):
        def register(function):
            rows = None if params is None else _params(params)
            function._fixture = name or function.__name__, autouse, rows, scope
            return function

        return register(given[0]) if given and callable(given[0]) else register

    def param(self, *values, marks=(), id=None):
        return _Param(values, marks)

    def importorskip(self, name, *given, **named):
        import importlib

        # A test that is skipped here is judged by nothing.
        return importlib.import_module(name)

    def main(self, *given, **named):
        return 0

    def __getattr__(self, name):
        _lacking(name)


pytest = _Pytest()


def _needs(function):
    import inspect

    parameters = inspect.signature(function).parameters.values()
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    names = [one.name for one in parameters if one.default is one.empty and one.kind not in kinds]
    # What a decorator of `unittest.mock` gives comes first.
    mocked = [one for one in getattr(function, "patchings", ()) if type(one.new).__name__ == "_SentinelObject"]
    return names[sum(not one.attribute_name for one in mocked) :]


class _Request:
    def __init__(self, test):
        self._test = test

    def getfixturevalue(self, name):
        return self._test.value_of(name)

    def __getattr__(self, name):
        _lacking("request.%s" % name)


class _RequestOfParam(_Request):
    def __init__(self, test, param):
        super().__init__(test)
        self.param = param


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
    """One run of a test, with fixtures of its own.

    `row` holds values of its arguments, and parameters of fixtures, each by its name."""

    def __init__(self, collected, row):
        self.collected = collected
        values, self.params = row
        self.values, self.begun = dict(values), []
        self.instances = [_instance(kind, collected.name) for kind in collected.classes]
        self.function = getattr(self.instances[-1] if self.instances else _Module, collected.name)
        self.fixtures = {}
        for value in list(globals().values()):
            if _is_fixture(value):
                self.fixtures[value._fixture[0]] = value
        for kind, instance in zip(collected.classes, self.instances):
            for name in dir(kind):
                if _is_fixture(getattr(kind, name, None)):
                    self.fixtures[getattr(kind, name)._fixture[0]] = getattr(instance, name)

    def value_of(self, name):
        if name not in self.values:
            self.values[name] = self.made(name)
        return self.values[name]

    def made(self, name):
        if name in _PROVIDED:
            return _PROVIDED[name](self)
        if name not in self.fixtures:
            _lacking("fixture %s" % name)
        if self.holder(name) is self:
            return self.began(name, self.begun)
        place = self.place(name)
        if place not in _kept:
            _kept[place] = self.began(name, _begun)
        return _kept[place]

    def holder(self, name):
        """What a value of a fixture is made for: this run alone, its class, or the module."""
        scope = self.fixtures[name]._fixture[3]
        if scope == "class" and self.collected.classes:
            return self.collected.classes[-1]
        return _Module if scope in ("module", "package", "session") else self

    def place(self, name):
        """Where a value is kept: there is one for all parameters that it is made of."""
        params = [(one, id(self.params[one])) for one in self.needed_by([name]) if one in self.params]
        return id(self.holder(name)), name, *params

    def began(self, name, begun):
        fixture = self.fixtures[name]
        given = self.given(fixture)
        if name in self.params and "request" in given:
            given["request"] = _RequestOfParam(self, self.params[name])
        value = _awaited(fixture(**given))
        if not hasattr(value, "__next__"):
            return value
        begun.append(value)
        return next(value)

    def given(self, function):
        return {name: self.value_of(name) for name in _needs(function)}

    def uses(self):
        """The fixtures that it uses besides its arguments."""
        marked = [*self.collected.classes, self.function]
        automatic = [name for name, fixture in self.fixtures.items() if fixture._fixture[1]]
        return automatic + [name for one in marked for name in getattr(one, "_uses", ())]

    def closure(self):
        """The names of all fixtures and arguments that it needs."""
        return self.needed_by([*self.uses(), *_needs(self.function)])

    def needed_by(self, pending):
        """These names and those of all fixtures that theirs need."""
        names = []
        while pending:
            name = pending.pop(0)
            if name not in names:
                names.append(name)
                pending.extend(_needs(self.fixtures[name]) if name in self.fixtures else ())
        return names

    # On the way to a test there is no condition, so that what it cannot do is known for its own doing.
    def run(self):
        with _judging.closing():
            self.set_up()
            _awaited(self.function(**self.given(self.function)))
        self.tear_down()

    def set_up(self):
        _prepare(_Module, () if self.instances else ("setup_function",), self.function)
        for instance in self.instances[-1:]:
            _prepare(instance, ("setup_method", "setUp", "asyncSetUp"), self.function)
        for name in self.uses():
            self.value_of(name)

    def tear_down(self):
        _end_all(self.begun)
        for instance in self.instances[-1:]:
            _prepare(instance, ("teardown_method", "tearDown", "asyncTearDown", "doCleanups"), self.function)
        _prepare(_Module, () if self.instances else ("teardown_function",), self.function)


# The values of fixtures that are there for more than one test, and the generators that gave them.
_kept = {}
_begun = []


def _end_all(generators):
    while generators:
        next(generators.pop(), None)


# The fixtures that need no code of the tests'.
_PROVIDED = {"request": _Request, "capsys": lambda test: _Captured()}


def _instance(kind, function):
    return kind(function) if _is_test_case(kind) else kind()


def _awaited(value):
    if not hasattr(type(value), "__await__"):
        return value
    import asyncio

    return asyncio.run(value)


def _is_skipped(*marked):
    return any(getattr(one, mark, False) for one in marked for mark in ("_is_skipped", "__unittest_skip__"))


# What was prepared for several tests, and what tests have been run: in one process, each is once.
_prepared = []
_ran = set()


def _prepare_once(holder, names, *about):
    if holder not in _prepared:
        _prepared.append(holder)
        _prepare(holder, names, *about)


def _prepare(holder, names, *about):
    for name in names:
        function = getattr(holder, name, None)
        if function is not None and not hasattr(function, "_fixture"):
            _awaited(function(*about[: len(_needs(function))]))


class _Collected:
    """A test function, with the classes around it."""

    def __init__(self, path):
        *kinds, self.name = path.split(".")
        self.classes, holder = [], _Module
        for kind in kinds:
            holder = getattr(holder, kind)
            self.classes.append(holder)
        self.marked = (*self.classes, getattr(holder, self.name))

    def run(self):
        with _judging.closing():
            __import__(self.lacking())
            self.set_up()
            runs = self.runs()
            runs[0].run()
            for run in runs[1:]:
                run.run()

    def lacking(self):
        """What cannot be imported, if a fixture is lacking."""
        test = self.first()
        names = [name for name in test.closure() if name not in test.values]
        for name in names:
            if name not in test.fixtures and name not in _PROVIDED:
                return "pytest's fixture %s, which is not supported here" % name
        return "builtins"

    def first(self):
        return _Test(self, (self.rows() or [({}, {})])[0])

    def set_up(self):
        self.leave_others()
        is_first = not any(kind in _prepared for kind in self.classes[-1:])
        _prepare_once(_Module, ("setup_module", "setUpModule"), None)
        for kind in self.classes:
            _prepare_once(kind, ("setup_class", "setUpClass"), kind)
        for kind in self.classes[:-1] if is_first else ():
            # pytest gives this the class of its first test, which may be this one's or one of the outer class' own.
            set_up = getattr(kind, "setup_class", None)
            if hasattr(set_up, "__func__"):
                set_up.__func__(self.classes[-1])

    def leave_others(self):
        """End the classes that this test is in none of."""
        for kind in reversed(_prepared[1:]):
            if kind not in self.classes:
                _prepared.remove(kind)
                _prepare(kind, ("teardown_class", "tearDownClass"), kind)

    def runs(self):
        """At least one, if only of nothing."""
        return [_Test(self, row) for row in self.rows()] or [_Nothing()]

    def rows(self):
        rows = [({}, {})]
        for one in self.marked:
            for more in getattr(one, "_rows", ()):
                rows = [_joined(row, other) for row in rows for other in more]
        test = _Test(self, rows[0]) if rows else None
        for name in test.closure() if rows else ():
            params = test.fixtures[name]._fixture[2] if name in test.fixtures else None
            if params is not None and name not in test.values and name not in test.params:
                rows = [_joined(row, ({}, {name: param.values[0]})) for row in rows for param in params]
        return rows


def _joined(row, other):
    return {**row[0], **other[0]}, {**row[1], **other[1]}


class _Nothing:
    """In place of a test that is none."""

    def run(self):
        _judging.has_skipped = True


def _is_test_case(kind):
    return hasattr(kind, "assertEqual")


def _is_test_class(name, value):
    if not _is_own(value) or not isinstance(value, type) or not getattr(value, "__test__", True):
        return False
    return _is_test_case(value) or name.startswith("Test") and value.__init__ is object.__init__


def _is_test(name, value):
    is_function = callable(value) and not isinstance(value, type)
    return name.startswith("test") and is_function and not hasattr(value, "_fixture")


def _tests():
    """The names of all tests, as pytest collects them."""
    for name, value in list(globals().items()):
        if _is_function(value) and _is_test(name, value):
            yield name
        elif _is_test_class(name, value):
            yield from _tests_of(name, value)


def _tests_of(path, kind):
    for name in dir(kind):
        value = getattr(kind, name, None)
        if _is_test(name, value):
            yield path + "." + name
        elif not _is_test_case(kind) and _is_test_class(name, value):
            yield from _tests_of(path + "." + name, value)


class _Names:
    """The names of the tests' module as attributes."""

    def __getattr__(self, name):
        try:
            return globals()[name]
        except KeyError:
            raise AttributeError(name) from None


_Module = _Names()


def _found(name):
    collected = _Collected(name) if name in _tests() and name not in _ran else None
    _ran.add(name)
    return _Nothing() if collected is None or _is_skipped(*collected.marked) else collected


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
    _end_all(_begun)
