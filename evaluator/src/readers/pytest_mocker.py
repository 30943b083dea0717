_OF_MOCK = (
    "Mock", "MagicMock", "AsyncMock", "NonCallableMock", "NonCallableMagicMock", "PropertyMock", "call", "ANY",
    "DEFAULT", "sentinel", "create_autospec", "mock_open",
)


class _Mocker:
    """As `unittest.mock`, until the end of the test."""

    def __init__(self):
        from unittest import mock

        self._begun = []
        for name in _OF_MOCK:
            setattr(self, name, getattr(mock, name))
        self.patch = _Patching(self._begun)

    def stub(self, name=None):
        return self.MagicMock(spec=lambda *args, **kwargs: None, name=name)

    def spy(self, holder, name):
        called = getattr(holder, name)

        def noting(*args, **kwargs):
            try:
                spied.spy_return = called(*args, **kwargs)
            except BaseException as error:
                spied.spy_exception = error
                raise
            spied.spy_return_list.append(spied.spy_return)
            return spied.spy_return

        # What is called on an object is given that as well.
        spied = self.MagicMock(side_effect=noting)
        spied.spy_return, spied.spy_return_list, spied.spy_exception = None, [], None
        method = (lambda self, *args, **kwargs: spied(self, *args, **kwargs)) if isinstance(holder, type) else spied
        self.patch.object(holder, name, method)
        return spied

    def resetall(self, *, return_value=False, side_effect=False):
        for _, given in self._begun:
            if hasattr(given, "reset_mock"):
                given.reset_mock(return_value=return_value, side_effect=side_effect)

    def stop(self, replacement):
        for begun in [begun for begun in self._begun if begun[1] is replacement]:
            self._begun.remove(begun)
            begun[0].stop()

    def stopall(self):
        while self._begun:
            self._begun.pop()[0].stop()

    def __getattr__(self, name):
        _lacking("mocker.%s" % name)


class _Patching:
    def __init__(self, begun):
        self._begun = begun

    def _begin(self, patch):
        given = patch.start()
        self._begun.append((patch, given))
        return given

    def __call__(self, *target, **how):
        from unittest import mock

        return self._begin(mock.patch(*target, **how))

    def object(self, *target, **how):
        from unittest import mock

        return self._begin(mock.patch.object(*target, **how))

    def dict(self, *target, **how):
        from unittest import mock

        return self._begin(mock.patch.dict(*target, **how))

    def multiple(self, *target, **how):
        from unittest import mock

        return self._begin(mock.patch.multiple(*target, **how))

    def __getattr__(self, name):
        _lacking("mocker.patch.%s" % name)


@pytest.fixture
def mocker():
    patched = _Mocker()
    yield patched
    patched.stopall()
