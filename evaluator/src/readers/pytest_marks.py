def _must_have(is_there, what):
    """The same where that is not there. No statement is conditional, so that it is known for the tests' own doing."""
    __import__("builtins" if is_there else "pytest's %s, which is not supported" % what)


class _Expecting(_Judging):
    """Of a test that is marked to fail, with these exceptions if any are told; if it is strict, it has to."""

    def __init__(self, raises=None, strict=False):
        self.raises, self.strict = raises, strict

    def after(self):
        return _Expecting(self.raises)

    def __exit__(self, kind, error, trace):
        if isinstance(error, (_Skipped, _XFailed)) or _is_skip_test(error):
            return super().__exit__(kind, error, trace)
        assert kind is not None or not self.strict, "[XPASS(strict)]"
        is_expected = self.raises is None or isinstance(error, self.raises)
        if kind is None or is_expected and not _is_lacking(error):
            return True
        return super().__exit__(kind, error, trace)


class _Param:
    def __init__(self, values, marks=()):
        self.values = values
        self.marks = _listed(marks)


def _params(values, are_rows=False):
    """The parameters with which tests are run; the values are those or, if they `are_rows`, hold them."""
    return [value if isinstance(value, _Param) else _Param(value if are_rows else (value,)) for value in values]


class _Mark:
    def __init__(self, name, args=(), kwargs=()):
        self.name, self.args, self.kwargs = name, tuple(args), dict(kwargs)

    def __call__(self, *args, **kwargs):
        if len(args) == 1 and not kwargs and _may_be_marked(args[0]):
            args[0].pytestmark = [*_marks_in(args[0]), self]
            return args[0]
        return _Mark(self.name, self.args + args, {**self.kwargs, **kwargs})

    @property
    def mark(self):
        return self

    def conditions(self):
        return (self.kwargs["condition"],) if "condition" in self.kwargs else self.args

    def holds(self):
        """Whether one of its conditions does, if it has any."""
        return not self.conditions() or any(map(_is_so, self.conditions()))


def _may_be_marked(value):
    return isinstance(value, type) or callable(value) and getattr(value, "__name__", "<lambda>") != "<lambda>"


def _is_so(condition):
    if not isinstance(condition, str):
        return bool(condition)
    known = {name: __import__(name) for name in ("os", "sys", "platform")}
    # A text of the test code's own: that needs none of the guards which there are where test code evaluates answers.
    return bool(__import__("builtins").__dict__["eval"](condition, {**known, **globals()}))


class _Marks:
    """For `pytest.mark`."""

    def parametrize(self, argnames, argvalues, indirect=False, ids=None, scope=None):
        return _Mark("parametrize", [_rows(argnames, argvalues, indirect)])

    def __getattr__(self, name):
        return _Mark(name)


def _rows(argnames, argvalues, indirect):
    """What a mark gives each run: values of arguments, parameters of fixtures, and marks."""
    names = argnames.split(",") if isinstance(argnames, str) else argnames
    names = [name.strip() for name in names if name.strip()]
    fixtures = (names if indirect else ()) if isinstance(indirect, bool) else indirect

    def row(param):
        values = dict(zip(names, param.values))
        return values, {name: values.pop(name) for name in fixtures}, param.marks

    are_rows = len(names) > 1 or not isinstance(argnames, str)
    return [row(param) for param in _params(argvalues, are_rows)]


def _marks_of(marked):
    """Those of a function; of a class, those of its bases too."""
    holders = reversed(marked.__mro__) if isinstance(marked, type) else [marked]
    return [mark for holder in holders for mark in _marks_in(holder)]


def _marks_in(holder):
    """Those that a function or class has of its own."""
    return _listed(getattr(holder, "__dict__", {}).get("pytestmark", ()))


def _listed(marks):
    return marks if isinstance(marks, (list, tuple)) else [marks]


def _outcome_of(marks):
    """What judges a test with these marks, or None if it says nothing: it is skipped, or may fail."""
    named = {name: [mark for mark in marks if mark.name == name] for name in ("skip", "skipif", "xfail")}
    if named["skip"] or any(mark.holds() for mark in named["skipif"]):
        return None
    given = next((mark.kwargs for mark in named["xfail"] if mark.holds()), None)
    if given is None:
        return _judging
    raises, is_strict = given.get("raises"), given.get("strict", False)
    is_run = given.get("run", True) and (is_strict or raises is not None)
    return _Expecting(raises, is_strict) if is_run else None


def _filter(marks):
    """Have warnings be what the marks say. As with pytest, what is said of a class goes before what is of its test."""
    for mark in marks:
        for text in mark.args if mark.name == "filterwarnings" else ():
            _filter_one(*[part.strip() for part in text.split(":")])


def _filter_one(action, message="", category="", module="", line=""):
    import warnings

    warnings.filterwarnings(action, message, _category(category), module, int(line or 0))


def _category(name):
    import pkgutil

    if name.startswith("pytest."):
        # There are none of these here.
        return type(name, (Warning,), {})
    return pkgutil.resolve_name(name if "." in name else "builtins." + name) if name else Warning


# The scopes of fixtures, the widest first: those of a function are there for one run of a test.
_SCOPES = {name: place for place, name in enumerate(("session", "package", "module", "class", "function"))}
_FUNCTION = _SCOPES["function"]


def _fixture(*given, name=None, autouse=False, params=None, ids=None, scope="function"):
    def register(function):
        _must_have(scope in _SCOPES, "fixture of such a scope")
        rows = None if params is None else _params(params)
        function._fixture = name or function.__name__, autouse, rows, _SCOPES[scope]
        return function

    return register(given[0]) if given and callable(given[0]) else register


def _param(*values, marks=(), id=None):
    return _Param(values, marks)


_Pytest.mark, _Pytest.fixture, _Pytest.param = _Marks(), staticmethod(_fixture), staticmethod(_param)
