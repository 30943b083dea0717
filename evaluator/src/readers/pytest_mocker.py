class _Mocker:
    """As `unittest.mock`, until the end of the test."""

    def __init__(self):
        from unittest import mock

        self._begun = []
        for name in ("Mock", "MagicMock", "PropertyMock", "call", "ANY", "DEFAULT", "create_autospec", "mock_open"):
            setattr(self, name, getattr(mock, name))
        self.patch = _Patching(self._begun)

    def stub(self, name=None):
        return self.MagicMock(spec=lambda *args, **kwargs: None, name=name)

    def spy(self, holder, name):
        return self.patch.object(holder, name, wraps=getattr(holder, name))

    def stopall(self):
        while self._begun:
            self._begun.pop().stop()

    def __getattr__(self, name):
        _lacking("mocker.%s" % name)


class _Patching:
    def __init__(self, begun):
        self._begun = begun

    def _begin(self, patch):
        given = patch.start()
        self._begun.append(patch)
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


@pytest.fixture
def mocker():
    patched = _Mocker()
    yield patched
    patched.stopall()
