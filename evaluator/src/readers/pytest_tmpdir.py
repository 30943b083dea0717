class _LocalPath:
    """A path as `tmpdir` is one, by the methods that tests use."""

    def __init__(self, path):
        self.strpath = str(path)

    def __fspath__(self):
        return self.strpath

    __str__ = __fspath__

    def __repr__(self):
        return "local(%r)" % self.strpath

    def __eq__(self, other):
        import os

        return hasattr(type(other), "__fspath__") and os.fspath(other) == self.strpath or other == self.strpath

    def __hash__(self):
        return hash(self.strpath)

    def __lt__(self, other):
        return self.strpath < str(other)

    def _plain(self):
        import pathlib

        return pathlib.Path(self.strpath)

    def join(self, *names):
        return _LocalPath(self._plain().joinpath(*map(str, names)))

    __truediv__ = join

    @property
    def basename(self):
        return self._plain().name

    @property
    def purebasename(self):
        return self._plain().stem

    @property
    def ext(self):
        return self._plain().suffix

    @property
    def dirname(self):
        return str(self._plain().parent)

    def dirpath(self, *names):
        return _LocalPath(self.dirname).join(*names)

    def relto(self, base):
        import os

        start = str(base).rstrip("/") + "/"
        return os.fspath(self)[len(start) :] if self.strpath.startswith(start) else ""

    def exists(self):
        return self._plain().exists()

    def isfile(self):
        return self._plain().is_file()

    def isdir(self):
        return self._plain().is_dir()

    def check(self, file=None, dir=None, exists=1):
        if file is not None:
            return self.isfile() == bool(file)
        if dir is not None:
            return self.isdir() == bool(dir)
        return self.exists() == bool(exists)

    def size(self):
        return self._plain().stat().st_size

    def mtime(self):
        return self._plain().stat().st_mtime

    def mkdir(self, *names):
        made = self.join(*names)
        made._plain().mkdir()
        return made

    def ensure(self, *names, dir=False):
        made = self.join(*names)
        if dir:
            made._plain().mkdir(parents=True, exist_ok=True)
        else:
            made._plain().parent.mkdir(parents=True, exist_ok=True)
            made._plain().touch()
        return made

    def ensure_dir(self, *names):
        return self.ensure(*names, dir=True)

    def open(self, mode="r", ensure=False, encoding=None):
        if ensure:
            self.ensure()
        return open(self.strpath, mode, encoding=encoding)

    def write(self, data, mode="w", ensure=False):
        if "b" not in mode and not isinstance(data, (str, bytes)):
            data = str(data)
        with self.open(mode + "b" * (isinstance(data, bytes) and "b" not in mode), ensure) as file:
            file.write(data)

    def write_text(self, data, encoding, ensure=False):
        with self.open("w", ensure, encoding) as file:
            file.write(data)

    def write_binary(self, data, ensure=False):
        self.write(data, "wb", ensure)

    def read(self, mode="r"):
        with self.open(mode) as file:
            return file.read()

    def read_text(self, encoding):
        with self.open("r", encoding=encoding) as file:
            return file.read()

    def read_binary(self):
        return self.read("rb")

    def readlines(self, cr=1):
        lines = self.read().splitlines(True)
        return lines if cr else [line.rstrip("\n") for line in lines]

    def listdir(self, fil=None):
        import fnmatch

        found = sorted(map(_LocalPath, self._plain().iterdir()))
        if isinstance(fil, str):
            return [one for one in found if fnmatch.fnmatch(one.basename, fil)]
        return [one for one in found if fil is None or fil(one)]

    def remove(self, rec=1, ignore_errors=False):
        import shutil

        if self.isdir():
            shutil.rmtree(self.strpath, ignore_errors)
        else:
            self._plain().unlink(missing_ok=ignore_errors)

    def copy(self, target):
        import shutil

        shutil.copy(self.strpath, str(target))

    def chdir(self):
        import os

        before = os.getcwd()
        os.chdir(self.strpath)
        return _LocalPath(before)

    def as_cwd(self):
        import contextlib

        @contextlib.contextmanager
        def within():
            before = self.chdir()
            try:
                yield before
            finally:
                before.chdir()

        return within()


class _LocalPaths(_TemporaryPaths):
    def mktemp(self, basename, numbered=True):
        return _LocalPath(super().mktemp(basename, numbered))

    def getbasetemp(self):
        import tempfile

        return _LocalPath(tempfile.gettempdir())


@pytest.fixture
def tmpdir_factory():
    return _LocalPaths()


@pytest.fixture
def tmpdir():
    return _LocalPath(_temporary.mktemp("tmpdir_"))
