class _Test(_Scope):
    """One run of a test, with fixtures of its own.

    A row holds values of its arguments, and parameters of fixtures, each by its name, and marks."""

    def __init__(self, collected, row):
        super().__init__()
        self.collected, classes = collected, collected.classes
        values, self.params, marks = row
        self.values = dict(values)
        self.instance = self.made_instance(classes[-1]) if classes else None
        self.function = getattr(self.instance if classes else _Module, collected.name)
        self.module = _Module
        self.marks = [*_marks_of(collected.function), *marks, *collected.marks_around()]
        self.outcome = _judging
        self.provided = {}
        # By their names, from the module's to those of the innermost class.
        self.fixtures = {}
        for kind in (None, *classes):
            for fixture in _fixtures_in(kind):
                self.fixtures.setdefault(fixture.name, []).append(fixture)

    def made_instance(self, kind):
        return kind()

    def scope_of(self, fixture):
        """What a fixture is begun for: this run alone, its class, or what is wider."""
        place = getattr(fixture, "scope", _FUNCTION)
        if place == _FUNCTION:
            return self
        return _scopes[place] if place < _SCOPES["class"] else _scopes[-1]

    def value_of(self, name, outer=0):
        """Of the fixture of a name, or of one further out that has the same."""
        if name in self.values and not outer:
            return self.values[name]
        if name in _PROVIDED and name not in self.fixtures:
            if name not in self.provided:
                self.provided[name] = _PROVIDED[name](self)
            return self.provided[name]
        found = self.fixtures.get(name, ())[: -outer or None]
        if not found:
            _lacking("fixture %s" % name)
        return self.value_from(found[-1], outer)

    def value_from(self, fixture, outer):
        scope = self.scope_of(fixture)
        # There is one for all parameters that it is made of.
        params = [(one, id(self.params[one])) for one in self.needed_by([fixture.name]) if one in self.params]
        place = fixture, *params
        if place not in scope.kept:
            scope.kept[place] = fixture.begin(self, scope, self.given_to(fixture, outer))
        return scope.kept[place]

    def given_to(self, fixture, outer):
        given = {}
        for name in fixture.needs():
            if name == "request":
                given[name] = self.request(fixture)
            else:
                given[name] = self.value_of(name, outer + 1 if name == fixture.name else 0)
        return given

    def request(self, fixture):
        if fixture.name in self.params:
            return _RequestOfParam(self, fixture, self.params[fixture.name])
        return _Request(self, fixture)

    def uses(self):
        """The fixtures that it uses besides its arguments."""
        automatic = [name for name, found in self.fixtures.items() if any(one.is_automatic for one in found)]
        return automatic + [name for mark in self.marks if mark.name == "usefixtures" for name in mark.args]

    def arguments(self):
        return _needs(self.function)

    def closure(self):
        """The names of all fixtures and arguments that it needs, those of a wider scope first."""
        names = self.needed_by([*self.uses(), *self.arguments()])
        return sorted(names, key=lambda name: self.fixtures[name][-1].scope if name in self.fixtures else _FUNCTION)

    def needed_by(self, pending):
        """These names and those of all fixtures that theirs need."""
        names = []
        while pending:
            name = pending.pop(0)
            if name not in names:
                names.append(name)
                for fixture in self.fixtures.get(name, ()) if name not in self.values else ():
                    pending.extend(fixture.needs())
        return names

    # On the way to a test there is no condition, so that what it cannot do is known for its own doing.
    def run(self):
        import warnings

        with warnings.catch_warnings():
            _filter(self.marks)
            with self.outcome.closing():
                self.set_up()
                self.call()
            with self.outcome.after():
                self.end()

    def set_up(self):
        for kind in self.collected.classes[len(_scopes) - 3 :]:
            _scopes.append(_Scope(kind))
        for name in self.closure():
            self.value_of(name)

    def call(self):
        _awaited(self.function(**self.given()))

    def given(self):
        return {name: self.value_of(name) for name in self.arguments()}


class _CaseTest(_Test):
    """That of a class of unittest's, which runs it by itself."""

    def made_instance(self, kind):
        return kind(self.collected.name)

    def arguments(self):
        return []

    def call(self):
        heard = _Heard()
        self.instance.run(heard)
        heard.tell()


class _Heard:
    """What unittest is told of a test. All that went wrong counts, in its cleanups and subtests too."""

    failfast = False

    def __init__(self):
        self.faults, self.skips = [], []

    def addError(self, test, error):
        self.faults.append(error[1])

    addFailure = addError

    def addSubTest(self, test, subtest, error):
        self.faults.extend(error[1:2] if error else ())

    def addSkip(self, test, reason):
        self.skips.append(_Skipped(reason))

    def addExpectedFailure(self, test, error):
        self.faults.extend(error[1:2] if _is_lacking(error[1]) else ())

    def addUnexpectedSuccess(self, test):
        self.faults.append(AssertionError("unexpected success"))

    def startTest(self, *what):
        pass

    stopTest = addSuccess = addDuration = startTest

    def tell(self):
        outcomes = [*self.faults, *self.skips]
        for error in sorted(outcomes, key=lambda one: isinstance(one, (_Skipped, _XFailed)))[:1]:
            raise error


class _Collected:
    """A test function, with the classes around it."""

    def __init__(self, path):
        *kinds, self.name = path.split(".")
        self.classes, holder = [], _Module
        for kind in kinds:
            holder = getattr(holder, kind)
            self.classes.append(holder)
        self.function = getattr(holder, self.name)
        self.kind = _CaseTest if self.classes and _is_test_case(holder) else _Test

    def marks_around(self):
        """Those of what it is in, the innermost first."""
        around = [_marks_of(one) for one in reversed(self.classes)]
        return [mark for marks in [*around, _listed(globals().get("pytestmark", ()))] for mark in marks]

    def is_skipped(self):
        return any(getattr(one, "__unittest_skip__", False) for one in (*self.classes, self.function))

    def run(self):
        with _judging.closing():
            __import__(self.lacking())
            _leave(self.classes)
            runs = self.runs()
            runs[0].run()
            for run in runs[1:]:
                run.run()

    def lacking(self):
        """What cannot be imported, if a fixture is lacking."""
        test = self.kind(self, (self.rows() or [_NO_ROW])[0])
        for name in test.closure():
            found = test.fixtures.get(name, ())
            what = next((one.lacks() for one in found if one.lacks()), None if found or name in _PROVIDED else name)
            if name not in test.values and what is not None:
                return "pytest's fixture %s, which is not supported here" % what
        return "builtins"

    def runs(self):
        """At least one, if only of nothing."""
        runs = [self.kind(self, row) for row in self.rows()]
        for run in runs:
            run.outcome = _outcome_of(run.marks)
        return [run if run.outcome is not None else _Nothing() for run in runs] or [_Nothing()]

    def rows(self):
        rows = [_NO_ROW]
        for mark in [*_marks_of(self.function), *self.marks_around()]:
            for more in mark.args if mark.name == "parametrize" else ():
                rows = [_joined(row, other) for row in rows for other in more]
        test = self.kind(self, rows[0]) if rows else None
        for name in test.closure() if rows else ():
            params = test.fixtures[name][-1].params if name in test.fixtures else None
            if params is not None and name not in test.values and name not in test.params:
                rows = [_joined(row, ({}, {name: one.values[0]}, one.marks)) for row in rows for one in params]
        return rows


_NO_ROW = {}, {}, []


def _joined(row, other):
    return {**row[0], **other[0]}, {**row[1], **other[1]}, [*row[2], *other[2]]


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


def _found(name):
    collected = _Collected(name) if name in _tests() and name not in _ran else None
    _ran.add(name)
    return _Nothing() if collected is None or collected.is_skipped() else collected
