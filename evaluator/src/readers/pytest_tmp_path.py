class _TemporaryPaths:
    """Directories that have the same names in every run of a test."""

    def __init__(self):
        self._number = 0

    def mktemp(self, basename, numbered=True):
        import os
        import pathlib
        import tempfile

        place = os.path.join(tempfile.gettempdir(), basename + (str(self._number) if numbered else ""))
        self._number += 1
        os.mkdir(place, 0o700)
        return pathlib.Path(place)


_temporary = _TemporaryPaths()


@pytest.fixture
def tmp_path_factory():
    return _temporary


@pytest.fixture
def tmp_path():
    return _temporary.mktemp("tmp_path_")
