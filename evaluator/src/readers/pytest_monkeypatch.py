class _MonkeyPatch:
    """Through `unittest.mock`, for what that has replaced while the candidate is called is looked at."""

    def __init__(self):
        self._begun = []

    @classmethod
    def context(cls):
        return cls()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.undo()

    def _begin(self, patch):
        patch.start()
        self._begun.append(patch.stop)

    def setattr(self, *target, raising=True, **named):
        from unittest import mock

        holder, name, value = _attribute(*target, *named.values())
        self._begin(mock.patch.object(holder, name, value, create=not raising))

    def delattr(self, *target, raising=True):
        from unittest import mock

        holder, name, _ = _attribute(*target, None)
        if raising or hasattr(holder, name):
            self._begin(mock.patch.object(holder, name, None))
            delattr(holder, name)

    def setitem(self, dic, name, value):
        from unittest import mock

        self._begin(mock.patch.dict(dic, {name: value}))

    def delitem(self, dic, name, raising=True):
        from unittest import mock

        if raising or name in dic:
            self._begin(mock.patch.dict(dic))
            del dic[name]

    def setenv(self, name, value, prepend=None):
        import os

        if prepend and name in os.environ:
            value = str(value) + prepend + os.environ[name]
        self.setitem(os.environ, name, str(value))

    def delenv(self, name, raising=True):
        import os

        self.delitem(os.environ, name, raising)

    def chdir(self, path):
        import os

        directory = os.getcwd()
        self._begun.append(lambda: os.chdir(directory))
        os.chdir(path)

    def undo(self):
        while self._begun:
            self._begun.pop()()

    def __getattr__(self, name):
        _lacking("monkeypatch.%s" % name)


def _attribute(*target):
    """What has an attribute, its name, and its value; the first two may be written as one path."""
    # A path that leads nowhere does so by itself: it is looked up under no condition.
    read = _path_read if isinstance(target[0], str) else _as_given
    return read(*target)


def _path_read(path, value):
    import pkgutil

    holder, _, name = path.rpartition(".")
    return pkgutil.resolve_name(holder), name, value


def _as_given(*target):
    return target


_Pytest.MonkeyPatch = _MonkeyPatch


@pytest.fixture
def monkeypatch():
    patched = _MonkeyPatch()
    yield patched
    patched.undo()
